//! Append-only tables above a shared base.

use std::{ops::Index, sync::Arc};

/// A growing table whose first part may be shared with other jobs.
///
/// Indices of the base come first; what a job appends follows. A run that was appended in one go never
/// straddles the border, so [`Layer::run`] can hand out one slice.
#[derive(Debug)]
pub struct Layer<T> {
    base: Arc<Vec<T>>,
    own: Vec<T>,
}

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Layer { base: Arc::default(), own: Vec::new() }
    }
}

impl<T: Clone> Layer<T> {
    /// An empty overlay above `base`.
    pub fn above(base: Arc<Vec<T>>) -> Self {
        Layer { base, own: Vec::new() }
    }

    /// The whole table as one shareable base.
    pub fn freeze(self) -> Arc<Vec<T>> {
        if self.base.is_empty() {
            return Arc::new(self.own);
        }
        if self.own.is_empty() {
            return self.base;
        }
        let mut all = Vec::with_capacity(self.base.len() + self.own.len());
        all.extend_from_slice(&self.base);
        all.extend(self.own);
        Arc::new(all)
    }
}

impl<T> Layer<T> {
    /// Number of entries, the base's included.
    pub fn len(&self) -> usize {
        self.base.len() + self.own.len()
    }

    /// Number of entries of the shared base.
    pub fn base_len(&self) -> usize {
        self.base.len()
    }

    /// Appends an entry and returns its index.
    pub fn push(&mut self, entry: T) -> u32 {
        let index = self.len() as u32;
        self.own.push(entry);
        index
    }

    /// The entry, if it is this job's own and not the base's.
    pub fn own_mut(&mut self, index: u32) -> Option<&mut T> {
        let index = (index as usize).checked_sub(self.base.len())?;
        self.own.get_mut(index)
    }

    /// The entries `start .. start + len`, which were appended together.
    pub fn run(&self, start: u32, len: u32) -> &[T] {
        let (start, len) = (start as usize, len as usize);
        if start < self.base.len() { &self.base[start..start + len] } else { &self.own[start - self.base.len()..][..len] }
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.base.iter().chain(&self.own)
    }
}

impl<T: Copy> Layer<T> {
    /// Appends a run and returns the index of its first entry.
    pub fn push_run(&mut self, run: &[T]) -> u32 {
        let start = self.len() as u32;
        self.own.extend_from_slice(run);
        start
    }
}

impl<T> Index<u32> for Layer<T> {
    type Output = T;

    fn index(&self, index: u32) -> &T {
        let index = index as usize;
        match self.base.get(index) {
            Some(entry) => entry,
            None => &self.own[index - self.base.len()],
        }
    }
}
