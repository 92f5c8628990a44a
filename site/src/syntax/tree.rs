//! Converts a declarative assembly format to the syntax that a reader may write.
//!
//! Elements that only steer the printer are dropped. Parts that may be missing become optional: optional groups and
//! operands, attributes with a default, the attribute dictionary.

use odsmith_engine::ods::{
    AttrOrTypeDef, Operation, Parameter, TypeConstraint,
    format::{Custom, Element, OptionalGroup, TypeOf, Variable, VariableKind},
};

/// A piece of syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A keyword or punctuation.
    Literal(String),
    /// The name of the operation, type or attribute.
    Name(String),
    /// A placeholder.
    Term(Term),
    /// Nodes in sequence.
    Sequence(Vec<Node>),
    /// A node that may be missing.
    Optional(Box<Node>),
    /// One of the nodes.
    Choice(Vec<Node>),
    /// Any of the nodes in any order, or none.
    AnyOrder(Vec<Node>),
    /// The node once or more often, with commas between.
    List(Box<Node>),
}

/// A placeholder for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The kind of the part.
    pub role: Role,
    /// The text: `%lhs`, `type(%lhs)`.
    pub text: String,
    /// The address of its explanation.
    pub href: Option<String>,
    /// True if it is a list with commas.
    pub is_list: bool,
    /// The parameters of a custom directive.
    pub parameters: Vec<Term>,
}

/// The kind of a term, which determines its colour, shape and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value.
    Operand,
    /// An attribute, property or parameter.
    Attribute,
    /// A region or successor.
    Region,
    /// A type.
    Type,
    /// A part that C++ code parses and prints.
    Custom,
}

impl Role {
    /// The class in pages.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Role::Operand => "operand",
            Role::Attribute => "attr",
            Role::Region => "region",
            Role::Type => "type",
            Role::Custom => "directive",
        }
    }
}

impl Term {
    fn new(role: Role, text: impl Into<String>) -> Self {
        Term { role, text: text.into(), href: None, is_list: false, parameters: Vec::new() }
    }
}

/// Finds the fragment of a part of an operation, attribute or type, by kind and index.
pub type Anchors<'a> = dyn Fn(VariableKind, usize) -> Option<String> + 'a;

/// The syntax of an operation with these format elements.
#[must_use]
pub fn operation(op: &Operation<'_>, elements: &[Element<'_>], anchors: &Anchors<'_>) -> Node {
    let mut nodes = vec![Node::Name(op.name())];
    Builder { entity: Entity::Operation(op), anchors }.elements(elements, None, &mut nodes);
    Node::Sequence(nodes)
}

/// The syntax of an attribute or type with these format elements.
#[must_use]
pub fn attr_or_type(
    def: &AttrOrTypeDef<'_>,
    name: &str,
    elements: &[Element<'_>],
    anchors: &Anchors<'_>,
) -> Node {
    let mut nodes = vec![Node::Name(name.to_owned())];
    Builder { entity: Entity::Def(def), anchors }.elements(elements, None, &mut nodes);
    Node::Sequence(nodes)
}

enum Entity<'e, 'r> {
    Operation(&'e Operation<'r>),
    Def(&'e AttrOrTypeDef<'r>),
}

struct Builder<'e, 'r> {
    entity: Entity<'e, 'r>,
    anchors: &'e Anchors<'e>,
}

/// Joins nodes to one, without a sequence around a single one.
fn joined(mut nodes: Vec<Node>) -> Node {
    if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) }
}

fn optional(node: Node) -> Node {
    match node {
        Node::Optional(_) | Node::AnyOrder(_) => node,
        node => Node::Optional(Box::new(node)),
    }
}

impl<'r> Builder<'_, 'r> {
    /// Adds elements. `anchor` is the one whose presence the enclosing group implies, so that it is not optional.
    fn elements(&self, elements: &[Element<'r>], anchor: Option<usize>, out: &mut Vec<Node>) {
        for (index, element) in elements.iter().enumerate() {
            self.element(element, anchor == Some(index), out);
        }
    }

    fn element(&self, element: &Element<'r>, is_anchor: bool, out: &mut Vec<Node>) {
        match element {
            Element::Literal(literal) => out.push(Node::Literal((*literal).to_owned())),
            Element::Whitespace(_) | Element::Ref(_) | Element::Code(_) => {}
            Element::Variable(variable) => {
                let term = Node::Term(self.variable(*variable));
                let may_be_missing = !is_anchor && self.is_optional(*variable);
                out.push(if may_be_missing { optional(term) } else { term });
            }
            Element::AttrDict { with_keyword } => {
                let dictionary = Node::Term(Term::new(Role::Attribute, "attr-dict"));
                let keyword = with_keyword.then(|| Node::Literal("attributes".to_owned()));
                let nodes = keyword.into_iter().chain([dictionary]).collect();
                out.push(optional(joined(nodes)));
            }
            Element::PropDict => out.push(optional(Node::Term(Term::new(Role::Attribute, "prop-dict")))),
            Element::Operands => out.push(list(Role::Operand, "operands")),
            Element::Results => out.push(list(Role::Operand, "results")),
            Element::Regions => out.push(list(Role::Region, "regions")),
            Element::Successors => out.push(list(Role::Region, "successors")),
            Element::Type { of, .. } => {
                let term = Node::Term(self.ty(*of));
                let may_be_missing = matches!(of, TypeOf::Variable(variable) if self.is_optional(*variable));
                out.push(if may_be_missing && !is_anchor { optional(term) } else { term });
            }
            Element::FunctionalType { inputs, results } => {
                let literal = |text: &str| Node::Literal(text.to_owned());
                out.push(literal("("));
                out.push(self.types(*inputs));
                out.extend([literal(")"), literal("->")]);
                out.push(Node::Term(self.ty(*results)));
            }
            Element::Custom(custom) => out.push(Node::Term(self.custom(custom))),
            Element::OiList(clauses) => {
                let clauses = clauses.iter().map(|clause| {
                    let mut nodes = vec![Node::Literal(clause.literal().to_owned())];
                    // The keyword implies that its parts are present.
                    for element in &clause.elements {
                        self.element(element, true, &mut nodes);
                    }
                    nodes.retain(|node| !self.is_flag_of(node, &clause.elements));
                    joined(nodes)
                });
                out.push(Node::AnyOrder(clauses.collect()));
            }
            Element::Optional(group) => out.push(self.group(group)),
            Element::Params => self.parameters(out),
            Element::Struct(elements) => self.structure(elements, out),
        }
    }

    /// Tests if a node is the flag that its keyword already implies.
    fn is_flag_of(&self, node: &Node, elements: &[Element<'r>]) -> bool {
        let Node::Term(term) = node else { return false };
        let is_flag = |element: &Element<'r>| {
            element.variable().is_some_and(|it| self.is_flag(it) && self.variable(it).text == term.text)
        };
        elements.len() == 1 && elements.iter().any(is_flag)
    }

    fn group(&self, group: &OptionalGroup<'r>) -> Node {
        let branch = |elements: &[Element<'r>], has_anchor: bool| {
            let mut nodes = Vec::new();
            let anchor = has_anchor.then_some(group.anchor);
            let anchored = anchor.and_then(|anchor| elements.get(anchor)?.variable());
            for (index, element) in elements.iter().enumerate() {
                // If the anchor is present, so is its type.
                let is_its_type = matches!(element, Element::Type { of: TypeOf::Variable(variable), .. }
                    if anchored.is_some_and(|it| (it.kind, it.index) == (variable.kind, variable.index)));
                let is_anchor = anchor == Some(index) || is_its_type;
                let is_flag = element.variable().is_some_and(|it| self.is_flag(it));
                // A flag that anchors its group is implied by the group.
                if !(is_anchor && is_flag && elements.len() > 1) {
                    self.element(element, is_anchor, &mut nodes);
                }
            }
            nodes
        };
        let then = branch(&group.then, !group.is_inverted);
        let otherwise = branch(&group.otherwise, group.is_inverted);
        match (then.is_empty(), otherwise.is_empty()) {
            (_, true) => optional(joined(then)),
            (true, false) => optional(joined(otherwise)),
            (false, false) => Node::Choice(vec![joined(then), joined(otherwise)]),
        }
    }

    fn constraint(&self, variable: Variable<'_>) -> Option<TypeConstraint<'r>> {
        let Entity::Operation(op) = self.entity else { return None };
        match variable.kind {
            VariableKind::Operand => op.operands().get(variable.index).map(|it| it.constraint),
            VariableKind::Result => op.results().get(variable.index).map(|it| it.constraint),
            _ => None,
        }
    }

    fn is_flag(&self, variable: Variable<'_>) -> bool {
        let Entity::Operation(op) = self.entity else { return false };
        match variable.kind {
            VariableKind::Attribute => {
                op.attributes().get(variable.index).is_some_and(|it| it.attribute.is_unit())
            }
            VariableKind::Property => {
                op.properties().get(variable.index).is_some_and(|it| it.property.is_unit())
            }
            _ => false,
        }
    }

    fn is_optional(&self, variable: Variable<'_>) -> bool {
        match &self.entity {
            Entity::Operation(op) => match variable.kind {
                VariableKind::Attribute => op.attributes().get(variable.index).is_some_and(|it| {
                    let attribute = it.attribute;
                    attribute.is_optional() || attribute.default_value().is_some()
                }),
                VariableKind::Property => op
                    .properties()
                    .get(variable.index)
                    .is_some_and(|it| it.property.default_value().is_some()),
                _ => self.constraint(variable).is_some_and(TypeConstraint::is_variable_length),
            },
            Entity::Def(def) => def.parameters().get(variable.index).is_some_and(|it| it.is_optional()),
        }
    }

    fn variable(&self, variable: Variable<'_>) -> Term {
        let name = variable.name;
        let (role, text) = match variable.kind {
            VariableKind::Operand | VariableKind::Result => (Role::Operand, format!("%{name}")),
            VariableKind::Region => (Role::Region, format!("{{{name}}}")),
            VariableKind::Successor => (Role::Region, format!("^{name}")),
            VariableKind::Attribute if self.is_symbol(variable) => (Role::Attribute, format!("@{name}")),
            VariableKind::Attribute | VariableKind::Property | VariableKind::Parameter => {
                (Role::Attribute, name.to_owned())
            }
        };
        let is_list = match (&self.entity, variable.kind) {
            (Entity::Operation(op), VariableKind::Region) => {
                op.regions().get(variable.index).is_some_and(|it| it.is_variadic())
            }
            (Entity::Operation(op), VariableKind::Successor) => {
                op.successors().get(variable.index).is_some_and(|it| it.is_variadic())
            }
            _ => self.constraint(variable).is_some_and(TypeConstraint::is_variadic),
        };
        let href = (self.anchors)(variable.kind, variable.index);
        Term { href, is_list, ..Term::new(role, text) }
    }

    fn is_symbol(&self, variable: Variable<'_>) -> bool {
        let Entity::Operation(op) = self.entity else { return false };
        op.attributes()
            .get(variable.index)
            .is_some_and(|it| it.attribute.is_symbol_name() || it.attribute.is_symbol_reference())
    }

    fn ty(&self, of: TypeOf<'_>) -> Term {
        match of {
            TypeOf::Variable(variable) => {
                let term = self.variable(variable);
                Term { role: Role::Type, text: format!("type({})", term.text), ..term }
            }
            TypeOf::Operands | TypeOf::Results => {
                let text = format!("type({})", of.name());
                Term { is_list: true, ..Term::new(Role::Type, text) }
            }
        }
    }

    /// Types between parentheses, which may be empty.
    fn types(&self, of: TypeOf<'_>) -> Node {
        let term = self.ty(of);
        if term.is_list { optional(Node::Term(term)) } else { Node::Term(term) }
    }

    fn custom(&self, custom: &Custom<'r>) -> Term {
        let parameter = |element: &Element<'r>| match element {
            Element::Variable(variable) => Some(self.variable(*variable)),
            Element::Type { of, .. } => Some(self.ty(*of)),
            Element::AttrDict { .. } => Some(Term::new(Role::Attribute, "attr-dict")),
            Element::PropDict => Some(Term::new(Role::Attribute, "prop-dict")),
            // Other parameters appear elsewhere in the text.
            _ => None,
        };
        let parameters = custom.parameters.iter().filter_map(parameter).collect();
        Term { parameters, ..Term::new(Role::Custom, custom.name) }
    }

    /// Adds the parameters, with commas between them.
    fn parameters(&self, out: &mut Vec<Node>) {
        let Entity::Def(def) = self.entity else { return };
        let all: Vec<(usize, Parameter<'r>)> =
            def.parameters().iter().copied().enumerate().filter(|(_, it)| !it.is_self_type()).collect();
        for (position, (index, parameter)) in all.into_iter().enumerate() {
            let comma = (position > 0).then(|| Node::Literal(",".to_owned()));
            let nodes: Vec<Node> = comma.into_iter().chain([self.parameter(index, parameter)]).collect();
            out.push(if parameter.is_optional() { optional(joined(nodes)) } else { joined(nodes) });
        }
    }

    fn parameter(&self, index: usize, parameter: Parameter<'r>) -> Node {
        let kind = VariableKind::Parameter;
        let variable = Variable { kind, index, name: parameter.name, is_qualified: false, is_case: false };
        Node::Term(self.variable(variable))
    }

    /// Adds `key = value` fields: they come in any order, with commas between them, and each at most once.
    fn structure(&self, elements: &[Element<'r>], out: &mut Vec<Node>) {
        let Entity::Def(def) = self.entity else { return };
        let mut fields: Vec<(usize, Node)> = Vec::new();
        for element in elements {
            match element {
                Element::Params => {
                    let all = def.parameters().iter().copied().enumerate();
                    fields.extend(
                        all.filter(|(_, it)| !it.is_self_type()).map(|(at, it)| (at, self.parameter(at, it))),
                    );
                }
                Element::Variable(variable) => {
                    fields.push((variable.index, Node::Term(self.variable(*variable))));
                }
                Element::Custom(custom) => {
                    let first = custom.parameters.first().and_then(Element::variable);
                    fields.extend(first.map(|it| (it.index, Node::Term(self.custom(custom)))));
                }
                _ => {}
            }
        }
        let mut may_be_empty = true;
        let mut all = Vec::new();
        for (index, value) in fields {
            let Some(parameter) = def.parameters().get(index) else { continue };
            let key = Node::Literal(parameter.name.to_owned());
            may_be_empty &= parameter.is_optional();
            all.push(joined(vec![key, Node::Literal("=".to_owned()), value]));
        }
        let list = match all.len() {
            0 => return,
            1 => joined(all),
            _ => Node::List(Box::new(Node::Choice(all))),
        };
        out.push(if may_be_empty { optional(list) } else { list });
    }
}

fn list(role: Role, name: &str) -> Node {
    Node::Term(Term { is_list: true, ..Term::new(role, name) })
}
