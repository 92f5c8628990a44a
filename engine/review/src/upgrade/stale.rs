//! The files with programs that the newer release reads differently or not at all: the operations in each, and their
//! changes.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_release::is_or_follows;
use serde::Serialize;

use super::bytecode;
use crate::diff::{
    Change, Comparison,
    rules::{Level, Verdict},
};

/// The form of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Text.
    Text,
    /// Bytecode.
    Bytecode,
}

/// An operation in a file, and the effect on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaleOperation {
    /// Its name.
    pub name: String,
    /// The worst effect.
    pub verdict: Verdict,
    /// The rules with that effect, each with the cause.
    pub causes: Vec<String>,
}

/// A file, and the effect on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaleFile {
    /// The file.
    pub file: String,
    /// Its form.
    pub form: Form,
    /// Its producer, if the file names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub producer: Option<String>,
    /// The number of different operations in it.
    pub operations: usize,
    /// The operations that break or change their meaning, silent ones first.
    pub stale: Vec<StaleOperation>,
    /// The reason why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl StaleFile {
    /// Returns the worst effect on one of its operations.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.stale.iter().map(|it| it.verdict).min().unwrap_or(Verdict::Safe)
    }
}

/// Returns the names of operations in a program's text, in generic and in custom form. Skips attributes, types and
/// symbols, and operations without a dialect prefix except `module`.
#[must_use]
pub fn operations_of_text(text: &[u8]) -> ProgramOperations {
    let mut written = ProgramOperations::default();
    for line in text.split(|&byte| byte == b'\n') {
        let mut rest = line.trim_ascii();
        // Skips the start of a line up to the operation: ends of regions, labels, results.
        loop {
            rest = rest.trim_ascii_start();
            match rest.first() {
                Some(b'}' | b'{' | b')' | b',') => rest = &rest[1..],
                Some(b'^') => match memchr::memchr(b':', rest) {
                    Some(end) => rest = &rest[end + 1..],
                    None => break,
                },
                Some(b'%') => match memchr::memmem::find(rest, b" = ") {
                    Some(end) => rest = &rest[end + 3..],
                    None => break,
                },
                _ => break,
            }
        }
        if let Some(inner) = rest.strip_prefix(b"\"") {
            let Some(end) = memchr::memchr(b'"', inner) else { continue };
            if inner[end + 1..].trim_ascii_start().starts_with(b"(") && is_name(&inner[..end]) {
                written.generic.insert(String::from_utf8_lossy(&inner[..end]).into_owned());
            }
            continue;
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let name = &rest[..length];
        // It is an attribute in a dictionary.
        if rest[length..].trim_ascii_start().starts_with(b"=") {
            continue;
        }
        // `module` is written without its dialect.
        if name == b"module" {
            written.custom.insert("builtin.module".to_owned());
        } else if is_name(name) {
            written.custom.insert(String::from_utf8_lossy(name).into_owned());
        }
    }
    written
}

/// The operations in a program as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramOperations {
    /// Operations in the generic form.
    pub generic: BTreeSet<String>,
    /// Operations in the custom form.
    pub custom: BTreeSet<String>,
}

/// Returns true for `dialect.operation`.
fn is_name(text: &[u8]) -> bool {
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let parts = text.split(|&byte| byte == b'.');
    text.contains(&b'.') && parts.into_iter().all(|part| part.first().is_some_and(is_start))
}

/// The findings of a comparison by operation, for judging files.
pub struct Judge<'c> {
    /// The newer release, which reads all that it has written.
    to: u8,
    by_operation: BTreeMap<&'c str, Vec<&'c Change>>,
}

impl<'c> Judge<'c> {
    /// Indexes the findings of a comparison whose newer side is a release.
    #[must_use]
    pub fn new(comparison: &'c Comparison, to: u8) -> Judge<'c> {
        let mut by_operation: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for finding in &comparison.findings {
            let subject = finding.subject.split_once('#').map_or(&*finding.subject, |(symbol, _)| symbol);
            by_operation.entry(subject).or_default().push(finding);
        }
        Judge { to, by_operation }
    }

    fn operation(&self, name: &str, levels: &[Level]) -> Option<StaleOperation> {
        let findings = self.by_operation.get(name)?;
        let verdict = |finding: &Change| {
            levels
                .iter()
                .filter_map(|level| finding.effects.get(level))
                .copied()
                .min()
                .unwrap_or(Verdict::Safe)
        };
        let mut of_levels: Vec<(Verdict, &Change)> =
            findings.iter().map(|finding| (verdict(finding), *finding)).collect();
        of_levels.retain(|(verdict, _)| matches!(verdict, Verdict::Silent | Verdict::Breaks));
        of_levels.sort_by_key(|(verdict, finding)| (*verdict, finding.rule));
        let (verdict, _) = *of_levels.first()?;
        let causes = of_levels.iter().map(|(verdict, finding)| {
            format!("{} {} {}", verdict.sign(), finding.rule.id(), finding.message)
        });
        Some(StaleOperation { name: name.to_owned(), verdict, causes: causes.collect() })
    }

    /// Judges a file with a program as text.
    #[must_use]
    pub fn text(&self, file: &str, text: &[u8]) -> StaleFile {
        let ProgramOperations { generic, custom } = operations_of_text(text);
        let of = |names: &BTreeSet<String>, level| {
            names.iter().filter_map(|name| self.operation(name, &[level])).collect::<Vec<_>>()
        };
        let mut stale = of(&custom, Level::Text);
        stale.extend(of(&generic, Level::Generic));
        judged(file, Form::Text, (None, generic.union(&custom).count()), stale)
    }

    /// Judges a file with a program as bytecode.
    #[must_use]
    pub fn bytecode(&self, file: &str, bytes: &[u8]) -> StaleFile {
        match bytecode::read(bytes) {
            Ok(contents) => {
                // Older encodings write attributes with their names, as the generic form does.
                let level = if contents.has_unnamed_attributes() { Level::Bytecode } else { Level::Generic };
                let is_newer = contents.release().is_some_and(|release| is_or_follows(release, self.to));
                let found = contents.operations.iter().filter(|_| !is_newer);
                let stale = found.filter_map(|name| self.operation(name, &[level])).collect();
                let all = contents.operations.len();
                judged(file, Form::Bytecode, (Some(contents.producer), all), stale)
            }
            Err(damage) => StaleFile {
                problem: Some(damage.text()),
                ..judged(file, Form::Bytecode, (None, 0), Vec::new())
            },
        }
    }
}

fn judged(
    file: &str,
    form: Form,
    (producer, operations): (Option<String>, usize),
    mut stale: Vec<StaleOperation>,
) -> StaleFile {
    stale.sort_by(|a, b| (a.verdict, &a.name).cmp(&(b.verdict, &b.name)));
    StaleFile { file: file.to_owned(), form, producer, operations, stale, problem: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_at_the_start() {
        let text = br#"
            // arith.comment
            module attributes {llvm.data = "x.y"} {
              func.func @f(%a: !llvm.ptr) -> i32 attributes {a.b} {
                %0 = arith.constant #foo.attr<1> : i32
                %1:2 = "scf.if"(%c) ({
                ^bb0(%b: i32):
                  "scf.yield"(%b) : (i32) -> ()
                }, {
                }) {x.y = "not.one"} : (i1) -> (i32, i32)
              } loc("a.b")
              return %0 : i32
            }"#;
        let written = operations_of_text(text);
        let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(&written.custom), "arith.constant builtin.module func.func");
        assert_eq!(names(&written.generic), "scf.if scf.yield");
    }

    #[test]
    fn pieces_are_no_operations() {
        for text in
            ["\"", "^", "%", "% = ", "}", ".", "a.", ".a", "a..b", "a.1", "\"a.b\"", "\"a.b", "\u{fffd}"]
        {
            assert_eq!(operations_of_text(text.as_bytes()), ProgramOperations::default(), "{text}");
        }
        // A line that cannot be read does not hide the next one.
        let text = b"\"a.b\n\xff\xfe ^ %x\n}}, %0 = a.b";
        assert_eq!(operations_of_text(text).custom, BTreeSet::from(["a.b".to_owned()]));
    }
}
