//! Jobs with and without states that several roots share.

use odsmith_engine::{
    bundle::Bundle,
    generators::Action,
    job::{Job, Output, Target, TargetOutcome},
    library::Library,
    limits::Limits,
    report, run,
};

/// The outputs of a target in a row, and its messages, errors and files as text.
#[must_use]
pub fn printed(outcome: &TargetOutcome) -> (Vec<u8>, String) {
    let mut messages = Vec::new();
    outcome.diagnostics.iter().for_each(|report| report::text::render(report, &mut messages));
    let made = outcome.outputs.iter().filter_map(|output| output.artefact.as_ref());
    let bytes = made.flat_map(|artefact| artefact.bytes.clone()).collect();
    let shown =
        format!("{}\n{}\n{:?}", String::from_utf8_lossy(&messages), outcome.error_count, outcome.reads);
    (bytes, shown)
}

/// A job that prints the records of these roots and their locations.
#[must_use]
pub fn job(bundle: &Bundle, roots: &[&str], uses_snapshots: bool) -> Job {
    let target = |td: &&str| Target {
        td: (*td).to_owned(),
        warn_unused_template_args: true,
        includes: vec![td.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned())],
        outputs: vec![
            Output { path: "records".to_owned(), action: Action::PrintRecords },
            Output { path: "places".to_owned(), action: Action::PrintDetailedRecords },
        ],
        ..Target::default()
    };
    let targets = roots.iter().map(target).collect();
    let job = Job::new(bundle.clone()).include("Inputs").limits(Limits::generous());
    Job { targets, uses_snapshots, ..job }
}

/// The difference between a job with shared states and one without, if there is any. The job with states runs twice, so
/// that it also finds states that it made.
#[must_use]
pub fn difference(library: &Library, bundle: &Bundle, roots: &[&str]) -> Option<String> {
    let plain = run(library, &job(bundle, roots, false));
    for _ in 0..2 {
        let shared = run(library, &job(bundle, roots, true));
        for ((plain, shared), root) in plain.targets.iter().zip(&shared.targets).zip(roots) {
            let (plain_print, shared_print) = (printed(plain), printed(shared));
            if plain_print.1 != shared_print.1 {
                return Some(format!("messages of {root}:\n{}\nshared:\n{}", plain_print.1, shared_print.1));
            }
            if plain_print.0 != shared_print.0 {
                return Some(format!("records of {root} or their places differ"));
            }
            let counts = |outcome: &TargetOutcome| (outcome.usage.fuel, outcome.usage.records);
            if counts(plain) != counts(shared) {
                return Some(format!("usage of {root}: {:?}, shared: {:?}", plain.usage, shared.usage));
            }
        }
    }
    None
}
