//! Assembly formats as trees.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use odsmith_ods::format::{self, TypeOf, VariableKind, Whitespace};

/// An element of an assembly format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::FormatElement)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Element {
    /// A keyword or punctuation.
    Literal {
        /// The text.
        text: String,
    },
    /// Whitespace, which is printed and not parsed: nothing, a blank or a line break.
    Whitespace {
        /// The text.
        text: String,
    },
    /// A part of the operation, attribute or type.
    Variable {
        /// Its name without `$`.
        name: String,
        /// The kind of entity that it refers to.
        of: Of,
        /// True if it is inside `qualified(…)`.
        is_qualified: bool,
    },
    /// `attr-dict`, `attr-dict-with-keyword`.
    AttrDict {
        /// True if the keyword `attributes` comes first.
        with_keyword: bool,
    },
    /// `prop-dict`.
    PropDict,
    /// `operands`.
    Operands,
    /// `results`.
    Results,
    /// `regions`.
    Regions,
    /// `successors`.
    Successors,
    /// `params`.
    Params,
    /// `type(…)`.
    Type {
        /// A variable, `operands` or `results`.
        of: String,
        /// True if it is inside `qualified(…)`.
        is_qualified: bool,
    },
    /// `functional-type(…, …)`.
    FunctionalType {
        /// The types left of the arrow: a variable or `operands`.
        inputs: String,
        /// The types right of the arrow: a variable or `results`.
        results: String,
    },
    /// `ref(…)`.
    Ref {
        /// The element that it refers to.
        #[schema(no_recursion)]
        element: Box<Element>,
    },
    /// `custom<…>(…)`.
    Custom {
        /// The name after `parse` and `print`.
        name: String,
        /// The arguments.
        #[schema(no_recursion)]
        parameters: Vec<Element>,
    },
    /// C++ that a custom directive gets as an argument.
    Code {
        /// The code.
        code: String,
    },
    /// `oilist(…)`.
    #[serde(rename = "oilist")]
    OiList {
        /// Clauses in any order, each at most once.
        clauses: Vec<Clause>,
    },
    /// `(…)?`.
    Optional {
        /// The elements if the anchor is present.
        #[schema(no_recursion)]
        then: Vec<Element>,
        /// The elements if it is not.
        #[schema(no_recursion)]
        otherwise: Vec<Element>,
        /// The index of the anchor in `then`, or in `otherwise` if the group is inverted.
        anchor: usize,
        /// True if the anchor is in `otherwise`.
        is_inverted: bool,
    },
    /// `struct(…)`.
    Struct {
        /// Its parameters.
        #[schema(no_recursion)]
        elements: Vec<Element>,
    },
}

/// The kind of entity that a variable refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::FormatVariableOf)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
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

/// A clause of an `oilist`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::FormatClause)]
pub struct Clause {
    /// The literal that begins it.
    pub keyword: String,
    /// The elements after the keyword.
    #[schema(no_recursion)]
    pub elements: Vec<Element>,
}

/// Returns the elements of a format.
pub(super) fn elements(elements: &[format::Element<'_>]) -> Vec<Element> {
    elements.iter().map(Element::new).collect()
}

impl Element {
    fn new(element: &format::Element<'_>) -> Self {
        use format::Element as E;
        match element {
            E::Literal(text) => Element::Literal { text: (*text).to_owned() },
            E::Whitespace(what) => Element::Whitespace {
                text: match what {
                    Whitespace::None => "",
                    Whitespace::Space => " ",
                    Whitespace::Newline => "\n",
                }
                .to_owned(),
            },
            E::Variable(variable) => Element::Variable {
                name: variable.name.to_owned(),
                of: Of::new(variable.kind),
                is_qualified: variable.is_qualified,
            },
            E::AttrDict { with_keyword } => Element::AttrDict { with_keyword: *with_keyword },
            E::PropDict => Element::PropDict,
            E::Operands => Element::Operands,
            E::Results => Element::Results,
            E::Regions => Element::Regions,
            E::Successors => Element::Successors,
            E::Params => Element::Params,
            E::Type { of, is_qualified } => Element::Type { of: named(of), is_qualified: *is_qualified },
            E::FunctionalType { inputs, results } => {
                Element::FunctionalType { inputs: named(inputs), results: named(results) }
            }
            E::Ref(element) => Element::Ref { element: Box::new(Element::new(element)) },
            E::Custom(custom) => {
                Element::Custom { name: custom.name.to_owned(), parameters: elements(&custom.parameters) }
            }
            E::Code(code) => Element::Code { code: code.clone() },
            E::OiList(clauses) => Element::OiList { clauses: clauses.iter().map(Clause::new).collect() },
            E::Optional(group) => Element::Optional {
                then: elements(&group.then),
                otherwise: elements(&group.otherwise),
                anchor: group.anchor,
                is_inverted: group.is_inverted,
            },
            E::Struct(inner) => Element::Struct { elements: elements(inner) },
        }
    }
}

/// Returns the name of a type's entity. A variable has its `$`, so that it differs from a keyword.
fn named(of: &TypeOf<'_>) -> String {
    match of {
        TypeOf::Variable(variable) => format!("${}", variable.name),
        TypeOf::Operands | TypeOf::Results => of.name().to_owned(),
    }
}

impl Of {
    fn new(kind: VariableKind) -> Self {
        match kind {
            VariableKind::Attribute => Of::Attribute,
            VariableKind::Operand => Of::Operand,
            VariableKind::Property => Of::Property,
            VariableKind::Region => Of::Region,
            VariableKind::Result => Of::Result,
            VariableKind::Successor => Of::Successor,
            VariableKind::Parameter => Of::Parameter,
        }
    }
}

impl Clause {
    fn new(clause: &format::Clause<'_>) -> Self {
        Clause { keyword: clause.literal().to_owned(), elements: elements(&clause.elements) }
    }
}
