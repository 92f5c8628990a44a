//! Diagnostics as data. Renderers decide how they look.

use serde::Serialize;

use crate::span::Span;

/// The severity of a message, the worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// An error: the output is not made.
    #[default]
    Error,
    /// A warning: the output is made.
    Warning,
    /// More detail about the message before it.
    Note,
    /// A suggestion.
    Remark,
}

impl Severity {
    /// Returns the name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Remark => "remark",
        }
    }
}

/// The category of an error, for callers that must distinguish errors without reading the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The input is at fault.
    #[default]
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

impl Code {
    /// Returns the name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Code::Input => "input",
            Code::Limit => "limit",
            Code::Cancelled => "cancelled",
            Code::Request => "request",
            Code::Internal => "internal",
        }
    }
}

macro_rules! ids {
    ($(#[doc = $doc:literal] $id:ident = $name:literal,)*) => {
        /// The identity of a message. Its words differ between releases, so code that acts on a message, or words it for
        /// a release, asks for the id and never reads the text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Id {
            $(#[doc = $doc] $id,)*
        }

        impl Id {
            /// All ids.
            pub const ALL: &[Id] = &[$(Id::$id),*];

            /// Returns the name, which stays the same.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Id::$id => $name,)*
                }
            }

            /// Returns the description of the fault in one sentence.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self {
                    $(Id::$id => $doc.trim_ascii(),)*
                }
            }
        }
    };
}

ids! {
    /// A name that is defined already.
    AlreadyDefined = "already-defined",
    /// Several dialects, of which an output is to have one.
    DialectChoice = "dialect-choice",
    /// A second definition of a macro.
    DuplicateMacro = "duplicate-macro",
    /// `#else` after `#else`.
    ElseAfterElse = "else-after-else",
    /// `#else` that belongs to no condition.
    ElseWithoutCondition = "else-without-condition",
    /// `#endif` that belongs to no condition.
    EndifWithoutCondition = "endif-without-condition",
    /// A line break after a backslash in a string.
    EscapedNewline = "escaped-newline",
    /// A field that the value before it does not have.
    FieldAccess = "field-access",
    /// A field whose value is not of the kind that is needed.
    FieldValue = "field-value",
    /// An unknown escape in a string.
    InvalidEscape = "invalid-escape",
    /// `!` without the name of an operator.
    InvalidOperator = "invalid-operator",
    /// Two dots.
    InvalidPunctuation = "invalid-punctuation",
    /// `$` without a name.
    InvalidVariable = "invalid-variable",
    /// A record without a field that is needed.
    MissingField = "missing-field",
    /// `include` without a name.
    MissingFileName = "missing-file-name",
    /// A file that is in no include folder.
    MissingInclude = "missing-include",
    /// A directive without the name of a macro.
    MissingMacroName = "missing-macro-name",
    /// A NUL byte.
    NulCharacter = "nul-character",
    /// A number that has too many bits.
    NumberOutOfRange = "number-out-of-range",
    /// A plugin that fails, or that does not keep to its protocol or limits.
    PluginFault = "plugin-fault",
    /// A format that binds some attributes or properties only, where it must bind all.
    StrictProperties = "strict-properties",
    /// Text after a directive.
    TextAfterDirective = "text-after-directive",
    /// A character that begins no token.
    UnexpectedCharacter = "unexpected-character",
    /// A name that is no class.
    UnknownClass = "unknown-class",
    /// A field that the record does not have.
    UnknownField = "unknown-field",
    /// A name that is no multiclass.
    UnknownMulticlass = "unknown-multiclass",
    /// A name after `!` that is no operator.
    UnknownOperator = "unknown-operator",
    /// A name that is no type.
    UnknownType = "unknown-type",
    /// A name that is no variable.
    UnknownVariable = "unknown-variable",
    /// A pattern of files that matches no file.
    UnmatchedPattern = "unmatched-pattern",
    /// A code block without an end.
    UnterminatedCode = "unterminated-code",
    /// A comment without an end.
    UnterminatedComment = "unterminated-comment",
    /// A condition without `#endif`.
    UnterminatedCondition = "unterminated-condition",
    /// A string without an end.
    UnterminatedString = "unterminated-string",
    /// A template argument that nothing uses.
    UnusedArgument = "unused-argument",
}

impl Id {
    /// Returns the id with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Id> {
        Id::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// Returns true if the message is about a name that may be defined in a file that was not read.
    #[must_use]
    pub fn is_unknown_name(self) -> bool {
        use Id::{UnknownClass, UnknownField, UnknownMulticlass, UnknownType, UnknownVariable};
        matches!(self, UnknownClass | UnknownField | UnknownMulticlass | UnknownType | UnknownVariable)
    }

    /// Returns true if the message is about a field.
    #[must_use]
    pub fn is_about_field(self) -> bool {
        matches!(self, Id::FieldAccess | Id::FieldValue | Id::MissingField | Id::UnknownField)
    }
}

/// A message at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The category.
    pub code: Code,
    /// The identity, if the message is one that code recognises.
    pub id: Option<Id>,
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
            id: None,
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

    /// Sets the identity.
    #[must_use]
    pub fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets a place inside a generated text.
    #[must_use]
    pub fn within(mut self, snippet: Snippet) -> Self {
        self.snippet = Some(Box::new(snippet));
        self
    }
}
