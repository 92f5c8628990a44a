//! Where results and bundles are kept: in memory, on the disk of this server, and at a place that servers share.
//!
//! ```text
//! Tier         what is asked for a result or a bundle
//!   Caches     memory, in the order of the last use
//!   SealedTier     bytes elsewhere, checked each time they come from there
//!     Backend  Folder (a disk), Redis, S3
//! ```
//!
//! A tier only ever saves work: it holds nothing but bytes that are named by their content, or by what they were made
//! of, and any server makes the same again from the same bundle. What comes from elsewhere is checked in one place
//! ([`SealedTier`]); what is missing, damaged or forged is made anew.

pub mod archive;
pub mod cache;
pub mod disk;
mod entry;
mod folder;
pub mod keys;
mod memory;
pub mod origin;
pub mod output_folder;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "s3")]
mod s3;
mod seal;
mod sealed;
pub mod signing;

use std::sync::Arc;

use actix_web::web::Bytes;
use futures_util::future::LocalBoxFuture;

pub use folder::Folder;
pub use memory::Caches;
pub use seal::Seal;
pub use sealed::{Counts, SealedTier};

use crate::{
    config::{Config, Limits},
    store::{cache::Stored, origin::Origin, signing::SigningKey},
};

/// What a name is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A result, by its key.
    Results,
    /// An archive that was sent, by its digest.
    Bundles,
    /// Where the bytes of a digest are.
    Places,
}

/// What is kept under a name.
#[derive(Clone, Debug)]
pub enum Value {
    /// A result.
    Result(Arc<Stored>),
    /// An archive that was sent.
    Bundle(Bytes),
    /// Where bytes are: a result's key with the extension of an archive, or with a slash and a path in it.
    Place(Arc<str>),
}

impl Value {
    /// The result that it is.
    #[must_use]
    pub fn result(self) -> Option<Arc<Stored>> {
        match self {
            Value::Result(stored) => Some(stored),
            Value::Bundle(_) | Value::Place(_) => None,
        }
    }

    /// The place that it is.
    #[must_use]
    pub fn place(self) -> Option<Arc<str>> {
        match self {
            Value::Place(place) => Some(place),
            Value::Result(_) | Value::Bundle(_) => None,
        }
    }

    /// The bundle that it is.
    #[must_use]
    pub fn bundle(self) -> Option<Bytes> {
        match self {
            Value::Result(_) | Value::Place(_) => None,
            Value::Bundle(body) => Some(body),
        }
    }
}

/// A place where results and bundles are kept. None of them fails: what can not be had is not there.
pub trait Tier {
    /// What an answer says of it.
    fn origin(&self) -> Origin;
    /// What is kept under a name.
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str) -> LocalBoxFuture<'s, Option<Value>>;
    /// Keeps a value, if it can.
    fn put<'s>(&'s self, name: &'s str, value: Value) -> LocalBoxFuture<'s, ()>;
}

/// The most bytes that a result unpacks to: what its outputs may have, and as much again for each of what is made of
/// them (the model, pages, the same as Markdown).
#[must_use]
pub fn most_bytes(limits: &Limits) -> u64 {
    limits.job.output_bytes.saturating_mul(4)
}

/// The tier of this server's disk, if it has one.
///
/// # Errors
/// The folder cannot be used, or a key cannot be read.
pub fn disk(config: &Config) -> Result<Option<Arc<SealedTier>>, String> {
    let most = most_bytes(&config.limits);
    let Some(folder) = Folder::new(config, most)? else { return Ok(None) };
    // What is signed later must come from a server that has the key, whoever else can write to the folder.
    let seal = match (&config.shared_key_file, &config.signing_key_file) {
        (Some(path), _) => Seal::read(path, most)?,
        (None, Some(path)) => Seal::keyed(&SigningKey::read(path)?.secret(), most),
        (None, None) => Seal::plain(most),
    };
    Ok(Some(Arc::new(SealedTier::new(Box::new(folder), seal, Origin::Disk))))
}

/// The tier that servers share, if there is one; nothing is asked of it yet.
///
/// # Errors
/// Its address is none, or its key can not be read.
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

/// What speaks with the store at an address, as far as this program has been built with it.
fn backend(
    address: &str,
    config: &Config,
    most: u64,
) -> Result<Box<dyn sealed::Backend + Send + Sync>, String> {
    #[cfg(feature = "s3")]
    if address.starts_with("s3://") {
        return Ok(Box::new(s3::S3::new(address, most)?));
    }
    #[cfg(feature = "redis")]
    if !address.starts_with("s3://") {
        return Ok(Box::new(redis::Redis::new(address, config.shared_cache_seconds, most)?));
    }
    let _ = (config, most);
    Err(format!("shared_cache: this program was built without what speaks with {address}"))
}
