//! The order in which the reference walks its hash maps of strings, which shows in what it generates.
//!
//! Buckets are a power of two, at first 16; a string goes to the bucket that its hash (XXH3, 64 bits, no seed) names or, if
//! that is taken, 1, then 2, then 3 … further on. A map that is more than three quarters full is doubled.

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
    let mut index = xxh3(key.as_bytes()) as usize & mask;
    for step in 1.. {
        if buckets[index].is_none_or(|taken| taken == key) {
            break;
        }
        index = (index + step) & mask;
    }
    index
}

/// As much of the algorithm's constant as texts of up to 240 bytes need.
const SECRET: [u8; 136] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde,
    0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79,
    0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46,
    0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb,
    0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2,
    0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c,
    0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59,
    0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3,
];
const PRIME64_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME64_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const PRIME64_3: u64 = 0x1656_67B1_9E37_79F9;
const PRIME_MX1: u64 = 0x1656_6791_9E37_79F9;
const PRIME_MX2: u64 = 0x9FB2_1C65_1E98_DF25;

/// XXH3 with 64 bits of up to 240 bytes; of longer texts the first 240 count.
fn xxh3(bytes: &[u8]) -> u64 {
    let bytes = &bytes[..bytes.len().min(240)];
    let len = bytes.len();
    let read = |at: usize| word(bytes, at);
    let secret = |at: usize| word(&SECRET, at);
    let mix = |at: usize, secret_at: usize| {
        fold(read(at) ^ secret(secret_at), read(at + 8) ^ secret(secret_at + 8))
    };
    let start = (len as u64).wrapping_mul(PRIME64_1);
    match len {
        0 => avalanche64(secret(56) ^ secret(64)),
        1..=3 => {
            let [first, middle, last] = [bytes[0], bytes[len / 2], bytes[len - 1]].map(u64::from);
            let combined = first << 16 | middle << 24 | last | (len as u64) << 8;
            avalanche64(combined ^ u64::from(half(&SECRET, 0) ^ half(&SECRET, 4)))
        }
        4..=8 => {
            let (first, last) = (u64::from(half(bytes, 0)), u64::from(half(bytes, len - 4)));
            let keyed = last.wrapping_add(first << 32) ^ secret(8) ^ secret(16);
            let mixed = (keyed ^ keyed.rotate_left(49) ^ keyed.rotate_left(24)).wrapping_mul(PRIME_MX2);
            let mixed = (mixed ^ (mixed >> 35).wrapping_add(len as u64)).wrapping_mul(PRIME_MX2);
            mixed ^ mixed >> 28
        }
        9..=16 => {
            let low = read(0) ^ secret(24) ^ secret(32);
            let high = read(len - 8) ^ secret(40) ^ secret(48);
            let sum = (len as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
            avalanche(sum.wrapping_add(fold(low, high)))
        }
        17..=128 => {
            let sum = (0..=(len - 1) / 32).fold(start, |sum, i| {
                sum.wrapping_add(mix(16 * i, 32 * i)).wrapping_add(mix(len - 16 * (i + 1), 32 * i + 16))
            });
            avalanche(sum)
        }
        _ => {
            let sum = (0..8).fold(start, |sum, i| sum.wrapping_add(mix(16 * i, 16 * i)));
            let rest = (8..len / 16).map(|i| mix(16 * i, 16 * (i - 8) + 3));
            let sum = rest.fold(avalanche(sum), u64::wrapping_add);
            avalanche(sum.wrapping_add(mix(len - 16, 136 - 17)))
        }
    }
}

fn half(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from(half(bytes, at)) | u64::from(half(bytes, at + 4)) << 32
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn avalanche(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 37).wrapping_mul(PRIME_MX1);
    hash ^ hash >> 32
}

fn avalanche64(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(PRIME64_2);
    let hash = (hash ^ hash >> 29).wrapping_mul(PRIME64_3);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        assert_eq!(xxh3(b""), 0x2D06_8005_38D3_94C2);
    }

    #[test]
    fn orders() {
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "a"];
        assert_eq!(in_map_order(letters), ["b", "h", "g", "e", "d", "c", "f", "a"]);
        let names = ["MinVersion", "MaxVersion", "Extension", "Capability"];
        assert_eq!(in_map_order(names), ["Capability", "Extension", "MinVersion", "MaxVersion"]);
    }
}
