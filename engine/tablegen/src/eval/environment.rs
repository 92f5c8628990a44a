//! The meanings of names while a value is resolved.
//!
//! A table of names and values is not enough, for three reasons.
//!
//! **Meanings mention each other.** A template argument ([`Meanings`]) or a field ([`Fields`]) is resolved at its first
//! use. Until then it is open, and a mention of it stays as it is: `c` uses `b` and `e`; if `e` used `d`, that would
//! mention `c` again.
//!
//! ```text
//! class A<int a, int b = !add(a, 1)> { int e; int c = !add(b, e); int d = c; let e = !if(a, 2, d); }
//! def X : A<1>;
//! ```
//!
//! **Operators bind names** ([`Frame::bound`]). The `x` that is added is an item and not the template argument; but if
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
//! Values share parts, so a [`Memo`] keeps the results of large parts if they hold for every mention.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::Parsed;
use crate::record::{Arena, InitId, RecordId, StrId};

/// The meanings of names while a value is resolved.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// Template arguments and loop variables.
    pub(super) meanings: Meanings,
    /// The current record, at which messages point.
    pub(super) record: Option<RecordId>,
    /// Its fields, if names also mean those.
    pub(super) fields: Option<Fields>,
    /// A generated name that was taken by the time its record was finished, and its replacement.
    pub(super) renamed: Option<(InitId, InitId)>,
    /// The context of the part that is being resolved.
    pub(super) frame: Frame,
    /// The results of resolving large parts.
    pub(super) memo: Memo,
    /// True if this is the last chance: anything still unresolved is an error.
    pub(super) is_final: bool,
}

/// Names with given values.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    list: SmallVec<[Meaning; 6]>,
    /// The marks of the names: a value without any of them is not changed by them.
    pub(super) marks: u32,
    /// The marks of those whose values are open: resolving a mention of one of them may have an effect.
    pub(super) open_marks: u32,
}

/// The meaning of one name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    name: StrId,
    pub(super) value: InitId,
    pub(super) progress: Progress,
}

/// The progress of replacing the names inside a meaning by the other meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Given,
    /// Being resolved.
    Open,
    Resolved,
}

/// The state of a record's fields while they are resolved against each other.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// Fields being resolved, outermost first: one that mentions itself stays as it is.
    pub(super) open: SmallVec<[StrId; 8]>,
    /// The fields that were mentioned, with their resolved values.
    pub(super) done: SmallVec<[(StrId, InitId); 8]>,
    /// True if one of those still mentions a name: a field in a cycle keeps the value from its first mention, even if
    /// it has another value of its own by now.
    pub(super) has_open: bool,
}

impl Fields {
    /// Returns the value that a field had when it was mentioned.
    pub(super) fn done(&self, name: StrId) -> Option<InitId> {
        self.done.iter().find(|&&(known, _)| known == name).map(|&(_, value)| value)
    }
}

/// The context of a part of a value.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Names that operators bind, outermost first.
    pub(super) bound: SmallVec<[StrId; 4]>,
    /// Instances `Class<…>` whose arguments are being resolved, outermost first.
    instances: Instances,
}

type Instances = SmallVec<[Instance; 2]>;

/// An instance whose arguments are being resolved: it stays symbolic if one of them mentions a name that has no value,
/// even if the mention folds away.
#[derive(Clone, Copy, Debug)]
struct Instance {
    /// The number of names bound by operators around the instance: later ones are bound inside of it.
    bound_outside: usize,
    /// True if such a name was mentioned.
    has_open_name: bool,
}

/// The results of resolving large parts of values.
pub(super) type Memo = HashMap<InitId, Resolution, FxBuildHasher>;

/// The result of resolving a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    pub(super) value: InitId,
    /// True if resolving it met a name without a value; `None` if there was no instance around it.
    pub(super) has_open_name: Option<bool>,
}

impl Meanings {
    /// Returns the index of a name.
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
    /// Creates an environment of names with given values.
    pub(super) fn of(
        arena: &Arena,
        pairs: impl IntoIterator<Item = (StrId, InitId)>,
        record: Option<RecordId>,
    ) -> Self {
        let mut env = Environment { record, ..Environment::default() };
        pairs.into_iter().for_each(|(name, value)| env.set(arena, name, value));
        env
    }

    /// Creates an environment without names, for the last resolution of a value.
    pub(super) fn at_the_end() -> Self {
        Environment { is_final: true, ..Environment::default() }
    }

    /// Creates the final environment of the fields of `record`.
    pub(super) fn of_fields(record: RecordId) -> Self {
        Environment::default().and_fields(record)
    }

    /// Adds the names of the fields of `record`, and makes the environment final.
    pub(super) fn and_fields(self, record: RecordId) -> Self {
        let (fields, memo) = (Some(Fields::default()), Memo::default());
        Environment { record: Some(record), fields, memo, is_final: true, ..self }
    }

    /// Sets the meaning of a name, replacing any other.
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

    /// Replaces a generated name by a text.
    pub(super) fn rename(&mut self, old: InitId, new: InitId) {
        self.renamed = Some((old, new));
        self.meanings.marks |= Arena::ANONYMOUS_MARK;
    }

    /// Returns true if the name has a meaning.
    pub(super) fn has(&self, name: StrId) -> bool {
        self.meanings.find(name).is_some()
    }

    /// Returns each name with its value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (StrId, InitId)> {
        self.meanings.list.iter().map(|meaning| (meaning.name, meaning.value))
    }

    /// Returns true if the values of all these names are finished.
    pub(super) fn are_closed(&self) -> bool {
        self.meanings.open_marks == 0
    }

    /// Returns true if arguments of an instance are being resolved.
    #[inline]
    pub(super) fn is_in_instance(&self) -> bool {
        !self.frame.instances.is_empty()
    }

    /// Returns true if an operator that waits for the end may be folded now. In the arguments of an instance it may
    /// not: it waits for the fields of the instance, so that instances with the same arguments are one, whatever was
    /// made between them.
    #[inline]
    pub(super) fn is_at_the_end(&self) -> bool {
        self.is_final && !self.is_in_instance()
    }

    /// Returns true if the result for a part holds for every other mention of it: no surrounding operator binds a name,
    /// and no name stays as it is because its meaning is being resolved.
    pub(super) fn holds_everywhere(&self) -> bool {
        self.frame.bound.is_empty()
            && self.fields.as_ref().is_none_or(|fields| fields.open.is_empty())
            && !self.meanings.list.iter().any(|meaning| meaning.progress == Progress::Open)
    }

    /// Notes the mention of a name, and whether it has no value. A name that an operator binds, as number `bound` of
    /// the bound names, counts only for instances inside of that operator.
    pub(super) fn meet_name(&mut self, is_open: bool, bound: Option<usize>) {
        if is_open {
            for instance in &mut self.frame.instances {
                instance.has_open_name |= bound.is_none_or(|bound| bound < instance.bound_outside);
            }
        }
    }

    // --- contexts of a part; each function restores the context ---------------------------------------------

    /// Runs `resolve` on arguments of an instance; returns whether a name without a value was mentioned.
    #[inline(always)]
    pub(super) fn in_instance<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let bound_outside = self.frame.bound.len();
        self.frame.instances.push(Instance { bound_outside, has_open_name: false });
        let resolved = resolve(self);
        let has_open_name = self.frame.instances.pop().is_some_and(|instance| instance.has_open_name);
        (resolved, has_open_name)
    }

    /// Runs `resolve` with these names bound by an operator.
    #[inline(always)]
    pub(super) fn in_operator<T>(&mut self, bound: &[StrId], resolve: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.frame.bound.len();
        self.frame.bound.extend_from_slice(bound);
        let resolved = resolve(self);
        self.frame.bound.truncate(outside);
        resolved
    }

    /// Runs `resolve` on the meaning at this index, and keeps the result. Instances surround the mention, not the
    /// meaning.
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

    /// Runs `resolve` on the value of a field, and keeps the result. The context of the mention, such as names that an
    /// operator binds, does not apply to the field's own value.
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
