//! Results: found in memory, on the disk or at another server, or else made by a job.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::{
    rt,
    rt::time::sleep,
    web::{self, Bytes},
};
use futures_util::future::join;
use odsmith_engine::{bundle::Bundle, diagnostic::Code};
use odsmith_registry::lock;
use odsmith_site::flavor::MKDOCS_SETTINGS;
use sha2::{Digest, Sha256};
use tokio::time::{timeout, timeout_at};

use crate::{
    config::{Config, Limits},
    jobs::{
        leases::JobLease,
        pool::{Pool, Refused},
        readers::{self, Readers},
        running::{ProgressReport, Running, RunningJob},
        ticket::Ticket,
        work::ProcessorTime,
    },
    observe::{memory::MemoryCeiling, metrics::Gauges},
    pipeline::{
        error::{ApiError, Kind},
        generate::{self, ArchiveReport, Request},
        library::Libraries,
        manifest::Manifest,
        progress::Progress,
        provenance::Statement,
        registry::{rights::RegistryRights, served::ServedRegistries},
        request::{Change, Form, SMALL_BODY, without_packages},
    },
    store::{
        self, Caches, Claim, EntryKind, SealedTier, StoredRequest, Tier, Value,
        archive::{self, Format},
        cache::{Blob, ResultEntry, SourceFile},
        keys,
        lease::Lease,
        origin::Origin,
        signing::{Envelope, SigningKey},
    },
};

/// How often results used in memory are marked as used on the disk.
const USES: Duration = Duration::from_secs(600);
/// How long an answer waits until other servers have what it names, and how long that holds, in seconds: a Redis may
/// drop an entry at any time.
const PATIENCE: Duration = Duration::from_secs(2);
const CONFIRMED: u64 = 5;
/// Number of servers that do a job after the one that began it is gone.
const MOST_ATTEMPTS: u32 = 1;
/// Pauses between looks at a job that another server does.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// How often to check whether the disk fills up so fast that uses must be marked sooner.
const LOOK: Duration = Duration::from_secs(2);

/// A request, before its files are read.
pub struct Upload {
    /// The body.
    pub body: Bytes,
    /// The files of the body, or their digests.
    pub form: Form,
    /// The other inputs that name the result: the route and its parameters.
    pub salt: String,
    /// The changes that the parameters make to the manifest.
    pub change: Change,
}

/// The digest of an upload.
pub type UploadName = [u8; 32];

impl Upload {
    /// Returns the name that equal uploads share.
    #[must_use]
    pub fn name(&self) -> UploadName {
        // The same bytes mean different things as JSON, as text, and as multipart with another boundary.
        let mut name = Sha256::new();
        for part in [self.salt.as_bytes(), self.form.media_type.as_bytes()] {
            name.update(part);
            name.update(b"\0");
        }
        name.chain_update(&self.body).finalize().into()
    }
}

/// A result and its origin.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// The result.
    pub stored: Arc<ResultEntry>,
    /// The place that had it.
    pub origin: Origin,
    /// True if its address may be named: it is good wherever the next request goes, or at this server for long.
    pub is_kept: bool,
    /// True if other servers have it, if there are any.
    pub is_everywhere: bool,
    /// True if nothing in an answer may show whether it was made for another tenant.
    pub is_private: bool,
}

impl StoredResult {
    /// Returns `ok`, or the code of its problem.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match (self.stored.is_ok, self.stored.hit_limit) {
            (true, _) => "ok",
            (false, true) => Kind::LIMIT_EXCEEDED.code,
            (false, false) => Kind::TABLEGEN_ERRORS.code,
        }
    }

    /// Wraps a result that was stored already.
    fn found(stored: Arc<ResultEntry>, origin: Origin) -> StoredResult {
        StoredResult { stored, origin, is_kept: true, is_everywhere: true, is_private: false }
    }
}

/// The state of a result that no client waits for.
#[derive(Clone, Debug)]
pub enum BegunResult {
    /// The result is stored.
    Found(StoredResult),
    /// The job is running.
    Running(ProgressReport),
}

/// The state of a result, looked up by the name of its request.
#[derive(Clone, Debug)]
pub enum KnownResult {
    /// The result is stored.
    Found(StoredResult),
    /// The job is running.
    Running(ProgressReport),
    /// The job is running at another server, which reported this.
    Elsewhere(serde_json::Value),
    /// The result depends on limits, so it is stored under another name.
    Limited(StoredResult),
}

/// A job that this server may do.
#[derive(Default)]
struct JobClaim {
    /// The lease; without one, the tier cannot say who does what.
    lease: Option<JobLease>,
    /// True if another server did the job before.
    had_to_wait: bool,
}

/// Runs jobs and stores their results.
pub struct Results {
    /// The pool that runs the jobs.
    pub pool: Pool,
    /// The tier in memory.
    pub caches: Caches,
    /// The tier on the disk, if there is one.
    pub disk: Option<Arc<SealedTier>>,
    /// The tier shared with other servers, if there is one.
    pub shared: Option<Arc<SealedTier>>,
    /// The jobs in progress.
    pub running: Arc<Running>,
    /// The number of those whose address was sent, and that no client waits for.
    announced: AtomicUsize,
    /// Results, and their archives, that are too large to keep in memory.
    large_results: Readers<ResultEntry>,
    large_archives: Readers<Blob>,
    libraries: Arc<Libraries>,
    /// The registries that dependencies come from, if there are any.
    registries: Option<Arc<ServedRegistries>>,
    limits: Limits,
}

impl Results {
    /// Returns the gauges for the metrics.
    #[must_use]
    pub fn gauges(&self) -> Gauges {
        let load = self.pool.load();
        let calls = |tier: &Option<Arc<SealedTier>>| tier.iter().flat_map(|tier| tier.counts.all()).collect();
        let disk = self.disk.iter().map(|disk| ("disk", disk.size().unwrap_or(0)));
        Gauges {
            running: load.running,
            waiting: load.waiting,
            caches: self.caches.sizes().into_iter().chain(disk).collect(),
            shared: calls(&self.shared),
            store: calls(&self.disk),
            shared_waiting: self.shared.as_ref().map_or(0, |shared| shared.waiting()),
            is_store_faulty: self.disk.as_ref().map(|disk| disk.fault().is_some()),
        }
    }

    /// Creates the pool and the tiers.
    ///
    /// # Errors
    /// The threads of the pool could not be started, or a tier cannot be used.
    pub fn new(config: &Config, libraries: Arc<Libraries>) -> Result<Results, String> {
        let limits = config.limits.clone();
        Ok(Results {
            pool: Pool::new(limits.jobs_running, limits.jobs_waiting).map_err(|error| error.to_string())?,
            caches: Caches::new(cache_bytes(config)),
            disk: store::disk(config)?,
            shared: store::shared(config)?,
            running: Arc::default(),
            announced: AtomicUsize::new(0),
            large_results: Readers::default(),
            large_archives: Readers::default(),
            libraries,
            registries: match &config.registries[..] {
                [] => None,
                parts => Some(Arc::new(ServedRegistries::new(parts)?)),
            },
            limits,
        })
    }

    /// Returns an upload and its name, which is computed on the pool if it is large.
    ///
    /// # Errors
    /// The job could not be done.
    pub async fn name(&self, upload: Upload, ticket: &Ticket) -> Result<(UploadName, Upload), ApiError> {
        if upload.body.len() <= SMALL_BODY {
            return Ok((upload.name(), upload));
        }
        Ok(self.pool.run(ticket, move || (upload.name(), upload)).await?)
    }

    /// Returns the result of a repeated upload, if it is in memory.
    pub async fn remembered(&self, name: &UploadName) -> Option<StoredResult> {
        let key = self.caches.requests.get(name).await?;
        self.in_memory(&key).await
    }

    /// Returns the tiers below memory, the nearest first.
    fn below(&self) -> impl Iterator<Item = &Arc<SealedTier>> {
        self.disk.iter().chain(&self.shared)
    }

    /// Starts the upkeep of the disk on the current runtime, for as long as this value lives.
    pub fn start(self: &Arc<Self>) {
        if self.disk.is_none() {
            return;
        }
        let results = Arc::downgrade(self);
        rt::spawn(async move {
            let mut noted = Instant::now();
            loop {
                sleep(LOOK).await;
                let Some(results) = results.upgrade() else { return };
                let is_filling = results.disk.as_ref().is_some_and(|disk| disk.is_filling());
                if is_filling || noted.elapsed() >= USES {
                    noted = Instant::now();
                    results.note_uses().await;
                }
            }
        });
    }

    /// Marks results used in memory as used on the disk, so that the disk keeps the results that clients ask for.
    pub async fn note_uses(&self) {
        let Some(disk) = self.disk.clone() else { return };
        let used =
            self.caches.results.iter().filter(|(_, stored)| stored.marks.used.swap(false, Ordering::Relaxed));
        let keys: Vec<String> = used.map(|(key, _)| key.as_ref().clone()).collect();
        let touch = move || keys.iter().for_each(|key| disk.touch(key));
        // This fails only when the runtime ends.
        let _ = web::block(touch).await;
    }

    /// Returns the result of an upload, after a job if it is not stored.
    ///
    /// # Errors
    /// The upload is refused, or the job could not be done.
    pub async fn result(
        self: &Arc<Self>,
        name: UploadName,
        upload: Upload,
        ticket: &Ticket,
    ) -> Result<StoredResult, ApiError> {
        let (results, ticket) = (self.clone(), ticket.for_worker());
        let until = ticket.until;
        // A task of its own: others may wait for the same result when this client has gone.
        let work = rt::spawn(async move {
            let (opened, _) = results.open(upload, &ticket).await?;
            results.find_or_make(Some(name), opened, &ticket).await
        });
        let over = || self.too_late();
        let made = timeout_at(until.into(), work).await.map_err(|_| over())?;
        made.map_err(|_| ApiError::new(Kind::INTERNAL, "a task ended in a way that it never should"))?
    }

    /// Returns the result of an upload if it is in memory; else starts its job, which runs until the ticket's deadline
    /// although no client waits, and returns its name. `done` is called with the outcome and the processor time spent
    /// after the answer. If other servers cannot be told of the job, waits for the result after all.
    ///
    /// # Errors
    /// The upload is refused, or there is no time to read it.
    pub async fn begin(
        self: &Arc<Self>,
        name: UploadName,
        upload: Upload,
        ticket: Ticket,
        done: impl FnOnce(&Result<StoredResult, ApiError>, Duration) + 'static,
    ) -> Result<BegunResult, ApiError> {
        let (opened, files) = self.open(upload, &ticket).await?;
        if let Some(found) = self.in_memory(&opened.key).await {
            return Ok(BegunResult::Found(self.promised(found).await));
        }
        // The job must be listed before its address is sent.
        let job = self.running.begin(&opened.key);
        if !self.announce(&job, &opened, &files).await {
            let made = timeout_at(ticket.until.into(), self.find_or_make(Some(name), opened, &ticket)).await;
            return made.map_err(|_| self.too_late())?.map(BegunResult::Found);
        }
        let report = job.report();
        self.start_job(Some(name), opened, job, ticket, done);
        Ok(BegunResult::Running(report))
    }

    /// Starts a job that no client waits for.
    fn start_job(
        self: &Arc<Self>,
        name: Option<UploadName>,
        opened: Request,
        job: Arc<RunningJob>,
        ticket: Ticket,
        done: impl FnOnce(&Result<StoredResult, ApiError>, Duration) + 'static,
    ) {
        let results = self.clone();
        let ticket = ticket.counted_on(ProcessorTime::default());
        self.announced.fetch_add(1, Ordering::Relaxed);
        rt::spawn(async move {
            // The ticket is held here, so that the work goes on without its client.
            let made = timeout_at(ticket.until.into(), results.find_or_make(name, opened, &ticket)).await;
            let made = made.unwrap_or_else(|_| Err(results.too_late()));
            match &made {
                Err(error) => results.running.fail(&job.key, error.clone()),
                Ok(found) if found.origin == Origin::Unkept => results.running.fail(&job.key, unkept()),
                Ok(_) => {}
            }
            done(&made, ticket.spent.time());
            results.announced.fetch_sub(1, Ordering::Relaxed);
        });
    }

    /// Waits until the jobs that no client waits for have ended: their addresses were sent.
    pub async fn finish_announced(&self) {
        let until = Instant::now() + Duration::from_secs(self.limits.job_seconds);
        while self.announced.load(Ordering::Relaxed) > 0 && Instant::now() < until {
            sleep(SHORTEST_PAUSE).await;
        }
    }

    /// Announces a job that no client waits for to other servers, with all that they need to do it; returns false if they
    /// may not know of it.
    async fn announce(&self, job: &Arc<RunningJob>, opened: &Request, files: &Bundle) -> bool {
        let Some(tier) = &self.shared else { return true };
        let lease = Lease::new(&job.report());
        let files = files.iter().map(|(path, content)| (path.to_owned(), Bytes::from_owner(content.clone())));
        let manifest = opened.manifest.to_json().into();
        let request = StoredRequest { manifest, files: files.collect(), attempts: 0 };
        let mut values = vec![(job.key.clone(), Value::Request(Arc::new(request)))];
        let claim = tier.claim(&job.key, &lease).await;
        if claim == Claim::Unknown {
            values.push((job.key.clone(), Value::Job(lease)));
        }
        let is_told = self.share(values).await;
        // If another server does the job already, its lease remains.
        if claim == Claim::Own || (claim == Claim::Unknown && is_told) {
            job.hold(JobLease::keep(tier, job));
        }
        is_told
    }

    /// Does the job of a server that announced it and is gone now; `None` if there is no such job.
    async fn take_over(
        self: &Arc<Self>,
        key: &str,
        ticket: impl FnOnce() -> Ticket,
    ) -> Result<Option<KnownResult>, ApiError> {
        let Some(tier) = &self.shared else { return Ok(None) };
        let request = tier.get(EntryKind::Requests, key).await.and_then(Value::request);
        let Some(request) = request else { return Ok(None) };
        // The job may have ended since its result was looked up.
        if let Some(known) = self.known(key).await {
            return Ok(Some(known));
        }
        // If the job is the reason why servers are gone, the next one would be gone too.
        if request.attempts >= MOST_ATTEMPTS {
            return Ok(None);
        }
        let StoredRequest { manifest, files, attempts } = &*request;
        let next = StoredRequest { manifest: manifest.clone(), files: files.clone(), attempts: attempts + 1 };
        let (ticket, libraries) = (ticket(), self.libraries.clone());
        let opened = self.pool.run(&ticket, move || reopened(&request, &libraries)).await?;
        // Another build, or one with another library, gives it another name.
        let Some(opened) = opened.filter(|opened| opened.key == key) else { return Ok(None) };
        let job = self.running.begin(key);
        match tier.claim(key, &Lease::new(&job.report())).await {
            Claim::Foreign => {
                let report = serde_json::to_value(job.report()).unwrap_or_default();
                return Ok(Some(KnownResult::Elsewhere(report)));
            }
            Claim::Own => job.hold(JobLease::keep(tier, &job)),
            Claim::Unknown => {
                tier.put(key, Value::Job(Lease::new(&job.report()))).await;
                job.hold(JobLease::keep(tier, &job));
            }
        }
        if !self.share(vec![(key.to_owned(), Value::Request(Arc::new(next)))]).await {
            return Ok(None);
        }
        let report = job.report();
        self.start_job(None, opened, job, ticket, |_, _| {});
        Ok(Some(KnownResult::Running(report)))
    }

    async fn open(&self, upload: Upload, ticket: &Ticket) -> Result<(Request, Bundle), ApiError> {
        let (libraries, mut limits) = (self.libraries.clone(), self.limits.archive.clone());
        let Upload { form, change, .. } = upload;
        let Some(registries) = self.registries.clone() else {
            return self
                .pool
                .run(ticket, move || form.open(&limits, &libraries, &without_packages, change))
                .await?;
        };
        limits.also = &[lock::FILE_NAME];
        let open = move || {
            let packages = |bundle: &mut Bundle, manifest: Option<&Manifest>, rights: &RegistryRights| {
                registries.complete(bundle, manifest, rights, limits.unpacked_bytes)
            };
            form.open(&limits, &libraries, &packages, change)
        };
        self.pool.run(ticket, open).await?
    }

    /// Returns the result of a request: a stored one, that of a job in progress, or that of a new job.
    async fn find_or_make(
        &self,
        name: Option<UploadName>,
        opened: Request,
        ticket: &Ticket,
    ) -> Result<StoredResult, ApiError> {
        let found = self.find_or_run(opened, ticket).await?;
        if let Some(name) = name {
            self.caches.requests.insert(name, found.stored.key.as_str().into()).await;
        }
        Ok(self.promised(found).await)
    }

    async fn find_or_run(&self, opened: Request, ticket: &Ticket) -> Result<StoredResult, ApiError> {
        let key = opened.key.clone();
        if let Some(stored) = self.caches.results.get(&key).await {
            return Ok(StoredResult::found(stored, Origin::Memory));
        }
        let job = self.running.begin(&key);
        // Only the job shows whether its result depends on limits, so equal jobs meet at the name that such a result
        // has.
        let limited = keys::limited(&key, &self.limits.job);
        loop {
            // A result that was stored meanwhile, or is being made for another request, is not made here.
            let mut origin = Origin::Memory;
            let make = async {
                // A job that was waited for may just have stored its result under its own name.
                if let Some(stored) = self.caches.results.get(&key).await {
                    return Ok(stored);
                }
                for key in [&key, &limited] {
                    if let Some(found) = self.elsewhere(key).await {
                        origin = found.origin;
                        return Ok(found.stored);
                    }
                }
                let claimed = self.claim(&job, ticket).await?;
                let keys = if claimed.had_to_wait { vec![&key, &limited] } else { Vec::new() };
                let make = || self.make(opened.clone(), ticket, &job);
                let stored = self.make_once(keys, &mut origin, make).await;
                if let Some(lease) = claimed.lease {
                    rt::spawn(lease.end());
                }
                stored
            };
            let stored = self.caches.results.try_get_with(limited.clone(), make).await;
            let stored = match stored.map_err(|error| ApiError::clone(&error)) {
                // The client that the job ran for has gone: this request runs it again.
                Err(error) if error.kind == Kind::CLIENT_GONE && !ticket.is_over() => continue,
                stored => stored?,
            };
            if stored.key == key {
                self.caches.results.insert(key.clone(), stored.clone()).await;
                self.caches.results.invalidate(&limited).await;
            }
            return Ok(StoredResult::found(stored, origin));
        }
    }

    /// Claims a job among the servers that share a tier: waits while another server does it.
    async fn claim(&self, job: &Arc<RunningJob>, ticket: &Ticket) -> Result<JobClaim, ApiError> {
        let Some(tier) = &self.shared else { return Ok(JobClaim::default()) };
        if let Some(lease) = job.take_lease() {
            return Ok(JobClaim { lease: Some(lease), had_to_wait: false });
        }
        let (mut pause, mut had_to_wait) = (SHORTEST_PAUSE, false);
        loop {
            let lease = match tier.claim(&job.key, &Lease::new(&job.report())).await {
                Claim::Own => Some(JobLease::keep(tier, job)),
                Claim::Unknown => None,
                Claim::Foreign if ticket.until <= Instant::now() => return Err(self.too_late()),
                Claim::Foreign if ticket.is_over() => return Err(ApiError::client_gone()),
                Claim::Foreign => {
                    sleep(pause).await;
                    (pause, had_to_wait) = ((pause * 2).min(LONGEST_PAUSE), true);
                    continue;
                }
            };
            return Ok(JobClaim { lease, had_to_wait });
        }
    }

    /// Makes and stores a result, unless another server has just made it under one of these names: its result came
    /// before the end of its lease.
    async fn make_once<M: Future<Output = Result<Arc<ResultEntry>, ApiError>>>(
        &self,
        keys: Vec<&String>,
        origin: &mut Origin,
        make: impl FnOnce() -> M,
    ) -> Result<Arc<ResultEntry>, ApiError> {
        for key in keys {
            if let Some(found) = self.elsewhere(key).await {
                *origin = found.origin;
                return Ok(found.stored);
            }
        }
        *origin = Origin::Made;
        let stored = make().await?;
        self.keep(&stored).await;
        Ok(stored)
    }

    /// Returns a result with the knowledge whether its address is good wherever the next request goes, after an attempt
    /// to make it so.
    pub async fn promised(&self, found: StoredResult) -> StoredResult {
        let StoredResult { stored, origin, .. } = &found;
        let Some(tier) = &self.shared else {
            let is_kept = self.disk.is_some() || self.caches.admits(stored);
            let origin = if !is_kept && *origin == Origin::Made { Origin::Unkept } else { *origin };
            return StoredResult { origin, is_kept, ..found };
        };
        let is_everywhere = self.is_shared(tier, stored).await;
        StoredResult { is_kept: is_everywhere || self.disk.is_some(), is_everywhere, ..found }
    }

    /// Returns true if other servers have a result; sends it to them if they do not.
    async fn is_shared(&self, tier: &Arc<SealedTier>, stored: &Arc<ResultEntry>) -> bool {
        let epoch = tier.epoch();
        if stored.marks.shared.holds(epoch, CONFIRMED) {
            return true;
        }
        // If it is on its way, an answer has waited for it already.
        if stored.marks.is_on_its_way.load(Ordering::Relaxed) {
            return false;
        }
        if tier.has(EntryKind::Results, &stored.key).await {
            stored.marks.shared.note(epoch);
            return true;
        }
        self.share_result(tier, stored).await
    }

    /// Sends a result to the other servers; returns true if they have it before an answer may name it.
    async fn share_result(&self, tier: &Arc<SealedTier>, stored: &Arc<ResultEntry>) -> bool {
        let (values, tier, stored) = (self.values(stored).await, tier.clone(), stored.clone());
        stored.marks.is_on_its_way.store(true, Ordering::Relaxed);
        let sent = rt::spawn(async move {
            let epoch = tier.epoch();
            let is_shared = tier.put_all(values).await;
            if is_shared {
                stored.marks.shared.note(epoch);
            }
            stored.marks.is_on_its_way.store(false, Ordering::Relaxed);
            is_shared
        });
        matches!(timeout(PATIENCE, sent).await, Ok(Ok(true)))
    }

    /// Returns a result as other servers need it: with the places of its files and archives.
    async fn values(&self, stored: &Arc<ResultEntry>) -> Vec<(String, Value)> {
        let mut values = vec![(stored.key.clone(), Value::Result(stored.clone()))];
        for (path, blob) in named_files(stored) {
            values.push((blob.sha256().to_owned(), Value::Place(format!("{}/{path}", stored.key).into())));
        }
        for format in Format::ALL {
            if let Some(archive) = self.caches.archives.get(&(stored.key.clone(), Some(format))).await {
                values.push((archive.sha256().to_owned(), Value::Place(archive_place(stored, format))));
            }
        }
        values
    }

    /// Sends values to the other servers; returns true if they have them before an answer may name them. The values are
    /// sent even if that takes longer.
    async fn share(&self, values: Vec<(String, Value)>) -> bool {
        let Some(tier) = self.shared.clone() else { return true };
        let sent = rt::spawn(async move { tier.put_all(values).await });
        matches!(timeout(PATIENCE, sent).await, Ok(Ok(true)))
    }

    fn too_late(&self) -> ApiError {
        let detail = format!("the job had no end after {} seconds", self.limits.job_seconds);
        ApiError::new(Kind::DEADLINE, detail)
    }

    /// Looks for a result in the tiers below memory.
    async fn elsewhere(&self, key: &str) -> Option<StoredResult> {
        for tier in self.below() {
            let Some(stored) = tier.get(EntryKind::Results, key).await.and_then(Value::result) else {
                continue;
            };
            if tier.origin() == Origin::Shared {
                stored.marks.shared.note(tier.epoch());
                if let Some(disk) = self.disk.clone() {
                    let stored = stored.clone();
                    rt::spawn(async move { disk.put(&stored.key, Value::Result(stored.clone())).await });
                }
            }
            return Some(StoredResult::found(stored, tier.origin()));
        }
        None
    }

    /// Stores a result that was not made by a job for a bundle, under its key.
    pub async fn adopt(&self, made: ResultEntry) -> StoredResult {
        let stored = Arc::new(made);
        self.caches.put(&stored.key, Value::Result(stored.clone())).await;
        self.keep(&stored).await;
        self.promised(StoredResult::found(stored, Origin::Made)).await
    }

    /// Stores a new result on the disk and at other servers, before an answer names it.
    async fn keep(&self, stored: &Arc<ResultEntry>) {
        let sharing = async {
            if let Some(tier) = &self.shared {
                self.share_result(tier, stored).await;
            }
        };
        let on_disk = async {
            if let Some(disk) = &self.disk {
                disk.put(&stored.key, Value::Result(stored.clone())).await;
            }
        };
        join(sharing, on_disk).await;
        for (path, blob) in named_files(stored) {
            let is_output = path.starts_with("cpp/");
            self.note_place(blob.sha256(), format!("{}/{path}", stored.key).into(), is_output).await;
        }
    }

    /// Records the place of the bytes with a digest: in memory and, if a build may ask for them after a restart, on the
    /// disk.
    async fn note_place(&self, digest: &str, place: Arc<str>, is_lasting: bool) {
        self.caches.put(digest, Value::Place(place.clone())).await;
        if let Some(disk) = self.disk.clone().filter(|_| is_lasting) {
            // The answer need not wait for this: a lost record only means that the bytes are found by the result's key.
            let digest = digest.to_owned();
            rt::spawn(async move { disk.put(&digest, Value::Place(place)).await });
        }
    }

    /// Returns the bytes with a digest, if they are a file or an archive of a stored result.
    ///
    /// # Errors
    /// No stored result has them.
    pub async fn by_digest(
        &self,
        digest: &str,
        ticket: impl FnOnce() -> Ticket,
    ) -> Result<(Blob, Origin), ApiError> {
        let missing =
            || ApiError::new(Kind::NOT_FOUND, format!("no result has bytes with the sha256 '{digest}'"));
        let mut place = self.caches.get(EntryKind::Places, digest).await.and_then(Value::place);
        for tier in self.below() {
            if place.is_none() {
                place = tier.get(EntryKind::Places, digest).await.and_then(Value::place);
            }
        }
        let place = place.ok_or_else(missing)?;
        let (key, rest) = place.split_at_checked(64).ok_or_else(missing)?;
        let StoredResult { stored, origin, .. } = self.stored(key).await.map_err(|_| missing())?;
        let blob = match rest.strip_prefix('/') {
            Some(path) => self.file(&stored, path),
            None => match Format::of_name(&place) {
                Some(format) => Some(self.archive(&stored, format, ticket).await?),
                None => None,
            },
        };
        // The record of the place may be old, or wrong.
        blob.filter(|blob| blob.sha256() == digest).map(|blob| (blob, origin)).ok_or_else(missing)
    }

    /// Returns an archive that the tenant sent before, here or to another server.
    pub async fn bundle(&self, tenant: &str, digest: &str) -> Option<Bytes> {
        let name = keys::of_tenant(tenant, digest);
        if let Some(body) = self.caches.bundles.get(&name).await {
            return Some(body);
        }
        for tier in self.below() {
            if let Some(body) = tier.get(EntryKind::Bundles, &name).await.and_then(Value::bundle) {
                self.caches.put(&name, Value::Bundle(body.clone())).await;
                return Some(body);
            }
        }
        None
    }

    /// Stores an archive of a tenant under its digest; returns true if other servers have it.
    pub async fn keep_bundle(&self, tenant: &str, digest: &str, body: Bytes) -> bool {
        let name = keys::of_tenant(tenant, digest);
        self.caches.put(&name, Value::Bundle(body.clone())).await;
        if let Some(disk) = &self.disk {
            disk.put(&name, Value::Bundle(body.clone())).await;
        }
        self.share(vec![(name, Value::Bundle(body))]).await
    }

    /// Returns true if other servers have an archive that this one has; sends it to them if they do not.
    pub async fn confirm_bundle(&self, tenant: &str, digest: &str, body: Bytes) -> bool {
        let Some(tier) = &self.shared else { return true };
        let name = keys::of_tenant(tenant, digest);
        tier.has(EntryKind::Bundles, &name).await || self.share(vec![(name, Value::Bundle(body))]).await
    }

    /// Sends files of a tenant to the other servers, so that any of them knows these files by their digests.
    pub async fn share_sources(&self, tenant: &str, files: Vec<SourceFile>) {
        let Some(tier) = &self.shared else { return };
        let epoch = tier.epoch();
        let is_new = |file: &SourceFile| !file.shared.holds(epoch, u64::MAX);
        let files: Vec<SourceFile> = files.into_iter().filter(is_new).collect();
        let value = |file: &SourceFile| {
            (keys::of_tenant(tenant, &keys::hex(&file.digest)), Value::Source(file.bytes.clone()))
        };
        if !files.is_empty() && self.share(files.iter().map(value).collect()).await {
            files.iter().for_each(|file| file.shared.note(epoch));
        }
    }

    /// Returns a file that a tenant sent to another server before.
    pub async fn source(&self, tenant: &str, digest: &str) -> Option<SourceFile> {
        let tier = self.shared.as_ref()?;
        let epoch = tier.epoch();
        let name = keys::of_tenant(tenant, digest);
        let bytes = tier.get(EntryKind::Sources, &name).await.and_then(Value::source)?;
        let file = SourceFile::new(keys::from_hex(digest)?, bytes);
        file.shared.note(epoch);
        Some(file)
    }

    /// Runs the job of a request.
    async fn make(
        &self,
        request: Request,
        ticket: &Ticket,
        job: &RunningJob,
    ) -> Result<Arc<ResultEntry>, ApiError> {
        let limits = self.limits.job.clone();
        let progress = Progress::new(&limits, ticket.cancel.clone());
        job.follow(progress.clone());
        let work = self.pool.run(ticket, move || {
            // One thread does all the work, so that the pool can measure its time.
            let finished = request.run(&limits, &progress, NonZero::<usize>::MIN, None);
            if finished.result.has(Code::Cancelled) || progress.cancel().is_cancelled() {
                return Err(ApiError::client_gone());
            }
            let is_ours = finished.result.has(Code::Internal);
            let stored = Arc::new(finished.into_stored());
            if is_ours {
                let detail = stored.diagnostics.iter().find(|report| report.code == Code::Internal);
                return Err(ApiError::new(Kind::INTERNAL, detail.map_or("", |report| &report.message)));
            }
            Ok(stored)
        });
        match work.await {
            Ok(made) => made,
            Err(Refused::Late) if ticket.until <= Instant::now() => Err(self.too_late()),
            // The job was cancelled before its turn came.
            Err(Refused::Late) => Err(ApiError::client_gone()),
            Err(refused) => Err(refused.into()),
        }
    }

    /// Returns a result that is in memory.
    pub async fn in_memory(&self, key: &str) -> Option<StoredResult> {
        let stored = self.caches.results.get(key).await?;
        stored.mark_used();
        Some(StoredResult::found(stored, Origin::Memory))
    }

    /// Returns the state of a result that was not in memory.
    ///
    /// # Errors
    /// The result is unknown, or its job failed.
    pub async fn not_in_memory(
        self: &Arc<Self>,
        key: &str,
        ticket: impl FnOnce() -> Ticket,
    ) -> Result<KnownResult, ApiError> {
        if let Some(report) = self.running.report(key) {
            return Ok(KnownResult::Running(report));
        }
        // Memory is checked once more first: the job may just have ended.
        if let Some(known) = self.known(key).await {
            return Ok(known);
        }
        if let Some(failure) = self.running.failure(key) {
            return Err(failure);
        }
        if let Some(tier) = self.shared.as_ref().filter(|_| keys::is_key(key)) {
            if let Some(lease) = tier.lease(key).await {
                return Ok(KnownResult::Elsewhere(lease.report));
            }
            if let Some(known) = self.take_over(key, ticket).await? {
                return Ok(known);
            }
        }
        Err(missing(key))
    }

    /// Returns a stored result by the name of its request.
    async fn known(&self, key: &str) -> Option<KnownResult> {
        if let Ok(found) = self.stored(key).await {
            return Some(KnownResult::Found(found));
        }
        let limited = keys::limited(key, &self.limits.job);
        self.stored(&limited).await.ok().map(KnownResult::Limited)
    }

    /// Returns a stored result.
    ///
    /// # Errors
    /// It is not stored.
    pub async fn stored(&self, key: &str) -> Result<StoredResult, ApiError> {
        if let Some(found) = self.in_memory(key).await {
            return Ok(found);
        }
        // The rare case is boxed, so that the future of a hit stays small.
        Box::pin(self.stored_elsewhere(key)).await
    }

    async fn stored_elsewhere(&self, key: &str) -> Result<StoredResult, ApiError> {
        if let Some(stored) = self.large_results.find(key) {
            return Ok(StoredResult::found(stored, Origin::Memory));
        }
        let mut origin = Origin::Memory;
        let find = async {
            let found = if keys::is_key(key) { self.elsewhere(key).await } else { None };
            found.map(|found| {
                origin = found.origin;
                found.stored
            })
        };
        let stored = self.caches.results.optionally_get_with(key.to_owned(), find).await;
        if let Some(stored) = stored.as_ref().filter(|stored| !self.caches.admits(stored)) {
            self.large_results.add(key.to_owned(), stored);
            // The cache evicts the value, but only when it next processes its insertions.
            self.caches.results.run_pending_tasks().await;
        }
        let found = stored.map(|stored| StoredResult::found(stored, origin));
        found.ok_or_else(|| missing(key))
    }

    /// Returns a file of a result, if it has one with this path.
    #[must_use]
    pub fn file(&self, stored: &Arc<ResultEntry>, path: &str) -> Option<Blob> {
        let blob = stored.files.get(path)?;
        let bytes = match self.caches.admits(stored) {
            true => blob.bytes.clone(),
            false => readers::part(stored.clone(), blob.bytes.clone()),
        };
        Some(Blob { bytes, ..blob.clone() })
    }

    /// Returns the archive of a result.
    ///
    /// # Errors
    /// Its job failed.
    pub async fn archive(
        &self,
        stored: &Arc<ResultEntry>,
        format: Format,
        ticket: impl FnOnce() -> Ticket,
    ) -> Result<Blob, ApiError> {
        let key = (stored.key.clone(), Some(format));
        if let Some(blob) = self.caches.archives.get(&key).await {
            return Ok(blob);
        }
        let blob = Box::pin(self.pack(stored, key, format, "", ticket())).await?;
        let place = archive_place(stored, format);
        if let Some(tier) = self.shared.clone() {
            // An answer with the archive does not name its place, and need not wait.
            let place = (blob.sha256().to_owned(), Value::Place(place.clone()));
            rt::spawn(async move { tier.put_all(vec![place]).await });
        }
        self.note_place(blob.sha256(), place, true).await;
        Ok(blob)
    }

    /// Returns the archive with everything in one folder, as some programs require.
    ///
    /// # Errors
    /// Its job failed.
    pub async fn archive_in_folder(
        &self,
        stored: &Arc<ResultEntry>,
        format: Format,
        ticket: Ticket,
    ) -> Result<Blob, ApiError> {
        let folder = format!("odsmith-{}/", &stored.key[..16]);
        let key = (format!("{folder}{}", stored.key), Some(format));
        Box::pin(self.pack(stored, key, format, &folder, ticket)).await
    }

    async fn pack(
        &self,
        stored: &Arc<ResultEntry>,
        key: (String, Option<Format>),
        format: Format,
        folder: &str,
        ticket: Ticket,
    ) -> Result<Blob, ApiError> {
        let worker = ticket.for_all();
        let work = async {
            let (stored, folder) = (stored.clone(), folder.to_owned());
            let pack = move || {
                let files = stored.files.iter();
                let files =
                    files.map(|(path, blob)| (format!("{folder}{path}"), blob.bytes.clone())).collect();
                Blob::new(archive::write(format, &files))
            };
            self.pool.run(&worker, pack).await.map_err(ApiError::from)
        };
        let name = format!("{folder}{}{}", stored.key, format.extension());
        if let Some(large) = self.large_archives.find(&name) {
            return Ok(held(&large));
        }
        let packed = self.caches.archives.try_get_with(key, work).await;
        let packed = packed.map_err(|error| ApiError::clone(&error))?;
        if self.caches.admits_archive(&packed) {
            return Ok(packed);
        }
        let large = Arc::new(packed);
        self.large_archives.add(name, &large);
        Ok(held(&large))
    }

    /// Returns the object that describes a result, with the digests of its archives.
    ///
    /// # Errors
    /// The result has none, or the job failed.
    pub async fn object(
        &self,
        stored: &Arc<ResultEntry>,
        ticket: impl FnOnce() -> Ticket,
    ) -> Result<Blob, ApiError> {
        let key = (stored.key.clone(), None);
        if let Some(blob) = self.caches.archives.get(&key).await {
            return Ok(blob);
        }
        Box::pin(self.name_archives(stored, key, ticket())).await
    }

    /// Describes the archives of a result.
    async fn archives(
        &self,
        stored: &Arc<ResultEntry>,
        ticket: &Ticket,
    ) -> Result<Vec<ArchiveReport>, ApiError> {
        let (mut archives, mut places) = (Vec::new(), Vec::new());
        for format in Format::ALL {
            let archive = self.archive(stored, format, || ticket.clone()).await?;
            let place = archive_place(stored, format);
            places.push((archive.sha256().to_owned(), Value::Place(place)));
            let key = stored.key.clone();
            let report = move || ArchiveReport::new(&key, format, &archive.bytes);
            archives.push(self.pool.run(ticket, report).await?);
        }
        // Their digests are named.
        self.share(places).await;
        Ok(archives)
    }

    /// Returns the signed provenance of a result.
    ///
    /// # Errors
    /// The result failed, or the job did.
    pub async fn provenance(
        &self,
        stored: &Arc<ResultEntry>,
        key: &SigningKey,
        ticket: &Ticket,
    ) -> Result<Envelope, ApiError> {
        if !stored.is_ok {
            let detail = "only what could be made as a whole has a statement";
            return Err(ApiError::new(Kind::NOT_FOUND, detail));
        }
        let archives = self.archives(stored, ticket).await?;
        let statement = Statement::of(stored, &archives)
            .ok_or_else(|| ApiError::new(Kind::INTERNAL, "what was kept is no object"))?;
        Ok(key.sign(&statement.to_json()))
    }

    async fn name_archives(
        &self,
        stored: &Arc<ResultEntry>,
        key: (String, Option<Format>),
        ticket: Ticket,
    ) -> Result<Blob, ApiError> {
        let object = stored.object().ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, &*stored.key))?;
        let archives = self.archives(stored, &ticket).await?;
        let object = generate::with_archives(&object.bytes, &archives)
            .map_err(|_| ApiError::new(Kind::INTERNAL, "what was kept is no object"))?;
        let blob = Blob::new(object);
        self.caches.archives.insert(key, blob.clone()).await;
        Ok(blob)
    }
}

/// Returns a copy of an archive that keeps the original alive.
fn held(archive: &Arc<Blob>) -> Blob {
    Blob { bytes: readers::part(archive.clone(), archive.bytes.clone()), ..Blob::clone(archive) }
}

/// Returns the files of a result that are named by their digests. There are many pages, and they are requested by their
/// own addresses.
fn named_files(stored: &ResultEntry) -> impl Iterator<Item = (&String, &Blob)> {
    let is_page =
        |path: &str| path.starts_with("site/") || path.starts_with("markdown/") || path == MKDOCS_SETTINGS;
    stored.files.iter().filter(move |(path, _)| !is_page(path))
}

/// Returns the bytes of the caches: at most a quarter of what the process may take. States of evaluation take as much, and
/// a job may take twice as much.
fn cache_bytes(config: &Config) -> u64 {
    let wanted = config.cache_mb << 20;
    MemoryCeiling::new(config.memory_mb).most().map_or(wanted, |most| wanted.min(most / 4))
}

/// Returns the place of an archive of a result.
fn archive_place(stored: &ResultEntry, format: Format) -> Arc<str> {
    format!("{}{}", stored.key, format.extension()).into()
}

/// Returns the request that another server announced; `None` if this server cannot do it.
fn reopened(request: &StoredRequest, libraries: &Libraries) -> Option<Request> {
    let manifest: Manifest = serde_json::from_slice(&request.manifest).ok()?;
    let mut files = Bundle::default();
    request.files.iter().for_each(|(path, content)| files.insert(path.as_str(), &**content));
    Request::new(libraries, files, Some(manifest), |_| Ok(())).ok()
}

/// Returns the error for a result that is not stored.
fn missing(key: &str) -> ApiError {
    ApiError::new(Kind::RESULT_NOT_FOUND, format!("there is no result '{key}'"))
}

/// Returns the error for a result that was too large to keep.
fn unkept() -> ApiError {
    let detail = "the result is too large to be kept here; ask for it without Prefer";
    ApiError::new(Kind::RESULT_NOT_FOUND, detail)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use odsmith_engine::release::Release;

    use super::*;

    /// A future is copied more than once before it reaches a worker; that of a hit must not reserve space for a miss.
    #[test]
    fn what_a_hit_carries_along() {
        let library =
            odsmith_engine::library::Library::new(Release::default(), String::new(), BTreeMap::new());
        let results = Results::new(&Config::default(), Arc::new(library.into())).unwrap();
        let size = size_of_val(&results.stored("key"));
        assert!(size < 2_000, "{size} bytes");
    }
}
