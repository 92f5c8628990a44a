//! How results look as HTTP: entity tags, caching, media types, ranges.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header, header::HeaderValue},
    web::Bytes,
};

use crate::{
    archive::Format,
    cache::Blob,
    error::{ApiError, Kind, Partial},
    results::StoredResult,
    timing::Origin,
};

/// How long an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// For ever: the address is a digest.
    Immutable,
    /// For a few minutes.
    Short,
    /// Not at all.
    Never,
}

impl Keep {
    fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            // A proxy that compresses would break the digest. `Content-Encoding: identity` can not express that: Nix
            // takes it for a packing that it must undo.
            Keep::Immutable => "public, max-age=31536000, immutable, no-transform",
            Keep::Short => "public, max-age=300",
            Keep::Never => "no-store",
        })
    }
}

/// Named bytes: 304 if the client has them, a part if it asks for one, else all of them.
#[must_use]
pub fn blob(request: &HttpRequest, blob: &Blob, media_type: &'static str, keep: Keep) -> HttpResponse {
    if is_known(request, &blob.etag) {
        let mut response = HttpResponse::NotModified();
        name(&mut response, blob, keep);
        return response.finish();
    }
    let whole = blob.bytes.len();
    match range(request, blob) {
        Some(Ok((first, last))) => {
            let mut response = HttpResponse::PartialContent();
            response.insert_header((header::CONTENT_RANGE, format!("bytes {first}-{last}/{whole}")));
            finish(response, blob, blob.bytes.slice(first..=last), media_type, keep)
        }
        Some(Err(())) => {
            let mut response = HttpResponse::build(StatusCode::RANGE_NOT_SATISFIABLE);
            response.insert_header((header::CONTENT_RANGE, format!("bytes */{whole}")));
            response.insert_header((header::CACHE_CONTROL, Keep::Never.value()));
            response.finish()
        }
        None => finish(HttpResponse::Ok(), blob, blob.bytes.clone(), media_type, keep),
    }
}

/// Named bytes at an address that is a digest.
#[must_use]
pub fn kept(request: &HttpRequest, bytes: &Blob, media_type: &'static str, origin: Origin) -> HttpResponse {
    let mut response = blob(request, bytes, media_type, Keep::Immutable);
    origin.tell(response.headers_mut());
    response
}

/// Says where what an answer holds is to be had by GET, for ever.
pub fn locate(response: &mut HttpResponse, address: &str) {
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::CONTENT_LOCATION, address);
    }
}

fn finish(
    mut response: HttpResponseBuilder,
    blob: &Blob,
    bytes: Bytes,
    media_type: &'static str,
    keep: Keep,
) -> HttpResponse {
    name(&mut response, blob, keep);
    response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static(media_type)));
    response.insert_header((header::ACCEPT_RANGES, HeaderValue::from_static("bytes")));
    response.insert_header((REPR_DIGEST, blob.digest.clone()));
    response.body(bytes)
}

const REPR_DIGEST: header::HeaderName = header::HeaderName::from_static("repr-digest");

fn name(response: &mut HttpResponseBuilder, blob: &Blob, keep: Keep) {
    response.insert_header((header::ETAG, blob.etag.clone()));
    response.insert_header((header::CACHE_CONTROL, keep.value()));
}

/// Whether `If-None-Match` has this entity tag.
fn is_known(request: &HttpRequest, etag: &HeaderValue) -> bool {
    let wanted = etag.to_str().unwrap_or_default();
    let given = request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == wanted
    })
}

/// The single range that is asked for, as first and last byte; an error if it lies outside.
fn range(request: &HttpRequest, blob: &Blob) -> Option<Result<(usize, usize), ()>> {
    let text = request.headers().get(header::RANGE)?.to_str().ok()?;
    if let Some(condition) = request.headers().get(header::IF_RANGE)
        && condition != blob.etag
    {
        return None;
    }
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let length = blob.bytes.len();
    let end = length.checked_sub(1);
    let bounds = match (first, last) {
        ("", suffix) => {
            let suffix: usize = suffix.parse().ok()?;
            end.filter(|_| suffix > 0).map(|end| (length.saturating_sub(suffix), end))
        }
        (first, "") => end.and_then(|end| Some((first.parse().ok()?, end))),
        (first, last) => {
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            end.map(|end| (first, last.min(end)))
        }
    };
    Some(bounds.filter(|(first, last)| first <= last).ok_or(()))
}

/// A form that a result can be given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An archive.
    Archive(Format),
    /// The object that describes it.
    Object,
}

/// The form that `Accept` asks for: the best of those it names, an archive in `.tar.gz` if all are the same to it.
///
/// # Errors
/// It names none that can be given.
pub fn form(request: &HttpRequest) -> Result<Form, ApiError> {
    let forms = Format::ALL.map(|format| (Form::Archive(format), format.media_type()));
    let object = (Form::Object, "application/json");
    choose(request, &[&forms[..], &[object]].concat())
}

/// The choice that `Accept` likes best; the first among equals.
///
/// # Errors
/// It likes none.
pub fn choose<T: Copy>(request: &HttpRequest, choices: &[(T, &str)]) -> Result<T, ApiError> {
    let accepted: Vec<&str> =
        request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok()).collect();
    let ranges: Vec<(&str, f32)> = accepted.iter().flat_map(|value| value.split(',')).map(weighed).collect();
    if ranges.is_empty() {
        return choices.first().map(|choice| choice.0).ok_or_else(|| not_acceptable(&[]));
    }
    let mut best: Option<(T, f32)> = None;
    for &(choice, media_type) in choices {
        // The most specific range that fits decides.
        let fits = ranges.iter().filter(|(range, _)| matches_range(range, media_type));
        let Some((_, weight)) = fits.max_by_key(|(range, _)| specificity(range)) else { continue };
        if *weight > 0.0 && best.is_none_or(|(_, known)| *weight > known) {
            best = Some((choice, *weight));
        }
    }
    best.map(|(choice, _)| choice)
        .ok_or_else(|| not_acceptable(&choices.iter().map(|(_, media_type)| *media_type).collect::<Vec<_>>()))
}

fn not_acceptable(choices: &[&str]) -> ApiError {
    ApiError::new(Kind::NOT_ACCEPTABLE, format!("can be given as {}", choices.join(", ")))
}

fn weighed(range: &str) -> (&str, f32) {
    let mut parts = range.split(';').map(str::trim);
    let media_range = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|weight| weight.parse().ok());
    (media_range, weight.unwrap_or(1.0))
}

fn matches_range(range: &str, media_type: &str) -> bool {
    if range == "*/*" || range.eq_ignore_ascii_case(media_type) {
        return true;
    }
    let family = range.strip_suffix("/*").zip(media_type.split_once('/'));
    if family.is_some_and(|(range, (family, _))| range.eq_ignore_ascii_case(family)) {
        return true;
    }
    // Other names of the same archive formats.
    Format::of_media_type(&range.to_ascii_lowercase()).is_some_and(|format| format.media_type() == media_type)
}

fn specificity(range: &str) -> u8 {
    match range {
        "*/*" => 0,
        range if range.ends_with("/*") => 1,
        _ => 2,
    }
}

/// The problem of a result in which something could not be made.
#[must_use]
pub fn failure(found: &StoredResult) -> ApiError {
    let stored = &found.stored;
    let kind = if stored.hit_limit { Kind::LIMIT_EXCEEDED } else { Kind::TABLEGEN_ERRORS };
    let (made, asked) = stored.made;
    ApiError {
        diagnostics: stored.diagnostics.clone(),
        truncated: stored.truncated,
        result: Some(Box::new(Partial {
            address: format!("/v1/results/{}", stored.key),
            origin: found.origin,
        })),
        ..ApiError::new(
            kind,
            match asked {
                0 => "the files can not be read to their end".to_owned(),
                _ => format!("{made} of {asked} outputs could be made"),
            },
        )
    }
}

/// The media type of a file by its name.
#[must_use]
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("md") => "text/markdown; charset=utf-8",
        Some("xml") => "application/xml",
        Some("toml") => "application/toml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("inc" | "h" | "cpp" | "txt" | "td" | "py") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn form_of(accept: &str) -> Option<Form> {
        form(&TestRequest::default().insert_header((header::ACCEPT, accept)).to_http_request()).ok()
    }

    #[test]
    fn accept() {
        assert_eq!(form(&TestRequest::default().to_http_request()).ok(), Some(Form::Archive(Format::TarGz)));
        assert_eq!(form_of("*/*"), Some(Form::Archive(Format::TarGz)));
        assert_eq!(form_of("application/zip"), Some(Form::Archive(Format::Zip)));
        assert_eq!(form_of("application/x-zstd"), Some(Form::Archive(Format::TarZst)));
        assert_eq!(form_of("application/json"), Some(Form::Object));
        assert_eq!(form_of("application/json;q=0.5, application/x-tar"), Some(Form::Archive(Format::Tar)));
        assert_eq!(form_of("application/gzip;q=0, */*"), Some(Form::Archive(Format::TarZst)));
        assert_eq!(form_of("text/html"), None);
    }

    #[test]
    fn ranges() {
        let blob = Blob::new("0123456789");
        let of = |text: &str| {
            range(&TestRequest::default().insert_header((header::RANGE, text)).to_http_request(), &blob)
        };
        assert_eq!(of("bytes=2-4"), Some(Ok((2, 4))));
        assert_eq!(of("bytes=8-"), Some(Ok((8, 9))));
        assert_eq!(of("bytes=-3"), Some(Ok((7, 9))));
        assert_eq!(of("bytes=5-99"), Some(Ok((5, 9))));
        assert_eq!(of("bytes=10-"), Some(Err(())));
        assert_eq!(of("bytes=1-2,4-5"), None);
        assert_eq!(of("lines=1-2"), None);
    }
}
