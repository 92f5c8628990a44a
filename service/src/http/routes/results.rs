//! `GET /v1/results/{key}…`: immutable results, by key.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header},
    web::{Data, Payload},
};
use percent_encoding::percent_decode_str;

use super::generate;
use crate::{
    http::{
        openapi::{Archive, Extension},
        query::{Packing, Prefix},
        reply::{self, Form, Keep, RESULT_FORMS},
        state::State,
    },
    jobs::{
        results::{KnownResult, StoredResult},
        running::ProgressReport,
    },
    pipeline::{
        error::{ApiError, Kind},
        generate::KeptResult,
    },
    store::{archive::Format, cache::Blob, keys},
};

/// Answers every address below `/v1/results`. These are the busiest addresses of all, so they are distinguished here
/// rather than by patterns, each of which would cost as much as finding the result.
///
/// # Errors
/// There is no such result, or file in it; or the method is not GET or HEAD.
pub async fn below(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let below = request.match_info().unprocessed();
    let rest = below.strip_prefix('/').unwrap_or_default();
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        if !below.is_empty() {
            return Err(super::refusal("GET, HEAD"));
        }
        if request.method() != Method::POST {
            return Err(super::refusal("POST"));
        }
        // The rare case is boxed, so that the future of a hit stays small.
        return Box::pin(generate::result(&state, &request, payload)).await;
    }
    match rest.split_once('/') {
        None if below.is_empty() => Err(super::refusal("POST")),
        None if rest.is_empty() => Err(super::nowhere_error()),
        None => whole(&state, &request, rest).await,
        Some((key, path)) => match path.strip_prefix("files/") {
            Some(path) => file(&state, &request, key, path).await,
            None => Err(super::nowhere_error()),
        },
    }
}

/// Answers `GET /v1/results/{key}`, `{key}.tar.gz` and so on.
async fn whole(state: &State, request: &HttpRequest, name: &str) -> Result<HttpResponse, ApiError> {
    if let Some(key) = name.strip_suffix(".intoto.json") {
        return provenance(state, request, key).await;
    }
    let (key, form) = match Form::of_name(name, RESULT_FORMS) {
        // The object has no extension.
        None | Some((_, Form::Json)) => (name, Form::Json),
        Some(named) => named,
    };
    if !keys::is_key(key) {
        return Err(ApiError::new(
            Kind::NOT_FOUND,
            "a result is named by 64 hex digits, and perhaps an extension",
        ));
    }
    let found = match state.results.in_memory(key).await {
        Some(found) => found,
        // The rare case is boxed, so that the future of a hit stays small.
        None => match Box::pin(state.results.not_in_memory(key, || state.ticket(request))).await? {
            KnownResult::Found(found) => found,
            KnownResult::Running(report) => return Ok(reply::progress(&report)),
            KnownResult::Elsewhere(report) => return Ok(reply::progress(&report)),
            KnownResult::Limited(found) => return limited(&found, &name[key.len()..]),
        },
    };
    match form {
        Form::Archive(format) => archive(state, request, found, format).await,
        // A comparison is stored in the same way, but has its own address.
        _ if found.stored.object().is_none() => Err(super::nowhere_error()),
        _ => object(state, request, found).await,
    }
}

/// The object that describes a result, with the addresses of its archives.
///
/// # Errors
/// There is no such result.
#[utoipa::path(
    get, path = "/v1/results/{key}", tag = "results", operation_id = "result",
    params(
        ("key" = String, Path, description = "The key"),
    ),
    responses(
        (status = 200, description = "The object", body = KeptResult),
        (status = 202, description = "It is being made; how far it is", body = ProgressReport, headers(
            ("Retry-After" = u32, description = "Seconds until it is worth asking again"))),
        (status = 303, description = "Limits had a part in it, so that it has another name", headers(
            ("Location" = String, description = "Its address"))),
    ),
)]
async fn object(state: &State, request: &HttpRequest, found: StoredResult) -> Result<HttpResponse, ApiError> {
    let object = state.results.object(&found.stored, || state.ticket(request)).await?;
    Ok(reply::kept(request, &object, "application/json", found.origin))
}

/// Everything that was made, as an archive.
///
/// # Errors
/// There is no such result.
#[utoipa::path(
    get, path = "/v1/results/{key}.{extension}", tag = "results", operation_id = "result_archive",
    params(
        ("key" = String, Path, description = "The key"),
        ("extension" = Extension, Path, description = "The format"),
        Packing,
    ),
    responses(
        (status = 200, description = "The archive", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
        (status = 202, description = "It is being made; how far it is", body = ProgressReport, headers(
            ("Retry-After" = u32, description = "Seconds until it is worth asking again"))),
        (status = 303, description = "Limits had a part in it, so that it has another name", headers(
            ("Location" = String, description = "Its address"))),
    ),
)]
async fn archive(
    state: &State,
    request: &HttpRequest,
    found: StoredResult,
    format: Format,
) -> Result<HttpResponse, ApiError> {
    let StoredResult { stored, origin, .. } = found;
    // Most have no parameters.
    let has_folder =
        !request.query_string().is_empty() && Packing::of(request)?.prefix == Some(Prefix::Folder);
    let archive = match has_folder {
        true => state.results.archive_in_folder(&stored, format, state.ticket(request)).await?,
        false => state.results.archive(&stored, format, || state.ticket(request)).await?,
    };
    Ok(reply::kept(request, &archive, format.media_type(), origin))
}

/// Answers for the key of a request whose result has another key: with its error, or with its address.
fn limited(found: &StoredResult, extension: &str) -> Result<HttpResponse, ApiError> {
    if !found.stored.is_ok {
        return Err(reply::failure(found));
    }
    let address = format!("/v1/results/{}{extension}", found.stored.key);
    Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, address)).finish())
}

/// The provenance of a result, signed.
///
/// # Errors
/// There is no such result, it failed, or this server signs nothing.
#[utoipa::path(
    get, path = "/v1/results/{key}.intoto.json", tag = "results", operation_id = "result_statement",
    params(
        ("key" = String, Path, description = "The key"),
    ),
    responses(
        (status = 200, description = "The statement", content_type = "application/vnd.dsse.envelope.v1+json", body = serde_json::Value),
    ),
)]
async fn provenance(state: &State, request: &HttpRequest, key: &str) -> Result<HttpResponse, ApiError> {
    let unsigned = || ApiError::new(Kind::NOT_FOUND, "this server signs nothing (--signing-key-file)");
    let signing_key = state.signing_key.as_ref().ok_or_else(unsigned)?;
    let StoredResult { stored, origin, .. } = state.results.stored(key).await?;
    let envelope = state.results.provenance(&stored, signing_key, &state.ticket(request)).await?;
    let blob = Blob::new(serde_json::to_vec(&envelope).unwrap_or_default());
    // The signing key may change some day, so the answer may not be cached for ever.
    let mut response = reply::blob(request, &blob, "application/vnd.dsse.envelope.v1+json", Keep::Short);
    origin.write_to(true, response.headers_mut());
    Ok(response)
}

/// `GET /v1/results/{key}/files/{path}`: one file of the archive.
///
/// # Errors
/// There is no such file.
#[utoipa::path(
    get, path = "/v1/results/{key}/files/{path}", tag = "results", operation_id = "result_file",
    params(
        ("key" = String, Path, description = "The key"),
        ("path" = String, Path, description = "The path in the archive"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "text/plain", body = String),
    ),
)]
async fn file(state: &State, request: &HttpRequest, key: &str, path: &str) -> Result<HttpResponse, ApiError> {
    let path = percent_decode_str(path).decode_utf8();
    let path = path.map_err(|_| ApiError::new(Kind::BAD_REQUEST, "a path is UTF-8"))?;
    let StoredResult { stored, origin, .. } = state.results.stored(key).await?;
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the result has no file '{}'", path.escape_debug()));
    let blob = state.results.file(&stored, &path).ok_or_else(missing)?;
    // Pages are served below /v1/sites only, where a policy keeps them harmless.
    let media_type = match reply::media_type(&path) {
        page if page.starts_with("text/") => "text/plain; charset=utf-8",
        "image/svg+xml" => "text/plain; charset=utf-8",
        other => other,
    };
    Ok(reply::kept(request, &blob, media_type, origin))
}
