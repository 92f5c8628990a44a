//! Examples (DOC007): the names that they use must exist, and the format's parser must accept their texts.
//!
//! ```text
//! %2 = ex.plus %0, %1 : i32       no such operation
//! %2 = ex.add %0 %1 : i32         refused at '%1', where ',' is wanted
//! %2 = ex.add %0, %1 : !ex.box    no such type, if the dialect has no parser of its own
//! ```

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::markdown;
use crate::{
    language::{self, Fit, Format, model::Classes},
    lint::{
        cx::{Cx, Op, Subject},
        rule::{Fixable, Level, Rule, SINCE},
        words::quoted,
    },
};

pub(super) static STALE: Rule = Rule {
    id: "DOC007",
    name: "example-stale",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An example in a description has an operation, type or attribute that its dialect does not have, or does not have any \
           more; or it is written otherwise than the assembly format wants it.",
    advice: "write the example anew",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    %2 = ex.plus %0, %1 : i32
    %3 = ex.add %0 %1 : i32
    ```
  }];
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($sum)";
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    %2 = ex.add %0, %1 : i32
    %3 = ex.add %0, ... : i32
    ```
  }];
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($sum)";
}
"#,
    since: SINCE,
};

/// The context that a root's examples are checked in.
pub(super) struct Examples<'c, 'a, 'r> {
    cx: &'c Cx<'a, 'r>,
    classes: Classes,
    operations: FxHashMap<&'c str, &'c Op<'r>>,
    /// The formats by operation; `None` if an operation has none, or an invalid one.
    formats: RefCell<FxHashMap<&'c str, Option<Rc<Format>>>>,
}

impl<'c, 'a, 'r> Examples<'c, 'a, 'r> {
    /// Returns `None` if the rule is disabled.
    pub fn new(cx: &'c Cx<'a, 'r>) -> Option<Self> {
        cx.wants(&STALE).then(|| Examples {
            cx,
            classes: Classes::new(&[cx.model]),
            operations: cx.operations.iter().map(|it| (it.subject.id.as_str(), it)).collect(),
            formats: RefCell::default(),
        })
    }

    /// Checks the examples of a description.
    pub fn check(&self, subject: &Subject<'_>, description: &str) {
        let source = markdown::source(self.cx, subject, description);
        let mut reported: Vec<String> = Vec::new();
        let mut at = 0;
        for (index, block) in description.split("```").enumerate() {
            let start = at;
            at += block.len() + 3;
            let (language, code) = block.split_once('\n').unwrap_or(("", block));
            // A grammar is not an example.
            if index % 2 == 0 || !matches!(language.trim(), "" | "mlir") || code.contains("::=") {
                continue;
            }
            let code_start = start + block.len() - code.len();
            for fault in self.faults(code) {
                if reported.contains(&fault.key) {
                    continue;
                }
                let text = &code[fault.start..fault.end];
                let place = match &source {
                    Some(source) => Some(source.place(code_start + fault.start, text.len())),
                    None => self.cx.place_in_field(subject.rec, "description", text),
                };
                self.cx
                    .draft(&STALE, subject, fault.message)
                    .part("description")
                    .at(place)
                    .witness(line_at(code, fault.start))
                    .add();
                reported.push(fault.key);
            }
        }
    }

    /// Returns the faults of a piece of code, in order.
    fn faults(&self, code: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut start = 0;
        for line in code.split_inclusive('\n') {
            let line_start = start;
            start += line.len();
            self.names(line, line_start, &mut faults);
            let Some(name) = operation(line) else { continue };
            let name_start = line_start + line.find(name).unwrap_or_default();
            let at = (name_start, name_start + name.len());
            if self.is_unknown(name) {
                let message = format!("an example has '{name}', which there is not");
                faults.push(Fault::new(name.to_owned(), message, at));
                continue;
            }
            let Some(it) =
                self.operations.get(name).filter(|_| !line[..name_start - line_start].ends_with('"'))
            else {
                continue;
            };
            if line.trim_start().starts_with('%') && it.op.results().is_empty() {
                let message = format!("an example of '{name}' has a result, and the operation has none");
                faults.push(Fault::new(format!("{name} ="), message, at));
                continue;
            }
            let fit = self.format(it).map(|format| language::fit(&format, &code[at.1..]));
            if let Some(Fit::Refused { at: offset, wanted }) = fit {
                let message = refusal(name, &code[at.1 + offset..], wanted);
                faults.push(Fault::new(format!("{name} …"), message, at));
            }
        }
        faults
    }

    /// Collects types and attributes that their dialect does not have.
    fn names(&self, line: &str, line_start: usize, faults: &mut Vec<Fault>) {
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices(['!', '#']) {
            // Skips `%x#1` and the content of strings.
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                || code[..at].matches('"').count() % 2 == 1
            {
                continue;
            }
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
            let rest = &code[at + 1..];
            let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let Some((dialect, mnemonic)) = name.split_once('.') else { continue };
            let full = &code[at..=at + name.len()];
            let is_placeholder =
                mnemonic.is_empty() || mnemonic.ends_with('.') || PLACEHOLDERS.contains(&mnemonic);
            if is_placeholder
                || !self.cx.known.is_closed(&full[..1], dialect)
                || self.cx.known.definitions.contains(full)
            {
                continue;
            }
            let what = if full.starts_with('!') { "type" } else { "attribute" };
            let message = format!("an example has '{full}', and the dialect has no such {what}");
            faults.push(Fault::new(
                full.to_owned(),
                message,
                (line_start + at, line_start + at + full.len()),
            ));
        }
    }

    fn is_unknown(&self, name: &str) -> bool {
        let Some((dialect, mnemonic)) = name.split_once('.') else { return false };
        let known = self.cx.known;
        let is_known = known.operations.contains(name) || !known.dialects.contains(dialect);
        !is_known && !mnemonic.is_empty() && !PLACEHOLDERS.contains(&mnemonic)
    }

    fn format(&self, it: &'c Op<'r>) -> Option<Rc<Format>> {
        let mut formats = self.formats.borrow_mut();
        let made = formats.entry(&it.subject.id).or_insert_with(|| {
            let format = language::model::operation(&it.op, &self.classes)?;
            format.ok().map(Rc::new)
        });
        made.clone()
    }
}

/// Placeholders in examples, which may be any name.
const PLACEHOLDERS: &[&str] =
    &["foo", "bar", "baz", "op", "some_op", "type", "attr", "some_type", "some_attr"];

/// A fault in a piece of code.
struct Fault {
    /// The name at fault; reported once.
    key: String,
    message: String,
    start: usize,
    end: usize,
}

impl Fault {
    fn new(key: String, message: String, (start, end): (usize, usize)) -> Fault {
        Fault { key, message, start, end }
    }
}

fn refusal(name: &str, rest: &str, wanted: Option<String>) -> String {
    let found = match rest.split_whitespace().next() {
        Some(word) => format!("at {}", quoted(word)),
        None => "at its end".to_owned(),
    };
    match wanted {
        Some(wanted) => format!(
            "an example of '{name}' does not fit the format: {found}, where {} is wanted",
            quoted(&wanted)
        ),
        None => format!("an example of '{name}' does not fit the format: {found}, where it should end"),
    }
}

fn line_at(code: &str, at: usize) -> &str {
    let start = code[..at].rfind('\n').map_or(0, |line| line + 1);
    code[start..].lines().next().unwrap_or_default().trim()
}

/// Returns the operation that a line begins with, or whose results it assigns.
fn operation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.starts_with('%') {
        true => {
            let (results, rest) = line.split_once(" = ")?;
            let are_names = results.chars().all(|c| {
                c.is_alphanumeric() || matches!(c, '%' | '_' | ':' | ',' | ' ' | '#' | '$' | '.' | '-')
            });
            if !are_names {
                return None;
            }
            rest.trim_start()
        }
        false => line,
    };
    let is_quoted = rest.starts_with('"');
    let rest = rest.strip_prefix('"').unwrap_or(rest);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(length);
    let is_whole = if is_quoted {
        after.starts_with("\"(")
    } else {
        after.is_empty() || after.starts_with([' ', '(', '{', '<', ',', ':', '['])
    };
    // A sentence or a line of C++ begins differently.
    let is_name =
        name.contains('.') && !name.ends_with('.') && name.starts_with(|c: char| c.is_ascii_lowercase());
    // `ex.attr = …` in a list of attributes, `ex.rule ::= …` in a grammar.
    let is_assigned = after.trim_start().starts_with('=') || after.trim_start().starts_with("::=");
    (is_whole && is_name && !is_assigned).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::operation;

    #[test]
    fn operations_of_lines() {
        assert_eq!(operation("  %0, %1 = ex.add %2 : i32"), Some("ex.add"));
        assert_eq!(operation("ex.yield"), Some("ex.yield"));
        assert_eq!(operation("\"ex.op\"(%0)"), Some("ex.op"));
        assert_eq!(operation("ex.attr = 3 : i32"), None);
        assert_eq!(operation("e.g. what"), None);
        assert_eq!(operation("ex.add-op"), None);
    }
}
