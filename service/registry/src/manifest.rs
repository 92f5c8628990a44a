//! Manifests, indexes and descriptors of the OCI image specification 1.1.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{artifact::IN_TOTO, canonical, digest::Digest};

/// The media type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The media type of an index.
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// The media type of the empty config `{}`.
pub const EMPTY: &str = "application/vnd.oci.empty.v1+json";
/// The media type of an image's config.
const IMAGE_CONFIG: &str = "application/vnd.oci.image.config.v1+json";
/// The media type of JSON.
pub const JSON: &str = "application/json";
/// The annotation with the type of an artifact where its media types are those of all artifacts.
pub const KIND: &str = "org.odsmith.type";
/// The annotation with the name of a file.
pub const TITLE: &str = "org.opencontainers.image.title";
/// The annotation with the tag, in the index of a layout.
pub const REF_NAME: &str = "org.opencontainers.image.ref.name";

/// The media types of a manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MediaTypes {
    /// The types of dialects, by which other tools recognise them.
    #[default]
    Own,
    /// Types that any registry knows; an annotation has the type of the artifact.
    Known,
}

/// A blob or a manifest, by its digest and size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// The media type.
    pub media_type: String,
    /// The digest.
    pub digest: Digest,
    /// The number of bytes.
    pub size: u64,
    /// The type of an artifact, in an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
    /// More about it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

impl Descriptor {
    /// Describes some bytes.
    #[must_use]
    pub fn of(media_type: &str, bytes: &[u8]) -> Descriptor {
        Descriptor {
            media_type: media_type.to_owned(),
            digest: Digest::of(bytes),
            size: bytes.len() as u64,
            artifact_type: None,
            annotations: BTreeMap::new(),
        }
    }

    /// Adds the name of the file.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Descriptor {
        self.annotations.insert(TITLE.to_owned(), title.to_owned());
        self
    }

    /// Returns the type of an artifact, in an index.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.annotations.get(KIND).or(self.artifact_type.as_ref()).map(String::as_str)
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.annotations.get(TITLE).map(String::as_str)
    }
}

/// A manifest: a config and layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// 2, always.
    pub schema_version: u32,
    /// The media type of the manifest.
    #[serde(default)]
    pub media_type: String,
    /// The type of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
    /// The config.
    pub config: Descriptor,
    /// The layers.
    pub layers: Vec<Descriptor>,
    /// The manifest that this one is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Descriptor>,
    /// More about it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

impl Manifest {
    /// Creates a manifest of an artifact.
    #[must_use]
    pub fn new(artifact_type: &str, config: Descriptor, layers: Vec<Descriptor>) -> Manifest {
        Manifest {
            schema_version: 2,
            media_type: MANIFEST.to_owned(),
            artifact_type: Some(artifact_type.to_owned()),
            config,
            layers,
            subject: None,
            annotations: BTreeMap::new(),
        }
    }

    /// Creates the manifest of an artifact that is one file of JSON.
    #[must_use]
    pub fn of_json(kind: &str, title: &str, bytes: &[u8], types: MediaTypes) -> Manifest {
        let media_type = match types {
            MediaTypes::Known if kind != IN_TOTO => JSON,
            MediaTypes::Known | MediaTypes::Own => kind,
        };
        let layer = Descriptor::of(media_type, bytes).titled(title);
        let manifest = Manifest::new(media_type, Descriptor::of(EMPTY, b"{}"), vec![layer]);
        if media_type == kind { manifest } else { manifest.annotated(kind) }
    }

    /// Creates a manifest that looks like that of an image.
    #[must_use]
    pub fn of_image(kind: &str, config: Descriptor, layers: Vec<Descriptor>) -> Manifest {
        Manifest { artifact_type: None, ..Manifest::new(kind, config, layers) }.annotated(kind)
    }

    fn annotated(mut self, kind: &str) -> Manifest {
        self.annotations.insert(KIND.to_owned(), kind.to_owned());
        self
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn read(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|error| format!("this is no image manifest: {error}"))?;
        let is_known = manifest.media_type.is_empty() || manifest.media_type == MANIFEST;
        if manifest.schema_version != 2 || !is_known {
            return Err("this is no image manifest of OCI".to_owned());
        }
        Ok(manifest)
    }

    /// Writes it as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        canonical::to_json(self)
    }

    /// Returns its type, which older manifests have in their config.
    #[must_use]
    pub fn kind(&self) -> &str {
        let annotated = self.annotations.get(KIND).or(self.artifact_type.as_ref());
        annotated.unwrap_or(&self.config.media_type)
    }

    /// Returns the media types that it uses.
    #[must_use]
    pub fn media_types(&self) -> MediaTypes {
        if self.annotations.contains_key(KIND) { MediaTypes::Known } else { MediaTypes::Own }
    }
}

/// Returns the config of an image that is for no machine and has no files.
#[must_use]
pub fn image_config() -> (Descriptor, Vec<u8>) {
    let bytes =
        br#"{"architecture":"unknown","os":"unknown","rootfs":{"diff_ids":[],"type":"layers"}}"#.to_vec();
    (Descriptor::of(IMAGE_CONFIG, &bytes), bytes)
}

/// A list of manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// 2, always.
    pub schema_version: u32,
    /// The media type of the index.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub media_type: String,
    /// The manifests.
    #[serde(default)]
    pub manifests: Vec<Descriptor>,
    /// More about it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

impl Default for Index {
    fn default() -> Self {
        Index {
            schema_version: 2,
            media_type: INDEX.to_owned(),
            manifests: Vec::new(),
            annotations: BTreeMap::new(),
        }
    }
}

impl Index {
    /// Reads an index.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn read(bytes: &[u8]) -> Result<Index, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("this is no image index: {error}"))
    }

    /// Writes it as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        canonical::to_json(self)
    }
}
