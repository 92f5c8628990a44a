//! Diagnostics for display: [`Report`] is a message with a resolved place; one file per form renders it.

pub mod json;
pub mod sarif;
pub mod text;

use serde::{Serialize, Serializer};

pub use odsmith_tablegen::source::Excerpt;
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic, Id, Severity},
    source::Sources,
    span::Span,
    syntax, text as bytes,
};

/// A self-contained diagnostic: the place is a file, a line and a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The severity.
    pub severity: Severity,
    /// The error code.
    pub code: Code,
    /// The identity, if the message is one that code recognises.
    #[serde(skip)]
    pub id: Option<Id>,
    /// The message.
    #[serde(serialize_with = "as_utf8")]
    pub message: String,
    /// The place, unless the message has none.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// The notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Report>,
    /// True if the text form says that the place is unknown.
    #[serde(skip)]
    pub is_of_unknown_place: bool,
    /// True if the text form has no label.
    #[serde(skip)]
    pub is_bare: bool,
    /// True if the reference's text form does not end its line.
    #[serde(skip)]
    pub is_unended: bool,
}

/// The place that a message points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, by the name that it was read under.
    pub file: String,
    /// The token.
    pub range: Range,
    /// The `include`s that led to the file, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include_stack: Vec<Inclusion>,
    /// The text of the line; if it is long, an excerpt around the token.
    #[serde(skip)]
    pub line: Excerpt,
}

/// The range from the first byte of a token to the one after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The first byte.
    pub start: LineColumn,
    /// The byte after the last.
    pub end: LineColumn,
}

/// A line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LineColumn {
    /// Line.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

/// One of the `include`s that led to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inclusion {
    /// The including file.
    pub file: String,
    /// The line of the `include`.
    pub line: u32,
}

/// How much of a text a report repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// An excerpt, if the text is long.
    Excerpt,
    /// The whole text, as in the reference.
    Whole,
}

/// The most bytes of a message in a report with excerpts.
const MOST_OF_A_MESSAGE: usize = 10_000;

/// Serializes a message as well-formed UTF-8.
fn as_utf8<S: Serializer>(message: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&bytes::lossy(message))
}

impl Report {
    /// Resolves the places of a diagnostic and its notes. Long lines and messages are cut to excerpts.
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        Report::with(Extent::Excerpt, diagnostic, sources)
    }

    /// Creates the report with this extent of lines and messages.
    #[must_use]
    pub fn with(extent: Extent, diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let place = match &diagnostic.snippet {
            Some(snippet) => {
                let mut own = Sources::default();
                let text: &[u8] = snippet.text.as_bytes();
                own.add(snippet.name.as_str().into(), text, Span::NONE);
                Place::new(extent, Span(0).plus(snippet.offset), &own)
            }
            None if diagnostic.span == Span::UNKNOWN => None,
            None => Place::new(extent, diagnostic.span, sources),
        };
        let message = match extent {
            Extent::Excerpt => text::shortened(&diagnostic.message, MOST_OF_A_MESSAGE).into_owned(),
            Extent::Whole => diagnostic.message.clone(),
        };
        Report {
            severity: diagnostic.severity,
            code: diagnostic.code,
            id: diagnostic.id,
            message,
            place,
            notes: diagnostic.notes.iter().map(|note| Report::with(extent, note, sources)).collect(),
            is_of_unknown_place: diagnostic.span == Span::UNKNOWN,
            is_bare: diagnostic.is_bare,
            is_unended: diagnostic.is_unended,
        }
    }

    /// Creates a report without a place.
    #[must_use]
    pub fn unlocated(diagnostic: &Diagnostic) -> Self {
        Self::new(diagnostic, &Sources::default())
    }

    /// Estimates the heap memory that it takes, in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let place = self.place.as_ref().map_or(0, |place| {
            let stack = place.include_stack.iter().map(|it| it.file.len() + size_of::<Inclusion>());
            place.file.len() + place.line.text.len() + stack.sum::<usize>()
        });
        let notes: usize = self.notes.iter().map(Report::heap_bytes).sum();
        size_of::<Report>() + self.message.len() + place + notes
    }
}

impl Place {
    fn new(extent: Extent, span: Span, sources: &Sources) -> Option<Self> {
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
        Some(Place {
            file: buffer.name.to_string(),
            range: Range {
                start,
                end: LineColumn { line: start.line, column: start.column + length as u32 },
            },
            include_stack,
            line: match extent {
                Extent::Excerpt => Excerpt::around(line, at),
                Extent::Whole => Excerpt::whole(line, at),
            },
        })
    }
}
