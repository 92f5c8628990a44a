//! An artifact from a registry, a cache or a layout. Nothing is used before it was checked: the manifest against its
//! digest, the config and each layer against digest and size.

use std::{fmt, path::PathBuf};

use super::{
    artifact::{ARTIFACT, Config, Layer, MOST_CONFIG, config_of},
    client::Client,
    digest::Digest,
    error::Error,
    layout::Layout,
    manifest::{Descriptor, Manifest, MediaTypes},
    reference::{Reference, SCHEME},
};

/// The beginning of the name of an artifact in a layout.
pub const LAYOUT: &str = "oci-layout:";

/// The place of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A registry.
    Registry(Reference),
    /// A layout and a tag: `oci-layout:DIR:TAG`.
    Layout(PathBuf, String),
}

impl Address {
    /// Returns whether a text names an artifact, rather than a file or folder.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.starts_with(SCHEME) || text.starts_with(LAYOUT)
    }

    /// Reads `oci://…` or `oci-layout:DIR:TAG`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Address, String> {
        let Some(rest) = text.strip_prefix(LAYOUT) else {
            return Reference::parse(text).map(Address::Registry);
        };
        let split = rest.rsplit_once(':').filter(|(folder, tag)| !folder.is_empty() && !tag.is_empty());
        let (folder, tag) =
            split.ok_or_else(|| format!("'{}': write {LAYOUT}DIR:TAG", text.escape_debug()))?;
        Ok(Address::Layout(folder.into(), tag.to_owned()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Registry(reference) => reference.fmt(f),
            Address::Layout(folder, tag) => write!(f, "{LAYOUT}{}:{tag}", folder.display()),
        }
    }
}

/// A reader of artifacts.
#[derive(Clone, Copy, Debug)]
pub struct Puller<'a> {
    /// The registries; without them only the cache and layouts are read.
    pub client: Option<&'a Client>,
    /// The cache.
    pub cache: Option<&'a Layout>,
}

/// An artifact whose manifest and config were read.
#[derive(Clone, Debug)]
pub struct OpenArtifact {
    /// Its place; that in a registry has its digest.
    pub place: Address,
    /// The digest of the manifest.
    pub digest: Digest,
    /// The manifest.
    pub manifest: Manifest,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The config.
    pub config: Config,
    /// The tag names another manifest than the digest.
    pub tag_differs: Option<Digest>,
}

impl OpenArtifact {
    /// Returns the descriptor of a layer.
    #[must_use]
    pub fn layer(&self, layer: Layer) -> Option<&Descriptor> {
        let types = self.manifest.media_types();
        self.manifest.layers.iter().find(|it| match types {
            MediaTypes::Own => it.media_type == layer.media_type(),
            MediaTypes::Known => it.title() == Some(layer.title()),
        })
    }
}

impl Puller<'_> {
    /// Reads the manifest and the config of an artifact.
    ///
    /// # Errors
    /// It does not exist, is another kind of artifact, or differs from its digest.
    pub async fn open(self, place: &Address) -> Result<OpenArtifact, Error> {
        let (place, digest, bytes, tag_differs) = match place {
            Address::Layout(folder, tag) => {
                let layout = Layout::new(folder);
                let digest = layout.tag(tag).map_err(Error::NotFound)?.digest;
                let bytes = layout.blob(&digest).ok_or_else(|| {
                    Error::Forged(format!("{place}: the manifest {digest} is missing or damaged"))
                })?;
                (place.clone(), digest, bytes, None)
            }
            Address::Registry(reference) => {
                let (digest, bytes) = self.manifest(reference).await?;
                let tag_differs = match (&reference.tag, &reference.digest, self.client) {
                    (Some(tag), Some(_), Some(client)) => {
                        let tagged = client.manifest(reference, tag).await.ok().flatten().map(|it| it.digest);
                        tagged.filter(|it| *it != digest)
                    }
                    _ => None,
                };
                (Address::Registry(reference.with_digest(&digest)), digest, bytes, tag_differs)
            }
        };
        let manifest = Manifest::read(&bytes).map_err(|why| Error::Refused(format!("{place}: {why}")))?;
        if manifest.kind() != ARTIFACT {
            return Err(Error::Refused(format!(
                "{place}: this is an artifact of the type '{}', not one with dialects",
                manifest.kind().escape_debug()
            )));
        }
        let described = config_of(&manifest)
            .ok_or_else(|| Error::Refused(format!("{place}: the artifact has no config")))?;
        let config = self.blob(&place, described, MOST_CONFIG).await?;
        let config = Config::read(&config).map_err(|why| Error::Refused(format!("{place}: {why}")))?;
        Ok(OpenArtifact { place, digest, manifest, bytes, config, tag_differs })
    }

    /// Reads the manifest of a reference: by its digest from the cache if that has it.
    async fn manifest(self, reference: &Reference) -> Result<(Digest, Vec<u8>), Error> {
        if let Some(digest) = &reference.digest
            && let Some(bytes) = self.cache.and_then(|cache| cache.blob(digest))
        {
            return Ok((digest.clone(), bytes));
        }
        let client = self
            .client
            .ok_or_else(|| Error::NotFound(format!("{reference} is not in the cache: run odsmith fetch")))?;
        let key = reference.key();
        if reference.digest.is_some()
            && let Some(mirror) = client.mirror(reference)
            && let Ok(Some(raw)) = client.manifest(&mirror, &key).await
        {
            self.keep(&raw.bytes);
            return Ok((raw.digest, raw.bytes));
        }
        let raw =
            client.manifest(reference, &key).await.map_err(|error| error.context(&reference.to_string()))?;
        let raw = raw.ok_or_else(|| Error::NotFound(format!("{reference} does not exist")))?;
        self.keep(&raw.bytes);
        Ok((raw.digest, raw.bytes))
    }

    /// Adds bytes to the cache; without a place for them they are fetched again next time.
    fn keep(self, bytes: &[u8]) {
        if let Some(cache) = self.cache {
            let _ = cache.put(bytes);
        }
    }

    /// Reads a blob of an artifact.
    ///
    /// # Errors
    /// It is missing, or differs from its descriptor.
    pub async fn blob(self, place: &Address, blob: &Descriptor, limit: u64) -> Result<Vec<u8>, Error> {
        let name =
            || blob.title().map_or_else(|| blob.digest.to_string(), |title| title.escape_debug().to_string());
        let check = |bytes: Vec<u8>| match bytes.len() as u64 == blob.size {
            true => Ok(bytes),
            false => {
                Err(Error::Forged(format!("{} has {} bytes, and not {}", name(), bytes.len(), blob.size)))
            }
        };
        if blob.size > limit {
            return Err(Error::Limit(format!(
                "{} has {} bytes, and the limit is {limit}",
                name(),
                blob.size
            )));
        }
        let reference = match place {
            Address::Layout(folder, _) => {
                let bytes = Layout::new(folder).blob(&blob.digest);
                let missing = || Error::Forged(format!("{place}: {} is missing or damaged", name()));
                return bytes.ok_or_else(missing).and_then(check);
            }
            Address::Registry(reference) => reference,
        };
        if let Some(bytes) = self.cache.and_then(|cache| cache.blob(&blob.digest)) {
            return check(bytes);
        }
        let client = self.client.ok_or_else(|| {
            Error::NotFound(format!("{reference}: {} is not in the cache: run odsmith fetch", name()))
        })?;
        let bytes = match client.mirror(reference) {
            Some(mirror) => match client.blob(&mirror, blob, limit).await {
                Ok(bytes) => bytes,
                Err(_) => client.blob(reference, blob, limit).await?,
            },
            None => client.blob(reference, blob, limit).await?,
        };
        self.keep(&bytes);
        Ok(bytes)
    }

    /// Reads a layer as it is packed.
    ///
    /// # Errors
    /// The artifact has no such layer, or its bytes differ.
    pub async fn layer(self, artifact: &OpenArtifact, layer: Layer) -> Result<Vec<u8>, Error> {
        let blob = artifact
            .layer(layer)
            .ok_or_else(|| Error::NotFound(format!("{} has no {}", artifact.place, layer.title())))?;
        self.blob(&artifact.place, blob, layer.limit()).await
    }
}
