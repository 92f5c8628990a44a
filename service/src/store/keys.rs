//! Content addresses: the digest of a file tree, and the key of a result.

use base64::engine::{Engine, general_purpose::STANDARD_PAD_INDIFFERENT as BASE64};
use odsmith_engine::{bundle::Bundle, limits::Limits, release::Release};
use sha2::{Digest, Sha256};

/// The build's identity: the sha256 of all of its inputs (engine, templates, service, versions of other crates).
pub const BUILD: &str = env!("ODSMITH_BUILD");

/// Increases whenever the bytes of an archive would change for the same files.
pub const ENCODER_EPOCH: u32 = 1;

/// Returns the sha256 of some bytes, in hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Encodes bytes in hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Decodes 64 hex digits to 32 bytes.
#[must_use]
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    is_key(text).then_some(bytes)
}

/// Encodes bytes in base64, as `Repr-Digest` requires.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Decodes base64, with or without padding.
#[must_use]
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

/// Returns the storage key of a tenant's bundle. The bundle's digest comes first, so that the bundle can be checked
/// against the key.
#[must_use]
pub fn of_tenant(tenant: &str, digest: &str) -> String {
    match tenant {
        "" => digest.to_owned(),
        tenant => format!("{digest}.{}", &sha256(tenant.as_bytes())[..32]),
    }
}

/// Returns the digest of a tree: of its canonical listing, sorted `path NUL length NUL sha256(content)`.
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

/// Returns the digest of a bundle's tree.
#[must_use]
pub fn bundle(bundle: &Bundle) -> String {
    tree(bundle.iter().map(|(path, bytes)| (path, &**bytes)))
}

/// Returns the key of a result, from everything that it depends on and nothing else. `library` is the digest of the
/// library files that the request can reach.
#[must_use]
pub fn result(release: Release, library: &str, tree: &str, request: &str) -> String {
    let parts = ["odsmith-result", BUILD, &ENCODER_EPOCH.to_string(), release.name(), library, tree, request];
    sha256(parts.join("\0").as_bytes())
}

/// Returns the key of a result that depends on limits: one that failed, or whose messages were cut off. `key` is its
/// key otherwise.
#[must_use]
pub fn limited(key: &str, limits: &Limits) -> String {
    let limits = serde_json::to_string(limits).unwrap_or_default();
    sha256(["odsmith-limited", key, &limits].join("\0").as_bytes())
}

/// Returns true if a path segment has the form of a key.
#[must_use]
pub fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_names_what_it_makes() {
        let request = "{}";
        let parts = ["odsmith-result", BUILD, "1", "22", "digest", "tree", request];
        assert_eq!(
            result(Release::default(), "digest", "tree", request),
            sha256(parts.join("\0").as_bytes())
        );
    }

    #[test]
    fn limits_name_what_they_decided() {
        let key = sha256(b"x");
        let less = Limits { fuel: 1, ..Limits::default() };
        assert_eq!(limited(&key, &less), limited(&key, &less));
        assert_ne!(limited(&key, &less), limited(&key, &Limits::default()));
        assert!(is_key(&limited(&key, &less)) && is_key(BUILD));
    }

    #[test]
    fn base64_needs_no_padding() {
        assert_eq!(base64(b"fo"), "Zm8=");
        for (text, bytes) in [("Zm8=", Some(&b"fo"[..])), ("Zm8", Some(b"fo")), ("Z m8=", None), ("Z", None)]
        {
            assert_eq!(from_base64(text).as_deref(), bytes, "{text}");
        }
    }

    #[test]
    fn a_tree_has_one_name_in_any_order() {
        let forth = tree([("a", &b"1"[..]), ("b", b"2")].into_iter());
        let back = tree([("b", &b"2"[..]), ("a", b"1")].into_iter());
        assert_eq!(forth, back);
        assert_ne!(forth, tree([("a", &b"1"[..]), ("b", b"3")].into_iter()));
    }
}
