//! Continuing after an error: for editors, which want every error and the rest of the records.
//!
//! The reference stops at the first error, and so does [`Evaluator::run`]. [`Evaluator::run_for_editor`] drops the
//! statement with the error, and continues at the next line that begins with a statement no deeper than that one:
//!
//! ```text
//! def A : Unknown { let x = 1; }     an error; the statement is dropped
//! let y = 2 in {
//!   def B : Foo< ;                   another one
//!   def C : Foo<1>;                  read as usual, with `y`
//! }
//! ```
//!
//! Until the first error both do the same, and without one their results are the same.

use super::{Evaluated, Evaluator, NO_MEANING, Parsed, Reported, scope::Scope, trace::Trace};
use crate::{
    diagnostic::{Code, Diagnostic, Severity},
    record::RecordId,
    span::Span,
    syntax::{Keyword, TokenKind},
};

/// The result of evaluation with recovery.
#[derive(Debug)]
pub struct Recovered {
    /// The result of evaluation. It has all messages; its records are complete only if there was no error.
    pub evaluated: Evaluated,
    /// The number of messages that the reference prints as well, before it stops.
    pub exact: usize,
    /// Records whose definition has an error: they may lack some of their contents.
    pub partial: Vec<RecordId>,
    /// The targets of the names in the sources.
    pub trace: Trace,
}

/// The state of recovery.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    /// The number of messages at the point where the reference stops.
    stopped_at: Option<usize>,
    partial: Vec<RecordId>,
}

/// The context of a statement.
struct Surroundings {
    scopes: usize,
    loops: usize,
    lets: usize,
    defsets: usize,
    bound: usize,
    record: Option<RecordId>,
    has_multiclass: bool,
}

/// The most messages of one root.
const MOST_MESSAGES: usize = 1000;

impl Evaluator<'_> {
    /// Reads and evaluates everything, and continues after errors.
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
            // The exact run reports the first one; later, the invalid token was reported already.
            let is_first = self.recovery.as_ref().is_some_and(|recovery| recovery.stopped_at.is_none());
            if is_first || !self.at(TokenKind::Error) {
                let _ = self.refuse_token();
            }
            let at = self.token.span;
            self.recover(at, 0)?;
        }
    }

    /// Reads one statement; after an error in it, skips to the next one.
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

    /// Skips to the next line that begins with a statement, or with the bracket that closes the surrounding ones, and
    /// that is no deeper than `column`.
    fn recover(&mut self, start: Span, column: u32) -> Parsed<()> {
        let is_over = |message: &Diagnostic| matches!(message.code, Code::Limit | Code::Cancelled);
        if self.error_count == 0 {
            // An exact run, which ends here, reports the same.
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
            // An invalid token between two statements was reported with the first error, or is not worth another
            // message.
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
                // Deeper ones have other meanings, in bodies.
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

    /// Registers a def whose body has an error, so that mentions of it are not errors as well. Further errors in it are
    /// not reported.
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

/// Drops repeated errors after the first one: each place keeps one.
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
