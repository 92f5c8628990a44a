//! Operations.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Collection, Cx, Definition, Generated,
    constraint::Predicate,
    definition_set::{Defined, Reference, defined},
    format, non_empty,
};
use odsmith_ods::{PartKind as K, TraitKind, infer::Inference};
use odsmith_tablegen::record::Rec;

/// An operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Operation)]
pub struct Operation {
    /// Its definition.
    pub definition: Definition,
    /// The full name: `arith.addf`.
    pub name: String,
    /// The name inside the dialect: `addf`.
    pub mnemonic: String,
    /// The dialect.
    pub dialect: String,
    /// The C++ class.
    pub cpp_class: String,
    /// Its namespace.
    pub cpp_namespace: String,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// The group that documentation shows it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// Operands, attributes and properties in the order of `arguments`.
    pub arguments: Vec<Part>,
    /// Attributes that are computed rather than stored.
    pub derived_attributes: Vec<Part>,
    /// Results.
    pub results: Vec<Part>,
    /// Regions.
    pub regions: Vec<Part>,
    /// Successors.
    pub successors: Vec<Part>,
    /// Traits, each once and with lists flattened, including those that follow from others: indexes into the document's
    /// `traits`.
    pub traits: Vec<usize>,
    /// Custom builders.
    pub builders: Vec<Builder>,
    /// True if it has only custom builders.
    pub skips_default_builders: bool,
    /// The source of each result's type.
    pub result_types: Vec<ResultType>,
    /// True if it can be built without any result type.
    pub infers_result_types: bool,
    /// The declarative assembly format as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assembly_format: Option<String>,
    /// The format as a tree, unless it breaks a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Vec<format::Element>>,
    /// True if parser and printer are written in C++.
    pub has_custom_assembly_format: bool,
    /// The names of the set fields that declare functions for the author to write.
    pub hooks: Vec<String>,
    /// Its requirements, in dialects that declare them.
    pub availability: Vec<Availability>,
    /// The author's C++ for the body of the class.
    pub extra_class_declaration: String,
    /// The author's C++ for the source file.
    pub extra_class_definition: String,
    /// Data that the generators derive from the definition.
    #[serde(default)]
    pub generated: Generated,
}

/// A group of operations in documentation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Group)]
pub struct Group {
    /// Its heading.
    pub summary: String,
    /// Markdown.
    pub description: String,
}

/// An operand, a result, an attribute, a property, a region or a successor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Part)]
pub struct Part {
    /// Its kind.
    pub kind: PartKind,
    /// Its name; may be empty.
    pub name: String,
    /// Its constraint: an index into the document's `constraints`.
    pub constraint: usize,
    /// The author's summary.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The effects of the operation on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// True if a region or successor may occur any number of times; for an operand or result, see its constraint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_variadic: bool,
}

/// The kind of an operation's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PartKind)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// An operand.
    Operand,
    /// An attribute that is stored.
    Attribute,
    /// An attribute that is computed.
    DerivedAttribute,
    /// A property.
    Property,
    /// A result.
    Result,
    /// A region.
    Region,
    /// A successor.
    Successor,
}

/// A side effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Effect)]
pub struct Effect {
    /// Its C++ class.
    pub effect: String,
    /// The resource that it acts on, as a C++ class.
    pub resource: String,
    /// Its position in the order of effects.
    pub stage: i64,
    /// True if it acts on the whole resource.
    pub is_on_full_region: bool,
}

/// A trait of operations, attributes or types. Each is in the document once; definitions refer to it by its index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Trait)]
pub struct Trait {
    /// Its definition.
    pub definition: Definition,
    /// Its kind.
    pub kind: Kind,
    /// The displayed name.
    pub name: String,
    /// The C++ name with its namespace; empty for a predicate.
    pub cpp_name: String,
    /// True if its verifier checks only structure and runs first.
    pub is_structural: bool,
    /// The summary of a predicate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The condition of a predicate as a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Predicate>,
    /// The effects that it implies.
    pub effects: Vec<Effect>,
}

/// The kind of a trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::TraitKind)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A C++ class.
    Native,
    /// A condition that the generated verifier checks.
    Predicate,
    /// Known to the generators alone.
    Internal,
    /// An interface.
    Interface,
}

/// A builder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Builder)]
pub struct Builder {
    /// Its parameters in order.
    pub parameters: Vec<BuilderParameter>,
    /// C++ of its body. A builder without one is only declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The deprecation message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The return type of a builder of an attribute or type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_type: Option<String>,
    /// True if it takes the context from a parameter.
    pub has_inferred_context: bool,
}

/// A parameter of a builder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::BuilderParameter)]
pub struct BuilderParameter {
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its C++ type.
    pub cpp_type: String,
    /// Its default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
}

/// The source of a result's type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::ResultType)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ResultType {
    /// It must be given.
    Given,
    /// Only one type is possible.
    Buildable {
        /// C++ that builds the type.
        builder_call: String,
    },
    /// It follows from an argument or another result.
    From {
        /// Its name.
        name: String,
        /// C++ that converts the type, unless it is simply equal.
        #[serde(skip_serializing_if = "Option::is_none")]
        transform: Option<String>,
    },
    /// It is the type of an operand.
    FromOperand {
        /// The index of the operand.
        index: usize,
    },
}

/// A requirement of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Availability)]
pub struct Availability {
    /// The class of the requirement. Requirements of one class are merged.
    pub class: String,
    /// The interface that reports the requirement.
    pub interface: String,
    /// The requirement in C++.
    pub instance: String,
}

/// The interface that operations with inferred result types look up by its name: they have it if it was included.
pub(super) const INFERENCE: &str = "InferTypeOpInterface";

impl Defined for Operation {
    fn definition(&mut self) -> &mut Definition {
        &mut self.definition
    }

    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        let lists = [
            &mut self.arguments,
            &mut self.derived_attributes,
            &mut self.results,
            &mut self.regions,
            &mut self.successors,
        ];
        let constraints = lists.into_iter().flatten().map(|part| Reference::Constraint(&mut part.constraint));
        constraints.chain(self.traits.iter_mut().map(Reference::Trait)).for_each(visit);
    }

    fn generated(&mut self) -> Option<&mut Generated> {
        Some(&mut self.generated)
    }
}

impl Operation {
    pub(super) fn new<'r>(op: &odsmith_ods::Operation<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let rec = op.rec();
        let mut part = |kinds: &[K]| {
            let parts = op.parts().filter(|part| kinds.contains(&part.kind));
            parts.map(|part| Part::new(part, cx, all)).collect()
        };
        Operation {
            definition: cx.definition(rec),
            name: op.name(),
            mnemonic: op.mnemonic().to_owned(),
            dialect: op.dialect().name().to_owned(),
            cpp_class: op.cpp_class_name().to_owned(),
            cpp_namespace: op.cpp_namespace().to_owned(),
            summary: op.summary().to_owned(),
            description: op.description().to_owned(),
            group: op.doc_group().map(|group| Group {
                summary: group.summary().to_owned(),
                description: group.description().to_owned(),
            }),
            arguments: part(&[K::Operand, K::Attribute, K::Property]),
            derived_attributes: part(&[K::DerivedAttribute]),
            results: part(&[K::Result]),
            regions: part(&[K::Region]),
            successors: part(&[K::Successor]),
            traits: op.traits().iter().map(|&t| all.trait_of(t, cx)).collect(),
            builders: op.builders().iter().map(Builder::new).collect(),
            skips_default_builders: op.skips_default_builders(),
            result_types: op.result_types().iter().map(ResultType::new).collect(),
            infers_result_types: op.all_result_types_known(),
            assembly_format: op.assembly_format().map(str::to_owned),
            format: op
                .assembly_format()
                .and_then(|text| odsmith_ods::format::OpFormat::new(op, text).ok())
                .map(|format| format::elements(&format.elements)),
            has_custom_assembly_format: op.has_custom_assembly_format(),
            hooks: op.hooks().map(str::to_owned).collect(),
            availability: availability(rec),
            extra_class_declaration: op.extra_class_declaration().to_owned(),
            extra_class_definition: op.extra_class_definition().to_owned(),
            generated: Generated::default(),
        }
    }
}

/// Returns the requirements of a record; none if they cannot be read, which the generators report.
fn availability(rec: Rec<'_>) -> Vec<Availability> {
    let all = odsmith_ods::Availability::list(rec).unwrap_or_default().into_iter();
    all.filter_map(|it| {
        Some(Availability {
            class: it.class.to_owned(),
            interface: odsmith_ods::cpp_name::qualified(it.cpp_namespace().ok()?, it.interface_name().ok()?),
            instance: it.instance().ok()?.to_owned(),
        })
    })
    .collect()
}

impl Part {
    fn new<'r>(part: odsmith_ods::Part<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let is_variadic = part.constraint.quantifier() == odsmith_ods::Quantifier::Variadic;
        Part {
            kind: match part.kind {
                K::Operand => PartKind::Operand,
                K::Attribute => PartKind::Attribute,
                K::DerivedAttribute => PartKind::DerivedAttribute,
                K::Property => PartKind::Property,
                K::Result => PartKind::Result,
                K::Region => PartKind::Region,
                K::Successor => PartKind::Successor,
            },
            name: part.name.to_owned(),
            constraint: all.constraint(part.constraint.rec(), cx),
            summary: part.decoration.summary().unwrap_or_default().to_owned(),
            effects: effects(part.decoration.effects()),
            is_variadic: is_variadic && matches!(part.kind, K::Region | K::Successor),
        }
    }
}

fn effects(effects: Vec<odsmith_ods::SideEffect<'_>>) -> Vec<Effect> {
    let all = effects.into_iter();
    all.map(|it| Effect {
        effect: it.effect().to_owned(),
        resource: it.resource().to_owned(),
        stage: it.stage(),
        is_on_full_region: it.is_on_full_region(),
    })
    .collect()
}

defined!(Trait);

impl Trait {
    pub(super) fn new(t: odsmith_ods::Trait<'_>, cx: Cx<'_>) -> Self {
        Trait {
            definition: cx.definition(t.rec()),
            kind: match t.kind() {
                TraitKind::Native => Kind::Native,
                TraitKind::Predicate => Kind::Predicate,
                TraitKind::Internal => Kind::Internal,
                TraitKind::Interface => Kind::Interface,
            },
            name: match t.kind() {
                // A predicate without a name or a class is identified by its summary.
                TraitKind::Predicate if t.rec().is_anonymous() => t.summary().to_owned(),
                _ => t.display_name().to_owned(),
            },
            cpp_name: t.qualified_name(),
            is_structural: t.is_structural(),
            summary: non_empty(t.summary()),
            predicate: t.predicate().as_ref().map(Predicate::new),
            effects: effects(t.effects()),
        }
    }
}

impl Builder {
    pub(super) fn new(builder: &odsmith_ods::Builder<'_>) -> Self {
        let parameters = builder.parameters.iter().map(|it| BuilderParameter {
            name: it.name.map(str::to_owned),
            cpp_type: it.cpp_type.to_owned(),
            default_value: it.default_value.map(str::to_owned),
        });
        Builder {
            parameters: parameters.collect(),
            body: builder.body().map(str::to_owned),
            deprecated: builder.deprecated().map(str::to_owned),
            return_type: builder.return_type().map(str::to_owned),
            has_inferred_context: builder.has_inferred_context(),
        }
    }
}

impl ResultType {
    fn new(inference: &Inference<'_>) -> Self {
        match *inference {
            Inference::Unknown => ResultType::Given,
            Inference::Buildable(call) => ResultType::Buildable { builder_call: call.to_owned() },
            Inference::From(name, transform) => {
                ResultType::From { name: name.to_owned(), transform: transform.map(str::to_owned) }
            }
            Inference::FromOperand(index) => ResultType::FromOperand { index },
        }
    }
}
