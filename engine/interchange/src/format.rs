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
        /// What it is.
        text: String,
    },
    /// What is printed only: nothing, a blank or a line break.
    Whitespace {
        /// What it is.
        text: String,
    },
    /// Something that the operation, attribute or type has.
    Variable {
        /// Its name without `$`.
        name: String,
        /// What it means.
        of: Of,
        /// Whether it is in `qualified(…)`.
        is_qualified: bool,
    },
    /// `attr-dict`, `attr-dict-with-keyword`.
    AttrDict {
        /// Whether the keyword `attributes` comes first.
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
        /// Whether it is in `qualified(…)`.
        is_qualified: bool,
    },
    /// `functional-type(…, …)`.
    FunctionalType {
        /// Left of the arrow: a variable or `operands`.
        inputs: String,
        /// Right of it: a variable or `results`.
        results: String,
    },
    /// `ref(…)`.
    Ref {
        /// To what.
        #[schema(no_recursion)]
        element: Box<Element>,
    },
    /// `custom<…>(…)`.
    Custom {
        /// The name after `parse` and `print`.
        name: String,
        /// What is handed over.
        #[schema(no_recursion)]
        parameters: Vec<Element>,
    },
    /// C++ that is handed to a custom directive.
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
        /// Which element is the anchor: an index into `then`, or into `otherwise` if the group is inverted.
        anchor: usize,
        /// Whether the anchor is among `otherwise`.
        is_inverted: bool,
    },
    /// `struct(…)`.
    Struct {
        /// Its parameters.
        #[schema(no_recursion)]
        elements: Vec<Element>,
    },
}

/// What a variable means.
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
    /// What follows.
    #[schema(no_recursion)]
    pub elements: Vec<Element>,
}

/// The elements of a format.
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

/// A variable goes by its `$name`, so that none is taken for a keyword.
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
