//! Lint findings of a folder.
//!
//! Rules look at all roots together, which takes longer than anything else in the server. Therefore `odsmith lint`'s
//! own code runs on a separate thread, with the texts as they are in the editor; an edit cancels it. Until lint has run
//! again, earlier findings move with the text. A file with an error keeps the findings from before the error.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    ops::Range,
    sync::mpsc,
};

use gen_lsp_types::{self as lsp, DiagnosticSeverity};
use odsmith_engine::{
    bundle::normalise,
    cancel::Cancel,
    diagnostic::Severity,
    limits::Limits,
    parallel,
    report::{Edit, Finding, Fix, Location},
    review::lint::{
        finding::Findings,
        fix::{self, ChangedRoot},
        rule::Group,
        rule_of_id, suppress,
    },
};
use odsmith_ide::{Document, FileRange, Workspace, preview, problems::place_of};

use super::{
    Event,
    capabilities::FIX_ALL,
    project::{LintSubject, SCHEME},
    server::Server,
    to_proto,
};
use crate::pipeline::{generate::FINDINGS, progress::Progress};

/// The folder of the pages about rules among the virtual documents.
pub(super) const RULES: &str = "rules";

/// The reason in a comment that accepts a finding, to be replaced by the user.
const REASON: &str = "say why";

/// The most roots that read a file for its fixes to be verified; more would take too long.
const MOST_ROOTS: usize = 8;

/// Returns the page of a rule by the name of its document.
pub(super) fn page(name: &str) -> Option<String> {
    Some(rule_of_id(name.strip_suffix(".md")?)?.page())
}

/// The result of a lint run.
pub(crate) struct LintAnswer {
    project: usize,
    /// The number of edits when it began.
    edits: u64,
    found: Result<FindingSet, String>,
}

/// The findings of a folder, and the files that could not be checked.
struct FindingSet {
    findings: Vec<Finding>,
    /// Files with an error; roots that read them were skipped.
    broken: BTreeSet<String>,
}

/// A finding, with its places as byte ranges that move with the text.
#[derive(Clone)]
struct LocatedFinding {
    finding: Finding,
    place: FileRange,
    related: Vec<(FileRange, String)>,
    edits: Vec<(FileRange, String)>,
    /// True if its fix leaves generated code the same; `None` until that was checked.
    is_proved: Cell<Option<bool>>,
}

/// The findings of all folders, and the lint runs in progress.
pub(super) struct Linter {
    events: mpsc::Sender<Event>,
    /// The number of edits in each folder.
    edits: BTreeMap<usize, u64>,
    found: BTreeMap<usize, Vec<LocatedFinding>>,
    /// The last lint run of each folder: the number of edits when it began, and its cancel token.
    begun: BTreeMap<usize, (u64, Cancel)>,
}

impl Linter {
    pub(super) fn new(events: mpsc::Sender<Event>) -> Self {
        Linter { events, edits: BTreeMap::new(), found: BTreeMap::new(), begun: BTreeMap::new() }
    }

    /// Drops a folder's findings and run, because the folder was reopened.
    pub(super) fn forget(&mut self, project: usize) {
        *self.edits.entry(project).or_default() += 1;
        if let Some((_, cancel)) = self.begun.remove(&project) {
            cancel.cancel();
        }
    }

    /// Moves the findings of a file with an edit.
    pub(super) fn move_places(&mut self, project: usize, path: &str, old: Option<&[u8]>, new: Option<&[u8]>) {
        if old == new {
            return;
        }
        self.forget(project);
        let Some(found) = self.found.get_mut(&project) else { return };
        let change = Change::new(old.unwrap_or_default(), new.unwrap_or_default());
        let moved = |place: &mut FileRange| place.path != path || change.apply(&mut place.range);
        found.retain_mut(|it| moved(&mut it.place));
        for it in found {
            it.is_proved.set(None);
            it.related.retain_mut(|(place, _)| moved(place));
            let is_whole = it.edits.iter_mut().all(|(place, _)| moved(place));
            if !is_whole {
                it.edits.clear();
            }
        }
    }

    fn edits_of(&self, project: usize) -> u64 {
        self.edits.get(&project).copied().unwrap_or_default()
    }

    /// Returns the files with findings.
    pub(super) fn files(&self) -> impl Iterator<Item = (usize, String)> {
        let all = self.found.iter().flat_map(|(project, found)| found.iter().map(|it| (*project, it)));
        all.filter(|(_, it)| it.finding.is_open()).map(|(project, it)| (project, it.place.path.clone()))
    }

    /// Returns true if lint reports a template argument as unused, so that evaluation need not.
    pub(super) fn says_it(&self, project: usize, place: &FileRange) -> bool {
        let mut found = self.found.get(&project).into_iter().flatten();
        found.any(|it| it.finding.is_open() && it.finding.rule == UNUSED_ARGUMENT && it.place == *place)
    }

    fn of_file(&self, project: usize, path: &str) -> impl Iterator<Item = &LocatedFinding> {
        let found = self.found.get(&project).into_iter().flatten();
        found.filter(move |it| it.place.path == path && it.finding.is_open())
    }
}

/// The rule that reports the same template arguments as evaluation.
const UNUSED_ARGUMENT: &str = "COR013";

/// The bytes that an edit replaced.
struct Change {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Change {
    fn new(old: &[u8], new: &[u8]) -> Change {
        let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let rests = old[start..].iter().rev().zip(new[start..].iter().rev());
        let same = rests.take_while(|(old, new)| old == new).count();
        Change { start, old_end: old.len() - same, new_end: new.len() - same }
    }

    /// Moves a range; returns false if its text is gone.
    fn apply(&self, range: &mut Range<usize>) -> bool {
        if range.end <= self.start {
            return true;
        }
        if range.start >= self.old_end {
            range.start = range.start - self.old_end + self.new_end;
            range.end = range.end - self.old_end + self.new_end;
            return true;
        }
        false
    }
}

/// Runs lint on a folder.
fn look(subject: LintSubject, cancel: &Cancel) -> Result<FindingSet, String> {
    let request = subject.request()?;
    let limits = Limits::generous();
    let finished = request.run(&limits, &Progress::new(&limits, cancel.clone()), NonZero::<usize>::MIN, None);
    let errors = finished.result.diagnostics.iter().filter(|report| report.severity == Severity::Error);
    let broken = errors.filter_map(|report| Some(path_of(&report.location.as_ref()?.file))).collect();
    let findings = match finished.files.get(FINDINGS) {
        Some(bytes) => serde_json::from_slice::<Findings>(bytes).map_err(|error| error.to_string())?.findings,
        None => Vec::new(),
    };
    Ok(FindingSet { findings, broken })
}

impl Server {
    /// Starts lint on a folder, unless it has run since the last edit or is running.
    pub(super) fn lint(&mut self, project: usize) {
        if !self.client.lints {
            return;
        }
        let edits = self.linter.edits_of(project);
        if self.linter.begun.get(&project).is_some_and(|(begun, _)| *begun == edits) {
            return;
        }
        let cancel = Cancel::new();
        if let Some((_, earlier)) = self.linter.begun.insert(project, (edits, cancel.clone())) {
            earlier.cancel();
        }
        let subject = self.projects[project].lint_subject();
        let events = self.linter.events.clone();
        let look = move || {
            let found = look(subject, &cancel);
            if !cancel.is_cancelled() {
                let _ = events.send(Event::Linted(LintAnswer { project, edits, found }));
            }
        };
        parallel::aside("lint", look);
    }

    /// Stores the findings of a run, unless the text has changed since.
    pub(super) fn take_findings(&mut self, answer: LintAnswer) {
        let LintAnswer { project, edits, found } = answer;
        if edits != self.linter.edits_of(project) {
            return;
        }
        let FindingSet { findings, broken } = match found {
            Ok(found) => found,
            Err(message) => {
                return self.warn(format!("lint: {message}"));
            }
        };
        let workspace = &self.projects[project].workspace;
        let failed: BTreeSet<String> = broken.iter().flat_map(|path| workspace.roots_of(path)).collect();
        let is_failed = |path: &str| workspace.roots_of(path).iter().any(|root| failed.contains(root));
        let mut all: Vec<LocatedFinding> =
            findings.into_iter().filter_map(|it| located(workspace, it)).collect();
        let earlier = self.linter.found.remove(&project).unwrap_or_default();
        let mut files: BTreeSet<String> =
            all.iter().chain(&earlier).map(|it| it.place.path.clone()).collect();
        if !failed.is_empty() {
            let kept: BTreeSet<&String> = files.iter().filter(|path| is_failed(path)).collect();
            all.retain(|it| !kept.contains(&it.place.path));
            all.extend(earlier.into_iter().filter(|it| kept.contains(&it.place.path)));
        }
        self.linter.found.insert(project, all);
        files.retain(|file| self.shows(project, file));
        for file in files {
            self.publish(project, &file);
        }
        self.refresh();
    }

    /// Returns true if the client wants diagnostics for a file.
    pub(super) fn shows(&self, project: usize, file: &str) -> bool {
        self.client.shows_all_files || self.is_open(project, file)
    }

    /// Returns the findings of a file as diagnostics.
    pub(super) fn findings_of(&self, project: usize, document: &Document) -> Vec<lsp::Diagnostic> {
        if !self.shows(project, &document.path) {
            return Vec::new();
        }
        let all = self.linter.of_file(project, &document.path);
        all.map(|it| self.finding(project, document, it)).collect()
    }

    fn finding(&self, project: usize, document: &Document, found: &LocatedFinding) -> lsp::Diagnostic {
        let Finding { rule, severity, message, witness, advice, fix, .. } = &found.finding;
        let mut text = message.clone();
        if let Some(witness) = witness {
            text += &format!("\nfor example: {witness}");
        }
        if fix.is_none() && !advice.is_empty() {
            text += &format!("\ninstead: {advice}");
        }
        // A project's own rule has no page.
        let page = rule_of_id(rule).map(|_| format!("{SCHEME}:/{RULES}/{rule}.md").into());
        lsp::Diagnostic {
            range: to_proto::range(document, &found.place.range, self.client.encoding),
            severity: Some(match severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
                Severity::Note | Severity::Remark => DiagnosticSeverity::Information,
            }),
            code: Some((&**rule).into()),
            code_description: page.map(|href| lsp::CodeDescription { href }),
            source: Some("odsmith lint".to_owned()),
            message: text.into(),
            tags: tag(rule).map(|tag| vec![tag]),
            related_information: self
                .related(project, found.related.iter().map(|(place, message)| (place, message))),
            ..lsp::Diagnostic::default()
        }
    }

    /// Returns the fixes of findings in a range of a file, and comments that accept them.
    pub(super) fn lint_actions(
        &mut self,
        project: usize,
        document: &Document,
        at: &Range<usize>,
    ) -> Vec<lsp::CodeAction> {
        let all = self.linter.of_file(project, &document.path);
        let touches = |place: &FileRange| {
            place.path == document.path && place.range.start <= at.end && at.start <= place.range.end
        };
        // A fix may edit a place away from its finding.
        let here = all.filter(|it| touches(&it.place) || it.edits.iter().any(|(place, _)| touches(place)));
        let here: Vec<LocatedFinding> = here.cloned().collect();
        let mut actions = Vec::new();
        for found in &here {
            let rule = &found.finding.rule;
            let diagnostic = self.finding(project, document, found);
            if let Some(fix) = found.finding.fix.as_ref().filter(|_| !found.edits.is_empty()) {
                let is_safe = fix.is_safe && self.keeps_outputs(project, found);
                let note = (!is_safe).then_some("generated code, or a name in it, may change");
                actions.push(lsp::CodeAction {
                    title: format!("{} ({rule})", capitalized(&fix.title)),
                    is_preferred: is_safe.then_some(true),
                    ..quick_fix(self.edit(project, &found.edits, note), &diagnostic)
                });
            }
            // A comment about a comment does not help.
            if rule_of_id(rule).is_some_and(|rule| rule.group() == Group::Lnt) {
                continue;
            }
            let finding = current(document, found);
            let edits = suppress::additions([&**document], &[finding], REASON);
            let edits: Vec<(FileRange, String)> = edits.into_iter().map(|it| edit_of(document, it)).collect();
            if !edits.is_empty() {
                actions.push(lsp::CodeAction {
                    title: format!("Ignore {rule} here, with a reason"),
                    ..quick_fix(self.edit(project, &edits, None), &diagnostic)
                });
            }
        }
        actions
    }

    /// Returns all fixes of a file that leave generated code the same.
    pub(super) fn all_fixes(&mut self, project: usize, document: &Document) -> Option<lsp::CodeAction> {
        let all = self.linter.of_file(project, &document.path);
        let is_own = |it: &&LocatedFinding| {
            let is_safe = it.finding.fix.as_ref().is_some_and(|fix| fix.is_safe) && !it.edits.is_empty();
            is_safe && it.edits.iter().all(|(place, _)| place.path == document.path)
        };
        let all: Vec<LocatedFinding> = all.filter(is_own).cloned().collect();
        let findings: Vec<Finding> = all.iter().map(|it| current(document, it)).collect();
        let roots = self.roots_to_prove(project, [document.path.as_str()])?;
        let before = self.outputs(project, &roots)?;
        let text = |_: &str| Some(document.text.as_bytes());
        // All roots count as one: it only matters whether any of them changes.
        let reads = BTreeSet::from([document.path.clone()]);
        let changed = |files: &BTreeMap<String, Vec<u8>>, _: Option<usize>| {
            let is_same = self.with_texts(project, files, &roots).as_ref() == Some(&before);
            Ok(if is_same { Vec::new() } else { vec![ChangedRoot { root: 0, reads: reads.clone() }] })
        };
        let proved = fix::proved(&findings, (0..findings.len()).collect(), text, changed).ok()?;
        let applied = fix::apply(&findings, |index, _| proved.contains(&index), text).applied;
        let edits: Vec<(FileRange, String)> =
            applied.iter().flat_map(|&index| all[index].edits.clone()).collect();
        (!edits.is_empty()).then(|| lsp::CodeAction {
            title: "Mend what lint can mend safely".to_owned(),
            kind: Some(lsp::CodeActionKind::new(FIX_ALL)),
            edit: Some(self.edit(project, &edits, None)),
            ..lsp::CodeAction::default()
        })
    }

    /// Returns true if the outputs of all roots stay the same after a fix.
    fn keeps_outputs(&mut self, project: usize, found: &LocatedFinding) -> bool {
        if let Some(known) = found.is_proved.get() {
            return known;
        }
        let workspace = &self.projects[project].workspace;
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for path in found.edits.iter().map(|(place, _)| place.path.as_str()).collect::<BTreeSet<_>>() {
            let edits = found.edits.iter().filter(|(place, _)| place.path == path);
            let edits: Vec<Edit> = edits.map(|(place, text)| edit_at(place, text)).collect();
            let text =
                workspace.read(path).and_then(|text| fix::edited(&text, &edits.iter().collect::<Vec<_>>()));
            files.extend(text.map(|text| (path.to_owned(), text)));
        }
        let mut prove = || {
            let roots = self.roots_to_prove(project, files.keys().map(String::as_str))?;
            let before = self.outputs(project, &roots)?;
            Some(self.with_texts(project, &files, &roots)? == before)
        };
        let is_same = prove().unwrap_or(false);
        // A cancelled run proves nothing.
        if !self.projects[project].workspace.is_stopped()
            && let Some(known) =
                self.linter.found.get(&project).into_iter().flatten().find(|it| it.finding == found.finding)
        {
            known.is_proved.set(Some(is_same));
        }
        is_same
    }

    /// Returns the roots that read some of these files; `None` if there are too many.
    fn roots_to_prove<'p>(
        &self,
        project: usize,
        files: impl IntoIterator<Item = &'p str>,
    ) -> Option<Vec<String>> {
        let workspace = &self.projects[project].workspace;
        let roots: BTreeSet<String> = files.into_iter().flat_map(|path| workspace.roots_of(path)).collect();
        (roots.len() <= MOST_ROOTS).then(|| roots.into_iter().collect())
    }

    /// Returns the generated code of roots, without documentation; `None` if one has an error.
    fn outputs(&self, project: usize, roots: &[String]) -> Option<BTreeMap<String, Vec<u8>>> {
        let workspace = &self.projects[project].workspace;
        let mut all = BTreeMap::new();
        for root in roots {
            let made = preview::outputs(workspace, root)?.into_iter();
            all.extend(made.filter(|it| !it.path.ends_with(".md")).map(|it| (it.path, it.bytes)));
        }
        Some(all)
    }

    /// Returns the generated code of roots as if files had other texts.
    fn with_texts(
        &mut self,
        project: usize,
        texts: &BTreeMap<String, Vec<u8>>,
        roots: &[String],
    ) -> Option<BTreeMap<String, Vec<u8>>> {
        let old: Vec<_> =
            texts.keys().map(|path| (path, self.projects[project].workspace.read(path))).collect();
        for (path, text) in texts {
            self.projects[project].workspace.set_text(path, Some(text));
        }
        let made = self.outputs(project, roots);
        for (path, text) in old {
            self.projects[project].workspace.set_text(path, text.as_deref());
        }
        made
    }
}

/// Returns the tag for a rule: editors grey out unnecessary text and strike through deprecated text.
fn tag(rule: &str) -> Option<lsp::DiagnosticTag> {
    match rule {
        "TGN001" | "TGN002" | "TGN003" | "TGN005" | "DRR006" | "LNT001" | UNUSED_ARGUMENT => {
            Some(lsp::DiagnosticTag::Unnecessary)
        }
        "API015" | "PAS002" => Some(lsp::DiagnosticTag::Deprecated),
        _ => None,
    }
}

fn quick_fix(edit: lsp::WorkspaceEdit, diagnostic: &lsp::Diagnostic) -> lsp::CodeAction {
    lsp::CodeAction {
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(edit),
        ..lsp::CodeAction::default()
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// Converts a finding to byte ranges; `None` if its file is gone.
fn located(workspace: &Workspace, finding: Finding) -> Option<LocatedFinding> {
    let place = match &finding.location {
        Some(location) => place_of(workspace, location)?,
        // A finding about a whole dialect is shown in the first root.
        None => FileRange { path: workspace.targets().first()?.td.clone(), range: 0..0 },
    };
    let related = finding.related.iter();
    let related = related
        .filter_map(|it| Some((place_of(workspace, it.location.as_ref()?)?, it.message.clone())))
        .collect();
    let edits = finding.fix.iter().flat_map(|Fix { edits, .. }| edits);
    let edits = edits.map(|Edit { file, start, end, text }| {
        let place = FileRange { path: path_of(file), range: *start as usize..*end as usize };
        (place, text.clone())
    });
    let edits = edits.collect();
    Some(LocatedFinding { finding, place, related, edits, is_proved: Cell::new(None) })
}

fn path_of(file: &str) -> String {
    normalise(file).unwrap_or_else(|| file.to_owned())
}

/// Returns a finding with its places in the current text.
fn current(document: &Document, found: &LocatedFinding) -> Finding {
    let mut finding = found.finding.clone();
    let [start, end] = [found.place.range.start, found.place.range.end].map(|it| document.position(it));
    finding.location = Some(Location::new(&document.path, start, Some(end)));
    if let Some(fix) = &mut finding.fix {
        fix.edits = found.edits.iter().map(|(place, text)| edit_at(place, text)).collect();
    }
    finding
}

fn edit_at(place: &FileRange, text: &str) -> Edit {
    let (start, end) = (place.range.start as u32, place.range.end as u32);
    Edit { file: place.path.clone(), start, end, text: text.to_owned() }
}

fn edit_of(document: &Document, edit: Edit) -> (FileRange, String) {
    (document.place(edit.start as usize..edit.end as usize), edit.text)
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn places_move_with_the_text() {
        let moved = |old: &str, new: &str, range: std::ops::Range<usize>| {
            let mut range = range;
            Change::new(old.as_bytes(), new.as_bytes()).apply(&mut range).then_some(range)
        };
        assert_eq!(moved("abcdef", "abXYcdef", 0..2), Some(0..2));
        assert_eq!(moved("abcdef", "abXYcdef", 2..4), Some(4..6));
        assert_eq!(moved("abcdef", "abXYcdef", 1..3), None);
        assert_eq!(moved("abcdef", "af", 5..6), Some(1..2));
        assert_eq!(moved("abcdef", "af", 0..6), None);
        assert_eq!(moved("aaa", "aa", 0..2), Some(0..2));
    }
}
