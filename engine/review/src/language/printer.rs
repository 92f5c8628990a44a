//! A format's printer as a program with choices: the count of each entity decides which groups appear.
//!
//! ```text
//! $x (`,` $a^)? attr-dict      emit %x · if a { emit `,` · emit a } · if dictionary { emit { … } } · end
//! $args                        count args { 0: · 1: emit %args · 2: emit %args `,` %args }
//! ```
//!
//! Jumps lead forward only. A choice is kept as long as a later step uses it, so that `type($args)` has as many items
//! as `$args`.

use super::{
    Class, Format,
    grammar::{Clause, Element, Entity, Field},
};
pub(super) use odsmith_interchange::grammar::program::{Binding, Bindings, Role, binding};
use smallvec::SmallVec;

/// A printed piece of text.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    pub class: Class,
    pub bindings: Bindings,
    /// The number of the element that it belongs to, in the order of the format.
    pub origin: usize,
    /// The text in messages.
    pub text: String,
    /// The cost: texts of lower cost are found first.
    pub cost: u32,
}

#[derive(Clone, Debug)]
enum Step {
    Emit(Printed),
    /// Continues if one of them is present, or if none is; else jumps.
    If {
        any: Vec<usize>,
        is_inverted: bool,
        otherwise: usize,
    },
    /// Continues if there is more than one; else jumps.
    Count {
        entity: usize,
        none: usize,
        one: usize,
    },
    /// Stops if the entity is absent: then the text is not printed.
    Require(usize),
    /// Continues or jumps.
    Either(usize),
    Jump(usize),
    End,
}

/// The counts of the entities that later steps use.
pub(super) type Counts = SmallVec<[(usize, u8); 6]>;

/// The printer of a format.
#[derive(Debug)]
pub(super) struct Printer<'f> {
    format: &'f Format,
    steps: Vec<Step>,
    /// The last step that uses each entity.
    last_use: Vec<usize>,
}

/// A possible next piece, or the end, and the state of the printer after it.
#[derive(Debug)]
pub(super) struct Next {
    pub at: usize,
    pub after: usize,
    pub known: Counts,
    pub is_end: bool,
}

impl<'f> Printer<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        let mut builder = Builder { format, steps: Vec::new(), origin: 0, presence: None };
        builder.elements(&format.elements, None);
        builder.steps.push(Step::End);
        let steps = builder.steps;
        let mut last_use = vec![0; format.entities.len()];
        for (at, step) in steps.iter().enumerate() {
            let asked = match step {
                Step::If { any, .. } => any.as_slice(),
                Step::Count { entity, .. } | Step::Require(entity) => std::slice::from_ref(entity),
                _ => &[],
            };
            for &entity in asked {
                if let Some(last) = last_use.get_mut(entity) {
                    *last = at;
                }
            }
        }
        Printer { format, steps, last_use }
    }

    /// Returns the piece that a step prints.
    pub(super) fn printed(&self, at: usize) -> Option<&Printed> {
        match self.steps.get(at)? {
            Step::Emit(printed) => Some(printed),
            _ => None,
        }
    }

    /// Returns the number of steps that may print this literal.
    pub(super) fn count_of(&self, literal: &str) -> usize {
        let is_it = |step: &&Step| match step {
            Step::Emit(printed) => match &printed.class {
                Class::Literal(text) => text == literal,
                Class::Enum { words, .. } => words.iter().any(|word| word == literal),
                Class::Custom(_) | Class::Code(_) | Class::Own(_) => true,
                _ => false,
            },
            _ => false,
        };
        self.steps.iter().filter(is_it).count()
    }

    /// Returns all possible next pieces, with fewer values first.
    pub(super) fn next(&self, at: usize, known: &Counts, work: &mut u64) -> Vec<Next> {
        let mut found = Vec::new();
        let mut open = vec![(at, known.clone())];
        while let Some((at, mut known)) = open.pop() {
            *work += 1;
            let Some(step) = self.steps.get(at) else { continue };
            match step {
                Step::Emit(_) | Step::End => {
                    let is_end = matches!(step, Step::End);
                    let after = at + 1;
                    known.retain(|(entity, _)| self.last_use.get(*entity).is_some_and(|last| *last >= after));
                    found.push(Next { at, after, known, is_end });
                }
                Step::Jump(to) => open.push((*to, known)),
                Step::Either(to) => {
                    open.push((at + 1, known.clone()));
                    open.push((*to, known));
                }
                Step::Require(entity) => self.split(*entity, &known, |known, count| {
                    if count > 0 {
                        open.push((at + 1, known));
                    }
                }),
                Step::Count { entity, none, one } => self.split(*entity, &known, |known, count| {
                    open.push((
                        match count {
                            0 => *none,
                            1 => *one,
                            _ => at + 1,
                        },
                        known,
                    ));
                }),
                Step::If { any, is_inverted, otherwise } => {
                    let count = |entity: &usize| {
                        known.iter().find(|(known, _)| known == entity).map(|(_, count)| *count)
                    };
                    let is_there = any.iter().any(|entity| count(entity).is_some_and(|count| count > 0));
                    let unknown = any.iter().find(|entity| count(entity).is_none());
                    match unknown.filter(|_| !is_there) {
                        // The step runs again, now with the count.
                        Some(&entity) => self.split(entity, &known, |known, _| open.push((at, known))),
                        None => {
                            open.push((if is_there != *is_inverted { at + 1 } else { *otherwise }, known))
                        }
                    }
                }
            }
        }
        found
    }

    /// Calls a function with each possible count of an entity, the largest first.
    fn split(&self, entity: usize, known: &Counts, mut call: impl FnMut(Counts, u8)) {
        if let Some((_, count)) = known.iter().find(|(known, _)| *known == entity) {
            return call(known.clone(), *count);
        }
        let bounds =
            self.format.entities.get(entity).map_or((1, 1), |entity| (entity.low.min(2), entity.high.min(2)));
        for count in (bounds.0..=bounds.1).rev() {
            let mut known = known.clone();
            known.push((entity, count));
            known.sort_unstable();
            call(known, count);
        }
    }

    /// Returns the cheapest pieces from here to the end.
    pub(super) fn rest(&self, at: usize, known: &Counts) -> Vec<&Printed> {
        let mut pieces = Vec::new();
        let (mut at, mut known, mut work) = (at, known.clone(), 0);
        loop {
            let cost = |next: &Next| self.printed(next.at).map_or(0, |printed| printed.cost);
            let Some(next) = self.next(at, &known, &mut work).into_iter().min_by_key(cost) else {
                return pieces;
            };
            let Some(printed) = self.printed(next.at) else { return pieces };
            pieces.push(printed);
            (at, known) = (next.after, next.known);
        }
    }
}

struct Builder<'f> {
    format: &'f Format,
    steps: Vec<Step>,
    origin: usize,
    /// The entity whose presence the next literal shows.
    presence: Option<usize>,
}

/// A jump target that is set later.
const OPEN: usize = usize::MAX;

impl<'f> Builder<'f> {
    fn here(&self) -> usize {
        self.steps.len()
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Makes the jumps of a step lead to the current position.
    fn land(&mut self, at: usize) {
        let here = self.here();
        if let Some(Step::If { otherwise: to, .. } | Step::Jump(to) | Step::Either(to)) =
            self.steps.get_mut(at)
        {
            *to = here;
        }
    }

    fn emit(&mut self, class: Class, bindings: &[Binding], name: &str) {
        let text = class.sample(name);
        let printed = Printed { class, bindings: bindings.into(), origin: self.origin, text, cost: 2 };
        self.push(Step::Emit(printed));
    }

    fn literal(&mut self, text: &str) {
        let presence = self.presence.take().map(|entity| (Role::Presence, entity));
        self.emit(Class::literal(text), presence.as_slice(), "");
    }

    fn entity(&self, entity: usize) -> Option<&'f Entity> {
        self.format.entities.get(entity)
    }

    fn elements(&mut self, elements: &[Element], implied: Option<usize>) {
        for element in elements {
            self.origin += 1;
            if !matches!((element, implied), (Element::Entity(entity), Some(implied)) if *entity == implied) {
                self.element(element);
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Literal(text) => self.literal(text),
            Element::Whitespace(_) => {}
            Element::Entity(entity) => self.value(*entity),
            Element::Type(entity) => self.types(*entity),
            Element::FunctionalType { inputs, results } => {
                let name = self.entity(*results).map_or("", |entity| entity.name.as_str());
                self.emit(Class::FunctionType, &[(Role::Type, *inputs), (Role::Type, *results)], name);
            }
            Element::AttrDict { with_keyword } => {
                let absent = self.push(Step::Either(OPEN));
                if *with_keyword {
                    self.emit(Class::literal("attributes"), &[], "");
                }
                self.dictionary(Class::Dictionary);
                self.land(absent);
            }
            Element::PropDict => {
                let absent = self.push(Step::Either(OPEN));
                self.dictionary(Class::PropDictionary);
                self.land(absent);
            }
            Element::Custom { name, parameters } => {
                let bindings: Bindings = parameters.iter().filter_map(binding).collect();
                self.emit(Class::Custom(name.clone()), &bindings, "");
            }
            Element::OiList(clauses) => clauses.iter().for_each(|clause| self.clause(clause)),
            Element::Optional { then, otherwise, anchor, is_inverted } => {
                self.group(then, otherwise, *anchor, *is_inverted);
            }
            Element::Params(all) => {
                let entries: Vec<Entry<'_>> = all.iter().map(|entity| (*entity, None)).collect();
                self.list(&entries);
            }
            Element::Struct(fields) => {
                let entries: Vec<Entry<'_>> =
                    fields.iter().map(|field| (field.entity, Some(field))).collect();
                self.list(&entries);
            }
        }
    }

    fn dictionary(&mut self, class: Class) {
        self.emit(class, &[], "");
        // Most operations have no other attributes than those of the format.
        if let Some(Step::Emit(printed)) = self.steps.last_mut() {
            printed.cost = 7;
        }
    }

    fn group(&mut self, then: &[Element], otherwise: &[Element], anchor: usize, is_inverted: bool) {
        let implied = self.format.implied_anchor(then, otherwise, anchor, is_inverted);
        let element = if is_inverted { otherwise.get(anchor) } else { then.get(anchor) };
        let any = element.map(|anchor| self.format.decides(anchor)).unwrap_or_default();
        let condition = (!any.is_empty()).then(|| self.push(Step::If { any, is_inverted, otherwise: OPEN }));
        self.presence = implied.filter(|_| !is_inverted);
        self.elements(then, implied);
        self.presence = None;
        let end = (!otherwise.is_empty()).then(|| self.push(Step::Jump(OPEN)));
        if let Some(condition) = condition {
            self.land(condition);
        }
        if let Some(end) = end {
            self.presence = implied.filter(|_| is_inverted);
            self.elements(otherwise, implied);
            self.presence = None;
            self.land(end);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        self.origin += 1;
        let any = self.format.decides_clause(&clause.elements);
        if any.is_empty() {
            // Its condition is `false`, but its elements are numbered.
            self.origin += count(&clause.elements);
            return;
        }
        let condition = self.push(Step::If { any, is_inverted: false, otherwise: OPEN });
        let implied = self.format.implied_in_clause(&clause.elements);
        self.presence = implied;
        self.literal(&clause.keyword);
        self.presence = None;
        self.elements(&clause.elements, implied);
        self.land(condition);
    }

    /// Prints none, one or two of an entity, with the brackets around each run.
    fn counted(&mut self, entity: usize, class: &Class, role: Role, has_runs: bool) {
        let name = self.entity(entity).map_or("", |entity| entity.name.as_str());
        let (open, close) = (Class::literal("("), Class::literal(")"));
        let own = [(role, entity)];
        let count = self.push(Step::Count { entity, none: OPEN, one: OPEN });
        if has_runs {
            self.emit(open.clone(), &[], "");
        }
        self.emit(class.clone(), &own, name);
        if has_runs {
            self.emit(close.clone(), &[], "");
        }
        self.emit(Class::literal(","), &[], "");
        let one = self.here();
        if has_runs {
            self.emit(open, &[], "");
        }
        self.emit(class.clone(), &own, name);
        if has_runs {
            self.emit(close, &[], "");
        }
        let end = self.here();
        if let Some(Step::Count { none, one: to, .. }) = self.steps.get_mut(count) {
            (*none, *to) = (end, one);
        }
    }

    fn value(&mut self, index: usize) {
        let Some(entity) = self.entity(index) else { return };
        use super::grammar::Kind;
        let is_listed = matches!(entity.kind, Kind::Operand | Kind::Region | Kind::Successor | Kind::Result);
        if is_listed && (entity.high > 1 || entity.low == 0 && entity.kind != Kind::Region) {
            return self.counted(index, &entity.class, Role::Value, entity.has_runs);
        }
        if entity.kind == Kind::Parameter && entity.low == 0 {
            // An optional parameter is not printed if it equals its default.
            let condition = self.push(Step::If { any: vec![index], is_inverted: false, otherwise: OPEN });
            self.emit(entity.class.clone(), &[(Role::Value, index)], &entity.name);
            return self.land(condition);
        }
        if entity.low == 0 && !entity.has_default && entity.kind == Kind::Attribute {
            self.push(Step::Require(index));
        }
        self.emit(entity.class.clone(), &[(Role::Value, index)], &entity.name);
    }

    fn types(&mut self, index: usize) {
        let Some(entity) = self.entity(index) else { return };
        if entity.high > 1 || entity.low == 0 {
            return self.counted(index, &entity.type_class, Role::Type, entity.has_runs);
        }
        self.emit(entity.type_class.clone(), &[(Role::Type, index)], &entity.name);
    }

    /// Prints entries separated by commas: one copy of the steps before the first entry that is present, one after it.
    fn list(&mut self, entries: &[Entry<'_>]) {
        // The start of each entry in the second copy; jumps into it are set once it is written.
        let mut into_second = Vec::new();
        let mut ends = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let condition = self.entry_condition(entry.0);
            self.entry(entry);
            into_second.push((self.push(Step::Jump(OPEN)), index + 1));
            match condition {
                Some(condition) => self.land(condition),
                None => break,
            }
        }
        ends.push(self.push(Step::Jump(OPEN)));
        let mut starts = vec![self.here()];
        for entry in entries.iter().skip(1) {
            starts.push(self.here());
            let condition = self.entry_condition(entry.0);
            self.emit(Class::literal(","), &[], "");
            self.entry(entry);
            if let Some(condition) = condition {
                self.land(condition);
            }
        }
        starts.push(self.here());
        for (jump, index) in into_second {
            if let (Some(Step::Jump(to)), Some(start)) = (self.steps.get_mut(jump), starts.get(index)) {
                *to = *start;
            }
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn entry_condition(&mut self, entity: usize) -> Option<usize> {
        let is_optional = self.entity(entity).is_some_and(|entity| entity.low == 0);
        is_optional.then(|| self.push(Step::If { any: vec![entity], is_inverted: false, otherwise: OPEN }))
    }

    fn entry(&mut self, (entity, field): &Entry<'_>) {
        let Some(field) = field else { return self.value(*entity) };
        let name = self.entity(*entity).map_or("", |entity| entity.name.as_str());
        self.emit(Class::literal(name), &[(Role::Presence, *entity)], "");
        self.emit(Class::literal("="), &[], "");
        if field.is_bracketed {
            self.emit(Class::literal("["), &[], "");
        }
        match &field.element {
            Some(element) => self.element(element),
            None => self.value(*entity),
        }
        if field.is_bracketed {
            self.emit(Class::literal("]"), &[], "");
        }
    }
}

/// Counts elements, with those inside of them.
fn count(elements: &[Element]) -> usize {
    let inside = |element: &Element| match element {
        Element::Optional { then, otherwise, .. } => count(then) + count(otherwise),
        Element::OiList(clauses) => clauses.iter().map(|clause| 1 + count(&clause.elements)).sum(),
        _ => 0,
    };
    elements.iter().map(|element| 1 + inside(element)).sum()
}

type Entry<'e> = (usize, Option<&'e Field>);
