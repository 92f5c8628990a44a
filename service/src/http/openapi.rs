//! `/openapi.json`: the service as OpenAPI 3.1, from the handlers and the types that they read and write.
//!
//! Types of other crates are described here by types of the same form ([`Diagnostic`], [`Usage`](crate::pipeline::generate::schema::Usage)).

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::{
    OpenApi, ToSchema,
    openapi::{Content, HeaderBuilder, Ref, RefOr, ResponseBuilder, path::Operation},
};

use crate::{
    http::routes::{
        bundles, cas, catalog, check, diff, discovery, generate, ide, lint, mcp, model, results, sites,
        tblgen, upgrade,
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
        (name = "catalog", description = "The dialects that an organisation publishes"),
        (name = "tools", description = "Questions of programs, over the Model Context Protocol"),
        (name = "discovery", description = "What this server can do"),
    ),
    paths(
        generate::generate, generate::result, generate::known, generate::from_source, bundles::put, bundles::head, tblgen::tblgen, tblgen::records,
        check::check, lint::lint, ide::check, ide::preview, ide::hover, ide::completion, ide::check_ir, results::object, results::archive, results::provenance, results::file, cas::by_digest, sites::page, discovery::generators,
        discovery::libraries, discovery::limits, discovery::version, discovery::plugin_schema, model::model, model::schema,
        diff::diff, diff::of_results, diff::kept, diff::schema, upgrade::upgrade,
        catalog::list, catalog::search, catalog::symbol, catalog::uses, catalog::report, catalog::changes, catalog::elsewhere, catalog::refresh, catalog::key, catalog::file, catalog::diff, mcp::message,
    ),
    // Nothing else names the last two: one is of a path, one is inside of itself.
    components(schemas(
        Problem, Archive, ResultObject, RequestBody, RequestParts, Diagnostic, Extension, odsmith_engine::interchange::grammar::Parameter
    )),
    modifiers(&Tokens, &Operations, &Aliases),
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

/// Completes each operation: the parts that all have in common are written here once.
struct Operations;

impl utoipa::Modify for Operations {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut api.paths.paths {
            for operation in [&mut item.get, &mut item.put, &mut item.post, &mut item.head] {
                let Some(operation) = operation else { continue };
                // The "Errors" sections of the handlers' comments are for readers of the code.
                let text = operation.description.take().unwrap_or_default();
                let text = text.split("# Errors").next().unwrap_or_default().trim();
                operation.description = (!text.is_empty()).then(|| text.to_owned());
                if let Some(RefOr::T(body)) = &mut operation.request_body {
                    add_forms(body);
                }
                add_refusals(path, operation);
            }
        }
    }
}

fn content_of(schema: &str) -> Content {
    Content::new(Some(Ref::from_schema_name(schema)))
}

/// Adds the other forms of a request that may be JSON: an archive, or parts.
fn add_forms(body: &mut utoipa::openapi::request_body::RequestBody) {
    let json = RefOr::T(content_of("RequestBody"));
    if body.content.get("application/json") != Some(&json) {
        return;
    }
    for media_type in ["application/gzip", "application/zstd", "application/zip", "application/x-tar"] {
        body.content.insert(media_type.to_owned(), content_of("Archive").into());
    }
    body.content.insert("multipart/form-data".to_owned(), content_of("RequestParts").into());
}

/// Operations whose answer may be that definitions are wrong.
const EVALUATING: &[&str] = &[
    "generate",
    "generate_result",
    "generate_known",
    "generate_from_source",
    "tblgen",
    "records",
    "model",
    "lint",
    "diff",
    "diff_of_results",
    "result",
    "result_archive",
];

/// Adds the answers to requests that are refused or fail, unless the operation declares its own.
fn add_refusals(path: &str, operation: &mut Operation) {
    let has_body =
        operation.request_body.is_some() || operation.operation_id.as_deref() == Some("put_bundle");
    let evaluates = operation.operation_id.as_deref().is_some_and(|id| EVALUATING.contains(&id));
    let tags = operation.tags.clone().unwrap_or_default();
    let works =
        tags.iter().any(|tag| matches!(tag.as_str(), "make" | "ide" | "results" | "catalog" | "tools"));
    let statuses = [
        ("4XX", "The request is refused", true),
        ("412", "The condition of the request does not hold", true),
        ("413", "The body is larger than allowed", has_body),
        ("415", "The body is not what its media type says, or of none that is read", has_body),
        (
            "422",
            "Not everything could be made, or the source is not fetched; good outputs are at `result`",
            evaluates,
        ),
        ("429", "The client comes too often", path.starts_with("/v1/") || path == "/mcp"),
        ("503", "Too much is waiting, or the job took too long", works),
        ("5XX", "The server cannot do it", true),
    ];
    let responses = &mut operation.responses.responses;
    let is_declared = responses.contains_key("4XX");
    for (status, description, _) in statuses
        .into_iter()
        .filter(|(status, _, is_given)| *is_given && !(is_declared && status.ends_with("XX")))
    {
        let mut problem = ResponseBuilder::new()
            .description(description)
            .content("application/problem+json", content_of("Problem"));
        if matches!(status, "429" | "503") {
            let seconds = HeaderBuilder::new()
                .schema(Some(<u32 as utoipa::PartialSchema>::schema()))
                .description(Some("Seconds until it is worth asking again"));
            problem = problem.header("Retry-After", seconds.build());
        }
        responses.entry(status.to_owned()).or_insert_with(|| problem.build().into());
    }
}

/// Addresses for one form of an answer each: aliases of an address that chooses by `Accept`.
struct Aliases;

impl utoipa::Modify for Aliases {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        for (address, form, summary) in [
            ("/v1/check", "sarif", "The messages as SARIF 2.1.0."),
            ("/v1/check", "text", "The messages as the reference prints them."),
            ("/v1/lint", "sarif", "The findings as SARIF 2.1.0."),
            ("/v1/lint", "text", "The findings for people."),
        ] {
            let Some(mut item) = api.paths.paths.get(address).cloned() else { continue };
            let Some(operation) = &mut item.post else { continue };
            operation.summary = Some(summary.to_owned());
            operation.operation_id = operation.operation_id.take().map(|id| format!("{id}_{form}"));
            let (media_type, schema) = match form {
                "sarif" => ("application/sarif+json", <serde_json::Value as utoipa::PartialSchema>::schema()),
                _ => ("text/plain", <String as utoipa::PartialSchema>::schema()),
            };
            if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") {
                answer.content = [(media_type.to_owned(), Content::new(Some(schema)).into())].into();
            }
            api.paths.paths.insert(format!("{address}/{form}"), item);
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
    /// The manifest; by default, one for everything that can be made of the files.
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
    /// The manifest; by default, one for everything that can be made of the files.
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
    /// The address that explains the kind of problem.
    r#type: String,
    title: String,
    status: u16,
    detail: String,
    /// The kind, for programs.
    code: String,
    request_id: String,
    limit: Option<Limit>,
    /// The address of the outputs that could be made.
    result: Option<String>,
    /// Digests of the files that are to be sent.
    missing: Option<Vec<String>>,
    diagnostics: Option<Vec<Diagnostic>>,
    /// True if there were more diagnostics.
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
