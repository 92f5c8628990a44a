//! The tiers of the server's storage: in memory, on its disk, and in a store that servers share.
//!
//! ```text
//! Tier         a place to look up a result or a bundle
//!   Caches     memory, in the order of the last use
//!   SealedTier     bytes elsewhere, checked each time they come from there
//!     Backend  Folder (a disk), Redis, S3, HttpCache (a cache of builds)
//! ```
//!
//! A tier only saves work: its bytes are named by their content or by the inputs of the job that made them, and any
//! server can make them again from the same bundle. Bytes from other tiers are checked in one place ([`SealedTier`]);
//! missing, damaged or forged ones are made again.

mod entry;
mod folder;
mod http_cache;
pub mod lease;
mod memory;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "s3")]
mod s3;
mod seal;
mod sealed;

use std::sync::Arc;

use actix_web::web::Bytes;
use futures_util::future::LocalBoxFuture;

use lease::Lease;

pub use entry::StoredRequest;
pub use folder::Folder;
pub use memory::Caches;
pub use seal::Seal;
pub use sealed::{Claim, Counts, SealedTier};

use crate::{
    config::{Config, Limits},
    store::{cache::ResultEntry, origin::Origin, signing::SigningKey},
};

/// The kind of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A result, by its key.
    Results,
    /// An uploaded archive, by its digest.
    Bundles,
    /// The place of the bytes with a digest.
    Places,
    /// A file that was sent, by its digest.
    Sources,
    /// The request of a job that no client waits for, by the key of its result.
    Requests,
    /// The lease of a job, by the key of its result.
    Jobs,
}

impl EntryKind {
    /// Returns the word for one such value, as the addresses of stores have it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EntryKind::Results => "result",
            EntryKind::Bundles => "bundle",
            EntryKind::Places => "place",
            EntryKind::Sources => "source",
            EntryKind::Requests => "request",
            EntryKind::Jobs => "job",
        }
    }
}

/// A stored value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A result.
    Result(Arc<ResultEntry>),
    /// An uploaded archive.
    Bundle(Bytes),
    /// The place of some bytes: a result's key followed by the extension of an archive, or by a slash and a path.
    Place(Arc<str>),
    /// A file that was sent.
    Source(Bytes),
    /// The request of a job.
    Request(Arc<StoredRequest>),
    /// The lease of a job.
    Job(Lease),
}

impl Value {
    /// Returns its kind.
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        match self {
            Value::Result(_) => EntryKind::Results,
            Value::Bundle(_) => EntryKind::Bundles,
            Value::Place(_) => EntryKind::Places,
            Value::Source(_) => EntryKind::Sources,
            Value::Request(_) => EntryKind::Requests,
            Value::Job(_) => EntryKind::Jobs,
        }
    }

    /// Returns the approximate bytes in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Value::Result(stored) => stored.weight(),
            Value::Bundle(body) | Value::Source(body) => body.len(),
            Value::Place(place) => place.len(),
            Value::Request(request) => request.weight(),
            Value::Job(_) => 0,
        }
    }

    /// Returns the result, if it is one.
    #[must_use]
    pub fn result(self) -> Option<Arc<ResultEntry>> {
        if let Value::Result(stored) = self { Some(stored) } else { None }
    }

    /// Returns the place, if it is one.
    #[must_use]
    pub fn place(self) -> Option<Arc<str>> {
        if let Value::Place(place) = self { Some(place) } else { None }
    }

    /// Returns the bundle, if it is one.
    #[must_use]
    pub fn bundle(self) -> Option<Bytes> {
        if let Value::Bundle(body) = self { Some(body) } else { None }
    }

    /// Returns the file, if it is one.
    #[must_use]
    pub fn source(self) -> Option<Bytes> {
        if let Value::Source(file) = self { Some(file) } else { None }
    }

    /// Returns the request, if it is one.
    #[must_use]
    pub fn request(self) -> Option<Arc<StoredRequest>> {
        if let Value::Request(request) = self { Some(request) } else { None }
    }

    /// Returns the lease, if it is one.
    #[must_use]
    pub fn lease(self) -> Option<Lease> {
        if let Value::Job(lease) = self { Some(lease) } else { None }
    }
}

/// A place that stores results and bundles. It never fails: a value that cannot be read is missing.
pub trait Tier {
    /// Returns the origin that answers report.
    fn origin(&self) -> Origin;
    /// Returns the value of a name.
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str) -> LocalBoxFuture<'s, Option<Value>>;
    /// Stores a value, if possible.
    fn put<'s>(&'s self, name: &'s str, value: Value) -> LocalBoxFuture<'s, ()>;
}

/// Returns the maximum unpacked size of a result: the limit of its outputs, once for them and once for each form
/// derived from them (the model, pages, the same as Markdown).
#[must_use]
pub fn most_bytes(limits: &Limits) -> u64 {
    limits.job.output_bytes.saturating_mul(4)
}

/// Returns the tier on this server's disk, if it has one.
///
/// # Errors
/// The folder cannot be used, or a key cannot be read.
pub fn disk(config: &Config) -> Result<Option<Arc<SealedTier>>, String> {
    let most = most_bytes(&config.limits);
    let Some(folder) = Folder::new(config, most)? else { return Ok(None) };
    // If results may be signed later, their seal needs a key: other programs may write to the folder.
    let seal = match (&config.shared_key_file, &config.signing_key_file) {
        (Some(path), _) => Seal::read(path, most)?,
        (None, Some(path)) => Seal::keyed(&SigningKey::read(path)?.secret(), most),
        (None, None) => Seal::plain(most),
    };
    Ok(Some(Arc::new(SealedTier::new(Box::new(folder), seal, Origin::Disk))))
}

/// Returns the tier that servers share, if there is one; does not connect to it yet.
///
/// # Errors
/// Its address is malformed, or its key cannot be read.
pub fn shared(config: &Config) -> Result<Option<Arc<SealedTier>>, String> {
    let most = most_bytes(&config.limits);
    let seal = match &config.shared_key_file {
        Some(path) => Seal::read(path, most)?,
        None => Seal::plain(most),
    };
    let Some(address) = &config.shared_cache else { return Ok(None) };
    let backend = backend(address, config, most)?;
    Ok(Some(Arc::new(SealedTier::new(backend, seal, Origin::Shared))))
}

/// Returns the backend for an address, if this program was built with it.
#[cfg_attr(not(feature = "redis"), expect(unused_variables, reason = "a Redis needs it"))]
fn backend(
    address: &str,
    config: &Config,
    most: u64,
) -> Result<Box<dyn sealed::Backend + Send + Sync>, String> {
    let scheme = address.split_once("://").map_or("", |(scheme, _)| scheme);
    match scheme {
        "http" | "https" => Ok(Box::new(http_cache::HttpCache::new(address, most)?)),
        #[cfg(feature = "s3")]
        "s3" => Ok(Box::new(s3::S3::new(address, most)?)),
        #[cfg(feature = "redis")]
        scheme if scheme != "s3" => {
            Ok(Box::new(redis::Redis::new(address, config.shared_cache_seconds, most)?))
        }
        // The address may hold a password, so it is not repeated.
        scheme => Err(format!("shared_cache: this program was built without what speaks {scheme}")),
    }
}
