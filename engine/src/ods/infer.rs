//! Which result types follow from operands, attributes or buildable types.
//!
//! Equalities come from `AllTypesMatch` (both ways), `TypesMatchWith` (from `lhs` to `rhs`),
//! `ShapedTypeMatchesElementCountAndTypes` (from `shaped` to `elements`) and `SameOperandsAndResultType`. An operation
//! whose result types all follow implements `InferTypeOpInterface`.

use super::{OpResult, Operand, Trait};
use crate::record::{Rec, Val, name};

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

/// How the type of each result is found, and whether all can be; `arguments` are the names of all arguments, in order.
///
/// As in the reference, a name that nothing has means the first argument.
pub(super) fn infer<'r>(
    operands: &[Operand<'r>],
    results: &[OpResult<'r>],
    arguments: &[&'r str],
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
    let same_type = traits.iter().any(|t| t.is_named("::mlir::OpTrait::SameOperandsAndResultType"));
    if same_type {
        // Nothing else counts then, not even a type that can be built.
        let single = operands.iter().position(|operand| !operand.constraint.is_variable_length());
        found.fill(single.map_or(Inference::Unknown, Inference::FromOperand));
        return (found, single.is_some());
    }

    let result = |name: &str| results.iter().position(|result| result.name == name);
    let is_argument = |name: &str| arguments.contains(&name);
    let meant = |name: &'r str| match is_argument(name) || result(name).is_some() {
        true => name,
        false => arguments.first().copied().unwrap_or(name),
    };
    loop {
        let before = found.clone();
        for t in traits {
            if t.rec().is_subclass_of(name!("AllTypesMatch")) {
                let values = t.rec().get(name!("values")).and_then(Val::as_list).into_iter().flatten();
                let values: Vec<&'r str> = values.filter_map(Val::as_str).map(meant).collect();
                let is_known = |name: &str| {
                    is_argument(name) || result(name).is_some_and(|index| found[index] != Inference::Unknown)
                };
                // The last one whose type is known passes it on.
                let Some(&source) = values.iter().rfind(|value| is_known(value)) else { continue };
                for index in values.iter().filter_map(|value| result(value)) {
                    if found[index] == Inference::Unknown {
                        found[index] = Inference::From(source, None);
                    }
                }
            } else if let Some((from, to, transform)) = directed(t.rec()) {
                let Some(to) = result(to) else { continue };
                let from = meant(from);
                let is_there = is_argument(from) || result(from).is_some();
                if is_there && found[to] == Inference::Unknown {
                    found[to] = Inference::From(from, transform);
                }
            }
        }
        if found == before {
            break;
        }
    }
    let is_complete = are_complete(&found, &result);
    (found, is_complete)
}

/// The types of all elements of a shaped type.
pub(super) const ELEMENT_TYPES: &str = "::llvm::SmallVector<::mlir::Type>(\
    ::llvm::cast<::mlir::ShapedType>($_self).getNumElements(), \
    ::llvm::cast<::mlir::ShapedType>($_self).getElementType())";

/// Of a trait that goes one way: from where, to where, and C++ in between.
fn directed<'r>(t: Rec<'r>) -> Option<(&'r str, &'r str, Option<&'r str>)> {
    let text = |field| t.optional_string(field);
    if t.is_subclass_of(name!("TypesMatchWith")) {
        Some((text("lhs")?, text("rhs")?, text("transformer")))
    } else if t.is_subclass_of(name!("ShapedTypeMatchesElementCountAndTypes")) {
        Some((text("shaped")?, text("elements")?, Some(ELEMENT_TYPES)))
    } else {
        None
    }
}

/// Whether each type follows, through other results or not, from what is known.
fn are_complete(found: &[Inference<'_>], result: &impl Fn(&str) -> Option<usize>) -> bool {
    let mut is_known = vec![false; found.len()];
    loop {
        let mut is_changed = false;
        for (index, inference) in found.iter().enumerate() {
            let follows = match inference {
                Inference::Unknown => false,
                Inference::Buildable(_) | Inference::FromOperand(_) => true,
                Inference::From(name, _) => result(name).is_none_or(|source| is_known[source]),
            };
            is_changed |= follows && !is_known[index];
            is_known[index] |= follows;
        }
        if !is_changed {
            return is_known.iter().all(|known| *known);
        }
    }
}
