//! Decides if an example is certain: the definitions alone say that it is valid, and no C++ code can refuse it.
//!
//! ```text
//! def AddOp : Op<D, "add", [SameOperandsAndResultType]>       certain: the trait is known, and the example obeys it
//! def CastOp : Op<D, "cast", [CastOpInterface]>               not certain: C++ code decides which casts are valid
//! def LoadOp : Op<D, "load"> { let hasVerifier = 1; }         not certain: C++ code verifies it
//! ```

use odsmith_engine::ods::{Operation, Trait, TraitKind};

use super::Choice;

/// C++ traits that refuse nothing, or whose rules the [search](super::slots) obeys.
const KNOWN: &[&str] = &[
    "AffineScope",
    "AlwaysSpeculatableImplTrait",
    "AttrSizedOperandSegments",
    "AttrSizedResultSegments",
    "AutomaticAllocationScope",
    "ConstantLike",
    "Elementwise",
    "HasRecursiveMemoryEffects",
    "IsCommutative",
    "IsIdempotent",
    "IsInvolution",
    "IsTerminator",
    "IsolatedFromAbove",
    "MemRefsNormalizable",
    "RecursivelySpeculatableImplTrait",
    "SameOperandsAndResultElementType",
    "SameOperandsAndResultRank",
    "SameOperandsAndResultShape",
    "SameOperandsAndResultType",
    "SameOperandsElementType",
    "SameOperandsShape",
    "SameTypeOperands",
    "SameVariadicOperandSize",
    "SameVariadicResultSize",
    "Scalarizable",
    "Tensorizable",
    "Vectorizable",
];

/// Tests if all requirements of an operation are known to hold for a choice.
pub(super) fn is_certain(op: &Operation<'_>, choice: &Choice) -> bool {
    let refers = |text: &str| text.contains('@');
    choice.unsure.is_empty()
        && choice.unknown_conditions == 0
        && op.has_verifiers() == (false, false)
        // A skeleton has neither the content that a region needs nor the operation that must be around it.
        && op.regions().is_empty()
        && op.successors().is_empty()
        && op.traits().iter().all(|t| refuses_nothing(op, *t))
        // No symbol of the skeleton has the name that the attribute refers to.
        && !choice.attributes.values().any(|written| refers(&written.full))
}

fn refuses_nothing(op: &Operation<'_>, t: Trait<'_>) -> bool {
    match t.kind() {
        // The search has evaluated these.
        TraitKind::Predicate | TraitKind::Internal => true,
        TraitKind::Native => {
            let name = t.trait_name();
            let name = name.rsplit("::").next().unwrap_or(name);
            KNOWN.binary_search(&name).is_ok()
        }
        // If traits determine the types, the skeleton uses those; otherwise C++ code infers them.
        TraitKind::Interface if t.trait_name() == "InferTypeOpInterface::Trait" => {
            !op.declares_trait(&t.qualified_name())
        }
        TraitKind::Interface => !is_verified(op, t),
    }
}

/// Tests if an interface has a verifier. The trait that declares it may leave that to the interface's own definition.
fn is_verified(op: &Operation<'_>, t: Trait<'_>) -> bool {
    let same = |other: &Trait<'_>| {
        other.trait_name() == t.trait_name() && other.cpp_namespace() == t.cpp_namespace()
    };
    let all = op.rec().records().derived("Interface").map(Trait::new);
    std::iter::once(t).chain(all.filter(same)).any(|t| !t.snippets().verify.trim().is_empty())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_sorted() {
        assert!(super::KNOWN.is_sorted());
    }
}
