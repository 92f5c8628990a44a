//! Who may come in, and who it is: clients with a token, where tokens are asked for; else those at an address.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::{dev::ServiceRequest, http::header};
use sha2::{Digest, Sha256};

use crate::{
    error::{ApiError, Kind},
    keys,
    quota::Client,
};

/// Lets a request in, or says why not. Without digests everybody may come.
///
/// # Errors
/// The request has no token, or none whose digest is among these.
pub fn check(
    digests: &[String],
    is_behind_proxy: bool,
    request: &ServiceRequest,
) -> Result<Client, ApiError> {
    if digests.is_empty() {
        return Ok(Client::at(address(is_behind_proxy, request)));
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
    match digests.contains(&keys::hex(&digest)) {
        true => Ok(Client::Token(digest.into())),
        false => Err(ApiError::new(Kind::UNAUTHORIZED, "the token is not known here")),
    }
}

/// The address that a request comes from; behind a proxy, the last one that the proxy names.
fn address(is_behind_proxy: bool, request: &ServiceRequest) -> IpAddr {
    let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
    if !is_behind_proxy {
        return peer;
    }
    let forwarded = request.headers().get_all(header::X_FORWARDED_FOR).last();
    let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}
