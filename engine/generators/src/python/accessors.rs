//! An operation's properties in Python: one for each operand, attribute, result and region that has a name.

use std::fmt::Display;

use super::{has_operand_segments, has_result_segments, names, names::is_unit};
use crate::cpp::{Template, Writer};
use odsmith_ods::{Attribute, NamedAttribute, Operation, TypeConstraint};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, span::Span};

/// Checks that operands and results can be distinguished by position and have known types; also checks the other fields
/// that are read.
pub(super) fn check(op: &Operation<'_>) -> Result<(), Diagnostic> {
    if op.rules().has(Change::PythonDescriptions) {
        op.definition().check_description()?;
    }
    op.traits().iter().try_for_each(|one| one.check_name().and_then(|()| one.check_namespace()))?;
    for named in op.natural_attributes() {
        named.attribute.check_optional()?;
    }
    for values in [Values::operands(op), Values::results(op)] {
        if values.layout.is_none() {
            let message = format!("unsupported {} structure", values.kind);
            return Err(Diagnostic::error(Span::NONE, message));
        }
        // Without types, no C++ class is named.
        if !op.rules().has(Change::PythonTypes) {
            continue;
        }
        let named = values.values.iter().filter(|(name, ty)| !name.is_empty() && !values.is_list(*ty));
        named.map(|(_, constraint)| constraint.base()).try_for_each(TypeConstraint::check_cpp_type)?;
    }
    Ok(())
}

pub(super) fn emit(op: &Operation<'_>, w: &mut Writer) {
    emit_values(&Values::operands(op), OPERATION, w);
    for attribute in op.natural_attributes() {
        let Some(wrapper) = Wrapper::of(attribute.attribute) else { continue };
        emit_getter(attribute, OPERATION, &wrapper, w);
        emit_changes(attribute, w);
    }
    emit_values(&Values::results(op), OPERATION, w);
    if !w.rules().has(Change::PythonRegions) {
        return;
    }
    for (index, region) in op.regions().iter().enumerate().filter(|(_, region)| !region.name.is_empty()) {
        let (ty, rest) = if region.is_variadic() { ("RegionSequence", ":") } else { ("Region", "") };
        emit_property(region.name, format_args!("_ods_ir.{ty}"), w, |w| {
            w.line(format_args!("return self.regions[{index}{rest}]"));
        });
    }
}

/// Writes the properties of the adaptor: operands and attributes, which are read-only.
pub(super) fn emit_of_adaptor(op: &Operation<'_>, w: &mut Writer) {
    emit_values(&Values::operands(op), ADAPTOR, w);
    for attribute in op.natural_attributes() {
        emit_getter(attribute, ADAPTOR, &Wrapper::Nothing, w);
    }
}

/// Expressions for the object that holds operands, attributes and results.
const OPERATION: &str = "self.operation";
const ADAPTOR: &str = "self";

/// Writes a property that can be read, with `body` as its body.
fn emit_property(name: &str, ty: impl Display, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    w.blank();
    w.line("@builtins.property");
    let name = names::identifier(name, w.rules());
    match w.rules().has(Change::PythonTypes) {
        true => w.line(format_args!("def {name}(self) -> {ty}:")),
        false => w.line(format_args!("def {name}(self):")),
    }
    w.indented(body);
}

/// The operands or the results of an operation.
struct Values<'r> {
    /// `operand` or `result`.
    kind: &'static str,
    class: &'static str,
    list_class: &'static str,
    values: Vec<(&'r str, TypeConstraint<'r>)>,
    /// Nothing if the position of a value cannot be determined.
    layout: Option<Layout>,
}

/// The rule that finds a value among all.
#[derive(Clone, Copy)]
enum Layout {
    /// Each one represents one value.
    Fixed,
    /// One represents all values that the others leave.
    OneVariable,
    /// All of variable length have the same length.
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
            layout: Layout::of(variable, is_equally_sized, has_operand_segments(op)),
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
            layout: Layout::of(variable, is_equally_sized, has_result_segments(op)),
        }
    }

    /// Returns whether a list represents one of these.
    fn is_list(&self, constraint: TypeConstraint<'_>) -> bool {
        match self.layout {
            Some(Layout::EquallySized) => constraint.is_variable_length(),
            _ => constraint.is_variadic(),
        }
    }

    /// Returns the Python type of a single value.
    fn class_of(&self, constraint: TypeConstraint<'_>) -> String {
        let class = class_of(self.class, constraint);
        if constraint.is_optional() { format!("_Optional[{class}]") } else { class }
    }

    /// Returns the Python type of a list of values.
    fn list_class_of(&self, constraint: TypeConstraint<'_>) -> String {
        match constraint.rules().has(Change::TypedPython) {
            true => class_of(self.list_class, constraint),
            false => format!("_ods_ir.{}", self.list_class),
        }
    }
}

/// Returns a Python class of values, with the class of their type if it is known.
pub(super) fn class_of(class: &str, constraint: TypeConstraint<'_>) -> String {
    match names::type_class(&constraint.base().cpp_type()) {
        Some(ty) => format!("_ods_ir.{class}[_ods_ir.{ty}]"),
        None => format!("_ods_ir.{class}"),
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

fn emit_values(values: &Values<'_>, owner: &str, w: &mut Writer) {
    let count = values.values.len();
    let variable = values.values.iter().filter(|(_, ty)| ty.is_variable_length()).count();
    let mut variable_before = 0;
    for (index, &(name, constraint)) in values.values.iter().enumerate() {
        let place = ValuePosition { owner, index, count, variable, variable_before };
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
struct ValuePosition<'a> {
    /// The object that holds them.
    owner: &'a str,
    index: usize,
    count: usize,
    /// The number of those of variable length.
    variable: usize,
    /// The number of those that come before it.
    variable_before: usize,
}

fn emit_plain(
    values: &Values<'_>,
    name: &str,
    ty: TypeConstraint<'_>,
    place: ValuePosition<'_>,
    w: &mut Writer,
) {
    let kind = values.kind;
    let ValuePosition { owner, index, count, .. } = place;
    let all = format!("{owner}.{kind}s");
    let length = format!("_ods_variadic_group_length = len({all}) - {count} + 1");
    if values.is_list(ty) {
        emit_property(name, values.list_class_of(ty), w, |w| {
            w.line(length);
            w.line(format_args!("return {all}[{index}:{index} + _ods_variadic_group_length]"));
        });
        return;
    }
    emit_property(name, values.class_of(ty), w, |w| {
        if ty.is_optional() && !w.rules().has(Change::PythonRegions) {
            w.line(format_args!("return {all}[{index}] if len({all}) > {count} else None"));
        } else if ty.is_optional() {
            w.line(format_args!("return None if len({all}) < {count} else {all}[{index}]"));
        } else if place.variable_before > 0 {
            w.line(length);
            w.line(format_args!("return {all}[{index} + _ods_variadic_group_length - 1]"));
        } else {
            w.line(format_args!("return {all}[{index}]"));
        }
    });
}

fn emit_equally_sized(
    values: &Values<'_>,
    name: &str,
    ty: TypeConstraint<'_>,
    place: ValuePosition<'_>,
    w: &mut Writer,
) {
    let kind = values.kind;
    let ValuePosition { owner, index, count, variable, variable_before } = place;
    let (fixed, fixed_before) = (count - variable, index - variable_before);
    let is_list = values.is_list(ty);
    let class = if is_list { values.list_class_of(ty) } else { values.class_of(ty) };
    if !w.rules().has(Change::PythonCountsFixedValues) {
        return emit_property(name, class, w, |w| emit_uncounted(kind, place, is_list, w));
    }
    emit_property(name, class, w, |w| {
        w.line(format_args!(
            "start, elements_per_group = _ods_equally_sized_accessor({owner}.{kind}s, {fixed}, {variable}, \
             {fixed_before}, {variable_before})"
        ));
        let rest = if is_list { ":start + elements_per_group" } else { "" };
        w.line(format_args!("return {owner}.{kind}s[start{rest}]"));
    });
}

/// Writes the same in older releases, which do not count fixed values.
fn emit_uncounted(kind: &str, place: ValuePosition<'_>, is_list: bool, w: &mut Writer) {
    let ValuePosition { owner, index, variable, variable_before, .. } = place;
    let fixed_before = index - variable_before;
    w.line(format_args!(
        "start, pg = _ods_equally_sized_accessor(operation.{kind}s, {variable}, {fixed_before}, {variable_before})"
    ));
    let rest = if is_list { ":start + pg" } else { "" };
    w.line(format_args!("return {owner}.{kind}s[start{rest}]"));
}

fn emit_segmented(
    values: &Values<'_>,
    name: &str,
    ty: TypeConstraint<'_>,
    place: ValuePosition<'_>,
    w: &mut Writer,
) {
    let kind = values.kind;
    let is_list = values.is_list(ty);
    let class = if is_list { values.list_class_of(ty) } else { values.class_of(ty) };
    let segments = match kind {
        "operand" => spellings::operand_segments.of(w.rules()),
        _ => spellings::result_segments.of(w.rules()),
    };
    emit_property(name, class, w, |w| {
        let holes: [(&str, &dyn Display); 4] =
            [("owner", &place.owner), ("kind", &kind), ("segments", &segments), ("index", &place.index)];
        w.fill(SEGMENT, &holes);
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
     @owner.@{kind}s,
     @owner.attributes["@segments"], @index)
"#,
);

/// The conversion of an attribute that is read.
enum Wrapper<'r> {
    /// It is returned unchanged.
    Nothing,
    /// The class that the library has for its storage.
    Class(&'r str),
}

impl<'r> Wrapper<'r> {
    /// Returns nothing if the release has no property for such an attribute. A flag always has one.
    fn of(attribute: Attribute<'r>) -> Option<Self> {
        if attribute.rules().has(Change::PythonWithoutAttributes) || is_unit(attribute) {
            return Some(Wrapper::Nothing);
        }
        attribute.python_class().map(Wrapper::Class)
    }
}

/// Writes the getter of an attribute.
fn emit_getter(attribute: &NamedAttribute<'_>, owner: &str, wrapper: &Wrapper<'_>, w: &mut Writer) {
    let NamedAttribute { name: key, attribute, .. } = *attribute;
    let class = format!("_ods_ir.{}", names::attribute_class(attribute));
    let plain = format!("{owner}.attributes[\"{key}\"]");
    let value = match wrapper {
        Wrapper::Nothing => plain,
        Wrapper::Class(class) => format!("{class}({plain})"),
    };
    if is_unit(attribute) {
        emit_property(key, "bool", w, |w| w.line(format_args!("return \"{key}\" in {owner}.attributes")));
    } else if attribute.is_optional() {
        let class = format!("_Optional[{class}]");
        let holes: [(&str, &dyn Display); 3] = [("key", &key), ("owner", &owner), ("value", &value)];
        emit_property(key, &class, w, |w| w.fill(OPTIONAL_GETTER, &holes));
    } else {
        emit_property(key, &class, w, |w| w.line(format_args!("return {value}")));
    }
}

/// Writes the setter and, unless the attribute is required, the deleter.
fn emit_changes(attribute: &NamedAttribute<'_>, w: &mut Writer) {
    let NamedAttribute { name: key, attribute, .. } = *attribute;
    let class = format!("_ods_ir.{}", names::attribute_class(attribute));
    if is_unit(attribute) {
        emit_setter(key, None, UNIT_SETTER, w);
        emit_deleter(key, w);
    } else if attribute.is_optional() {
        let class = format!("_Optional[{class}]");
        emit_setter(key, Some(&class), OPTIONAL_SETTER, w);
        emit_deleter(key, w);
    } else {
        emit_setter(key, Some(&class), SETTER, w);
    }
}

/// Writes the setter of a property; a flag accepts a value of any type.
fn emit_setter(key: &str, ty: Option<&str>, body: Template, w: &mut Writer) {
    let name = names::identifier(key, w.rules());
    w.blank();
    w.line(format_args!("@{name}.setter"));
    match ty.filter(|_| w.rules().has(Change::PythonTypes)) {
        Some(ty) => w.line(format_args!("def {name}(self, value: {ty}):")),
        None => w.line(format_args!("def {name}(self, value):")),
    }
    w.indented(|w| w.fill(body, &[("key", &key)]));
}

fn emit_deleter(key: &str, w: &mut Writer) {
    let name = names::identifier(key, w.rules());
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
if "@key" not in @owner.attributes:
  return None
return @value
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
