//! State shared by all requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use actix_web::HttpRequest;

use crate::{
    config::{Config, Limits},
    http::{
        access::{Access, registry_rights, tenant, token_name},
        in_flight::{InFlight, Reservation},
        routes::FAMILIES,
        site_origin::SiteOrigin,
    },
    jobs::{
        catalogs::CatalogServer,
        results::{BegunResult, Results, StoredResult, Upload},
        ticket::Ticket,
        work::{ProcessorTime, RequestWork},
    },
    observe::{memory::MemoryCeiling, observers::Observers},
    pipeline::{
        catalog::read::CatalogSettings,
        error::{ApiError, Kind},
        fetch::{Fetcher, Internet, Network},
        ide::Editors,
        library::Libraries,
        request::Form,
    },
    store::{origin::Origin, signing::SigningKey},
};

/// State shared by all requests.
pub struct State {
    /// The libraries.
    pub libraries: Arc<Libraries>,
    /// Every limit.
    pub limits: Limits,
    /// Admission of requests.
    pub access: Access,
    /// The jobs and their stored results.
    pub results: Arc<Results>,
    /// Answers the requests of editors.
    pub editors: Arc<Editors>,
    /// The observers of every answer.
    pub observers: Observers,
    /// Fetches sources, if that is configured.
    pub fetcher: Option<Fetcher>,
    /// Signs provenance, if that is configured.
    pub signing_key: Option<SigningKey>,
    /// The catalogue of published dialects, if there is one.
    pub catalog: Option<Arc<CatalogServer>>,
    /// The origin of sites, if they have a separate one.
    pub site_origin: Option<SiteOrigin>,
    in_flight: Arc<InFlight>,
    memory: MemoryCeiling,
    is_draining: AtomicBool,
}

impl State {
    /// Creates the state of a server at its start.
    ///
    /// # Errors
    /// The threads of the pool could not be started, or the configuration is invalid.
    pub fn new(config: &Config, libraries: impl Into<Libraries>) -> Result<State, String> {
        State::in_network(config, libraries, Arc::new(Internet))
    }

    /// Does the same with a separate network, for tests.
    ///
    /// # Errors
    /// As for [`State::new`].
    pub fn in_network(
        config: &Config,
        libraries: impl Into<Libraries>,
        network: Arc<dyn Network>,
    ) -> Result<State, String> {
        let (libraries, limits) = (Arc::new(libraries.into()), config.limits.clone());
        Ok(State {
            access: Access::new(config)?,
            fetcher: match &config.fetch_hosts[..] {
                [] => None,
                hosts => {
                    let patience = Duration::from_secs(limits.fetch_seconds);
                    Some(Fetcher::new(network, hosts, limits.archive.body_bytes, patience)?)
                }
            },
            results: Arc::new(Results::new(config, libraries.clone())?),
            editors: Arc::new(Editors::new(libraries.clone(), limits.archive.clone(), limits.job.clone())),
            observers: Observers::new(config, FAMILIES)?,
            signing_key: config.signing_key_file.as_deref().map(SigningKey::read).transpose()?,
            catalog: catalog_of(config)?,
            site_origin: config.site_origin.as_deref().map(SiteOrigin::new).transpose()?,
            in_flight: InFlight::new(limits.bytes_in_flight, limits.bytes_in_flight_of_client),
            memory: MemoryCeiling::new(config.memory_mb),
            is_draining: AtomicBool::new(false),
            libraries,
            limits,
        })
    }

    /// Creates a reservation for the bytes of a request as they arrive, held until the work on them is done.
    #[must_use]
    pub fn reservation(&self, request: &HttpRequest) -> Reservation {
        self.in_flight.reservation(self.access.client_of(request))
    }

    /// Admits a request that starts work, as far as the memory of the process allows it. One that is alone is admitted
    /// always: refusing it would free nothing.
    ///
    /// # Errors
    /// The process takes too much memory, and others work.
    pub fn check_memory(&self) -> Result<(), ApiError> {
        let Some((bytes, mark)) = self.memory.excess() else { return Ok(()) };
        // Archives can be packed again.
        self.results.caches.archives.invalidate_all();
        let load = self.results.pool.load();
        if load.running + load.waiting == 0 && self.in_flight.held() == 0 {
            return Ok(());
        }
        let detail = format!("{} MB of memory are in use, and work begins below {}", bytes >> 20, mark >> 20);
        Err(ApiError::new(Kind::OVERLOADED, detail))
    }

    /// Drops the states of evaluation that jobs share, and then stops jobs, while the memory of the process is nearly used
    /// up, for as long as the server runs. Does nothing without a ceiling.
    pub fn guard_memory(self: &Arc<Self>) {
        /// A job takes memory at a gigabyte a second at most.
        const INTERVAL: Duration = Duration::from_millis(10);
        /// A job needs this time to end and to free its memory.
        const PATIENCE: Duration = Duration::from_millis(40);
        /// The time between two drops of the shared states.
        const RESPITE: Duration = Duration::from_secs(1);
        if self.memory.most().is_none() {
            return;
        }
        let state = Arc::downgrade(self);
        thread::spawn(move || {
            let mut dropped_at: Option<Instant> = None;
            while let Some(state) = state.upgrade() {
                if state.memory.excess().is_some() && dropped_at.is_none_or(|at| at.elapsed() > RESPITE) {
                    state.libraries.drop_states();
                    dropped_at = Some(Instant::now());
                }
                let has_stopped = state.memory.is_near() && state.results.pool.relieve();
                drop(state);
                thread::sleep(if has_stopped { PATIENCE } else { INTERVAL });
            }
        });
    }

    /// Returns the ticket of a request's work: its client and its deadline.
    #[must_use]
    pub fn ticket(&self, request: &HttpRequest) -> Ticket {
        let time = Duration::from_secs(self.limits.job_seconds);
        Ticket::new(self.access.client_of(request), time).counted_on(ProcessorTime::of(request))
    }

    /// Starts draining: `/readyz` fails, requests are still answered.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Returns true if the server is about to end.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Returns the result of an upload; counts a hit if it was stored, and notes it in the request.
    ///
    /// # Errors
    /// The upload is refused, or the job failed.
    pub async fn result(
        &self,
        request: &HttpRequest,
        upload: Upload,
        ticket: &Ticket,
    ) -> Result<StoredResult, ApiError> {
        let upload = of_client(request, upload);
        let (name, upload) = self.results.name(upload, ticket).await?;
        let remembered = self.results.remembered(&name).await;
        self.observers.metrics.found(remembered.is_some());
        let found = match remembered {
            // The same tenant sent the same before.
            Some(found) => self.results.promised(found).await,
            None => private(request, self.results.result(name, upload, ticket).await?),
        };
        RequestWork::led_to(&found.stored.key, request);
        Ok(found)
    }

    /// Returns a stored result for an answer that names its address.
    pub async fn promised(&self, request: &HttpRequest, found: StoredResult) -> StoredResult {
        private(request, self.results.promised(found).await)
    }

    /// Returns the result of an upload if it is stored; else starts the job and returns its name, and no client waits.
    /// The reservation is held until the job ends.
    ///
    /// # Errors
    /// The upload is refused, or there is no time to read it.
    pub async fn begin(
        self: &Arc<Self>,
        request: &HttpRequest,
        upload: Upload,
        ticket: &Ticket,
        reservation: Reservation,
    ) -> Result<BegunResult, ApiError> {
        let upload = of_client(request, upload);
        let (name, upload) = self.results.name(upload, ticket).await?;
        let remembered = self.results.remembered(&name).await;
        self.observers.metrics.found(remembered.is_some());
        let begun = match remembered {
            Some(found) => BegunResult::Found(self.results.promised(found).await),
            None => {
                let (state, token) = (self.clone(), token_name(request).unwrap_or_default());
                let done = move |made: &Result<StoredResult, ApiError>, spent| {
                    drop(reservation);
                    let (outcome, key) = match made {
                        Ok(found) => (found.outcome(), found.stored.key.as_str()),
                        Err(error) => (error.kind.code, ""),
                    };
                    state.observers.finished(token, outcome, key, spent);
                };
                match self.results.begin(name, upload, ticket.clone(), done).await? {
                    BegunResult::Found(found) => BegunResult::Found(private(request, found)),
                    running @ BegunResult::Running(_) => running,
                }
            }
        };
        let key = match &begun {
            BegunResult::Found(found) => &found.stored.key,
            BegunResult::Running(report) => &report.key,
        };
        RequestWork::led_to(key, request);
        Ok(begun)
    }
}

/// Creates the catalogue that a configuration names, and starts to read it.
fn catalog_of(config: &Config) -> Result<Option<Arc<CatalogServer>>, String> {
    let Some(place) = &config.catalog else { return Ok(None) };
    let settings = config.catalog_settings.as_deref().map(CatalogSettings::read).transpose()?;
    let server = CatalogServer::new(place, settings.unwrap_or_default())?;
    server.start();
    Ok(Some(server))
}

/// Returns an upload with the rights of its client. Its name is different for each tenant and for each set of rights, so that
/// none learns what others have sent, or gets what others may read.
fn of_client(request: &HttpRequest, upload: Upload) -> Upload {
    let (tenant, rights) = (tenant(request), registry_rights(request));
    let salt = match (tenant.as_str(), rights.are_all()) {
        ("", true) => upload.salt,
        (tenant, true) => format!("{tenant}\0{}", upload.salt),
        (tenant, false) => format!("{tenant}\0{rights:?}\0{}", upload.salt),
    };
    Upload { salt, form: Form { registries: rights, ..upload.form }, ..upload }
}

/// Returns a result as a tenant sees it that did not send its request before: as if it had been made for it.
fn private(request: &HttpRequest, found: StoredResult) -> StoredResult {
    if tenant(request).is_empty() {
        return found;
    }
    let origin = if found.origin == Origin::Unkept { Origin::Unkept } else { Origin::Made };
    StoredResult { origin, is_private: true, ..found }
}
