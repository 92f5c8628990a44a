//! Chooses the types and attributes of an example.
//!
//! A slot is an operand, a result or an attribute. Its candidates satisfy its own constraint. The search picks one per
//! slot, so that no condition of the operation fails and as few as possible remain unknown.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use odsmith_engine::ods::{
    Attribute, Operation, TypeConstraint,
    format::{Element, OpFormat, TypeOf, VariableKind},
};

use super::attributes::{self, AttrCandidate};
use crate::{
    Condition, Env, Judge, Type, Value, Witness,
    instance::{Parts, Values},
    memo::{Memo, RecordKey, record_key},
};

/// The limit for candidates of a slot, if none is known to satisfy its constraint.
const MOST_CANDIDATES: usize = 16;
/// The limit for tried candidates in one search.
const MOST_TRIES: usize = 1500;

/// The result of a search: types, counts and attributes.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The type of each operand and the number of its values.
    pub(crate) operands: Vec<(Type, usize)>,
    /// The type of each result and the number of its values.
    pub(crate) results: Vec<(Type, usize)>,
    /// The attributes that are present, by their index.
    pub(crate) attributes: BTreeMap<usize, AttrCandidate>,
    /// The properties that are present, by their index.
    pub(crate) properties: BTreeMap<usize, AttrCandidate>,
    /// Names of the parts that are not known to satisfy their constraints.
    pub(crate) unsure: Vec<String>,
    /// The number of the operation's conditions that are not known to hold.
    pub(crate) unknown_conditions: usize,
    operand_names: Vec<String>,
    result_names: Vec<String>,
}

/// The optional parts that an example includes.
#[derive(Clone, Copy, Debug, Default)]
pub enum Extent<'e> {
    /// As few as the format allows.
    #[default]
    Least,
    /// Also the parts with these names.
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

/// Candidates of a slot, with the answer for the slot's own constraint.
type Candidates = Vec<(Value, Witness)>;

/// Candidates of an attribute: with their spellings, and as conditions see them.
type Attributes = (Vec<AttrCandidate>, Arc<Candidates>);

/// Candidates and search results by constraint: many operations have the same operands.
#[derive(Debug, Default)]
pub(super) struct CandidateCache {
    types: Memo<RecordKey, Candidates>,
    attributes: Memo<RecordKey, Attributes>,
    /// Search results; operations with equal keys share one.
    picks: Memo<SearchKey, Option<(usize, Vec<usize>)>>,
}

impl CandidateCache {
    /// Types that may satisfy a constraint, those that do first.
    fn types(&self, judge: &Judge, constraint: TypeConstraint<'_>) -> Arc<Candidates> {
        let base = constraint.base();
        self.types.get(record_key(base.rec()), || types(judge, base))
    }

    /// Attributes that may satisfy a constraint, with their spellings and as conditions see them.
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

/// A condition and the slot after which all slots that it refers to are chosen.
struct Check<'r> {
    test: Test<'r>,
    ready: usize,
}

enum Test<'r> {
    /// C++ with `$name`: the text and its parsed form.
    Condition(String, Arc<Condition>),
    /// A native trait of MLIR.
    Trait(&'r str),
}

/// The operation to write and the optional parts to include.
#[derive(Clone, Copy)]
struct Request<'a, 'r> {
    judge: &'a Judge,
    cache: &'a CandidateCache,
    op: &'a Operation<'r>,
    format: Option<&'a OpFormat<'r>>,
    with: &'a Extent<'a>,
}

/// The slots to fill, and the parts that need no search.
struct SearchSpace {
    slots: Vec<Slot>,
    /// The candidates of attribute slots, by the attribute's index.
    attributes: BTreeMap<usize, Arc<Attributes>>,
    /// Properties are not slots: each has one spelling.
    properties: BTreeMap<usize, AttrCandidate>,
    counts: Counts,
}

impl SearchSpace {
    /// Collects the slots; `None` if a part cannot be written.
    fn new(request: Request<'_, '_>) -> Option<SearchSpace> {
        let mut counts = Counts::new(request.op, request.format);
        for (index, operand) in request.op.operands().iter().enumerate() {
            // The lengths of the segments of a variadic of variadics would be in an attribute.
            if request.with.has(operand.name) && !operand.constraint.is_variadic_of_variadic() {
                counts.operands[index] = counts.operands[index].max(1);
            }
        }
        let (slots, attributes, properties) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut space = SearchSpace { slots, attributes, properties, counts };
        space.add_attributes(request)?;
        space.add_properties(request)?;
        space.add_types(request)?;
        Some(space)
    }

    fn add_attributes(&mut self, request: Request<'_, '_>) -> Option<()> {
        for (index, named) in request.op.natural_attributes().iter().enumerate() {
            let has_default = named.attribute.default_value().is_some();
            let is_read = request.format.is_some_and(|format| has_attribute_outside(format, index));
            let may_be_missing = named.attribute.is_optional() || has_default;
            if may_be_missing && !(has_default && is_read) && !request.with.has(named.name) {
                continue;
            }
            if matches!(named.name, "operandSegmentSizes" | "resultSegmentSizes") {
                continue;
            }
            let found = request.cache.attributes(request.judge, named.attribute);
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

    fn add_properties(&mut self, request: Request<'_, '_>) -> Option<()> {
        for (index, named) in request.op.properties().iter().enumerate() {
            if named.property.default_value().is_none() {
                self.properties.insert(index, attributes::property(named.property)?);
            } else if request.with.has(named.name)
                && let Some(written) = attributes::property(named.property)
            {
                self.properties.insert(index, written);
            }
        }
        Some(())
    }

    fn add_types(&mut self, request: Request<'_, '_>) -> Option<()> {
        for (index, operand) in request.op.operands().iter().enumerate() {
            let candidates = request.cache.types(request.judge, operand.constraint);
            let is_known = candidates.first()?.1 == Witness::Yes;
            // An optional operand without a sure candidate is left out.
            let is_needed = !operand.constraint.is_optional()
                && request.format.is_some_and(|format| {
                    has_types_outside(request.op, format, VariableKind::Operand, index)
                });
            if operand.constraint.is_variable_length()
                && !is_known
                && !is_needed
                && !request.with.has(operand.name)
            {
                self.counts.operands[index] = 0;
            }
            let name = attributes::or_numbered(operand.name, "operand", index);
            self.slots.push(Slot { kind: VariableKind::Operand, index, name, candidates });
        }
        for (index, result) in request.op.results().iter().enumerate() {
            let candidates = request.cache.types(request.judge, result.constraint);
            candidates.first()?;
            let name = attributes::or_numbered(result.name, "result", index);
            self.slots.push(Slot { kind: VariableKind::Result, index, name, candidates });
        }
        Some(())
    }
}

impl Choice {
    /// Searches a choice for an operation; `None` if a part cannot be written.
    pub(super) fn new(
        judge: &Judge,
        cache: &CandidateCache,
        op: &Operation<'_>,
        format: Option<&OpFormat<'_>>,
        with: &Extent<'_>,
    ) -> Option<Self> {
        let SearchSpace { slots, attributes, properties, counts } =
            SearchSpace::new(Request { judge, cache, op, format, with })?;
        let checks = checks(judge, op, &slots);
        let search = || {
            let names = mentioned_names(&checks, &slots);
            let mut search = Search {
                judge,
                slots: &slots,
                checks: &checks,
                names: &names,
                counts: &counts,
                tries: 0,
                best: None,
            };
            search.go(&mut Vec::new(), 0);
            search.best
        };
        let picks = cache.picks.get::<SearchKey>(SearchKey::new(&slots, &checks, &counts), search);
        let (unknown_conditions, picks) = picks.as_ref().as_ref()?;
        let mut choice = Choice {
            operands: Vec::new(),
            results: Vec::new(),
            attributes: BTreeMap::new(),
            properties,
            unsure: Vec::new(),
            unknown_conditions: *unknown_conditions,
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
        // Attributes that hold segment sizes of variadics of variadics, of which the example has none.
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

    /// The operands, results and attributes for the comparison of releases.
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

    /// All values that the example uses as operands.
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

/// The number of values of each operand and result.
struct Counts {
    operands: Vec<usize>,
    results: Vec<usize>,
}

impl Counts {
    /// Counts no values for optional parts and one for a part that the format has outside of groups. Without a format a
    /// variadic operand gets one value, unless there are successors: the blocks of an example have no arguments.
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
                usize::from(format.is_some_and(|format| has_types_outside(op, format, kind, index)))
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

/// Tests if a format has the types of an operand or result outside of groups, where a list of types is never empty.
fn has_types_outside(op: &Operation<'_>, format: &OpFormat<'_>, kind: VariableKind, index: usize) -> bool {
    format.elements.iter().any(|element| match element {
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            (variable.kind, variable.index) == (kind, index)
        }
        // All results together, of which this is the only one.
        Element::Type { of: TypeOf::Results, .. } => kind == VariableKind::Result && op.results().len() == 1,
        _ => false,
    })
}

/// Tests if a format has an attribute outside of groups, where it is parsed even if it has a default value.
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
    // Among unknown types, a dialect's type that the condition names is the better guess.
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
            // The trait is tested after each slot, on the parts chosen so far.
            all.extend((0..slots.len()).map(|ready| Check { test: Test::Trait(it.trait_name()), ready }));
        }
    }
    all
}

/// Everything that the result of a search depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SearchKey {
    /// Each slot's kind, count and the address of its candidates. The address identifies them, because
    /// [`CandidateCache`] keeps one list per constraint for its whole life.
    slots: Vec<(VariableKind, usize, usize)>,
    /// The names of the slots, if there are conditions that may mention them.
    names: Vec<String>,
    /// Each check's slot, a flag for conditions, and the text.
    checks: Vec<(usize, bool, String)>,
}

impl SearchKey {
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
        SearchKey { slots: slots.collect(), names, checks }
    }
}

/// The names that conditions mention.
#[derive(Default)]
struct MentionedNames {
    /// Accessors and operands with their slots: `getLhs()`, `$lhs`.
    names: Vec<(String, usize)>,
    has_op: bool,
}

/// Finds the names of slots that some condition mentions.
fn mentioned_names(checks: &[Check<'_>], slots: &[Slot]) -> MentionedNames {
    let conditions = || {
        checks.iter().filter_map(|check| match &check.test {
            Test::Condition(condition, _) => Some(condition),
            Test::Trait(_) => None,
        })
    };
    if conditions().next().is_none() {
        return MentionedNames::default();
    }
    let mut names = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let accessor = format!("get{}()", odsmith_engine::ods::cpp_name::camel_case(&slot.name, true));
        let forms = [accessor, format!("${}", slot.name)];
        let mentioned = forms.into_iter().filter(|form| conditions().any(|text| text.contains(form)));
        names.extend(mentioned.map(|form| (form, index)));
    }
    MentionedNames { names, has_op: conditions().any(|text| text.contains("$_op")) }
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
    names: &'s MentionedNames,
    counts: &'s Counts,
    tries: usize,
    best: Option<(usize, Vec<usize>)>,
}

impl Search<'_, '_> {
    /// Tries the candidates of the next slot; `unknown` is the number of conditions left open so far.
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

    /// The number of unknown conditions among those that are ready; `None` if one fails.
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
        for (name, slot) in self.names.names.iter().filter(|(_, slot)| *slot < picks.len()) {
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
        if self.names.has_op && picks.len() == self.slots.len() {
            let operands = self.picked(picks, VariableKind::Operand).cloned().collect();
            let results = self.picked(picks, VariableKind::Result).cloned().collect();
            names.push((
                "$_op",
                Cow::Owned(Value::Op(odsmith_conditions::Operation { operands, results, around: None })),
            ));
        }
        Env::of(names)
    }

    /// Evaluates a native trait of MLIR on the types chosen so far.
    fn holds(&self, name: &str, picks: &[usize]) -> Witness {
        let of = |kind| self.picked(picks, kind);
        trait_holds(name, of(VariableKind::Operand), of(VariableKind::Result))
    }
}

/// Evaluates a [known](is_known_trait) native trait of MLIR on the types of operands and results.
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
        // Elementwise: all are scalars, or all have the same kind of container and shape.
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

/// The result of `getElementTypeOrSelf`, but a complex number is compared whole.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Complex(_) => ty,
        ty => ty.element().unwrap_or(ty),
    }
}
