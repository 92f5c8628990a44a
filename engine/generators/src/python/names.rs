//! Spelling of names and types in Python.

use odsmith_ods::Attribute;
use odsmith_release::{Change, Rules};

/// Keywords.
const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally",
    "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
];

/// Functions that generated code calls to build attributes, in releases which have [`Change::PythonAttributeBuilders`].
const BUILTINS: &[&str] = &["callable", "issubclass", "type"];

/// Keywords that are reserved as well in releases which have [`Change::PythonConstantsReserved`].
const CONSTANTS: &[&str] = &["False", "None", "True", "async", "await"];

/// Names that the generated classes or their base classes use themselves.
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

/// Converts a name to a Python identifier. Bytes that cannot appear in one become `_`; a digit at the start gets a `_`
/// before it, a reserved name one after it.
pub(super) fn identifier(name: &str, rules: &Rules) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    out.extend(name.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' }));
    if is_reserved(&out, rules) {
        out.push('_');
    }
    out
}

fn is_reserved(name: &str, rules: &Rules) -> bool {
    let is_own = name.starts_with("_ods") && rules.has(Change::PythonAttributeBuilders);
    is_own || is_keyword(name, rules) || MEMBERS.contains(&name)
}

fn is_keyword(name: &str, rules: &Rules) -> bool {
    KEYWORDS.contains(&name)
        || BUILTINS.contains(&name) && rules.has(Change::PythonAttributeBuilders)
        || CONSTANTS.contains(&name) && rules.has(Change::PythonConstantsReserved)
}

/// Returns an enum case's name; only keywords are changed.
pub(super) fn enumerator(symbol: &str, rules: &Rules) -> String {
    if is_keyword(symbol, rules) { format!("{symbol}_") } else { symbol.to_owned() }
}

/// Returns the Python class for types of a C++ class, if there is one more specific than `Type`.
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

/// Returns the name under which the builder of an attribute is registered.
pub(super) fn attribute_builder(attribute: Attribute<'_>) -> String {
    let name = attribute.named().definition().record_name();
    let dialect =
        attribute.enum_dialect().filter(|_| attribute.rules().has(Change::QualifiedAttributeBuilders));
    match dialect {
        Some(dialect) => format!("{dialect}.{name}"),
        None => name.to_owned(),
    }
}

/// Returns whether an attribute is a flag in Python.
pub(super) fn is_unit(attribute: Attribute<'_>) -> bool {
    attribute.storage_type() == "::mlir::UnitAttr"
}

/// Returns the Python type of an attribute's parameter: the type that its builder takes, or the attribute.
pub(super) fn attribute_argument(attribute: Attribute<'_>) -> String {
    let class = attribute_class(attribute);
    let value = match attribute.named().definition().record_name() {
        _ if is_unit(attribute) => return "bool".to_owned(),
        "ArrayAttr" => "_Sequence[_ods_ir.Attribute]",
        "BoolArrayAttr" | "DenseBoolArrayAttr" => "_Sequence[bool]",
        "F32ArrayAttr" | "F64ArrayAttr" | "DenseF32ArrayAttr" | "DenseF64ArrayAttr" => "_Sequence[float]",
        "I32ArrayAttr"
        | "I64ArrayAttr"
        | "I64SmallVectorArrayAttr"
        | "DenseI8ArrayAttr"
        | "DenseI16ArrayAttr"
        | "DenseI32ArrayAttr"
        | "DenseI64ArrayAttr" => "_Sequence[int]",
        "FlatSymbolRefArrayAttr" | "StrArrayAttr" => "_Sequence[str]",
        "F64ElementsAttr" => "_Union[_Sequence[float], _Buffer]",
        "I32ElementsAttr" | "I64ElementsAttr" | "IndexElementsAttr" => "_Union[_Sequence[int], _Buffer]",
        "AffineMapAttr" => "_ods_ir.AffineMap",
        "IntegerSetAttr" => "_ods_ir.IntegerSet",
        "TypeAttr" => "_ods_ir.Type",
        "BoolAttr" | "I1Attr" => "bool",
        "DictionaryAttr" => "dict",
        "F32Attr" | "F64Attr" => "float",
        "I8Attr" | "I16Attr" | "I32Attr" | "I64Attr" | "IndexAttr" | "SI1Attr" | "SI8Attr" | "SI16Attr"
        | "SI32Attr" | "SI64Attr" | "UI1Attr" | "UI8Attr" | "UI16Attr" | "UI32Attr" | "UI64Attr" => "int",
        "FlatSymbolRefAttr" | "StrAttr" | "SymbolNameAttr" | "SymbolRefAttr" => "str",
        _ => "_Any",
    };
    format!("_Union[{value}, _ods_ir.{class}]")
}

/// Returns the Python class of an attribute, by its C++ storage type.
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
        _ if attribute.named().definition().record_name() == "I1Attr" => "BoolAttr",
        Some("DictionaryAttr") => "DictAttr",
        Some("DenseElementsAttr") if attribute.holds_floats() => "DenseFPElementsAttr",
        Some(class) if CLASSES.contains(&class) => class,
        _ => "Attribute",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let cases =
            [("in", "in_"), ("2x.y-z", "_2x_y_z"), ("_ods_x", "_ods_x_"), ("match", "match"), ("é", "__")];
        for (name, expected) in cases {
            assert_eq!(identifier(name, &Rules::default()), expected);
        }
    }
}
