//! A cache of results that the threads which make pages share.

use std::{
    borrow::Borrow,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use odsmith_tablegen::record::{Rec, RecordId};
use rustc_hash::FxHashMap;

/// A key that distinguishes a record from all others, also from those of other roots.
pub type RecordKey = (usize, RecordId);

/// The key of a record.
pub fn record_key(rec: Rec<'_>) -> RecordKey {
    (root_id(rec), rec.id())
}

/// A key that distinguishes the records of one root from those of others.
pub fn root_id(rec: Rec<'_>) -> usize {
    std::ptr::from_ref(rec.records()).addr()
}

/// A thread-safe cache of values by key.
#[derive(Debug)]
pub struct Memo<K, T>(Mutex<FxHashMap<K, Arc<T>>>);

impl<K, T> Default for Memo<K, T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, T> Memo<K, T> {
    /// The value for `key`, computed on the first call.
    pub fn get<Q: Eq + Hash + ?Sized>(
        &self,
        key: impl Borrow<Q> + Into<K>,
        make: impl FnOnce() -> T,
    ) -> Arc<T>
    where
        K: Borrow<Q>,
    {
        if let Some(value) = self.lock().get(key.borrow()) {
            return Arc::clone(value);
        }
        // The lock is not held meanwhile: other threads, and `make` itself, may ask for other keys.
        let value = Arc::new(make());
        // If two threads computed it, both use the first result.
        Arc::clone(self.lock().entry(key.into()).or_insert(value))
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<K, Arc<T>>> {
        // Entries are inserted whole, so a panic of another thread leaves none half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
