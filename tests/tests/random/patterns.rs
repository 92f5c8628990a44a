//! Random files of rewrite patterns through mlir-tblgen and through the engine: the same C++, or the same first
//! message.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed; `make fuzz` sets both.

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{collections::BTreeMap, env, fs, path::Path};

use odsmith_tests::{
    Run,
    diff::first_difference,
    older, patterns, pool, reference,
    run::{self, Flags},
    seeds, set_up,
};

/// The number of files in a normal run.
const COUNT: u64 = 20;

/// The name of a file.
const NAME: &str = "patterns.td";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Both succeed with the same text.
    Same,
    /// Both fail with the same first message.
    SameError,
    /// The reference crashed or did not end; ours reports an error with a location.
    OwnError,
    /// The reference did not end, as earlier ones do on some names that later ones accept.
    Endless,
    /// They differ.
    Differs,
}

/// Patterns on which the reference crashes or does not end, and our error.
const DEADLY: &[(&str, &str)] = &[
    ("def : Pat<(OneOp 5), (NoneOp)>;", "expected a constraint in source pattern but got 5"),
    ("def : Pat<(OneOp \"x\"), (NoneOp)>;", "expected a constraint in source pattern but got \"x\""),
    ("def : Pat<(OneOp NoneOp), (NoneOp)>;", "expected a constraint in source pattern but got NoneOp"),
    ("def : Pat<(OneOp Call:$x), (NoneOp)>;", "expected a constraint in source pattern but got Call"),
    (
        "def : Pat<(PairOp (Match $x__0), $x), (NoneOp)>;",
        "symbol 'x__0' with trailing index cannot bind to op argument",
    ),
    ("def : Pat<(OneOp (Match 5)), (NoneOp)>;", "expected a constraint in source pattern but got 5"),
    (
        "def : Pat<(OneOp (Match I64Prop:$p)), (NoneOp)>;",
        "native code call cannot capture a property as arg 0",
    ),
    (
        "def : Pat<(OneOp (Match $x__0)), (NoneOp)>;",
        "symbol 'x__0' with trailing index cannot bind to op argument",
    ),
    ("def : Pat<(PairOp (either $x, $y, $z)), (NoneOp)>;", "`either` only supports grouping two operands"),
    ("def : Pat<(OneOp (TwoOp:$t $x)), (OneOp $t__5)>;", "symbol 't__5' refers to result 5 of 2"),
    ("def : Pat<(TwoOp:$t__1__0 $x), (TwoOp $t__1)>;", "referencing unbound symbol 't__1'"),
    (
        "def : Pat<(PairOp $x, (location $y), $z), (NoneOp)>;",
        "directives must be at the end of the arguments",
    ),
    (
        "def : Pat<(OneOp $x), (NoneOp), [(NoneOp $x)]>;",
        "expected a constraint in the additional constraints of the pattern",
    ),
];

#[test]
fn the_reference_dies_and_we_do_not() {
    let indices: Vec<usize> = (0..DEADLY.len()).collect();
    let wrong = pool::map(&indices, |&index| {
        let (text, wanted) = DEADLY[index];
        let folder = env::temp_dir().join(format!("odsmith-deadly-{}-{index}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for a file");
        fs::write(folder.join(NAME), format!("{}\n{text}\n", patterns::DIALECT))
            .expect("the file is written");
        let (want, got) = both(&folder);
        let _ = fs::remove_dir_all(&folder);
        let is_dead = !matches!(want.status, 0 | 1);
        let message = first_message(&got);
        let is_ours =
            got.status == 1 && message.starts_with(NAME) && message.ends_with(&format!("error: {wanted}"));
        (!is_dead || !is_ours).then(|| {
            format!("  {text}\n    - {wanted}\n    + {} {message}, reference {}\n", got.status, want.status)
        })
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "(- wanted, + got)\n{}", wrong.concat());
}

#[test]
fn random_patterns() {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reports = Vec::new();
    let tried = seeds::run("patterns", COUNT, 1, check, |batch| {
        let before = reports.len();
        for (verdict, report) in batch {
            *counts.entry(verdict).or_default() += 1;
            reports.extend(report);
        }
        reports.len() - before
    });
    println!("{tried}: {counts:?}");
    assert!(counts.contains_key(&Verdict::Same), "no file of patterns is valid");
    let count = reports.len();
    reports.truncate(12);
    assert!(reports.is_empty(), "{count} files differ (- reference, + ours)\n{}", reports.join("\n"));
}

fn check(seed: u64) -> (Verdict, Option<String>) {
    let folder = env::temp_dir().join(format!("odsmith-patterns-{}-{seed}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for a file");
    let compare = |text: &str| {
        fs::write(folder.join(NAME), text).expect("the file is written");
        let (want, got) = both(&folder);
        (verdict(&want, &got), want, got)
    };
    let file = patterns::file(seed);
    let (first, _, got) = compare(&file.text());
    if first == Verdict::SameError && env::var_os("ODSMITH_FUZZ_SHOW").is_some() {
        println!("{}", first_message(&got));
    }
    let report = (first == Verdict::Differs).then(|| {
        let small = file.shrunk(|text| compare(text).0 == Verdict::Differs);
        let (_, want, got) = compare(&small.text());
        let difference = first_difference(&want.out, &got.out)
            .filter(|_| want.status == 0 && got.status == 0)
            .unwrap_or_default();
        format!(
            "--- seed {seed}\n{}\n- {} {}\n+ {} {}\n{difference}",
            small.patterns(),
            want.status,
            first_message(&want),
            got.status,
            first_message(&got),
        )
    });
    let _ = fs::remove_dir_all(&folder);
    (first, report)
}

/// The answers of the reference and the engine. If only the reference accepts the file, it runs again, as reading past
/// an end is sometimes harmless.
fn both(folder: &Path) -> (Run, Run) {
    let flags = Flags::parse(&["--gen-rewriters".to_owned()]).expect("the generator exists");
    let tool = set_up::reference_tools().join("mlir-tblgen");
    // On some mistakes the reference does not end.
    let ask = || {
        reference::program(
            "timeout".as_ref(),
            folder,
            &["2", &tool.display().to_string(), "--gen-rewriters", "-I", set_up::library(), NAME],
        )
    };
    let got = run::engine(folder, NAME, &[flags], &[set_up::library().to_owned()]);
    let (got, mut want) = (got.into_iter().next().unwrap_or_default(), ask());
    for _ in 0..9 {
        if (want.status, got.status) == (0, 1) {
            want = ask();
        }
    }
    (want, got)
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    match (want.status, got.status) {
        (0, 0) if want.out == got.out => Verdict::Same,
        (1, 1) if first_message(want) == first_message(got) => Verdict::SameError,
        (0 | 1, _) => Verdict::Differs,
        (124, 0) if !older::all_names_end() => Verdict::Endless,
        (_, 1) if first_message(got).contains(": error: ") => Verdict::OwnError,
        _ => Verdict::Differs,
    }
}

/// The first error, with its location but without its folder.
fn first_message(run: &Run) -> String {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    text.lines().find(|line| line.contains("error: ")).unwrap_or_default().to_owned()
}
