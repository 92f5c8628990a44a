//! Traits: class `Trait`.

use super::{Interface, Predicate, SideEffect, cpp_name, definition::defs};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Val, name},
};

/// The kind of a trait.
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

/// C++ snippets of an interface; empty where it has none.
#[derive(Clone, Copy, Debug)]
pub struct InterfaceSnippets<'r> {
    /// C++ that verifies an operation, an attribute or a type with the interface.
    pub verify: &'r str,
    /// Declarations for the interface's own class.
    pub class_declaration: &'r str,
    /// Declarations for the interface's class and for each class with the interface.
    pub shared_declaration: &'r str,
}

/// One trait of an operation, attribute or type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trait<'r> {
    rec: Rec<'r>,
    kind: TraitKind,
    name: &'r str,
}

impl<'r> Trait<'r> {
    /// Wraps a record of class `Trait` that is not a list; an unknown kind counts as native.
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

    identity!();

    checks! {
        check_class: string "trait";
        check_class_namespace: string "cppNamespace";
    }

    /// Checks that the trait has a name; a predicate needs none.
    ///
    /// # Errors
    /// The name is unset.
    pub fn check_name(self) -> Result<(), Diagnostic> {
        match self.kind {
            TraitKind::Predicate => Ok(()),
            _ => self.check_class(),
        }
    }

    /// Checks that the trait has a namespace, if its C++ name has one.
    ///
    /// # Errors
    /// The namespace is unset.
    pub fn check_namespace(self) -> Result<(), Diagnostic> {
        match self.kind {
            TraitKind::Native | TraitKind::Interface => self.check_class_namespace(),
            TraitKind::Predicate | TraitKind::Internal => Ok(()),
        }
    }

    /// Checks that the trait's list of effects, if it is for one, is set.
    ///
    /// # Errors
    /// The list, or the class of its effects, is missing or unset.
    pub fn check_effect_list(self) -> Result<(), Diagnostic> {
        if self.is_side_effects() {
            self.rec.string(name!("baseEffectName"))?;
            self.rec.defs(name!("effects"))?;
        }
        Ok(())
    }

    /// Checks the effects that documents list, if there are any.
    ///
    /// # Errors
    /// The list of effects, or a text of one, is missing or unset.
    pub fn check_documented_effects(self) -> Result<(), Diagnostic> {
        if self.has_documented_effects() {
            self.check_effect_list()?;
            self.effects().into_iter().try_for_each(SideEffect::check_texts)?;
        }
        Ok(())
    }

    /// Returns whether documents list the trait's effects: those of an interface.
    #[must_use]
    pub fn has_documented_effects(self) -> bool {
        self.is_side_effects() && self.kind == TraitKind::Interface
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.rec
    }

    reads! {
        self;
        /// Returns whether its verifier checks only structure and runs first.
        is_structural: class name!("StructuralOpTrait");
        /// Returns whether the trait has parameters in C++, which a list of traits does not show.
        is_parametric: class name!("ParamNativeTrait");
        /// Returns the C++ namespace.
        cpp_namespace: text name!("cppNamespace");
        /// Returns the summary of a predicate.
        summary: text name!("summary");
        /// Returns whether it is an effects interface with fixed effects (`SideEffectsTraitBase`).
        is_side_effects: class name!("SideEffectsTraitBase");
        /// Returns the C++ base class of its effects.
        base_effect: text name!("baseEffectName");
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(self) -> TraitKind {
        self.kind
    }

    fn text(self, field: impl Name) -> &'r str {
        self.rec.optional_string(field).unwrap_or_default()
    }

    /// Returns the C++ name inside its namespace: `IsTerminator`, `HasParent<…>::Impl`, `CallOpInterface::Trait`.
    #[must_use]
    pub fn trait_name(self) -> &'r str {
        self.name
    }

    /// Returns the C++ name with its namespace; empty for a predicate.
    #[must_use]
    pub fn qualified_name(self) -> String {
        match self.kind {
            TraitKind::Predicate => String::new(),
            TraitKind::Internal => self.trait_name().to_owned(),
            TraitKind::Native | TraitKind::Interface => {
                cpp_name::qualified(self.cpp_namespace(), self.trait_name())
            }
        }
    }

    /// Returns whether this is the qualified C++ name of the trait.
    #[must_use]
    pub fn is_named(self, qualified_name: &str) -> bool {
        match self.kind {
            TraitKind::Predicate => qualified_name.is_empty(),
            TraitKind::Internal => self.name == qualified_name,
            TraitKind::Native | TraitKind::Interface => {
                let rest = qualified_name.strip_suffix(self.name);
                rest.is_some_and(|rest| match self.cpp_namespace() {
                    "" => rest.is_empty(),
                    namespace => rest.strip_suffix("::") == Some(namespace),
                })
            }
        }
    }

    /// Returns the displayed name: the record's or, for an anonymous record, the C++ name without `::Impl` or
    /// `::Trait`.
    #[must_use]
    pub fn display_name(self) -> &'r str {
        if !self.rec.is_anonymous() {
            return self.rec.name();
        }
        let name = self.trait_name();
        name.strip_suffix("::Trait").or_else(|| name.strip_suffix("::Impl")).unwrap_or(name)
    }

    /// Returns the traits that must come before it.
    pub fn dependent_traits(self) -> impl Iterator<Item = Trait<'r>> {
        defs(self.rec, name!("dependentTraits")).map(Trait::new)
    }

    /// Returns the interface, if the trait is one and does not only name one.
    #[must_use]
    pub fn interface(self) -> Option<Interface<'r>> {
        self.rec.is_subclass_of(name!("Interface")).then(|| Interface::new(self.rec))
    }

    /// Returns the interface that the trait is or names.
    #[must_use]
    pub fn named_interface(self) -> Option<Interface<'r>> {
        (self.kind == TraitKind::Interface).then(|| Interface::new(self.rec))
    }

    /// Returns the traits in a list of traits; empty for anything else.
    pub fn members(self) -> impl Iterator<Item = Trait<'r>> {
        let list = self.interface().is_none().then(|| defs(self.rec, name!("traits")));
        list.into_iter().flatten().map(Trait::new)
    }

    /// Returns these traits and all that they imply, each once: a list and then its members, an interface after its
    /// bases.
    #[must_use]
    pub fn closed(traits: impl IntoIterator<Item = Trait<'r>>) -> Vec<Trait<'r>> {
        fn visit<'r>(t: Trait<'r>, found: &mut Vec<Trait<'r>>) {
            if found.contains(&t) {
                return;
            }
            let bases = t.interface().into_iter().flat_map(Interface::base_interfaces);
            bases.for_each(|base| visit(base.as_trait(), found));
            found.push(t);
            t.members().for_each(|member| visit(member, found));
        }
        let mut found = Vec::new();
        traits.into_iter().for_each(|t| visit(t, &mut found));
        found
    }

    /// Returns the C++ names between the angle brackets of `HasParent<…>` and the like, if this is the trait of that
    /// name.
    #[must_use]
    pub fn parameters(self, name: &str) -> Option<impl Iterator<Item = &'r str> + use<'r>> {
        let rest = self.name.strip_prefix(name)?.strip_prefix('<')?;
        let inside = rest.rsplit_once('>').map_or(rest, |(inside, _)| inside);
        Some(inside.split(',').map(str::trim))
    }

    /// Returns the condition of a predicate.
    #[must_use]
    pub fn predicate(self) -> Option<Predicate<'r>> {
        Predicate::new(self.rec.optional_def(name!("predicate"))?).ok()
    }

    /// Returns the names of operands and results whose types must be equal (`AllTypesMatch`).
    #[must_use]
    pub fn matching_types(self) -> Option<Vec<&'r str>> {
        let values =
            self.rec.is_subclass_of(name!("AllTypesMatch")).then(|| self.rec.get(name!("values")))?;
        Some(values?.as_list()?.filter_map(Val::as_str).collect())
    }

    /// Returns its fixed effects.
    #[must_use]
    pub fn effects(self) -> Vec<SideEffect<'r>> {
        defs(self.rec, name!("effects")).map(SideEffect::new).collect()
    }

    /// Returns C++ for the body of a class with the trait.
    #[must_use]
    pub fn extra_declaration(self) -> &'r str {
        self.extra_code(name!("extraConcreteClassDeclaration"))
    }

    /// Returns C++ for a class with the trait. Interfaces have the field too, but add nothing.
    fn extra_code(self, field: impl Name) -> &'r str {
        if self.kind == TraitKind::Interface { "" } else { self.text(field) }
    }

    /// Returns the C++ snippets of an interface.
    #[must_use]
    pub fn snippets(self) -> InterfaceSnippets<'r> {
        InterfaceSnippets {
            verify: self.text("verify"),
            class_declaration: self.text(name!("extraClassDeclaration")),
            shared_declaration: self.text("extraSharedClassDeclaration"),
        }
    }

    /// Checks that the C++ that the trait adds to a class, if any, is text.
    ///
    /// # Errors
    /// A field is not a text.
    pub fn check_extra_code(self) -> Result<(), Diagnostic> {
        if !matches!(self.kind, TraitKind::Native | TraitKind::Internal) {
            return Ok(());
        }
        let texts = [name!("extraConcreteClassDeclaration"), name!("extraConcreteClassDefinition")];
        let mut fields = texts.into_iter().filter(|&field| self.rec.get(field).is_some());
        fields.try_for_each(|field| self.rec.string(field).map(drop))
    }

    /// Checks the fields that a verifier is generated from, if the trait is a predicate.
    ///
    /// # Errors
    /// The condition or the summary is unset.
    pub fn check_predicate(self) -> Result<(), Diagnostic> {
        if self.kind == TraitKind::Predicate {
            Predicate::new(self.rec.def(name!("predicate"))?)?;
            self.rec.string(name!("summary"))?;
        }
        Ok(())
    }

    /// Returns C++ for the source file of a class with the trait.
    #[must_use]
    pub fn extra_definition(self) -> &'r str {
        self.extra_code(name!("extraConcreteClassDefinition"))
    }
}
