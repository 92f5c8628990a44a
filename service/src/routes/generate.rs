//! `POST /v1/generate`: a bundle in, an archive of everything out. `GET /v1/generate?bundle=…`: the same for a bundle
//! that is known already.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Path, Payload},
};

use super::{change, parameters};
use crate::{
    access::tenant,
    archive::Format,
    body,
    error::{ApiError, Kind},
    forms::{self, Form},
    generate::KeptResult,
    keys,
    manifest::OnUnsupported,
    openapi::{Archive, Problem, RequestBody},
    reply::{self, Keep},
    results::Upload,
    state::State,
    timing::Timing,
};

/// Answers with the archive, or the object that describes it, as `Accept` has it.
///
/// # Errors
/// The request is refused, or something could not be made.
#[utoipa::path(
    post, path = "/v1/generate", tag = "make", operation_id = "generate",
    params(
        ("mlir" = Option<String>, Query, description = "The MLIR release"),
        ("includes" = Option<Vec<String>>, Query, description = "Include folders"),
        ("defines" = Option<Vec<String>>, Query, description = "Macros"),
        ("on_unsupported" = Option<OnUnsupported>, Query, description = "What becomes of an unknown generator"),
        ("title" = Option<String>, Query, description = "The site's title"),
        ("source_url" = Option<String>, Query, description = "Where a source line can be seen: holds {path} and {line}"),
    ),
    request_body(content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"), (RequestBody = "application/json"), (Archive = "multipart/form-data")
        ), description = "An archive, or JSON, or the parts request, bundle and file"),
    responses(
        (status = 200, description = "Everything that was made", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"), (KeptResult = "application/json"))),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server can not do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn generate(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let wanted = reply::form(&request)?;
    let parameters = parameters(&request)?;
    let mut timing = Timing::start();
    let body = body::read(&state, &request, payload).await?;
    let ticket = state.ticket(&request);
    let form = forms::read(&request, &body.bytes, None, &state, &ticket).await?;
    timing.mark("body");
    let upload = Upload {
        body: body.bytes,
        form,
        salt: format!("generate?{}", request.query_string()),
        change: change(parameters),
    };
    let found = state.result(&request, upload, &ticket).await?;
    drop(body.permit);
    timing.mark("make");
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    let stored = &found.stored;
    let (made, media_type) = match wanted {
        reply::Form::Object => (state.results.object(stored, || ticket.clone()).await?, "application/json"),
        reply::Form::Archive(format) => {
            (state.results.archive(stored, format, || ticket.clone()).await?, format.media_type())
        }
    };
    let mut response = reply::blob(&request, &made, media_type, Keep::Never);
    timing.mark("pack");
    timing.tell(&mut response, found.origin);
    reply::locate(&mut response, &format!("/v1/results/{}", stored.key));
    reply::varies(&mut response);
    Ok(response)
}

/// Where the result of a known bundle is, made if it is not there yet.
///
/// # Errors
/// The bundle is not known, the request is refused, or the job could not be done.
#[utoipa::path(
    get, path = "/v1/generate", tag = "make", operation_id = "generate_known",
    params(
        ("bundle" = String, Query, description = "The sha256 of the archive"),
        ("mlir" = Option<String>, Query, description = "The MLIR release"),
        ("includes" = Option<Vec<String>>, Query, description = "Include folders"),
        ("defines" = Option<Vec<String>>, Query, description = "Macros"),
        ("on_unsupported" = Option<OnUnsupported>, Query, description = "What becomes of an unknown generator"),
        ("title" = Option<String>, Query, description = "The site's title"),
        ("source_url" = Option<String>, Query, description = "Where a source line can be seen: holds {path} and {line}"),
    ),
    responses(
        (status = 303, description = "Where the result is"),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server can not do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn known(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let wanted = reply::form(&request)?;
    let mut parameters = parameters(&request)?;
    let place = parameters.iter().position(|(name, _)| name == "bundle");
    let place = place.ok_or_else(|| ApiError::new(Kind::BAD_REQUEST, "the parameter 'bundle' is missing"))?;
    let (_, digest) = parameters.remove(place);
    let upload = Upload {
        form: forms::known(&tenant(&request), &digest, &state).await?,
        body: digest.into(),
        salt: format!("generate-known?{}", request.query_string()),
        change: change(parameters),
    };
    let mut timing = Timing::start();
    let ticket = state.ticket(&request);
    let found = state.result(&request, upload, &ticket).await?;
    timing.mark("make");
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    let extension = match wanted {
        reply::Form::Archive(format) => format.extension(),
        reply::Form::Object => "",
    };
    let mut response = HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("/v1/results/{}{extension}", found.stored.key)))
        .insert_header((header::CACHE_CONTROL, "public, max-age=60"))
        .finish();
    timing.tell(&mut response, found.origin);
    reply::varies(&mut response);
    Ok(response)
}

/// The archive of what a source archive is good for; the source is fetched, unless it is known by its digest. The
/// address works wherever an archive's address does, with no client of ours.
///
/// # Errors
/// Sources are not fetched here or not from there, the request is refused, or something could not be made.
#[utoipa::path(
    get, path = "/v1/generate/{name}", tag = "make", operation_id = "generate_from_source",
    params(
        ("name" = String, Path, description = "Any name with .tar.gz, .tar.zst, .zip or .tar behind it"),
        ("source" = String, Query, description = "Where the source archive is: https, from a host that this server fetches from"),
        ("sha256" = String, Query, description = "The sha256 of the source archive"),
        ("strip_prefix" = Option<String>, Query, description = "The folder of the archive that is the bundle"),
        ("mlir" = Option<String>, Query, description = "The MLIR release"),
        ("includes" = Option<Vec<String>>, Query, description = "Include folders"),
        ("defines" = Option<Vec<String>>, Query, description = "Macros"),
        ("on_unsupported" = Option<OnUnsupported>, Query, description = "What becomes of an unknown generator"),
        ("title" = Option<String>, Query, description = "The site's title"),
        ("source_url" = Option<String>, Query, description = "Where a source line can be seen: holds {path} and {line}"),
    ),
    responses(
        (status = 200, description = "Everything that was made", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server can not do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn from_source(
    state: Data<State>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let format = Format::of_name(&name).ok_or_else(|| {
        ApiError::new(Kind::NOT_FOUND, "an archive's name ends in .tar.gz, .tar.zst, .zip or .tar")
    })?;
    let mut parameters = parameters(&request)?;
    let mut take = |wanted: &str| {
        let place = parameters.iter().position(|(name, _)| name == wanted)?;
        Some(parameters.remove(place).1)
    };
    let missing = |name: &str| ApiError::new(Kind::BAD_REQUEST, format!("the parameter '{name}' is missing"));
    let source = take("source").ok_or_else(|| missing("source"))?;
    let digest = take("sha256").filter(|digest| keys::is_key(digest)).ok_or_else(|| missing("sha256"))?;
    let strip_prefix = take("strip_prefix");
    let mut timing = Timing::start();
    // Whether an address may be named does not depend on what others have sent.
    let off = || ApiError::new(Kind::SOURCE_REFUSED, "this server does not fetch sources");
    let fetcher = state.fetcher.as_ref().ok_or_else(off)?;
    fetcher.check(&source)?;
    let tenant = tenant(&request);
    if state.results.bundle(&tenant, &digest).await.is_none() {
        let mut room = state.reservation(&request);
        room.grow(state.limits.archive.body_bytes)?;
        let body = fetcher.fetch(&source, &digest).await?;
        state.results.keep_bundle(&tenant, &digest, body).await;
    }
    timing.mark("fetch");
    let upload = Upload {
        form: Form { strip_prefix, ..forms::known(&tenant, &digest, &state).await? },
        body: digest.into(),
        salt: format!("generate-source?{}", request.query_string()),
        change: change(parameters),
    };
    let ticket = state.ticket(&request);
    let found = state.result(&request, upload, &ticket).await?;
    timing.mark("make");
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    let archive = state.results.archive(&found.stored, format, || ticket.clone()).await?;
    timing.mark("pack");
    let mut response = reply::blob(&request, &archive, format.media_type(), Keep::Immutable);
    timing.tell(&mut response, found.origin);
    Ok(response)
}
