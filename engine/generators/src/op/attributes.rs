//! Members for attributes. Of the operation, in this order: their names; getters, those of derived attributes last; the
//! materialization of derived attributes; setters; removers. Of the adaptor: getters.

use std::fmt::Display;

use super::info::{OpInfo, Site, StoredAttribute, is_required};
use crate::cpp::{Access, Class, Method, Template, Writer, cast, continued, from_fn, join, substitute};
use odsmith_ods::{Attribute, NamedAttribute, cpp_name};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

/// Adds `getAttributeNames`, and a getter for each name.
pub(super) fn add_names<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let segments = op.has_operand_segments_property().then_some(op.operand_segments());
    let names = Method::new("::llvm::ArrayRef<::llvm::StringRef>", "getAttributeNames").as_static();
    class.method(names.inline(move |w| {
        if op.attribute_names.is_empty() && segments.is_none() {
            return w.line("return {};");
        }
        let names = op.attribute_names.iter().copied().chain(segments);
        let names = names.map(|name| from_fn(move |f| write!(f, "::llvm::StringRef(\"{name}\")")));
        w.line(format_args!("static ::llvm::StringRef attrNames[] = {{{}}};", join(names, ", ")));
        let line = format!("return {}(attrNames);", spellings::array_ref.of(w.rules()));
        // Older releases indent only the first line of a body.
        match w.rules().has(Change::SpacedMembers) {
            true => w.line(line),
            false => w.outdented(|w| w.line(line)),
        }
    }));
    for (index, name) in op.attribute_names.iter().enumerate() {
        for getter in op.op.getters(name) {
            let [own, given] = name_getters(&getter, op.rules());
            class.method(own.inline(move |w| {
                w.line(format_args!("return getAttributeNameForIndex({index});"));
            }));
            class.method(given.inline(move |w| {
                w.line(format_args!("return getAttributeNameForIndex(name, {index});"));
            }));
        }
    }
    if let Some(name) = segments {
        let [own, given] = name_getters(&op.op.getter(name), op.rules());
        class.method(own.inline(|w| {
            w.outdented(|w| w.line(" return (*this)->getName().getAttributeNames().back();"));
        }));
        class.method(given.inline(|w| {
            w.outdented(|w| w.line(" return name.getAttributeNames().back();"));
        }));
    }
}

/// Returns the getters of an attribute's name: of an operation, and for the name of an operation.
fn name_getters<'a>(getter: &str, rules: &Rules) -> [Method<'a>; 2] {
    let (ty, name) = (spellings::AttributeName.of(rules), format!("{getter}AttrName"));
    let given = Method::new(ty, name.clone()).as_static();
    [Method::new(ty, name), given.parameter("::mlir::OperationName", "name")]
}

/// Adds the functions that the getters of names call.
pub(super) fn add_name_lookup<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if op.attribute_names.is_empty() && !op.has_operand_segments_property() {
        return;
    }
    class.access(Access::Private);
    let ty = spellings::AttributeName.of(op.rules());
    let lookup = || Method::new(ty, "getAttributeNameForIndex");
    class.method(lookup().parameter("unsigned", "index").inline(|w| {
        w.line("return getAttributeNameForIndex((*this)->getName(), index);");
    }));
    let given =
        lookup().as_static().parameter("::mlir::OperationName", "name").parameter("unsigned", "index");
    class.method(given.inline(|w| match op.attribute_names.len() {
        0 => w.line("return {};"),
        count => {
            if !op.rules().has(Change::SpacedMembers) {
                return w.outdented(|w| w.fill(REGISTERED_NAME, &[("count", &count)]));
            }
            if !op.rules().has(Change::NamesOfAnyOperation) {
                return w.fill(REGISTERED_NAME, &[("count", &count)]);
            }
            w.fill(NAME_CHECK, &[("count", &count)]);
            if op.rules().has(Change::RegisteredNamesOnly) {
                w.fill(REGISTRATION_CHECK, &[]);
            }
            w.line("return name.getAttributeNames()[index];");
        }
    }));
}

const REGISTERED_NAME: Template = Template(
    r#"
assert(index < @count && "invalid attribute index");
return name.@registered_info()->getAttributeNames()[index];
"#,
);

const NAME_CHECK: Template = Template(
    r#"
assert(index < @count && "invalid attribute index");
assert(name.getStringRef() == getOperationName() && "invalid operation name");
"#,
);

const REGISTRATION_CHECK: Template = Template(
    r#"
assert(name.isRegistered() && "Operation isn't registered, missing a "
      "dependent dialect loading?");
"#,
);

pub(super) fn add_accessors<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for (index, NamedAttribute { name, attribute, .. }) in op.op.natural_attributes().iter().enumerate() {
        let Some(stored) = op.attribute(name) else { continue };
        for (number, name) in op.op.getters(name).enumerate() {
            let is_first = index == 0 && number == 0;
            let raw = Method::new(attribute.storage_type(), format!("{name}Attr"));
            let own = name.clone();
            class.method(op.short(raw, move |w| {
                if !op.rules().has(Change::SortedLookups) {
                    return emit_lookup(&own, *attribute, w);
                }
                let value = Cast { value: op.stored(stored, Site::Op), attribute: *attribute };
                w.line(format_args!("return {};", continued(value.shown(), op.short_margin())));
            }));
            class.method(getter(name, *attribute, Site::Op, is_first));
        }
    }
    for NamedAttribute { name, attribute, .. } in op.op.derived_attributes() {
        for name in op.op.getters(name) {
            let getter = Method::new(attribute.return_type(), name);
            class.method(getter.defined(|w| w.line(attribute.derived_body().unwrap_or_default())));
        }
    }
    add_derived_attributes(op, class);
    for NamedAttribute { name, attribute, .. } in op.op.natural_attributes() {
        for (setter, getter) in op.op.setters(name) {
            class.method(raw_setter(op, name, setter, getter, *attribute));
        }
        if can_be_set_by_value(attribute.base()) && op.rules().has(Change::ValueSetters) {
            class.method(setter(op, name, *attribute));
        }
    }
    for NamedAttribute { name, .. } in
        op.op.natural_attributes().iter().filter(|named| named.attribute.is_optional())
    {
        class.method(remover(op, name));
    }
}

/// Writes the body of a getter that looks the attribute up by the name from its name getter.
fn emit_lookup(getter: &str, attribute: Attribute<'_>, w: &mut Writer) {
    let template = if w.rules().has(Change::PlainCasts) { "" } else { "template " };
    let function = if is_required(attribute) { "cast" } else { "dyn_cast_or_null" };
    let ty = attribute.storage_type();
    w.line(format_args!("return (*this)->getAttr({getter}AttrName()).{template}{function}<{ty}>();"));
}

/// Adds the getters of the adaptor.
pub(super) fn add_adaptor_getters<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for (index, NamedAttribute { name, attribute, .. }) in op.op.natural_attributes().iter().enumerate() {
        let Some(stored) = op.attribute(name) else { continue };
        for (number, name) in op.op.getters(name).enumerate() {
            let has_values = op.rules().has(Change::ValuesInAdaptors);
            // Without getters of values, no getter has set `$_self`.
            let is_first = index == 0 && number == 0 || !has_values;
            let suffix = if has_values { "Attr" } else { "" };
            let raw = Method::new(attribute.storage_type(), format!("{name}{suffix}"));
            let emit = move |w: &mut Writer| emit_adaptor_getter(op, stored, *attribute, is_first, w);
            class.method(if op.has_properties && attribute.default_value().is_none() {
                op.short(raw, emit)
            } else {
                raw.defined(emit)
            });
            if has_values {
                class.method(getter(name, *attribute, Site::Adaptor, is_first));
            }
        }
    }
}

fn emit_adaptor_getter(
    op: &OpInfo<'_>,
    stored: &StoredAttribute<'_>,
    attribute: Attribute<'_>,
    is_first: bool,
    w: &mut Writer,
) {
    if !op.has_properties {
        w.line(r#"assert(odsAttrs && "no attributes when constructing adapter");"#);
    }
    let value = Cast { value: op.stored(stored, Site::Adaptor), attribute };
    let ty = if op.rules().has(Change::SortedLookups) { "auto" } else { attribute.storage_type() };
    let emit_all = |w: &mut Writer| w.line(format_args!("{ty} attr = {};", value.shown()));
    match op.rules().has(Change::AdaptorDefaultsIndented) {
        true => w.every_line(emit_all),
        false => emit_all(w),
    }
    if getter_builds_default(attribute) {
        let margin = spellings::adaptor_default_margin.of(w.rules());
        w.line(format_args!("{margin}if (!attr)"));
        let emit = |w: &mut Writer| {
            let default = default_in_getter(attribute, Site::Adaptor, is_first);
            w.line(format_args!("{margin}  attr = {default};"));
        };
        match op.rules().has(Change::AdaptorDefaultsIndented) {
            true => w.every_line(emit),
            false => emit(w),
        }
    }
    w.line("return attr;");
}

/// A stored value, cast to its C++ class.
struct Cast<'a, D> {
    value: D,
    attribute: Attribute<'a>,
}

impl<D: Display> Cast<'_, D> {
    fn shown(&self) -> impl Display {
        let function = if is_required(self.attribute) { "::llvm::cast" } else { "::llvm::dyn_cast_or_null" };
        let rules = self.attribute.rules();
        cast(rules, function, self.attribute.storage_type(), &self.value)
    }
}

/// Returns whether getters build a default value. If the release sets it when the operation is created, only getters of
/// optional attributes build one.
pub(super) fn getter_builds_default(attribute: Attribute<'_>) -> bool {
    let rules = attribute.rules();
    attribute.default_value().is_some() && (attribute.is_optional() || !rules.has(Change::DefaultsAreSet))
}

/// Returns the getter of the value.
fn getter<'a>(name: String, attribute: Attribute<'a>, site: Site, is_first: bool) -> Method<'a> {
    Method::new(attribute.return_type(), name.clone()).defined(move |w| {
        let convert = |value: &str, w: &mut Writer| {
            let names = [("_self", value), ("_builder", site.builder())];
            writeln!(w, "return {};", substitute(attribute.convert_from_storage(), &names));
        };
        w.line(format_args!("auto attr = {name}Attr();"));
        if getter_builds_default(attribute) {
            w.line("  if (!attr)");
            w.raw("      ");
            convert(&default_in_getter(attribute, site, is_first), w);
        }
        w.margin();
        convert("attr", w);
    })
}

/// Returns C++ that builds an attribute's default value.
pub(super) fn default_attribute(attribute: Attribute<'_>, builder: &str) -> String {
    constant_attribute(attribute, builder, attribute.default_value().unwrap_or_default())
}

/// Returns the same C++ for a getter. As in the reference, `$_self` keeps the value from the getter of an earlier
/// attribute.
fn default_in_getter(attribute: Attribute<'_>, site: Site, is_first: bool) -> String {
    let names = [("_builder", site.builder()), ("_self", "attr")];
    let names = if is_first { &names[..1] } else { &names[..] };
    compared_default(attribute, names)
}

/// Returns C++ for an attribute with its default value, which replaces a missing one or is compared.
pub(super) fn compared_default(attribute: Attribute<'_>, names: &[(&str, &str)]) -> String {
    let default = attribute.default_value().unwrap_or_default();
    match attribute.rules().has(Change::FilledDefaults) {
        true => constant_of(attribute, names, default),
        false => {
            let call = attribute.const_builder_call().unwrap_or_default();
            substitute(call, names).args(&[default]).to_string()
        }
    }
}

/// Returns C++ that builds an attribute from a value.
pub(super) fn constant_attribute(attribute: Attribute<'_>, builder: &str, value: &str) -> String {
    constant_of(attribute, &[("_builder", builder)], value)
}

fn constant_of(attribute: Attribute<'_>, names: &[(&str, &str)], value: &str) -> String {
    let call = attribute.const_builder_call().unwrap_or_default();
    let value = substitute(value, names).to_string();
    substitute(call, names).args(&[&value]).to_string()
}

/// Returns whether the attribute can be built from a C++ value.
pub(super) fn can_be_set_by_value(attribute: Attribute<'_>) -> bool {
    attribute.return_type() != attribute.storage_type() && attribute.const_builder_call().is_some()
}

/// Adds `isDerivedAttribute` and `materializeDerivedAttributes`.
fn add_derived_attributes<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let derived = op.op.derived_attributes();
    if derived.is_empty() {
        return;
    }
    let is_derived =
        Method::new("bool", "isDerivedAttribute").as_static().parameter("::llvm::StringRef", "name");
    class.method(is_derived.defined(move |w| {
        for NamedAttribute { name, .. } in derived {
            w.line(format_args!("if (name == \"{name}\") return true;"));
        }
        w.outdented(|w| w.line(" return false;"));
    }));
    let materialize = Method::new("::mlir::DictionaryAttr", "materializeDerivedAttributes");
    class.method(materialize.defined(move |w| {
        if let Some(problem) = materialization_problem(op) {
            w.line(format_args!("emitOpError(\"{problem}\");"));
            w.line("return nullptr;");
            return;
        }
        let context = spellings::derived_context.of(w.rules());
        w.line("::mlir::MLIRContext* ctx = getContext();");
        w.line("::mlir::Builder odsBuilder(ctx); (void)odsBuilder;");
        w.line("return ::mlir::DictionaryAttr::get(  ctx, {");
        for (index, NamedAttribute { name, attribute, .. }) in derived.iter().enumerate() {
            let getter = op.op.getter(name);
            let value = format!("{getter}()");
            let names = [
                ("_self", value.as_str()),
                ("_builder", "odsBuilder"),
                (context, "ctx"),
                ("_storage", "ctx"),
            ];
            let known = if w.rules().has(Change::Properties) { &names[..] } else { &names[..3] };
            let convert = substitute(attribute.convert_from_storage(), known);
            w.raw(if index > 0 { ",\n" } else { "" });
            write!(w, "    {{{getter}AttrName(),\n{convert}}}");
        }
        w.raw("});\n");
    }));
}

/// Returns the reason why derived attributes cannot be materialized, if there is one.
fn materialization_problem(op: &OpInfo<'_>) -> Option<String> {
    let derived = op.op.derived_attributes().iter();
    let missing = derived.filter(|named| named.attribute.convert_from_storage().is_empty());
    let names: Vec<String> = missing.map(|named| op.op.getter(named.name)).collect();
    let names = names.join(", ");
    (!names.is_empty()).then(|| format!("op has non-materializable derived attributes '{names}'"))
}

/// Returns the warning about derived attributes that cannot be materialized.
pub(super) fn check_materialization(op: &OpInfo<'_>) -> Option<Diagnostic> {
    let problem = materialization_problem(op)?;
    Some(Diagnostic::warning(op.op.definition().span(), format!("{problem}, skipping")))
}

/// Returns whether setters of attributes set properties.
fn sets_properties(op: &OpInfo<'_>) -> bool {
    op.attributes_are_properties && op.rules().has(Change::SettersSetProperties)
}

fn raw_setter<'a>(
    op: &'a OpInfo<'a>,
    name: &'a str,
    setter: String,
    getter: String,
    attribute: Attribute<'a>,
) -> Method<'a> {
    let method = Method::new("void", setter + "Attr");
    op.short(method.parameter(attribute.storage_type(), "attr"), move |w| {
        if sets_properties(op) {
            w.line(format_args!("getProperties().{name} = attr;"));
        } else {
            w.line(format_args!("(*this)->setAttr({getter}AttrName(), attr);"));
        }
    })
}

/// Returns the setter by value. For an optional attribute no value removes it; for a unit attribute `false` does.
///
/// The value of an optional attribute is that of its base, because `OptionalAttr` has no value of its own.
fn setter<'a>(op: &'a OpInfo<'a>, name: &'a str, attribute: Attribute<'a>) -> Method<'a> {
    let base = attribute.base();
    let is_wrapped = attribute.is_optional() && !attribute.is_called_unit();
    let method = Method::new("void", cpp_name::setter(name));
    let method = if is_wrapped {
        method.parameter(format!("::std::optional<{}>", base.return_type()), "attrValue")
    } else if attribute.is_called_unit() {
        method.parameter("bool", "attrValue")
    } else {
        method.parameter(attribute.return_type(), "attrValue")
    };
    method.defined(move |w| {
        let value = if is_wrapped { "*attrValue" } else { "attrValue" };
        let made = if attribute.is_optional() { base } else { attribute };
        let value = constant_attribute(made, Site::Op.builder(), value);
        match (sets_properties(op), attribute.is_optional()) {
            (true, false) => w.line(format_args!("getProperties().{name} = {value};")),
            (true, true) => w.fill(SET_PROPERTY, &[("name", &name), ("value", &value)]),
            (false, false) => {
                w.line(format_args!("(*this)->setAttr({}AttrName(), {value});", cpp_name::getter(name)));
            }
            (false, true) => {
                w.fill(SET_ATTRIBUTE, &[("getter", &cpp_name::getter(name)), ("value", &value)]);
            }
        }
    })
}

const SET_PROPERTY: Template = Template(
    r#"
  auto &odsProp = getProperties().@name;
  if (attrValue)
    odsProp = @value;
  else
    odsProp = nullptr;
"#,
);

const SET_ATTRIBUTE: Template = Template(
    r#"
  if (attrValue)
    return (*this)->setAttr(@{getter}AttrName(), @value);
  (*this)->removeAttr(@{getter}AttrName());
"#,
);

fn remover<'a>(op: &'a OpInfo<'a>, name: &'a str) -> Method<'a> {
    let camel = match op.rules().has(Change::RemoversInCamelCase) {
        true => cpp_name::camel_case(name, true),
        false => capitalized(name),
    };
    let method = Method::new("::mlir::Attribute", format!("remove{camel}Attr"));
    op.short(method, move |w| {
        if op.attributes_are_properties {
            let is_taken = w.rules().has(Change::RemovedAttributes);
            w.fill(if is_taken { REMOVE_PROPERTY } else { REMOVE_BY_REFERENCE }, &[("name", &name)]);
        } else {
            let getter = op.op.getter(name);
            let text = format!("return (*this)->removeAttr({getter}AttrName());");
            match w.rules().has(Change::Properties) {
                true => w.outdented(|w| w.line(text)),
                false => w.line(text),
            }
        }
    })
}

/// Capitalizes the first letter.
fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

// The result is the reference itself, which is empty afterwards.
const REMOVE_BY_REFERENCE: Template = Template(
    r#"
  auto &attr = getProperties().@name;
  attr = {};
  return attr;
"#,
);

const REMOVE_PROPERTY: Template = Template(
    r#"
  auto attr = getProperties().@name;
  getProperties().@name = {};
  return attr;
"#,
);
