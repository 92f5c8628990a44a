//! The effects of another release of MLIR on a project.
//!
//! | module | question |
//! | --- | --- |
//! | [`library`] | what happened to a name, a file, an argument, a field? |
//! | [`causes`] | why is a root no longer read? |
//! | [`edits`] | which edits of the project's files fix that? |
//! | [`formats`] | which formats are refused, and which texts change? |
//! | [`generated`] | what changes in generated C++ and Python, and for which reasons? |
//! | [`upstream`] | what changed in MLIR's definitions that the project names? |
//! | [`narrowed`] | which constraints take fewer types under the same name? |
//! | [`cpp`] | which C++ inside `.td` files is no longer compiled? |
//! | [`methods`] | which operations have to implement methods that had a default? |
//! | [`texts`] | which statements of programs have another text? |
//! | [`stale`], [`bytecode`] | which files with programs are read differently, or not at all? |
//! | [`render`] | text, Markdown, JSON and HTML |
//!
//! Callers read files, evaluate roots and generate outputs; this module works on the results. The table of deprecations
//! is data of `odsmith-release`.

pub mod bytecode;
pub mod causes;
pub mod cpp;
pub mod edits;
pub mod formats;
pub mod generated;
pub mod library;
pub mod methods;
pub mod narrowed;
pub mod render;
pub mod stale;
pub mod texts;
#[doc(hidden)]
pub mod upstream;

use std::collections::BTreeMap;

use odsmith_release::{
    cpp::CppForm,
    deprecations::{Deprecation, Remedy, Status, Subject},
};
use odsmith_tablegen::outline::{Kind, Outline, Token, symbols::Symbols, tokens};
use serde::Serialize;

use self::{
    causes::{CauseKind, Failure},
    cpp::CppUse,
    edits::{Edit, Files, Fix},
    formats::{Formats, UnboundOperation},
    generated::Generated,
    library::{Fate, LibraryPair},
    methods::{METHODS_ROW, UnimplementedMethods},
    narrowed::NarrowedConstraint,
    stale::StaleFile,
    upstream::{Mentions, Upstream},
};
use crate::diff::rules::{Severity, Verdict};

/// The version of the report, which changes when readers have to.
pub const SCHEMA: u32 = 1;

/// The report on an upgrade.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Upgrade {
    /// The version of this format.
    pub schema: u32,
    /// The release that the project is written for.
    pub from: String,
    /// The release to upgrade to.
    pub to: String,
    /// The commit of LLVM that it pins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<String>,
    /// The number of its `.td` files.
    pub files: usize,
    /// The roots that are read, and errors.
    pub reading: Reading,
    /// Removed, deprecated or outdated names and forms that it uses.
    pub dated: Vec<DatedUse>,
    /// Formats that are refused, and texts that change.
    pub formats: Formats,
    /// Edits that fix unread roots.
    pub edits: Vec<Edit>,
    /// The proof for the edits.
    pub proof: Proof,
    /// Changes in generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<Generated>,
    /// Changes in MLIR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<Upstream>,
    /// Constraints of MLIR that take fewer types under the same name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub narrowed: Vec<NarrowedConstraint>,
    /// Files with programs.
    pub programs: Vec<StaleFile>,
    /// Checks that were skipped, and why.
    pub notes: Vec<String>,
}

/// The number of roots that are read, and the errors of the others.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reading {
    /// The number of roots.
    pub roots: usize,
    /// The number of roots that the newer release reads unchanged.
    pub read: usize,
    /// The roots that it reads after the edits.
    pub mended: Vec<String>,
    /// Errors of the others, by root; an error that only shows once an earlier one is fixed comes after it.
    pub failures: Vec<Failure>,
    /// The number of outputs that the newer release cannot make.
    #[serde(skip_serializing_if = "is_zero")]
    pub unmade: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A use of an entry of the table of deprecations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DatedUse {
    /// The row.
    pub row: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The outdated name.
    pub name: String,
    /// The remedy.
    pub text: String,
    /// True if an edit is enough.
    pub is_mechanical: bool,
    /// Places: file, line, column.
    pub places: Vec<(String, u32, u32)>,
}

/// The result of checking the edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// There are no edits.
    #[default]
    NoEdits,
    /// The older release generates the same bytes from the edited files, and the newer one reads them.
    SameOutputs,
    /// As before, but the parsers and printers that the older release generates differ.
    SameButAssembly,
    /// The newer release reads every root that it did not read before; the older one does not know the new names.
    Read,
    /// Some more roots are read, but not all.
    PartlyRead,
    /// No more roots are read.
    Nothing,
    /// All edits are of statements of programs, which the newer definitions read with the same parts.
    Texts,
}

impl Proof {
    /// Returns the proof as a sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Proof::NoEdits => "there is nothing to edit",
            Proof::SameOutputs => {
                "the older release generates the same bytes from the edited files, and the newer one reads them"
            }
            Proof::SameButAssembly => {
                "the older release generates the same bytes from the edited files but for parsers and printers, and the \
                 newer one reads them"
            }
            Proof::Read => {
                "the newer release reads the edited files; the older one does not have the new names, or generates other \
                 text from them"
            }
            Proof::PartlyRead => {
                "the newer release reads some roots that it did not; the others have errors that no edit mends"
            }
            Proof::Texts => "the newer definitions read each edited statement with the parts that it had",
            Proof::Nothing => "no root more is read: other errors come after those that were mended",
        }
    }
}

impl Upgrade {
    /// Counts findings of a severity in the whole report: errors of reading, removed names, changes in definitions that
    /// are named, stale programs.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let failures = self.reading.failures.iter().map(|failure| failure.cause.kind.severity());
        let dated = self.dated.iter().map(|it| it.severity);
        let upstream = self.upstream.iter().flat_map(|upstream| {
            upstream.changed.iter().map(|change| change.findings.iter().map(|it| it.severity).min())
        });
        let programs = self.programs.iter().map(|file| match (file.verdict(), &file.problem) {
            (Verdict::Silent | Verdict::Breaks, _) => Severity::Error,
            (_, Some(_)) => Severity::Warning,
            _ => Severity::Note,
        });
        let narrowed = self.narrowed.iter().map(|_| Severity::Error);
        let all = failures.chain(dated).chain(upstream.flatten()).chain(programs).chain(narrowed);
        all.filter(|it| *it == severity).count()
    }

    /// Returns the errors that the older release reports as well: those of the project itself.
    pub fn own_errors(&self) -> impl Iterator<Item = &Failure> {
        self.reading.failures.iter().filter(|failure| failure.cause.kind == CauseKind::Before)
    }

    /// Returns true if a finding is at least this severe.
    #[must_use]
    pub fn fails(&self, at: Severity) -> bool {
        [Severity::Error, Severity::Warning, Severity::Note]
            .into_iter()
            .any(|it| it <= at && self.count(it) > 0)
    }
}

/// Finds uses of removed or outdated names, as the table of deprecations or the libraries show. Names that the project
/// defines itself do not count.
#[must_use]
pub fn dated_uses(libraries: LibraryPair<'_>, files: &Files<'_>, project: &Symbols) -> Vec<DatedUse> {
    let mut all = Vec::new();
    let rows = libraries.rows();
    let mut of_names: BTreeMap<&str, &'static Deprecation> = BTreeMap::new();
    let mut of_fields: BTreeMap<&str, &'static Deprecation> = BTreeMap::new();
    let mut of_files: BTreeMap<&str, &'static Deprecation> = BTreeMap::new();
    for row in rows {
        match row.subject {
            Subject::Name(name) => {
                let is_there = libraries.new.symbol(name).is_some();
                let is_moved = matches!(row.remedy, Remedy::Include(_));
                if project.symbol(name).is_none()
                    && !is_moved
                    && (row.status == Status::Deprecated || !is_there)
                {
                    of_names.insert(name, row);
                }
            }
            // If some class still has the field, only an error shows which class is meant.
            Subject::Field { class, field } => {
                let others = libraries.new.classes_with_field(field);
                let is_dated = row.status == Status::Dated && others == [class];
                if is_dated || others.is_empty() && project.classes_with_field(field).is_empty() {
                    of_fields.insert(field, row);
                }
            }
            Subject::File(path) => {
                if !libraries.new.has_file(path) && !files.contains_key(path) {
                    of_files.insert(path, row);
                }
            }
            Subject::Form(_) => {}
        }
    }
    let mut places: BTreeMap<&'static str, Vec<(String, u32, u32)>> = BTreeMap::new();
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
        for place in edits::uses(file, text, |name| of_names.contains_key(name)) {
            if let Some(row) = of_names.get(place.old.as_str()) {
                places.entry(row.id).or_default().push((place.file, place.line, place.column));
            }
        }
        let outline = Outline::new(*file, text);
        let all: Vec<Token> = outline.code().collect();
        for pair in all.windows(2) {
            let row = match (outline.text_of(pair[0]), pair[1].kind) {
                ("let", Kind::Word) => of_fields.get(outline.text_of(pair[1])),
                ("include", Kind::String) if pair[1].is_closed => of_files.get(outline.inside(pair[1])),
                _ => None,
            };
            if let Some(row) = row {
                let (line, column) = outline.position(pair[1].start);
                places.entry(row.id).or_default().push(((*file).to_owned(), line, column));
            }
        }
    }
    for (id, places) in places {
        let Some(row) = Deprecation::of_id(id) else { continue };
        let severity = match row.status {
            Status::Gone => Severity::Error,
            Status::Deprecated => Severity::Warning,
            Status::Dated => Severity::Note,
        };
        let (name, text, is_mechanical) = (row.name().to_owned(), row.text(), row.is_mechanical());
        all.push(DatedUse { row: id, severity, name, text, is_mechanical, places });
    }
    all
}

/// Returns the use of formats that leave out attributes or properties, as a row of the table.
#[must_use]
pub fn use_of_unbound(unbound: &[UnboundOperation]) -> Option<DatedUse> {
    let row = formats_row().filter(|_| !unbound.is_empty())?;
    Some(DatedUse {
        row: row.id,
        severity: Severity::Error,
        name: row.name().to_owned(),
        text: row.text(),
        is_mechanical: unbound.iter().all(|op| op.fix.is_some()),
        places: unbound.iter().map(|op| (op.file.clone(), op.line, op.column)).collect(),
    })
}

/// Returns the uses of C++ that a release does not compile, a row for each form.
#[must_use]
pub fn uses_of_cpp(uses: &[CppUse]) -> Vec<DatedUse> {
    let mut all: Vec<DatedUse> = Vec::new();
    for it in uses {
        let row = it.row;
        match all.iter_mut().find(|known| known.row == row.id) {
            Some(known) => {
                known.is_mechanical &= it.is_mechanical;
                known.places.push(it.place.clone());
                if row.form == CppForm::Unqualified && !known.text.contains(&format!("`{}`", it.text)) {
                    known.text += &format!(", `{}`", it.text);
                }
            }
            None => all.push(DatedUse {
                row: row.id,
                severity: if row.is_certain() { Severity::Error } else { Severity::Warning },
                name: row.old.to_owned(),
                text: match row.form {
                    CppForm::Bare(_) => format!(
                        "C++: predicates are outside the dialect's namespace in {}: write `{}`",
                        row.since, row.new
                    ),
                    CppForm::EmptyAttributes(_) => {
                        format!("C++: `{{}}` may be properties as well in {}: write `{}`", row.since, row.new)
                    }
                    CppForm::Unqualified => format!(
                        "C++: predicates are outside the dialect's namespace in {}: names need theirs: `{}`",
                        row.since, it.text
                    ),
                    CppForm::UnionMethod(..) => {
                        format!("C++: of an `OpFoldResult`, `{}` is deprecated: write `{}`", row.old, row.new)
                    }
                    _ => format!("C++: `{}` is `{}`, at the latest in {}", row.old, row.new, row.since),
                },
                is_mechanical: it.is_mechanical,
                places: vec![it.place.clone()],
            }),
        }
    }
    all
}

/// Returns the operations that have to implement methods, a row for each interface.
#[must_use]
pub fn uses_of_defaults(uses: &[UnimplementedMethods], to: u8) -> Vec<DatedUse> {
    let mut all: Vec<DatedUse> = Vec::new();
    for it in uses {
        let methods = it.methods.iter().map(|method| format!("`{method}`")).collect::<Vec<_>>().join(", ");
        let traits = it.providers.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
        let remedy = match it.providers.is_empty() {
            true => "declare and define them".to_owned(),
            false => format!("add {traits} before it"),
        };
        let text =
            format!("{methods} of `{}` have no default implementation in {to}: {remedy}", it.interface);
        match all.iter_mut().find(|known| known.name == it.interface && known.text == text) {
            Some(known) => {
                known.is_mechanical &= it.fix.is_some();
                known.places.push(it.place.clone());
            }
            None => all.push(DatedUse {
                row: METHODS_ROW,
                severity: Severity::Error,
                name: it.interface.clone(),
                text,
                is_mechanical: it.fix.is_some(),
                places: vec![it.place.clone()],
            }),
        }
    }
    all
}

/// Returns the row of formats that have to write all attributes and properties.
#[must_use]
pub fn formats_row() -> Option<&'static Deprecation> {
    let is_it = |row: &&Deprecation| matches!(row.remedy, Remedy::Insert(_));
    odsmith_release::deprecations::DEPRECATIONS.iter().find(is_it)
}

/// Returns fixes for all renamed and moved names and files, without evaluation. So later errors need not show one by
/// one.
#[must_use]
pub fn known_fixes(libraries: LibraryPair<'_>, files: &Files<'_>, project: &Symbols) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut seen: BTreeMap<String, bool> = BTreeMap::new();
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
        let outline = Outline::new(*file, text);
        let all: Vec<Token> = outline.code().collect();
        for (index, token) in all.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            let name = outline.text_of(*token);
            if name == "include"
                && let Some(path) = all.get(index + 1).filter(|it| it.kind == Kind::String && it.is_closed)
                && let path = outline.inside(*path)
                && !files.contains_key(path)
                && let Some(fate) = libraries.fate_of_file(path)
                && (fate.to.is_some() || fate.row.is_some())
            {
                fixes.push(Fix::ReplaceInclude {
                    file: (*file).to_owned(),
                    old: path.to_owned(),
                    new: fate.to,
                });
                continue;
            }
            // Most names are in the new library, so that is checked first.
            if libraries.new.symbol(name).is_some()
                || project.symbol(name).is_some()
                || seen.contains_key(name)
            {
                continue;
            }
            let fate = libraries.fate(name);
            seen.insert(name.to_owned(), true);
            if let Fate::Renamed(successor) = fate {
                fixes.push(Fix::Rename { old: name.to_owned(), new: successor.name });
            }
        }
    }
    fixes
}

/// Returns the fixes of deprecated names whose new names both releases have, so that the edited files are read by both.
#[must_use]
pub fn fixes_of_deprecated(dated: &[DatedUse], libraries: LibraryPair<'_>) -> Vec<Fix> {
    let renames = dated.iter().filter(|it| it.severity == Severity::Warning).filter_map(|it| {
        let Remedy::Rename(new) = Deprecation::of_id(it.row)?.remedy else { return None };
        let is_in_both = libraries.old.symbol(new).is_some() && libraries.new.symbol(new).is_some();
        is_in_both.then(|| Fix::Rename { old: it.name.clone(), new: new.to_owned() })
    });
    renames.collect()
}

/// Counts the words of `.td` files, which may be names that the project uses.
#[must_use]
pub fn words_of_td(files: &Files<'_>) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for text in files.iter().filter(|(file, _)| file.ends_with(".td")).map(|(_, text)| text) {
        for token in tokens::tokens(text).filter(|token| token.kind == Kind::Word) {
            *all.entry(String::from_utf8_lossy(&text[token.range()]).into_owned()).or_default() += 1;
        }
    }
    all
}

/// Adds the capitalized words of a C++ file to the project's mentions: classes begin with a capital.
pub fn add_words_of_cpp(text: &[u8], mentions: &mut Mentions) {
    let mut rest = text;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    while let Some(start) = rest.iter().position(is_part) {
        rest = &rest[start..];
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if word[0].is_ascii_uppercase() {
            *mentions.cpp.entry(String::from_utf8_lossy(word).into_owned()).or_default() += 1;
        }
        rest = after;
    }
}
