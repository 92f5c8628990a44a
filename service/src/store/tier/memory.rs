//! The tier in memory, weighted by bytes; equal requests at the same time are one job.
//!
//! Entries are evicted in the order of their last use. A policy that also counts uses could refuse a new result, whose
//! address was sent to a client already, while older ones are requested often.

use std::{hash::Hash, sync::Arc};

use actix_web::web::Bytes;
use futures_util::{FutureExt, future::LocalBoxFuture};
use moka::{future::Cache, policy::EvictionPolicy};

use super::{EntryKind, Tier, Value};
use crate::store::{
    archive::Format,
    cache::{Blob, ResultEntry, SourceFile},
    keys,
    origin::Origin,
};

/// Approximate size of an entry whose value is a name: its digest, and the cache's own overhead.
const NAME_BYTES: usize = 250;

/// The caches of a server.
#[derive(Clone)]
pub struct Caches {
    /// Results by name.
    pub results: Cache<String, Arc<ResultEntry>>,
    /// Archives of results; without a format, the object that lists them all.
    pub archives: Cache<(String, Option<Format>), Blob>,
    /// Archives that were uploaded by themselves, by their digest.
    pub bundles: Cache<String, Bytes>,
    /// Single files by their digest.
    pub sources: Cache<[u8; 32], SourceFile>,
    /// The places of bytes, by their digest.
    pub places: Cache<[u8; 32], Arc<str>>,
    /// Names of results by the digest of a whole request, so that a repeated one is not even unpacked.
    pub requests: Cache<[u8; 32], Arc<str>>,
}

impl Caches {
    /// Creates empty caches for this many bytes in all.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Caches {
            // A result that has a second name for a moment is counted under its own.
            results: least_recently_used(
                bytes / 2,
                |key: &String, stored: &Arc<ResultEntry>| {
                    if *key == stored.key { stored.weight() } else { 0 }
                },
            ),
            archives: least_recently_used(bytes / 4, |_, blob: &Blob| archive_weight(blob)),
            bundles: least_recently_used(bytes / 8, |_, body: &Bytes| body.len() + 200),
            sources: least_recently_used(bytes / 16, |_, file: &SourceFile| file.bytes.len() + NAME_BYTES),
            places: least_recently_used(bytes / 32, |_, place: &Arc<str>| place.len() + NAME_BYTES),
            requests: least_recently_used(bytes / 32, |_, key: &Arc<str>| key.len() + NAME_BYTES),
        }
    }

    /// Returns true if a result is small enough for the cache.
    #[must_use]
    pub fn admits(&self, stored: &ResultEntry) -> bool {
        self.results.policy().max_capacity().is_none_or(|most| u64::from(clamp(stored.weight())) <= most)
    }

    /// Returns true if an archive is small enough for the cache.
    #[must_use]
    pub fn admits_archive(&self, archive: &Blob) -> bool {
        let bytes = archive_weight(archive) as u64;
        self.archives.policy().max_capacity().is_none_or(|most| bytes <= most)
    }

    /// Returns the approximate bytes in each cache.
    #[must_use]
    pub fn sizes(&self) -> [(&'static str, u64); 6] {
        [
            ("results", self.results.weighted_size()),
            ("archives", self.archives.weighted_size()),
            ("bundles", self.bundles.weighted_size()),
            ("sources", self.sources.weighted_size()),
            ("places", self.places.weighted_size()),
            ("requests", self.requests.weighted_size()),
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
                EntryKind::Sources | EntryKind::Requests | EntryKind::Jobs => None,
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
                // Files have a cache of their own, by tenant; jobs are listed while they run.
                Value::Source(_) | Value::Request(_) | Value::Job(_) => {}
            }
        }
        .boxed_local()
    }
}

fn archive_weight(archive: &Blob) -> usize {
    archive.bytes.len() + 200
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All caches together stay within the given size, those of names included.
    #[actix_web::test]
    async fn names_count_into_the_size() {
        const BYTES: u64 = 1 << 20;
        let caches = Caches::new(BYTES);
        for number in 0..20_000_u32 {
            let mut digest = [0; 32];
            digest[..4].copy_from_slice(&number.to_le_bytes());
            let place: Arc<str> = format!("{}/cpp/Foo.h.inc", "0".repeat(64)).into();
            caches.places.insert(digest, place.clone()).await;
            caches.requests.insert(digest, place).await;
        }
        caches.places.run_pending_tasks().await;
        caches.requests.run_pending_tasks().await;
        let all: u64 = caches.sizes().iter().map(|(_, size)| size).sum();
        assert!(caches.places.entry_count() > 50 && all <= BYTES / 16, "{all} bytes");
        let capacity = |most: Option<u64>| most.unwrap_or(u64::MAX);
        let most = [
            capacity(caches.results.policy().max_capacity()),
            capacity(caches.archives.policy().max_capacity()),
            capacity(caches.bundles.policy().max_capacity()),
            capacity(caches.sources.policy().max_capacity()),
            capacity(caches.places.policy().max_capacity()),
            capacity(caches.requests.policy().max_capacity()),
        ];
        assert_eq!(most.iter().sum::<u64>(), BYTES);
    }
}
