//! A client of `odsmith lsp`, and transcripts of requests and answers.
//!
//! `<theme>.cases` holds cases, each after a line `=== <title>`. A case consists of parts:
//!
//! ```text
//! --- Ops.td                                     a file; `<|>` marks a place, `<|2>` another one
//! def A : B<|>;
//! --- ask textDocument/hover                     a request about the first place, or `@2` about the second
//! --- change Ops.td                              the file is now this
//! ```
//!
//! `<theme>.expected` holds the answers after the same lines.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{diff::first_difference, fixture, set_up};

/// The longest time that an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client and its server.
pub struct Client {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next_id: i64,
    /// The last diagnostics published for each file.
    pub published: BTreeMap<String, Value>,
    /// The capabilities of the server.
    pub capabilities: Value,
}

impl Client {
    /// Starts a server in a folder, for a client with these capabilities.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(folder: &Path, capabilities: &Value, options: &Value) -> Client {
        let mut child = Command::new(set_up::odsmith())
            .arg("lsp")
            .env("ODSMITH_LIBRARY", set_up::library())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("standard input");
        let output = child.stdout.take().expect("standard output");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(output);
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Client {
            child,
            input,
            messages,
            next_id: 0,
            published: BTreeMap::new(),
            capabilities: Value::Null,
        };
        let answer = client.ask(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": address(folder, ""),
                "capabilities": capabilities,
                "initializationOptions": options,
            }),
        );
        client.capabilities = answer["result"].clone();
        client.tell("initialized", &json!({}));
        client
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, parameters: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request without waiting for the answer.
    pub fn send(&mut self, method: &str, parameters: &Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        id
    }

    /// Sends a request and returns the message that answers it.
    pub fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.send(method, parameters);
        self.answer(id)
    }

    /// Waits for the answer to a request.
    ///
    /// # Panics
    /// When there is no answer.
    pub fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
            self.take(&message);
        }
    }

    fn take(&mut self, message: &Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let address = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
            self.published.insert(address, message["params"].clone());
        } else if !message["id"].is_null() {
            self.write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
        }
    }

    /// Waits until a version of a file was published, and a little longer for slower diagnostics.
    ///
    /// # Panics
    /// When it is not published.
    pub fn wait_for_diagnostics(&mut self, address: &str, version: i64) -> Value {
        let is_there = |client: &Self| {
            client.published.get(address).is_some_and(|it| it["version"].as_i64().unwrap_or(0) >= version)
        };
        while !is_there(self) {
            let message = self.messages.recv_timeout(PATIENCE).expect("diagnostics");
            self.take(&message);
        }
        self.published[address]["diagnostics"].clone()
    }

    /// Waits until the server is silent for a while: the generators' messages come last.
    pub fn wait_for_quiet(&mut self) {
        while let Ok(message) = self.messages.recv_timeout(Duration::from_millis(1500)) {
            self.take(&message);
        }
    }

    /// Opens a file.
    pub fn open(&mut self, address: &str, text: &str) {
        let document = json!({ "uri": address, "languageId": "tablegen", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Stops the server and returns its exit code.
    ///
    /// # Panics
    /// When it does not end.
    pub fn stop(mut self) -> Option<i32> {
        let _ = self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        let status = self.child.wait().expect("the server ends");
        status.code()
    }
}

fn read(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The URI of a file below a folder.
#[must_use]
pub fn address(folder: &Path, file: &str) -> String {
    let place = if file.is_empty() { folder.to_owned() } else { folder.join(file) };
    format!("file://{}", place.display())
}

/// A case of a transcript.
struct Case {
    title: String,
    parts: Vec<(String, String)>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            cases.push(Case { title: title.to_owned(), parts: Vec::new() });
        } else if let Some(case) = cases.last_mut() {
            if let Some(head) = line.strip_prefix("--- ") {
                case.parts.push((head.to_owned(), String::new()));
            } else if let Some((_, body)) = case.parts.last_mut() {
                body.push_str(line);
                body.push('\n');
            }
        }
    }
    cases
}

/// Removes the marks from a text and returns their positions: line and character.
fn unmarked(text: &str) -> (String, BTreeMap<String, Value>) {
    let mut marks = BTreeMap::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<|") {
        let end = rest[at..].find('>').map_or(rest.len(), |end| at + end);
        plain.push_str(&rest[..at]);
        let line = plain.matches('\n').count();
        let column: usize = plain.rsplit('\n').next().map_or(0, |line| line.encode_utf16().count());
        marks.insert(rest[at + 2..end].to_owned(), json!({ "line": line, "character": column }));
        rest = &rest[(end + 1).min(rest.len())..];
    }
    plain.push_str(rest);
    (plain, marks)
}

/// Replays a file of cases. With `ODSMITH_REGENERATE` set, records the answers. `check` receives each method with its
/// answer.
///
/// # Errors
/// The first difference of each case.
///
/// # Panics
/// When the file is not a transcript.
pub fn replay(file: &Path, check: &mut dyn FnMut(&str, &Value) -> Result<(), String>) -> Result<(), String> {
    let text = fs::read_to_string(file).expect("the cases are read");
    let folder =
        std::env::temp_dir().join(format!("odsmith-lsp-{}-{}", std::process::id(), fixture::stem(file)));
    fs::create_dir_all(&folder).expect("a folder");
    let folder = fs::canonicalize(&folder).expect("a folder");
    let mut answers = String::new();
    let mut wrong = String::new();
    for (number, case) in cases(&text).iter().enumerate() {
        let own = folder.join(format!("case-{number}"));
        fs::create_dir_all(&own).expect("a folder");
        let _ = writeln!(answers, "=== {}", case.title);
        // Findings of lint on small definitions would only clutter the other transcripts.
        let options = json!({ "workspaceDiagnostics": false, "lint": fixture::stem(file) == "lint" });
        let mut client = Client::start(&own, &client_capabilities(), &options);
        let mut replay = Replay { folder: own.clone(), marks: BTreeMap::new(), version: BTreeMap::new() };
        for (head, body) in &case.parts {
            match replay.part(&mut client, head, body, check) {
                Ok(answer) => answers.push_str(&answer),
                Err(message) => {
                    let _ = writeln!(wrong, "{}: {message}", case.title);
                }
            }
        }
        if client.stop() != Some(0) {
            let _ = writeln!(wrong, "{}: the server does not end well", case.title);
        }
    }
    let _ = fs::remove_dir_all(&folder);
    let expectations = file.with_extension("expected");
    if fixture::is_regenerating() {
        fs::write(&expectations, &answers).expect("the answers are written");
    } else {
        let expected = fs::read_to_string(&expectations).unwrap_or_default();
        if expected != answers {
            let difference = first_difference(expected.as_bytes(), answers.as_bytes());
            let _ = writeln!(wrong, "{}", difference.unwrap_or_default());
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The capabilities of a transcript's client.
#[must_use]
pub fn client_capabilities() -> Value {
    json!({
        "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
        "workspace": { "workspaceEdit": { "documentChanges": true, "changeAnnotationSupport": {} } },
    })
}

/// The state of a case during its replay.
struct Replay {
    folder: PathBuf,
    marks: BTreeMap<String, (String, Value)>,
    version: BTreeMap<String, i64>,
}

impl Replay {
    fn part(
        &mut self,
        client: &mut Client,
        head: &str,
        body: &str,
        check: &mut dyn FnMut(&str, &Value) -> Result<(), String>,
    ) -> Result<String, String> {
        let Some(request) = head.strip_prefix("ask ") else {
            let changed = head.strip_prefix("change ");
            let file = changed.unwrap_or(head);
            let (text, marks) = unmarked(body);
            let at = address(&self.folder, file);
            self.marks.retain(|_, (known, _)| *known != at);
            self.marks.extend(marks.into_iter().map(|(name, place)| (name, (at.clone(), place))));
            let version = self.version.entry(file.to_owned()).or_insert(0);
            *version += 1;
            if changed.is_some() {
                let document = json!({ "uri": at, "version": *version });
                let parameters = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
                client.tell("textDocument/didChange", &parameters);
            } else {
                client.open(&at, &text);
            }
            return Ok(String::new());
        };
        let (method, rest) = request.split_once(' ').unwrap_or((request, ""));
        let (mark, more) = match rest.strip_prefix('@') {
            Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
            None => ("", rest),
        };
        let (at, place) =
            self.marks.get(mark).cloned().unwrap_or((address(&self.folder, "Ops.td"), Value::Null));
        if method == "diagnostics" {
            // Generators' messages are published last: a request after them has waited for all.
            let file = at.rsplit('/').next().unwrap_or_default();
            client.wait_for_diagnostics(&at, self.version[file]);
            client.wait_for_quiet();
            let published = client.published[&at].clone();
            check("textDocument/publishDiagnostics", &published)?;
            return Ok(format!("--- {head}\n{}", self.show(&published["diagnostics"])));
        }
        let mut parameters = json!({ "textDocument": { "uri": at }, "position": place });
        match method {
            "textDocument/references" => parameters["context"] = json!({ "includeDeclaration": true }),
            "textDocument/codeAction" => {
                parameters["range"] = json!({ "start": place, "end": place });
                parameters["context"] = json!({ "diagnostics": [] });
            }
            "textDocument/inlayHint" | "textDocument/semanticTokens/range" => {
                parameters["range"] =
                    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
            }
            "textDocument/selectionRange" => parameters["positions"] = json!([place]),
            _ => {}
        }
        let more: Value = if more.is_empty() { json!({}) } else { serde_json::from_str(more).expect("JSON") };
        for (name, value) in more.as_object().expect("an object") {
            parameters[name] = value.clone();
        }
        if method.ends_with("/supertypes") || method.ends_with("/subtypes") || method.ends_with("Calls") {
            let prepare =
                if method.starts_with("type") { "prepareTypeHierarchy" } else { "prepareCallHierarchy" };
            let items = client.ask(&format!("textDocument/{prepare}"), &parameters);
            parameters["item"] = items["result"][0].clone();
        }
        let answer = client.ask(method, &parameters);
        if !answer["error"].is_null() {
            return Ok(format!(
                "--- {head}\nerror: {}\n",
                answer["error"]["message"].as_str().unwrap_or_default()
            ));
        }
        check(method, &answer["result"])?;
        Ok(format!("--- {head}\n{}", self.show_answer(method, &answer["result"])))
    }

    /// An answer in a form for people.
    fn show_answer(&self, method: &str, answer: &Value) -> String {
        match method {
            "textDocument/hover" => {
                format!("{}\n", answer["contents"]["value"].as_str().unwrap_or("nothing"))
            }
            "odsmith/preview" => format!(
                "{} of {}, line {}, stale: {}, {}\n{}\n",
                answer["view"].as_str().unwrap_or("nothing"),
                answer["record"].as_str().unwrap_or_default(),
                answer["line"],
                answer["isStale"],
                self.relative(answer["uri"].as_str().unwrap_or_default()),
                answer["text"].as_str().unwrap_or_default(),
            ),
            "textDocument/completion" => {
                let items = answer["items"].as_array().cloned().unwrap_or_default();
                let mut text = String::new();
                for item in items.iter().take(14) {
                    let _ = write!(
                        text,
                        "{} | {} | {:?}",
                        item["label"].as_str().unwrap_or_default(),
                        item["detail"].as_str().unwrap_or_default(),
                        item["textEdit"]["newText"].as_str().unwrap_or_default(),
                    );
                    if let Some(edits) = item["additionalTextEdits"].as_array() {
                        let _ =
                            write!(text, " | also {:?}", edits[0]["newText"].as_str().unwrap_or_default());
                    }
                    text.push('\n');
                }
                if items.len() > 14 {
                    let _ = writeln!(text, "and more: {}", answer["isIncomplete"]);
                }
                if items.is_empty() { "nothing\n".to_owned() } else { text }
            }
            _ => self.show(answer),
        }
    }

    fn relative(&self, text: &str) -> String {
        text.replace(&format!("file://{}/", self.folder.display()), "")
            .replace(&format!("file://{}/", set_up::library()), "<mlir>/")
    }

    /// A value, with ranges as `line:character-line:character` and file names without the folder.
    fn show(&self, value: &Value) -> String {
        let mut text = String::new();
        self.lines(value, 0, &mut text);
        text
    }

    fn lines(&self, value: &Value, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        match value {
            Value::Array(items) if items.iter().all(Value::is_number) => {
                let numbers: Vec<String> = items.iter().map(Value::to_string).collect();
                let _ = writeln!(text, "{indent}{}", numbers.join(" "));
            }
            Value::Array(items) => {
                if items.is_empty() {
                    let _ = writeln!(text, "{indent}none");
                }
                for item in items {
                    match self.short(item) {
                        Some(short) => {
                            let _ = writeln!(text, "{indent}- {short}");
                        }
                        None => {
                            let _ = writeln!(text, "{indent}-");
                            self.lines(item, depth + 1, text);
                        }
                    }
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    match self.short(value) {
                        Some(short) => {
                            let _ = writeln!(text, "{indent}{name}: {short}");
                        }
                        None => {
                            let _ = writeln!(text, "{indent}{name}:");
                            self.lines(value, depth + 1, text);
                        }
                    }
                }
            }
            _ => {
                let _ = writeln!(text, "{indent}{}", self.short(value).unwrap_or_default());
            }
        }
    }

    /// A value on one line, if it is simple.
    fn short(&self, value: &Value) -> Option<String> {
        match value {
            Value::String(string) => Some(format!("{:?}", self.relative(string))),
            Value::Object(fields) if value["start"].is_object() && fields.len() == 2 => {
                let at = |place: &Value| format!("{}:{}", place["line"], place["character"]);
                Some(format!("{}-{}", at(&value["start"]), at(&value["end"])))
            }
            Value::Object(fields) if value["uri"].is_string() && fields.len() == 2 => {
                let range = &value["range"];
                let range = range.is_object().then(|| self.short(range)).flatten();
                let rest = range.or_else(|| value["version"].as_i64().map(|it| it.to_string()))?;
                // Lines in MLIR's own files depend on the installation.
                let file = self.relative(value["uri"].as_str()?);
                Some(if file.starts_with("<mlir>") { file } else { format!("{file} {rest}") })
            }
            Value::Array(_) | Value::Object(_) => None,
            simple => Some(simple.to_string()),
        }
    }
}
