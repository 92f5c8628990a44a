//! Checks of a finished record: values, assertions, dumps.

use super::{Evaluator, Parsed, Reported, environment::Environment};
use crate::{
    diagnostic::Diagnostic,
    record::{Init, InitId, RecordId},
    span::Span,
};
use odsmith_release::Change;

impl Evaluator<'_> {
    /// Reports fields whose value is still symbolic.
    pub(super) fn check_resolved(&mut self, record: RecordId) {
        for index in 0..self.keeper.record(record).fields.len() {
            let field = self.keeper.record(record).fields[index];
            if field.may_be_unset() || !field.value.is_some() || self.is_resolved(record, field.value) {
                continue;
            }
            let message = format!(
                "Initializer of '{}' in '{}' could not be fully resolved: {}",
                self.str(field.name),
                self.show_name(record),
                self.show(field.value)
            );
            let error = self.located(record, Diagnostic::error, message);
            self.report(error);
        }
    }

    fn is_resolved(&self, record: RecordId, value: InitId) -> bool {
        if self.keeper.is_concrete(value) {
            return true;
        }
        // Bits may refer to bits of a field that is not set.
        let Init::Bits(seq) = self.keeper.arena.init(value) else { return false };
        self.keeper.arena.seq(seq).all(|bit| match self.keeper.arena.init(bit) {
            Init::Var(..) => true,
            Init::VarBit(whole, _) => match self.keeper.arena.init(whole) {
                Init::Var(name, _) => self.keeper.record(record).field(name).is_some(),
                _ => false,
            },
            _ => self.keeper.arena.is_closed(bit),
        })
    }

    /// Checks a finished record's assertions.
    pub(super) fn check_assertions(&mut self, record: RecordId) -> Parsed<()> {
        if self.keeper.record(record).assertions.is_empty() {
            return Ok(());
        }
        let mut env = Environment::of_fields(record);
        let mut all_hold = true;
        for assertion in self.keeper.record(record).assertions.clone() {
            let condition = self.resolve_part(assertion.condition, &mut env)?;
            let message = self.resolve_part(assertion.message, &mut env)?;
            all_hold &= self.check_assertion(assertion.span, condition, message);
        }
        if !all_hold && self.keeper.rules.has(Change::AssertionsInRecords) {
            let error = self.located(record, Diagnostic::error, "assertion failed in this record".to_owned());
            self.report(error);
        }
        Ok(())
    }

    /// Checks one assertion and returns whether it holds.
    pub(super) fn check_assertion(&mut self, span: Span, condition: InitId, message: InitId) -> bool {
        let error = match self.int_of(condition) {
            Some(0) => self.failed_assertion(span, message),
            Some(_) => return true,
            None => Diagnostic::error(span, "assert condition must of type bit, bits, or int."),
        };
        self.report(error);
        false
    }

    fn failed_assertion(&self, span: Span, message: InitId) -> Diagnostic {
        let message = self.string_of(message).map(|message| self.str(message));
        let message = message.unwrap_or("(assert message is not a string)");
        match self.keeper.rules.has(Change::AssertionsInRecords) {
            true => Diagnostic::error(span, format!("assertion failed: {message}")),
            false => Diagnostic::error(span, "assertion failed").note(Span::NONE, message),
        }
    }

    /// Prints a finished record's dumps.
    pub(super) fn emit_dumps(&mut self, record: RecordId) -> Parsed<()> {
        if self.keeper.record(record).dumps.is_empty() {
            return Ok(());
        }
        let mut env = Environment::of_fields(record);
        for dump in self.keeper.record(record).dumps.clone() {
            let message = self.resolve_part(dump.message, &mut env)?;
            self.emit_dump(dump.span, message);
        }
        Ok(())
    }

    /// Prints one dump.
    pub(super) fn emit_dump(&mut self, span: Span, message: InitId) {
        let diagnostic = match self.string_of(message) {
            Some(text) => Diagnostic::remark(span, self.str(text)),
            None => Diagnostic::error(span, "dump value is not of type string"),
        };
        self.report(diagnostic);
    }

    /// Adds a finished record to the surrounding defsets.
    pub(super) fn add_to_defsets(&mut self, record: RecordId) -> Parsed<()> {
        if self.defsets.is_empty() {
            return Ok(());
        }
        let own = self.record_type(record);
        let init = self.keeper.arena.intern(Init::Def(record));
        for index in 0..self.defsets.len() {
            let (element, span) = (self.defsets[index].element, self.defsets[index].span);
            if !self.is_a(own, element) {
                let message =
                    format!("adding record of incompatible type '{}' to defset", self.show_type(own));
                let error = self.located(record, Diagnostic::error, message);
                self.report(error.note(span, "location of defset declaration"));
                return Err(Reported);
            }
            self.defsets[index].items.push(init);
        }
        Ok(())
    }
}
