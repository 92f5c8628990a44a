//! Times one root within the process, with the library's shared states already built: prints the median in
//! microseconds.
//!
//! ```text
//! cargo run --release --example warm -- include mlir/Dialect/Arith/IR/ArithOps.td
//! ```

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "an example talks to its user")]

use std::{collections::BTreeMap, path::Path, process::ExitCode, sync::Arc, time::Instant};

use odsmith_engine::{
    Bundle, Job, Library, Target, generators::Action, limits::Limits, release::Release, run,
};

/// The number of timed runs.
const RUNS: usize = 31;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(include), Some(root)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: warm include root.td");
        return ExitCode::FAILURE;
    };
    let mut files = BTreeMap::new();
    td_files(Path::new(&include), "", &mut files);
    let Some(text) = files.get(&root).cloned() else {
        eprintln!("{include} has no {root}");
        return ExitCode::FAILURE;
    };
    let mut bundle = Bundle::default();
    bundle.insert("root.td", text.to_vec());
    let library = Library::new(Release::default(), String::new(), files);
    let target = Target { warn_unused_template_args: true, ..Target::new("root.td") };
    let job =
        Job::new(bundle).target(target.output("records", Action::PrintRecords)).limits(Limits::generous());
    let job = Job { uses_snapshots: true, ..job };
    let mut times = Vec::with_capacity(RUNS);
    // The first run builds the shared states.
    for index in 0..=RUNS {
        let start = Instant::now();
        let outcome = run(&library, &job);
        let time = start.elapsed();
        let made = outcome.targets.iter().flat_map(|target| &target.outputs);
        if made.filter(|output| output.artefact.is_some()).count() != 1 {
            eprintln!("{root} cannot be evaluated");
            return ExitCode::FAILURE;
        }
        if index > 0 {
            times.push(time);
        }
    }
    times.sort_unstable();
    println!("{}", times[RUNS / 2].as_micros());
    ExitCode::SUCCESS
}

fn td_files(folder: &Path, below: &str, files: &mut BTreeMap<String, Arc<[u8]>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            td_files(&entry.path(), &path, files);
        } else if path.ends_with(".td")
            && let Ok(bytes) = std::fs::read(entry.path())
        {
            files.insert(path, bytes.into());
        }
    }
}
