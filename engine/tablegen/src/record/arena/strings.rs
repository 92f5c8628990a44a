//! Strings: equal ones have one id, and those that are built up piece by piece share their text.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::{Arena, fold_hash};
use crate::record::init::StrId;

impl Arena {
    /// Interns a string.
    pub fn string(&mut self, text: &str) -> StrId {
        let hash = hash_bytes(text.as_bytes());
        match self.find_hashed(hash, text.as_bytes()) {
            Some(known) => known,
            None => self.add_string(hash, text),
        }
    }

    /// Interns text that is known to be UTF-8.
    pub fn utf8(&mut self, text: &[u8]) -> StrId {
        let hash = hash_bytes(text);
        match self.find_hashed(hash, text) {
            Some(known) => known,
            None => self.add_string(hash, std::str::from_utf8(text).unwrap_or_default()),
        }
    }

    fn find_hashed(&self, hash: u32, text: &[u8]) -> Option<StrId> {
        let is = |index: u32| self.text.bytes(self.strings[index]) == text;
        self.string_table.find(hash, is).map(StrId)
    }

    fn add_string(&mut self, hash: u32, text: &str) -> StrId {
        let place = self.text.push(text);
        self.add_place(hash, place)
    }

    fn add_place(&mut self, hash: u32, place: (u32, u32)) -> StrId {
        let index = self.strings.push(place);
        self.string_table.insert(hash, index);
        StrId(index)
    }

    /// Interns `a` followed by the other strings as one string.
    pub fn join(&mut self, a: StrId, others: &[StrId]) -> StrId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        others.iter().for_each(|&other| scratch.push_str(self.str(other)));
        let (start, len) = self.strings[a.0];
        let joined = match self.text.extend(start, len, &scratch) {
            Some(added) => {
                let place = (start, len + scratch.len() as u32);
                let hash = self.hash_in_place(place);
                match self.find_hashed(hash, self.text.bytes(place)) {
                    Some(known) => {
                        if added > 0 {
                            self.text.retract(added);
                            self.hashed = None;
                        }
                        known
                    }
                    None => self.add_place(hash, place),
                }
            }
            None => {
                scratch.insert_str(0, self.str(a));
                self.string(&scratch)
            }
        };
        self.scratch = scratch;
        joined
    }

    /// Returns the hash of the string at this place. A long one that continues where the last long one ended costs no
    /// more than the added bytes.
    fn hash_in_place(&mut self, place: (u32, u32)) -> u32 {
        let bytes = self.text.bytes(place);
        if bytes.len() < BLOCK {
            return hash_bytes(bytes);
        }
        let known = match self.hashed {
            Some((start, known)) if start == place.0 && known.blocks * BLOCK <= bytes.len() => known,
            _ => Blocks::default(),
        };
        let (blocks, hash) = known.hash(bytes);
        self.hashed = Some((place.0, blocks));
        hash
    }

    /// Returns the id of a string, if it was interned before.
    #[must_use]
    pub fn find_string(&self, text: &str) -> Option<StrId> {
        self.find_hashed(hash_bytes(text.as_bytes()), text.as_bytes())
    }

    /// Returns the text of a string.
    #[must_use]
    #[inline]
    pub fn str(&self, id: StrId) -> &str {
        self.text.get(self.strings[id.0])
    }
}

/// Bytes of a long string that are hashed together.
const BLOCK: usize = 256;

/// The hash of the whole blocks that a long string begins with.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::record) struct Blocks {
    blocks: usize,
    hash: u64,
}

impl Blocks {
    /// Hashes to the end: returns all whole blocks, and the hash of the string.
    fn hash(self, bytes: &[u8]) -> (Blocks, u32) {
        let mut blocks = bytes[self.blocks * BLOCK..].chunks_exact(BLOCK);
        let whole = blocks.by_ref().fold(self, |before, block| Blocks {
            blocks: before.blocks + 1,
            hash: hash_behind(before.hash, block).finish(),
        });
        (whole, fold_hash(&hash_behind(whole.hash, blocks.remainder())))
    }
}

fn hash_behind(before: u64, bytes: &[u8]) -> FxHasher {
    let mut hasher = FxHasher::default();
    hasher.write_u64(before);
    hasher.write(bytes);
    hasher
}

fn hash_bytes(bytes: &[u8]) -> u32 {
    if bytes.len() >= BLOCK {
        return Blocks::default().hash(bytes).1;
    }
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    fold_hash(&hasher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_strings_are_those_that_were_written_at_once() {
        let mut arena = Arena::new(&[]);
        let parts: Vec<String> = "abcd".chars().map(|c| c.to_string().repeat(300)).collect();
        let [a, b, c, d] = [0, 1, 2, 3].map(|part| parts[part].as_str());
        let known = arena.string(&[a, c].concat());
        let ids = [a, b, c, d].map(|part| arena.string(part));
        let at_the_end = arena.string(&"e".repeat(300));
        let pairs = [ids[1], ids[2], ids[3], at_the_end];
        for first in [ids[0], at_the_end] {
            for second in pairs {
                let both = [arena.str(first), arena.str(second)].concat();
                let joined = arena.join(first, &[second]);
                assert_eq!(arena.str(joined), both);
                assert_eq!(arena.string(&both), joined);
            }
        }
        assert_eq!(arena.join(ids[0], &[ids[2]]), known);
    }

    #[test]
    fn a_string_that_is_taken_back_leaves_no_hash() {
        let mut arena = Arena::new(&[]);
        let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(300));
        let (b_id, c_id) = (arena.string(&b), arena.string(&c));
        let known = arena.string(&[&*a, &*b].concat());
        let a_id = arena.string(&a);
        assert_eq!(arena.join(a_id, &[b_id]), known);
        let joined = arena.join(a_id, &[c_id]);
        assert_eq!(arena.string(&[&*a, &*c].concat()), joined);
    }
}
