//! Parameters of the builders that take each operand and attribute, and their default values.

use std::borrow::Cow;

use super::{AttributeForm, ResultForm};
use crate::{
    cpp::{Parameter, substitute},
    op::{attributes::can_be_set_by_value, info::OpInfo},
};
use odsmith_ods::{Argument, Attribute, NamedProperty, TypeConstraint};
use odsmith_release::Change;

pub(super) fn separate_parameters<'a>(
    op: &'a OpInfo<'a>,
    form: AttributeForm,
    results: ResultForm,
) -> Vec<Parameter<'a>> {
    let mut parameters = Vec::new();
    match results {
        ResultForm::Separate => {
            for (index, result) in op.op.results().iter().enumerate() {
                let ty = match Length::of(result.constraint) {
                    Length::One | Length::Optional => "::mlir::Type",
                    Length::Any | Length::Runs => "::mlir::TypeRange",
                };
                let is_optional = result.constraint.is_optional();
                parameters.push(Parameter::new(ty, result_name(op, index)).optional(is_optional));
            }
        }
        ResultForm::Collective => parameters.push(Parameter::new("::mlir::TypeRange", "resultTypes")),
        ResultForm::Inferred | ResultForm::OfFirstOperand | ResultForm::OfFirstAttribute => {}
    }
    add_arguments(op, form, &mut parameters);
    for successor in op.op.successors() {
        let ty = if successor.is_variadic() { "::mlir::BlockRange" } else { "::mlir::Block *" };
        parameters.push(Parameter::new(ty, successor.name));
    }
    for region in op.op.regions().iter().filter(|region| region.is_variadic()) {
        parameters.push(Parameter::new("unsigned", format!("{}Count", region.name)));
    }
    parameters
}

/// The number of values of an operand or result.
pub(super) enum Length {
    One,
    Optional,
    Any,
    Runs,
}

impl Length {
    pub(super) fn of(constraint: TypeConstraint<'_>) -> Length {
        if constraint.is_optional() {
            Length::Optional
        } else if constraint.is_variadic_of_variadic() {
            Length::Runs
        } else if constraint.is_variadic() {
            Length::Any
        } else {
            Length::One
        }
    }
}

pub(super) fn result_name<'a>(op: &'a OpInfo<'a>, index: usize) -> Cow<'a, str> {
    match op.op.results()[index].name {
        "" => format!("resultType{index}").into(),
        name => name.into(),
    }
}

pub(super) fn operand_name<'a>(op: &'a OpInfo<'a>, index: usize) -> Cow<'a, str> {
    match op.op.operands().get(index).map(|operand| operand.name) {
        None => "".into(),
        Some("") => format!("odsArg_{index}").into(),
        Some(name) => name.into(),
    }
}

/// Returns whether an attribute holds the lengths of an operand's segments, and thus follows from the operand.
pub(super) fn is_of_runs(op: &OpInfo<'_>, name: &str) -> bool {
    op.op.operands().iter().any(|operand| operand.constraint.segment_attribute() == Some(name))
}

fn add_arguments<'a>(op: &'a OpInfo<'a>, form: AttributeForm, parameters: &mut Vec<Parameter<'a>>) {
    let first_default = first_default(op, form);
    for (position, argument) in op.op.arguments().iter().enumerate() {
        let mut parameter = match argument {
            Argument::Operand(index) => {
                let constraint = op.op.operands()[*index].constraint;
                let ty = match Length::of(constraint) {
                    Length::One | Length::Optional => "::mlir::Value",
                    Length::Any => "::mlir::ValueRange",
                    Length::Runs => "::llvm::ArrayRef<::mlir::ValueRange>",
                };
                Parameter::new(ty, operand_name(op, *index)).optional(constraint.is_optional())
            }
            Argument::Attribute(index) => {
                let named = &op.op.attributes()[*index];
                if is_of_runs(op, named.name) {
                    continue;
                }
                let attribute = named.attribute;
                let ty = match form.takes_value(attribute) {
                    true => attribute.return_type(),
                    false => attribute.storage_type(),
                };
                Parameter::new(ty, named.name).optional(attribute.is_optional())
            }
            Argument::Property(_) if !op.rules().has(Change::PropertyParameters) => continue,
            Argument::Property(index) => {
                let NamedProperty { name, property, .. } = op.op.properties()[*index];
                let is_optional = property.default_value().is_some();
                Parameter::new(property.interface_type(), name).optional(is_optional)
            }
        };
        if position >= first_default {
            let default = default_value(op, *argument, form);
            // Older releases quote strings, even quoted ones.
            let is_quoted =
                !op.rules().has(Change::SpacedMembers) && parameter.cpp_type == "::llvm::StringRef";
            parameter.default = default.map(|default| match is_quoted {
                true => format!("\"{default}\"").into(),
                false => filled_default(op, default),
            });
        }
        parameters.push(parameter);
    }
}

/// Fills the builder's name into a default value.
pub(super) fn filled_default<'a>(op: &OpInfo<'_>, default: &'a str) -> Cow<'a, str> {
    match default.contains('$') && op.rules().has(Change::FilledDefaults) {
        true => substitute(default, &[("_builder", "odsBuilder")]).to_string().into(),
        false => default.into(),
    }
}

/// Returns the default value of an argument's parameter, if it may have one.
fn default_value<'a>(op: &'a OpInfo<'a>, argument: Argument, form: AttributeForm) -> Option<&'a str> {
    match argument {
        Argument::Operand(_) => None,
        Argument::Attribute(index) => {
            let attribute = op.op.attributes()[index].attribute;
            let value = attribute.default_value()?;
            match attribute.return_type() {
                "::llvm::APInt" | "::llvm::APFloat" => None,
                _ if form.takes_value(attribute) => Some(value),
                _ => op.rules().has(Change::NullDefaults).then_some("nullptr"),
            }
        }
        // As in the reference, in older releases a property ends the defaults before it even if it is no parameter.
        Argument::Property(_) if !op.rules().has(Change::PropertyParameters) => None,
        Argument::Property(index) => op.op.properties()[index].property.default_value(),
    }
}

/// Returns the position of the first argument whose parameter has a default value; all parameters after it have one,
/// too.
///
/// A call that gives no attributes must not fit both forms. If no attribute without a default value distinguishes the
/// forms, the first of the other attributes gets no default value in one of them: in the stored form if it can be given
/// by value, otherwise in the form by value.
fn first_default(op: &OpInfo<'_>, form: AttributeForm) -> usize {
    let arguments = op.op.arguments();
    let has_more =
        !op.op.successors().is_empty() || op.op.regions().iter().any(|region| region.is_variadic());
    if has_more && op.rules().has(Change::SpacedMembers) {
        return arguments.len();
    }
    let start = arguments.iter().rposition(|argument| default_value(op, *argument, form).is_none());
    let start = start.map_or(0, |last| last + 1);
    let attribute = |argument: &Argument| match argument {
        Argument::Attribute(index) => Some(op.op.attributes()[*index].attribute),
        Argument::Operand(_) | Argument::Property(_) => None,
    };
    let mut others = arguments.iter().enumerate().skip(start);
    let first = others.find_map(|(index, argument)| Some((index, attribute(argument)?)));
    let distinguishes =
        |attribute: Attribute<'_>| attribute.default_value().is_none() && can_be_set_by_value(attribute);
    match first {
        Some((index, first)) if form == AttributeForm::Value && !can_be_set_by_value(first) => index + 1,
        Some((index, first))
            if form == AttributeForm::Stored
                && can_be_set_by_value(first)
                && !(op.rules().has(Change::DistinguishedForms)
                    && arguments.iter().filter_map(attribute).any(distinguishes)) =>
        {
            index + 1
        }
        _ => start,
    }
}
