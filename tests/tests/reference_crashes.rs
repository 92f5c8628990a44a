//! Programs on which the reference dies or does not come to an end: what we say instead.

use odsmith_engine::limits::Limits;
use odsmith_tests::{
    diff::first_error,
    pool,
    program::{self, on_a_big_stack},
};

/// A program and the beginning of our first error; empty where the program is good.
const CASES: &[(&str, &str)] = &[
    // The target of a substitution is found everywhere.
    ("def a { string x = !subst(\"\", \"x\", \"abc\"); }", "the target of !subst is an empty string"),
    // A class below itself.
    ("class A : A; def a : A;", ""),
    // Getters out of range.
    ("def o; def a { string x = !getdagname((o 1), 5); }", "!getdagname index is out of range 0...0: 5"),
    ("def o; def a { string x = !getdagname((o 1), -1); }", "!getdagname index is out of range 0...0: -1"),
    // Values that do not exist, used further.
    ("class A<list<int> l> { int v = !head(l); int w = v; } def a : A<[]>;", "Initializer of 'w' in 'a'"),
    ("class A<list<string> d> { list<string> l = [!head(d)]; } def x : A<[]>;", "'!head(A:d)' has no value"),
    (
        "def o; class A<dag d> { string x = \"a\" # !getdagopname(d); } def a : A<(o)>;",
        "'!getdagopname(A:d)' has no value",
    ),
    ("class A<list<int> l> { list<int> x = !tail(l); int y = !size(x); } def a : A<[]>;", ""),
    // A recursion that `!cond` does not guard: all its branches are resolved.
    (
        "class A<int n> { int x = !cond(!eq(n, 0): 0, true: A<!sub(n, 1)>.x); } def a : A<3>;",
        "limit reached: nesting",
    ),
    // A value that `!cond` can not give its type.
    ("class A<int n> { int l = !cond(n: -4, true: {1, 0}); } def a : A<1>;", "'"),
];

#[test]
fn the_reference_dies_and_we_do_not() {
    let mut report = String::new();
    for (text, wanted) in CASES {
        let got = on_a_big_stack(|| program::ours(text.as_bytes(), Limits::default()));
        let error = first_error(&got.err).unwrap_or_default();
        if !error.starts_with(wanted) || wanted.is_empty() != (got.status == 0) {
            report += &format!("  {text}\n    - {wanted}\n    + {} {error}\n", got.status);
        }
    }
    assert!(report.is_empty(), "(- wanted, + got)\n{report}");
}

#[test]
fn the_reference_still_dies() {
    let indices: Vec<usize> = (0..CASES.len()).collect();
    let alive: Vec<String> = pool::map(&indices, |&index| {
        let run = program::reference(CASES[index].0.as_bytes(), &format!("crash-{index}"));
        matches!(run.status, 0 | 1)
            .then(|| format!("  {}: {}\n", CASES[index].0, String::from_utf8_lossy(&run.err)))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(
        alive.is_empty(),
        "the reference has an answer now; make it a case of lang/cases:\n{}",
        alive.concat()
    );
}
