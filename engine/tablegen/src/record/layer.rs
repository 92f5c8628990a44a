//! Append-only tables above a shared base.

use std::{ops::Index, sync::Arc};

/// Returns true if a table is small compared with another: small ones are copied to add to them, big ones are not.
pub fn is_small_above(small: usize, big: usize) -> bool {
    small < big / 8
}

/// Indices that one entry of a base's directory covers, as a power of two.
const PAGE_BITS: u32 = 13;
const PAGE: usize = 1 << PAGE_BITS;

/// A growing table whose first part may be shared with other jobs.
///
/// The entries that a job appends are contiguous, so that reading one is a single lookup. A frozen table becomes a part
/// of the base as it is; each part begins at an index that is a multiple of `PAGE`, so that a directory of pages finds
/// the part.
#[derive(Debug)]
pub struct Layer<T> {
    own: Vec<T>,
    /// Index of the first entry of `own`.
    start: u32,
    base: LayerBase<T>,
}

/// A frozen table that others build on.
#[derive(Debug)]
pub struct LayerBase<T> {
    /// The part of each page.
    pages: Arc<Vec<Part<T>>>,
    len: usize,
}

#[derive(Debug)]
struct Part<T> {
    /// Index of its first entry.
    start: u32,
    entries: Arc<Vec<T>>,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        Part { start: self.start, entries: Arc::clone(&self.entries) }
    }
}

impl<T> Clone for LayerBase<T> {
    fn clone(&self) -> Self {
        LayerBase { pages: Arc::clone(&self.pages), len: self.len }
    }
}

impl<T> Default for LayerBase<T> {
    fn default() -> Self {
        LayerBase { pages: Arc::default(), len: 0 }
    }
}

impl<T> LayerBase<T> {
    /// Returns the bytes of its directory; the entries are shared.
    pub fn directory_bytes(&self) -> usize {
        self.pages.len() * size_of::<Part<T>>()
    }

    fn part(&self, index: u32) -> &Part<T> {
        &self.pages[(index >> PAGE_BITS) as usize]
    }

    fn entry(&self, index: u32) -> &T {
        let part = self.part(index);
        &part.entries[(index - part.start) as usize]
    }
}

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Layer { own: Vec::new(), start: 0, base: LayerBase::default() }
    }
}

impl<T> Layer<T> {
    /// Creates an empty table with capacity for this number of entries.
    pub fn with_room(entries: usize) -> Self {
        Layer { own: Vec::with_capacity(entries), ..Layer::default() }
    }

    /// Creates a table of these entries, without a base.
    pub fn of(entries: Vec<T>) -> Self {
        Layer { own: entries, ..Layer::default() }
    }

    /// Returns the entries that this job appended.
    pub fn own(&self) -> &[T] {
        &self.own
    }

    /// Creates an empty overlay above `base`.
    pub fn above(base: &LayerBase<T>) -> Self {
        Layer { own: Vec::new(), start: (base.pages.len() << PAGE_BITS) as u32, base: base.clone() }
    }

    /// Returns the whole table as one shareable base.
    pub fn freeze(mut self) -> LayerBase<T> {
        if self.own.is_empty() {
            return self.base;
        }
        self.own.shrink_to_fit();
        let (len, count) = (self.len(), self.own.len().div_ceil(PAGE));
        let part = Part { start: self.start, entries: Arc::new(self.own) };
        let mut pages = Vec::clone(&self.base.pages);
        pages.extend(std::iter::repeat_n(part, count));
        LayerBase { pages: Arc::new(pages), len }
    }

    /// Returns the number of entries, including the base's.
    #[expect(clippy::len_without_is_empty, reason = "nothing needs it")]
    pub fn len(&self) -> usize {
        self.base.len + self.own.len()
    }

    /// Returns the number of entries that this job appended.
    pub fn own_len(&self) -> usize {
        self.own.len()
    }

    /// Returns the entry mutably, if this job appended it.
    ///
    /// # Errors
    /// It belongs to the base.
    pub fn own_mut(&mut self, index: u32) -> Result<&mut T, &T> {
        match self.own.get_mut(index.wrapping_sub(self.start) as usize) {
            Some(entry) => Ok(entry),
            None => Err(self.base.entry(index)),
        }
    }

    /// Returns an index below which all entries are the same in both tables: they belong to a base below both.
    pub fn end_of_shared(&self, other: &Self) -> u32 {
        let pages = self.base.pages.iter().zip(&*other.base.pages);
        let shared = pages.take_while(|(a, b)| Arc::ptr_eq(&a.entries, &b.entries)).count();
        (shared << PAGE_BITS) as u32
    }

    /// Returns the indexes of all entries. There are gaps between parts of the base, and before this job's own entries.
    pub fn indexes(&self) -> impl Iterator<Item = u32> {
        let first_pages =
            self.base.pages.iter().zip(0..).filter(|(part, page)| part.start == page << PAGE_BITS);
        let of_base = first_pages.flat_map(|(part, _)| part.start..part.start + part.entries.len() as u32);
        of_base.chain(self.start..self.end())
    }

    /// Returns an index above those of all entries.
    pub fn end(&self) -> u32 {
        self.start + self.own.len() as u32
    }

    /// Appends an entry and returns its index.
    pub fn push(&mut self, entry: T) -> u32 {
        let index = self.start + self.own.len() as u32;
        self.own.push(entry);
        index
    }

    /// Returns the entries `start .. start + len`, which were appended together.
    #[inline]
    pub fn run(&self, start: u32, len: u32) -> &[T] {
        if len == 0 {
            return &[];
        }
        let (entries, at) = match start.checked_sub(self.start) {
            Some(at) => (&self.own[..], at),
            None => {
                let part = self.base.part(start);
                (&part.entries[..], start - part.start)
            }
        };
        &entries[at as usize..][..len as usize]
    }
}

impl<T: Copy> Layer<T> {
    /// Appends a run and returns the index of its first entry.
    pub fn push_run(&mut self, run: &[T]) -> u32 {
        let start = self.start + self.own.len() as u32;
        self.own.extend_from_slice(run);
        start
    }

    /// Appends the entries of a run and then `more`, as one run, and returns the index of its first entry. A run that
    /// is at the end is not repeated: the longer one begins with it.
    pub fn push_longer(&mut self, (start, len): (u32, u32), more: &[T]) -> u32 {
        let end = self.start + self.own.len() as u32;
        match start.checked_sub(self.start) {
            _ if len == 0 => {}
            Some(_) if start + len == end => {
                self.own.extend_from_slice(more);
                return start;
            }
            Some(at) => self.own.extend_from_within(at as usize..(at + len) as usize),
            None => {
                let before = self.run(start, len).to_vec();
                self.own.extend_from_slice(&before);
            }
        }
        self.own.extend_from_slice(more);
        end
    }
}

impl<T> Index<u32> for Layer<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: u32) -> &T {
        match self.own.get(index.wrapping_sub(self.start) as usize) {
            Some(entry) => entry,
            None => self.base.entry(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_keep_their_places() {
        let mut layer = Layer::default();
        let mut runs = Vec::new();
        for length in [3, PAGE - 1, 5, 3 * PAGE, 2, PAGE, 1] {
            let run: Vec<usize> = (0..length).map(|item| item + length).collect();
            runs.push((layer.push_run(&run), run));
        }
        let single = layer.push(7);
        let mut overlay = Layer::above(&layer.freeze());
        let own = overlay.push(8);
        let mut top = Layer::above(&overlay.freeze());
        let last = top.push(9);
        assert_eq!((top[single], top[own], top[last], top.own_len()), (7, 8, 9, 1));
        assert!(top.own_mut(own).is_err() && top.own_mut(last).is_ok());
        let indexes: Vec<u32> = top.indexes().collect();
        assert_eq!(indexes.len(), top.len());
        assert_eq!(indexes.last().copied(), Some(last));
        let runs_end = runs.iter().map(|(start, run)| start + run.len() as u32).max();
        assert!(indexes.is_sorted() && indexes.contains(&own) && runs_end == Some(single));
        assert!(indexes.iter().all(|&index| top[index] < usize::MAX), "each is the index of an entry");
        for (start, run) in runs {
            assert_eq!(top.run(start, run.len() as u32), run);
        }
    }
}
