//! What all requests share, and the one way from a request to a result.

use std::{sync::Arc, time::Duration};

use actix_web::{rt, rt::time::timeout, web::Bytes};
use odsmith_engine::{cancel::Cancel, diagnostic::Code, library::Library};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    archive::{self, Format},
    cache::{Blob, Caches, Stored},
    config::{Config, Limits},
    error::{ApiError, Kind},
    generate::Request,
    jobs::Pool,
    manifest::Manifest,
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
    in_flight: Arc<Semaphore>,
}

/// What a request changes in the manifest of its bundle.
pub type Change = Box<dyn FnOnce(&mut Manifest) -> Result<(), String> + Send>;

/// A request as it came.
pub struct Upload {
    /// The body.
    pub body: Bytes,
    /// The name that the body has if it is one `.td` file rather than an archive; nothing if it must be an archive.
    pub single: Option<&'static str>,
    /// What else names the result: the route and its parameters.
    pub salt: String,
    /// What the parameters change.
    pub change: Change,
}

impl State {
    /// The state of a server at its start.
    ///
    /// # Errors
    /// The threads of the pool could not be made.
    pub fn new(config: &Config, library: Library) -> std::io::Result<State> {
        let limits = config.limits.clone();
        let units = usize::try_from(limits.bytes_in_flight / 1024).unwrap_or(usize::MAX);
        Ok(State {
            library: Arc::new(library),
            caches: Caches::new(config.cache_bytes),
            pool: Pool::new(limits.jobs_running, limits.jobs_waiting)?,
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
    pub async fn result(self: &Arc<Self>, upload: Upload) -> Result<Arc<Stored>, ApiError> {
        let name: [u8; 32] = Sha256::new()
            .chain_update(&upload.salt)
            .chain_update(b"\0")
            .chain_update(&upload.body)
            .finalize()
            .into();
        if let Some(key) = self.caches.requests.get(&name).await
            && let Some(stored) = self.caches.results.get(&*key).await
        {
            return Ok(stored);
        }
        let state = self.clone();
        // A task of its own: others may wait for the same result when this client has gone.
        let work = rt::spawn(async move {
            let (library, limits) = (state.library.clone(), state.limits.archive.clone());
            let Upload { body, single, change, .. } = upload;
            let opened = state.pool.run(move || open(&body, single, &limits, &library, change)).await??;
            state.caches.requests.insert(name, opened.key.as_str().into()).await;
            let made = state.caches.results.try_get_with(opened.key.clone(), state.make(opened));
            made.await.map_err(|error| ApiError::clone(&error))
        });
        work.await.map_err(|_| ApiError::new(Kind::INTERNAL, "a task ended in a way that it never should"))?
    }

    async fn make(&self, request: Request) -> Result<Arc<Stored>, ApiError> {
        let limits = self.limits.job.clone();
        let cancel = Cancel::new();
        let token = cancel.clone();
        let job = self.pool.submit(move || {
            // Nobody waits any more for what waited too long itself.
            (!token.is_cancelled()).then(|| {
                let finished = request.run(&limits, &token);
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
    pub async fn stored(&self, key: &str) -> Result<Arc<Stored>, ApiError> {
        let stored = self.caches.results.get(key).await;
        stored.ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, format!("there is no result '{key}'")))
    }

    /// The archive of a result.
    ///
    /// # Errors
    /// The job could not be done.
    pub async fn archive(&self, stored: &Arc<Stored>, format: Format) -> Result<Blob, ApiError> {
        let key = (stored.key.clone(), format);
        if let Some(blob) = self.caches.archives.get(&key).await {
            return Ok(blob);
        }
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
}

fn open(
    body: &[u8],
    single: Option<&'static str>,
    limits: &archive::Limits,
    library: &Arc<Library>,
    change: Change,
) -> Result<Request, ApiError> {
    let bundle = match single {
        Some(name) if Format::of_bytes(body).is_none() => {
            let mut bundle = odsmith_engine::bundle::Bundle::default();
            bundle.insert(name, body);
            bundle
        }
        _ => archive::read(body, limits)?,
    };
    Request::new(library, bundle, change).map_err(|error| ApiError::new(Kind::BAD_MANIFEST, error))
}
