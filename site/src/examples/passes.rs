//! Tests of passes: the input of a pass, and the output that FileCheck expects.
//!
//! ```text
//! // RUN: my-opt --my-fold %s | FileCheck %s
//! // CHECK-LABEL: func.func @f
//! func.func @f(%a: i32) -> i32 {
//!   // CHECK-NEXT: return %[[A:.*]] : i32        expected: return %A : i32
//! ```
//!
//! Only a run of a single pass shows what the pass does. Of several tests the shortest is the best.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::limits::Budget;
use schemars::JsonSchema;
use serde::Serialize;

/// The limit for lines of each side.
const MOST_LINES: usize = 18;
/// The least number of expected lines that show something.
const LEAST_LINES: usize = 2;
/// The limit for columns.
const MOST_COLUMNS: usize = 88;
/// The cost of reading a byte.
const BYTE_UNITS: usize = 2;

/// A test of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PassTest {
    /// The input.
    pub before: String,
    /// The parts of the output that the test expects.
    pub after: String,
    /// The file.
    pub file: String,
    /// The line of the input, from 1.
    pub line: u32,
    /// That line in the project's repository, if its address is known.
    pub href: Option<String>,
}

/// The tests of all passes, and the program that runs them.
#[derive(Clone, Debug, Default)]
pub struct PassTests {
    of: BTreeMap<String, PassTest>,
    tools: BTreeMap<String, usize>,
}

impl PassTests {
    /// Finds the tests of these passes in these files.
    #[must_use]
    pub fn new(files: &BTreeMap<String, String>, passes: &BTreeSet<&str>, budget: &Budget) -> PassTests {
        let mut tests = PassTests::default();
        for (path, text) in files {
            if !text.contains("RUN:") || !budget.charge(BYTE_UNITS * text.len()) {
                continue;
            }
            for run in runs(text) {
                let Some(tool) = tool(&run) else { continue };
                *tests.tools.entry(tool.to_owned()).or_default() += 1;
                let (Some(pass), Some(prefix)) = (only_pass(&run, passes), prefix(&run)) else { continue };
                for test in pieces(text, &prefix, path) {
                    let length = |test: &PassTest| test.before.len() + test.after.len();
                    match tests.of.get_mut(pass) {
                        Some(known) if length(&test) < length(known) => *known = test,
                        Some(_) => {}
                        None => _ = tests.of.insert(pass.to_owned(), test),
                    }
                }
            }
        }
        tests
    }

    /// The best test of a pass.
    #[must_use]
    pub fn of(&self, pass: &str) -> Option<PassTest> {
        self.of.get(pass).cloned()
    }

    /// The program that most tests run, such as `mlir-opt`.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        let best = self.tools.iter().max_by_key(|(_, count)| **count)?;
        Some(best.0)
    }
}

/// The commands of a test; a backslash continues one.
fn runs(text: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let Some((_, command)) =
            line.trim_start().strip_prefix("//").and_then(|rest| rest.split_once("RUN:"))
        else {
            continue;
        };
        let command = command.trim();
        let (part, is_continued) = match command.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (command, false),
        };
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) => run.extend([" ", part]),
            None => runs.push(part.to_owned()),
        }
        goes_on = is_continued;
    }
    runs
}

/// The program at the start of a command, if it is like `mlir-opt`.
fn tool(run: &str) -> Option<&str> {
    let first = run.split_whitespace().next()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    name.ends_with("-opt").then_some(name)
}

/// The pass of a command that runs a single one.
fn only_pass<'p>(run: &str, passes: &BTreeSet<&'p str>) -> Option<&'p str> {
    let command = run.split('|').next().unwrap_or(run);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut found = None;
    for word in command.split(|c: char| !is_name(c)) {
        let Some(pass) = passes.get(word.trim_start_matches('-')) else { continue };
        if found.is_some_and(|known| known != *pass) {
            return None;
        }
        found = Some(*pass);
    }
    found
}

/// The prefix of the expectations of a command.
fn prefix(run: &str) -> Option<String> {
    let check = run.split('|').find(|part| part.trim_start().starts_with("FileCheck"))?;
    let own = check.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches('-');
        word.strip_prefix("check-prefix=").or_else(|| word.strip_prefix("check-prefixes="))
    });
    // Several prefixes belong to several runs.
    own.map_or(Some("CHECK".to_owned()), |own| (!own.contains(',')).then(|| own.to_owned()))
}

/// The tests in a file: the statements at its top, each with the expectations around it.
fn pieces(text: &str, prefix: &str, path: &str) -> Vec<PassTest> {
    let mut all = Vec::new();
    let mut piece = Piece::default();
    let mut depth = 0usize;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.starts_with("// -----") {
            all.extend(piece.finish(path));
            piece = Piece::default();
            depth = 0;
            continue;
        }
        if let Some(comment) = trimmed.strip_prefix("//") {
            let Some((kind, expected)) = expectation(comment, prefix) else { continue };
            // A label at the top begins the next statement.
            if kind == "-LABEL" && depth == 0 && piece.has_code() {
                all.extend(piece.finish(path));
                piece = Piece::default();
            }
            piece.expect(kind, expected, line.len() - line.trim_start().len());
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        piece.code(line, number);
        let count = |open: char, close: char| (line.matches(open).count(), line.matches(close).count());
        let (open, close) = count('{', '}');
        depth = (depth + open).saturating_sub(close);
    }
    all.extend(piece.finish(path));
    all
}

/// The kind and the text of an expectation: `-NEXT` and `return` of `CHECK-NEXT: return`.
fn expectation<'t>(comment: &'t str, prefix: &str) -> Option<(&'t str, &'t str)> {
    let rest = comment.trim_start().strip_prefix(prefix)?;
    let (kind, text) = rest.split_once(':')?;
    matches!(kind, "" | "-LABEL" | "-NEXT" | "-SAME" | "-DAG" | "-NOT" | "-COUNT" | "-EMPTY")
        .then_some((kind, text))
}

/// A statement and the expectations around it.
#[derive(Default)]
struct Piece {
    before: Vec<String>,
    after: Vec<String>,
    line: u32,
    /// True if an expectation is no line of output.
    is_odd: bool,
}

impl Piece {
    fn has_code(&self) -> bool {
        !self.before.is_empty()
    }

    fn code(&mut self, line: &str, number: u32) {
        if self.before.is_empty() {
            self.line = number;
        }
        self.before.push(line.trim_end().to_owned());
    }

    fn expect(&mut self, kind: &str, text: &str, indentation: usize) {
        let text = readable(text.trim());
        match kind {
            "-NOT" | "-COUNT" | "-EMPTY" => {}
            "-SAME" => match self.after.last_mut() {
                Some(last) => last.push_str(&text),
                None => self.is_odd = true,
            },
            _ => self.after.push(format!("{}{text}", " ".repeat(indentation.min(8)))),
        }
    }

    fn finish(&self, path: &str) -> Option<PassTest> {
        let is_fit = |lines: &[String]| {
            lines.len() <= MOST_LINES && lines.iter().all(|line| line.chars().count() <= MOST_COLUMNS)
        };
        let has_all = !self.before.is_empty() && self.after.len() >= LEAST_LINES && !self.is_odd;
        (has_all && is_fit(&self.before) && is_fit(&self.after)).then(|| PassTest {
            before: self.before.join("\n"),
            after: self.after.join("\n"),
            file: path.to_owned(),
            line: self.line,
            href: None,
        })
    }
}

/// Replaces FileCheck's variables by names, and its patterns by dots: `%[[A:.*]]` is `%A`, `{{.*}}` is `…`.
fn readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let next = [("[[", "]]"), ("{{", "}}")]
            .into_iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, open, close)))
            .min();
        let Some((at, open, close)) = next else { break };
        let Some(length) = rest[at + open.len()..].find(close) else { break };
        out.push_str(&rest[..at]);
        let inside = &rest[at + open.len()..at + open.len() + length];
        if open == "[[" {
            let name = inside.split(':').next().unwrap_or(inside).trim_start_matches(['#', '$']);
            out.push_str(name);
        } else {
            out.push('…');
        }
        // `%[[A:.*]]` may end in a bracket of its pattern.
        rest = rest[at + open.len() + length + close.len()..].trim_start_matches(']');
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(text: &str) -> PassTests {
        let files = [("a.mlir".to_owned(), text.to_owned())].into_iter().collect();
        PassTests::new(&files, &BTreeSet::from(["my-fold", "my-other"]), &Budget::default())
    }

    #[test]
    fn a_test_is_the_input_and_the_expected_output() {
        let text = "// RUN: bin/my-opt %s \\\n// RUN:   --my-fold=\"a=1\" | FileCheck %s\n\n\
            // CHECK-LABEL: func.func @f\n// CHECK-SAME: (%[[A:.*]]: i32)\nfunc.func @f(%a: i32) -> i32 {\n  \
            // CHECK-NEXT: return %[[A]] : {{.*}}\n  // CHECK-NOT: x\n  %b = d.x %a : i32\n  return %b : i32\n}\n";
        let tests = tests(text);
        let test = tests.of("my-fold").unwrap();
        assert_eq!(test.before, "func.func @f(%a: i32) -> i32 {\n  %b = d.x %a : i32\n  return %b : i32\n}");
        assert_eq!(test.after, "func.func @f(%A: i32)\n  return %A : …");
        assert_eq!((test.line, tests.tool()), (6, Some("my-opt")));
    }

    #[test]
    fn only_a_run_of_one_pass_counts() {
        let body = "\n// CHECK-LABEL: a\n// CHECK: b\nfunc.func @f() {\n}\n";
        let of = |run: &str| tests(&format!("// RUN: {run}{body}")).of("my-fold").is_some();
        assert!(of("my-opt --pass-pipeline='builtin.module(my-fold)' %s | FileCheck %s"));
        assert!(!of("my-opt --my-fold --my-other %s | FileCheck %s"));
        assert!(!of("my-opt --my-fold %s"));
        assert!(!of("my-translate --my-fold %s | FileCheck %s"));
    }
}
