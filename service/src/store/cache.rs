//! Finished results, prepared for serving.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use bytes::Bytes;
use http::header::HeaderValue;
use odsmith_engine::report::Finding;
use sha2::{Digest, Sha256};

use crate::store::keys;

/// Bytes to hash between two checks for cancellation.
const PIECE: usize = 1 << 20;

/// Bytes with the headers that name them.
#[derive(Clone, Debug)]
pub struct Blob {
    /// The bytes.
    pub bytes: Bytes,
    /// Their strong entity tag.
    pub etag: HeaderValue,
    /// Their digest, as a value of `Repr-Digest`.
    pub digest: HeaderValue,
}

impl Blob {
    /// Computes the headers of some bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let digest = Sha256::digest(&bytes);
        Blob::named(bytes, &digest)
    }

    /// Does the same, but returns `None` once `is_given_up` is true.
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
        // `sha256` reads the digest from this value.
        Blob { etag, digest: value(format!("sha-256=:{}:", keys::base64(digest))), bytes }
    }
}

impl Blob {
    /// Returns the digest of the bytes, in hex.
    #[must_use]
    pub fn sha256(&self) -> &str {
        let etag = self.etag.to_str().unwrap_or_default();
        etag.strip_prefix("\"sha256-").and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
    }
}

/// A stored result, successful or failed.
#[derive(Debug)]
pub struct ResultEntry {
    /// Its name.
    pub key: String,
    /// True if every output was generated.
    pub is_ok: bool,
    /// True if an output failed because of a limit.
    pub hit_limit: bool,
    /// Number of outputs that were generated, and of those that were requested.
    pub made: (usize, usize),
    /// All messages.
    pub diagnostics: Vec<Finding>,
    /// True if there were more.
    pub truncated: bool,
    /// Every file of its archive by path.
    pub files: BTreeMap<String, Blob>,
    /// The facts about it that change, which are stored nowhere.
    pub marks: Marks,
}

/// The facts about an entry in memory that change.
#[derive(Debug, Default)]
pub struct Marks {
    /// True if it was used since the last check.
    pub used: AtomicBool,
    /// The last confirmation that other servers have it.
    pub shared: Confirmation,
    /// True while it is sent to them.
    pub is_on_its_way: AtomicBool,
}

/// The last confirmation that an entry is in the tier that servers share.
#[derive(Debug, Default)]
pub struct Confirmation {
    /// The epoch of the tier, and one more; 0 if there was no confirmation.
    epoch: AtomicU64,
    /// Seconds after an arbitrary start.
    time: AtomicU64,
}

impl Confirmation {
    /// Notes that the tier has the entry, in this epoch of the tier.
    pub fn note(&self, epoch: u64) {
        self.time.store(seconds(), Ordering::Relaxed);
        self.epoch.store(epoch.saturating_add(1), Ordering::Relaxed);
    }

    /// Returns true if the entry was confirmed in this epoch, in the last `most` seconds.
    #[must_use]
    pub fn holds(&self, epoch: u64, most: u64) -> bool {
        let is_known = self.epoch.load(Ordering::Relaxed) == epoch.saturating_add(1);
        is_known && seconds().saturating_sub(self.time.load(Ordering::Relaxed)) < most
    }
}

/// A file that was sent by itself.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its digest.
    pub digest: [u8; 32],
    /// Its content.
    pub bytes: Bytes,
    /// The last confirmation that other servers have it.
    pub shared: Arc<Confirmation>,
}

impl SourceFile {
    /// Creates a file that only this server has.
    #[must_use]
    pub fn new(digest: [u8; 32], bytes: Bytes) -> SourceFile {
        SourceFile { digest, bytes, shared: Arc::default() }
    }
}

fn seconds() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs()
}

impl ResultEntry {
    /// Returns the object that describes it.
    #[must_use]
    pub fn object(&self) -> Option<&Blob> {
        self.files.get("result.json")
    }

    /// Notes that it was used.
    pub fn mark_used(&self) {
        // Usually the flag is set already, and reading it does not make threads compete for the cache line.
        if !self.marks.used.load(Ordering::Relaxed) {
            self.marks.used.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the approximate bytes in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        let files: usize = self.files.iter().map(|(path, blob)| path.len() + blob.bytes.len() + 200).sum();
        files + self.diagnostics.iter().map(Finding::heap_bytes).sum::<usize>()
    }
}
