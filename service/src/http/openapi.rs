//! `/openapi.json`: the service as OpenAPI 3.1, from the handlers and the types that they read and write.
//!
//! Types of other crates are described here by types of the same form ([`Diagnostic`], [`Usage`](crate::pipeline::generate::schema::Usage)).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use utoipa::{OpenApi, ToSchema};

use crate::{
    http::routes::{
        bundles, cas, check, diff, discovery, generate, ide, lint, model, results, sites, tblgen, upgrade,
    },
    pipeline::{
        error::Limit,
        generate::{ResultObject, schema::Diagnostic},
        manifest::Manifest,
    },
};

/// The description of the whole service.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Odsmith",
        description = "MLIR TableGen definitions in; generated C++ and a dialect reference out. \
                       Results are named by their content: equal requests have equal results, for ever.",
        license(name = "Apache-2.0 WITH LLVM-exception", identifier = "Apache-2.0 WITH LLVM-exception"),
    ),
    servers((url = "/")),
    tags(
        (name = "make", description = "A bundle in, results out"),
        (name = "ide", description = "What editors ask of files that nothing keeps"),
        (name = "results", description = "What was made, by digest, immutable"),
        (name = "discovery", description = "What this server can do"),
    ),
    paths(
        generate::generate, generate::result, generate::known, generate::from_source, bundles::put, bundles::head, tblgen::tblgen, tblgen::records,
        check::check, check::sarif, check::text, lint::lint, lint::sarif, lint::text, ide::check, ide::preview, ide::hover, ide::completion, results::object, results::archive, results::provenance, results::file, cas::by_digest, sites::page, discovery::generators,
        discovery::libraries, discovery::limits, discovery::version, model::model, model::schema,
        diff::diff, diff::of_results, diff::kept, diff::schema, upgrade::upgrade,
    ),
    // Nothing else names the last two: one is of a path, one is inside of itself.
    components(schemas(
        Problem, ResultObject, RequestBody, RequestParts, Diagnostic, Extension, odsmith_engine::interchange::grammar::Parameter
    )),
    modifiers(&Tokens, &Sentences),
)]
pub struct Api;

/// Adds the security schemes: servers may require tokens.
struct Tokens;

impl utoipa::Modify for Tokens {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
        let components = api.components.get_or_insert_default();
        let mut security = vec![SecurityRequirement::default()];
        // The password of Basic is the token, for clients with a `.netrc`.
        for (name, scheme) in [("token", HttpAuthScheme::Bearer), ("password", HttpAuthScheme::Basic)] {
            components.add_security_scheme(name, SecurityScheme::Http(Http::new(scheme)));
            security.push(SecurityRequirement::new(name, Vec::<String>::new()));
        }
        api.security = Some(security);
    }
}

/// Removes the "Errors" sections of the handlers' comments, which are for readers of the code.
struct Sentences;

impl utoipa::Modify for Sentences {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        for item in api.paths.paths.values_mut() {
            for operation in [&mut item.get, &mut item.put, &mut item.post, &mut item.head] {
                let Some(operation) = operation else { continue };
                let text = operation.description.take().unwrap_or_default();
                let text = text.split("# Errors").next().unwrap_or_default().trim();
                operation.description = (!text.is_empty()).then(|| text.to_owned());
            }
        }
    }
}

/// The end of an archive's name.
#[derive(ToSchema)]
pub enum Extension {
    /// A tar, packed with gzip.
    #[schema(rename = "tar.gz")]
    TarGz,
    /// A tar, packed with Zstandard.
    #[schema(rename = "tar.zst")]
    TarZst,
    /// A zip.
    #[schema(rename = "zip")]
    Zip,
    /// A tar as it is.
    #[schema(rename = "tar")]
    Tar,
}

/// Bytes of an archive.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct Archive(#[expect(dead_code, reason = "it describes, and is never made")] Vec<u8>);

/// A request as JSON: a manifest, and the files or the digest of a bundle that is known.
#[derive(Serialize, ToSchema)]
pub struct RequestBody {
    /// What is asked for; by default, all that the files are good for.
    request: Option<Manifest>,
    /// Path to text.
    files: Option<BTreeMap<String, String>>,
    /// Path to the sha256 of a file that was sent before.
    known: Option<BTreeMap<String, String>>,
    /// The sha256 of an archive that was put before.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    bundle: Option<String>,
}

/// A request as `multipart/form-data`; each part is there or not.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes, and is never made")]
pub struct RequestParts {
    /// What is asked for; by default, all that the files are good for.
    request: Option<Manifest>,
    /// An archive.
    bundle: Option<Archive>,
    /// Files, each with its path as its file name; the part is repeated.
    file: Option<Vec<Archive>>,
    /// Path to the sha256 of a file that was sent before.
    known: Option<BTreeMap<String, String>>,
}

/// An RFC 9457 problem document.
#[derive(Serialize, ToSchema)]
pub struct Problem {
    /// Where the kind of problem is explained.
    r#type: String,
    title: String,
    status: u16,
    detail: String,
    /// The kind, for programs.
    code: String,
    request_id: String,
    limit: Option<Limit>,
    /// Where the outputs are that could be made.
    result: Option<String>,
    /// Digests of the files that are to be sent.
    missing: Option<Vec<String>>,
    diagnostics: Option<Vec<Diagnostic>>,
    /// Whether there were more diagnostics.
    truncated: Option<bool>,
}

/// Returns the document.
#[must_use]
pub fn document() -> String {
    // Serializing cannot fail.
    let text = Api::openapi().to_pretty_json().unwrap_or_default();
    // Names of types have no dots in most languages: `model.Operation` becomes `ModelOperation`.
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        match line.split_once("\"model.") {
            Some((indent, name)) if indent.trim().is_empty() && name.ends_with("\": {") => {
                plain += &format!("{indent}\"Model{name}");
            }
            _ => plain += &line.replace("#/components/schemas/model.", "#/components/schemas/Model"),
        }
        plain.push('\n');
    }
    plain
}

/// Returns the JSON Schema of `model.json`: the part of the description that concerns it.
#[must_use]
pub fn model_schema() -> String {
    const PREFIX: &str = "#/components/schemas/model.";
    let components = Api::openapi().components.unwrap_or_default();
    let definitions = components.schemas.iter().filter_map(|(name, schema)| {
        let schema = serde_json::to_string(schema).ok()?.replace(PREFIX, "#/$defs/");
        let schema: serde_json::Value = serde_json::from_str(&schema).ok()?;
        Some((name.strip_prefix("model.")?.to_owned(), schema))
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "model.json",
        "$ref": "#/$defs/Document",
        "$defs": definitions.collect::<BTreeMap<_, _>>(),
    });
    format!("{schema:#}\n")
}

/// Returns the JSON Schema of a comparison.
#[must_use]
pub fn diff_schema() -> &'static str {
    include_str!("routes/diff.schema.json")
}

/// Returns the JSON Schema of `odsmith.toml`: the part of the description that concerns it.
#[must_use]
pub fn manifest_schema() -> serde_json::Value {
    const PREFIX: &str = "#/components/schemas/";
    let components = Api::openapi().components.unwrap_or_default();
    let mut definitions = BTreeMap::new();
    let mut waiting = vec!["Manifest".to_owned()];
    while let Some(name) = waiting.pop() {
        if definitions.contains_key(&name) {
            continue;
        }
        let schema = components.schemas.get(&name).and_then(|schema| serde_json::to_string(schema).ok());
        let Some(schema) = schema else { continue };
        let parts = schema.split(PREFIX).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        waiting.extend(parts);
        let schema = schema.replace(PREFIX, "#/$defs/");
        definitions.insert(name, serde_json::from_str::<serde_json::Value>(&schema).unwrap_or_default());
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "odsmith.toml",
        "$ref": "#/$defs/Manifest",
        "$defs": definitions,
    })
}
