//! Reads one side of a comparison: a folder, an archive, a model.json, a commit, an MLIR release, a server's result.

use std::{
    fs,
    panic::resume_unwind,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use odsmith_engine::{bundle::Bundle, interchange::Document};

use super::super::{
    Input, LibraryOptions, has_error, read_archive, read_bundle, remote, run_request_silently, text,
    to_stderr,
};
use crate::{
    pipeline::{compare::Side, library::Libraries},
    store::{disk, keys},
};

/// The options for reading sides.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Reader<'o> {
    /// Include folders, below the root of each side.
    pub includes: &'o [String],
    /// The options that find the libraries.
    pub library: &'o LibraryOptions,
    /// The server that has the results.
    pub server: Option<&'o str>,
}

impl Reader<'_> {
    /// Reads two sides in parallel, and prints their messages in order.
    pub fn sides(self, sides: [(&str, Option<&str>); 2]) -> [Result<Side, String>; 2] {
        let [(old, old_mlir), (new, new_mlir)] = sides;
        let (old, new) = thread::scope(|scope| {
            let new = scope.spawn(|| self.quietly(new, new_mlir));
            let old = self.quietly(old, old_mlir);
            (old, new.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        [old, new].map(Read::print)
    }

    /// Reads one side, and prints its messages.
    pub fn side(self, place: &str, mlir: Option<&str>) -> Result<Side, String> {
        self.quietly(place, mlir).print()
    }

    fn quietly(self, place: &str, mlir: Option<&str>) -> Read {
        let mut messages = Vec::new();
        let side = self.read(place, mlir, &mut messages);
        Read { side, messages }
    }

    fn read(self, place: &str, mlir: Option<&str>, messages: &mut Vec<u8>) -> Result<Side, String> {
        if let Some(name) = place.strip_prefix("release:") {
            let libraries = self.library.load(Some(name), None)?;
            let library = libraries.of(Some(name))?;
            let mut bundle = Bundle::default();
            // LLVM's own definitions are not dialects.
            for path in library.paths().filter(|path| path.starts_with("mlir/")) {
                if let Some(bytes) = library.read(&format!("{}/{path}", library.root())) {
                    bundle.insert(path, bytes);
                }
            }
            return self.model(&libraries, bundle, Some(name), messages);
        }
        if let Some(key) = result_key(place) {
            let server = self.server.ok_or("a result is of a server: name it with --server URL")?;
            let model = remote::get(server, &format!("/v1/results/{key}/files/model.json"))?;
            return Document::from_json(&model).map(Side::from);
        }
        let bundle = match place.strip_prefix("git:") {
            Some(tree) => checked_in(tree)?,
            None if place.ends_with(".json") => {
                let bytes = fs::read(place).map_err(|error| disk::reason(&error))?;
                return Document::from_json(&bytes).map(Side::from);
            }
            None => read_bundle(Path::new(place))?,
        };
        self.model(&self.library.load(mlir, None)?, bundle, mlir, messages)
    }

    /// Returns the model of a bundle.
    fn model(
        self,
        libraries: &Libraries,
        bundle: Bundle,
        mlir: Option<&str>,
        messages: &mut Vec<u8>,
    ) -> Result<Side, String> {
        let input = Input {
            input: PathBuf::new(),
            manifest: None,
            includes: self.includes.to_vec(),
            defines: Vec::new(),
            title: None,
            source_url: None,
            mlir: mlir.map(str::to_owned),
            library: self.library.clone(),
            ..Input::default()
        };
        let mut request = input.request(libraries, bundle, |manifest| {
            manifest.outputs = false;
            manifest.docs.enabled = false;
            manifest.model = true;
        })?;
        request.keeps_model = true;
        let (finished, _) = run_request_silently(request, None)?;
        finished.result.all_diagnostics().for_each(|report| text::render(report, messages));
        if has_error(finished.result.all_diagnostics()) {
            return Err("it has errors, and is not compared".to_owned());
        }
        finished.model.ok_or_else(|| "it defines nothing".to_owned())
    }
}

/// The result of reading a side, and its messages.
struct Read {
    side: Result<Side, String>,
    messages: Vec<u8>,
}

impl Read {
    fn print(self) -> Result<Side, String> {
        to_stderr(&self.messages);
        self.side
    }
}

/// Returns the key of a result: `sha256:…`, or the digits alone.
fn result_key(place: &str) -> Option<&str> {
    let key = place.strip_prefix("sha256:").unwrap_or(place);
    keys::is_key(key).then_some(key)
}

/// Returns the files of a commit, or of a folder in it: `HEAD~1`, `v2:include`.
fn checked_in(tree: &str) -> Result<Bundle, String> {
    if tree.is_empty() || tree.starts_with('-') {
        return Err("git: wants a commit: git:HEAD~1, git:v2:include".to_owned());
    }
    let made = Command::new("git").args(["archive", "--format=tar", tree]).output();
    let made = made.map_err(|error| format!("git cannot be run: {}", disk::reason(&error)))?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
    }
    read_archive(&made.stdout)
}
