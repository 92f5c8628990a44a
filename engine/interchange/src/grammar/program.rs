//! A format's parser as a program that decides by the next piece of text, as generated code does.
//!
//! ```text
//! $x (`,` $a^)? attr-dict      take %x · try `,` { take a } · try { … } · end
//! $args                        try %args { loop: try `,` { take %args · loop } } · end
//! ```
//!
//! The parser never backtracks: if the first token of a group is there, the whole group must be.

use smallvec::SmallVec;

use super::{Class, Clause, Element, Entity, Field, Format, Kind, Parameter};

/// The aspect of an entity that a piece of text carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Its value.
    Value,
    /// The type of its value.
    Type,
    /// Its presence.
    Presence,
}

/// An entity by its index, and an aspect of it.
pub type Binding = (Role, usize);

/// The bindings of a piece: several for a custom directive.
pub type Bindings = SmallVec<[Binding; 2]>;

/// Returns the binding of a custom directive's parameter.
#[must_use]
pub fn binding(parameter: &Parameter) -> Option<Binding> {
    match parameter {
        Parameter::Entity(entity) => Some((Role::Value, *entity)),
        Parameter::Type(entity) => Some((Role::Type, *entity)),
        Parameter::Ref { .. } | Parameter::Other => None,
    }
}

/// The piece that a step parses.
#[derive(Clone, Debug)]
pub struct ExpectedPiece {
    /// The text.
    pub class: Class,
    /// The parts that it is.
    pub bindings: Bindings,
    /// The number of the element that it belongs to, in the order of the format.
    pub origin: usize,
    /// The parser of an attribute that may be missing: it reads any attribute.
    pub attribute: Option<MissingAttribute>,
}

/// An attribute that may be missing, as its parser sees it.
#[derive(Clone, Copy, Debug)]
pub struct MissingAttribute {
    /// True if it is printed without the prefix of its dialect.
    pub is_stripped: bool,
}

/// A step of a parser.
#[derive(Clone, Debug)]
pub enum Step {
    /// Parses a piece, which has to be there.
    Take(ExpectedPiece),
    /// Parses a piece if it is there.
    Try {
        /// The piece.
        wanted: ExpectedPiece,
        /// The next step if it is not there.
        otherwise: usize,
    },
    /// Marks an alternative as chosen; some can be chosen only once.
    Mark {
        /// The alternative.
        bit: u32,
        /// True if it can be chosen only once.
        is_once: bool,
    },
    /// Fails if this alternative is not marked.
    Need(u32),
    /// Jumps if all of these are marked.
    IfMarked {
        /// The alternatives.
        bits: u64,
        /// The next step.
        to: usize,
    },
    /// Goes on at another step.
    Jump(usize),
    /// The end of the format.
    End,
}

/// The parser of a format.
#[derive(Debug)]
pub struct Parser {
    /// The steps, from the first one on.
    pub steps: Vec<Step>,
}

impl Parser {
    /// Compiles the parser of a format. `is_repeated` returns true for a literal that may be printed more than once.
    #[must_use]
    pub fn new(format: &Format, is_repeated: &dyn Fn(&str) -> bool) -> Self {
        let mut builder =
            Builder { format, is_repeated, steps: Vec::new(), origin: 0, presence: None, bits: 0 };
        builder.elements(&format.elements, None, Presence::AsDeclared);
        builder.steps.push(Step::End);
        Parser { steps: builder.steps }
    }
}

/// The presence of a variable that is parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    AsDeclared,
    Required,
}

struct Builder<'f> {
    format: &'f Format,
    is_repeated: &'f dyn Fn(&str) -> bool,
    steps: Vec<Step>,
    origin: usize,
    /// The entity whose presence the next literal shows.
    presence: Option<usize>,
    bits: u32,
}

/// A jump target that is set later.
const OPEN: usize = usize::MAX;

/// The most alternatives that can be marked.
const BITS: u32 = 60;

impl<'f> Builder<'f> {
    fn here(&self) -> usize {
        self.steps.len()
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Makes the jump of a step lead to the current position.
    fn land(&mut self, at: usize) {
        let here = self.here();
        if let Some(Step::Try { otherwise: to, .. } | Step::Jump(to) | Step::IfMarked { to, .. }) =
            self.steps.get_mut(at)
        {
            *to = here;
        }
    }

    fn wanted(&self, class: Class, bindings: &[Binding]) -> ExpectedPiece {
        ExpectedPiece { class, bindings: bindings.into(), origin: self.origin, attribute: None }
    }

    fn take(&mut self, class: Class, bindings: &[Binding]) {
        let wanted = self.wanted(class, bindings);
        self.push(Step::Take(wanted));
    }

    fn attempt(&mut self, class: Class, bindings: &[Binding]) -> usize {
        let wanted = self.wanted(class, bindings);
        self.push(Step::Try { wanted, otherwise: OPEN })
    }

    /// Attempts an attribute. Only those of a few classes have a parser that looks for their own first token.
    fn attempt_attribute(&mut self, entity: &Entity, own: &[Binding]) -> usize {
        let looks_for_own = matches!(
            entity.class,
            Class::String | Class::Array | Class::Symbol | Class::SymbolPath | Class::Enum { .. }
        );
        let mut wanted = self.wanted(entity.class.clone(), own);
        wanted.attribute = (!looks_for_own).then_some(MissingAttribute { is_stripped: entity.is_stripped });
        self.push(Step::Try { wanted, otherwise: OPEN })
    }

    fn bit(&mut self) -> Option<u32> {
        let bit = self.bits;
        (bit < BITS).then(|| {
            self.bits += 1;
            bit
        })
    }

    fn entity(&self, entity: usize) -> Option<&'f Entity> {
        self.format.entities.get(entity)
    }

    fn elements(&mut self, elements: &[Element], implied: Option<usize>, presence: Presence) {
        for element in elements {
            self.origin += 1;
            if !matches!((element, implied), (Element::Entity(entity), Some(implied)) if *entity == implied) {
                self.element(element, presence);
            }
        }
    }

    fn element(&mut self, element: &Element, presence: Presence) {
        match element {
            Element::Literal(text) => {
                let shown = self.presence.take().map(|entity| (Role::Presence, entity));
                self.take(Class::literal(text), shown.as_slice());
            }
            Element::Whitespace(_) => {}
            Element::Entity(entity) => self.value(*entity, presence),
            Element::Type(entity) => self.types(*entity),
            Element::FunctionalType { inputs, results } => {
                self.take(Class::FunctionType, &[(Role::Type, *inputs), (Role::Type, *results)]);
            }
            Element::AttrDict { with_keyword: true } => {
                let absent = self.attempt(Class::literal("attributes"), &[]);
                self.take(Class::Dictionary, &[]);
                self.land(absent);
            }
            Element::AttrDict { with_keyword: false } => {
                let absent = self.attempt(Class::Dictionary, &[]);
                self.land(absent);
            }
            Element::PropDict => {
                let absent = self.attempt(Class::PropDictionary, &[]);
                self.land(absent);
            }
            Element::Custom { name, parameters } => {
                let bindings: Bindings = parameters.iter().filter_map(binding).collect();
                self.take(Class::Custom(name.clone()), &bindings);
            }
            Element::OiList(clauses) => self.oilist(clauses),
            Element::Optional { then, otherwise, anchor, is_inverted } => {
                self.group(then, otherwise, *anchor, *is_inverted);
            }
            Element::Params(all) => self.params(all),
            Element::Struct(fields) => self.structure(fields),
        }
    }

    fn group(&mut self, then: &[Element], otherwise: &[Element], anchor: usize, is_inverted: bool) {
        let implied = self.format.implied_anchor(then, otherwise, anchor, is_inverted);
        let is_parsed = |element: &Element| !matches!(element, Element::Whitespace(_));
        let first = then.iter().position(is_parsed).unwrap_or(0);
        let first_otherwise = otherwise.iter().position(is_parsed).unwrap_or(0);
        // Unlike the printer, the parser skips whitespace: it decides by the first element that it can parse.
        let is_anchor_first = anchor == if is_inverted { first_otherwise } else { first };
        let implied = implied.filter(|_| !is_anchor_first);
        self.origin += first + 1;
        let decision = match then.get(first) {
            Some(Element::Literal(text)) => {
                let shown = implied.filter(|_| !is_inverted).map(|entity| (Role::Presence, entity));
                vec![self.attempt(Class::literal(text), shown.as_slice())]
            }
            Some(Element::Entity(entity)) => self.first_value(*entity),
            Some(Element::Custom { name, parameters }) => {
                let bindings: Bindings = parameters.iter().filter_map(binding).collect();
                vec![self.attempt(Class::Custom(name.clone()), &bindings)]
            }
            Some(Element::Params(all)) => {
                // Any parameter that is present decides.
                self.params(all);
                Vec::new()
            }
            Some(Element::Struct(fields)) => {
                self.structure(fields);
                Vec::new()
            }
            _ => Vec::new(),
        };
        self.elements(
            then.get(first + 1..).unwrap_or_default(),
            implied.filter(|_| !is_inverted),
            Presence::Required,
        );
        let end = (!otherwise.is_empty()).then(|| self.push(Step::Jump(OPEN)));
        decision.into_iter().for_each(|at| self.land(at));
        if let Some(end) = end {
            self.presence = implied.filter(|_| is_inverted);
            self.elements(otherwise, implied.filter(|_| is_inverted), Presence::Required);
            self.presence = None;
            self.land(end);
        }
    }

    /// Parses the variable that an optional group begins with; returns the steps that jump if it is absent.
    fn first_value(&mut self, index: usize) -> Vec<usize> {
        let Some(entity) = self.entity(index) else { return Vec::new() };
        let own = [(Role::Value, index)];
        if entity.has_runs {
            let absent = self.attempt(Class::literal("("), &[]);
            self.runs_after_paren(entity, Role::Value, index);
            return vec![absent];
        }
        if entity.kind == Kind::Attribute {
            return vec![self.attempt_attribute(entity, &own)];
        }
        let absent = self.attempt(entity.class.clone(), &own);
        if entity.high > 1 {
            self.more(&entity.class, &own);
        }
        vec![absent]
    }

    /// Parses the rest of a list: `, value` as long as there are commas.
    fn more(&mut self, class: &Class, own: &[Binding]) {
        let again = self.attempt(Class::literal(","), &[]);
        self.take(class.clone(), own);
        self.push(Step::Jump(again));
        self.land(again);
    }

    /// Parses runs of operands or types after the first parenthesis.
    fn runs_after_paren(&mut self, entity: &Entity, role: Role, index: usize) {
        let class = if role == Role::Type { &entity.type_class } else { &entity.class };
        let own = [(role, index)];
        let start = self.here();
        let empty = self.attempt(class.clone(), &own);
        self.more(class, &own);
        self.land(empty);
        self.take(Class::literal(")"), &[]);
        let comma = self.attempt(Class::literal(","), &[]);
        let end = self.attempt(Class::literal("("), &[]);
        self.push(Step::Jump(start));
        self.land(comma);
        self.land(end);
    }

    fn value(&mut self, index: usize, presence: Presence) {
        let Some(entity) = self.entity(index) else { return };
        let own = [(Role::Value, index)];
        let class = entity.class.clone();
        match entity.kind {
            Kind::Operand | Kind::Region | Kind::Successor | Kind::Result => {
                if entity.has_runs {
                    let absent = self.attempt(Class::literal("("), &[]);
                    self.runs_after_paren(entity, Role::Value, index);
                    self.land(absent);
                } else if entity.high > 1 {
                    let absent = self.attempt(class.clone(), &own);
                    self.more(&class, &own);
                    self.land(absent);
                } else if entity.low == 0 && entity.kind != Kind::Region {
                    let absent = self.attempt(class, &own);
                    self.land(absent);
                } else {
                    self.take(class, &own);
                }
            }
            Kind::Attribute if presence == Presence::AsDeclared && entity.low == 0 && !entity.has_default => {
                let absent = self.attempt_attribute(entity, &own);
                self.land(absent);
            }
            Kind::Parameter if entity.low == 0 => {
                let absent = self.attempt(class, &own);
                self.land(absent);
            }
            Kind::Attribute | Kind::Property | Kind::Parameter => self.take(class, &own),
        }
    }

    fn types(&mut self, index: usize) {
        let Some(entity) = self.entity(index) else { return };
        let own = [(Role::Type, index)];
        let class = entity.type_class.clone();
        if entity.has_runs {
            let absent = self.attempt(Class::literal("("), &[]);
            self.runs_after_paren(entity, Role::Type, index);
            self.land(absent);
        } else if entity.high > 1 {
            // A list of types has at least one, unlike a list of operands.
            self.take(class.clone(), &own);
            self.more(&class, &own);
        } else if entity.low == 0 {
            let absent = self.attempt(class, &own);
            self.land(absent);
        } else {
            self.take(class, &own);
        }
    }

    fn oilist(&mut self, clauses: &[Clause]) {
        let start = self.here();
        for clause in clauses {
            self.origin += 1;
            let implied = self.format.implied_in_clause(&clause.elements);
            let shown = implied.map(|entity| (Role::Presence, entity));
            let next = self.attempt(Class::literal(&clause.keyword), shown.as_slice());
            if (self.is_repeated)(&clause.keyword)
                && let Some(bit) = self.bit()
            {
                self.push(Step::Mark { bit, is_once: true });
            }
            self.elements(&clause.elements, implied, Presence::AsDeclared);
            self.push(Step::Jump(start));
            self.land(next);
        }
    }

    /// Parses parameters in order, separated by commas. Optional ones may be missing, and the list may end before them.
    fn params(&mut self, all: &[usize]) {
        let mut ends = Vec::new();
        for (position, &index) in all.iter().enumerate() {
            let rest = all.get(position + 1..).unwrap_or_default();
            let is_optional = |index: usize| self.entity(index).is_some_and(|entity| entity.low == 0);
            let (is_own, may_end) = (is_optional(index), rest.iter().all(|index| is_optional(*index)));
            let Some(entity) = self.entity(index) else { continue };
            let own = [(Role::Value, index)];
            let absent = if is_own {
                Some(self.attempt(entity.class.clone(), &own))
            } else {
                self.take(entity.class.clone(), &own);
                None
            };
            if !rest.is_empty() {
                match may_end {
                    true => ends.push(self.attempt(Class::literal(","), &[])),
                    false => self.take(Class::literal(","), &[]),
                }
            }
            if let Some(absent) = absent {
                self.land(absent);
            }
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// Parses pairs of key and value, in any order.
    fn structure(&mut self, fields: &[Field]) {
        let bits: Vec<Option<u32>> = fields
            .iter()
            .map(|field| {
                let is_required = self.entity(field.entity).is_some_and(|entity| entity.low > 0);
                is_required.then(|| self.bit()).flatten()
            })
            .collect();
        let all_required = bits.iter().all(Option::is_some);
        let start = self.here();
        let mut values = Vec::new();
        for (field, bit) in fields.iter().zip(&bits) {
            let Some(entity) = self.entity(field.entity) else { continue };
            let next = self.attempt(Class::literal(&entity.name), &[(Role::Presence, field.entity)]);
            if let Some(bit) = bit {
                self.push(Step::Mark { bit: *bit, is_once: true });
            }
            self.take(Class::literal("="), &[]);
            if field.is_bracketed {
                self.take(Class::literal("["), &[]);
            }
            match &field.element {
                Some(element) => self.element(element, Presence::AsDeclared),
                None => self.value(field.entity, Presence::AsDeclared),
            }
            if field.is_bracketed {
                self.take(Class::literal("]"), &[]);
            }
            values.push(self.push(Step::Jump(OPEN)));
            self.land(next);
        }
        let none = self.push(Step::Jump(OPEN));
        values.into_iter().for_each(|value| self.land(value));
        // Without optional fields their number is fixed.
        let all = bits.iter().flatten().fold(0u64, |all, bit| all | (1u64 << *bit));
        let done =
            (all_required && !fields.is_empty()).then(|| self.push(Step::IfMarked { bits: all, to: OPEN }));
        let comma = self.attempt(Class::literal(","), &[]);
        self.push(Step::Jump(start));
        self.land(comma);
        self.land(none);
        if let Some(done) = done {
            self.land(done);
        }
        for bit in bits.into_iter().flatten() {
            self.push(Step::Need(bit));
        }
    }
}
