//! `/play`: a page to write a dialect on, with previews of the outputs.
//!
//! Its script is built by `make build` and is part of the program only then (`build.rs`): a plain `cargo build` needs
//! no Node.js.

use std::{
    io::{Read as _, Write as _},
    sync::LazyLock,
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use super::{ide::takes_gzip, start::guarded_by};
use crate::store::cache::Blob;

include!(concat!(env!("OUT_DIR"), "/play.rs"));

/// The page's content security policy: its own resources, and a frame for reference pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; \
    connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The frame's content security policy: styles and images only.
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// A text, plain and compressed by gzip.
struct Text {
    plain: Blob,
    packed: Blob,
}

impl Text {
    fn new(plain: &'static str) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let _ = encoder.write_all(plain.as_bytes());
        Text { plain: Blob::new(plain), packed: Blob::new(encoder.finish().unwrap_or_default()) }
    }

    fn unpacked(packed: &'static [u8]) -> Self {
        let mut plain = Vec::new();
        // It was compressed at build time, so it decompresses.
        let _ = GzDecoder::new(packed).read_to_end(&mut plain);
        Text { plain: Blob::new(plain), packed: Blob::new(packed) }
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
const CSS: &str = "text/css; charset=utf-8";

static PAGE: LazyLock<Text> = LazyLock::new(|| {
    Text::new(match SCRIPT {
        Some(_) => include_str!("../../../play/play.html"),
        None => include_str!("../../../play/absent.html"),
    })
});
static THE_SCRIPT: LazyLock<Text> = LazyLock::new(|| Text::unpacked(SCRIPT.unwrap_or_default()));
static STYLE: LazyLock<Text> = LazyLock::new(|| Text::new(include_str!("../../../play/play.css")));
static FRAME: LazyLock<Text> = LazyLock::new(|| Text::new(include_str!("../../../play/frame.html")));
static SITE_STYLE: LazyLock<Text> = LazyLock::new(|| {
    let style = odsmith_site::render::ASSETS.iter().find(|(path, _)| *path == "assets/site.css");
    Text::new(style.map_or("", |(_, text)| *text))
});

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
