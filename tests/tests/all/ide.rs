//! The engine of editors: evaluation with recovery agrees with the exact one, and no edit makes it panic.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed.

use std::{
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::Severity,
    eval::{ops, snapshot::Input},
    job::{Job, OnDeprecated, Target},
    library::Library,
    limits::{Limits, Meter},
    record::{Records, RecordsDump, print, records_dump::Cache},
    release::Release,
    run,
    syntax::IncludePaths,
};
use odsmith_ide::{
    Workspace, actions, completion, hover, inlay, lens, navigate, problems, semantic, signature, structure,
    symbols,
};
use odsmith_tests::{archive::files_below, program::on_a_big_stack, random::Random, seeds, set_up};

/// Reads all files below a folder.
fn read_all(folder: &Path) -> BTreeMap<String, Arc<[u8]>> {
    files_below(folder).into_iter().map(|(path, bytes)| (path, bytes.into())).collect()
}

/// The programs of the language's fixtures, by name.
fn programs() -> Vec<(String, Arc<[u8]>)> {
    let folder = set_up::tests_folder().join("fixtures");
    let mut found: Vec<(String, Arc<[u8]>)> = Vec::new();
    for (path, bytes) in files_below(&folder) {
        if path.ends_with(".td") {
            found.push((path, bytes.into()));
        } else if path.ends_with(".cases") {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut shared = String::new();
            for part in text.split("\n=== ").skip(1) {
                let (title, body) = part.split_once('\n').unwrap_or((part, ""));
                if title == "*" {
                    shared = body.to_owned();
                } else {
                    found.push((format!("{path}: {title}"), format!("{shared}{body}\n").into_bytes().into()));
                }
            }
        }
    }
    found
}

/// Without errors both evaluations give the same records; with errors, the same messages until the first one.
#[test]
fn recovery_agrees_with_the_exact_evaluation() {
    let library = Path::new(set_up::library());
    let all = read_all(library).into_iter().chain(read_all(&set_up::tests_folder().join("fixtures")));
    let mut files = Bundle::default();
    all.filter(|(path, _)| path.ends_with(".td")).for_each(|(path, bytes)| files.insert(path, bytes));
    let mut wrong = String::new();
    let (mut right, mut broken, mut recovered) = (0, 0, 0);
    on_a_big_stack(|| {
        for (name, text) in programs() {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let input = Input {
                files: &files,
                paths: IncludePaths { folders: vec![folder, String::new()], max_depth: 64 },
                macros: Vec::new(),
                operators: ops::find,
                warns_of_unused: true,
                rules: Release::default().rules(),
                is_traced: false,
            };
            let meter = || Meter::new(Limits::default(), Cancel::new());
            let exact = input.start("root.td", &text, meter()).run();
            let traced = Input { is_traced: true, ..input };
            let tolerant = traced.start("root.td", &text, meter()).run_for_editor();
            let said = &tolerant.evaluated.diagnostics[..tolerant.exact];
            if exact.is_ok != tolerant.evaluated.is_ok || exact.diagnostics != said {
                wrong.push_str(&format!("{name}:\n  exact {:?}\n  editor {said:?}\n", exact.diagnostics));
                continue;
            }
            if !exact.is_ok {
                broken += 1;
                recovered += usize::from(tolerant.evaluated.diagnostics.len() > tolerant.exact);
                continue;
            }
            right += 1;
            let printed = |keeper, sources| {
                let mut text = String::new();
                let records = Records::new(keeper, sources);
                let listing = print::Listing::new(&records);
                let _ = listing.write(0..listing.count(), &mut Cache::default(), &mut text, &|text| {
                    text.len() < 64 << 20
                });
                text
            };
            let ours = printed(tolerant.evaluated.keeper, tolerant.evaluated.sources);
            if printed(exact.keeper, exact.sources) != ours {
                wrong.push_str(&format!("{name}: other records\n"));
            }
        }
    });
    println!("{right} programs without an error, {broken} with one, of which {recovered} have more after it");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(right > 500 && broken > 300 && recovered > 20, "{right} {broken} {recovered}");
}

/// MLIR's own definitions, as a workspace that is its own library.
fn mlir() -> (Workspace, Arc<Library>, BTreeMap<String, Arc<[u8]>>) {
    let files: BTreeMap<String, Arc<[u8]>> = read_all(Path::new(set_up::library()))
        .into_iter()
        .filter(|(path, _)| path.ends_with(".td"))
        .collect();
    let library = Arc::new(Library::new(Release::default(), "mlir".to_owned(), files.clone()));
    let workspace = Workspace::new(Arc::clone(&library), Bundle::default(), Limits::default());
    (workspace, library, files)
}

/// The number of edits in a normal run.
const EDITS: u64 = 100;

/// After random edits of MLIR's files nothing panics or hangs, every request has an answer, and the messages are those
/// of the batch tools if these reach the end.
#[test]
fn random_edits() {
    let (_, library, files) = mlir();
    let dialects: Vec<(String, Arc<[u8]>)> = files
        .iter()
        .filter(|(path, bytes)| path.starts_with("mlir/Dialect/") && bytes.len() < 200_000)
        .map(|(path, bytes)| (path.clone(), Arc::clone(bytes)))
        .collect();
    let tried = seeds::run(
        "editor",
        EDITS,
        1,
        |seed| on_a_big_stack(|| edit(seed, &library, &dialects)),
        |batch| {
            let failed: Vec<String> = batch.into_iter().flatten().collect();
            assert!(failed.is_empty(), "{} edits fail:\n{}", failed.len(), failed.join("\n"));
            0
        },
    );
    println!("{tried}: no panic, no hang, the same messages as the batch tools");
}

/// The errors after some edits of one file.
fn edit(seed: u64, library: &Arc<Library>, dialects: &[(String, Arc<[u8]>)]) -> Option<String> {
    let mut random = Random::new(seed);
    let (path, text) = &dialects[random.below(dialects.len())];
    let mut text = text.to_vec();
    let name = format!("seed {seed}, {path}");
    let mut bundle = Bundle::default();
    bundle.insert("root.td", text.clone());
    let mut workspace = Workspace::new(Arc::clone(library), bundle, Limits::default());
    // Only generators warn of deprecated definitions.
    let on_deprecated = OnDeprecated::Ignore;
    let target = Target { warn_unused_template_args: true, on_deprecated, ..Target::new("root.td") };
    workspace.set_targets(vec![target.clone()], Vec::new(), Vec::new());
    for _ in 0..4 {
        let at = mutate(&mut random, &mut text);
        let started = Instant::now();
        let asked = catch_unwind(AssertUnwindSafe(|| {
            workspace.set_text("root.td", Some(&text));
            ask_everything(&workspace, at)
        }));
        let said = match asked {
            Ok(said) => said,
            Err(_) => {
                let kept = format!("{}/edit-{seed}.td", env!("CARGO_TARGET_TMPDIR"));
                let _ = fs::write(&kept, &text);
                return Some(format!("{name}: panics at {at}, see {kept}"));
            }
        };
        if started.elapsed() > Duration::from_secs(20) {
            return Some(format!("{name}: takes {:?}", started.elapsed()));
        }
        // The batch tools' messages, up to the point where they stop.
        let mut files = Bundle::default();
        files.insert("root.td", text.clone());
        let outcome = run(library, &Job::new(files).target(target.clone())).targets.pop()?;
        let batch: Vec<(Severity, String)> = outcome
            .diagnostics
            .iter()
            .filter(|report| report.severity != Severity::Note)
            .map(|report| (report.severity, report.message.trim_end().to_owned()))
            .collect();
        let ours = &said[..batch.len().min(said.len())];
        if ours != batch {
            return Some(format!("{name}: the batch tool says {batch:?}, the editor {said:?}"));
        }
        let has_error =
            |all: &[(Severity, String)]| all.iter().any(|(severity, _)| *severity == Severity::Error);
        if has_error(&said) != has_error(&batch) {
            return Some(format!("{name}: only one of them has an error: {said:?}"));
        }
    }
    None
}

/// Sends every request at a position; returns the messages of evaluation, in their order.
fn ask_everything(workspace: &Workspace, at: usize) -> Vec<(Severity, String)> {
    let path = "root.td";
    let Some(analysis) = workspace.analysis(path) else { return Vec::new() };
    let said = problems::of_evaluation(workspace, &analysis);
    let _ = problems::of_definitions(workspace, &analysis);
    for offset in [at, at.saturating_sub(7), at + 11] {
        let _ = hover::hover(workspace, path, offset);
        let _ = navigate::definition(workspace, path, offset);
        let _ = navigate::references(workspace, path, offset);
        let _ = completion::complete(workspace, path, offset);
        let _ = signature::signature(workspace, path, offset);
        let _ = odsmith_ide::rename::rename(workspace, path, offset, "renamed");
        for view in odsmith_ide::preview::View::ALL {
            let _ = odsmith_ide::preview::preview(workspace, path, offset, view);
        }
        let _ = actions::actions(workspace, path, &(offset..offset));
    }
    let document = workspace.document(path);
    if let Some(document) = document {
        let _ = structure::folds(workspace, path);
        let _ = structure::selections(workspace, path, at);
        let _ = inlay::notes(workspace, path, &(0..document.text.len()));
    }
    let _ = symbols::of_file(workspace, path);
    let _ = semantic::parts(workspace, path);
    let _ = lens::lenses(workspace, path);
    said.into_iter().map(|problem| (problem.finding.severity, problem.finding.message)).collect()
}

/// Changes a text at a random position, which it returns.
fn mutate(random: &mut Random, text: &mut Vec<u8>) -> usize {
    const PIECES: &[&str] = &[
        "def ",
        "class ",
        "let ",
        " in {",
        "}",
        "{",
        "[{",
        "}]",
        "\"",
        "(ins ",
        "$",
        "`",
        "!",
        "<",
        ">",
        ":",
        ";",
        ",",
        "#",
        "include \"",
        "multiclass M {",
        "defm X : ",
        "foreach i = [1] in ",
        "AnyType",
        "assemblyFormat = \"$",
        "é",
        "/*",
        "//",
        "\n",
        "!cond(",
        "!foreach(",
        ".",
        "=",
        "?",
    ];
    let at = if text.is_empty() { 0 } else { random.below(text.len()) };
    match random.below(4) {
        // One letter less, as in typing.
        0 => {
            text.drain(at..(at + 1).min(text.len()));
        }
        1 => {
            let length = random.below(60);
            text.drain(at..(at + length).min(text.len()));
        }
        2 => {
            let piece = PIECES[random.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
        _ => {
            let end = (at + random.below(80)).min(text.len());
            let copy: Vec<u8> = text[at..end].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, copy);
            return to;
        }
    }
    at
}
