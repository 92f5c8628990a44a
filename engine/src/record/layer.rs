//! Append-only tables above a shared base.

use std::{ops::Index, sync::Arc};

/// Entries of one chunk, as a power of two.
const CHUNK_BITS: u32 = 13;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A growing table whose first part may be shared with other jobs.
///
/// Entries lie in chunks that never move, so growing copies nothing, and a frozen table is shared chunk by chunk.
/// An index is a chunk's number and a place in it; what a job appends starts a chunk of its own. A run that is
/// appended in one go lies in one chunk.
#[derive(Debug)]
pub struct Layer<T> {
    full: Vec<Arc<Vec<T>>>,
    open: Vec<T>,
    /// Chunks of the base.
    base: usize,
    len: usize,
    base_len: usize,
}

/// A frozen table, to build others on.
pub type LayerBase<T> = Arc<Vec<Arc<Vec<T>>>>;

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Layer { full: Vec::new(), open: Vec::new(), base: 0, len: 0, base_len: 0 }
    }
}

impl<T> Layer<T> {
    /// An empty overlay above `base`.
    pub fn above(base: &LayerBase<T>) -> Self {
        let len = base.iter().map(|chunk| chunk.len()).sum();
        Layer { full: Vec::clone(base), open: Vec::new(), base: base.len(), len, base_len: len }
    }

    /// The whole table as one shareable base.
    pub fn freeze(mut self) -> LayerBase<T> {
        self.close();
        Arc::new(self.full)
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.full.push(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    /// Number of entries, the base's included.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of entries that this job appended.
    pub fn own_len(&self) -> usize {
        self.len - self.base_len
    }

    /// The entry, if it is this job's own and not the base's.
    pub fn own_mut(&mut self, index: u32) -> Option<&mut T> {
        let number = (index >> CHUNK_BITS) as usize;
        let place = index as usize % CHUNK;
        if number < self.base {
            return None;
        }
        match self.full.get_mut(number) {
            Some(chunk) => Arc::get_mut(chunk)?.get_mut(place),
            None => self.open.get_mut(place),
        }
    }

    /// Appends an entry and returns its index.
    pub fn push(&mut self, entry: T) -> u32 {
        self.make_room(1);
        let index = self.next();
        self.open.push(entry);
        self.len += 1;
        index
    }

    fn next(&self) -> u32 {
        ((self.full.len() << CHUNK_BITS) + self.open.len()) as u32
    }

    /// Closes the open chunk if `count` more entries do not fit. A run longer than a chunk gets a chunk of its own,
    /// in which only the run as a whole has an index.
    fn make_room(&mut self, count: usize) {
        if self.open.len() + count > CHUNK {
            self.close();
            if count > CHUNK {
                self.open.reserve_exact(count);
            }
        }
    }

    fn chunk(&self, index: u32) -> &[T] {
        match self.full.get((index >> CHUNK_BITS) as usize) {
            Some(chunk) => chunk,
            None => &self.open,
        }
    }

    /// The entries `start .. start + len`, which were appended together.
    pub fn run(&self, start: u32, len: u32) -> &[T] {
        if len == 0 {
            return &[];
        }
        &self.chunk(start)[start as usize % CHUNK..][..len as usize]
    }
}

impl<T: Copy> Layer<T> {
    /// Appends a run and returns the index of its first entry.
    pub fn push_run(&mut self, run: &[T]) -> u32 {
        if run.is_empty() {
            return 0;
        }
        self.make_room(run.len());
        let start = self.next();
        self.open.extend_from_slice(run);
        self.len += run.len();
        if run.len() > CHUNK {
            self.close();
        }
        start
    }
}

impl<T> Index<u32> for Layer<T> {
    type Output = T;

    fn index(&self, index: u32) -> &T {
        &self.chunk(index)[index as usize % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_lie_in_one_chunk() {
        let mut layer = Layer::default();
        let mut runs = Vec::new();
        for length in [3, CHUNK - 1, 5, 3 * CHUNK, 2, CHUNK, 1] {
            let run: Vec<usize> = (0..length).map(|item| item + length).collect();
            runs.push((layer.push_run(&run), run));
        }
        let single = layer.push(7);
        let base = layer.freeze();
        let mut overlay = Layer::above(&base);
        let own = overlay.push(8);
        assert_eq!((overlay[single], overlay[own], overlay.own_len()), (7, 8, 1));
        for (start, run) in runs {
            assert_eq!(overlay.run(start, run.len() as u32), run);
        }
    }
}
