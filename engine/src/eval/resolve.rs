//! Replacing names by values, and folding what can be folded.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::{Evaluator, Parsed, Reported, ops};
use crate::record::{Arena, Init, InitId, OperatorId, RecordId, StrId, TypeId, init::Seq};

/// A few inits; most lists of operands need no memory of their own.
pub(super) type Few = SmallVec<[InitId; 8]>;

/// What names stand for while a value is resolved.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Values of template arguments and loop variables.
    map: SmallVec<[Meaning; 6]>,
    /// The marks of those names: a value without any of them is not changed by them.
    marks: u32,
    /// The marks of those whose values are open: resolving a mention of one of them may do something.
    open_marks: u32,
    /// The record at hand: messages point at it.
    pub(super) record: Option<RecordId>,
    /// A made-up name that was taken by the time its record is finished, and the one that the record has instead.
    renamed: Option<(InitId, InitId)>,
    /// Whether names also stand for the fields of `record`.
    fields: Option<Fields>,
    /// Names that an operator binds on the way down.
    shadowed: SmallVec<[StrId; 4]>,
    /// The instances around what is being resolved, outermost first.
    instances: SmallVec<[AroundInstance; 2]>,
    /// What big parts of values were resolved to: values share parts, and each is resolved once.
    memo: HashMap<InitId, Known, FxBuildHasher>,
    /// Whether this is the last chance: what can not be resolved now is an error.
    pub(super) is_final: bool,
}

/// An instance `Class<…>` whose arguments are being resolved: it stays symbolic if one of them mentions a name that has
/// no value, even where the mention folds away.
#[derive(Clone, Copy, Debug)]
struct AroundInstance {
    /// How many names operators around the instance bind: others are bound inside of it.
    bound_outside: usize,
    /// Whether such a name came up.
    has_open_name: bool,
}

/// What a part was resolved to.
#[derive(Clone, Copy, Debug)]
struct Known {
    resolved: InitId,
    /// Whether a name without a value came up on the way; unknown where no instance was around.
    has_open_name: Option<bool>,
}

/// What one name stands for.
#[derive(Clone, Copy, Debug)]
struct Meaning {
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
    open: SmallVec<[StrId; 8]>,
    /// Those that were mentioned, with what they are resolved to.
    done: SmallVec<[(StrId, InitId); 8]>,
}

impl Names {
    /// Each name with its value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (StrId, InitId)> {
        self.map.iter().map(|meaning| (meaning.name, meaning.value))
    }

    /// Names that stand for given values.
    pub(super) fn of(
        arena: &Arena,
        map: impl IntoIterator<Item = (StrId, InitId)>,
        record: Option<RecordId>,
    ) -> Self {
        let mut names = Names { record, ..Names::default() };
        map.into_iter().for_each(|(name, value)| names.set(arena, name, value));
        names
    }

    /// Runs `resolve` on arguments of an instance; says whether a name without a value came up.
    fn inside_instance<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let bound_outside = self.shadowed.len();
        self.instances.push(AroundInstance { bound_outside, has_open_name: false });
        let resolved = resolve(self);
        let has_open_name = self.instances.pop().is_some_and(|instance| instance.has_open_name);
        (resolved, has_open_name)
    }

    /// Notes that a name came up, and whether it has no value. One that an operator binds, as number `bound` of those
    /// around, counts only for instances inside of that operator.
    fn meet_open_name(&mut self, is_open: bool, bound: Option<usize>) {
        if is_open {
            for instance in &mut self.instances {
                instance.has_open_name |= bound.is_none_or(|bound| bound < instance.bound_outside);
            }
        }
    }

    /// Replaces a made-up name by a text.
    pub(super) fn rename(&mut self, old: InitId, new: InitId) {
        self.renamed = Some((old, new));
        self.marks |= Arena::ANONYMOUS_MARK;
    }

    /// Whether the name has a meaning.
    pub(super) fn has(&self, name: StrId) -> bool {
        self.map.iter().any(|meaning| meaning.name == name)
    }

    /// Gives a name a meaning, besides or instead of the one it has.
    pub(super) fn set(&mut self, arena: &Arena, name: StrId, value: InitId) {
        let mark = arena.mark(name);
        self.marks |= mark;
        if !arena.is_closed(value) {
            self.open_marks |= mark;
        }
        let meaning = Meaning { name, value, is_resolved: false, is_open: false };
        self.memo.clear();
        match self.map.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = meaning,
            None => self.map.push(meaning),
        }
    }

    /// No names: what is not decided by now never will be.
    pub(super) fn at_the_end() -> Self {
        Names { is_final: true, ..Names::default() }
    }

    /// Names that stand for the fields of `record`, for good.
    pub(super) fn of_fields(record: RecordId) -> Self {
        Names::default().and_fields(record)
    }

    /// These names, and those of the fields of `record`, for good.
    pub(super) fn and_fields(self, record: RecordId) -> Self {
        let memo = HashMap::default();
        Names { record: Some(record), fields: Some(Fields::default()), memo, is_final: true, ..self }
    }

    /// Whether all these names stand for finished values.
    pub(super) fn are_closed(&self) -> bool {
        self.open_marks == 0
    }
}

/// The weight from which on resolved parts are kept: lighter ones are resolved again each time they come up.
pub(super) const KEPT_WEIGHT: u32 = 256;

impl Names {
    /// Whether what a part is resolved to holds for every other mention of it: no operator around binds a name, and no
    /// name stands for itself because its meaning is being worked out.
    fn holds_everywhere(&self) -> bool {
        self.shadowed.is_empty()
            && self.fields.as_ref().is_none_or(|fields| fields.open.is_empty())
            && !self.map.iter().any(|meaning| meaning.is_open)
    }
}

impl Evaluator<'_> {
    /// Resolves a value.
    #[inline]
    pub(super) fn resolve(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        let facts = self.keeper.arena.facts(init);
        // Only at the end is an operator tried again that none of the names changes. Below an instance every name counts.
        let is_untouched = !names.is_final && names.instances.is_empty() && !facts.may_mention(names.marks);
        if facts.is_closed() || is_untouched {
            return Ok(init);
        }
        if let Init::Var(name, _) = self.keeper.arena.init(init)
            && let Some(value) = self.finished(name, names)
        {
            return Ok(value);
        }
        let span = self.token.span;
        let charged = self.meter.descend(span);
        self.metered(charged)?;
        let result = if facts.weight() >= KEPT_WEIGHT && names.holds_everywhere() {
            self.resolve_once(init, names)
        } else {
            self.resolve_open(init, names)
        };
        self.meter.leave();
        result
    }

    /// What a name stands for, if nothing is left to be done about that.
    #[inline]
    fn finished(&self, name: StrId, names: &Names) -> Option<InitId> {
        if names.shadowed.contains(&name) {
            return None;
        }
        let value = match names.map.iter().find(|known| known.name == name) {
            Some(meaning) if meaning.is_open => return None,
            Some(meaning) => meaning.value,
            None if names.fields.is_some() => self.keeper.record(names.record?).field(name)?.value,
            None => return None,
        };
        (value != InitId::UNSET && value.is_some() && self.keeper.arena.is_closed(value)).then_some(value)
    }

    /// Resolves a part that may come up often.
    fn resolve_once(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        let is_inside = !names.instances.is_empty();
        if let Some(&known) = names.memo.get(&init)
            && (known.has_open_name.is_some() || !is_inside)
        {
            names.meet_open_name(known.has_open_name.unwrap_or(false), None);
            return Ok(known.resolved);
        }
        let (resolved, has_open_name) = if is_inside {
            let (resolved, has_open_name) = names.inside_instance(|names| self.resolve_open(init, names));
            names.meet_open_name(has_open_name, None);
            (resolved?, Some(has_open_name))
        } else {
            (self.resolve_open(init, names)?, None)
        };
        if resolved.is_some() {
            names.memo.insert(init, Known { resolved, has_open_name });
        }
        Ok(resolved)
    }

    /// Resolves a part of a value: unlike a whole field, it can not do without a value.
    #[inline]
    pub(super) fn resolve_part(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        let errors = self.error_count;
        let resolved = self.resolve(init, names)?;
        if resolved.is_some() || !init.is_some() {
            return Ok(resolved);
        }
        self.without_value(init, names, errors)
    }

    #[cold]
    fn without_value(&mut self, init: InitId, names: &Names, errors: u32) -> Parsed<InitId> {
        if self.error_count > errors {
            return Err(Reported);
        }
        let message = format!("'{}' has no value", self.show(init));
        match names.record {
            Some(record) => self.fatal_at(record, message),
            None => self.fatal(self.token.span, message),
        }
    }

    fn resolve_open(&mut self, init: InitId, names: &mut Names) -> Parsed<InitId> {
        match self.keeper.arena.init(init) {
            Init::Var(name, _) => {
                let found = self.look_up(name, names)?;
                if !names.instances.is_empty() {
                    let is_open = found.is_none_or(|found| self.has_free_variable(found));
                    names.meet_open_name(is_open, names.shadowed.iter().rposition(|&bound| bound == name));
                }
                Ok(found.unwrap_or(init))
            }
            Init::Bits(seq) => self.resolve_bits(init, seq, names),
            Init::VarBit(value, index) => {
                let resolved = self.resolve_part(value, names)?;
                Ok(if resolved == value { init } else { self.bit_of(resolved, index) })
            }
            Init::List(element, seq) => match self.resolve_all(seq, names)? {
                Some(items) => Ok(self.keeper.arena.list(element, &items)),
                None => Ok(init),
            },
            Init::Dag(seq) => {
                // The arguments come first: instances are numbered as they are made.
                let mut parts = Few::from_slice(self.keeper.arena.run(seq));
                let are_changed = self.resolve_each(&mut parts[1..], names)?;
                let is_changed = self.resolve_each(&mut parts[..1], names)?;
                Ok(if are_changed || is_changed { self.keeper.arena.dag(&parts) } else { init })
            }
            Init::Field(record, name, ty) => {
                let resolved = self.resolve_part(record, names)?;
                if resolved == record { Ok(init) } else { self.fold_field(resolved, name, ty, names.record) }
            }
            Init::Instance(class, seq) => {
                let (arguments, has_open_name) = names.inside_instance(|names| self.resolve_all(seq, names));
                match arguments? {
                    Some(arguments) if has_open_name => Ok(self.keep_instance(class, &arguments, init)),
                    Some(arguments) => self.refold_instance(class, &arguments, init),
                    None => Ok(init),
                }
            }
            Init::Named(name, value) => {
                let value = self.resolve_part(value, names)?;
                Ok(self.keeper.arena.intern(Init::Named(name, value)))
            }
            Init::Op(operator, ty, seq) => self.resolve_operation(init, (operator, ty, seq), names),
            Init::Anonymous(name) => {
                if let Some((_, new)) = names.renamed.filter(|&(old, _)| old == init) {
                    return Ok(new);
                }
                // In arguments of an instance it never becomes a text.
                let becomes_text = names.is_final && names.instances.is_empty();
                names.meet_open_name(true, None);
                Ok(if becomes_text { self.keeper.arena.intern(Init::String(name)) } else { init })
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
            let around = std::mem::take(&mut names.instances);
            let value = self.resolve(meaning.value, names)?;
            names.instances = around;
            if !value.is_some() {
                names.map[index].is_open = false;
                return Ok(None);
            }
            names.map[index] = Meaning { value, is_resolved: true, is_open: false, ..meaning };
            return Ok(Some(value));
        }
        let (Some(record), Some(fields)) = (names.record, &mut names.fields) else { return Ok(None) };
        if let Some(&(_, value)) = fields.done.iter().find(|&&(known, _)| known == name) {
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
        let around = std::mem::take(&mut names.instances);
        let resolved = self.resolve_part(value, names)?;
        (names.shadowed, names.instances) = (shadowed, around);
        if let Some(fields) = &mut names.fields {
            fields.open.pop();
            fields.done.push((name, resolved));
        }
        Ok(Some(resolved))
    }

    /// Resolves each of a run; nothing if none changes.
    fn resolve_all(&mut self, seq: Seq, names: &mut Names) -> Parsed<Option<Few>> {
        let mut items = Few::from_slice(self.keeper.arena.run(seq));
        let is_changed = self.resolve_each(&mut items, names)?;
        Ok(is_changed.then_some(items))
    }

    /// Resolves each of these parts; says whether any changed.
    #[inline]
    fn resolve_each(&mut self, items: &mut [InitId], names: &mut Names) -> Parsed<bool> {
        let mut is_changed = false;
        for item in items {
            let resolved = self.resolve_part(*item, names)?;
            is_changed |= resolved != *item;
            *item = resolved;
        }
        Ok(is_changed)
    }

    fn resolve_bits(&mut self, init: InitId, seq: Seq, names: &mut Names) -> Parsed<InitId> {
        // Unset bits of a field keep its name, though not in a body or an argument.
        let keeps_unset = names.fields.is_some() && names.shadowed.is_empty() && names.instances.is_empty();
        let mut resolved = Few::with_capacity(seq.len as usize);
        let mut last: Option<(InitId, InitId)> = None;
        for index in 0..seq.len as usize {
            let bit = self.keeper.arena.at(seq, index);
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
        let is_same = self.keeper.arena.run(seq) == &resolved[..];
        Ok(if is_same { init } else { self.keeper.arena.bits(&resolved) })
    }

    fn resolve_operation(
        &mut self,
        init: InitId,
        (operator, ty, seq): (OperatorId, TypeId, Seq),
        names: &mut Names,
    ) -> Parsed<InitId> {
        match operator {
            // Only the branch that is taken is resolved, once the condition is known.
            ops::IF => {
                let [condition, then, otherwise] = self.operands(seq);
                let condition = self.resolve_part(condition, names)?;
                match self.int_of(condition) {
                    Some(0) => return self.resolve(otherwise, names),
                    Some(_) => return self.resolve(then, names),
                    None => {}
                }
                let then = self.resolve_part(then, names)?;
                let otherwise = self.resolve_part(otherwise, names)?;
                self.fold_changed(init, &[condition, then, otherwise], names)
            }
            // A left side that decides leaves the right side alone.
            ops::AND | ops::OR => {
                let [left, right] = self.operands(seq);
                let left = self.resolve_part(left, names)?;
                let decides = if operator == ops::AND { 0 } else { -1 };
                if self.int_of(left) == Some(decides) && !self.keeper.arena.is_closed(right) {
                    return Ok(self.keeper.arena.int(decides));
                }
                let right = self.resolve_part(right, names)?;
                self.fold_changed(init, &[left, right], names)
            }
            ops::STRCONCAT => self.resolve_concat(init, (operator, ty, seq), names),
            ops::COND if self.is_pure_cond(seq, names) => self.resolve_cond(init, (operator, ty, seq), names),
            ops::COND => self.resolve_whole_cond(init, (operator, ty, seq), names),
            // The bound variables are not names of the outside.
            ops::FOREACH | ops::FILTER => {
                let [variable, list, body] = self.operands(seq);
                let list = self.resolve_part(list, names)?;
                let body = self.resolve_shadowed(body, &[variable], names)?;
                self.fold_changed(init, &[variable, list, body], names)
            }
            ops::FOLDL => {
                let [start, list, left, right, body] = self.operands(seq);
                let start = self.resolve_part(start, names)?;
                let list = self.resolve_part(list, names)?;
                let body = self.resolve_shadowed(body, &[left, right], names)?;
                self.fold_changed(init, &[start, list, left, right, body], names)
            }
            _ => self.resolve_operands(init, (operator, ty, seq), names),
        }
    }

    /// Resolves an operator's operands one by one, whatever they are.
    fn resolve_operands(
        &mut self,
        init: InitId,
        (operator, ty, seq): (OperatorId, TypeId, Seq),
        names: &mut Names,
    ) -> Parsed<InitId> {
        // Most have no more than three.
        match *self.keeper.arena.run(seq) {
            [a] => self.resolve_and_fold(init, (operator, ty), &mut [a], names),
            [a, b] => self.resolve_and_fold(init, (operator, ty), &mut [a, b], names),
            [a, b, c] => self.resolve_and_fold(init, (operator, ty), &mut [a, b, c], names),
            ref operands => {
                let mut operands = Few::from_slice(operands);
                self.resolve_and_fold(init, (operator, ty), &mut operands, names)
            }
        }
    }

    /// Resolves a `!strconcat`, and those that stand in it on the right: what they give together is made at once.
    fn resolve_concat(
        &mut self,
        init: InitId,
        (operator, ty, seq): (OperatorId, TypeId, Seq),
        names: &mut Names,
    ) -> Parsed<InitId> {
        let mut parts = Few::new();
        let mut is_changed = false;
        let mut rest = seq;
        loop {
            let [left, right] = self.operands(rest);
            let resolved = self.resolve_part(left, names)?;
            is_changed |= resolved != left;
            parts.push(resolved);
            match self.keeper.arena.init(right) {
                Init::Op(ops::STRCONCAT, _, more)
                    if self.keeper.arena.facts(right).weight() < KEPT_WEIGHT =>
                {
                    rest = more;
                }
                _ => {
                    let resolved = self.resolve_part(right, names)?;
                    is_changed |= resolved != right;
                    parts.push(resolved);
                    break;
                }
            }
        }
        if !is_changed {
            return Ok(init);
        }
        let texts: Option<SmallVec<[StrId; 8]>> = parts.iter().map(|&part| self.string_of(part)).collect();
        if let Some([first, others @ ..]) = texts.as_deref() {
            return self.concat(&parts, *first, others);
        }
        let Some(mut joined) = parts.pop() else { return Ok(init) };
        while let Some(left) = parts.pop() {
            joined = self.fold(operator, ty, &[left, joined], names.record, names.is_final)?;
        }
        Ok(joined)
    }

    /// Whether nobody sees which parts of a `!cond` are resolved.
    fn is_pure_cond(&self, seq: Seq, names: &Names) -> bool {
        let arena = &self.keeper.arena;
        if !names.instances.is_empty() || !arena.seq(seq).all(|part| arena.facts(part).is_pure()) {
            return false;
        }
        let mut open_marks = names.open_marks;
        if let (Some(record), Some(fields)) = (names.record, &names.fields) {
            for field in &self.keeper.record(record).fields {
                if !arena.is_closed(field.value) && fields.done.iter().all(|&(done, _)| done != field.name) {
                    open_marks |= arena.mark(field.name);
                }
            }
        }
        !arena.seq(seq).any(|part| arena.facts(part).may_mention(open_marks))
    }

    /// Resolves a `!cond` as far as it matters, if that is no more than its conditions up to one that holds.
    fn resolve_cond(
        &mut self,
        init: InitId,
        (operator, ty, seq): (OperatorId, TypeId, Seq),
        names: &mut Names,
    ) -> Parsed<InitId> {
        for index in (0..seq.len as usize).step_by(2) {
            let condition = self.keeper.arena.at(seq, index);
            let condition = self.resolve_part(condition, names)?;
            match self.int_of(condition) {
                Some(0) => {}
                Some(_) => {
                    let value = self.keeper.arena.at(seq, index + 1);
                    let value = self.resolve_part(value, names)?;
                    return self.fold(operator, ty, &[condition, value], names.record, names.is_final);
                }
                None => break,
            }
        }
        self.resolve_operands(init, (operator, ty, seq), names)
    }

    /// Resolves all of a `!cond`. A value without a value, such as the head of an empty list, matters only if it is chosen.
    fn resolve_whole_cond(
        &mut self,
        init: InitId,
        (operator, ty, seq): (OperatorId, TypeId, Seq),
        names: &mut Names,
    ) -> Parsed<InitId> {
        let errors = self.error_count;
        let mut operands = Few::from_slice(self.keeper.arena.run(seq));
        let mut missing = None;
        let mut is_changed = false;
        for operand in &mut operands {
            let resolved = self.resolve(*operand, names)?;
            if !resolved.is_some() {
                missing = missing.or(Some(*operand));
            }
            is_changed |= resolved != *operand;
            *operand = resolved;
        }
        if !is_changed {
            return Ok(init);
        }
        let Some(missing) = missing else {
            return self.fold(operator, ty, &operands, names.record, names.is_final);
        };
        if self.error_count > errors {
            return Err(Reported);
        }
        let decides = |condition: InitId| condition.is_some().then(|| self.int_of(condition)).flatten();
        for pair in operands.chunks_exact(2) {
            match decides(pair[0]) {
                Some(0) => {}
                Some(_) if pair[1].is_some() => {
                    return self.fold(operator, ty, pair, names.record, names.is_final);
                }
                Some(_) => return Ok(InitId::NONE),
                None => break,
            }
        }
        self.without_value(missing, names, errors)
    }

    /// Whether a field's value may wait for the other fields to be resolved with them, as nobody sees when it is.
    pub(super) fn may_wait(&self, value: InitId) -> bool {
        let arena = &self.keeper.arena;
        match arena.init(value) {
            // What is said where a number is no bit is said at the end.
            Init::Op(ops::CAST, TypeId::BIT, seq) => self.may_wait(arena.at(seq, 0)),
            // One of the conditions must hold.
            Init::Op(ops::COND, _, seq) => {
                let [.., last, _] = arena.run(seq) else { return false };
                *last == InitId::ONE && arena.seq(seq).all(|part| arena.facts(part).is_pure())
            }
            _ => arena.facts(value).is_pure(),
        }
    }

    #[inline]
    fn resolve_and_fold(
        &mut self,
        init: InitId,
        (operator, ty): (OperatorId, TypeId),
        operands: &mut [InitId],
        names: &mut Names,
    ) -> Parsed<InitId> {
        let is_changed = self.resolve_each(operands, names)?;
        let must_fold = names.is_final && ops::OPERATORS[usize::from(operator.0)].waits_for_the_end;
        if !is_changed && !must_fold {
            return Ok(init);
        }
        self.fold(operator, ty, operands, names.record, names.is_final)
    }

    /// The operands of an operator that has so many.
    fn operands<const COUNT: usize>(&self, seq: Seq) -> [InitId; COUNT] {
        let operands = self.keeper.arena.run(seq);
        std::array::from_fn(|index| operands[index])
    }

    /// An operator over these operands, folded if any of them is new.
    fn fold_changed(&mut self, init: InitId, operands: &[InitId], names: &Names) -> Parsed<InitId> {
        match self.keeper.arena.init(init) {
            Init::Op(operator, ty, seq) if self.keeper.arena.run(seq) != operands => {
                self.fold(operator, ty, operands, names.record, names.is_final)
            }
            _ => Ok(init),
        }
    }

    fn resolve_shadowed(&mut self, body: InitId, bound: &[InitId], names: &mut Names) -> Parsed<InitId> {
        let before = names.shadowed.len();
        for &variable in bound {
            if let Init::Var(name, _) = self.keeper.arena.init(variable) {
                names.shadowed.push(name);
            }
        }
        let resolved = self.resolve(body, names);
        names.shadowed.truncate(before);
        // A body without a value may never be asked for one.
        resolved.map(|resolved| if resolved.is_some() { resolved } else { body })
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
                return self.fatal_at(id, message);
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
