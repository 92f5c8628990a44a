//! `/v1/catalog`: the catalogue of published dialects, and `/catalog`: its pages.
//!
//! An answer about newest versions is good for a minute, and names its generation. What is named by a digest is immutable;
//! versions and `latest` lead there.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderName, HeaderValue},
    web::{self, Data, Path, Payload},
};
use odsmith_catalog::{
    Project,
    answers::{Lookup, ProjectList, SymbolAnswer, UsesAnswer},
    catalog::to_json,
    changes::Changes,
    elsewhere::{ElsewhereAnswer, ElsewhereQuestion},
    id::SymbolId,
    project::VersionFacts,
    published::levels_of,
    search::{SearchAnswer, SearchError},
};
use odsmith_engine::review::diff::{self, render};
use odsmith_registry::{
    artifact::{CONFIG_TITLE, Layer},
    canonical,
    digest::Digest,
    error::Error,
    pull::OpenArtifact,
};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::sites::{SITE_POLICY, page_path};
use crate::{
    http::{
        access, forms,
        query::{self, ReportQuery, Search, Since, UsesQuery},
        reply::{self, Keep},
        state::State,
    },
    jobs::catalogs::{CatalogServer, ServedCatalog},
    pipeline::{
        catalog,
        error::{ApiError, Kind},
    },
    store::cache::Blob,
};

const GENERATION: HeaderName = HeaderName::from_static("odsmith-generation");

/// The most answers at once.
const MOST: usize = 1000;

/// The list of projects, with the state of the server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CatalogAnswer {
    #[serde(flatten)]
    list: ProjectList,
    /// True if the registry failed since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stale: bool,
    /// The age of the generation in seconds, if it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<u64>,
}

/// Several definitions of one id.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Choices {
    /// The ids.
    ids: Vec<String>,
}

/// Returns the reader of the catalogue.
fn server_of(state: &State) -> Result<&Arc<CatalogServer>, ApiError> {
    let missing = || ApiError::new(Kind::NOT_FOUND, "this server has no catalogue: --catalog");
    state.catalog.as_ref().ok_or_else(missing)
}

/// Returns the reader of the catalogue, and what the client sees of its newest generation.
pub(super) async fn current(
    state: &State,
    request: &HttpRequest,
) -> Result<(Arc<CatalogServer>, Arc<ServedCatalog>), ApiError> {
    let server = server_of(state)?.clone();
    let (own, rights) = (Arc::clone(&server), access::registry_rights(request));
    let served = match rights.are_all() {
        true => server.current(),
        false => {
            let fault = |why: String| ApiError::new(Kind::INTERNAL, why);
            blocking(move || own.seen_with(&rights).map_err(fault)).await?
        }
    };
    let served = served.ok_or_else(|| {
        ApiError::new(
            Kind::CATALOG_NOT_READY,
            "the registry was not read yet; the first generation comes soon",
        )
    })?;
    Ok((server, served))
}

/// Answers with JSON that is named by its content.
fn answer(request: &HttpRequest, served: &ServedCatalog, value: &impl Serialize, keep: Keep) -> HttpResponse {
    let mut response = reply::blob(request, &Blob::new(to_json(value)), "application/json", keep);
    name_generation(&mut response, served);
    response
}

fn name_generation(response: &mut HttpResponse, served: &ServedCatalog) {
    if let Ok(generation) = HeaderValue::from_str(&served.catalog.generation) {
        response.headers_mut().insert(GENERATION, generation);
    }
}

/// Runs work that reads a registry or much data.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = web::block(work).await;
    done.map_err(|_| ApiError::new(Kind::INTERNAL, "the work ended in a way that it never should"))?
}

fn of_search(error: SearchError, served: &ServedCatalog) -> ApiError {
    match error {
        SearchError::Question(why) => ApiError::new(Kind::BAD_PARAMETER, why),
        SearchError::Gone => gone(served),
    }
}

fn gone(served: &ServedCatalog) -> ApiError {
    let detail = format!("read /v1/catalog and go on from generation {}", served.catalog.generation);
    ApiError::new(Kind::GENERATION_GONE, detail)
}

fn of_registry(error: Error) -> ApiError {
    match error {
        Error::NotFound(detail) => ApiError::new(Kind::NOT_FOUND, detail),
        Error::Unavailable(detail)
        | Error::Denied(detail)
        | Error::Refused(detail)
        | Error::Forged(detail)
        | Error::Forbidden(detail)
        | Error::Limit(detail) => ApiError::new(Kind::SOURCE_FAILED, detail),
    }
}

/// Lists the projects of the catalogue.
///
/// # Errors
/// There is no catalogue, or no generation of it yet.
#[utoipa::path(
    get, path = "/v1/catalog", tag = "catalog", operation_id = "catalog",
    responses((status = 200, description = "The projects, with the newest version of each", body = CatalogAnswer)),
)]
pub async fn list(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let age = server.stale_for();
    let value = CatalogAnswer { list: served.catalog.list(), stale: age.is_some(), age };
    Ok(answer(&request, &served, &value, Keep::Minute))
}

/// Finds definitions in the newest versions of all projects.
///
/// # Errors
/// The question is wrong, or its cursor is of another generation.
#[utoipa::path(
    get, path = "/v1/catalog/search", tag = "catalog", operation_id = "catalog_search", params(Search),
    responses((status = 200, description = "The definitions, the best first", body = SearchAnswer)),
)]
pub async fn search(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (_, served) = current(&state, &request).await?;
    let Search { q, limit, cursor } = query::alone(&request)?;
    let limit = limit.unwrap_or(20).min(MOST);
    let found =
        served.catalog.search(&q, cursor.as_deref(), limit).map_err(|error| of_search(error, &served))?;
    Ok(answer(&request, &served, &found, Keep::Minute))
}

/// Returns the id or the name at the end of an address. Ids are paths: their own `%XX` stay, and only what clients like to
/// escape is decoded.
fn symbol_at(request: &HttpRequest, prefix: &str) -> Result<SymbolId, String> {
    let raw = request.uri().path().strip_prefix(prefix).unwrap_or_default();
    let escapes = [("%23", "#"), ("%40", "@"), ("%7E", "~"), ("%7e", "~"), ("%3A", ":"), ("%3a", ":")];
    let text = escapes.iter().fold(raw.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain));
    SymbolId::parse(&text).map_err(|_| percent_decode_str(raw).decode_utf8_lossy().into_owned())
}

/// Describes a definition by its id; a name that several definitions have is answered with their ids.
///
/// # Errors
/// The id breaks the grammar, or there is no such definition.
#[utoipa::path(
    get, path = "/v1/catalog/symbols/{id}", tag = "catalog", operation_id = "catalog_symbol",
    params(("id" = String, Path, description = "An id, as circt@1.90.0/hw/op/instance#operand:inputs with # as %23; or a name")),
    responses(
        (status = 200, description = "The definition; of an id with a version only what never changes", body = SymbolAnswer),
        (status = 300, description = "Several definitions have this id or name", body = Choices),
    ),
)]
pub async fn symbol(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let named = symbol_at(&request, "/v1/catalog/symbols/");
    let text = named.as_ref().map_or_else(String::clone, SymbolId::to_string);
    let missing = || ApiError::new(Kind::NOT_FOUND, format!("nothing is called '{}'", text.escape_debug()));
    let id = match named {
        Ok(id) => id,
        Err(name) => {
            let keys = served.catalog.find(&name);
            let ids: Vec<String> =
                keys.iter().map(|key| served.catalog.id(key.project, &served.catalog.row(*key).id)).collect();
            match &ids[..] {
                [] => return Err(missing()),
                [id] => SymbolId { version: None, ..SymbolId::parse(id).map_err(|_| missing())? },
                _ => return Ok(choices(&served, ids)),
            }
        }
    };
    let (of_work, wanted) = (served.clone(), id.clone());
    let found = blocking(move || {
        let symbols = |project: &Project, version: &str| server.symbols(&of_work, project, version);
        let found = catalog::lookup(&of_work.catalog, &wanted, symbols);
        found.map_err(|why| ApiError::new(Kind::SOURCE_FAILED, why))
    });
    match found.await?.ok_or_else(missing)? {
        Lookup::Symbol(symbol) if id.version.is_some() => {
            Ok(answer(&request, &served, &symbol.immutable(), Keep::Immutable))
        }
        Lookup::Symbol(symbol) => Ok(answer(&request, &served, &symbol, Keep::Minute)),
        Lookup::Several(ids) => Ok(choices(&served, ids)),
    }
}

fn choices(served: &ServedCatalog, ids: Vec<String>) -> HttpResponse {
    let mut response = HttpResponse::MultipleChoices();
    response.insert_header((header::CACHE_CONTROL, "public, max-age=60"));
    let mut response = response.json(Choices { ids });
    name_generation(&mut response, served);
    response
}

/// Lists who uses a definition, in the newest versions of all projects.
///
/// # Errors
/// The cursor is of another generation.
#[utoipa::path(
    get, path = "/v1/catalog/uses/{id}", tag = "catalog", operation_id = "catalog_uses",
    params(
        ("id" = String, Path, description = "An id without a version, as mlir/_/interface/TilingInterface; or a name"),
        UsesQuery,
    ),
    responses((status = 200, description = "The users by project", body = UsesAnswer)),
)]
pub async fn uses(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (_, served) = current(&state, &request).await?;
    let name = symbol_at(&request, "/v1/catalog/uses/").map_or_else(|name| name, |id| id.to_string());
    let UsesQuery { how, limit, cursor } = query::alone(&request)?;
    let limit = limit.unwrap_or(100).min(MOST);
    let found = served.catalog.uses(&name, how.as_deref(), cursor.as_deref(), limit);
    Ok(answer(&request, &served, &found.map_err(|error| of_search(error, &served))?, Keep::Minute))
}

/// Reports on all projects: `projects`, `versions`, `skew`, `breaks`, `deprecated`, `duplicates`.
///
/// # Errors
/// There is no such report or project.
#[utoipa::path(
    get, path = "/v1/catalog/reports/{name}", tag = "catalog", operation_id = "catalog_report",
    params(("name" = String, Path, description = "The report"), ReportQuery),
    responses((status = 200, description = "The report", body = serde_json::Value)),
)]
pub async fn report(
    state: Data<State>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (_, served) = current(&state, &request).await?;
    let ReportQuery { project, level } = query::alone(&request)?;
    let level = level.unwrap_or_else(|| "all".to_owned());
    if levels_of(&level).is_empty() {
        let detail = format!("there is no level '{}'", level.escape_debug());
        return Err(ApiError::new(Kind::BAD_PARAMETER, detail));
    }
    let value = catalog::report(&served.catalog, &name, project.as_deref(), &level);
    let value = value.ok_or_else(|| {
        let of = project.map(|it| format!(" of a project '{}'", it.escape_debug())).unwrap_or_default();
        ApiError::new(Kind::NOT_FOUND, format!("there is no report '{}'{of}", name.escape_debug()))
    })?;
    Ok(answer(&request, &served, &value, Keep::Minute))
}

/// Lists what changed since a generation.
///
/// # Errors
/// The generation is not known here.
#[utoipa::path(
    get, path = "/v1/catalog/changes", tag = "catalog", operation_id = "catalog_changes", params(Since),
    responses((status = 200, description = "The changes, by project and version", body = Changes)),
)]
pub async fn changes(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let Since { since } = query::alone(&request)?;
    let before = server.snapshot(&access::registry_rights(&request), &since).ok_or_else(|| gone(&served))?;
    Ok(answer(&request, &served, &served.catalog.changes_since(&before), Keep::Never))
}

/// Lists who uses the definitions that a change breaks, in the newest versions of other projects: what `odsmith diff --catalog`
/// asks.
///
/// # Errors
/// The body is no such question, or there is no time to answer it.
#[utoipa::path(
    post, path = "/v1/catalog/elsewhere", tag = "catalog", operation_id = "catalog_elsewhere",
    request_body(content = ElsewhereQuestion, description = "The definitions that each finding is about"),
    responses((status = 200, description = "The users for each finding, by project", body = ElsewhereAnswer)),
)]
pub async fn elsewhere(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let body = forms::read_json(&state, &request, payload).await?;
    let (_, served) = current(&state, &request).await?;
    let ticket = state.ticket(&request);
    let (bytes, of_work, worker) = (body.bytes, served.clone(), ticket.for_worker());
    let work = move || {
        let bad = |error| ApiError::new(Kind::BAD_REQUEST, format!("the JSON is not a question: {error}"));
        let question: ElsewhereQuestion = serde_json::from_slice(&bytes).map_err(bad)?;
        let question = of_work.catalog.named(question);
        let found = of_work.catalog.answer_elsewhere(&question, &|| !worker.is_over());
        found.ok_or_else(|| ApiError::new(Kind::DEADLINE, "there was no time to look at all findings"))
    };
    let found = state.results.pool.run(&ticket, work).await??;
    drop(body.permit);
    Ok(answer(&request, &served, &found, Keep::Never))
}

/// Reads the whole registry again soon: a registry's notifications may call this.
///
/// # Errors
/// There is no catalogue.
#[utoipa::path(
    post, path = "/v1/catalog/refresh", tag = "catalog", operation_id = "catalog_refresh",
    responses((status = 202, description = "The registry is being read")),
)]
pub async fn refresh(state: Data<State>) -> Result<HttpResponse, ApiError> {
    server_of(&state)?.ask();
    Ok(HttpResponse::Accepted().finish())
}

/// Returns the public key of the messages that `odsmith catalog notify` sends with the key of this server.
///
/// # Errors
/// The server has no key.
#[utoipa::path(
    get, path = "/v1/catalog/notify.pub", tag = "catalog", operation_id = "catalog_key",
    responses((status = 200, description = "The key as PEM", content_type = "application/x-pem-file", body = String)),
)]
pub async fn key(state: Data<State>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let key = state.signing_key.as_ref();
    let key =
        key.ok_or_else(|| ApiError::new(Kind::NOT_FOUND, "this server has no key: --signing-key-file"))?;
    let blob = Blob::new(key.public().to_pem().into_bytes());
    Ok(reply::blob(&request, &blob, "application/x-pem-file", Keep::Short))
}

/// Redirects for a minute: a version may get another manifest.
fn redirect(address: &str) -> HttpResponse {
    HttpResponse::Found()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "public, max-age=60"))
        .finish()
}

/// Finds a version by its name, its tag or `latest`.
fn version_of<'p>(project: &'p Project, name: &str) -> Result<&'p VersionFacts, ApiError> {
    let found = if name == "latest" { Some(project.newest()) } else { project.version(name) };
    found.ok_or_else(|| {
        let detail = format!("{} has no version '{}'", project.name(), name.escape_debug());
        ApiError::new(Kind::NOT_FOUND, detail)
    })
}

fn project_of<'c>(served: &'c ServedCatalog, name: &str) -> Result<&'c Project, ApiError> {
    served.catalog.project(name).ok_or_else(|| {
        ApiError::new(Kind::NOT_FOUND, format!("there is no project '{}'", name.escape_debug()))
    })
}

/// Returns a file of a published version: `config.json`, `model.json`, `symbols.json`, `definitions.tar.zst`, `referrers.json`
/// or a page of its reference. A version, or `latest`, leads to the address by digest, which never changes.
///
/// # Errors
/// There is no such project, version or file.
#[utoipa::path(
    get, path = "/v1/catalog/{project}/{version}/{path}", tag = "catalog", operation_id = "catalog_file",
    params(
        ("project" = String, Path, description = "The project"),
        ("version" = String, Path, description = "A version, latest, or sha256:DIGEST of the manifest"),
        ("path" = String, Path, description = "config.json, model.json, symbols.json, definitions.tar.zst, referrers.json, or site/PAGE"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "application/octet-stream", body = String),
        (status = 302, description = "The address by digest"),
    ),
)]
pub async fn file(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let (project, version, path) = names.into_inner();
    send_file(request, server, served, &project, &version, path).await
}

/// Does the same for pages of references, which may have an origin of their own.
///
/// # Errors
/// There is no such project, version or page.
pub async fn page_of_site(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let (project, version, path) = names.into_inner();
    send_file(request, server, served, &project, &version, format!("site/{path}")).await
}

async fn send_file(
    request: HttpRequest,
    server: Arc<CatalogServer>,
    served: Arc<ServedCatalog>,
    project: &str,
    version: &str,
    path: String,
) -> Result<HttpResponse, ApiError> {
    let of = project_of(&served, project)?;
    let digest = match Digest::parse(version) {
        Ok(digest) => digest,
        Err(_) => {
            let manifest = &version_of(of, version)?.manifest;
            // The path keeps its own escapes.
            let raw = request.uri().path();
            let rest = raw.splitn(6, '/').nth(5).unwrap_or(&path);
            return Ok(redirect(&format!("/v1/catalog/{project}/{manifest}/{rest}")));
        }
    };
    let facts = of.of_manifest(&digest);
    let artifact =
        served.artifact(&digest).filter(|_| facts.is_some_and(|it| it.manifest == digest)).cloned();
    let artifact = artifact.ok_or_else(|| {
        ApiError::new(Kind::NOT_FOUND, format!("{} has no version with the manifest {digest}", of.name()))
    })?;
    if path == "referrers.json" {
        let reports = facts.map(|it| it.reports.clone()).unwrap_or_default();
        return Ok(answer(&request, &served, &json!({ "referrers": reports }), Keep::Minute));
    }
    let page = path.strip_prefix("site/").map(|page| page_path(page.to_owned()));
    let (wanted, of_page) = (path.clone(), page.clone());
    let blob = blocking(move || read_file(&server, &artifact, &wanted, of_page.as_deref())).await?;
    let missing = || ApiError::new(Kind::NOT_FOUND, format!("there is no file '{}'", path.escape_debug()));
    let blob = blob.ok_or_else(missing)?;
    let mut response =
        reply::blob(&request, &blob, reply::media_type(page.as_deref().unwrap_or(&path)), Keep::Immutable);
    if page.is_some() {
        let headers = response.headers_mut();
        if let Some(policy) = SITE_POLICY.as_ref() {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    Ok(response)
}

fn read_file(
    server: &CatalogServer,
    artifact: &OpenArtifact,
    path: &str,
    page: Option<&str>,
) -> Result<Option<Blob>, ApiError> {
    let whole = |bytes: Vec<u8>| Some(Blob::new(bytes));
    if let Some(page) = page {
        return server.page(artifact, page).map_err(of_registry);
    }
    let read = match path {
        CONFIG_TITLE => return Ok(whole(canonical::to_json(&artifact.config))),
        "model.json" => server.layer(artifact, Layer::Model),
        "symbols.json" => server.layer(artifact, Layer::Symbols),
        path => match artifact.layer(Layer::Definitions).filter(|it| it.title() == Some(path)) {
            Some(layer) => server.blob(artifact, layer),
            None => return Ok(None),
        },
    };
    read.map(whole).map_err(of_registry)
}

/// Compares two versions of a project. Versions lead to the address by digests, which never changes.
///
/// # Errors
/// There is no such project or version.
#[utoipa::path(
    get, path = "/v1/catalog/{project}/{range}", tag = "catalog", operation_id = "catalog_diff",
    params(
        ("project" = String, Path, description = "The project"),
        ("range" = String, Path, description = "Two versions, as 1.12.0..1.13.0"),
    ),
    responses(
        (status = 200, description = "The findings of the comparison; the schema is at /schemas/diff.json", body = serde_json::Value),
        (status = 302, description = "The address by digests"),
    ),
)]
pub async fn diff(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (server, served) = current(&state, &request).await?;
    let (name, range) = names.into_inner();
    let project = project_of(&served, &name)?;
    let (old, new) = range.split_once("..").ok_or_else(super::nowhere_error)?;
    let digest = |text: &str| match Digest::parse(text) {
        Ok(digest) => Ok((digest, true)),
        Err(_) => version_of(project, text).map(|it| (it.manifest.clone(), false)),
    };
    let ((old, is_old_fixed), (new, is_new_fixed)) = (digest(old)?, digest(new)?);
    if !(is_old_fixed && is_new_fixed) {
        return Ok(redirect(&format!("/v1/catalog/{name}/{old}..{new}")));
    }
    let artifact = |digest: &Digest| {
        let is_own = project.facts.versions.iter().any(|it| it.manifest == *digest);
        let found = served.artifact(digest).filter(|_| is_own).cloned();
        found.ok_or_else(|| {
            ApiError::new(Kind::NOT_FOUND, format!("{name} has no version with the manifest {digest}"))
        })
    };
    let (old, new) = (artifact(&old)?, artifact(&new)?);
    let json = blocking(move || {
        let (old, new) = (server.model(&old).map_err(of_registry)?, server.model(&new).map_err(of_registry)?);
        let mut comparison = diff::compare(&old, &new, &diff::Options::default());
        comparison.gather();
        Ok(render::json(&comparison))
    });
    Ok(answer(&request, &served, &json.await?, Keep::Immutable))
}

/// Answers `GET /catalog`: redirects to the home page, so that relative links work.
pub async fn enter() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/catalog/")).finish()
}

/// Answers `GET /catalog/{path}`: a page of the catalogue; a folder is its `index.html`.
///
/// # Errors
/// There is no such page.
pub async fn page(
    state: Data<State>,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (_, served) = current(&state, &request).await?;
    let path = page_path(path.into_inner());
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the catalogue has no page '{}'", path.escape_debug()));
    let blob = served.pages.get(&path).ok_or_else(missing)?;
    let mut response = reply::blob(&request, blob, reply::media_type(&path), Keep::Minute);
    name_generation(&mut response, &served);
    let headers = response.headers_mut();
    if let Some(policy) = SITE_POLICY.as_ref() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}
