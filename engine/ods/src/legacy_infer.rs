//! Inference of result types in old releases: from operands and attributes of equal type.
//!
//! `AllTypesMatch` groups names into classes. The last argument in a result's class gives its type, unless a result
//! comes after it and the type of the result can be built.

use super::{OpResult, Operand, Trait, TypeConstraint, infer::Inference};
use odsmith_release::{Change, Rules};

/// Returns the source of each result's type, and whether all types can be inferred.
pub(super) fn infer<'r>(
    operands: &[Operand<'r>],
    results: &[OpResult<'r>],
    (attributes, first_argument): (&[&'r str], Option<&'r str>),
    traits: &[Trait<'r>],
) -> (Vec<Inference<'r>>, bool) {
    let Some(first) = results.first() else { return (Vec::new(), false) };
    let rules = first.constraint.rec().records().rules();
    let same_type = traits.iter().any(|t| t.is_named("::mlir::OpTrait::SameOperandsAndResultType"));
    let is_same_for_builders = same_type && !rules.has(Change::SameTypesInferred);
    if is_same_for_builders || results.iter().any(|result| is_run(result.constraint, rules)) {
        return (vec![Inference::Unknown; results.len()], false);
    }
    if same_type {
        let single = operands.iter().position(|operand| !operand.constraint.is_variable_length());
        let inference = single.map_or(Inference::Unknown, Inference::FromOperand);
        return (vec![inference; results.len()], single.is_some());
    }
    let classes = classes(traits);
    let is_result = |name: &str| results.iter().any(|result| result.name == name);
    let is_argument =
        |name: &str| operands.iter().any(|operand| operand.name == name) || attributes.contains(&name);
    let of_result = |result: &OpResult<'r>| {
        let built = result.constraint.builder_call().map(Inference::Buildable);
        let class = classes.iter().find(|class| class.contains(&result.name));
        let found = class.into_iter().flatten().rev().find_map(|&name| {
            // As in the reference, a name that refers to nothing means the first argument.
            match (is_argument(name), is_result(name)) {
                (true, _) => source(rules, operands, attributes, name),
                (false, true) => built,
                (false, false) => first_argument.and_then(|name| source(rules, operands, attributes, name)),
            }
        });
        found.or(built).unwrap_or(Inference::Unknown)
    };
    // As in the reference, a variadic operand prevents inference even if no type follows from it.
    let has_run = operands.iter().any(|it| is_run(it.constraint, rules));
    if has_run && !rules.has(Change::SameTypesInferred) {
        return (vec![Inference::Unknown; results.len()], false);
    }
    let found: Vec<Inference<'r>> = results.iter().map(of_result).collect();
    let is_complete = found.iter().all(|inference| *inference != Inference::Unknown);
    (found, is_complete)
}

/// Returns whether a constraint allows any number of values. Until MLIR 14, an optional operand counts as a single one.
fn is_run(constraint: TypeConstraint<'_>, rules: &Rules) -> bool {
    let has_one_length = constraint.is_optional() && !rules.has(Change::SameTypesInferred);
    constraint.is_variable_length() && !has_one_length
}

/// Returns an argument as the source of a type.
fn source<'r>(
    rules: &Rules,
    operands: &[Operand<'r>],
    attributes: &[&'r str],
    name: &'r str,
) -> Option<Inference<'r>> {
    let has_attributes = rules.has(Change::AttributesInInference);
    let operand = operands.iter().position(|operand| operand.name == name);
    let operand = operand.filter(|&index| has_attributes || !is_run(operands[index].constraint, rules));
    let attribute = || attributes.iter().find(|&&attribute| attribute == name).filter(|_| has_attributes);
    let operand = operand.map(|index| if rules.has(Change::NamesInTraits) { index } else { 0 });
    operand.map(Inference::FromOperand).or_else(|| attribute().map(|name| Inference::From(name, None)))
}

/// Returns the classes of names with equal types, each in the order of the traits.
fn classes<'r>(traits: &[Trait<'r>]) -> Vec<Vec<&'r str>> {
    let mut classes: Vec<Vec<&'r str>> = Vec::new();
    for names in traits.iter().filter_map(|t| t.matching_types()) {
        let Some((&first, rest)) = names.split_first() else { continue };
        for &name in rest {
            let mut take = |name: &'r str| match classes.iter().position(|class| class.contains(&name)) {
                Some(index) => classes.remove(index),
                None => vec![name],
            };
            let mut merged = take(first);
            if !merged.contains(&name) {
                merged.extend(take(name));
            }
            classes.push(merged);
        }
    }
    classes
}
