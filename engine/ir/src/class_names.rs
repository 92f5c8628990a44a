//! The C++ classes of dialects' types and attributes, by which conditions name them.

use odsmith_conditions::classes::qualify;
use odsmith_ods::{DefKind, Definition, Dialect};
use odsmith_tablegen::record::Records;
use rustc_hash::FxHashMap;

/// C++ classes by the name in the text: `async.token`.
#[derive(Clone, Debug, Default)]
pub struct ClassNames {
    types: FxHashMap<String, String>,
    attributes: FxHashMap<String, String>,
}

impl ClassNames {
    /// Collects the classes of these records. A name with two classes has none.
    #[must_use]
    pub fn new<'r>(all: impl IntoIterator<Item = &'r Records>) -> Self {
        let mut names = ClassNames::default();
        for records in all {
            for kind in DefKind::ALL {
                let known = match kind {
                    DefKind::Type => &mut names.types,
                    DefKind::Attribute => &mut names.attributes,
                };
                for definition in records.derived(kind.class()).map(Definition::new) {
                    let Some(dialect) = definition.dialect() else { continue };
                    if definition.mnemonic().is_none() {
                        continue;
                    }
                    let class = class_of(definition, dialect);
                    let entry = known.entry(definition.name()).or_insert_with(|| class.clone());
                    if *entry != class {
                        entry.clear();
                    }
                }
            }
        }
        names
    }

    /// Returns the class of a type, named without `!`.
    #[must_use]
    pub fn of_type(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str)
    }

    /// Returns the class of an attribute, named without `#`.
    #[must_use]
    pub fn of_attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

fn class_of(definition: Definition<'_>, dialect: Dialect<'_>) -> String {
    qualify(dialect.cpp_namespace(), definition.cpp_class_name())
}
