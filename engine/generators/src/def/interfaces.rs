//! Parts of a class that follow from its traits: base classes, the users' code of a trait, and the methods of
//! interfaces that the class declares.

use crate::cpp::{Class, Method, Parameter, join};
use odsmith_ods::{AttrOrTypeDef, Interface, TraitKind, cpp_name};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

/// Returns the C++ classes of all traits, each once. The bases of an interface come before it.
pub(super) fn trait_names(def: &AttrOrTypeDef<'_>) -> Result<Vec<String>, Diagnostic> {
    let rules = def.rules();
    let mut names = Vec::new();
    let mut add = |name: String| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    for t in def.traits() {
        if t.kind() == TraitKind::Interface {
            let bases = t.named_interface().map_or(Ok(Vec::new()), Interface::all_bases)?.into_iter();
            bases.for_each(|base| add(trait_of(base)));
            t.check_class()?;
            t.check_class_namespace()?;
            add(t.qualified_name());
        } else if t.kind() == TraitKind::Predicate && rules.has(Change::PredicateTraits) {
            // A predicate is a condition, not a class.
        } else {
            t.check_class()?;
            t.check_class_namespace()?;
            add(cpp_name::qualified(t.cpp_namespace(), t.trait_name()));
        }
    }
    if def.has_mnemonic_alias() {
        add(format!("::mlir::OpAsm{}Interface::Trait", super::Kind::of(def).short));
    }
    Ok(names)
}

fn trait_of(interface: Interface<'_>) -> String {
    interface.as_trait().qualified_name()
}

/// Returns the interfaces whose methods the class declares.
fn declared<'r>(def: &AttrOrTypeDef<'r>) -> Vec<Interface<'r>> {
    let interfaces = def.traits().iter().filter_map(|t| t.named_interface());
    interfaces.filter(|interface| interface.declares_methods()).collect()
}

/// Checks the fields that method declarations are generated from.
pub(super) fn check(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    for interface in declared(def) {
        interface.check_overridden_methods()?;
        interface.check_signatures()?;
        interface.methods().into_iter().try_for_each(|method| method.check())?;
    }
    Ok(())
}

/// Adds `using` declarations for the default implementations that the class keeps.
pub(super) fn add_usings(def: &AttrOrTypeDef<'_>, class: &mut Class<'_>) {
    for interface in declared(def) {
        let overridden = interface.always_overridden_methods();
        for method in interface.methods() {
            let is_default = method.body().is_none() && method.default_body().is_some();
            if is_default && !overridden.contains(&method.name()) {
                let base = trait_of(interface);
                class.text(format!("using {base}<{}>::{};", def.cpp_class_name(), method.name()));
            }
        }
    }
}

/// Returns the declarations of these methods as lines, as the first release writes them.
pub(super) fn declared_methods(def: &AttrOrTypeDef<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for interface in declared(def) {
        let overridden = interface.always_overridden_methods();
        for method in interface.methods() {
            let has_default = method.default_body().is_some() && !overridden.contains(&method.name());
            if method.body().is_some() || has_default {
                continue;
            }
            let parameters = method.parameters().into_iter().map(|(ty, name)| format!("{ty} {name}"));
            let parameters = join(parameters, ", ").to_string();
            let (ty, name) = (method.return_type(), method.name());
            let (before, after) = if method.is_static() { ("static ", "") } else { ("", " const") };
            lines.push(format!("{before}{ty} {name}({parameters}){after};"));
        }
    }
    lines
}

/// Returns whether the class declares any of these methods.
pub(super) fn declares_methods(def: &AttrOrTypeDef<'_>) -> bool {
    !declared_methods(def).is_empty()
}

/// Declares the methods that are written in C++.
pub(super) fn add_methods<'d>(def: &'d AttrOrTypeDef<'_>, class: &mut Class<'d>) {
    for interface in declared(def) {
        let overridden = interface.always_overridden_methods();
        for method in interface.methods() {
            let has_default = method.default_body().is_some() && !overridden.contains(&method.name());
            if method.body().is_some() || has_default {
                continue;
            }
            let parameters = method.parameters().into_iter().map(|(ty, name)| Parameter::new(ty, name));
            let declaration = Method::new(method.return_type(), method.name()).parameters(parameters);
            class.method(if method.is_static() { declaration.as_static() } else { declaration.constant() });
        }
    }
}
