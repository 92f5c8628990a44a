//! Compiles an expression to the steps of a program, in one pass and without recursion.
//!
//! `(a|b)*` becomes this; the two forks were `Pass` until the star and the bar were read:
//!
//! ```text
//! Fork(to the end)  Open(1)  Fork(to b)  a  Jump(to Close)  Pass  b  Close(1)  Jump(back to the fork)
//! ```

use super::{Anchor, GROUPS, MAX_STEPS, Program, Refusal, Set, Step, bracket};

/// The largest number of repetitions.
const MAX_REPEAT: u32 = 255;
/// The number of states that the reference keeps in one word.
const SMALL_STATES: u64 = 64;
/// The reference's states around an optional part.
const OPTIONAL: u64 = 4;

type Compiled<T> = Result<T, Refusal>;

pub(super) fn compile(expression: &[u8]) -> Compiled<Program> {
    let mut compiler = Compiler {
        text: expression,
        at: 0,
        program: Program::default(),
        all_bytes: None,
        open: Vec::new(),
        group_count: 0,
        groups: [const { None }; GROUPS],
    };
    compiler.run()?;
    Ok(compiler.program)
}

struct Compiler<'a> {
    text: &'a [u8],
    at: usize,
    program: Program,
    /// The set of `.`.
    all_bytes: Option<u32>,
    /// The alternatives being read, the outermost first.
    open: Vec<Alternatives>,
    group_count: usize,
    /// The closed groups that can be referred to.
    groups: [Option<Group>; GROUPS],
}

/// The alternatives of a group, or of the whole.
#[derive(Debug, Default)]
struct Alternatives {
    /// The index of the group's first step, and the group's number.
    start: usize,
    number: usize,
    /// The index of the step before the current alternative.
    slot: usize,
    /// The jumps that end the previous alternatives.
    jumps: Vec<usize>,
    /// The states that the reference has for them; see [`Atom::states`].
    states: u64,
    /// The same for the current alternative.
    sequence_states: u64,
}

/// An operand of a repetition: the steps from an index to the end. The first is a `Pass` if a repetition follows.
#[derive(Clone, Copy, Debug)]
struct Atom {
    start: usize,
    /// The number of states that the reference has for it: one for each byte, set and anchor, two around a group, a
    /// reference and `+`, four around `*`, around an optional part and at the first bar, two at each other bar.
    states: u64,
}

/// A group that can be referred to.
#[derive(Clone, Debug)]
struct Group {
    /// The steps between its `Open` and its `Close`, unless `{0}` removed them.
    steps: Option<std::ops::Range<usize>>,
    states: u64,
}

impl Compiler<'_> {
    fn run(&mut self) -> Compiled<()> {
        self.begin_alternatives(0, 0)?;
        while let Some(byte) = self.next() {
            match byte {
                b'|' => self.next_alternative()?,
                b'(' => self.begin_group()?,
                b')' => self.end_group()?,
                _ => self.atom(byte)?,
            }
        }
        let Some(all) = self.open.pop().filter(|_| self.open.is_empty()) else {
            return Err(Refusal::Invalid);
        };
        let states = self.end_alternatives(all)?;
        self.push(Step::Match)?;
        // The start and the end take one state each.
        self.program.is_small = states + 2 <= SMALL_STATES;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn here(&self) -> usize {
        self.program.steps.len()
    }

    fn push(&mut self, step: Step) -> Compiled<usize> {
        if self.here() >= MAX_STEPS {
            return Err(Refusal::TooLong);
        }
        self.program.steps.push(step);
        Ok(self.here() - 1)
    }

    /// Appends a copy of these steps.
    fn push_again(&mut self, steps: std::ops::Range<usize>) -> Compiled<()> {
        if self.here() + steps.len() > MAX_STEPS {
            return Err(Refusal::TooLong);
        }
        self.program.steps.extend_from_within(steps);
        Ok(())
    }

    // --- alternatives and groups ----------------------------------------------------------------------------

    fn begin_alternatives(&mut self, start: usize, number: usize) -> Compiled<()> {
        let slot = self.push(Step::Pass)?;
        self.open.push(Alternatives { start, number, slot, ..Alternatives::default() });
        Ok(())
    }

    fn next_alternative(&mut self) -> Compiled<()> {
        let jump = self.push(Step::Jump(0))?;
        let slot = self.push(Step::Pass)?;
        let Some(open) = self.open.last_mut() else { return Err(Refusal::Invalid) };
        if open.sequence_states == 0 {
            return Err(Refusal::Invalid);
        }
        self.program.steps[open.slot] = Step::Fork(distance(open.slot, slot));
        open.states += open.sequence_states + if open.jumps.is_empty() { 4 } else { 2 };
        open.sequence_states = 0;
        open.slot = slot;
        open.jumps.push(jump);
        Ok(())
    }

    /// Points the ends of all alternatives here, and returns their states.
    fn end_alternatives(&mut self, open: Alternatives) -> Compiled<u64> {
        // Nothing on either side of a bar, or in the whole expression.
        if open.sequence_states == 0 {
            return Err(Refusal::Invalid);
        }
        let end = self.here();
        for jump in open.jumps {
            self.program.steps[jump] = Step::Jump(distance(jump, end));
        }
        Ok(open.states + open.sequence_states)
    }

    fn begin_group(&mut self) -> Compiled<()> {
        let start = self.push(Step::Pass)?;
        self.group_count += 1;
        let number = self.group_count;
        if let Some(group) = group_index(number) {
            self.push(Step::Open(group))?;
        }
        if !self.eat(b')') {
            return self.begin_alternatives(start, number);
        }
        self.close_group(start, number, 0)
    }

    fn end_group(&mut self) -> Compiled<()> {
        // The outermost alternatives are those of the whole expression.
        let Some(open) = self.open.pop().filter(|_| !self.open.is_empty()) else {
            return Err(Refusal::Invalid);
        };
        let (start, number) = (open.start, open.number);
        let states = self.end_alternatives(open)?;
        self.close_group(start, number, states)
    }

    fn close_group(&mut self, start: usize, number: usize, states: u64) -> Compiled<()> {
        if let Some(group) = group_index(number) {
            self.groups[usize::from(group)] = Some(Group { steps: Some(start + 2..self.here()), states });
            self.push(Step::Close(group))?;
        }
        self.repeated(Atom { start, states: states + 2 })
    }

    // --- atoms ----------------------------------------------------------------------------------------------

    fn atom(&mut self, byte: u8) -> Compiled<()> {
        let start = self.here();
        let step = match byte {
            b'*' | b'+' | b'?' => return Err(Refusal::Invalid),
            b'{' if self.peek().is_some_and(|next| next.is_ascii_digit()) => return Err(Refusal::Invalid),
            b'^' => {
                self.program.line_anchors[0] += 1;
                self.push(Step::Anchor(Anchor::TextStart))?;
                // It is the one atom that cannot be repeated.
                if self.is_repetition_next() {
                    return Err(Refusal::Invalid);
                }
                self.count(1);
                return Ok(());
            }
            b'$' => {
                self.program.line_anchors[1] += 1;
                Step::Anchor(Anchor::TextEnd)
            }
            b'.' => {
                let sets = &mut self.program.sets;
                Step::Set(*self.all_bytes.get_or_insert_with(|| add_set(sets, Set::default().negated())))
            }
            b'[' => self.bracket()?,
            b'\\' => match self.next().ok_or(Refusal::Invalid)? {
                digit @ b'1'..=b'9' => return self.reference(digit - b'1'),
                plain => Step::Byte(plain),
            },
            plain => Step::Byte(plain),
        };
        if self.is_repetition_next() {
            self.push(Step::Pass)?;
        }
        self.push(step)?;
        self.repeated(Atom { start, states: 1 })
    }

    fn bracket(&mut self) -> Compiled<Step> {
        let rest = &self.text[self.at..];
        for (boundary, anchor) in [(b"[:<:]]", Anchor::WordStart), (b"[:>:]]", Anchor::WordEnd)] {
            if rest.starts_with(boundary) {
                self.at += boundary.len();
                return Ok(Step::Anchor(anchor));
            }
        }
        let (set, length) = bracket::read(rest).ok_or(Refusal::Invalid)?;
        self.at += length;
        Ok(Step::Set(add_set(&mut self.program.sets, set)))
    }

    fn reference(&mut self, index: u8) -> Compiled<()> {
        let start = self.push(Step::Pass)?;
        let Some(group) = self.groups[usize::from(index)].clone() else { return Err(Refusal::Invalid) };
        self.program.has_references = true;
        let steps = group.steps.unwrap_or_default();
        self.push(Step::Reference(index, u32::try_from(steps.len()).unwrap_or(u32::MAX)))?;
        self.push_again(steps)?;
        self.repeated(Atom { start, states: group.states + 2 })
    }

    // --- repetitions ----------------------------------------------------------------------------------------

    fn is_repetition_next(&self) -> bool {
        match self.peek() {
            Some(b'*' | b'+' | b'?') => true,
            Some(b'{') => self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit),
            _ => false,
        }
    }

    /// Adds states to the current alternative.
    fn count(&mut self, states: u64) {
        if let Some(open) = self.open.last_mut() {
            open.sequence_states = open.sequence_states.saturating_add(states);
        }
    }

    /// Reads the repetition of an atom, if there is one.
    fn repeated(&mut self, atom: Atom) -> Compiled<()> {
        if !self.is_repetition_next() {
            self.count(atom.states);
            return Ok(());
        }
        let sign = self.next();
        let (least, most) = match sign {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            _ => self.bounds()?,
        };
        // Two repetitions in a row are an error.
        if self.is_repetition_next() {
            return Err(Refusal::Invalid);
        }
        self.repeat(atom, least, most)?;
        let copies = u64::from(most.unwrap_or(least.max(1)));
        let around = match most {
            Some(most) => OPTIONAL * u64::from(most - least),
            None if sign == Some(b'*') => 4,
            None if least == 0 => 2 + OPTIONAL,
            None => 2,
        };
        self.count(atom.states * copies + around);
        Ok(())
    }

    /// Reads `2}`, `2,}` or `2,3}`.
    fn bounds(&mut self) -> Compiled<(u32, Option<u32>)> {
        let least = self.number()?;
        let most = match self.eat(b',') {
            true if self.peek() == Some(b'}') => None,
            true => Some(self.number()?),
            false => Some(least),
        };
        if !self.eat(b'}') || most.is_some_and(|most| most < least) {
            return Err(Refusal::Invalid);
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Compiled<u32> {
        let mut number = 0;
        let start = self.at;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number * 10 + u32::from(digit - b'0');
            self.at += 1;
            if number > MAX_REPEAT {
                return Err(Refusal::Invalid);
            }
        }
        if self.at > start { Ok(number) } else { Err(Refusal::Invalid) }
    }

    fn repeat(&mut self, atom: Atom, least: u32, most: Option<u32>) -> Compiled<()> {
        let start = atom.start;
        let copy = start..self.here();
        match (least, most) {
            (0, Some(0)) => self.take_out(start),
            (_, None) => {
                for _ in 1..least.max(1) {
                    self.push_again(copy.clone())?;
                }
                // Repeat the last copy.
                let last = self.here() - copy.len();
                if least == 0 {
                    let back = self.push(Step::Jump(distance(self.here(), last)))?;
                    self.program.steps[last] = Step::Fork(distance(last, back + 1));
                } else {
                    self.push(Step::Fork(distance(self.here(), last)))?;
                }
            }
            (_, Some(most)) => {
                for _ in 1..most {
                    self.push_again(copy.clone())?;
                }
                let end = self.here();
                for index in least..most {
                    let slot = start + copy.len() * index as usize;
                    self.program.steps[slot] = Step::Fork(distance(slot, end));
                }
            }
        }
        Ok(())
    }

    /// Removes the steps from here on, and their groups.
    fn take_out(&mut self, start: usize) {
        self.program.steps.truncate(start);
        for group in self.groups.iter_mut().flatten() {
            group.steps.take_if(|steps| steps.end >= start);
        }
    }
}

fn add_set(sets: &mut Vec<Set>, set: Set) -> u32 {
    sets.push(set);
    u32::try_from(sets.len() - 1).unwrap_or(u32::MAX)
}

/// Returns the index of a group with this number, if it can be referred to.
fn group_index(number: usize) -> Option<u8> {
    u8::try_from(number - 1).ok().filter(|&index| usize::from(index) < GROUPS)
}

fn distance(from: usize, to: usize) -> i32 {
    // Both are below `MAX_STEPS`.
    to as i32 - from as i32
}
