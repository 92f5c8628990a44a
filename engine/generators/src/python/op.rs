//! An operation: its class, with documentation, name, segments, regions, `__init__` and properties; then the function
//! that builds one and returns its results.

use super::{accessors, has_operand_segments, has_result_segments, init, names, parameters::Init};
use crate::{
    cpp::{Writer, join},
    signatures::PythonSignature,
};
use odsmith_ods::{Operation, TypeConstraint, cpp_name};
use odsmith_release::{Change, spellings};

pub(super) fn emit(op: &Operation<'_>, w: &mut Writer) {
    let init = Init::of(op);
    w.blank();
    w.line("@_ods_cext.register_operation(_Dialect)");
    let has_function = w.rules().has(Change::PythonFunctions);
    if !has_function {
        w.line("@_ods_extend_opview_class(_ods_ext_module)");
    }
    w.line(format_args!("class {}(_ods_ir.OpView):", op.cpp_class_name()));
    emit_description(op.description(), w);
    w.indented(|w| {
        w.line(format_args!("OPERATION_NAME = \"{}\"", op.name()));
        if has_operand_segments(op) {
            emit_segments("OPERAND", op.operands().iter().map(|operand| operand.constraint), w);
        }
        if has_result_segments(op) {
            emit_segments("RESULT", op.results().iter().map(|result| result.constraint), w);
        }
        emit_region_count(op, w);
        if !op.skips_default_builders() || w.rules().has(Change::PythonAlwaysInitializes) {
            init::emit(op, &init, w);
        }
        accessors::emit(op, w);
    });
    if w.rules().has(Change::TypedPython) {
        emit_adaptor(op, w);
    }
    if has_function {
        emit_builder(op, &init, w);
    }
}

fn emit_adaptor(op: &Operation<'_>, w: &mut Writer) {
    let class = op.cpp_class_name();
    w.blank();
    w.line(format_args!("@_ods_cext.register_op_adaptor({class})"));
    w.line(format_args!("class {class}Adaptor(_ods_ir.OpAdaptor):"));
    w.indented(|w| {
        w.line(format_args!("OPERATION_NAME = \"{}\"", op.name()));
        accessors::emit_of_adaptor(op, w);
    });
}

fn emit_description(description: &str, w: &mut Writer) {
    if description.trim_ascii().is_empty() || !w.rules().has(Change::PythonDescriptions) {
        return;
    }
    // Blank lines are indented like the others.
    w.line("  r\"\"\"");
    w.reindented("  ", &description.replace("\"\"\"", r#"\"\"\""#));
    w.line("  \"\"\"");
    w.blank();
}

/// Writes the number of values of each operand or result: 1, 0 for one or none, -1 for any number.
fn emit_segments<'r>(what: &str, constraints: impl Iterator<Item = TypeConstraint<'r>>, w: &mut Writer) {
    let distinguishes_optional = w.rules().has(Change::PythonRegions);
    let sizes = constraints.map(|constraint| match constraint {
        constraint if constraint.is_variadic() => "-1,",
        constraint if constraint.is_optional() && !distinguishes_optional => "-1,",
        constraint if constraint.is_optional() => "0,",
        _ => "1,",
    });
    w.blank();
    w.line(format_args!("_ODS_{what}_SEGMENTS = [{}]", sizes.collect::<String>()));
}

/// Writes the minimum number of regions, and whether it is exact.
fn emit_region_count(op: &Operation<'_>, w: &mut Writer) {
    let fixed = op.regions().iter().filter(|region| !region.is_variadic()).count();
    let is_fixed = if fixed == op.regions().len() { "True" } else { "False" };
    w.blank();
    w.line(format_args!("_ODS_REGIONS = ({fixed}, {is_fixed})"));
}

fn emit_builder(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let class = op.cpp_class_name();
    let name = function_name(op);
    let parameters = init.parameters(cpp_name::snake_case);
    let arguments = init.arguments();
    let arguments = join(arguments.iter().map(|name| format!("{name}={}", cpp_name::snake_case(name))), ", ");
    w.blank();
    w.line(format_args!("def {name}({parameters}) -> {}:", return_type(op)));
    let has_variable_length = op.variable_length_results().next().is_some();
    let uses_helper = !w.rules().has(match has_variable_length {
        true => Change::PythonTypes,
        false => Change::PythonResultProperties,
    });
    if uses_helper {
        return w.line(format_args!("  return _get_op_result_or_op_results({class}({arguments}))"));
    }
    if has_variable_length {
        w.line(format_args!("  op = {class}({arguments}); results = op.results"));
        w.line("  return results if len(results) > 1 else (results[0] if len(results) == 1 else op)");
        return;
    }
    let results = match op.results().len() {
        0 => "",
        1 => ".result",
        _ => ".results",
    };
    w.line(format_args!("  return {class}({arguments}){results}"));
}

/// Returns the function that builds one; in newer releases its name differs from that of the class.
fn function_name(op: &Operation<'_>) -> String {
    let name = op.name();
    let mut name = names::identifier(name.split_once('.').map_or("", |(_, mnemonic)| mnemonic), op.rules());
    let differs = op.rules().has(Change::PythonFunctionsNotClasses);
    if name == op.cpp_class_name() && differs {
        name.push('_');
    }
    name
}

/// Returns the return type of the function.
fn return_type(op: &Operation<'_>) -> String {
    if !op.rules().has(Change::PythonTypes) {
        return plain_return_type(op);
    }
    let class = op.cpp_class_name();
    if op.variable_length_results().next().is_some() {
        return format!("_Union[_ods_ir.OpResult, _ods_ir.OpResultList, {class}]");
    }
    match op.results() {
        [] => class.to_owned(),
        [result] if op.rules().has(Change::TypedPython) => accessors::class_of("OpResult", result.constraint),
        [_] => "_ods_ir.OpResult".to_owned(),
        _ => "_ods_ir.OpResultList".to_owned(),
    }
}

/// Returns the same in releases without the classes of operations and lists; one result of variable length counts as
/// one value.
fn plain_return_type(op: &Operation<'_>) -> String {
    let value = spellings::python_value.of(op.rules());
    match op.results().len() {
        0 => "_ods_ir.Operation".to_owned(),
        1 => value.to_owned(),
        _ => format!("_Sequence[{value}]"),
    }
}

/// Returns the signature: see [`crate::members::python`].
pub(crate) fn signature(op: &Operation<'_>) -> Option<PythonSignature> {
    accessors::check(op).ok()?;
    let init = Init::of(op);
    Some(PythonSignature {
        class: op.cpp_class_name().to_owned(),
        init: init.parameters(str::to_owned),
        function: function_name(op),
        parameters: init.parameters(cpp_name::snake_case),
        // These are the names under which the generated file imports them.
        returns: return_type(op)
            .replace("_ods_ir.", "ir.")
            .replace("_SubClassValueT", "SubClassValueT")
            .replace("_Union[", "Union[")
            .replace("_Sequence[", "Sequence["),
    })
}
