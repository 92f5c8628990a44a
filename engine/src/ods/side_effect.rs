//! Side effects: class `SideEffect`, on a trait or as a decorator of an operand or result.

use crate::record::{Name, Rec, name};

/// One effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideEffect<'r>(Rec<'r>);

impl<'r> SideEffect<'r> {
    /// The view of a record of class `SideEffect`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        SideEffect(rec)
    }

    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default()
    }

    /// The effect's C++ class: `::mlir::MemoryEffects::Read`.
    #[must_use]
    pub fn effect(self) -> &'r str {
        self.text(name!("effect"))
    }

    /// The C++ base class of such effects: `::mlir::MemoryEffects::Effect`.
    #[must_use]
    pub fn base_effect(self) -> &'r str {
        self.text(name!("baseEffectName"))
    }

    /// The interface's trait: `MemoryEffectOpInterface::Trait`.
    #[must_use]
    pub fn interface_trait(self) -> &'r str {
        self.text(name!("interfaceTrait"))
    }

    /// The C++ namespace of the interface.
    #[must_use]
    pub fn cpp_namespace(self) -> &'r str {
        self.text(name!("cppNamespace"))
    }

    /// What it acts on: `::mlir::SideEffects::DefaultResource`.
    #[must_use]
    pub fn resource(self) -> &'r str {
        self.text(name!("resource"))
    }

    /// Its place in the order of effects.
    #[must_use]
    pub fn stage(self) -> i64 {
        self.0.get(name!("stage")).and_then(crate::record::Val::as_int).unwrap_or_default()
    }

    /// Whether it acts on the whole of the resource.
    #[must_use]
    pub fn is_on_full_region(self) -> bool {
        self.0.is_set(name!("effectOnFullRegion"))
    }
}
