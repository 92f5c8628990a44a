//! Dialects in a registry: what commands share. The client itself is the crate `odsmith-registry`.
//!
//! * [`Registries`] reads artifacts, through the cache in `$ODSMITH_CACHE/oci`;
//! * [`artifact`] makes one of a project;
//! * [`rights`] says which parts of registries a client may read;
//! * [`packages`] resolves dependencies, and finds their definitions without the network;
//! * [`served`] gets those of bundles that a server is sent.

pub mod artifact;
pub mod packages;
pub mod rights;
#[cfg(feature = "network")]
pub mod served;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    interchange::{Document, symbols::Symbols},
};
use odsmith_registry::{
    artifact::{Layer, UnpackedLayer},
    client::{Client, HostSettings, Settings},
    credentials::{Credentials, Login},
    digest::sha256,
    error::Error,
    layout::Layout,
    lock,
    manifest::Descriptor,
    pull::{Address, OpenArtifact, Puller},
};
use serde::Deserialize;

use crate::{
    config::ArchiveLimits,
    pipeline::{library::cache_folder, workspace},
    store::{
        archive::{self, codec},
        disk,
    },
};

/// Maximum bytes of an unpacked layer.
const MOST_UNPACKED: u64 = 1 << 30;
/// Maximum bytes of a file in one.
const MOST_FILE: u64 = 32 << 20;
/// Maximum number of files in one.
const MOST_FILES: u64 = 100_000;

/// The way to registries, as the command line says it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Hosts that are asked over plain HTTP.
    pub plain_http: Vec<String>,
    /// The user and the password; those that Docker keeps, without one.
    pub login: Option<(String, String)>,
}

/// The user's settings: `config.toml` in `$XDG_CONFIG_HOME/odsmith`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserSettings {
    #[serde(default)]
    registry: BTreeMap<String, RegistrySettings>,
}

/// The settings for a registry.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RegistrySettings {
    mirror: Option<String>,
    realm: Option<String>,
    #[serde(default)]
    plain_http: bool,
}

/// Registries, and the cache of what was read from them.
pub struct Registries {
    runtime: tokio::runtime::Runtime,
    client: Option<Client>,
    caches: Vec<Layout>,
}

impl Registries {
    /// Opens the way to registries.
    ///
    /// # Errors
    /// The user's settings cannot be read, or the HTTP client cannot be created.
    pub fn new(access: &Access) -> Result<Registries, String> {
        Registries::of_hosts(access, None)
    }

    /// Opens the way to these hosts alone: redirects and token servers of others are refused.
    ///
    /// # Errors
    /// As for [`Registries::new`].
    pub fn of_server(hosts: BTreeSet<String>) -> Result<Registries, String> {
        Registries::of_hosts(&Access::default(), Some(hosts))
    }

    fn of_hosts(access: &Access, only: Option<BTreeSet<String>>) -> Result<Registries, String> {
        let own = user_settings()?;
        let login = access.login.clone().map(|(user, password)| Login::Basic { user, password });
        let plain = own.registry.iter().filter(|(_, it)| it.plain_http).map(|(host, _)| host.clone());
        let settings = Settings {
            plain_http: plain.chain(access.plain_http.iter().cloned()).collect::<BTreeSet<_>>(),
            credentials: Credentials { own: login, is_closed: false },
            hosts: own
                .registry
                .into_iter()
                .map(|(host, it)| (host, HostSettings { mirror: it.mirror, realm: it.realm }))
                .collect(),
            only,
        };
        let client = connect(settings)?;
        Ok(Registries { client, ..Registries::offline()? })
    }

    /// Opens the cache alone.
    ///
    /// # Errors
    /// The runtime cannot be created.
    pub fn offline() -> Result<Registries, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| disk::reason(&error))?;
        let caches = cache_folder().map(|folder| Layout::new(folder.join("oci"))).into_iter().collect();
        Ok(Registries { runtime, client: None, caches })
    }

    /// Adds the layout that a project keeps its dependencies in; it is read first.
    #[must_use]
    pub fn with_vendored(mut self, folder: &Path) -> Registries {
        let layout = Layout::new(folder.join(packages::VENDORED));
        if layout.exists() {
            self.caches.insert(0, layout);
        }
        self
    }

    /// Returns the client.
    ///
    /// # Errors
    /// There is none.
    pub fn client(&self) -> Result<&Client, Error> {
        self.client.as_ref().ok_or_else(|| Error::NotFound("no network is used here".to_owned()))
    }

    /// Returns the cache.
    #[must_use]
    pub fn cache(&self) -> Option<&Layout> {
        self.caches.last()
    }

    /// Returns a reader of artifacts, which uses the network and the cache.
    #[must_use]
    pub fn puller(&self) -> Puller<'_> {
        Puller { client: self.client.as_ref(), cache: self.cache() }
    }

    /// Runs a request to the end.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Calls a reader for each cache, the last of which may use the network.
    fn read<T>(&self, read: impl Fn(Puller<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let first = self.caches.len().saturating_sub(1);
        for cache in &self.caches[..first] {
            if let Ok(found) = read(Puller { client: None, cache: Some(cache) }) {
                return Ok(found);
            }
        }
        read(Puller { client: self.client.as_ref(), cache: self.caches.last() })
    }

    /// Reads the manifest and the config of an artifact.
    ///
    /// # Errors
    /// It does not exist, or is not what its digest says.
    pub fn open(&self, place: &Address) -> Result<OpenArtifact, Error> {
        self.read(|puller| self.wait(puller.open(place)))
    }

    /// Reads a blob of an artifact as it is packed.
    ///
    /// # Errors
    /// It is missing, or other bytes.
    pub fn blob(&self, artifact: &OpenArtifact, blob: &Descriptor) -> Result<Vec<u8>, Error> {
        self.read(|puller| self.wait(puller.blob(&artifact.place, blob, MOST_UNPACKED)))
    }

    /// Reads a layer and unpacks it. Its bytes have the digest of the config.
    ///
    /// # Errors
    /// It is missing, or other bytes.
    pub fn layer(&self, artifact: &OpenArtifact, layer: Layer) -> Result<Vec<u8>, Error> {
        let packed = self.read(|puller| self.wait(puller.layer(artifact, layer)))?;
        let title = layer.title();
        let plain = artifact.config.layers.get(title);
        let plain = plain.ok_or_else(|| Error::Forged(format!("the config does not describe {title}")))?;
        if plain.size > MOST_UNPACKED {
            return Err(Error::Limit(format!("{title} unpacks to more than {MOST_UNPACKED} bytes")));
        }
        let bytes = codec::unzstd(&packed, plain.size)
            .map_err(|refusal| Error::Forged(format!("{title}: {refusal}")))?;
        match (UnpackedLayer { size: bytes.len() as u64, sha256: sha256(&bytes) }) == *plain {
            true => Ok(bytes),
            false => Err(Error::Forged(format!(
                "{title} unpacks to the digest sha256:{}, and not sha256:{}",
                sha256(&bytes),
                plain.sha256.escape_debug()
            ))),
        }
    }

    /// Reads the files of a layer that is an archive.
    ///
    /// # Errors
    /// It is missing, or breaks a rule for archives.
    pub fn files(&self, artifact: &OpenArtifact, layer: Layer) -> Result<Bundle, Error> {
        let bytes = self.layer(artifact, layer)?;
        unpack(&bytes).map_err(|why| Error::Forged(format!("{}: {why}", layer.title())))
    }

    /// Reads the definitions of an artifact as a project's files, with those of its dependencies.
    ///
    /// # Errors
    /// They are missing, or other bytes; or a dependency is.
    pub fn project(&self, artifact: &OpenArtifact) -> Result<Bundle, Error> {
        let files = self.files(artifact, Layer::Definitions)?;
        let lock = files.get(lock::FILE_NAME).cloned();
        let mut bundle = Bundle::default();
        for (path, bytes) in files.iter().filter(|(path, _)| *path != lock::FILE_NAME) {
            bundle.insert(path, Arc::clone(bytes));
        }
        let mut bundle = workspace::arranged(bundle);
        if let Some(lock) = lock {
            let text = String::from_utf8_lossy(&lock).into_owned();
            let lock = lock::Lock::read(&text).map_err(Error::Forged)?;
            packages::add(&mut bundle, &lock, self)?;
        }
        Ok(bundle)
    }

    /// Reads the model of an artifact.
    ///
    /// # Errors
    /// It is missing, or not one that this program reads.
    pub fn model(&self, artifact: &OpenArtifact) -> Result<Document, Error> {
        let bytes = self.layer(artifact, Layer::Model)?;
        Document::from_json(&bytes).map_err(|why| Error::Refused(format!("{}: {why}", Layer::Model.title())))
    }

    /// Reads the symbols of an artifact.
    ///
    /// # Errors
    /// They are missing, or in a form that this program does not read.
    pub fn symbols(&self, artifact: &OpenArtifact) -> Result<Symbols, Error> {
        let bytes = self.layer(artifact, Layer::Symbols)?;
        Symbols::from_json(&bytes).map_err(|why| Error::Refused(format!("{}: {why}", Layer::Symbols.title())))
    }
}

/// Unpacks a tar archive of any files.
fn unpack(bytes: &[u8]) -> Result<Bundle, String> {
    let limits = ArchiveLimits {
        body_bytes: u64::MAX,
        unpacked_bytes: MOST_UNPACKED,
        file_bytes: MOST_FILE,
        entries: MOST_FILES,
        // Every file is kept.
        also: &[""],
        ..ArchiveLimits::default()
    };
    archive::read(bytes, &limits).map_err(|refusal| refusal.to_string())
}

/// Returns the folder of the user's settings.
fn settings_place() -> Option<PathBuf> {
    let of = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CONFIG_HOME").or_else(|| of("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("odsmith/config.toml"))
}

fn user_settings() -> Result<UserSettings, String> {
    let Some(place) = settings_place().filter(|place| place.is_file()) else {
        return Ok(UserSettings::default());
    };
    let wrong = |why: String| format!("{}: {why}", place.display());
    let text = fs::read_to_string(&place).map_err(|error| wrong(disk::reason(&error)))?;
    toml::from_str(&text).map_err(|error| wrong(error.to_string()))
}

/// Creates the client, with the certificates of `SSL_CERT_FILE`: an organisation's registry may have those of its own
/// authority.
#[cfg(feature = "network")]
fn connect(settings: Settings) -> Result<Option<Client>, String> {
    let builder = reqwest::Client::builder();
    let Some(place) = env::var_os("SSL_CERT_FILE").filter(|it| !it.is_empty()).map(PathBuf::from) else {
        return Client::new(settings, builder).map(Some);
    };
    let wrong = |why: String| format!("SSL_CERT_FILE {}: {why}", place.display());
    let bytes = fs::read(&place).map_err(|error| wrong(disk::reason(&error)))?;
    let all = reqwest::Certificate::from_pem_bundle(&bytes).map_err(|error| wrong(error.to_string()))?;
    let builder = all.into_iter().fold(builder, reqwest::ClientBuilder::add_root_certificate);
    Client::new(settings, builder).map(Some)
}

/// Creates no client: only layouts and the cache are read.
#[cfg(not(feature = "network"))]
fn connect(_: Settings) -> Result<Option<Client>, String> {
    Ok(None)
}
