//! The tools. Their arguments are checked here; paths lead below the root.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Component, Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use odsmith_registry::{pull::Address, reference::SCHEME};
use odsmith_site::text::dedent;
use serde_json::{Map, Value, json};

use super::{
    answer::{fenced, fits, page, plain, shortened},
    catalog::CatalogTool,
};
use crate::{
    cli::commands::describe::{Definitions, read},
    store::{archive::names, disk, keys},
};

/// The most bytes of files in a call.
const MOST_FILES: usize = 256 << 10;
/// The most sets of definitions that are kept for later calls.
const MOST_KEPT: usize = 4;
/// The findings of a page, unless a call names another number.
const USUAL_LIMIT: usize = 10;
/// The largest page.
const MOST_LIMIT: usize = 50;

/// Flags of mlir-tblgen that choose an output. Others name files or folders.
const FLAGS: &[&str] = &[
    "dialect",
    "attrdefs-dialect",
    "typedefs-dialect",
    "enums-dialect",
    "bytecode-dialect",
    "name",
    "prefix",
    "attr-dialect",
    "bind",
    "op-include-regex",
    "op-exclude-regex",
    "allow-unregistered-dialects",
    "asmformat-error-is-fatal",
    "dump-json",
    "print-records",
];

/// The state between calls.
#[derive(Debug)]
pub struct Tools {
    root: PathBuf,
    /// The catalogue that questions are about, unless they name another place.
    catalog: Option<CatalogTool>,
    /// Definitions by their place; those of folders are read anew each time, as they change.
    kept: Mutex<BTreeMap<String, Arc<Definitions>>>,
}

/// A folder of files that a call brought along; removed on drop.
#[derive(Debug)]
struct CallFolder(PathBuf);

impl Drop for CallFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

type Arguments = Map<String, Value>;

fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn needed<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, String> {
    text(arguments, name).ok_or_else(|| format!("the argument '{name}' is missing"))
}

/// Returns the number of the first item, and how many items there may be.
fn range(arguments: &Arguments) -> Result<(usize, usize), String> {
    let limit = arguments
        .get("limit")
        .and_then(Value::as_u64)
        .map_or(USUAL_LIMIT, |it| usize::try_from(it).unwrap_or(1));
    let from = match text(arguments, "cursor") {
        Some(cursor) => cursor.parse().map_err(|_| format!("'{}' is no cursor", cursor.escape_debug()))?,
        None => 0,
    };
    Ok((from, limit.clamp(1, MOST_LIMIT)))
}

impl Tools {
    /// Creates the tools for the folders below a root.
    ///
    /// # Errors
    /// The root is no folder.
    pub fn new(root: PathBuf, catalog: Option<CatalogTool>) -> Result<Tools, String> {
        let wrong = |error: std::io::Error| format!("{}: {}", root.display(), disk::reason(&error));
        Ok(Tools { root: fs::canonicalize(&root).map_err(wrong)?, catalog, kept: Mutex::default() })
    }

    /// Answers a call.
    ///
    /// # Errors
    /// An argument is wrong, or there is no answer; the message says why.
    pub fn call(&self, name: &str, arguments: &Arguments) -> Result<Value, String> {
        match name {
            "search" => self.search(arguments),
            "describe" => self.describe(arguments),
            "uses" => self.uses(arguments),
            "check" => self.findings(&["check"], arguments),
            "lint" => self.findings(&["lint"], arguments),
            "diff" => self.diff(arguments),
            "upgrade" => self.upgrade(arguments),
            "generate" => self.generate(arguments),
            "explain" => self.explain(arguments),
            _ => Err(format!("there is no tool '{}'", name.escape_debug())),
        }
    }

    /// Returns the place of a path below the root.
    fn below(&self, path: &str) -> Result<PathBuf, String> {
        let wrong = || format!("'{}' is not below the root", path.escape_debug());
        let inside = Path::new(path);
        if inside.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(wrong());
        }
        // A link may lead out of the root.
        let place = fs::canonicalize(self.root.join(inside))
            .map_err(|_| format!("'{}' is not there", path.escape_debug()))?;
        if place.starts_with(&self.root) { Ok(place) } else { Err(wrong()) }
    }

    /// Returns definitions as a command names them.
    fn place(&self, text: &str) -> Result<String, String> {
        let is_plain = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/~^@:-".contains(&byte))
                && !text.contains("..")
        };
        if let Some(place) = self.catalog.as_ref().and_then(|catalog| catalog.version(text)) {
            return place;
        }
        match text {
            _ if text.starts_with(SCHEME) => Address::parse(text).map(|it| it.to_string()),
            _ if text.starts_with("release:") || text.starts_with("git:") => match is_plain(text) {
                true => Ok(text.to_owned()),
                false => Err(format!("'{}' names no release or revision", text.escape_debug())),
            },
            _ => self.below(text).map(|place| place.to_string_lossy().into_owned()),
        }
    }

    /// Reads the definitions that a call asks about.
    fn definitions(&self, arguments: &Arguments) -> Result<Arc<Definitions>, String> {
        let place = self.place(text(arguments, "in").unwrap_or("."))?;
        let is_fixed = place.starts_with("release:") || place.contains("@sha256:");
        let known = || self.kept.lock().ok()?.get(&place).cloned();
        if let Some(known) = known().filter(|_| is_fixed) {
            return Ok(known);
        }
        let definitions = Arc::new(read(&place)?);
        if let Ok(mut kept) = self.kept.lock()
            && is_fixed
        {
            if kept.len() >= MOST_KEPT {
                kept.pop_first();
            }
            kept.insert(place, Arc::clone(&definitions));
        }
        Ok(definitions)
    }

    /// Returns the catalogue, if a call names no other place.
    fn asked_catalog(&self, arguments: &Arguments) -> Option<&CatalogTool> {
        self.catalog.as_ref().filter(|_| text(arguments, "in").is_none())
    }

    fn search(&self, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        if let Some(catalog) = self.asked_catalog(arguments) {
            return catalog.search(needed(arguments, "query")?, (from, limit));
        }
        let definitions = self.definitions(arguments)?;
        let answer = definitions.subject().search(needed(arguments, "query")?, 0, usize::MAX)?;
        let hits = answer.hits.iter().map(|hit| {
            let mut value = json!({ "id": hit.id, "kind": hit.kind, "url": hit.url });
            for (name, text) in [("summary", &hit.summary), ("signature", &hit.signature)] {
                if !text.is_empty() {
                    value[name] = plain(text).into();
                }
            }
            value
        });
        Ok(page(answer.total, "hits", hits.collect(), from, limit))
    }

    fn describe(&self, arguments: &Arguments) -> Result<Value, String> {
        if let Some(catalog) = self.asked_catalog(arguments) {
            return catalog.describe(needed(arguments, "symbol")?);
        }
        let definitions = self.definitions(arguments)?;
        let mut description = definitions.subject().describe(needed(arguments, "symbol")?)?;
        description.summary = plain(&description.summary);
        let members = [
            &mut description.members,
            &mut description.operands,
            &mut description.attributes,
            &mut description.results,
        ];
        for member in members.into_iter().flatten() {
            member.summary = plain(&member.summary);
        }
        let long = std::mem::take(&mut description.description);
        let mut value = serde_json::to_value(&description).map_err(|error| error.to_string())?;
        if !long.trim().is_empty() {
            value["description"] = fenced(&dedent(&long)).into();
        }
        if let (Some(parts), Value::Object(fields)) =
            (arguments.get("parts").and_then(Value::as_array), &mut value)
        {
            let wants =
                |names: &[&str]| parts.iter().any(|part| part.as_str().is_some_and(|it| names.contains(&it)));
            for (field, names) in [
                ("syntax", &["syntax", "signature"][..]),
                ("operands", &["operands", "signature"]),
                ("results", &["operands", "signature"]),
                ("attributes", &["operands", "signature"]),
                ("traits", &["traits"]),
                ("description", &["description"]),
            ] {
                if !wants(names) {
                    fields.remove(field);
                }
            }
        }
        let was_fenced = value.get("description").is_some();
        let mut value = shortened(
            value,
            &["description", "members", "alternatives", "attributes", "traits", "operands", "results"],
        );
        if was_fenced && value.get("more").is_some() {
            // A text that was cut has lost the end of its fence.
            let cut = value["description"].as_str().unwrap_or_default().trim_start_matches('~').to_owned();
            value["description"] = fenced(&cut).into();
        }
        Ok(value)
    }

    fn uses(&self, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        let symbol = needed(arguments, "symbol")?;
        let how = text(arguments, "how");
        if let Some(catalog) = self.asked_catalog(arguments) {
            return catalog.uses(symbol, how, (from, limit));
        }
        let definitions = self.definitions(arguments)?;
        let uses = definitions.subject().uses(symbol, how);
        let all = uses.into_iter().map(|(user, how)| json!({ "user": user, "how": how }));
        let all: Vec<Value> = all.collect();
        Ok(page(all.len(), "uses", all, from, limit))
    }

    /// Returns the folder of a call: one below the root, or a new one with the files of the call.
    fn folder(&self, arguments: &Arguments) -> Result<(PathBuf, Option<CallFolder>), String> {
        let Some(files) = arguments.get("files").and_then(Value::as_object) else {
            return Ok((self.below(text(arguments, "folder").unwrap_or("."))?, None));
        };
        let size: usize = files.values().filter_map(Value::as_str).map(str::len).sum();
        if size > MOST_FILES {
            return Err(format!("the files have more than {MOST_FILES} bytes"));
        }
        let name = format!("odsmith-mcp-{}-{:?}", std::process::id(), std::thread::current().id());
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let folder = CallFolder(env::temp_dir().join(name));
        for (path, content) in files {
            if let Some(fault) = names::fault(path) {
                return Err(format!("'{}' {fault}", path.escape_debug()));
            }
            let content = content.as_str().ok_or_else(|| format!("'{}' has no text", path.escape_debug()))?;
            disk::write(&disk::place(&folder.0, path), content.as_bytes())?;
        }
        Ok((folder.0.clone(), Some(folder)))
    }

    /// Runs a command of this program; returns its output and its messages.
    fn run(&self, folder: &Path, words: &[&str]) -> Result<(Vec<u8>, String), String> {
        let program = env::current_exe().map_err(|error| disk::reason(&error))?;
        let output = Command::new(program)
            .current_dir(folder)
            .args(words)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| disk::reason(&error))?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0 | 1) => Ok((output.stdout, messages)),
            _ => Err(messages.trim().trim_start_matches("error: ").to_owned()),
        }
    }

    fn findings(&self, command: &[&str], arguments: &Arguments) -> Result<Value, String> {
        let (folder, _files) = self.folder(arguments)?;
        let mut words = command.to_vec();
        for (name, flag) in [("mlir", "--mlir"), ("from", "--from"), ("to", "--to")] {
            if let Some(value) = text(arguments, name) {
                check_release(value)?;
                words.extend([flag, value]);
            }
        }
        self.report(&folder, words, arguments)
    }

    /// Runs a command that reports findings, and returns a page of them.
    fn report(&self, folder: &Path, mut words: Vec<&str>, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        words.extend(["--output-format", "sarif"]);
        let (output, messages) = self.run(folder, &words)?;
        let log: Value = serde_json::from_slice(&output).map_err(|_| messages.trim().to_owned())?;
        let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
        let all: Vec<Value> = results.iter().map(finding).collect();
        Ok(page(all.len(), "findings", all, from, limit))
    }

    fn diff(&self, arguments: &Arguments) -> Result<Value, String> {
        let (old, new) = (self.place(needed(arguments, "old")?)?, self.place(needed(arguments, "new")?)?);
        let mut words = vec!["diff", &old, &new];
        if let Some(profile) = text(arguments, "profile") {
            if !["wire", "ir", "api", "all"].contains(&profile) {
                return Err(format!("there is no profile '{}'", profile.escape_debug()));
            }
            words.extend(["--profile", profile]);
        }
        let is_wanted = arguments.get("catalog").and_then(Value::as_bool).unwrap_or(false);
        if is_wanted {
            let catalog =
                self.catalog.as_ref().ok_or("this server has no catalogue: start it with --catalog")?;
            words.extend(["--catalog", &catalog.place]);
        }
        self.changes(words, arguments)
    }

    /// Runs a comparison, and returns a page of its findings.
    fn changes(&self, mut words: Vec<&str>, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        words.push("--json");
        let (output, messages) = self.run(&self.root, &words)?;
        let report: Value = serde_json::from_slice(&output).map_err(|_| messages.trim().to_owned())?;
        let all: Vec<Value> = report["findings"].as_array().into_iter().flatten().map(change).collect();
        Ok(page(all.len(), "findings", all, from, limit))
    }

    fn upgrade(&self, arguments: &Arguments) -> Result<Value, String> {
        needed(arguments, "to")?;
        self.findings(&["upgrade"], arguments)
    }

    fn generate(&self, arguments: &Arguments) -> Result<Value, String> {
        let (folder, _files) = self.folder(arguments)?;
        let td = needed(arguments, "td")?;
        if let Some(fault) = names::fault(td) {
            return Err(format!("'{}' {fault}", td.escape_debug()));
        }
        if fs::canonicalize(folder.join(td))
            .is_ok_and(|place| !place.starts_with(&folder) && !place.starts_with(&self.root))
        {
            return Err(format!("'{}' is not below the root", td.escape_debug()));
        }
        let flags = arguments.get("flags").and_then(Value::as_array).cloned().unwrap_or_default();
        let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
        for flag in &flags {
            let name = flag.trim_start_matches('-').split('=').next().unwrap_or_default();
            if !flag.starts_with('-') || !(name.starts_with("gen-") || FLAGS.contains(&name)) {
                return Err(format!("the flag '{}' is not taken here", flag.escape_debug()));
            }
        }
        let mut words = vec!["tblgen"];
        words.extend(&flags);
        let mlir = text(arguments, "mlir").map(|release| format!("--mlir={release}"));
        if let Some(mlir) = &mlir {
            check_release(mlir.trim_start_matches("--mlir="))?;
            words.push(mlir);
        }
        words.extend(["-I", ".", td]);
        let (output, messages) = self.run(&folder, &words)?;
        if output.is_empty() && messages.contains("error:") {
            return Err(messages);
        }
        let whole = String::from_utf8_lossy(&output).into_owned();
        let (from, _) = range(arguments)?;
        let rest = whole.get(from..).ok_or("the cursor is after the end")?;
        let mut end = rest.len();
        loop {
            let shown = &rest[..end];
            let more = rest.len() - end;
            let next = if more > 0 { Value::String((from + end).to_string()) } else { Value::Null };
            let value = json!({
                "text": shown, "bytes": whole.len(), "sha256": keys::sha256(&output), "more": more, "next": next,
            });
            if fits(&value) || end == 0 {
                return Ok(value);
            }
            let wanted = end.min(8 << 10) * 7 / 8;
            end = (0..=wanted).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
        }
    }

    fn explain(&self, arguments: &Arguments) -> Result<Value, String> {
        let rule = needed(arguments, "rule")?;
        if rule.starts_with('-') {
            return Err(format!("there is no rule '{}'", rule.escape_debug()));
        }
        let (output, _) = self.run(&self.root, &["rule", rule])?;
        let text = String::from_utf8_lossy(&output).into_owned();
        let title = plain(text.lines().next().unwrap_or_default());
        Ok(shortened(json!({ "rule": rule, "title": title, "text": text }), &["text"]))
    }
}

fn check_release(text: &str) -> Result<(), String> {
    let is_one = text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() <= 3 && !text.is_empty();
    if is_one { Ok(()) } else { Err(format!("'{}' is no release", text.escape_debug())) }
}

/// Returns a finding of a comparison.
fn change(finding: &Value) -> Value {
    let severity = finding["severity"].as_str().filter(|it| ["error", "warning"].contains(it));
    let severity = severity.unwrap_or("note");
    let text = |field: &str| finding[field].as_str().unwrap_or_default();
    let effects = finding["effects"].as_object().into_iter().flatten();
    let levels = effects.filter(|(_, verdict)| *verdict != "safe").map(|(level, _)| level.as_str());
    let mut value = json!({
        "rule": text("rule"), "severity": severity, "message": plain(text("message")),
        "definition": text("subject"), "levels": levels.collect::<Vec<_>>(),
    });
    let place = if finding["new"].is_object() { &finding["new"] } else { &finding["old"] };
    if let Some(file) = place["file"].as_str() {
        value["file"] = file.into();
        value["line"] = place["line"].clone();
    }
    let elsewhere = finding["elsewhere"].as_array().into_iter().flatten().map(|it| {
        let users = it["users"].as_array().map_or(0, Vec::len);
        json!({ "project": it["project"], "version": it["version"], "users": users })
    });
    let elsewhere: Vec<Value> = elsewhere.collect();
    if !elsewhere.is_empty() {
        value["elsewhere"] = elsewhere.into();
    }
    value
}

/// Returns a result of SARIF as a finding.
fn finding(result: &Value) -> Value {
    let severity = match result["level"].as_str() {
        Some("error") => "error",
        Some("warning") => "warning",
        _ => "note",
    };
    let message = result["message"]["text"].as_str().unwrap_or_default();
    let place = &result["locations"][0]["physicalLocation"];
    let mut value = json!({
        "rule": result["ruleId"].as_str().unwrap_or("tablegen"), "severity": severity, "message": plain(message),
    });
    if let Some(file) = place["artifactLocation"]["uri"].as_str() {
        value["file"] = file.into();
    }
    if let Some(line) = place["region"]["startLine"].as_u64() {
        value["line"] = line.into();
    }
    value
}
