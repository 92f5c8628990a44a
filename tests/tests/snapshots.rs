//! Jobs that start on a shared library state give the same bytes and messages as jobs that read everything.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    generators::Action,
    job::{Job, Output, Target, TargetOutcome},
    library::Library,
    limits::Limits,
    report::text,
    run,
    shares::Spare,
    version::Release,
};
use odsmith_tests::{program::on_a_big_stack, set_up::library};

/// The `.td` files below a folder, by relative path.
fn td_files(root: &Path, folder: &Path, files: &mut BTreeMap<String, Arc<[u8]>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            td_files(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "td" || extension == "inc")
            && let Ok(bytes) = std::fs::read(&path)
            && let Ok(relative) = path.strip_prefix(root)
        {
            files.insert(relative.to_string_lossy().replace('\\', "/"), bytes.into());
        }
    }
}

fn printed(outcome: &TargetOutcome) -> (Vec<u8>, String) {
    let mut messages = Vec::new();
    outcome.diagnostics.iter().for_each(|report| text::render(report, &mut messages));
    let made = outcome.outputs.iter().filter_map(|output| output.artefact.as_ref());
    let bytes = made.flat_map(|artefact| artefact.bytes.clone()).collect();
    let shown =
        format!("{}\n{}\n{:?}", String::from_utf8_lossy(&messages), outcome.error_count, outcome.reads);
    (bytes, shown)
}

fn job(bundle: &Bundle, roots: &[&str], uses_snapshots: bool) -> Job {
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
    Job {
        files: Arc::new(bundle.clone()),
        release: Release::V22,
        includes: vec!["Inputs".to_owned()],
        defines: Vec::new(),
        targets: roots.iter().map(target).collect(),
        limits: Limits::generous(),
        uses_snapshots,
        spare: Spare::default(),
        cancel: Cancel::new(),
    }
}

/// Compares a job with and without shared states; twice with, so that states that were made are also found.
fn compare(library: &Library, bundle: &Bundle, roots: &[&str]) {
    let plain = run(library, &job(bundle, roots, false));
    for _ in 0..2 {
        let shared = run(library, &job(bundle, roots, true));
        for ((plain, shared), root) in plain.targets.iter().zip(&shared.targets).zip(roots) {
            let (plain_print, shared_print) = (printed(plain), printed(shared));
            assert_eq!(plain_print.1, shared_print.1, "messages of {root}");
            assert!(plain_print.0 == shared_print.0, "records of {root} or their places differ");
            assert_eq!(plain.usage.fuel, shared.usage.fuel, "fuel of {root}");
        }
    }
}

#[test]
fn language_fixtures() {
    on_a_big_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lang");
        let mut files = BTreeMap::new();
        td_files(&root, &root, &mut files);
        let mut bundle = Bundle::default();
        files.iter().for_each(|(path, bytes)| bundle.insert(path.clone(), Arc::clone(bytes)));
        let roots: Vec<&str> =
            files.keys().map(String::as_str).filter(|path| !path.contains("Inputs/")).collect();
        assert!(roots.len() > 50, "the fixtures are there");
        compare(&Library::default(), &bundle, &roots);
    });
}

/// MLIR's whole tree, once as a library and once as the bundle's own files.
#[test]
fn mlir_tree() {
    let include = Path::new(library());
    on_a_big_stack(|| {
        let mut files = BTreeMap::new();
        td_files(include, &include.join("mlir"), &mut files);
        td_files(include, &include.join("llvm"), &mut files);
        let roots: Vec<String> = files.keys().filter(|path| path.starts_with("mlir/")).cloned().collect();
        assert!(roots.len() > 300, "the library is there");
        let shared = Library::new(Release::V22, String::new(), files.clone());
        let mut bundle = Bundle::default();
        roots.iter().for_each(|path| bundle.insert(path.clone(), Arc::clone(&files[path])));
        let names: Vec<&str> = roots.iter().map(String::as_str).collect();
        compare(&shared, &bundle, &names);
        // With only the root in the bundle, everything else comes from the library.
        for name in names.iter().step_by(7) {
            let mut single = Bundle::default();
            single.insert("root.td", Arc::clone(&files[*name]));
            compare(&shared, &single, &["root.td"]);
        }
    });
}

/// Whoever includes large files in ever new orders makes ever new states; they do not take ever more memory.
#[test]
fn states_are_bounded_by_bytes() {
    on_a_big_stack(|| {
        // Some two megabytes of records in each.
        let large: String = (0..4_000)
            .map(|index| format!("def A{index} {{ list<int> x = !range({index}, {}); }}\n", index + 40))
            .collect();
        let mut files = BTreeMap::from([("large.td".to_owned(), Arc::from(large.as_bytes()))]);
        for index in 0..400 {
            files.insert(format!("small{index}.td"), Arc::from(format!("def B{index};\n").as_bytes()));
        }
        let library = Library::new(Release::V22, String::new(), files);
        let mut sizes = Vec::new();
        for index in 0..400 {
            let root = format!("include \"small{index}.td\"\ninclude \"large.td\"\n");
            let mut bundle = Bundle::default();
            bundle.insert("root.td", root.into_bytes());
            let mut job = job(&bundle, &["root.td"], true);
            job.targets[0].outputs.clear();
            let outcome = run(&library, &job);
            assert!(outcome.targets[0].diagnostics.is_empty());
            sizes.push(library.snapshots().size());
        }
        let (_, one) = sizes[0];
        let (count, most) = sizes.iter().copied().max_by_key(|size| size.1).expect("there are some");
        assert!(one > 1 << 20, "{one}");
        assert!(most <= 256 << 20 && most > 200 << 20, "{most} bytes at most, in {count} states");
        assert!(sizes.windows(2).any(|pair| pair[1].0 < pair[0].0), "they are dropped and made anew");
    });
}
