//! Random inputs as the libraries of other releases read them.
//!
//! Inputs are written with the names of 22. What a library calls otherwise is renamed, and what it does not have but can
//! express is defined at the beginning; [`random_ods`](crate::random_ods) leaves out the rest.

use std::path::Path;

use odsmith_engine::release::changes::Change;

use crate::set_up;

/// Names since 21, and what was written before.
const RENAMED: &[(&str, &str)] = &[
    ("BitEnum", "BitEnumAttr"),
    ("BitEnumCase", "BitEnumAttrCase"),
    ("BitEnumCaseBit", "BitEnumAttrCaseBit"),
    ("BitEnumCaseNone", "BitEnumAttrCaseNone"),
    ("Enum", "EnumAttr"),
    ("EnumCase", "EnumAttrCase"),
];

/// The width of a group follows from its cases since 21.
const GROUP: (&str, &str) = ("BitEnumCaseGroup", "I32BitEnumAttrCaseGroup");

/// Classes of 21, in terms of older ones.
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

/// A random input without what the library of the release does not have that inputs are compared for.
#[must_use]
pub fn random_text(text: String) -> String {
    const UNTIL_22: &str = "let usePropertiesForAttributes = 0;";
    let rules = set_up::fuzzed_release().rules();
    if rules.has(Change::AttributesAreProperties) {
        return text.replace(UNTIL_22, "");
    }
    match rules.has(Change::PropertiesInFormats) {
        true => text,
        false => with_definitions(&with_old_names(&text)),
    }
}

/// The same with names that releases before 21 know, where the release is one of these.
#[must_use]
pub fn old_names(text: &str) -> String {
    match set_up::fuzzed_release().rules().has(Change::PropertiesInFormats) {
        true => text.to_owned(),
        false => with_old_names(text),
    }
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
    if name == GROUP.0 {
        return GROUP.1.to_owned();
    }
    // `I32BitEnum`, `I64EnumCase`
    let stem = name.trim_start_matches('I').trim_start_matches(|c: char| c.is_ascii_digit());
    let renamed = RENAMED.iter().find(|(new, _)| *new == stem && stem.len() < name.len());
    renamed.map_or(name.to_owned(), |(_, old)| [&name[..name.len() - stem.len()], old].concat())
}

/// The text with the definitions of what it uses, after what it includes.
fn with_definitions(text: &str) -> String {
    let mut start = 0;
    let mut head = String::new();
    for line in text.split_inclusive('\n') {
        let Some(path) = line.strip_prefix("include \"").and_then(|rest| rest.split('"').next()) else {
            break;
        };
        start += line.len();
        // Some files were in another folder, or not there.
        let name = path.rsplit('/').next().unwrap_or(path);
        let places = [path.to_owned(), format!("mlir/IR/{name}")];
        let place = places.iter().find(|place| Path::new(set_up::library()).join(place).exists());
        head += &place.map_or_else(String::new, |place| format!("include \"{place}\"\n"));
    }
    let uses_properties = text.contains("Prop") && !text.starts_with("include \"mlir/IR/BytecodeBase.td\"");
    let definitions = if uses_properties { PROPERTIES } else { "" };
    [&head, definitions, &text[start..]].concat()
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
