//! Packing of tables of numbers and texts into bytes, and the way back.
//!
//! Everything is a run of little-endian words of four bytes; a table is its length and then its rows. Reading checks
//! every length, so that damaged bytes give `None` and nothing else.

use std::cell::Cell;

use crate::span::Span;

/// Writes words, rows and texts.
#[derive(Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
}

impl Packer {
    /// An empty packer with capacity for so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Packer { bytes: Vec::with_capacity(bytes) }
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// One word.
    pub fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// A number of eight bytes.
    pub fn long(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Bytes and their length, filled up to whole words.
    pub fn text(&mut self, text: &[u8]) {
        self.word(text.len() as u32);
        self.bytes.extend_from_slice(text);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// A table: the number of its rows, then each of them.
    pub fn rows<T, const N: usize>(
        &mut self,
        rows: impl ExactSizeIterator<Item = T>,
        row: impl Fn(T) -> [u32; N],
    ) {
        self.word(rows.len() as u32);
        self.bytes.reserve(rows.len() * N * 4);
        for item in rows {
            let mut bytes = [[0; 4]; N];
            for (bytes, word) in bytes.iter_mut().zip(row(item)) {
                *bytes = word.to_le_bytes();
            }
            self.bytes.extend_from_slice(bytes.as_flattened());
        }
    }
}

/// Reads what a [`Packer`] wrote.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    /// At the beginning of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Unpacker { rest: bytes }
    }

    /// Whether everything was read.
    #[must_use]
    pub fn is_at_end(self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// One word.
    pub fn word(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// A number of eight bytes.
    pub fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// Bytes that were written as a text.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.word()? as usize;
        let padded = self.take(length.checked_next_multiple_of(4)?)?;
        Some(&padded[..length])
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// The rows of a table, to be read one by one.
    pub fn rows<const N: usize>(&mut self) -> Option<Rows<'a, N>> {
        let count = self.word()? as usize;
        let bytes = self.take(count.checked_mul(N * 4)?)?;
        let (words, _) = bytes.as_chunks::<4>();
        Some(Rows { rows: words.as_chunks::<N>().0 })
    }

    /// All rows of a table.
    pub fn table<T, const N: usize>(&mut self, item: impl Fn([u32; N]) -> T) -> Option<Vec<T>> {
        let rows = self.rows::<N>()?;
        Some(rows.map(item).collect())
    }
}

/// Rows of a table that were not read yet.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, const N: usize> {
    rows: &'a [[[u8; 4]; N]],
}

impl<'a, const N: usize> Rows<'a, N> {
    /// The next rows, so many.
    pub fn next_rows(&mut self, count: u32) -> Option<Rows<'a, N>> {
        let (rows, rest) = self.rows.split_at_checked(count as usize)?;
        self.rows = rest;
        Some(Rows { rows })
    }
}

impl<const N: usize> Iterator for Rows<'_, N> {
    type Item = [u32; N];

    #[inline]
    fn next(&mut self) -> Option<[u32; N]> {
        let (first, rest) = self.rows.split_first()?;
        self.rows = rest;
        Some(first.map(u32::from_le_bytes))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rows.len(), Some(self.rows.len()))
    }
}

impl<const N: usize> ExactSizeIterator for Rows<'_, N> {}

/// Places as they are packed: counted from an origin, so that what is in front of it may differ when they are read.
///
/// With an origin of 100 the place 130 is packed as 30; a reader whose origin is 250 has 280.
#[derive(Debug)]
pub struct Places {
    origin: u32,
    has_lost: Cell<bool>,
}

impl Places {
    /// Places counted from this offset.
    #[must_use]
    pub fn from_origin(origin: u32) -> Self {
        Places { origin, has_lost: Cell::new(false) }
    }

    /// Whether a place in front of the origin was packed: what was written is of no use then.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.has_lost.get()
    }

    /// The word for a place.
    #[inline]
    pub fn pack(&self, place: Span) -> u32 {
        if place >= Span::UNKNOWN {
            return place.0;
        }
        let packed = place.0.wrapping_sub(self.origin);
        if place.0 < self.origin {
            self.has_lost.set(true);
        }
        packed
    }

    /// The place of a word.
    #[inline]
    pub fn unpack(&self, word: u32) -> Span {
        if word >= Span::UNKNOWN.0 { Span(word) } else { Span(word.wrapping_add(self.origin)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_read_again() {
        let mut packer = Packer::default();
        packer.text("añb".as_bytes());
        packer.long(u64::MAX - 1);
        packer.rows([(1, 2), (3, 4)].iter(), |&(a, b)| [a, b]);
        let bytes = packer.finish();
        let mut unpacker = Unpacker::new(&bytes);
        assert_eq!(unpacker.text(), Some("añb"));
        assert_eq!(unpacker.long(), Some(u64::MAX - 1));
        assert_eq!(unpacker.table(|[a, b]| (a, b)), Some(vec![(1, 2), (3, 4)]));
        assert!(unpacker.is_at_end());
        for length in 0..bytes.len() {
            let mut cut = Unpacker::new(&bytes[..length]);
            let all = (cut.text(), cut.long(), cut.rows::<2>());
            assert!(all.0.is_none() || all.1.is_none() || all.2.is_none());
        }
    }

    #[test]
    fn places_move_with_their_origin() {
        let (before, after) = (Places::from_origin(100), Places::from_origin(250));
        assert_eq!(after.unpack(before.pack(Span(130))), Span(280));
        for fixed in [Span::NONE, Span::UNKNOWN] {
            assert_eq!(after.unpack(before.pack(fixed)), fixed);
        }
        assert!(!before.has_lost());
        before.pack(Span(99));
        assert!(before.has_lost());
    }
}
