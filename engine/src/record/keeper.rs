//! Everything that evaluation has made so far.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{
    arena::{Arena, ArenaBase},
    init::{Init, InitId, StrId},
    layer::{Layer, LayerBase, is_small_above},
    operator::{Notation, OperatorFacts},
    record::{Record, RecordId},
};
use crate::text;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// A map above a shared one.
#[derive(Debug)]
pub struct Overlay<K, V> {
    base: OverlayBase<K, V>,
    own: Map<K, V>,
}

/// A shared map in two parts: a big one, and a small one with what came later, so that a little more can be added
/// without a copy of everything. An entry of the small one hides one of the big one.
#[derive(Debug)]
pub struct OverlayBase<K, V> {
    big: Arc<Map<K, V>>,
    small: Arc<Map<K, V>>,
}

impl<K, V> Clone for OverlayBase<K, V> {
    fn clone(&self) -> Self {
        OverlayBase { big: Arc::clone(&self.big), small: Arc::clone(&self.small) }
    }
}

impl<K, V> Default for OverlayBase<K, V> {
    fn default() -> Self {
        OverlayBase { big: Arc::default(), small: Arc::default() }
    }
}

/// A map from names.
pub type Names<V> = Overlay<StrId, V>;

impl<K, V> Default for Overlay<K, V> {
    fn default() -> Self {
        Overlay { base: OverlayBase::default(), own: Map::default() }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Overlay<K, V> {
    /// An empty overlay above `base`.
    #[must_use]
    pub fn above(base: &OverlayBase<K, V>) -> Self {
        Overlay { base: base.clone(), own: Map::default() }
    }

    /// The entry of this key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<V> {
        let own = self.own.get(&key).or_else(|| self.base.small.get(&key));
        own.or_else(|| self.base.big.get(&key)).copied()
    }

    /// Adds or replaces an entry.
    pub fn insert(&mut self, key: K, entry: V) {
        self.own.insert(key, entry);
    }

    /// A map of these entries, above nothing.
    pub(super) fn of(entries: impl ExactSizeIterator<Item = (K, V)>) -> Self {
        let mut own = Map::with_capacity_and_hasher(entries.len(), FxBuildHasher);
        own.extend(entries);
        Overlay { base: OverlayBase::default(), own }
    }

    /// The entries that this job added, in no order.
    pub(super) fn own_entries(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.own.iter()
    }

    /// All entries, in no order.
    pub fn unordered(&self) -> impl Iterator<Item = (K, V)> {
        let OverlayBase { big, small } = &self.base;
        let of_big = big.iter().filter(|(key, _)| !small.contains_key(key) && !self.own.contains_key(key));
        let of_small = small.iter().filter(|(key, _)| !self.own.contains_key(key));
        of_big.chain(of_small).chain(&self.own).map(|(&key, &entry)| (key, entry))
    }

    /// The whole map as one shareable base.
    #[must_use]
    pub fn freeze(self) -> OverlayBase<K, V> {
        let OverlayBase { big, small } = self.base;
        if big.is_empty() {
            return OverlayBase { big: Arc::new(self.own), small };
        }
        if self.own.is_empty() {
            return OverlayBase { big, small };
        }
        let is_small = is_small_above(small.len() + self.own.len(), big.len());
        let mut all = Map::clone(if is_small { &small } else { &big });
        if is_small {
            all.extend(self.own);
            return OverlayBase { big, small: Arc::new(all) };
        }
        all.extend(small.iter().map(|(&key, &entry)| (key, entry)));
        all.extend(self.own);
        OverlayBase { big: Arc::new(all), small: Arc::default() }
    }
}

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

impl Keeper {
    /// A keeper of nothing, for values with these operators.
    #[must_use]
    pub fn new(operators: &'static [OperatorFacts]) -> Self {
        Keeper::of(Arena::new(operators), Vec::new())
    }

    /// A keeper that goes on from `base`.
    #[must_use]
    pub fn above(base: &KeeperBase) -> Self {
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
        }
    }

    /// A keeper of these records, whose parts are in this arena, and nothing else.
    pub(super) fn of(arena: Arena, records: Vec<Record>) -> Self {
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

    /// About how many bytes of the heap all of it takes, the base's included; the meter's count leaves out what records
    /// take beside their fields.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.arena.bytes() + 2 * self.record_bytes + size_of::<Record>() * self.record_count()
    }

    /// Number of records, the base's included.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The record behind an id.
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

    /// The record behind an id, to be changed.
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
