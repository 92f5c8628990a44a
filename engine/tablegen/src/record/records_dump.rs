//! Texts of all records, in parts that can be written in parallel.

use std::ops::Range;

use super::{Field, json::Layout};
use crate::diagnostic::Diagnostic;

/// A text that consists of parts, about one for each record. A part does not depend on those before it.
pub trait RecordsDump: Sync {
    /// Returns the number of parts.
    fn count(&self) -> usize;

    /// Writes one part.
    ///
    /// # Errors
    /// The text of a value is too long.
    fn write_part(&self, part: usize, cache: &mut Cache, out: &mut String) -> Result<(), Box<Diagnostic>>;

    /// Writes these parts, one after the other, until `goes_on` returns false after one of them. Returns the first part
    /// that was not written.
    ///
    /// # Errors
    /// The text of a value is too long.
    fn write(
        &self,
        parts: Range<usize>,
        cache: &mut Cache,
        out: &mut String,
        goes_on: &dyn Fn(&str) -> bool,
    ) -> Result<usize, Box<Diagnostic>> {
        let end = parts.end;
        for part in parts {
            self.write_part(part, cache, out)?;
            if !goes_on(out) {
                return Ok(part + 1);
            }
        }
        Ok(end)
    }
}

/// A thread's cache of the parts of one dump that it wrote. It makes writing others faster, and changes no text.
#[derive(Default)]
pub struct Cache {
    pub(super) lines: Lines,
    pub(super) layout: Layout,
}

/// The number of lines that are kept: a power of two.
const LINES: usize = 1 << 11;
/// The most bytes of a line that is kept.
const LONGEST: usize = 1 << 10;
/// The bytes of lines after which the cache is cleared.
const MOST_TEXT: usize = 1 << 16;

/// The text of fields. Records of one class have most of their lines in common.
#[derive(Default)]
pub(super) struct Lines {
    /// The slots of the cache; a field has one possible slot.
    places: Vec<Line>,
    text: String,
}

/// A field, by everything that its text depends on, and the range of that text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Line {
    key: [u32; 3],
    start: u32,
    end: u32,
}

impl Lines {
    /// Appends the text of a field to `out`: from the cache, or from `write`.
    ///
    /// # Errors
    /// Those of `write`.
    #[inline]
    pub(super) fn write(
        &mut self,
        field: &Field,
        out: &mut String,
        write: impl FnOnce(&mut String) -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        // No key equals that of an empty slot.
        let key = [field.name.0, field.value.0, 1 + field.declared.0];
        let mixed = (key[0].wrapping_mul(0x9e37_79b1) ^ key[1]).wrapping_mul(0x85eb_ca6b);
        let place = (mixed >> 16 ^ mixed) as usize % LINES;
        if let Some(line) = self.places.get(place).filter(|line| line.key == key) {
            out.push_str(&self.text[line.start as usize..line.end as usize]);
            return Ok(());
        }
        let start = out.len();
        write(out)?;
        self.remember(place, key, &out[start..]);
        Ok(())
    }

    fn remember(&mut self, place: usize, key: [u32; 3], line: &str) {
        if line.len() > LONGEST {
            return;
        }
        if self.places.is_empty() || self.text.len() + line.len() > MOST_TEXT {
            self.text.clear();
            self.places.clear();
            self.places.resize(LINES, Line::default());
        }
        let start = self.text.len() as u32;
        self.text.push_str(line);
        self.places[place] = Line { key, start, end: self.text.len() as u32 };
    }
}
