//! The storage class: the key, its comparison and hash, construction in a context, a field for each parameter.

use super::{Kind, verifier};
use crate::cpp::{Class, Method, Writer, join, substitute};
use odsmith_ods::{AttrOrTypeDef, DefKind, Parameter};
use odsmith_release::{Change, Rules, spellings};

/// Returns the storage class; nothing if none is generated.
pub(super) fn class<'d>(def: &'d AttrOrTypeDef<'_>) -> Option<Class<'d>> {
    if def.parameters().is_empty() || !def.has_storage_class() {
        return None;
    }
    let mut class = Class::structure(def.storage_class());
    class.indents_every_line = true;
    class.bases.push(format!("public ::mlir::{}Storage", Kind::of(def).class));
    let types = join(def.parameters().iter().map(|parameter| parameter.cpp_type()), ", ");
    class.text(format!("using KeyTy = std::tuple<{types}>;"));
    class.method(constructor(def));
    if def.rules().has(Change::StorageKeys) {
        class.method(key(def));
    }
    class.method(comparison(def));
    class.method(hash(def));
    class.method(construction(def));
    let rules = def.rules();
    for parameter in def.parameters().iter().filter(|parameter| !is_in_base(parameter, rules)) {
        class.text(format!("{} {};", parameter.cpp_type(), parameter.name));
    }
    Some(class)
}

/// Returns the initializer of the base class, if the base class holds the type of an attribute.
pub(super) fn base_initializer(def: &AttrOrTypeDef<'_>, rules: &Rules) -> Option<String> {
    if def.kind() != DefKind::Attribute || rules.has(Change::SelfTypesAsParameters) {
        return None;
    }
    let in_base = def.parameters().iter().find(|parameter| is_in_base(parameter, rules));
    let ty = match (in_base, def.type_builder()) {
        (Some(parameter), _) => parameter.name.to_owned(),
        (None, Some(builder)) => {
            let names: Vec<_> =
                def.parameters().iter().map(|it| (format!("_{}", it.name), it.name)).collect();
            let names: Vec<_> = names.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            substitute(builder, &names).to_string()
        }
        (None, None) => String::new(),
    };
    Some(format!("::mlir::AttributeStorage({ty})"))
}

/// Returns whether the base class of storages holds a parameter: the type of an attribute.
pub(super) fn is_in_base(parameter: &Parameter<'_>, rules: &Rules) -> bool {
    parameter.is_self_type() && !rules.has(Change::SelfTypesAsParameters)
}

fn names<'d>(def: &'d AttrOrTypeDef<'_>) -> impl Iterator<Item = &'d str> + Clone {
    def.parameters().iter().map(|parameter| parameter.name)
}

/// Returns C++ that passes a value on: it is moved or copied.
fn moved(def: &AttrOrTypeDef<'_>, value: &str) -> String {
    match def.rules().has(Change::MovedParameters) {
        true => format!("std::move({value})"),
        false => value.to_owned(),
    }
}

/// Returns the key's elements with their parameters.
pub(super) fn elements<'d, 'r>(
    def: &'d AttrOrTypeDef<'r>,
) -> impl Iterator<Item = (String, &'d Parameter<'r>)> + Clone {
    let parameters = def.parameters().iter().enumerate();
    parameters.map(|(index, parameter)| (format!("std::get<{index}>(tblgenKey)"), parameter))
}

fn constructor<'d>(def: &'d AttrOrTypeDef<'_>) -> Method<'d> {
    let mut method = Method::constructor(def.storage_class()).parameters(verifier::parameters(def));
    let rules = def.rules();
    let is_own = |it: &&Parameter<'_>| def.kind() == DefKind::Type || !is_in_base(it, rules);
    let own = def.parameters().iter().filter(is_own);
    let base = base_initializer(def, rules);
    let own = own.map(|it| format!("{}({})", it.name, moved(def, it.name)));
    method.initializers = join(base.into_iter().chain(own), ", ").to_string().into();
    method.inline(|_| {})
}

fn key<'d>(def: &'d AttrOrTypeDef<'_>) -> Method<'d> {
    Method::new("KeyTy", "getAsKey")
        .constant()
        .inline(|w| w.line(format_args!("return KeyTy({});", join(names(def), ", "))))
}

fn comparison<'d>(def: &'d AttrOrTypeDef<'_>) -> Method<'d> {
    let rules = def.rules();
    let method = Method::new("bool", "operator==").parameter("const KeyTy &", "tblgenKey").constant();
    method.inline(|w| {
        let equal = elements(def)
            .map(|(element, parameter)| format!("({})", comparison_of(parameter, &element, rules)));
        w.line(format_args!("return {};", join(equal, " && ")));
    })
}

/// Returns the condition that a parameter equals its element of a key.
pub(super) fn comparison_of(parameter: &Parameter<'_>, element: &str, rules: &Rules) -> String {
    let own = if is_in_base(parameter, rules) { "getType()" } else { parameter.name };
    substitute(parameter.comparator(), &[("_lhs", own), ("_rhs", element)]).to_string()
}

fn hash<'d>(def: &'d AttrOrTypeDef<'_>) -> Method<'d> {
    let method =
        Method::new("::llvm::hash_code", "hashKey").as_static().parameter("const KeyTy &", "tblgenKey");
    method.inline(|w| {
        let elements = elements(def).map(|(element, _)| element);
        w.line(format_args!("return ::llvm::hash_combine({});", join(elements, ", ")));
    })
}

fn construction<'d>(def: &'d AttrOrTypeDef<'_>) -> Method<'d> {
    let storage = def.storage_class();
    let method = Method::new(format!("{storage} *"), "construct")
        .as_static()
        .parameter(format!("::mlir::{}StorageAllocator &", Kind::of(def).class), "allocator")
        .parameter(spellings::storage_key.of(def.rules()), "tblgenKey");
    if def.has_custom_storage_constructor() {
        return match def.rules().has(Change::ConstructionDeclared) {
            true => method,
            false => method.inline(|_| {}),
        };
    }
    method.inline(move |w| {
        for (element, parameter) in elements(def) {
            w.line(format_args!("auto {} = {};", parameter.name, moved(def, &element)));
        }
        for parameter in def.parameters() {
            emit_allocation(parameter, w);
        }
        let arguments = join(names(def).map(|name| moved(def, name)), ", ");
        w.line(format_args!("return new (allocator.allocate<{storage}>()) {storage}({arguments});"));
    })
}

/// Writes code that copies the data that a parameter refers to into the context.
pub(super) fn emit_allocation(parameter: &Parameter<'_>, w: &mut Writer) {
    if let Some(allocator) = parameter.allocator() {
        let name = parameter.name;
        w.line(substitute(allocator, &[("_self", name), ("_dst", name), ("_allocator", "allocator")]));
    }
}
