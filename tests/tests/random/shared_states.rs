//! Random programs in several files, one of which is in the library: the same records from the beginning and from
//! states that roots share.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use odsmith_engine::{bundle::Bundle, library::Library, limits::Limits};
use odsmith_tests::{
    program::{on_a_big_stack, ours},
    random::{self, Program},
    seeds, set_up,
    shared_states::difference,
};

/// The number of programs in a normal run.
const COUNT: u64 = 600;

#[test]
fn random_programs_in_files() {
    let tried = seeds::run("files", COUNT, 1, check, |batch| {
        let failed: Vec<String> = batch.into_iter().flatten().collect();
        assert!(failed.is_empty(), "{} programs:\n{}", failed.len(), failed.join("\n"));
        0
    });
    println!("{tried}");
}

fn check(seed: u64) -> Option<String> {
    let program = random::program(seed, |text| ours(text.as_bytes(), Limits::default()).status == 0);
    let found = differs(&program)?;
    let small = program.shrunk(|program| differs(program).is_some());
    Some(format!("--- seed {seed}: {found}\n{}", small.parts(3).join("// --- the next file\n")))
}

/// The difference with shared states, or a panic of the engine.
fn differs(program: &Program) -> Option<String> {
    let [inner, outer, rest] = <[String; 3]>::try_from(program.parts(3)).ok()?;
    let release = set_up::fuzzed_release();
    let library = Library::new(
        release,
        String::new(),
        BTreeMap::from([("inner.td".to_owned(), inner.into_bytes().into())]),
    );
    let mut bundle = Bundle::default();
    bundle.insert("outer.td", format!("include \"inner.td\"\n{outer}").into_bytes());
    for root in ["one.td", "two.td"] {
        bundle.insert(root, format!("// {root}\ninclude \"outer.td\"\n{rest}").into_bytes());
    }
    let run = || on_a_big_stack(|| difference(&library, &bundle, &["one.td", "two.td"]));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Some("the engine panics".to_owned()))
}
