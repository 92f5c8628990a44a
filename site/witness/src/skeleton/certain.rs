//! Whether an example can be refused by anything but what the definitions say.
//!
//! ```text
//! def AddOp : Op<D, "add", [SameOperandsAndResultType]>       certain: the trait is known, and it was obeyed
//! def CastOp : Op<D, "cast", [CastOpInterface]>               not: C++ code decides which casts there are
//! def LoadOp : Op<D, "load"> { let hasVerifier = 1; }         not: C++ code looks at it
//! ```

use odsmith_engine::ods::{Operation, Trait, TraitKind};

use super::Choice;

/// Traits implemented in C++ that refuse nothing, or whose rules are [obeyed](super::slots).
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

/// Whether all that is asked of an operation is known to hold for what was chosen.
pub(super) fn is_certain(op: &Operation<'_>, choice: &Choice) -> bool {
    let refers = |text: &str| text.contains('@');
    choice.unsure.is_empty()
        && choice.open == 0
        && op.has_verifiers() == (false, false)
        // What is inside of a region, and which operation must be around it, is more than a skeleton has.
        && op.regions().is_empty()
        && op.successors().is_empty()
        && op.traits().iter().all(|t| refuses_nothing(op, *t))
        // Nothing has the name that a symbol refers to.
        && !choice.attributes.values().any(|written| refers(&written.full))
}

fn refuses_nothing(op: &Operation<'_>, t: Trait<'_>) -> bool {
    match t.kind() {
        // These have been tried.
        TraitKind::Predicate | TraitKind::Internal => true,
        TraitKind::Native => {
            let name = t.trait_name();
            let name = name.rsplit("::").next().unwrap_or(name);
            KNOWN.binary_search(&name).is_ok()
        }
        // Types that follow from traits are those of the traits; others are found by C++ code.
        TraitKind::Interface if t.trait_name() == "InferTypeOpInterface::Trait" => {
            !op.declares_trait(&t.qualified_name())
        }
        TraitKind::Interface => !is_verified(op, t),
    }
}

/// Whether an interface brings a check. What declares an interface of an operation may leave it to the definition.
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
