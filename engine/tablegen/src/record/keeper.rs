//! The records, global values and arena of a running evaluation.

use std::{collections::HashMap, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{
    arena::{Arena, ArenaBase, MAX_TEXT_BYTES},
    init::{Init, InitId, StrId},
    layer::{Layer, LayerBase},
    operator::{Notation, OperatorFacts},
    overlay::{Names, Overlay, OverlayBase},
    record::{Record, RecordId},
};
use crate::{
    diagnostic::Diagnostic,
    limits::{self, Meter},
    span::Span,
    text,
};
use odsmith_release::Rules;

/// Classes, defs and global values under their names, and the arena that their parts are interned in.
#[derive(Debug)]
pub struct Keeper {
    /// Strings, types and inits.
    pub arena: Arena,
    pub(super) records: Layer<Record>,
    /// Records of the base that this job has completed: a class that the base only declares.
    pub(super) patches: Patches,
    /// Classes by name.
    pub classes: Names<RecordId>,
    /// Defs by name.
    pub defs: Names<RecordId>,
    /// Multiclasses by name.
    pub multiclasses: Names<u32>,
    /// Global values: `defvar`, `defset`.
    pub globals: Names<InitId>,
    /// The number of anonymous names used so far.
    pub anonymous: u32,
    /// Bytes that records hold, including the base's.
    pub record_bytes: usize,
    /// The most bytes of one value's text: shared parts are written every time they occur, so that a small value can
    /// have an endless text.
    pub most_text: usize,
    /// The behaviour of the release.
    pub rules: Rules,
}

pub(super) type Patches = HashMap<RecordId, Arc<Record>, FxBuildHasher>;

/// A keeper's state that others build on.
#[derive(Clone, Debug)]
pub struct KeeperBase {
    arena: ArenaBase,
    records: LayerBase<Record>,
    patches: Patches,
    classes: OverlayBase<StrId, RecordId>,
    defs: OverlayBase<StrId, RecordId>,
    multiclasses: OverlayBase<StrId, u32>,
    globals: OverlayBase<StrId, InitId>,
    anonymous: u32,
    record_bytes: usize,
}

impl KeeperBase {
    /// Returns the approximate size in bytes of its lists and tables, without those of a base below it.
    #[must_use]
    pub fn bytes_beside(&self, base: Option<&KeeperBase>) -> usize {
        self.arena.bytes_beside(base.map(|base| &base.arena))
            + self.records.directory_bytes()
            + self.patches.len() * 2 * size_of::<(RecordId, Arc<Record>)>()
            + self.classes.bytes_beside(base.map(|base| &base.classes))
            + self.defs.bytes_beside(base.map(|base| &base.defs))
            + self.multiclasses.bytes_beside(base.map(|base| &base.multiclasses))
            + self.globals.bytes_beside(base.map(|base| &base.globals))
    }
}

impl Keeper {
    /// Creates an empty keeper, for values with these operators and a release with these rules.
    #[must_use]
    pub fn new(operators: &'static [OperatorFacts], rules: Rules) -> Self {
        Keeper::of(Arena::new(operators), Vec::new(), rules)
    }

    /// Creates a keeper that continues from `base`, for a release with these rules. They may differ from the base's
    /// only in rules that apply once the records are complete.
    #[must_use]
    pub fn above(base: &KeeperBase, rules: Rules) -> Self {
        Keeper {
            arena: Arena::above(&base.arena),
            records: Layer::above(&base.records),
            patches: base.patches.clone(),
            classes: Overlay::above(&base.classes),
            defs: Overlay::above(&base.defs),
            multiclasses: Overlay::above(&base.multiclasses),
            globals: Overlay::above(&base.globals),
            anonymous: base.anonymous,
            record_bytes: base.record_bytes,
            most_text: 0,
            rules,
        }
    }

    /// Creates a keeper of these records, whose parts are in this arena, and nothing else.
    pub(super) fn of(arena: Arena, records: Vec<Record>, rules: Rules) -> Self {
        Keeper {
            arena,
            records: Layer::of(records),
            patches: Patches::default(),
            classes: Names::default(),
            defs: Names::default(),
            multiclasses: Names::default(),
            globals: Names::default(),
            anonymous: 0,
            record_bytes: 0,
            most_text: 0,
            rules,
        }
    }

    /// Returns true if it is above a base.
    #[must_use]
    pub fn has_base(&self) -> bool {
        self.arena.has_base()
    }

    /// Returns the records added above the base.
    pub(super) fn own_records(&self) -> &[Record] {
        self.records.own()
    }

    /// Returns the state as a base for others.
    #[must_use]
    pub fn into_base(self) -> KeeperBase {
        KeeperBase {
            arena: self.arena.freeze(),
            records: self.records.freeze(),
            patches: self.patches,
            classes: self.classes.freeze(),
            defs: self.defs.freeze(),
            multiclasses: self.multiclasses.freeze(),
            globals: self.globals.freeze(),
            anonymous: self.anonymous,
            record_bytes: self.record_bytes,
        }
    }

    /// Adds a record, without registering its name.
    pub fn add(&mut self, record: Record) -> RecordId {
        RecordId(self.records.push(record))
    }

    /// Returns the live bytes, including the base's.
    #[must_use]
    pub fn live_bytes(&self) -> usize {
        self.arena.bytes() + self.record_bytes
    }

    /// Checks the memory that it takes.
    ///
    /// # Errors
    /// It takes too much.
    #[inline]
    pub fn check(&self, meter: &Meter, span: Span) -> Result<(), Box<Diagnostic>> {
        self.check_text(span)?;
        meter.bytes(span, self.live_bytes())
    }

    /// Checks that all string texts fit.
    ///
    /// # Errors
    /// There is too much text.
    #[inline]
    pub fn check_text(&self, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.arena.is_full() {
            return Err(limits::over(span, "text of all strings", MAX_TEXT_BYTES, "bytes"));
        }
        Ok(())
    }

    /// Returns the approximate size on the heap in bytes, including the base's; the meter's count leaves out the parts
    /// of records besides fields.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.arena.bytes() + 2 * self.record_bytes + size_of::<Record>() * self.record_count()
    }

    /// Returns an index below which all records are the same in both keepers, unless they have patches.
    pub fn end_of_shared(&self, other: &Keeper) -> u32 {
        self.records.end_of_shared(&other.records)
    }

    /// Returns an index above those of all records.
    pub fn end(&self) -> u32 {
        self.records.end()
    }

    /// Returns true if both keepers made the same changes to records of the base.
    pub fn has_patches_of(&self, other: &Keeper) -> bool {
        let is_same = |(id, patch): (&RecordId, &Arc<Record>)| {
            other.patches.get(id).is_some_and(|theirs| Arc::ptr_eq(patch, theirs))
        };
        self.patches.len() == other.patches.len() && self.patches.iter().all(is_same)
    }

    /// Returns the number of records, including the base's.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// Returns a number above the ids of all records. Not every lower number is an id.
    #[must_use]
    pub fn record_bound(&self) -> u32 {
        self.records.end()
    }

    /// Returns the ids of all records, in the order of their creation.
    pub fn record_ids(&self) -> impl Iterator<Item = RecordId> {
        self.records.indexes().map(RecordId)
    }

    /// Returns the record of an id.
    #[must_use]
    #[inline(always)]
    pub fn record(&self, id: RecordId) -> &Record {
        if self.patches.is_empty() { &self.records[id.0] } else { self.patched(id) }
    }

    #[cold]
    fn patched(&self, id: RecordId) -> &Record {
        match self.patches.get(&id) {
            Some(record) => record,
            None => &self.records[id.0],
        }
    }

    /// Returns the record of an id, mutably.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        match self.records.own_mut(id.0) {
            Ok(record) => record,
            Err(base) => Arc::make_mut(self.patches.entry(id).or_insert_with(|| Arc::new(base.clone()))),
        }
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn str(&self, id: StrId) -> &str {
        self.arena.str(id)
    }

    /// Returns a record's name, if it is a finished string.
    #[must_use]
    pub fn name(&self, id: RecordId) -> Option<StrId> {
        match self.arena.init(self.record(id).name) {
            Init::String(name) | Init::Code(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the next anonymous name.
    pub fn next_anonymous(&mut self) -> StrId {
        let mut name = "anonymous_".to_owned();
        text::push_int(i64::from(self.anonymous), &mut name);
        self.anonymous += 1;
        self.arena.string(&name)
    }
}

impl Keeper {
    /// Returns true if a value holds nothing symbolic; `?` is not symbolic, nor is a `!cond` over parts that are not.
    #[must_use]
    pub fn is_concrete(&self, init: InitId) -> bool {
        self.arena.is_closed(init)
            || matches!(self.arena.init(init), Init::Op(operator, _, seq)
                if self.arena.operator(operator).notation == Notation::Cases && self.arena.seq(seq).all(|part| self.is_concrete(part)))
    }
}
