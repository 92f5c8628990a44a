//! `__init__` in older releases: attributes are passed on unchanged, optional ones by position, and the oldest release
//! has neither successors nor inference.

use super::{has_operand_segments, has_result_segments, names::is_unit, parameters::Init};
use crate::cpp::{Template, Writer};
use odsmith_ods::{Argument, NamedAttribute, Operation, TypeConstraint};
use odsmith_release::Change;

/// Writes the body of the oldest form.
pub(super) fn emit(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.line("operands = []");
    w.line("results = []");
    w.line("attributes = {}");
    let start = w.position();
    emit_given_results(op, init, w);
    for (argument, name) in op.arguments().iter().zip(&init.arguments) {
        let Argument::Operand(index) = *argument else { continue };
        let ty = op.operands()[index].constraint;
        w.line(if ty.is_optional() {
            format!("if {name} is not None: operands.append({name})")
        } else if ty.is_variadic() && !has_operand_segments(op) {
            format!("operands.extend({name})")
        } else {
            format!("operands.append({name})")
        });
    }
    emit_attributes(op, init, w);
    if w.position() == start {
        // The reference writes an empty list of lines as one line.
        w.margin();
        w.end_line();
    }
    w.fill(OLDEST_SUPER, &[]);
}

/// Writes code that sets the attributes of an operation from parameters that are attributes already.
pub(super) fn emit_attributes(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let has_keywords = w.rules().has(Change::PythonKeywords);
    for (argument, name) in op.arguments().iter().zip(&init.arguments) {
        let Argument::Attribute(index) = *argument else { continue };
        let NamedAttribute { name: key, attribute, .. } = op.attributes()[index];
        let is_array = attribute.storage_type() == "::mlir::ArrayAttr";
        if is_unit(attribute) {
            w.fill(UNIT_ATTRIBUTE, &[("name", name), ("key", &key)]);
        } else if has_keywords && is_array && attribute.default_value() == Some("{}") {
            w.line(format_args!(
                "attributes[\"{key}\"] = {name} if {name} is not None else _ods_ir.ArrayAttr.get([])"
            ));
        } else if attribute.is_optional() {
            w.line(format_args!("if {name} is not None: attributes[\"{key}\"] = {name}"));
        } else {
            if attribute.default_value().is_some() && has_keywords {
                w.line(format_args!("assert {name} is not None, \"attribute {key} must be specified\""));
            }
            w.line(format_args!("attributes[\"{key}\"] = {name}"));
        }
    }
}

/// Writes code that asks an operation for the types of its results.
pub(super) fn emit_inference(op: &Operation<'_>, w: &mut Writer) {
    if !w.rules().has(Change::PythonAttributeBuilders) {
        w.line(CONTEXT);
    }
    w.fill(INFERENCE, &[("class", &op.cpp_class_name())]);
}

const INFERENCE: Template = Template(
    r#"
results = _ods_ir.InferTypeOpInterface(@class).inferReturnTypes(
    operands=operands,
    attributes=_ods_ir.DictAttr.get(attributes, context=_ods_context),
    context=_ods_context,
    loc=loc)
"#,
);

pub(super) const SUPER: Template = Template(
    r#"
super().__init__(self.build_generic(
  attributes=attributes, results=results, operands=operands,
  successors=_ods_successors, regions=regions, loc=loc, ip=ip))
"#,
);

const OLDEST_SUPER: Template = Template(
    r#"
super().__init__(self.build_generic(
  attributes=attributes, results=results, operands=operands,
  loc=loc, ip=ip))
"#,
);

pub(super) const CONTEXT: &str = "_ods_context = _ods_get_default_loc_context(loc)";

pub(super) const UNIT_ATTRIBUTE: Template = Template(
    r#"
if bool(@name): attributes["@key"] = _ods_ir.UnitAttr.get(
  _ods_get_default_loc_context(loc))
"#,
);

pub(super) fn emit_given_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    for (result, name) in op.results().iter().zip(&init.results) {
        emit_result(result.constraint, name, has_result_segments(op), w);
    }
}

fn emit_result(ty: TypeConstraint<'_>, name: &str, has_segments: bool, w: &mut Writer) {
    w.line(if ty.is_optional() {
        format!("if {name} is not None: results.append({name})")
    } else if ty.is_variadic() && !has_segments {
        format!("results.extend({name})")
    } else {
        format!("results.append({name})")
    });
}
