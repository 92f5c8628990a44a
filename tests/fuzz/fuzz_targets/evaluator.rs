//! Any bytes as a program: it ends within its fuel, and its records print.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use odsmith_engine::{
    cancel::Cancel,
    generators::Action,
    job::{Job, Output, Target},
    library::Library,
    limits::Limits,
    source::Files,
    release::Release,
    parallel::Spare,
};

#[derive(Debug)]
struct SingleFile(Arc<[u8]>);

impl Files for SingleFile {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        (path == "a.td").then(|| Arc::clone(&self.0))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits {
        fuel: 200_000,
        arena_bytes: 16 << 20,
        // libFuzzer's thread has an ordinary stack.
        nesting: 64,
        records: 10_000,
        list_items: 10_000,
        string_bytes: 1 << 16,
        output_bytes: 1 << 20,
        ..Limits::default()
    };
    let fuel = limits.fuel;
    let job = Job {
        files: Arc::new(SingleFile(bytes.into())),
        includes: Vec::new(),
        defines: Vec::new(),
        targets: vec![Target {
            td: "a.td".to_owned(),
            warn_unused_template_args: true,
            outputs: [
                Action::PrintRecords,
                Action::DumpJson,
                Action::PrintDetailedRecords,
                Action::PrintSets,
            ]
            .map(|action| Output { path: "out".to_owned(), action })
            .into(),
            ..Target::default()
        }],
        limits,
        uses_snapshots: false,
        checkpoints: None,
        spare: Spare::default(),
        cancel: Cancel::new(),
    };
    let outcome = odsmith_engine::run(&Library::default(), &job);
    assert!(outcome.targets.iter().all(|target| target.usage.fuel <= fuel));
});
