//! What has been worked out already, by a text; the threads that make pages share it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Answers by the text that they follow from.
#[derive(Debug)]
pub(crate) struct Memo<T>(Mutex<BTreeMap<String, Arc<T>>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<T> Memo<T> {
    /// The answer to `text`, made if nobody has asked before.
    pub(crate) fn get(&self, text: &str, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.known().get(text) {
            return Arc::clone(known);
        }
        // Made without the lock: others may be asked for meanwhile, also by `make` itself.
        let made = Arc::new(make());
        self.known().insert(text.to_owned(), Arc::clone(&made));
        made
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<T>>> {
        // Answers are whole: a thread that panicked left no half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
