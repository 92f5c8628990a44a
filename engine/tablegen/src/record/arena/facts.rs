//! Facts about an init, known without visiting its parts.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::Arena;
use crate::record::{
    init::{Init, InitId, Seq, StrId},
    operator::{Completeness, Notation},
};

/// The most levels of parts in a value that is written. Reading is bounded by the nesting of a job; a loop or a chain
/// of records can nest deeper.
pub const MOST_LEVELS: u32 = 100_000;

/// The facts about an init, known without visiting its parts.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Flags, and above them the weight.
    pub(in crate::record) state: u32,
    /// The marks of the variables that it mentions.
    pub(in crate::record) marks: u32,
}

impl Facts {
    /// Set if the init holds no variable and no unfolded operator.
    const CLOSED: u32 = 1;
    /// Set if the init holds no `?` in a place where one makes a template argument required.
    const COMPLETE: u32 = 2;
    /// Set if the init holds a variable.
    const VARIABLE: u32 = 4;
    /// Set if resolving the init produces a value and has no other effect.
    const PURE: u32 = 8;
    /// The bits of the flags.
    const FLAGS: u32 = 15;
    /// The weight of an init without parts; weights stop growing at their highest value.
    const ONE: u32 = 16;

    /// Returns true if resolving the init cannot change it: it holds no variable and no unfolded operator.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.state & Facts::CLOSED != 0
    }

    /// Returns true if resolving the init produces a value and has no other effect, provided that holds for its
    /// variables: no record is made or looked into, and nothing can fail.
    #[must_use]
    pub fn is_pure(self) -> bool {
        self.state & Facts::PURE != 0
    }

    /// Returns true if the init may mention a variable with one of these marks.
    #[must_use]
    pub fn may_mention(self, marks: u32) -> bool {
        self.marks & marks != 0
    }

    /// Returns the number of parts of the init, including the parts of its parts, each counted every time it occurs:
    /// shared parts can make this far larger than the real number. Weights stop growing at their highest value.
    #[must_use]
    pub fn weight(self) -> u32 {
        self.state / Facts::ONE
    }

    fn plain(flags: u32) -> Facts {
        Facts { state: Facts::ONE | flags, marks: 0 }
    }

    fn with(self, flags: u32) -> Facts {
        Facts { state: self.state | flags, ..self }
    }

    fn without(self, flags: u32) -> Facts {
        Facts { state: self.state & !flags, ..self }
    }

    /// Returns the facts of an init with both as parts: closed, complete and pure if both are, with a variable if one
    /// is.
    fn and(self, other: Facts) -> Facts {
        let both = self.state & other.state & (Facts::CLOSED | Facts::COMPLETE | Facts::PURE);
        let either = (self.state | other.state) & Facts::VARIABLE;
        let weight = (self.state & !Facts::FLAGS).saturating_add(other.state & !Facts::FLAGS);
        Facts { state: weight & !Facts::FLAGS | both | either, marks: self.marks | other.marks }
    }

    /// Returns the facts of a list with the items of both lists.
    pub(super) fn and_items_of(self, other: Facts) -> Facts {
        let one_too_heavy = self.and(other);
        Facts { state: one_too_heavy.state - Facts::ONE, ..one_too_heavy }
    }
}

impl Arena {
    /// Returns the facts of an init; a missing init is closed.
    #[must_use]
    #[inline]
    pub fn facts(&self, id: InitId) -> Facts {
        const NONE: Facts = Facts { state: Facts::ONE | Facts::CLOSED, marks: 0 };
        if id.is_some() { self.facts[id.0] } else { NONE }
    }

    /// Returns true if resolving the init cannot change it: it holds no variable and no unfolded operator.
    #[must_use]
    #[inline]
    pub fn is_closed(&self, id: InitId) -> bool {
        self.facts(id).is_closed()
    }

    /// Returns true if the init is not `?` and holds no unset bit.
    #[must_use]
    pub fn is_complete(&self, id: InitId) -> bool {
        self.facts(id).state & Facts::COMPLETE != 0
    }

    /// Returns true if the init holds a variable.
    #[must_use]
    pub fn has_variable(&self, id: InitId) -> bool {
        self.facts(id).state & Facts::VARIABLE != 0
    }

    /// The mark of generated names.
    pub const ANONYMOUS_MARK: u32 = 1;

    /// Returns the mark of a variable of this name: one bit, which others may share.
    #[must_use]
    pub fn mark(&self, name: StrId) -> u32 {
        // Computed from the text alone, so that marks do not depend on what was interned before.
        let text = self.text.bytes(self.strings[name.0]);
        let [middle, last] = [text.len() / 2, text.len().saturating_sub(1)].map(|at| text.get(at).copied());
        let sum = 3 * usize::from(middle.unwrap_or(0)) + 11 * usize::from(last.unwrap_or(0)) + 5 * text.len();
        1 << (sum % 32)
    }

    /// Returns true if its parts are nested too deeply for the stack.
    #[must_use]
    pub fn is_too_deep(&self, id: InitId) -> bool {
        // An init with few parts is not deep.
        self.facts(id).weight() > MOST_LEVELS && self.levels(id) > MOST_LEVELS
    }

    /// Returns the depth of its nested parts.
    fn levels(&self, id: InitId) -> u32 {
        let mut levels: HashMap<InitId, u32, FxBuildHasher> = HashMap::default();
        // Each part is visited before its own parts, and again after them.
        let mut waiting = vec![(id, false)];
        while let Some((part, is_again)) = waiting.pop() {
            let own = self.init(part);
            let single = match own {
                Init::VarBit(value, _) | Init::Field(value, ..) | Init::Named(_, value) => Some(value),
                _ => None,
            };
            let many = match own {
                Init::Bits(seq) | Init::List(_, seq) | Init::Dag(seq) => Some(seq),
                Init::Op(_, _, seq) | Init::Instance(_, seq) => Some(seq),
                _ => None,
            };
            let parts = single.into_iter().chain(many.into_iter().flat_map(|seq| self.seq(seq)));
            let parts = parts.filter(|part| part.is_some());
            if is_again {
                let deepest = parts.filter_map(|part| levels.get(&part)).max().copied().unwrap_or(0);
                levels.insert(part, deepest + 1);
            } else if !levels.contains_key(&part) {
                waiting.push((part, true));
                waiting.extend(parts.map(|part| (part, false)));
            }
        }
        levels.get(&id).copied().unwrap_or(0)
    }

    /// Returns true if the first of two operands has this value, while the other one is not finished.
    fn is_decided(&self, operands: Seq, value: i64) -> bool {
        let mut operands = self.seq(operands);
        let is_value = match operands.next().map(|left| self.init(left)) {
            Some(Init::Int(left)) => left == value,
            Some(Init::Bit(left)) => i64::from(left) == value,
            _ => false,
        };
        is_value && operands.any(|right| !self.is_closed(right))
    }

    /// Returns true if a condition of these cases holds that is not the last one.
    fn ends_early(&self, cases: Seq) -> bool {
        let conditions = self.seq(cases).step_by(2);
        let count = cases.len as usize / 2;
        conditions.take(count.saturating_sub(1)).any(|condition| match self.init(condition) {
            Init::Int(value) => value != 0,
            Init::Bit(value) => value,
            _ => false,
        })
    }

    pub(super) fn facts_of(&self, init: Init) -> Facts {
        const ALL: u32 = Facts::CLOSED | Facts::COMPLETE | Facts::PURE;
        let of = |part: InitId| if part.is_some() { self.facts[part.0] } else { Facts::plain(ALL) };
        let all = |seq: Seq| {
            let start = Facts::plain(ALL);
            self.pool.run(seq.start, seq.len).iter().fold(start, |facts, &part| facts.and(of(part)))
        };
        match init {
            Init::Unset => Facts::plain(Facts::CLOSED | Facts::PURE),
            Init::Bit(_) | Init::Int(_) | Init::String(_) | Init::Code(_) | Init::Def(_) => Facts::plain(ALL),
            Init::List(_, seq) => all(seq),
            Init::Bits(seq) => {
                // A bit that is a whole value may be converted, whatever the names are.
                let is_plain =
                    |bit: InitId| of(bit).is_closed() || matches!(self.init(bit), Init::VarBit(..));
                let marks = if self.seq(seq).all(is_plain) { all(seq).marks } else { u32::MAX };
                Facts { marks, ..all(seq) }
            }
            Init::Dag(seq) => all(seq).with(Facts::COMPLETE),
            Init::Instance(_, seq) => all(seq).without(Facts::CLOSED | Facts::PURE).with(Facts::COMPLETE),
            Init::Op(operator, _, seq) => {
                let operator = self.operator(operator);
                let lost = if operator.is_pure { Facts::CLOSED } else { Facts::CLOSED | Facts::PURE };
                let decides = |value| self.is_decided(seq, value);
                // A decided operator is folded whatever the names are.
                let is_decided = operator.decisive.is_some_and(decides)
                    || operator.notation == Notation::Cases && self.ends_early(seq);
                let marks = if is_decided { u32::MAX } else { 0 };
                let facts = all(seq);
                let facts = Facts { marks: facts.marks | marks, ..facts }.without(lost);
                match operator.completeness {
                    Completeness::Always => facts.with(Facts::COMPLETE),
                    Completeness::OfOperands => facts,
                    Completeness::Never => facts.without(Facts::COMPLETE),
                }
            }
            Init::Var(name, _) => {
                let flags = Facts::COMPLETE | Facts::VARIABLE | Facts::PURE;
                Facts { marks: self.mark(name), ..Facts::plain(flags) }
            }
            Init::VarBit(value, _) | Init::Field(value, ..) => {
                let lost = Facts::CLOSED | Facts::PURE;
                Facts::plain(ALL).and(of(value)).without(lost).with(Facts::COMPLETE)
            }
            Init::Named(_, value) => Facts::plain(ALL).and(of(value)),
            Init::Anonymous(_) => {
                let flags = Facts::COMPLETE | Facts::VARIABLE | Facts::PURE;
                Facts { marks: Arena::ANONYMOUS_MARK, ..Facts::plain(flags) }
            }
        }
    }
}
