//! Replaces names by values, and folds operators.

use smallvec::SmallVec;

use super::{
    Evaluator, Parsed, Reported,
    environment::{Environment, Progress, Resolution},
    ops,
};
use crate::record::{Init, InitId, OperatorId, RecordId, StrId, TypeId, init::Seq};
use odsmith_release::Change;

/// A few inits; most lists of operands need no heap memory.
pub(super) type Few = SmallVec<[InitId; 8]>;

/// The least weight of resolved parts that are kept: lighter ones are resolved again each time.
pub(super) const KEPT_WEIGHT: u32 = 256;

/// A missing value.
#[derive(Debug)]
pub(super) struct Missing {
    /// The expression without a value, as text.
    pub(super) shown: String,
    /// The error for its use.
    pub(super) message: String,
}

/// A value that is a bang operator over operands.
#[derive(Clone, Copy, Debug)]
struct Operation {
    init: InitId,
    operator: OperatorId,
    ty: TypeId,
    operands: Seq,
}

impl Evaluator<'_> {
    /// Resolves a value.
    #[inline]
    pub(super) fn resolve(&mut self, init: InitId, env: &mut Environment) -> Parsed<InitId> {
        let facts = self.keeper.arena.facts(init);
        // Only at the end is an operator that mentions none of the names folded again. Inside an instance every name
        // counts.
        let is_untouched = !env.is_final && !env.is_in_instance() && !facts.may_mention(env.meanings.marks);
        if facts.is_closed() || is_untouched {
            return Ok(init);
        }
        if let Init::Var(name, _) = self.keeper.arena.init(init)
            && let Some(value) = self.finished(name, env)
        {
            return Ok(value);
        }
        self.metered(|meter, here| meter.charge(here, 1))?;
        self.nested(self.token.span, |cx| {
            if facts.weight() >= KEPT_WEIGHT && env.holds_everywhere() {
                cx.resolve_once(init, env)
            } else {
                cx.resolve_open(init, env)
            }
        })
    }

    /// Returns the value of a name, if it needs no more work.
    #[inline]
    fn finished(&self, name: StrId, env: &Environment) -> Option<InitId> {
        if env.frame.bound.contains(&name) {
            return None;
        }
        let value = match env.meanings.find(name).map(|index| env.meanings.at(index)) {
            Some(meaning) if meaning.progress == Progress::Open => return None,
            Some(meaning) => meaning.value,
            None => {
                let fields = env.fields.as_ref()?;
                let done = fields.has_open.then(|| fields.done(name)).flatten();
                done.or_else(|| Some(self.keeper.record(env.record?).field(name)?.value))?
            }
        };
        (value != InitId::UNSET && value.is_some() && self.keeper.arena.is_closed(value)).then_some(value)
    }

    /// Resolves a part that may occur often.
    fn resolve_once(&mut self, init: InitId, env: &mut Environment) -> Parsed<InitId> {
        let is_inside = env.is_in_instance();
        if let Some(&known) = env.memo.get(&init)
            && match is_inside {
                true => known.has_open_name.is_some(),
                false => known.has_open_name.is_none() || self.keeper.arena.is_closed(known.value),
            }
        {
            env.meet_name(known.has_open_name.unwrap_or(false), None);
            return Ok(known.value);
        }
        let (value, has_open_name) = if is_inside {
            let (resolved, has_open_name) = env.in_instance(|env| self.resolve_open(init, env));
            env.meet_name(has_open_name, None);
            (resolved?, Some(has_open_name))
        } else {
            (self.resolve_open(init, env)?, None)
        };
        if value.is_some() {
            env.memo.insert(init, Resolution { value, has_open_name });
        }
        Ok(value)
    }

    /// Resolves a part of a value: unlike a whole field, it needs a value.
    #[inline]
    pub(super) fn resolve_part(&mut self, init: InitId, env: &mut Environment) -> Parsed<InitId> {
        let errors = self.error_count;
        let resolved = self.resolve(init, env)?;
        if resolved.is_some() || !init.is_some() {
            return Ok(resolved);
        }
        self.without_value(init, env, errors)
    }

    #[cold]
    fn without_value(&mut self, init: InitId, env: &Environment, errors: u32) -> Parsed<InitId> {
        if self.error_count > errors {
            return Err(Reported);
        }
        let missing = self.describe_missing(init);
        self.fail_without_value(missing, env.record)
    }

    /// Returns the error for an init without a value.
    #[cold]
    fn describe_missing(&mut self, init: InitId) -> Missing {
        let shown = self.show(init);
        let message = match self.unconverted.take() {
            None => format!("'{shown}' has no value"),
            Some([own, wanted]) => {
                let (own, wanted) = (self.show_type(own), self.show_type(wanted));
                format!(
                    "'{shown}' is of type '{wanted}', but its value is of type '{own}': convert that with \
                     !cast<{wanted}>"
                )
            }
        };
        Missing { shown, message }
    }

    /// Fails because a value that is needed is missing. In a branch that may not be chosen that is not an error yet.
    #[cold]
    fn fail_without_value<T>(&mut self, missing: Missing, record: Option<RecordId>) -> Parsed<T> {
        if self.open_choices > 0 {
            self.missing = Some(missing);
            return Err(Reported);
        }
        match record {
            Some(record) => self.fatal_at(record, missing.message),
            None => self.fatal(self.token.span, missing.message),
        }
    }

    /// Resolves a branch of a choice that is not made yet. One without a value becomes [`ops::NOTHING`], which is an
    /// error only if it is chosen.
    ///
    /// ```text
    /// class A<list<int> l> { bit has = !not(!empty(l)); int first = !if(has, !head(l), -1); }
    /// def X : A<[]>;
    /// ```
    fn resolve_branch(&mut self, branch: InitId, ty: TypeId, env: &mut Environment) -> Parsed<InitId> {
        match self.try_branch(branch, ty, env)? {
            InitId::NONE if branch.is_some() => {
                let missing = self.describe_missing(branch);
                self.nothing(&missing, ty)
            }
            resolved => Ok(resolved),
        }
    }

    /// Tries [`Evaluator::resolve_branch`]; returns no value at all if the branch itself, rather than a part of it, has
    /// none.
    fn try_branch(&mut self, branch: InitId, ty: TypeId, env: &mut Environment) -> Parsed<InitId> {
        self.open_choices += 1;
        let resolved = self.resolve(branch, env);
        self.open_choices -= 1;
        match (resolved, self.missing.take()) {
            (Err(Reported), Some(missing)) => self.nothing(&missing, ty),
            (resolved, _) => resolved,
        }
    }

    /// Returns the placeholder for a missing value.
    pub(super) fn nothing(&mut self, missing: &Missing, ty: TypeId) -> Parsed<InitId> {
        let shown = self.new_string(&missing.shown, false)?;
        let message = self.new_string(&missing.message, false)?;
        Ok(self.keeper.arena.op(ops::NOTHING, ty, &[shown, message]))
    }

    /// Returns the missing value that an [`ops::NOTHING`] describes.
    fn missing_of(&self, operation: Operation) -> Missing {
        let [shown, message] = self.operands(operation);
        Missing { shown: self.unquoted(shown), message: self.unquoted(message) }
    }

    fn resolve_open(&mut self, init: InitId, env: &mut Environment) -> Parsed<InitId> {
        match self.keeper.arena.init(init) {
            Init::Var(name, _) => {
                let found = self.look_up(name, env)?;
                if env.is_in_instance() {
                    let is_open = found.is_none_or(|found| self.has_free_variable(found));
                    env.meet_name(is_open, env.frame.bound.iter().rposition(|&bound| bound == name));
                }
                Ok(found.unwrap_or(init))
            }
            Init::Bits(seq) => self.resolve_bits(init, seq, env),
            Init::VarBit(value, index) => {
                let resolved = self.resolve_part(value, env)?;
                Ok(if resolved == value { init } else { self.bit_of(resolved, index) })
            }
            Init::List(element, seq) => match self.resolve_all(seq, env)? {
                Some(items) => Ok(self.keeper.arena.list(element, &items)),
                None => Ok(init),
            },
            Init::Dag(seq) => {
                // The arguments come first: instances are numbered in the order of their creation.
                let mut parts = Few::from_slice(self.keeper.arena.run(seq));
                let are_changed = self.resolve_each(&mut parts[1..], env)?;
                let is_changed = self.resolve_each(&mut parts[..1], env)?;
                Ok(if are_changed || is_changed { self.keeper.arena.dag(&parts) } else { init })
            }
            Init::Field(record, name, ty) => {
                let resolved = self.resolve_part(record, env)?;
                if resolved == record { Ok(init) } else { self.fold_field(resolved, name, ty, env.record) }
            }
            Init::Instance(class, seq) => {
                let (arguments, has_open_name) = env.in_instance(|env| self.resolve_all(seq, env));
                match arguments? {
                    Some(arguments) if has_open_name => Ok(self.keep_instance(class, &arguments, init)),
                    Some(arguments) => self.refold_instance(class, &arguments, init),
                    None => Ok(init),
                }
            }
            Init::Named(name, value) => {
                let value = self.resolve_part(value, env)?;
                Ok(self.keeper.arena.intern(Init::Named(name, value)))
            }
            Init::Op(operator, ty, operands) => {
                self.resolve_operation(Operation { init, operator, ty, operands }, env)
            }
            Init::Anonymous(name) => {
                if let Some((_, new)) = env.renamed.filter(|&(old, _)| old == init) {
                    return Ok(new);
                }
                // In arguments of an instance it never becomes a text.
                let becomes_text = env.is_at_the_end();
                env.meet_name(true, None);
                Ok(if becomes_text { self.keeper.arena.intern(Init::String(name)) } else { init })
            }
            Init::Unset | Init::Bit(_) | Init::Int(_) | Init::String(_) | Init::Code(_) | Init::Def(_) => {
                Ok(init)
            }
        }
    }

    fn look_up(&mut self, name: StrId, env: &mut Environment) -> Parsed<Option<InitId>> {
        if env.frame.bound.contains(&name) {
            return Ok(None);
        }
        match env.meanings.find(name) {
            Some(index) => self.meaning(index, env),
            None => self.field_value(name, env),
        }
    }

    /// Returns the meaning of a template argument or loop variable; template arguments may depend on each other.
    fn meaning(&mut self, index: usize, env: &mut Environment) -> Parsed<Option<InitId>> {
        let meaning = env.meanings.at(index);
        if meaning.progress == Progress::Open {
            return Ok(None);
        }
        let is_alone = env.meanings.len() == 1;
        if meaning.progress == Progress::Resolved || is_alone || self.keeper.arena.is_closed(meaning.value) {
            return Ok(Some(meaning.value));
        }
        let value = env.in_meaning(index, |env| self.resolve(meaning.value, env))?;
        Ok(value.is_some().then_some(value))
    }

    /// Returns the value of a field of the current record.
    fn field_value(&mut self, name: StrId, env: &mut Environment) -> Parsed<Option<InitId>> {
        let (Some(record), Some(fields)) = (env.record, &env.fields) else { return Ok(None) };
        if let Some(value) = fields.done(name) {
            return Ok(Some(value));
        }
        if fields.open.contains(&name) {
            return Ok(None);
        }
        self.charge_search(record, self.token.span)?;
        let Some(field) = self.keeper.record(record).field(name) else { return Ok(None) };
        let value = field.value;
        if value == InitId::UNSET || !value.is_some() {
            return Ok(None);
        }
        let value = env.in_field(name, |env| self.resolve_part(value, env))?;
        if let Some(fields) = env.fields.as_mut().filter(|_| !self.keeper.arena.is_closed(value)) {
            fields.has_open = true;
        }
        Ok(Some(value))
    }

    /// Resolves each init of a run; returns nothing if none changes.
    fn resolve_all(&mut self, seq: Seq, env: &mut Environment) -> Parsed<Option<Few>> {
        let mut items = Few::from_slice(self.keeper.arena.run(seq));
        let is_changed = self.resolve_each(&mut items, env)?;
        Ok(is_changed.then_some(items))
    }

    /// Resolves each of these parts; returns whether any changed.
    #[inline]
    fn resolve_each(&mut self, items: &mut [InitId], env: &mut Environment) -> Parsed<bool> {
        let mut is_changed = false;
        for item in items {
            let resolved = self.resolve_part(*item, env)?;
            is_changed |= resolved != *item;
            *item = resolved;
        }
        Ok(is_changed)
    }

    fn resolve_bits(&mut self, init: InitId, seq: Seq, env: &mut Environment) -> Parsed<InitId> {
        // Unset bits of a field keep its name, though not in a body or an argument.
        let keeps_unset = env.fields.is_some() && env.frame.bound.is_empty() && !env.is_in_instance();
        let mut resolved = Few::with_capacity(seq.len as usize);
        let mut last: Option<(InitId, InitId)> = None;
        for index in 0..seq.len as usize {
            let bit = self.keeper.arena.at(seq, index);
            let mut new = match self.keeper.arena.init(bit) {
                Init::VarBit(value, index) => {
                    let whole = match last {
                        Some((known, whole)) if known == value => whole,
                        _ => self.resolve_part(value, env)?,
                    };
                    last = Some((value, whole));
                    self.bit_of(whole, index)
                }
                _ => {
                    let new = self.resolve_part(bit, env)?;
                    let new = self.convert(new, TypeId::BIT).unwrap_or(new);
                    self.bit_of(new, 0)
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

    fn resolve_operation(&mut self, operation: Operation, env: &mut Environment) -> Parsed<InitId> {
        match operation.operator {
            // Only the chosen branch is resolved, once the condition is known.
            ops::IF => {
                let [condition, then, otherwise] = self.operands(operation);
                let condition = self.resolve_part(condition, env)?;
                match self.int_of(condition) {
                    Some(0) => return self.resolve(otherwise, env),
                    Some(_) => return self.resolve(then, env),
                    None => {}
                }
                let then = self.resolve_branch(then, operation.ty, env)?;
                let otherwise = self.resolve_branch(otherwise, operation.ty, env)?;
                self.fold_changed(operation, &[condition, then, otherwise], env)
            }
            // If the left side decides, the right side is not resolved.
            ops::AND | ops::OR if self.keeper.rules.has(Change::DecidedOperands) => {
                let [left, right] = self.operands(operation);
                let left = self.resolve_part(left, env)?;
                if let Some(decides) = ops::deciding(operation.operator)
                    && self.int_of(left) == Some(decides)
                    && !self.keeper.arena.is_closed(right)
                {
                    return Ok(self.keeper.arena.int(decides));
                }
                let right = self.resolve_part(right, env)?;
                self.fold_changed(operation, &[left, right], env)
            }
            ops::STRCONCAT => self.resolve_concat(operation, env),
            // In releases without symbolic indices, an element of an unset list stays symbolic.
            ops::ELEMENT if !self.keeper.rules.has(Change::NamedArguments) => {
                let [list, index] = self.operands(operation);
                match self.resolve_part(list, env)? {
                    InitId::UNSET => Ok(operation.init),
                    resolved => self.fold_changed(operation, &[resolved, index], env),
                }
            }
            ops::COND if self.is_pure_cond(operation.operands, env) => self.resolve_cond(operation, env),
            ops::COND => self.resolve_whole_cond(operation, env),
            ops::NOTHING => {
                let missing = self.missing_of(operation);
                self.fail_without_value(missing, env.record)
            }
            // The bound variables are different from outer names.
            ops::FOREACH | ops::FILTER | ops::SORT => {
                let [variable, list, body] = self.operands(operation);
                let list = self.resolve_part(list, env)?;
                let body = self.resolve_body(body, &[variable], env)?;
                self.fold_changed(operation, &[variable, list, body], env)
            }
            ops::FOLDL => {
                let [start, list, left, right, body] = self.operands(operation);
                let start = self.resolve_part(start, env)?;
                let list = self.resolve_part(list, env)?;
                let body = self.resolve_body(body, &[left, right], env)?;
                self.fold_changed(operation, &[start, list, left, right, body], env)
            }
            _ => self.resolve_operands(operation, env),
        }
    }

    /// Resolves an operator's operands one by one, whatever the operator.
    fn resolve_operands(&mut self, operation: Operation, env: &mut Environment) -> Parsed<InitId> {
        // Most have at most three.
        match *self.keeper.arena.run(operation.operands) {
            [a] => self.resolve_and_fold(operation, &mut [a], env),
            [a, b] => self.resolve_and_fold(operation, &mut [a, b], env),
            [a, b, c] => self.resolve_and_fold(operation, &mut [a, b, c], env),
            ref operands => {
                let mut operands = Few::from_slice(operands);
                self.resolve_and_fold(operation, &mut operands, env)
            }
        }
    }

    /// Resolves a `!strconcat` and those nested in its right operand. Their joint result is computed at once.
    fn resolve_concat(&mut self, operation: Operation, env: &mut Environment) -> Parsed<InitId> {
        let mut parts = Few::new();
        let mut is_changed = false;
        let mut rest = operation;
        loop {
            let [left, right] = self.operands(rest);
            let resolved = self.resolve_part(left, env)?;
            is_changed |= resolved != left;
            parts.push(resolved);
            match self.keeper.arena.init(right) {
                Init::Op(ops::STRCONCAT, _, operands)
                    if self.keeper.arena.facts(right).weight() < KEPT_WEIGHT =>
                {
                    rest.operands = operands;
                }
                _ => {
                    let resolved = self.resolve_part(right, env)?;
                    is_changed |= resolved != right;
                    parts.push(resolved);
                    break;
                }
            }
        }
        if !is_changed {
            return Ok(operation.init);
        }
        let texts: Option<SmallVec<[StrId; 8]>> = parts.iter().map(|&part| self.string_of(part)).collect();
        if let Some([first, others @ ..]) = texts.as_deref() {
            return self.concat(&parts, *first, others);
        }
        let Some(mut joined) = parts.pop() else { return Ok(operation.init) };
        while let Some(left) = parts.pop() {
            joined = self.fold_again(operation, &[left, joined], env)?;
        }
        Ok(joined)
    }

    /// Returns true if the result does not depend on which parts of a `!cond` are resolved.
    fn is_pure_cond(&self, seq: Seq, env: &Environment) -> bool {
        let arena = &self.keeper.arena;
        if env.is_in_instance() || !arena.seq(seq).all(|part| arena.facts(part).is_pure()) {
            return false;
        }
        let mut open_marks = env.meanings.open_marks;
        if let (Some(record), Some(fields)) = (env.record, &env.fields) {
            for field in &self.keeper.record(record).fields {
                if !arena.is_closed(field.value) && fields.done.iter().all(|&(done, _)| done != field.name) {
                    open_marks |= arena.mark(field.name);
                }
            }
        }
        !arena.seq(seq).any(|part| arena.facts(part).may_mention(open_marks))
    }

    /// Resolves only the needed parts of a `!cond` if possible: the conditions up to the first that holds, and its
    /// value.
    fn resolve_cond(&mut self, operation: Operation, env: &mut Environment) -> Parsed<InitId> {
        let seq = operation.operands;
        for index in (0..seq.len as usize).step_by(2) {
            let condition = self.keeper.arena.at(seq, index);
            let condition = self.resolve_part(condition, env)?;
            match self.int_of(condition) {
                Some(0) => {}
                Some(_) => {
                    let value = self.keeper.arena.at(seq, index + 1);
                    let value = self.resolve_part(value, env)?;
                    return self.fold_again(operation, &[condition, value], env);
                }
                None => break,
            }
        }
        match self.keeper.rules.has(Change::CondEndsAtTrue) {
            true => self.resolve_whole_cond(operation, env),
            false => self.resolve_operands(operation, env),
        }
    }

    /// Resolves all of a `!cond`, or in newer releases its cases up to the first condition that holds. A part without a value, such as the head of an empty list, matters only if it is
    /// chosen.
    fn resolve_whole_cond(&mut self, operation: Operation, env: &mut Environment) -> Parsed<InitId> {
        let mut operands = Few::from_slice(self.keeper.arena.run(operation.operands));
        let ends_at_true = self.keeper.rules.has(Change::CondEndsAtTrue);
        let mut is_changed = false;
        let mut index = 0;
        while index < operands.len() {
            let ty = if index % 2 == 0 { TypeId::BIT } else { operation.ty };
            let resolved = self.try_branch(operands[index], ty, env)?;
            is_changed |= resolved != operands[index];
            operands[index] = resolved;
            if ends_at_true
                && index % 2 == 0
                && resolved.is_some()
                && self.int_of(resolved).is_some_and(|it| it != 0)
            {
                is_changed |= index + 2 < operands.len();
                operands.truncate(index + 2);
            }
            index += 1;
        }
        if !is_changed {
            return Ok(operation.init);
        }
        for pair in operands.chunks_exact(2) {
            match pair[0].is_some().then(|| self.int_of(pair[0])).flatten() {
                Some(0) => {}
                Some(_) if pair[1].is_some() && self.is_nothing(pair[1]) => {
                    return self.resolve(pair[1], env);
                }
                Some(_) if pair[1].is_some() => return self.fold_again(operation, pair, env),
                Some(_) => return Ok(InitId::NONE),
                None => break,
            }
        }
        for (index, operand) in operands.iter_mut().enumerate() {
            if !operand.is_some() {
                let missing = self.describe_missing(self.keeper.arena.at(operation.operands, index));
                let ty = if index % 2 == 0 { TypeId::BIT } else { operation.ty };
                *operand = self.nothing(&missing, ty)?;
            }
        }
        self.fold_again(operation, &operands, env)
    }

    fn is_nothing(&self, init: InitId) -> bool {
        matches!(self.keeper.arena.init(init), Init::Op(ops::NOTHING, ..))
    }

    /// Returns true if a field's value may wait and be resolved with the other fields, without a change of the result.
    pub(super) fn may_wait(&self, value: InitId) -> bool {
        let arena = &self.keeper.arena;
        match arena.init(value) {
            // An error about a number that is not a bit is reported at the end.
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
        operation: Operation,
        operands: &mut [InitId],
        env: &mut Environment,
    ) -> Parsed<InitId> {
        let is_changed = self.resolve_each(operands, env)?;
        let must_fold = env.is_at_the_end() && ops::of(operation.operator).waits_for_the_end;
        if is_changed || must_fold { self.fold_again(operation, operands, env) } else { Ok(operation.init) }
    }

    /// Returns the operands of an operator with this number of them.
    fn operands<const COUNT: usize>(&self, operation: Operation) -> [InitId; COUNT] {
        let operands = self.keeper.arena.run(operation.operands);
        std::array::from_fn(|index| operands[index])
    }

    /// Returns the operator over these operands, folded if any of them is new.
    fn fold_changed(
        &mut self,
        operation: Operation,
        operands: &[InitId],
        env: &Environment,
    ) -> Parsed<InitId> {
        if self.keeper.arena.run(operation.operands) == operands {
            return Ok(operation.init);
        }
        self.fold_again(operation, operands, env)
    }

    /// Folds the operator over other operands.
    #[inline]
    fn fold_again(&mut self, operation: Operation, operands: &[InitId], env: &Environment) -> Parsed<InitId> {
        self.fold(operation.operator, operation.ty, operands, env.record, env.is_at_the_end())
    }

    fn resolve_body(&mut self, body: InitId, bound: &[InitId], env: &mut Environment) -> Parsed<InitId> {
        let arena = &self.keeper.arena;
        let name = |&variable: &InitId| match arena.init(variable) {
            Init::Var(name, _) => Some(name),
            _ => None,
        };
        let bound: SmallVec<[StrId; 2]> = bound.iter().filter_map(name).collect();
        let resolved = env.in_operator(&bound, |env| self.resolve(body, env));
        // A body without a value is no error if it is never evaluated.
        resolved.map(|resolved| if resolved.is_some() { resolved } else { body })
    }

    /// Returns `record.name`, folded if the record is known and its field is finished.
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
            self.charge_search(id, self.token.span)?;
            if let Some(field) = self.keeper.record(id).field(name)
                && field.value.is_some()
                && self.keeper.is_concrete(field.value)
            {
                return Ok(field.value);
            }
        }
        Ok(self.keeper.arena.intern(Init::Field(record, name, ty)))
    }

    /// Folds a bang operator over these operands: returns its value if it has one, else the symbolic form.
    pub(super) fn fold(
        &mut self,
        operator: OperatorId,
        ty: TypeId,
        operands: &[InitId],
        record: Option<RecordId>,
        is_final: bool,
    ) -> Parsed<InitId> {
        let folding = ops::Folding { ty, operands, record, is_final };
        let fold = ops::of(operator).fold;
        match fold(self, &folding)? {
            Some(value) => Ok(value),
            None => Ok(self.keeper.arena.op(operator, ty, operands)),
        }
    }

    /// Applies [`Evaluator::fold`] while reading: for the record being read, and not as the last chance.
    pub(super) fn fold_now(
        &mut self,
        operator: OperatorId,
        ty: TypeId,
        operands: &[InitId],
    ) -> Parsed<InitId> {
        let folded = self.fold(operator, ty, operands, self.record, false)?;
        // An operator without a value has reported the reason.
        if folded.is_some() { Ok(folded) } else { Err(Reported) }
    }
}
