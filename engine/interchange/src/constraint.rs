//! What operands, results, attributes, properties, regions and successors must satisfy.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Collection, Cx, Definition,
    definition_set::{Defined, Dependency},
    name, non_empty,
};
use odsmith_ods::ConstraintKind;

/// A constraint. Each is in the document once; what it constrains names it by its index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Constraint)]
pub struct Constraint {
    /// Where it is defined.
    pub definition: Definition,
    /// What it is about.
    pub kind: Kind,
    /// One line.
    pub summary: String,
    /// Markdown.
    pub description: String,
    /// The C++ condition with its placeholders.
    pub condition: String,
    /// The same as a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Predicate>,
    /// The C++ function that checks it, if one is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpp_function: Option<String>,
    /// What only one on types has.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub of_type: Option<TypeConstraint>,
    /// What only one on attributes has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<AttributeConstraint>,
    /// What only one on properties has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<PropertyConstraint>,
}

/// What a constraint is about.
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
    /// Several things at once.
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
    /// All of them.
    And {
        /// Of what.
        #[schema(no_recursion)]
        children: Vec<Predicate>,
    },
    /// One of them.
    Or {
        /// Of what.
        #[schema(no_recursion)]
        children: Vec<Predicate>,
    },
    /// The contrary.
    Not {
        /// Of what.
        #[schema(no_recursion)]
        child: Box<Predicate>,
    },
    /// In every leaf of the child a text becomes another.
    SubstLeaves {
        /// What is replaced.
        pattern: String,
        /// By what.
        replacement: String,
        /// Where.
        #[schema(no_recursion)]
        child: Box<Predicate>,
    },
    /// Texts around the child's condition.
    Concat {
        /// Before it.
        prefix: String,
        /// The child.
        #[schema(no_recursion)]
        child: Box<Predicate>,
        /// Behind it.
        suffix: String,
    },
}

/// What the type of an operand or result must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::TypeConstraint)]
pub struct TypeConstraint {
    /// How many there may be.
    pub cardinality: Cardinality,
    /// The constraint on each, if there may be other than one: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The attribute that holds the lengths of the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment_attribute: Option<String>,
    /// The C++ class of the type.
    pub cpp_type: String,
    /// C++ that makes the type, if only one will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builder_call: Option<String>,
    /// The dialect of a type that belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
}

/// How many values there may be under one name.
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
    /// Any number of runs.
    VariadicOfVariadic,
}

/// What an attribute of an operation must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::AttributeConstraint)]
pub struct AttributeConstraint {
    /// What is wrapped, through all layers, if anything is: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The C++ class that stores it.
    pub storage_type: String,
    /// The C++ type that its getter returns.
    pub return_type: String,
    /// C++ from the stored form to the returned one.
    pub convert_from_storage: String,
    /// C++ that makes one from a value, if that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub const_builder_call: Option<String>,
    /// The default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// Whether it may be missing.
    pub is_optional: bool,
    /// The type of its value, if it has one: the index of a constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_type: Option<usize>,
    /// The record of the enum that it is made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_record: Option<String>,
    /// The dialect of an attribute that belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// C++ that works it out, if it is derived rather than stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived_body: Option<String>,
}

/// What a property of an operation is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PropertyConstraint)]
pub struct PropertyConstraint {
    /// What is wrapped, through all layers, if anything is: its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<usize>,
    /// The C++ type that stores it.
    pub storage_type: String,
    /// The C++ type of its getter.
    pub interface_type: String,
    /// The default value in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// The other C++ snippets that it gives, by field.
    pub code: BTreeMap<String, String>,
}

impl Defined for Constraint {
    fn definition(&mut self) -> &mut Definition {
        &mut self.definition
    }

    fn dependencies(&self, dependencies: &mut Vec<Dependency>) {
        let bases = [
            self.of_type.as_ref().and_then(|ty| ty.base),
            self.attribute.as_ref().and_then(|attribute| attribute.base),
            self.attribute.as_ref().and_then(|attribute| attribute.value_type),
            self.property.as_ref().and_then(|property| property.base),
        ];
        dependencies.extend(bases.into_iter().flatten().map(Dependency::Constraint));
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
            attribute: rec
                .is_subclass_of("Attr")
                .then(|| AttributeConstraint::new(odsmith_ods::Attribute::new(rec), cx, all)),
            property: rec
                .is_subclass_of("Property")
                .then(|| PropertyConstraint::new(odsmith_ods::Property::new(rec), cx, all)),
        }
    }
}

impl Predicate {
    /// A predicate of the model as data.
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

/// The C++ snippets of a property that no other field reports.
const PROPERTY_CODE: &[&str] = &[
    "convertFromStorage",
    "assignToStorage",
    "convertToAttribute",
    "convertFromAttribute",
    "parser",
    "optionalParser",
    "printer",
    "readFromMlirBytecode",
    "writeToMlirBytecode",
    "hashProperty",
    "storageTypeValueOverride",
];

impl PropertyConstraint {
    fn new<'r>(property: odsmith_ods::Property<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let base = property.base();
        let code = PROPERTY_CODE
            .iter()
            .filter_map(|&field| Some((field.to_owned(), non_empty(property.code(field))?)));
        PropertyConstraint {
            base: (base != property).then(|| all.constraint(base.rec(), cx)),
            storage_type: property.storage_type().to_owned(),
            interface_type: property.interface_type().to_owned(),
            default_value: property.default_value().map(str::to_owned),
            code: code.collect(),
        }
    }
}
