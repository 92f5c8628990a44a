//! Names of symbols that do not depend on the file and line of their definitions, so that two documents can be
//! compared.
//!
//! | id | symbol |
//! | --- | --- |
//! | `func.func` | an operation |
//! | `llvm!ptr` | a type |
//! | `llvm#linkage` | an attribute |
//! | `dialect:func` | a dialect |
//! | `enum:arith::FastMathFlags` | an enum |
//! | `interface:mlir::CallOpInterface` | an interface |
//! | `pass:canonicalize` | a pass |
//! | `pattern:AddTwice` | a pattern; an anonymous one goes by its root |

use super::{
    defs::{AttrOrType, Dialect, Enum, Interface, Pass},
    op::Operation,
    pattern::Pattern,
};

/// Returns a C++ name with its namespace, without the leading `::`.
fn qualified(namespace: &str, class: &str) -> String {
    let namespace = namespace.trim_start_matches("::");
    if namespace.is_empty() { class.to_owned() } else { format!("{namespace}::{class}") }
}

impl Dialect {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        format!("dialect:{}", self.name)
    }
}

impl Operation {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        self.name.clone()
    }
}

impl AttrOrType {
    /// Returns the name of a type, which does not depend on its file.
    #[must_use]
    pub fn type_id(&self) -> String {
        format!("{}!{}", self.dialect, self.mnemonic.as_ref().unwrap_or(&self.cpp_class))
    }

    /// Returns the name of an attribute, which does not depend on its file.
    #[must_use]
    pub fn attribute_id(&self) -> String {
        format!("{}#{}", self.dialect, self.mnemonic.as_ref().unwrap_or(&self.cpp_class))
    }
}

impl Enum {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        format!("enum:{}", qualified(&self.cpp_namespace, &self.cpp_class))
    }
}

impl Interface {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        format!("interface:{}", qualified(&self.cpp_namespace, &self.cpp_class))
    }
}

impl Pass {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        format!("pass:{}", self.argument)
    }
}

impl Pattern {
    /// Returns the name of the symbol, which does not depend on its file.
    #[must_use]
    pub fn id(&self) -> String {
        format!("pattern:{}", self.definition.record.as_ref().unwrap_or(&self.root))
    }
}
