//! Results: found in memory or at another server, or else made.

use std::{num::NonZero, sync::Arc, time::Duration};

use actix_web::{rt, rt::time::timeout, web::Bytes};
use odsmith_engine::{cancel::Cancel, diagnostic::Code, library::Library};
use sha2::{Digest, Sha256};

use crate::{
    archive::{self, Format},
    cache::{Blob, Caches, Stored},
    config::{Config, Limits},
    error::{ApiError, Kind},
    forms::Form,
    generate::{self, ArchiveReport, Request},
    jobs::{Pool, Refused},
    kept, keys,
    manifest::Manifest,
    shared::{Shared, Shelf},
    timing::Origin,
};

/// What a request changes in the manifest of its bundle.
pub type Change = Box<dyn FnOnce(&mut Manifest) -> Result<(), String> + Send>;

/// A request as it came.
pub struct Upload {
    /// The body.
    pub body: Bytes,
    /// What it holds.
    pub form: Form,
    /// What else names the result: the route and its parameters.
    pub salt: String,
    /// What the parameters change.
    pub change: Change,
}

/// The digest of an upload.
pub type UploadName = [u8; 32];

impl Upload {
    /// What equal uploads have in common.
    #[must_use]
    pub fn name(&self) -> UploadName {
        Sha256::new().chain_update(&self.salt).chain_update(b"\0").chain_update(&self.body).finalize().into()
    }
}

/// A result, and where it comes from.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// The result.
    pub stored: Arc<Stored>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where results are made and kept.
pub struct Results {
    /// Where the work is done.
    pub pool: Pool,
    /// What is kept in memory.
    pub caches: Caches,
    /// The second level of the cache, if there is one.
    pub shared: Option<Shared>,
    library: Arc<Library>,
    limits: Limits,
}

impl Results {
    /// Nothing is made so far.
    ///
    /// # Errors
    /// The threads of the pool could not be made, or the address of the second level is none.
    pub fn new(config: &Config, library: Arc<Library>) -> Result<Results, String> {
        let limits = config.limits.clone();
        Ok(Results {
            pool: Pool::new(limits.jobs_running, limits.jobs_waiting).map_err(|error| error.to_string())?,
            caches: Caches::new(config.cache_mb << 20),
            shared: Shared::new(config)?,
            library,
            limits,
        })
    }

    /// The result of an upload that came before, if it is in memory.
    pub async fn remembered(&self, name: &UploadName) -> Option<StoredResult> {
        let key = self.caches.requests.get(name).await?;
        let stored = self.caches.results.get(&*key).await?;
        Some(StoredResult { stored, origin: Origin::Memory })
    }

    /// The result of an upload, made if it is not there.
    ///
    /// # Errors
    /// The upload is refused, or the job could not be done.
    pub async fn result(
        self: &Arc<Self>,
        name: UploadName,
        upload: Upload,
    ) -> Result<StoredResult, ApiError> {
        let results = self.clone();
        // A task of its own: others may wait for the same result when this client has gone.
        let work = rt::spawn(async move {
            let (library, limits) = (results.library.clone(), results.limits.archive.clone());
            let Upload { form, change, .. } = upload;
            let opened = results.pool.run(move || form.open(&limits, &library, change)).await??;
            results.caches.requests.insert(name, opened.key.as_str().into()).await;
            let key = opened.key.clone();
            // One that is there meanwhile, or is being made for another, is not made here.
            let mut origin = Origin::Memory;
            let make = async {
                if let Some(stored) = results.shared_result(&key).await {
                    origin = Origin::Shared;
                    return Ok(stored);
                }
                origin = Origin::Made;
                results.make(opened).await.inspect(|stored| results.share(stored))
            };
            let stored = results.caches.results.try_get_with(key.clone(), make).await;
            let stored = stored.map_err(|error| ApiError::clone(&error))?;
            Ok(StoredResult { stored, origin })
        });
        work.await.map_err(|_| ApiError::new(Kind::INTERNAL, "a task ended in a way that it never should"))?
    }

    /// A result that another server has made.
    async fn shared_result(&self, key: &str) -> Option<Arc<Stored>> {
        let shared = self.shared.as_ref()?;
        let entry = shared.get(Shelf::Results, key, Some).await?;
        let name = key.to_owned();
        let stored = self.pool.run(move || kept::read(&entry, &name)).await.ok().flatten();
        if stored.is_none() {
            shared.damaged();
        }
        stored.map(Arc::new)
    }

    /// Gives a result to the other servers, when there is time for it.
    fn share(self: &Arc<Self>, stored: &Arc<Stored>) {
        if self.shared.is_none() {
            return;
        }
        let (results, stored) = (self.clone(), stored.clone());
        rt::spawn(async move {
            let (Some(shared), key) = (&results.shared, stored.key.clone()) else { return };
            if let Ok(entry) = results.pool.run(move || kept::write(&stored)).await {
                shared.put(Shelf::Results, &key, entry).await;
            }
        });
    }

    /// An archive that was sent before, here or elsewhere.
    pub async fn bundle(&self, digest: &str) -> Option<Bytes> {
        if let Some(body) = self.caches.bundles.get(digest).await {
            return Some(body);
        }
        let is_it = |body: Vec<u8>| (keys::sha256(&body) == digest).then(|| Bytes::from(body));
        let body = self.shared.as_ref()?.get(Shelf::Bundles, digest, is_it).await?;
        self.caches.bundles.insert(digest.to_owned(), body.clone()).await;
        Some(body)
    }

    /// Keeps an archive under its digest.
    pub async fn keep_bundle(&self, digest: String, body: Bytes) {
        self.caches.bundles.insert(digest.clone(), body.clone()).await;
        if let Some(shared) = &self.shared {
            shared.put(Shelf::Bundles, &digest, body.to_vec()).await;
        }
    }

    async fn make(&self, request: Request) -> Result<Arc<Stored>, ApiError> {
        let limits = self.limits.job.clone();
        let cancel = Cancel::new();
        let token = cancel.clone();
        let job = self.pool.submit(move || {
            // No client waits any more for work that has itself waited too long.
            (!token.is_cancelled()).then(|| {
                let finished = request.run(&limits, &token, NonZero::<usize>::MIN, None);
                let is_ours = finished.result.has(Code::Internal);
                (Arc::new(Stored::new(finished)), is_ours)
            })
        })?;
        match timeout(Duration::from_secs(self.limits.job_seconds), job).await {
            Ok(Ok(Some((stored, false)))) => Ok(stored),
            Ok(Ok(Some((stored, true)))) => {
                let detail = stored.diagnostics.iter().find(|report| report.code == Code::Internal);
                Err(ApiError::new(Kind::INTERNAL, detail.map_or("", |report| &report.message)))
            }
            Ok(Err(_)) => Err(Refused::Panicked.into()),
            Ok(Ok(None)) | Err(_) => {
                cancel.cancel();
                let detail = format!("the job had no end after {} seconds", self.limits.job_seconds);
                Err(ApiError::new(Kind::DEADLINE, detail))
            }
        }
    }

    /// A result that is kept.
    ///
    /// # Errors
    /// It is not.
    pub async fn stored(&self, key: &str) -> Result<StoredResult, ApiError> {
        if let Some(stored) = self.caches.results.get(key).await {
            return Ok(StoredResult { stored, origin: Origin::Memory });
        }
        // What is rare is kept apart, so that a hit carries nothing of it along.
        Box::pin(self.stored_elsewhere(key)).await
    }

    async fn stored_elsewhere(&self, key: &str) -> Result<StoredResult, ApiError> {
        let elsewhere = async { if keys::is_key(key) { self.shared_result(key).await } else { None } };
        let stored = self.caches.results.optionally_get_with(key.to_owned(), elsewhere).await;
        let found = stored.map(|stored| StoredResult { stored, origin: Origin::Shared });
        found.ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, format!("there is no result '{key}'")))
    }

    /// The archive of a result.
    ///
    /// # Errors
    /// The job could not be done.
    pub async fn archive(&self, stored: &Arc<Stored>, format: Format) -> Result<Blob, ApiError> {
        let key = (stored.key.clone(), Some(format));
        if let Some(blob) = self.caches.archives.get(&key).await {
            return Ok(blob);
        }
        Box::pin(self.pack(stored, key, format)).await
    }

    async fn pack(
        &self,
        stored: &Arc<Stored>,
        key: (String, Option<Format>),
        format: Format,
    ) -> Result<Blob, ApiError> {
        let work = async {
            let stored = stored.clone();
            let pack = move || {
                let files =
                    stored.files.iter().map(|(path, blob)| (path.clone(), blob.bytes.clone())).collect();
                Blob::new(archive::write(format, &files))
            };
            self.pool.run(pack).await.map_err(ApiError::from)
        };
        self.caches.archives.try_get_with(key, work).await.map_err(|error| ApiError::clone(&error))
    }

    /// The object of a result, with the digests of its archives.
    ///
    /// # Errors
    /// There is none, or the job could not be done.
    pub async fn object(&self, stored: &Arc<Stored>) -> Result<Blob, ApiError> {
        let key = (stored.key.clone(), None);
        if let Some(blob) = self.caches.archives.get(&key).await {
            return Ok(blob);
        }
        Box::pin(self.name_archives(stored, key)).await
    }

    async fn name_archives(
        &self,
        stored: &Arc<Stored>,
        key: (String, Option<Format>),
    ) -> Result<Blob, ApiError> {
        let object = stored.object().ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, &*stored.key))?;
        let mut archives = Vec::new();
        for format in Format::ALL {
            let archive = self.archive(stored, format).await?;
            archives.push(ArchiveReport::new(&stored.key, format, &archive.bytes));
        }
        let object = generate::with_archives(&object.bytes, &archives)
            .map_err(|_| ApiError::new(Kind::INTERNAL, "what was kept is no object"))?;
        let blob = Blob::new(object);
        self.caches.archives.insert(key, blob.clone()).await;
        Ok(blob)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use odsmith_engine::release::Release;

    use super::*;

    /// A future is copied more than once before it reaches a worker; that of a hit must not reserve space for a miss.
    #[test]
    fn what_a_hit_carries_along() {
        let library = Library::new(Release::default(), String::new(), BTreeMap::new());
        let results = Results::new(&Config::default(), Arc::new(library)).unwrap();
        let size = size_of_val(&results.stored("key"));
        assert!(size < 2_000, "{size} bytes");
    }
}
