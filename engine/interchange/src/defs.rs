//! Dialects, attributes and types with parameters, enums, interfaces, passes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Collection, Cx, Definition, Generated,
    definition_set::{Defined, Reference, defined},
    format, non_empty,
    op::Builder,
};
use odsmith_ods::CaseKind;
use odsmith_tablegen::record::Rec;

/// A dialect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Dialect)]
pub struct Dialect {
    /// Its definition.
    pub definition: Definition,
    /// The name before the dot.
    pub name: String,
    /// The C++ class.
    pub cpp_class: String,
    /// The C++ namespace of everything in it.
    pub cpp_namespace: String,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// C++ names of the dialects that it loads.
    pub dependent_dialects: Vec<String>,
    /// Attributes that any operation may carry.
    pub discardable_attributes: Vec<Parameter>,
    /// True if inherent attributes are stored as properties.
    pub uses_properties_for_attributes: bool,
    /// The names of the set fields that declare functions for the author to write, or make other choices.
    pub hooks: Vec<String>,
    /// The author's C++ for the body of the class.
    pub extra_class_declaration: String,
}

/// An attribute or type with parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::AttrOrType)]
pub struct AttrOrType {
    /// Its definition.
    pub definition: Definition,
    /// The dialect.
    pub dialect: String,
    /// The name in assembly, without the dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mnemonic: Option<String>,
    /// The C++ class.
    pub cpp_class: String,
    /// Its namespace.
    pub cpp_namespace: String,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// Parameters in order.
    pub parameters: Vec<DefParameter>,
    /// Traits, each once: indexes into the document's `traits`.
    pub traits: Vec<usize>,
    /// Custom builders.
    pub builders: Vec<Builder>,
    /// The declarative assembly format as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assembly_format: Option<String>,
    /// The format as a tree, unless it breaks a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Vec<format::Element>>,
    /// True if parser and printer are written in C++.
    pub has_custom_assembly_format: bool,
    /// The names of the set fields that declare functions for the author to write, or make other choices.
    pub hooks: Vec<String>,
    /// The author's C++ for the body of the class.
    pub extra_class_declaration: String,
    /// The author's C++ for the source file.
    pub extra_class_definition: String,
    /// Data that the generators derive from the definition.
    #[serde(default)]
    pub generated: Generated,
}

/// A parameter of an attribute or type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::DefParameter)]
pub struct DefParameter {
    /// Its name.
    pub name: String,
    /// Its C++ type.
    pub cpp_type: String,
    /// The C++ type that its accessor returns.
    pub accessor_type: String,
    /// The C++ type that its parser produces.
    pub storage_type: String,
    /// Its text in documented syntax.
    pub syntax: String,
    /// One line, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The default value in C++. A parameter with a default value is optional.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// True if it is the type of the attribute.
    pub is_self_type: bool,
    /// Its constraint, if it is given as one: an index into the document's `constraints`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<usize>,
}

/// A C++ parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Parameter)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its C++ type.
    pub cpp_type: String,
}

/// An enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Enum)]
pub struct Enum {
    /// Its definition.
    pub definition: Definition,
    /// The C++ class.
    pub cpp_class: String,
    /// Its namespace.
    pub cpp_namespace: String,
    /// One line.
    pub summary: String,
    /// The explicit underlying type, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub underlying_type: Option<String>,
    /// The cases in order.
    pub cases: Vec<EnumCase>,
    /// The data that only bit enums have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<BitEnum>,
    /// The attribute class that the enum defines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<EnumAttribute>,
}

/// A case of an enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::EnumCase)]
pub struct EnumCase {
    /// The C++ enumerator.
    pub symbol: String,
    /// Its text in assembly.
    pub spelling: String,
    /// Its value. If it is negative, the enumerator has no explicit value.
    pub value: i64,
    /// The form of its declaration.
    pub kind: EnumCaseKind,
}

/// The form in which a case is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::EnumCaseKind)]
#[serde(rename_all = "kebab-case")]
pub enum EnumCaseKind {
    /// As one bit.
    Bit,
    /// As a group of others.
    Group,
    /// By its value.
    Value,
}

/// The data that only bit enums have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::BitEnum)]
pub struct BitEnum {
    /// All bits that may be set.
    pub valid_bits: i64,
    /// The text between the printed cases.
    pub separator: String,
    /// True if a group that is set hides the bits in it.
    pub prints_primary_groups: bool,
    /// True if several cases are printed as one quoted string.
    pub is_quoted: bool,
}

/// The attribute class that an enum defines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::EnumAttribute)]
pub struct EnumAttribute {
    /// The C++ class.
    pub cpp_class: String,
    /// The width of the integer that holds the value.
    pub bitwidth: i64,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Interface)]
pub struct Interface {
    /// Its definition.
    pub definition: Definition,
    /// Its kind.
    pub kind: InterfaceKind,
    /// The C++ class.
    pub cpp_class: String,
    /// Its namespace.
    pub cpp_namespace: String,
    /// Markdown.
    pub description: String,
    /// The C++ classes of the interfaces that it derives from.
    pub bases: Vec<String>,
    /// Its methods in order.
    pub methods: Vec<Method>,
    /// C++ of its verifier, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// C++ in its class.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra_class_declaration: String,
    /// C++ in its class and in the classes that implement it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra_shared_class_declaration: String,
    /// C++ in the classes that implement it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra_trait_class_declaration: String,
}

/// The kind of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::InterfaceKind)]
#[serde(rename_all = "kebab-case")]
pub enum InterfaceKind {
    /// Operations.
    Operation,
    /// Attributes.
    Attribute,
    /// Types.
    Type,
    /// Dialects.
    Dialect,
    /// Something else.
    Other,
}

/// A method of an interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Method)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// The C++ type that it returns.
    pub return_type: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// True if it is called without an instance.
    pub is_static: bool,
    /// Markdown.
    pub description: String,
    /// The C++ body of the method in the interface's class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The C++ body of the default implementation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_body: Option<String>,
}

/// A pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Pass)]
pub struct Pass {
    /// Its definition; the record's name is the C++ name.
    pub definition: Definition,
    /// The name on the command line.
    pub argument: String,
    /// The C++ base class.
    pub base_class: String,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// C++ that creates the pass, if the author gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constructor: Option<String>,
    /// C++ names of the dialects that it loads.
    pub dependent_dialects: Vec<String>,
    /// Its options in order.
    pub options: Vec<PassOption>,
    /// Its statistics in order.
    pub statistics: Vec<PassStatistic>,
}

/// An option of a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PassOption)]
pub struct PassOption {
    /// The C++ variable.
    pub cpp_name: String,
    /// The name on the command line.
    pub argument: String,
    /// The C++ type; for a list, that of an element.
    pub cpp_type: String,
    /// The default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// One line.
    pub description: String,
    /// More arguments of the option's constructor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// True if it takes any number of values.
    pub is_list: bool,
}

/// A statistic of a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PassStatistic)]
pub struct PassStatistic {
    /// The C++ variable.
    pub cpp_name: String,
    /// The displayed name.
    pub name: String,
    /// One line.
    pub description: String,
}

defined!(Dialect, Enum, Interface, Pass);

impl Dialect {
    pub(super) fn new(dialect: odsmith_ods::Dialect<'_>, cx: Cx<'_>) -> Self {
        let discardable =
            dialect.discardable_attributes().into_iter().flat_map(odsmith_tablegen::record::Dag::args);
        Dialect {
            definition: cx.definition(dialect.rec()),
            name: dialect.name().to_owned(),
            cpp_class: dialect.cpp_class_name(),
            cpp_namespace: dialect.cpp_namespace().to_owned(),
            summary: dialect.summary().to_owned(),
            description: dialect.description().to_owned(),
            dependent_dialects: dialect.dependent_dialects().into_iter().map(str::to_owned).collect(),
            discardable_attributes: discardable.map(|(ty, name)| parameter(ty.as_str(), name)).collect(),
            uses_properties_for_attributes: dialect.uses_properties_for_attributes(),
            hooks: dialect.hooks().map(str::to_owned).collect(),
            extra_class_declaration: dialect.extra_class_declaration().to_owned(),
        }
    }
}

fn parameter(ty: Option<&str>, name: Option<&str>) -> Parameter {
    Parameter { name: name.unwrap_or_default().to_owned(), cpp_type: ty.unwrap_or_default().to_owned() }
}

impl Defined for AttrOrType {
    fn definition(&mut self) -> &mut Definition {
        &mut self.definition
    }

    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        let constraints = self.parameters.iter_mut().filter_map(|parameter| parameter.constraint.as_mut());
        let constraints = constraints.map(Reference::Constraint);
        constraints.chain(self.traits.iter_mut().map(Reference::Trait)).for_each(visit);
    }

    fn generated(&mut self) -> Option<&mut Generated> {
        Some(&mut self.generated)
    }
}

impl AttrOrType {
    pub(super) fn new<'r>(
        def: &odsmith_ods::AttrOrTypeDef<'r>,
        cx: Cx<'_>,
        all: &mut Collection<'r>,
    ) -> Self {
        let parameters = def.parameters().iter().map(|it| DefParameter {
            name: it.name.to_owned(),
            cpp_type: it.cpp_type().to_owned(),
            accessor_type: it.accessor_type().to_owned(),
            storage_type: it.storage_type().to_owned(),
            syntax: it.syntax().into_owned(),
            summary: it.summary().map(str::to_owned),
            default_value: it.default_value().map(str::to_owned),
            is_self_type: it.is_self_type(),
            constraint: it.constraint().map(|it| all.constraint(it.rec(), cx)),
        });
        AttrOrType {
            definition: cx.definition(def.rec()),
            dialect: def.dialect().name().to_owned(),
            mnemonic: def.mnemonic().map(str::to_owned),
            cpp_class: def.cpp_class_name().to_owned(),
            cpp_namespace: def.dialect().cpp_namespace().to_owned(),
            summary: def.summary().to_owned(),
            description: def.description().to_owned(),
            parameters: parameters.collect(),
            traits: def.traits().iter().map(|&t| all.trait_of(t, cx)).collect(),
            builders: def.builders().iter().map(Builder::new).collect(),
            assembly_format: def.assembly_format().map(str::to_owned),
            format: def
                .assembly_format()
                .and_then(|text| odsmith_ods::format::DefFormat::new(def, text).ok())
                .map(|format| format::elements(&format.elements)),
            has_custom_assembly_format: def.has_custom_assembly_format(),
            hooks: def.hooks().map(str::to_owned).collect(),
            extra_class_declaration: def.extra_class_declaration().to_owned(),
            extra_class_definition: def.extra_class_definition().to_owned(),
            generated: Generated::default(),
        }
    }
}

impl Enum {
    pub(super) fn new(info: &odsmith_ods::EnumInfo<'_>, cx: Cx<'_>) -> Self {
        let cases = info.cases.iter().map(|case| EnumCase {
            symbol: case.symbol.to_owned(),
            spelling: case.spelling.to_owned(),
            value: case.value,
            kind: match case.kind {
                CaseKind::Bit => EnumCaseKind::Bit,
                CaseKind::Group => EnumCaseKind::Group,
                CaseKind::Value => EnumCaseKind::Value,
            },
        });
        Enum {
            definition: cx.definition(info.record),
            cpp_class: info.class_name.to_owned(),
            cpp_namespace: info.cpp_namespace.to_owned(),
            summary: info.summary.to_owned(),
            underlying_type: non_empty(info.underlying_type),
            cases: cases.collect(),
            bits: info.bits.as_ref().map(|bits| BitEnum {
                valid_bits: bits.valid_bits,
                separator: bits.separator.to_owned(),
                prints_primary_groups: bits.prints_primary_groups,
                is_quoted: bits.is_quoted,
            }),
            attribute: info.attribute.as_ref().map(|attribute| EnumAttribute {
                cpp_class: attribute.class_name.to_owned(),
                bitwidth: attribute.bitwidth,
            }),
        }
    }
}

impl Interface {
    pub(super) fn new(interface: odsmith_ods::Interface<'_>, cx: Cx<'_>) -> Self {
        let bases = interface.base_interfaces().into_iter();
        Interface {
            definition: cx.definition(interface.rec()),
            kind: match interface.kind() {
                odsmith_ods::InterfaceKind::Operation => InterfaceKind::Operation,
                odsmith_ods::InterfaceKind::Attribute => InterfaceKind::Attribute,
                odsmith_ods::InterfaceKind::Type => InterfaceKind::Type,
                odsmith_ods::InterfaceKind::Dialect => InterfaceKind::Dialect,
                odsmith_ods::InterfaceKind::Other => InterfaceKind::Other,
            },
            cpp_class: interface.name().to_owned(),
            cpp_namespace: interface.cpp_namespace().to_owned(),
            description: interface.description().to_owned(),
            bases: bases.map(odsmith_ods::Interface::qualified_name).collect(),
            methods: interface.methods().into_iter().map(Method::new).collect(),
            verify: non_empty(interface.verifier()),
            extra_class_declaration: interface.extra_class_declaration().to_owned(),
            extra_shared_class_declaration: interface.extra_shared_class_declaration().to_owned(),
            extra_trait_class_declaration: interface.extra_trait_class_declaration().to_owned(),
        }
    }
}

impl Method {
    fn new(method: odsmith_ods::Method<'_>) -> Self {
        let parameters = method.parameters().into_iter();
        Method {
            name: method.name().to_owned(),
            return_type: method.return_type().to_owned(),
            parameters: parameters.map(|(ty, name)| parameter(Some(ty), Some(name))).collect(),
            is_static: method.is_static(),
            description: method.description().to_owned(),
            body: method.body().map(str::to_owned),
            default_body: method.default_body().map(str::to_owned),
        }
    }
}

impl Pass {
    pub(super) fn new(rec: Rec<'_>, pass: &odsmith_ods::Pass<'_>, cx: Cx<'_>) -> Self {
        let options = pass.options.iter().map(|option| PassOption {
            cpp_name: option.cpp_name.to_owned(),
            argument: option.argument.to_owned(),
            cpp_type: option.ty.to_owned(),
            default_value: option.default_value.map(str::to_owned),
            description: option.description.to_owned(),
            flags: option.flags.map(str::to_owned),
            is_list: option.is_list,
        });
        let statistics = pass.statistics.iter().map(|statistic| PassStatistic {
            cpp_name: statistic.cpp_name.to_owned(),
            name: statistic.name.to_owned(),
            description: statistic.description.to_owned(),
        });
        Pass {
            definition: cx.definition(rec),
            argument: pass.argument.to_owned(),
            base_class: pass.base_class.to_owned(),
            summary: pass.summary.to_owned(),
            description: pass.description.to_owned(),
            constructor: pass.constructor.map(str::to_owned),
            dependent_dialects: pass.dependent_dialects.iter().map(|&name| name.to_owned()).collect(),
            options: options.collect(),
            statistics: statistics.collect(),
        }
    }
}
