//! A printer and a parser in step: every text of the printer is fed to the parser.
//!
//! ```text
//! state     the printer's step, and the counts of entities that later steps use
//!           the parser's step, and the alternatives that it has marked
//!           true if a piece was read as another entity
//! ```
//!
//! The cheapest states come first, so the first text that shows a difference is the shortest. Each state is visited
//! once.

use super::{
    Class, Format,
    grammar::{Follow, Kind},
    parser::{ExpectedPiece, Feed as _, Outcome, Parser},
    printer::{Binding, Counts, Next, Printed, Printer, Role},
};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::{cmp::Reverse, collections::BinaryHeap, fmt};

/// The entity of the new format for each entity of the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// The new index of each old entity, or `None` if it was removed.
    pub new: Vec<Option<usize>>,
}

impl Pairing {
    /// Pairs entities of the same name. The rest of each kind is paired in order, if equally many are left: these were
    /// renamed.
    #[must_use]
    pub fn by_name(old: &Format, new: &Format) -> Self {
        let position = |name: &str, kind: Kind| {
            let of_kind = |same: bool| {
                new.entities.iter().position(|entity| entity.name == name && (!same || entity.kind == kind))
            };
            // An attribute may have become a property.
            of_kind(true).or_else(|| of_kind(false))
        };
        let mut paired: Vec<Option<usize>> =
            old.entities.iter().map(|entity| position(&entity.name, entity.kind)).collect();
        for kind in [
            Kind::Operand,
            Kind::Result,
            Kind::Attribute,
            Kind::Property,
            Kind::Region,
            Kind::Successor,
            Kind::Parameter,
        ] {
            let lost: Vec<usize> = old
                .entities
                .iter()
                .enumerate()
                .zip(&paired)
                .filter(|((_, entity), new)| entity.kind == kind && new.is_none())
                .map(|((index, _), _)| index)
                .collect();
            let is_free = |index: &usize| !paired.contains(&Some(*index));
            let free: Vec<usize> = (0..new.entities.len())
                .filter(|index| new.entities.get(*index).is_some_and(|entity| entity.kind == kind))
                .filter(is_free)
                .collect();
            if lost.len() == free.len() {
                for (lost, free) in lost.into_iter().zip(free) {
                    if let Some(new) = paired.get_mut(lost) {
                        *new = Some(free);
                    }
                }
            }
        }
        Pairing { new: paired }
    }

    fn of(&self, entity: usize) -> Option<usize> {
        self.new.get(entity).copied().flatten()
    }
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its text, or an example.
    pub text: String,
    /// Its meaning in messages: `$lhs`, `type($lhs)`.
    pub of: Vec<String>,
}

/// A text of a format, in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Text(pub Vec<Piece>);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for Piece { text, .. } in &self.0 {
            let clings = matches!(text.as_str(), "," | ")" | "]" | ">" | "(" | "<")
                || matches!(before, "(" | "[" | "<" | "");
            // A parenthesis follows a word directly, but not a value or a comma.
            let is_apart =
                matches!(text.as_str(), "(" | "<") && !before.ends_with(|c: char| c.is_alphanumeric());
            if (!clings || is_apart) && !matches!(before, "(" | "[" | "<" | "") {
                f.write_str(" ")?;
            }
            f.write_str(text)?;
            before = text;
        }
        Ok(())
    }
}

/// A text that the printer writes and the parser refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The text.
    pub text: Text,
    /// The index of the refused piece; the number of pieces if the text ends too early.
    pub at: usize,
    /// The piece that the parser expected, for messages; `None` if the text had to end.
    pub wanted: Option<String>,
}

/// A text that the parser takes, but reads as something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rebinding {
    /// The text.
    pub text: Text,
    /// The first piece that is read as something else.
    pub at: usize,
    /// The printed meaning, for messages; empty for a literal.
    pub printed: Vec<String>,
    /// The parsed meaning.
    pub parsed: Vec<String>,
}

/// A text that may or may not be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unclear {
    /// The text.
    pub text: Text,
    /// The index of the piece that only C++ can read.
    pub at: usize,
    /// The piece that the parser expects, for messages.
    pub wanted: String,
}

/// A literal that another element of the same format takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shadowing {
    /// The text.
    pub text: Text,
    /// The piece.
    pub at: usize,
    /// The number of the element that prints it, in the order of the format.
    pub printed_by: usize,
    /// The number of the element that parses it.
    pub taken_by: usize,
}

/// The result of feeding a printer's texts to a parser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The shortest text that is refused.
    pub refused: Option<Refusal>,
    /// The shortest text that is read as something else.
    pub rebound: Option<Rebinding>,
    /// The shortest text that may or may not be accepted.
    pub unclear: Option<Unclear>,
    /// The shortest text after which the parser would continue into the next operation.
    pub overrun: Option<Refusal>,
    /// Literals that another element takes; only when a format is compared with itself.
    pub shadowed: Vec<Shadowing>,
    /// True if all texts were tried.
    pub is_complete: bool,
    /// The work that was used.
    pub work: u64,
}

/// The verdict of a [`Comparison`]: the worst case found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every text is accepted with the same meaning.
    Included,
    /// The work limit was reached.
    Unknown,
    /// Some text reaches code that only C++ knows.
    Unclear,
    /// Some text is accepted with another meaning.
    Rebound,
    /// Some text is refused.
    Refused,
}

impl Comparison {
    /// Returns the worst case found.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.refused.is_some() {
            Verdict::Refused
        } else if self.rebound.is_some() {
            Verdict::Rebound
        } else if self.unclear.is_some() {
            Verdict::Unclear
        } else if !self.is_complete {
            Verdict::Unknown
        } else {
            Verdict::Included
        }
    }
}

/// Decides if the parser of `new` accepts all texts that the printer of `old` writes, with the same meaning.
#[must_use]
pub fn includes(old: &Format, new: &Format, pairing: &Pairing, work: u64) -> Comparison {
    Search::new(old, new, pairing, false).run(work)
}

/// Decides if a format's own parser accepts all texts that its printer writes.
#[must_use]
pub fn round_trip(format: &Format, work: u64) -> Comparison {
    let pairing = Pairing { new: (0..format.entities.len()).map(Some).collect() };
    Search::new(format, format, &pairing, true).run(work)
}

/// A state; see the head of this file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    printed: usize,
    known: Counts,
    parsed: usize,
    marks: u64,
    is_rebound: bool,
}

/// The step that reached a state.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: usize,
    /// The printer's step that wrote the piece.
    piece: usize,
}

struct Search<'f> {
    old: &'f Format,
    new: &'f Format,
    pairing: &'f Pairing,
    is_own: bool,
    printer: Printer<'f>,
    steps: Vec<Step>,
    result: Comparison,
}

/// The first piece that is read with another meaning: its index, the printed and the parsed meaning.
type Mismatch = (usize, Vec<String>, Vec<String>);

/// The predecessor of the first state.
const START: usize = usize::MAX;

/// The most shadowed literals that are listed.
const SHADOWED: usize = 8;

impl<'f> Search<'f> {
    fn new(old: &'f Format, new: &'f Format, pairing: &'f Pairing, is_own: bool) -> Self {
        let printer = Printer::new(old);
        Search { old, new, pairing, is_own, printer, steps: Vec::new(), result: Comparison::default() }
    }

    fn run(mut self, limit: u64) -> Comparison {
        let parser = Parser::new(self.new, &|literal| self.printer.count_of(literal) > 1);
        let follow = match self.new.follow {
            Follow::Operation => Some(false),
            Follow::End => Some(true),
            Follow::Anything => None,
        };
        let mut work = 0;
        let mut met = FxHashSet::default();
        let mut waiting = BinaryHeap::new();
        let mut states: Vec<(State, usize, Option<Mismatch>)> = vec![(
            State { printed: 0, known: Counts::new(), parsed: 0, marks: 0, is_rebound: false },
            START,
            None,
        )];
        waiting.push(Reverse((0u32, 0usize)));
        while let Some(Reverse((cost, index))) = waiting.pop() {
            if work > limit {
                self.result.work = work;
                return self.result;
            }
            let Some((state, step, rebinding)) = states.get(index).cloned() else { continue };
            if !met.insert(state.clone()) {
                continue;
            }
            for next in self.printer.next(state.printed, &state.known, &mut work) {
                let printed = self.printer.printed(next.at).cloned();
                let class = printed.as_ref().map(|printed| &printed.class);
                for outcome in parser.feed(state.parsed, state.marks, class, follow, &mut work) {
                    match (outcome, &printed) {
                        (Outcome::Accepted, _) => {
                            if let Some((at, printed, parsed)) = &rebinding {
                                self.note_rebinding(step, *at, printed, parsed);
                            }
                        }
                        (Outcome::Refused(wanted), _) => {
                            self.note_refusal(step, &next, wanted);
                        }
                        (Outcome::Unclear(wanted), _) => self.note_unclear(step, &next, wanted),
                        (Outcome::Overrun(wanted), _) => self.note_overrun(step, wanted),
                        (Outcome::Taken { .. }, None) => {}
                        (Outcome::Taken { wanted, after, marks }, Some(printed)) => {
                            self.steps.push(Step { before: step, piece: next.at });
                            let reached = self.steps.len() - 1;
                            self.note_shadowing(reached, printed, wanted);
                            let mismatch = self.mismatch(printed, wanted);
                            let rebinding = rebinding.clone().or_else(|| {
                                mismatch.then(|| {
                                    let at = self.length(step);
                                    (
                                        at,
                                        self.shown_all(self.old, &printed.bindings),
                                        self.shown_all(self.new, &wanted.bindings),
                                    )
                                })
                            });
                            let is_rebound = state.is_rebound || mismatch;
                            let state = State {
                                printed: next.after,
                                known: next.known.clone(),
                                parsed: after,
                                marks,
                                is_rebound,
                            };
                            states.push((state, reached, rebinding));
                            waiting.push(Reverse((cost + printed.cost, states.len() - 1)));
                        }
                    }
                }
            }
        }
        self.result.is_complete = true;
        self.result.work = work;
        self.result
    }

    /// Returns true if a piece is parsed with another meaning than it was printed with.
    fn mismatch(&self, printed: &Printed, wanted: &ExpectedPiece) -> bool {
        printed.bindings.len() != wanted.bindings.len()
            || printed.bindings.iter().zip(&wanted.bindings).any(|(old, new)| !self.is_same(*old, *new))
    }

    fn is_same(&self, (role, old): Binding, (new_role, new): Binding) -> bool {
        if role != new_role {
            return false;
        }
        if role == Role::Type {
            // If types are known to be equal, one may be written for the other.
            let (old, new) = (equal_types(self.old, old), equal_types(self.new, new));
            return old.iter().any(|old| self.pairing.of(*old).is_some_and(|paired| new.contains(&paired)));
        }
        self.pairing.of(old) == Some(new)
    }

    fn length(&self, step: usize) -> usize {
        let mut length = 0;
        let mut at = step;
        while let Some(step) = self.steps.get(at) {
            length += 1;
            at = step.before;
        }
        length
    }

    /// Returns the pieces up to a step, this one, and the cheapest continuation.
    fn text(&self, step: usize, next: Option<&Next>) -> Text {
        let mut pieces = Vec::new();
        let mut at = step;
        while let Some(step) = self.steps.get(at) {
            pieces.extend(self.printer.printed(step.piece));
            at = step.before;
        }
        pieces.reverse();
        if let Some(next) = next {
            pieces.extend(self.printer.printed(next.at));
            if !next.is_end {
                pieces.extend(self.printer.rest(next.after, &next.known));
            }
        }
        let piece = |printed: &Printed| Piece {
            text: printed.text.clone(),
            of: self.shown_all(self.old, &printed.bindings),
        };
        Text(pieces.into_iter().map(piece).collect())
    }

    fn shown_all(&self, format: &Format, bindings: &[Binding]) -> Vec<String> {
        bindings.iter().map(|binding| shown(format, *binding)).collect()
    }

    fn note_refusal(&mut self, step: usize, next: &Next, wanted: Option<&Class>) {
        if self.result.refused.is_none() {
            let refusal = Refusal {
                text: self.text(step, Some(next)),
                at: self.length(step),
                wanted: wanted.map(|class| class.sample("…")),
            };
            self.result.refused = Some(refusal);
        }
    }

    fn note_unclear(&mut self, step: usize, next: &Next, wanted: &Class) {
        if self.result.unclear.is_none() {
            let (text, at) = (self.text(step, Some(next)), self.length(step));
            self.result.unclear = Some(Unclear { text, at, wanted: wanted.sample("…") });
        }
    }

    fn note_overrun(&mut self, step: usize, wanted: &Class) {
        if self.result.overrun.is_none() {
            let (text, at) = (self.text(step, None), self.length(step));
            self.result.overrun = Some(Refusal { text, at, wanted: Some(wanted.sample("…")) });
        }
    }

    fn note_rebinding(&mut self, step: usize, at: usize, printed: &[String], parsed: &[String]) {
        if self.result.rebound.is_none() {
            let text = self.text(step, None);
            self.result.rebound =
                Some(Rebinding { text, at, printed: printed.to_vec(), parsed: parsed.to_vec() });
        }
    }

    fn note_shadowing(&mut self, reached: usize, printed: &Printed, wanted: &ExpectedPiece) {
        let is_literal = matches!(printed.class, Class::Literal(_) | Class::Enum { .. });
        if !self.is_own || !is_literal || printed.origin == wanted.origin {
            return;
        }
        let pair = (printed.origin, wanted.origin);
        let is_listed = |it: &Shadowing| (it.printed_by, it.taken_by) == pair;
        if self.result.shadowed.len() < SHADOWED && !self.result.shadowed.iter().any(is_listed) {
            let (text, at) = (self.text(reached, None), self.length(reached) - 1);
            self.result.shadowed.push(Shadowing { text, at, printed_by: pair.0, taken_by: pair.1 });
        }
    }
}

/// Returns an entity and those with an equal type.
fn equal_types(format: &Format, entity: usize) -> Vec<usize> {
    let of = |entity: usize| format.entities.get(entity).and_then(|entity| entity.type_of);
    let source = of(entity).unwrap_or(entity);
    let others = (0..format.entities.len()).filter(|other| of(*other) == Some(source));
    others.chain([source, entity]).collect()
}

fn shown(format: &Format, (role, entity): Binding) -> String {
    let Some(entity) = format.entities.get(entity) else { return String::new() };
    let dollar = if entity.is_all { "" } else { "$" };
    match role {
        Role::Value | Role::Presence => format!("{dollar}{}", entity.name),
        Role::Type => format!("type({dollar}{})", entity.name),
    }
}
