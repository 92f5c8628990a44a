//! `POST /mcp`: the Model Context Protocol over HTTP. Each message is a request of its own, without a session or a stream, so
//! that any server answers any message. The tools read, and what they start has the limits of the routes that do the same.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header::HeaderName},
    web::{self, Bytes, Data, Payload},
};
use odsmith_catalog::elsewhere::{ElsewhereQuestion, Sides};
use odsmith_engine::{
    report::text,
    review::diff::{self, Profile, render},
};
use rmcp::{
    RoleServer,
    model::{
        ClientCapabilities, ClientJsonRpcMessage, ClientRequest, Implementation, InitializeRequestParams,
        ProtocolVersion, ServerJsonRpcMessage, ServerResult,
    },
    service::serve_directly,
    transport::OneshotTransport,
};
use serde_json::{Value, json};
use tokio::select;

use super::{check, lint, tblgen, upgrade};
use crate::{
    http::{
        access::{self, has_scope},
        forms,
        query::{Policy, Settings, Upgrading},
        reply::{self, Form as ReportForm},
        state::State,
        tokens::Scope,
    },
    jobs::{
        catalogs::{CatalogServer, ServedCatalog},
        results::{StoredResult, Upload},
        ticket::Ticket,
    },
    pipeline::{
        describe::{Definitions, Subject},
        error::{ApiError, Kind, shortened},
        generate::FINDINGS,
        mcp::{
            Call, Server,
            arguments::{self, Arguments, needed},
            catalog::CatalogTool,
            definitions, report,
        },
        request::{Change, Form, Source},
    },
};

/// The most bytes of a message: files of a call have 256 kB, and escapes.
const MOST_BYTES: usize = 1 << 20;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");

/// Answers a message of the Model Context Protocol (JSON-RPC). `tools/list` says which tools there are; calls need the scope
/// `read`, and those of `check`, `lint`, `upgrade` and `generate` the scope `generate`.
///
/// # Errors
/// The request is no message, comes from a page of another origin, or names a version that is not spoken.
#[utoipa::path(
    post, path = "/mcp", tag = "tools", operation_id = "mcp",
    request_body(content = serde_json::Value, description = "A request, a notification or an answer in JSON-RPC 2.0"),
    responses(
        (status = 200, description = "The answer to a request", body = serde_json::Value),
        (status = 202, description = "The notification is taken"),
    ),
)]
pub async fn message(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    // A page that a browser shows must not use the server as its user.
    if access::is_of_other_page(&request) {
        return Err(ApiError::new(Kind::FORBIDDEN, "pages of other origins may not ask"));
    }
    let header = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let bad = |detail: String| ApiError::new(Kind::BAD_REQUEST, detail);
    let version = header(&VERSION).map(|name| {
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|it| it.as_str() == name);
        known.cloned().ok_or_else(|| bad(format!("version '{}' is not spoken here", name.escape_debug())))
    });
    let version = version.transpose()?;
    let body = forms::read_json(&state, &request, payload).await?;
    if body.bytes.len() > MOST_BYTES {
        return Err(ApiError::too_large("message_bytes", MOST_BYTES as u64, body.bytes.len() as u64));
    }
    let no_message = |error: serde_json::Error| bad(format!("the body is no message: {error}"));
    let value: Value = serde_json::from_slice(&body.bytes).map_err(no_message)?;
    if let (Some(said), Some(method)) = (header(&METHOD), value["method"].as_str())
        && said != method
    {
        return Err(bad("Mcp-Method names another method than the body".to_owned()));
    }
    let asked = match serde_json::from_value(value).map_err(no_message)? {
        ClientJsonRpcMessage::Request(asked) => asked,
        ClientJsonRpcMessage::Notification(_) => return Ok(HttpResponse::Accepted().finish()),
        ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {
            return Err(bad("nothing was asked: this server sends no requests".to_owned()));
        }
    };
    let wanted = match &asked.request {
        ClientRequest::InitializeRequest(hello) => Some(hello.params.protocol_version.clone()),
        _ => None,
    };
    let peer = InitializeRequestParams::new(ClientCapabilities::default(), Implementation::default())
        .with_protocol_version(wanted.clone().or(version).unwrap_or(ProtocolVersion::V_2025_03_26));
    let tools = ServerTools::new(&state, &request);
    let fault = |why: String| ApiError::new(Kind::INTERNAL, why);
    let (server, mut calls) = Server::new().map_err(fault)?;
    let (transport, mut messages) = OneshotTransport::<RoleServer>::new(ClientJsonRpcMessage::Request(asked));
    // Dropped with this future, as soon as the client has gone.
    let _running = serve_directly(server, transport, Some(peer));
    let mut answer = loop {
        select! {
            Some(Call { name, arguments, answer }) = calls.recv() => {
                let _ = answer.send(tools.call(&name, &arguments).await);
            }
            message = messages.recv() => match message {
                Some(answer @ (ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))) => break answer,
                Some(_) => {}
                None => return Err(fault("the message has no answer".to_owned())),
            },
        }
    };
    if let (Some(wanted), ServerJsonRpcMessage::Response(response)) = (wanted, &mut answer)
        && let ServerResult::InitializeResult(result) = &mut response.result
        && wanted.has_initialize()
        && ProtocolVersion::KNOWN_VERSIONS.contains(&wanted)
    {
        result.protocol_version = wanted;
    }
    drop(body.permit);
    let text = serde_json::to_vec(&answer).map_err(|error| fault(error.to_string()))?;
    Ok(HttpResponse::build(StatusCode::OK).content_type("application/json").body(text))
}

/// The tools of a server, for one message.
struct ServerTools<'r> {
    state: &'r Data<State>,
    request: &'r HttpRequest,
    ticket: Ticket,
}

/// Returns an error as a tool says it, with the first messages about definitions.
fn said(error: &ApiError) -> String {
    let mut lines = Vec::new();
    error.diagnostics.iter().take(5).for_each(|finding| text::render(finding, &mut lines));
    let all = format!("{} {}\n{}", error.kind.title(), error.detail, String::from_utf8_lossy(&lines));
    shortened(all.trim()).into_owned()
}

impl<'r> ServerTools<'r> {
    fn new(state: &'r Data<State>, request: &'r HttpRequest) -> ServerTools<'r> {
        ServerTools { state, request, ticket: state.ticket(request) }
    }

    async fn call(&self, name: &str, arguments: &Arguments) -> Result<Value, String> {
        match name {
            "search" => self.ask(arguments, CatalogTool::search, definitions::search).await,
            "describe" => self.ask(arguments, CatalogTool::describe, definitions::describe).await,
            "uses" => self.ask(arguments, CatalogTool::uses, definitions::uses).await,
            "check" => self.check(arguments).await,
            "lint" => self.lint(arguments).await,
            "diff" => self.diff(arguments).await,
            "upgrade" => self.upgrade(arguments).await,
            "generate" => self.generate(arguments).await,
            "explain" => report::explain(arguments),
            _ => Err(format!("there is no tool '{}'", name.escape_debug())),
        }
    }

    /// Returns the catalogue as the client sees it.
    async fn catalog(&self) -> Result<(Arc<CatalogServer>, Arc<ServedCatalog>), String> {
        super::catalog::current(self.state, self.request).await.map_err(|error| said(&error))
    }

    /// Asks the catalogue, or one of its published versions.
    async fn ask(
        &self,
        arguments: &Arguments,
        of_catalog: fn(&CatalogTool, &Arguments) -> Result<Value, String>,
        of_definitions: fn(Subject<'_>, &Arguments) -> Result<Value, String>,
    ) -> Result<Value, String> {
        let (server, served) = self.catalog().await?;
        let arguments = arguments.clone();
        blocking(move || {
            let tool = tool(&server, &served);
            match arguments::text(&arguments, "in") {
                None => of_catalog(&tool, &arguments),
                Some(place) => {
                    of_definitions(published(&server, &served, &tool, place)?.subject(), &arguments)
                }
            }
        })
        .await
    }

    /// Returns the result for the files of a call, as the route for them would make it.
    async fn result(
        &self,
        route: &str,
        arguments: &Arguments,
        change: Change,
    ) -> Result<StoredResult, String> {
        let form = self.form(arguments)?;
        // The page of an answer is no part of the question.
        let question: Arguments = arguments
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "cursor" | "limit"))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let body = Bytes::from(Value::Object(question).to_string());
        let upload = Upload { body, form, salt: format!("mcp {route}"), change };
        let found = self.state.result(self.request, upload, &self.ticket).await;
        found.map_err(|error| said(&error))
    }

    fn form(&self, arguments: &Arguments) -> Result<Form, String> {
        if !has_scope(self.request, Scope::Generate) {
            return Err(format!("this needs a token of scope '{}'", Scope::Generate.name()));
        }
        let files = arguments::files(arguments)?;
        let files = files.ok_or("this server reads no folders: send the files as 'files'")?;
        Ok(Form { media_type: "application/json".to_owned(), ..Source::Files(files).into() })
    }

    async fn check(&self, arguments: &Arguments) -> Result<Value, String> {
        let settings = settings(arguments)?;
        let found = self.result("check", arguments, check::change(settings)).await?;
        let log = check::written(&found.stored.diagnostics, ReportForm::Sarif);
        report::findings(&parsed(&log)?, arguments)
    }

    async fn lint(&self, arguments: &Arguments) -> Result<Value, String> {
        let settings = settings(arguments)?;
        let found = self.result("lint", arguments, lint::change(Policy::default(), settings)).await?;
        if !found.stored.is_ok {
            return Err(said(&reply::failure(&found)));
        }
        let made = found.stored.files.get(FINDINGS);
        let log = lint::written(made.map(|made| &*made.bytes), ReportForm::Sarif);
        report::findings(&parsed(&log.map_err(|error| said(&error))?)?, arguments)
    }

    async fn generate(&self, arguments: &Arguments) -> Result<Value, String> {
        let (td, settings) = (arguments::root(arguments)?.to_owned(), settings(arguments)?);
        let flags: Vec<String> = arguments::flags(arguments)?.into_iter().map(str::to_owned).collect();
        let change = tblgen::change(Some(td), flags, settings);
        let found = self.result("generate", arguments, change).await?;
        if !found.stored.is_ok {
            return Err(said(&reply::failure(&found)));
        }
        let made = found.stored.files.get(tblgen::OUTPUT).ok_or("what was made is not there")?;
        report::generated(&made.bytes, arguments)
    }

    async fn upgrade(&self, arguments: &Arguments) -> Result<Value, String> {
        let release = |name| arguments::release(arguments, name);
        let from = release("from")?.ok_or("the argument 'from' is missing")?.to_owned();
        let to = Some(release("to")?.ok_or("the argument 'to' is missing")?.to_owned());
        let form = self.form(arguments)?;
        let made = upgrade::made(self.state, self.request, &self.ticket, form, Upgrading::between(from, to));
        let made = made.await.map_err(|error| said(&error))?;
        let log = made.stored.files.get(upgrade::SARIF).ok_or("what was made is not there")?;
        report::findings(&parsed(&log.bytes)?, arguments)
    }

    async fn diff(&self, arguments: &Arguments) -> Result<Value, String> {
        let (server, served) = self.catalog().await?;
        let sides = [needed(arguments, "old")?.to_owned(), needed(arguments, "new")?.to_owned()];
        let profile = match arguments::profile(arguments)? {
            Some(name) => serde_json::from_value(json!(name.to_uppercase())).map_err(|it| it.to_string())?,
            None => Profile::All,
        };
        let (worker, asks_elsewhere) = (self.ticket.for_worker(), arguments::asks_elsewhere(arguments));
        let comparison = blocking(move || {
            let tool = tool(&server, &served);
            let [old, new] = sides.each_ref().map(|side| published(&server, &served, &tool, side));
            let (old, new) = (old?, new?);
            let options = diff::Options { profile, stop: worker.cancel.clone(), ..diff::Options::default() };
            let mut comparison = diff::compare(&old.document, &new.document, &options);
            comparison.gather();
            if asks_elsewhere {
                let symbols = Sides { old: &old.symbols, new: &new.symbols };
                let question = ElsewhereQuestion::new(&comparison, symbols);
                let (project, version) = sides[0].split_once('@').unwrap_or((&sides[0], ""));
                let question = ElsewhereQuestion {
                    project: Some(project.to_owned()),
                    version: Some(version.to_owned()),
                    ..question
                };
                let found = served.catalog.answer_elsewhere(&question, &|| !worker.is_over());
                found.ok_or("there was no time to look at all findings")?.add_to(&mut comparison);
            }
            Ok(render::json(&comparison))
        });
        report::changes(&comparison.await?, arguments)
    }
}

/// Runs work that reads a registry or much data.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    web::block(work).await.map_err(|_| "the work ended in a way that it never should".to_owned())?
}

fn parsed(json: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

fn settings(arguments: &Arguments) -> Result<Settings, String> {
    Ok(Settings::of_release(arguments::release(arguments, "mlir")?))
}

fn tool(server: &Arc<CatalogServer>, served: &Arc<ServedCatalog>) -> CatalogTool {
    let (server, of_reader) = (Arc::clone(server), Arc::clone(served));
    CatalogTool {
        catalog: Arc::clone(&served.catalog),
        symbols: Box::new(move |project, version| server.symbols(&of_reader, project, version)),
    }
}

/// Reads a published version of the catalogue: `stablehlo@1.12.0`.
fn published(
    server: &CatalogServer,
    served: &ServedCatalog,
    tool: &CatalogTool,
    place: &str,
) -> Result<Definitions, String> {
    let elsewhere = || {
        format!("'{}' is not there: a server looks in project@version of its catalogue", place.escape_debug())
    };
    let (project, version) = tool.version(place).ok_or_else(elsewhere)??;
    let missing = || format!("{} is not published any more", version.manifest);
    let artifact = served.artifact(&version.manifest).ok_or_else(missing)?;
    Ok(Definitions {
        document: Arc::new(server.model(artifact).map_err(|error| error.to_string())?),
        symbols: server.symbols(served, project, &version.version)?,
        prefix: format!("{}@{}/", project.name(), version.version),
    })
}
