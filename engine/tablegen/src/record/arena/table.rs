//! Hash tables of indices above shared ones.

use hashbrown::HashTable;

use super::inits::hash_init;
use crate::record::{
    init::Init,
    overlay::{Entries, Shared},
};

/// Hashes and indices; keeping the hash makes growing cheap and comparing rare.
#[derive(Clone, Debug, Default)]
pub(in crate::record) struct Slots(HashTable<(u32, u32)>);

/// A hash table of indices above a shared one.
#[derive(Debug, Default)]
pub(in crate::record) struct Table {
    base: Shared<Slots>,
    own: Slots,
}

/// Returns the hash that places an entry in a table.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Slots {
    fn insert(&mut self, hash: u32, index: u32) {
        self.0.insert_unique(spread(hash), (hash, index), |&(hash, _)| spread(hash));
    }
}

impl Entries for Slots {
    const BYTES: usize = 2 * size_of::<(u32, u32)>();

    fn count(&self) -> usize {
        self.0.len()
    }

    fn add_all(&mut self, later: &Self) {
        later.0.iter().for_each(|&(hash, index)| self.insert(hash, index));
    }
}

impl Table {
    pub(super) fn with_room(entries: usize) -> Self {
        Table { base: Shared::default(), own: Slots(HashTable::with_capacity(entries)) }
    }

    /// Creates a table of the first indices, whose hashes these are.
    pub(in crate::record) fn of(hashes: impl ExactSizeIterator<Item = u32>) -> Self {
        let mut table = Table::with_room(hashes.len());
        for (index, hash) in hashes.enumerate() {
            table.insert(hash, index as u32);
        }
        table
    }

    /// Creates a table of those inits that are references to records: `Arena::mentions` looks for no others.
    pub(in crate::record) fn of_references(inits: &[Init]) -> Self {
        let mut table = Table::default();
        for (index, &init) in inits.iter().enumerate() {
            if let Init::Def(_) = init {
                table.insert(hash_init(init, |_| &[]), index as u32);
            }
        }
        table
    }

    /// Returns the hashes of its own entries by their indices, which have no gaps if there is no base.
    pub(in crate::record) fn hashes(&self) -> Vec<u32> {
        let mut hashes = vec![0; self.own.count()];
        for &(hash, index) in &self.own.0 {
            if let Some(place) = hashes.get_mut(index as usize) {
                *place = hash;
            }
        }
        hashes
    }

    pub(super) fn above(base: &Shared<Slots>) -> Self {
        Table { base: base.clone(), own: Slots::default() }
    }

    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut matches = |&(known, index): &(u32, u32)| known == hash && is(index);
        if let Some(&(_, found)) = self.own.0.find(spread(hash), &mut matches) {
            return Some(found);
        }
        if self.base.big.0.is_empty() {
            return None;
        }
        let big = self.base.big.0.find(spread(hash), &mut matches);
        big.or_else(|| self.base.small.0.find(spread(hash), &mut matches)).map(|&(_, found)| found)
    }

    pub(super) fn insert(&mut self, hash: u32, index: u32) {
        self.own.insert(hash, index);
    }

    pub(super) fn freeze(self) -> Shared<Slots> {
        self.base.with(self.own)
    }
}
