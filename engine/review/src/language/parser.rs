//! A format's parser at work: how it reacts to the next piece of text.

use super::{
    Class,
    class::{Reaction, Reading as _},
};
pub(super) use odsmith_interchange::grammar::program::{ExpectedPiece, Parser, Step};

/// The result of parsing a piece of text, or its end.
#[derive(Debug)]
pub(super) enum Outcome<'p> {
    /// A step took it.
    Taken { wanted: &'p ExpectedPiece, after: usize, marks: u64 },
    /// The whole text was taken.
    Accepted,
    /// This was expected; `None` if the text had to end.
    Refused(Option<&'p Class>),
    /// Only C++ knows if the step takes it.
    Unclear(&'p Class),
    /// The text ends, but this step would parse past its end.
    Overrun(&'p Class),
}

/// The steps of a parser, one piece of text after another.
pub(super) trait Feed {
    /// Returns the possible outcomes of the next piece.
    fn feed(
        &self,
        at: usize,
        marks: u64,
        next: Option<&Class>,
        follow: Option<bool>,
        work: &mut u64,
    ) -> Vec<Outcome<'_>>;
}

impl Feed for Parser {
    fn feed(
        &self,
        at: usize,
        marks: u64,
        next: Option<&Class>,
        follow: Option<bool>,
        work: &mut u64,
    ) -> Vec<Outcome<'_>> {
        let mut found = Vec::new();
        let mut open = vec![(at, marks)];
        // Every loop takes something, so each step runs at most once.
        let mut budget = 4 * self.steps.len() + 16;
        while let Some((at, marks)) = open.pop() {
            *work += 1;
            if budget == 0 {
                break;
            }
            budget -= 1;
            let Some(step) = self.steps.get(at) else { continue };
            match (step, next) {
                (Step::Jump(to), _) => open.push((*to, marks)),
                (Step::Mark { bit, is_once }, _) => match (marks >> *bit) & 1 {
                    1 if *is_once => found.push(Outcome::Refused(None)),
                    _ => open.push((at + 1, marks | (1u64 << *bit))),
                },
                (Step::Need(bit), _) => match (marks >> *bit) & 1 {
                    1 => open.push((at + 1, marks)),
                    _ => found.push(Outcome::Refused(None)),
                },
                (Step::IfMarked { bits, to }, _) => {
                    open.push((if (marks & *bits) == *bits { *to } else { at + 1 }, marks));
                }
                (Step::End, None) => found.push(Outcome::Accepted),
                (Step::End, Some(_)) => found.push(Outcome::Refused(None)),
                (Step::Take(wanted), None) => found.push(Outcome::Refused(Some(&wanted.class))),
                (Step::Try { wanted, otherwise }, None) => {
                    if follow.is_some_and(|is_end| wanted.class.takes_next_operation(is_end)) {
                        found.push(Outcome::Overrun(&wanted.class));
                    }
                    open.push((*otherwise, marks));
                }
                (Step::Take(wanted), Some(class)) => {
                    found.extend(outcomes(wanted, wanted.class.react(class, false), at + 1, marks));
                }
                (Step::Try { wanted, otherwise }, Some(class)) => {
                    let reaction = match wanted.attribute {
                        Some(it) => wanted.class.react_as_attribute(class, it.is_stripped),
                        None => wanted.class.react(class, true),
                    };
                    if reaction.misses {
                        open.push((*otherwise, marks));
                    }
                    found.extend(outcomes(wanted, reaction, at + 1, marks));
                }
            }
        }
        found
    }
}

/// Returns the outcomes of a reaction, except that of a miss, which depends on the next step.
fn outcomes(
    wanted: &ExpectedPiece,
    reaction: Reaction,
    after: usize,
    marks: u64,
) -> impl Iterator<Item = Outcome<'_>> {
    let taken = reaction.takes.then_some(Outcome::Taken { wanted, after, marks });
    let refused = reaction.refuses.then_some(Outcome::Refused(Some(&wanted.class)));
    let unclear = reaction.is_unclear.then_some(Outcome::Unclear(&wanted.class));
    [taken, refused, unclear].into_iter().flatten()
}
