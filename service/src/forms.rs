//! The forms that a request may come in: an archive, one `.td` file, `multipart/form-data`, JSON, or the name of a
//! bundle that is known. All become files and, perhaps, a manifest.
//!
//! ```text
//! multipart: {part}
//! part:      "request" (the manifest, as JSON) | "bundle" (an archive) | "file" (its file name is its path)
//!            | "known" (path to sha256, as JSON)
//! JSON:      { "request": manifest, "files": { path: text }, "known": { path: sha256 } }
//!            or  { "request": manifest, "bundle": sha256 }
//! ```
//!
//! A file that was sent once can be named by its digest afterwards; those that are not known any more are an error
//! that lists them.

use std::{collections::BTreeMap, sync::Arc};

use actix_multipart::Multipart;
use actix_web::{
    HttpRequest,
    error::PayloadError,
    http::header,
    web::{Bytes, BytesMut},
};
use futures_util::{StreamExt, stream};
use odsmith_engine::{bundle::Bundle, library::Library};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::{
    archive::{self, Format, Refusal, names::Names},
    error::{ApiError, Kind},
    generate::Request,
    keys,
    manifest::Manifest,
    results::Change,
    state::State,
};

/// Where the files of a request are.
#[derive(Clone, Debug)]
pub enum Source {
    /// In an archive.
    Archive(Bytes),
    /// The body is one file, of this name, unless it is an archive.
    Single(&'static str, Bytes),
    /// Each by itself, as path and content.
    Files(Vec<(String, Bytes)>),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Form {
    /// Its files.
    pub source: Source,
    /// Its manifest, if it is not among them.
    pub manifest: Option<Manifest>,
    /// The folder of the files that is meant, if it is not all of them.
    pub strip_prefix: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonBody {
    #[serde(default)]
    request: Option<Manifest>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    known: BTreeMap<String, String>,
    #[serde(default)]
    bundle: Option<String>,
}

/// Reads a body by its media type. `single` is what one `.td` file would be called; without it there must be an
/// archive.
///
/// # Errors
/// The body is not what its media type says, is of no known form, or names a bundle that is not known.
pub async fn read(
    request: &HttpRequest,
    body: &Bytes,
    single: Option<&'static str>,
    state: &State,
) -> Result<Form, ApiError> {
    let media_type = media_type(request);
    match media_type.as_str() {
        "application/json" => json(body, state).await,
        "multipart/form-data" => multipart(request, body, state).await,
        media_type => {
            check_magic(media_type, body)?;
            let body = body.clone();
            let source = single
                .map_or_else(|| Source::Archive(body.clone()), |name| Source::Single(name, body.clone()));
            Ok(Form { source, manifest: None, strip_prefix: None })
        }
    }
}

/// The form of a bundle that was put before.
///
/// # Errors
/// It is not known.
pub async fn known(digest: &str, state: &State) -> Result<Form, ApiError> {
    if !keys::is_key(digest) {
        return Err(ApiError::new(Kind::BAD_REQUEST, "a bundle is named by the 64 hex digits of its sha256"));
    }
    let Some(body) = state.results.bundle(digest).await else {
        let detail = format!("PUT it to /v1/bundles/{digest} and repeat the request");
        return Err(ApiError::new(Kind::BUNDLE_NOT_FOUND, detail));
    };
    Ok(Form { source: Source::Archive(body), manifest: None, strip_prefix: None })
}

fn media_type(request: &HttpRequest) -> String {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn check_magic(media_type: &str, body: &[u8]) -> Result<(), ApiError> {
    match (Format::of_media_type(media_type), Format::of_bytes(body)) {
        (Some(said), Some(seen)) if said != seen => Err(ApiError::new(
            Kind::MEDIA_TYPE,
            format!("the media type says {}, and the bytes are {}", said.media_type(), seen.media_type()),
        )),
        _ => Ok(()),
    }
}

async fn json(body: &[u8], state: &State) -> Result<Form, ApiError> {
    let body: JsonBody = serde_json::from_slice(body)
        .map_err(|error| ApiError::new(Kind::BAD_REQUEST, format!("the JSON is not a request: {error}")))?;
    let form = match &body.bundle {
        Some(_) if !body.files.is_empty() || !body.known.is_empty() => {
            return Err(ApiError::new(Kind::BAD_REQUEST, "a request has either 'files' or 'bundle'"));
        }
        Some(digest) => known(digest, state).await?,
        None => {
            let files = body.files.into_iter().map(|(path, text)| (path, Bytes::from(text)));
            let source = Source::Files(with_known(files.collect(), body.known, state).await?);
            Form { source, manifest: None, strip_prefix: None }
        }
    };
    Ok(Form { manifest: body.request, ..form })
}

async fn multipart(request: &HttpRequest, body: &Bytes, state: &State) -> Result<Form, ApiError> {
    let bad = |text: String| ApiError::new(Kind::BAD_REQUEST, format!("the multipart body: {text}"));
    // The body is here already, bounded in size and time.
    let whole = stream::iter([Ok::<Bytes, PayloadError>(body.clone())]);
    let mut parts = Multipart::new(request.headers(), whole);
    let (mut manifest, mut bundle, mut files, mut known) = (None, None, Vec::new(), BTreeMap::new());
    while let Some(part) = parts.next().await {
        let mut part = part.map_err(|error| bad(error.to_string()))?;
        let name = part.name().unwrap_or_default().to_owned();
        let path = part.content_disposition().and_then(|it| it.get_filename().map(str::to_owned));
        let mut content = BytesMut::new();
        while let Some(chunk) = part.next().await {
            content.extend_from_slice(&chunk.map_err(|error| bad(error.to_string()))?);
        }
        let content = content.freeze();
        match (name.as_str(), path) {
            ("request", _) if manifest.is_none() => {
                let read: Manifest = serde_json::from_slice(&content)
                    .map_err(|error| bad(format!("part 'request' is not a manifest: {error}")))?;
                manifest = Some(read);
            }
            ("known", _) if known.is_empty() => {
                known = serde_json::from_slice(&content)
                    .map_err(|error| bad(format!("part 'known' is not a list of digests: {error}")))?;
            }
            ("bundle", _) if bundle.is_none() => bundle = Some(content),
            ("file", Some(path)) => files.push((path, content)),
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
        Some(bundle) => Ok(Form { source: Source::Archive(bundle), manifest, strip_prefix: None }),
        None => {
            let source = Source::Files(with_known(files, known, state).await?);
            Ok(Form { source, manifest, strip_prefix: None })
        }
    }
}

/// Files with those that are named by their digests, all of which are kept for the next time.
async fn with_known(
    files: Vec<(String, Bytes)>,
    known: BTreeMap<String, String>,
    state: &State,
) -> Result<Vec<(String, Bytes)>, ApiError> {
    let sources = &state.results.caches.sources;
    let mut all = Vec::with_capacity(files.len() + known.len());
    for (path, content) in files {
        sources.insert(Sha256::digest(&content).into(), content.clone()).await;
        all.push((path, content));
    }
    let mut missing = Vec::new();
    for (path, digest) in known {
        let name = keys::from_hex(&digest).ok_or_else(|| {
            ApiError::new(Kind::BAD_REQUEST, "a file is named by the 64 hex digits of its sha256")
        })?;
        match sources.get(&name).await {
            Some(content) => all.push((path, content)),
            None => missing.push(digest),
        }
    }
    if missing.is_empty() {
        return Ok(all);
    }
    let detail = format!("{} files are not known here; send them with the others", missing.len());
    Err(ApiError { missing: missing.into(), ..ApiError::new(Kind::FILES_NOT_FOUND, detail) })
}

impl Form {
    /// The request: its files unpacked and checked, its manifest with `change` applied.
    ///
    /// # Errors
    /// The files or the manifest are refused.
    pub fn open(
        self,
        limits: &archive::Limits,
        library: &Arc<Library>,
        change: Change,
    ) -> Result<Request, ApiError> {
        let mut bundle = self.source.open(self.strip_prefix.as_deref().unwrap_or_default(), limits)?;
        if let Some(prefix) = &self.strip_prefix {
            bundle = below(&bundle, prefix)?;
        }
        Request::new(library, bundle, self.manifest, change)
            .map_err(|error| ApiError::new(Kind::BAD_MANIFEST, error))
    }
}

/// The files below a folder, named from there.
fn below(bundle: &Bundle, prefix: &str) -> Result<Bundle, ApiError> {
    let folder = format!("{}/", prefix.trim_matches('/'));
    let mut found = Bundle::default();
    for (path, bytes) in bundle.iter() {
        if let Some(path) = path.strip_prefix(&folder) {
            found.insert(path, bytes.clone());
        }
    }
    if found.is_empty() {
        let detail = format!("strip_prefix: the archive has no folder '{}'", prefix.escape_debug());
        return Err(ApiError::new(Kind::BAD_REQUEST, detail));
    }
    Ok(found)
}

impl Source {
    /// The files, unpacked and checked; of an archive, those below a folder.
    ///
    /// # Errors
    /// They are refused.
    pub fn open(&self, folder: &str, limits: &archive::Limits) -> Result<Bundle, Refusal> {
        match self {
            Source::Single(name, body) if Format::of_bytes(body).is_none() => {
                let mut names = Names::new(limits);
                names.size(body.len() as u64)?;
                let mut bundle = Bundle::default();
                bundle.insert(*name, &**body);
                Ok(bundle)
            }
            Source::Archive(body) | Source::Single(_, body) => archive::read_below(body, folder, limits),
            Source::Files(files) => {
                let mut names = Names::new(limits);
                for (path, content) in files {
                    names.entry()?;
                    names.size(content.len() as u64)?;
                    names.file(path.as_bytes(), || Ok(content.to_vec()))?;
                }
                names.finish()
            }
        }
    }
}
