//! C++ of MLIR that releases dropped or renamed, with the replacement: definitions hold such C++ in predicates and bodies.

use super::is_or_follows;

/// A change of MLIR's C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CppMigration {
    /// Its name: `UC01`.
    pub id: &'static str,
    /// The first release whose headers are known not to have the old form.
    pub since: u8,
    /// The old form, for messages.
    pub old: &'static str,
    /// The new form.
    pub new: &'static str,
    /// The old form, for readers of C++.
    pub form: CppForm,
}

/// The form of old C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CppForm {
    /// A method with a template argument that became a function: `x.isa<T>()`.
    Method(&'static str),
    /// A class, and its new name.
    Class(&'static str, &'static str),
}

impl CppMigration {
    /// Returns true if a release does not have the old form.
    #[must_use]
    pub fn is_in(&self, release: u8) -> bool {
        is_or_follows(release, self.since)
    }
}

impl CppForm {
    /// Returns the word that each use has.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CppForm::Method(name) | CppForm::Class(name, _) => name,
        }
    }
}

/// The table. A test compiles the methods against the headers of 22.
pub const MIGRATIONS: &[CppMigration] = &[
    method("UC01", "isa", "x.isa<T>()", "::llvm::isa<T>(x)"),
    method("UC02", "cast", "x.cast<T>()", "::llvm::cast<T>(x)"),
    method("UC03", "dyn_cast", "x.dyn_cast<T>()", "::llvm::dyn_cast<T>(x)"),
    method("UC04", "dyn_cast_or_null", "x.dyn_cast_or_null<T>()", "::llvm::dyn_cast_or_null<T>(x)"),
    CppMigration {
        id: "UC05",
        since: 23,
        old: "OpaqueProperties",
        new: "PropertyRef",
        form: CppForm::Class("OpaqueProperties", "PropertyRef"),
    },
];

const fn method(id: &'static str, name: &'static str, old: &'static str, new: &'static str) -> CppMigration {
    CppMigration { id, since: 22, old, new, form: CppForm::Method(name) }
}
