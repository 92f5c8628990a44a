//! `__init__`: operands, attributes, results unless they are inferred, successors, regions.

use super::{
    has_operand_segments, names,
    names::is_unit,
    parameters::{Inference, Init, infers_types},
    plain_init::{self, CONTEXT, UNIT_ATTRIBUTE, emit_given_results},
};
use crate::cpp::{Template, Writer};
use odsmith_ods::{Argument, NamedAttribute, Operation};
use odsmith_release::{Change, Rules};

pub(super) fn emit(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.blank();
    w.line(format_args!("def __init__(self, {}):", init.parameters(str::to_owned)));
    if !w.rules().has(Change::PythonRegions) {
        return w.indented(|w| plain_init::emit(op, init, w));
    }
    w.indented(|w| {
        let takes_results = w.rules().has(Change::PythonResultsArgument);
        w.line("operands = []");
        if !takes_results {
            w.line("results = []");
        }
        w.line("attributes = {}");
        w.line("regions = None");
        emit_operands(op, init, w);
        match w.rules().has(Change::PythonAttributeBuilders) {
            true => {
                w.line(CONTEXT);
                emit_attributes(op, init, w);
            }
            false => plain_init::emit_attributes(op, init, w),
        }
        match takes_results {
            true => emit_results(op, init, w),
            false => emit_inferred_results(op, init, w),
        }
        emit_successors(op, init, w);
        if let Some(count) = &init.region_count {
            w.line(format_args!("regions = {} + {count}", op.regions().len() - 1));
        }
        if !w.rules().has(Change::PythonInfersInBase) {
            return w.fill(plain_init::SUPER, &[]);
        }
        let has_results = takes_results || !infers_types(op);
        w.fill(SUPER, &[("results", &if has_results { "results=results, " } else { "" })]);
    });
}

const SUPER: Template = Template(
    "super().__init__(@{python_super}attributes=attributes, @{results}operands=operands, \
     successors=_ods_successors, regions=regions, loc=loc, ip=ip@python_super_end\n",
);

fn emit_operands(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    // The reference counts properties as well, so that an operand after a property takes another argument's name.
    let names = op.arguments().iter().zip(&init.arguments);
    let names = names.filter(|(argument, _)| !matches!(argument, Argument::Attribute(_)));
    let has_segments = has_operand_segments(op);
    let rules = *w.rules();
    for (operand, (_, name)) in op.operands().iter().zip(names) {
        let value = operand_value(name, &rules);
        w.line(match operand.constraint {
            ty if ty.is_variadic() && has_segments => {
                format!("operands.append(_get_op_results_or_values({name}))")
            }
            ty if ty.is_variadic() => format!("operands.extend(_get_op_results_or_values({name}))"),
            ty if ty.is_optional() && !has_segments => {
                format!("if {name} is not None: operands.append({value})")
            }
            ty if ty.is_optional() && !rules.has(Change::PythonOperandsAreValues) => {
                format!("operands.append({value} if {name} is not None else None)")
            }
            _ => format!("operands.append({value})"),
        });
    }
}

/// Returns a single operand, or the result of an operation that is passed as one.
fn operand_value(name: &str, rules: &Rules) -> String {
    match rules.has(Change::PythonOperandsAreValues) {
        true => name.to_owned(),
        false => format!("_get_op_result_or_value({name})"),
    }
}

fn emit_attributes(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    for (argument, name) in op.arguments().iter().zip(&init.arguments) {
        let Argument::Attribute(index) = *argument else { continue };
        let NamedAttribute { name: key, attribute, .. } = op.attributes()[index];
        let template = if is_unit(attribute) {
            UNIT_ATTRIBUTE
        } else if attribute.is_optional() || attribute.default_value().is_some() {
            OPTIONAL_ATTRIBUTE
        } else {
            ATTRIBUTE
        };
        w.fill_variant(
            template,
            &[("name", name), ("key", &key), ("builder", &names::attribute_builder(attribute))],
        );
    }
}

const OPTIONAL_ATTRIBUTE: Template = Template(
    r#"
if @name is not None: attributes["@key"] = (@name if (
    @python_isinstance@name@python_isinstance_end, _ods_ir.Attribute) or
    not _ods_ir.AttrBuilder.contains('@builder')) else
      _ods_ir.AttrBuilder.get('@builder')(@name, context=_ods_context))
"#,
);

const ATTRIBUTE: Template = Template(
    r#"
attributes["@key"] = (@name if (
@python_isinstance@name@python_isinstance_end, _ods_ir.Attribute) or
not _ods_ir.AttrBuilder.contains('@builder')) else
  _ods_ir.AttrBuilder.get('@builder')(@name, context=_ods_context))
"#,
);

fn emit_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let count = op.results().len();
    match init.inference {
        Some(Inference::FirstOperand) => {
            w.line(format_args!("if results is None: results = [operands[0].type] * {count}"));
        }
        Some(Inference::FirstAttribute) => {
            let source = op.attributes().first().map_or("", |attribute| attribute.name);
            w.fill(FIRST_ATTRIBUTE_TYPE, &[("source", &source), ("count", &count)]);
        }
        Some(Inference::Interface) => {}
        None => {
            w.line("results = []");
            emit_given_results(op, init, w);
        }
    }
}

/// Writes the results in releases where inferable types cannot be given; the list exists already.
fn emit_inferred_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let count = op.results().len();
    match init.inference {
        Some(Inference::FirstOperand) => {
            w.line(format_args!("results.extend([operands[0].type] * {count})"));
        }
        Some(Inference::FirstAttribute) => {
            let source = op.attributes().first().map_or("", |attribute| attribute.name);
            w.fill(EXTENDED_BY_FIRST_ATTRIBUTE, &[("source", &source), ("count", &count)]);
        }
        Some(Inference::Interface) if !w.rules().has(Change::PythonInfersInBase) => {
            plain_init::emit_inference(op, w);
        }
        Some(Inference::Interface) => {}
        None => emit_given_results(op, init, w),
    }
}

const FIRST_ATTRIBUTE_TYPE: Template = Template(
    r#"
if results is None:
  _ods_result_type_source_attr = attributes["@source"]
  _ods_derived_result_type = (
    _ods_ir.TypeAttr(_ods_result_type_source_attr).value
    if isinstance(_ods_result_type_source_attr, _ods_ir.TypeAttr) else
    _ods_result_type_source_attr.type)
  results = [_ods_derived_result_type] * @count
"#,
);

const EXTENDED_BY_FIRST_ATTRIBUTE: Template = Template(
    r#"
_ods_result_type_source_attr = attributes["@source"]
_ods_derived_result_type = (
    _ods_ir.TypeAttr(_ods_result_type_source_attr).value
    if _ods_ir.TypeAttr.isinstance(_ods_result_type_source_attr) else
    _ods_result_type_source_attr.type)
results.extend([_ods_derived_result_type] * @count)
"#,
);

fn emit_successors(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.line(if op.successors().is_empty() { "_ods_successors = None" } else { "_ods_successors = []" });
    for (successor, name) in op.successors().iter().zip(&init.successors) {
        let add = if successor.is_variadic() { "extend" } else { "append" };
        w.line(format_args!("_ods_successors.{add}({name})"));
    }
}
