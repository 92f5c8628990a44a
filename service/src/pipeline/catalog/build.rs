//! Builds a catalogue of what a place has. Projects that did not change are taken over as they were.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_catalog::{
    Catalog, Project,
    published::{PublishedVersion, admitted},
    shards::files_of,
};
use odsmith_engine::interchange::symbols::{Row, Symbols};
use odsmith_registry::{artifact::Layer, digest::Digest, error::Error, pull::OpenArtifact};

use super::read::Listing;
use crate::pipeline::registry::Registries;

/// Looks up a project that was built before, by its key.
pub type KnownProjects<'k> = dyn Fn(&str) -> Option<Arc<Project>> + 'k;

/// A catalogue with the files of the projects that are new in it.
#[derive(Debug, Default)]
pub struct BuiltCatalog {
    /// The catalogue.
    pub catalog: Catalog,
    /// The files of projects that were built, by path; those of others are as they were.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The artifacts by the digest of their manifests.
    pub artifacts: BTreeMap<Digest, OpenArtifact>,
    /// The projects and versions that are left out, with the reason.
    pub notes: Vec<String>,
}

/// Builds a catalogue. With `verifies` the symbols of each new version are made anew of its model and compared.
///
/// # Errors
/// The registry cannot be reached or denies it.
pub fn build(
    registries: &Registries,
    listing: Listing,
    known: &KnownProjects<'_>,
    verifies: bool,
) -> Result<BuiltCatalog, Error> {
    let Listing { projects, artifacts, mut notes } = listing;
    let mut all: Vec<Arc<Project>> = Vec::new();
    let mut files = BTreeMap::new();
    let read = |version: &PublishedVersion| symbols(registries, &artifacts, version, verifies);
    for published in projects {
        if let Some(project) = known(&published.key()) {
            all.push(project);
            continue;
        }
        let repository = published.repository.clone();
        match Project::build(published, &read) {
            Ok(Some((project, deltas))) => {
                files.extend(files_of(&project, &deltas));
                all.push(Arc::new(project));
            }
            Ok(None) => {}
            Err(error @ (Error::Unavailable(_) | Error::Denied(_))) => return Err(error),
            Err(error) => notes.push(format!("{repository} is left out: {error}")),
        }
    }
    let (catalog, others) = Catalog::new(all);
    notes.extend(others.iter().map(|it| {
        format!("{} is left out: another repository has the project '{}'", it.facts.repository, it.name())
    }));
    Ok(BuiltCatalog { catalog, files, artifacts, notes })
}

/// Reads the symbols of a version, or makes them of its model if it has none.
fn symbols(
    registries: &Registries,
    artifacts: &BTreeMap<Digest, OpenArtifact>,
    version: &PublishedVersion,
    verifies: bool,
) -> Result<Symbols, Error> {
    let missing = || Error::NotFound(format!("{} was not opened", version.manifest));
    let artifact = artifacts.get(&version.manifest).ok_or_else(missing)?;
    let of_model = || registries.model(artifact).map(|model| Symbols::new(&model, &BTreeMap::new()));
    if artifact.layer(Layer::Symbols).is_none() {
        return of_model();
    }
    let symbols = registries.symbols(artifact)?;
    if verifies && stripped(symbols.clone()) != stripped(of_model()?) {
        return Err(Error::Forged(format!(
            "the symbols of {} are not those of its model",
            version.config.version.escape_debug()
        )));
    }
    Ok(symbols)
}

/// Returns symbols without the pages of a reference, which a model does not know.
fn stripped(symbols: Symbols) -> Symbols {
    let mut symbols = admitted(symbols);
    symbols.rows = symbols.rows.into_iter().map(|row| Row { page: None, ..row }).collect();
    symbols
}
