//! `/play`: a page to write a dialect on, which shows what it becomes.
//!
//! Its script is made by `make build` and is part of the program only then (`build.rs`): a plain `cargo build` needs no
//! Node.js.

use std::{io::Read as _, sync::LazyLock};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
};
use flate2::read::GzDecoder;

use super::{ide::takes_gzip, start::guarded_by};
use crate::{
    cache::Blob,
    reply::{self, Keep},
};

include!(concat!(env!("OUT_DIR"), "/play.rs"));

/// What the page may do: what is beside it, and a frame for reference pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; \
    connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the frame may do: nothing but look like something.
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

static PAGE: LazyLock<Blob> = LazyLock::new(|| {
    Blob::new(match SCRIPT {
        Some(_) => include_str!("../../play/play.html"),
        None => include_str!("../../play/absent.html"),
    })
});
static STYLE: LazyLock<Blob> = LazyLock::new(|| Blob::new(include_str!("../../play/play.css")));
static FRAME: LazyLock<Blob> = LazyLock::new(|| Blob::new(include_str!("../../play/frame.html")));
static PACKED: LazyLock<Blob> = LazyLock::new(|| Blob::new(SCRIPT.unwrap_or_default()));
static PLAIN: LazyLock<Blob> = LazyLock::new(|| {
    let mut text = Vec::new();
    // What was packed for the program unpacks.
    let _ = GzDecoder::new(SCRIPT.unwrap_or_default()).read_to_end(&mut text);
    Blob::new(text)
});
static SITE_STYLE: LazyLock<Blob> = LazyLock::new(|| {
    let style = odsmith_site::render::ASSETS.iter().find(|(path, _)| *path == "assets/site.css");
    Blob::new(style.map_or("", |(_, text)| *text))
});

/// The page.
pub async fn page(request: HttpRequest) -> HttpResponse {
    guarded_by(POLICY, &request, &PAGE, "text/html; charset=utf-8")
}

/// Its script.
pub async fn script(request: HttpRequest) -> HttpResponse {
    let is_packed = takes_gzip(&request);
    let blob = if is_packed { &PACKED } else { &PLAIN };
    let mut response = reply::blob(&request, blob, "text/javascript; charset=utf-8", Keep::Short);
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Its style.
pub async fn style(request: HttpRequest) -> HttpResponse {
    guarded_by(POLICY, &request, &STYLE, "text/css; charset=utf-8")
}

/// The frame that reference pages are shown in.
pub async fn frame(request: HttpRequest) -> HttpResponse {
    guarded_by(FRAME_POLICY, &request, &FRAME, "text/html; charset=utf-8")
}

/// The style of reference pages.
pub async fn site_style(request: HttpRequest) -> HttpResponse {
    guarded_by(POLICY, &request, &SITE_STYLE, "text/css; charset=utf-8")
}
