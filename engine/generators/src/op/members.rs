//! Builders and accessors of an operation's class, as plain data.

use odsmith_tablegen::diagnostic::Diagnostic;

use super::{accessors, attributes, builders, info::OpInfo, properties};
use crate::{
    cpp::{Class, Method},
    signatures::{Function, Members},
};
use odsmith_ods::Operation;

/// Returns the members of the class: see [`crate::members::of_operation`].
pub(crate) fn members(op: &Operation<'_>) -> Option<Members> {
    let mut op = OpInfo::new(op);
    op.read_format(last).ok()?;
    Some(Members { builders: builders_of(&op), accessors: accessors_of(&op) })
}

/// Returns the functions that users can call: see [`crate::members::callable`].
pub(crate) fn callable(op: &Operation<'_>) -> Option<Members> {
    let mut op = OpInfo::new(op);
    op.read_format(last).ok()?;
    let mut all = Class::new(op.class);
    builders::add_builders(&op, &mut all);
    let builders = all.methods().filter(|method| method.name == "build");
    let builders = builders.map(|method| Function::of(method, false)).collect();
    Some(Members { builders, accessors: accessors_of(&op) })
}

/// Returns the last mistake of a format as an error.
fn last(mut mistakes: Vec<Diagnostic>) -> Result<(), Diagnostic> {
    mistakes.pop().map_or(Ok(()), Err)
}

/// Returns each builder once: as the `create` that takes a builder and a location.
fn builders_of(op: &OpInfo<'_>) -> Vec<Function> {
    let mut custom = Class::new(op.class);
    builders::add_custom_builders(op, &mut custom);
    let custom: Vec<&Method<'_>> = custom.methods().filter(|method| is_shown(method)).collect();
    let mut all = Class::new(op.class);
    builders::add_builders(op, &mut all);
    let is_custom = |method: &Method<'_>| custom.iter().any(|custom| custom.parameters == method.parameters);
    let mut functions: Vec<Function> = all
        .methods()
        .filter(|method| is_shown(method))
        .map(|method| Function::of(method, is_custom(method)))
        .collect();
    for function in &mut functions {
        // The attribute is on `build`, but callers of `create` get the warning as well.
        let deprecated = op.op.builders().iter().filter(|_| function.is_custom).find_map(|builder| {
            let types = builder.parameters.iter().map(|parameter| parameter.cpp_type.trim());
            let own = function.parameters.iter().skip(2).map(|parameter| parameter.cpp_type.as_str());
            types.eq(own).then(|| builder.deprecated()).flatten()
        });
        function.deprecated = deprecated.map(str::to_owned);
    }
    functions
}

fn is_shown(method: &Method<'_>) -> bool {
    let first = method.parameters.first();
    method.name == "create" && first.is_some_and(|first| first.cpp_type == "::mlir::OpBuilder &")
}

/// Returns getters and setters of everything that has a name. Functions that find groups of operands are internal to
/// the class.
fn accessors_of(op: &OpInfo<'_>) -> Vec<Function> {
    let mut class = Class::new(op.class);
    accessors::add_operands(op, &mut class);
    accessors::add_results(op, &mut class);
    accessors::add_regions(op, &mut class);
    accessors::add_successors(op, &mut class);
    properties::add_getters(op, &mut class);
    properties::add_setters(op, &mut class);
    attributes::add_accessors(op, &mut class);
    let is_own = |name: &str| name.starts_with("getODS") || name == "materializeDerivedAttributes";
    let methods =
        class.methods().filter(|method| !is_own(&method.name) && !method.specifiers.contains("static"));
    methods.map(|method| Function::of(method, false)).collect()
}
