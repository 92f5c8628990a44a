//! `/cas/{sha256}`: files of results (except pages) and archives by their own digest, in the form of a Bazel remote
//! cache. It is read-only and stores no action results: every `/ac/…` is missing.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};

use crate::{
    http::{openapi::Archive, reply, state::State},
    pipeline::error::{ApiError, Kind},
    store::{cache::Blob, keys, origin::Origin},
};

/// The bytes of a digest.
///
/// # Errors
/// No result that is kept has them.
#[utoipa::path(
    get, path = "/cas/{sha256}", tag = "results", operation_id = "by_digest",
    params(
        ("sha256" = String, Path, description = "The sha256 of an archive of a result, or of a file in it that is no page"),
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "application/octet-stream", body = Archive),
    ),
)]
pub async fn by_digest(
    state: Data<State>,
    request: HttpRequest,
    digest: Path<String>,
) -> Result<HttpResponse, ApiError> {
    if !keys::is_key(&digest) {
        return Err(ApiError::new(Kind::NOT_FOUND, "bytes are named by the 64 hex digits of their sha256"));
    }
    let empty = Blob::new("");
    let (blob, origin) = match *digest == *empty.sha256() {
        // Bazel asks for the empty file to see whether there is a cache.
        true => (empty, Origin::Memory),
        false => state.results.by_digest(&digest, || state.ticket(&request)).await?,
    };
    Ok(reply::kept(&request, &blob, "application/octet-stream", origin))
}

/// Answers that the result of an action is missing, as always.
///
/// # Errors
/// Always.
pub async fn action() -> Result<HttpResponse, ApiError> {
    Err(ApiError::new(Kind::NOT_FOUND, "results of actions are not kept here; only bytes, at /cas/{sha256}"))
}
