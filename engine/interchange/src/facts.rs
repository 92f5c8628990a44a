//! Data of a project's definitions beyond those of ODS: requirements, and short values of fields of the project's own.
//!
//! ```text
//! let availability = [MinVersion<V_1_3>, Capability<[Shader]>];   // MinVersion: V_1_3 · Capability: Shader
//! let opcode = 128;                                               // opcode: 128
//! [NVVMRequiresSM<90>]                                            // NVVMRequiresSM: 90
//! ```

use std::collections::BTreeSet;

use odsmith_ods::{Availability, Operation};
use odsmith_tablegen::record::{Rec, Val, View};

/// A fact about a definition, which the project states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// The field, or the class of the requirement.
    pub name: String,
    /// The values, each once.
    pub values: Vec<String>,
}

/// The classes of ODS, whose fields have a meaning of their own.
const OWN_CLASSES: &[&str] = &[
    "Op",
    "AttrDef",
    "TypeDef",
    "Dialect",
    "Interface",
    "EnumInfo",
    "EnumAttrInfo",
    "BitEnumBase",
    "BitEnumAttrBase",
    "PassBase",
    "Constraint",
    "Attr",
    "Property",
    "Trait",
];

/// Maximum length of a text: longer ones are code rather than facts.
const MOST_LETTERS: usize = 60;
/// Maximum length of a list: longer ones are hard to read at a glance.
const MOST_VALUES: usize = 40;

/// Returns the facts about a definition.
#[must_use]
pub fn of(rec: Rec<'_>) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for requirement in Availability::list(rec).unwrap_or_default() {
        let (preparation, instance) = (requirement.preparation(), requirement.instance());
        let code = format!("{} {}", preparation.unwrap_or_default(), instance.unwrap_or_default());
        add(&mut facts, requirement.class, enumerators(&code));
    }
    if let Some(op) = Operation::lenient(rec) {
        for name in op.traits().iter().map(|it| it.display_name()) {
            if let Some((class, numbers)) = numbered(name) {
                add(&mut facts, class, numbers);
            }
        }
    }
    let own: Vec<Rec<'_>> = rec.superclasses().filter(|class| OWN_CLASSES.contains(&class.name())).collect();
    let is_added = |name: &str| own.iter().all(|class| class.field(name).is_none());
    for (name, value) in rec.fields().filter(|(name, _)| is_added(name)) {
        let mut values = Vec::new();
        if is_short(value, &mut values) && !values.is_empty() && values.len() <= MOST_VALUES {
            add(&mut facts, name, values);
        }
    }
    facts
}

fn add(facts: &mut Vec<Fact>, name: &str, values: Vec<String>) {
    if values.is_empty() {
        return;
    }
    let at = facts.iter().position(|fact| fact.name == name).unwrap_or_else(|| {
        facts.push(Fact { name: name.to_owned(), values: Vec::new() });
        facts.len() - 1
    });
    for value in values {
        if !facts[at].values.contains(&value) {
            facts[at].values.push(value);
        }
    }
}

/// Returns the enumerators in C++: the last parts of `::mlir::spirv::Version::V_1_3`, whose class begins with a capital
/// letter.
fn enumerators(code: &str) -> Vec<String> {
    let names = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let mut seen = BTreeSet::new();
    let found = names.filter_map(|name| {
        let (class, case) = name.rsplit_once("::")?;
        let class = class.rsplit("::").next()?;
        (class.starts_with(char::is_uppercase) && !case.is_empty()).then(|| case.to_owned())
    });
    found.filter(|case| seen.insert(case.clone())).collect()
}

/// Returns the name and the numbers of `NVVMRequiresSMa<90,100>`.
fn numbered(name: &str) -> Option<(&str, Vec<String>)> {
    let (class, numbers) = name.strip_suffix('>')?.split_once('<')?;
    let numbers: Vec<&str> = numbers.split(',').map(str::trim).collect();
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let class = class.rsplit("::").next()?;
    (numbers.iter().all(is_number)).then(|| (class, numbers.into_iter().map(str::to_owned).collect()))
}

/// Adds the short forms of a value; returns whether it has such a form.
fn is_short(value: Val<'_>, out: &mut Vec<String>) -> bool {
    match value.view() {
        View::Unset | View::Bit(false) => true,
        View::Bit(true) => {
            out.push("yes".to_owned());
            true
        }
        View::Int(number) => {
            out.push(number.to_string());
            true
        }
        View::String(text) => {
            let text = text.trim();
            let is_code = text.len() > MOST_LETTERS || text.contains(['\n', ';', '{', '$']);
            if !text.is_empty() && !is_code {
                out.push(text.to_owned());
            }
            !is_code
        }
        View::Def(def) if !def.is_anonymous() => {
            out.push(def.name().to_owned());
            true
        }
        View::List(items) => {
            for item in items {
                // Nested lists and values made for one position give too little information.
                if matches!(item.view(), View::List(_)) || !is_short(item, out) {
                    return false;
                }
            }
            true
        }
        View::Bits(_) | View::Def(_) | View::Dag(_) | View::Symbolic => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerators_are_told_from_types() {
        let code = "static const ::mlir::spirv::Extension exts[] = {::mlir::spirv::Extension::SPV_A, \
                    ::mlir::spirv::Extension::SPV_B}; ArrayRef<::mlir::spirv::Extension> ref(exts, std::size(exts)); \
                    static_cast<uint32_t>(::mlir::spirv::Version::V_1_3)";
        assert_eq!(enumerators(code), ["SPV_A", "SPV_B", "V_1_3"]);
    }

    #[test]
    fn traits_with_numbers_are_requirements() {
        let numbers = |name| numbered(name).map(|(class, numbers)| format!("{class} {}", numbers.join("/")));
        assert_eq!(numbers("NVVM::RequiresSMa<90, 100>").as_deref(), Some("RequiresSMa 90/100"));
        assert_eq!(numbers("AtLeastNOperands<T>::Impl"), None);
        assert_eq!(numbers("Pure"), None);
    }
}
