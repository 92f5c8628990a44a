//! The provenance of a result, as an in-toto statement in SLSA's format: the outputs, the inputs, and the build.
//!
//! All of it follows from the result, so every server states the same, and anyone with the build can make the result
//! again and compare.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    pipeline::{generate::ArchiveReport, manifest::Manifest},
    store::cache::ResultEntry,
};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://slsa.dev/provenance/v1";
/// The type of the build: a bundle and a manifest in, files out.
const BUILD_TYPE: &str = "urn:odsmith:generate:v1";
/// The builder's id, which is followed by the digest of its build.
const BUILDER: &str = "urn:odsmith:build:";

/// An in-toto statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    #[serde(rename = "_type")]
    r#type: String,
    /// Each file of the result, and its archives.
    pub subject: Vec<Subject>,
    predicate_type: String,
    predicate: Predicate,
}

/// A file that the statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its path in the result; for an archive, the last part of its address.
    pub name: String,
    digest: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Predicate {
    build_definition: BuildDefinition,
    run_details: RunDetails,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BuildDefinition {
    build_type: String,
    external_parameters: External,
    resolved_dependencies: Vec<Subject>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct External {
    manifest: Manifest,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunDetails {
    builder: Builder,
    metadata: Metadata,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Builder {
    id: String,
    version: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    invocation_id: String,
}

/// The fields of a `result.json` that a statement needs.
#[derive(Deserialize)]
struct Object {
    engine: Engine,
    library: Library,
    tree: String,
    manifest: Manifest,
}

#[derive(Deserialize)]
struct Key {
    key: String,
}

#[derive(Deserialize)]
struct Engine {
    version: String,
    build: String,
}

#[derive(Deserialize)]
struct Library {
    mlir: String,
    digest: String,
}

impl Subject {
    fn new(name: impl Into<String>, kind: &str, digest: &str) -> Subject {
        Subject { name: name.into(), digest: [(kind.to_owned(), digest.to_owned())].into() }
    }

    /// Returns its digest, if it is a file.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        self.digest.get("sha256").map(String::as_str)
    }
}

impl Statement {
    /// Returns the statement of a result; `None` if the result's object is not in the form of this build.
    #[must_use]
    pub fn of(stored: &ResultEntry, archives: &[ArchiveReport]) -> Option<Statement> {
        let files = stored.files.iter().map(|(path, blob)| Subject::new(path, "sha256", blob.sha256()));
        let archives = archives.iter().map(|archive| {
            let name = archive.path.rsplit('/').next().unwrap_or_default();
            Subject::new(name, "sha256", &archive.sha256)
        });
        Statement::new(&stored.object()?.bytes, stored.key.clone(), archives.chain(files).collect())
    }

    /// Returns the statement of an artifact with these files, by names and digests; `None` if the result's object is not
    /// in the form of this build.
    #[must_use]
    pub fn of_artifact(object: &[u8], files: Vec<(String, String)>) -> Option<Statement> {
        let Key { key } = serde_json::from_slice(object).ok()?;
        let subjects = files.iter().map(|(name, digest)| Subject::new(name, "sha256", digest));
        Statement::new(object, key, subjects.collect())
    }

    fn new(object: &[u8], key: String, subject: Vec<Subject>) -> Option<Statement> {
        let Object { engine, library, tree, manifest } = serde_json::from_slice(object).ok()?;
        Some(Statement {
            r#type: STATEMENT.to_owned(),
            subject,
            predicate_type: PREDICATE.to_owned(),
            predicate: Predicate {
                build_definition: BuildDefinition {
                    build_type: BUILD_TYPE.to_owned(),
                    external_parameters: External { manifest },
                    resolved_dependencies: vec![
                        Subject::new("bundle", "odsmithTree", &tree),
                        Subject::new(format!("mlir-{}", library.mlir), "odsmithTree", &library.digest),
                    ],
                },
                run_details: RunDetails {
                    builder: Builder {
                        id: format!("{BUILDER}{}", engine.build),
                        version: [("odsmith".to_owned(), engine.version)].into(),
                    },
                    metadata: Metadata { invocation_id: key },
                },
            },
        })
    }

    /// Parses the statement in an envelope.
    ///
    /// # Errors
    /// It is malformed, or of another type.
    pub fn read(payload: &[u8]) -> Result<Statement, String> {
        let value: Value =
            serde_json::from_slice(payload).map_err(|error| format!("the statement is no JSON: {error}"))?;
        let kind = |path: &str| value.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        for (path, expected) in [
            ("/_type", STATEMENT),
            ("/predicateType", PREDICATE),
            ("/predicate/buildDefinition/buildType", BUILD_TYPE),
        ] {
            if kind(path) != expected {
                return Err(format!("the statement says '{}' of {path}, and not '{expected}'", kind(path)));
            }
        }
        serde_json::from_value(value).map_err(|error| format!("the statement is not as ours are: {error}"))
    }

    /// Returns the statement as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Serializing cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Returns the digest of the build that made the result.
    #[must_use]
    pub fn build(&self) -> &str {
        let id = &self.predicate.run_details.builder.id;
        id.strip_prefix(BUILDER).unwrap_or(id)
    }

    /// Returns the digest of the bundle's tree, and the name and the digest of the MLIR library.
    #[must_use]
    pub fn inputs(&self) -> (&str, &str, &str) {
        let inputs = &self.predicate.build_definition.resolved_dependencies;
        let of = |index: usize| inputs.get(index);
        let tree = |index| of(index).and_then(|it| it.digest.get("odsmithTree")).map_or("", String::as_str);
        (tree(0), of(1).map_or("", |library| &library.name), tree(1))
    }

    /// Returns the request, with everything spelled out.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.predicate.build_definition.external_parameters.manifest
    }

    /// Returns the key of the result.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.predicate.run_details.metadata.invocation_id
    }
}
