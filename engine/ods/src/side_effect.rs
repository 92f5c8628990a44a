//! Side effects: class `SideEffect`, on a trait or as a decorator of an operand or result.

use super::{Argument, Operation, cpp_name};
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

    /// Checks that its texts are set.
    ///
    /// # Errors
    /// A text is unset.
    pub fn check(self) -> Result<(), Diagnostic> {
        self.0.string(name!("effect"))?;
        self.0.string(name!("resource")).map(drop)
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
    /// The interface's trait, with its namespace.
    pub interface: String,
    /// The effects and their targets: the operation, then the arguments in their order, then the results.
    pub on: Vec<(EffectTarget, SideEffect<'r>)>,
}

impl<'r> Effects<'r> {
    /// Adds an effect. The first one gives the interface, because the author chooses the trait that lists effects.
    fn add(&mut self, target: EffectTarget, effect: SideEffect<'r>) {
        if self.on.is_empty() {
            self.interface = effect.interface();
        }
        self.on.push((target, effect));
    }
}

impl Effects<'_> {
    /// Returns whether these are effects on memory.
    #[must_use]
    pub fn is_on_memory(&self) -> bool {
        self.base == "::mlir::MemoryEffects::Effect"
    }
}

impl<'r> Operation<'r> {
    /// Returns all effects that the definition fixes; an interface may have none.
    #[must_use]
    pub fn effects(&self) -> Vec<Effects<'r>> {
        let mut groups: Vec<Effects<'r>> = Vec::new();
        for t in self.traits().iter().filter(|t| t.is_side_effects()) {
            let effects = t.effects().into_iter().map(|effect| (EffectTarget::Operation, effect));
            let group = group(&mut groups, t.base_effect(), || t.qualified_name());
            effects.for_each(|(target, effect)| group.add(target, effect));
        }
        let mut add = |target: EffectTarget, effects: Vec<SideEffect<'r>>| {
            for effect in effects {
                group(&mut groups, effect.base_effect(), || effect.interface()).add(target, effect);
            }
        };
        for argument in self.arguments() {
            match *argument {
                Argument::Operand(index) => {
                    add(EffectTarget::Operand(index), self.operands()[index].decoration.effects());
                }
                Argument::Attribute(index) => {
                    let named = &self.attributes()[index];
                    if named.attribute.is_symbol_reference() {
                        add(EffectTarget::Attribute(index), named.decoration.effects());
                    }
                }
                Argument::Property(_) => {}
            }
        }
        for (index, result) in self.results().iter().enumerate() {
            add(EffectTarget::Result(index), result.decoration.effects());
        }
        groups
    }
}

/// Returns the group of effects with this base class; creates it if necessary.
fn group<'g, 'r>(
    groups: &'g mut Vec<Effects<'r>>,
    base: &'r str,
    interface: impl FnOnce() -> String,
) -> &'g mut Effects<'r> {
    let known = groups.iter().position(|group| group.base == base);
    let index = known.unwrap_or_else(|| {
        groups.push(Effects { base, interface: interface(), on: Vec::new() });
        groups.len() - 1
    });
    &mut groups[index]
}
