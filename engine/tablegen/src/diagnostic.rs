//! Diagnostics as data. How they look is the affair of whoever prints them.

use serde::Serialize;

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The output is not made.
    Error,
    /// The output is made.
    Warning,
    /// More about the message before it.
    Note,
    /// A suggestion.
    Remark,
}

/// What kind of trouble an error is, for callers that must distinguish errors without reading the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The input is at fault.
    Input,
    /// A limit of the job was reached.
    Limit,
    /// The job was cancelled, or its time was up.
    Cancelled,
    /// Something was asked for that does not exist: a generator, an option, a file.
    Request,
    /// Our own mistake.
    Internal,
}

/// A message at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of trouble.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// A place inside a text that is not a source file of its own (a format string), if the message has one.
    pub snippet: Option<Box<Snippet>>,
    /// What.
    pub message: String,
    /// More about it, in order.
    pub notes: Vec<Diagnostic>,
    /// Whether evaluation stops at once, as the reference does for its fatal errors.
    pub is_fatal: bool,
    /// Whether the reference prints the message alone, without `error: ` in front.
    pub is_bare: bool,
    /// Whether the reference ends no line after it, so that the next message begins in the same one.
    pub is_unended: bool,
    /// Whether the output is made in spite of this error, as the user asked for.
    pub is_tolerated: bool,
}

/// A place inside a text that was made during evaluation, such as an assembly format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The name that appears in place of a file's name.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Byte offset into it.
    pub offset: usize,
}

impl Diagnostic {
    fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code: Code::Input,
            span,
            snippet: None,
            message: message.into(),
            notes: Vec::new(),
            is_fatal: false,
            is_bare: false,
            is_unended: false,
            is_tolerated: false,
        }
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let snippet = self.snippet.as_ref().map_or(0, |snippet| snippet.name.len() + snippet.text.len());
        let notes: usize = self.notes.iter().map(Diagnostic::heap_bytes).sum();
        size_of::<Diagnostic>() + self.message.len() + snippet + notes
    }

    /// An error.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// An error that ends evaluation at once.
    #[must_use]
    pub fn fatal(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { is_fatal: true, ..Self::new(Severity::Error, span, message) }
    }

    /// A warning.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }

    /// A note on its own, as `dump` prints it.
    #[must_use]
    pub fn remark(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, span, message)
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Self::new(Severity::Note, span, message));
        self
    }

    /// The same without a label in the reference's text form.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.is_bare = true;
        self
    }

    /// The same without a label, and without an end of its line, in the reference's text form.
    #[must_use]
    pub fn unended(mut self) -> Self {
        self.is_unended = true;
        self.bare()
    }

    /// The same, but the output is made all the same.
    #[must_use]
    pub fn tolerated(mut self) -> Self {
        self.is_tolerated = true;
        self
    }

    /// The same with another code.
    #[must_use]
    pub fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// The same, at a place inside a made-up text.
    #[must_use]
    pub fn within(mut self, snippet: Snippet) -> Self {
        self.snippet = Some(Box::new(snippet));
        self
    }
}
