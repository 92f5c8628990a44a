//! Random inputs rewritten for the libraries of other releases.
//!
//! Inputs are written with the names of 22. Classes that a library names differently are renamed, and classes that it
//! lacks but can express are defined at the beginning; [`random_ods`](crate::random_ods) leaves out the rest.

use std::{collections::BTreeSet, fs, path::Path, sync::OnceLock};

use odsmith_engine::release::{Release, changes::Change};

use crate::set_up;

/// Names since 21, and their earlier spellings.
const RENAMED: &[(&str, &str)] = &[
    ("BitEnum", "BitEnumAttr"),
    ("BitEnumCase", "BitEnumAttrCase"),
    ("BitEnumCaseBit", "BitEnumAttrCaseBit"),
    ("BitEnumCaseNone", "BitEnumAttrCaseNone"),
    ("Enum", "EnumAttr"),
    ("EnumCase", "EnumAttrCase"),
];

/// Since 21 the width of a group follows from its cases.
const GROUP: (&str, &str) = ("BitEnumCaseGroup", "I32BitEnumAttrCaseGroup");

/// Names that came after 13, and their earlier spellings. Names in [`RENAMED`] are looked up by the earlier spelling.
const RENAMED_EARLIER: &[(&str, &str)] = &[
    ("ConfinedAttr", "Confined"),
    ("Pure", "NoSideEffect"),
    ("NoMemoryEffect", "NoSideEffect"),
    ("RecursiveMemoryEffects", "RecursiveSideEffects"),
    ("TraitList", "OpTraitList"),
    ("I32BitEnumAttr", "BitEnumAttr"),
    ("I32BitEnumAttrCase", "BitEnumAttrCase"),
    ("I32BitEnumAttrCaseBit", "BitEnumAttrCaseBit"),
    ("I32BitEnumAttrCaseNone", "BitEnumAttrCaseNone"),
    ("I32BitEnumAttrCaseGroup", "BitEnumAttrCaseGroup"),
    ("InterfacePass", "Pass"),
];

/// Definitions of later names by earlier ones.
const EARLIER: &[(&str, &str)] = &[
    (
        "ConfinedType",
        "class ConfinedType<Type t, list<Pred> p, string s = \"\"> : Type<And<!listconcat([t.predicate], p)>, s, t.cppClassName>;\n",
    ),
    (
        "BitEnumAttrCaseBit",
        "class BitEnumAttrCaseBit<string s, int b, string t = s> : BitEnumAttrCase<s, !shl(1, b), t>;\n",
    ),
    (
        "BitEnumAttrCaseNone",
        "class BitEnumAttrCaseNone<string s, string t = s> : BitEnumAttrCase<s, 0, t>;\n",
    ),
];

/// Names of the library that inputs use and that some release since 13 lacks.
const NEWER: &[&str] = &[
    "APIntParameter",
    "AllOfType",
    "AlwaysSpeculatable",
    "AnyAttrOf",
    "AnySignlessIntegerOrIndex",
    "BitEnumAttrCaseGroup",
    "ConditionallySpeculatable",
    "ConfinedAttr",
    "ConfinedType",
    "ConstantEnumCase",
    "ConstantStrAttr",
    "DefaultValuedEnumAttr",
    "DefaultValuedOptionalAttr",
    "DefaultValuedOptionalStrAttr",
    "DefaultValuedParameter",
    "DefaultValuedStrAttr",
    "DenseArraySorted",
    "DenseBoolArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "DeprecatedOpBuilder",
    "EnumAttr",
    "EnumParameter",
    "FullEffect",
    "FunctionOpInterface",
    "I32BitEnumAttr",
    "I32BitEnumAttrCaseBit",
    "I64BitEnumAttr",
    "I8BitEnumAttr",
    "I16BitEnumAttr",
    "I32BitEnumAttrCaseGroup",
    "I64SmallVectorArrayAttr",
    "InferIntRangeInterface",
    "InferShapedTypeOpAdaptor",
    "InferTypeOpAdaptor",
    "InferTypeOpAdaptorWithIsCompatible",
    "MaxSizedRegion",
    "MemReadAt",
    "MinSizedRegion",
    "MutableType",
    "NativeAttrTrait",
    "NativeTypeTrait",
    "NoMemoryEffect",
    "OpAsmAttrInterface",
    "OpAsmTypeInterface",
    "OpDocGroup",
    "OptionalArrayRefParameter",
    "OptionalParameter",
    "OptionalTypesMatchWith",
    "ParamNativeAttrTrait",
    "ParamNativeTypeTrait",
    "PredTypeTrait",
    "Pure",
    "RecursiveMemoryEffects",
    "RecursivelySpeculatable",
    "SameOperandsAndResultRank",
    "StructuralOpTrait",
    "TraitList",
    "TypeAttrOf",
    "VariadicOfVariadic",
];

/// Classes of 21, defined by older ones.
const PROPERTIES: &str = r#"class IntProp<string t, string d = ""> : IntProperty<t, d>;
class LikeProp<Property p, string t = p.storageType, string i = p.interfaceType> : Property<t, p.summary> {
  let interfaceType = i;
}
class ArrayProp<Property p, string d = ""> : Property<"::llvm::SmallVector<" # p.storageType # ">", d> {
  let interfaceType = "::llvm::ArrayRef<" # p.storageType # ">";
  let assignToStorage = "$_storage.assign($_value.begin(), $_value.end())";
}
class IntArrayProp<Property p, string d = ""> : ArrayProp<p, d>;
class OptionalProp<Property p, bit canDelegate = 1>
    : LikeProp<p, "std::optional<" # p.storageType # ">", "std::optional<" # p.interfaceType # ">"> {
  let defaultValue = "std::nullopt";
}
class DefaultValuedProp<Property p, string v, string s = ""> : LikeProp<p> { let defaultValue = v; }
class ConfinedProp<Property p, Pred c, string d = ""> : LikeProp<p>;
class ConstantProp<Property p, string v> : LikeProp<p> { let defaultValue = v; }
class EnumProp<EnumAttrInfo e> : Property<e.cppNamespace # "::" # e.className, e.summary>;
class NamedEnumPropWithAttrForm<EnumAttrInfo e, string n, Attr a> : EnumProp<e>;
def I32Prop : IntProp<"int32_t">;
def I64Prop : IntProp<"int64_t">;
def I64Property : IntProp<"int64_t">;
def BoolProp : IntProp<"bool">;
def UnitProp : Property<"bool", "unit"> { let defaultValue = "false"; }
def StringProp : Property<"std::string"> {
  let interfaceType = "::llvm::StringRef";
  let assignToStorage = "$_storage = $_value.str()";
}
"#;

/// A random input, rewritten for the release that random inputs are compared for.
#[must_use]
pub fn random_text(text: String) -> String {
    const PROPERTIES_IN_USE: &str = "let usePropertiesForAttributes = 0;";
    let rules = set_up::fuzzed_release().rules();
    let has_choice = rules.has(Change::Properties) && !rules.has(Change::AttributesAreProperties);
    let text = if has_choice { text } else { text.replace(PROPERTIES_IN_USE, "") };
    match is_newest() {
        true => text,
        false => with_definitions(&with_old_names(&text)),
    }
}

/// The input with the names of releases before 21, if it is for one of these.
#[must_use]
pub fn old_names(text: &str) -> String {
    match is_newest() {
        true => text.to_owned(),
        false => with_old_names(text),
    }
}

/// Returns true if inputs are for a release that has the names that they are written with.
#[must_use]
pub fn is_newest() -> bool {
    set_up::fuzzed_release().rules().has(Change::PropertiesInFormats)
}

/// Returns true if patterns may name arguments after `either`; earlier tools read past the arguments for these.
#[must_use]
pub fn names_after_either() -> bool {
    set_up::fuzzed_release() >= Release::V17
}

/// Returns true if the tool ends on every name; earlier ones loop forever on some names with two indices.
#[must_use]
pub fn all_names_end() -> bool {
    set_up::fuzzed_release() >= Release::V17
}

/// Returns true if traits may infer types from names that the operation lacks; earlier tools read past the arguments
/// for these, crash, or write arbitrary text.
#[must_use]
pub fn infers_from_anything() -> bool {
    set_up::fuzzed_release() >= Release::V21
}

/// Returns true if the tool finds the source of an inferred type; earlier ones sometimes read past the end of a list.
#[must_use]
pub fn finds_sources_of_types() -> bool {
    set_up::fuzzed_release() >= Release::V22
}

/// Returns true if parameters of types and attributes may be unnamed; earlier tools crash.
#[must_use]
pub fn takes_unnamed_parameters() -> bool {
    set_up::fuzzed_release() >= Release::V15
}

/// Returns true if the library has properties.
#[must_use]
pub fn has_properties() -> bool {
    set_up::fuzzed_release().rules().has(Change::Properties)
}

/// Returns true if attributes may be dictionaries with known keys.
#[must_use]
pub fn has_struct_attributes() -> bool {
    !is_newest() && words_of_library().contains("StructFieldAttr")
}

/// Returns true if the library has every name in this part of an input.
#[must_use]
pub fn is_readable(part: &str) -> bool {
    static MISSING: OnceLock<BTreeSet<&str>> = OnceLock::new();
    let is_missing = |name: &str| {
        let renamed = old_name(name);
        let is_own = EARLIER.iter().any(|(own, _)| *own == renamed);
        !is_own && !words_of_library().contains(&renamed)
    };
    let missing = || NEWER.iter().copied().filter(|name| is_missing(name)).collect();
    is_newest() || {
        let missing = MISSING.get_or_init(missing);
        let words = part.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.into_iter().all(|word| !missing.contains(word))
    }
}

/// Returns true if the library may have a field of this name.
#[must_use]
pub fn is_field(name: &str) -> bool {
    is_newest() || words_of_library().contains(name)
}

/// All words of the library's basic files.
fn words_of_library() -> &'static BTreeSet<String> {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = BTreeSet::new();
        for folder in ["mlir/IR", "mlir/Interfaces", "mlir/Pass"] {
            let files = fs::read_dir(Path::new(set_up::library()).join(folder));
            let files = files.into_iter().flatten().filter_map(|file| Some(file.ok()?.path()));
            for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "td")) {
                let text = fs::read_to_string(file).unwrap_or_default();
                let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                let code = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
                words.extend(code.map(str::to_owned));
            }
        }
        words
    })
}

fn with_old_names(text: &str) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        renamed += &rest[..start];
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        renamed += &old_name(&rest[..end]);
        rest = &rest[end..];
    }
    renamed + rest
}

fn old_name(name: &str) -> String {
    let name = name_before_21(name);
    let earlier = RENAMED_EARLIER.iter().find(|(new, _)| *new == name);
    match earlier.filter(|_| !words_of_library().contains(&name)) {
        Some((_, earlier)) => (*earlier).to_owned(),
        None => name,
    }
}

fn name_before_21(name: &str) -> String {
    if name == GROUP.0 {
        return GROUP.1.to_owned();
    }
    // `I32BitEnum`, `I64EnumCase`
    let stem = name.trim_start_matches('I').trim_start_matches(|c: char| c.is_ascii_digit());
    let renamed = RENAMED.iter().find(|(new, _)| *new == stem && stem.len() < name.len());
    renamed.map_or(name.to_owned(), |(_, old)| [&name[..name.len() - stem.len()], old].concat())
}

/// The text with the definitions that it needs, after its includes.
fn with_definitions(text: &str) -> String {
    let mut start = 0;
    let mut head = String::new();
    for line in text.split_inclusive('\n') {
        let Some(path) = line.strip_prefix("include \"").and_then(|rest| rest.split('"').next()) else {
            break;
        };
        start += line.len();
        // Some files were in another folder, or did not exist.
        let name = path.rsplit('/').next().unwrap_or(path);
        let places = [path.to_owned(), format!("mlir/IR/{name}")];
        let place = places.iter().find(|place| Path::new(set_up::library()).join(place).exists());
        head += &place.map_or_else(String::new, |place| format!("include \"{place}\"\n"));
    }
    let uses_properties = text.contains("Prop") && !text.starts_with("include \"mlir/IR/BytecodeBase.td\"");
    let mut definitions = String::new();
    if uses_properties && has_properties() {
        definitions += PROPERTIES;
    }
    for (name, definition) in EARLIER {
        if text.contains(name) && !words_of_library().contains(*name) {
            definitions += definition;
        }
    }
    let rest = &text[start..];
    // Traits of operations had a class of their own.
    let rest = match words_of_library().contains("OpTraitList") {
        true => rest.replace("list<Trait>", "list<OpTrait>"),
        false => rest.to_owned(),
    };
    [head, definitions, rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_enums() {
        let text =
            "def E : I32BitEnum<\"E\", \"\", [I32BitEnumCaseBit<\"A\", 0>]>; I64Enum I64EnumCase BitEnum";
        let old = "def E : I32BitEnumAttr<\"E\", \"\", [I32BitEnumAttrCaseBit<\"A\", 0>]>; I64EnumAttr I64EnumAttrCase BitEnum";
        assert_eq!(with_old_names(text), old);
    }
}
