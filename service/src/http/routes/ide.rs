//! `POST /v1/ide/…`: requests of editors, about files that are not stored.

use std::io::{self, Write};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{Data, Payload},
};
use flate2::{Compression, write::GzEncoder};
use odsmith_engine::cancel::Cancel;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    http::{
        body, forms,
        reply::{self, Keep},
        state::State,
    },
    jobs::timing::Timing,
    pipeline::{
        error::{ApiError, Kind},
        ide::{
            CheckAnswer, CheckQuestion, CompletionAnswer, Editors, HoverAnswer, IrAnswer, IrQuestion,
            PlaceQuestion, PreviewAnswer, PreviewQuestion,
        },
    },
    store::cache::Blob,
};

/// Answers shorter than this are sent uncompressed.
const WORTH_PACKING: usize = 4 << 10;

/// The problems of files, each at its token, also after the first error.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/ide/check", tag = "ide", operation_id = "ide_check",
    request_body(content = CheckQuestion, description = "Files"),
    responses(
        (status = 200, description = "What is wrong", body = CheckAnswer),
    ),
)]
pub async fn check(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, Editors::check).await
}

/// The problems of files, and a view of them: C++, Python, a page, examples, records, the model, or the changes.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/ide/preview", tag = "ide", operation_id = "ide_preview",
    request_body(content = PreviewQuestion, description = "Files, a place in them, and what to show"),
    responses(
        (status = 200, description = "What is wrong, and what is shown", body = PreviewAnswer),
    ),
)]
pub async fn preview(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, Editors::preview).await
}

/// The explanation of a place in a file.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/ide/hover", tag = "ide", operation_id = "ide_hover",
    request_body(content = PlaceQuestion, description = "Files, and a place in them"),
    responses(
        (status = 200, description = "What is there", body = HoverAnswer),
    ),
)]
pub async fn hover(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, Editors::hover).await
}

/// Completions at a place.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/ide/completion", tag = "ide", operation_id = "ide_completion",
    request_body(content = PlaceQuestion, description = "Files, and a place in them"),
    responses(
        (status = 200, description = "What may come next", body = CompletionAnswer),
    ),
)]
pub async fn completion(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, Editors::completion).await
}

/// The problems of IR, which is read by the definitions of a release and of the request alone.
///
/// # Errors
/// The request is refused.
#[utoipa::path(
    post, path = "/v1/ir/check", tag = "ide", operation_id = "ir_check",
    request_body(content = IrQuestion, description = "Files with IR, and with definitions"),
    responses(
        (status = 200, description = "What is wrong", body = IrAnswer),
    ),
)]
pub async fn check_ir(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    answer(state, request, payload, Editors::check_ir).await
}

/// Reads a request and answers it, on the pool; the work stops when the client has gone.
async fn answer<Q: DeserializeOwned + 'static, A: Serialize + 'static>(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
    work: fn(&Editors, Q, Cancel) -> Result<A, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let mut timing = Timing::start();
    let body = body::read(&state, &request, payload).await?;
    check_media_type(&request)?;
    forms::check_no_archive("application/json", &body.bytes)?;
    timing.mark("body");
    let ticket = state.ticket(&request);
    let (editors, cancel, bytes) = (state.editors.clone(), ticket.cancel.clone(), body.bytes.clone());
    let packs = takes_gzip(&request);
    let work = move || {
        let bad = |error| ApiError::new(Kind::BAD_REQUEST, format!("the JSON is not a question: {error}"));
        let question = serde_json::from_slice(&bytes).map_err(bad)?;
        let answer = work(&editors, question, cancel.clone())?;
        written(&answer, packs, &cancel).ok_or_else(ApiError::client_gone)
    };
    let (blob, is_packed) = state.results.pool.run(&ticket, work).await??;
    timing.mark("make");
    drop(body.permit);
    let mut response = reply::blob(&request, &blob, "application/json", Keep::Never);
    timing.write_steps_to(&mut response);
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn check_media_type(request: &HttpRequest) -> Result<(), ApiError> {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(ApiError::new(Kind::MEDIA_TYPE, "a question comes as application/json"))
}

/// Returns true if the client accepts gzip.
#[must_use]
pub fn takes_gzip(request: &HttpRequest) -> bool {
    let given = request.headers().get_all(header::ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    let mut codings = given.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// Returns an answer as JSON, and whether it is compressed; `None` if the work is cancelled meanwhile.
fn written(answer: &impl Serialize, packs: bool, cancel: &Cancel) -> Option<(Blob, bool)> {
    let cancellable = || Cancellable { bytes: Vec::new(), cancel };
    let mut text = cancellable();
    // Serializing cannot fail.
    serde_json::to_writer(&mut text, answer).ok()?;
    let packs = packs && text.bytes.len() > WORTH_PACKING;
    let mut bytes = text.bytes;
    if packs {
        let mut encoder = GzEncoder::new(cancellable(), Compression::fast());
        encoder.write_all(&bytes).ok()?;
        bytes = encoder.finish().ok()?.bytes;
    }
    Some((Blob::unless(|| cancel.is_cancelled(), bytes.into())?, packs))
}

/// A writer that fails once the work is cancelled.
struct Cancellable<'c> {
    bytes: Vec<u8>,
    cancel: &'c Cancel,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn codings() {
        let takes = |value: &str| {
            takes_gzip(
                &TestRequest::default().insert_header((header::ACCEPT_ENCODING, value)).to_http_request(),
            )
        };
        assert!(takes("gzip") && takes("br;q=1.0, gzip;q=0.8, *;q=0.1"));
        assert!(!takes("br") && !takes("gzip;q=0") && !takes(""));
    }
}
