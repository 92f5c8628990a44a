//! Instantiates classes as records: superclasses, inline instances, finishing a def.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};

use super::{
    Evaluator, Parsed, Reported,
    environment::Environment,
    ops,
    resolve::{Few, KEPT_WEIGHT},
};
use crate::{
    diagnostic::Diagnostic,
    record::{
        Arena, Field, Init, InitId, RecordId, StrId, print,
        record::{Assertion, Dump, Kind, Record, Superclass},
    },
    span::Span,
};
use odsmith_release::Change;

/// A class with its arguments, as named in a list of superclasses.
pub(super) struct ClassRef {
    pub(super) class: RecordId,
    pub(super) arguments: Few,
    pub(super) span: Span,
}

impl Evaluator<'_> {
    /// Returns the meanings of a class's template arguments and of `NAME`.
    fn argument_names(&mut self, class_ref: &ClassRef, record: RecordId) -> Parsed<Environment> {
        let mut env = self.bind_arguments(class_ref)?;
        env.record = Some(record);
        if let Some(name_arg) = self.keeper.record(class_ref.class).name_arg {
            let data = self.keeper.record(record);
            let name = match (data.kind, data.name_arg) {
                (Kind::Class, Some(own)) => {
                    self.keeper.arena.intern(Init::Var(own, crate::record::TypeId::STRING))
                }
                _ => data.name,
            };
            env.set(&self.keeper.arena, name_arg, name);
        }
        Ok(env)
    }

    /// Binds template arguments to their values or defaults.
    pub(super) fn bind_arguments(&mut self, class_ref: &ClassRef) -> Parsed<Environment> {
        let mut env = Environment::default();
        for (index, &argument) in class_ref.arguments.iter().enumerate() {
            self.charge_search(class_ref.class, class_ref.span)?;
            let (name, value) = self.argument(class_ref.class, index, argument);
            env.set(&self.keeper.arena, name, value);
        }
        for index in 0..self.keeper.record(class_ref.class).template_args.len() {
            let field = self.keeper.record(class_ref.class).template_args[index];
            self.charge_search(class_ref.class, class_ref.span)?;
            if env.has(field.name) {
                continue;
            }
            if !self.is_default(field.value) {
                return self.missing_argument(class_ref.class, field, class_ref.span);
            }
            env.set(&self.keeper.arena, field.name, field.value);
        }
        Ok(env)
    }

    /// Returns the qualified name and the value of the argument at this index.
    pub(super) fn argument(&self, class: RecordId, index: usize, argument: InitId) -> (StrId, InitId) {
        match self.keeper.arena.init(argument) {
            Init::Named(name, value) => (name, value),
            _ => (self.keeper.record(class).template_args[index].name, argument),
        }
    }

    /// Makes a record derive from a class: fields, assertions, the list of superclasses.
    pub(super) fn add_superclass(&mut self, record: RecordId, class_ref: &ClassRef) -> Parsed<()> {
        let class = class_ref.class;
        let touched = self.add_fields(record, class, class_ref.span)?;
        let mut env = self.argument_names(class_ref, record)?;
        for index in touched {
            let field = self.keeper.record(record).fields[index as usize];
            if self.keeper.arena.is_closed(field.value) {
                continue;
            }
            let value = self.resolve(field.value, &mut env)?;
            self.set_resolved(record, index as usize, value)?;
        }
        self.resolve_defaults(record, &mut env)?;
        self.inherit_statements(record, class, &mut env)?;
        if let Some(again) = self.superclass_again(record, class) {
            let message = format!("Already subclass of '{}'!\n", self.show_name(again));
            return self.fail(class_ref.span, message);
        }
        self.charge_record(class_ref.span, self.keeper.record(class).superclasses.len() + 1)?;
        self.list_superclass(record, Superclass { class, span: class_ref.span, is_direct: true });
        Ok(())
    }

    /// Resolves the defaults of a class's template arguments, as the reference does for the first superclass. None of
    /// them mentions a name of the superclass, but a deciding operand is only found by resolving.
    fn resolve_defaults(&mut self, record: RecordId, env: &mut Environment) -> Parsed<()> {
        if !self.keeper.record(record).superclasses.is_empty() {
            return Ok(());
        }
        for index in 0..self.keeper.record(record).template_args.len() {
            let field = self.keeper.record(record).template_args[index];
            if !self.keeper.arena.is_closed(field.value) {
                let value = self.resolve(field.value, env)?;
                let value = self.as_field_value(value, field.ty()).unwrap_or(field.value);
                self.keeper.record_mut(record).template_args[index].value = value;
            }
        }
        Ok(())
    }

    /// Returns a class that cannot be a superclass of the record again: `class` or one that it derives from.
    fn superclass_again(&self, record: RecordId, class: RecordId) -> Option<RecordId> {
        let record = self.keeper.record(record);
        let all = self.keeper.record(class).superclasses.iter().map(|superclass| superclass.class);
        let all = all.filter(|_| !self.superclasses_are_walked());
        all.chain([class]).find(|&class| record.is_subclass_of(class))
    }

    /// Returns true if the superclasses of a record are looked up through its direct ones each time, rather than fixed
    /// when the record was made.
    pub(super) fn superclasses_are_walked(&self) -> bool {
        self.keeper.rules.has(Change::RepeatedSuperclasses)
    }

    /// Returns true if `record` is a class that was declared before, and whose definition is being read.
    pub(super) fn is_declared_again(&self, record: RecordId) -> bool {
        self.declared_again.last().is_some_and(|&(class, _)| class == record)
    }

    /// Rejects a superclass that is the class itself or derives from it. The reference loops there until its stack
    /// overflows.
    pub(super) fn check_circle(&mut self, record: RecordId, class_ref: &ClassRef) -> Parsed<()> {
        let class = class_ref.class;
        if class != record && !self.keeper.record(class).is_subclass_of(record) {
            return Ok(());
        }
        let (own, other) = (self.show_name(record), self.show_name(class));
        let message = match class == record {
            true => format!("class '{own}' derives from itself"),
            false => format!("class '{own}' derives from '{other}', which derives from '{own}'"),
        };
        self.fail(class_ref.span, message)
    }

    /// Passes the superclasses of a class that was declared before to the records that already derive from it.
    pub(super) fn pass_on_superclasses(&mut self, class: RecordId, span: Span) -> Parsed<()> {
        let count = self.keeper.record_count();
        self.metered(|meter, _| meter.charge(span, count as u64))?;
        let derives = |record: &RecordId| self.keeper.record(*record).is_subclass_of(class);
        let mut derived: Vec<RecordId> = self.keeper.record_ids().filter(derives).collect();
        // A record has more superclasses than each of its superclasses, so that these come first.
        derived.sort_by_key(|&record| self.keeper.record(record).superclasses.len());
        for record in derived {
            let direct =
                self.keeper.record(record).superclasses.iter().filter(|superclass| superclass.is_direct);
            let direct: Vec<Superclass> = direct.copied().collect();
            let inherited = |superclass: &Superclass| self.keeper.record(superclass.class).superclasses.len();
            let entries = direct.len() + direct.iter().map(inherited).sum::<usize>();
            self.charge_record(span, entries)?;
            self.keeper.record_mut(record).superclasses.clear();
            for superclass in direct {
                self.list_superclass(record, superclass);
            }
        }
        Ok(())
    }

    /// Adds a class's assertions and dumps to a record.
    fn inherit_statements(&mut self, record: RecordId, class: RecordId, env: &mut Environment) -> Parsed<()> {
        let is_class = self.keeper.record(record).kind == Kind::Class;
        let source = self.keeper.record(class);
        let (assertions, dumps) = (source.assertions.clone(), source.dumps.clone());
        for assertion in assertions {
            let condition = self.resolve_statement(assertion.condition, is_class, env)?;
            let message = self.resolve_statement(assertion.message, is_class, env)?;
            self.keeper.record_mut(record).assertions.push(Assertion { condition, message, ..assertion });
        }
        for dump in dumps {
            let message = self.resolve_statement(dump.message, is_class, env)?;
            self.keeper.record_mut(record).dumps.push(Dump { message, ..dump });
        }
        Ok(())
    }

    /// Resolves a condition or message; a class keeps it if it has no value yet.
    fn resolve_statement(&mut self, init: InitId, is_class: bool, env: &mut Environment) -> Parsed<InitId> {
        if !is_class {
            return self.resolve_part(init, env);
        }
        let resolved = self.resolve(init, env)?;
        Ok(if resolved.is_some() { resolved } else { init })
    }

    /// Adds a direct superclass to a record, after the superclasses that it has itself.
    fn list_superclass(&mut self, record: RecordId, superclass: Superclass) {
        let inherited = self.keeper.record(superclass.class).superclasses.iter();
        let inherited = inherited.map(|inherited| Superclass { is_direct: false, ..*inherited });
        let added: SmallVec<[Superclass; 24]> = inherited.chain([superclass]).collect();
        let data = self.keeper.record_mut(record);
        data.superclasses.extend_from_slice(&added);
        data.ty = None;
    }

    /// Adds the fields of a class; returns their indexes in the record, in the record's own order: instances are
    /// numbered in the order of their creation.
    fn add_fields(&mut self, record: RecordId, class: RecordId, span: Span) -> Parsed<SmallVec<[u32; 32]>> {
        let count = self.keeper.record(class).fields.len();
        if self.keeper.record(record).fields.is_empty() {
            self.metered(|meter, _| meter.charge(span, count as u64))?;
            self.charge_record(span, 2 * count)?;
            let mut fields = std::mem::take(&mut self.keeper.record_mut(record).fields);
            fields.extend_from_slice(&self.keeper.record(class).fields);
            self.keeper.record_mut(record).fields = fields;
            return Ok((0..count as u32).collect());
        }
        let mut touched = SmallVec::with_capacity(count);
        for index in 0..count {
            let field = self.keeper.record(class).fields[index];
            touched.push(self.add_field(record, field, span)? as u32);
        }
        touched.sort_unstable();
        Ok(touched)
    }

    /// Adds a field, or sets it if the record has it; returns its index.
    pub(super) fn add_field(&mut self, record: RecordId, field: Field, span: Span) -> Parsed<usize> {
        self.metered(|meter, _| meter.charge(span, 1))?;
        self.charge_search(record, span)?;
        let found = self.keeper.record(record).fields.iter().position(|known| known.name == field.name);
        let Some(index) = found else {
            self.charge_record(span, 2)?;
            let data = self.keeper.record_mut(record);
            data.fields.push(field);
            return Ok(data.fields.len() - 1);
        };
        let known = self.keeper.record(record).fields[index];
        match self.as_field_value(field.value, known.ty()) {
            Some(value) => {
                self.keeper.record_mut(record).fields[index].value = value;
                Ok(index)
            }
            None => {
                let message = self.redefined(field, known.ty());
                self.fail(span, message)
            }
        }
    }

    /// Sets a field to its resolved value.
    pub(super) fn set_resolved(&mut self, record: RecordId, index: usize, value: InitId) -> Parsed<()> {
        let field = self.keeper.record(record).fields[index];
        if value == field.value {
            return Ok(());
        }
        let Some(value) = self.as_field_value(value, field.ty()) else {
            let own = match self.type_of(value) {
                Some(own) => format!("of type '{}' ", self.show_type(own)),
                None => String::new(),
            };
            let message = format!(
                "Invalid value {own}found when setting field '{}' of type '{}' after resolving references: {}\n",
                self.str(field.name),
                self.show_type(field.ty()),
                self.unquoted(value)
            );
            return self.fatal_at(record, message);
        };
        self.keeper.record_mut(record).fields[index].value = value;
        Ok(())
    }

    /// Folds `Class<arguments>` to its record, once no name in the arguments is open.
    pub(super) fn fold_instance(
        &mut self,
        class: RecordId,
        arguments: &[InitId],
        span: Span,
    ) -> Parsed<InitId> {
        let instance = self.keeper.arena.instance(class, arguments);
        match self.instances.get(instance) {
            Some(made) => Ok(made),
            None => self.new_instance(class, arguments, instance, span),
        }
    }

    /// Applies [`Evaluator::fold_instance`] to a changed instance: `origin` with names replaced.
    pub(super) fn refold_instance(
        &mut self,
        class: RecordId,
        arguments: &[InitId],
        origin: InitId,
    ) -> Parsed<InitId> {
        let instance = self.keeper.arena.instance(class, arguments);
        if let Some(made) = self.instances.get(instance) {
            return Ok(made);
        }
        let span = self.instance_spans.get(origin).unwrap_or(self.token.span);
        self.new_instance(class, arguments, instance, span)
    }

    /// Applies [`Evaluator::refold_instance`] to an instance that stays symbolic.
    pub(super) fn keep_instance(&mut self, class: RecordId, arguments: &[InitId], origin: InitId) -> InitId {
        let instance = self.keeper.arena.instance(class, arguments);
        if self.instance_spans.get(instance).is_none() {
            let span = self.instance_spans.get(origin).unwrap_or(self.token.span);
            self.instance_spans.insert(instance, span);
        }
        instance
    }

    /// Returns true if a value mentions a variable that no operator in it binds.
    pub(super) fn has_free_variable(&self, init: InitId) -> bool {
        // An operator that waits for other operands may hold bound variables only; that is rare.
        let decides = self.keeper.rules.has(Change::DecidedOperands);
        self.keeper.arena.has_variable(init) && has_free_variable(&self.keeper.arena, init, decides)
    }

    fn new_instance(
        &mut self,
        class: RecordId,
        arguments: &[InitId],
        instance: InitId,
        span: Span,
    ) -> Parsed<InitId> {
        let span = match self.instance_spans.get(instance) {
            Some(span) => span,
            None => {
                self.instance_spans.insert(instance, span);
                span
            }
        };
        if self.has_free_variable(instance) {
            return Ok(instance);
        }
        // A record is complete or an error, even in a branch that may not be chosen.
        let open_choices = std::mem::take(&mut self.open_choices);
        self.instantiating.push((class, span));
        let made = self.nested(span, |cx| cx.make_instance(class, arguments, instance, span));
        self.instantiating.pop();
        self.open_choices = open_choices;
        made
    }

    fn make_instance(
        &mut self,
        class: RecordId,
        arguments: &[InitId],
        instance: InitId,
        span: Span,
    ) -> Parsed<InitId> {
        let name = self.keeper.next_anonymous();
        let name = self.keeper.arena.intern(Init::String(name));
        let own_span = match self.keeper.rules.has(Change::InstancesInPlace) {
            true => span,
            false => self.keeper.record(class).span(),
        };
        let mut data = Record::new(name, Kind::Def, own_span);
        data.is_anonymous = true;
        let record = self.new_record(data)?;
        self.keeper.record_mut(record).fields = self.keeper.record(class).fields.clone();
        let class_ref = ClassRef { class, arguments: Few::from_slice(arguments), span };
        let mut env = self.bind_arguments(&class_ref)?;
        env.record = Some(record);
        let are_closed = env.are_closed();
        for index in 0..self.keeper.record(record).fields.len() {
            let field = self.keeper.record(record).fields[index];
            let is_done =
                self.keeper.arena.is_closed(field.value) || are_closed && self.may_wait(field.value);
            if !is_done {
                let value = self.resolve(field.value, &mut env)?;
                self.set_resolved(record, index, value)?;
            }
        }
        self.inherit_statements(record, class, &mut env)?;
        self.list_superclass(record, Superclass { class, span, is_direct: true });
        let env = if are_closed { env } else { Environment::default() };
        self.resolve_fields(record, env)?;
        if let Some(name) = self.keeper.name(record) {
            self.keeper.defs.insert(name, record);
        }
        let made = self.keeper.arena.intern(Init::Def(record));
        self.instances.insert(instance, made);
        self.check_assertions(record)?;
        self.emit_dumps(record)?;
        Ok(made)
    }

    /// Counts the contents of a record: a number of entries of 16 bytes.
    pub(super) fn charge_record(&mut self, span: Span, entries: usize) -> Parsed<()> {
        self.keeper.record_bytes += 16 * entries;
        self.metered(|meter, _| meter.charge(span, entries as u64 / 4))?;
        let fits = self.keeper.check(&self.meter, span);
        self.reported(fits)
    }

    /// Charges the search for a field or template argument of a record that has very many of them.
    #[inline]
    pub(super) fn charge_search(&mut self, record: RecordId, span: Span) -> Parsed<()> {
        let data = self.keeper.record(record);
        let entries = data.fields.len() + data.template_args.len();
        if entries < 256 {
            return Ok(());
        }
        self.metered(|meter, _| meter.charge(span, entries as u64 / 16))
    }

    /// Adds a record, without registering its name.
    pub(super) fn new_record(&mut self, record: Record) -> Parsed<RecordId> {
        let span = record.span();
        let count = self.keeper.record_count() + 1;
        self.metered(|meter, _| meter.records(span, count).and_then(|()| meter.charge(span, 8)))?;
        // A copy of a prototype has all lists already.
        let inherited = record.superclasses.len() + 2 * (record.assertions.len() + record.dumps.len());
        let entries = 20 + 2 * (record.fields.len() + record.template_args.len()) + inherited;
        self.charge_record(span, entries + record.spans.len())?;
        Ok(self.keeper.add(record))
    }

    /// Resolves a finished record's fields against each other, and all other names in them that have a meaning.
    pub(super) fn resolve_fields(&mut self, record: RecordId, env: Environment) -> Parsed<()> {
        let ty = self.record_type(record);
        let data = self.keeper.record_mut(record);
        data.ty = Some(ty);
        // It gets no more fields: a large unused capacity is freed.
        if data.fields.capacity() - data.fields.len() >= 24 {
            data.fields.shrink_to_fit();
        }
        let mut env = env.and_fields(record);
        let name = self.keeper.record(record).name;
        if !self.keeper.arena.is_closed(name) {
            let resolved = self.resolve_part(name, &mut env)?;
            self.keeper.record_mut(record).name = resolved;
        }
        for index in 0..self.keeper.record(record).fields.len() {
            let field = self.keeper.record(record).fields[index];
            if self.keeper.arena.is_closed(field.value) {
                continue;
            }
            let value = self.resolve(field.value, &mut env)?;
            self.set_resolved(record, index, value)?;
        }
        Ok(())
    }

    /// Finishes a def and registers its name.
    pub(super) fn finish_def(&mut self, record: RecordId) -> Parsed<()> {
        // The reference registers a name with the number of a `defm` in it too late to compare it.
        let old_name = self.keeper.record(record).name;
        let compared = match self.keeper.arena.init(old_name) {
            Init::String(name) | Init::Code(name) | Init::Anonymous(name) => Some(name),
            _ => None,
        };
        let mut env = Environment::default().and_fields(record);
        if let Some(previous) = compared.and_then(|name| self.keeper.defs.get(name)) {
            if !self.keeper.record(record).is_anonymous {
                let message = format!("def already exists: {}", self.show_name(record));
                let error = self.located(record, Diagnostic::error, message);
                let note =
                    self.located(previous, Diagnostic::remark, "location of previous definition".to_owned());
                self.report(with_note(error, note));
                return Err(Reported);
            }
            let name = self.keeper.next_anonymous();
            env.rename(old_name, self.keeper.arena.intern(Init::String(name)));
        }
        if !self.keeper.arena.is_closed(old_name) {
            let name = self.resolve_part(old_name, &mut env)?;
            self.keeper.record_mut(record).name = name;
        }
        self.resolve_fields(record, env)?;
        self.check_resolved(record);
        let Some(name) = self.keeper.name(record) else {
            let shown = self.show(self.keeper.record(record).name);
            let error = self.located(
                record,
                Diagnostic::error,
                format!("record name '{shown}' could not be fully resolved"),
            );
            self.report(error);
            return Err(Reported);
        };
        self.check_assertions(record)?;
        self.emit_dumps(record)?;
        self.add_to_defsets(record)?;
        if compared.is_some() || self.keeper.defs.get(name).is_none() {
            self.keeper.defs.insert(name, record);
        }
        Ok(())
    }

    /// Creates a message at a record, with a note for each `defm` that made it.
    pub(super) fn located(
        &self,
        record: RecordId,
        make: fn(Span, String) -> Diagnostic,
        message: String,
    ) -> Diagnostic {
        let spans = &self.keeper.record(record).spans;
        let mut diagnostic = make(spans[0], message);
        for &span in &spans[1..] {
            diagnostic = diagnostic.note(span, "instantiated from multiclass");
        }
        diagnostic
    }

    /// Reports an error at a record, which ends evaluation.
    pub(super) fn fatal_at<T>(&mut self, record: RecordId, message: String) -> Parsed<T> {
        let error = self.located(record, Diagnostic::fatal, message);
        self.report(error);
        Err(Reported)
    }

    /// Returns the qualified form of a template argument's name.
    pub(super) fn qualified(&mut self, record: RecordId, separator: &str, name: StrId) -> StrId {
        let mut qualified = std::mem::take(&mut self.room);
        qualified.clear();
        print::name(&self.keeper, self.keeper.record(record).name, &mut qualified);
        qualified.push_str(separator);
        qualified.push_str(self.str(name));
        let id = self.keeper.arena.string(&qualified);
        self.room = qualified;
        id
    }
}

/// The numbers of values with a deciding operand: `!and(0, x)` is 0, whatever `x` is. Each part is visited once,
/// however deep the operands are nested and however often a part is shared.
#[derive(Default)]
struct Decided(HashMap<InitId, Option<i64>, FxBuildHasher>);

impl Decided {
    fn of(&mut self, arena: &Arena, init: InitId) -> Option<i64> {
        let mut around: SmallVec<[(InitId, Option<i64>); 4]> = SmallVec::new();
        let mut here = init;
        let mut value = loop {
            if let Some(&known) = self.0.get(&here) {
                break known;
            }
            match arena.init(here) {
                Init::Int(value) => break Some(value),
                Init::Bit(bit) => break Some(i64::from(bit)),
                Init::Op(operator @ (ops::AND | ops::OR | ops::CAST), _, operands) => {
                    around.push((here, ops::deciding(operator)));
                    here = arena.at(operands, 0);
                }
                _ => break None,
            }
        };
        for (outer, deciding) in around.into_iter().rev() {
            value = value.filter(|&value| deciding.is_none_or(|deciding| deciding == value));
            self.0.insert(outer, value);
        }
        value
    }
}

/// Returns true if a value mentions a variable that no operator in it binds. If an operand `decides`, those after it do
/// not count, nor does the branch that is not taken.
fn has_free_variable(arena: &Arena, init: InitId, decides: bool) -> bool {
    // Bound names, each with the index of the next outer one; 0 means none.
    let mut scopes: Vec<(StrId, usize)> = Vec::new();
    let mut seen: HashSet<(InitId, usize), FxBuildHasher> = HashSet::default();
    let mut decided = Decided::default();
    let mut open: SmallVec<[(InitId, usize); 16]> = smallvec![(init, 0)];
    while let Some((init, scope)) = open.pop() {
        if !init.is_some() || !arena.has_variable(init) {
            continue;
        }
        // Large values share parts.
        if arena.facts(init).weight() >= KEPT_WEIGHT && !seen.insert((init, scope)) {
            continue;
        }
        match arena.init(init) {
            Init::Var(name, _) => {
                let mut outer = scope;
                while outer > 0 && scopes[outer - 1].0 != name {
                    outer = scopes[outer - 1].1;
                }
                if outer == 0 {
                    return true;
                }
            }
            Init::VarBit(whole, _) | Init::Field(whole, ..) | Init::Named(_, whole) => {
                open.push((whole, scope));
            }
            Init::Op(ops::FOREACH | ops::FILTER | ops::SORT | ops::FOLDL, _, seq) => {
                let (outside, variables, body) = ops::bound_parts(arena.run(seq));
                open.extend(outside.iter().map(|&operand| (operand, scope)));
                let mut inner = scope;
                for &variable in variables {
                    if let Init::Var(name, _) = arena.init(variable) {
                        scopes.push((name, inner));
                        inner = scopes.len();
                    }
                }
                open.push((body, inner));
            }
            Init::Op(ops::AND | ops::OR, ..) if decides && decided.of(arena, init).is_some() => {}
            Init::Op(ops::IF, _, seq) if decides => match decided.of(arena, arena.at(seq, 0)) {
                Some(0) => open.push((arena.at(seq, 2), scope)),
                Some(_) => open.push((arena.at(seq, 1), scope)),
                None => open.extend(arena.run(seq).iter().map(|&part| (part, scope))),
            },
            Init::Op(_, _, seq)
            | Init::List(_, seq)
            | Init::Bits(seq)
            | Init::Dag(seq)
            | Init::Instance(_, seq) => {
                open.extend(arena.run(seq).iter().map(|&part| (part, scope)));
            }
            Init::Anonymous(_) => return true,
            Init::Unset | Init::Bit(_) | Init::Int(_) | Init::String(_) | Init::Code(_) | Init::Def(_) => {}
        }
    }
    false
}

/// Appends a note and its own notes to an error.
fn with_note(mut error: Diagnostic, mut note: Diagnostic) -> Diagnostic {
    let more = std::mem::take(&mut note.notes);
    error.notes.push(note);
    error.notes.extend(more);
    error
}
