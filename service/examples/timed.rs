//! Times the site of a folder of `.td` files: `timed DIR OUT [RUNS [remove]]`.
//!
//! Prints the time from records to files, written as `odsmith docs` does. Each run writes into its own folder below
//! OUT; with `remove`, the folder is removed after the run. Every file that no other includes is a root, as for
//! `odsmith docs`.
#![expect(clippy::print_stdout, reason = "it is a command")]

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use mimalloc::MiMalloc;
use odsmith_engine::{
    artefact::Artefact,
    cancel::Cancel,
    job::{Job, Target},
    library::Library,
    limits::{Budget, Limits},
    parallel::{self, Spare},
};
use odsmith_service::{
    pipeline::{automatic::Graph, workspace::Workspace},
    store::disk,
};
use odsmith_site::{
    Input, TargetRecords,
    flavor::{self, Draft, Flavor, Tree},
    pages::{self, Page},
    render::{self, Renderer, Templates},
    site_to,
};

/// The same allocator as in the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (Some(folder), Some(out)) = (args.first(), args.get(1)) else {
        println!("timed DIR OUT [RUNS [remove]]");
        return;
    };
    let runs = args.get(2).and_then(|runs| runs.parse().ok()).unwrap_or(3);
    let removes = args.get(3).is_some_and(|word| word == "remove");
    let threads = parallel::parallelism().get();
    let targets = records(Path::new(folder));
    let mut seconds = Vec::new();
    let (files, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for run in 0..runs {
        files.store(0, Ordering::Relaxed);
        bytes.store(0, Ordering::Relaxed);
        let start = Instant::now();
        let input = Input { title: "MLIR".to_owned(), targets: &targets, threads, ..Input::default() };
        let root = Path::new(out).join(format!("run-{run}"));
        let (_, written) = disk::write_while(
            |path, bytes| disk::write(&disk::place(&root, path), bytes),
            |out| {
                let count = |made: Vec<Artefact>| {
                    files.fetch_add(made.len(), Ordering::Relaxed);
                    bytes.fetch_add(made.iter().map(|file| file.bytes.len()).sum(), Ordering::Relaxed);
                    out(made);
                };
                site_to(&count, &input)
            },
        );
        written.expect("files that can be written");
        seconds.push(start.elapsed().as_secs_f64());
        if removes {
            fs::remove_dir_all(&root).expect("a folder that can be removed");
        }
    }
    phases(&targets);
    let all: Vec<String> = seconds.iter().map(|seconds| format!("{seconds:.3}")).collect();
    println!("runs: {}", all.join(" "));
    println!(
        "{} files, {} bytes, {threads} threads: {:.3} s",
        files.into_inner(),
        bytes.into_inner(),
        seconds.into_iter().fold(f64::INFINITY, f64::min),
    );
}

/// Prints the time of each step on one core.
fn phases(targets: &[TargetRecords]) {
    let mut last = cpu_seconds();
    let mut step = |what: &str| {
        let now = cpu_seconds();
        println!("{what:>12} {:.3} s", now - std::mem::replace(&mut last, now));
    };
    let book = pages::book(&Input { title: "MLIR".to_owned(), targets, ..Input::default() });
    step("model");
    let templates = Templates::new(&BTreeMap::new()).expect("templates that parse");
    let renderer =
        Renderer::new(&book.registry, &book.texts, templates, render::BOOT, render::Extras::default());
    step("templates");
    let count = |done: usize| assert!(done > 0, "nothing was made");
    count(
        book.pages.iter().filter_map(|page| renderer.forms(page, None).0.ok()).map(|text| text.len()).sum(),
    );
    step("HTML, JSON");
    let tree = Tree::new(&book.pages, Flavor::Gfm);
    let drafts: Vec<(&Page, Draft)> = book
        .pages
        .iter()
        .filter_map(|page| Some((page, Draft::new(page, &book.texts, &book.registry)?)))
        .collect();
    step("drafts");
    count(drafts.iter().map(|(page, draft)| flavor::twin(page, draft).len()).sum());
    step("Markdown");
    count(drafts.iter().filter_map(|(page, draft)| tree.page(page, draft)).map(|(_, text)| text.len()).sum());
    step("tree");
}

/// Returns the processor time of this thread, where Linux reports it.
fn cpu_seconds() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}

/// Evaluates every root in a folder and returns the records.
fn records(folder: &Path) -> Vec<TargetRecords> {
    let bundle =
        Workspace::open(folder, false).and_then(|files| files.bundle()).expect("a folder of `.td` files");
    let budget = Budget::default();
    let graph = Graph::new(&bundle, std::iter::empty(), &budget);
    let target =
        |td: &str| Target { td: td.to_owned(), includes: graph.infer(td, &[]).includes, ..Target::default() };
    let job = Job {
        targets: graph.tops().files.into_iter().map(target).collect(),
        files: Arc::new(bundle.clone()),
        includes: Vec::new(),
        defines: Vec::new(),
        limits: Limits::generous(),
        uses_snapshots: true,
        checkpoints: None,
        spare: Spare::default(),
        cancel: Cancel::default(),
    };
    let run = move || odsmith_engine::run(&Library::default(), &job);
    // Evaluation recurses as deep as definitions nest.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread");
    let outcome = thread.join().expect("an outcome");
    let made = outcome.targets.into_iter().filter_map(|target| {
        let records = target.records?;
        Some(TargetRecords { td: target.td, records })
    });
    made.collect()
}
