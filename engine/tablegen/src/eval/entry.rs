//! Entries: the statements that loops, conditions and multiclasses hold for later.

use super::{Evaluator, Parsed, Reported, environment::Environment, ops};
use crate::{
    diagnostic::Diagnostic,
    record::{
        Init, InitId, RecordId, StrId, TypeId,
        record::{Assertion, Dump},
    },
    span::Span,
};
use odsmith_release::Change;

/// The cost of a loop's iteration besides its entries.
const ROUND_UNITS: u64 = 4;

/// A statement that was read inside a loop or a multiclass.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// `foreach`, or one branch of an `if`.
    Loop(Loop),
    /// `assert`.
    Assertion(Assertion),
    /// `dump`.
    Dump(Dump),
    /// `def`, or the copy of one in a `defm`: a record that is copied each time.
    Record(RecordId),
}

/// A loop, whose entries are instantiated once for each item.
///
/// A branch of an `if` is a loop without a variable over a list of one item or none.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) span: Span,
    pub(super) variable: Option<StrId>,
    pub(super) list: InitId,
    pub(super) entries: Vec<Entry>,
}

/// A multiclass.
#[derive(Clone, Debug)]
pub(super) struct Multiclass {
    /// The record that holds the template arguments.
    pub(super) record: RecordId,
    pub(super) entries: Vec<Entry>,
}

/// A `defset` whose body is being read.
#[derive(Debug)]
pub(super) struct Defset {
    pub(super) span: Span,
    pub(super) element: TypeId,
    pub(super) items: Vec<InitId>,
}

/// Names that are replaced in entries.
#[derive(Debug, Default)]
pub(super) struct Substitutions {
    pub(super) pairs: Vec<(StrId, InitId)>,
}

impl Evaluator<'_> {
    /// Adds a statement to the surrounding loop or multiclass, or instantiates it at once.
    pub(super) fn add_entry(&mut self, entry: Entry) -> Parsed<()> {
        if let Some(innermost) = self.loops.last_mut() {
            innermost.entries.push(entry);
            return Ok(());
        }
        if let Entry::Loop(inner) = &entry {
            let is_final = self.multiclass.is_none();
            let mut made = (!is_final).then(Vec::new);
            self.make_loop(inner, &mut Substitutions::default(), is_final, made.as_mut())?;
            if let (Some(multiclass), Some(made)) = (&mut self.multiclass, made) {
                multiclass.entries.extend(made);
            }
            return Ok(());
        }
        if let Some(multiclass) = &mut self.multiclass {
            multiclass.entries.push(entry);
            return Ok(());
        }
        match entry {
            Entry::Assertion(assertion) => {
                self.check_assertion(assertion.span, assertion.condition, assertion.message);
                Ok(())
            }
            Entry::Dump(dump) => {
                self.emit_dump(dump.span, dump.message);
                Ok(())
            }
            Entry::Record(record) => self.finish_def(record),
            Entry::Loop(_) => Ok(()),
        }
    }

    /// Instantiates a loop's entries for each item.
    ///
    /// The results go to `target`, or are finished if there is none. An unresolved list leaves the loop as it is,
    /// unless this is its last chance.
    fn make_loop(
        &mut self,
        repeated: &Loop,
        substitutions: &mut Substitutions,
        is_final: bool,
        target: Option<&mut Vec<Entry>>,
    ) -> Parsed<()> {
        let mut env = Environment::of(&self.keeper.arena, substitutions.pairs.iter().copied(), None);
        let list = self.resolve_part(repeated.list, &mut env)?;
        let Some(items) = self.items_of(list) else {
            if !is_final {
                let mut entries = Vec::new();
                self.make_entries(&repeated.entries, substitutions, false, Some(&mut entries), None)?;
                if let Some(target) = target {
                    target.push(Entry::Loop(Loop { list, entries, ..repeated.clone() }));
                }
                return Ok(());
            }
            let list = self.decide_at_the_end(list, repeated.span)?;
            let Some(items) = self.items_of(list) else {
                let message = format!("attempting to loop over '{}', expected a list", self.show(list));
                return self.fail(repeated.span, message);
            };
            return self.repeat(repeated, items, substitutions, is_final, target);
        };
        self.repeat(repeated, items, substitutions, is_final, target)
    }

    /// Returns the list of a loop after its last resolution: `!if` chooses now, everything else stays.
    fn decide_at_the_end(&mut self, list: InitId, span: Span) -> Parsed<InitId> {
        if !self.keeper.rules.has(Change::LoopsDecidedAtEnd) {
            return Ok(list);
        }
        let Init::Op(ops::IF, ty, seq) = self.keeper.arena.init(list) else { return Ok(list) };
        let [open, then, otherwise] = [0, 1, 2].map(|index| self.keeper.arena.at(seq, index));
        let condition = self.resolve_part(open, &mut Environment::at_the_end())?;
        if condition == open {
            let message = format!(
                "unable to resolve if condition '{}' at end of containing scope",
                self.show(condition)
            );
            return self.fail(span, message);
        }
        self.fold(ops::IF, ty, &[condition, then, otherwise], None, true)
    }

    /// Instantiates a loop's entries for each of these items.
    fn repeat(
        &mut self,
        repeated: &Loop,
        items: Vec<InitId>,
        substitutions: &mut Substitutions,
        is_final: bool,
        mut target: Option<&mut Vec<Entry>>,
    ) -> Parsed<()> {
        for item in items {
            // Inside many loops there are many names to replace.
            let names = substitutions.pairs.len() as u64;
            self.charge_round(repeated.span, ROUND_UNITS + names / 4)?;
            if let Some(variable) = repeated.variable {
                substitutions.pairs.push((variable, item));
            }
            let made =
                self.make_entries(&repeated.entries, substitutions, is_final, target.as_deref_mut(), None);
            if repeated.variable.is_some() {
                substitutions.pairs.pop();
            }
            made?;
        }
        Ok(())
    }

    /// Instantiates entries once; `defm` is the place of the `defm` that instantiates records outside of loops.
    pub(super) fn make_entries(
        &mut self,
        entries: &[Entry],
        substitutions: &mut Substitutions,
        is_final: bool,
        mut target: Option<&mut Vec<Entry>>,
        defm: Option<Span>,
    ) -> Parsed<()> {
        for entry in entries {
            match entry {
                Entry::Loop(inner) => {
                    let target = target.as_deref_mut();
                    self.nested(inner.span, |cx| cx.make_loop(inner, substitutions, is_final, target))?;
                }
                Entry::Assertion(assertion) => {
                    let mut env =
                        Environment::of(&self.keeper.arena, substitutions.pairs.iter().copied(), None);
                    let condition = self.resolve_part(assertion.condition, &mut env)?;
                    let message = self.resolve_message(assertion.message, &mut env)?;
                    match target.as_deref_mut() {
                        Some(target) => {
                            target.push(Entry::Assertion(Assertion { condition, message, ..*assertion }));
                        }
                        None => {
                            self.check_assertion(assertion.span, condition, message);
                        }
                    }
                }
                Entry::Dump(dump) => {
                    let mut env =
                        Environment::of(&self.keeper.arena, substitutions.pairs.iter().copied(), None);
                    let message = self.resolve_message(dump.message, &mut env)?;
                    match target.as_deref_mut() {
                        Some(target) => target.push(Entry::Dump(Dump { message, ..*dump })),
                        None => self.emit_dump(dump.span, message),
                    }
                }
                Entry::Record(prototype) => {
                    let record = self.copy_prototype(*prototype, substitutions, target.is_some(), defm)?;
                    match target.as_deref_mut() {
                        Some(target) => target.push(Entry::Record(record)),
                        None => self.finish_def(record)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Resolves the message of an assertion or a dump. A missing value is only an error where the message is printed.
    fn resolve_message(&mut self, init: InitId, env: &mut Environment) -> Parsed<InitId> {
        let errors = self.error_count;
        let resolved = self.resolve(init, env)?;
        if self.error_count > errors { Err(Reported) } else { Ok(resolved) }
    }

    /// Copies a prototype with names replaced; a multiclass may keep messages without a value.
    fn copy_prototype(
        &mut self,
        prototype: RecordId,
        substitutions: &Substitutions,
        is_kept: bool,
        defm: Option<Span>,
    ) -> Parsed<RecordId> {
        let mut data = self.keeper.record(prototype).clone();
        data.spans.extend(defm);
        // The reference loses `dump`s here.
        data.dumps.clear();
        let record = self.new_record(data)?;
        let mut env = Environment::of(&self.keeper.arena, substitutions.pairs.iter().copied(), Some(record));
        let name = self.keeper.record(record).name;
        let name = self.resolve_part(name, &mut env)?;
        self.keeper.record_mut(record).name = name;
        for index in 0..self.keeper.record(record).fields.len() {
            let field = self.keeper.record(record).fields[index];
            if self.keeper.arena.is_closed(field.value) {
                continue;
            }
            let value = self.resolve(field.value, &mut env)?;
            self.set_resolved(record, index, value)?;
        }
        for index in 0..self.keeper.record(record).assertions.len() {
            let Assertion { condition, message, .. } = self.keeper.record(record).assertions[index];
            let condition = self.resolve_part(condition, &mut env)?;
            // A record needs one.
            let message = match is_kept {
                true => self.resolve_message(message, &mut env)?,
                false => self.resolve_part(message, &mut env)?,
            };
            let assertion = &mut self.keeper.record_mut(record).assertions[index];
            (assertion.condition, assertion.message) = (condition, message);
        }
        Ok(record)
    }

    /// Reports an error here, and a second one that points back at the open bracket.
    pub(super) fn unclosed<T>(&mut self, message: &str, open: Span, bracket: char) -> Parsed<T> {
        self.report(Diagnostic::error(self.token.span, message));
        self.report(Diagnostic::error(open, format!("to match this '{bracket}'")));
        Err(Reported)
    }
}
