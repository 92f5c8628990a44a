//! Everything that evaluation has made so far.

use std::{collections::HashMap, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{
    arena::{Arena, ArenaBase},
    init::{Init, InitId, StrId},
    layer::{Layer, LayerBase},
    record::{Record, RecordId},
};

type Map<V> = HashMap<StrId, V, FxBuildHasher>;

/// A map from names above a shared one.
#[derive(Debug)]
pub struct Names<V> {
    base: Arc<Map<V>>,
    own: Map<V>,
}

impl<V> Default for Names<V> {
    fn default() -> Self {
        Names { base: Arc::default(), own: Map::default() }
    }
}

impl<V: Copy> Names<V> {
    /// The entry of this name.
    #[must_use]
    pub fn get(&self, name: StrId) -> Option<V> {
        self.own.get(&name).or_else(|| self.base.get(&name)).copied()
    }

    /// Adds or replaces an entry.
    pub fn insert(&mut self, name: StrId, entry: V) {
        self.own.insert(name, entry);
    }

    /// All entries, in no order.
    pub fn unordered(&self) -> impl Iterator<Item = (StrId, V)> {
        let hidden = |name: &StrId| !self.own.contains_key(name);
        self.base.iter().filter(move |(name, _)| hidden(name)).chain(&self.own).map(|(&name, &entry)| (name, entry))
    }

    fn freeze(self) -> Arc<Map<V>> {
        if self.base.is_empty() {
            return Arc::new(self.own);
        }
        let mut all = Map::clone(&self.base);
        all.extend(self.own);
        Arc::new(all)
    }
}

/// Classes, defs and global values under their names, and the arena that their parts are interned in.
#[derive(Debug, Default)]
pub struct Keeper {
    /// Strings, types and inits.
    pub arena: Arena,
    records: Layer<Arc<Record>>,
    /// Records of the base that this job has completed: a class that the base only declares.
    patches: Patches,
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
}

type Patches = HashMap<RecordId, Arc<Record>, FxBuildHasher>;

/// A keeper's state, to build others on.
#[derive(Clone, Debug)]
pub struct KeeperBase {
    arena: ArenaBase,
    records: LayerBase<Arc<Record>>,
    patches: Patches,
    classes: Arc<Map<RecordId>>,
    defs: Arc<Map<RecordId>>,
    multiclasses: Arc<Map<u32>>,
    globals: Arc<Map<InitId>>,
    anonymous: u32,
}

impl Keeper {
    /// A keeper that goes on from `base`.
    #[must_use]
    pub fn above(base: &KeeperBase) -> Self {
        fn names<V>(base: &Arc<Map<V>>) -> Names<V> {
            Names { base: Arc::clone(base), own: Map::default() }
        }
        Keeper {
            arena: Arena::above(&base.arena),
            records: Layer::above(&base.records),
            patches: base.patches.clone(),
            classes: names(&base.classes),
            defs: names(&base.defs),
            multiclasses: names(&base.multiclasses),
            globals: names(&base.globals),
            anonymous: base.anonymous,
        }
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
        }
    }

    /// Adds a record; it is not yet known by name.
    pub fn add(&mut self, record: Record) -> RecordId {
        RecordId(self.records.push(Arc::new(record)))
    }

    /// Number of records, the base's included.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The record behind an id.
    #[must_use]
    pub fn record(&self, id: RecordId) -> &Record {
        if !self.patches.is_empty()
            && let Some(record) = self.patches.get(&id)
        {
            return record;
        }
        &self.records[id.0]
    }

    /// The record behind an id, to be changed.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        if self.records.own_mut(id.0).is_none() {
            let base = &self.records[id.0];
            return Arc::make_mut(self.patches.entry(id).or_insert_with(|| Arc::clone(base)));
        }
        match self.records.own_mut(id.0) {
            Some(record) => Arc::make_mut(record),
            None => unreachable!("the record was there a line above"),
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
    pub fn next_anonymous(&mut self) -> InitId {
        let name = format!("anonymous_{}", self.anonymous);
        self.anonymous += 1;
        self.arena.string_init(&name)
    }
}

impl Keeper {
    /// Whether a value holds nothing symbolic; `?` is not symbolic, nor is a `!cond` over parts that are not.
    #[must_use]
    pub fn is_concrete(&self, init: InitId) -> bool {
        self.arena.is_closed(init)
            || matches!(self.arena.init(init), Init::Op(crate::eval::ops::COND, _, seq)
                if self.arena.seq(seq).all(|part| self.is_concrete(part)))
    }
}
