//! The declarative assembly format of operations, attributes and types.
//!
//! * `lexer`: tokens of a format string;
//! * `element`: the syntax tree, which generators and diagrams read;
//! * `parser`: the grammar that operations, attributes and types share;
//! * [`op`]: the meaning of an operation's variables and directives, and the requirements of the manual;
//! * [`attr_or_type`]: the same for attributes and types.
//!
//! ```text
//! format:         element { element }
//! element:        literal | variable | directive | optional-group
//! literal:        "`" … "`"
//! variable:       "$" name
//! optional-group: "(" { element ["^"] } ")" [ ":" "(" { element ["^"] } ")" ] "?"
//! directive:      keyword [ "(" element { "," element } ")" ]
//! ```

pub mod attr_or_type;
pub mod element;
mod lexer;
pub mod op;
mod parser;

pub use attr_or_type::DefFormat;
pub use element::{Clause, Custom, Element, OptionalGroup, TypeOf, Variable, VariableKind, Whitespace};
pub use op::{OpFormat, TypeSource};

use odsmith_tablegen::{
    diagnostic::{Diagnostic, Id, Snippet},
    span::Span,
};

/// An error at a position in a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormatError {
    at: usize,
    message: String,
    hint: Option<String>,
    id: Option<Id>,
}

impl FormatError {
    fn new(at: usize, message: impl Into<String>) -> Self {
        FormatError { at, message: message.into(), hint: None, id: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    /// Returns the error inside the format string, with a note at the record that has the format.
    fn into_diagnostic(self, text: &str, owner: Span) -> Diagnostic {
        let snippet = Snippet { name: String::new(), text: text.to_owned(), offset: self.at };
        let mut error = Diagnostic::error(owner, self.message)
            .within(snippet.clone())
            .note(owner, "in custom assembly format for this operation");
        if let Some(id) = self.id {
            error = error.id(id);
        }
        if let Some(hint) = self.hint {
            error.notes.push(Diagnostic::remark(owner, hint).within(snippet));
        }
        error
    }
}
