//! The text of all strings.

use std::sync::Arc;

use crate::packing::{Packer, Unpacker};

/// Bytes of a chunk of text, as a power of two.
const TEXT_BITS: u32 = 17;

const TEXT_CHUNK: usize = 1 << TEXT_BITS;

/// The maximum size of all strings together, so that an offset fits a word. Chunks that are not full count as if they
/// were.
pub const MAX_TEXT_BYTES: u64 = 1 << u32::BITS;

/// The text of all strings, in chunks that never move; the first ones may be shared.
#[derive(Debug, Default)]
pub(in crate::record) struct Text {
    full: Vec<Arc<String>>,
    open: String,
    pub(super) own_bytes: usize,
    /// True if a text did not fit.
    pub(super) is_full: bool,
}

impl Text {
    /// Creates an empty text with memory for a chunk.
    pub(super) fn with_chunk() -> Self {
        Text { open: String::with_capacity(TEXT_CHUNK), ..Text::default() }
    }

    pub(super) fn above(base: &Arc<Vec<Arc<String>>>) -> Self {
        Text { full: Vec::clone(base), ..Text::default() }
    }

    #[inline]
    pub(super) fn get(&self, (start, len): (u32, u32)) -> &str {
        let at = start as usize % TEXT_CHUNK;
        &self.chunk(start)[at..at + len as usize]
    }

    pub(super) fn bytes(&self, (start, len): (u32, u32)) -> &[u8] {
        let at = start as usize % TEXT_CHUNK;
        &self.chunk(start).as_bytes()[at..at + len as usize]
    }

    #[inline]
    fn chunk(&self, start: u32) -> &str {
        match self.full.get((start >> TEXT_BITS) as usize) {
            Some(chunk) => chunk,
            None => &self.open,
        }
    }

    /// Adds a text and returns its place, or that of the empty string if it does not fit.
    pub(super) fn push(&mut self, text: &str) -> (u32, u32) {
        if self.open.len() + text.len() > TEXT_CHUNK {
            self.close();
            self.open.reserve_exact(text.len().max(TEXT_CHUNK));
        }
        let start = (self.full.len() << TEXT_BITS) + self.open.len();
        let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(text.len())) else {
            self.is_full = true;
            return (0, 0);
        };
        self.open.push_str(text);
        self.own_bytes += text.len();
        // A full chunk has no place for the empty string either.
        if self.open.len() >= TEXT_CHUNK {
            self.close();
        }
        (start, len)
    }

    /// Extends the string at `start` by `suffix` in place, if the bytes after it allow that, and returns how many bytes
    /// were added for it.
    ///
    /// Strings that are built up piece by piece share their beginning this way.
    pub(super) fn extend(&mut self, start: u32, len: u32, suffix: &str) -> Option<usize> {
        let number = (start >> TEXT_BITS) as usize;
        let end = start as usize % TEXT_CHUNK + len as usize;
        if let Some(chunk) = self.full.get(number) {
            return chunk[end..].starts_with(suffix).then_some(0);
        }
        let following = &self.open[end..];
        if following.starts_with(suffix) {
            return Some(0);
        }
        let missing = suffix.strip_prefix(following)?;
        if self.open.len() + missing.len() > TEXT_CHUNK {
            return None;
        }
        self.own_bytes += missing.len();
        self.open.push_str(missing);
        Some(missing.len())
    }

    /// Removes the bytes that `extend` added.
    pub(super) fn retract(&mut self, added: usize) {
        self.own_bytes -= added;
        self.open.truncate(self.open.len() - added);
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.full.push(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    pub(in crate::record) fn pack(&self, packer: &mut Packer) {
        packer.word(self.full.len() as u32);
        self.full.iter().for_each(|chunk| packer.text(chunk.as_bytes()));
        packer.text(self.open.as_bytes());
        packer.long(self.own_bytes as u64);
    }

    pub(in crate::record) fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Self> {
        let mut full = Vec::new();
        for _ in 0..unpacker.word()? {
            full.push(Arc::new(unpacker.text()?.to_owned()));
        }
        let mut open = String::with_capacity(TEXT_CHUNK);
        open.push_str(unpacker.text()?);
        let own_bytes = usize::try_from(unpacker.long()?).ok()?;
        Some(Text { full, open, own_bytes, is_full: false })
    }

    pub(super) fn freeze(mut self) -> Arc<Vec<Arc<String>>> {
        // A base is kept for long, and its text no longer grows.
        self.open.shrink_to_fit();
        self.close();
        Arc::new(self.full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end() {
        let mut text =
            Text { full: vec![Arc::default(); (1 << (u32::BITS - TEXT_BITS)) - 1], ..Text::default() };
        let place = text.push("last");
        assert_eq!((text.get(place), text.is_full), ("last", false));
        let full = "x".repeat(TEXT_CHUNK);
        assert_eq!((text.push(&full), text.is_full), ((0, 0), true));
    }
}
