//! Hash tables and maps above shared ones.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{init::StrId, layer::is_small_above};

/// Entries that are looked up by a hash.
pub trait Entries: Clone + Default {
    /// The approximate size of an entry in bytes.
    const BYTES: usize;

    /// Returns the number of entries.
    fn count(&self) -> usize;

    /// Adds later entries, which replace those with the same key.
    fn add_all(&mut self, later: &Self);
}

/// Shared entries in two parts: many, and a few later ones, so that adding a little needs no copy of everything. An
/// entry of the small part hides one of the big part.
#[derive(Debug, Default)]
pub struct Shared<M> {
    pub(super) big: Arc<M>,
    pub(super) small: Arc<M>,
}

impl<M> Clone for Shared<M> {
    fn clone(&self) -> Self {
        Shared { big: Arc::clone(&self.big), small: Arc::clone(&self.small) }
    }
}

impl<M: Entries> Shared<M> {
    /// Returns the approximate size in bytes, without the parts of a base below it.
    pub fn bytes_beside(&self, base: Option<&Self>) -> usize {
        let is_shared = |part: &Arc<M>| {
            base.is_some_and(|base| Arc::ptr_eq(part, &base.big) || Arc::ptr_eq(part, &base.small))
        };
        let own = [&self.big, &self.small].into_iter().filter(|part| !is_shared(part));
        own.map(|part| part.count() * M::BYTES).sum()
    }

    /// Returns these entries with `own` above them.
    pub(super) fn with(mut self, own: M) -> Self {
        if self.big.count() == 0 {
            self.big = Arc::new(own);
        } else if own.count() == 0 {
            return self;
        } else if is_small_above(self.small.count() + own.count(), self.big.count()) {
            Arc::make_mut(&mut self.small).add_all(&own);
        } else {
            let big = Arc::make_mut(&mut self.big);
            big.add_all(&self.small);
            big.add_all(&own);
            self.small = Arc::default();
        }
        self
    }
}

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

impl<K: Copy + Eq + Hash, V: Copy> Entries for Map<K, V> {
    // Tables are half empty at times.
    const BYTES: usize = 2 * size_of::<(K, V)>();

    fn count(&self) -> usize {
        self.len()
    }

    fn add_all(&mut self, later: &Self) {
        self.extend(later.iter().map(|(&key, &entry)| (key, entry)));
    }
}

/// A map above a shared one.
#[derive(Debug)]
pub struct Overlay<K, V> {
    base: OverlayBase<K, V>,
    own: Map<K, V>,
}

/// A map that others build on.
pub type OverlayBase<K, V> = Shared<Map<K, V>>;

/// A map from names.
pub type Names<V> = Overlay<StrId, V>;

impl<K, V> Default for Overlay<K, V> {
    fn default() -> Self {
        Overlay { base: Shared::default(), own: Map::default() }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Overlay<K, V> {
    /// Creates an empty overlay above `base`.
    #[must_use]
    pub fn above(base: &OverlayBase<K, V>) -> Self {
        Overlay { base: base.clone(), own: Map::default() }
    }

    /// Creates a map of these entries, without a base.
    pub(super) fn of(entries: impl ExactSizeIterator<Item = (K, V)>) -> Self {
        let mut own = Map::with_capacity_and_hasher(entries.len(), FxBuildHasher);
        own.extend(entries);
        Overlay { base: Shared::default(), own }
    }

    /// Returns the entry of this key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<V> {
        let own = self.own.get(&key).or_else(|| self.base.small.get(&key));
        own.or_else(|| self.base.big.get(&key)).copied()
    }

    /// Adds or replaces an entry.
    pub fn insert(&mut self, key: K, entry: V) {
        self.own.insert(key, entry);
    }

    /// Returns the entries that this job added, in no order.
    pub(super) fn own_entries(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.own.iter()
    }

    /// Returns all entries, in no order.
    pub fn unordered(&self) -> impl Iterator<Item = (K, V)> {
        let Shared { big, small } = &self.base;
        let of_big = big.iter().filter(|(key, _)| !small.contains_key(key) && !self.own.contains_key(key));
        let of_small = small.iter().filter(|(key, _)| !self.own.contains_key(key));
        of_big.chain(of_small).chain(&self.own).map(|(&key, &entry)| (key, entry))
    }

    /// Returns the whole map as one shareable base.
    #[must_use]
    pub fn freeze(self) -> OverlayBase<K, V> {
        self.base.with(self.own)
    }
}
