//! Builders that take each operand and attribute. The body has, in this order: operands, properties, attributes,
//! regions, successors, result types.

use std::borrow::Cow;

use super::{
    AttributeForm, ResultForm, add, builder, emit_repeated_type, emit_result_count,
    parameters::{Length, is_of_runs, operand_name, result_name, separate_parameters},
};
use crate::{
    cpp::{Class, Template, Writer, continued, join, substitute},
    op::{
        attributes::constant_attribute,
        inference::properties_argument,
        info::{OpInfo, is_required},
    },
};
use odsmith_ods::{Attribute, Operand, TypeConstraint, cpp_name};
use odsmith_release::{Change, Rules, spellings};

/// Adds a builder that takes each operand and attribute.
pub(super) fn add_separate<'a>(
    op: &'a OpInfo<'a>,
    form: AttributeForm,
    results: ResultForm,
    class: &mut Class<'a>,
) {
    let parameters = separate_parameters(op, form, results);
    let is_delegated = results == ResultForm::Separate
        && op.op.results().is_empty()
        && op.rules().has(Change::NoResultsDelegated);
    if is_delegated {
        let arguments: Vec<_> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let body = move |w: &mut Writer| {
            w.margin();
            w.raw("build(odsBuilder, odsState, ::mlir::TypeRange{}");
            arguments.iter().for_each(|name| write!(w, ", {name}"));
            w.raw(");\n");
        };
        add(op, builder("odsBuilder"), parameters, Some(Box::new(body)), None, class);
        return;
    }
    let body = move |w: &mut Writer| {
        if op.rules().has(Change::ReferenceToProperties) && sets_properties(op) {
            w.line(format_args!("auto &odsProperties = {GET_OR_ADD_PROPERTIES};"));
        }
        emit_operands(op, w);
        emit_properties(op, w);
        emit_attributes(op, form, w);
        emit_regions(op, w);
        emit_successors(op, w);
        emit_result_types(op, results, w);
    };
    add(op, builder("odsBuilder"), parameters, Some(Box::new(body)), None, class);
}

/// Returns whether builders set any property other than the lengths of results.
fn sets_properties(op: &OpInfo<'_>) -> bool {
    op.has_operand_segments_property()
        || !op.op.properties().is_empty()
        || (op.attributes_are_properties && !op.op.natural_attributes().is_empty())
}

/// Returns C++ for the properties in a builder.
fn properties_of_state(rules: &Rules) -> &'static str {
    match rules.has(Change::ReferenceToProperties) {
        true => "odsProperties",
        false => GET_OR_ADD_PROPERTIES,
    }
}

const GET_OR_ADD_PROPERTIES: &str = "odsState.getOrAddProperties<Properties>()";

fn emit_operands(op: &OpInfo<'_>, w: &mut Writer) {
    for (index, Operand { constraint, .. }) in op.op.operands().iter().enumerate() {
        let name = operand_name(op, index);
        match (Length::of(*constraint), constraint.segment_attribute()) {
            (Length::Runs, Some(segments)) => {
                w.fill(ADD_RUNS, &[("name", &name)]);
                let make = spellings::make_run_lengths.of(op.rules());
                let lengths = format!("odsBuilder.{make}(rangeSegments)");
                w.indented(|w| {
                    if op.rules().has(Change::Properties) {
                        w.line(format_args!("auto rangeAttr = {lengths};"));
                    }
                    let value = if op.rules().has(Change::Properties) { "rangeAttr" } else { &lengths };
                    w.margin();
                    w.raw(&assignment(op, segments, value));
                });
                // The reference closes the block on the line of the assignment.
                w.raw("  }\n");
            }
            (Length::Optional, _) => {
                w.line(format_args!("if ({name})"));
                w.line(format_args!("  odsState.addOperands({name});"));
            }
            _ => w.line(format_args!("odsState.addOperands({name});")),
        }
    }
    if !op.has_operand_segments {
        return;
    }
    let sizes = op
        .op
        .operands()
        .iter()
        .enumerate()
        .map(|(index, operand)| size(op.rules(), &operand_name(op, index), operand.constraint));
    emit_segments(op, op.operand_segments(), "", &join(sizes.collect::<Vec<_>>(), ", ").to_string(), w);
}

const ADD_RUNS: Template = Template(
    r#"
for (::mlir::ValueRange range : @name)
 odsState.addOperands(range);
{
  ::llvm::SmallVector<int32_t> rangeSegments;
  for (::mlir::ValueRange range : @name)
    rangeSegments.push_back(range.size());
"#,
);

/// Returns C++ for the number of values in a group.
fn size(rules: &Rules, name: &str, constraint: TypeConstraint<'_>) -> String {
    match Length::of(constraint) {
        Length::One => "1".to_owned(),
        Length::Optional => format!("({name} ? 1 : 0)"),
        Length::Any => format!("static_cast<int32_t>({name}.size())"),
        Length::Runs if !rules.has(Change::AccumulatedRuns) => format!(
            "static_cast<int32_t>(std::accumulate({name}.begin(), {name}.end(), 0, [](int32_t curSum, \
             ::mlir::ValueRange range) {{ return curSum + {}; }}))",
            spellings::run_size.of(rules)
        ),
        Length::Runs => format!(
            "llvm::accumulate({name}, int32_t(0), [](int32_t curSum, ::mlir::ValueRange range) {{ \
             return curSum + static_cast<int32_t>(range.size()); }})"
        ),
    }
}

fn emit_segments(op: &OpInfo<'_>, segments: &str, margin: &str, sizes: &str, w: &mut Writer) {
    if op.attributes_are_properties {
        // The lengths of results do not use the reference.
        let properties = match segments == op.operand_segments() {
            true => properties_of_state(op.rules()),
            false => GET_OR_ADD_PROPERTIES,
        };
        w.line(format_args!(
            "::llvm::copy(::llvm::ArrayRef<int32_t>({{{sizes}}}), {properties}.{segments}.begin());"
        ));
        return;
    }
    let getter = op.op.getter(segments);
    if margin.is_empty() {
        w.margin();
    }
    w.raw(margin);
    writeln!(
        w,
        "odsState.addAttribute({getter}AttrName(odsState.name), odsBuilder.{}({{{sizes}}}));",
        spellings::make_segments.of(op.rules())
    );
}

fn emit_properties(op: &OpInfo<'_>, w: &mut Writer) {
    if !op.rules().has(Change::PropertyParameters) {
        return;
    }
    for named in op.op.properties() {
        let name = named.name;
        let setter = cpp_name::setter(name);
        w.line(format_args!("{}.{setter}({name});", properties_of_state(op.rules())));
    }
}

/// Returns C++ that stores an attribute.
fn assignment(op: &OpInfo<'_>, name: &str, value: &str) -> String {
    if op.attributes_are_properties {
        format!("{}.{name} = {value};", properties_of_state(op.rules()))
    } else {
        format!("odsState.addAttribute({}AttrName(odsState.name), {value});", op.op.getter(name))
    }
}

fn emit_attributes(op: &OpInfo<'_>, form: AttributeForm, w: &mut Writer) {
    for named in op.op.natural_attributes().iter().filter(|named| !is_of_runs(op, named.name)) {
        let (name, attribute) = (named.name, named.attribute);
        let has_value = form.takes_value(attribute);
        let may_be_missing = match form {
            _ if !op.rules().has(Change::DefaultsPopulated) => attribute.is_optional(),
            AttributeForm::Value if !op.rules().has(Change::OptionalNotPopulated) => attribute.is_optional(),
            // A unit attribute with the value false is not stored.
            AttributeForm::Value if attribute.is_called_unit() => true,
            AttributeForm::Value => attribute.is_optional() && attribute.default_value().is_none(),
            AttributeForm::Stored => !is_required(attribute),
        };
        let value: Cow<'_, str> =
            if has_value { attribute_from_parameter(op, attribute, name).into() } else { name.into() };
        let assignment = assignment(op, name, &value);
        if may_be_missing {
            let is_deeper = op.rules().has(Change::IndentedAssignments);
            w.line(format_args!("if ({name}) {{"));
            match is_deeper {
                true => w.indented(|w| w.line(format_args!("{}", continued(assignment, "  ")))),
                false => w.line(assignment),
            }
            w.line("}");
        } else {
            w.line(assignment);
        }
    }
}

/// Returns C++ that builds an attribute from a parameter. The oldest library quotes the text of a string.
fn attribute_from_parameter(op: &OpInfo<'_>, attribute: Attribute<'_>, name: &str) -> String {
    match attribute.const_builder_call() {
        Some(call) if !op.rules().has(Change::SpacedMembers) && call.contains("\"$0\"") => {
            let call = call.replace("\"$0\"", "$0");
            substitute(&call, &[("_builder", "odsBuilder")]).args(&[name]).to_string()
        }
        _ => constant_attribute(attribute, "odsBuilder", name),
    }
}

fn emit_regions(op: &OpInfo<'_>, w: &mut Writer) {
    for region in op.op.regions() {
        if region.is_variadic() {
            w.line(format_args!("for (unsigned i = 0; i < {}Count; ++i)", region.name));
            w.line("  (void)odsState.addRegion();");
        } else {
            w.line("(void)odsState.addRegion();");
        }
    }
}

fn emit_successors(op: &OpInfo<'_>, w: &mut Writer) {
    for successor in op.op.successors() {
        w.line(format_args!("odsState.addSuccessors({});", successor.name));
    }
}

fn emit_result_types(op: &OpInfo<'_>, form: ResultForm, w: &mut Writer) {
    match form {
        ResultForm::Separate => {
            for (index, result) in op.op.results().iter().enumerate() {
                let name = result_name(op, index);
                if result.constraint.is_optional() {
                    w.line(format_args!("if ({name})"));
                    w.line(format_args!("  odsState.addTypes({name});"));
                } else {
                    w.line(format_args!("odsState.addTypes({name});"));
                }
            }
            if op.has_result_segments && op.rules().has(Change::ResultSegmentsInBuilders) {
                let results = op.op.results().iter().enumerate();
                let sizes = results
                    .map(|(index, result)| size(op.rules(), &result_name(op, index), result.constraint));
                let sizes = join(sizes.collect::<Vec<_>>(), ", ").to_string();
                emit_segments(op, op.result_segments(), " ", &sizes, w);
            }
        }
        ResultForm::Collective => {
            emit_result_count(op, "resultTypes", "results", w);
            w.line("odsState.addTypes(resultTypes);");
        }
        ResultForm::Inferred => {
            let properties = properties_argument("odsState", 22, op.rules());
            w.outdented(|w| w.fill(INFER_TYPES, &[("class", &op.class), ("properties", &properties)]));
        }
        ResultForm::OfFirstOperand => {
            let first = op.op.operands().first().is_some_and(|operand| operand.constraint.is_variadic());
            let front = if first { ".front()" } else { "" };
            let ty = format!("{}{front}.getType()", operand_name(op, 0));
            emit_repeated_type(op, &ty, w);
            w.blank();
        }
        ResultForm::OfFirstAttribute => {}
    }
}

const INFER_TYPES: Template = Template(
    r#"

        ::llvm::SmallVector<::mlir::Type, 2> inferredReturnTypes;
        if (@{inferred}(@class::inferReturnTypes(odsBuilder.getContext(),
                      odsState.location, odsState.operands,
                      odsState.attributes.getDictionary(odsState.getContext()),@properties
                      @builder_regions, inferredReturnTypes)))
          odsState.addTypes(inferredReturnTypes);
        else
          @report_inference_failure;
@inference_end"#,
);
