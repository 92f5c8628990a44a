//! Inference of result types from operands, attributes or buildable types.
//!
//! Equalities come from `AllTypesMatch` (both ways), `TypesMatchWith` (from `lhs` to `rhs`),
//! `ShapedTypeMatchesElementCountAndTypes` (from `shaped` to `elements`) and `SameOperandsAndResultType`. An operation
//! whose result types all follow implements `InferTypeOpInterface`.

use super::{OpResult, Operand, Trait};
use odsmith_tablegen::record::{Rec, Val, name};

/// The source of a result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference<'r> {
    /// Unknown.
    Unknown,
    /// The C++ call that builds the only possible type.
    Buildable(&'r str),
    /// The entity of this name, converted by C++ with `$_self` unless its type is simply equal.
    From(&'r str, Option<&'r str>),
    /// An operand, by index.
    FromOperand(usize),
}

/// Returns the source of each result's type, and whether all types can be inferred. `arguments` are the names of all
/// arguments, in order.
///
/// As in the reference, a name that refers to nothing means the first argument.
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
        // This trait overrides all other sources, even a buildable type.
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
    let mut is_resolved: Vec<bool> = found.iter().map(|inference| *inference != Inference::Unknown).collect();
    loop {
        let before = (found.clone(), is_resolved.clone());
        for t in traits {
            if t.rec().is_subclass_of(name!("AllTypesMatch")) {
                let values = t.rec().get(name!("values")).and_then(Val::as_list).into_iter().flatten();
                let values: Vec<&'r str> = values.filter_map(Val::as_str).map(meant).collect();
                let is_known =
                    |name: &str| is_argument(name) || result(name).is_some_and(|index| is_resolved[index]);
                // The last entity with a known type passes it on, even to a result whose recorded source is unknown.
                let Some(&source) = values.iter().rfind(|value| is_known(value)) else { continue };
                for index in values.iter().filter_map(|value| result(value)) {
                    if !is_resolved[index] {
                        found[index] = Inference::From(source, None);
                        is_resolved[index] = true;
                    }
                }
            } else if let Some((from, to, transform)) = directed(t.rec()) {
                let Some(to) = result(to) else { continue };
                let from = meant(from);
                let source = result(from);
                if found[to] == Inference::Unknown && (is_argument(from) || source.is_some()) {
                    found[to] = Inference::From(from, transform);
                }
                if matches!(found[to], Inference::From(name, _) if name == from) {
                    is_resolved[to] |= is_argument(from) || source.is_some_and(|source| is_resolved[source]);
                }
            }
        }
        if (&found, &is_resolved) == (&before.0, &before.1) {
            break;
        }
    }
    let is_complete = is_resolved.into_iter().all(|is_resolved| is_resolved);
    (found, is_complete)
}

/// C++ that returns the types of all elements of a shaped type.
pub(super) const ELEMENT_TYPES: &str = "::llvm::SmallVector<::mlir::Type>(\
    ::llvm::cast<::mlir::ShapedType>($_self).getNumElements(), \
    ::llvm::cast<::mlir::ShapedType>($_self).getElementType())";

/// Returns the source, the target and the C++ transformer of a trait that infers in one direction.
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
