//! DRR: rewrite patterns, as they are written.

use odsmith_ods::{Definition, Operation, PatternDef, pattern::Callee};
use odsmith_tablegen::{
    outline::Kind,
    record::{Dag, Rec, Val, View},
};

use super::{
    cx::{Cx, Subject},
    finding::{Edit, edit_of},
    rule::{Fixable, Level, Rule, SINCE},
    words::listed,
};
use crate::logic::{self, Answer, Condition};

static NEVER_MATCHES: Rule = Rule {
    id: "DRR001",
    name: "never-matches",
    level: Level::Error,
    fix: Fixable::No,
    text: "A source pattern wants an operand to be the result of an operation whose type the operand cannot have, or to satisfy a \
           constraint that excludes the operand's own. It never matches.",
    advice: "match another operation, or another operand",
    bad: r#"
def Ex_FloatOp : Ex_Op<"float"> { let arguments = (ins F32:$value); let results = (outs F32:$result); }
def Ex_IntOp : Ex_Op<"int"> { let arguments = (ins I32:$value); let results = (outs I32:$result); }
def : Pat<(Ex_IntOp (Ex_FloatOp $value)), (Ex_IntOp $value)>;
"#,
    good: r#"
def Ex_IntOp : Ex_Op<"int"> { let arguments = (ins I32:$value); let results = (outs I32:$result); }
def : Pat<(Ex_IntOp (Ex_IntOp $value)), (Ex_IntOp $value)>;
"#,
    since: SINCE,
};

static SHADOWED: Rule = Rule {
    id: "DRR002",
    name: "shadowed",
    level: Level::Warning,
    fix: Fixable::No,
    text: "A pattern that comes before matches all that this one matches, with at least the same benefit: this one is never used.",
    advice: "give the special pattern a benefit with `addBenefit`, or delete it",
    bad: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
}
def Ex_AOp : Ex_ValueOp<"a">;
def Ex_BOp : Ex_ValueOp<"b">;
def Ex_COp : Ex_ValueOp<"c">;
def : Pat<(Ex_AOp $value), (Ex_BOp $value)>;
def : Pat<(Ex_AOp I32:$value), (Ex_COp $value)>;
"#,
    good: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
}
def Ex_AOp : Ex_ValueOp<"a">;
def Ex_BOp : Ex_ValueOp<"b">;
def Ex_COp : Ex_ValueOp<"c">;
def : Pat<(Ex_AOp $value), (Ex_BOp $value)>;
def : Pat<(Ex_AOp I32:$value), (Ex_COp $value), [], [], (addBenefit 1)>;
"#,
    since: SINCE,
};

static LOOPS: Rule = Rule {
    id: "DRR003",
    name: "loops",
    level: Level::Warning,
    fix: Fixable::No,
    text: "What a pattern makes is matched by the same pattern again, without end. The driver gives up after some rounds and reports \
           nothing but that it did.",
    advice: "add a constraint that the result does not satisfy",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$result);
}
def : Pat<(Ex_AddOp $lhs, $rhs), (Ex_AddOp $rhs, $lhs)>;
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$result);
}
def Ex_IsSwapped : Constraint<CPred<"isSwapped($0, $1)">>;
def : Pat<(Ex_AddOp $lhs, $rhs), (Ex_AddOp $rhs, $lhs), [(Ex_IsSwapped $lhs, $rhs)]>;
"#,
    since: SINCE,
};

static TYPE_UNCHECKED: Rule = Rule {
    id: "DRR004",
    name: "type-unchecked",
    level: Level::Warning,
    fix: Fixable::No,
    text: "The operation that replaces another one infers its type, which may be one that the replaced result cannot have. Users of \
           the result then see another type.",
    advice: "give the type with `returnType`, or constrain the operands of the source pattern",
    bad: r#"
def Ex_CopyOp : Ex_Op<"copy", [SameOperandsAndResultType]> {
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
}
def Ex_SizeOp : Ex_Op<"size"> { let arguments = (ins AnyInteger:$value); let results = (outs I32:$result); }
def : Pat<(Ex_SizeOp $value), (Ex_CopyOp $value)>;
"#,
    good: r#"
def Ex_CopyOp : Ex_Op<"copy", [SameOperandsAndResultType]> {
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
}
def Ex_SizeOp : Ex_Op<"size"> { let arguments = (ins AnyInteger:$value); let results = (outs I32:$result); }
def : Pat<(Ex_SizeOp I32:$value), (Ex_CopyOp $value)>;
"#,
    since: SINCE,
};

static EFFECT_DUPLICATED: Rule = Rule {
    id: "DRR005",
    name: "effect-duplicated",
    level: Level::Warning,
    fix: Fixable::No,
    text: "A pattern matches an operation with memory effects below its root and makes one of the same kind. The matched one stays, as \
           it has effects, so that the effect happens twice.",
    advice: "match the operation with effects as the root, or rewrite it in C++",
    bad: r#"
class Ex_ValueOp<string mnemonic, list<Trait> traits = []> : Ex_Op<mnemonic, traits> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
}
def Ex_SendOp : Ex_ValueOp<"send", [MemoryEffects<[MemWrite]>]>;
def Ex_NegOp : Ex_ValueOp<"neg", [Pure]>;
def : Pat<(Ex_NegOp (Ex_SendOp $value)), (Ex_SendOp (Ex_NegOp $value))>;
"#,
    good: r#"
class Ex_ValueOp<string mnemonic, list<Trait> traits = []> : Ex_Op<mnemonic, traits> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
}
def Ex_SendOp : Ex_ValueOp<"send", [MemoryEffects<[MemWrite]>]>;
def Ex_NegOp : Ex_ValueOp<"neg", [Pure]>;
def : Pat<(Ex_SendOp (Ex_NegOp $value)), (Ex_SendOp $value)>;
"#,
    since: SINCE,
};

static UNUSED_BINDING: Rule = Rule {
    id: "DRR006",
    name: "unused-binding",
    level: Level::Info,
    fix: Fixable::Safe,
    text: "A pattern binds a name that nothing uses. What it is bound to is dropped; often that is a mistake.",
    advice: "write `$_` where anything will do",
    bad: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$result);
}
def Ex_FirstOp : Ex_ValueOp<"first">;
def : Pat<(Ex_FirstOp $lhs, $rhs), (replaceWithValue $lhs)>;
"#,
    good: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$result);
}
def Ex_FirstOp : Ex_ValueOp<"first">;
def : Pat<(Ex_FirstOp $lhs, $_), (replaceWithValue $lhs)>;
"#,
    since: SINCE,
};

static ATTRIBUTES_DROPPED: Rule = Rule {
    id: "DRR007",
    name: "attributes-dropped",
    level: Level::Off,
    fix: Fixable::No,
    text: "A pattern replaces an operation by a new one, which does not have the discardable attributes of the old one.",
    advice: "rewrite it in C++ where discardable attributes matter",
    bad: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
}
def Ex_AOp : Ex_ValueOp<"a">;
def Ex_BOp : Ex_ValueOp<"b">;
def : Pat<(Ex_AOp $value), (Ex_BOp $value)>;
"#,
    good: r#"
class Ex_ValueOp<string mnemonic> : Ex_Op<mnemonic> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
}
def Ex_AOp : Ex_ValueOp<"a">;
def : Pat<(Ex_AOp $value), (replaceWithValue $value)>;
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &NEVER_MATCHES,
    &SHADOWED,
    &LOOPS,
    &TYPE_UNCHECKED,
    &EFFECT_DUPLICATED,
    &UNUSED_BINDING,
    &ATTRIBUTES_DROPPED,
];

/// The work limit of one logical question.
const WORK: u64 = 20_000;
/// The number of patterns with the same root that are compared with each other.
const COMPARED: usize = 200;
/// The nesting limit for patterns.
const DEPTH: u32 = 32;

pub(super) fn check(cx: &Cx<'_, '_>) {
    for (pattern, subject) in &cx.patterns {
        let Some(source) = pattern.source() else { continue };
        if cx.wants(&NEVER_MATCHES) {
            never_matches(cx, subject, source, 0);
        }
        if cx.wants(&LOOPS) {
            loops(cx, *pattern, subject, source);
        }
        if cx.wants(&TYPE_UNCHECKED) {
            type_unchecked(cx, *pattern, subject, source);
        }
        if cx.wants(&EFFECT_DUPLICATED) {
            effect_duplicated(cx, *pattern, subject, source);
        }
        if cx.wants(&UNUSED_BINDING) {
            unused_bindings(cx, *pattern, subject, source);
        }
        if cx.wants(&ATTRIBUTES_DROPPED) {
            attributes_dropped(cx, *pattern, subject);
        }
    }
    if cx.wants(&SHADOWED) {
        shadowed(cx);
    }
}

/// Returns the operation that a dag matches or creates.
fn operation(dag: Dag<'_>) -> Option<Operation<'_>> {
    match Callee::of(dag)? {
        Callee::Operation(rec) => Operation::lenient(rec).filter(Operation::is_sound),
        Callee::Native(..) | Callee::Other(_) => None,
    }
}

fn same_operation(one: Dag<'_>, other: Dag<'_>) -> bool {
    match (Callee::of(one), Callee::of(other)) {
        (Some(Callee::Operation(one)), Some(Callee::Operation(other))) => one == other,
        _ => false,
    }
}

/// Returns the condition that a constraint puts on a value's type.
fn condition(constraint: odsmith_ods::Constraint<'_>) -> Option<Condition> {
    Some(Condition::new(&constraint.predicate()?))
}

fn excludes(one: &Condition, other: &Condition) -> bool {
    let both = Condition::And(vec![one.clone(), other.clone()]);
    logic::is_satisfiable(&both, WORK) == Some(false)
}

fn never_matches(cx: &Cx<'_, '_>, subject: &Subject<'_>, dag: Dag<'_>, depth: u32) {
    let Some(op) = operation(dag).filter(|_| depth < DEPTH) else { return };
    // A directive such as `either` replaces several arguments.
    let is_plain = op.arguments().len() == dag.len();
    for (index, (value, _)) in dag.args().enumerate() {
        let argument = op.arguments().get(index).filter(|_| is_plain);
        let operand = argument.and_then(|argument| match *argument {
            odsmith_ods::Argument::Operand(index) => op.operands().get(index),
            _ => None,
        });
        let operand = operand.filter(|operand| !operand.constraint.is_variable_length());
        let own = operand.and_then(|operand| condition(operand.constraint.constraint()));
        if let Some(inner) = value.as_dag() {
            if let (Some(own), Some(by)) = (&own, operation(inner))
                && let [result] = by.results()
                && !result.constraint.is_variable_length()
                && condition(result.constraint.constraint()).is_some_and(|its| excludes(own, &its))
            {
                let name = operand.map(|operand| operand.name).unwrap_or_default();
                let message = format!(
                    "'${name}' of {} is never the result of {}: no type is allowed for both",
                    op.name(),
                    by.name()
                );
                let witness = format!(
                    "{} and {}",
                    operand.map(|it| it.constraint.summary()).unwrap_or_default(),
                    result.constraint.summary()
                );
                cx.draft(&NEVER_MATCHES, subject, message).witness(witness).add();
            }
            never_matches(cx, subject, inner, depth + 1);
        } else if let (Some(own), Some(constraint)) = (&own, type_constraint(value))
            && condition(constraint).is_some_and(|its| excludes(own, &its))
        {
            let name = operand.map(|operand| operand.name).unwrap_or_default();
            let message = format!("'${name}' of {} is never {}", op.name(), constraint.summary());
            cx.draft(&NEVER_MATCHES, subject, message)
                .witness(format!(
                    "{} and {}",
                    operand.map(|it| it.constraint.summary()).unwrap_or_default(),
                    constraint.summary()
                ))
                .add();
        }
    }
}

fn type_constraint(value: Val<'_>) -> Option<odsmith_ods::Constraint<'_>> {
    let constraint = odsmith_ods::Constraint::new(value.as_def()?);
    (constraint.kind() == odsmith_ods::ConstraintKind::Type).then_some(constraint)
}

/// Returns true if everything that `special` matches is matched by `general`.
fn is_covered(special: Dag<'_>, general: Dag<'_>, depth: u32) -> bool {
    if depth > DEPTH || !same_operation(special, general) || special.len() != general.len() {
        return false;
    }
    special.args().zip(general.args()).all(|((special, _), (general, _))| {
        match (special.view(), general.view()) {
            (_, View::Unset) => true,
            (View::Dag(special), View::Dag(general)) => is_covered(special, general, depth + 1),
            (View::Def(special), View::Def(general)) => special == general,
            (View::Unset | View::Def(_) | View::Dag(_), _) => false,
            _ => special.id() == general.id(),
        }
    })
}

/// Collects the names that a source pattern binds, with repetitions.
fn bindings<'r>(dag: Dag<'r>, found: &mut Vec<&'r str>, depth: u32) {
    found.extend(dag.name());
    for (value, name) in dag.args() {
        found.extend(name);
        if let Some(inner) = value.as_dag().filter(|_| depth < DEPTH) {
            bindings(inner, found, depth + 1);
        }
    }
}

fn has_repeated_binding(dag: Dag<'_>) -> bool {
    let mut names = Vec::new();
    bindings(dag, &mut names, 0);
    names.retain(|name| *name != "_");
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    names.len() < count
}

fn operations(dag: Dag<'_>, depth: u32) -> i64 {
    let own = i64::from(matches!(Callee::of(dag), Some(Callee::Operation(_))));
    let inner = dag.args().filter_map(|(value, _)| value.as_dag().filter(|_| depth < DEPTH));
    own + inner.map(|dag| operations(dag, depth + 1)).sum::<i64>()
}

fn shadowed(cx: &Cx<'_, '_>) {
    let mut by_root: Vec<(Rec<'_>, Vec<usize>)> = Vec::new();
    let mut order: Vec<usize> = (0..cx.patterns.len()).collect();
    // The driver tries patterns of equal benefit in the order in which they were added, which is that of the source.
    order.sort_by_key(|index| cx.place_of(cx.patterns[*index].1.rec).map(|at| (at.file, at.range)));
    for index in order {
        let Some(root) = cx.patterns[index].0.root() else { continue };
        match by_root.iter_mut().find(|(known, _)| *known == root) {
            Some((_, all)) => all.push(index),
            None => by_root.push((root, vec![index])),
        }
    }
    for (_, all) in by_root.iter().filter(|(_, all)| all.len() <= COMPARED) {
        for (at, &special) in all.iter().enumerate() {
            let (pattern, subject) = &cx.patterns[special];
            let Some(source) = pattern.source() else { continue };
            let benefit =
                |pattern: PatternDef<'_>, source: Dag<'_>| operations(source, 0) + pattern.added_benefit();
            let covering = all.iter().enumerate().find(|(other_at, other)| {
                let other = cx.patterns[**other].0;
                let Some(general) = other.source().filter(|_| *other_at != at) else { return false };
                let (own, its) = (benefit(*pattern, source), benefit(other, general));
                other.constraints().next().is_none()
                    && !has_repeated_binding(general)
                    && (its > own || its == own && *other_at < at)
                    && is_covered(source, general, 0)
            });
            if let Some((_, &covering)) = covering {
                let (_, by) = &cx.patterns[covering];
                cx.draft(&SHADOWED, subject, "a pattern before it matches all that it matches")
                    .related("the pattern before it", cx.place_of(by.rec))
                    .add();
            }
        }
    }
}

/// Returns true if a source pattern matches the dags of a result pattern, whatever its symbols are bound to.
fn matches_result<'r>(source: Dag<'r>, result: Dag<'r>, root: Dag<'r>, depth: u32) -> bool {
    if depth > DEPTH || !same_operation(source, result) || source.len() != result.len() {
        return false;
    }
    source.args().zip(result.args()).all(|((wanted, _), (made, made_name))| {
        match (wanted.view(), made.view()) {
            (View::Unset, _) => true,
            (View::Dag(wanted), View::Dag(made)) => matches_result(wanted, made, root, depth + 1),
            (View::Def(wanted), View::Def(made)) => wanted == made,
            // The symbol is bound under the same constraint.
            (View::Def(wanted), View::Unset) => {
                made_name.is_some_and(|name| bound_by(root, name, 0) == Some(wanted))
            }
            (View::Def(_) | View::Dag(_), _) => false,
            _ => wanted.id() == made.id(),
        }
    })
}

/// Returns the constraint under which a symbol is bound.
fn bound_by<'r>(dag: Dag<'r>, symbol: &str, depth: u32) -> Option<Rec<'r>> {
    dag.args().find_map(|(value, name)| match value.as_dag().filter(|_| depth < DEPTH) {
        Some(inner) => bound_by(inner, symbol, depth + 1),
        None => value.as_def().filter(|_| name == Some(symbol)),
    })
}

fn loops(cx: &Cx<'_, '_>, pattern: PatternDef<'_>, subject: &Subject<'_>, source: Dag<'_>) {
    if pattern.constraints().next().is_some() || has_repeated_binding(source) {
        return;
    }
    let made = pattern.results().find(|result| matches_result(source, *result, source, 0));
    if made.is_some() {
        let name = pattern.root().map(|root| Definition::new(root).name()).unwrap_or_default();
        cx.draft(&LOOPS, subject, "it matches what it makes")
            .witness(format!("{name} becomes {name} again"))
            .add();
    }
}

fn type_unchecked(cx: &Cx<'_, '_>, pattern: PatternDef<'_>, subject: &Subject<'_>, source: Dag<'_>) {
    let mut results = pattern.results();
    let (Some(result), None) = (results.next(), results.next()) else { return };
    let has_type = result.args().any(|(value, _)| {
        let operator = value.as_dag().and_then(Dag::operator_def);
        operator.is_some_and(|operator| operator.name() == "returnType")
    });
    let (Some(old), Some(new)) = (operation(source), operation(result)) else { return };
    let ([was], [is]) = (old.results(), new.results()) else { return };
    // If no type is inferred, the replaced result gives the type.
    if has_type
        || !new.all_result_types_known()
        || was.constraint.is_variable_length()
        || is.constraint.is_variable_length()
    {
        return;
    }
    let (Some(was), Some(mut now)) =
        (condition(was.constraint.constraint()), condition(is.constraint.constraint()))
    else {
        return;
    };
    // If the type is that of an operand, the source pattern may constrain it further.
    if let [odsmith_ods::infer::Inference::FromOperand(index)] = new.result_types()
        && let Some(bound) = operand_condition(&new, result, source, *index)
    {
        now = Condition::And(vec![now, bound]);
    } else if let [odsmith_ods::infer::Inference::From(..)] = new.result_types() {
        // The result of inference in C++ is unknown.
        return;
    }
    if let Answer::No(witness) = logic::implies(&now, &was, WORK) {
        let message = format!("{} has a type of its own, which {} may not have had", new.name(), old.name());
        let draft = cx.draft(&TYPE_UNCHECKED, subject, message);
        match witness.example {
            Some(example) => draft.witness(example).add(),
            None => draft.add(),
        }
    }
}

/// Returns the constraints that the source pattern puts on the type of an operand of a result pattern.
fn operand_condition(
    new: &Operation<'_>,
    result: Dag<'_>,
    source: Dag<'_>,
    operand: usize,
) -> Option<Condition> {
    let position = new.arguments().iter().position(|it| *it == odsmith_ods::Argument::Operand(operand))?;
    let name = result.arg_name(position)?;
    let mut all = Vec::new();
    if let Some(constraint) = bound_by(source, name, 0).map(odsmith_ods::Constraint::new) {
        all.extend(condition(constraint));
    }
    let op = operation(source)?;
    for (index, (_, bound)) in source.args().enumerate() {
        if bound == Some(name)
            && let Some(odsmith_ods::Argument::Operand(operand)) = op.arguments().get(index)
        {
            all.extend(op.operands().get(*operand).and_then(|it| condition(it.constraint.constraint())));
        }
    }
    (!all.is_empty()).then_some(Condition::And(all))
}

/// Collects the operations below the root of a dag.
fn nested<'r>(dag: Dag<'r>, found: &mut Vec<Dag<'r>>, depth: u32) {
    for inner in dag.args().filter_map(|(value, _)| value.as_dag()) {
        found.push(inner);
        if depth < DEPTH {
            nested(inner, found, depth + 1);
        }
    }
}

fn effect_duplicated(cx: &Cx<'_, '_>, pattern: PatternDef<'_>, subject: &Subject<'_>, source: Dag<'_>) {
    let (mut matched, mut made) = (Vec::new(), Vec::new());
    nested(source, &mut matched, 0);
    for result in pattern.results().chain(pattern.supplements()) {
        made.push(result);
        nested(result, &mut made, 0);
    }
    for dag in matched {
        let Some(op) = operation(dag).filter(|_| made.iter().any(|it| same_operation(*it, dag))) else {
            continue;
        };
        let effects = op.effects();
        let effect = effects.iter().filter(|it| it.is_on_memory()).flat_map(|it| &it.on).next();
        if let Some((_, effect)) = effect {
            let kind = effect.effect().rsplit("::").next().unwrap_or_default();
            let message = format!("{} has an effect, is matched below the root, and made again", op.name());
            cx.draft(&EFFECT_DUPLICATED, subject, message).witness(format!("{kind} happens twice")).add();
            return;
        }
    }
}

fn unused_bindings(cx: &Cx<'_, '_>, pattern: PatternDef<'_>, subject: &Subject<'_>, source: Dag<'_>) {
    let mut bound = Vec::new();
    bindings(source, &mut bound, 0);
    let mut used = Vec::new();
    let dags = pattern.results().chain(pattern.supplements()).chain(pattern.constraints());
    dags.for_each(|dag| bindings(dag, &mut used, 0));
    let unused: Vec<&str> = bound
        .iter()
        .copied()
        .filter(|name| {
            // A name that is bound twice compares two values.
            *name != "_"
                && !name.is_empty()
                && bound.iter().filter(|other| *other == name).count() == 1
                && !used.iter().any(|other| {
                    other == name || other.strip_prefix(name).is_some_and(|rest| rest.starts_with("__"))
                })
        })
        .collect();
    if unused.is_empty() {
        return;
    }
    let names: Vec<String> = unused.iter().map(|name| format!("${name}")).collect();
    cx.draft(
        &UNUSED_BINDING,
        subject,
        format!("{} {} bound and not used", listed(&names), if names.len() == 1 { "is" } else { "are" }),
    )
    .at(cx.place_of_part(subject.rec, unused[0]))
    .fix("bind nothing", unbind(cx, subject, &unused))
    .add();
}

/// Removes names from a source pattern: `$x` becomes `$_`, `C:$x` becomes `C`.
fn unbind(cx: &Cx<'_, '_>, subject: &Subject<'_>, names: &[&str]) -> Vec<Edit> {
    let Some((outline, statement)) = cx.statement(subject.rec) else { return Vec::new() };
    let tokens = outline.code_in(statement.range());
    let mut edits = Vec::new();
    for name in names {
        let mut places = tokens.iter().enumerate().filter(|(_, token)| {
            token.kind == Kind::Variable && outline.text_of(**token).get(1..) == Some(name)
        });
        let (Some((at, token)), None) = (places.next(), places.next()) else { return Vec::new() };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        edits.push(match before.filter(|before| before.is(b':')) {
            Some(before) => edit_of(outline, (before.start, token.end), ""),
            None => edit_of(outline, (token.start, token.end), "$_"),
        });
    }
    edits
}

fn attributes_dropped(cx: &Cx<'_, '_>, pattern: PatternDef<'_>, subject: &Subject<'_>) {
    let made = pattern.results().find(|result| matches!(Callee::of(*result), Some(Callee::Operation(_))));
    if let Some(made) = made.and_then(Dag::operator_def) {
        let name = Definition::new(made).name();
        cx.draft(
            &ATTRIBUTES_DROPPED,
            subject,
            format!("{name} has no discardable attribute of what it replaces"),
        )
        .add();
    }
}
