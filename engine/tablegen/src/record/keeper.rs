//! Everything that evaluation has made so far.

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
    /// How many anonymous names were given out.
    pub anonymous: u32,
    /// Bytes that records hold, those of the base included.
    pub record_bytes: usize,
    /// Bytes that the text of one value may have: parts that values share are written every time they come up, so that a
    /// small value can have a text without end.
    pub most_text: usize,
    /// How the release behaves.
    pub rules: Rules,
}

pub(super) type Patches = HashMap<RecordId, Arc<Record>, FxBuildHasher>;

/// A keeper's state, to build others on.
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
    /// About how many bytes of its lists and tables are not those of a base that it was made above.
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
    /// A keeper of nothing, for values with these operators and a release with these rules.
    #[must_use]
    pub fn new(operators: &'static [OperatorFacts], rules: Rules) -> Self {
        Keeper::of(Arena::new(operators), Vec::new(), rules)
    }

    /// A keeper that goes on from `base`, for a release with these rules: others than those of the base may only be asked for
    /// once records are there.
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

    /// A keeper of these records, whose parts are in this arena, and nothing else.
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

    /// Whether it was made above a base.
    #[must_use]
    pub fn has_base(&self) -> bool {
        self.arena.has_base()
    }

    /// The records that were made here.
    pub(super) fn own_records(&self) -> &[Record] {
        self.records.own()
    }

    /// The state as a base for others.
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

    /// Adds a record; it is not yet known by name.
    pub fn add(&mut self, record: Record) -> RecordId {
        RecordId(self.records.push(record))
    }

    /// Live bytes, those of the base included.
    #[must_use]
    pub fn live_bytes(&self) -> usize {
        self.arena.bytes() + self.record_bytes
    }

    /// Checks the memory that all of it takes.
    ///
    /// # Errors
    /// It is too much.
    #[inline]
    pub fn check(&self, meter: &Meter, span: Span) -> Result<(), Box<Diagnostic>> {
        self.check_text(span)?;
        meter.bytes(span, self.live_bytes())
    }

    /// Checks that all strings have the text that they were given.
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

    /// About how many bytes of the heap all of it takes, the base's included; the meter's count leaves out what records
    /// take beside their fields.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.arena.bytes() + 2 * self.record_bytes + size_of::<Record>() * self.record_count()
    }

    /// All records below this index are the same ones in both keepers, unless they have patches.
    pub fn end_of_shared(&self, other: &Keeper) -> u32 {
        self.records.end_of_shared(&other.records)
    }

    /// The indexes of all records are below this one.
    pub fn end(&self) -> u32 {
        self.records.end()
    }

    /// Whether what changed in records of the base is the same in both keepers.
    pub fn has_patches_of(&self, other: &Keeper) -> bool {
        let is_same = |(id, patch): (&RecordId, &Arc<Record>)| {
            other.patches.get(id).is_some_and(|theirs| Arc::ptr_eq(patch, theirs))
        };
        self.patches.len() == other.patches.len() && self.patches.iter().all(is_same)
    }

    /// Number of records, the base's included.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The ids of all records, in the order in which they were made.
    pub fn record_ids(&self) -> impl Iterator<Item = RecordId> {
        self.records.indexes().map(RecordId)
    }

    /// The record of an id.
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

    /// The record of an id, to be changed.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        match self.records.own_mut(id.0) {
            Ok(record) => record,
            Err(base) => Arc::make_mut(self.patches.entry(id).or_insert_with(|| Arc::new(base.clone()))),
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn str(&self, id: StrId) -> &str {
        self.arena.str(id)
    }

    /// A record's name, if it is a finished string.
    #[must_use]
    pub fn name(&self, id: RecordId) -> Option<StrId> {
        match self.arena.init(self.record(id).name) {
            Init::String(name) | Init::Code(name) => Some(name),
            _ => None,
        }
    }

    /// The next anonymous name.
    pub fn next_anonymous(&mut self) -> StrId {
        let mut name = "anonymous_".to_owned();
        text::push_int(i64::from(self.anonymous), &mut name);
        self.anonymous += 1;
        self.arena.string(&name)
    }
}

impl Keeper {
    /// Whether a value holds nothing symbolic; `?` is not symbolic, nor is a `!cond` over parts that are not.
    #[must_use]
    pub fn is_concrete(&self, init: InitId) -> bool {
        self.arena.is_closed(init)
            || matches!(self.arena.init(init), Init::Op(operator, _, seq)
                if self.arena.operator(operator).notation == Notation::Cases && self.arena.seq(seq).all(|part| self.is_concrete(part)))
    }
}
