//! The iteration order of the reference's hash maps of strings, which is visible in its output.
//!
//! The number of buckets is a power of two, initially 16. A string goes to the bucket of its hash (XXH3, 64 bits, no
//! seed, or an older one) or, if that is taken, 1, then 2, then 3 … further on. A map that is more than three quarters
//! full is doubled.

use odsmith_release::{Change, Rules};
use xxhash_rust::xxh3::xxh3_64;

type Hash = fn(&[u8]) -> u64;

/// Returns strings, each once, in the order of a map into which they are inserted one after the other.
pub(super) fn in_map_order<'a>(rules: &Rules, keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let hash: Hash = if rules.has(Change::StrongHashes) { xxh3_64 } else { bernstein };
    let mut buckets: Vec<Option<&str>> = vec![None; 16];
    let mut len = 0;
    for key in keys {
        let index = find(&buckets, key, hash);
        if buckets[index].is_some() {
            continue;
        }
        buckets[index] = Some(key);
        len += 1;
        if len * 4 > buckets.len() * 3 {
            let mut grown = vec![None; buckets.len() * 2];
            for key in buckets.into_iter().flatten() {
                let index = find(&grown, key, hash);
                grown[index] = Some(key);
            }
            buckets = grown;
        }
    }
    buckets.into_iter().flatten().collect()
}

/// Returns the bucket that holds a key, or the one that it would go to.
fn find(buckets: &[Option<&str>], key: &str, hash: Hash) -> usize {
    let mask = buckets.len() - 1;
    let mut index = hash(key.as_bytes()) as usize & mask;
    for step in 1.. {
        if buckets[index].is_none_or(|taken| taken == key) {
            break;
        }
        index = (index + step) & mask;
    }
    index
}

/// Computes Bernstein's hash, 32 bits, from zero.
fn bernstein(bytes: &[u8]) -> u64 {
    let next = |hash: u32, byte: &u8| hash.wrapping_mul(33).wrapping_add(u32::from(*byte));
    u64::from(bytes.iter().fold(0, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "a"];
        let rules = Rules::default();
        assert_eq!(in_map_order(&rules, letters), ["b", "h", "g", "e", "d", "c", "f", "a"]);
        let names = ["MinVersion", "MaxVersion", "Extension", "Capability"];
        assert_eq!(in_map_order(&rules, names), ["Capability", "Extension", "MinVersion", "MaxVersion"]);
        let rules = rules.flipped(Change::StrongHashes);
        assert_eq!(in_map_order(&rules, names), ["Capability", "MinVersion", "MaxVersion", "Extension"]);
    }
}
