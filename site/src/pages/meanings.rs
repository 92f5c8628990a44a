//! One-line descriptions of MLIR's own traits, for which ODS has no field.

/// Finds the line for a trait of MLIR.
pub(super) fn of(name: &str) -> Option<&'static str> {
    let found = MEANINGS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(MEANINGS[found].1)
}

/// The lines, sorted by name.
const MEANINGS: &[(&str, &str)] = &[
    ("AffineScope", "Starts a scope in which values count as affine symbols."),
    ("AlwaysSpeculatable", "May run even where it would not have run, without harm."),
    ("AlwaysSpeculatableImplTrait", "Implements the promise of being always safe to speculate."),
    ("AttrSizedOperandSegments", "An attribute says how many operands belong to each variadic group."),
    ("AttrSizedResultSegments", "An attribute says how many results belong to each variadic group."),
    ("AutomaticAllocationScope", "Stack memory allocated inside is freed when control leaves it."),
    ("Commutative", "The order of the operands does not matter."),
    ("ConditionallySpeculatable", "Whether it may run speculatively is decided for each operation."),
    ("ConstantLike", "Has one result, whose value is known at compile time and held in an attribute."),
    ("Elementwise", "Works on each element of vectors and tensors alone, all of the same shape."),
    ("ElementwiseMappable", "Works alike on scalars, and element by element on vectors and tensors."),
    ("FirstAttrDerivedResultType", "The result type follows from the first attribute."),
    ("GraphRegionNoTerminator", "Has a graph region that needs no terminator."),
    ("HasOnlyGraphRegion", "In its regions the order of operations has no meaning."),
    ("HasParent", "May appear only directly inside the named operations."),
    ("Idempotent", "Applied to its own result, it changes nothing more."),
    ("Involution", "Applied twice, it gives back what went in."),
    ("IsolatedFromAbove", "Its regions use no values that are defined outside."),
    ("MemRefsNormalizable", "Its memrefs may be rewritten to the identity layout."),
    ("MemoryEffects", "Has exactly these effects on memory."),
    ("NoMemoryEffect", "Neither reads nor writes, allocates nor frees memory."),
    ("NoRegionArguments", "The blocks of its regions take no arguments."),
    ("NoSideEffect", "Has no effect on memory, so that it can be moved, merged or removed."),
    ("NoTerminator", "Its blocks need no terminator."),
    ("ParentOneOf", "May appear only directly inside one of the named operations."),
    (
        "Pure",
        "Has no effect on memory and may be run speculatively, so that it can be moved, merged or removed.",
    ),
    ("RecursiveMemoryEffects", "Has the effects on memory of the operations in its regions."),
    ("RecursivelySpeculatable", "May run speculatively if the operations in its regions may."),
    ("ResultsAreFloatLike", "All results are floating-point numbers, or vectors or tensors of them."),
    ("ReturnLike", "Ends a region and hands its operands to the enclosing operation or its caller."),
    ("SameOperandsAndResultElementType", "Operands and results have one element type."),
    ("SameOperandsAndResultRank", "Operands and results have one rank."),
    ("SameOperandsAndResultShape", "Operands and results have one shape."),
    ("SameOperandsAndResultType", "Operands and results all have one type."),
    ("SameOperandsElementType", "All operands have one element type."),
    ("SameOperandsShape", "All operands have one shape."),
    ("SameTypeOperands", "All operands have one type."),
    ("SameVariadicOperandSize", "All variadic operand groups have the same length."),
    ("SameVariadicResultSize", "All variadic result groups have the same length."),
    ("Scalarizable", "Its form on vectors or tensors can be replaced by the scalar one."),
    ("SingleBlock", "Each of its regions has at most one block."),
    ("SingleBlockImplicitTerminator", "One block per region; the terminator may be left out in the text."),
    ("SymbolTable", "Symbols defined in its region are looked up in it by name."),
    ("Tensorizable", "Its scalar form can be applied to tensors."),
    ("Terminator", "Ends a block; control leaves it here."),
    ("Vectorizable", "Its scalar form can be applied to vectors."),
];

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted() {
        assert!(super::MEANINGS.is_sorted_by_key(|(name, _)| name));
        assert!(super::of("Pure").is_some());
    }
}
