//! The syntax tree of an assembly format.

/// One element of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element<'a> {
    /// A keyword or punctuation.
    Literal(&'a str),
    /// Whitespace, which is printed and not parsed.
    Whitespace(Whitespace),
    /// A part of the operation, attribute or type.
    Variable(Variable<'a>),
    /// `attr-dict`, `attr-dict-with-keyword`.
    AttrDict {
        /// True if the keyword `attributes` comes first.
        with_keyword: bool,
    },
    /// `prop-dict`.
    PropDict,
    /// `operands`.
    Operands,
    /// `results`, only inside a type directive.
    Results,
    /// `regions`.
    Regions,
    /// `successors`.
    Successors,
    /// `type(…)`.
    Type {
        /// The entity with the type.
        of: TypeOf<'a>,
        /// True if it is inside `qualified(…)`.
        is_qualified: bool,
    },
    /// `functional-type(…, …)`.
    FunctionalType {
        /// The types left of the arrow.
        inputs: TypeOf<'a>,
        /// The types right of the arrow.
        results: TypeOf<'a>,
    },
    /// `ref(…)`.
    Ref(Box<Element<'a>>),
    /// `custom<…>(…)`.
    Custom(Custom<'a>),
    /// C++ code, only as a parameter of a custom directive.
    Code(String),
    /// `oilist(…)`.
    OiList(Vec<Clause<'a>>),
    /// `(…)?`.
    Optional(OptionalGroup<'a>),
    /// `params`: all parameters of an attribute or type.
    Params,
    /// `struct(…)`: parameters of an attribute or type as a list of key and value.
    Struct(Vec<Element<'a>>),
}

/// Whitespace, which is printed and not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whitespace {
    /// ` `` `: suppresses the blank that would follow.
    None,
    /// A blank.
    Space,
    /// A line break.
    Newline,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Its kind.
    pub kind: VariableKind,
    /// Its index among those of its kind.
    pub index: usize,
    /// Its name without `$`.
    pub name: &'a str,
    /// True if it is inside `qualified(…)`.
    pub is_qualified: bool,
    /// True if it is inside `enum(…)`: an attribute that is written as a case of its enum.
    pub is_case: bool,
}

/// The kind of entity that a variable refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// An attribute, natural or derived.
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

/// The operand of a type directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeOf<'a> {
    /// An operand or result.
    Variable(Variable<'a>),
    /// All operands.
    Operands,
    /// All results.
    Results,
}

impl TypeOf<'_> {
    /// Returns the name of the variable, `operands` or `results`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            TypeOf::Variable(variable) => variable.name,
            TypeOf::Operands => "operands",
            TypeOf::Results => "results",
        }
    }
}

/// `custom<Name>(parameters)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Custom<'a> {
    /// The name after `parse` and `print`.
    pub name: &'a str,
    /// The arguments.
    pub parameters: Vec<Element<'a>>,
}

/// A clause of an `oilist`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause<'a> {
    /// The literal that begins it.
    pub keyword: Box<Element<'a>>,
    /// The elements after the keyword.
    pub elements: Vec<Element<'a>>,
    /// The literal between clauses; nothing if they simply follow each other.
    pub separator: Option<&'a str>,
}

impl<'a> Clause<'a> {
    /// Returns the text of the literal that begins it.
    #[must_use]
    pub fn literal(&self) -> &'a str {
        match *self.keyword {
            Element::Literal(literal) => literal,
            _ => "",
        }
    }
}

/// `(then) : (otherwise)?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionalGroup<'a> {
    /// The elements to write if the anchor is present.
    pub then: Vec<Element<'a>>,
    /// The elements to write if it is not.
    pub otherwise: Vec<Element<'a>>,
    /// The index of the anchor in `then`, or in `otherwise` if the group is inverted.
    pub anchor: usize,
    /// True if the anchor is in `otherwise`, so that its absence selects `then`.
    pub is_inverted: bool,
}

impl<'a> OptionalGroup<'a> {
    /// Returns the anchor.
    #[must_use]
    pub fn anchor(&self) -> Option<&Element<'a>> {
        let elements = if self.is_inverted { &self.otherwise } else { &self.then };
        elements.get(self.anchor)
    }

    /// Returns the index in `then` of the first element that can be parsed.
    #[must_use]
    pub fn first_parsed(&self) -> usize {
        first_parsed(&self.then)
    }

    /// Returns whether the anchor is the first element of its branch that can be parsed.
    #[must_use]
    pub fn is_anchor_parsed_first(&self) -> bool {
        self.anchor == first_parsed(if self.is_inverted { &self.otherwise } else { &self.then })
    }
}

fn first_parsed(elements: &[Element<'_>]) -> usize {
    let is_parsed = |element: &Element<'_>| !matches!(element, Element::Whitespace(_));
    elements.iter().position(is_parsed).unwrap_or(0)
}

impl<'a> Element<'a> {
    /// Returns the variable, if the element is one.
    #[must_use]
    pub fn variable(&self) -> Option<Variable<'a>> {
        match self {
            Element::Variable(variable) => Some(*variable),
            _ => None,
        }
    }
}
