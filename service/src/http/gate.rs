//! Who may come in, and who it is: clients with a token, where tokens are asked for; else those at an address.

use std::time::Instant;

use actix_web::{HttpRequest, dev::ServiceRequest};

use crate::{
    config::Config,
    http::{
        access::Access,
        quota::{self, Quota, Standing},
        routes::Rule,
    },
    jobs::ticket::Client,
    pipeline::error::{ApiError, Kind},
};

/// Who may come in, and how often.
pub struct Gate {
    /// What each client may do, if there is an end to it.
    pub quota: Option<Quota>,
    /// Who may come in.
    pub access: Access,
}

impl Gate {
    /// The gate that a configuration describes.
    ///
    /// # Errors
    /// Tokens or proxies are wrong.
    pub fn new(config: &Config) -> Result<Gate, String> {
        Ok(Gate { quota: Quota::new(&config.limits.quota), access: Access::new(config)? })
    }

    /// Whether a client needs a token.
    #[must_use]
    pub fn asks_for_tokens(&self) -> bool {
        self.access.asks_for_tokens()
    }

    /// Admits a request to the endpoint that it was routed to: what its client may still do, and the refusal if it is
    /// not let in. Pages are free.
    #[must_use]
    pub fn admit(&self, request: &ServiceRequest, rule: &Rule) -> (Option<Standing>, Option<ApiError>) {
        let client = match self.access.visitor(request.request(), rule.needs(request.method())) {
            Ok(visitor) => visitor.client,
            Err(refusal) => return (None, Some(refusal)),
        };
        let Some(quota) = self.quota.as_ref().filter(|_| rule.is_counted()) else {
            return (None, None);
        };
        let standing = quota.take(client, Instant::now());
        let refusal = (!standing.is_admitted).then(|| ApiError {
            retry_after: u32::try_from(quota::seconds(standing.reset)).ok(),
            ..ApiError::new(
                Kind::OVER_QUOTA,
                "this client comes too often; Retry-After says when to come again",
            )
        });
        (Some(standing), refusal)
    }

    /// Who asks, of a request that was let in.
    #[must_use]
    pub fn client_of(&self, request: &HttpRequest) -> Client {
        self.access.client_of(request)
    }
}
