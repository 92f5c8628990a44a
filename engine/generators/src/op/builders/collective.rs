//! Builders that take all operands at once, and all attributes: as a list, or as properties and a list of the others.

use super::{ResultForm, add, builder, emit_count, emit_repeated_type, emit_result_count};
use crate::{
    cpp::{Access, Class, Method, Parameter, Template, Writer, cast, join},
    op::{inference::properties_argument, info::OpInfo, properties::old_name},
};
use odsmith_release::{Change, spellings};

/// The parameter of a builder next to the list of all operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collective {
    /// All attributes.
    Attributes,
    /// Properties and all other attributes.
    Properties,
}

/// The deprecation of builders that take properties among the attributes.
const DEPRECATION: &str = "use the overload taking Properties and discardableAttributes instead";

/// Adds a builder that takes all operands at once. Returns whether it was added.
pub(super) fn add_collective<'a>(
    op: &'a OpInfo<'a>,
    results: ResultForm,
    form: Collective,
    class: &mut Class<'a>,
) -> bool {
    let counts_regions = adds_regions(results)
        && (results != ResultForm::Inferred || op.rules().has(Change::RegionsOfInferredBuilders));
    let has_region_count = counts_regions && op.op.regions().iter().any(|region| region.is_variadic());
    let mut parameters = Vec::new();
    if results == ResultForm::Collective {
        parameters.push(Parameter::new("::mlir::TypeRange", "resultTypes"));
    }
    parameters.push(Parameter::new("::mlir::ValueRange", "operands"));
    let mut attributes = Parameter::new("::llvm::ArrayRef<::mlir::NamedAttribute>", "attributes");
    if form == Collective::Properties {
        parameters.push(Parameter::new("const Properties &", "properties"));
        attributes.name = "discardableAttributes".into();
    }
    if has_region_count {
        parameters.extend([attributes, Parameter::new("unsigned", "numRegions")]);
    } else {
        parameters.push(attributes.default("{}"));
    }
    let builder_name = if results == ResultForm::Collective { "" } else { "odsBuilder" };
    let body = move |w: &mut Writer| emit_collective(op, results, form, w);
    let is_deprecated = form == Collective::Attributes && divides_attributes(op);
    let deprecated = is_deprecated.then_some(DEPRECATION);
    add(op, builder(builder_name), parameters, Some(Box::new(body)), deprecated, class)
}

/// Returns whether the builder adds regions. As in the reference, one that finds the result types in an attribute
/// forgets them.
fn adds_regions(results: ResultForm) -> bool {
    results != ResultForm::OfFirstAttribute
}

fn emit_collective(op: &OpInfo<'_>, results: ResultForm, form: Collective, w: &mut Writer) {
    if results == ResultForm::OfFirstAttribute {
        emit_first_attribute(op, form, w);
    } else if results != ResultForm::OfFirstOperand {
        let operands = op.op.operands().len();
        emit_count(operands, op.op.variable_length_operands().count(), "operands", "parameters", w);
    }
    w.line("odsState.addOperands(operands);");
    let divides = form == Collective::Attributes && divides_attributes(op);
    match form {
        // The types follow from the properties, which have been set for that.
        Collective::Attributes if divides && results == ResultForm::OfFirstAttribute => {}
        Collective::Attributes if divides => w.line(DIVIDE),
        Collective::Attributes => w.line("odsState.addAttributes(attributes);"),
        Collective::Properties => {
            let has_blank = results == ResultForm::Inferred;
            let blank = if has_blank { spellings::properties_blank.of(op.rules()) } else { "" };
            w.line(format_args!("odsState.useProperties(const_cast<Properties{blank}&>(properties));"));
            w.line("odsState.addAttributes(discardableAttributes);");
        }
    }
    if adds_regions(results) {
        emit_all_regions(op, w);
    }
    let converts = form == Collective::Attributes
        && op.has_stored_properties()
        && !divides
        && op.rules().has(Change::BuildersSetProperties);
    match results {
        ResultForm::Separate => {}
        ResultForm::Collective => {
            emit_result_count(op, "resultTypes", "return types", w);
            w.line("odsState.addTypes(resultTypes);");
            if converts {
                emit_conversion(op, w);
            }
        }
        ResultForm::Inferred => {
            if converts {
                emit_conversion(op, w);
            } else {
                w.blank();
            }
            let properties = properties_argument("odsState", 10, op.rules());
            if !op.rules().has(Change::SpacedMembers) {
                w.fill(INFER_COLLECTIVELY, &[("class", &op.class)]);
                emit_result_count(op, "inferredReturnTypes", "return types", w);
                return w.fill(INFER_COLLECTIVELY_END, &[]);
            }
            w.fill(INFER_COLLECTIVE_START, &[("class", &op.class), ("properties", &properties)]);
            w.indented(|w| emit_result_count(op, "inferredReturnTypes", "return types", w));
            w.fill(INFER_COLLECTIVE_END, &[]);
        }
        ResultForm::OfFirstOperand => {
            emit_repeated_type(op, "operands[0].getType()", w);
            w.blank();
        }
        ResultForm::OfFirstAttribute => {
            let is_type =
                op.op.natural_attributes().first().is_some_and(|named| named.attribute.is_type_attribute());
            let is_found = op.rules().has(Change::TypesAfterSearch);
            let value = spellings::value_of_named.of(op.rules());
            let attribute = if is_found { "typeAttr" } else { value };
            let ty = match is_type {
                true => {
                    format!("{}.getValue()", cast(op.rules(), "::llvm::cast", "::mlir::TypeAttr", attribute))
                }
                false => match op.rules().has(Change::CastFunctions) {
                    true => format!("::llvm::cast<::mlir::TypedAttr>({attribute}).getType()"),
                    false => format!("{attribute}{}.getType()", spellings::typed_attribute.of(op.rules())),
                },
            };
            w.indented(|w| emit_repeated_type(op, &ty, w));
            if !is_found {
                w.line("}");
            }
        }
    }
}

/// Writes code that finds the attribute from which the result types follow.
fn emit_first_attribute(op: &OpInfo<'_>, form: Collective, w: &mut Writer) {
    let Some(first) = op.op.natural_attributes().first() else { return };
    let getter = op.op.getter(first.name);
    match form {
        Collective::Attributes if divides_attributes(op) => {
            w.line(DIVIDE);
            w.line(format_args!(
                "::mlir::Attribute typeAttr = odsState.getOrAddProperties<Properties>().{getter}();"
            ));
        }
        Collective::Attributes if op.rules().has(Change::TypesAfterSearch) => {
            w.fill(FIND_ATTRIBUTE, &[("getter", &getter)]);
        }
        Collective::Attributes => w.fill(SEARCH_ATTRIBUTE, &[("getter", &getter)]),
        Collective::Properties => {
            w.line(format_args!("::mlir::Attribute typeAttr = properties.{getter}();"));
        }
    }
}

// The code after this is in the loop.
const SEARCH_ATTRIBUTE: Template = Template(
    r#"
auto attrName = @{getter}AttrName(odsState.name);
for (auto attr : attributes) {
  if (attr.@name_of_named != attrName) continue;
"#,
);

const FIND_ATTRIBUTE: Template = Template(
    r#"
::mlir::Attribute typeAttr;
auto attrName = @{getter}AttrName(odsState.name);
for (auto attr : attributes) {
  if (attr.getName() == attrName) {
    typeAttr = attr.getValue();
    break;
  }
}
"#,
);

fn emit_all_regions(op: &OpInfo<'_>, w: &mut Writer) {
    let regions = op.op.regions();
    if regions.is_empty() {
        return;
    }
    if regions.iter().any(|region| region.is_variadic()) {
        w.line("for (unsigned i = 0; i != numRegions; ++i)");
    } else {
        w.line(format_args!("for (unsigned i = 0; i != {}; ++i)", regions.len()));
    }
    w.line("  (void)odsState.addRegion();");
}

/// Returns whether builders divide the attributes that they take into properties and others.
pub(in crate::op) fn divides_attributes(op: &OpInfo<'_>) -> bool {
    op.rules().has(Change::DividedAttributes) && op.has_stored_properties() && !op.op.skips_default_builders()
}

const DIVIDE: &str = "buildPropertiesAndDiscardableAttributes(odsState, attributes);";

/// Adds the function that divides attributes into properties and others.
pub(in crate::op) fn add_division<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.access(Access::Private);
    let method = Method::new("void", "buildPropertiesAndDiscardableAttributes")
        .as_static()
        .parameter("::mlir::OperationState &", "odsState")
        .parameter("::llvm::ArrayRef<::mlir::NamedAttribute>", "attributes");
    class.method(method.defined(|w| {
        let attributes = op.op.natural_attributes().iter().map(|named| named.name);
        let properties = op.op.properties().iter().map(|named| named.name);
        let lengths = op.segment_properties().flat_map(|name| [Some(name), old_name(name)]).flatten();
        let names = attributes.chain(properties).chain(lengths).map(|name| format!("\"{name}\""));
        w.fill(DIVISION, &[("names", &join(names.collect::<Vec<_>>(), ", "))]);
    }));
}

const DIVISION: Template = Template(
    r#"
Properties &properties = odsState.getOrAddProperties<Properties>();
populateDefaultProperties(odsState.name, properties);
const ::llvm::StringRef inherentNames[] = {@names};
::mlir::detail::splitPropertiesAndDiscardableAttributes(
    odsState, attributes, inherentNames, [&](::mlir::DictionaryAttr inherentAttrs) {
      return setPropertiesFromAttr(properties, inherentAttrs,
          [&]() { return ::mlir::emitError(odsState.location); });
    });
"#,
);

/// Writes code that sets the properties from the attributes.
fn emit_conversion(op: &OpInfo<'_>, w: &mut Writer) {
    w.blank();
    w.block("if (!attributes.empty()) {", "}", |w| {
        let is_raw = op.rules().has(Change::RawProperties);
        w.fill(if is_raw { RAW_PROPERTIES } else { PROPERTIES }, &[("class", &op.class)]);
        w.fill(CONVERSION, &[]);
    });
}

const RAW_PROPERTIES: Template = Template(
    r#"
(void)odsState.getOrAddProperties<@class::Properties>();
@PropertyRef properties = odsState.getRawProperties();
"#,
);

const PROPERTIES: Template = Template(
    r#"
@PropertyRef properties =
  &odsState.getOrAddProperties<@class::Properties>();
"#,
);

const CONVERSION: Template = Template(
    r#"
std::optional<::mlir::RegisteredOperationName> info =
  odsState.name.getRegisteredInfo();
if (failed(info->setOpPropertiesFromAttribute(odsState.name, properties,
    odsState.attributes.getDictionary(odsState.getContext()), nullptr)))
  ::llvm::report_fatal_error("Property conversion failed.");
"#,
);

const INFER_COLLECTIVE_START: Template = Template(
    r#"
@SmallVector<::mlir::Type, 2> inferredReturnTypes;
if (::mlir::succeeded(@class::inferReturnTypes(odsBuilder.getContext(),
        odsState.location, operands,
        odsState.attributes.getDictionary(odsState.getContext()),@properties
        odsState.regions, inferredReturnTypes))) {
"#,
);

// The next text continues the line.
const INFER_COLLECTIVELY: Template = Template(
    r#"
  @SmallVector<::mlir::Type, 2> inferredReturnTypes;
  if (@{inferred}(@class::inferReturnTypes(odsBuilder.getContext(),
                odsState.location, operands,
                odsState.attributes.getDictionary(odsState.getContext()),
                /*regions=*/{}, inferredReturnTypes))) {  "#,
);

const INFER_COLLECTIVELY_END: Template = Template(
    r#"
    odsState.addTypes(inferredReturnTypes);
  } else
    ::llvm::report_fatal_error("Failed to infer result type(s).");
"#,
);

const INFER_COLLECTIVE_END: Template = Template(
    r#"
  odsState.addTypes(inferredReturnTypes);
} else {
  ::llvm::report_fatal_error("Failed to infer result type(s).");
}
"#,
);
