//! Results over HTTP: entity tags, caching, media types, ranges.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        header,
        header::{HeaderMap, HeaderValue},
    },
    web::{Bytes, Data},
};
use odsmith_engine::{diagnostic::Severity, report::Finding};
use serde::Serialize;

use crate::{
    http::{
        conditions::{self, Condition},
        pieces::{self, Pace},
        routes::pattern,
        state::State,
    },
    jobs::{results::StoredResult, running::ProgressReport},
    pipeline::error::{ApiError, Kind, Limit, Partial, shortened},
    store::{archive::Format, cache::Blob, origin::Origin},
};

/// How long an answer may be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// For ever: the address is a digest.
    Immutable,
    /// For a minute: a newer version may come.
    Minute,
    /// For a few minutes.
    Short,
    /// Not at all.
    Never,
}

impl Keep {
    fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            // A proxy that compresses would break the digest. `Content-Encoding: identity` cannot express that: Nix
            // takes it for a compression that it must undo.
            Keep::Immutable => "public, max-age=31536000, immutable, no-transform",
            Keep::Minute => "public, max-age=60",
            Keep::Short => "public, max-age=300",
            Keep::Never => "no-store",
        })
    }
}

/// Answers with named bytes: 304 if the client has them, 412 if it wants others, a part if it asks for one, else all of them.
#[must_use]
pub fn blob(request: &HttpRequest, blob: &Blob, media_type: &'static str, keep: Keep) -> HttpResponse {
    match conditions::of(request, blob.etag.to_str().unwrap_or_default()) {
        Condition::Holds => {}
        Condition::Unchanged => {
            let mut response = HttpResponse::NotModified();
            name(&mut response, blob, keep);
            return response.finish();
        }
        Condition::Fails => return HttpResponse::from_error(conditions::failed()),
    }
    let whole = blob.bytes.len();
    match range(request, blob) {
        Some(Ok((first, last))) => {
            let mut response = HttpResponse::PartialContent();
            response.insert_header((header::CONTENT_RANGE, format!("bytes {first}-{last}/{whole}")));
            finish(response, blob, blob.bytes.slice(first..=last), (media_type, keep), pace(request))
        }
        Some(Err(())) => {
            let detail = format!("the answer has {whole} bytes, and none of those that Range names");
            let limit = Limit { name: "bytes", value: whole as u64, seen: 0 };
            let problem = ApiError::new(Kind::RANGE_NOT_SATISFIABLE, detail);
            HttpResponse::from_error(ApiError { limit: Some(Box::new(limit)), ..problem })
        }
        None => finish(HttpResponse::Ok(), blob, blob.bytes.clone(), (media_type, keep), pace(request)),
    }
}

/// Answers with named bytes whose address is a digest.
#[must_use]
pub fn kept(request: &HttpRequest, bytes: &Blob, media_type: &'static str, origin: Origin) -> HttpResponse {
    let mut response = blob(request, bytes, media_type, Keep::Immutable);
    origin.write_to(true, response.headers_mut());
    response
}

/// Marks an answer as depending on `Accept`, so that a cache does not send it to clients that accept something else.
pub fn varies(response: &mut HttpResponse) {
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
}

/// Returns true if the client prefers an address at once to waiting for the answer (RFC 7240).
#[must_use]
pub fn prefers_address(request: &HttpRequest) -> bool {
    let given = request.headers().get_all(PREFER).filter_map(|value| value.to_str().ok());
    let mut names = given.flat_map(|value| value.split(',')).map(|one| one.split(';').next().unwrap_or(one));
    names.any(|name| name.trim().eq_ignore_ascii_case("respond-async"))
}

/// Answers with the progress of a running job; the client asks the address again after a moment.
#[must_use]
pub fn progress(report: &impl Serialize) -> HttpResponse {
    HttpResponse::Accepted().insert_header((header::RETRY_AFTER, RETRY_SECONDS)).json(report)
}

/// Answers the request that began the job, with its address.
#[must_use]
pub fn begun(report: &ProgressReport, address: &str) -> HttpResponse {
    let mut response = progress(report);
    let headers = response.headers_mut();
    if let Ok(address) = HeaderValue::from_str(address) {
        headers.insert(header::LOCATION, address);
    }
    headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    varies(&mut response);
    response
}

const PREFER: header::HeaderName = header::HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: header::HeaderName = header::HeaderName::from_static("preference-applied");

/// Seconds after which the client should ask for the progress again.
const RETRY_SECONDS: u32 = 1;

/// Keeps an answer out of shared caches if not all clients may have it.
pub fn make_private(headers: &mut HeaderMap) {
    let value = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let private = value.strip_prefix("public").map(|rest| HeaderValue::try_from(format!("private{rest}")));
    if let Some(Ok(value)) = private {
        headers.insert(header::CACHE_CONTROL, value);
    }
}

/// Names the immutable address at which the answer's content can be fetched with GET, if it may be named.
pub fn locate(response: &mut HttpResponse, found: &StoredResult, address: &str) {
    if let (true, Ok(address)) = (found.is_kept, HeaderValue::from_str(address)) {
        response.headers_mut().insert(header::CONTENT_LOCATION, address);
    }
}

fn finish(
    mut response: HttpResponseBuilder,
    blob: &Blob,
    bytes: Bytes,
    (media_type, keep): (&'static str, Keep),
    pace: Pace,
) -> HttpResponse {
    name(&mut response, blob, keep);
    response.insert_header((header::CONTENT_TYPE, HeaderValue::from_static(media_type)));
    response.insert_header((header::ACCEPT_RANGES, HeaderValue::from_static("bytes")));
    response.insert_header((REPR_DIGEST, blob.digest.clone()));
    response.body(pieces::body(bytes, pace))
}

/// Returns the minimum rate at which the client must take the answer.
fn pace(request: &HttpRequest) -> Pace {
    let (seconds, bytes_per_second) = request
        .app_data::<Data<State>>()
        .map_or((30, 1), |state| (state.limits.write_seconds, state.limits.write_bytes_per_second));
    Pace { start: Duration::from_secs(seconds), bytes_per_second }
}

const REPR_DIGEST: header::HeaderName = header::HeaderName::from_static("repr-digest");

fn name(response: &mut HttpResponseBuilder, blob: &Blob, keep: Keep) {
    response.insert_header((header::ETAG, blob.etag.clone()));
    response.insert_header((header::CACHE_CONTROL, keep.value()));
}

/// Returns the single requested range, as first and last byte; an error if it lies outside.
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

/// A form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An archive.
    Archive(Format),
    /// JSON in our own form.
    Json,
    /// Markdown.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// Text for people.
    Text,
    /// A page.
    Html,
}

/// The forms of a result; a client without a preference gets a `.tar.gz` archive.
pub const RESULT_FORMS: &[Form] = &[
    Form::Archive(Format::TarGz),
    Form::Archive(Format::TarZst),
    Form::Archive(Format::Zip),
    Form::Archive(Format::Tar),
    Form::Json,
];

/// The forms of messages and findings.
pub const MESSAGE_FORMS: &[Form] = &[Form::Json, Form::Sarif, Form::Text];

impl Form {
    /// Returns its media type for answers.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Form::Archive(format) => format.media_type(),
            Form::Json => "application/json",
            Form::Markdown => "text/markdown; charset=utf-8",
            Form::Sarif => "application/sarif+json",
            Form::Text => "text/plain; charset=utf-8",
            Form::Html => "text/html; charset=utf-8",
        }
    }

    /// Returns its media type without parameters.
    #[must_use]
    pub fn essence(self) -> &'static str {
        self.media_type().split(';').next().unwrap_or_default()
    }

    /// Returns the end of the name of a file in this form.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Form::Archive(format) => format.extension(),
            Form::Json => ".json",
            Form::Markdown => ".md",
            Form::Sarif => ".sarif",
            Form::Text => ".txt",
            Form::Html => ".html",
        }
    }

    /// Returns the part of an address that names it: `/v1/check/sarif`.
    fn segment(self) -> Option<&'static str> {
        match self {
            Form::Sarif => Some("sarif"),
            Form::Text => Some("text"),
            _ => None,
        }
    }

    /// Splits a name, such as `KEY.md`, at the end that names one of these forms.
    #[must_use]
    pub fn of_name<'n>(name: &'n str, forms: &[Form]) -> Option<(&'n str, Form)> {
        let (stem, _) = name.split_once('.')?;
        let form = forms.iter().find(|form| name[stem.len()..] == *form.extension())?;
        Some((stem, *form))
    }
}

/// Returns the form of an answer among these: the one that the address names, or else the one that `Accept` prefers; the
/// first among equals.
///
/// # Errors
/// The client accepts none of them.
pub fn form(request: &HttpRequest, forms: &[Form]) -> Result<Form, ApiError> {
    let address = pattern(request);
    let named =
        |form: &&Form| form.segment().is_some_and(|segment| address.ends_with(&format!("/{segment}")));
    if let Some(form) = forms.iter().find(named) {
        return Ok(*form);
    }
    let accepted: Vec<&str> =
        request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok()).collect();
    let mut ranges: Vec<(&str, f32)> =
        accepted.iter().flat_map(|value| value.split(',')).map(weighed).collect();
    if ranges.is_empty() {
        ranges.push(("*/*", 1.0));
    }
    let mut best: Option<(Form, f32)> = None;
    for &form in forms {
        // The most specific range that fits decides.
        let fits = ranges.iter().filter(|(range, _)| matches_range(range, form.essence()));
        let Some((_, weight)) = fits.max_by_key(|(range, _)| specificity(range)) else { continue };
        if *weight > 0.0 && best.is_none_or(|(_, known)| *weight > known) {
            best = Some((form, *weight));
        }
    }
    best.map(|(form, _)| form).ok_or_else(|| {
        let all: Vec<&str> = forms.iter().map(|form| form.essence()).collect();
        ApiError::new(Kind::NOT_ACCEPTABLE, format!("can be given as {}", all.join(", ")))
    })
}

/// Answers with one form of a stored report; its files are named for their forms.
///
/// # Errors
/// The file is not there.
pub fn report(
    request: &HttpRequest,
    made: &StoredResult,
    name: &str,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let file = made.stored.files.get(&format!("{name}{}", form.extension()));
    let file = file.ok_or_else(|| ApiError::new(Kind::INTERNAL, "what was made is not there"))?;
    let mut response = blob(request, file, form.media_type(), Keep::Never);
    varies(&mut response);
    Ok(response)
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
    // Aliases of the media types of archive formats.
    Format::of_media_type(&range.to_ascii_lowercase()).is_some_and(|format| format.media_type() == media_type)
}

fn specificity(range: &str) -> u8 {
    match range {
        "*/*" => 0,
        range if range.ends_with("/*") => 1,
        _ => 2,
    }
}

/// Returns the error for a result with failed outputs.
#[must_use]
pub fn failure(found: &StoredResult) -> ApiError {
    let stored = &found.stored;
    let kind = if stored.hit_limit { Kind::LIMIT_EXCEEDED } else { Kind::TABLEGEN_ERRORS };
    let (made, asked) = stored.made;
    let diagnostics: Vec<Finding> = stored
        .diagnostics
        .iter()
        .map(|report| Finding { message: shortened(&report.message).into_owned(), ..report.clone() })
        .collect();
    let detail = what_failed(made, asked, &diagnostics);
    ApiError {
        diagnostics,
        truncated: stored.truncated,
        result: Some(Box::new(Partial {
            address: found.is_kept.then(|| format!("/v1/results/{}", stored.key)),
            is_everywhere: found.is_everywhere,
            origin: found.origin,
        })),
        ..ApiError::new(kind, detail)
    }
}

/// Describes the failure accurately: even with all outputs there, a file may have been unreadable.
fn what_failed(made: usize, asked: usize, diagnostics: &[Finding]) -> String {
    if made < asked {
        return format!("{made} of {asked} outputs could be made");
    }
    let errors = diagnostics.iter().filter(|report| report.severity == Severity::Error);
    let mut files: Vec<&str> =
        errors.filter_map(|report| report.location.as_ref()).map(|location| location.file.as_str()).collect();
    files.dedup();
    let shown = files.len().min(MOST_FILES);
    let more = if files.len() > shown { " and others" } else { "" };
    let wrong = match shown {
        0 => "the request could not be done to its end".to_owned(),
        _ => format!("there are errors in {}{more}", files[..shown].join(", ")),
    };
    match asked {
        0 => wrong,
        1 => format!("{wrong}; the one output that is known of was made"),
        _ => format!("{wrong}; the {asked} outputs that are known of were made"),
    }
}

/// Maximum number of files that a detail names.
const MOST_FILES: usize = 5;

/// Returns the media type of a file by its name.
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
        let request = TestRequest::default().insert_header((header::ACCEPT, accept)).to_http_request();
        form(&request, RESULT_FORMS).ok()
    }

    #[test]
    fn accept() {
        let without = TestRequest::default().to_http_request();
        assert_eq!(form(&without, RESULT_FORMS).ok(), Some(Form::Archive(Format::TarGz)));
        assert_eq!(form_of("*/*"), Some(Form::Archive(Format::TarGz)));
        assert_eq!(form_of("application/zip"), Some(Form::Archive(Format::Zip)));
        assert_eq!(form_of("application/x-zstd"), Some(Form::Archive(Format::TarZst)));
        assert_eq!(form_of("application/json"), Some(Form::Json));
        assert_eq!(form_of("application/json;q=0.5, application/x-tar"), Some(Form::Archive(Format::Tar)));
        assert_eq!(form_of("application/gzip;q=0, */*"), Some(Form::Archive(Format::TarZst)));
        assert_eq!(form_of("text/html"), None);
    }

    #[test]
    fn preferences() {
        let prefers = |value: &str| {
            prefers_address(&TestRequest::default().insert_header(("prefer", value)).to_http_request())
        };
        assert!(!prefers_address(&TestRequest::default().to_http_request()));
        assert!(prefers("respond-async") && prefers("wait=10, Respond-Async; foo=1"));
        assert!(!prefers("wait=10") && !prefers("respond-asynchronously"));
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
