//! Finished results, prepared for being served.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

use actix_web::{http::header::HeaderValue, web::Bytes};
use odsmith_engine::report::Report;
use sha2::{Digest, Sha256};

use crate::store::keys;

/// Bytes that are hashed before the next look at whether to stop.
const PIECE: usize = 1 << 20;

/// Bytes with the headers that name them.
#[derive(Clone, Debug)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Their strong entity tag.
    pub etag: HeaderValue,
    /// Their digest as `Repr-Digest` has it.
    pub digest: HeaderValue,
}

impl Blob {
    /// Names some bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let digest = Sha256::digest(&bytes);
        Blob::named(bytes, &digest)
    }

    /// The same, unless it is given up meanwhile.
    pub fn unless(is_given_up: impl Fn() -> bool, bytes: Bytes) -> Option<Self> {
        let mut digest = Sha256::new();
        for piece in bytes.chunks(PIECE) {
            if is_given_up() {
                return None;
            }
            digest.update(piece);
        }
        Some(Blob::named(bytes, &digest.finalize()))
    }

    fn named(bytes: Bytes, digest: &[u8]) -> Self {
        let value = |text: String| HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
        let etag = value(format!("\"sha256-{}\"", keys::hex(digest)));
        // The digest is read from it again by `sha256`.
        Blob { etag, digest: value(format!("sha-256=:{}:", keys::base64(digest))), bytes }
    }
}

impl Blob {
    /// The digest of the bytes, in hex.
    #[must_use]
    pub fn sha256(&self) -> &str {
        let etag = self.etag.to_str().unwrap_or_default();
        etag.strip_prefix("\"sha256-").and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
    }
}

/// A result as it is kept, good or failed.
#[derive(Debug)]
pub struct Stored {
    /// Its name.
    pub key: String,
    /// Whether everything could be made.
    pub is_ok: bool,
    /// Whether a limit was the reason that something could not.
    pub hit_limit: bool,
    /// How many outputs could be made, and how many were asked for.
    pub made: (usize, usize),
    /// All messages.
    pub diagnostics: Vec<Report>,
    /// Whether there were more.
    pub truncated: bool,
    /// Every file of its archive by path.
    pub files: BTreeMap<String, Blob>,
    /// Whether it was asked for since this was last looked at.
    pub used: AtomicBool,
}

impl Stored {
    /// The object that describes it.
    #[must_use]
    pub fn object(&self) -> Option<&Blob> {
        self.files.get("result.json")
    }

    /// Notes that it was asked for.
    pub fn mark_used(&self) {
        // Mostly it is noted already, and memory that is only read is shared by all threads at no cost.
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
    }

    /// Bytes in memory, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        let files: usize = self.files.iter().map(|(path, blob)| path.len() + blob.bytes.len() + 200).sum();
        files + self.diagnostics.iter().map(Report::heap_bytes).sum::<usize>()
    }
}
