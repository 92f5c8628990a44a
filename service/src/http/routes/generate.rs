//! `POST /v1/generate`: a bundle in, an archive of all outputs out. `GET /v1/generate?bundle=…`: the same for a stored
//! bundle.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Path, Payload},
};

use crate::{
    http::{
        access::tenant,
        body, forms,
        openapi::{Archive, RequestBody},
        query::{self, KnownBundle, Settings, SourceArchive},
        reply::{self, Keep, RESULT_FORMS},
        state::State,
    },
    jobs::{
        results::{BegunResult, StoredResult, Upload},
        running::ProgressReport,
        ticket::Ticket,
        timing::Timing,
    },
    pipeline::{
        error::{ApiError, Kind},
        generate::KeptResult,
        request::Form,
    },
    store::{archive::Format, keys},
};

/// Answers with the archive. `Accept: application/json` gets the object that describes it, as `POST /v1/results` does.
///
/// # Errors
/// The request is refused, or something could not be made.
#[utoipa::path(
    post, path = "/v1/generate", tag = "make", operation_id = "generate",
    params(
        Settings,
        ("Prefer" = Option<String>, Header, description = "`respond-async`: answer at once with the address that the result will have, which says how far it is until it is there"),
    ),
    request_body(content = RequestBody, description = "An archive, or JSON, or the parts request, bundle and file"),
    responses(
        (status = 200, description = "The archive of everything that was made", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
        (status = 202, description = "It is being made, and will be at `Location`", body = ProgressReport, headers(
            ("Location" = String, description = "The result's address"),
            ("Retry-After" = u32, description = "Seconds until it is worth asking"))),
    ),
)]
pub async fn generate(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let wanted = reply::form(&request, RESULT_FORMS)?;
    answer(&state, &request, payload, wanted).await
}

/// Makes what `POST /v1/generate` makes, and answers with the object that describes it.
///
/// # Errors
/// The request is refused, or something could not be made.
#[utoipa::path(
    post, path = "/v1/results", tag = "make", operation_id = "generate_result",
    params(
        Settings,
        ("Prefer" = Option<String>, Header, description = "`respond-async`: answer at once with the address that the result will have, which says how far it is until it is there"),
    ),
    request_body(content = RequestBody, description = "An archive, or JSON, or the parts request, bundle and file"),
    responses(
        (status = 200, description = "The object that describes the result", body = KeptResult),
        (status = 202, description = "It is being made, and will be at `Location`", body = ProgressReport, headers(
            ("Location" = String, description = "The result's address"),
            ("Retry-After" = u32, description = "Seconds until it is worth asking"))),
    ),
)]
pub async fn result(
    state: &Data<State>,
    request: &HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, reply::Form::Json).await
}

/// Runs a request, and answers in the given form.
async fn answer(
    state: &Data<State>,
    request: &HttpRequest,
    payload: Payload,
    wanted: reply::Form,
) -> Result<HttpResponse, ApiError> {
    let settings = query::settings(request)?;
    let mut timing = Timing::start();
    let body = body::read(state, request, payload).await?;
    let ticket = state.ticket(request);
    let form = forms::read(request, &body.bytes, None, state, &ticket).await?;
    timing.mark("body");
    let upload = Upload {
        body: body.bytes,
        form,
        salt: format!("generate?{}", request.query_string()),
        change: settings.change(),
    };
    let found = if reply::prefers_address(request) {
        match state.begin(request, upload, &ticket, body.permit).await? {
            BegunResult::Found(found) => found,
            BegunResult::Running(report) => {
                return Ok(reply::begun(&report, &address(&report.key, wanted)));
            }
        }
    } else {
        let found = state.result(request, upload, &ticket).await?;
        drop(body.permit);
        found
    };
    timing.mark("make");
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    whole(state, request, &found, wanted, ticket, timing).await
}

/// Answers with the whole result in the given form.
async fn whole(
    state: &State,
    request: &HttpRequest,
    found: &StoredResult,
    wanted: reply::Form,
    ticket: Ticket,
    mut timing: Timing,
) -> Result<HttpResponse, ApiError> {
    let stored = &found.stored;
    let made = match wanted {
        reply::Form::Archive(format) => state.results.archive(stored, format, || ticket.clone()).await?,
        _ => state.results.object(stored, || ticket.clone()).await?,
    };
    let mut response = reply::blob(request, &made, wanted.media_type(), Keep::Never);
    timing.mark("pack");
    timing.write_to(&mut response, found);
    reply::locate(&mut response, found, &format!("/v1/results/{}", stored.key));
    reply::varies(&mut response);
    Ok(response)
}

/// Returns the address of a result in a form.
fn address(key: &str, form: reply::Form) -> String {
    let extension = match form {
        reply::Form::Archive(format) => format.extension(),
        _ => "",
    };
    format!("/v1/results/{key}{extension}")
}

/// Leads to the result of a known bundle, which is made if it is not there yet.
///
/// # Errors
/// The bundle is not known, the request is refused, or the job could not be done.
#[utoipa::path(
    get, path = "/v1/generate", tag = "make", operation_id = "generate_known",
    params(
        KnownBundle,
        Settings,
    ),
    responses(
        (status = 200, description = "The result, if its address would not be good at every server", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
        (status = 303, description = "The result is at `Location`"),
    ),
)]
pub async fn known(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let wanted = reply::form(&request, RESULT_FORMS)?;
    state.check_memory()?;
    let (KnownBundle { bundle: digest }, settings) = query::with_settings(&request)?;
    let upload = Upload {
        form: forms::known(&tenant(&request), &digest, &state).await?,
        body: digest.into(),
        salt: format!("generate-known?{}", request.query_string()),
        change: settings.change(),
    };
    let mut timing = Timing::start();
    let ticket = state.ticket(&request);
    let found = state.result(&request, upload, &ticket).await?;
    timing.mark("make");
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    if !found.is_kept {
        return whole(&state, &request, &found, wanted, ticket, timing).await;
    }
    let mut response = HttpResponse::SeeOther()
        .insert_header((header::LOCATION, address(&found.stored.key, wanted)))
        .insert_header((header::CACHE_CONTROL, "public, max-age=60"))
        .finish();
    timing.write_to(&mut response, &found);
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
        ("name" = String, Path, description = "Any name that ends in .tar.gz, .tar.zst, .zip or .tar"),
        SourceArchive,
        Settings,
    ),
    responses(
        (status = 200, description = "The archive of everything that was made", content(
            (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
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
    let (SourceArchive { source, sha256: digest, strip_prefix }, settings) = query::with_settings(&request)?;
    if !keys::is_key(&digest) {
        return Err(ApiError::new(Kind::BAD_REQUEST, "sha256 is the 64 hex digits of the archive's digest"));
    }
    let mut timing = Timing::start();
    // The answer does not depend on what other clients have sent.
    let off = || ApiError::new(Kind::SOURCE_REFUSED, "this server does not fetch sources");
    state.check_memory()?;
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
        change: settings.change(),
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
    timing.write_to(&mut response, &found);
    Ok(response)
}
