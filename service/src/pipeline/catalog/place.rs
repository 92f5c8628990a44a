//! Opens the catalogue that a command names: the folder of `odsmith catalog build`, or a registry or layouts, of which it
//! is built in memory.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_catalog::{Catalog, Project, shards};
use odsmith_engine::interchange::symbols::Symbols;
use odsmith_registry::{digest::Digest, pull::OpenArtifact};

use super::{
    build::{self, BuiltCatalog},
    read::{self, CatalogSettings, KnownVersions, Origin},
};
use crate::{
    pipeline::registry::{Access, Registries},
    store::disk,
};

/// Returns whether a place is the address of a server, which answers for its own catalogue.
#[must_use]
pub fn is_server(place: &str) -> bool {
    place.starts_with("https://") || place.starts_with("http://")
}

/// An open catalogue.
pub struct OpenCatalog {
    /// The catalogue.
    pub catalog: Arc<Catalog>,
    versions: Versions,
}

/// The place of older versions.
enum Versions {
    Folder(PathBuf),
    Registry(Box<(Registries, BuiltCatalog)>),
}

impl OpenCatalog {
    /// Opens a catalogue by its place.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn open(place: &str, access: &Access, settings: &CatalogSettings) -> Result<OpenCatalog, String> {
        if !Origin::is_one(place) {
            let folder = PathBuf::from(place);
            let read = |path: &str| read_file(&folder, path);
            let catalog = Arc::new(shards::read(&read)?);
            return Ok(OpenCatalog { catalog, versions: Versions::Folder(folder) });
        }
        let registries = match Origin::parse(place)? {
            Origin::Registry { .. } => Registries::new(access)?,
            Origin::Layouts(_) => Registries::offline()?,
        };
        let built = read::list(&registries, &Origin::parse(place)?, settings, &KnownVersions::new())
            .and_then(|listing| build::build(&registries, listing, &|_| None, false))
            .map_err(|error| error.to_string())?;
        let catalog = Arc::new(built.catalog.clone());
        Ok(OpenCatalog { catalog, versions: Versions::Registry(Box::new((registries, built))) })
    }

    /// Reads the symbols of a version of a project.
    ///
    /// # Errors
    /// There is no such version, or it cannot be read.
    pub fn symbols(&self, project: &Project, version: &str) -> Result<Symbols, String> {
        match &self.versions {
            Versions::Folder(folder) => {
                shards::read_version(&|path| read_file(folder, path), project, version)
            }
            Versions::Registry(source) => {
                let (registries, built) = &**source;
                let facts = project.version(version);
                let facts = facts.ok_or_else(|| {
                    format!("{} has no version '{}'", project.name(), version.escape_debug())
                })?;
                symbols_of(registries, &built.artifacts, &facts.manifest)
            }
        }
    }
}

/// Reads the symbols of a version of a catalogue that was built here.
///
/// # Errors
/// They cannot be read.
pub fn symbols_of(
    registries: &Registries,
    artifacts: &BTreeMap<Digest, OpenArtifact>,
    manifest: &Digest,
) -> Result<Symbols, String> {
    let artifact = artifacts.get(manifest);
    let artifact = artifact.ok_or_else(|| format!("{manifest} is not published any more"))?;
    let symbols = registries.symbols(artifact).map_err(|error| error.to_string())?;
    Ok(odsmith_catalog::published::admitted(symbols))
}

/// Reads a file of the folder of a catalogue.
pub(crate) fn read_file(folder: &Path, path: &str) -> Result<Vec<u8>, String> {
    let is_below = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    if !is_below || path.contains('\\') {
        return Err(format!("'{}' is no file of a catalogue", path.escape_debug()));
    }
    let place = disk::place(folder, path);
    fs::read(&place).map_err(|error| {
        let hint = if path == shards::LIST { ": this is no catalogue" } else { "" };
        format!("{}: {}{hint}", place.display(), disk::reason(&error))
    })
}
