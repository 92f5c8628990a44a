//! What has been worked out already; the threads that make pages share it.

use std::{
    borrow::Borrow,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use odsmith_engine::record::{Rec, RecordId};
use rustc_hash::FxHashMap;

/// What distinguishes a record from all others, those of other roots included.
pub type RecordKey = (usize, RecordId);

/// That of a record.
pub fn record_key(rec: Rec<'_>) -> RecordKey {
    (root_id(rec), rec.id())
}

/// What distinguishes the records of a root from those of others.
pub fn root_id(rec: Rec<'_>) -> usize {
    std::ptr::from_ref(rec.records()).addr()
}

/// Answers by what they follow from.
#[derive(Debug)]
pub struct Memo<K, T>(Mutex<FxHashMap<K, Arc<T>>>);

impl<K, T> Default for Memo<K, T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, T> Memo<K, T> {
    /// The answer for `key`, made on the first call.
    pub fn get<Q: Eq + Hash + ?Sized>(
        &self,
        key: impl Borrow<Q> + Into<K>,
        make: impl FnOnce() -> T,
    ) -> Arc<T>
    where
        K: Borrow<Q>,
    {
        if let Some(known) = self.known().get(key.borrow()) {
            return Arc::clone(known);
        }
        // Made without the lock: others may be asked for meanwhile, also by `make` itself.
        let made = Arc::new(make());
        // Where two have made it, both go on with the first.
        Arc::clone(self.known().entry(key.into()).or_insert(made))
    }

    fn known(&self) -> MutexGuard<'_, FxHashMap<K, Arc<T>>> {
        // Answers are whole: a thread that panicked left no half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
