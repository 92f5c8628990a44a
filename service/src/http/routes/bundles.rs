//! `PUT, HEAD /v1/bundles/{sha256}`: stores an archive, so that later requests can name it by its digest.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path, Payload},
};

use crate::{
    http::{access::tenant, body, conditions, forms, openapi::Archive, state::State},
    pipeline::{
        error::{ApiError, Kind},
        request::Source,
    },
    store::{keys, origin::Origin},
};

/// `PUT`: keeps an archive under its digest; 201 if it is new, 204 if it was known.
///
/// # Errors
/// The body is refused, or is another than its name says.
#[utoipa::path(
    put, path = "/v1/bundles/{sha256}", tag = "make", operation_id = "put_bundle",
    params(
        ("sha256" = String, Path, description = "The sha256 of the archive"),
    ),
    request_body(content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar")), description = "The archive"),
    responses(
        (status = 201, description = "It is kept"),
        (status = 204, description = "It was known"),
    ),
)]
pub async fn put(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
    digest: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (digest, tenant) = (checked(digest)?, tenant(&request));
    let body = body::read(&state, &request, payload).await?;
    forms::check_archive(&request, &body.bytes)?;
    let (ticket, bytes) = (state.ticket(&request), body.bytes.clone());
    let seen = state.results.pool.run(&ticket, move || keys::sha256(&bytes)).await?;
    if seen != digest {
        let detail = format!("the body's sha256 is {seen}");
        return Err(ApiError::new(Kind::DIGEST_MISMATCH, detail));
    }
    let is_known = state.results.bundle(&tenant, &digest).await.is_some();
    let tag = format!("\"sha256-{digest}\"");
    conditions::check_change(&request, is_known.then_some(tag.as_str()))?;
    let is_kept = if is_known {
        state.results.confirm_bundle(&tenant, &digest, body.bytes).await
    } else {
        // An archive that later requests would refuse is refused now.
        let (source, limits) = (Source::Archive(body.bytes.clone()), state.limits.archive.clone());
        state.results.pool.run(&ticket, move || source.open("", &limits).map(|_| ())).await??;
        state.results.keep_bundle(&tenant, &digest, body.bytes).await
    };
    let status = if is_known { StatusCode::NO_CONTENT } else { StatusCode::CREATED };
    let mut response = HttpResponse::new(status);
    if !is_kept {
        Origin::Made.write_to(false, response.headers_mut());
    }
    Ok(response)
}

/// `HEAD`: whether an archive is known.
///
/// # Errors
/// It is not.
#[utoipa::path(
    head, path = "/v1/bundles/{sha256}", tag = "make", operation_id = "head_bundle",
    params(
        ("sha256" = String, Path, description = "The sha256 of the archive"),
    ),
    responses(
        (status = 204, description = "It is known"),
    ),
)]
pub async fn head(
    state: Data<State>,
    request: HttpRequest,
    digest: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let digest = checked(digest)?;
    let tenant = tenant(&request);
    match state.results.bundle(&tenant, &digest).await {
        Some(body) => {
            state.results.confirm_bundle(&tenant, &digest, body).await;
            Ok(HttpResponse::NoContent().finish())
        }
        None => Err(ApiError::new(Kind::BUNDLE_NOT_FOUND, format!("there is no bundle '{digest}'"))),
    }
}

fn checked(digest: Path<String>) -> Result<String, ApiError> {
    let digest = digest.into_inner();
    match keys::is_key(&digest) {
        true => Ok(digest),
        false => Err(ApiError::new(Kind::NOT_FOUND, "a bundle is named by the 64 hex digits of its sha256")),
    }
}
