//! A multimap that iterates in the order of libstdc++'s `std::unordered_multimap<std::string, …>`, in which the
//! reference keeps the symbols of a pattern.
//!
//! The nodes form one list. In it the nodes of a bucket are adjacent, and among them the nodes of a key. A node goes
//!
//! * next to its key, if the key exists: after the first one while the map is small, before it otherwise;
//! * else before the first node of its bucket;
//! * else to the front of the list.
//!
//! When the map grows, the nodes are entered anew in list order; one that falls into the bucket of the node before it
//! goes after that one.

use std::borrow::Cow;

/// Up to this size, the library finds an equal key by walking the list.
const SMALL: usize = 20;

/// A multimap with string keys.
#[derive(Clone, Debug)]
pub(super) struct HashOrder<'r, T> {
    nodes: Vec<Node<'r, T>>,
    buckets: u64,
}

#[derive(Clone, Debug)]
struct Node<'r, T> {
    key: Cow<'r, str>,
    hash: u64,
    entry: T,
}

impl<'r, T> HashOrder<'r, T> {
    pub(super) fn new() -> Self {
        HashOrder { nodes: Vec::new(), buckets: 1 }
    }

    /// Adds an entry.
    pub(super) fn insert(&mut self, key: Cow<'r, str>, entry: T) {
        let hash = hash(key.as_bytes());
        let was_small = self.nodes.len() <= SMALL;
        self.grow();
        let place = match self.nodes.iter().position(|node| node.key == key) {
            Some(first) => first + usize::from(was_small),
            None => self.first_of_bucket(hash),
        };
        self.nodes.insert(place, Node { key, hash, entry });
    }

    fn first_of_bucket(&self, hash: u64) -> usize {
        let bucket = hash % self.buckets;
        self.nodes.iter().position(|node| node.hash % self.buckets == bucket).unwrap_or(0)
    }

    /// Grows the table for one more entry, so that there are at least as many buckets as entries.
    fn grow(&mut self) {
        let needed = self.nodes.len() as u64 + 1;
        if needed <= self.buckets && !self.nodes.is_empty() {
            return;
        }
        let wanted = (self.buckets * 2).max(needed + 1).max(12);
        self.buckets = PRIMES.iter().copied().find(|prime| *prime >= wanted).unwrap_or(wanted | 1);
        let mut last: Option<(usize, u64)> = None;
        for node in std::mem::take(&mut self.nodes) {
            let bucket = node.hash % self.buckets;
            let place = match last {
                Some((place, other)) if other == bucket => place + 1,
                _ => self.first_of_bucket(node.hash),
            };
            self.nodes.insert(place, node);
            last = Some((place, bucket));
        }
    }

    /// Returns all entries.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &T)> {
        self.nodes.iter().map(|node| (&*node.key, &node.entry))
    }

    /// Returns the keys of all entries.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Cow<'r, str>> {
        self.nodes.iter().map(|node| &node.key)
    }

    /// Returns whether two entries have the same key.
    pub(super) fn has_equal_keys(&self) -> bool {
        // Equal keys are adjacent.
        self.nodes.windows(2).any(|pair| pair[0].key == pair[1].key)
    }

    /// Returns all entries, mutably.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut T)> {
        self.nodes.iter_mut().map(|node| (&*node.key, &mut node.entry))
    }

    /// Returns the entries of a key, in order.
    pub(super) fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a T> {
        self.nodes.iter().filter(move |node| node.key == key).map(|node| &node.entry)
    }
}

/// The numbers of buckets that the map takes as it doubles.
const PRIMES: &[u64] = &[
    13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172_933, 351_061, 712_697,
    1_447_153,
];

/// Hashes a string as the library does: a 64-bit Murmur hash.
fn hash(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0xc6a4_a793_5bd1_e995;
    const SEED: u64 = 0xc70f_6907;
    let shifted = |value: u64| value ^ (value >> 47);
    let mut hash = SEED ^ (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let mut blocks = bytes.chunks_exact(8);
    for block in &mut blocks {
        let data = little_endian(block).wrapping_mul(MULTIPLIER);
        hash = (hash ^ shifted(data).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER);
    }
    if !blocks.remainder().is_empty() {
        hash = (hash ^ little_endian(blocks.remainder())).wrapping_mul(MULTIPLIER);
    }
    shifted(shifted(hash).wrapping_mul(MULTIPLIER))
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(keys: &str, expected: &str) {
        let mut order = HashOrder::new();
        for (number, key) in keys.split(' ').enumerate() {
            order.insert(key.into(), number);
        }
        let keys: Vec<&str> = order.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.join(" "), expected);
    }

    #[test]
    fn order_of_keys() {
        check("u b c d e x n s", "s x n e d c b u");
        check(
            "alpha theta omicron chi x q10 cond eps mu tau b_2 zz res beta",
            "alpha omicron chi x eps cond q10 zz mu res beta theta tau b_2",
        );
    }

    #[test]
    fn equal_keys_stand_behind_the_first() {
        let mut order = HashOrder::new();
        for number in 0..4 {
            order.insert("x".into(), number);
        }
        assert_eq!(order.of("x").copied().collect::<Vec<_>>(), [0, 3, 2, 1]);
    }
}
