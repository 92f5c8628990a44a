//! `/play`: a page to write a dialect on, with previews of the outputs.
//!
//! Its script is built by `make build` and is part of the program only then (`build.rs`): a plain `cargo build` needs
//! no Node.js.

use std::sync::{Arc, LazyLock};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{Bytes, Data},
};

use super::{ide::takes_gzip, nowhere_error, start::guarded_by};
use crate::{
    http::state::State,
    pipeline::{
        error::ApiError,
        playground::{self, SCRIPT},
    },
    store::cache::Blob,
};

/// The page's content security policy: its own resources, its module in a worker, and a frame for reference pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The frame's content security policy: styles and images only.
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// A text, plain and compressed by gzip.
struct Text {
    plain: Blob,
    packed: Blob,
}

impl Text {
    fn new(plain: impl Into<Bytes>) -> Self {
        let plain = plain.into();
        Text { packed: Blob::new(playground::packed(&plain)), plain: Blob::new(plain) }
    }

    fn unpacked(packed: &'static [u8]) -> Self {
        Text { plain: Blob::new(playground::unpacked(packed)), packed: Blob::new(packed) }
    }

    /// Answers with the text and a content security policy.
    fn answer(&self, policy: &'static str, request: &HttpRequest, media_type: &'static str) -> HttpResponse {
        let is_packed = takes_gzip(request);
        let blob = if is_packed { &self.packed } else { &self.plain };
        let mut response = guarded_by(policy, request, blob, media_type);
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_packed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

const HTML: &str = "text/html; charset=utf-8";
const PACKED: &str = "application/octet-stream";
const CSS: &str = "text/css; charset=utf-8";

static PAGE: LazyLock<Text> = LazyLock::new(|| {
    Text::new(match SCRIPT {
        // The page asks for the module when it has shown something.
        Some(_) if MODULE.is_some() => playground::PAGE.replacen("<html ", "<html data-module ", 1),
        Some(_) => playground::PAGE.to_owned(),
        None => playground::ABSENT.to_owned(),
    })
});
static THE_SCRIPT: LazyLock<Text> = LazyLock::new(|| Text::unpacked(SCRIPT.unwrap_or_default()));
static STYLE: LazyLock<Text> = LazyLock::new(|| Text::new(playground::STYLE));
static FRAME: LazyLock<Text> = LazyLock::new(|| Text::new(playground::FRAME));
static SITE_STYLE: LazyLock<Text> = LazyLock::new(|| Text::new(playground::site_style()));

/// The module that answers in the browser, packed by gzip, if this machine has it.
static MODULE: LazyLock<Option<Blob>> =
    LazyLock::new(|| Some(Blob::new(playground::packed(&playground::module(None).ok()?))));

/// Serves the module.
///
/// # Errors
/// This machine does not have it.
pub async fn module(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let module = MODULE.as_ref().ok_or_else(nowhere_error)?;
    Ok(guarded_by(POLICY, &request, module, PACKED))
}

/// Serves the library of a release, packed for the module.
///
/// # Errors
/// There is none, or it is that of a profile, whose rules the module does not have.
pub async fn library(request: HttpRequest, state: Data<State>) -> Result<HttpResponse, ApiError> {
    let name = request.match_info().get("mlir").unwrap_or_default();
    let library = state.libraries.of(Some(name)).ok().filter(|library| library.release().name() == name);
    let library = Arc::clone(library.ok_or_else(nowhere_error)?);
    let ticket = state.ticket(&request);
    let packed = state.results.pool.run(&ticket, move || playground::library(&library)).await?;
    Ok(guarded_by(POLICY, &request, &Blob::new(packed), PACKED))
}

/// Serves the page.
pub async fn page(request: HttpRequest) -> HttpResponse {
    PAGE.answer(POLICY, &request, HTML)
}

/// Serves its script.
pub async fn script(request: HttpRequest) -> HttpResponse {
    THE_SCRIPT.answer(POLICY, &request, "text/javascript; charset=utf-8")
}

/// Serves its style.
pub async fn style(request: HttpRequest) -> HttpResponse {
    STYLE.answer(POLICY, &request, CSS)
}

/// Serves the frame that shows reference pages.
pub async fn frame(request: HttpRequest) -> HttpResponse {
    FRAME.answer(FRAME_POLICY, &request, HTML)
}

/// Serves the style of reference pages.
pub async fn site_style(request: HttpRequest) -> HttpResponse {
    SITE_STYLE.answer(POLICY, &request, CSS)
}
