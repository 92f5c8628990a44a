//! `/`: a page to try a bundle on, and `/problems`: the meaning of the problem types.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
};

use super::{docs, sites::POLICY};
use crate::{
    http::{
        openapi,
        reply::{self, Keep},
    },
    pipeline::error::Kind,
    store::cache::Blob,
};

static PAGE: LazyLock<Blob> = LazyLock::new(|| Blob::new(include_str!("../../../../templates/start.html")));
static SCRIPT: LazyLock<Blob> = LazyLock::new(|| Blob::new(include_str!("../../../../templates/start.js")));
static STYLE: LazyLock<Blob> = LazyLock::new(|| Blob::new(include_str!("../../../../templates/start.css")));

static OPENAPI: LazyLock<Blob> = LazyLock::new(|| Blob::new(openapi::document()));

static DOCS: LazyLock<Blob> = LazyLock::new(|| {
    let rows = docs::page(&OPENAPI.bytes);
    Blob::new(include_str!("../../../../templates/docs.html").replace("{{rows}}", &rows))
});

static PROBLEMS: LazyLock<Blob> = LazyLock::new(|| {
    let rows: String = Kind::ALL
        .iter()
        .map(|kind| {
            format!("<dt id=\"{0}\">{0} ({1})</dt><dd>{2}</dd>\n", kind.code, kind.status(), kind.title())
        })
        .collect();
    Blob::new(include_str!("../../../../templates/problems.html").replace("{{rows}}", &rows))
});

/// Serves the start page.
pub async fn page(request: HttpRequest) -> HttpResponse {
    guarded(&request, &PAGE, "text/html; charset=utf-8")
}

/// Serves its script.
pub async fn script(request: HttpRequest) -> HttpResponse {
    guarded(&request, &SCRIPT, "text/javascript; charset=utf-8")
}

/// Serves its style.
pub async fn style(request: HttpRequest) -> HttpResponse {
    guarded(&request, &STYLE, "text/css; charset=utf-8")
}

/// Serves the OpenAPI description of the service.
pub async fn openapi(request: HttpRequest) -> HttpResponse {
    reply::blob(&request, &OPENAPI, "application/json", Keep::Short)
}

/// Serves the same description as a page.
pub async fn docs(request: HttpRequest) -> HttpResponse {
    guarded(&request, &DOCS, "text/html; charset=utf-8")
}

/// Serves the list of problem types.
pub async fn problems(request: HttpRequest) -> HttpResponse {
    guarded(&request, &PROBLEMS, "text/html; charset=utf-8")
}

fn guarded(request: &HttpRequest, blob: &Blob, media_type: &'static str) -> HttpResponse {
    guarded_by(POLICY, request, blob, media_type)
}

/// Answers with a file of the service's own pages and a content security policy.
pub(super) fn guarded_by(
    policy: &'static str,
    request: &HttpRequest,
    blob: &Blob,
    media_type: &'static str,
) -> HttpResponse {
    let mut response = reply::blob(request, blob, media_type, Keep::Short);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
