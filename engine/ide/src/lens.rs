//! Code lenses above a definition: how many interfaces it implements, and how many patterns use it.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use odsmith_engine::record::{Rec, RecordId};

use crate::{document::FileRange, ir, symbols, workspace::Workspace};

/// The counts shown above an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The keyword of its statement.
    pub range: Range<usize>,
    /// The number of interfaces that it implements.
    pub interfaces: usize,
    /// The number of patterns that mention it, in the roots that read the file.
    pub patterns: usize,
}

/// The most roots of a file that are searched.
const MOST_ROOTS: usize = 8;

/// Returns the lenses of a file's operations.
#[must_use]
pub fn lenses(workspace: &Workspace, path: &str) -> Vec<Lens> {
    if ir::is_ir(path) {
        return Vec::new();
    }
    let (Some(document), Some(analysis)) = (workspace.document(path), workspace.analysis_of(path)) else {
        return Vec::new();
    };
    let users = patterns(workspace, path);
    let mut found = Vec::new();
    for statement in document.all_statements() {
        let keyword = document.tokens[statement.tokens.start];
        let [rec] = analysis.records_at(path, keyword.start)[..] else { continue };
        if rec.is_class() || symbols::kind(rec) != symbols::Kinds::Operation {
            continue;
        }
        let traits = rec.get("traits").and_then(|value| value.as_list()).into_iter().flatten();
        let is_interface = |it: &Rec<'_>| it.is_subclass_of("InterfaceTrait");
        let place = analysis.place(rec.span());
        found.push(Lens {
            range: keyword.start..keyword.start,
            interfaces: traits.filter_map(|it| it.as_def()).filter(is_interface).count(),
            patterns: place.and_then(|place| users.get(&place)).map_or(0, BTreeSet::len),
        });
    }
    found
}

/// Returns the pattern statements that mention a def of a file, by the place of the def's name.
fn patterns(workspace: &Workspace, path: &str) -> HashMap<FileRange, BTreeSet<(String, usize)>> {
    let mut users: HashMap<FileRange, BTreeSet<(String, usize)>> = HashMap::new();
    for root in workspace.roots_of(path).into_iter().take(MOST_ROOTS) {
        let Some(analysis) = workspace.analysis(&root) else { continue };
        let records = &analysis.records;
        let is_pattern = |id: RecordId| records.rec(id).is_subclass_of("Pattern");
        let files: BTreeSet<String> = records
            .defs_as_made()
            .filter(|rec| is_pattern(rec.id()))
            .filter_map(|rec| Some(analysis.place(rec.record().statement)?.path))
            .collect();
        for file in &files {
            let Some(document) = workspace.document(file) else { continue };
            for (at, mention) in analysis.mentions_in(file) {
                let Some(definition) = analysis.place(mention.definition).filter(|it| it.path == path) else {
                    continue;
                };
                let Some(statement) = document.path_to(at).last().copied() else { continue };
                let keyword = statement.start;
                if analysis.records_at(file, keyword).iter().any(|rec| is_pattern(rec.id())) {
                    users.entry(definition).or_default().insert((file.clone(), keyword));
                }
            }
        }
    }
    users
}
