//! The finding: plain data, with its location resolved.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

pub use odsmith_tablegen::source::Excerpt;
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic, Id, Severity},
    source::Sources,
    span::Span,
    syntax,
    text::{lossy, shortened},
};

/// Something to report. Serialized, it is a message of evaluation: severity, code, message, location and notes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The category.
    pub code: Code,
    /// The identity, if the message is one that code recognises.
    #[serde(skip)]
    pub id: Option<Id>,
    /// The id of the rule: `IN001`. Messages of evaluation have none.
    #[serde(skip)]
    pub rule: Cow<'static, str>,
    /// The name of the rule: `attr-added-optional`.
    #[serde(skip)]
    pub name: Cow<'static, str>,
    /// The symbol, by its stable id, and after `#` the part of it; a file by its path.
    #[serde(skip)]
    pub subject: String,
    /// The finding in one line.
    #[serde(serialize_with = "as_utf8")]
    pub message: String,
    /// The remedy.
    #[serde(skip)]
    pub advice: Cow<'static, str>,
    /// A text, type or value that shows it.
    #[serde(skip)]
    pub witness: Option<String>,
    /// More lines for a reader.
    #[serde(skip)]
    pub details: Vec<String>,
    /// The identity without line numbers, where it is another one than subject and message: it stays the same after an
    /// edit elsewhere.
    #[serde(skip)]
    pub key: String,
    /// The location, if there is one.
    #[serde(flatten)]
    pub location: Option<Location>,
    /// Notes, and other locations that have a part in it.
    #[serde(rename = "notes", skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Finding>,
    /// The edits that remove it.
    #[serde(skip)]
    pub fix: Option<Fix>,
    /// The reason for accepting it, if it is accepted.
    #[serde(skip)]
    pub accepted: Option<String>,
    /// True if the text form says that the location is unknown.
    #[serde(skip)]
    pub is_of_unknown_place: bool,
    /// True if the text form has no label.
    #[serde(skip)]
    pub is_bare: bool,
    /// True for a note that says what to do, which the text form labels as help.
    #[serde(skip)]
    pub is_help: bool,
    /// True if the reference's text form does not end its line.
    #[serde(skip)]
    pub is_unended: bool,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Location {
    /// The file, by the name that it was read under.
    pub file: String,
    /// The piece.
    pub range: Range,
    /// The `include`s that led to the file, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include_stack: Vec<Inclusion>,
    /// The text of the line; if it is long, an excerpt around the piece.
    #[serde(skip)]
    pub line: Excerpt,
}

/// The range from the first byte of a piece to the one after its last, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Range {
    /// The first byte.
    pub start: LineColumn,
    /// The byte after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<LineColumn>,
}

/// A line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct LineColumn {
    /// Line.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

/// One of the `include`s that led to a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Inclusion {
    /// The including file.
    pub file: String,
    /// The line of the `include`.
    pub line: u32,
}

/// Edits that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = lint::Fix))]
pub struct Fix {
    /// The purpose of the edits.
    pub title: String,
    /// True if generated code stays the same.
    pub is_safe: bool,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A piece of a file that is replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = lint::Edit))]
pub struct Edit {
    /// The file.
    pub file: String,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The new text.
    pub text: String,
}

/// The texts of a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleText {
    /// The id: `IN001`.
    pub id: &'static str,
    /// A name in words: `attr-added-optional`.
    pub name: &'static str,
    /// The fault that it finds, in one or two sentences.
    pub text: &'static str,
    /// The remedy.
    pub advice: &'static str,
    /// The severity, unless a finding overrides it.
    pub severity: Severity,
}

/// How much of a text a finding repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// An excerpt, if the text is long.
    Excerpt,
    /// The whole text, as in the reference.
    Whole,
}

/// The most bytes of a message in a finding with excerpts.
const MOST_OF_A_MESSAGE: usize = 10_000;

/// Serializes a message as well-formed UTF-8.
fn as_utf8<S: Serializer>(message: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&lossy(message))
}

/// Returns the number of open findings of a severity.
#[must_use]
pub fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.is_open() && finding.severity == severity).count()
}

impl Finding {
    /// Resolves the locations of a diagnostic and its notes. Long lines and messages are cut to excerpts.
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        Finding::with(Extent::Excerpt, diagnostic, sources)
    }

    /// Creates the finding with this extent of lines and messages.
    #[must_use]
    pub fn with(extent: Extent, diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let location = match &diagnostic.snippet {
            Some(snippet) => {
                let mut own = Sources::default();
                let text: &[u8] = snippet.text.as_bytes();
                own.add(snippet.name.as_str().into(), text, Span::NONE);
                Location::of_span(extent, Span(0).plus(snippet.offset), &own)
            }
            None if diagnostic.span == Span::UNKNOWN => None,
            None => Location::of_span(extent, diagnostic.span, sources),
        };
        let message = match extent {
            Extent::Excerpt => shortened(&diagnostic.message, MOST_OF_A_MESSAGE).into_owned(),
            Extent::Whole => diagnostic.message.clone(),
        };
        Finding {
            severity: diagnostic.severity,
            code: diagnostic.code,
            id: diagnostic.id,
            message,
            location,
            related: diagnostic.notes.iter().map(|note| Finding::with(extent, note, sources)).collect(),
            is_of_unknown_place: diagnostic.span == Span::UNKNOWN,
            is_bare: diagnostic.is_bare,
            is_unended: diagnostic.is_unended,
            ..Finding::default()
        }
    }

    /// Creates a finding without a location.
    #[must_use]
    pub fn unlocated(diagnostic: &Diagnostic) -> Self {
        Self::new(diagnostic, &Sources::default())
    }

    /// Creates a note.
    #[must_use]
    pub fn note(location: Option<Location>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Note, message: message.into(), location, ..Finding::default() }
    }

    /// Creates a note that says what to do.
    #[must_use]
    pub fn help(message: impl Into<String>) -> Self {
        Finding { is_help: true, ..Finding::note(None, message) }
    }

    /// Returns true if nothing accepts it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.accepted.is_none()
    }

    /// Returns the level in lists: `info` for a note.
    #[must_use]
    pub fn level(&self) -> &'static str {
        if self.severity == Severity::Note { "info" } else { self.severity.name() }
    }

    /// Returns the id of the rule, or the code's name.
    #[must_use]
    pub fn rule_or_code(&self) -> &str {
        if self.rule.is_empty() { self.code.name() } else { &self.rule }
    }

    /// Returns the message after the subject.
    #[must_use]
    pub fn headline(&self) -> Cow<'_, str> {
        let message = lossy(&self.message);
        if self.subject.is_empty() { message } else { format!("{}: {message}", self.subject).into() }
    }

    /// Returns the identity without line numbers; empty if the finding has none.
    #[must_use]
    pub fn key(&self) -> Cow<'_, str> {
        match self.key.is_empty() && !self.subject.is_empty() {
            true => format!("{} {}", self.subject, self.message).into(),
            false => self.key.as_str().into(),
        }
    }

    /// Returns the lines below the message: witness, remedy and more.
    pub fn lines(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let witness = self.witness.iter().map(|it| Cow::from(format!("for example: {it}")));
        let advice = Some(&self.advice).filter(|it| !it.is_empty());
        let advice = advice.map(|it| Cow::from(format!("instead: {it}")));
        witness.chain(advice).chain(self.details.iter().map(|line| Cow::from(line.as_str())))
    }

    /// Returns the notes that have no place of their own, such as the remedy of an error.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let without_place = self.related.iter().filter(|it| it.location.is_none());
        without_place.map(|note| lossy(&note.message))
    }

    /// Returns the headline and the lines below it.
    pub(crate) fn long_text(&self) -> String {
        let mut text = self.headline().into_owned();
        for line in self.lines().chain(self.remarks()) {
            text.push('\n');
            text += &line;
        }
        text
    }

    /// Estimates the heap memory that it takes, in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let location = self.location.as_ref().map_or(0, |location| {
            let stack = location.include_stack.iter().map(|it| it.file.len() + size_of::<Inclusion>());
            location.file.len() + location.line.text.len() + stack.sum::<usize>()
        });
        let related: usize = self.related.iter().map(Finding::heap_bytes).sum();
        size_of::<Finding>() + self.message.len() + location + related
    }
}

impl Location {
    /// Returns the piece of a file from one line and column to another, if that is known.
    #[must_use]
    pub fn new(file: impl Into<String>, start: (u32, u32), end: Option<(u32, u32)>) -> Self {
        let at = |(line, column)| LineColumn { line, column };
        let range = Range { start: at(start), end: end.map(at) };
        Location { file: file.into(), range, include_stack: Vec::new(), line: Excerpt::default() }
    }

    fn of_span(extent: Extent, span: Span, sources: &Sources) -> Option<Self> {
        let (buffer, start) = sources.position(span)?;
        let start = LineColumn { line: start.line, column: start.column };
        let at = (span.0 - buffer.start) as usize;
        let length = syntax::token_length(&buffer.text[at.min(buffer.text.len())..]);
        let mut include_stack = Vec::new();
        let mut included_at = buffer.included_at;
        while let Some((outer, position)) = sources.position(included_at) {
            include_stack.push(Inclusion { file: outer.name.to_string(), line: position.line });
            included_at = outer.included_at;
        }
        include_stack.reverse();
        let (line, at) = sources.line_text(span).unwrap_or_default();
        let end = LineColumn { line: start.line, column: start.column + length as u32 };
        Some(Location {
            file: buffer.name.to_string(),
            range: Range { start, end: Some(end) },
            include_stack,
            line: match extent {
                Extent::Excerpt => Excerpt::around(line, at),
                Extent::Whole => Excerpt::whole(line, at),
            },
        })
    }

    /// Returns the sort key: file and piece.
    #[must_use]
    pub fn order(&self) -> (&str, Range) {
        (&self.file, self.range)
    }
}

/// Writes `file:line:column`.
impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LineColumn { line, column } = self.range.start;
        write!(f, "{}:{line}:{column}", self.file)
    }
}
