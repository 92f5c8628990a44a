//! Constraints on operands, results, attributes, properties, regions and successors.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Collection, Cx, Definition,
    definition_set::{Defined, Reference},
    name, non_empty,
};
use odsmith_ods::{ConstraintKind, PropertyCode};

/// A constraint. Each is in the document once; the constrained entities refer to it by its index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Constraint)]
pub struct Constraint {
    /// Its definition.
    pub definition: Definition,
    /// The kind of entity that it applies to.
    pub kind: Kind,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// The C++ condition with its placeholders.
    pub condition: String,
    /// The condition as a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Predicate>,
    /// The C++ function that is to check it, if the author wants one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpp_function: Option<String>,
    /// The data of a constraint on types.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub of_type: Option<TypeConstraint>,
    /// The data of a constraint on attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<AttributeConstraint>,
    /// The data of a constraint on properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<PropertyConstraint>,
}

/// The kind of entity that a constraint applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::ConstraintKind)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A type.
    Type,
    /// An attribute.
    Attribute,
    /// A property.
    Property,
    /// A region.
    Region,
    /// A successor.
    Successor,
    /// Several entities at once.
    Other,
}

/// A condition as a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Predicate)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Predicate {
    /// A C++ expression with placeholders.
    Leaf {
        /// The expression.
        expression: String,
    },
    /// All of the children.
    And {
        /// The children.
        #[schema(no_recursion)]
        children: Vec<Predicate>,
    },
    /// At least one of the children.
    Or {
        /// The children.
        #[schema(no_recursion)]
        children: Vec<Predicate>,
    },
    /// The negation of the child.
    Not {
        /// The child.
        #[schema(no_recursion)]
        child: Box<Predicate>,
    },
    /// The child, with a text replaced in every leaf.
    SubstLeaves {
        /// The text to replace.
        pattern: String,
        /// The replacement.
        replacement: String,
        /// The child.
        #[schema(no_recursion)]
        child: Box<Predicate>,
    },
    /// Texts around the child's condition.
    Concat {
        /// The text before it.
        prefix: String,
        /// The child.
        #[schema(no_recursion)]
        child: Box<Predicate>,
        /// The text after it.
        suffix: String,
    },
}

/// The constraint on the type of an operand or result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::TypeConstraint)]
pub struct TypeConstraint {
    /// The number of values.
    pub cardinality: Cardinality,
    /// The constraint on each, if the number of values may differ from one: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The attribute that holds the lengths of the segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment_attribute: Option<String>,
    /// The C++ class of the type.
    pub cpp_type: String,
    /// C++ that builds the type, if only one type satisfies the constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builder_call: Option<String>,
    /// The dialect of a type that belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
}

/// The number of values under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Cardinality)]
#[serde(rename_all = "kebab-case")]
pub enum Cardinality {
    /// One.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of segments, each of any number.
    VariadicOfVariadic,
}

/// The constraint on an attribute of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::AttributeConstraint)]
pub struct AttributeConstraint {
    /// The wrapped constraint, through all layers, if there is one: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The C++ class that stores it.
    pub storage_type: String,
    /// The C++ type that its getter returns.
    pub return_type: String,
    /// C++ that converts the stored attribute to the returned value.
    pub convert_from_storage: String,
    /// C++ that builds the attribute from a value, if that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub const_builder_call: Option<String>,
    /// The default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// True if it may be missing.
    pub is_optional: bool,
    /// The type of its value, if it has one: the index of a constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_type: Option<usize>,
    /// The record of the enum that it holds a case of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_record: Option<String>,
    /// The dialect of an attribute that belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// C++ that computes it, if it is derived rather than stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived_body: Option<String>,
}

/// The constraint on a property of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PropertyConstraint)]
pub struct PropertyConstraint {
    /// The wrapped constraint, through all layers, if there is one: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The C++ type that stores it.
    pub storage_type: String,
    /// The C++ type of its getter.
    pub interface_type: String,
    /// The default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// The other C++ snippets of the definition, by field.
    pub code: BTreeMap<String, String>,
}

impl Defined for Constraint {
    fn definition(&mut self) -> &mut Definition {
        &mut self.definition
    }

    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        let of_type = self.of_type.iter_mut().filter_map(|ty| ty.base.as_mut());
        let of_attribute =
            self.attribute.iter_mut().flat_map(|it| it.base.iter_mut().chain(&mut it.value_type));
        let of_property = self.property.iter_mut().filter_map(|property| property.base.as_mut());
        of_type.chain(of_attribute).chain(of_property).map(Reference::Constraint).for_each(visit);
    }
}

impl Constraint {
    pub(super) fn new<'r>(
        constraint: odsmith_ods::Constraint<'r>,
        cx: Cx<'_>,
        all: &mut Collection<'r>,
    ) -> Self {
        let rec = constraint.rec();
        Constraint {
            definition: cx.definition(rec),
            kind: match constraint.kind() {
                ConstraintKind::Type => Kind::Type,
                ConstraintKind::Attribute => Kind::Attribute,
                ConstraintKind::Property => Kind::Property,
                ConstraintKind::Region => Kind::Region,
                ConstraintKind::Successor => Kind::Successor,
                ConstraintKind::Other => Kind::Other,
            },
            summary: constraint.summary().to_owned(),
            description: constraint.description().to_owned(),
            condition: constraint.condition(),
            predicate: constraint.predicate().as_ref().map(Predicate::new),
            cpp_function: constraint.cpp_function_name().map(str::to_owned),
            of_type: (constraint.kind() == ConstraintKind::Type)
                .then(|| TypeConstraint::new(odsmith_ods::TypeConstraint::new(rec), cx, all)),
            attribute: constraint.as_attribute().map(|it| AttributeConstraint::new(it, cx, all)),
            property: constraint.as_property().map(|it| PropertyConstraint::new(it, cx, all)),
        }
    }
}

impl Predicate {
    /// Creates the tree from a predicate of the model.
    #[must_use]
    pub fn new(predicate: &odsmith_ods::Predicate<'_>) -> Self {
        let all = |children: &[odsmith_ods::Predicate<'_>]| children.iter().map(Predicate::new).collect();
        let one = |child: &odsmith_ods::Predicate<'_>| Box::new(Predicate::new(child));
        match predicate {
            odsmith_ods::Predicate::Leaf(expression) => {
                Predicate::Leaf { expression: (*expression).to_owned() }
            }
            odsmith_ods::Predicate::And(children) => Predicate::And { children: all(children) },
            odsmith_ods::Predicate::Or(children) => Predicate::Or { children: all(children) },
            odsmith_ods::Predicate::Not(child) => Predicate::Not { child: one(child) },
            odsmith_ods::Predicate::SubstLeaves { pattern, replacement, child } => Predicate::SubstLeaves {
                pattern: (*pattern).to_owned(),
                replacement: (*replacement).to_owned(),
                child: one(child),
            },
            odsmith_ods::Predicate::Concat { prefix, child, suffix } => Predicate::Concat {
                prefix: (*prefix).to_owned(),
                child: one(child),
                suffix: (*suffix).to_owned(),
            },
        }
    }
}

impl TypeConstraint {
    fn new<'r>(constraint: odsmith_ods::TypeConstraint<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let base = constraint.base();
        TypeConstraint {
            cardinality: if constraint.is_variadic_of_variadic() {
                Cardinality::VariadicOfVariadic
            } else if constraint.is_variadic() {
                Cardinality::Variadic
            } else if constraint.is_optional() {
                Cardinality::Optional
            } else {
                Cardinality::One
            },
            base: (base != constraint).then(|| all.constraint(base.rec(), cx)),
            segment_attribute: constraint.segment_attribute().map(str::to_owned),
            cpp_type: constraint.cpp_type().into_owned(),
            builder_call: constraint.builder_call().map(str::to_owned),
            dialect: base.dialect().map(|dialect| dialect.name().to_owned()),
        }
    }
}

impl AttributeConstraint {
    fn new<'r>(attribute: odsmith_ods::Attribute<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let base = attribute.base();
        AttributeConstraint {
            base: (base != attribute).then(|| all.constraint(base.rec(), cx)),
            storage_type: attribute.storage_type().to_owned(),
            return_type: attribute.return_type().to_owned(),
            convert_from_storage: attribute.convert_from_storage().to_owned(),
            const_builder_call: attribute.const_builder_call().map(str::to_owned),
            default_value: attribute.default_value().map(str::to_owned),
            is_optional: attribute.is_optional(),
            value_type: attribute.value_type().map(|ty| all.constraint(ty.rec(), cx)),
            enum_record: attribute.enum_info().and_then(name),
            dialect: attribute.dialect().map(|dialect| dialect.name().to_owned()),
            derived_body: attribute.derived_body().map(str::to_owned),
        }
    }
}

impl PropertyConstraint {
    fn new<'r>(property: odsmith_ods::Property<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let base = property.base();
        let code = PropertyCode::ALL
            .iter()
            .filter_map(|&code| Some((code.field().to_owned(), non_empty(property.code(code))?)));
        PropertyConstraint {
            base: (base != property).then(|| all.constraint(base.rec(), cx)),
            storage_type: property.storage_type().to_owned(),
            interface_type: property.interface_type().to_owned(),
            default_value: property.default_value().map(str::to_owned),
            code: code.collect(),
        }
    }
}
