//! The reason why a root is no longer read: from a message and its place to a change of the library.

use odsmith_interchange::Document;
use odsmith_release::deprecations::{Deprecation, Remedy, Subject};
use odsmith_report::{Finding, Id, Severity};
use odsmith_tablegen::{
    outline::{Kind, symbols::Symbols, tokens},
    source::is_foreign,
};
use serde::Serialize;

use super::{
    edits::Fix,
    library::{Evidence, Fate, LibraryPair, Successor},
};
use crate::diff::{Comparison, rules::Rule};

/// The kind of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// A definition was renamed.
    Renamed,
    /// A definition is in a file that is not included.
    Moved,
    /// A definition was removed.
    Gone,
    /// A file was moved.
    FileMoved,
    /// A file was removed.
    FileGone,
    /// The template arguments of a class changed.
    Arguments,
    /// A field was renamed or removed.
    Field,
    /// A format has to write all attributes and properties.
    Format,
    /// The newer library and the project define the same name.
    Defined,
    /// The older release does not read the root either, as it is a part of another file.
    Part,
    /// The older release does not read the root either.
    Before,
    /// The libraries do not explain it.
    Unknown,
}

impl CauseKind {
    /// Returns the severity of an error with such a cause: those that the older release has as well are notes.
    #[must_use]
    pub fn severity(self) -> Severity {
        if matches!(self, CauseKind::Part | CauseKind::Before) { Severity::Note } else { Severity::Error }
    }
}

/// The reason why a root is no longer read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// Its kind.
    pub kind: CauseKind,
    /// Its subject: a name or a file.
    pub subject: String,
    /// The cause in a sentence.
    pub text: String,
    /// The row of the table of deprecations that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<&'static str>,
    /// The fix, if an edit is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// An error of a root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The root.
    pub root: String,
    /// The file with the error; the root if the error has no place.
    pub file: String,
    /// The line, from 1; 0 if the error has no place.
    pub line: u32,
    /// The column, from 1, in bytes; 0 if the error has no place.
    pub column: u32,
    /// The release's message.
    pub message: String,
    /// The number of earlier errors of the root that had to be fixed to reach this one.
    pub after: usize,
    /// The cause.
    pub cause: Cause,
}

impl Failure {
    /// Explains an error that nothing explained by what changed in the operations that its line names.
    pub fn explain_by(&mut self, comparison: &Comparison, documents: [&Document; 2], line: &str) {
        if self.cause.kind != CauseKind::Unknown {
            return;
        }
        let is_about_parts = |rule: Rule| matches!(rule.family(), "OP" | "IN");
        for token in tokens::tokens(line.as_bytes()).filter(|token| token.kind == Kind::Word) {
            let word = token.text(line);
            let operations = documents.iter().flat_map(|document| &document.operations);
            let mut named = operations.filter(|op| op.definition.record.as_deref() == Some(word));
            let Some(op) = named.next() else { continue };
            let of_op = comparison.findings.iter().filter(|it| {
                let whole = it.subject.split('#').next().unwrap_or_default();
                whole == op.name && is_about_parts(it.rule)
            });
            let all: Vec<&str> = of_op.map(|it| it.message.as_str()).collect();
            if !all.is_empty() {
                let text = format!("`{word}` ({}) changed: {}", op.name, all.join("; "));
                let subject = word.to_owned();
                self.cause = Cause { kind: CauseKind::Arguments, subject, text, row: None, fix: None };
                return;
            }
        }
    }
}

/// Returns true if both messages report the same error, which releases may word differently.
#[must_use]
pub fn is_same_error(one: &Finding, other: &Finding) -> bool {
    match (one.id, other.id) {
        (Some(id), Some(other_id)) => id == other_id && quoted(&one.message) == quoted(&other.message),
        _ => one.message == other.message,
    }
}

/// The context in which causes are searched.
#[derive(Clone, Copy)]
pub struct Surroundings<'o> {
    /// The libraries.
    pub libraries: LibraryPair<'o>,
    /// The project's definitions.
    pub project: &'o Symbols,
    /// The prefix of the new library's files in messages: `<mlir-22>`.
    pub library_root: &'o str,
}

impl Surroundings<'_> {
    /// Explains a message. `before` is the older release's message for the same root, if it does not read it.
    #[must_use]
    pub fn explain(self, message: &Finding, before: Option<&Finding>) -> Cause {
        let cause = self.of_message(message);
        match before {
            Some(earlier) if is_same_error(earlier, message) => {
                let is_part = matches!(cause.kind, CauseKind::Moved | CauseKind::Part);
                let kind = if is_part { CauseKind::Part } else { CauseKind::Before };
                let from = self.libraries.from;
                let text = match kind {
                    CauseKind::Part => {
                        format!(
                            "MLIR {from} does not read it by itself either: it is a part of another file, and {}",
                            cause.text
                        )
                    }
                    _ => format!("MLIR {from} does not read it either: {}", cause.text),
                };
                // A form that the older release had dropped already keeps its fix, as if that release had read it.
                let is_older = cause.row.and_then(Deprecation::of_id).is_some_and(|row| row.is_in(from));
                Cause { kind, text, fix: cause.fix.filter(|_| is_older), ..cause }
            }
            _ => cause,
        }
    }

    fn of_message(self, message: &Finding) -> Cause {
        let names = quoted(&message.message);
        if message.id == Some(Id::MissingInclude)
            && let Some(path) = names.first()
        {
            return self.of_file(path, message);
        }
        if message.id == Some(Id::AlreadyDefined)
            && let Some(name) = names.first()
            && let Some(symbol) = self.libraries.new.symbol(name)
        {
            let to = self.libraries.to;
            let text = format!(
                "MLIR {to} defines `{name}` as well, in {}: leave the project's own out, or call it otherwise",
                symbol.file
            );
            return Cause { kind: CauseKind::Defined, subject: name.clone(), text, row: None, fix: None };
        }
        if message.id == Some(Id::StrictProperties)
            && let Some(row) = super::formats_row()
        {
            let subject = names.last().cloned().unwrap_or_default();
            return Cause {
                kind: CauseKind::Format,
                subject,
                text: row.text(),
                row: Some(row.id),
                fix: None,
            };
        }
        for name in &names {
            if let Some(cause) = self.of_name(name, message) {
                return cause;
            }
        }
        let line = message.location.as_ref().map(|at| &at.line.text[..]).unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let words = tokens::tokens(line.as_bytes()).filter(|token| token.kind == Kind::Word);
        let words: Vec<&str> = words.map(|token| token.text(&line)).collect();
        for name in &words {
            if let Some(cause) = self.of_class(name) {
                return cause;
            }
        }
        let subject = names.first().cloned().unwrap_or_default();
        let text = "neither a name, an argument nor a field that the message or its line names has changed"
            .to_owned();
        Cause { kind: CauseKind::Unknown, subject, text, row: None, fix: None }
    }

    fn of_file(self, path: &str, message: &Finding) -> Cause {
        let fix = |new: Option<&str>| {
            self.own_file(message).map(|file| Fix::ReplaceInclude {
                file: file.to_owned(),
                old: path.to_owned(),
                new: new.map(str::to_owned),
            })
        };
        let subject = path.to_owned();
        let Some(fate) = self.libraries.fate_of_file(path) else {
            let text = format!(
                "`{path}` is in neither library: an include folder is missing, or a file of the project"
            );
            return Cause { kind: CauseKind::Unknown, subject, text, row: None, fix: None };
        };
        let row = fate.row.map(|row| row.id);
        if let Some(to) = &fate.to {
            let text = format!("`{path}` is now `{to}`");
            return Cause { kind: CauseKind::FileMoved, subject, text, row, fix: fix(Some(to)) };
        }
        let told = fate.names.iter().filter_map(|name| match self.libraries.fate(name) {
            Fate::Gone { row: Some(row), .. } => Some(row.text()),
            Fate::Renamed(to) => Some(format!("`{name}` is now `{}`, in {}", to.name, to.file)),
            Fate::Moved { to, .. } => Some(format!("`{name}` is in {to}")),
            _ => None,
        });
        let told: Vec<String> = told.take(4).collect();
        let with = if fate.names.is_empty() {
            String::new()
        } else {
            format!(", with `{}`", fate.names.join("`, `"))
        };
        let more = if told.is_empty() { String::new() } else { format!("; {}", told.join("; ")) };
        let text = format!("`{path}` is gone{with}{more}");
        let is_removed = fate.row.is_some_and(|row| row.remedy == Remedy::Remove);
        let fix = if is_removed { fix(None) } else { None };
        Cause { kind: CauseKind::FileGone, subject, text, row, fix }
    }

    /// Returns the file of a message that is about the project.
    fn own_file(self, message: &Finding) -> Option<&str> {
        let file = message.location.as_ref().map(|at| at.file.as_str())?;
        (!file.is_empty() && !is_foreign(file, self.library_root)).then_some(file)
    }

    fn of_name(self, name: &str, message: &Finding) -> Option<Cause> {
        // A template argument: `Class:argument`.
        if let Some((class, _)) = name.split_once(':') {
            return self.of_class(class).or_else(|| self.of_form(class));
        }
        // A value that is not a name of the library may be a field.
        if message.id.is_some_and(Id::is_about_field)
            && let Some(cause) = self.of_field(name, message)
        {
            return Some(cause);
        }
        let subject = name.to_owned();
        let include = |file: &str| {
            let own = self.own_file(message).filter(|own| !self.project.reaches(own, file));
            own.map(|own| Fix::AddInclude { file: own.to_owned(), path: file.to_owned() })
        };
        let shadow = self.project.symbol(name);
        let cause = match self.libraries.fate(name) {
            Fate::Renamed(successor) => self.renamed(name, &successor),
            Fate::Moved { from, to } => {
                let text = format!("`{name}` moved from {from} to {to}, which is not included");
                Cause { kind: CauseKind::Moved, subject, text, row: None, fix: include(&to) }
            }
            Fate::Gone { from, row, candidates } => gone(name, &from, row, &candidates),
            Fate::Same | Fate::New(_) if shadow.is_none() => {
                let file = self.libraries.new.symbol(name)?.file.to_string();
                let text = format!("`{name}` is in {file}, which is not included");
                Cause { kind: CauseKind::Moved, subject, text, row: None, fix: include(&file) }
            }
            Fate::Same | Fate::New(_) | Fate::Foreign => {
                let own = shadow?;
                let text = format!("`{name}` is in {} of the project, which is not included", own.file);
                Cause { kind: CauseKind::Part, subject, text, row: None, fix: None }
            }
        };
        Some(cause)
    }

    fn renamed(self, name: &str, successor: &Successor) -> Cause {
        let Successor { name: new, file, evidence } = successor;
        let row = match evidence {
            Evidence::Row(id) => Some(*id),
            Evidence::EqualBody | Evidence::Similar => None,
        };
        let how = if *evidence == Evidence::EqualBody { ", whose body is the same" } else { "" };
        let advice = row.and_then(Deprecation::of_id).map_or("", |row| row.advice);
        let more = if advice.is_empty() { String::new() } else { format!("; {advice}") };
        Cause {
            kind: CauseKind::Renamed,
            subject: name.to_owned(),
            text: format!("`{name}` is now `{new}`, in {file}{how}{more}"),
            row,
            fix: Some(Fix::Rename { old: name.to_owned(), new: new.clone() }),
        }
    }

    fn of_class(self, class: &str) -> Option<Cause> {
        let change = self.libraries.class_change(class)?;
        let all: Vec<String> = change
            .arguments
            .iter()
            .map(|it| format!("argument {it}"))
            .chain(change.fields.iter().map(|it| format!("field {it}")))
            .collect();
        let text = format!("`{class}` changed, in {}: {}", change.file, all.join("; "));
        Some(Cause { kind: CauseKind::Arguments, subject: class.to_owned(), text, row: None, fix: None })
    }

    /// Explains a form of a class that is no longer accepted: `OpBuilder<"…">`.
    fn of_form(self, class: &str) -> Option<Cause> {
        let is_of = |row: &&Deprecation| match row.subject {
            Subject::Form(form) => form.split('<').next() == Some(class),
            Subject::Name(_) | Subject::Field { .. } | Subject::File(_) => false,
        };
        let row = self.libraries.rows().find(is_of)?;
        let subject = class.to_owned();
        Some(Cause { kind: CauseKind::Arguments, subject, text: row.text(), row: Some(row.id), fix: None })
    }

    fn of_field(self, field: &str, message: &Finding) -> Option<Cause> {
        let (classes, row) = self.libraries.lost_field(field)?;
        let line = message.location.as_ref().map(|at| at.range.start.line).filter(|line| *line > 0);
        let at = self.own_file(message).map(str::to_owned).zip(line);
        let fix = row.zip(at).and_then(|(row, (file, line))| {
            let new = match row.remedy {
                Remedy::Rename(new) => Some(new.to_owned()),
                Remedy::Remove => None,
                Remedy::Include(_) | Remedy::Insert(_) | Remedy::Rewrite => return None,
            };
            Some(Fix::ReplaceField { file, line, old: field.to_owned(), new })
        });
        let of = if classes.is_empty() { String::new() } else { format!(" of `{}`", classes.join("`, `")) };
        let text = match row {
            Some(row) => format!("field{of}: {}", row.text()),
            None => format!("the field `{field}`{of} is gone"),
        };
        Some(Cause {
            kind: CauseKind::Field,
            subject: field.to_owned(),
            text,
            row: row.map(|row| row.id),
            fix,
        })
    }
}

fn gone(name: &str, from: &str, row: Option<&'static Deprecation>, candidates: &[Successor]) -> Cause {
    let text = match (row, candidates) {
        (Some(row), _) => row.text(),
        (None, []) => format!("`{name}`, of {from}, is gone"),
        (None, candidates) => {
            let all: Vec<String> =
                candidates.iter().map(|it| format!("`{}`, in {}", it.name, it.file)).collect();
            format!("`{name}`, of {from}, is gone; it may be {}", all.join(", or "))
        }
    };
    Cause { kind: CauseKind::Gone, subject: name.to_owned(), text, row: row.map(|row| row.id), fix: None }
}

/// Returns the quoted parts of a message, in order.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['\'', '`', '"']) {
        let after = &rest[start + 1..];
        // An apostrophe, as in "couldn't".
        if rest[..start].ends_with(char::is_alphanumeric) {
            rest = after;
            continue;
        }
        let Some(end) = after.find(['\'', '`', '"']) else { break };
        let inner = &after[..end];
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '-');
        if !inner.is_empty() && inner.chars().all(is_name) {
            all.push(inner.to_owned());
        }
        rest = &after[end + 1..];
    }
    all
}

#[cfg(test)]
mod tests {
    use odsmith_report::Location;

    use super::*;

    fn outline(path: &str, text: &str) -> Symbols {
        Symbols::of([(path, text.as_bytes())].into_iter())
    }

    #[test]
    fn names_in_messages() {
        assert_eq!(quoted("Couldn't find class 'A'"), ["A"]);
        assert_eq!(quoted("value not specified for template argument 'A:x'"), ["A:x"]);
        assert_eq!(quoted("Record `r' does not have a field named `f'!"), ["r", "f"]);
    }

    #[test]
    fn a_part_of_another_file_is_none_of_the_release() {
        let library = outline("mlir/IR/A.td", "class A;");
        let project = Symbols::default();
        let libraries = LibraryPair { old: &library, new: &library, from: 19, to: 22 };
        let at = Surroundings { libraries, project: &project, library_root: "<mlir-22>" };
        let mut location = Location::new("x.td", (1, 9), None);
        location.line.text = b"def X : A;".to_vec();
        let message = Finding {
            id: Some(Id::UnknownClass),
            message: "Couldn't find class 'A'".to_owned(),
            location: Some(location),
            ..Finding::default()
        };
        assert_eq!(at.explain(&message, Some(&message)).kind, CauseKind::Part);
        let now = at.explain(&message, None);
        let path = "mlir/IR/A.td".to_owned();
        assert_eq!(now.fix, Some(Fix::AddInclude { file: "x.td".to_owned(), path }));
    }
}
