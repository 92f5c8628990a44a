//! Finished results in memory, weighed by their bytes; equal requests at the same time are one job.

use std::{collections::BTreeMap, sync::Arc};

use actix_web::{http::header::HeaderValue, web::Bytes};
use moka::future::Cache;
use odsmith_engine::{diagnostic::Code, report::Report};
use sha2::{Digest, Sha256};

use crate::{archive::Format, generate::Finished, generate::Status, keys};

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
        let value = |text: String| HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
        let etag = value(format!("\"sha256-{}\"", keys::hex(&digest)));
        Blob { etag, digest: value(format!("sha-256=:{}:", keys::base64(&digest))), bytes }
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
}

impl Stored {
    /// Prepares a result for being served.
    #[must_use]
    pub fn new(finished: Finished) -> Self {
        let Finished { result, files } = finished;
        let made = result.outputs.iter().filter(|output| output.status == Status::Ok).count();
        Stored {
            is_ok: result.status == Status::Ok,
            hit_limit: result.has(Code::Limit),
            made: (made, result.outputs.len()),
            diagnostics: result.all_diagnostics().cloned().collect(),
            truncated: result.truncated,
            files: files.into_iter().map(|(path, bytes)| (path, Blob::new(bytes))).collect(),
            key: result.key,
        }
    }

    /// The object that describes it.
    #[must_use]
    pub fn object(&self) -> Option<&Blob> {
        self.files.get("result.json")
    }

    fn weight(&self) -> u32 {
        let files: usize = self.files.iter().map(|(path, blob)| path.len() + blob.bytes.len() + 200).sum();
        clamp(files + self.diagnostics.len() * 500)
    }
}

fn clamp(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// What a server keeps.
#[derive(Clone)]
pub struct Caches {
    /// Results by name.
    pub results: Cache<String, Arc<Stored>>,
    /// Archives of results; under no format the object that names them all.
    pub archives: Cache<(String, Option<Format>), Blob>,
    /// Archives that were sent by themselves, by their digest.
    pub bundles: Cache<String, Bytes>,
    /// Single files by their digest.
    pub sources: Cache<[u8; 32], Bytes>,
    /// Names of results by the digest of a whole request, so that a repeated one is not even unpacked.
    pub requests: Cache<[u8; 32], Arc<str>>,
}

impl Caches {
    /// Empty caches that hold this many bytes in all.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Caches {
            results: Cache::builder()
                .max_capacity(bytes / 2)
                .weigher(|_, stored: &Arc<Stored>| stored.weight())
                .build(),
            archives: Cache::builder()
                .max_capacity(bytes / 4)
                .weigher(|_, blob: &Blob| clamp(blob.bytes.len() + 200))
                .build(),
            bundles: Cache::builder()
                .max_capacity(bytes / 8)
                .weigher(|_, body: &Bytes| clamp(body.len() + 200))
                .build(),
            sources: Cache::builder()
                .max_capacity(bytes / 8)
                .weigher(|_, file: &Bytes| clamp(file.len() + 200))
                .build(),
            requests: Cache::new(100_000),
        }
    }

    /// Bytes that each cache holds, about.
    #[must_use]
    pub fn sizes(&self) -> [(&'static str, u64); 4] {
        [
            ("results", self.results.weighted_size()),
            ("archives", self.archives.weighted_size()),
            ("bundles", self.bundles.weighted_size()),
            ("sources", self.sources.weighted_size()),
        ]
    }
}
