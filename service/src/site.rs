//! The reference site of a result.

use std::sync::Arc;

use odsmith_engine::{artefact::Artefact, record::Records};
use odsmith_site::{Input, TargetRecords};
use serde::Serialize;
use utoipa::ToSchema;

use crate::manifest::Docs;

/// Something in an author's text that does not stand on the page as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line of the definition.
    pub line: u32,
    /// The page.
    pub page: String,
    /// What it was.
    pub what: String,
}

/// Makes the site of all roots that were evaluated; paths begin with `site/` or `markdown/`.
#[must_use]
pub fn make(docs: &Docs, roots: Vec<(String, Arc<Records>)>) -> (Vec<Artefact>, Vec<Note>) {
    if roots.is_empty() {
        return Default::default();
    }
    let targets: Vec<TargetRecords> =
        roots.into_iter().map(|(td, records)| TargetRecords { td, records }).collect();
    let site = odsmith_site::site(&Input {
        title: docs.title.clone().unwrap_or_else(|| "Dialect reference".to_owned()),
        targets: &targets,
        source_url: docs.source_url.clone(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    });
    let note = |note: odsmith_site::Note| Note {
        file: note.file,
        line: note.line,
        page: note.page,
        what: note.what,
    };
    (site.artefacts, site.notes.into_iter().map(note).collect())
}
