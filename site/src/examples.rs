//! Uses of operations, types and attributes in the project's own `.mlir` files.
//!
//! ```text
//! func.func @f(%a: i32) -> i32 {
//!   %0 = arith.addi %a, %a : i32     // line 2: a use of `arith.addi`
//!   return %0 : i32
//! }
//! ```
//!
//! A small lexer suffices instead of a parser of MLIR. It knows comments, strings, names and brackets. A statement
//! ends with the line on which its brackets are closed and after which another one begins. Uses that a test expects to
//! be rejected are left out.

mod lexer;
pub mod passes;
pub mod pipelines;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{ir::Checker, limits::Budget, record::Records};
use odsmith_witness::upstream;
use schemars::JsonSchema;
use serde::Serialize;

use lexer::{Kind, Token};

/// The limit for shown uses of each name.
const MOST: usize = 3;
/// The limit for lines; longer uses are cut to their first and last line, or left out.
const MOST_LINES: usize = 9;
/// The limit for columns.
const MOST_COLUMNS: usize = 100;
/// The limit for tokens of a statement; a longer one is skipped.
const MOST_TOKENS: usize = 3000;
/// The cost of reading a byte.
const BYTE_UNITS: usize = 4;

/// A use in a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Use {
    /// The text, without the indentation that all lines have.
    pub text: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// That line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// The tool that accepted it, if it is no use of the project's but an example of MLIR's own operations: `mlir-opt 22`.
    pub accepted_by: Option<String>,
}

/// The uses found, by name: `arith.addi`, `!quant.uniform`, `#llvm.access_group`.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    of: BTreeMap<String, Vec<Candidate>>,
}

/// A use with its rank as an example; a lower rank is better.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Flags for the generic form and for a cut text, and the length.
    rank: (bool, bool, usize),
    found: Use,
    /// The text with all names and numbers made equal: uses of one shape look the same.
    shape: String,
}

impl Uses {
    /// Finds the uses in these files.
    #[must_use]
    pub fn new(files: &BTreeMap<String, String>, budget: &Budget) -> Uses {
        let mut uses = Uses::default();
        for (path, text) in files.iter().filter(|(path, _)| !is_of_mistakes(path)) {
            if !budget.charge(BYTE_UNITS * text.len()) {
                break;
            }
            uses.read(path, text, budget);
        }
        uses
    }

    /// Finds the uses in the examples of MLIR's own operations that these definitions accept, for the dialects of a site.
    #[must_use]
    pub fn upstream(all: &[&Records], has_dialect: impl Fn(&str) -> bool, budget: &Budget) -> Uses {
        let mut uses = Uses::default();
        let checker = OnceCell::new();
        for (dialect, text) in upstream::DIALECTS.iter().filter(|(dialect, _)| has_dialect(dialect)) {
            if !budget.charge(BYTE_UNITS * text.len()) {
                break;
            }
            let checker = checker.get_or_init(|| Checker::new(all));
            let accepted =
                text.split(upstream::SEPARATOR).filter(|piece| is_accepted(checker, dialect, piece));
            for piece in accepted {
                uses.read(dialect, piece, budget);
            }
        }
        uses.of.retain(|name, _| {
            let name = name.trim_start_matches(['!', '#']);
            name.split_once('.').is_some_and(|(dialect, _)| has_dialect(dialect))
        });
        for found in uses.of.values_mut().flatten() {
            found.found.accepted_by = Some(upstream::ACCEPTED_BY.to_owned());
        }
        uses
    }

    /// The best uses of a name.
    #[must_use]
    pub fn of(&self, name: &str) -> Vec<Use> {
        let all = self.of.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|candidate| candidate.found.clone()).collect()
    }

    fn read(&mut self, path: &str, text: &str, budget: &Budget) {
        let tokens = lexer::tokens(text);
        let lines = Lines::new(text);
        let refused = lines.refused(text);
        for at in 0..tokens.len() {
            let token = &tokens[at];
            if matches!(token.kind, Kind::Type | Kind::Attribute) {
                self.add_type_or_attribute(path, text, &lines, &refused, &tokens[at..]);
            }
            if !is_start(text, &tokens, at) {
                continue;
            }
            let Some((name, is_generic)) = operation(text, &tokens[at..]) else { continue };
            let Some(end) = end_of_statement(text, &tokens[at..]) else { continue };
            if refused.range(lines.index(token.start)..=lines.index(end)).next().is_some() {
                continue;
            }
            if !budget.charge(end - token.start) {
                return;
            }
            let Some((shown, is_cut)) = shown(&text[token.start..end], lines.indentation(text, token.start))
            else {
                continue;
            };
            self.add(name, path, lines.number(token.start), shown, (is_generic, is_cut));
        }
    }

    fn add_type_or_attribute(
        &mut self,
        path: &str,
        text: &str,
        lines: &Lines,
        refused: &BTreeSet<usize>,
        tokens: &[Token],
    ) {
        let token = &tokens[0];
        let mut name = token.text(text).to_owned();
        let mut end = token.end;
        let is_at = |at: usize, what: &str| tokens.get(at).is_some_and(|next| next.text(text) == what);
        if is_at(1, "<") && tokens[1].start == token.end {
            let Some(close) = closing(text, &tokens[1..]) else { return };
            end = tokens[1 + close].end;
            // `!quant<uniform i8>` is a spelling of `!quant.uniform<i8>`.
            if !name.contains('.') && tokens.get(2).is_some_and(|next| next.kind == Kind::Word) {
                name = format!("{name}.{}", tokens[2].text(text));
            }
        }
        // A name without a dialect is an alias or a builtin.
        if !name.contains('.') || refused.contains(&lines.index(token.start)) {
            return;
        }
        if let Some((shown, is_cut)) = shown(&text[token.start..end], 0) {
            self.add(&name, path, lines.number(token.start), shown, (false, is_cut));
        }
    }

    fn add(&mut self, name: &str, path: &str, line: u32, text: String, (is_generic, is_cut): (bool, bool)) {
        let candidate = Candidate {
            rank: (is_generic, is_cut, text.len()),
            shape: shape(&text),
            found: Use { text, file: path.to_owned(), line, ..Use::default() },
        };
        let known = self.of.entry(name.to_owned()).or_default();
        match known.iter_mut().find(|other| other.shape == candidate.shape) {
            Some(other) if candidate < *other => *other = candidate,
            Some(_) => return,
            None => known.push(candidate),
        }
        known.sort();
        // The generic form is the least readable, so it is dropped if there is another one.
        if known.iter().any(|one| !one.rank.0) {
            known.retain(|one| !one.rank.0);
        }
        known.truncate(MOST);
    }
}

/// Tests if definitions accept a program: nothing in it is wrong, and each operation of the dialect is understood.
fn is_accepted(checker: &Checker, dialect: &str, program: &str) -> bool {
    let ir = checker.read(program);
    checker.faults(program, &ir).is_empty() && checker.understands(dialect, &ir)
}

/// Tests if a file holds inputs that must be rejected, going by its name.
fn is_of_mistakes(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains("invalid") || name.contains("error"))
}

/// Tests if a statement may begin at a token: first on its line, or after the opening brace of a region.
fn is_start(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return tokens[at].is_first };
    match tokens[before].kind {
        Kind::Open(b'{') => !is_dictionary(text, tokens, before),
        // A line of a list.
        Kind::Punctuation if tokens[before].text(text) == "," => false,
        _ => tokens[at].is_first,
    }
}

/// Tests if a brace opens a dictionary of attributes: after `attributes` or `<`, or with a single key before `:`.
fn is_dictionary(text: &str, tokens: &[Token], at: usize) -> bool {
    if at > 0 && matches!(tokens[at - 1].text(text), "attributes" | "<") {
        return true;
    }
    let is_at = |at: usize, what: &str| tokens.get(at).is_some_and(|next| next.text(text) == what);
    is_at(at + 2, "}") && is_at(at + 3, ":")
}

/// The name of the operation in a statement, after its results, with a flag for the generic form.
fn operation<'t>(text: &'t str, tokens: &[Token]) -> Option<(&'t str, bool)> {
    let rest = if tokens.first()?.kind == Kind::Value { after_results(text, tokens)? } else { tokens };
    let name = rest.first()?;
    match name.kind {
        // `{d.a = 1, d.b}` has keys of attributes.
        Kind::Word if rest.get(1).is_some_and(|next| matches!(next.text(text), "=" | ",")) => None,
        Kind::Word => Some((name.text(text), false)).filter(|(name, _)| name.contains('.')),
        Kind::Text => {
            let inside = name.text(text).trim_matches('"');
            let is_name = inside.contains('.')
                && inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._$".contains(&byte));
            let is_call = rest.get(1).is_some_and(|next| next.text(text) == "(");
            (is_name && is_call).then_some((inside, true))
        }
        _ => None,
    }
}

/// The tokens after `%0, %1:2 =`; `None` if these are not results.
fn after_results<'t>(text: &str, tokens: &'t [Token]) -> Option<&'t [Token]> {
    let is_list = |token: &&Token| {
        matches!(token.kind, Kind::Value | Kind::Number) || matches!(token.text(text), "," | ":")
    };
    let count = tokens.iter().take_while(is_list).count();
    (tokens.get(count)?.text(text) == "=").then(|| &tokens[count + 1..])
}

/// The index of the token that closes the bracket at the first token.
fn closing(text: &str, tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().take(MOST_TOKENS) {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ if token.text(text) == "<" => depth += 1,
            _ if token.text(text) == ">" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The end of the statement that begins at the first token.
fn end_of_statement(text: &str, tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    let mut end = None;
    for (at, token) in tokens.iter().enumerate() {
        if at > MOST_TOKENS {
            return None;
        }
        let is_next = at > 0 && depth == 0 && token.is_first && begins(text, &tokens[at..]);
        match token.kind {
            _ if is_next => return end,
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => match depth.checked_sub(1) {
                Some(less) => depth = less,
                // The bracket around the statement.
                None => return end,
            },
            Kind::Separator => return end.filter(|_| depth == 0),
            _ => {}
        }
        end = Some(token.end);
    }
    end.filter(|_| depth == 0)
}

/// Tests if a new line begins another statement instead of continuing the last one.
fn begins(text: &str, tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return true };
    let is_followed_by = |what: &[&str]| tokens.get(1).is_some_and(|next| what.contains(&next.text(text)));
    match first.kind {
        Kind::Value => after_results(text, tokens).is_some(),
        Kind::Block | Kind::Separator | Kind::Close(_) => true,
        Kind::Type | Kind::Attribute => is_followed_by(&["="]),
        Kind::Text => operation(text, tokens).is_some(),
        Kind::Word => {
            let word = first.text(text);
            word.contains('.') || matches!(word, "return" | "func" | "module" | "call")
        }
        Kind::Open(_) | Kind::Number | Kind::Symbol | Kind::Punctuation => false,
    }
}

/// Prepares a statement for a page, with a flag if its middle is left out. `indentation` is that of its first line.
fn shown(statement: &str, indentation: usize) -> Option<(String, bool)> {
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in statement.lines().enumerate() {
        let line = without_comment(line).trim_end();
        let cut = line.len() - line.trim_start_matches(' ').len();
        let line = if number == 0 { line } else { &line[cut.min(indentation)..] };
        if !line.trim().is_empty() {
            lines.push(line);
        }
    }
    let is_long = lines.len() > MOST_LINES;
    if is_long {
        // The first line opens a region, and the last one closes it.
        let (first, last) = (*lines.first()?, *lines.last()?);
        if !first.ends_with('{') || !last.starts_with('}') {
            return None;
        }
        lines = vec![first, "  // …", last];
    }
    let is_narrow = lines.iter().all(|line| line.chars().count() <= MOST_COLUMNS);
    is_narrow.then(|| (lines.join("\n"), is_long))
}

/// Removes the comment at the end of a line.
fn without_comment(line: &str) -> &str {
    let mut is_text = false;
    let bytes = line.as_bytes();
    for at in 0..bytes.len() {
        match bytes[at] {
            b'"' if at == 0 || bytes[at - 1] != b'\\' => is_text = !is_text,
            b'/' if !is_text && bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Replaces names of values, numbers and scalar types by placeholders, and lists of equal ones by one: `i8` and `i64`, or
/// two operands and three, teach the same.
fn shape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for token in lexer::tokens(text) {
        let piece = match token.kind {
            Kind::Value => "%",
            Kind::Block => "^",
            Kind::Symbol => "@",
            Kind::Number => "0",
            Kind::Text => "\"",
            Kind::Word if is_scalar(token.text(text)) => "T",
            _ => token.text(text),
        };
        let is_again =
            out.ends_with(',') && out[..out.len() - 1].ends_with(piece) && matches!(piece, "%" | "0" | "T");
        match is_again {
            true => _ = out.pop(),
            false => out.push_str(piece),
        }
    }
    out
}

/// Tests if a word is a type of numbers: `i32`, `bf16`, `index`.
fn is_scalar(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = &word[..word.len() - digits.len()];
    let is_sized = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    word == "index" || is_sized && matches!(letters, "i" | "si" | "ui" | "f" | "bf" | "tf")
}

/// The place of an error that a test expects, in lines from the comment on: `@+1`, `@-2`, `@below`, `@above`.
fn target(comment: &str) -> Option<isize> {
    let place = comment.lines().next()?.split("{{").next()?.split('@').nth(1)?.trim_start();
    match place.split_whitespace().next()? {
        "below" => Some(1),
        "above" => Some(-1),
        number => number.parse().ok(),
    }
}

/// The start of each line of a text.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect())
    }

    fn index(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at) - 1
    }

    /// The line number of an offset, from 1.
    fn number(&self, at: usize) -> u32 {
        u32::try_from(self.index(at) + 1).unwrap_or(u32::MAX)
    }

    fn indentation(&self, text: &str, at: usize) -> usize {
        let line = &text[self.0[self.index(at)]..];
        line.len() - line.trim_start_matches(' ').len()
    }

    /// The lines on which a test expects an error, those that say so, and the three after these.
    fn refused(&self, text: &str) -> BTreeSet<usize> {
        let mut refused = BTreeSet::new();
        for (at, _) in text.match_indices("expected-error") {
            let line = self.index(at);
            refused.extend(line..=line + 3);
            refused.insert(target(&text[at..]).map_or(line, |target| line.saturating_add_signed(target)));
        }
        refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> Uses {
        Uses::new(&BTreeMap::from([("a.mlir".to_owned(), text.to_owned())]), &Budget::default())
    }

    fn check(text: &str, name: &str, expected: &[(&str, u32)]) {
        let found = uses(text).of(name);
        let found: Vec<(&str, u32)> = found.iter().map(|one| (one.text.as_str(), one.line)).collect();
        assert_eq!(found, expected, "{name} in {text}");
    }

    #[test]
    fn a_statement_ends_where_the_next_begins() {
        let text = "func.func @f(%a: i32) {\n  %0 = d.add %a, %a : i32 // CHECK: d.add\n  %1:2, %2 = d.many\n    %a : (i32)\n    -> i32\n  d.end\n}\n";
        check(text, "d.add", &[("%0 = d.add %a, %a : i32", 2)]);
        check(text, "d.many", &[("%1:2, %2 = d.many\n  %a : (i32)\n  -> i32", 3)]);
        check(text, "d.end", &[("d.end", 6)]);
    }

    #[test]
    fn regions_are_whole_or_cut() {
        check(
            "d.if %a {\n  d.x\n} else {\n  d.y\n}\n",
            "d.if",
            &[("d.if %a {\n  d.x\n} else {\n  d.y\n}", 1)],
        );
        let long = format!("  d.for %i {{\n{}  }}\n", "    d.x %i\n".repeat(12));
        check(&long, "d.for", &[("d.for %i {\n  // …\n}", 1)]);
        check(&long, "d.x", &[("d.x %i", 2)]);
    }

    #[test]
    fn what_is_refused_is_no_example() {
        check("// expected-error@+1 {{no}}\nd.x\n\n\n\nd.x %a\n", "d.x", &[("d.x %a", 6)]);
        assert!(
            Uses::new(&BTreeMap::from([("invalid.mlir".to_owned(), "d.x\n".to_owned())]), &Budget::default())
                .of("d.x")
                .is_empty()
        );
    }

    #[test]
    fn a_statement_with_an_error_inside_is_no_example() {
        let inside =
            "d.f @good {\n  d.y\n}\n// -----\nd.f @bad {\n  // expected-error @+1 {{no}}\n  d.z\n}\n";
        check(inside, "d.f", &[("d.f @good {\n  d.y\n}", 1)]);
        check("d.f @a {\n  d.y\n}\n// expected-error @above {{no}}\n", "d.f", &[]);
        check("d.x\n\n\n\n// expected-error @-4 {{no}}\n\n\n\nd.x %a\n", "d.x", &[("d.x %a", 9)]);
        check("// expected-error @+5 {{no}}\n\n\n\n\nd.x\n", "d.x", &[]);
    }

    #[test]
    fn keys_of_attributes_are_no_operations() {
        for text in [
            "module attributes {d.go = #d.go<>} {}\n",
            "module attributes {d.go} {\n}\n",
            "module attributes {\n  d.go,\n  d.other = 1\n} {}\n",
            "module attributes {\n  d.other = 1,\n  d.go\n} {}\n",
            "%0 = d.x {d.go} : i32\n",
            "\"d.x\"() <{d.go = 1}> : () -> ()\n",
        ] {
            check(text, "d.go", &[]);
        }
        check("d.f {d.go}\n", "d.go", &[("d.go", 1)]);
    }

    #[test]
    fn shapes_are_shown_once_and_the_shortest_first() {
        let text =
            "%long = d.x %other : i32\n%0 = d.x %1 : i32\nd.x %a, %b : f32\n\"d.x\"(%a) : (i32) -> ()\n";
        check(text, "d.x", &[("d.x %a, %b : f32", 3), ("%0 = d.x %1 : i32", 2)]);
    }

    #[test]
    fn types_and_attributes_are_found_in_both_spellings() {
        let text =
            "%0 = d.x : !q.u<i8, [1, 2]>, !q<u i8>\n!alias = i32\n%1 = d.x {a = #q.v<\">\">} : !alias\n";
        check(text, "!q.u", &[("!q<u i8>", 1), ("!q.u<i8, [1, 2]>", 1)]);
        check(text, "#q.v", &[("#q.v<\">\">", 3)]);
        check("%0 = d.x : !q.plain\n", "!q.plain", &[("!q.plain", 1)]);
    }

    #[test]
    fn what_is_not_closed_is_no_example() {
        check("d.x {\n  d.y\n", "d.x", &[]);
        check("d.x }\n", "d.x", &[("d.x", 1)]);
        check("%0 = \"d.x\"(", "d.x", &[]);
        check("é d.x \u{fffd} \"", "d.x", &[]);
    }
}
