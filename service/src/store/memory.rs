//! The tier in memory, weighed by bytes; equal requests at the same time are one job.
//!
//! What is over the size goes in the order of its last use. A policy that also counts uses would refuse a result that was
//! just made while older ones are asked for often, and its address was sent to a client already.

use std::{hash::Hash, sync::Arc};

use actix_web::web::Bytes;
use futures_util::{FutureExt, future::LocalBoxFuture};
use moka::{future::Cache, policy::EvictionPolicy};

use super::{EntryKind, Tier, Value};
use crate::{
    archive::Format,
    cache::{Blob, Stored},
    keys,
    timing::Origin,
};

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
    /// Where the bytes of a digest are.
    pub places: Cache<[u8; 32], Arc<str>>,
    /// Names of results by the digest of a whole request, so that a repeated one is not even unpacked.
    pub requests: Cache<[u8; 32], Arc<str>>,
}

impl Caches {
    /// Empty caches that hold this many bytes in all.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Caches {
            // One that is found by another name for a moment is counted by its own.
            results: least_recently_used(
                bytes / 2,
                |key: &String, stored: &Arc<Stored>| {
                    if *key == stored.key { stored.weight() } else { 0 }
                },
            ),
            archives: least_recently_used(bytes / 4, |_, blob: &Blob| blob.bytes.len() + 200),
            bundles: least_recently_used(bytes / 8, |_, body: &Bytes| body.len() + 200),
            sources: least_recently_used(bytes / 8, |_, file: &Bytes| file.len() + 200),
            places: least_recently_used(100_000, |_, _| 1),
            requests: least_recently_used(100_000, |_, _| 1),
        }
    }

    /// Whether a result is small enough to be kept.
    #[must_use]
    pub fn admits(&self, stored: &Stored) -> bool {
        self.results.policy().max_capacity().is_none_or(|most| u64::from(clamp(stored.weight())) <= most)
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

impl Tier for Caches {
    fn origin(&self) -> Origin {
        Origin::Memory
    }

    fn get<'s>(&'s self, kind: EntryKind, name: &'s str) -> LocalBoxFuture<'s, Option<Value>> {
        async move {
            match kind {
                EntryKind::Results => self.results.get(name).await.map(Value::Result),
                EntryKind::Bundles => self.bundles.get(name).await.map(Value::Bundle),
                EntryKind::Places => self.places.get(&keys::from_hex(name)?).await.map(Value::Place),
            }
        }
        .boxed_local()
    }

    fn put<'s>(&'s self, name: &'s str, value: Value) -> LocalBoxFuture<'s, ()> {
        async move {
            match value {
                Value::Result(stored) => self.results.insert(name.to_owned(), stored).await,
                Value::Bundle(body) => self.bundles.insert(name.to_owned(), body).await,
                Value::Place(place) => {
                    if let Some(digest) = keys::from_hex(name) {
                        self.places.insert(digest, place).await;
                    }
                }
            }
        }
        .boxed_local()
    }
}

fn least_recently_used<K, V>(
    most: u64,
    weight: impl Fn(&K, &V) -> usize + Send + Sync + 'static,
) -> Cache<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder()
        .max_capacity(most)
        .eviction_policy(EvictionPolicy::lru())
        .weigher(move |key, value| clamp(weight(key, value)))
        .build()
}

fn clamp(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
