//! The struct of properties, and members that get and set them. In this order: attributes by name; properties; lengths
//! of groups; comparison.

use std::fmt::Display;

use super::{
    attributes,
    info::{OpInfo, StoredAttribute, is_required},
};
use crate::cpp::{Class, Method, Template, Writer, continued, from_fn, substitute};
use odsmith_ods::{Attribute, NamedAttribute, NamedProperty, Property, PropertyCode, cpp_name};
use odsmith_release::{Change, spellings};

/// Writes `struct Properties`, for an operation that stores something there.
pub(super) fn emit_struct(op: &OpInfo<'_>, w: &mut Writer) {
    w.block("struct Properties {", "};", |w| {
        for stored in &op.attributes {
            match stored.attribute {
                Some(attribute) => emit_attribute(stored.name, attribute, w),
                None => emit_field(stored.name, "::mlir::DenseI32ArrayAttr", None, w),
            }
        }
        op.op.properties().iter().for_each(|named| emit_property(named, w));
        for (name, count) in op.segment_counts() {
            emit_field(name, &format!("std::array<int32_t, {count}>"), None, w);
            let (getter, setter) = (cpp_name::getter(name), cpp_name::setter(name));
            w.fill(SEGMENTS, &[("name", &name), ("getter", &getter), ("setter", &setter)]);
        }
        emit_comparison(op, w);
    });
}

fn emit_field(name: &str, cpp_type: &str, default: Option<&str>, w: &mut Writer) {
    w.line(format_args!("using {name}Ty = {cpp_type};"));
    match default {
        Some(value) => w.line(format_args!("{name}Ty {name} = {value};")),
        None => w.line(format_args!("{name}Ty {name};")),
    }
}

fn emit_attribute(name: &str, attribute: Attribute<'_>, w: &mut Writer) {
    let storage = attribute.storage_type();
    emit_field(name, storage, None, w);
    w.blank();
    w.fill(
        ATTRIBUTE,
        &[
            ("name", &name),
            ("getter", &cpp_name::getter(name)),
            ("setter", &cpp_name::setter(name)),
            ("cast", &if is_required(attribute) { "cast" } else { "dyn_cast_or_null" }),
            ("storage", &storage),
        ],
    );
}

const ATTRIBUTE: Template = Template(
    r#"
auto @getter()@property_getter_const {
  auto &propStorage = this->@name;
  return ::llvm::@cast<@storage>(propStorage);
}
void @setter(const @storage &propValue) {
  this->@name = propValue;
}
"#,
);

/// Returns the default value as it is stored; placeholders are only filled in one of the interface type.
pub(super) fn storage_default(property: Property<'_>, names: &[(&str, &str)]) -> Option<String> {
    match property.code(PropertyCode::StorageDefault) {
        "" => property.default_value().map(|default| match property.rules().has(Change::FilledDefaults) {
            true => substitute(default, names).to_string(),
            false => default.to_owned(),
        }),
        stored => Some(stored.to_owned()),
    }
}

fn emit_property(named: &NamedProperty<'_>, w: &mut Writer) {
    let NamedProperty { name, property, .. } = named;
    emit_field(
        name,
        property.storage_type(),
        storage_default(*property, &[("_builder", "odsBuilder")]).as_deref(),
        w,
    );
    let storage = [("_storage", "propStorage"), ("_value", "propValue")];
    w.fill(
        PROPERTY,
        &[
            ("name", name),
            ("type", &property.interface_type()),
            ("getter", &cpp_name::getter(name)),
            ("setter", &cpp_name::setter(name)),
            ("from_storage", &substitute(property.code(PropertyCode::ConvertFromStorage), &storage)),
            ("to_storage", &substitute(property.code(PropertyCode::AssignToStorage), &storage)),
        ],
    );
}

const PROPERTY: Template = Template(
    r#"
@type @getter()@property_getter_const {
  auto &propStorage = this->@name;
  return @from_storage;
}
void @setter(@{setter_const}@type@{setter_reference}propValue) {
  auto &propStorage = this->@name;
  @to_storage;
}
"#,
);

const SEGMENTS: Template = Template(
    r#"
::llvm::ArrayRef<int32_t> @getter()@property_getter_const {
  auto &propStorage = this->@name;
  return propStorage;
}
void @setter(@{setter_const}::llvm::ArrayRef<int32_t>@{setter_reference}propValue) {
  auto &propStorage = this->@name;
  ::llvm::copy(propValue, propStorage.begin());
}
"#,
);

fn emit_comparison(op: &OpInfo<'_>, w: &mut Writer) {
    w.braces("bool operator==(const Properties &rhs) const", |w| {
        w.line("return ");
        w.indented(|w| {
            stored_names(op).for_each(|name| w.line(format_args!("rhs.{name} == this->{name} &&")));
            w.line("true;");
        });
    });
    w.braces("bool operator!=(const Properties &rhs) const", |w| w.line("return !(*this == rhs);"));
}

/// Returns the names of all members of the struct, in order.
fn stored_names<'a>(op: &'a OpInfo<'a>) -> impl Iterator<Item = &'a str> {
    let attributes = op.attributes.iter().map(|stored: &StoredAttribute<'a>| stored.name);
    let properties = op.op.properties().iter().map(|named| named.name);
    attributes.chain(properties).chain(op.segment_properties().map(|name| -> &'a str { name }))
}

/// Adds the getters of the operation or its adaptor.
pub(super) fn add_getters<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !op.rules().has(Change::PropertyAccessors) {
        return;
    }
    for NamedProperty { name, property, .. } in op.op.properties() {
        let getter = cpp_name::getter(name);
        class.method(Method::new(property.interface_type(), getter).inline(|w| {
            w.line(format_args!("return getProperties().{}();", cpp_name::getter(name)));
        }));
    }
}

/// Adds the setters of the operation.
pub(super) fn add_setters<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !op.rules().has(Change::PropertyAccessors) {
        return;
    }
    for NamedProperty { name, property, .. } in op.op.properties() {
        let value = format!("new{}", cpp_name::camel_case(name, true));
        let setter = Method::new("void", cpp_name::setter(name));
        class.method(setter.parameter(property.interface_type(), value.clone()).inline(move |w| {
            w.line(format_args!("getProperties().{}({value});", cpp_name::setter(name)));
        }));
    }
}

/// Adds `populateDefaultProperties` or `populateDefaultAttrs`, which set the default values of missing attributes.
pub(super) fn add_defaults<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    // In most releases an optional attribute stays missing.
    let keeps_optional = !op.rules().has(Change::OptionalNotPopulated);
    let has_default = move |named: &&NamedAttribute<'_>| {
        (keeps_optional || !named.attribute.is_optional()) && named.attribute.default_value().is_some()
    };
    let mut defaults = op.op.natural_attributes().iter().filter(has_default).peekable();
    if defaults.peek().is_none() || !op.rules().has(Change::DefaultsPopulated) {
        return;
    }
    let defaults = move || op.op.natural_attributes().iter().filter(has_default);
    let is_any_dialect = op.rules().has(Change::DefaultsOfProperties);
    if op.attributes_are_properties || (op.has_properties && is_any_dialect) {
        let method = Method::new("void", "populateDefaultProperties").as_static();
        let method =
            method.parameter("::mlir::OperationName", "opName").parameter("Properties &", "properties");
        class.method(method.defined(move |w| {
            w.line("::mlir::Builder odsBuilder(opName.getContext());");
            for NamedAttribute { name, attribute, .. } in defaults() {
                let value = continued(attributes::default_attribute(*attribute, "odsBuilder"), "  ");
                w.line(format_args!("if (!properties.{name})"));
                w.line(format_args!("  properties.{name} = {value};"));
            }
        }));
        return;
    }
    let method = Method::new("void", "populateDefaultAttrs").as_static();
    let method = method
        .parameter(spellings::name_with_attributes.of(op.rules()), "opName")
        .parameter("::mlir::NamedAttrList &", "attributes");
    class.method(method.defined(move |w| {
        w.line("auto attrNames = opName.getAttributeNames();");
        w.line("::mlir::Builder odsBuilder(attrNames.front().getContext());");
        for NamedAttribute { name, attribute, .. } in defaults() {
            let value = match w.rules().has(Change::AddedDefaultsFilled) {
                true => attributes::default_attribute(*attribute, "odsBuilder"),
                false => attributes::compared_default(*attribute, &[("_builder", "odsBuilder")]),
            };
            let value = continued(value, "    ");
            let index = op.attribute_names.iter().position(|other| other == name).unwrap_or_default();
            w.braces(format_args!("if (!attributes.get(attrNames[{index}]))"), |w| {
                let margin = spellings::default_margin.of(w.rules());
                w.line(format_args!("{margin}attributes.append(attrNames[{index}], {value});"));
            });
        }
    }));
}

/// Returns a snippet of a property, filled.
pub(super) fn filled<'a>(
    property: Property<'a>,
    code: PropertyCode,
    names: &'a [(&'a str, &'a str)],
) -> odsmith_ods::snippet::FilledSnippet<'a> {
    substitute(property.code(code), names)
}

/// Returns the old name of the lengths of groups.
pub(super) fn old_name(name: &str) -> Option<&'static str> {
    match name {
        "operandSegmentSizes" => Some("operand_segment_sizes"),
        "resultSegmentSizes" => Some("result_segment_sizes"),
        _ => None,
    }
}

/// Writes a lookup under the old name too, even if the lengths of groups are the operation's own attribute.
pub(super) fn lookup_of_old_name(name: &str) -> impl Display {
    let old = old_name(name);
    from_fn(move |f| match old {
        Some(old) => write!(f, "   if (!attr) attr = dict.get(\"{old}\");"),
        None => Ok(()),
    })
}
