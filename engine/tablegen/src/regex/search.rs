//! Follows all paths through a program at once.
//!
//! Anchors expose how the reference works. At each place it first passes `^` and `$`, and then the starts and ends of
//! words, so that `[[:<:]]^a` is found nowhere. It passes line anchors in rounds, as many as are written in the
//! expression for this place: `$$` is two, `${2}` is one. A round passes one anchor of each path or, if the states do
//! not fit into one word, all of them.

use super::{Anchor, Program, Step};

/// The current paths through a program, and memory for them.
pub(super) struct Search<'a> {
    program: &'a Program,
    text: &'a [u8],
    states: States,
    next: States,
}

#[derive(Default)]
struct States {
    list: Vec<u32>,
    has: Vec<bool>,
}

impl States {
    fn new(len: usize) -> Self {
        States { list: Vec::new(), has: vec![false; len] }
    }

    fn clear(&mut self) {
        for state in self.list.drain(..) {
            self.has[state as usize] = false;
        }
    }

    fn insert(&mut self, state: usize) {
        if !std::mem::replace(&mut self.has[state], true) {
            self.list.push(state as u32);
        }
    }

    /// Adds the states that those from `from` on lead to without a byte or an anchor.
    fn close(&mut self, program: &Program, from: usize) {
        let mut index = from;
        while let Some(&state) = self.list.get(index) {
            index += 1;
            let state = state as usize;
            match program.steps[state] {
                Step::Pass | Step::Open(_) | Step::Close(_) | Step::Reference(..) => self.insert(state + 1),
                Step::Fork(distance) => {
                    self.insert(state + 1);
                    self.insert(jump(state, distance));
                }
                Step::Jump(distance) => self.insert(jump(state, distance)),
                Step::Byte(_) | Step::Set(_) | Step::Anchor(_) | Step::Match => {}
            }
        }
    }

    /// Passes the anchors that hold, in this number of rounds.
    fn pass_anchors(&mut self, program: &Program, rounds: u32, holds: impl Fn(Anchor) -> bool) {
        let mut done = 0;
        for _ in 0..rounds {
            let mut end = self.list.len();
            if done == end {
                return;
            }
            while done < end {
                let state = self.list[done] as usize;
                done += 1;
                if matches!(program.steps[state], Step::Anchor(anchor) if holds(anchor)) {
                    let from = self.list.len();
                    self.insert(state + 1);
                    self.close(program, from);
                    if !program.is_small {
                        end = self.list.len();
                    }
                }
            }
        }
    }
}

/// Returns the target of a relative jump.
pub(super) fn jump(from: usize, distance: i32) -> usize {
    from.wrapping_add_signed(distance as isize)
}

impl<'a> Search<'a> {
    pub(super) fn new(program: &'a Program, text: &'a [u8]) -> Self {
        let states = States::new(program.steps.len());
        let next = States::new(program.steps.len());
        Search { program, text, states, next }
    }

    /// Returns true if a match is found anywhere.
    pub(super) fn finds<E>(&mut self, charge: &mut impl FnMut(u64) -> Result<(), E>) -> Result<bool, E> {
        let mut is_found = false;
        self.run(0, true, charge, |_| {
            is_found = true;
            false
        })?;
        Ok(is_found)
    }

    /// Returns the ends of all matches that begin at this place.
    pub(super) fn ends<E>(
        &mut self,
        start: usize,
        charge: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let mut ends = Vec::new();
        self.run(start, false, charge, |end| {
            ends.push(end);
            true
        })?;
        Ok(ends)
    }

    /// Calls `found` at each end, until it returns false.
    fn run<E>(
        &mut self,
        start: usize,
        begins_anywhere: bool,
        charge: &mut impl FnMut(u64) -> Result<(), E>,
        mut found: impl FnMut(usize) -> bool,
    ) -> Result<(), E> {
        let Search { program, text, states, next } = self;
        states.clear();
        next.clear();
        let last = program.steps.len() - 1;
        for at in start..=text.len() {
            if at == start || begins_anywhere {
                let from = states.list.len();
                states.insert(0);
                states.close(program, from);
            }
            let [starts, ends] = program.line_anchors;
            let is_start = at == 0;
            let is_end = at == text.len();
            let rounds = if is_start { starts } else { 0 } + if is_end { ends } else { 0 };
            states.pass_anchors(program, rounds, |anchor| match anchor {
                Anchor::TextStart => is_start,
                Anchor::TextEnd => is_end,
                Anchor::WordStart | Anchor::WordEnd => false,
            });
            states.pass_anchors(program, 1, |anchor| match anchor {
                Anchor::TextStart | Anchor::TextEnd => false,
                Anchor::WordStart | Anchor::WordEnd => anchor.holds(text, at),
            });
            charge(states.list.len() as u64 / 8 + 1)?;
            if states.has[last] && !found(at) {
                break;
            }
            let Some(&byte) = text.get(at) else { break };
            for &state in &states.list {
                let state = state as usize;
                let takes = match program.steps[state] {
                    Step::Byte(own) => own == byte,
                    Step::Set(set) => program.sets[set as usize].has(byte),
                    _ => false,
                };
                if takes {
                    next.insert(state + 1);
                }
            }
            next.close(program, 0);
            std::mem::swap(states, next);
            next.clear();
            if states.list.is_empty() && !begins_anywhere {
                break;
            }
        }
        Ok(())
    }
}
