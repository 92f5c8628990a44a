//! Assembly formats as languages: the texts that can be printed, and the class of each piece. The tree of a format is
//! in [`format`](mod@super::format); here its variables are resolved, so that two formats can be compared without their
//! definitions.

mod class;
pub mod program;
pub mod read;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use class::Class;

/// The assembly format of an operation, attribute or type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Grammar)]
pub struct Format {
    /// The entities that its variables and directives refer to.
    pub entities: Vec<Entity>,
    /// The elements, in order.
    pub elements: Vec<Element>,
    /// The text that can follow.
    pub follow: Follow,
}

/// The text that can follow a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarFollow)]
#[serde(rename_all = "kebab-case")]
pub enum Follow {
    /// Another operation, the end of the region or a block.
    #[default]
    Operation,
    /// The end of the block, after a terminator.
    End,
    /// Any text, around an attribute or type.
    Anything,
}

/// A part of an operation, attribute or type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarEntity)]
pub struct Entity {
    /// Its kind.
    pub kind: Kind,
    /// Its name, or that of the directive for all entities of a kind.
    pub name: String,
    /// The minimum number of values: 0, 1, or 2 for more. An attribute that is missing, or has its default, counts as
    /// 0.
    pub low: u8,
    /// The maximum number of values: 0, 1, or 2 for more.
    pub high: u8,
    /// True if it represents all entities of a kind: `operands`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all: bool,
    /// The entity with the same type, if the format relies on that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_of: Option<usize>,
    /// The C++ call that makes its type, if the format relies on that.
    #[serde(skip)]
    pub type_call: Option<String>,
    /// The C++ that makes its type of that of another entity, if the format relies on that.
    #[serde(skip)]
    pub type_made_of: Option<(usize, String)>,
    /// True if its values are in segments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_runs: bool,
    /// True if it has no value other than its presence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unit: bool,
    /// True if it has a value even where it is not printed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_default: bool,
    /// True if it is an attribute that is printed in the syntax of its class, without the prefix of its dialect. Set by
    /// [`Format::resolve`].
    #[serde(skip)]
    pub is_stripped: bool,
    /// The text of one value.
    pub class: Class,
    /// The text of the type of one value.
    #[serde(default = "Class::any_type", skip_serializing_if = "Class::is_any_type")]
    pub type_class: Class,
}

/// The kind of an entity.
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
    /// Creates an entity with exactly one value, which has this text.
    #[must_use]
    pub fn one(kind: Kind, name: &str, class: Class) -> Self {
        Entity {
            kind,
            name: name.to_owned(),
            low: 1,
            high: 1,
            is_all: false,
            type_of: None,
            type_call: None,
            type_made_of: None,
            has_runs: false,
            is_unit: false,
            has_default: false,
            is_stripped: false,
            class,
            type_class: Class::any_type(),
        }
    }

    /// Changes the bounds of the number of values.
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
    /// Whitespace, which is printed and not parsed.
    Whitespace(String),
    /// `$name`, `operands`, `regions`, `successors`.
    Entity(usize),
    /// `type(…)`.
    Type(usize),
    /// `functional-type(…, …)`.
    FunctionalType {
        /// The types before the arrow.
        inputs: usize,
        /// The types after it.
        results: usize,
    },
    /// `attr-dict`, `attr-dict-with-keyword`.
    AttrDict {
        /// True if the keyword `attributes` comes first.
        with_keyword: bool,
    },
    /// `prop-dict`.
    PropDict,
    /// `custom<…>(…)`.
    Custom {
        /// The name after `parse` and `print`.
        name: String,
        /// The arguments.
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
        /// The index of the anchor in its branch.
        anchor: usize,
        /// True if the anchor is in `otherwise`.
        is_inverted: bool,
    },
    /// `params`.
    Params(Vec<usize>),
    /// `struct(…)`.
    Struct(Vec<Field>),
}

/// An argument of a custom directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarParameter)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// An entity.
    Entity(usize),
    /// The type of an entity.
    Type(usize),
    /// A reference to an entity that has been parsed before.
    Ref {
        /// The referenced argument.
        #[schema(no_recursion)]
        of: Box<Parameter>,
    },
    /// The attribute dictionary, or C++.
    Other,
}

/// A clause of an `oilist`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarClause)]
pub struct Clause {
    /// The literal that begins it.
    pub keyword: String,
    /// The elements after the keyword.
    #[schema(no_recursion)]
    pub elements: Vec<Element>,
}

/// An entry of a `struct`: `key = value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::GrammarField)]
pub struct Field {
    /// The parameter.
    pub entity: usize,
    /// The element that is written for it, if that is not its own text.
    #[schema(no_recursion)]
    pub element: Option<Element>,
    /// True if it is in brackets.
    pub is_bracketed: bool,
}

impl Format {
    /// Returns the format without the C++ that makes types, which documents do not have.
    #[must_use]
    pub fn without_code(mut self) -> Format {
        for entity in &mut self.entities {
            (entity.type_call, entity.type_made_of) = (None, None);
        }
        self
    }

    /// Returns the anchor of an optional group if it is not written, because the rest of its group shows its presence.
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
            // An element that is only printed counts as the first one, too.
            &Element::Entity(entity) if anchor > 0 && self.is_unit(entity) => Some(entity),
            _ => None,
        }
    }

    /// Returns the only element of a clause, if the keyword already shows its presence.
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

    /// Returns the entities of an anchor. The presence of one of them selects the group.
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

    /// Returns the entities that decide whether a clause is printed. The presence of one of them is enough.
    #[must_use]
    pub fn decides_clause(&self, elements: &[Element]) -> Vec<usize> {
        let mut all = Vec::new();
        for element in elements {
            match element {
                Element::Entity(entity) => all.push(*entity),
                Element::FunctionalType { inputs, results } => all.extend([*inputs, *results]),
                Element::Custom { parameters, .. } => {
                    // A type directive does not count, nor does a reference.
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
    /// Returns the entity that it is or refers to.
    #[must_use]
    pub fn entity(&self) -> Option<usize> {
        match self {
            Parameter::Entity(entity) | Parameter::Type(entity) => Some(*entity),
            Parameter::Ref { .. } | Parameter::Other => None,
        }
    }
}
