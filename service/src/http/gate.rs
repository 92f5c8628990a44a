//! Admission: identifies each client, by its token where tokens are required, else by its address, and applies quotas.

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

/// Access control and quota together.
pub struct Gate {
    /// The quota of each client, if there is one.
    pub quota: Option<Quota>,
    /// The access control.
    pub access: Access,
}

impl Gate {
    /// Creates the gate that a configuration describes.
    ///
    /// # Errors
    /// Tokens or proxies are wrong.
    pub fn new(config: &Config) -> Result<Gate, String> {
        Ok(Gate { quota: Quota::new(&config.limits.quota), access: Access::new(config)? })
    }

    /// Returns true if a client needs a token.
    #[must_use]
    pub fn asks_for_tokens(&self) -> bool {
        self.access.asks_for_tokens()
    }

    /// Decides whether to admit a request to the endpoint that it was routed to: returns the client's standing and, if
    /// the request is refused, the error. Pages do not count on the quota.
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

    /// Returns the client of an admitted request.
    #[must_use]
    pub fn client_of(&self, request: &HttpRequest) -> Client {
        self.access.client_of(request)
    }
}
