//! Packs tables of numbers and texts into bytes, and unpacks them.
//!
//! Numbers are little-endian words of four bytes, texts follow their lengths, and a table is its length and then its
//! rows, each column as wide as its numbers need:
//!
//! ```text
//! rows   [7, 300, 0] [9, 301, 0]
//! bytes  2 | 7 300 0 | 1 1 0 | 00 00  02 01 | padding
//!            bases     widths  row 0  row 1
//! ```
//!
//! Reading checks every length, so that damaged bytes only ever produce `None`.

use std::cell::Cell;

use crate::span::Span;

/// A writer of words, rows and texts.
#[derive(Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
}

impl Packer {
    /// Creates an empty packer with this capacity in bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Packer { bytes: Vec::with_capacity(bytes) }
    }

    /// Returns the bytes written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes one word.
    pub fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// Writes a number of eight bytes.
    pub fn long(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Appends the output of another packer.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes bytes, after their length.
    pub fn text(&mut self, text: &[u8]) {
        self.word(text.len() as u32);
        self.bytes.extend_from_slice(text);
    }

    /// Writes a table of the rows that the items map to.
    pub fn rows<T, const N: usize>(
        &mut self,
        rows: impl ExactSizeIterator<Item = T>,
        row: impl Fn(T) -> [u32; N],
    ) {
        let rows: Vec<[u32; N]> = rows.map(row).collect();
        self.table(&rows);
    }

    /// Writes a table: the number of its rows, the bases and widths of its columns, then each row.
    pub fn table<const N: usize>(&mut self, rows: &[[u32; N]]) {
        const { assert!(N <= MOST_COLUMNS) };
        // Offset by one, so that `u32::MAX`, which means "none" in many columns, comes right before 0.
        let (mut least, mut most) = ([u32::MAX; N], [0; N]);
        for row in rows {
            for ((least, most), word) in least.iter_mut().zip(&mut most).zip(row) {
                *least = word.wrapping_add(1).min(*least);
                *most = word.wrapping_add(1).max(*most);
            }
        }
        let bases = least.map(|least| least.wrapping_sub(1));
        let mut widths = [0; N];
        for ((width, least), most) in widths.iter_mut().zip(least).zip(most) {
            *width = (u32::BITS - most.saturating_sub(least).leading_zeros()).div_ceil(8) as usize;
        }
        self.word(rows.len() as u32);
        bases.iter().for_each(|base| self.word(*base));
        self.bytes.extend(widths.map(|width| width as u8));
        let width: usize = widths.iter().sum();
        let start = self.bytes.len();
        self.bytes.resize(start + rows.len() * width + PADDING, 0);
        let mut place = &mut self.bytes[start..];
        for row in rows {
            let Some(bytes) = place.first_chunk_mut::<PADDING>() else { return };
            let mut at = 0;
            for ((word, base), width) in row.iter().zip(bases).zip(widths) {
                // Of the four bytes, those beyond the width are 0, and the next column or row overwrites them.
                let from = at % MOST_WIDTH;
                bytes[from..from + 4].copy_from_slice(&word.wrapping_sub(base).to_le_bytes());
                at += width;
            }
            place = &mut place[width..];
        }
    }
}

/// The most columns of a table.
const MOST_COLUMNS: usize = 15;

/// An upper bound on the bytes of a row.
const MOST_WIDTH: usize = 64;

/// The bytes after a table, so that reading four bytes of a row never has to check for the table's end.
const PADDING: usize = MOST_WIDTH + 4;

/// A reader of the output of a [`Packer`].
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    /// Creates an unpacker at the beginning of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Unpacker { rest: bytes }
    }

    /// Returns true if everything was read.
    #[must_use]
    pub fn is_at_end(self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// Reads one word.
    pub fn word(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Reads a number of eight bytes.
    pub fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// Reads bytes that were written as a text.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.word()? as usize;
        self.take(length)
    }

    /// Reads a text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Returns the rows of a table, to be read one by one.
    pub fn rows<const N: usize>(&mut self) -> Option<Rows<'a, N>> {
        let count = self.word()? as usize;
        let mut columns = [Column::default(); N];
        for column in &mut columns {
            column.base = self.word()?;
        }
        let mut width = 0;
        for (column, &bytes) in columns.iter_mut().zip(self.take(N)?) {
            column.at = width;
            column.mask = u32::MAX.checked_shr(u32::BITS.checked_sub(8 * u32::from(bytes))?).unwrap_or(0);
            width += usize::from(bytes);
        }
        let bytes = self.take(count.checked_mul(width)?.checked_add(PADDING)?)?;
        Some(Rows { bytes, count, width, columns })
    }

    /// Reads all rows of a table.
    pub fn table<T, const N: usize>(&mut self, item: impl Fn([u32; N]) -> T) -> Option<Vec<T>> {
        let rows = self.rows::<N>()?;
        Some(rows.map(item).collect())
    }
}

/// The rows of a table that were not read yet.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, const N: usize> {
    /// The rows, and the padding or the rows after them.
    bytes: &'a [u8],
    count: usize,
    width: usize,
    columns: [Column; N],
}

/// The position of a column in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    at: usize,
    mask: u32,
    base: u32,
}

impl<'a, const N: usize> Rows<'a, N> {
    /// Returns the next `count` rows.
    pub fn next_rows(&mut self, count: u32) -> Option<Rows<'a, N>> {
        let first = Rows { count: count as usize, ..*self };
        self.count = self.count.checked_sub(first.count)?;
        self.bytes = &self.bytes[first.count * self.width..];
        Some(first)
    }

    /// Reads all of them, unless one is damaged. Collecting options would not know their number, and would reallocate
    /// repeatedly.
    pub fn try_table<T>(self, item: impl Fn([u32; N]) -> Option<T>) -> Option<Vec<T>> {
        let mut table = Vec::with_capacity(self.count);
        for row in self {
            table.push(item(row)?);
        }
        Some(table)
    }
}

impl<const N: usize> Iterator for Rows<'_, N> {
    type Item = [u32; N];

    #[inline(always)]
    fn next(&mut self) -> Option<[u32; N]> {
        self.count = self.count.checked_sub(1)?;
        let row: &[u8; PADDING] = self.bytes.first_chunk()?;
        self.bytes = &self.bytes[self.width..];
        let mut words = [0; N];
        for (word, Column { at, mask, base }) in words.iter_mut().zip(&self.columns) {
            let at = at % MOST_WIDTH;
            let bytes = [row[at], row[at + 1], row[at + 2], row[at + 3]];
            *word = (u32::from_le_bytes(bytes) & mask).wrapping_add(*base);
        }
        Some(words)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl<const N: usize> ExactSizeIterator for Rows<'_, N> {}

/// Places as they are packed: relative to an origin, so that the text before it may differ when they are read.
///
/// With an origin of 100 the place 130 is packed as 30; a reader whose origin is 250 reads 280.
#[derive(Debug)]
pub struct Places {
    origin: u32,
    has_lost: Cell<bool>,
}

impl Places {
    /// Creates places relative to this offset.
    #[must_use]
    pub fn from_origin(origin: u32) -> Self {
        Places { origin, has_lost: Cell::new(false) }
    }

    /// Returns true if a place before the origin was packed: the packed bytes are useless then.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.has_lost.get()
    }

    /// Returns the word for a place.
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

    /// Returns the place of a word.
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
        packer.rows([[1_u32]; 3].iter(), |row| *row);
        packer.text("añb".as_bytes());
        packer.long(u64::MAX - 1);
        let rows = [[1, 2, u32::MAX, 7], [3, 70_000, 0, 7], [400, 4, u32::MAX - 1, 7]];
        packer.rows(rows.iter(), |row| *row);
        packer.rows([[5_u32]; 0].iter(), |row| *row);
        let bytes = packer.finish();
        let mut unpacker = Unpacker::new(&bytes);
        assert_eq!(unpacker.table(|[word]| word), Some(vec![1; 3]));
        assert_eq!(unpacker.text(), Some("añb"));
        assert_eq!(unpacker.long(), Some(u64::MAX - 1));
        assert_eq!(unpacker.table(|row: [u32; 4]| row), Some(rows.to_vec()));
        assert_eq!(unpacker.table(|[word]| word), Some(Vec::new()));
        assert!(unpacker.is_at_end());
        for length in 0..bytes.len() {
            let mut cut = Unpacker::new(&bytes[..length]);
            let all =
                (cut.rows::<1>().and_then(|_| cut.text()), cut.long(), cut.rows::<4>(), cut.rows::<1>());
            assert!(all.0.is_none() || all.1.is_none() || all.2.is_none() || all.3.is_none());
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
