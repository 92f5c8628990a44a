//! Trees of git: a revision, and the files of the index that a sparse checkout leaves out. Only the blobs that are read
//! must be there; nothing is fetched.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::bundle::normalise;

use super::{
    listing::join,
    path_below,
    tree::{DiskTree, EntryKind, FolderIndex, Tree, TreeEntry},
};
use crate::store::disk;

/// A tree of blobs in a repository.
pub struct RevisionTree {
    /// The top folder of the working copy.
    top: PathBuf,
    folders: FolderIndex,
    /// The names of blobs, by path.
    blobs: BTreeMap<String, String>,
    batch: Mutex<Batch>,
}

/// A process that reads blobs.
struct Batch {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        // It ends when its input does.
        self.to = None;
        let _ = self.child.wait();
    }
}

impl Batch {
    fn start(top: &Path) -> Result<Batch, String> {
        let mut child = git(top)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| not_run(&error))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("git cat-file cannot be read".to_owned());
        };
        Ok(Batch { child, to: Some(to), from: BufReader::new(from) })
    }

    /// Reads a blob; `None` if the repository does not have it.
    fn read(&mut self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        if let Some(to) = &mut self.to {
            writeln!(to, "{name}")?;
            to.flush()?;
        }
        let mut head = String::new();
        self.from.read_line(&mut head)?;
        // `NAME blob SIZE`, or `NAME missing`.
        let Some(size) = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok()) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        self.from.by_ref().take(size).read_to_end(&mut bytes)?;
        self.from.read_exact(&mut [0])?;
        Ok(Some(bytes))
    }
}

fn not_run(error: &std::io::Error) -> String {
    format!("git cannot be run: {}", disk::reason(error))
}

/// Returns a call of git that fetches nothing.
pub(super) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0");
    command
}

/// Runs git and returns its output.
pub(super) fn output_of(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let output = git(folder).args(words).stderr(Stdio::piped()).output().map_err(|error| not_run(&error))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// Returns the top folder of the working copy that a folder is in.
pub(super) fn top_of(folder: &Path) -> Result<PathBuf, String> {
    let output = output_of(folder, &["rev-parse", "--show-toplevel"])
        .map_err(|_| format!("'{}' is not in a repository of git", folder.display()))?;
    let text = String::from_utf8_lossy(&output).trim_end_matches(['\n', '\r']).to_owned();
    std::fs::canonicalize(&text).map_err(|error| format!("{text}: {}", disk::reason(&error)))
}

/// Returns the commit of the repository that a folder is in, its time in UTC, and whether files of the folder differ from
/// it; nothing without a repository.
#[must_use]
pub fn commit_of(folder: &Path) -> Option<(String, String, bool)> {
    let text = |words: &[&str]| {
        let output = output_of(folder, words).ok()?;
        Some(String::from_utf8_lossy(&output).trim().to_owned())
    };
    let commit = text(&["rev-parse", "--verify", "HEAD"])?;
    let format =
        ["log", "-1", "--no-show-signature", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"];
    let mut command = git(folder);
    let output = command.args(format).env("TZ", "UTC").stderr(Stdio::null()).output().ok()?;
    let time = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let changed = text(&["status", "--porcelain", "--untracked-files=no", "--", "."]);
    Some((commit, time, changed.is_some_and(|it| !it.is_empty())))
}

impl RevisionTree {
    /// Opens a revision of the repository with this top folder.
    ///
    /// # Errors
    /// There is no such revision, or git cannot be run.
    pub fn open(top: &Path, revision: &str) -> Result<RevisionTree, String> {
        let missing = |_| format!("git has no revision '{revision}'");
        if revision.is_empty() || revision.starts_with('-') {
            return Err(missing(String::new()));
        }
        let named = format!("{revision}^{{tree}}");
        output_of(top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &named]).map_err(missing)?;
        let listed = output_of(top, &["ls-tree", "-r", "-z", "--full-tree", &named])?;
        let entries = records(&listed).filter_map(|(head, path)| {
            let mut words = head.split(' ');
            let (mode, _, name) = (words.next()?, words.next()?, words.next()?);
            Some((mode.to_owned(), name.to_owned(), path))
        });
        Self::new(top, entries)
    }

    /// Opens the files that a sparse checkout leaves out; `None` if there are none.
    pub(super) fn left_out(root: &Path) -> Option<RevisionTree> {
        let top = root.ancestors().find(|folder| folder.join(".git").exists())?;
        let own = top.join(".git");
        let folder = match std::fs::read_to_string(&own) {
            Ok(text) => top.join(text.trim().strip_prefix("gitdir: ")?),
            Err(_) => own,
        };
        if !folder.join("info/sparse-checkout").is_file() {
            return None;
        }
        let below = path_below(top, root)?;
        let listed = output_of(top, &["ls-files", "-t", "-s", "-z"]).ok()?;
        let entries = records(&listed).filter_map(|(head, path)| {
            let mut words = head.strip_prefix("S ")?.split(' ');
            let (mode, name) = (words.next()?, words.next()?);
            let path = match &*below {
                "" => path,
                below => path.strip_prefix(below)?.strip_prefix('/')?.to_owned(),
            };
            Some((mode.to_owned(), name.to_owned(), path))
        });
        let tree = Self::new(root, entries).ok()?;
        (!tree.blobs.is_empty()).then_some(tree)
    }

    fn new(
        top: &Path,
        entries: impl Iterator<Item = (String, String, String)>,
    ) -> Result<RevisionTree, String> {
        let batch = Mutex::new(Batch::start(top)?);
        let (folders, blobs) = (FolderIndex::default(), BTreeMap::new());
        let mut tree = RevisionTree { top: top.to_owned(), folders, blobs, batch };
        let mut links = Vec::new();
        for (mode, name, path) in entries {
            match &*mode {
                // A submodule, whose files are not here.
                "160000" => tree.folders.add(&join(&path, ".git"), EntryKind::File),
                "120000" => links.push((path, name)),
                _ => {
                    tree.folders.add(&path, EntryKind::File);
                    tree.blobs.insert(path, name);
                }
            }
        }
        for (path, name) in links {
            let Ok(text) = tree.blob(&path, &name) else { continue };
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = normalise(&join(folder, &String::from_utf8_lossy(&text)));
            // A link to a place outside of the repository leads to nothing here.
            let Some(target) = target.filter(|_| !text.starts_with(b"/")) else { continue };
            let real = disk::place(&tree.top, &target);
            if let Some(blob) = tree.blobs.get(&target).cloned() {
                tree.folders.add(&path, EntryKind::FileLink(real));
                tree.blobs.insert(path, blob);
            } else if tree.folders.has(&target) {
                tree.folders.add(&path, EntryKind::FolderLink(real));
            }
        }
        tree.folders.sort();
        Ok(tree)
    }

    /// Returns true if there is such a folder.
    #[must_use]
    pub fn has_folder(&self, path: &str) -> bool {
        self.folders.has(path)
    }

    fn blob(&self, path: &str, name: &str) -> Result<Vec<u8>, String> {
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        match batch.read(name) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(format!("{path}: git does not have it here")),
            Err(error) => Err(format!("{path}: {}", disk::reason(&error))),
        }
    }
}

/// Returns the records of a listing: what precedes the tab, and the path.
fn records(listed: &[u8]) -> impl Iterator<Item = (&str, String)> {
    listed.split(|&byte| byte == 0).filter_map(|record| {
        let (head, path) = str::from_utf8(record).ok()?.split_once('\t')?;
        Some((head, path.to_owned()))
    })
}

impl Tree for RevisionTree {
    fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String> {
        self.folders.entries(folder)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, String> {
        let name = self.blobs.get(path).ok_or_else(|| format!("'{path}' is not there"))?;
        self.blob(path, name).map(Into::into)
    }

    fn has_file(&self, path: &str) -> bool {
        self.blobs.contains_key(path)
    }

    fn real_root(&self) -> &Path {
        &self.top
    }

    /// Returns false: only definitions are read.
    fn has_pages(&self) -> bool {
        false
    }
}

/// A sparse checkout: its files, and those that it leaves out.
pub(super) struct SparseTree {
    pub disk: DiskTree,
    pub left_out: RevisionTree,
}

impl Tree for SparseTree {
    fn entries(&self, folder: &str) -> Result<Vec<TreeEntry>, String> {
        let here = self.disk.entries(folder);
        let Ok(others) = self.left_out.entries(folder) else { return here };
        let mut all = here.unwrap_or_default();
        for entry in others {
            if all.iter().all(|known| known.name != entry.name) {
                all.push(entry);
            }
        }
        all.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, String> {
        match self.left_out.has_file(path) && !self.disk.has_file(path) {
            true => self.left_out.read(path),
            false => self.disk.read(path),
        }
    }

    fn has_file(&self, path: &str) -> bool {
        self.disk.has_file(path) || self.left_out.has_file(path)
    }

    fn real_root(&self) -> &Path {
        self.disk.real_root()
    }

    fn is_output_of_first_version(&self, folder: &str) -> bool {
        self.disk.is_output_of_first_version(folder)
    }
}
