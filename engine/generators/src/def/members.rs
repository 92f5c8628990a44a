//! Builders and accessors of an attribute's or type's class, as plain data.

use super::{builders, class};
use crate::{
    cpp::{Class, Method},
    signatures::{Function, Members},
};
use odsmith_ods::AttrOrTypeDef;

/// Returns the members of the class: see [`crate::members::of_def`].
pub(crate) fn members(def: &AttrOrTypeDef<'_>) -> Option<Members> {
    let mut all = Class::new(def.cpp_class_name());
    if !def.parameters().is_empty() {
        builders::add(def, &mut all).ok()?;
    }
    let mut custom = Class::new(def.cpp_class_name());
    for builder in def.builders() {
        builders::add_custom("get", builder, def, &mut custom).ok()?;
    }
    let is_custom =
        |method: &Method<'_>| custom.methods().any(|custom| custom.parameters == method.parameters);
    let builders = all
        .methods()
        .filter(|method| method.name == "get")
        .map(|method| Function::of(method, is_custom(method)));
    // Custom builders come first, as for operations.
    let (mut custom_ones, default_ones): (Vec<Function>, Vec<Function>) =
        builders.partition(|function| function.is_custom);
    custom_ones.extend(default_ones);
    let mut accessors = Class::new(def.cpp_class_name());
    if def.has_accessors() {
        def.parameters().iter().for_each(|parameter| class::add_accessor(def, parameter, &mut accessors));
    }
    let accessors = accessors.methods().map(|method| Function::of(method, false)).collect();
    Some(Members { builders: custom_ones, accessors })
}
