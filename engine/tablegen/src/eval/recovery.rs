//! Going on after an error: for editors, which want every error and what is known of the rest.
//!
//! The reference stops at the first error, and so does [`Evaluator::run`]. [`Evaluator::run_for_editor`] gives up the
//! statement that the error is in, and goes on at the next line that begins with a statement no deeper than that one:
//!
//! ```text
//! def A : Unknown { let x = 1; }     an error; the statement is given up
//! let y = 2 in {
//!   def B : Foo< ;                   another one
//!   def C : Foo<1>;                  read as ever, with `y`
//! }
//! ```
//!
//! Until the first error both do the same, and without one they give the same.

use super::{Evaluated, Evaluator, NO_MEANING, Parsed, Reported, scope::Scope, trace::Trace};
use crate::{
    diagnostic::{Code, Diagnostic, Severity},
    record::RecordId,
    span::Span,
    syntax::{Keyword, TokenKind},
};

/// What evaluation with recovery produces.
#[derive(Debug)]
pub struct Recovered {
    /// What evaluation produces. Its messages are all that there are; it is in order only if there was no error.
    pub evaluated: Evaluated,
    /// How many of the messages the reference gives as well: it stops there.
    pub exact: usize,
    /// Records whose definition has an error: there may be less in them than their author wrote.
    pub partial: Vec<RecordId>,
    /// What the names in the sources refer to.
    pub trace: Trace,
}

/// What is kept for recovery.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    /// How many messages there were when evaluation would have stopped.
    stopped_at: Option<usize>,
    partial: Vec<RecordId>,
}

/// What surrounds a statement.
struct Surroundings {
    scopes: usize,
    loops: usize,
    lets: usize,
    defsets: usize,
    bound: usize,
    record: Option<RecordId>,
    has_multiclass: bool,
}

/// Messages of one root that are worth showing.
const MOST_MESSAGES: usize = 1000;

impl Evaluator<'_> {
    /// Reads and evaluates everything, and goes on after errors.
    #[must_use]
    pub fn run_for_editor(mut self) -> Recovered {
        self.recovery = Some(Box::default());
        if self.trace.is_none() {
            self.trace = Some(Box::default());
        }
        let mut is_read = self.file_with_recovery().is_ok() && !self.is_stopped;
        let text_fits = self.keeper.check_text(self.token.span);
        is_read &= self.reported(text_fits).is_ok();
        let Recovery { stopped_at, partial } = self.recovery.take().map(|kept| *kept).unwrap_or_default();
        let trace = self.trace.take().map(|trace| *trace).unwrap_or_default();
        let mut evaluated = self.into_evaluated(is_read && stopped_at.is_none());
        let exact = stopped_at.unwrap_or(evaluated.diagnostics.len());
        if exact < evaluated.diagnostics.len() {
            drop_repeated(&mut evaluated.diagnostics, exact);
        }
        Recovered { evaluated, exact, partial, trace }
    }

    fn file_with_recovery(&mut self) -> Parsed<()> {
        loop {
            while self.at_statement() {
                self.statement()?;
            }
            if self.at(TokenKind::Eof) {
                return Ok(());
            }
            // The exact run says so of the first; later, what is no token has been reported.
            let is_first = self.recovery.as_ref().is_some_and(|recovery| recovery.stopped_at.is_none());
            if is_first || !self.at(TokenKind::Error) {
                let _ = self.fail_here::<()>("Unexpected token at top level");
            }
            let at = self.token.span;
            self.recover(at, 0)?;
        }
    }

    /// Reads one statement; after an error in it, goes on to where the next one begins.
    pub(super) fn statement_with_recovery(&mut self) -> Parsed<()> {
        let around = self.surroundings();
        let start = self.token.span;
        let column = self.tokens.line_start(start).map_or(0, |line| line.column);
        if self.one_statement().is_ok() && !self.is_stopped {
            return Ok(());
        }
        self.go_back_to(&around);
        self.recover(start, column)
    }

    /// Goes on to the next line that begins with a statement, or with what closes the statements around, and that is no
    /// deeper than `column`.
    fn recover(&mut self, start: Span, column: u32) -> Parsed<()> {
        let is_over = |message: &Diagnostic| matches!(message.code, Code::Limit | Code::Cancelled);
        if self.error_count == 0 {
            // As for an exact run, which ends here.
            let _ = self.fail_here::<()>(NO_MEANING);
        }
        let Some(recovery) = &mut self.recovery else { return Err(Reported) };
        recovery.stopped_at.get_or_insert(self.diagnostics.len());
        if self.diagnostics.last().is_some_and(is_over) || self.diagnostics.len() > MOST_MESSAGES {
            self.is_stopped = true;
            return Err(Reported);
        }
        if self.is_stopped {
            self.is_stopped = false;
            self.token = self.tokens.token();
        }
        let mut last = None;
        while !self.at(TokenKind::Eof) {
            let here = self.token.span;
            if here != start && self.begins_statement(column) {
                break;
            }
            if last == Some(here) {
                return Err(Reported);
            }
            last = Some(here);
            self.advance();
            // What is no token between two statements was reported with the first error, or is not worth more.
            if self.is_stopped {
                return Err(Reported);
            }
        }
        Ok(())
    }

    fn begins_statement(&self, column: u32) -> bool {
        let Some(line) = self.tokens.line_start(self.token.span) else { return false };
        line.is_first
            && match self.kind() {
                TokenKind::RBrace => line.column < column,
                // In bodies these have other meanings, where they are deeper.
                TokenKind::Keyword(Keyword::Let | Keyword::Defvar | Keyword::Assert | Keyword::Dump) => {
                    line.column <= column
                }
                _ => line.column <= column && self.at_statement(),
            }
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            scopes: self.scopes.len(),
            loops: self.loops.len(),
            lets: self.lets.len(),
            defsets: self.defsets.len(),
            bound: self.bound.len(),
            record: self.record,
            has_multiclass: self.multiclass.is_some(),
        }
    }

    fn go_back_to(&mut self, around: &Surroundings) {
        self.scopes.truncate(around.scopes.max(1));
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.loops.truncate(around.loops);
        self.lets.truncate(around.lets);
        self.defsets.truncate(around.defsets);
        self.bound.truncate(around.bound);
        self.record = around.record;
        if !around.has_multiclass {
            self.multiclass = None;
        }
    }

    /// Makes a def known whose body has an error, so that those who mention it are not wrong as well. What is wrong with it
    /// besides is not said.
    pub(super) fn keep_partial(&mut self, record: RecordId) {
        let Some(recovery) = &mut self.recovery else { return };
        recovery.partial.push(record);
        let stopped_at = self.diagnostics.len();
        recovery.stopped_at.get_or_insert(stopped_at);
        let (errors, was_stopped) = (self.error_count, self.is_stopped);
        self.is_stopped = false;
        let _ = self.add_entry(super::entry::Entry::Record(record));
        let is_over = |message: &Diagnostic| matches!(message.code, Code::Limit | Code::Cancelled);
        if self.diagnostics[stopped_at..].iter().any(is_over) {
            return;
        }
        self.diagnostics.truncate(stopped_at);
        (self.error_count, self.is_stopped) = (errors, was_stopped);
    }
}

/// One mistake after the first error is said once at each place.
fn drop_repeated(diagnostics: &mut Vec<Diagnostic>, exact: usize) {
    let later = diagnostics.split_off(exact);
    for message in later {
        let is_error_here = |known: &Diagnostic| {
            known.severity == Severity::Error
                && known.span == message.span
                && known.snippet == message.snippet
        };
        if message.severity != Severity::Error || !diagnostics.iter().any(is_error_here) {
            diagnostics.push(message);
        }
    }
}
