//! Conversions between properties and attributes: `setPropertiesFromAttr`, `getPropertiesAsAttr`,
//! `computePropertiesHash`, `getInherentAttr`, `setInherentAttr`, `walkInherentAttrs` or its predecessor
//! `populateInherentAttrs`, `verifyInherentAttrs`;
//! further down in the class `setPropertiesFromParsedAttr`.

use std::fmt::Display;

use super::{
    constraints::{Kind, StaticVerifiers},
    format,
    info::{OpInfo, StoredAttribute, is_required},
    properties::{filled, lookup_of_old_name, old_name, storage_default},
    strict_conversions,
};
use crate::cpp::{Class, Method, Template, Writer, continued};
use odsmith_ods::{NamedAttribute, NamedProperty, PropertyCode, cpp_name};
use odsmith_release::{Change, spellings};

const EMIT_ERROR: &str = "::llvm::function_ref<::mlir::InFlightDiagnostic()>";

pub(super) fn add_conversions<'a>(
    op: &'a OpInfo<'a>,
    verifiers: Option<&'a StaticVerifiers<'a>>,
    class: &mut Class<'a>,
) {
    let method = |return_type: &'static str, name: &'static str| Method::new(return_type, name).as_static();
    let properties = ("const Properties &", "prop");
    let context = ("::mlir::MLIRContext *", "ctx");

    let from_attribute = method(spellings::LogicalResult.of(op.rules()), "setPropertiesFromAttr")
        .parameter("Properties &", "prop")
        .parameter("::mlir::Attribute", "attr");
    let from_attribute = match op.rules().has(Change::ErrorsByFunction) {
        true => from_attribute.parameter(EMIT_ERROR, "emitError"),
        false => from_attribute.parameter("::mlir::InFlightDiagnostic *", "diag"),
    };
    class.method(from_attribute.defined(|w| emit_from_attribute(op, w)));

    let as_attribute = method("::mlir::Attribute", "getPropertiesAsAttr")
        .parameter(context.0, context.1)
        .parameter(properties.0, properties.1);
    class.method(as_attribute.defined(|w| emit_as_attribute(op, w)));

    let hash = method("llvm::hash_code", "computePropertiesHash").parameter(properties.0, properties.1);
    class.method(hash.defined(|w| emit_hash(op, w)));

    let get = method("std::optional<mlir::Attribute>", "getInherentAttr")
        .parameter(context.0, context.1)
        .parameter(properties.0, properties.1)
        .parameter("llvm::StringRef", "name");
    class.method(get.defined(|w| emit_get_inherent(op, w)));

    let set = method("void", "setInherentAttr")
        .parameter("Properties &", "prop")
        .parameter("llvm::StringRef", "name")
        .parameter("mlir::Attribute", "value");
    class.method(set.defined(|w| emit_set_inherent(op, w)));

    if op.rules().has(Change::InherentAttributesWalked) {
        let walk = method("void", "walkInherentAttrs")
            .parameter(context.0, context.1)
            .parameter("Properties &", "prop")
            .parameter("::llvm::function_ref<void(::llvm::StringRef, ::mlir::Attribute &)>", "visitor");
        class.method(walk.defined(|w| emit_walk_inherent(op, w)));
    } else {
        let populate = method("void", "populateInherentAttrs")
            .parameter(context.0, context.1)
            .parameter(properties.0, properties.1)
            .parameter("::mlir::NamedAttrList &", "attrs");
        class.method(populate.defined(|w| emit_populate_inherent(op, w)));
    }

    let verify = method(spellings::LogicalResult.of(op.rules()), "verifyInherentAttrs")
        .parameter("::mlir::OperationName", "opName")
        .parameter("::mlir::NamedAttrList &", "attrs")
        .parameter(
            "llvm::function_ref<::mlir::InFlightDiagnostic()>",
            spellings::error_function.of(op.rules()),
        );
    class.method(verify.defined(move |w| emit_verify_inherent(op, verifiers, w)));
}

const EXPECT_DICTIONARY: Template = Template(
    r#"
::mlir::DictionaryAttr dict = ::llvm::dyn_cast<::mlir::DictionaryAttr>(attr);
if (!dict) {
  @{report}"expected DictionaryAttr to set properties";
  return ::mlir::failure();
}
"#,
);

fn emit_expectation(w: &mut Writer) {
    let rules = *w.rules();
    w.fill(EXPECT_DICTIONARY, &[("report", &strict_conversions::report(&rules, "    "))]);
}

fn emit_from_attribute(op: &OpInfo<'_>, w: &mut Writer) {
    emit_expectation(w);
    if !op.rules().has(Change::MissingPropertiesAllowed) {
        return strict_conversions::emit_from_attribute(op, w);
    }
    for StoredAttribute { name, .. } in &op.attributes {
        let has_helper = op.rules().has(Change::ConversionHelpers);
        let template = if has_helper { SET_ATTRIBUTE_PROPERTY } else { ATTRIBUTE_FROM_ATTRIBUTE };
        w.fill(template, &[("name", name), ("old", &lookup_of_old_name(name))]);
    }
    if op.attributes.is_empty() {
        // The reference indents the next text once more.
        let is_last = op.op.properties().is_empty() && op.segment_properties().next().is_none();
        w.raw(if is_last { "      " } else { "    " });
    }
    let names = [
        ("_storage", "propStorage"),
        ("_attr", "propAttr"),
        ("_diag", "emitError"),
        ("_builder", "odsBuilder"),
    ];
    w.outdented(|w| {
        for NamedProperty { name, property, .. } in op.op.properties() {
            let convert = filled(*property, PropertyCode::ConvertFromAttribute, &names);
            let default = storage_default(*property, &names);
            emit_property_from_attribute(name, &convert, default.as_deref(), w);
        }
        for name in op.segment_properties() {
            let convert = "return convertFromAttribute(propStorage, propAttr, emitError);";
            emit_property_from_attribute(name, &convert, None, w);
        }
    });
    w.line("return ::mlir::success();");
}

const SET_ATTRIBUTE_PROPERTY: Template = Template(
    r#"

{
     auto attr = dict.get("@name");@old
  if (::mlir::failed(::mlir::detail::setAttributeProperty(
          prop.@name, attr, "@name", emitError)))
    return ::mlir::failure();
}
"#,
);

const ATTRIBUTE_FROM_ATTRIBUTE: Template = Template(
    r#"

{
  auto &propStorage = prop.@name;
     auto attr = dict.get("@name");@old
  if (attr) {
    auto convertedAttr = ::llvm::dyn_cast<std::remove_reference_t<decltype(propStorage)>>(attr);
    if (convertedAttr) {
      propStorage = convertedAttr;
    } else {
      emitError() << "Invalid attribute `@name` in property conversion: " << attr;
      return ::mlir::failure();
    }
  }
}
"#,
);

fn emit_property_from_attribute(name: &str, convert: &dyn Display, default: Option<&str>, w: &mut Writer) {
    let (template, margin, value) = match default {
        Some(value) => (PROPERTY_OR_DEFAULT, "            ", value),
        None => (PROPERTY_FROM_ATTRIBUTE, "          ", ""),
    };
    let (report, old) = (error_reporter(name, margin, w), lookup_of_old_name(name));
    w.fill_variant(
        template,
        &[("name", &name), ("convert", convert), ("old", &old), ("value", &value), ("report", &report)],
    );
}

/// Returns the function with which a conversion reports errors.
fn error_reporter(name: &str, margin: &str, w: &Writer) -> String {
    match w.rules().has(Change::ConversionsNameProperty) {
        true => format!("[&]() {{\n{margin}  return emitError() << \"for `{name}`: \";\n{margin}}}"),
        false => "emitError".to_owned(),
    }
}

const PROPERTY_FROM_ATTRIBUTE: Template = Template(
    r#"
{

      auto setFromAttr = [] (auto &propStorage, ::mlir::Attribute propAttr,
               ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError)@conversion_result {
        @convert
      };
         auto attr = dict.get("@name");@old;
;
      if (attr && ::mlir::failed(setFromAttr(prop.@name, attr, @report)))
        return ::mlir::failure();
  }
"#,
);

const PROPERTY_OR_DEFAULT: Template = Template(
    r#"
{

      auto setFromAttr = [] (auto &propStorage, ::mlir::Attribute propAttr,
               ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError)@conversion_result {
        @convert
      };
         auto attr = dict.get("@name");@old;
;
      if (attr) {
        if (::mlir::failed(setFromAttr(prop.@name, attr, @report)))
          return ::mlir::failure();
      } else {
        prop.@name = @value;
      }
  }
"#,
);

fn emit_as_attribute(op: &OpInfo<'_>, w: &mut Writer) {
    w.line("  ::mlir::SmallVector<::mlir::NamedAttribute> attrs;");
    if op.rules().has(Change::ConversionHelpers) {
        w.line("  ::mlir::Builder odsBuilder{ctx};");
        for StoredAttribute { name, .. } in &op.attributes {
            w.line(format_args!(
                "  ::mlir::detail::appendAttributeProperty(attrs, \"{name}\", prop.{name});"
            ));
        }
        w.blank();
    } else {
        w.line("  ::mlir::Builder odsBuilder{ctx};\n");
        for StoredAttribute { name, .. } in &op.attributes {
            w.fill(ATTRIBUTE_AS_ATTRIBUTE, &[("name", name)]);
        }
    }
    let names = [("_ctxt", "ctx"), ("_storage", "propStorage")];
    for NamedProperty { name, property, .. } in op.op.properties() {
        let convert = filled(*property, PropertyCode::ConvertToAttribute, &names);
        w.fill(property_as_attribute(op), &[("name", name), ("convert", &convert)]);
    }
    for name in op.segment_properties() {
        let convert = match op.rules().has(Change::ConvertingStatements) {
            true => "return ::mlir::DenseI32ArrayAttr::get(ctx, propStorage);",
            false => "::mlir::DenseI32ArrayAttr::get(ctx, propStorage)",
        };
        w.fill(property_as_attribute(op), &[("name", &name), ("convert", &convert)]);
    }
    w.line("if (!attrs.empty())");
    w.line("  return odsBuilder.getDictionaryAttr(attrs);");
    w.line("return {};");
}

const ATTRIBUTE_AS_ATTRIBUTE: Template = Template(
    r#"
  {
    const auto &propStorage = prop.@name;
    if (propStorage)
      attrs.push_back(odsBuilder.getNamedAttr("@name",
                                     propStorage));
  }

"#,
);

fn property_as_attribute(op: &OpInfo<'_>) -> Template {
    match op.rules().has(Change::ConvertingStatements) {
        true => PROPERTY_AS_ATTRIBUTE,
        false => EXPRESSION_AS_ATTRIBUTE,
    }
}

const EXPRESSION_AS_ATTRIBUTE: Template = Template(
    r#"
  {
    const auto &propStorage = prop.@name;
    attrs.push_back(odsBuilder.getNamedAttr("@name",
                                            @convert));
  }

"#,
);

const PROPERTY_AS_ATTRIBUTE: Template = Template(
    r#"
  {
    const auto &propStorage = prop.@name;
    auto attr = [&]() -> ::mlir::Attribute {
      @convert
    }();
    attrs.push_back(odsBuilder.getNamedAttr("@name", attr));
  }

"#,
);

fn emit_hash(op: &OpInfo<'_>, w: &mut Writer) {
    let storage = [("_storage", "propStorage")];
    let own = op.op.properties().iter().filter_map(|named| {
        // A property without code has, in later releases, the hash of its value.
        let has_code = !named.property.code(PropertyCode::Hash).is_empty();
        (has_code || !op.rules().has(Change::HashesOfProperties))
            .then(|| (named.name, filled(named.property, PropertyCode::Hash, &storage).to_string()))
    });
    let range = "::llvm::hash_combine_range(std::begin(propStorage), std::end(propStorage));";
    let segments = op.segment_properties().map(|name| (name, range.to_owned()));
    let lambdas: Vec<(&str, String)> = own.chain(segments).collect();
    let suffix = spellings::hash_suffix.of(op.rules());
    for (index, (name, hash)) in lambdas.iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        w.block(
            format_args!("auto hash_{name}{suffix} = [] (const auto &propStorage) -> llvm::hash_code {{"),
            "};",
            |w| {
                if op.rules().has(Change::HashesOfProperties) {
                    w.line("using ::llvm::hash_value;");
                }
                w.line(format_args!("return {hash};"));
            },
        );
    }
    if op.rules().has(Change::HashesOfProperties) {
        w.line("using llvm::hash_value;");
    }
    w.margin();
    w.raw("return llvm::hash_combine(");
    let mut separator = "\n    ";
    for StoredAttribute { name, .. } in &op.attributes {
        write!(w, "{separator}llvm::hash_value(prop.{name}.getAsOpaquePointer())");
        separator = ", \n    ";
    }
    let properties = op.op.properties().iter().map(|named: &NamedProperty<'_>| named.name);
    for name in properties.chain(op.segment_properties().map(|name| -> &str { name })) {
        match lambdas.iter().any(|(other, _)| *other == name) {
            true => write!(w, "{separator}hash_{name}{suffix}(prop.{name})"),
            false => write!(w, "{separator}hash_value(prop.{name})"),
        }
        separator = ", \n    ";
    }
    w.raw(");\n");
}

fn emit_get_inherent(op: &OpInfo<'_>, w: &mut Writer) {
    for (index, StoredAttribute { name, .. }) in op.attributes.iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        w.line(format_args!("  if (name == \"{name}\")"));
        w.line(format_args!("    return prop.{name};"));
    }
    for (name, value) in lengths_as_attributes(op) {
        let old = old_name(name).unwrap_or_default();
        w.line(format_args!("  if (name == \"{old}\" || name == \"{name}\") return {value};"));
    }
    w.line("return std::nullopt;");
}

/// Returns everything that is named like the lengths of groups, even a property of the operation's own, with C++ that
/// converts it to an attribute.
fn lengths_as_attributes<'a>(op: &OpInfo<'a>) -> Vec<(&'a str, String)> {
    let own = op.op.properties().iter().filter(|named| old_name(named.name).is_some()).map(|named| {
        let storage = format!("prop.{}", named.name);
        let names = [("_ctxt", "ctx"), ("_storage", storage.as_str())];
        (named.name, filled(named.property, PropertyCode::ConvertToAttribute, &names).to_string())
    });
    let lengths = op.segment_properties().map(|name| {
        let value = format!("::mlir::DenseI32ArrayAttr::get(ctx, prop.{name})");
        let is_statement = op.rules().has(Change::ConvertingStatements);
        (name, if is_statement { format!("return {value};") } else { value })
    });
    let expressions =
        own.chain(lengths).map(|(name, convert)| match op.rules().has(Change::ConvertingStatements) {
            true => (name, format!("[&]() -> ::mlir::Attribute {{ {convert} }}()")),
            false => (name, convert),
        });
    expressions.collect()
}

fn emit_set_inherent(op: &OpInfo<'_>, w: &mut Writer) {
    for (index, StoredAttribute { name, .. }) in op.attributes.iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        w.fill(SET_INHERENT, &[("name", name)]);
    }
    for (name, _) in lengths_as_attributes(op) {
        w.fill(SET_SEGMENTS, &[("name", &name), ("old", &old_name(name).unwrap_or_default())]);
    }
}

const SET_INHERENT: Template = Template(
    r#"
  if (name == "@name") {
     prop.@name = ::llvm::dyn_cast_or_null<std::remove_reference_t<decltype(prop.@name)>>(value);
     return;
  }
"#,
);

const SET_SEGMENTS: Template = Template(
    r#"
      if (name == "@old" || name == "@name") {
     auto arrAttr = ::llvm::dyn_cast_or_null<::mlir::DenseI32ArrayAttr>(value);
     if (!arrAttr) return;
     if (arrAttr.size() != sizeof(prop.@name) / sizeof(int32_t))
       return;
     llvm::copy(arrAttr.asArrayRef(), prop.@name.begin());
     return;
  }
"#,
);

fn emit_populate_inherent(op: &OpInfo<'_>, w: &mut Writer) {
    for (index, StoredAttribute { name, .. }) in op.attributes.iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        w.line(format_args!("  if (prop.{name}) attrs.append(\"{name}\", prop.{name});"));
    }
    for (name, value) in lengths_as_attributes(op) {
        w.line(format_args!("attrs.append(\"{name}\", {value});"));
    }
}

fn emit_walk_inherent(op: &OpInfo<'_>, w: &mut Writer) {
    for (index, StoredAttribute { name, .. }) in op.attributes.iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        w.line(format_args!("  if (prop.{name}) {{"));
        w.indented(|w| {
            w.indented(|w| w.fill(VISIT, &[("name", name), ("value", &format_args!("prop.{name}"))]))
        });
        w.line("  }");
    }
    for (name, value) in lengths_as_attributes(op) {
        w.block("{", "}", |w| w.fill(VISIT, &[("name", &name), ("value", &value)]));
    }
}

const VISIT: Template = Template(
    r#"
::mlir::Attribute value = @value;
::mlir::Attribute originalValue = value;
visitor("@name", value);
if (value != originalValue)
  setInherentAttr(prop, "@name", value);
"#,
);

fn emit_verify_inherent(op: &OpInfo<'_>, verifiers: Option<&StaticVerifiers<'_>>, w: &mut Writer) {
    let mut is_first = true;
    for StoredAttribute { name, attribute, .. } in &op.attributes {
        let Some(constraint) = attribute.map(|attribute| attribute.constraint()) else { continue };
        let Some(function) = verifiers.and_then(|verifiers| verifiers.name(Kind::Attribute, constraint))
        else {
            continue;
        };
        if constraint.condition().contains("$_op") {
            continue;
        }
        if !is_first {
            w.blank();
        }
        is_first = false;
        let getter = cpp_name::getter(name);
        w.fill(VERIFY_INHERENT, &[("name", name), ("getter", &getter), ("function", &function)]);
    }
    w.line("  return ::mlir::success();");
}

const VERIFY_INHERENT: Template = Template(
    r#"
  {
    ::mlir::Attribute attr = attrs.get(@{getter}AttrName(opName));
    if (attr && ::mlir::failed(@function(attr, "@name", @error_function)))
      return ::mlir::failure();
  }
"#,
);

/// Adds `setPropertiesFromParsedAttr`, which reports missing and unknown keys.
pub(super) fn add_from_parsed_attribute<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let method =
        Method::new(spellings::LogicalResult.of(op.rules()), "setPropertiesFromParsedAttr").as_static();
    let method = method
        .parameter("Properties &", "prop")
        .parameter("::mlir::Attribute", "attr")
        .parameter(EMIT_ERROR, "emitError");
    class.method(method.defined(|w| {
        emit_expectation(w);
        let checks_keys = w.rules().has(Change::UnknownKeysRefused);
        if checks_keys {
            w.fill(PARSED_START, &[]);
        }
        if op.rules().has(Change::ParsedSegments) {
            for name in op.segment_properties().filter(|name| !is_computed(op, name)) {
                w.fill(LENGTHS_FROM_PARSED, &[("name", &name)]);
            }
        }
        let names = [("_storage", "propStorage"), ("_attr", "propAttr"), ("_diag", "emitError")];
        // A property that the format mentions is not in the dictionary.
        let format = op.format.as_ref();
        for (index, NamedProperty { name, property, .. }) in op.op.properties().iter().enumerate() {
            if format.is_some_and(|format| format.properties.contains(&index)) {
                continue;
            }
            let convert = filled(*property, PropertyCode::ConvertFromAttribute, &names);
            let is_required = property.default_value().is_none();
            let report = error_reporter(name, "        ", w);
            w.fill(PROPERTY_FROM_PARSED_START, &[("convert", &continued(convert, "    "))]);
            w.fill(if checks_keys { USED_PROPERTY } else { LOOKUP }, &[("name", name)]);
            // Releases that do not check keys have no defaults either.
            match checks_keys {
                true => {
                    let holes: [(&str, &dyn Display); 3] =
                        [("name", name), ("required", &is_required), ("report", &report)];
                    w.fill(PROPERTY_FROM_PARSED, &holes);
                }
                false => w.fill(REQUIRED_PROPERTY_FROM_PARSED, &[("name", name)]),
            }
        }
        for (index, NamedAttribute { name, attribute, .. }) in op.op.natural_attributes().iter().enumerate() {
            if format.is_some_and(|format| format.attributes.contains(&index)) {
                continue;
            }
            if op.rules().has(Change::ParsedSegments) && is_computed(op, name) {
                continue;
            }
            w.fill(ATTRIBUTE_FROM_PARSED_START, &[("name", name)]);
            w.fill(if checks_keys { USED_ATTRIBUTE } else { LOOKUP }, &[("name", name)]);
            w.fill(ATTRIBUTE_FROM_PARSED, &[("name", name), ("required", &is_required(*attribute))]);
        }
        if checks_keys {
            w.fill(PARSED_END, &[]);
        }
        w.line("return ::mlir::success();");
    }));
}

/// Returns whether the parser of the format computes lengths of groups, or of the segments of an operand.
fn is_computed(op: &OpInfo<'_>, name: &str) -> bool {
    op.format.as_ref().is_some_and(|format| format::computes_lengths(op.op, format, name))
}

const PARSED_START: Template = Template(
    r#"
// keep track of used keys in the input dictionary to be able to error out
// if there are some unknown ones.
::mlir::DenseSet<::mlir::StringAttr> usedKeys;
::mlir::MLIRContext *ctx = dict.getContext();
(void)ctx;
"#,
);

const LOOKUP: Template = Template(
    r#"
  auto attr = dict.get("@name");
"#,
);

const PROPERTY_FROM_PARSED_START: Template = Template(
    r#"
{

  auto setFromAttr = [] (auto &propStorage, ::mlir::Attribute propAttr,
           ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError)@conversion_result {
    @convert;
  };
"#,
);

const USED_PROPERTY: Template = Template(
    r#"
  auto @{name}AttrName = ::mlir::StringAttr::get(ctx, "@name");
  usedKeys.insert(@{name}AttrName);
  auto attr = dict.get(@{name}AttrName);
"#,
);

const PROPERTY_FROM_PARSED: Template = Template(
    r#"
  if (!attr && @required) {
    emitError() << "expected key entry for @name in DictionaryAttr to set "
               "Properties.";
    return ::mlir::failure();
  }
  if (attr && ::mlir::failed(setFromAttr(prop.@name, attr, @report)))
    return ::mlir::failure();
}
"#,
);

const REQUIRED_PROPERTY_FROM_PARSED: Template = Template(
    r#"
  if (!attr) {
    emitError() << "expected key entry for @name in DictionaryAttr to set "
               "Properties.";
    return ::mlir::failure();
  }
  if (::mlir::failed(setFromAttr(prop.@name, attr, emitError)))
    return ::mlir::failure();
}
"#,
);

const LENGTHS_FROM_PARSED: Template = Template(
    r#"
{

  auto @{name}AttrName = ::mlir::StringAttr::get(ctx, "@name");
  usedKeys.insert(@{name}AttrName);
  auto attr = dict.get(@{name}AttrName);
  if (!attr) {
    emitError() << "expected key entry for @name in DictionaryAttr to set "
               "Properties.";
    return ::mlir::failure();
  }
  if (::mlir::failed(::mlir::convertFromAttribute(prop.@name, attr, [&]() {
        return emitError() << "for `@name`: ";
      })))
    return ::mlir::failure();
}
"#,
);

const ATTRIBUTE_FROM_PARSED_START: Template = Template(
    r#"
{

  auto &propStorage = prop.@name;
"#,
);

const USED_ATTRIBUTE: Template = Template(
    r#"
  auto @{name}AttrName = ::mlir::StringAttr::get(ctx, "@name");
  auto attr = dict.get(@{name}AttrName);
  usedKeys.insert(@{name}AttrName);
"#,
);

const ATTRIBUTE_FROM_PARSED: Template = Template(
    r#"
  if (attr || /*isRequired=*/@required) {
    if (!attr) {
      emitError() << "expected key entry for @name in DictionaryAttr to set "
                 "Properties.";
      return ::mlir::failure();
    }
    auto convertedAttr = ::llvm::dyn_cast<std::remove_reference_t<decltype(propStorage)>>(attr);
    if (convertedAttr) {
      propStorage = convertedAttr;
    } else {
      emitError() << "Invalid attribute `@name` in property conversion: " << attr;
      return ::mlir::failure();
    }
  }
}
"#,
);

const PARSED_END: Template = Template(
    r#"

for (::mlir::NamedAttribute attr : dict) {
  if (!usedKeys.contains(attr.getName()))
    return emitError() << "unknown key '" << attr.getName() <<
        "' when parsing properties dictionary";
}
"#,
);
