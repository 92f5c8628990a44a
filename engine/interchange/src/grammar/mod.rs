//! Assembly formats as languages: what can be printed, and what each piece of it is. The tree of a format is in
//! [`format`](mod@super::format); here its variables are resolved, so that two formats can be compared without the
//! definitions that they are of.

mod class;
pub mod read;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use class::Class;

/// The assembly format of an operation, attribute or type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Grammar)]
pub struct Format {
    /// What its variables and directives are about.
    pub entities: Vec<Entity>,
    /// The elements, in order.
    pub elements: Vec<Element>,
    /// What can come after its text.
    pub follow: Follow,
}

/// What can come after the text of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarFollow)]
#[serde(rename_all = "kebab-case")]
pub enum Follow {
    /// Another operation, the end of the region or a block.
    #[default]
    Operation,
    /// The end of the block, as after a terminator.
    End,
    /// Whatever is around an attribute or type.
    Anything,
}

/// Something that an operation, attribute or type has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarEntity)]
pub struct Entity {
    /// What it is.
    pub kind: Kind,
    /// Its name, or that of the directive for all of a kind.
    pub name: String,
    /// How many of it there are at least: 0, 1, or 2 for more. An attribute that is not there, or has its default, is 0.
    pub low: u8,
    /// How many of it there are at most.
    pub high: u8,
    /// Whether it is all of a kind: `operands`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all: bool,
    /// The entity whose type is its own type, too, as far as the format relies on that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_of: Option<usize>,
    /// Whether they come in runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_runs: bool,
    /// Whether it says all by being there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unit: bool,
    /// Whether it has a value even where it is not printed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_default: bool,
    /// The text of one.
    pub class: Class,
    /// The text of the type of one.
    #[serde(default = "Class::any_type", skip_serializing_if = "Class::is_any_type")]
    pub type_class: Class,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarEntityKind)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An attribute.
    Attribute,
    /// An operand.
    Operand,
    /// A property.
    Property,
    /// A region.
    Region,
    /// A result.
    Result,
    /// A successor.
    Successor,
    /// A parameter of an attribute or type.
    Parameter,
}

impl Entity {
    /// An entity of which there is exactly one, with this text.
    #[must_use]
    pub fn one(kind: Kind, name: &str, class: Class) -> Self {
        Entity {
            kind,
            name: name.to_owned(),
            low: 1,
            high: 1,
            is_all: false,
            type_of: None,
            has_runs: false,
            is_unit: false,
            has_default: false,
            class,
            type_class: Class::any_type(),
        }
    }

    /// The same with other bounds of how many there are.
    #[must_use]
    pub fn counted(self, low: u8, high: u8) -> Self {
        Entity { low, high, ..self }
    }
}

/// An element of a format. Entities are indexes into the format's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarElement)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// A keyword or punctuation.
    Literal(String),
    /// What is printed only.
    Whitespace(String),
    /// `$name`, `operands`, `regions`, `successors`.
    Entity(usize),
    /// `type(…)`.
    Type(usize),
    /// `functional-type(…, …)`.
    FunctionalType {
        /// Before the arrow.
        inputs: usize,
        /// After it.
        results: usize,
    },
    /// `attr-dict`, `attr-dict-with-keyword`.
    AttrDict {
        /// Whether the keyword `attributes` comes first.
        with_keyword: bool,
    },
    /// `prop-dict`.
    PropDict,
    /// `custom<…>(…)`.
    Custom {
        /// The name after `parse` and `print`.
        name: String,
        /// What is handed over.
        #[schema(no_recursion)]
        parameters: Vec<Parameter>,
    },
    /// `oilist(…)`.
    OiList(Vec<Clause>),
    /// `(…)?`.
    Optional {
        /// The elements if the anchor is present.
        #[schema(no_recursion)]
        then: Vec<Element>,
        /// The elements if it is not.
        #[schema(no_recursion)]
        otherwise: Vec<Element>,
        /// Which element is the anchor.
        anchor: usize,
        /// Whether the anchor is among `otherwise`.
        is_inverted: bool,
    },
    /// `params`.
    Params(Vec<usize>),
    /// `struct(…)`.
    Struct(Vec<Field>),
}

/// What is handed to a custom directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarParameter)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// An entity.
    Entity(usize),
    /// The type of one.
    Type(usize),
    /// What was read before.
    Ref {
        /// What.
        #[schema(no_recursion)]
        of: Box<Parameter>,
    },
    /// The dictionary, or C++.
    Other,
}

/// A clause of an `oilist`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarClause)]
pub struct Clause {
    /// The literal that begins it.
    pub keyword: String,
    /// What follows.
    #[schema(no_recursion)]
    pub elements: Vec<Element>,
}

/// An entry of a `struct`: `key = value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarField)]
pub struct Field {
    /// The parameter.
    pub entity: usize,
    /// What is written for it, if that is not its own text.
    #[schema(no_recursion)]
    pub element: Option<Element>,
    /// Whether brackets are around it.
    pub is_bracketed: bool,
}

impl Format {
    /// The anchor of an optional group that is not written, as the rest of its group shows whether it is there.
    #[must_use]
    pub fn implied_anchor(
        &self,
        then: &[Element],
        otherwise: &[Element],
        anchor: usize,
        is_inverted: bool,
    ) -> Option<usize> {
        let elements = if is_inverted { otherwise } else { then };
        match elements.get(anchor)? {
            // An element that is printed only counts as the first one, too.
            &Element::Entity(entity) if anchor > 0 && self.is_unit(entity) => Some(entity),
            _ => None,
        }
    }

    /// The only element of a clause, if its keyword already shows whether it is there.
    #[must_use]
    pub fn implied_in_clause(&self, elements: &[Element]) -> Option<usize> {
        match elements {
            [Element::Entity(entity)] if self.is_unit(*entity) => Some(*entity),
            _ => None,
        }
    }

    fn is_unit(&self, entity: usize) -> bool {
        self.entities.get(entity).is_some_and(|entity| entity.is_unit)
    }

    /// The entities of an anchor: one of them is enough.
    #[must_use]
    pub fn decides(&self, anchor: &Element) -> Vec<usize> {
        match anchor {
            Element::Entity(entity)
            | Element::Type(entity)
            | Element::FunctionalType { inputs: entity, .. } => {
                vec![*entity]
            }
            Element::Custom { parameters, .. } => parameters.iter().filter_map(Parameter::entity).collect(),
            Element::Params(all) => all.clone(),
            Element::Struct(fields) => fields.iter().map(|field| field.entity).collect(),
            _ => Vec::new(),
        }
    }

    /// The entities that decide whether a clause is printed: one of them is enough.
    #[must_use]
    pub fn decides_clause(&self, elements: &[Element]) -> Vec<usize> {
        let mut all = Vec::new();
        for element in elements {
            match element {
                Element::Entity(entity) => all.push(*entity),
                Element::FunctionalType { inputs, results } => all.extend([*inputs, *results]),
                Element::Custom { parameters, .. } => {
                    // A type directive does not count, neither does a reference.
                    let of = |parameter: &Parameter| match parameter {
                        Parameter::Entity(entity) => Some(*entity),
                        _ => None,
                    };
                    all.extend(parameters.iter().filter_map(of));
                }
                Element::OiList(clauses) => {
                    all.extend(clauses.iter().flat_map(|clause| self.decides_clause(&clause.elements)));
                }
                Element::Optional { then, otherwise, .. } => {
                    all.extend(self.decides_clause(then));
                    all.extend(self.decides_clause(otherwise));
                }
                _ => {}
            }
        }
        all
    }
}

impl Parameter {
    /// The entity that it is or is about.
    #[must_use]
    pub fn entity(&self) -> Option<usize> {
        match self {
            Parameter::Entity(entity) | Parameter::Type(entity) => Some(*entity),
            Parameter::Ref { .. } | Parameter::Other => None,
        }
    }
}
