//! Breaking edits: a root's definitions compared with those of the last commit.

use std::{collections::HashMap, path::Path, process::Command, sync::Arc};

use odsmith_engine::{
    interchange::{Document, Extent},
    limits::Limits,
    review::diff::{self, Options, Profile},
};
use odsmith_ide::{FileRange, Workspace};

use super::project::Project;
use crate::pipeline::editor;

/// The most bytes of a root's model.
const MOST_BYTES: u64 = 64 << 20;

/// The models of the last commits.
#[derive(Default)]
pub(super) struct History {
    /// The model of a root, by project, path and commit; `None` if it has none.
    known: HashMap<(String, String, String), Option<Arc<Document>>>,
}

impl History {
    /// Clears the models.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Returns the changes in a root, compared with the last commit, that break bytecode or meaning: places of
    /// definitions with messages. Empty if there is no repository, or either side has an error.
    pub(super) fn breaks(&mut self, project: &Project, root: &str) -> Vec<(FileRange, String)> {
        let workspace = &project.workspace;
        let Some(analysis) = workspace.analysis(root).filter(|analysis| analysis.is_ok) else {
            return Vec::new();
        };
        let Some(commit) = commit(&project.root) else { return Vec::new() };
        let changed = changed(project, &commit, &analysis.reads);
        if changed.is_empty() {
            return Vec::new();
        }
        let key = (project.root.to_string_lossy().into_owned(), root.to_owned(), commit);
        let old = self.known.entry(key).or_insert_with(|| {
            let mut bundle = workspace.bundle().clone();
            for (path, text) in &changed {
                bundle.insert(path.clone(), text.clone());
            }
            let mut before = Workspace::new(workspace.library().clone(), bundle, Limits::generous());
            before.set_targets(workspace.targets().to_vec(), workspace.includes().to_vec(), Vec::new());
            compared_model(&before, root)
        });
        let (Some(old), Some(new)) = (old.clone(), compared_model(workspace, root)) else {
            return Vec::new();
        };
        let options = Options { profile: Profile::Wire, ..Options::default() };
        let comparison = diff::compare(&old, &new, &options);
        let mut found = Vec::new();
        for finding in
            comparison.findings.iter().filter(|finding| finding.severity != diff::rules::Severity::Note)
        {
            let place = place_of(&analysis, &new, &old, &finding.subject);
            let message =
                format!("compared with the last commit: {} ({})", finding.message, finding.rule.id());
            found.push((place.unwrap_or(FileRange { path: root.to_owned(), range: 0..0 }), message));
        }
        found
    }
}

fn compared_model(workspace: &Workspace, root: &str) -> Option<Arc<Document>> {
    editor::model(workspace, root, Extent::Compared, MOST_BYTES).ok()?
}

/// Returns the place of the definition that a finding is about.
fn place_of(
    analysis: &odsmith_ide::analysis::Analysis,
    new: &Document,
    old: &Document,
    subject: &str,
) -> Option<FileRange> {
    let id = subject.split('#').next().unwrap_or(subject);
    let record = record_of(new, id).or_else(|| record_of(old, id))?;
    analysis.place(analysis.records.def(&record)?.span())
}

/// Returns the record of a symbol.
fn record_of(document: &Document, id: &str) -> Option<String> {
    let operations = document.operations.iter().map(|it| (it.id(), &it.definition));
    let attributes = document.attributes.iter().map(|it| (it.attribute_id(), &it.definition));
    let types = document.types.iter().map(|it| (it.type_id(), &it.definition));
    let enums = document.enums.iter().map(|it| (it.id(), &it.definition));
    let dialects = document.dialects.iter().map(|it| (it.id(), &it.definition));
    let mut all = operations.chain(attributes).chain(types).chain(enums).chain(dialects);
    all.find(|(known, _)| known == id).and_then(|(_, definition)| definition.record.clone())
}

fn git(folder: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let made = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    made.status.success().then_some(made.stdout)
}

fn commit(folder: &Path) -> Option<String> {
    let made = git(folder, &["rev-parse", "HEAD"])?;
    Some(String::from_utf8_lossy(&made).trim().to_owned())
}

/// Returns the files among these that differ from the commit, with their committed bytes.
fn changed(project: &Project, commit: &str, reads: &[String]) -> Vec<(String, Vec<u8>)> {
    // Files that differ on the disk, and files with unsaved edits.
    let names =
        git(&project.root, &["diff", "--name-only", "--relative", commit, "--", "."]).unwrap_or_default();
    let names = String::from_utf8_lossy(&names).into_owned();
    let on_disk: Vec<&str> = names.lines().collect();
    let mut found = Vec::new();
    for path in reads.iter().filter(|path| !path.starts_with('<')) {
        let is_unsaved = || {
            let file = project.file_of(path).and_then(|file| std::fs::read(file).ok());
            file.as_deref() != project.workspace.read(path).as_deref()
        };
        if !on_disk.contains(&path.as_str()) && !is_unsaved() {
            continue;
        }
        if let Some(text) = git(&project.root, &["show", &format!("{commit}:./{path}")]) {
            found.push((path.clone(), text));
        }
    }
    found
}
