//! What all requests share, and the one way from a request to a result.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use actix_web::{rt, rt::time::timeout, web::Bytes};
use odsmith_engine::{cancel::Cancel, diagnostic::Code, library::Library};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    archive::{self, Format},
    cache::{Blob, Caches, Stored},
    config::{Config, Limits, Log},
    error::{ApiError, Kind},
    fetch::{Fetcher, Internet, Network},
    forms::Form,
    generate::{self, ArchiveReport, Request},
    jobs::Pool,
    kept, keys,
    manifest::Manifest,
    metrics::Metrics,
    quota::Quota,
    shared::{Shared, Shelf},
    site_origin::SiteOrigin,
    timing::Origin,
    traces::Traces,
};

/// What all requests share.
pub struct State {
    /// The library.
    pub library: Arc<Library>,
    /// Every limit.
    pub limits: Limits,
    /// Results that are kept.
    pub caches: Caches,
    /// Where the work is done.
    pub pool: Pool,
    /// What is counted.
    pub metrics: Metrics,
    /// What is written of each request.
    pub log: Log,
    /// The digests of tokens that let a client in.
    pub token_digests: Vec<String>,
    /// Whether a proxy says where requests come from.
    pub is_behind_proxy: bool,
    /// What each client may do, if there is an end to it.
    pub quota: Option<Quota>,
    /// What fetches sources, if anything does.
    pub fetcher: Option<Fetcher>,
    /// The second level of the cache, if there is one.
    pub shared: Option<Shared>,
    /// Where spans go, if anywhere.
    pub traces: Option<Traces>,
    /// Where sites are shown, if they have an origin of their own.
    pub site_origin: Option<SiteOrigin>,
    in_flight: Arc<Semaphore>,
}

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

/// A result, and where it comes from.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub stored: Arc<Stored>,
    /// Where it comes from.
    pub origin: Origin,
}

impl State {
    /// The state of a server at its start.
    ///
    /// # Errors
    /// The threads of the pool could not be made, or the configuration names what can not be.
    pub fn new(config: &Config, library: Library) -> Result<State, String> {
        State::in_network(config, library, Arc::new(Internet))
    }

    /// The same in a network of its own, for tests.
    ///
    /// # Errors
    /// As for [`State::new`].
    pub fn in_network(config: &Config, library: Library, network: Arc<dyn Network>) -> Result<State, String> {
        let limits = config.limits.clone();
        let units = usize::try_from(limits.bytes_in_flight / 1024).unwrap_or(usize::MAX);
        Ok(State {
            library: Arc::new(library),
            caches: Caches::new(config.cache_mb << 20),
            metrics: Metrics::default(),
            log: config.log,
            token_digests: config.token_digests.clone(),
            is_behind_proxy: config.behind_proxy,
            quota: Quota::new(&limits.quota),
            fetcher: match &config.fetch_hosts[..] {
                [] => None,
                hosts => {
                    let patience = Duration::from_secs(limits.fetch_seconds);
                    Some(Fetcher::new(network, hosts, limits.archive.body_bytes, patience)?)
                }
            },
            shared: match &config.shared_cache {
                Some(address) => Some(Shared::new(address, config.shared_cache_seconds)?),
                None => None,
            },
            traces: config.otlp.as_deref().map(Traces::new).transpose()?,
            site_origin: config.site_origin.as_deref().map(SiteOrigin::new).transpose()?,
            pool: Pool::new(limits.jobs_running, limits.jobs_waiting).map_err(|error| error.to_string())?,
            in_flight: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            limits,
        })
    }

    /// Room for a body of so many bytes, held until it has been worked on.
    ///
    /// # Errors
    /// There is none.
    pub fn reserve(&self, bytes: u64) -> Result<OwnedSemaphorePermit, ApiError> {
        let units = u32::try_from(bytes / 1024 + 1).unwrap_or(u32::MAX);
        let permit = self.in_flight.clone().try_acquire_many_owned(units);
        permit.map_err(|_| {
            ApiError::new(Kind::OVERLOADED, "too many bytes are being worked on; try again soon")
        })
    }

    /// The result of an upload, from the cache if it is there.
    ///
    /// # Errors
    /// The upload is refused, or the job could not be done.
    pub async fn result(self: &Arc<Self>, upload: Upload) -> Result<Found, ApiError> {
        let name: [u8; 32] = Sha256::new()
            .chain_update(&upload.salt)
            .chain_update(b"\0")
            .chain_update(&upload.body)
            .finalize()
            .into();
        if let Some(key) = self.caches.requests.get(&name).await
            && let Some(stored) = self.caches.results.get(&*key).await
        {
            self.metrics.found(true);
            return Ok(Found { stored, origin: Origin::Memory });
        }
        self.metrics.found(false);
        let state = self.clone();
        // A task of its own: others may wait for the same result when this client has gone.
        let work = rt::spawn(async move {
            let (library, limits) = (state.library.clone(), state.limits.archive.clone());
            let Upload { form, change, .. } = upload;
            let opened = state.pool.run(move || form.open(&limits, &library, change)).await??;
            state.caches.requests.insert(name, opened.key.as_str().into()).await;
            let key = opened.key.clone();
            // Whoever finds the result there, or waits for it, makes nothing.
            let origin = AtomicU8::new(0);
            let make = async {
                if let Some(stored) = state.shared_result(&key).await {
                    origin.store(1, Ordering::Relaxed);
                    return Ok(stored);
                }
                origin.store(2, Ordering::Relaxed);
                state.make(opened).await.inspect(|stored| state.share(stored))
            };
            let stored = state.caches.results.try_get_with(key.clone(), make).await;
            let stored = stored.map_err(|error| ApiError::clone(&error))?;
            let origin = match origin.into_inner() {
                0 => Origin::Memory,
                1 => Origin::Shared,
                _ => Origin::Made,
            };
            Ok(Found { stored, origin })
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
        let (state, stored) = (self.clone(), stored.clone());
        rt::spawn(async move {
            let (Some(shared), key) = (&state.shared, stored.key.clone()) else { return };
            if let Ok(entry) = state.pool.run(move || kept::write(&stored)).await {
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
            // Nobody waits any more for what waited too long itself.
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
            Ok(Err(_)) => Err(crate::jobs::Refused::Panicked.into()),
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
    pub async fn stored(&self, key: &str) -> Result<Found, ApiError> {
        if let Some(stored) = self.caches.results.get(key).await {
            return Ok(Found { stored, origin: Origin::Memory });
        }
        // What is rare is kept apart, so that a hit carries nothing of it along.
        Box::pin(self.stored_elsewhere(key)).await
    }

    async fn stored_elsewhere(&self, key: &str) -> Result<Found, ApiError> {
        let elsewhere = async { if keys::is_key(key) { self.shared_result(key).await } else { None } };
        let stored = self.caches.results.optionally_get_with(key.to_owned(), elsewhere).await;
        let found = stored.map(|stored| Found { stored, origin: Origin::Shared });
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
        let blob = Blob::new(generate::with_archives(&object.bytes, &archives));
        self.caches.archives.insert(key, blob.clone()).await;
        Ok(blob)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use odsmith_engine::release::Release;

    use super::*;

    /// A future is copied more than once on its way to a worker; that of a hit must not hold room for a miss.
    #[test]
    fn what_a_hit_carries_along() {
        let library = Library::new(Release::default(), String::new(), BTreeMap::new());
        let state = State::new(&Config::default(), library).unwrap();
        let size = size_of_val(&state.stored("key"));
        assert!(size < 2_000, "{size} bytes");
    }
}
