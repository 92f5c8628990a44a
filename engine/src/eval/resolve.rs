//! Replacing names by values, and folding what can be folded.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{Evaluator, Parsed, Reported, ops};
use crate::record::{
    Init, InitId, RecordId, StrId, TypeId,
    init::{OperatorId, Seq},
};

/// What names stand for while a value is resolved.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Values of template arguments and loop variables.
    pub(super) map: Vec<Meaning>,
    /// The record at hand: messages point at it.
    pub(super) record: Option<RecordId>,
    /// Whether names also stand for the fields of `record`.
    fields: Option<Fields>,
    /// Names that an operator binds on the way down.
    shadowed: Vec<StrId>,
    /// What parts deep inside a value were resolved to: values share parts, and each is resolved once.
    memo: HashMap<InitId, InitId, FxBuildHasher>,
    /// Whether this is the last chance: what can not be resolved now is an error.
    pub(super) is_final: bool,
}

/// What one name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    name: StrId,
    value: InitId,
    /// Whether names inside the value have been replaced by the other meanings.
    is_resolved: bool,
    /// Whether that is going on.
    is_open: bool,
}

/// What is known of a record's fields while they are resolved among each other.
#[derive(Debug, Default)]
struct Fields {
    /// Fields being resolved, outermost first: one that mentions itself stays as it is.
    open: Vec<StrId>,
    done: HashMap<StrId, InitId, FxBuildHasher>,
}

impl Meaning {
    pub(super) fn name(&self) -> StrId {
        self.name
    }
}

impl Names {
    /// Each name with its value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (StrId, InitId)> {
        self.map.iter().map(|meaning| (meaning.name, meaning.value))
    }

    /// Names that stand for given values.
    pub(super) fn of(map: impl IntoIterator<Item = (StrId, InitId)>, record: Option<RecordId>) -> Self {
        let mut names = Names { record, ..Names::default() };
        map.into_iter().for_each(|(name, value)| names.set(name, value));
        names
    }

    /// Gives a name a meaning, besides or instead of the one it has.
    pub(super) fn set(&mut self, name: StrId, value: InitId) {
        let meaning = Meaning { name, value, is_resolved: false, is_open: false };
        self.memo.clear();
        match self.map.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = meaning,
            None => self.map.push(meaning),
        }
    }

    /// Names that stand for the fields of `record`, for good.
    pub(super) fn of_fields(record: RecordId) -> Self {
        Names { record: Some(record), fields: Some(Fields::default()), is_final: true, ..Names::default() }
    }
}

/// The nesting from which on resolved parts are kept.
const MEMO_DEPTH: u32 = 16;

impl Names {
    /// Whether the meaning of some name is being worked out, so that the name stands for itself.
    fn is_amid(&self) -> bool {
        self.fields.as_ref().is_some_and(|fields| !fields.open.is_empty())
            || self.map.iter().any(|meaning| meaning.is_open)
    }
}

impl Evaluator<'_> {
    /// Resolves a value.
    pub(super) fn resolve(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        if self.keeper.arena.is_closed(init) {
            return Ok(init);
        }
        let span = self.token.span;
        let charged = self.meter.charge(span, 1).and_then(|()| self.meter.enter(span));
        self.metered(charged)?;
        let is_kept = self.meter.nesting() >= MEMO_DEPTH && names.shadowed.is_empty() && !names.is_amid();
        let known = if is_kept { names.memo.get(&init).copied() } else { None };
        let result = match known {
            Some(known) => Ok(known),
            None => self.resolve_open(init, names),
        };
        self.meter.leave();
        if let (true, Ok(resolved)) = (is_kept, &result)
            && resolved.is_some()
        {
            names.memo.insert(init, *resolved);
        }
        result
    }

    /// Resolves a part of a value: unlike a whole field, it can not do without a value.
    fn resolve_part(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        let errors = self.error_count;
        let resolved = self.resolve(init, names)?;
        if resolved.is_some() || !init.is_some() {
            return Ok(resolved);
        }
        if self.error_count > errors {
            return Err(Reported);
        }
        let span = names.record.map_or(self.token.span, |record| self.keeper.record(record).span());
        self.fatal(span, format!("'{}' has no value", self.show(init)))
    }

    fn resolve_open(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        match self.keeper.arena.init(init) {
            Init::Var(name, _) => Ok(self.look_up(name, names)?.unwrap_or(init)),
            Init::Bits(seq) => self.resolve_bits(init, seq, names),
            Init::VarBit(value, index) => {
                let resolved = self.resolve_part(value, names)?;
                Ok(if resolved == value { init } else { self.bit_of(resolved, index) })
            }
            Init::List(element, seq) => match self.resolve_all(seq, names)? {
                Some(items) => Ok(self.keeper.arena.list(element, &items)),
                None => Ok(init),
            },
            Init::Dag(seq) => match self.resolve_all(seq, names)? {
                Some(parts) => Ok(self.keeper.arena.dag(&parts)),
                None => Ok(init),
            },
            Init::Field(record, name, ty) => {
                let resolved = self.resolve_part(record, names)?;
                if resolved == record { Ok(init) } else { self.fold_field(resolved, name, ty, names.record) }
            }
            Init::Instance(class, seq) => match self.resolve_all(seq, names)? {
                Some(arguments) => {
                    let span = self.instance_spans.get(init).unwrap_or(self.token.span);
                    self.fold_instance(class, &arguments, span)
                }
                None => Ok(init),
            },
            Init::Positional(index, value) => {
                let value = self.resolve_part(value, names)?;
                Ok(self.keeper.arena.intern(Init::Positional(index, value)))
            }
            Init::Named(name, value) => {
                let value = self.resolve_part(value, names)?;
                Ok(self.keeper.arena.intern(Init::Named(name, value)))
            }
            Init::Op(operator, ty, seq) => {
                let operands: Vec<InitId> = self.keeper.arena.seq(seq).collect();
                let resolved = self.resolve_operands(operator, &operands, names)?;
                let must_fold = names.is_final && ops::OPERATORS[usize::from(operator.0)].waits_for_the_end;
                if resolved == operands && !must_fold {
                    return Ok(init);
                }
                self.fold(operator, ty, &resolved, names.record, names.is_final)
            }
            Init::Unset | Init::Bit(_) | Init::Int(_) | Init::String(_) | Init::Code(_) | Init::Def(_) => {
                Ok(init)
            }
        }
    }

    fn look_up(&mut self, name: StrId, names: &mut Names) -> Parsed<Option<InitId>> {
        if names.shadowed.contains(&name) {
            return Ok(None);
        }
        if let Some(index) = names.map.iter().position(|known| known.name == name) {
            let meaning = names.map[index];
            if meaning.is_open {
                return Ok(None);
            }
            if meaning.is_resolved || names.map.len() == 1 || self.keeper.arena.is_closed(meaning.value) {
                return Ok(Some(meaning.value));
            }
            // Template arguments may be given in terms of each other.
            names.map[index].is_open = true;
            let value = self.resolve_part(meaning.value, names)?;
            names.map[index] = Meaning { value, is_resolved: true, is_open: false, ..meaning };
            return Ok(Some(value));
        }
        let (Some(record), Some(fields)) = (names.record, &mut names.fields) else { return Ok(None) };
        if let Some(&value) = fields.done.get(&name) {
            return Ok(Some(value));
        }
        if fields.open.contains(&name) {
            return Ok(None);
        }
        let Some(field) = self.keeper.record(record).field(name) else { return Ok(None) };
        let value = field.value;
        if value == InitId::UNSET || !value.is_some() {
            return Ok(None);
        }
        fields.open.push(name);
        // What an operator binds around the mention does not reach into the field's own value.
        let shadowed = std::mem::take(&mut names.shadowed);
        let resolved = self.resolve_part(value, names)?;
        names.shadowed = shadowed;
        if let Some(fields) = &mut names.fields {
            fields.open.pop();
            fields.done.insert(name, resolved);
        }
        Ok(Some(resolved))
    }

    /// Resolves each of a run; nothing if none changes.
    fn resolve_all(&mut self, seq: Seq, names: &mut Names) -> Parsed<Option<Vec<InitId>>> {
        let items: Vec<InitId> = self.keeper.arena.seq(seq).collect();
        let mut resolved = Vec::with_capacity(items.len());
        for &item in &items {
            resolved.push(self.resolve_part(item, names)?);
        }
        Ok((resolved != items).then_some(resolved))
    }

    fn resolve_bits(&mut self, init: InitId, seq: Seq, names: &mut Names) -> Parsed<InitId> {
        let bits: Vec<InitId> = self.keeper.arena.seq(seq).collect();
        let keeps_unset = names.fields.is_some();
        let mut resolved = Vec::with_capacity(bits.len());
        let mut last: Option<(InitId, InitId)> = None;
        for &bit in &bits {
            let mut new = match self.keeper.arena.init(bit) {
                Init::VarBit(value, index) => {
                    let whole = match last {
                        Some((known, whole)) if known == value => whole,
                        _ => self.resolve_part(value, names)?,
                    };
                    last = Some((value, whole));
                    self.bit_of(whole, index)
                }
                _ => {
                    let new = self.resolve_part(bit, names)?;
                    self.convert(new, TypeId::BIT).unwrap_or(new)
                }
            };
            if new == InitId::UNSET && keeps_unset {
                new = bit;
            }
            resolved.push(new);
        }
        Ok(if resolved == bits { init } else { self.keeper.arena.bits(&resolved) })
    }

    fn resolve_operands(
        &mut self,
        operator: OperatorId,
        operands: &[InitId],
        names: &mut Names,
    ) -> Parsed<Vec<InitId>> {
        match operator {
            // Only the branch that is taken is resolved, once the condition is known.
            ops::IF => {
                let condition = self.resolve_part(operands[0], names)?;
                let mut resolved = vec![condition, operands[1], operands[2]];
                match self.int_of(condition) {
                    Some(0) => resolved[2] = self.resolve_part(operands[2], names)?,
                    Some(_) => resolved[1] = self.resolve_part(operands[1], names)?,
                    None => {
                        resolved[1] = self.resolve_part(operands[1], names)?;
                        resolved[2] = self.resolve_part(operands[2], names)?;
                    }
                }
                Ok(resolved)
            }
            // A left side that decides leaves the right side alone.
            ops::AND | ops::OR => {
                let left = self.resolve_part(operands[0], names)?;
                let decides = if operator == ops::AND { 0 } else { -1 };
                if self.int_of(left) == Some(decides) && !self.keeper.arena.is_closed(operands[1]) {
                    let decided = self.keeper.arena.int(decides);
                    return Ok(vec![decided, decided]);
                }
                Ok(vec![left, self.resolve_part(operands[1], names)?])
            }
            // The bound variables are not names of the outside.
            ops::FOREACH | ops::FILTER => {
                let list = self.resolve_part(operands[1], names)?;
                let body = self.resolve_shadowed(operands[2], &operands[..1], names)?;
                Ok(vec![operands[0], list, body])
            }
            ops::FOLDL => {
                let start = self.resolve_part(operands[0], names)?;
                let list = self.resolve_part(operands[1], names)?;
                let body = self.resolve_shadowed(operands[4], &operands[2..4], names)?;
                Ok(vec![start, list, operands[2], operands[3], body])
            }
            _ => operands.iter().map(|&operand| self.resolve_part(operand, names)).collect(),
        }
    }

    fn resolve_shadowed(&mut self, body: InitId, bound: &[InitId], names: &mut Names) -> Parsed<InitId> {
        let before = names.shadowed.len();
        for &variable in bound {
            if let Init::Var(name, _) = self.keeper.arena.init(variable) {
                names.shadowed.push(name);
            }
        }
        let resolved = self.resolve_part(body, names);
        names.shadowed.truncate(before);
        resolved
    }

    /// `record.name`, folded if the record is known and its field is finished.
    pub(super) fn fold_field(
        &mut self,
        record: InitId,
        name: StrId,
        ty: TypeId,
        current: Option<RecordId>,
    ) -> Parsed<InitId> {
        if let Init::Def(id) = self.keeper.arena.init(record) {
            if current == Some(id) {
                let message = format!(
                    "Attempting to access field '{}' of '{}' is a forbidden self-reference",
                    self.str(name),
                    self.show_name(id)
                );
                return self.fatal(self.keeper.record(id).span(), message);
            }
            if let Some(field) = self.keeper.record(id).field(name)
                && field.value.is_some()
                && self.keeper.is_concrete(field.value)
            {
                return Ok(field.value);
            }
        }
        Ok(self.keeper.arena.intern(Init::Field(record, name, ty)))
    }

    /// A bang operator over these operands: its value if it has one by now, else the symbolic form.
    pub(super) fn fold(
        &mut self,
        operator: OperatorId,
        ty: TypeId,
        operands: &[InitId],
        record: Option<RecordId>,
        is_final: bool,
    ) -> Parsed<InitId> {
        let folding = ops::Folding { ty, operands, record, is_final };
        let fold = ops::OPERATORS[usize::from(operator.0)].fold;
        match fold(self, &folding)? {
            Some(value) => Ok(value),
            None => Ok(self.keeper.arena.op(operator, ty, operands)),
        }
    }

    /// [`Evaluator::fold`] while reading: of the record being read, not for good.
    pub(super) fn fold_now(
        &mut self,
        operator: OperatorId,
        ty: TypeId,
        operands: &[InitId],
    ) -> Parsed<InitId> {
        let folded = self.fold(operator, ty, operands, self.record, false)?;
        // An operator without a value has reported why.
        if folded.is_some() { Ok(folded) } else { Err(Reported) }
    }
}
