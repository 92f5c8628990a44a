//! The conditions under which an optional group or a clause of `oilist` is printed.

use super::{Cx, Length};
use crate::{cpp::substitute, op::attributes::compared_default};
use odsmith_ods::{
    Attribute, Property,
    format::{Custom, Element, OptionalGroup, TypeOf, Variable, VariableKind},
};
use odsmith_release::Change;

/// Returns the condition under which the first branch of a group is printed.
pub(super) fn group_condition<'r>(cx: Cx<'_, 'r>, group: &OptionalGroup<'r>) -> String {
    let condition = group.anchor().map(|anchor| anchor_condition(cx, anchor)).unwrap_or_default();
    // As in the reference, the negation only applies to the start of the condition.
    if group.is_inverted { format!("!{condition}") } else { condition }
}

fn anchor_condition(cx: Cx<'_, '_>, anchor: &Element<'_>) -> String {
    match anchor {
        Element::Variable(variable) | Element::Type { of: TypeOf::Variable(variable), .. } => {
            anchored_condition(cx, *variable)
        }
        Element::FunctionalType { inputs: TypeOf::Variable(variable), .. } => {
            anchored_condition(cx, *variable)
        }
        Element::Custom(custom) => {
            // A reference adds a condition, even an empty one.
            let condition = |parameter| format!("({})", anchor_condition(cx, parameter));
            let conditions: Vec<String> = custom.parameters.iter().map(condition).collect();
            format!("({})", conditions.join(" || "))
        }
        _ => String::new(),
    }
}

fn anchored_condition(cx: Cx<'_, '_>, variable: Variable<'_>) -> String {
    let get = cx.op.getter(variable.name);
    match variable.kind {
        // In older releases the default value of an optional attribute counts as present.
        VariableKind::Attribute
            if cx.attribute(variable).is_optional() && !cx.op.rules().has(Change::AnchorsNotDefault) =>
        {
            match cx.op.rules().has(Change::AnchorsByGetter) {
                true => format!("{get}Attr()"),
                false => format!("(*this)->getAttr(\"{}\")", variable.name),
            }
        }
        VariableKind::Attribute => attribute_condition(cx, variable, &get),
        VariableKind::Property => property_condition(cx, variable),
        VariableKind::Operand | VariableKind::Result => match cx.length(variable) {
            Length::One => String::new(),
            Length::Optional => format!("{get}()"),
            Length::Variadic | Length::VariadicOfVariadic => format!("!{get}().empty()"),
        },
        _ => format!("!{get}().empty()"),
    }
}

/// Returns the condition that an attribute is present and not its default.
fn attribute_condition(cx: Cx<'_, '_>, variable: Variable<'_>, get: &str) -> String {
    let (attribute, rules) = (cx.attribute(variable), cx.op.rules());
    match (attribute.default_value(), attribute.is_optional()) {
        (None, true) => return format!("{get}Attr()"),
        (None, false) => return String::new(),
        (Some(_), _) => {}
    }
    let default = default_attribute(attribute, "::mlir::OpBuilder((*this)->getContext())");
    if !rules.has(Change::AnchorsByGetter) {
        return format!("(*this)->getAttr(\"{}\") != {default}", variable.name);
    }
    let differs = format!("{get}Attr() != {default}");
    match (rules.has(Change::AnchorsNotDefault), attribute.is_optional()) {
        (false, _) => format!("{get}Attr() && {differs}"),
        (true, true) => format!("({get}Attr() && {differs})"),
        (true, false) => differs,
    }
}

fn property_condition(cx: Cx<'_, '_>, variable: Variable<'_>) -> String {
    let default = default_property(cx.property(variable), "::mlir::OpBuilder((*this)->getContext())");
    format!("{}() != {default}", cx.op.getter(variable.name))
}

/// Returns C++ for the default of a property.
pub(super) fn default_property(property: Property<'_>, builder: &str) -> String {
    let default = property.default_value().unwrap_or_default();
    substitute(default, &[("_builder", builder)]).to_string()
}

/// Returns C++ that builds the default of an attribute.
pub(super) fn default_attribute(attribute: Attribute<'_>, builder: &str) -> String {
    compared_default(attribute, &[("_builder", builder)])
}

/// Returns the condition under which a clause of `oilist` is printed: any element of it is present.
pub(super) fn clause_condition(cx: Cx<'_, '_>, elements: &[Element<'_>]) -> String {
    let mut condition = "false".to_owned();
    for element in elements {
        add_clause_condition(cx, element, &mut condition);
    }
    condition
}

fn add_clause_condition(cx: Cx<'_, '_>, element: &Element<'_>, condition: &mut String) {
    match element {
        Element::Variable(variable) => add_variable(cx, *variable, condition),
        // Unlike a type directive, this one counts.
        Element::FunctionalType { inputs, results } => {
            for of in [inputs, results] {
                if let TypeOf::Variable(variable) = of {
                    add_variable(cx, *variable, condition);
                }
            }
        }
        Element::Custom(Custom { parameters: elements, .. }) => {
            elements.iter().for_each(|element| add_clause_condition(cx, element, condition));
        }
        Element::OiList(clauses) => {
            let elements = clauses.iter().flat_map(|clause| &clause.elements);
            elements.for_each(|element| add_clause_condition(cx, element, condition));
        }
        Element::Optional(OptionalGroup { then, otherwise, .. }) => {
            then.iter().chain(otherwise).for_each(|element| add_clause_condition(cx, element, condition));
        }
        _ => {}
    }
}

fn add_variable(cx: Cx<'_, '_>, variable: Variable<'_>, condition: &mut String) {
    let get = cx.op.getter(variable.name);
    let present = match (variable.kind, cx.length(variable)) {
        (VariableKind::Attribute, _) if !cx.op.rules().has(Change::ClausesNotDefault) => {
            format!("{get}Attr()")
        }
        (VariableKind::Attribute, _) => format!("({})", attribute_condition(cx, variable, &get)),
        (VariableKind::Property, _) => format!("({})", property_condition(cx, variable)),
        (VariableKind::Operand | VariableKind::Result, Length::Variadic | Length::VariadicOfVariadic) => {
            format!("{get}().size()")
        }
        _ => format!("{get}()"),
    };
    condition.push_str(" || ");
    condition.push_str(&present);
}
