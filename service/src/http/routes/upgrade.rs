//! `POST /v1/upgrade`: reports what affects a project that moves to another release of MLIR.

use std::{collections::BTreeMap, num::NonZero, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Payload},
};
use odsmith_engine::{
    bundle::Bundle, library::Library, release::major_version, report::sarif, review::upgrade::render,
};

use crate::{
    config::ArchiveLimits,
    http::{
        body, forms,
        openapi::RequestBody,
        query::{self, Upgrading},
        reply,
        state::State,
    },
    jobs::{results::StoredResult, ticket::Ticket, timing::Timing},
    pipeline::{
        automatic::SINGLE,
        error::{ApiError, Kind},
        pins,
        request::Form,
        upgrade::{self, Answer, Program, Request},
    },
    store::{
        cache::{Blob, Marks, ResultEntry},
        keys,
    },
};

/// The forms of a report.
const FORMS: &[reply::Form] =
    &[reply::Form::Json, reply::Form::Markdown, reply::Form::Text, reply::Form::Html, reply::Form::Sarif];

/// The file of a report with the findings as SARIF.
pub(super) const SARIF: &str = "upgrade.sarif";

/// Reports on a project between two releases of MLIR: whether the newer one reads it, which names and fields are gone, which
/// edits mend that, what changes in generated files and in definitions that it names, and which programs are read otherwise.
/// Answers in the form that `Accept` asks for.
///
/// # Errors
/// The request is refused, the newer library is not here, or there is no time.
#[utoipa::path(
    post, path = "/v1/upgrade", tag = "make", operation_id = "upgrade",
    params(Upgrading),
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes; .mlir and .mlirbc files beside them are looked into"),
    responses(
        (status = 200, description = "The report", content(
            (serde_json::Value = "application/json"), (serde_json::Value = "text/markdown"), (serde_json::Value = "text/plain"), (serde_json::Value = "text/html"), (serde_json::Value = "application/sarif+json")
        )),
    ),
)]
pub async fn upgrade(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let wanted = reply::form(&request, FORMS)?;
    let asked: Upgrading = query::alone(&request)?;
    // Releases that are not here are refused before the body arrives.
    Sides::new(&state, &asked)?;
    let mut timing = Timing::start();
    let body = body::read(&state, &request, payload).await?;
    let ticket = state.ticket(&request);
    let form = forms::read(&request, &body.bytes, Some(SINGLE), &state, &ticket).await?;
    timing.mark("body");
    let made = made(&state, &request, &ticket, form, asked).await?;
    timing.mark("make");
    drop(body.permit);
    let mut response = reply::report(&request, &made, "upgrade", wanted)?;
    // The page contains names from the user's project: no script may run.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, header::HeaderValue::from_static(policy));
    timing.write_to(&mut response, &made);
    Ok(response)
}

/// The libraries of both releases.
struct Sides {
    from: u8,
    old: Result<Arc<Library>, String>,
    new: Arc<Library>,
}

impl Sides {
    fn new(state: &State, asked: &Upgrading) -> Result<Self, ApiError> {
        let bad = |detail: String| ApiError::new(Kind::BAD_REQUEST, detail);
        let from = major_version(&asked.from).ok_or_else(|| {
            bad(format!("from is a release, such as 19: '{}' is none", asked.from.escape_debug()))
        })?;
        let new = state.libraries.of(asked.to.as_deref()).map_err(bad)?.clone();
        if new.release().is_before(from) {
            return Err(bad(format!("from={from} is newer than {}", new.release().name())));
        }
        Ok(Sides { from, old: state.libraries.of(Some(&asked.from)).cloned(), new })
    }
}

/// Returns the commit of LLVM that the files of a bundle pin.
fn pin(bundle: &Bundle) -> Option<String> {
    let text = |path: &str| String::from_utf8(bundle.get(path)?.to_vec()).ok();
    pins::of_files(text).map(|pin| pin.to_string())
}

/// Returns the report in all of its forms, from the store if it is there.
pub(super) async fn made(
    state: &State,
    request: &HttpRequest,
    ticket: &Ticket,
    form: Form,
    asked: Upgrading,
) -> Result<StoredResult, ApiError> {
    let sides = Sides::new(state, &asked)?;
    let also = if asked.scan { PROGRAMS_AND_CPP } else { PROGRAMS };
    let limits = ArchiveLimits { also, ..state.limits.archive.clone() };
    let folder = form.strip_prefix.clone().unwrap_or_default();
    let opened = move || form.source.open(&folder, &limits).map(|bundle| (digest(&bundle), bundle));
    let (digest, bundle) = state.results.pool.run(ticket, opened).await??;
    let old = sides.old.as_ref().map_or("", |library| library.digest());
    let name = format!("upgrade\0{}\0{digest}\0{old}\0{}\0{asked:?}", keys::BUILD, sides.new.digest());
    // Limits decide how much is read, so they are part of the key.
    let name = format!("{name}\0{:?}", state.limits.job);
    let key = keys::sha256(name.as_bytes());
    if let Ok(found) = state.results.stored(&key).await {
        return Ok(state.promised(request, found).await);
    }
    let question = Request {
        programs: programs(&bundle),
        pin: pin(&bundle),
        cpp: if asked.scan { cpp(&bundle) } else { Vec::new() },
        bundle,
        includes: asked.includes,
        ignore_errors: Vec::new(),
        keep_going: false,
        old: sides.old,
        from: sides.from,
        new: sides.new,
        each_file: asked.each_file,
        generates: asked.generated,
        whole_library: asked.scan,
        // The other threads remain free for other jobs.
        threads: NonZero::<usize>::MIN,
        limits: state.limits.job.clone(),
        cancel: ticket.cancel.clone(),
    };
    let made = state.results.pool.run(ticket, move || upgrade::report(&question)).await?;
    if ticket.is_over() {
        let detail = format!("the report had no end after {} seconds", state.limits.job_seconds);
        return Err(ApiError::new(Kind::DEADLINE, detail));
    }
    let answer = made.map_err(|message| ApiError::new(Kind::BAD_REQUEST, message))?;
    Ok(state.results.adopt(files(&answer, key)).await)
}

fn digest(bundle: &Bundle) -> String {
    let mut text = Vec::new();
    for (path, bytes) in bundle.iter() {
        text.extend_from_slice(format!("{}\0{path}\0{}\0", path.len(), bytes.len()).as_bytes());
        text.extend_from_slice(bytes);
    }
    keys::sha256(&text)
}

/// Extensions of files that contain MLIR programs.
const PROGRAMS: &[&str] = &[".mlir", ".mlirbc"];

/// The same, and the extensions of C++ files, which may mention definitions.
const PROGRAMS_AND_CPP: &[&str] = &[".mlir", ".mlirbc", ".h", ".hpp", ".cc", ".cpp", ".cxx"];

fn has_end(path: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| path.ends_with(end))
}

fn programs(bundle: &Bundle) -> Vec<Program> {
    let all = bundle.iter().filter(|(path, _)| has_end(path, PROGRAMS));
    all.map(|(path, bytes)| Program { path: path.to_owned(), bytes: bytes.to_vec() }).collect()
}

fn cpp(bundle: &Bundle) -> Vec<Vec<u8>> {
    let is_cpp = |path: &str| has_end(path, PROGRAMS_AND_CPP) && !has_end(path, PROGRAMS);
    let all = bundle.iter().filter(|(path, _)| is_cpp(path));
    all.map(|(_, bytes)| bytes.to_vec()).collect()
}

fn files(answer: &Answer, key: String) -> ResultEntry {
    let report = &answer.report;
    let findings = render::findings(report);
    let files: BTreeMap<String, Blob> = [
        ("upgrade.json", serde_json::to_vec(&render::json(report)).unwrap_or_default()),
        ("upgrade.md", render::markdown(report).into_bytes()),
        ("upgrade.txt", render::text(report).into_bytes()),
        ("upgrade.html", render::html(report).into_bytes()),
        (SARIF, serde_json::to_vec(&sarif::log(&[], &findings, &|_| None)).unwrap_or_default()),
    ]
    .into_iter()
    .map(|(name, bytes)| (name.to_owned(), Blob::new(bytes)))
    .collect();
    ResultEntry {
        key,
        is_ok: true,
        hit_limit: false,
        made: (0, 0),
        diagnostics: Vec::new(),
        truncated: false,
        files,
        marks: Marks::default(),
    }
}
