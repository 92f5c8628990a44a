//! Side effects: `getEffects` for each effects interface with fixed effects. In this order: effects of the operation,
//! then those on operands and attributes, then those on results.

use super::info::OpInfo;
use crate::{
    cpp::{Class, Method, Template, Writer},
    generators::string_map::in_map_order,
    ods::{Argument, SideEffect, cpp_name},
};

/// What an effect is on.
#[derive(Clone, Copy)]
enum Target<'a> {
    Operation,
    Operand(usize),
    /// A symbol, which may be missing.
    Attribute(&'a str, bool),
    Result(usize),
}

/// The effects of one interface.
struct Group<'a> {
    /// The C++ base class of the effects.
    base: &'a str,
    /// The interface's trait.
    interface: String,
    effects: Vec<(Target<'a>, SideEffect<'a>)>,
}

pub(super) fn add_effects<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for Group { base, effects, .. } in in_order_of_methods(collect(op)) {
        class.method(method(base).defined(move |w| {
            effects.iter().for_each(|(target, effect)| emit(*target, *effect, w));
        }));
    }
}

/// The methods, without what they do.
pub(super) fn methods<'a>(op: &'a OpInfo<'a>) -> impl Iterator<Item = Method<'a>> {
    in_order_of_methods(collect(op)).into_iter().map(|group| method(group.base))
}

/// The methods are in the order of a hash map of the base classes.
fn in_order_of_methods(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    if groups.len() > 1 {
        let order = in_map_order(groups.iter().map(|group| group.base));
        groups.sort_by_key(|group| order.iter().position(|base| *base == group.base));
    }
    groups
}

fn method<'a>(base: &str) -> Method<'a> {
    let parameter = format!("::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<{base}>> &");
    Method::new("void", "getEffects").parameter(parameter, "effects")
}

/// The traits of the interfaces.
pub(super) fn interfaces(op: &OpInfo<'_>) -> impl Iterator<Item = String> {
    collect(op).into_iter().map(|group| group.interface)
}

fn collect<'a>(op: &'a OpInfo<'a>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for t in op.op.traits().iter().filter(|t| t.is_side_effects()) {
        let effects = t.effects().into_iter().map(|effect| (Target::Operation, effect));
        match groups.iter_mut().find(|group| group.base == t.base_effect()) {
            Some(group) => group.effects.extend(effects),
            None => groups.push(Group {
                base: t.base_effect(),
                interface: t.qualified_name(),
                effects: effects.collect(),
            }),
        }
    }
    let mut add = |target: Target<'a>, effects: Vec<SideEffect<'a>>| {
        for effect in effects {
            match groups.iter_mut().find(|group| group.base == effect.base_effect()) {
                Some(group) => group.effects.push((target, effect)),
                None => groups.push(Group {
                    base: effect.base_effect(),
                    interface: cpp_name::qualified(effect.cpp_namespace(), effect.interface_trait()),
                    effects: vec![(target, effect)],
                }),
            }
        }
    };
    for argument in op.op.arguments() {
        match argument {
            Argument::Operand(index) => {
                add(Target::Operand(*index), op.op.operands()[*index].decoration.effects());
            }
            Argument::Attribute(index) => {
                let named = &op.op.attributes()[*index];
                if named.attribute.is_symbol_reference() {
                    let target = Target::Attribute(named.name, named.attribute.is_optional());
                    add(target, named.decoration.effects());
                }
            }
            Argument::Property(_) => {}
        }
    }
    for (index, result) in op.op.results().iter().enumerate() {
        add(Target::Result(index), result.decoration.effects());
    }
    groups
}

fn emit(target: Target<'_>, effect: SideEffect<'_>, w: &mut Writer) {
    let values = (effect.stage(), effect.is_on_full_region());
    let (stage, full, resource) = (values.0, values.1, effect.resource());
    let effect = effect.effect();
    match target {
        Target::Operation => {
            w.line(format_args!("effects.emplace_back({effect}::get(), {stage}, {full}, {resource}::get());"))
        }
        Target::Operand(index) => w.fill(
            ON_VALUE,
            &[
                ("kind", &"Operand"),
                ("value", &"&getOperation()->getOpOperand(idx)"),
                ("index", &index),
                ("effect", &effect),
                ("stage", &stage),
                ("full", &full),
                ("resource", &resource),
            ],
        ),
        Target::Result(index) => w.fill(
            ON_VALUE,
            &[
                ("kind", &"Result"),
                ("value", &"getOperation()->getOpResult(idx)"),
                ("index", &index),
                ("effect", &effect),
                ("stage", &stage),
                ("full", &full),
                ("resource", &resource),
            ],
        ),
        Target::Attribute(name, is_optional) => {
            let getter = cpp_name::getter(name);
            let emplace = |symbol: &str| {
                format!(
                    "effects.emplace_back({effect}::get(), {symbol}, {stage}, {full}, {resource}::get());"
                )
            };
            if is_optional {
                w.line(format_args!("if (auto symbolRef = {getter}Attr())"));
                w.line(format_args!("  {}", emplace("symbolRef")));
            } else {
                w.line(emplace(&format!("{getter}Attr()")));
            }
        }
    }
}

const ON_VALUE: Template = Template(
    r#"
{
  auto valueRange = getODS@{kind}IndexAndLength(@index);
  for (unsigned idx = valueRange.first; idx < valueRange.first + valueRange.second; idx++) {
    effects.emplace_back(@effect::get(), @value, @stage, @full, @resource::get());
  }
}
"#,
);
