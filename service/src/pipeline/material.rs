//! The material of a site besides the bundle: a theme, other releases, example files of MLIR, pictures, and a program that
//! checks examples. Only the command line has it.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use odsmith_site::{
    doxygen::Tags,
    history::History,
    inventory::Inventory,
    paths,
    render::{Hook, Hooks},
    trial::{Checker, Trial},
};
use sha2::{Digest, Sha256};

use crate::{
    pipeline::{
        library::cache_folder,
        manifest::{Docs, InventoryFile},
        owners::Owners,
        pins::{self, Pin},
        releases::Releases,
        workspace::{Workspace, dates},
    },
    store::disk,
};

/// Larger files of MLIR are not searched for examples.
const MOST_EXAMPLE_BYTES: u64 = 1 << 20;
/// Maximum bytes of all these files together.
const MOST_EXAMPLES_BYTES: u64 = 256 << 20;
/// Larger pictures are not copied.
const MOST_IMAGE_BYTES: u64 = 4 << 20;
/// The endings of pictures that every browser shows.
const IMAGES: &[&str] = &[".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"];

/// The material of a site besides the bundle.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The name of the project in its CMake files.
    pub project: Option<String>,
    /// Templates and assets in place of the usual ones.
    pub theme: BTreeMap<String, String>,
    /// The name of this release, and the index of the one before.
    pub history: Option<History>,
    /// The other releases.
    pub releases: Releases,
    /// Files of MLIR's text, by path.
    pub examples: BTreeMap<String, String>,
    /// Pictures, by path.
    pub images: BTreeMap<String, Vec<u8>>,
    /// The inventories of other sites.
    pub inventories: Vec<Inventory>,
    /// The program that checks synthesised examples.
    pub trial: Trial,
    /// True if pages load themselves anew: while a folder is watched.
    pub is_live: bool,
    /// True if pages have no Markdown twins: they take a sixth of a site.
    pub omits_markdown: bool,
    /// The commit of LLVM that the project pins.
    pub pin: Option<Pin>,
    /// The date of the last commit of files, by path.
    pub dates: BTreeMap<String, String>,
    /// The owners of files.
    pub owners: Owners,
    /// C++ files that register or build pipelines, by path.
    pub cpp: BTreeMap<String, String>,
    /// The tag file of Doxygen.
    pub tags: Option<Tags>,
    /// HTML for the head and the foot of pages.
    pub hooks: Hooks,
}

/// Returns the name that a CMake file gives to its project: `project(Potter LANGUAGES CXX)`.
fn cmake_project(text: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let lower = text.to_ascii_lowercase();
    let (at, command) = lower.match_indices("project").find(|(at, _)| {
        let starts = !lower[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        starts && lower[at + "project".len()..].trim_start().starts_with('(')
    })?;
    let inside = text[at + command.len()..].trim_start().trim_start_matches('(');
    let name = inside.split(|c: char| c.is_whitespace() || c == ')').find(|word| !word.is_empty())?;
    let name = name.trim_matches('"');
    // The name may be a variable, which only CMake knows.
    (!name.is_empty() && !name.contains('$')).then(|| name.to_owned())
}

/// The endings of files of C++.
const CPP: &[&str] = &[".cpp", ".cc", ".cxx", ".h", ".hpp"];
/// Words of C++ files that register or build pipelines.
const OF_PIPELINES: &[&str] = &["PassPipelineRegistration", "addPass(", "addNestedPass<"];

/// Reads a file of C++, if it registers or builds pipelines.
fn pipelines(place: &Path) -> Result<Option<String>, String> {
    let bytes = bytes(place)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(OF_PIPELINES.iter().any(|word| text.contains(word)).then(|| text.into_owned()))
}

/// Reads a file that the settings name.
fn named(folder: &Path, field: &str, path: &str) -> Result<String, String> {
    let text = fs::read_to_string(folder.join(path));
    text.map_err(|error| format!("docs.{field}: {path}: {}", disk::reason(&error)))
}

/// Reads the files beside the definitions in the folder of a project.
///
/// # Errors
/// A file cannot be read.
pub fn read(workspace: &Workspace, docs: &Docs) -> Result<Material, String> {
    let pin = pins::of_folder(&workspace.base_place());
    let cmake = fs::read_to_string(workspace.base_place().join("CMakeLists.txt")).unwrap_or_default();
    let folder = workspace.base_place();
    let hook = |field: &str, path: &Option<String>| -> Result<Hook, String> {
        let Some(path) = path else { return Ok(Hook::default()) };
        Ok(Hook { file: path.clone(), html: named(&folder, field, path)? })
    };
    let tags = docs.doxygen_tags.as_ref().map(|path| {
        let text = named(&folder, "doxygen-tags", path)?;
        Tags::read(&text).map_err(|why| format!("docs.doxygen-tags: {path}: {why}"))
    });
    let mut material = Material {
        pin,
        project: cmake_project(&cmake),
        dates: dates::of_files(&folder, &["*.md", "*.td"]),
        owners: Owners::of_folder(&folder),
        tags: tags.transpose()?,
        hooks: Hooks { head: hook("head", &docs.head)?, footer: hook("footer", &docs.footer)? },
        ..Material::default()
    };
    let (mut room, mut cpp_room) = (MOST_EXAMPLES_BYTES, MOST_EXAMPLES_BYTES);
    for (path, place) in workspace.files() {
        let (path, place) = (&*path, &*place);
        let size = || fs::metadata(place).map_or(u64::MAX, |data| data.len());
        let is_named = || docs.examples.is_empty() || paths::any(&docs.examples, path);
        if path.ends_with(".mlir") && !paths::any(&docs.exclude, path) && is_named() {
            let size = size();
            if size <= MOST_EXAMPLE_BYTES.min(room) {
                room -= size;
                // Tests contain all kinds of bytes; files that are not text have no examples.
                if let Ok(text) = String::from_utf8(bytes(place)?) {
                    material.examples.insert(path.to_owned(), text);
                }
            }
        } else if CPP.iter().any(|end| path.ends_with(end)) && !paths::any(&docs.exclude, path) {
            let size = size();
            if size <= MOST_EXAMPLE_BYTES.min(cpp_room) {
                cpp_room -= size;
                material.cpp.extend(pipelines(place)?.map(|text| (path.to_owned(), text)));
            }
        } else if is_image(path) && size() <= MOST_IMAGE_BYTES {
            material.images.insert(path.to_owned(), bytes(place)?);
        }
    }
    for (name, InventoryFile { file, url, sha256 }) in &docs.inventories {
        let wrong = |why: String| format!("docs.inventories.{name}: {file}: {why}");
        let bytes = fs::read(folder.join(file)).map_err(|error| wrong(disk::reason(&error)))?;
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if sha256.as_ref().is_some_and(|wanted| !wanted.eq_ignore_ascii_case(&found)) {
            return Err(wrong(format!("its digest is {found}")));
        }
        material.inventories.push(Inventory::read(&bytes, url).map_err(wrong)?);
    }
    Ok(material)
}

fn bytes(place: &Path) -> Result<Vec<u8>, String> {
    fs::read(place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
}

/// Returns true if a file is a picture.
#[must_use]
pub fn is_image(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    IMAGES.iter().any(|ending| path.ends_with(ending))
}

/// Number of examples to check in one call.
const BATCH: usize = 64;
/// Timeout of one call.
const LONGEST: Duration = Duration::from_secs(60);
/// The separator between the examples of one call.
const SEPARATOR: &str = "// -----\n";

/// A program like mlir-opt, which accepts or rejects examples.
#[derive(Debug)]
pub struct Opt {
    program: PathBuf,
    name: String,
    /// The file of known verdicts: a line for each digest of a text.
    cache: Option<PathBuf>,
    known: Mutex<BTreeMap<String, bool>>,
}

impl Opt {
    /// Opens the program at a path: asks for its version, and reads its known verdicts.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn new(program: &Path) -> Result<Opt, String> {
        let wrong = |why: String| format!("--opt {}: {why}", program.display());
        let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| wrong(disk::reason(&error)))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let stem = program
            .file_stem()
            .map_or_else(|| "mlir-opt".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let name = match version(&text) {
            Some(version) => format!(
                "{} {version}",
                stem.split("-opt").next().map_or(stem.clone(), |stem| format!("{stem}-opt"))
            ),
            None => stem.clone(),
        };
        // Another build of the same version may decide otherwise.
        let data = fs::metadata(program).map_err(|error| wrong(disk::reason(&error)))?;
        let stamp = format!("{text}{}{:?}", data.len(), data.modified().ok());
        let cache = cache_folder().map(|folder| folder.join("examples").join(&digest(&[&stamp])[..32]));
        let known = cache.as_deref().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let known = known.lines().filter_map(|line| {
            let (digest, verdict) = line.split_once(' ')?;
            (digest.len() == 64).then(|| (digest.to_owned(), verdict == "accepted"))
        });
        Ok(Opt { program: program.to_owned(), name, known: Mutex::new(known.collect()), cache })
    }

    /// Returns, for each text, whether the program accepts it.
    fn run(&self, texts: &[&str]) -> Vec<bool> {
        let source = texts.join(SEPARATOR);
        let Some((is_fine, errors)) = self.call(&source) else {
            // It crashed, or did not finish: one of the texts is the cause.
            if texts.len() <= 1 {
                return vec![false; texts.len()];
            }
            let (left, right) = texts.split_at(texts.len() / 2);
            return [self.run(left), self.run(right)].concat();
        };
        let mut accepted = vec![true; texts.len()];
        let mut starts = Vec::new();
        let mut line = 1;
        for text in texts {
            starts.push(line);
            line += text.matches('\n').count() + 1;
        }
        let mut has_place = false;
        for line in error_lines(&errors) {
            let at = starts.partition_point(|start| *start <= line);
            if let Some(verdict) = at.checked_sub(1).and_then(|at| accepted.get_mut(at)) {
                *verdict = false;
                has_place = true;
            }
        }
        if !is_fine && !has_place {
            accepted.fill(false);
        }
        accepted
    }

    /// Runs the program: returns whether it succeeded, and its messages; `None` if it crashed or took too long.
    fn call(&self, source: &str) -> Option<(bool, String)> {
        let mut child = Command::new(&self.program)
            .args(["--split-input-file", "-o", null_device(), "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let mut input = child.stdin.take()?;
        let mut errors = child.stderr.take()?;
        let source = source.to_owned();
        // Written and read at the same time: a full pipe blocks the writer.
        let writer = thread::spawn(move || _ = input.write_all(source.as_bytes()));
        let reader = thread::spawn(move || {
            let mut said = Vec::new();
            _ = std::io::Read::read_to_end(&mut errors, &mut said);
            said
        });
        let until = Instant::now() + LONGEST;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => {
                    _ = child.kill();
                    _ = child.wait();
                    break None;
                }
            }
        };
        _ = writer.join();
        let errors = String::from_utf8_lossy(&reader.join().ok()?).into_owned();
        let code = status?.code()?;
        let has_crashed = errors.contains("PLEASE submit a bug report") || errors.contains("LLVM ERROR");
        (!has_crashed).then_some((code == 0, errors))
    }
}

impl Checker for Opt {
    fn name(&self) -> &str {
        &self.name
    }

    fn accepts(&self, cases: &[Vec<String>]) -> Vec<bool> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let digests: Vec<String> =
            cases.iter().map(|texts| digest(&texts.iter().map(String::as_str).collect::<Vec<_>>())).collect();
        let open: Vec<usize> = (0..cases.len()).filter(|at| !known.contains_key(&digests[*at])).collect();
        let mut accepted = vec![false; cases.len()];
        let rounds = open.iter().map(|at| cases[*at].len()).max().unwrap_or_default();
        for round in 0..rounds {
            let left: Vec<usize> =
                open.iter().copied().filter(|at| !accepted[*at] && cases[*at].len() > round).collect();
            for batch in left.chunks(BATCH) {
                let texts: Vec<&str> = batch.iter().map(|at| cases[*at][round].as_str()).collect();
                for (at, verdict) in batch.iter().zip(self.run(&texts)) {
                    accepted[*at] |= verdict;
                }
            }
        }
        let mut lines = String::new();
        for at in open {
            let verdict = if accepted[at] { "accepted" } else { "refused" };
            lines.push_str(&format!("{} {verdict}\n", digests[at]));
            known.insert(digests[at].clone(), accepted[at]);
        }
        if let Some(path) = self.cache.as_deref().filter(|_| !lines.is_empty()) {
            // An error is ignored: a verdict that is not stored is computed again.
            _ = path.parent().map(fs::create_dir_all);
            _ = fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .and_then(|mut file| file.write_all(lines.as_bytes()));
        }
        digests.iter().map(|digest| known.get(digest).copied().unwrap_or_default()).collect()
    }
}

/// Returns the checker of examples for the program at a path.
///
/// # Errors
/// It cannot be started.
pub fn trial(program: Option<&Path>) -> Result<Option<Arc<dyn Checker>>, String> {
    program.map(|program| Opt::new(program).map(|opt| Arc::new(opt) as Arc<dyn Checker>)).transpose()
}

fn null_device() -> &'static str {
    if cfg!(windows) { "NUL" } else { "/dev/null" }
}

fn digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns `22.1` for `LLVM version 22.1.8`.
fn version(text: &str) -> Option<String> {
    let rest = text.split_once("version ")?.1;
    let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let mut parts = number.split('.').filter(|part| !part.is_empty());
    let major = parts.next()?;
    Some(parts.next().map_or_else(|| major.to_owned(), |minor| format!("{major}.{minor}")))
}

/// Returns the line numbers of `<stdin>:12:3: error: …`.
fn error_lines(said: &str) -> impl Iterator<Item = usize> + '_ {
    said.lines().filter_map(|line| {
        let (place, _) = line.split_once(": error: ")?;
        let mut numbers = place.rsplit(':');
        numbers.next()?.parse::<usize>().ok()?;
        numbers.next()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_versions_are_read() {
        let said = "<stdin>:12:3: error: no\n<stdin>:12:3: note: see\n-:7:1: error: 'a:b'\nerror: none";
        assert_eq!(error_lines(said).collect::<Vec<_>>(), [12, 7]);
        assert_eq!(version("LLVM (http://llvm.org/):\n  LLVM version 22.1.8\n").as_deref(), Some("22.1"));
        assert_eq!(version("my-opt"), None);
    }

    #[test]
    fn pictures_are_known_by_their_ends() {
        assert!(is_image("a/B.PNG") && !is_image("a/png") && !is_image("a.td"));
    }
}
