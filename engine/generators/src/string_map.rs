//! The order in which the reference walks its hash maps of strings, which shows in what it generates.
//!
//! Buckets are a power of two, at first 16; a string goes to the bucket that its hash (XXH3, 64 bits, no seed) names or, if
//! that is taken, 1, then 2, then 3 … further on. A map that is more than three quarters full is doubled.

use xxhash_rust::xxh3::xxh3_64;

/// Strings, each once, in the order of the map that they are put into one after the other.
pub(super) fn in_map_order<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut buckets: Vec<Option<&str>> = vec![None; 16];
    let mut len = 0;
    for key in keys {
        let index = find(&buckets, key);
        if buckets[index].is_some() {
            continue;
        }
        buckets[index] = Some(key);
        len += 1;
        if len * 4 > buckets.len() * 3 {
            let mut grown = vec![None; buckets.len() * 2];
            for key in buckets.into_iter().flatten() {
                let index = find(&grown, key);
                grown[index] = Some(key);
            }
            buckets = grown;
        }
    }
    buckets.into_iter().flatten().collect()
}

/// The bucket that holds a key, or the one that it would go to.
fn find(buckets: &[Option<&str>], key: &str) -> usize {
    let mask = buckets.len() - 1;
    let mut index = xxh3_64(key.as_bytes()) as usize & mask;
    for step in 1.. {
        if buckets[index].is_none_or(|taken| taken == key) {
            break;
        }
        index = (index + step) & mask;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "a"];
        assert_eq!(in_map_order(letters), ["b", "h", "g", "e", "d", "c", "f", "a"]);
        let names = ["MinVersion", "MaxVersion", "Extension", "Capability"];
        assert_eq!(in_map_order(names), ["Capability", "Extension", "MinVersion", "MaxVersion"]);
    }
}
