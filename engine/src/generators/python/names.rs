//! Names and types as Python spells them.

use crate::ods::Attribute;

/// Keywords, and builtins that count as such.
const KEYWORDS: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "callable",
    "issubclass",
    "type",
];

/// What the generated classes or their base classes need for themselves.
const MEMBERS: &[&str] = &[
    "DIALECT_NAMESPACE",
    "OPERATION_NAME",
    "attributes",
    "context",
    "create",
    "get_asm",
    "ip",
    "loc",
    "operands",
    "operation",
    "print",
    "regions",
    "results",
    "self",
    "verify",
];

/// A name as a Python identifier. Bytes that cannot appear in one become `_`; a digit at the start gets a `_` before
/// it, a reserved name one after it.
pub(super) fn identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    out.extend(name.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' }));
    if is_reserved(&out) {
        out.push('_');
    }
    out
}

fn is_reserved(name: &str) -> bool {
    KEYWORDS.contains(&name) || MEMBERS.contains(&name) || name.starts_with("_ods")
}

/// An enum case's name: only keywords are changed.
pub(super) fn enumerator(symbol: &str) -> String {
    if KEYWORDS.contains(&symbol) { format!("{symbol}_") } else { symbol.to_owned() }
}

/// The Python class of values of a C++ type, if there is one that says more than `Type`.
pub(super) fn type_class(cpp_type: &str) -> Option<&str> {
    const CLASSES: &[&str] = &[
        "ComplexType",
        "FloatType",
        "IndexType",
        "IntegerType",
        "MemRefType",
        "NoneType",
        "RankedTensorType",
        "TupleType",
        "UnrankedMemRefType",
        "UnrankedTensorType",
        "VectorType",
    ];
    cpp_type.strip_prefix("::mlir::").filter(|class| CLASSES.contains(class))
}

/// The name that the builder of an attribute is registered under.
pub(super) fn attribute_builder<'r>(attribute: Attribute<'r>) -> &'r str {
    let attribute = if attribute.rec().is_anonymous() { attribute.base() } else { attribute };
    attribute.rec().name()
}

/// The Python class of an attribute, by its C++ storage type.
pub(super) fn attribute_class<'r>(attribute: Attribute<'r>) -> &'r str {
    const CLASSES: &[&str] = &[
        "AffineMapAttr",
        "ArrayAttr",
        "BoolAttr",
        "DenseBoolArrayAttr",
        "DenseElementsAttr",
        "DenseF32ArrayAttr",
        "DenseF64ArrayAttr",
        "DenseFPElementsAttr",
        "DenseI16ArrayAttr",
        "DenseI32ArrayAttr",
        "DenseI64ArrayAttr",
        "DenseI8ArrayAttr",
        "DenseIntElementsAttr",
        "DenseResourceElementsAttr",
        "FlatSymbolRefAttr",
        "FloatAttr",
        "IntegerAttr",
        "IntegerSetAttr",
        "OpaqueAttr",
        "StridedLayoutAttr",
        "StringAttr",
        "SymbolRefAttr",
        "TypeAttr",
    ];
    match attribute.storage_type().strip_prefix("::mlir::") {
        _ if attribute_builder(attribute) == "I1Attr" => "BoolAttr",
        Some("DictionaryAttr") => "DictAttr",
        Some("DenseElementsAttr") if holds_floats(attribute) => "DenseFPElementsAttr",
        Some(class) if CLASSES.contains(&class) => class,
        _ => "Attribute",
    }
}

/// Whether an attribute, not one that wraps it, is of a class for elements that are floating-point numbers.
fn holds_floats(attribute: Attribute<'_>) -> bool {
    let rec = attribute.rec();
    rec.is_subclass_of("FloatElementsAttr") || rec.is_subclass_of("RankedFloatElementsAttr")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let cases =
            [("in", "in_"), ("2x.y-z", "_2x_y_z"), ("_ods_x", "_ods_x_"), ("match", "match"), ("é", "__")];
        for (name, expected) in cases {
            assert_eq!(identifier(name), expected);
        }
    }
}
