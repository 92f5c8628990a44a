//! What names mean while a value is resolved.
//!
//! A table of names and values is not enough, for three reasons.
//!
//! **Meanings mention each other.** A template argument ([`Meanings`]) or a field ([`Fields`]) is resolved when it is first
//! asked for. Until that is done it is open, and a mention of it stays as it is: `c` asks for `b` and `e`; had `e` to ask for
//! `d`, that would mention `c` again.
//!
//! ```text
//! class A<int a, int b = !add(a, 1)> { int e; int c = !add(b, e); int d = c; let e = !if(a, 2, d); }
//! def X : A<1>;
//! ```
//!
//! **Operators bind names** ([`Frame::bound`]). The `x` that is added is an item and not the template argument; but where
//! the body mentions a field, that field's own value sees the argument again: `xs` is `[11, 12]`.
//!
//! ```text
//! class A<int x> { int twice = !mul(x, 2); list<int> xs = !foreach(x, [1, 2], !add(x, twice)); }
//! def X : A<5>;
//! ```
//!
//! **Instances wait for open names** ([`Frame::instances`]). In `B` the argument of `Box` is 1, whatever `m` will be.
//! The instance is not made there, as `m` had no value while the argument was resolved. Nor is it made in `X`, as
//! `Box<1>` mentions no name: that is an error.
//!
//! ```text
//! class Box<int v> { int value = v; }
//! class A<bit one, int n> { Box box = Box<!cond(one: 1, true: n)>; }
//! class B<int m> : A<1, m>;  def X : B<7>;
//! ```
//!
//! Values share parts, so that what a big part was resolved to is kept in a [`Memo`] where it holds for every mention.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::Parsed;
use crate::record::{Arena, InitId, RecordId, StrId};

/// What names mean while a value is resolved.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// Template arguments and loop variables.
    pub(super) meanings: Meanings,
    /// The record at hand: messages point at it.
    pub(super) record: Option<RecordId>,
    /// Its fields, if names also mean those.
    pub(super) fields: Option<Fields>,
    /// A made-up name that was taken by the time its record is finished, and the one that the record has instead.
    pub(super) renamed: Option<(InitId, InitId)>,
    /// What is around the part that is being resolved.
    pub(super) frame: Frame,
    /// What big parts were resolved to.
    pub(super) memo: Memo,
    /// Whether this is the last chance: what can not be resolved now is an error.
    pub(super) is_final: bool,
}

/// Names with given values.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    list: SmallVec<[Meaning; 6]>,
    /// The marks of the names: a value without any of them is not changed by them.
    pub(super) marks: u32,
    /// The marks of those whose values are open: resolving a mention of one of them may do something.
    pub(super) open_marks: u32,
}

/// What one name means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    name: StrId,
    pub(super) value: InitId,
    pub(super) progress: Progress,
}

/// How far the names inside a meaning have been replaced by the other meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Given,
    /// That is going on.
    Open,
    Resolved,
}

/// What is known of a record's fields while they are resolved among each other.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// Fields being resolved, outermost first: one that mentions itself stays as it is.
    pub(super) open: SmallVec<[StrId; 8]>,
    /// Those that were mentioned, with what they are resolved to.
    pub(super) done: SmallVec<[(StrId, InitId); 8]>,
    /// Whether one of those still mentions a name: a field that is in a circle stays what it was when it was met first,
    /// even if it has another value of its own by now.
    pub(super) has_open: bool,
}

impl Fields {
    /// What a field was resolved to where it was mentioned.
    pub(super) fn done(&self, name: StrId) -> Option<InitId> {
        self.done.iter().find(|&&(known, _)| known == name).map(|&(_, value)| value)
    }
}

/// What is around a part of a value.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Names that operators bind, outermost first.
    pub(super) bound: SmallVec<[StrId; 4]>,
    /// Instances `Class<…>` whose arguments are being resolved, outermost first.
    instances: Instances,
}

type Instances = SmallVec<[Instance; 2]>;

/// An instance whose arguments are being resolved: it stays symbolic if one of them mentions a name that has no value,
/// even where the mention folds away.
#[derive(Clone, Copy, Debug)]
struct Instance {
    /// How many names operators around the instance bind: others are bound inside of it.
    bound_outside: usize,
    /// Whether such a name came up.
    has_open_name: bool,
}

/// What big parts of values were resolved to.
pub(super) type Memo = HashMap<InitId, Resolution, FxBuildHasher>;

/// What a part was resolved to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    pub(super) value: InitId,
    /// Whether resolving it met a name without a value; unknown where no instance was around.
    pub(super) has_open_name: Option<bool>,
}

impl Meanings {
    /// The place of a name.
    #[inline]
    pub(super) fn find(&self, name: StrId) -> Option<usize> {
        self.list.iter().position(|known| known.name == name)
    }

    #[inline]
    pub(super) fn at(&self, index: usize) -> Meaning {
        self.list[index]
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

impl Environment {
    /// Names that mean given values.
    pub(super) fn of(
        arena: &Arena,
        pairs: impl IntoIterator<Item = (StrId, InitId)>,
        record: Option<RecordId>,
    ) -> Self {
        let mut env = Environment { record, ..Environment::default() };
        pairs.into_iter().for_each(|(name, value)| env.set(arena, name, value));
        env
    }

    /// No names: what is not decided by now never will be.
    pub(super) fn at_the_end() -> Self {
        Environment { is_final: true, ..Environment::default() }
    }

    /// Names that mean the fields of `record`, for good.
    pub(super) fn of_fields(record: RecordId) -> Self {
        Environment::default().and_fields(record)
    }

    /// These names, and those of the fields of `record`, for good.
    pub(super) fn and_fields(self, record: RecordId) -> Self {
        let (fields, memo) = (Some(Fields::default()), Memo::default());
        Environment { record: Some(record), fields, memo, is_final: true, ..self }
    }

    /// Gives a name a meaning, besides or instead of the one it has.
    pub(super) fn set(&mut self, arena: &Arena, name: StrId, value: InitId) {
        let mark = arena.mark(name);
        self.meanings.marks |= mark;
        if !arena.is_closed(value) {
            self.meanings.open_marks |= mark;
        }
        self.memo.clear();
        let meaning = Meaning { name, value, progress: Progress::Given };
        match self.meanings.find(name) {
            Some(index) => self.meanings.list[index] = meaning,
            None => self.meanings.list.push(meaning),
        }
    }

    /// Replaces a made-up name by a text.
    pub(super) fn rename(&mut self, old: InitId, new: InitId) {
        self.renamed = Some((old, new));
        self.meanings.marks |= Arena::ANONYMOUS_MARK;
    }

    /// Whether the name has a meaning.
    pub(super) fn has(&self, name: StrId) -> bool {
        self.meanings.find(name).is_some()
    }

    /// Each name with its value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (StrId, InitId)> {
        self.meanings.list.iter().map(|meaning| (meaning.name, meaning.value))
    }

    /// Whether all these names mean finished values.
    pub(super) fn are_closed(&self) -> bool {
        self.meanings.open_marks == 0
    }

    /// Whether arguments of an instance are being resolved.
    #[inline]
    pub(super) fn is_in_instance(&self) -> bool {
        !self.frame.instances.is_empty()
    }

    /// Whether an operator that waits for the end has come to it. One in the arguments of an instance has not: the fields
    /// of the instance are its end, so that instances of the same arguments are one, whatever was made between them.
    #[inline]
    pub(super) fn is_at_the_end(&self) -> bool {
        self.is_final && !self.is_in_instance()
    }

    /// Whether what a part is resolved to holds for every other mention of it: no operator around binds a name, and no
    /// name represents itself because its meaning is being worked out.
    pub(super) fn holds_everywhere(&self) -> bool {
        self.frame.bound.is_empty()
            && self.fields.as_ref().is_none_or(|fields| fields.open.is_empty())
            && !self.meanings.list.iter().any(|meaning| meaning.progress == Progress::Open)
    }

    /// Notes that a name came up, and whether it has no value. One that an operator binds, as number `bound` of those
    /// around, counts only for instances inside of that operator.
    pub(super) fn meet_name(&mut self, is_open: bool, bound: Option<usize>) {
        if is_open {
            for instance in &mut self.frame.instances {
                instance.has_open_name |= bound.is_none_or(|bound| bound < instance.bound_outside);
            }
        }
    }

    // --- what is around a part; each of these leaves it as it was -------------------------------------------

    /// Runs `resolve` on arguments of an instance; says whether a name without a value came up.
    #[inline(always)]
    pub(super) fn in_instance<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let bound_outside = self.frame.bound.len();
        self.frame.instances.push(Instance { bound_outside, has_open_name: false });
        let resolved = resolve(self);
        let has_open_name = self.frame.instances.pop().is_some_and(|instance| instance.has_open_name);
        (resolved, has_open_name)
    }

    /// Runs `resolve` where an operator binds these names.
    #[inline(always)]
    pub(super) fn in_operator<T>(&mut self, bound: &[StrId], resolve: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.frame.bound.len();
        self.frame.bound.extend_from_slice(bound);
        let resolved = resolve(self);
        self.frame.bound.truncate(outside);
        resolved
    }

    /// Runs `resolve` on the meaning at this place, and keeps what that gives. Instances are around the mention, not around
    /// the meaning.
    #[inline(always)]
    pub(super) fn in_meaning(
        &mut self,
        index: usize,
        resolve: impl FnOnce(&mut Self) -> Parsed<InitId>,
    ) -> Parsed<InitId> {
        self.meanings.list[index].progress = Progress::Open;
        let instances = std::mem::take(&mut self.frame.instances);
        let resolved = resolve(self);
        self.frame.instances = instances;
        let meaning = &mut self.meanings.list[index];
        match resolved {
            Ok(value) if value.is_some() => (meaning.value, meaning.progress) = (value, Progress::Resolved),
            _ => meaning.progress = Progress::Given,
        }
        resolved
    }

    /// Runs `resolve` on the value of a field, and keeps what that gives. What is around the mention, such as names that an
    /// operator binds, does not reach into the field's own value.
    #[inline(always)]
    pub(super) fn in_field(
        &mut self,
        name: StrId,
        resolve: impl FnOnce(&mut Self) -> Parsed<InitId>,
    ) -> Parsed<InitId> {
        self.fields.iter_mut().for_each(|fields| fields.open.push(name));
        let frame = std::mem::take(&mut self.frame);
        let resolved = resolve(self);
        self.frame = frame;
        if let Some(fields) = &mut self.fields {
            fields.open.pop();
            fields.done.extend(resolved.ok().map(|value| (name, value)));
        }
        resolved
    }
}
