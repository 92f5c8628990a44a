//! What all requests share.

use std::{sync::Arc, time::Duration};

use odsmith_engine::library::Library;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    config::{Config, Limits},
    error::{ApiError, Kind},
    fetch::{Fetcher, Internet, Network},
    gate::Gate,
    observers::Observers,
    results::{Results, StoredResult, Upload},
    site_origin::SiteOrigin,
};

/// What all requests share.
pub struct State {
    /// The library.
    pub library: Arc<Library>,
    /// Every limit.
    pub limits: Limits,
    /// Who may come in.
    pub gate: Gate,
    /// Where results are made and kept.
    pub results: Arc<Results>,
    /// What sees every answer.
    pub observers: Observers,
    /// What fetches sources, if anything does.
    pub fetcher: Option<Fetcher>,
    /// Where sites are shown, if they have an origin of their own.
    pub site_origin: Option<SiteOrigin>,
    in_flight: Arc<Semaphore>,
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
        let (library, limits) = (Arc::new(library), config.limits.clone());
        let units = usize::try_from(limits.bytes_in_flight / 1024).unwrap_or(usize::MAX);
        Ok(State {
            gate: Gate::new(config),
            fetcher: match &config.fetch_hosts[..] {
                [] => None,
                hosts => {
                    let patience = Duration::from_secs(limits.fetch_seconds);
                    Some(Fetcher::new(network, hosts, limits.archive.body_bytes, patience)?)
                }
            },
            results: Arc::new(Results::new(config, library.clone())?),
            observers: Observers::new(config)?,
            site_origin: config.site_origin.as_deref().map(SiteOrigin::new).transpose()?,
            in_flight: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            library,
            limits,
        })
    }

    /// Capacity for a body of so many bytes, held until it has been worked on.
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

    /// The result of an upload, counted as a hit where it is remembered.
    ///
    /// # Errors
    /// The upload is refused, or the job could not be done.
    pub async fn result(&self, upload: Upload) -> Result<StoredResult, ApiError> {
        let name = upload.name();
        let remembered = self.results.remembered(&name).await;
        self.observers.metrics.found(remembered.is_some());
        match remembered {
            Some(found) => Ok(found),
            None => self.results.result(name, upload).await,
        }
    }
}
