//! The seal of an entry, which proves that its bytes were stored under its name.
//!
//! ```text
//! entry:   tag length packed
//! tag:     sha256 of { name NUL length packed }, or HMAC-SHA256 of that by the servers' key
//! length:  64 bits, little endian: the unpacked length
//! packed:  zstd
//! ```
//!
//! A digest shows damage. Only a key shows that the entry was written by one of the operator's servers, wherever the
//! bytes have been since; so stores that others can write to are sealed by a key.

use std::{fmt, fs, path::Path};

use ring::hmac;
use sha2::{Digest, Sha256};

use crate::store::{archive::codec, disk};

/// Bytes of a tag.
const TAG: usize = 32;
/// Bytes before the packed content.
const HEAD: usize = TAG + 8;
/// Minimum bytes of a key.
const LEAST_KEY: usize = 32;

/// Seals entries, and opens sealed ones.
pub struct Seal {
    key: Option<hmac::Key>,
    most_bytes: u64,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.key.is_some() { "Seal(keyed)" } else { "Seal(plain)" })
    }
}

impl Seal {
    /// Creates a seal that shows damage; larger entries are neither sealed nor opened.
    #[must_use]
    pub fn plain(most_bytes: u64) -> Seal {
        Seal { key: None, most_bytes }
    }

    /// Creates a seal that shows forgery too.
    #[must_use]
    pub fn keyed(key: &[u8], most_bytes: u64) -> Seal {
        Seal { key: Some(hmac::Key::new(hmac::HMAC_SHA256, key)), most_bytes }
    }

    /// Creates the seal with the key in a file.
    ///
    /// # Errors
    /// The file cannot be read, or is too short to be a key.
    pub fn read(path: &Path, most_bytes: u64) -> Result<Seal, String> {
        let wrong = |why: &str| format!("shared_key_file: {}: {why}", path.display());
        let key = fs::read(path).map_err(|error| wrong(&disk::reason(&error)))?;
        // The line break that an editor or `echo` appends is not part of it.
        let key = key.trim_ascii_end();
        if key.len() < LEAST_KEY {
            return Err(wrong("a key has at least 32 bytes; `openssl rand -hex 32` makes one"));
        }
        Ok(Seal::keyed(key, most_bytes))
    }

    /// Seals bytes as the entry of a name; `None` if they are too many.
    #[must_use]
    pub fn seal(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let length = (bytes.len() as u64 <= self.most_bytes).then_some(bytes.len() as u64)?.to_le_bytes();
        let packed = codec::zstd(bytes);
        let tag = self.tag(name, &length, &packed);
        Some([&tag[..], &length, &packed].concat())
    }

    /// Opens the entry of a name; `None` if its bytes were not sealed under that name.
    #[must_use]
    pub fn open(&self, name: &str, entry: &[u8]) -> Option<Vec<u8>> {
        let (head, packed) = entry.split_at_checked(HEAD)?;
        let (tag, length) = head.split_at(TAG);
        match &self.key {
            // In constant time.
            Some(key) => hmac::verify(key, &digest(name, length, packed), tag).ok()?,
            None if digest(name, length, packed)[..] == *tag => {}
            None => return None,
        }
        let length = u64::from_le_bytes(length.try_into().ok()?);
        if length > self.most_bytes {
            return None;
        }
        codec::unzstd_exactly(packed, usize::try_from(length).ok()?)
    }

    fn tag(&self, name: &str, length: &[u8], packed: &[u8]) -> [u8; TAG] {
        let digest = digest(name, length, packed);
        let Some(key) = &self.key else { return digest };
        let mut tag = [0; TAG];
        tag.copy_from_slice(hmac::sign(key, &digest).as_ref());
        tag
    }
}

fn digest(name: &str, length: &[u8], packed: &[u8]) -> [u8; TAG] {
    let head = Sha256::new().chain_update(name).chain_update(b"\0").chain_update(length);
    head.chain_update(packed).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 1 << 20;

    #[test]
    fn what_was_sealed_opens_under_its_name_alone() {
        for seal in [Seal::plain(MOST), Seal::keyed(&[7; 32], MOST)] {
            let entry = seal.seal("a", b"some bytes").unwrap();
            assert_eq!(seal.open("a", &entry).unwrap(), b"some bytes");
            assert!(seal.open("b", &entry).is_none());
            for at in 0..entry.len() {
                let mut damaged = entry.clone();
                damaged[at] ^= 1;
                assert!(seal.open("a", &damaged).is_none(), "at {at}");
                assert!(seal.open("a", &entry[..at]).is_none(), "cut at {at}");
            }
        }
    }

    #[test]
    fn another_key_opens_nothing() {
        let keyed = Seal::keyed(&[7; 32], MOST);
        let entry = keyed.seal("a", b"x").unwrap();
        assert!(Seal::keyed(&[8; 32], MOST).open("a", &entry).is_none());
        assert!(Seal::plain(MOST).open("a", &entry).is_none());
        let forged = Seal::plain(MOST).seal("a", b"x").unwrap();
        assert!(keyed.open("a", &forged).is_none());
    }

    /// A gigabyte of zeros packs to some kilobytes, and is not unpacked.
    #[test]
    fn no_more_is_unpacked_than_a_result_has() {
        let zeros = vec![0; 64 << 20];
        let entry = Seal::plain(u64::MAX).seal("a", &zeros).unwrap();
        assert!(entry.len() < 64 << 10, "{} bytes", entry.len());
        assert!(Seal::plain(u64::MAX).open("a", &entry).is_some());
        assert!(Seal::plain(MOST).open("a", &entry).is_none());
        assert!(Seal::plain(MOST).seal("a", &zeros).is_none());
        // An entry that pretends to be small.
        let packed = &entry[HEAD..];
        for length in [10_u64, MOST] {
            let length = length.to_le_bytes();
            let tag = Seal::plain(MOST).tag("a", &length, packed);
            assert!(Seal::plain(MOST).open("a", &[&tag[..], &length, packed].concat()).is_none());
        }
    }

    #[test]
    fn keys_come_from_files() {
        let path = std::env::temp_dir().join(format!("odsmith-key-{}", std::process::id()));
        fs::write(&path, "short\n").unwrap();
        assert!(Seal::read(&path, MOST).unwrap_err().contains("at least 32 bytes"));
        fs::write(&path, format!("{}\n", "k".repeat(32))).unwrap();
        let entry = Seal::read(&path, MOST).unwrap().seal("a", b"x").unwrap();
        assert!(Seal::keyed(&[b'k'; 32], MOST).open("a", &entry).is_some());
        fs::remove_file(&path).unwrap();
        assert!(Seal::read(&path, MOST).unwrap_err().contains("shared_key_file"));
    }
}
