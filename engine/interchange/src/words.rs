//! An index of the words in rows: which rows a question can be about at all. It is built once, and a question then looks at few
//! rows in place of all.
//!
//! ```text
//! arith.addi   "adds two numbers"     →   adds addi arith numbers two     (each with the rows that have it)
//! question  dd  number                →   addi, adds: row 0;  numbers: row 0
//! ```
//!
//! Words of a question match parts of texts. A part that has letters only is inside of one word of the text, so that the
//! letters between other signs are looked up among all words, which are few.

use memchr::memmem;

use super::query::Texts;

/// The words of some rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordIndex {
    /// All words in order, each after a NUL.
    words: String,
    /// The place of each word in `words`.
    starts: Vec<u32>,
    /// The rows of each word, by the number of the word before: `rows[ends[n - 1]..ends[n]]`.
    ends: Vec<u32>,
    rows: Vec<u32>,
    /// The number of rows.
    count: usize,
}

/// Splits a text into runs of letters and digits.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

impl WordIndex {
    /// Builds the index of rows, whose numbers are those of their texts.
    #[must_use]
    pub fn new(texts: &[Texts]) -> WordIndex {
        let mut all: Vec<(&str, u32)> = Vec::new();
        for (row, texts) in (0..).zip(texts) {
            all.extend(texts.all().flat_map(words_of).map(|word| (word, row)));
        }
        all.sort_unstable();
        all.dedup();
        let mut index = WordIndex { count: texts.len(), ..WordIndex::default() };
        let mut last = None;
        for (word, row) in all {
            if last != Some(word) {
                index.words.push('\0');
                index.starts.push(u32::try_from(index.words.len()).unwrap_or(u32::MAX));
                index.words.push_str(word);
                index.ends.push(0);
                last = Some(word);
            }
            index.rows.push(row);
            if let Some(end) = index.ends.last_mut() {
                *end = u32::try_from(index.rows.len()).unwrap_or(u32::MAX);
            }
        }
        index
    }

    /// Returns the rows that can have all of these parts of texts, in order; nothing if the parts say nothing, so that it can be
    /// any row.
    #[must_use]
    pub fn rows_with<'p>(&self, parts: impl Iterator<Item = &'p str>) -> Option<Vec<usize>> {
        let mut pieces: Vec<&str> = parts.flat_map(words_of).collect();
        // Long ones have the fewest rows.
        pieces.sort_unstable_by_key(|piece| std::cmp::Reverse(piece.len()));
        pieces.dedup();
        let mut found: Option<Vec<bool>> = None;
        for piece in pieces {
            let own = self.rows_of(piece);
            found = Some(match found {
                Some(before) => before.iter().zip(&own).map(|(a, b)| *a && *b).collect(),
                None => own,
            });
            if found.as_ref().is_some_and(|found| !found.contains(&true)) {
                break;
            }
        }
        let all = found?.into_iter().enumerate();
        Some(all.filter(|(_, is_it)| *is_it).map(|(row, _)| row).collect())
    }

    /// Returns for each row whether a word of it has a piece.
    fn rows_of(&self, piece: &str) -> Vec<bool> {
        let mut found = vec![false; self.count];
        let finder = memmem::Finder::new(piece.as_bytes());
        let bytes = self.words.as_bytes();
        let mut from = 0;
        while let Some(at) = finder.find(&bytes[from..]) {
            let place = from + at;
            let word = self.starts.partition_point(|start| *start as usize <= place).saturating_sub(1);
            let start = if word == 0 { 0 } else { self.ends[word - 1] as usize };
            for row in &self.rows[start..self.ends[word] as usize] {
                found[*row as usize] = true;
            }
            // The rest of the word has the same rows.
            let Some(next) = self.starts.get(word + 1) else { break };
            from = *next as usize;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Row;

    #[test]
    fn parts_of_words_find_rows() {
        let row = |id: &str, name: &str, summary: &str| {
            Texts::new(&Row { id: id.into(), name: name.into(), summary: summary.into(), ..Row::default() })
        };
        let texts =
            [row("arith/op/addi", "arith.addi", "Adds two numbers"), row("a/op/odd", "a.odd", "an ODD one")];
        let index = WordIndex::new(&texts);
        let of = |parts: &[&str]| index.rows_with(parts.iter().copied());
        assert_eq!(of(&["dd"]), Some(vec![0, 1]));
        assert_eq!(of(&["arith.a", "number"]), Some(vec![0]));
        assert_eq!(of(&["op/odd"]), Some(vec![1]));
        assert_eq!(of(&["two", "odd"]), Some(Vec::new()));
        assert_eq!(of(&["."]), None);
        assert_eq!(WordIndex::new(&[]).rows_with(["a"].into_iter()), Some(Vec::new()));
    }
}
