//! What all requests share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::HttpRequest;

use crate::http::routes::FAMILIES;
use crate::{
    config::{Config, Limits},
    http::{
        access::token_name,
        gate::Gate,
        ide::Editors,
        in_flight::{InFlight, Reservation},
        site_origin::SiteOrigin,
    },
    jobs::{
        results::{BegunResult, Results, StoredResult, Upload},
        ticket::Ticket,
        work::{Spent, Work},
    },
    observe::observers::Observers,
    pipeline::{
        error::ApiError,
        fetch::{Fetcher, Internet, Network},
        library::Libraries,
    },
    store::signing::SigningKey,
};

/// What all requests share.
pub struct State {
    /// The libraries.
    pub libraries: Arc<Libraries>,
    /// Every limit.
    pub limits: Limits,
    /// Who may come in.
    pub gate: Gate,
    /// Where results are made and kept.
    pub results: Arc<Results>,
    /// What answers the questions of editors.
    pub editors: Arc<Editors>,
    /// What sees every answer.
    pub observers: Observers,
    /// What fetches sources, if anything does.
    pub fetcher: Option<Fetcher>,
    /// What signs where results come from, if anything does.
    pub signing_key: Option<SigningKey>,
    /// Where sites are shown, if they have an origin of their own.
    pub site_origin: Option<SiteOrigin>,
    in_flight: Arc<InFlight>,
    is_draining: AtomicBool,
}

impl State {
    /// The state of a server at its start.
    ///
    /// # Errors
    /// The threads of the pool could not be made, or the configuration names what can not be.
    pub fn new(config: &Config, libraries: impl Into<Libraries>) -> Result<State, String> {
        State::in_network(config, libraries, Arc::new(Internet))
    }

    /// The same in a network of its own, for tests.
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
            gate: Gate::new(config)?,
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
            site_origin: config.site_origin.as_deref().map(SiteOrigin::new).transpose()?,
            in_flight: InFlight::new(limits.bytes_in_flight, limits.bytes_in_flight_of_client),
            is_draining: AtomicBool::new(false),
            libraries,
            limits,
        })
    }

    /// Capacity for the bytes of a request as they arrive, held until they have been worked on.
    #[must_use]
    pub fn reservation(&self, request: &HttpRequest) -> Reservation {
        self.in_flight.reservation(self.gate.client_of(request))
    }

    /// What the work for a request carries along: whose it is, and until when it is of use.
    #[must_use]
    pub fn ticket(&self, request: &HttpRequest) -> Ticket {
        let time = Duration::from_secs(self.limits.job_seconds);
        Ticket::new(self.gate.client_of(request), time).counted_on(Spent::of(request))
    }

    /// Tells whoever asks that no new requests are to come; those that come all the same are answered.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Whether the server is about to end.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// The result of an upload, counted as a hit where it is remembered, and noted in the request.
    ///
    /// # Errors
    /// The upload is refused, or the job could not be done.
    pub async fn result(
        &self,
        request: &HttpRequest,
        upload: Upload,
        ticket: &Ticket,
    ) -> Result<StoredResult, ApiError> {
        let (name, upload) = self.results.name(upload, ticket).await?;
        let remembered = self.results.remembered(&name).await;
        self.observers.metrics.found(remembered.is_some());
        let found = match remembered {
            Some(found) => found,
            None => self.results.result(name, upload, ticket).await?,
        };
        Work::led_to(&found.stored.key, request);
        Ok(found)
    }

    /// The result of an upload if it is at hand; else its name, and it is made while no client waits. The reservation is
    /// held until then.
    ///
    /// # Errors
    /// The upload is refused, or there is no time to look at it.
    pub async fn begin(
        self: &Arc<Self>,
        request: &HttpRequest,
        upload: Upload,
        ticket: &Ticket,
        reservation: Reservation,
    ) -> Result<BegunResult, ApiError> {
        let (name, upload) = self.results.name(upload, ticket).await?;
        let remembered = self.results.remembered(&name).await;
        self.observers.metrics.found(remembered.is_some());
        let begun = match remembered {
            Some(found) => BegunResult::Found(found),
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
                self.results.begin(name, upload, ticket.clone(), done).await?
            }
        };
        let key = match &begun {
            BegunResult::Found(found) => &found.stored.key,
            BegunResult::Running(report) => &report.key,
        };
        Work::led_to(key, request);
        Ok(begun)
    }
}
