//! The reference site of a result.

use std::sync::Arc;

use odsmith_engine::{artefact::Artefact, record::Records};
use odsmith_site::{Input, TargetRecords, site};

use crate::manifest::Docs;

/// What a site is called that was not given a title.
const TITLE: &str = "Dialect reference";

/// Makes the site of all roots that were evaluated; paths begin with `site/` or `markdown/`.
#[must_use]
pub fn make(docs: &Docs, roots: &[(String, Arc<Records>)]) -> Vec<Artefact> {
    let target = |(td, records): &(String, Arc<Records>)| TargetRecords { td: td.clone(), records: records.clone() };
    let targets: Vec<TargetRecords> = roots.iter().map(target).collect();
    let title = docs.title.clone().unwrap_or_else(|| TITLE.to_owned());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    site(&Input { title, targets: &targets, source_url: docs.source_url.clone(), threads }).artefacts
}
