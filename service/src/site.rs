//! The reference site of a result.

use std::sync::Arc;

use odsmith_engine::{artefact::Artefact, record::Records};

use crate::manifest::Docs;

/// Makes the site of all roots that were evaluated; paths begin with `site/` or `markdown/`.
#[must_use]
pub fn make(_docs: &Docs, _roots: &[(String, Arc<Records>)]) -> Vec<Artefact> {
    Vec::new()
}
