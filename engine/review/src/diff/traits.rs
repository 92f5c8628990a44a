//! Traits and interfaces of operations, by their C++ names.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::{
    constraint::Cardinality,
    op::{Kind, Operation, Part, PartKind, Trait},
};
use odsmith_report::text::counted;

use crate::logic::{self, Condition};

use super::{
    Cx, Relation, Report, Side, Subject, Witness, WitnessKind, WitnessPart, change,
    names::Scope,
    operation::{Both, broken, cpp},
    quoted, quoted_pair,
    rules::{Level, Rule, Verdict},
};

/// The topic of a trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Interface,
    /// Effects and speculation, which have their own findings.
    Effects,
    /// The sizes of segments, which have their own findings.
    Segments,
    /// The relation of several parts.
    Entities,
    Terminator,
    Symbol,
    Algebra,
    Structure,
    /// Anything else.
    Other,
}

/// Traits that relate several parts.
const ENTITIES: &[&str] = &[
    "SameTypeOperands",
    "SameOperandsShape",
    "SameOperandsElementType",
    "SameOperandsAndResultShape",
    "SameOperandsAndResultElementType",
    "SameOperandsAndResultType",
    "SameOperandsAndResultRank",
    "SameVariadicOperandSize",
    "SameVariadicResultSize",
    "Elementwise",
    "ResultsAreBoolLike",
    "ResultsAreFloatLike",
    "ResultsAreSignlessIntegerLike",
];

/// MLIR's traits whose C++ never rejects anything.
const REFUSES_NOTHING: &[&str] =
    &["AutomaticAllocationScope", "MemRefsNormalizable", "Scalarizable", "Tensorizable", "Vectorizable"];

impl Topic {
    fn of(it: &Trait) -> Topic {
        let class = it.cpp_name.split('<').next().unwrap_or_default();
        let name = class.rsplit("::").next().unwrap_or_default();
        if is_effect(it) {
            return Topic::Effects;
        }
        match it.kind {
            Kind::Interface => return Topic::Interface,
            Kind::Predicate => return Topic::Entities,
            Kind::Native | Kind::Internal => {}
        }
        match name {
            "AttrSizedOperandSegments" | "AttrSizedResultSegments" => Topic::Segments,
            "NoTerminator" | "SingleBlockImplicitTerminator" | "Impl" if class.contains("Terminator") => {
                Topic::Terminator
            }
            "Symbol" | "SymbolTable" => Topic::Symbol,
            "IsCommutative" | "IsIdempotent" | "IsInvolution" | "ConstantLike" => Topic::Algebra,
            name if ENTITIES.contains(&name) => Topic::Entities,
            "IsIsolatedFromAbove"
            | "IsolatedFromAbove"
            | "IsTerminator"
            | "SingleBlock"
            | "NoRegionArguments"
            | "HasParent"
            | "Impl"
            | "AffineScope"
            | "HasAncestor" => Topic::Structure,
            _ if it.is_structural => Topic::Structure,
            _ => Topic::Other,
        }
    }
}

/// Returns true if a trait is about memory effects or speculation.
fn is_effect(it: &Trait) -> bool {
    let name = &it.cpp_name;
    !it.effects.is_empty()
        || name.contains("MemoryEffect")
        || name.contains("Speculat")
        || name.contains("RecursiveMemoryEffects")
}

/// Returns the traits of both sides that have one record, or are one instance of a class, and have different classes in C++.
pub(super) fn pairs<'d>(old: Side<'d>, new: Side<'d>) -> Vec<(&'d Trait, &'d Trait)> {
    let by_record = |side: Side<'d>| -> BTreeMap<&'d str, &'d Trait> {
        let named = side.0.traits.iter().filter(|it| !it.cpp_name.is_empty());
        // An instance of a class is called by it: `Shaped<2>`.
        let instance = |it: &'d Trait| Some(it.name.as_str()).filter(|name| name.contains('<'));
        named.filter_map(|it| Some((it.definition.record.as_deref().or_else(|| instance(it))?, it))).collect()
    };
    let after = by_record(new);
    let both = by_record(old).into_iter().filter_map(|(record, it)| Some((it, *after.get(record)?)));
    both.filter(|(a, b)| a.kind == b.kind && cpp(&a.cpp_name) != cpp(&b.cpp_name)).collect()
}

/// Reports traits whose class has another name: once, for all operations that have them.
pub(super) fn moved(cx: Cx<'_>, report: &mut Report) {
    let mut told: BTreeSet<[String; 2]> = BTreeSet::new();
    let all = pairs(cx.old, cx.new);
    for (before, after) in &all {
        // An interface has its own finding.
        let Some(classes) = moved_classes(before, after).filter(|_| before.kind == Kind::Native) else {
            continue;
        };
        // All instances of a class moved with it.
        if !told.insert(classes.map(str::to_owned)) {
            continue;
        }
        let of_class: Vec<&Trait> = all
            .iter()
            .filter(|(one, other)| moved_classes(one, other) == Some(classes))
            .map(|(one, _)| *one)
            .collect();
        let has = |traits: &[usize]| {
            traits.iter().any(|at| cx.old.0.traits.get(*at).is_some_and(|it| of_class.contains(&it)))
        };
        let operations = cx.old.0.operations.iter().filter(|it| has(&it.traits)).count();
        let defs = [&cx.old.0.types, &cx.old.0.attributes];
        let [types, attributes] = defs.map(|all| all.iter().filter(|it| has(&it.traits)).count());
        let users: Vec<String> = [(operations, "operation"), (types, "type"), (attributes, "attribute")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| counted(count, what))
            .collect();
        let name = before.definition.record.as_deref().unwrap_or(&before.name);
        let id = format!("trait:{}", name.split('<').next().unwrap_or_default());
        let (old, new) = (Some(&before.definition), Some(&after.definition));
        let subject = Subject { group: "traits", id, old, new };
        let message = change("the class", &cpp(classes[0]), &cpp(classes[1]));
        let have = match (&users[..], operations + types + attributes) {
            ([], _) => "nothing has it".to_owned(),
            (users, 1) => format!("{} has it", users.join(", ")),
            (users, _) => format!("{} have it", users.join(", ")),
        };
        report.add(Rule::TR010, &subject, format!("{message}; {have}"));
    }
}

/// Returns the classes of a trait on both sides without their arguments, if only they differ: `a::Shaped<2>::Impl` became
/// `b::Shaped<2>::Impl`. A class with other arguments is another one.
pub(super) fn moved_classes<'t>(before: &'t Trait, after: &'t Trait) -> Option<[&'t str; 2]> {
    let head = |it: &'t Trait| it.cpp_name.split_at(it.cpp_name.find('<').unwrap_or(it.cpp_name.len()));
    let ((old, old_rest), (new, new_rest)) = (head(before), head(after));
    (old_rest == new_rest && cpp(old) != cpp(new)).then_some([old, new])
}

/// Interfaces whose functions mlir-tblgen generates from other parts of a definition, or that need none.
const GENERATED: &[&str] =
    &["InferTypeOpInterface", "ConditionallySpeculatable", "MemoryEffectOpInterface", "BytecodeOpInterface"];

/// Returns true if an operation that has gained an interface has nothing to implement for it.
fn is_generated(both: Both<'_>, key: &str) -> bool {
    let class = key.strip_suffix("::Trait").unwrap_or(key);
    let name = class.rsplit("::").next().unwrap_or_default();
    match name {
        // ODS defines its method for operations that return like functions.
        "RegionBranchTerminatorOpInterface" => {
            both.cx.new.traits(&both.new.traits).any(|it| it.cpp_name.ends_with("::ReturnLike"))
        }
        "InferTypeOpInterface" => both.new.infers_result_types,
        name => GENERATED.contains(&name),
    }
}

/// Returns true if the class declares the method of speculation, which its author defines: by `DeclareOpInterfaceMethods<…>`,
/// which has no name of its own.
fn declares_speculation(op: &Operation, side: Side<'_>) -> bool {
    let is_it = |it: &Trait| {
        it.kind == Kind::Interface
            && it.definition.record.is_none()
            && it.cpp_name.contains("ConditionallySpeculatable")
    };
    side.traits(&op.traits).any(is_it)
}

pub(super) fn compare(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let by_name = |op: &'_ Operation, side: Side<'_>| -> BTreeMap<String, (Topic, String)> {
        let is_old = std::ptr::eq(op, both.old);
        let scope = Scope { namespace: "", renames: is_old.then_some(both.cx.renames) };
        let named = side.traits(&op.traits).filter(|it| it.kind != Kind::Predicate).map(|it| {
            let key = if it.cpp_name.is_empty() { it.name.clone() } else { scope.normal(&it.cpp_name) };
            (key, (Topic::of(it), it.name.clone()))
        });
        named.filter(|(key, _)| !key.is_empty()).collect()
    };
    let old = by_name(both.old, both.cx.old);
    let new = by_name(both.new, both.cx.new);
    for (key, (topic, name)) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
        let message = format!("it has lost {}", quoted(key));
        let rule = match topic {
            Topic::Interface => Rule::TR001,
            Topic::Terminator => Rule::TR007,
            Topic::Symbol => Rule::TR008,
            Topic::Algebra => Rule::TR009,
            Topic::Structure | Topic::Other => Rule::TR006,
            Topic::Effects | Topic::Segments | Topic::Entities => continue,
        };
        report.add_part(rule, &subject, name, message);
    }
    for (key, (topic, name)) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let message = format!("it has gained {}", quoted(key));
        match topic {
            Topic::Interface if is_generated(both, key) => {}
            Topic::Interface => {
                let verdict = work(both.cx.new, key);
                report.add_part(Rule::TR002, &subject, name, message).set(Level::Implementer, verdict);
            }
            Topic::Terminator => _ = report.add_part(Rule::TR007, &subject, name, message),
            Topic::Symbol => _ = report.add_part(Rule::TR008, &subject, name, message),
            Topic::Algebra => _ = report.add_part(Rule::TR009, &subject, name, message),
            Topic::Structure => _ = report.add_part(Rule::TR005, &subject, name, message),
            // Its checks are made when C++ is compiled; passes look for it.
            Topic::Other if key.ends_with("OpTrait::ReturnLike") => {
                let finding = report.add_part(Rule::TR005, &subject, name, message);
                finding.set(Level::Verifier, Verdict::Safe).set(Level::Semantics, Verdict::Unknown);
            }
            // Its verifier is C++.
            Topic::Other => {
                let refuses_nothing = key.rsplit("::").next().is_some_and(|it| REFUSES_NOTHING.contains(&it));
                let verdict = if refuses_nothing { Verdict::Safe } else { Verdict::Unknown };
                report.add_part(Rule::TR005, &subject, name, message).set(Level::Verifier, verdict);
            }
            Topic::Entities => {
                let finding = report.add_part(Rule::OP026, &subject, name, message);
                finding.set(Level::Text, Verdict::Safe).set(Level::Verifier, Verdict::Unknown);
                if let Some(example) = differing(both, key) {
                    finding.set(Level::Verifier, Verdict::Breaks);
                    finding.witnesses.push(example);
                }
            }
            Topic::Effects
                if key.contains("ConditionallySpeculatable")
                    && declares_speculation(both.new, both.cx.new) =>
            {
                let finding = report.add_part(Rule::TR002, &subject, name, message);
                finding.set(Level::Implementer, Verdict::Breaks);
            }
            Topic::Effects | Topic::Segments => {}
        }
    }
    predicates(both, report);
    effects(both, report);
}

/// Types for examples, each with the condition that only it satisfies.
const SAMPLES: &[(&str, &str)] = &[
    ("i32", "$_self.isSignlessInteger(32)"),
    ("i64", "$_self.isSignlessInteger(64)"),
    ("f32", "$_self.isF32()"),
    ("f64", "$_self.isF64()"),
    ("si8", "$_self.isSignedInteger(8)"),
    ("si16", "$_self.isSignedInteger(16)"),
    ("ui8", "$_self.isUnsignedInteger(8)"),
    ("index", "isa<IndexType>($_self)"),
];

/// Returns two values that a trait wants to have one type, with types that the old side accepts for them and that differ.
fn differing(both: Both<'_>, key: &str) -> Option<Witness> {
    let name = key.rsplit("::").next().unwrap_or_default();
    let with_results = match name {
        "SameTypeOperands" | "SameOperandsElementType" => false,
        "SameOperandsAndResultType" | "SameOperandsAndResultElementType" => true,
        _ => return None,
    };
    let operands = both.old.arguments.iter().filter(|part| part.kind == PartKind::Operand);
    let results = both.old.results.iter().filter(|_| with_results);
    let parts: Vec<&Part> = operands.chain(results).collect();
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    differing_among(both, &names)
}

/// Returns two of these values with types that the old side accepts for them and that differ.
fn differing_among(both: Both<'_>, names: &[&str]) -> Option<Witness> {
    let groups = groups_of_one_type(both)?;
    let [scope, _] = both.scopes();
    let all: Vec<&Part> = both.old.arguments.iter().chain(&both.old.results).collect();
    let types_of = |name: &str| -> Option<Vec<&'static str>> {
        let part = all.iter().find(|part| part.name == name)?;
        let key = (part.constraint, scope.namespace.to_owned());
        if let Some(known) = both.cx.memo.samples.borrow().get(&key) {
            return known.clone();
        }
        let constraint = both.cx.old.constraint(part.constraint)?;
        let is_single = constraint.of_type.as_ref().is_some_and(|it| it.cardinality == Cardinality::One);
        let condition = Condition::of(constraint.predicate.as_ref()?).map_texts(&|text| scope.normal(text));
        let is_accepted = |(_, sample): &&(&str, &str)| {
            logic::implies(&Condition::leaf(sample), &condition, logic::WORK) == logic::Answer::Yes
        };
        let accepted: Option<Vec<&'static str>> =
            is_single.then(|| SAMPLES.iter().filter(is_accepted).map(|(ty, _)| *ty).collect());
        both.cx.memo.samples.borrow_mut().insert(key, accepted.clone());
        accepted
    };
    let group_of = |name: &str| groups.iter().find(|group| group.contains(name));
    // A value has a type that all of its group may have.
    let accepted =
        names.iter().filter(|name| all.iter().any(|part| part.name == **name)).filter_map(|name| {
            let mut types = types_of(name)?;
            for other in group_of(name).into_iter().flatten() {
                let others = types_of(other)?;
                types.retain(|it| others.contains(it));
            }
            Some((*name, types))
        });
    let accepted: Vec<(&str, Vec<&str>)> = accepted.collect();
    let is_apart = |one: &str, other: &str| !group_of(one).is_some_and(|it| it.contains(other));
    let (one, other, a, b) = accepted.iter().enumerate().find_map(|(at, (one, types))| {
        accepted[..at].iter().filter(|(other, _)| is_apart(one, other)).find_map(|(other, others)| {
            let (a, b) = others.iter().find_map(|a| Some((*a, *types.iter().find(|b| *b != a)?)))?;
            Some((*one, *other, a, b))
        })
    })?;
    // The other values have any types that fit.
    let parts = accepted.iter().filter_map(|(name, types)| {
        let text = match *name {
            name if !is_apart(one, name) || name == one => b,
            name if !is_apart(other, name) || name == other => a,
            _ => *types.first()?,
        };
        Some(WitnessPart { old: (*name).to_owned(), new: (*name).to_owned(), text: text.to_owned() })
    });
    let text = format!("{a} for ${other} and {b} for ${one}");
    Some(Witness { kind: WitnessKind::Type, text, parts: parts.collect() })
}

/// Returns the groups of values that the old side wants to have one type, or `None` if C++ or a condition that is not
/// understood may want more.
fn groups_of_one_type(both: Both<'_>) -> Option<Vec<BTreeSet<String>>> {
    let (op, side) = (both.old, both.cx.old);
    if op.hooks.iter().any(|hook| hook == "hasVerifier") {
        return None;
    }
    let operands = op.arguments.iter().filter(|part| part.kind == PartKind::Operand);
    let operands: Vec<String> = operands.map(|part| part.name.clone()).collect();
    let results: Vec<String> = op.results.iter().map(|part| part.name.clone()).collect();
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    for it in side.traits(&op.traits) {
        let group: BTreeSet<String> = match &it.predicate {
            Some(predicate) => {
                let condition = Condition::of(predicate).text();
                let equal = equal_values(&condition);
                if equal.is_empty() && condition.contains('$') {
                    return None;
                }
                equal.into_iter().map(str::to_owned).collect()
            }
            None => match it.cpp_name.rsplit("::").next().unwrap_or_default() {
                "SameTypeOperands" | "SameOperandsElementType" => operands.iter().cloned().collect(),
                "SameOperandsAndResultType" | "SameOperandsAndResultElementType" => {
                    operands.iter().chain(&results).cloned().collect()
                }
                _ => continue,
            },
        };
        // Groups that share a value are one.
        let (shared, rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(|it| !it.is_disjoint(&group));
        groups = rest;
        groups.push(shared.into_iter().flatten().chain(group).collect());
    }
    Some(groups)
}

/// Returns the values that a predicate wants to have equal types: `get{x}.getType() == get{y}.getType()`.
fn equal_values(condition: &str) -> Vec<&str> {
    let is_equality =
        condition.contains("llvm::all_equal") || condition.contains("all_equal(") || condition.contains("==");
    let names = condition.split('$').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        after.starts_with(".getType()").then_some(name)
    });
    if is_equality { names.collect() } else { Vec::new() }
}

/// A condition on several parts.
struct Fit {
    /// The name of its trait.
    name: String,
    /// The words of its message.
    summary: String,
    condition: Condition,
    text: String,
}

/// Compares the conditions on several parts.
fn predicates(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let [old_scope, new_scope] = both.scopes();
    let of = |op: &Operation, side: Side<'_>, scope: Scope<'_>| -> Vec<Fit> {
        let all = side.traits(&op.traits).filter(|it| it.kind == Kind::Predicate);
        let read = all.filter_map(|it| {
            let condition = Condition::of(it.predicate.as_ref()?).map_texts(&|text| scope.normal(text));
            let (name, text) = (it.name.clone(), condition.text());
            Some(Fit { summary: it.summary.clone().unwrap_or_else(|| name.clone()), name, condition, text })
        });
        read.collect()
    };
    let before = of(both.old, both.cx.old, old_scope);
    let mut after = of(both.new, both.cx.new, new_scope);
    let mut changed = Vec::new();
    for it in before {
        match after.iter().position(|other| other.text == it.text) {
            Some(at) => _ = after.remove(at),
            None => changed.push(it),
        }
    }
    // The same words about another condition.
    for it in changed {
        let Some(at) = after.iter().position(|other| other.summary == it.summary) else { continue };
        let other = after.remove(at);
        let (verdict, example) = match both.cx.related(&it.condition, &other.condition, old_scope.namespace) {
            Relation::Same => continue,
            Relation::Widened => (Verdict::Safe, None),
            Relation::Narrowed(example) | Relation::Changed(example) => (broken(&example), example),
            Relation::Unknown => (Verdict::Unknown, None),
        };
        let [old_text, new_text] = quoted_pair(&it.text, &other.text);
        let message = format!("{}: {old_text} became {new_text}", quoted(&it.summary));
        let finding = report.add_part(Rule::OP027, &subject, &other.name, message);
        finding.set(Level::Verifier, verdict);
        finding.witnesses.extend(example.map(|example| Witness::of_part(example, "", "")));
    }
    for it in after {
        let message = format!("it has gained {}", quoted(&it.summary));
        let finding = report.add_part(Rule::OP026, &subject, &it.name, message);
        finding.set(Level::Text, Verdict::Safe).set(Level::Verifier, Verdict::Unknown);
        if let Some(example) = differing_among(both, &equal_values(&it.text)) {
            finding.set(Level::Verifier, Verdict::Breaks);
            finding.witnesses.push(example);
        }
    }
}

/// Returns the effect on implementers of an interface.
fn work(side: Side<'_>, trait_name: &str) -> Verdict {
    let class = trait_name.strip_suffix("::Trait").unwrap_or(trait_name);
    let found = side.0.interfaces.iter().find(|it| {
        let name = cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class));
        name.trim_start_matches("::") == class.trim_start_matches("::")
    });
    let Some(interface) = found else { return Verdict::Unknown };
    let is_given =
        interface.methods.iter().all(|method| method.body.is_some() || method.default_body.is_some());
    if is_given { Verdict::Safe } else { Verdict::Breaks }
}

/// Returns true if an unused operation is erased.
fn is_pure(op: &Operation, side: Side<'_>) -> bool {
    let has =
        |what: &str| side.traits(&op.traits).any(|it| it.name.contains(what) || it.cpp_name.contains(what));
    let has_none = side.traits(&op.traits).any(|it| {
        it.name == "NoMemoryEffect"
            || (it.cpp_name.contains("MemoryEffect")
                && it.effects.is_empty()
                && it.definition.record.as_deref() == Some("NoMemoryEffect"))
    });
    has_none && has("AlwaysSpeculatable")
}

/// Returns the effects that a definition declares, whatever they act on, or `None` if it declares nothing of its effects, so
/// that it may have any, or only C++ knows them.
fn declared(op: &Operation, side: Side<'_>) -> Option<BTreeSet<String>> {
    let is_declared = side.traits(&op.traits).any(|it| !it.effects.is_empty() || it.name == "NoMemoryEffect");
    let all = listed(op, side);
    (is_declared || !all.is_empty()).then_some(all)
}

/// Returns the effects that a definition lists.
fn listed(op: &Operation, side: Side<'_>) -> BTreeSet<String> {
    let of_parts = op.arguments.iter().chain(&op.results).flat_map(|part| &part.effects);
    let of_traits = side.traits(&op.traits).flat_map(|it| &it.effects);
    let class = |effect: &str| cpp(effect).trim_end_matches("::get()").to_owned();
    of_parts.chain(of_traits).map(|it| class(&it.effect)).collect()
}

fn effects(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    match (is_pure(both.old, both.cx.old), is_pure(both.new, both.cx.new)) {
        (true, false) => _ = report.add(Rule::TR003, &subject, "it is not pure any more"),
        (false, true) => {
            let finding = report.add(Rule::TR004, &subject, "it is pure now");
            // The same effects may have been declared in C++ before.
            let has_own = both.cx.old.traits(&both.old.traits).any(|it| it.cpp_name.contains("MemoryEffect"));
            if has_own {
                finding.set(Level::Semantics, Verdict::Unknown);
            }
        }
        (false, false) => {
            let own = |op: &Operation, side: Side<'_>| {
                side.traits(&op.traits).any(|it| it.cpp_name.contains("MemoryEffect"))
            };
            let list = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>().join(", ");
            match (declared(both.old, both.cx.old), declared(both.new, both.cx.new)) {
                (Some(before), Some(after)) => {
                    let fresh = &after - &before;
                    if !fresh.is_empty() {
                        let message = format!("it has the effect {} now", list(&fresh));
                        report.add(Rule::TR003, &subject, message);
                    } else if before != after {
                        let message = format!("it has the effect {} no more", list(&(&before - &after)));
                        report.add(Rule::TR004, &subject, message).set(Level::Semantics, Verdict::Unknown);
                    }
                }
                // An operation without the interface may do anything.
                (None, Some(after)) if !own(both.old, both.cx.old) => {
                    let is_kept =
                        after.iter().any(|effect| effect.ends_with("Write") || effect.ends_with("Free"));
                    if !is_kept {
                        let only = if after.is_empty() {
                            "it has no effects now".to_owned()
                        } else {
                            format!("it has no effect but {} now", list(&after))
                        };
                        report.add(Rule::TR004, &subject, only).set(Level::Semantics, Verdict::Unknown);
                    }
                }
                (Some(_), None) if !own(both.new, both.cx.new) => {
                    report.add(Rule::TR003, &subject, "it declares nothing of its effects any more");
                }
                (Some(_) | None, None) | (None, Some(_)) => {}
            }
        }
        (true, true) => {}
    }
}
