//! The tools. Their arguments are checked here; paths lead below the root.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Component, Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use odsmith_registry::{pull::Address, reference::SCHEME};
use serde_json::Value;

use crate::{
    cli::commands::describe::read,
    pipeline::{
        describe::Definitions,
        mcp::{
            arguments::{self, Arguments, needed, text},
            catalog::CatalogTool,
            definitions, report,
        },
    },
    store::disk,
};

/// The most sets of definitions that are kept for later calls.
const MOST_KEPT: usize = 4;

/// A catalogue, and the place that commands are given for it.
#[derive(Debug)]
pub struct LocalCatalog {
    /// The place.
    pub place: String,
    /// The catalogue.
    pub tool: CatalogTool,
}

/// The state between calls.
#[derive(Debug)]
pub struct Tools {
    root: PathBuf,
    /// The catalogue that questions are about, unless they name another place.
    catalog: Option<LocalCatalog>,
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

impl Tools {
    /// Creates the tools for the folders below a root.
    ///
    /// # Errors
    /// The root is no folder.
    pub fn new(root: PathBuf, catalog: Option<LocalCatalog>) -> Result<Tools, String> {
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
            "explain" => report::explain(arguments),
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
        if let Some(found) = self.catalog.as_ref().and_then(|catalog| catalog.tool.version(text)) {
            let (project, version) = found?;
            let repository = &project.facts.repository;
            return match repository.starts_with(SCHEME) {
                true => Ok(format!("{repository}:{}@{}", version.tag, version.manifest)),
                false => Err(format!("{} is in a layout: name it as oci-layout:DIR:TAG", project.name())),
            };
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
        self.catalog.as_ref().map(|it| &it.tool).filter(|_| text(arguments, "in").is_none())
    }

    fn search(&self, arguments: &Arguments) -> Result<Value, String> {
        match self.asked_catalog(arguments) {
            Some(catalog) => catalog.search(arguments),
            None => definitions::search(self.definitions(arguments)?.subject(), arguments),
        }
    }

    fn describe(&self, arguments: &Arguments) -> Result<Value, String> {
        match self.asked_catalog(arguments) {
            Some(catalog) => catalog.describe(arguments),
            None => definitions::describe(self.definitions(arguments)?.subject(), arguments),
        }
    }

    fn uses(&self, arguments: &Arguments) -> Result<Value, String> {
        match self.asked_catalog(arguments) {
            Some(catalog) => catalog.uses(arguments),
            None => definitions::uses(self.definitions(arguments)?.subject(), arguments),
        }
    }

    /// Returns the folder of a call: one below the root, or a new one with the files of the call.
    fn folder(&self, arguments: &Arguments) -> Result<(PathBuf, Option<CallFolder>), String> {
        let Some(files) = arguments::files(arguments)? else {
            return Ok((self.below(text(arguments, "folder").unwrap_or("."))?, None));
        };
        let name = format!("odsmith-mcp-{}-{:?}", std::process::id(), std::thread::current().id());
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let folder = CallFolder(env::temp_dir().join(name));
        for (path, content) in files {
            disk::write(&disk::place(&folder.0, &path), &content)?;
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
            if let Some(value) = arguments::release(arguments, name)? {
                words.extend([flag, value]);
            }
        }
        words.extend(["--output-format", "sarif"]);
        let (output, messages) = self.run(&folder, &words)?;
        let log: Value = serde_json::from_slice(&output).map_err(|_| messages.trim().to_owned())?;
        report::findings(&log, arguments)
    }

    fn diff(&self, arguments: &Arguments) -> Result<Value, String> {
        let (old, new) = (self.place(needed(arguments, "old")?)?, self.place(needed(arguments, "new")?)?);
        let mut words = vec!["diff", &old, &new];
        if let Some(profile) = arguments::profile(arguments)? {
            words.extend(["--profile", profile]);
        }
        if arguments::asks_elsewhere(arguments) {
            let catalog =
                self.catalog.as_ref().ok_or("this server has no catalogue: start it with --catalog")?;
            words.extend(["--catalog", &catalog.place]);
        }
        words.push("--json");
        let (output, messages) = self.run(&self.root, &words)?;
        let comparison: Value = serde_json::from_slice(&output).map_err(|_| messages.trim().to_owned())?;
        report::changes(&comparison, arguments)
    }

    fn upgrade(&self, arguments: &Arguments) -> Result<Value, String> {
        needed(arguments, "to")?;
        self.findings(&["upgrade"], arguments)
    }

    fn generate(&self, arguments: &Arguments) -> Result<Value, String> {
        let (folder, _files) = self.folder(arguments)?;
        let td = arguments::root(arguments)?;
        if fs::canonicalize(folder.join(td))
            .is_ok_and(|place| !place.starts_with(&folder) && !place.starts_with(&self.root))
        {
            return Err(format!("'{}' is not below the root", td.escape_debug()));
        }
        let mut words = vec!["tblgen"];
        words.extend(arguments::flags(arguments)?);
        let mlir = arguments::release(arguments, "mlir")?.map(|release| format!("--mlir={release}"));
        words.extend(mlir.as_deref());
        words.extend(["-I", ".", td]);
        let (output, messages) = self.run(&folder, &words)?;
        if output.is_empty() && messages.contains("error:") {
            return Err(messages);
        }
        report::generated(&output, arguments)
    }
}
