//! Which result types follow from operands, attributes or buildable types.
//!
//! Equalities come from `AllTypesMatch` (both ways), `TypesMatchWith` (from `lhs` to `rhs`) and
//! `SameOperandsAndResultType`. An operation whose result types all follow implements `InferTypeOpInterface`.

use super::{OpResult, Operand, Trait};
use crate::record::Val;

/// Where the type of one result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference<'r> {
    /// From nothing.
    Unknown,
    /// Only one type will do: the C++ call that makes it.
    Buildable(&'r str),
    /// From the entity of this name, through C++ with `$_self` if it is not simply equal.
    From(&'r str, Option<&'r str>),
    /// From an operand, by position.
    FromOperand(usize),
}

/// How the type of each result is found, and whether all can be.
pub(super) fn infer<'r>(
    operands: &[Operand<'r>],
    results: &[OpResult<'r>],
    traits: &[Trait<'r>],
) -> (Vec<Inference<'r>>, bool) {
    let mut found: Vec<Inference<'r>> = results
        .iter()
        .map(|result| match result.constraint.builder_call() {
            Some(call) if !result.constraint.is_variable_length() => Inference::Buildable(call),
            _ => Inference::Unknown,
        })
        .collect();
    if results.is_empty() || results.iter().any(|result| result.constraint.is_variable_length()) {
        return (found, false);
    }
    let same_type = traits.iter().any(|t| t.qualified_name() == "::mlir::OpTrait::SameOperandsAndResultType");
    if same_type {
        // Nothing else counts then, not even a type that can be built.
        let is_single = operands.first().is_some_and(|operand| !operand.constraint.is_variable_length());
        found.fill(if is_single { Inference::FromOperand(0) } else { Inference::Unknown });
        return (found, is_single);
    }

    // Edges from what is known to what follows.
    let mut edges: Vec<(&'r str, &'r str, Option<&'r str>)> = Vec::new();
    for t in traits {
        if t.rec().is_subclass_of("AllTypesMatch") {
            let values: Vec<&'r str> = t
                .rec()
                .get("values")
                .and_then(Val::as_list)
                .into_iter()
                .flatten()
                .filter_map(Val::as_str)
                .collect();
            for &to in &values {
                edges.extend(values.iter().filter(|&&from| from != to).map(|&from| (from, to, None)));
            }
        } else if t.rec().is_subclass_of("TypesMatchWith") {
            let text = |field| t.rec().optional_string(field);
            if let (Some(lhs), Some(rhs)) = (text("lhs"), text("rhs")) {
                edges.push((lhs, rhs, text("transformer")));
            }
        }
    }
    let index_of = |name: &str| results.iter().position(|result| result.name == name);
    loop {
        let mut is_changed = false;
        for &(from, to, transform) in &edges {
            let Some(target) = index_of(to) else { continue };
            let is_known = index_of(from).is_none_or(|source| found[source] != Inference::Unknown);
            if is_known && found[target] == Inference::Unknown {
                found[target] = Inference::From(from, transform);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let is_complete = found.iter().all(|inference| *inference != Inference::Unknown);
    (found, is_complete)
}
