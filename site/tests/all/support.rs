//! Helpers for the tests of sites: definitions, evaluated.

use std::sync::Arc;

use odsmith_engine::{
    bundle::Bundle,
    job::{Job, Target},
    library::Library,
    record::Records,
};

/// The subset of ODS that these tests need.
pub const ODS: &str = include_str!("data/ods.td");

/// Evaluates `td`, one of these files.
pub fn records(library: &Library, files: &[(&str, &str)], td: &str) -> Arc<Records> {
    let mut bundle = Bundle::default();
    for (path, text) in files {
        bundle.insert(*path, text.as_bytes());
    }
    let job = Job::new(bundle).target(Target::new(td));
    let outcome = odsmith_engine::run(library, &job);
    let target = &outcome.targets[0];
    target.records.clone().unwrap_or_else(|| panic!("{}", target.diagnostics[0].message))
}
