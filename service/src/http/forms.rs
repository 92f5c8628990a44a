//! The forms that a request may come in: an archive, one `.td` file, `multipart/form-data`, JSON, or the name of a
//! known bundle. All become files and an optional manifest.
//!
//! ```text
//! multipart: {part}
//! part:      "request" (the manifest, as JSON) | "bundle" (an archive) | "file" (its file name is its path)
//!            | "known" (path to sha256, as JSON)
//! JSON:      { "request": manifest, "files": { path: text }, "known": { path: sha256 } }
//!            or  { "request": manifest, "bundle": sha256 }
//! ```
//!
//! A file that was sent once can be named by its digest afterwards; if some of the named files are not known any more,
//! the error lists them.

use std::fmt;

use actix_multipart::Multipart;
use actix_web::{
    HttpRequest,
    error::PayloadError,
    http::header::{self, HeaderMap, HeaderValue},
    rt::task::yield_now,
    web::{Bytes, BytesMut, Payload},
};
use futures_util::{StreamExt, stream};
use moka::future::Cache;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::{
    config::ArchiveLimits,
    http::{
        access::tenant,
        body::{self, Body},
        state::State,
    },
    jobs::ticket::Ticket,
    pipeline::{
        error::{ApiError, Kind},
        manifest::Manifest,
        request::{Form, SMALL_BODY, Source},
    },
    store::{archive::Format, cache::SourceFile, keys},
};

/// A parsed body whose digests are not resolved yet.
enum Parsed {
    /// An archive or a file.
    Whole(Source),
    /// A bundle, named by its digest.
    Named { digest: String, manifest: Option<Manifest> },
    /// A bundle in a part.
    Bundle { bundle: Bytes, manifest: Option<Manifest> },
    /// Files, with their digests, and digests of files.
    Files { files: Vec<NamedFile>, known: Vec<(String, String)>, manifest: Option<Manifest> },
}

/// A file's path, its digest and its bytes.
type NamedFile = (String, [u8; 32], Bytes);

/// Reads a body by its media type. `single` is the name for a body that is one `.td` file; without it, the body must be
/// an archive.
///
/// # Errors
/// The body does not match its media type, has an unknown form, or names an unknown bundle.
pub async fn read(
    request: &HttpRequest,
    body: &Bytes,
    single: Option<&'static str>,
    state: &State,
    ticket: &Ticket,
) -> Result<Form, ApiError> {
    let tenant = tenant(request);
    let media_type = media_type(request)?.cloned();
    let said =
        media_type.as_ref().map_or_else(String::new, |it| String::from_utf8_lossy(it.as_bytes()).into());
    let (body, limits) = (body.clone(), state.limits.archive.clone());
    let is_multipart =
        media_type.as_ref().is_some_and(|it| it.as_bytes().to_ascii_lowercase().starts_with(b"multipart/"));
    let is_small = body.len() <= SMALL_BODY && !is_multipart;
    let parse = move || parse(media_type, &body, single, &limits);
    let parsed = if is_small { parse()? } else { state.results.pool.run(ticket, parse).await?? };
    let (source, manifest) = match parsed {
        Parsed::Whole(source) => (source, None),
        Parsed::Bundle { bundle, manifest } => (Source::Archive(bundle), manifest),
        Parsed::Named { digest, manifest } => (known(&tenant, &digest, state).await?.source, manifest),
        Parsed::Files { files, known, manifest } => {
            let work = with_known(tenant.clone(), files, known, state.results.caches.sources.clone());
            // Storing thousands of files takes milliseconds.
            let files = if is_small {
                work.await?
            } else {
                state.results.pool.run(ticket, move || on_this_thread(work)).await???
            };
            (Source::Files(complete(&tenant, files, state).await?), manifest)
        }
    };
    Ok(Form { manifest, media_type: said, ..source.into() })
}

fn parse(
    media_type: Option<HeaderValue>,
    body: &Bytes,
    single: Option<&'static str>,
    limits: &ArchiveLimits,
) -> Result<Parsed, ApiError> {
    let essence = essence_of(media_type.as_ref());
    match essence.as_str() {
        "application/json" => {
            check_no_archive(&essence, body)?;
            json(body, limits)
        }
        "multipart/form-data" => {
            check_no_archive(&essence, body)?;
            multipart(media_type, body, limits)
        }
        media_type => {
            check_bytes(media_type, body, single.is_some())?;
            let body = body.clone();
            Ok(Parsed::Whole(match single {
                Some(name) => Source::Single(name, body),
                None => Source::Archive(body),
            }))
        }
    }
}

/// Returns the form of a bundle that a tenant stored earlier.
///
/// # Errors
/// The bundle is unknown.
pub async fn known(tenant: &str, digest: &str, state: &State) -> Result<Form, ApiError> {
    if !keys::is_key(digest) {
        return Err(ApiError::new(Kind::BAD_REQUEST, "a bundle is named by the 64 hex digits of its sha256"));
    }
    let Some(body) = state.results.bundle(tenant, digest).await else {
        let detail = format!("PUT it to /v1/bundles/{digest} and repeat the request");
        return Err(ApiError::new(Kind::BUNDLE_NOT_FOUND, detail));
    };
    Ok(Source::Archive(body).into())
}

/// Reads a body that can be JSON alone.
///
/// # Errors
/// The body has another media type, is an archive, or cannot be read.
pub async fn read_json(state: &State, request: &HttpRequest, payload: Payload) -> Result<Body, ApiError> {
    const JSON: &str = "application/json";
    if essence_of(media_type(request)?) != JSON {
        return Err(ApiError::new(Kind::MEDIA_TYPE, format!("the body comes as {JSON}")));
    }
    let body = body::read(state, request, payload).await?;
    check_no_archive(JSON, &body.bytes)?;
    Ok(body)
}

/// Returns a media type without its parameters.
fn essence_of(media_type: Option<&HeaderValue>) -> String {
    let value = media_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns the media type of a request.
///
/// # Errors
/// It has several, which differ.
fn media_type(request: &HttpRequest) -> Result<Option<&HeaderValue>, ApiError> {
    let mut all = request.headers().get_all(header::CONTENT_TYPE);
    let first = all.next();
    match all.all(|other| Some(other) == first) {
        true => Ok(first),
        false => Err(ApiError::new(Kind::MEDIA_TYPE, "the body has two media types")),
    }
}

/// Checks that the body of a request, an archive, is of the format that its media type says. Whether it is an archive at
/// all is found when it is opened.
///
/// # Errors
/// It is of another format, or of a media type that is not read.
pub fn check_archive(request: &HttpRequest, body: &[u8]) -> Result<(), ApiError> {
    let said = essence_of(media_type(request)?);
    match (Format::of_media_type(&said), Format::of_bytes(body)) {
        (Some(_), None) => Ok(()),
        _ => check_bytes(&said, body, false),
    }
}

/// Media types that say nothing of the bytes: none, the one for any bytes, and the one that curl sends by default.
const UNSAID: &[&str] = &["", "application/octet-stream", "application/x-www-form-urlencoded"];

/// Checks that bytes are what their media type says: an archive or, if `takes_text`, a text.
fn check_bytes(media_type: &str, body: &[u8], takes_text: bool) -> Result<(), ApiError> {
    if UNSAID.contains(&media_type) {
        return Ok(());
    }
    let seen = Format::of_bytes(body);
    if media_type.starts_with("text/") && takes_text {
        return check_no_archive(media_type, body);
    }
    let Some(said) = Format::of_media_type(media_type) else {
        let texts = if takes_text { "text/plain, " } else { "" };
        let known = Format::ALL.map(Format::media_type).join(", ");
        return Err(ApiError::new(Kind::MEDIA_TYPE, format!("a body is read as {texts}{known}")));
    };
    if seen == Some(said) {
        return Ok(());
    }
    let seen = seen.map_or("of none that is known", Format::media_type);
    let detail = format!("the media type says {}, and the bytes are {seen}", said.media_type());
    Err(ApiError::new(Kind::MEDIA_TYPE, detail))
}

/// Checks that a body of a text media type is not an archive.
///
/// # Errors
/// It is one.
pub fn check_no_archive(media_type: &str, body: &[u8]) -> Result<(), ApiError> {
    match Format::of_bytes(body) {
        None => Ok(()),
        Some(seen) => Err(ApiError::new(
            Kind::MEDIA_TYPE,
            format!("the media type says {media_type}, and the bytes are {}", seen.media_type()),
        )),
    }
}

/// A JSON object whose large parts are parsed later.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonBody<'b> {
    #[serde(default, borrow)]
    request: Option<&'b RawValue>,
    #[serde(default, borrow)]
    files: Option<&'b RawValue>,
    #[serde(default, borrow)]
    known: Option<&'b RawValue>,
    #[serde(default)]
    bundle: Option<String>,
}

/// Texts by their paths; reading stops with an error at the maximum number of entries.
struct Entries<'s> {
    most: u64,
    seen: &'s mut u64,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = Vec<(String, String)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = Vec<(String, String)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("texts by their paths")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            *self.seen += 1;
            if *self.seen > self.most {
                return Err(de::Error::custom("there are too many entries"));
            }
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// Reads the entries of a JSON map; `seen` counts the entries of all maps of a request.
fn entries(
    json: &str,
    limits: &ArchiveLimits,
    seen: &mut u64,
) -> Result<Vec<(String, String)>, Result<ApiError, serde_json::Error>> {
    let most = limits.entries;
    let read = Entries { most, seen }.deserialize(&mut serde_json::Deserializer::from_str(json));
    read.map_err(
        |error| {
            if *seen > most { Ok(ApiError::too_large("entries", most, *seen)) } else { Err(error) }
        },
    )
}

/// Parses a manifest in JSON.
fn manifest_of(json: &[u8], limits: &ArchiveLimits) -> Result<Manifest, Result<ApiError, serde_json::Error>> {
    if json.len() as u64 > limits.manifest_bytes {
        return Err(Ok(ApiError::too_large("manifest_bytes", limits.manifest_bytes, json.len() as u64)));
    }
    serde_json::from_slice(json).map_err(Err)
}

fn json(body: &[u8], limits: &ArchiveLimits) -> Result<Parsed, ApiError> {
    let bad = |error| ApiError::new(Kind::BAD_REQUEST, format!("the JSON is not a request: {error}"));
    let either = |wrong: Result<ApiError, serde_json::Error>| wrong.unwrap_or_else(bad);
    let JsonBody { request, files, known, bundle } = serde_json::from_slice(body).map_err(bad)?;
    let manifest =
        request.map(|json| manifest_of(json.get().as_bytes(), limits).map_err(either)).transpose()?;
    let mut seen = 0;
    let mut read = |json: Option<&RawValue>| {
        json.map_or(Ok(Vec::new()), |json| entries(json.get(), limits, &mut seen).map_err(either))
    };
    let (files, known) = (read(files)?, read(known)?);
    match bundle {
        Some(_) if !files.is_empty() || !known.is_empty() => {
            Err(ApiError::new(Kind::BAD_REQUEST, "a request has either 'files' or 'bundle'"))
        }
        Some(digest) => Ok(Parsed::Named { digest, manifest }),
        None => {
            let files = files.into_iter().map(|(path, text)| (path, Bytes::from(text)));
            Ok(Parsed::Files { files: named(files.collect()), known, manifest })
        }
    }
}

fn named(files: Vec<(String, Bytes)>) -> Vec<NamedFile> {
    let name = |(path, content): (String, Bytes)| (path, Sha256::digest(&content).into(), content);
    files.into_iter().map(name).collect()
}

/// Runs a future that never blocks to completion on a pool thread: HTTP workers have a runtime of their own.
///
/// # Errors
/// There is no such runtime.
pub fn on_this_thread<F: Future>(work: F) -> Result<F::Output, ApiError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| ApiError::new(Kind::INTERNAL, error.to_string()))?;
    Ok(runtime.block_on(work))
}

fn multipart(
    media_type: Option<HeaderValue>,
    body: &Bytes,
    limits: &ArchiveLimits,
) -> Result<Parsed, ApiError> {
    // The whole body has arrived.
    on_this_thread(multipart_parts(media_type, body, limits))?
}

async fn multipart_parts(
    media_type: Option<HeaderValue>,
    body: &Bytes,
    limits: &ArchiveLimits,
) -> Result<Parsed, ApiError> {
    let bad = |text: String| ApiError::new(Kind::BAD_REQUEST, format!("the multipart body: {text}"));
    let not = |part: &'static str, what: &'static str| {
        move |wrong: Result<ApiError, serde_json::Error>| {
            wrong.unwrap_or_else(|error| {
                let detail = format!("the multipart body: part '{part}' is not {what}: {error}");
                ApiError::new(Kind::BAD_REQUEST, detail)
            })
        }
    };
    let mut headers = HeaderMap::new();
    if let Some(value) = media_type {
        headers.insert(header::CONTENT_TYPE, value);
    }
    let whole = stream::iter([Ok::<Bytes, PayloadError>(body.clone())]);
    let mut parts = Multipart::new(&headers, whole);
    let (mut manifest, mut bundle, mut files, mut known) = (None, None, Vec::new(), Vec::new());
    let mut seen = 0;
    while let Some(part) = parts.next().await {
        let mut part = part.map_err(|error| bad(error.to_string()))?;
        let name = part.name().unwrap_or_default().to_owned();
        let part_type = part.headers().get(header::CONTENT_TYPE).cloned();
        let path = part.content_disposition().and_then(|it| it.get_filename().map(str::to_owned));
        let mut content = BytesMut::new();
        while let Some(chunk) = part.next().await {
            content.extend_from_slice(&chunk.map_err(|error| bad(error.to_string()))?);
        }
        let content = content.freeze();
        match (name.as_str(), path) {
            ("request", _) if manifest.is_none() => {
                manifest = Some(manifest_of(&content, limits).map_err(not("request", "a manifest"))?);
            }
            ("known", _) if known.is_empty() => {
                let not = not("known", "a list of digests");
                let text = std::str::from_utf8(&content).map_err(|error| bad(error.to_string()))?;
                known = entries(text, limits, &mut seen).map_err(not)?;
            }
            ("bundle", _) if bundle.is_none() => {
                check_bytes(&essence_of(part_type.as_ref()), &content, false)?;
                bundle = Some(content);
            }
            ("file", Some(path)) => {
                seen += 1;
                if seen > limits.entries {
                    return Err(ApiError::too_large("entries", limits.entries, seen));
                }
                files.push((path, content));
            }
            ("file", None) => return Err(bad("part 'file' has no file name".to_owned())),
            ("request" | "bundle" | "known", _) => return Err(bad(format!("part '{name}' is there twice"))),
            (name, _) => {
                return Err(bad(format!(
                    "there is no part '{}'; there are request, bundle, known and file",
                    name.escape_debug()
                )));
            }
        }
    }
    match bundle {
        Some(_) if !files.is_empty() || !known.is_empty() => {
            Err(bad("it has both a bundle and files".to_owned()))
        }
        Some(bundle) => Ok(Parsed::Bundle { bundle, manifest }),
        None => Ok(Parsed::Files { files: named(files), known, manifest }),
    }
}

/// Number of files that are stored or looked up before this thread yields to other tasks.
const IN_A_ROW: usize = 32;

/// The files of a request.
struct RequestFiles {
    /// Paths and contents; an empty one for each file that this server does not know.
    all: Vec<(String, Bytes)>,
    /// The files that were sent.
    sent: Vec<SourceFile>,
    /// The indices of files that this server does not know, and their digests.
    missing: Vec<(usize, String)>,
}

/// Gets the files that this server does not know from others, and sends them those that it has.
async fn complete(
    tenant: &str,
    files: RequestFiles,
    state: &State,
) -> Result<Vec<(String, Bytes)>, ApiError> {
    let RequestFiles { mut all, sent, missing } = files;
    let look_up = |(index, digest): (usize, String)| async move {
        let found = state.results.source(tenant, &digest).await;
        (index, digest, found)
    };
    let mut looked_up = stream::iter(missing.into_iter().map(look_up)).buffered(AT_ONCE);
    let mut missing = Vec::new();
    while let Some((index, digest, found)) = looked_up.next().await {
        match (found, all.get_mut(index)) {
            (Some(found), Some((_, content))) => {
                *content = found.bytes.clone();
                state.results.caches.sources.insert(of_tenant(tenant, found.digest), found).await;
            }
            _ => missing.push(digest),
        }
    }
    state.results.share_sources(tenant, sent).await;
    if missing.is_empty() {
        return Ok(all);
    }
    let detail = format!("{} files are not known here; send them with the others", missing.len());
    Err(ApiError { missing: missing.into(), ..ApiError::new(Kind::FILES_NOT_FOUND, detail) })
}

/// Number of files that are looked up at other servers at the same time.
const AT_ONCE: usize = 16;

/// Resolves the files that are named by digest and joins them with the others. All are stored for the tenant's next
/// request.
async fn with_known(
    tenant: String,
    files: Vec<NamedFile>,
    known: Vec<(String, String)>,
    sources: Cache<[u8; 32], SourceFile>,
) -> Result<RequestFiles, ApiError> {
    let mut all = Vec::with_capacity(files.len() + known.len());
    let mut sent = Vec::with_capacity(files.len());
    for (count, (path, digest, content)) in files.into_iter().enumerate() {
        if count % IN_A_ROW == IN_A_ROW - 1 {
            yield_now().await;
        }
        let name = of_tenant(&tenant, digest);
        let file = match sources.get(&name).await {
            Some(file) => file,
            None => {
                let file = SourceFile::new(digest, content.clone());
                sources.insert(name, file.clone()).await;
                file
            }
        };
        sent.push(file);
        all.push((path, content));
    }
    let mut missing = Vec::new();
    for (count, (path, digest)) in known.into_iter().enumerate() {
        if count % IN_A_ROW == IN_A_ROW - 1 {
            yield_now().await;
        }
        let name = keys::from_hex(&digest).ok_or_else(|| {
            ApiError::new(Kind::BAD_REQUEST, "a file is named by the 64 hex digits of its sha256")
        })?;
        match sources.get(&of_tenant(&tenant, name)).await {
            Some(file) => all.push((path, file.bytes)),
            None => {
                missing.push((all.len(), digest));
                all.push((path, Bytes::new()));
            }
        }
    }
    Ok(RequestFiles { all, sent, missing })
}

/// Returns the storage key of a tenant's file with this digest.
fn of_tenant(tenant: &str, digest: [u8; 32]) -> [u8; 32] {
    match tenant {
        "" => digest,
        tenant => {
            Sha256::new().chain_update(tenant).chain_update(b"\0").chain_update(digest).finalize().into()
        }
    }
}
