//! SHA-256 digests: `sha256:` and 64 hexadecimal digits.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A digest of some bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    /// Returns the digest of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(sha256(bytes))
    }

    /// Reads `sha256:…`, with lower-case digits.
    ///
    /// # Errors
    /// It is no such digest.
    pub fn parse(text: &str) -> Result<Digest, String> {
        text.strip_prefix("sha256:").and_then(Digest::from_hex).ok_or_else(|| {
            format!("'{}' is no digest: sha256: and 64 hexadecimal digits", text.escape_debug())
        })
    }

    /// Returns the digest with these digits, if there are 64 lower-case ones.
    #[must_use]
    pub fn from_hex(hex: &str) -> Option<Digest> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (hex.len() == 64 && hex.bytes().all(is_digit)).then(|| Digest(hex.to_owned()))
    }

    /// Returns the digits alone.
    #[must_use]
    pub fn hex(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Digest, String> {
        Digest::parse(&text)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

/// Returns the digits of the digest of some bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
