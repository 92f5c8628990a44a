//! Side effects: `getEffects` for each effects interface with fixed effects. In this order: effects of the operation,
//! then those on operands and attributes, then those on results.

use std::fmt::Display;

use super::info::OpInfo;
use crate::{
    cpp::{Class, Method, Template, Writer},
    string_map::in_map_order,
};
use odsmith_ods::{EffectTarget, Effects, NamedAttribute, Operation, SideEffect};
use odsmith_release::{Change, Rules, spellings};

pub(super) fn add_effects<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for Effects { base, on, .. } in in_order_of_methods(op.rules(), op.op.effects()) {
        class.method(method(op.rules(), base).defined(move |w| {
            on.iter().for_each(|(target, effect)| emit(op.op, *target, *effect, w));
        }));
    }
}

/// Returns the methods, without their bodies, and the effects that each reports.
pub(super) fn methods<'a>(op: &'a OpInfo<'a>) -> impl Iterator<Item = (Method<'a>, Effects<'a>)> {
    let groups = in_order_of_methods(op.rules(), op.op.effects()).into_iter();
    groups.map(|effects| (method(op.rules(), effects.base), effects))
}

/// Sorts the methods as the reference does: in the order of a hash map of the base classes.
fn in_order_of_methods<'e>(rules: &Rules, mut groups: Vec<Effects<'e>>) -> Vec<Effects<'e>> {
    if groups.len() > 1 {
        let order = in_map_order(rules, groups.iter().map(|group| group.base));
        groups.sort_by_key(|group| order.iter().position(|base| *base == group.base));
    }
    groups
}

fn method<'a>(rules: &Rules, base: &str) -> Method<'a> {
    let list = spellings::SmallVector.of(rules);
    let parameter = format!("{list}Impl<::mlir::SideEffects::EffectInstance<{base}>> &");
    Method::new("void", "getEffects").parameter(parameter, "effects")
}

fn emit(op: &Operation<'_>, target: EffectTarget, effect: SideEffect<'_>, w: &mut Writer) {
    let resource = effect.resource();
    let details = match w.rules().has(Change::EffectStages) {
        true => format!("{}, {}, ", effect.stage(), effect.is_on_full_region()),
        false => String::new(),
    };
    let effect = effect.effect();
    match target {
        EffectTarget::Operation => {
            w.line(format_args!("effects.emplace_back({effect}::get(), {details}{resource}::get());"));
        }
        EffectTarget::Operand(index) => {
            let value = "&getOperation()->getOpOperand(idx)";
            emit_on_value("Operand", value, index, effect, &format!("{details}{resource}"), w);
        }
        EffectTarget::Result(index) => {
            let value = "getOperation()->getOpResult(idx)";
            emit_on_value("Result", value, index, effect, &format!("{details}{resource}"), w);
        }
        EffectTarget::Attribute(index) => {
            let NamedAttribute { name, attribute, .. } = op.attributes()[index];
            let getter = op.getter(name);
            let emplace = |symbol: &str| {
                format!("effects.emplace_back({effect}::get(), {symbol}, {details}{resource}::get());")
            };
            if attribute.is_optional() {
                w.line(format_args!("if (auto symbolRef = {getter}Attr())"));
                w.line(format_args!("  {}", emplace("symbolRef")));
            } else {
                let raw = spellings::raw_getter.of(w.rules());
                w.line(emplace(&format!("{getter}{raw}()")));
            }
        }
    }
}

fn emit_on_value(kind: &str, value: &str, index: usize, effect: &str, rest: &str, w: &mut Writer) {
    let template = if w.rules().has(Change::EffectsOnOperands) { ON_OPERAND } else { ON_VALUE };
    let holes: [(&str, &dyn Display); 5] =
        [("kind", &kind), ("value", &value), ("index", &index), ("effect", &effect), ("rest", &rest)];
    w.fill_variant(template, &holes);
}

const ON_VALUE: Template = Template(
    r#"
for (::mlir::Value value : getODS@{kind}s(@index))
  effects.emplace_back(@effect::get(), value, @rest::get());
"#,
);

const ON_OPERAND: Template = Template(
    r#"
{
  auto valueRange = getODS@{kind}IndexAndLength(@index);
  for (unsigned idx = valueRange.first; idx < valueRange.first + valueRange.second; idx++) {
    effects.emplace_back(@effect::get(), @value, @rest::get());
  }
}
"#,
);
