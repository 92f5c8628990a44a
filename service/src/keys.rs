//! Content addresses: what a tree of files is called, and what a result is called.

use odsmith_engine::{bundle::Bundle, library::Library};
use sha2::{Digest, Sha256};

use crate::manifest::Manifest;

/// Changes whenever the bytes of an archive would change for the same files.
pub const ENCODER_EPOCH: u32 = 1;

/// The sha256 of some bytes, in hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The 32 bytes that 64 hex digits represent.
#[must_use]
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    is_key(text).then_some(bytes)
}

/// Bytes in base64, as `Repr-Digest` wants them.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0_u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * place)) as usize & 63];
            text.push(if place > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// The digest of a tree: of its canonical listing, sorted `path NUL length NUL sha256(content)`.
pub fn tree<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut files: Vec<_> = files.collect();
    files.sort_unstable_by_key(|&(path, _)| path);
    let mut listing = Sha256::new();
    for (path, bytes) in files {
        listing.update(path.as_bytes());
        listing.update(b"\0");
        listing.update(bytes.len().to_string().as_bytes());
        listing.update(b"\0");
        listing.update(Sha256::digest(bytes));
    }
    hex(&listing.finalize())
}

/// The digest of a bundle's tree.
#[must_use]
pub fn bundle(bundle: &Bundle) -> String {
    tree(bundle.iter().map(|(path, bytes)| (path, &**bytes)))
}

/// What a result is called: everything that it depends on, and nothing else.
#[must_use]
pub fn result(library: &Library, tree: &str, request: &Manifest) -> String {
    // A manifest has no map in it, so its JSON has one form.
    let request = serde_json::to_string(request).unwrap_or_default();
    let parts = [
        "odsmith-result",
        env!("CARGO_PKG_VERSION"),
        &ENCODER_EPOCH.to_string(),
        library.release().name(),
        library.digest(),
        tree,
        &request,
    ];
    sha256(parts.join("\0").as_bytes())
}

/// Whether a path segment has the form of a key.
#[must_use]
pub fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_rest() {
        assert_eq!(["", "f", "fo", "foo"].map(|text| base64(text.as_bytes())), ["", "Zg==", "Zm8=", "Zm9v"]);
    }

    #[test]
    fn a_tree_has_one_name_in_any_order() {
        let forth = tree([("a", &b"1"[..]), ("b", b"2")].into_iter());
        let back = tree([("b", &b"2"[..]), ("a", b"1")].into_iter());
        assert_eq!(forth, back);
        assert_ne!(forth, tree([("a", &b"1"[..]), ("b", b"3")].into_iter()));
    }
}
