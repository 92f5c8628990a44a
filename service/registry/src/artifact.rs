//! The parts of an artifact with dialects: media types, config and layers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    canonical,
    digest::Digest,
    manifest::{Descriptor, JSON, Manifest, MediaTypes, image_config},
    reference::is_component,
};

/// The type of the artifact.
pub const ARTIFACT: &str = "application/vnd.odsmith.dialects.v1";
/// The media type of the config.
pub const CONFIG: &str = "application/vnd.odsmith.dialects.config.v1+json";
/// The file name of the config.
pub const CONFIG_TITLE: &str = "config.json";
/// The media type of a layer, where only known ones are used.
const BYTES: &str = "application/octet-stream";
/// The type of a statement of provenance.
pub const IN_TOTO: &str = "application/vnd.in-toto+json";
/// The type of a report of lint.
pub const SARIF: &str = "application/sarif+json";
/// The type of a comparison with another version.
pub const DIFF: &str = "application/vnd.odsmith.diff.v1+json";
/// The annotation of a comparison with that version's digest.
pub const AGAINST: &str = "org.odsmith.against";
/// The type of a withdrawal.
pub const YANK: &str = "application/vnd.odsmith.yank.v1+json";
/// The version of the config.
pub const SCHEMA: u32 = 1;

/// A layer of the artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The project's own `.td` files, `odsmith.toml`, owners and licences.
    Definitions,
    /// `model.json`.
    Model,
    /// Rows and uses, which a catalogue reads.
    Symbols,
    /// The reference.
    Site,
    /// Generated C++.
    Cpp,
}

impl Layer {
    /// All layers, in the order of the manifest.
    pub const ALL: [Layer; 5] = [Layer::Definitions, Layer::Model, Layer::Symbols, Layer::Site, Layer::Cpp];

    /// Returns the file name.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Layer::Definitions => "definitions.tar.zst",
            Layer::Model => "model.json.zst",
            Layer::Symbols => "symbols.json.zst",
            Layer::Site => "site.tar.zst",
            Layer::Cpp => "cpp.tar.zst",
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Layer::Definitions => "application/vnd.odsmith.definitions.v1.tar+zstd",
            Layer::Model => "application/vnd.odsmith.model.v1+json+zstd",
            Layer::Symbols => "application/vnd.odsmith.symbols.v1+json+zstd",
            Layer::Site => "application/vnd.odsmith.site.v1.tar+zstd",
            Layer::Cpp => "application/vnd.odsmith.cpp.v1.tar+zstd",
        }
    }

    /// Returns the name for people: `definitions`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.title().split('.').next().unwrap_or_default()
    }

    /// Returns the name of the unpacked file or folder.
    #[must_use]
    pub fn unpacked(self) -> &'static str {
        match self {
            Layer::Model => "model.json",
            Layer::Symbols => "symbols.json",
            Layer::Definitions | Layer::Site | Layer::Cpp => self.name(),
        }
    }

    /// Returns whether it is a tar archive.
    #[must_use]
    pub fn is_archive(self) -> bool {
        matches!(self, Layer::Definitions | Layer::Site | Layer::Cpp)
    }

    /// Returns the most bytes that it may have, packed.
    #[must_use]
    pub fn limit(self) -> u64 {
        match self {
            Layer::Definitions => 64 << 20,
            Layer::Model | Layer::Symbols => 256 << 20,
            Layer::Site | Layer::Cpp => 1 << 30,
        }
    }
}

/// The longest config, in bytes.
pub const MOST_CONFIG: u64 = 1 << 20;
/// The most dependencies of a project.
pub const MOST_DEPENDENCIES: usize = 64;

/// The facts about an artifact. Unknown facts are absent, and unknown fields are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// The version of this form.
    pub schema: u32,
    /// The name of the project.
    pub project: String,
    /// Its version.
    pub version: String,
    /// The MLIR release.
    pub mlir: String,
    /// The profile of a tool that differs from the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its time, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_time: Option<String>,
    /// The address of the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The licence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The owners, as `CODEOWNERS` names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
    /// The dialects.
    pub dialects: Vec<DialectCount>,
    /// The part of the definitions that is documented, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<u64>,
    /// The projects that it includes files of.
    pub dependencies: Vec<ConfigDependency>,
    /// The layers before they were packed, by file name.
    pub layers: BTreeMap<String, UnpackedLayer>,
    /// The program that made it.
    pub odsmith: Origin,
}

/// A dialect and the numbers of its definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialectCount {
    /// The name.
    pub name: String,
    /// The number of operations.
    pub operations: usize,
    /// The number of types.
    pub types: usize,
    /// The number of attributes.
    pub attributes: usize,
}

/// A project that another one includes files of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigDependency {
    /// Its name there.
    pub name: String,
    /// The repository: `oci://…`.
    pub repository: String,
    /// The version that is asked for.
    pub version: String,
    /// The digest of the manifest that was used.
    pub digest: Digest,
}

/// A layer before it was packed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpackedLayer {
    /// The number of bytes.
    pub size: u64,
    /// The digits of the digest.
    pub sha256: String,
}

/// The program that made an artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Its version.
    pub version: String,
    /// The digest of its build.
    pub build: String,
    /// The packer: `zstd-1.5.7-10`.
    pub encoder: String,
}

impl Config {
    /// Reads a config, and checks the fields that others rely on.
    ///
    /// # Errors
    /// The bytes are something else, or a field breaks its form.
    pub fn read(bytes: &[u8]) -> Result<Config, String> {
        let wrong = |why: String| format!("the artifact's config: {why}");
        let config: Config = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        if config.schema != SCHEMA {
            return Err(wrong(format!(
                "it has version {} of the format, and {SCHEMA} is read",
                config.schema
            )));
        }
        for name in std::iter::once(&config.project).chain(config.dependencies.iter().map(|it| &it.name)) {
            if !is_component(name) {
                return Err(wrong(format!("'{}' is no name of a project", name.escape_debug())));
            }
        }
        if config.dependencies.len() > MOST_DEPENDENCIES {
            return Err(wrong(format!("it has more than {MOST_DEPENDENCIES} dependencies")));
        }
        let is_safe = |text: &str| !text.chars().any(char::is_control);
        if !is_safe(&config.version) || !is_safe(&config.mlir) {
            return Err(wrong("a version has control characters".to_owned()));
        }
        Ok(config)
    }
}

/// A file of an artifact: its descriptor and bytes.
#[derive(Clone, Debug)]
pub struct Blob {
    /// The descriptor, with the file name.
    pub descriptor: Descriptor,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Blob {
    /// Creates a blob with a file name.
    #[must_use]
    pub fn new(media_type: &str, title: &str, bytes: Vec<u8>) -> Blob {
        Blob { descriptor: Descriptor::of(media_type, &bytes).titled(title), bytes }
    }
}

/// A report on an artifact.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its type, which is also the media type of its layer, unless only known ones are used.
    pub kind: &'static str,
    /// The file name.
    pub title: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The annotations of its manifest.
    pub annotations: BTreeMap<String, String>,
}

/// An artifact that is ready to be sent.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The manifest.
    pub manifest: Manifest,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their digest.
    pub digest: Digest,
    /// The config and the layers.
    pub blobs: Vec<Blob>,
    /// The reports on it.
    pub reports: Vec<Report>,
}

impl Artifact {
    /// Builds the manifest of a config and of packed layers.
    #[must_use]
    pub fn new(config: &Config, layers: Vec<(Layer, Vec<u8>)>, types: MediaTypes) -> Artifact {
        let facts = canonical::to_json(config);
        let layers = layers.into_iter().map(|(layer, bytes)| {
            let media_type = match types {
                MediaTypes::Own => layer.media_type(),
                MediaTypes::Known => BYTES,
            };
            Blob::new(media_type, layer.title(), bytes)
        });
        let (first, layers): (Blob, Vec<Blob>) = match types {
            MediaTypes::Own => (Blob::new(CONFIG, CONFIG_TITLE, facts), layers.collect()),
            MediaTypes::Known => {
                let (descriptor, bytes) = image_config();
                let facts = Blob::new(JSON, CONFIG_TITLE, facts);
                (Blob { descriptor, bytes }, std::iter::once(facts).chain(layers).collect())
            }
        };
        let descriptors = layers.iter().map(|blob| blob.descriptor.clone()).collect();
        let mut manifest = match types {
            MediaTypes::Own => Manifest::new(ARTIFACT, first.descriptor.clone(), descriptors),
            MediaTypes::Known => Manifest::of_image(ARTIFACT, first.descriptor.clone(), descriptors),
        };
        manifest.annotations.extend(annotations(config));
        let bytes = manifest.to_json();
        let digest = Digest::of(&bytes);
        let blobs = std::iter::once(first).chain(layers).collect();
        Artifact { manifest, bytes, digest, blobs, reports: Vec::new() }
    }
}

/// Returns the descriptor of an artifact's config, if the manifest has one.
#[must_use]
pub fn config_of(manifest: &Manifest) -> Option<&Descriptor> {
    match manifest.media_types() {
        MediaTypes::Own => Some(&manifest.config),
        MediaTypes::Known => manifest.layers.iter().find(|it| it.title() == Some(CONFIG_TITLE)),
    }
}

/// Returns the annotations of the manifest, by the names of OCI. There is no time but the commit's.
fn annotations(config: &Config) -> BTreeMap<String, String> {
    let title = config.title.clone().unwrap_or_else(|| config.project.clone());
    let facts = [
        ("title", Some(title)),
        ("version", Some(config.version.clone())),
        ("revision", config.commit.clone()),
        ("created", config.commit_time.clone()),
        ("source", config.source.clone()),
        ("licenses", config.licence.clone()),
    ];
    let named = facts.into_iter().filter_map(|(name, fact)| Some((name, fact?)));
    named.map(|(name, fact)| (format!("org.opencontainers.image.{name}"), fact)).collect()
}

/// A withdrawal of a version, or the end of one. The one with the highest sequence counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawal {
    /// The version of this form.
    pub schema: u32,
    /// The number in the row of withdrawals.
    pub sequence: u64,
    /// False if the withdrawal is taken back.
    pub yanked: bool,
    /// The reason.
    pub reason: String,
    /// The version to use in its place.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "use")]
    pub substitute: Option<String>,
}
