//! Diagnostics as data. Renderers decide how they look.

use serde::Serialize;

use crate::span::Span;

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// An error: the output is not made.
    Error,
    /// A warning: the output is made.
    Warning,
    /// More detail about the message before it.
    Note,
    /// A suggestion.
    Remark,
}

/// The category of an error, for callers that must distinguish errors without reading the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The input is at fault.
    Input,
    /// A limit of the job was reached.
    Limit,
    /// The job was cancelled or timed out.
    Cancelled,
    /// The request names something that does not exist: a generator, an option, a file.
    Request,
    /// An internal error.
    Internal,
}

/// A message at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The category.
    pub code: Code,
    /// The place in the sources.
    pub span: Span,
    /// A place inside a text that is not a source file of its own (a format string), if the message has one.
    pub snippet: Option<Box<Snippet>>,
    /// The text of the message.
    pub message: String,
    /// Notes with more detail, in order.
    pub notes: Vec<Diagnostic>,
    /// True if evaluation stops at once, as the reference does for its fatal errors.
    pub is_fatal: bool,
    /// True if the reference prints the message alone, without `error: ` in front.
    pub is_bare: bool,
    /// True if the reference prints no newline after it, so that the next message begins on the same line.
    pub is_unended: bool,
    /// True if the output is made in spite of this error, as the user asked for.
    pub is_tolerated: bool,
}

/// A place inside a text that was built during evaluation, such as an assembly format.
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

    /// Returns its approximate size in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let snippet = self.snippet.as_ref().map_or(0, |snippet| snippet.name.len() + snippet.text.len());
        let notes: usize = self.notes.iter().map(Diagnostic::heap_bytes).sum();
        size_of::<Diagnostic>() + self.message.len() + snippet + notes
    }

    /// Creates an error.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// Creates an error that ends evaluation at once.
    #[must_use]
    pub fn fatal(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { is_fatal: true, ..Self::new(Severity::Error, span, message) }
    }

    /// Creates a warning.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }

    /// Creates a note on its own, as `dump` prints it.
    #[must_use]
    pub fn remark(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, span, message)
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Self::new(Severity::Note, span, message));
        self
    }

    /// Drops the label in the reference's text form.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.is_bare = true;
        self
    }

    /// Drops the label and the newline in the reference's text form.
    #[must_use]
    pub fn unended(mut self) -> Self {
        self.is_unended = true;
        self.bare()
    }

    /// Lets the output be made in spite of this error.
    #[must_use]
    pub fn tolerated(mut self) -> Self {
        self.is_tolerated = true;
        self
    }

    /// Sets the code.
    #[must_use]
    pub fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Sets a place inside a generated text.
    #[must_use]
    pub fn within(mut self, snippet: Snippet) -> Self {
        self.snippet = Some(Box::new(snippet));
        self
    }
}
