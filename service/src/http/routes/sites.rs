//! `GET /v1/sites/{key}/…`: the reference site of a result.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{Data, Path},
};

use crate::{
    http::{reply, state::State},
    jobs::results::StoredResult,
    pipeline::error::{ApiError, Kind},
};

/// The content security policy of the service's own pages: their own resources, and nothing else.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of the site's pages, which also forbids other sites to frame them.
pub(super) static SITE_POLICY: LazyLock<Option<HeaderValue>> = LazyLock::new(|| {
    HeaderValue::try_from(format!("{}; frame-ancestors 'none'", odsmith_site::render::policy())).ok()
});

/// Answers `GET /v1/sites/{key}`: redirects to the home page, so that relative links work.
///
/// # Errors
/// There is no such result.
pub async fn enter(state: Data<State>, key: Path<String>) -> Result<HttpResponse, ApiError> {
    state.results.stored(&key).await?;
    let location = format!("/v1/sites/{key}/");
    Ok(HttpResponse::PermanentRedirect().insert_header((header::LOCATION, location)).finish())
}

/// `GET /v1/sites/{key}/{path}`: a page; a folder is its `index.html`.
///
/// # Errors
/// There is no such page.
#[utoipa::path(
    get, path = "/v1/sites/{key}/{path}", tag = "results", operation_id = "site_page",
    params(
        ("key" = String, Path, description = "The key"),
        ("path" = String, Path, description = "The page"),
    ),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
    ),
)]
pub async fn page(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (key, path) = names.into_inner();
    let StoredResult { stored, origin, .. } = state.results.stored(&key).await?;
    let path = page_path(path);
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the site has no page '{}'", path.escape_debug()));
    let blob = state.results.file(&stored, &format!("site/{path}")).ok_or_else(missing)?;
    let mut response = reply::kept(&request, &blob, reply::media_type(&path), origin);
    let headers = response.headers_mut();
    if let Some(policy) = SITE_POLICY.as_ref() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Returns the file of a site at a path; a folder is its `index.html`.
pub(super) fn page_path(path: String) -> String {
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path }
}
