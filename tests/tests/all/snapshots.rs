//! Jobs that start from a saved state, made by this process or an earlier one, give the same bytes and messages as jobs
//! that read everything.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use odsmith_engine::{
    bundle::Bundle,
    generators::{Action, Generator, Options},
    job::{CheckpointStore, OnDeprecated, Output, OutputOutcome, Target, TargetOutcome},
    library::Library,
    release::Release,
    run,
    source::Files,
};
use odsmith_tests::{
    program::on_a_big_stack,
    set_up::library,
    shared_states::{difference, job, printed},
};

/// Collects the `.td` files below a folder, by relative path.
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

/// Compares a job with and without shared states.
fn compare(library: &Library, bundle: &Bundle, roots: &[&str]) {
    assert_eq!(difference(library, bundle, roots), None);
}

/// The language's fixtures as one bundle, and its root files.
fn language_bundle() -> (Bundle, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lang");
    let mut files = BTreeMap::new();
    td_files(&root, &root, &mut files);
    let mut bundle = Bundle::default();
    files.iter().for_each(|(path, bytes)| bundle.insert(path.clone(), Arc::clone(bytes)));
    let roots: Vec<String> = files.into_keys().filter(|path| !path.contains("Inputs/")).collect();
    assert!(roots.len() > 50, "the fixtures are there");
    (bundle, roots)
}

/// All files of MLIR's tree by their paths.
fn mlir_files() -> BTreeMap<String, Arc<[u8]>> {
    let include = Path::new(library());
    let mut files = BTreeMap::new();
    td_files(include, &include.join("mlir"), &mut files);
    td_files(include, &include.join("llvm"), &mut files);
    files
}

#[test]
fn language_fixtures() {
    on_a_big_stack(|| {
        let (bundle, roots) = language_bundle();
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        compare(&Library::default(), &bundle, &roots);
    });
}

/// A shared file declares a class and derives from it; the file that includes it defines the class.
#[test]
fn superclasses_of_classes_of_a_base() {
    on_a_big_stack(|| {
        let mut bundle = Bundle::default();
        bundle.insert("inner.td", "class Base;\nclass Derived : Base;\ndef early : Derived;\n".as_bytes());
        bundle.insert(
            "outer.td",
            "include \"inner.td\"\nclass More : Derived;\ndef middle : More;\n".as_bytes(),
        );
        let root = |name: &str| {
            let text = format!(
                "include \"outer.td\"\nclass {name};\ndef own : More;\nclass Base : {name};\ndef late : Derived;\n\
                 def all {{ list<{name}> of = !instances<{name}>(); bit is = !isa<{name}>(early); }}\n"
            );
            text.into_bytes()
        };
        bundle.insert("one.td", root("One"));
        bundle.insert("two.td", root("Two"));
        let library = Library::new(Release::V22, String::new(), BTreeMap::new());
        compare(&library, &bundle, &["one.td", "two.td"]);
        let outcome = run(&library, &job(&bundle, &["one.td", "two.td"], true));
        let (records, _) = printed(&outcome.targets[1]);
        let records = String::from_utf8(records).expect("text");
        assert!(records.contains("list<Two> of = [early, late, middle, own];"), "{records}");
    });
}

/// The states of MLIR's whole tree are all kept: what is weighed for each leaves place for them.
#[test]
fn states_of_mlir_are_kept() {
    on_a_big_stack(|| {
        let files = mlir_files();
        let library = Library::new(Release::V22, String::new(), files.clone());
        let (mut before, mut most) = ((0, 0), 0);
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with("mlir/")) {
            let mut bundle = Bundle::default();
            bundle.insert("root.td", Arc::clone(text));
            let mut job = job(&bundle, &["root.td"], true);
            job.targets[0].outputs.clear();
            let _ = run(&library, &job);
            let after = library.snapshots().size();
            assert!(after.0 >= before.0, "{path}: {} states of {} bytes were dropped", before.0, before.1);
            before = after;
            most = most.max(after.1);
        }
        println!("{} states of {} MB", before.0, most >> 20);
    });
}

/// MLIR's whole tree, once as a library and once as the bundle's own files.
#[test]
fn mlir_tree() {
    on_a_big_stack(|| {
        let files = mlir_files();
        let roots: Vec<String> = files.keys().filter(|path| path.starts_with("mlir/")).cloned().collect();
        assert!(roots.len() > 300, "the library is there");
        let shared = Library::new(Release::V22, String::new(), files.clone());
        let mut bundle = Bundle::default();
        roots.iter().for_each(|path| bundle.insert(path.clone(), Arc::clone(&files[path])));
        let names: Vec<&str> = roots.iter().map(String::as_str).collect();
        compare(&shared, &bundle, &names);
        // With only the root in the bundle, all other files come from the library.
        for name in names.iter().step_by(7) {
            let mut single = Bundle::default();
            single.insert("root.td", Arc::clone(&files[*name]));
            compare(&shared, &single, &["root.td"]);
        }
    });
}

/// A store in memory, which counts states that were saved again: those were not used.
#[derive(Debug, Default)]
struct Store {
    states: Mutex<BTreeMap<String, Vec<u8>>>,
    made_again: AtomicUsize,
}

impl CheckpointStore for Store {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn save(&self, key: &str, parts: &[&[u8]]) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if states.insert(key.to_owned(), parts.concat()).is_some() {
            self.made_again.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn note(&self, _: &str) -> bool {
        true
    }
}

impl Store {
    /// A copy of the store with each state changed.
    fn changed(&self, change: impl Fn(&mut Vec<u8>)) -> Store {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner).clone();
        states.values_mut().for_each(change);
        Store { states: Mutex::new(states), ..Store::default() }
    }
}

/// Compares one root without a store, with an empty store, with the states saved then, after an edit of the root, and
/// with damaged states.
fn compare_with_store(library: &Library, bundle: &Bundle, root: &str) {
    let run_on = |bundle: &Bundle, store: Option<&Arc<Store>>| {
        let mut job = job(bundle, &[root], false);
        job.checkpoints = store.map(|store| -> Arc<dyn CheckpointStore> { Arc::clone(store) as _ });
        let outcome = run(library, &job).targets.pop().expect("one target");
        (printed(&outcome), outcome.usage)
    };
    let check = |bundle: &Bundle, store: &Arc<Store>, plain: &((Vec<u8>, String), _), how: &str| {
        let (stored, usage) = run_on(bundle, Some(store));
        assert_eq!(stored.1, plain.0.1, "messages of {root} {how}");
        assert!(stored.0 == plain.0.0, "records of {root} or their places differ {how}");
        assert_eq!(usage, plain.1, "usage of {root} {how}");
    };
    let plain = run_on(bundle, None);
    let store = Arc::new(Store::default());
    check(bundle, &store, &plain, "on an empty store");
    check(bundle, &store, &plain, "on its own states");
    assert_eq!(store.made_again.load(Ordering::Relaxed), 0, "{root} uses its own states");
    let damages: [fn(&mut Vec<u8>); 4] = [
        |state| state.truncate(state.len() / 2),
        |state| {
            let middle = state.len() / 2;
            state[middle] ^= 4;
        },
        |state| state[3] ^= 1,
        Vec::clear,
    ];
    for damage in damages {
        check(bundle, &Arc::new(store.changed(damage)), &plain, "on damaged states");
    }
    let mut edited = bundle.clone();
    let mut text = b"// A line more, and so all places are others.\n".to_vec();
    text.extend_from_slice(&bundle.read(root).expect("the root"));
    text.extend_from_slice(b"\n// And one at the end.\n");
    edited.insert(root, text);
    check(&edited, &store, &run_on(&edited, None), "after an edit");
    assert_eq!(store.made_again.load(Ordering::Relaxed), 0, "{root} uses its prefixes after an edit");
}

#[test]
fn states_of_earlier_processes() {
    on_a_big_stack(|| {
        let (bundle, roots) = language_bundle();
        for root in &roots {
            compare_with_store(&Library::default(), &bundle, root);
        }
    });
}

#[test]
fn states_of_earlier_processes_on_mlir() {
    on_a_big_stack(|| {
        let files = mlir_files();
        let shared = Library::new(Release::V22, String::new(), files.clone());
        for (_, text) in files.iter().filter(|(path, _)| path.starts_with("mlir/")).step_by(4) {
            let mut bundle = Bundle::default();
            bundle.insert("root.td", Arc::clone(text));
            compare_with_store(&shared, &bundle, "root.td");
        }
    });
}

/// Compares outputs of a root without a store, with an empty store, with the outputs saved then, and with damaged ones.
fn compare_kept_outputs(
    library: &Library,
    bundle: &Bundle,
    root: &str,
    actions: &[Action],
    uses_snapshots: bool,
) -> bool {
    let run_on = |store: Option<&Arc<Store>>| {
        let mut job = job(bundle, &[root], uses_snapshots);
        job.checkpoints = store.map(|store| -> Arc<dyn CheckpointStore> { Arc::clone(store) as _ });
        job.targets[0].keeps_outputs = true;
        let output = |(index, action): (usize, &Action)| Output {
            path: format!("made{index}"),
            action: action.clone(),
        };
        job.targets[0].outputs = actions.iter().enumerate().map(output).collect();
        run(library, &job).targets.pop().expect("one target")
    };
    let shown = |outcome: &TargetOutcome| {
        let of_outputs = outcome.outputs.iter().flat_map(|output| &output.diagnostics);
        let messages: Vec<String> = of_outputs.map(|report| format!("{report:?}")).collect();
        let lengths = |output: &OutputOutcome| {
            (output.path.clone(), output.artefact.as_ref().map(|artefact| artefact.bytes.len()))
        };
        let outputs: Vec<_> = outcome.outputs.iter().map(lengths).collect();
        (printed(outcome), outputs, outcome.usage, outcome.has_failed(), messages)
    };
    let plain = shown(&run_on(None));
    let store = Arc::new(Store::default());
    assert!(shown(&run_on(Some(&store))) == plain, "{root} on an empty store");
    let again = run_on(Some(&store));
    assert!(shown(&again) == plain, "{root} with its own output");
    assert_eq!(store.made_again.load(Ordering::Relaxed), 0, "{root} uses its own output");
    let is_kept = !again.has_failed() && again.records.is_none();
    if is_kept {
        assert!(again.diagnostics.is_empty(), "what has messages is not kept: {root}");
        // The texts come first, then their description, and its offset at the end.
        let damages: [fn(&mut Vec<u8>); 7] = [
            |state| state.truncate(state.len() - 1),
            |state| {
                state.remove(0);
            },
            |state| state[0] ^= 4,
            |state| {
                let middle = state.len() / 2;
                state[middle] ^= 4;
            },
            |state| {
                let in_header = state.len() - 20;
                state[in_header] ^= 4;
            },
            |state| {
                if let Some(last) = state.last_mut() {
                    *last ^= 4;
                }
            },
            Vec::clear,
        ];
        for damage in damages {
            let damaged = run_on(Some(&Arc::new(store.changed(damage))));
            assert!(damaged.records.is_some() && shown(&damaged) == plain, "{root} with a damaged output");
        }
    }
    is_kept
}

#[test]
fn outputs_of_earlier_processes() {
    on_a_big_stack(|| {
        let files = mlir_files();
        let shared = Library::new(Release::V22, String::new(), files.clone());
        let generate =
            |name: &str| Action::Generate(Generator::find(name).expect("a generator"), Options::default());
        let actions = [
            Action::PrintRecords,
            generate("gen-op-decls"),
            generate("gen-dialect-doc"),
            generate("gen-op-interface-defs"),
            generate("gen-pass-decls"),
        ];
        let (mut of_calls, mut of_jobs) = (0, 0);
        for (index, (_, text)) in
            files.iter().filter(|(path, _)| path.starts_with("mlir/")).step_by(4).enumerate()
        {
            let mut bundle = Bundle::default();
            bundle.insert("root.td", Arc::clone(text));
            let one = &actions[index % actions.len()..][..1];
            let some = &actions[..=index % actions.len()];
            let of_a_call = compare_kept_outputs(&shared, &bundle, "root.td", one, false);
            let of_a_job = compare_kept_outputs(&shared, &bundle, "root.td", some, true);
            of_calls += usize::from(of_a_call);
            of_jobs += usize::from(of_a_job);
        }
        assert!(of_calls > 30 && of_jobs > 30, "{of_calls} {of_jobs}");
        let (bundle, roots) = language_bundle();
        for root in &roots {
            for uses_snapshots in [false, true] {
                let actions = [Action::PrintRecords];
                compare_kept_outputs(&Library::default(), &bundle, root, &actions, uses_snapshots);
            }
        }
    });
}

/// A saved output is not used for another action, other options or other files, nor if there were messages.
#[test]
fn outputs_of_other_calls() {
    on_a_big_stack(|| {
        let many: String = (0..400).map(|index| format!("def A{index} : Base;\n")).collect();
        let store: Arc<dyn CheckpointStore> = Arc::new(Store::default());
        let made = |base: &str, root: &str, change: &dyn Fn(&mut Target)| {
            let mut bundle = Bundle::default();
            bundle.insert("base.td", base.as_bytes().to_vec());
            bundle.insert("root.td", format!("include \"base.td\"\n{many}{root}").into_bytes());
            let mut job = job(&bundle, &["root.td"], false);
            job.checkpoints = Some(Arc::clone(&store));
            job.targets[0].keeps_outputs = true;
            job.targets[0].outputs.truncate(1);
            change(&mut job.targets[0]);
            let outcome = run(&Library::default(), &job).targets.pop().expect("one target");
            let is_kept = outcome.records.is_none() && !outcome.has_failed();
            (is_kept, String::from_utf8(printed(&outcome).0).expect("text"), outcome.diagnostics.len())
        };
        let class = "class Base { int x = 1; }\n";
        let as_it_is = |_: &mut Target| {};
        let (_, first, _) = made(class, "", &as_it_is);
        assert_eq!(made(class, "", &as_it_is), (true, first.clone(), 0));
        let (is_kept, other, _) = made("class Base { int x = 2; }\n", "", &as_it_is);
        assert!(!is_kept && other != first);
        let enums = |class: &str| {
            let action = Action::PrintEnums(class.to_owned());
            made("class Base { int x = 1; }\n", "", &move |target| target.outputs[0].action = action.clone())
        };
        let (is_kept, names, _) = enums("Base");
        assert!(!is_kept && names.starts_with("A0"));
        assert!(enums("Base").0 && !enums("Other").0);
        assert!(!made(class, "", &|target| target.on_deprecated = OnDeprecated::Fail).0);
        // A warning is given each time.
        let warned = "class Unused<int n>;\n";
        for _ in 0..2 {
            let (is_kept, _, messages) = made(class, warned, &as_it_is);
            assert!(!is_kept && messages == 1, "{messages}");
        }
    });
}

/// A saved state is not used if one of its files has changed or is found elsewhere, or if a macro is newly defined.
#[test]
fn states_of_other_files() {
    on_a_big_stack(|| {
        let many: String = (0..400).map(|index| format!("def A{index};\n")).collect();
        let library = Library::default();
        let store: Arc<dyn CheckpointStore> = Arc::new(Store::default());
        let records = |files: &[(&str, String)], macros: &[&str]| {
            let mut bundle = Bundle::default();
            files.iter().for_each(|(path, text)| bundle.insert(*path, text.clone().into_bytes()));
            let mut job = job(&bundle, &["root.td"], false);
            job.checkpoints = Some(Arc::clone(&store));
            job.includes = vec!["first".to_owned(), "second".to_owned()];
            job.defines = macros.iter().map(|name| (*name).to_owned()).collect();
            let outcome = run(&library, &job).targets.pop().expect("one target");
            String::from_utf8(printed(&outcome).0).expect("text")
        };
        let root = ("root.td", format!("include \"a.td\"\n{many}\ndef R;\n"));
        let a =
            |mark: &str| format!("{}\n#ifdef MORE\ndef More;\n#endif\ndef {mark};\n", many.replace('A', "B"));
        for _ in 0..2 {
            assert!(records(&[root.clone(), ("second/a.td", a("One"))], &[]).contains("def One"));
            assert!(records(&[root.clone(), ("second/a.td", a("Two"))], &[]).contains("def Two"));
            assert!(records(&[root.clone(), ("second/a.td", a("One"))], &["MORE"]).contains("def More"));
            let hidden = [root.clone(), ("second/a.td", a("One")), ("first/a.td", a("Three"))];
            assert!(records(&hidden, &[]).contains("def Three"));
        }
    });
}

/// Files that are included in ever new orders make ever new states, but the memory of states is bounded.
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
        assert!(sizes.windows(2).any(|pair| pair[1].0 < pair[0].0), "they are dropped and made again");
    });
}
