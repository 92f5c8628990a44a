//! The result of a request: its files, and the object that describes them (`result.json`).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use odsmith_engine::{diagnostic::Code, job::Usage, record::Records, report::Finding};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::schema;
use crate::{
    pipeline::{compare::Side, manifest::Manifest, site},
    store::{
        archive::Format,
        cache::{Blob, Marks, ResultEntry},
        keys,
    },
};

/// A finished result.
#[derive(Debug)]
pub struct Finished {
    /// The object that describes it.
    pub result: ResultObject,
    /// The files of its archive, `result.json` and `manifest.toml` included, except the pages of a site that were
    /// passed on as they were rendered.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The model, if the request returns it as a value.
    pub model: Option<Side>,
    /// The records of the roots, if the request returns them.
    pub roots: Vec<Arc<Records>>,
    /// The roots that have an error, if definitions were wanted.
    pub unread: BTreeSet<String>,
}

/// `result.json`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ResultObject {
    /// The version of this format.
    pub schema: u32,
    /// The name of the result.
    pub key: String,
    /// How it went.
    pub status: Status,
    /// The program that made it.
    pub engine: Engine,
    /// The library.
    pub library: LibraryName,
    /// The digest of the bundle.
    pub tree: String,
    /// One per output, in the manifest's order.
    pub outputs: Vec<OutputReport>,
    /// One per evaluation.
    pub targets: Vec<TargetReport>,
    /// The reference site, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteReport>,
    /// Messages that belong to no single output.
    #[schema(value_type = Vec<schema::Diagnostic>)]
    pub diagnostics: Vec<Finding>,
    /// True if there were more messages than are kept.
    pub truncated: bool,
    /// The manifest, with everything spelled out.
    pub manifest: Manifest,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All is there.
    Ok,
    /// Something could not be made.
    Failed,
    /// It was not asked for by name and cannot be made.
    Skipped,
}

/// The program that made a result.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Engine {
    /// The program.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The digest of what it was built from.
    pub build: &'static str,
}

/// Which library a result was made with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LibraryName {
    /// The release.
    pub mlir: &'static str,
    /// The digest of its files.
    pub digest: String,
}

/// The report of one output.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OutputReport {
    /// Its path in the archive.
    pub path: String,
    /// How it went.
    pub status: Status,
    /// The root it was made from.
    pub td: String,
    /// The flags that made it, in mlir-tblgen's spellings.
    pub flags: Vec<String>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Digest of its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The files it was made from, the root first.
    pub reads: Vec<String>,
    /// Messages of this output alone.
    #[schema(value_type = Vec<schema::Diagnostic>)]
    pub diagnostics: Vec<Finding>,
}

/// The report of one evaluation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TargetReport {
    /// The root.
    pub td: String,
    /// The number of errors, if evaluation went on to the end.
    #[serde(skip_serializing_if = "is_zero")]
    pub error_count: u32,
    /// The resources that it took.
    #[serde(flatten)]
    #[schema(value_type = schema::Usage)]
    pub usage: Usage,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// How large the site is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SiteReport {
    /// Files, the Markdown tree included.
    pub files: usize,
    /// Bytes.
    pub bytes: usize,
    /// How much of what the definitions could document they do, in per cent, rounded down (`coverage.html` says more).
    pub coverage: usize,
    /// The corrections of authors' texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<site::Note>,
}

/// A kept result: `result.json`, and what it cannot hold itself.
#[derive(Serialize, ToSchema)]
pub struct KeptResult {
    /// The object.
    #[serde(flatten)]
    pub result: ResultObject,
    /// Its archives, in every format.
    pub archives: Vec<ArchiveReport>,
}

/// An archive of a result.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ArchiveReport {
    /// Its address at this server.
    pub path: String,
    /// Bytes.
    pub size: usize,
    /// Digest of its bytes.
    pub sha256: String,
}

impl ArchiveReport {
    /// Describes an archive.
    #[must_use]
    pub fn new(key: &str, format: Format, bytes: &[u8]) -> Self {
        ArchiveReport {
            path: format!("/v1/results/{key}{}", format.extension()),
            size: bytes.len(),
            sha256: keys::sha256(bytes),
        }
    }
}

/// Returns the object of a stored result (a [`KeptResult`]), from its `result.json`, whose fields are copied unchanged.
///
/// # Errors
/// The text is not a `result.json`.
pub fn with_archives(object: &[u8], archives: &[ArchiveReport]) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Object<'o> {
        #[serde(flatten)]
        fields: Fields<'o>,
        archives: &'o [ArchiveReport],
    }
    let mut text = serde_json::to_vec_pretty(&Object { fields: serde_json::from_slice(object)?, archives })?;
    text.push(b'\n');
    Ok(text)
}

/// The fields of an object, in order.
struct Fields<'o>(Vec<(&'o str, &'o RawValue)>);

impl<'o> Deserialize<'o> for Fields<'o> {
    fn deserialize<D: Deserializer<'o>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'o> Visitor<'o> for InOrder {
            type Value = Fields<'o>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'o>>(self, mut map: A) -> Result<Fields<'o>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl ResultObject {
    /// Returns the object as JSON, for people and programs.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Serializing cannot fail.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Returns all messages.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Finding> {
        self.diagnostics.iter().chain(self.outputs.iter().flat_map(|output| &output.diagnostics))
    }

    /// Returns true if there is a message of this kind.
    #[must_use]
    pub fn has(&self, code: Code) -> bool {
        self.all_diagnostics().any(|report| report.code == code)
    }
}

impl Finished {
    /// Prepares the result for serving.
    #[must_use]
    pub fn into_stored(self) -> ResultEntry {
        let Finished { result, files, .. } = self;
        let made = result.outputs.iter().filter(|output| output.status == Status::Ok).count();
        ResultEntry {
            is_ok: result.status == Status::Ok,
            hit_limit: result.has(Code::Limit),
            made: (made, result.outputs.len()),
            diagnostics: result.all_diagnostics().cloned().collect(),
            truncated: result.truncated,
            files: files.into_iter().map(|(path, bytes)| (path, Blob::new(bytes))).collect(),
            key: result.key,
            marks: Marks::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_come_after_the_fields_of_a_result() {
        let archives = [ArchiveReport::new("k", Format::Zip, b"zip")];
        let object = b"{\n  \"schema\": 1,\n  \"key\": \"k\",\n  \"outputs\": [\n    {}\n  ]\n}\n";
        let text = String::from_utf8(with_archives(object, &archives).unwrap()).unwrap();
        let sha256 = &archives[0].sha256;
        let expected = format!(
            "{{\n  \"schema\": 1,\n  \"key\": \"k\",\n  \"outputs\": [\n    {{}}\n  ],\n  \"archives\": [\n    {{\n      \
             \"path\": \"/v1/results/k.zip\",\n      \"size\": 3,\n      \"sha256\": \"{sha256}\"\n    }}\n  ]\n}}\n"
        );
        assert_eq!(text, expected);
        assert!(with_archives(b"[]", &archives).is_err());
    }
}
