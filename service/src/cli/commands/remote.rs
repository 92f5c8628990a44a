//! `odsmith tblgen --server URL`: a server does the work; files are read and written here.
//!
//! ```text
//! here            there
//! root.td         root/root.td
//! x.td            cwd/x.td            the name in an include, unchanged
//! <-I folder>/x   i0/x, i1/x, …       in the order of the -I
//! ```
//!
//! A server that does not answer is tried twice more; then the work is done here, with a note, unless
//! `ODSMITH_FALLBACK=0`.
//!
//! Files are named by their digests, and only those that the server lacks are sent. The library is the server's own:
//! nothing is sent of a folder that holds one.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs,
    path::Path,
    time::Duration,
};

use actix_web::rt::{System, time::sleep};
use odsmith_engine::{
    artefact::Artefact,
    bundle::normalise,
    diagnostic::Severity,
    job::{OutputOutcome, TargetOutcome},
    outline::includes,
    release::Release,
    report::{Excerpt, Finding, Inclusion, LineColumn, Location, Range},
};
use odsmith_tblgen::{
    Call, Failure, PreparedCall,
    disk::{STDIN, reason},
    end_with,
    environment::Environment,
    evaluate,
    flags::Flags,
    output::{finish, write_depfile, write_output},
};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use super::{library, to_stderr};
use crate::{pipeline::library::is_library, store::keys};

const OUTPUT: &str = "output";
/// The time limit for connecting.
const CONNECT: Duration = Duration::from_secs(5);
/// The time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pauses before each further try.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// Has `server` do the work of a call, and exits with its exit code.
pub fn run(server: String, call: Call) -> ! {
    end_with(move || {
        let program = &call.program.clone();
        let environment = &Environment::of_process();
        let Some(work) = PreparedCall::read(environment, call, library::for_tblgen)? else { return Ok(()) };
        let remote = Remote {
            server: &server,
            input: &work.input,
            bytes: &work.bytes,
            flags: &work.flags,
            release: work.rules.release(),
        };
        let outcome = match remote.run() {
            Ok(outcome) => outcome,
            Err(Trouble::Gone(message)) if falls_back() => {
                to_stderr(format!("{program}: note: {message}; the work is done here\n").as_bytes());
                return evaluate(environment, program, work, library::for_tblgen);
            }
            Err(Trouble::Gone(message) | Trouble::Refused(message)) => {
                return Err(Failure(format!("{program}: {message}\n")));
            }
        };
        let PreparedCall { flags, output, style, .. } = work;
        finish(environment, program, &outcome, flags.is_null, style)?;
        if let Some(depfile) = &flags.depfile {
            write_depfile(environment, program, depfile, &output, &outcome)?;
        }
        write_output(
            environment,
            program,
            &output,
            if flags.is_null { &[] } else { outcome.first_bytes() },
            flags.write_if_changed,
        )
    })
}

/// Fetches a file from a server.
pub(super) fn get(server: &str, path: &str) -> Result<Vec<u8>, String> {
    ask(Method::GET, server, path, None)
}

/// Sends JSON to a server, and returns its answer.
pub(super) fn post(server: &str, path: &str, json: Vec<u8>) -> Result<Vec<u8>, String> {
    ask(Method::POST, server, path, Some(json))
}

fn ask(method: Method, server: &str, path: &str, json: Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    let address = format!("{}{path}", server.trim_end_matches('/'));
    let wrong = |error: reqwest::Error| format!("{address}: {}", cause(&error));
    System::new().block_on(async {
        let client = Client::builder().connect_timeout(CONNECT).timeout(PATIENCE).build().map_err(wrong)?;
        let mut request = client.request(method, &address);
        if let Some(json) = json {
            request = request.header("content-type", "application/json").body(json);
        }
        if let Ok(token) = std::env::var("ODSMITH_TOKEN") {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await.map_err(wrong)?;
        let status = answer.status();
        let bytes = answer.bytes().await.map_err(wrong)?;
        if status == StatusCode::OK {
            return Ok(bytes.to_vec());
        }
        let detail = serde_json::from_slice::<Value>(&bytes).ok();
        let detail = detail.as_ref().and_then(|it| it["detail"].as_str()).unwrap_or_default();
        Err(format!("{address}: {status}: {detail}{}", help_of(status)))
    })
}

/// Returns a line that says what to do about a status.
fn help_of(status: StatusCode) -> &'static str {
    if status == StatusCode::UNAUTHORIZED { "\nhelp: set ODSMITH_TOKEN" } else { "" }
}

/// Returns true if the work is done here when a server cannot do it.
fn falls_back() -> bool {
    std::env::var("ODSMITH_FALLBACK").map_or(true, |value| value != "0")
}

/// The reasons why a server did not do the work.
enum Trouble {
    /// It does not answer, or cannot do it at the moment.
    Gone(String),
    /// It refuses, or its answer is wrong.
    Refused(String),
}

impl From<String> for Trouble {
    fn from(message: String) -> Trouble {
        Trouble::Refused(message)
    }
}

/// A request to a server.
struct Remote<'a> {
    /// The server's address.
    server: &'a str,
    /// The root's path, as given.
    input: &'a str,
    /// The root's bytes.
    bytes: &'a [u8],
    /// The flags of the call.
    flags: &'a Flags,
    /// The release to emulate.
    release: Release,
}

/// The files of a request, by their path on the server.
#[derive(Default)]
struct Closure {
    /// The local name and the content.
    files: BTreeMap<String, (String, Vec<u8>)>,
    /// The local folder that holds the library, if one does.
    library: Option<String>,
}

impl Remote<'_> {
    /// Has the work done.
    ///
    /// # Errors
    /// The files cannot be sent, or the server does not do the work.
    fn run(self) -> Result<TargetOutcome, Trouble> {
        let closure = Closure::read(self.input, self.bytes, &self.flags.includes)?;
        let client = Client::builder()
            .user_agent(concat!("odsmith/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .timeout(PATIENCE)
            .build()
            .map_err(|error| error.to_string())?;
        let result = System::new().block_on(self.ask(&client, &closure))?;
        Ok(closure.outcome(result.0, result.1))
    }

    async fn ask(&self, client: &Client, closure: &Closure) -> Result<(Value, Option<Vec<u8>>), Trouble> {
        let folders: Vec<String> = std::iter::once("cwd".to_owned())
            .chain((0..self.flags.includes.len()).map(|index| format!("i{index}")))
            .collect();
        let defines: Vec<&String> = self.flags.defines.iter().filter(|name| !name.is_empty()).collect();
        let output = json!({ "path": OUTPUT, "flags": self.flags.output_words });
        let manifest = json!({
            "mlir": self.release.name(),
            "includes": folders,
            "defines": defines,
            "target": [{ "td": there_of_root(self.input), "outputs": [output] }],
            "docs": { "enabled": false },
            "model": false,
        });
        let mut known: BTreeMap<&str, String> =
            closure.files.iter().map(|(path, (_, bytes))| (path.as_str(), keys::sha256(bytes))).collect();
        let mut files: BTreeMap<&str, &str> = BTreeMap::new();
        loop {
            let body = json!({ "request": manifest, "known": known, "files": files });
            let (status, answer) = self.call(client, Method::POST, "/v1/generate", Some(body)).await?;
            let answer: Value =
                serde_json::from_slice(&answer).map_err(|_| self.complaint(status, &Value::Null))?;
            if answer["code"] == "files-not-found" && files.is_empty() {
                let missing: BTreeSet<&str> =
                    answer["missing"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                for (path, (name, bytes)) in &closure.files {
                    if known.get(path.as_str()).is_some_and(|digest| missing.contains(digest.as_str())) {
                        let text = std::str::from_utf8(bytes)
                            .map_err(|_| format!("{name}: only files in UTF-8 can be sent"))?;
                        known.remove(path.as_str());
                        files.insert(path, text);
                    }
                }
                continue;
            }
            let result = match answer["result"].as_str() {
                None if status == StatusCode::OK => answer,
                Some(path) => {
                    let (status, object) = self.call(client, Method::GET, path, None).await?;
                    serde_json::from_slice(&object).map_err(|_| self.complaint(status, &Value::Null))?
                }
                None => return Err(self.complaint(status, &answer).into()),
            };
            if result["outputs"][0]["status"] != "ok" {
                return Ok((result, None));
            }
            let path =
                format!("/v1/results/{}/files/cpp/{OUTPUT}", result["key"].as_str().unwrap_or_default());
            let (status, made) = self.call(client, Method::GET, &path, None).await?;
            if keys::sha256(&made) != result["outputs"][0]["sha256"].as_str().unwrap_or_default() {
                return Err(self.complaint(status, &Value::Null).into());
            }
            return Ok((result, Some(made)));
        }
    }

    /// Sends a request, several times if necessary, with pauses between.
    async fn call(
        &self,
        client: &Client,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(StatusCode, Vec<u8>), Trouble> {
        let mut pauses = PAUSES.iter();
        loop {
            let answer = self.call_once(client, method.clone(), path, body.as_ref()).await;
            match (answer, pauses.next()) {
                (Err(Trouble::Gone(_)), Some(pause)) => sleep(*pause).await,
                (answer, _) => return answer,
            }
        }
    }

    async fn call_once(
        &self,
        client: &Client,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Vec<u8>), Trouble> {
        let mut request = client.request(method, format!("{}{path}", self.server.trim_end_matches('/')));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        if let Ok(token) = std::env::var("ODSMITH_TOKEN") {
            request = request.bearer_auth(token);
        }
        let fail = |error: reqwest::Error| Trouble::Gone(format!("{}: {}", self.server, cause(&error)));
        let answer = request.header("accept", "application/json, */*;q=0.1").send().await.map_err(fail)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(fail)?.to_vec();
        if matches!(status.as_u16(), 429 | 502 | 503 | 504) {
            let problem = serde_json::from_slice(&body).unwrap_or(Value::Null);
            return Err(Trouble::Gone(self.complaint(status, &problem)));
        }
        Ok((status, body))
    }

    fn complaint(&self, status: StatusCode, problem: &Value) -> String {
        let text = |name: &str| problem[name].as_str().unwrap_or_default();
        let said = format!("{}: {} {} {}", self.server, status.as_u16(), text("title"), text("detail"));
        format!("{}{}", said.trim_end(), help_of(status))
    }
}

/// Returns the root cause of an error: `Connection refused`, not that a request could not be sent.
fn cause(error: &(dyn Error + 'static)) -> String {
    error.source().map_or_else(|| reason(error), cause)
}

fn there_of_root(input: &str) -> String {
    let input = if input == STDIN { "stdin.td" } else { input };
    format!("root/{}", Path::new(input).file_name().map_or("input.td".into(), |name| name.to_string_lossy()))
}

impl Closure {
    /// Reads the root and all that it includes, found as an evaluation would find it.
    fn read(input: &str, bytes: &[u8], folders: &[String]) -> Result<Closure, String> {
        let mut closure = Closure {
            library: folders.iter().find(|folder| is_library(Path::new(folder))).cloned(),
            ..Closure::default()
        };
        let root = there_of_root(input);
        closure.files.insert(root.clone(), (input.to_owned(), bytes.to_vec()));
        let mut waiting = vec![root];
        while let Some(path) = waiting.pop() {
            let named = closure.files.get(&path).map(|(_, bytes)| includes::of(bytes)).unwrap_or_default();
            for name in named {
                let Some((path, here, bytes)) = find(&name, folders)? else { continue };
                if !closure.files.contains_key(&path) {
                    closure.files.insert(path.clone(), (here, bytes));
                    waiting.push(path);
                }
            }
        }
        Ok(closure)
    }

    /// Returns the local name of a file on the server.
    fn here(&self, path: &str) -> String {
        if let Some((name, _)) = self.files.get(path) {
            return name.clone();
        }
        // The library's files are below `<mlir-22>` on the server.
        match (&self.library, path.strip_prefix('<').and_then(|rest| rest.split_once(">/"))) {
            (Some(folder), Some((_, path))) => format!("{folder}/{path}"),
            _ => path.to_owned(),
        }
    }

    /// Converts the server's result to the outcome of a local evaluation.
    fn outcome(&self, result: Value, made: Option<Vec<u8>>) -> TargetOutcome {
        let output = &result["outputs"][0];
        let diagnostics = self.reports(&result["diagnostics"]);
        let errors = result["targets"][0]["error_count"].as_u64().unwrap_or(0);
        let reads = output["reads"].as_array().into_iter().flatten();
        TargetOutcome {
            td: result["outputs"][0]["td"].as_str().unwrap_or_default().to_owned(),
            error_count: u32::try_from(errors).unwrap_or(u32::MAX),
            diagnostics,
            is_truncated: result["truncated"] == true,
            reads: reads.filter_map(Value::as_str).map(|path| self.here(path)).collect(),
            outputs: vec![OutputOutcome {
                artefact: made.map(|bytes| Artefact { path: OUTPUT.to_owned(), bytes }),
                path: OUTPUT.to_owned(),
                diagnostics: self.reports(&output["diagnostics"]),
                // The answer has neither for outputs.
                is_truncated: false,
                error_count: 0,
                fuel: 0,
            }],
            ..TargetOutcome::default()
        }
    }

    fn reports(&self, list: &Value) -> Vec<Finding> {
        list.as_array().into_iter().flatten().map(|report| self.report(report)).collect()
    }

    fn report(&self, report: &Value) -> Finding {
        let severity = match report["severity"].as_str() {
            Some("warning") => Severity::Warning,
            Some("note") => Severity::Note,
            Some("remark") => Severity::Remark,
            _ => Severity::Error,
        };
        Finding {
            severity,
            message: report["message"].as_str().unwrap_or_default().to_owned(),
            location: report["file"].as_str().map(|path| self.location(path, report)),
            related: self.reports(&report["notes"]),
            ..Finding::default()
        }
    }

    fn location(&self, path: &str, report: &Value) -> Location {
        let number = |value: &Value| u32::try_from(value.as_u64().unwrap_or(1)).unwrap_or(1);
        let at =
            |value: &Value| LineColumn { line: number(&value["line"]), column: number(&value["column"]) };
        let start = at(&report["range"]["start"]);
        let (file, own) = (self.here(path), self.files.get(path).map(|(_, bytes)| bytes.clone()));
        let bytes = own.or_else(|| fs::read(&file).ok()).unwrap_or_default();
        let line = bytes.split(|&byte| byte == b'\n').nth(start.line.saturating_sub(1) as usize);
        let stack = report["include_stack"].as_array().into_iter().flatten();
        Location {
            line: Excerpt::whole(line.unwrap_or_default(), start.column as usize - 1),
            file,
            range: Range { start, end: Some(at(&report["range"]["end"])) },
            include_stack: stack
                .map(|inclusion| Inclusion {
                    file: self.here(inclusion["file"].as_str().unwrap_or_default()),
                    line: number(&inclusion["line"]),
                })
                .collect(),
        }
    }
}

/// Finds a file by the name of an `include`: its path on the server, its local name, and its bytes. `None` if it does
/// not exist or is the library's.
fn find(name: &str, folders: &[String]) -> Result<Option<(String, String, Vec<u8>)>, String> {
    let there = |folder: &str, path: &str| {
        let path = normalise(path).filter(|_| !path.starts_with('/'));
        path.map(|path| format!("{folder}/{path}"))
            .ok_or_else(|| format!("'{name}' leads out of the include folders, so that it cannot be sent"))
    };
    if let Ok(bytes) = fs::read(name) {
        return Ok(Some((there("cwd", name)?, name.to_owned(), bytes)));
    }
    for (index, folder) in folders.iter().enumerate() {
        let here = format!("{folder}/{name}");
        if let Ok(bytes) = fs::read(&here) {
            if is_library(Path::new(folder)) {
                return Ok(None);
            }
            return Ok(Some((there(&format!("i{index}"), name)?, here, bytes)));
        }
    }
    Ok(None)
}
