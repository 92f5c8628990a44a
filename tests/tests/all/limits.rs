//! Programs that reach a limit end soon, with a message and a location, and nothing overflows the stack.

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use odsmith_engine::{
    diagnostic::Severity, generators::Action, job::TargetOutcome, limits::Limits, report::Finding,
};
use odsmith_tests::program::{self, on_a_big_stack};

/// The most time that a program may take; the limits end it earlier.
const SOON: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// Measures the time of a program: only this thread's time if the system reports it, so that a busy machine does not
/// count.
struct Stopwatch {
    started: Instant,
    own: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Stopwatch { started: Instant::now(), own: own_time() }
    }

    fn stop(&self) -> Duration {
        match (self.own, own_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => self.started.elapsed(),
        }
    }
}

fn own_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn run(text: &str, limits: &Limits) -> TargetOutcome {
    program::outcome(text.as_bytes(), Action::PrintRecords, limits.clone())
}

/// Runs a program twice that must reach the limit that `what` names, at the same location each time.
fn reaches_with(what: &str, text: &str, limits: &Limits) {
    on_a_big_stack(|| {
        let watch = Stopwatch::start();
        let outcome = run(text, limits);
        let took = watch.stop();
        let start = text.chars().take(60).collect::<String>();
        assert!(
            program::hit_a_limit(&outcome),
            "{start}: no limit reached: {:?}",
            outcome.diagnostics.first()
        );
        let report = outcome.diagnostics.iter().find(|report| report.message.starts_with("limit reached: "));
        let report: &Finding = report.unwrap_or_else(|| panic!("{start}: no message"));
        assert!(report.message.contains(what), "{start}: {}", report.message);
        assert!(report.location.is_some(), "{start}: {} has no place", report.message);
        assert!(took < SOON, "{start}: {took:?}");
        let again = run(text, limits);
        assert_eq!(again.diagnostics, outcome.diagnostics, "{start}: not the same twice");
        assert_eq!(again.usage, outcome.usage, "{start}: not the same twice");
    });
}

fn reaches(what: &str, text: &str) {
    reaches_with(what, text, &Limits::default());
}

/// Runs a program that must end soon: without an error if `expected` is empty, otherwise with this first error. It has a
/// place, unless it is one of those to which the reference gives none.
fn ends(expected: &str, text: &str) {
    on_a_big_stack(|| {
        let watch = Stopwatch::start();
        let outcome = run(text, &Limits::default());
        let took = watch.stop();
        let start = text.chars().take(60).collect::<String>();
        assert!(took < SOON, "{start}: {took:?}");
        let mut reports = outcome.diagnostics.iter().chain(&outcome.outputs[0].diagnostics);
        let error = reports.find(|report| report.severity == Severity::Error);
        let message = error.map_or("", |report| &report.message);
        assert!(
            message.starts_with(expected) && message.is_empty() == expected.is_empty(),
            "{start}: {message}"
        );
        let is_placed = error.is_none_or(|report| report.location.is_some());
        assert_eq!(is_placed, !message.starts_with("invalid regex"), "{start}: {message}: its place");
        assert_eq!(outcome.outputs[0].artefact.is_some(), expected.is_empty(), "{start}: {message}");
    });
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

// --- nesting ----------------------------------------------------------------------------------------------

#[test]
fn deep_values() {
    let deep = 100_000;
    for (open, middle, close) in [
        ("(o ", "1", ")"),
        ("[", "1", "]"),
        ("{", "1", "}"),
        ("!if(1, 1, ", "1", ")"),
        ("!add(1, ", "1", ")"),
        ("!cond(1: ", "1", ")"),
        ("!head([", "1", "])"),
        ("\"a\" # ", "\"b\"", ""),
        ("A<", "1", ">"),
        ("!cast<int>(", "1", ")"),
    ] {
        let text =
            format!("class A<int n>; def o; defvar x = {}{middle}{};", open.repeat(deep), close.repeat(deep));
        reaches("nesting", &text);
        // Also never closed, and in place of another type.
        reaches("nesting", &format!("class A<int n>; def o; defvar x = {}", open.repeat(deep)));
        // A field refuses a list before it is read.
        let of_field =
            if open == "[" { "Encountered a list when expecting a int" } else { "limit reached: nesting" };
        ends(of_field, &format!("class A<int n>; def o; def a {{ int x = {}", open.repeat(deep)));
    }
}

#[test]
fn deep_values_of_loops() {
    let text = "def o; def a { dag d = !foldl((o), !range(200000), all, item, (o all)); }";
    for action in [Action::PrintRecords, Action::DumpJson, Action::PrintDetailedRecords] {
        on_a_big_stack(|| {
            let outcome = program::outcome(text.as_bytes(), action.clone(), Limits::default());
            let made = &outcome.outputs[0];
            assert!(made.artefact.is_none(), "{action:?}");
            let message = &made.diagnostics[0].message;
            assert!(message.contains("limit reached: nesting of a value"), "{action:?}: {message}");
        });
    }
    reaches("nesting of a value", &format!("{text} def b {{ string s = !repr(a.d); }}"));
    ends("", &text.replace("200000", "90000"));
}

#[test]
fn regular_expressions() {
    reaches("regular expression", "def a { bit b = !match(\"a\", \"((a{255}){255}){255}\"); }");
    // No path of the match reaches the end, as the second half is odd.
    let many = "a".repeat(301);
    let ways = "^(a*)(a*)(a*)(a*)a*b\\\\1\\\\1\\\\2\\\\2\\\\3\\\\3\\\\4\\\\4$";
    reaches("fuel", &format!("def a {{ bit b = !match(\"{many}b{many}\", \"{ways}\"); }}"));
    ends("", &format!("def a {{ bit b = !match(\"{many}\", \"{}\"); }}", "(a*)*".repeat(50) + "b"));
    ends(
        "",
        &format!("def a {{ bit b = !match(\"a\", \"{}a{}\"); }}", "(".repeat(100_000), ")*".repeat(100_000)),
    );
}

/// Each round of an iteration is charged for its values, and the memory limit is checked in each.
#[test]
fn long_iterations() {
    let all = "!range(900000)";
    for value in [
        "!foreach(j, !range(0, !add(900000, i)), !add(j, i))".to_owned(),
        format!("!foreach(j, {all}, \"abc\" # j # i)"),
        format!("!filter(j, {all}, !lt(!mul(j, i), 5))"),
        format!("!foldl(0, {all}, a, j, !add(a, j, i))"),
        format!("!foreach(j, {all}, [i, j, !add(i, j)])"),
        format!("!foreach(j, {all}, !cond(!lt(j, i): \"a\", true: \"b\"))"),
        "!size(!range(0, !add(900000, i)))".to_owned(),
    ] {
        reaches("", &format!("defvar l = !foreach(i, {all}, {value}); def b;"));
    }
    reaches("", &format!("foreach i = {all} in foreach j = {all} in defvar x = !add(i, j);"));
    reaches(
        "",
        &format!(
            "multiclass M {{ foreach i = {all} in foreach j = {all} in assert !lt(j, i), \"\"; }} defm a : M;"
        ),
    );
    // Rounds are cheap if they share the lists that they read.
    let shared = format!(
        "defvar l = !foreach(i, {all}, !size(!listconcat({all}, [i]))); def b {{ int n = !head(l); }}"
    );
    on_a_big_stack(|| {
        let watch = Stopwatch::start();
        let outcome = run(&shared, &Limits::default());
        assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics.first());
        assert!(watch.stop() < SOON);
    });
    let limits = Limits { arena_bytes: 1 << 20, ..Limits::default() };
    reaches_with("memory", &format!("defvar l = !foreach(i, {all}, \"abc\" # i); def b;"), &limits);
}

#[test]
fn deep_statements() {
    let deep = 100_000;
    reaches("nesting", &many(deep, |index| format!("foreach i{index} = [1] in ")));
    reaches("nesting", &many(deep, |_| "foreach i = [1] in { ".to_owned()));
    reaches("nesting", &many(deep, |_| "if 1 then { ".to_owned()));
    reaches("nesting", &many(deep, |_| "if 1 then ".to_owned()));
    reaches("nesting", &many(deep, |_| "if 0 then def a; else ".to_owned()));
    reaches("nesting", &many(deep, |_| "let x = 1 in { ".to_owned()));
    reaches("nesting", &many(deep, |_| "let x = 1 in ".to_owned()));
    reaches(
        "nesting",
        &many(deep, |index| format!("defset list<A> s{index} = {{ ")).replacen("", "class A; ", 1),
    );
    reaches("nesting", &format!("def a {{ {}", "list<".repeat(deep)));
    ends("reached EOF without matching #endif", &"#ifdef A\n".repeat(deep));
    ends("unterminated comment", &"/*".repeat(deep));
    ends("Unexpected token at top level", &"{".repeat(deep));
    ends("expected 'assert', 'def'", &"multiclass M { ".repeat(deep));
}

#[test]
fn flat_values() {
    let long = 100_000;
    ends("limit reached: nesting", &format!("def a {{ string x = \"a\"{}; }}", " # \"b\"".repeat(long)));
    ends("", &format!("def a {{ string x = \"\"{}; }}", " \"b\"".repeat(long)));
    ends("", &format!("def a {{ list<int> x = [{}]; }}", "1, ".repeat(long)));
    ends("", &format!("def a {{ int x = !add(1{}); }}", ", 1".repeat(long)));
    ends(
        "limit reached: nesting",
        &format!("class A<int n> {{ int x = !add(n{}); }} def a : A<1>;", ", n".repeat(long)),
    );
    ends(
        "limit reached: nesting",
        &format!("class A<string n> {{ string x = !strconcat(n{}); }} def a : A<\"\">;", ", n".repeat(long)),
    );
    ends(
        "",
        &format!(
            "class A<int n> {{ int x = !cond({}true: 1); }} def a : A<1>;",
            "!eq(n, 2): 1, ".repeat(long / 10)
        ),
    );
    ends(
        "Cannot access field 'x' of value '!cast<{}>(\"a\")'",
        &format!("def a {{ int x = a{}; }}", ".x".repeat(long)),
    );
    ends("", &format!("def a {{ bits<1> x = 1{}; }}", "{0}".repeat(long)));
    ends(
        "Encountered a list when expecting a int",
        &format!("def a {{ int x = [1]{}; }}", "[0,]".repeat(long)),
    );
    ends("", &format!("{}def a;", "#define A\n".repeat(long)));
    ends(
        "",
        &format!("class A {{ {} }} def a : A;", many(5_000, |index| format!("int x{index} = {index}; "))),
    );
}

#[test]
fn values_that_grow_deep() {
    // Each class adds a level to a value that is never folded.
    let mut text = "class C0<int n> { int x = n; }\n".to_owned();
    for index in 1..3_000 {
        let _ = writeln!(text, "class C{index}<int n> : C{}<!add(n, n)>;", index - 1);
    }
    ends("limit reached: length of a value's text", &(text.clone() + "def a : C2999<1>;"));
    ends("limit reached: length of a value's text", &text);
    // Built up by a fold, then printed.
    ends("", "def o; def a { list<int> r = !range(20000); dag d = !foldl((o), r, acc, i, (o acc)); }");
    ends("", "def o; def a { dag d = !foldl((o), !range(20000), acc, i, (o acc)); string s = !repr(d); }");
    ends(
        "",
        "class A<int n, int k> { int x = !foldl(k, !range(20000), acc, i, !add(acc, n)); } class B<int k> : A<k, k>;",
    );
}

// --- records ----------------------------------------------------------------------------------------------

#[test]
fn chains_of_classes() {
    let mut text = "class C0;\n".to_owned();
    for index in 1..100_000 {
        let _ = writeln!(text, "class C{index} : C{};", index - 1);
    }
    text.push_str("def a : C99999;");
    ends("limit reached: memory", &text);
    let mut text = "class C0<int n> { int x = n; }\n".to_owned();
    for index in 1..20_000 {
        let _ = writeln!(text, "class C{index}<int n> : C{}<n>;", index - 1);
    }
    text.push_str("def a : C19999<1>;");
    ends("limit reached: memory", &text);
}

#[test]
fn classes_without_end() {
    reaches("nesting", "class A<int n> { int x = A<!add(n, 1)>.x; } def a : A<0>;");
    reaches("nesting", "class A<int n> { A x = A<!add(n, 1)>; } def a : A<0>;");
    reaches("nesting", "class A<int n> { A x = A<!add(n, 1)>; } defvar v = A<0>;");
    reaches("nesting", "class A<int n> { A x = A<!add(n, 1)>; A y = A<!add(n, 2)>; } def a : A<0>;");
    // Each list is longer than the last, so that fuel runs out before the levels do.
    reaches("fuel", "class A<list<int> n> { A x = A<n # [1]>; } def a : A<[]>;");
    reaches("nesting", "class A<string n> { A x = A<n # n>; } def a : A<\"\">; def b : A<\"a\">;");
    ends("class 'A' derives from itself", "class A : A; def a : A;");
    ends("class 'A' derives from itself", "class A<int n> : A<n>; def a : A<1>;");
    ends("", "multiclass M<int n> { defm x : M<n>; } defm a : M<1>;");
    ends("", "multiclass M { defm x : M; } defm a : M;");
}

#[test]
fn too_many_records() {
    let all = "foreach i = !range(1000) in foreach j = !range(1000) in";
    let fewer = Limits { records: 200_000, ..Limits::default() };
    reaches_with("number of records", &format!("{all} def a#i#_#j;"), &fewer);
    reaches("number of records", &format!("{all} def;"));
    reaches("number of records", &format!("class A<int n>; {all} def : A<i>;"));
    let limits = Limits { records: 100, ..Limits::default() };
    reaches_with("number of records", &many(200, |index| format!("def a{index};")), &limits);
    reaches_with("number of records", &many(200, |index| format!("class a{index};")), &limits);
    reaches_with(
        "number of records",
        "class A<int n>; def a { list<A> l = !foreach(i, !range(200), A<i>); }",
        &limits,
    );
}

#[test]
fn too_much_memory_in_records() {
    // Many fields in many records: the contents of records count.
    let fields = many(1_000, |index| format!("int x{index} = {index}; "));
    let text = format!("class A {{ {fields} }} foreach i = !range(100000) in def a#i : A;");
    reaches("memory", &text);
}

// --- sizes ------------------------------------------------------------------------------------------------

#[test]
fn long_lists() {
    reaches("list length", "def a { list<int> l = !range(0, 1000000000); }");
    reaches("list length", "def a { list<int> l = !listsplat(1, 1000000000); }");
    reaches("list length", "def a { list<int> l = [1][0...1000000000]; }");
    reaches("list length", "def a { bits<1000000000> b = 1; }");
    reaches("list length", "class A<int n> { list<int> l = !range(n); } def a : A<0x7fffffffffffffff>;");
    reaches("list length", "foreach i = 0-1000000000 in def a#i;");
    let doubled = many(60, |index| format!("list<int> l{} = !listconcat(l{index}, l{index}); ", index + 1));
    reaches("list length", &format!("def a {{ list<int> l0 = [1]; {doubled} }}"));
    let doubled = many(60, |index| format!("defvar l{} = l{index} # l{index};\n", index + 1));
    reaches("list length", &format!("defvar l0 = [1];\n{doubled}"));
    reaches("list length", "def a { list<int> l = !foldl([1], !range(60), acc, i, acc # acc); }");
    let flat = "!listflatten(!listsplat(!listsplat(1, 100000), 100000))";
    reaches("list length", &format!("def a {{ list<int> l = {flat}; }}"));
    ends(
        "limit reached: list length",
        "def o; def a { dag d = !foldl((o 1), !range(60), acc, i, !con(acc, acc)); }",
    );
}

#[test]
fn long_strings() {
    let doubled = many(60, |index| format!("string s{} = s{index} # s{index}; ", index + 1));
    reaches("string length", &format!("def a {{ string s0 = \"ab\"; {doubled} }}"));
    let doubled = many(60, |index| format!("defvar s{} = !strconcat(s{index}, s{index});\n", index + 1));
    reaches("string length", &format!("defvar s0 = \"ab\";\n{doubled}"));
    reaches("string length", "def a { string s = !foldl(\"ab\", !range(60), acc, i, acc # acc); }");
    reaches(
        "string length",
        "def a { string s = !interleave(!listsplat(\"abcdefghijklmnopqrstuvwxyz\", 900000), \"\"); }",
    );
    let replaced = many(60, |index| format!("string s{} = !subst(\"a\", \"aa\", s{index}); ", index + 1));
    reaches("string length", &format!("def a {{ string s0 = \"a\"; {replaced} }}"));
    reaches("string length", "def a { string s = !foldl(\"a\", !range(60), acc, i, !repr([acc, acc])); }");
}

#[test]
fn doubled_values() {
    // Shared parts cost nothing to keep, but everything to print.
    let doubled = many(60, |index| format!("defvar l{} = [l{index}, l{index}];\n", index + 1));
    let text = format!("defvar l0 = [1];\n{doubled}");
    ends("", &text);
    let ty = format!("{}int{}", "list<".repeat(61), ">".repeat(61));
    ends("limit reached: length of a value's text", &format!("{text} def a {{ {ty} x = l60; }}"));
    ends("limit reached: length of a value's text", &format!("{text} def a {{ string x = !repr(l60); }}"));
    ends("", &format!("{text} def a {{ string x = \"\" # l60; }}"));
    let dags = many(60, |index| format!("defvar l{} = (o l{index}, l{index});\n", index + 1));
    ends(
        "limit reached: length of a value's text",
        &format!("def o; defvar l0 = (o);\n{dags} def a {{ dag d = l60; }}"),
    );
    ends(
        "limit reached: length of a value's text",
        &format!("def o; defvar l0 = (o);\n{dags} def a {{ string d = !repr(l60); }}"),
    );
    ends(
        "limit reached: fuel",
        &format!("def o; defvar l0 = (o);\n{dags} def a {{ dag d = !foreach(x, l60, !subst(o, o, x)); }}"),
    );
    // The same with names that are not resolved yet.
    let sums = many(60, |index| format!("int x{} = !add(x{index}, x{index}); ", index + 1));
    ends("", &format!("class A<int n> {{ int x0 = n; {sums} }} def a : A<1>;"));
    let variables = many(60, |index| format!("defvar x{} = !add(x{index}, x{index}); ", index + 1));
    ends(
        "limit reached: length of a value's text",
        &format!("class A<int n> {{ defvar x0 = n; {variables} int x = x60; }} def a : A<1>;"),
    );
    let error = many(60, |index| format!("defvar x{} = !add(x{index}, x{index}); ", index + 1));
    ends(
        "Field 'x' of type 'string' is incompatible with value",
        &format!("class A<int n> {{ defvar x0 = n; {error} string x = x60; }}"),
    );
}

#[test]
fn values_with_a_text_without_end() {
    // No output is silently truncated, whatever the other limits.
    let lists = many(60, |index| format!("defvar l{} = [l{index}, l{index}];\n", index + 1));
    let lists = format!(
        "defvar l0 = [1];\n{lists}def a {{\n  {}int{} x = l60; }}\n",
        "list<".repeat(61),
        ">".repeat(61)
    );
    let dags = many(60, |index| format!("defvar l{} = (o l{index}, l{index});\n", index + 1));
    let dags = format!("def o; defvar l0 = (o);\n{dags}def a {{\n  dag x = l60; }}\n");
    for text in [lists, dags] {
        for action in [Action::PrintRecords, Action::DumpJson, Action::PrintDetailedRecords] {
            on_a_big_stack(|| {
                let outcome = program::outcome(text.as_bytes(), action.clone(), Limits::generous());
                let made = &outcome.outputs[0];
                assert!(made.artefact.is_none(), "{action:?}");
                let report = &made.diagnostics[0];
                assert!(
                    report.message.contains("limit reached: length of a value's text"),
                    "{}",
                    report.message
                );
                // In the detailed form, global variables come first and have no location.
                if !matches!(action, Action::PrintDetailedRecords) {
                    let place = report.location.as_ref().expect("a place");
                    assert_eq!(place.range.start.line, 63, "{action:?}");
                }
            });
        }
    }
}

#[test]
fn memory() {
    let text = "def a { list<string> l = !foldl([\"\"], !range(20000), acc, i, acc # [!head(!tail(acc # [\"\"])) # \"abcdefgh\" # i]); }";
    reaches("", text);
}

#[test]
fn fuel() {
    let loops = "foreach a = !range(1000) in foreach b = !range(1000) in foreach c = !range(1000) in if 0 then def x;";
    let inner = "!foldl(0, !range(1000), x, y, !add(x, y))";
    let limits = Limits { fuel: 10_000_000, ..Limits::default() };
    reaches_with("fuel", loops, &limits);
    ends(
        "",
        &format!(
            "def a {{ int n = !foldl(0, !range(1000), a, b, !foldl(a, !range(1000), c, d, !add(c, {inner}))); }}"
        ),
    );
    let limits = Limits { fuel: 1000, ..Limits::default() };
    reaches_with("fuel", &many(2000, |index| format!("def a{index};")), &limits);
    reaches_with(
        "fuel",
        &"// nothing\n".repeat(2000).replacen(
            "",
            "def a { int x = !foldl(0, !range(900), a, b, !add(a, b)); }",
            1,
        ),
        &limits,
    );
}

#[test]
fn patterns() {
    let long = "a".repeat(100_000);
    ends("", &format!("def a {{ bit b = !match(\"{long}\", \"(a*)*b\"); }}"));
    ends(
        "invalid regex '((((",
        &format!("def a {{ bit b = !match(\"{long}\", \"{}\"); }}", "(".repeat(100_000)),
    );
    ends("", &format!("def a {{ bit b = !match(\"{long}\", \"{}\"); }}", "a?".repeat(50_000)));
    ends(
        "limit reached: regular expression",
        "def a { bit b = !match(\"a\", \"((((a{100}){100}){100}){100}){100}\"); }",
    );
    ends(
        "",
        &format!("def a {{ bit b = !match(\"a\", \"{}a{}\"); }}", "(".repeat(50_000), ")".repeat(50_000)),
    );
}

// --- files and messages -----------------------------------------------------------------------------------

#[test]
fn a_file_that_includes_itself() {
    for text in
        ["include \"case.td\"\n", "include \"case.td\"\ninclude \"case.td\"\n", "def;\ninclude \"case.td\"\n"]
    {
        on_a_big_stack(|| {
            let watch = Stopwatch::start();
            let outcome = run(text, &Limits::default());
            let report = outcome.diagnostics.first().expect("a message");
            assert!(report.message.contains("limit reached"), "{}", report.message);
            assert!(report.location.is_some());
            let took = watch.stop();
            assert!(took < SOON, "{took:?}");
        });
    }
}

#[test]
fn many_messages() {
    let limits = Limits::default();
    on_a_big_stack(|| {
        let outcome = run(&many(10_000, |index| format!("class A{index} {{ int x = y; }}\n")), &limits);
        assert!(outcome.diagnostics.len() <= limits.diagnostics as usize, "{}", outcome.diagnostics.len());
        let outcome = run(&"class A { int x = y; }; ".repeat(200_000), &limits);
        assert!(outcome.diagnostics.len() <= limits.diagnostics as usize, "{}", outcome.diagnostics.len());
    });
}

#[test]
fn long_tokens() {
    ends("Unexpected token at top level", &"a".repeat(20_000_000));
    ends("", &format!("def {};", "a".repeat(20_000_000)));
    ends("number out of range", &format!("def a {{ int x = {}; }}", "9".repeat(1_000_000)));
    ends("", &format!("def a {{ string x = \"{}\"; }}", "\\n".repeat(10_000_000)));
    ends("", &format!("def a {{ code x = [{{{}}}]; }}", "[{".repeat(10_000_000)));
    ends("", &"\n".repeat(20_000_000));
}
