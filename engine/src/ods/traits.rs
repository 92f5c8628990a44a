//! Traits: class `Trait`.

use super::{Predicate, SideEffect, cpp_name};
use crate::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
};

/// What stands behind a trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraitKind {
    /// A C++ trait class (`NativeTrait`).
    Native,
    /// A predicate that is checked by the generated verifier (`PredTrait`).
    Predicate,
    /// Known to the generators alone (`GenInternalTrait`).
    Internal,
    /// An interface (`InterfaceTrait`).
    Interface,
}

/// One trait of an operation, attribute or type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trait<'r> {
    rec: Rec<'r>,
    kind: TraitKind,
    name: &'r str,
}

impl<'r> Trait<'r> {
    /// The view of a record of class `Trait` that is not a list; one of no known kind counts as native.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        let kind = if rec.is_subclass_of(name!("PredTrait")) {
            TraitKind::Predicate
        } else if rec.is_subclass_of(name!("GenInternalTrait")) {
            TraitKind::Internal
        } else if rec.is_subclass_of(name!("InterfaceTrait")) {
            TraitKind::Interface
        } else {
            TraitKind::Native
        };
        Trait { rec, kind, name: rec.optional_string(name!("trait")).unwrap_or_default() }
    }

    /// The same, with the fields checked that its accessors read.
    ///
    /// # Errors
    /// A field is missing or has no value.
    pub fn checked(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let t = Trait::new(rec);
        if t.kind != TraitKind::Predicate {
            rec.string(name!("trait"))?;
        }
        if t.is_side_effects() {
            for effect in rec.defs(name!("effects"))? {
                effect.string(name!("effect"))?;
                effect.string(name!("resource"))?;
            }
        }
        Ok(t)
    }

    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.rec
    }

    /// What stands behind it.
    #[must_use]
    pub fn kind(self) -> TraitKind {
        self.kind
    }

    fn text(self, field: impl Name) -> &'r str {
        self.rec.optional_string(field).unwrap_or_default()
    }

    /// The C++ name inside its namespace: `IsTerminator`, `HasParent<…>::Impl`, `CallOpInterface::Trait`.
    #[must_use]
    pub fn trait_name(self) -> &'r str {
        self.name
    }

    /// The C++ name with its namespace; empty for a predicate.
    #[must_use]
    pub fn qualified_name(self) -> String {
        match self.kind {
            TraitKind::Predicate => String::new(),
            TraitKind::Internal => self.trait_name().to_owned(),
            TraitKind::Native | TraitKind::Interface => {
                cpp_name::qualified(self.text(name!("cppNamespace")), self.trait_name())
            }
        }
    }

    /// Whether this is its C++ name with the namespace.
    #[must_use]
    pub fn is_named(self, qualified_name: &str) -> bool {
        match self.kind {
            TraitKind::Predicate => qualified_name.is_empty(),
            TraitKind::Internal => self.name == qualified_name,
            TraitKind::Native | TraitKind::Interface => {
                let rest = qualified_name.strip_suffix(self.name);
                rest.is_some_and(|rest| match self.text(name!("cppNamespace")) {
                    "" => rest.is_empty(),
                    namespace => rest.strip_suffix("::") == Some(namespace),
                })
            }
        }
    }

    /// The name that people use: the record's, or of an anonymous one the C++ name without `::Impl` or `::Trait`.
    #[must_use]
    pub fn display_name(self) -> &'r str {
        if !self.rec.is_anonymous() {
            return self.rec.name();
        }
        let name = self.trait_name();
        name.strip_suffix("::Trait").or_else(|| name.strip_suffix("::Impl")).unwrap_or(name)
    }

    /// Whether its verifier looks at structure only and runs first.
    #[must_use]
    pub fn is_structural(self) -> bool {
        self.rec.is_subclass_of(name!("StructuralOpTrait"))
    }

    /// Traits that must come before it.
    #[must_use]
    pub fn dependent_traits(self) -> Vec<Rec<'r>> {
        let list = self.rec.get(name!("dependentTraits")).and_then(Val::as_list);
        list.into_iter().flatten().filter_map(Val::as_def).collect()
    }

    /// The summary of a predicate.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.text(name!("summary"))
    }

    /// The condition of a predicate.
    #[must_use]
    pub fn predicate(self) -> Option<Predicate<'r>> {
        Predicate::new(self.rec.get(name!("predicate")).and_then(Val::as_def)?).ok()
    }

    /// Whether it is an effects interface with fixed effects (`SideEffectsTraitBase`).
    #[must_use]
    pub fn is_side_effects(self) -> bool {
        self.rec.is_subclass_of(name!("SideEffectsTraitBase"))
    }

    /// The C++ base class of its effects.
    #[must_use]
    pub fn base_effect(self) -> &'r str {
        self.text(name!("baseEffectName"))
    }

    /// Its fixed effects.
    #[must_use]
    pub fn effects(self) -> Vec<SideEffect<'r>> {
        let list = self.rec.get(name!("effects")).and_then(Val::as_list);
        list.into_iter().flatten().filter_map(|effect| effect.as_def().map(SideEffect::new)).collect()
    }

    /// C++ for the body of the class that has it.
    #[must_use]
    pub fn extra_declaration(self) -> &'r str {
        self.text(name!("extraConcreteClassDeclaration"))
    }

    /// C++ for the source file of the class that has it.
    #[must_use]
    pub fn extra_definition(self) -> &'r str {
        self.text(name!("extraConcreteClassDefinition"))
    }
}
