//! What has to be chosen for an operation, and how.
//!
//! A slot is an operand, a result or an attribute. Its candidates satisfy its own constraint; then those are taken with
//! which none of the operation's conditions fails, and as few as possible remain unknown.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use odsmith_engine::ods::{
    Attribute, Operation, TypeConstraint,
    format::{Element, OpFormat, TypeOf, VariableKind},
};

use super::attributes::{self, Written};
use crate::{
    Condition, Env, Judge, Type, Value, Witness,
    instance::{Parts, Values},
    memo::{Memo, RecordKey, record_key},
};

/// So many candidates of a slot are tried.
const MOST_CANDIDATES: usize = 16;
/// So many choices are looked at.
const MOST_TRIES: usize = 1500;

/// What was chosen.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The type of each operand and how many there are.
    pub(crate) operands: Vec<(Type, usize)>,
    /// The type of each result and how many there are.
    pub(crate) results: Vec<(Type, usize)>,
    /// The attributes that are there, by their index.
    pub(crate) attributes: BTreeMap<usize, Written>,
    /// The properties that are there, by their index.
    pub(crate) properties: BTreeMap<usize, Written>,
    /// Names of the parts whose fitness is not known.
    pub(crate) unsure: Vec<String>,
    /// How many conditions of the operation are not known to hold.
    pub(crate) open: usize,
    operand_names: Vec<String>,
    result_names: Vec<String>,
}

/// Which parts are there that may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub enum Extent<'e> {
    /// As few as the format allows.
    #[default]
    Least,
    /// These as well.
    With(&'e [&'e str]),
    /// All attributes, properties and operands.
    All,
}

impl Extent<'_> {
    fn has(&self, name: &str) -> bool {
        match self {
            Extent::Least => false,
            Extent::With(names) => names.contains(&name),
            Extent::All => true,
        }
    }
}

/// What a slot may be chosen from, and whether it satisfies the slot's own constraint.
type Candidates = Vec<(Value, Witness)>;

/// Candidates of an attribute, as they are written and as conditions see them.
type Attributes = (Vec<Written>, Arc<Candidates>);

/// Candidates by what constrains them: many operations have the same operands.
#[derive(Debug, Default)]
pub(super) struct Known {
    types: Memo<RecordKey, Candidates>,
    attributes: Memo<RecordKey, Attributes>,
    /// What was found for slots and conditions: operations of one form take the same.
    picks: Memo<Form, Option<(usize, Vec<usize>)>>,
}

impl Known {
    /// Types that may satisfy a constraint, those that do first.
    fn types(&self, judge: &Judge, constraint: TypeConstraint<'_>) -> Arc<Candidates> {
        let base = constraint.base();
        self.types.get(record_key(base.rec()), || types(judge, base))
    }

    /// The same of attributes, as they are written and as conditions see them.
    fn attributes(&self, judge: &Judge, attribute: Attribute<'_>) -> Arc<Attributes> {
        self.attributes.get(record_key(attribute.rec()), || {
            let written = attributes::candidates(judge, attribute);
            let values = written.iter().map(|it| (Value::Attr(it.attr.clone()), it.witness)).collect();
            (written, Arc::new(values))
        })
    }
}

struct Slot {
    kind: VariableKind,
    index: usize,
    name: String,
    candidates: Arc<Candidates>,
}

/// A condition, and the slot after which everything that it refers to is chosen.
struct Check<'r> {
    test: Test<'r>,
    ready: usize,
}

enum Test<'r> {
    /// C++ with `$name`, and what it says.
    Condition(String, Arc<Condition>),
    /// A trait of MLIR's.
    Trait(&'r str),
}

/// An operation that something is chosen for, and what of it is to be there.
#[derive(Clone, Copy)]
struct Asked<'a, 'r> {
    judge: &'a Judge,
    known: &'a Known,
    op: &'a Operation<'r>,
    format: Option<&'a OpFormat<'r>>,
    with: &'a Extent<'a>,
}

/// What is open before the choice.
struct Open {
    slots: Vec<Slot>,
    /// The candidates of the slots of attributes, by the attribute's index.
    attributes: BTreeMap<usize, Arc<Attributes>>,
    /// Properties are no slots: one way to write them is known.
    properties: BTreeMap<usize, Written>,
    counts: Counts,
}

impl Open {
    /// Nothing if a part cannot be written down at all.
    fn new(asked: Asked<'_, '_>) -> Option<Open> {
        let mut counts = Counts::new(asked.op, asked.format);
        for (index, operand) in asked.op.operands().iter().enumerate() {
            // Lengths of runs are in an attribute.
            if asked.with.has(operand.name) && !operand.constraint.is_variadic_of_variadic() {
                counts.operands[index] = counts.operands[index].max(1);
            }
        }
        let (slots, attributes, properties) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut open = Open { slots, attributes, properties, counts };
        open.add_attributes(asked)?;
        open.add_properties(asked)?;
        open.add_types(asked)?;
        Some(open)
    }

    fn add_attributes(&mut self, asked: Asked<'_, '_>) -> Option<()> {
        for (index, named) in asked.op.natural_attributes().iter().enumerate() {
            let has_default = named.attribute.default_value().is_some();
            let is_read = asked.format.is_some_and(|format| has_attribute_outside(format, index));
            let may_be_missing = named.attribute.is_optional() || has_default;
            if may_be_missing && !(has_default && is_read) && !asked.with.has(named.name) {
                continue;
            }
            if matches!(named.name, "operandSegmentSizes" | "resultSegmentSizes") {
                continue;
            }
            let found = asked.known.attributes(asked.judge, named.attribute);
            let candidates = Arc::clone(&found.1);
            if candidates.is_empty() {
                if may_be_missing {
                    continue;
                }
                return None;
            }
            self.attributes.insert(index, found);
            self.slots.push(Slot {
                kind: VariableKind::Attribute,
                index,
                name: named.name.to_owned(),
                candidates,
            });
        }
        Some(())
    }

    fn add_properties(&mut self, asked: Asked<'_, '_>) -> Option<()> {
        for (index, named) in asked.op.properties().iter().enumerate() {
            if named.property.default_value().is_none() {
                self.properties.insert(index, attributes::property(named.property)?);
            } else if asked.with.has(named.name)
                && let Some(written) = attributes::property(named.property)
            {
                self.properties.insert(index, written);
            }
        }
        Some(())
    }

    fn add_types(&mut self, asked: Asked<'_, '_>) -> Option<()> {
        for (index, operand) in asked.op.operands().iter().enumerate() {
            let candidates = asked.known.types(asked.judge, operand.constraint);
            let is_known = candidates.first()?.1 == Witness::Yes;
            // Of what need not be there, nothing is better than a guess.
            let is_needed = !operand.constraint.is_optional()
                && asked.format.is_some_and(|format| has_types_outside(format, VariableKind::Operand, index));
            if operand.constraint.is_variable_length()
                && !is_known
                && !is_needed
                && !asked.with.has(operand.name)
            {
                self.counts.operands[index] = 0;
            }
            let name = attributes::or_numbered(operand.name, "operand", index);
            self.slots.push(Slot { kind: VariableKind::Operand, index, name, candidates });
        }
        for (index, result) in asked.op.results().iter().enumerate() {
            let candidates = asked.known.types(asked.judge, result.constraint);
            candidates.first()?;
            let name = attributes::or_numbered(result.name, "result", index);
            self.slots.push(Slot { kind: VariableKind::Result, index, name, candidates });
        }
        Some(())
    }
}

impl Choice {
    /// A choice for an operation; nothing if a part cannot be written down at all.
    pub(super) fn new(
        judge: &Judge,
        known: &Known,
        op: &Operation<'_>,
        format: Option<&OpFormat<'_>>,
        with: &Extent<'_>,
    ) -> Option<Self> {
        let Open { slots, attributes, properties, counts } =
            Open::new(Asked { judge, known, op, format, with })?;
        let checks = checks(judge, op, &slots);
        let search = || {
            let called = called(&checks, &slots);
            let mut search = Search {
                judge,
                slots: &slots,
                checks: &checks,
                called: &called,
                counts: &counts,
                tries: 0,
                best: None,
            };
            search.go(&mut Vec::new(), 0);
            search.best
        };
        let picks = known.picks.get::<Form>(Form::new(&slots, &checks, &counts), search);
        let (open, picks) = picks.as_ref().as_ref()?;
        let mut choice = Choice {
            operands: Vec::new(),
            results: Vec::new(),
            attributes: BTreeMap::new(),
            properties,
            unsure: Vec::new(),
            open: *open,
            operand_names: Vec::new(),
            result_names: Vec::new(),
        };
        for (slot, pick) in slots.iter().zip(picks) {
            let (value, witness) = &slot.candidates[*pick];
            let count = counts.of(slot.kind, slot.index);
            if *witness != Witness::Yes && count > 0 {
                choice.unsure.push(slot.name.clone());
            }
            match (slot.kind, value) {
                (VariableKind::Attribute, _) => {
                    let written = attributes.get(&slot.index)?.0.get(*pick)?.clone();
                    choice.attributes.insert(slot.index, written);
                }
                (VariableKind::Operand, Value::Type(ty)) => {
                    choice.operands.push((ty.clone(), count));
                    choice.operand_names.push(slot.name.clone());
                }
                (_, Value::Type(ty)) => {
                    choice.results.push((ty.clone(), count));
                    choice.result_names.push(slot.name.clone());
                }
                _ => return None,
            }
        }
        // Attributes that hold the lengths of runs of operands, of which there are none.
        let runs: Vec<&str> =
            op.operands().iter().filter_map(|operand| operand.constraint.segment_attribute()).collect();
        for (index, named) in op.natural_attributes().iter().enumerate() {
            if runs.contains(&named.name)
                && let Some(written) = choice.attributes.get_mut(&index)
            {
                *written = attributes::no_lengths();
            }
        }
        Some(choice)
    }

    /// The names of the values of an operand.
    pub(crate) fn operand_values(&self, index: usize) -> Vec<String> {
        names(self.operand_names.get(index), self.operands.get(index))
    }

    /// The names of the values of a result.
    pub(crate) fn result_values(&self, index: usize) -> Vec<String> {
        let mut all = names(self.result_names.get(index), self.results.get(index));
        for name in &mut all {
            // An operand may have the same name.
            if self.operand_names.iter().any(|operand| name[1..] == **operand) {
                name.push_str("_out");
            }
        }
        all
    }

    /// What it has of an operation.
    pub(super) fn parts(&self, op: &Operation<'_>) -> Parts {
        let named = |all: &[(Type, usize)], names: &[String]| {
            let all = all.iter().zip(names);
            all.map(|((ty, count), name)| Values { name: name.clone(), ty: ty.clone(), count: *count })
                .collect()
        };
        Parts {
            operation: op.name(),
            operands: named(&self.operands, &self.operand_names),
            results: named(&self.results, &self.result_names),
            attributes: self.attributes.iter().map(|(index, it)| (*index, it.attr.clone())).collect(),
            properties: self.properties.keys().copied().collect(),
            parent: None,
        }
    }

    /// All values that it takes.
    pub(crate) fn values(&self) -> Vec<super::Value> {
        let all = self.operands.iter().enumerate();
        all.flat_map(|(index, (ty, _))| {
            self.operand_values(index).into_iter().map(|name| super::Value { name, ty: ty.to_string() })
        })
        .collect()
    }
}

fn names(name: Option<&String>, part: Option<&(Type, usize)>) -> Vec<String> {
    let (Some(name), Some((_, count))) = (name, part) else { return Vec::new() };
    match count {
        0 => Vec::new(),
        1 => vec![format!("%{name}")],
        count => (0..*count).map(|index| format!("%{name}_{index}")).collect(),
    }
}

/// How many there are of each operand and result.
struct Counts {
    operands: Vec<usize>,
    results: Vec<usize>,
}

impl Counts {
    /// Nothing of what may be missing, and one of what the format has outside of any group. Without a format, one of
    /// what there may be any number of, but for what may go to blocks: those of an example take nothing.
    fn new(op: &Operation<'_>, format: Option<&OpFormat<'_>>) -> Self {
        let is_outside = |kind: VariableKind, index: usize| {
            let Some(format) = format else { return op.successors().is_empty() };
            format.elements.iter().any(|element| match element {
                Element::Variable(variable) => (variable.kind, variable.index) == (kind, index),
                Element::Operands => kind == VariableKind::Operand,
                Element::Custom(custom) => custom.parameters.iter().any(|it| {
                    it.variable().is_some_and(|it| (it.kind, it.index) == (kind, index))
                        && custom.name != "DynamicIndexList"
                }),
                _ => false,
            })
        };
        let count = |kind, index, constraint: TypeConstraint<'_>| {
            if !constraint.is_variable_length() {
                1
            } else if constraint.is_optional() {
                0
            } else if kind == VariableKind::Result {
                usize::from(format.is_some_and(|format| has_types_outside(format, kind, index)))
            } else {
                usize::from(is_outside(kind, index) && !constraint.is_variadic_of_variadic())
            }
        };
        let operands = op.operands().iter().enumerate();
        let results = op.results().iter().enumerate();
        Counts {
            operands: operands
                .map(|(index, it)| count(VariableKind::Operand, index, it.constraint))
                .collect(),
            results: results.map(|(index, it)| count(VariableKind::Result, index, it.constraint)).collect(),
        }
    }

    fn of(&self, kind: VariableKind, index: usize) -> usize {
        match kind {
            VariableKind::Operand => self.operands.get(index).copied().unwrap_or(1),
            VariableKind::Result => self.results.get(index).copied().unwrap_or(1),
            _ => 1,
        }
    }
}

/// Whether a format has the types of an operand or result outside of any group: a list of types is not empty.
fn has_types_outside(format: &OpFormat<'_>, kind: VariableKind, index: usize) -> bool {
    format.elements.iter().any(|element| match element {
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            (variable.kind, variable.index) == (kind, index)
        }
        _ => false,
    })
}

/// Whether a format has an attribute outside of any group: it is read whatever its default value is.
fn has_attribute_outside(format: &OpFormat<'_>, index: usize) -> bool {
    format.elements.iter().any(|element| match element {
        Element::Variable(variable) => (variable.kind, variable.index) == (VariableKind::Attribute, index),
        _ => false,
    })
}

fn types(judge: &Judge, constraint: TypeConstraint<'_>) -> Candidates {
    let judged = judge.witnesses(constraint.constraint());
    let mut all: Vec<&(Type, Witness)> =
        judged.iter().filter(|(_, witness)| *witness != Witness::No).collect();
    // What a condition names is a better guess than what it does not: it goes first among what is not known.
    all.sort_by_key(|(ty, witness)| {
        (*witness, *witness == Witness::Unknown && !matches!(ty, Type::Def { .. }))
    });
    let sure = all.iter().filter(|(_, witness)| *witness == Witness::Yes).count();
    all.truncate(if sure > 0 { sure.min(MOST_CANDIDATES * 4) } else { MOST_CANDIDATES });
    all.into_iter().map(|(ty, witness)| (Value::Type(ty.clone()), *witness)).collect()
}

fn checks<'r>(judge: &Judge, op: &Operation<'r>, slots: &[Slot]) -> Vec<Check<'r>> {
    let mut all = Vec::new();
    let last = slots.len().saturating_sub(1);
    for it in op.traits() {
        if let Some(predicate) = it.predicate() {
            let condition = predicate.condition();
            let names = slots.iter().enumerate().filter(|(_, slot)| mentions(&condition, &slot.name));
            let ready = if condition.contains("$_op") || condition.contains("get") && !condition.contains('$')
            {
                last
            } else {
                names.map(|(index, _)| index).max().unwrap_or(last)
            };
            let read = judge.read(&condition);
            all.push(Check { test: Test::Condition(condition, read), ready });
        } else if is_known_trait(it.trait_name()) {
            // What it says of some of the parts holds as soon as these are chosen.
            all.extend((0..slots.len()).map(|ready| Check { test: Test::Trait(it.trait_name()), ready }));
        }
    }
    all
}

/// All that a search depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Form {
    /// Of each slot the kind, how many there are, and where its candidates are kept: [`Known`] keeps one list of each
    /// kind as long as it lives.
    slots: Vec<(VariableKind, usize, usize)>,
    /// The names of the slots, if conditions may speak of them.
    names: Vec<String>,
    /// For each check the slot after which it is made, whether it is a condition, and what it says.
    checks: Vec<(usize, bool, String)>,
}

impl Form {
    fn new(slots: &[Slot], checks: &[Check<'_>], counts: &Counts) -> Self {
        let checks: Vec<(usize, bool, String)> = checks
            .iter()
            .map(|check| match &check.test {
                Test::Condition(condition, _) => (check.ready, true, condition.clone()),
                Test::Trait(name) => (check.ready, false, (*name).to_owned()),
            })
            .collect();
        let has_conditions = checks.iter().any(|(_, is_condition, _)| *is_condition);
        let names = slots.iter().filter(|_| has_conditions).map(|slot| slot.name.clone()).collect();
        let slots = slots
            .iter()
            .map(|slot| (slot.kind, counts.of(slot.kind, slot.index), Arc::as_ptr(&slot.candidates).addr()));
        Form { slots: slots.collect(), names, checks }
    }
}

/// What conditions speak of.
#[derive(Default)]
struct Called {
    /// Names, each with its slot: `getLhs()`, `$lhs`.
    names: Vec<(String, usize)>,
    has_op: bool,
}

/// The slots that some condition may speak of.
fn called(checks: &[Check<'_>], slots: &[Slot]) -> Called {
    let conditions = || {
        checks.iter().filter_map(|check| match &check.test {
            Test::Condition(condition, _) => Some(condition),
            Test::Trait(_) => None,
        })
    };
    if conditions().next().is_none() {
        return Called::default();
    }
    let mut names = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let accessor = format!("get{}()", odsmith_engine::ods::cpp_name::camel_case(&slot.name, true));
        let forms = [accessor, format!("${}", slot.name)];
        let called = forms.into_iter().filter(|form| conditions().any(|text| text.contains(form)));
        names.extend(called.map(|form| (form, index)));
    }
    Called { names, has_op: conditions().any(|text| text.contains("$_op")) }
}

fn mentions(condition: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let dollar = format!("${name}");
    let accessor = odsmith_engine::ods::cpp_name::camel_case(name, true);
    let accessor = format!("get{accessor}()");
    let has_name =
        condition.match_indices(&dollar).any(|(at, _)| !condition[at + dollar.len()..].starts_with(is_word));
    has_name || condition.contains(&accessor)
}

pub(crate) fn is_known_trait(name: &str) -> bool {
    matches!(
        name,
        "SameOperandsAndResultType"
            | "SameTypeOperands"
            | "SameOperandsElementType"
            | "SameOperandsAndResultElementType"
            | "SameOperandsShape"
            | "SameOperandsAndResultShape"
            | "SameOperandsAndResultRank"
            | "Elementwise"
    )
}

struct Search<'s, 'r> {
    judge: &'s Judge,
    slots: &'s [Slot],
    checks: &'s [Check<'r>],
    called: &'s Called,
    counts: &'s Counts,
    tries: usize,
    best: Option<(usize, Vec<usize>)>,
}

impl Search<'_, '_> {
    /// Tries the candidates of the next slot; `unknown` conditions are left open so far.
    fn go(&mut self, picks: &mut Vec<usize>, unknown: usize) {
        let at = picks.len();
        if self.best.as_ref().is_some_and(|(best, _)| *best <= unknown) {
            return;
        }
        let Some(slot) = self.slots.get(at) else {
            self.best = Some((unknown, picks.clone()));
            return;
        };
        for pick in 0..slot.candidates.len() {
            if self.tries >= MOST_TRIES {
                return;
            }
            self.tries += 1;
            picks.push(pick);
            if let Some(more) = self.check(picks) {
                self.go(picks, unknown + more);
            }
            picks.pop();
            if self.best.as_ref().is_some_and(|(best, _)| *best <= unknown) {
                return;
            }
        }
    }

    /// How many of the conditions that are ready are not known; nothing if one fails.
    fn check(&self, picks: &[usize]) -> Option<usize> {
        let at = picks.len() - 1;
        let mut unknown = 0;
        let mut env = None;
        for check in self.checks.iter().filter(|check| check.ready == at) {
            let witness = match &check.test {
                Test::Condition(_, condition) => {
                    let env = env.get_or_insert_with(|| self.env(picks));
                    self.judge.holds(condition, env)
                }
                Test::Trait(name) => self.holds(name, picks),
            };
            match witness {
                Witness::Yes => {}
                Witness::Unknown => unknown += 1,
                Witness::No => return None,
            }
        }
        Some(unknown)
    }

    fn picked(&self, picks: &[usize], kind: VariableKind) -> impl Iterator<Item = &Type> {
        let all = self.slots.iter().zip(picks).filter(move |(slot, _)| slot.kind == kind);
        let there = all.filter(|(slot, _)| self.counts.of(slot.kind, slot.index) > 0);
        there.filter_map(|(slot, pick)| match &slot.candidates[*pick].0 {
            Value::Type(ty) => Some(ty),
            _ => None,
        })
    }

    fn env(&self, picks: &[usize]) -> Env<'_> {
        let mut names = Vec::new();
        for (name, slot) in self.called.names.iter().filter(|(_, slot)| *slot < picks.len()) {
            let pick = picks[*slot];
            let slot = &self.slots[*slot];
            let value = match &slot.candidates[pick].0 {
                Value::Type(_) if self.counts.of(slot.kind, slot.index) == 0 => {
                    Cow::Owned(Value::Bool(false))
                }
                Value::Type(ty) => Cow::Owned(Value::Operand(ty.clone())),
                value => Cow::Borrowed(value),
            };
            names.push((name.as_str(), value));
        }
        if self.called.has_op && picks.len() == self.slots.len() {
            let operands = self.picked(picks, VariableKind::Operand).cloned().collect();
            let results = self.picked(picks, VariableKind::Result).cloned().collect();
            names.push(("$_op", Cow::Owned(Value::Op(operands, results))));
        }
        Env::of(names)
    }

    /// Whether a trait of MLIR's holds for what is chosen so far.
    fn holds(&self, name: &str, picks: &[usize]) -> Witness {
        let of = |kind| self.picked(picks, kind);
        trait_holds(name, of(VariableKind::Operand), of(VariableKind::Result))
    }
}

/// Whether a trait of MLIR's [that is known](is_known_trait) holds for types of operands and results.
pub(crate) fn trait_holds<'t>(
    name: &str,
    operands: impl Iterator<Item = &'t Type>,
    results: impl Iterator<Item = &'t Type>,
) -> Witness {
    let mut types: Vec<&Type> = operands.collect();
    if !matches!(name, "SameTypeOperands" | "SameOperandsElementType" | "SameOperandsShape") {
        types.extend(results);
    }
    let all = |same: fn(&Type, &Type) -> bool| types.windows(2).all(|pair| same(pair[0], pair[1]));
    let holds = match name {
        "SameOperandsAndResultType" | "SameTypeOperands" => all(|a, b| a == b),
        "SameOperandsElementType" | "SameOperandsAndResultElementType" => {
            types.windows(2).all(|pair| element(pair[0]) == element(pair[1]))
        }
        "SameOperandsShape" | "SameOperandsAndResultShape" => all(|a, b| a.shape() == b.shape()),
        "SameOperandsAndResultRank" => {
            let rank = |ty: &Type| ty.shape().map(|shape| shape.map(<[i64]>::len));
            types.windows(2).all(|pair| rank(pair[0]) == rank(pair[1]))
        }
        // All of them scalars, or all of the same kind of container and shape.
        _ => {
            let container = |ty: &Type| {
                let kind = std::mem::discriminant(ty);
                ty.shape().map(|shape| (kind, shape.map(<[i64]>::to_vec)))
            };
            types.windows(2).all(|pair| container(pair[0]) == container(pair[1]))
        }
    };
    if holds { Witness::Yes } else { Witness::No }
}

/// What `getElementTypeOrSelf` gives, but for complex numbers, which are compared as they are.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Complex(_) => ty,
        ty => ty.element().unwrap_or(ty),
    }
}
