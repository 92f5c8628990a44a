//! `/manual`: the manual of `service/manual/`, a site of hand-written pages that the site engine makes.
//!
//! Its Markdown is part of the program (`build.rs`). The first request makes the pages.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{self, Path},
};
use odsmith_site::{Input, Site};

use super::sites::{SITE_POLICY, page_path};
use crate::{
    http::reply::{self, Keep},
    pipeline::error::{ApiError, Kind},
    store::cache::Blob,
};

include!(concat!(env!("OUT_DIR"), "/manual.rs"));

/// The title of the site.
const TITLE: &str = "Odsmith";

/// The files of the site by path.
type Pages = BTreeMap<String, Blob>;

static PAGES: OnceLock<Arc<Pages>> = OnceLock::new();

/// Answers `GET /manual`: redirects to the home page, so that relative links work.
pub async fn enter() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/manual/")).finish()
}

/// Answers `GET /manual/{path}`: a page; a folder is its `index.html`.
///
/// # Errors
/// There is no such page.
pub async fn page(request: HttpRequest, path: Path<String>) -> Result<HttpResponse, ApiError> {
    let pages = match PAGES.get() {
        Some(pages) => pages.clone(),
        None => web::block(|| PAGES.get_or_init(|| Arc::new(pages())).clone())
            .await
            .map_err(|_| ApiError::new(Kind::INTERNAL, "the manual could not be made"))?,
    };
    let path = page_path(path.into_inner());
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the manual has no page '{}'", path.escape_debug()));
    let blob = pages.get(&path).ok_or_else(missing)?;
    let mut response = reply::blob(&request, blob, reply::media_type(&path), Keep::Short);
    let headers = response.headers_mut();
    if let Some(policy) = SITE_POLICY.as_ref() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Makes the site.
fn site() -> Site {
    let texts = FILES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    odsmith_site::site(&Input { title: TITLE.to_owned(), texts, threads: 1, ..Input::default() })
}

fn pages() -> Pages {
    let files = site().artefacts.into_iter();
    files
        .filter_map(|file| Some((file.path.strip_prefix("site/")?.to_owned(), Blob::new(file.bytes))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of the repository are links on a forge, and text in the program.
    #[test]
    fn every_page_is_shown_as_written() {
        let site = site();
        assert!(site.errors.is_empty() && site.faults.is_empty() && site.stop.is_none(), "{site:?}");
        let is_leaving = |note: &odsmith_site::Note| {
            let depth = note.file.matches('/').count() + 1;
            let target = note.what.strip_prefix("link without a target here: `");
            target.is_some_and(|target| target.starts_with(&"../".repeat(depth)))
        };
        let others: Vec<_> = site.notes.into_iter().filter(|note| !is_leaving(note)).collect();
        assert!(others.is_empty(), "{others:#?}");
        let home = pages().remove("index.html").expect("a home page");
        let text = String::from_utf8_lossy(&home.bytes).into_owned();
        for (path, _) in FILES.iter().filter(|(path, _)| !path.starts_with("reference/rules/")) {
            let page = path.replace(".md", ".html");
            assert!(*path == "README.md" || text.contains(&page), "the first page does not list {path}");
        }
    }
}
