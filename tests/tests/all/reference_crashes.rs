//! Programs on which the reference crashes or does not end, and our errors for them.

use odsmith_engine::{generators::Action, limits::Limits};
use odsmith_tests::{
    Run,
    diff::first_error,
    pool,
    program::{self, on_a_big_stack},
};

/// A program and the beginning of our first error, which is empty if the program is valid.
const CASES: &[(&str, &str)] = &[
    // The target of a substitution is empty.
    ("def a { string x = !subst(\"\", \"x\", \"abc\"); }", "the target of !subst is an empty string"),
    // A class that derives from itself.
    ("class A : A; def a : A;", "class 'A' derives from itself"),
    ("class A; class B : A; class A : B; def a : A;", "class 'A' derives from 'B', which derives from 'A'"),
    // Getters out of range.
    ("def o; def a { string x = !getdagname((o 1), 5); }", "!getdagname index is out of range 0...0: 5"),
    ("def o; def a { string x = !getdagname((o 1), -1); }", "!getdagname index is out of range 0...0: -1"),
    // Values that do not exist, and are used.
    ("class A<list<int> l> { int v = !head(l); int w = v; } def a : A<[]>;", "Initializer of 'w' in 'a'"),
    ("class A<list<string> d> { list<string> l = [!head(d)]; } def x : A<[]>;", "'!head(A:d)' has no value"),
    (
        "def o; class A<dag d> { string x = \"a\" # !getdagopname(d); } def a : A<(o)>;",
        "'!getdagopname(A:d)' has no value",
    ),
    (
        "class A<list<int> l> { list<int> x = !tail(l); int y = !size(x); } def a : A<[]>;",
        "'!tail([])' has no value",
    ),
    (
        "class A<list<int> l> { int n = !size(l); } class B<list<int> l> : A<!tail(l)>; def a : B<[]>;",
        "'!tail([])' has no value",
    ),
    (
        "class A<list<int> l> { int n = !size(l); } class B<list<int> l> { int n = A<!tail(l)>.n; } def a : B<[]>;",
        "'!tail([])' has no value",
    ),
    (
        "class A<list<int> l> { bit e = !empty(l); } multiclass M<list<int> l> { def x : A<!tail(l)>; } defm a : M<[]>;",
        "'!tail([])' has no value",
    ),
    // A branch without a value, which is not chosen, is chosen, and waits for ever.
    (
        "class A<list<int> l> { int n = !size(l); list<int> t = !if(n, !tail(l), [1]); int h = !if(n, !add(!head(l), 1), 2); \
         int c = !cond(!eq(n, 0): 3, !eq(!head(l), 1): 4, true: !head(l)); } class B : A<[]>; def b : B;",
        "",
    ),
    (
        "class A<list<int> l, bit b> { int y = !if(b, !head(l), 1); } class B<bit b> : A<[], b>; def a : B<1>;",
        "'!head(A:l)' has no value",
    ),
    (
        "class A<list<int> l> { bit b; int y = !if(b, !add(!head(l), 1), 1); } def a : A<[]>;",
        "Initializer of 'y' in 'a' could not be fully resolved: !if(b, !head(A:l), 1)",
    ),
    // Choices whose values do not become of one type.
    (
        "class A<bit p> { bits<10> r; bits<2> x; let x = !cond(p: {0, r{0}}, true: 3); } def a : A<1>;",
        "'!cond(A:p: { 0, r{0} }, 1: 3)' is of type 'int', but its value is of type 'bits<2>'",
    ),
    (
        "class A<bit c> { int x = 2; bits<8> y; let y{3-2} = !cond(c: x, true: 0b00); } def a : A<1>;",
        "'!cond(A:c: x, 1: { 0, 0 })' is of type 'bits<2>', but its value is of type 'int'",
    ),
    // A recursion that `!cond` does not guard: all its branches are resolved. Nor does a field guard one.
    (
        "class A<int n> { int x = !cond(!eq(n, 0): 0, true: A<!sub(n, 1)>.x); } def a : A<3>;",
        "limit reached: nesting (at most 32000 levels): class 'A' instantiates itself",
    ),
    // Failures outside of records.
    ("defvar x = !div(1, 0);", "Illegal operation: division by zero"),
    (
        "multiclass M<int n> { if !div(1, n) then def x; } defm m : M<0>;",
        "Illegal operation: division by zero",
    ),
    ("foreach i = [!substr(\"a\", 7)] in def x#i;", "!substr start position is out of range 0...1: 7"),
    ("defvar v = !foreach(b, [0], !logtwo(b));", "Illegal operation: logtwo is undefined"),
    (
        "multiclass M<list<int> n> { foreach i = [!head(n)] in def x#i; } defm m : M<[]>;",
        "'!head(M::n)' has no value",
    ),
    // Conditions, messages and lists that do not exist.
    ("class A<list<int> l> { assert !head(l), \"no\"; } def a : A<[]>;", "'!head(A:l)' has no value"),
    ("class A<list<string> l> { dump !head(l); } def a : A<[]>;", "'!head(A:l)' has no value"),
    (
        "class A<list<list<int>> l> { list<int> n = !foreach(x, l, !head(x)); } def a : A<[[]]>;",
        "'!head(x)' has no value",
    ),
    (
        "multiclass M<list<list<string>> l> { foreach i = !head(l) in def x#i; } defm b : M<[]>;",
        "'!head(M::l)' has no value",
    ),
    // The reference fails without a message.
    ("class A<bit p> { assert !cond(1: p, true: 5), \"x\"; }", "a value in front of this has no meaning"),
    ("def o; defvar x = !getdagopname((o));", "a value in front of this has no meaning"),
    ("class A<int k> { defvar v = !cond(1: k, true: {0, 1}); }", "a value in front of this has no meaning"),
    // Text that is left out up to an unterminated last line, on which `#endif` is no directive.
    ("#ifdef A\ndef b;\n#endif", "reached EOF without matching #endif"),
    // An unset index.
    ("defvar v = [1, 2]; def d { int x = v[?]; }", "unhandled type ? in range"),
    // A value to which `!cond` cannot give its type.
    ("class A<int n> { int l = !cond(n: -4, true: {1, 0}); } def a : A<1>;", "'"),
];

/// The definitions that the dags below use.
const SETS_PRELUDE: &str = "class Set<dag d> { dag Elements = d; } def a; def b; def add; def shl; def trunc; \
    def decimate; def sequence; ";

/// Dags of a set, for `--print-sets`, and the beginning of our first error, which is empty if the dag is valid.
const SETS: &[(&str, &str)] = &[
    // A step of zero.
    ("(sequence \"a\", 1, 9, 0)", "Stride must not be zero: (sequence"),
    ("(decimate (add a, b), 4294967296)", "Positive stride required: (decimate"),
    // Formats for something other than one number.
    ("(sequence \"a%s\", 1, 3)", "Format must have one place for a number at most: (sequence"),
    ("(sequence \"a%n\", 1, 3)", "Format must have one place for a number at most: (sequence"),
    // Numbers of more than 32 bits.
    ("(shl (add a, b), 4294967296)", ""),
    ("(trunc (add a, b), 4294967297)", ""),
];

fn set(dag: &str) -> String {
    format!("{SETS_PRELUDE}def S : Set<{dag}>;")
}

#[test]
fn the_reference_dies_and_we_do_not() {
    let mut report = String::new();
    let mut check = |text: &str, action: Action, wanted: &str| {
        let got = on_a_big_stack(|| program::ours_by(action, text.as_bytes(), Limits::default()));
        let error = first_error(&got.err).unwrap_or_default();
        if !error.starts_with(wanted) || wanted.is_empty() != (got.status == 0) {
            report += &format!("  {text}\n    - {wanted}\n    + {} {error}\n", got.status);
        }
    };
    CASES.iter().for_each(|(text, wanted)| check(text, Action::PrintRecords, wanted));
    SETS.iter().for_each(|(dag, wanted)| check(&set(dag), Action::PrintSets, wanted));
    assert!(report.is_empty(), "(- wanted, + got)\n{report}");
}

#[test]
fn the_reference_still_dies() {
    let records = CASES.iter().map(|(text, _)| ((*text).to_owned(), "--print-records"));
    let sets = SETS.iter().map(|(dag, _)| (set(dag), "--print-sets"));
    let all: Vec<(usize, (String, &str))> = records.chain(sets).enumerate().collect();
    let alive: Vec<String> = pool::map(&all, |(index, (text, flag))| {
        let run: Run = program::reference_by(&[*flag], text.as_bytes(), &format!("crash-{index}"));
        // A failure without a message counts too.
        (run.status == 0 || run.status == 1 && first_error(&run.err).is_some())
            .then(|| format!("  {text}: {}\n", String::from_utf8_lossy(&run.err)))
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
