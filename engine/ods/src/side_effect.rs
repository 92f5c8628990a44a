//! Side effects: class `SideEffect`, on a trait or as a decorator of an operand or result.

use super::{Argument, Operation, argument::Decoration, cpp_name};
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// One effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideEffect<'r>(Rec<'r>);

impl<'r> SideEffect<'r> {
    /// Wraps a record of class `SideEffect`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        SideEffect(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the effect's C++ class: `::mlir::MemoryEffects::Read`.
        effect: text name!("effect");
        /// Returns the C++ base class of such effects: `::mlir::MemoryEffects::Effect`.
        base_effect: text name!("baseEffectName");
        /// Returns the interface's trait: `MemoryEffectOpInterface::Trait`.
        interface_trait: text name!("interfaceTrait");
        /// Returns the C++ namespace of the interface.
        cpp_namespace: text name!("cppNamespace");
        /// Returns the resource that it acts on: `::mlir::SideEffects::DefaultResource`.
        resource: text name!("resource");
        /// Returns whether the effect applies to the whole resource.
        is_on_full_region: bit name!("effectOnFullRegion");
    }

    /// Checks the fields that name its interface.
    ///
    /// # Errors
    /// A text is missing or unset.
    fn check_interface(self) -> Result<(), Diagnostic> {
        self.0.string(name!("interfaceTrait"))?;
        self.0.string(name!("cppNamespace"))?;
        self.0.string(name!("baseEffectName")).map(drop)
    }

    /// Checks that its texts are set.
    ///
    /// # Errors
    /// A text is missing or unset.
    pub fn check_texts(self) -> Result<(), Diagnostic> {
        self.0.string(name!("effect"))?;
        self.0.string(name!("resource")).map(drop)
    }

    /// Checks the fields that describe it: its texts and, in releases that read them, its stage and extent.
    ///
    /// # Errors
    /// A field is missing, unset or of another type.
    pub fn check(self) -> Result<(), Diagnostic> {
        self.check_texts()?;
        if self.0.records().rules().has(Change::EffectStages) {
            self.0.int(name!("stage"))?;
            self.0.bit(name!("effectOnFullRegion"))?;
        }
        Ok(())
    }

    /// Returns the interface's trait with its namespace.
    #[must_use]
    pub fn interface(self) -> String {
        cpp_name::qualified(self.cpp_namespace(), self.interface_trait())
    }

    /// Returns its position in the order of effects.
    #[must_use]
    pub fn stage(self) -> i64 {
        self.0.get(name!("stage")).and_then(odsmith_tablegen::record::Val::as_int).unwrap_or_default()
    }
}

/// The target of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectTarget {
    /// The operation as a whole.
    Operation,
    /// An operand, by its index.
    Operand(usize),
    /// A symbol that an attribute names, by the attribute's index.
    Attribute(usize),
    /// A result, by its index.
    Result(usize),
}

/// The effects that an operation has through one interface.
#[derive(Clone, Debug)]
pub struct Effects<'r> {
    /// The C++ base class of the effects.
    pub base: &'r str,
    /// The effects and their targets: the operation, then the arguments in their order, then the results.
    pub on: Vec<(EffectTarget, SideEffect<'r>)>,
}

impl Effects<'_> {
    /// Returns whether these are effects on memory.
    #[must_use]
    pub fn is_on_memory(&self) -> bool {
        self.base == "::mlir::MemoryEffects::Effect"
    }
}

impl<'r> Operation<'r> {
    /// Checks the fields that group the effects by interface, in the order in which [`Operation::effects`] reads them.
    /// The effects themselves are checked later, group by group.
    ///
    /// # Errors
    /// A list is unset, or a field of an effect is missing, unset or of another type.
    pub fn check_effect_groups(&self) -> Result<(), Diagnostic> {
        self.traits().iter().try_for_each(|one| one.check_effect_list())?;
        for (_, decoration) in self.decorations_with_effects() {
            decoration.check_decorators()?;
            decoration.effects().into_iter().try_for_each(SideEffect::check_interface)?;
        }
        Ok(())
    }

    /// Returns all effects that the definition fixes; an interface may have none.
    #[must_use]
    pub fn effects(&self) -> Vec<Effects<'r>> {
        let mut groups: Vec<Effects<'r>> = Vec::new();
        for t in self.traits().iter().filter(|t| t.is_side_effects()) {
            let effects = t.effects().into_iter().map(|effect| (EffectTarget::Operation, effect));
            group(&mut groups, t.base_effect()).on.extend(effects);
        }
        for (target, decoration) in self.decorations_with_effects() {
            for effect in decoration.effects() {
                group(&mut groups, effect.base_effect()).on.push((target, effect));
            }
        }
        groups
    }

    /// Returns the traits of the interfaces that effects on operands, symbols and results add. A trait that lists effects
    /// is itself the trait of its interface.
    pub fn effect_interfaces(&self) -> impl Iterator<Item = String> {
        let effects = self.decorations_with_effects().flat_map(|(_, decoration)| decoration.effects());
        effects.map(SideEffect::interface)
    }

    /// Iterates over the decorations that may list effects: those of operands and symbols, then those of results.
    fn decorations_with_effects(&self) -> impl Iterator<Item = (EffectTarget, Decoration<'r>)> {
        let of_arguments = self.arguments().iter().filter_map(|argument| match *argument {
            Argument::Operand(index) => {
                Some((EffectTarget::Operand(index), self.operands()[index].decoration))
            }
            Argument::Attribute(index) => {
                let named = &self.attributes()[index];
                let is_symbol = named.attribute.is_symbol_reference();
                is_symbol.then_some((EffectTarget::Attribute(index), named.decoration))
            }
            Argument::Property(_) => None,
        });
        let results = self.results().iter().enumerate();
        of_arguments.chain(results.map(|(index, result)| (EffectTarget::Result(index), result.decoration)))
    }
}

/// Returns the group of effects with this base class; creates it if necessary.
fn group<'g, 'r>(groups: &'g mut Vec<Effects<'r>>, base: &'r str) -> &'g mut Effects<'r> {
    let known = groups.iter().position(|group| group.base == base);
    let index = known.unwrap_or_else(|| {
        groups.push(Effects { base, on: Vec::new() });
        groups.len() - 1
    });
    &mut groups[index]
}
