//! `odsmith diff --catalog`: the users of what a change breaks, in other projects.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_catalog::{
    Catalog, Project,
    catalog::UPSTREAM,
    elsewhere::{OldSide, Sides},
    project::ProjectFacts,
};
use odsmith_engine::{
    interchange::{Document, symbols::Symbols},
    review::diff::Comparison,
};
use odsmith_registry::pull::Address;

use super::super::display;
use crate::pipeline::{
    catalog::{place::OpenCatalog, read::CatalogSettings},
    registry::{Access, Registries},
};

/// A question for the users of a comparison's findings.
pub(super) struct Question<'q> {
    /// The place of the catalogue.
    pub place: &'q str,
    /// The old side as the user names it.
    pub old: &'q str,
    /// True if all versions of projects count.
    pub all_versions: bool,
}

impl Question<'_> {
    /// Adds the users to each finding.
    pub(super) fn add(
        &self,
        comparison: &mut Comparison,
        old: &Document,
        new: &Document,
    ) -> Result<(), String> {
        let open = OpenCatalog::open(self.place, &Access::default(), &CatalogSettings::default())?;
        let symbols = [old, new].map(|document| Symbols::new(document, &BTreeMap::new()));
        let [old, new] = &symbols;
        let Some((project, version)) = self.old_side(&open.catalog, old)? else {
            display::note(&format!(
                "no project of {} defines these dialects: nothing else uses them",
                self.place
            ));
            return Ok(());
        };
        let catalog = match self.all_versions {
            true => Arc::new(in_all_versions(&open)?),
            false => Arc::clone(&open.catalog),
        };
        let side = OldSide { project: &project, version: version.as_deref() };
        catalog.add_elsewhere(comparison, side, Sides { old, new });
        Ok(())
    }

    /// Returns the project of the old side, and its version as far as that is known.
    fn old_side(&self, catalog: &Catalog, old: &Symbols) -> Result<Option<(String, Option<String>)>, String> {
        if Address::is_one(self.old) {
            let registries = Registries::new(&Access::default())?;
            let artifact = registries.open(&Address::parse(self.old)?).map_err(|error| error.to_string())?;
            return Ok(Some((artifact.config.project, Some(artifact.config.version))));
        }
        if let Some(release) = self.old.strip_prefix("release:") {
            return Ok(Some((UPSTREAM.to_owned(), Some(release.to_owned()))));
        }
        Ok(catalog.project_of(old).map(|it| (it.name().to_owned(), None)))
    }
}

/// Returns a catalogue that has each project once for each of its versions.
fn in_all_versions(open: &OpenCatalog) -> Result<Catalog, String> {
    let mut all = Vec::new();
    for project in &open.catalog.projects {
        for (newest, version) in project.facts.versions.iter().enumerate() {
            let symbols = open.symbols(project, &version.version)?;
            let facts = ProjectFacts { newest, ..project.facts.clone() };
            all.push(Arc::new(Project::new(facts, symbols)));
        }
    }
    Ok(Catalog::of(all))
}
