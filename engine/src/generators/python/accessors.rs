//! An operation's properties in Python: operands, attributes, results, regions; one for each that has a name.

use std::fmt::Display;

use super::{names, op};
use crate::{
    cpp::{Template, Writer},
    diagnostic::Diagnostic,
    ods::{Attribute, NamedAttribute, Operation, TypeConstraint},
    span::Span,
};

/// Whether operands and results can be distinguished by position, and their types are known.
pub(super) fn check(op: &Operation<'_>) -> Result<(), Diagnostic> {
    for values in [Values::operands(op), Values::results(op)] {
        if values.layout.is_none() {
            let message = format!("unsupported {} structure", values.kind);
            return Err(Diagnostic::error(Span::NONE, message));
        }
        let named = values.values.iter().filter(|(name, ty)| !name.is_empty() && !values.is_list(*ty));
        named.map(|(_, constraint)| constraint.base()).try_for_each(TypeConstraint::check_cpp_type)?;
    }
    Ok(())
}

pub(super) fn emit(op: &Operation<'_>, w: &mut Writer) {
    emit_values(&Values::operands(op), w);
    for attribute in op.natural_attributes() {
        emit_attribute(attribute, w);
    }
    emit_values(&Values::results(op), w);
    for (index, region) in op.regions().iter().enumerate().filter(|(_, region)| !region.name.is_empty()) {
        let (ty, rest) = if region.is_variadic() { ("RegionSequence", ":") } else { ("Region", "") };
        emit_property(region.name, format_args!("_ods_ir.{ty}"), w, |w| {
            w.line(format_args!("return self.regions[{index}{rest}]"));
        });
    }
}

/// Writes a property that can be read; `body` is what it does.
fn emit_property(name: &str, ty: impl Display, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    w.blank();
    w.line("@builtins.property");
    w.line(format_args!("def {}(self) -> {ty}:", names::identifier(name)));
    w.indented(body);
}

/// The operands or the results of an operation.
struct Values<'r> {
    /// `operand` or `result`.
    kind: &'static str,
    class: &'static str,
    list_class: &'static str,
    values: Vec<(&'r str, TypeConstraint<'r>)>,
    /// Nothing where the position of a value does not follow from anything.
    layout: Option<Layout>,
}

/// How a value is found among all.
#[derive(Clone, Copy)]
enum Layout {
    /// Each represents one value.
    Fixed,
    /// One represents all values that the others leave.
    OneVariable,
    /// Those of variable length have the same length.
    EquallySized,
    /// An attribute holds the lengths.
    Segmented,
}

impl<'r> Values<'r> {
    fn operands(op: &Operation<'r>) -> Self {
        let is_equally_sized = op.has_trait("::mlir::OpTrait::SameVariadicOperandSize");
        let variable = op.variable_length_operands().count();
        Values {
            kind: "operand",
            class: "Value",
            list_class: "OpOperandList",
            values: op.operands().iter().map(|operand| (operand.name, operand.constraint)).collect(),
            layout: Layout::of(variable, is_equally_sized, op::has_operand_segments(op)),
        }
    }

    fn results(op: &Operation<'r>) -> Self {
        let is_equally_sized = op.has_trait("::mlir::OpTrait::SameVariadicResultSize");
        let variable = op.variable_length_results().count();
        Values {
            kind: "result",
            class: "OpResult",
            list_class: "OpResultList",
            values: op.results().iter().map(|result| (result.name, result.constraint)).collect(),
            layout: Layout::of(variable, is_equally_sized, op::has_result_segments(op)),
        }
    }

    /// Whether one of these is represented by a list.
    fn is_list(&self, constraint: TypeConstraint<'_>) -> bool {
        match self.layout {
            Some(Layout::EquallySized) => constraint.is_variable_length(),
            _ => constraint.is_variadic(),
        }
    }

    /// The Python type of a single value.
    fn class_of(&self, constraint: TypeConstraint<'_>) -> String {
        let class = match names::type_class(constraint.base().cpp_type()) {
            Some(ty) => format!("_ods_ir.{}[_ods_ir.{ty}]", self.class),
            None => format!("_ods_ir.{}", self.class),
        };
        if constraint.is_optional() { format!("_Optional[{class}]") } else { class }
    }
}

impl Layout {
    fn of(variable: usize, is_equally_sized: bool, has_segments: bool) -> Option<Self> {
        match variable {
            0 => Some(Layout::Fixed),
            1 => Some(Layout::OneVariable),
            _ if is_equally_sized => Some(Layout::EquallySized),
            _ if has_segments => Some(Layout::Segmented),
            _ => None,
        }
    }
}

fn emit_values(values: &Values<'_>, w: &mut Writer) {
    let count = values.values.len();
    let variable = values.values.iter().filter(|(_, ty)| ty.is_variable_length()).count();
    let mut variable_before = 0;
    for (index, &(name, constraint)) in values.values.iter().enumerate() {
        let place = Place { index, count, variable, variable_before };
        if !name.is_empty() {
            match values.layout {
                Some(Layout::EquallySized) => emit_equally_sized(values, name, constraint, place, w),
                Some(Layout::Segmented) => emit_segmented(values, name, constraint, place, w),
                Some(Layout::Fixed | Layout::OneVariable) | None => {
                    emit_plain(values, name, constraint, place, w);
                }
            }
        }
        variable_before += usize::from(constraint.is_variable_length());
    }
}

/// The position of an operand or result among the others.
#[derive(Clone, Copy)]
struct Place {
    index: usize,
    count: usize,
    /// How many there are of variable length.
    variable: usize,
    /// How many of those come before it.
    variable_before: usize,
}

fn emit_plain(values: &Values<'_>, name: &str, ty: TypeConstraint<'_>, place: Place, w: &mut Writer) {
    let Values { kind, list_class, .. } = values;
    let Place { index, count, .. } = place;
    let all = format!("self.operation.{kind}s");
    let length = format!("_ods_variadic_group_length = len({all}) - {count} + 1");
    if values.is_list(ty) {
        emit_property(name, format_args!("_ods_ir.{list_class}"), w, |w| {
            w.line(length);
            w.line(format_args!("return {all}[{index}:{index} + _ods_variadic_group_length]"));
        });
        return;
    }
    emit_property(name, values.class_of(ty), w, |w| {
        if ty.is_optional() {
            w.line(format_args!("return None if len({all}) < {count} else {all}[{index}]"));
        } else if place.variable_before > 0 {
            w.line(length);
            w.line(format_args!("return {all}[{index} + _ods_variadic_group_length - 1]"));
        } else {
            w.line(format_args!("return {all}[{index}]"));
        }
    });
}

fn emit_equally_sized(values: &Values<'_>, name: &str, ty: TypeConstraint<'_>, place: Place, w: &mut Writer) {
    let Values { kind, list_class, .. } = values;
    let Place { index, count, variable, variable_before } = place;
    let (fixed, fixed_before) = (count - variable, index - variable_before);
    let is_list = values.is_list(ty);
    let class = if is_list { format!("_ods_ir.{list_class}") } else { values.class_of(ty) };
    emit_property(name, class, w, |w| {
        w.line(format_args!(
            "start, elements_per_group = _ods_equally_sized_accessor(self.operation.{kind}s, {fixed}, {variable}, \
             {fixed_before}, {variable_before})"
        ));
        let rest = if is_list { ":start + elements_per_group" } else { "" };
        w.line(format_args!("return self.operation.{kind}s[start{rest}]"));
    });
}

fn emit_segmented(values: &Values<'_>, name: &str, ty: TypeConstraint<'_>, place: Place, w: &mut Writer) {
    let Values { kind, list_class, .. } = values;
    let is_list = values.is_list(ty);
    let class = if is_list { format!("_ods_ir.{list_class}") } else { values.class_of(ty) };
    emit_property(name, class, w, |w| {
        w.fill(SEGMENT, &[("kind", kind), ("index", &place.index)]);
        w.line(if is_list {
            format!("return {kind}_range")
        } else if ty.is_optional() {
            format!("return {kind}_range[0] if len({kind}_range) > 0 else None")
        } else {
            format!("return {kind}_range[0]")
        });
    });
}

const SEGMENT: Template = Template(
    r#"
@{kind}_range = _ods_segmented_accessor(
     self.operation.@{kind}s,
     self.operation.attributes["@{kind}SegmentSizes"], @index)
"#,
);

/// Whether an attribute is a flag in Python.
pub(super) fn is_unit(attribute: Attribute<'_>) -> bool {
    attribute.storage_type() == "::mlir::UnitAttr"
}

/// Writes how to read, write and, unless it must be there, delete an attribute.
fn emit_attribute(attribute: &NamedAttribute<'_>, w: &mut Writer) {
    let NamedAttribute { name: key, attribute, .. } = *attribute;
    let class = format!("_ods_ir.{}", names::attribute_class(attribute));
    if is_unit(attribute) {
        emit_property(key, "bool", w, |w| {
            w.line(format_args!("return \"{key}\" in self.operation.attributes"))
        });
        emit_setter(key, "value", UNIT_SETTER, w);
        emit_deleter(key, w);
    } else if attribute.is_optional() {
        let class = format!("_Optional[{class}]");
        emit_property(key, &class, w, |w| w.fill(OPTIONAL_GETTER, &[("key", &key)]));
        emit_setter(key, format_args!("value: {class}"), OPTIONAL_SETTER, w);
        emit_deleter(key, w);
    } else {
        emit_property(key, &class, w, |w| {
            w.line(format_args!("return self.operation.attributes[\"{key}\"]"))
        });
        emit_setter(key, format_args!("value: {class}"), SETTER, w);
    }
}

fn emit_setter(key: &str, parameter: impl Display, body: Template, w: &mut Writer) {
    let name = names::identifier(key);
    w.blank();
    w.line(format_args!("@{name}.setter"));
    w.line(format_args!("def {name}(self, {parameter}):"));
    w.indented(|w| w.fill(body, &[("key", &key)]));
}

fn emit_deleter(key: &str, w: &mut Writer) {
    let name = names::identifier(key);
    w.blank();
    w.line(format_args!("@{name}.deleter"));
    w.line(format_args!("def {name}(self):"));
    w.line(format_args!("  del self.operation.attributes[\"{key}\"]"));
}

const UNIT_SETTER: Template = Template(
    r#"
if bool(value):
  self.operation.attributes["@key"] = _ods_ir.UnitAttr.get()
elif "@key" in self.operation.attributes:
  del self.operation.attributes["@key"]
"#,
);

const OPTIONAL_GETTER: Template = Template(
    r#"
if "@key" not in self.operation.attributes:
  return None
return self.operation.attributes["@key"]
"#,
);

const OPTIONAL_SETTER: Template = Template(
    r#"
if value is not None:
  self.operation.attributes["@key"] = value
elif "@key" in self.operation.attributes:
  del self.operation.attributes["@key"]
"#,
);

const SETTER: Template = Template(
    r#"
if value is None:
  raise ValueError("'None' not allowed as value for mandatory attributes")
self.operation.attributes["@key"] = value
"#,
);
