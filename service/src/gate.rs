//! Who may come in, and who it is: clients with a token, where tokens are asked for; else those at an address.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Instant,
};

use actix_web::{dev::ServiceRequest, http::header};
use sha2::{Digest, Sha256};

use crate::{
    config::Config,
    error::{ApiError, Kind},
    keys,
    quota::{self, Client, Quota, Standing},
};

/// Who may come in, and how often.
pub struct Gate {
    /// What each client may do, if there is an end to it.
    pub quota: Option<Quota>,
    /// The digests of tokens that let a client in; without any, everybody may come.
    token_digests: Vec<String>,
    /// Whether a proxy says where requests come from.
    is_behind_proxy: bool,
}

impl Gate {
    /// The gate that a configuration describes.
    #[must_use]
    pub fn new(config: &Config) -> Gate {
        Gate {
            quota: Quota::new(&config.limits.quota),
            token_digests: config.token_digests.clone(),
            is_behind_proxy: config.behind_proxy,
        }
    }

    /// What a client may still do, and why this request is not let in, if it is not. Pages are free.
    #[must_use]
    pub fn admit(&self, request: &ServiceRequest) -> (Option<Standing>, Option<ApiError>) {
        let client = match self.client(request) {
            Ok(client) => client,
            Err(refusal) => return (None, Some(refusal)),
        };
        let Some(quota) = self.quota.as_ref().filter(|_| request.path().starts_with("/v1/")) else {
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

    /// Who asks. Where tokens are asked for, the request must have one whose digest is known.
    fn client(&self, request: &ServiceRequest) -> Result<Client, ApiError> {
        if self.token_digests.is_empty() {
            return Ok(Client::at(self.address(request)));
        }
        let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let Some((_, token)) = token else {
            return Err(ApiError::new(Kind::UNAUTHORIZED, "a token is needed: Authorization: Bearer …"));
        };
        // Digests are compared, so that the time says nothing of a token.
        let digest = Sha256::digest(token.trim().as_bytes());
        match self.token_digests.contains(&keys::hex(&digest)) {
            true => Ok(Client::Token(digest.into())),
            false => Err(ApiError::new(Kind::UNAUTHORIZED, "the token is not known here")),
        }
    }

    /// The address that a request comes from; with a proxy in front, the last one that the proxy names.
    fn address(&self, request: &ServiceRequest) -> IpAddr {
        let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
        if !self.is_behind_proxy {
            return peer;
        }
        let forwarded = request.headers().get_all(header::X_FORWARDED_FOR).last();
        let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        last.unwrap_or(peer)
    }
}
