//! Values too large to keep in memory: clients that read one at the same time share a copy.
//!
//! Each `Bytes` of a value holds the whole value; when the last of them is dropped, the copy is freed.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use actix_web::web::Bytes;

/// Values by name, as long as they are being read.
pub struct Readers<T>(Mutex<HashMap<String, Weak<T>>>);

impl<T> Default for Readers<T> {
    fn default() -> Self {
        Readers(Mutex::default())
    }
}

impl<T> fmt::Debug for Readers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Readers of {} values", self.lock().len())
    }
}

impl<T> Readers<T> {
    /// Returns a value that is being read.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<T>> {
        self.lock().get(name)?.upgrade()
    }

    /// Adds a value, for clients that come while it is read. Values that are no longer read are removed.
    pub fn add(&self, name: String, value: &Arc<T>) {
        let mut values = self.lock();
        values.retain(|_, value| value.strong_count() > 0);
        values.insert(name, Arc::downgrade(value));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<T>>> {
        // No code that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of a value, as bytes.
struct Part<T> {
    bytes: Bytes,
    _whole: Arc<T>,
}

impl<T> AsRef<[u8]> for Part<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns bytes of a value that keep all of it alive.
#[must_use]
pub fn part<T: Send + Sync + 'static>(whole: Arc<T>, bytes: Bytes) -> Bytes {
    Bytes::from_owner(Part { bytes, _whole: whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_there_as_long_as_a_part_of_it() {
        let readers = Readers::default();
        let value = Arc::new([Bytes::from_static(b"one"), Bytes::from_static(b"two")]);
        readers.add("a".to_owned(), &value);
        let mut bytes = part(value.clone(), value[1].clone());
        drop(value);
        let second = readers.find("a").expect("it is being read");
        assert!(bytes.split_to(1) == "t" && bytes == "wo");
        drop((second, bytes));
        assert!(readers.find("a").is_none());
        readers.add("b".to_owned(), &Arc::new([Bytes::new(), Bytes::new()]));
        assert_eq!(readers.lock().len(), 1, "what is read no more is forgotten");
    }
}
