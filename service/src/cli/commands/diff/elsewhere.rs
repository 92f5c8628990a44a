//! `odsmith diff --catalog`: the users of what a change breaks, in other projects.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_catalog::{
    Catalog, Project,
    catalog::UPSTREAM,
    elsewhere::{ElsewhereAnswer, ElsewhereQuestion, Sides},
    project::ProjectFacts,
};
use odsmith_engine::{
    interchange::{Document, symbols::Symbols},
    review::diff::Comparison,
};
use odsmith_registry::pull::Address;

use super::super::{display, remote};
use crate::pipeline::{
    catalog::{
        place::{OpenCatalog, is_server},
        read::CatalogSettings,
    },
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
        let symbols = [old, new].map(|document| Symbols::new(document, &BTreeMap::new()));
        let [old, new] = &symbols;
        let (project, version) = self.old_side()?;
        let question =
            ElsewhereQuestion { project, version, ..ElsewhereQuestion::new(comparison, Sides { old, new }) };
        let answer = match is_server(self.place) {
            true => self.ask_server(question)?,
            false => self.ask_here(question)?,
        };
        if answer.project.is_none() {
            display::note(&format!(
                "no project of {} defines these dialects: nothing else uses them",
                self.place
            ));
        }
        answer.add_to(comparison);
        Ok(())
    }

    fn ask_here(&self, question: ElsewhereQuestion) -> Result<ElsewhereAnswer, String> {
        let open = OpenCatalog::open(self.place, &Access::default(), &CatalogSettings::default())?;
        let question = open.catalog.named(question);
        let catalog = match self.all_versions {
            true => Arc::new(in_all_versions(&open)?),
            false => Arc::clone(&open.catalog),
        };
        Ok(catalog.answer_elsewhere(&question, &|| true).unwrap_or_default())
    }

    fn ask_server(&self, question: ElsewhereQuestion) -> Result<ElsewhereAnswer, String> {
        if self.all_versions {
            return Err(
                "--all-versions reads all published versions: name the registry or a folder, not a server"
                    .to_owned(),
            );
        }
        // The ids are needed only to find the project.
        let ids = if question.project.is_some() { Vec::new() } else { question.ids };
        let question = ElsewhereQuestion { ids, ..question };
        let body = serde_json::to_vec(&question).map_err(|error| error.to_string())?;
        let bytes = remote::post(self.place, "/v1/catalog/elsewhere", body)?;
        serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", self.place))
    }

    /// Returns the project of the old side and its version, as far as its place names them.
    fn old_side(&self) -> Result<(Option<String>, Option<String>), String> {
        if Address::is_one(self.old) {
            let registries = Registries::new(&Access::default())?;
            let artifact = registries.open(&Address::parse(self.old)?).map_err(|error| error.to_string())?;
            return Ok((Some(artifact.config.project), Some(artifact.config.version)));
        }
        if let Some(release) = self.old.strip_prefix("release:") {
            return Ok((Some(UPSTREAM.to_owned()), Some(release.to_owned())));
        }
        Ok((None, None))
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
