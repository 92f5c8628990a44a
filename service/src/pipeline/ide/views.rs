//! The views of the files: outputs, pages, examples, records, JSON; and the changes between two states of them.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    artefact::Artefact,
    interchange::{self, Document, Extent},
    job::OutputOutcome,
    limits::Budget,
    review::diff::{self, render},
};
use odsmith_ide::preview::{self, Preview, View};
use odsmith_site::{Input, TargetRecords};
use serde::Serialize;

use super::{
    RequestWorkspace,
    types::{ChangedText, EditorView, OutputSummary, PagePath, PreviewQuestion, ViewText},
};
use crate::pipeline::{
    editor,
    error::{ApiError, Kind},
};

/// An error hides the requested view.
pub(super) struct ViewError;

/// The view; `None` if there is no such view, or the root could not be evaluated.
pub(super) type ViewResult = Option<Result<ViewText, ViewError>>;

/// Returns the requested view.
pub(super) fn view(
    request: &RequestWorkspace,
    root: &str,
    question: &PreviewQuestion,
) -> Result<ViewResult, ApiError> {
    let offset = question.offset.map(|offset| request.boundary(&question.path, offset));
    let at = offset.map(|offset| (question.path.as_str(), offset));
    Ok(match question.view {
        EditorView::Problems | EditorView::Changes => None,
        EditorView::Cpp => cpp(request, root, at, question.output.as_deref()),
        EditorView::Python => match at {
            Some(at) => definition(request, at, View::Python),
            None => output(request, root, question.output.as_deref(), "python", |path| path.ends_with(".py")),
        },
        EditorView::Example => text(request, root, at, View::Example),
        EditorView::Program => text(request, root, at, View::Program),
        EditorView::Records => text(request, root, at, View::Record),
        EditorView::Json => json(request, root, at)?.map(Ok),
        EditorView::Page => page(request, root, at, question.page.as_deref())?.map(Ok),
    })
}

/// The two C++ outputs of a single definition: declarations and definitions.
const OF_DEFINITION: [(&str, View); 2] =
    [("Declarations", View::Declarations), ("Definitions", View::Definitions)];

fn cpp(
    request: &RequestWorkspace,
    root: &str,
    at: Option<(&str, usize)>,
    wanted: Option<&str>,
) -> ViewResult {
    let Some(at) = at else {
        return output(request, root, wanted, "cpp", |path| path.ends_with(".inc"));
    };
    let chosen = OF_DEFINITION.iter().find(|(name, _)| Some(*name) == wanted).unwrap_or(&OF_DEFINITION[0]);
    let outputs = OF_DEFINITION.iter().map(|(name, _)| OutputSummary { path: (*name).to_owned(), lines: 0 });
    let shown = definition(request, at, chosen.1)?;
    let output = Some(chosen.0.to_owned());
    Some(shown.map(|shown| ViewText { outputs: outputs.collect(), output, ..shown }))
}

/// Returns a view of the definition at an offset.
fn definition(request: &RequestWorkspace, (path, offset): (&str, usize), view: View) -> ViewResult {
    let preview = preview::preview(&request.workspace, path, offset, view)?;
    if preview.has_failed {
        return Some(Err(ViewError));
    }
    let Preview { record, text, line, .. } = preview;
    Some(Ok(ViewText { record: Some(record), text, language: view.language(), line, ..ViewText::default() }))
}

/// Returns a view that no generator produces.
fn text(request: &RequestWorkspace, root: &str, at: Option<(&str, usize)>, view: View) -> ViewResult {
    match at {
        Some(at) => definition(request, at, view),
        None => {
            let text = preview::of_root(&request.workspace, root, view)?;
            Some(Ok(ViewText { text, language: view.language(), ..ViewText::default() }))
        }
    }
}

/// Returns one of the outputs of a root: the requested one, or else the first.
fn output(
    request: &RequestWorkspace,
    root: &str,
    wanted: Option<&str>,
    language: &'static str,
    is_of_kind: fn(&str) -> bool,
) -> ViewResult {
    let mut all = preview::made(&request.workspace, root)?;
    all.retain(|output| is_of_kind(&output.path));
    let has_failed = all.iter().any(|output| output.artefact.is_none());
    let mut made: Vec<Artefact> = all.into_iter().filter_map(|output| output.artefact).collect();
    let outputs =
        made.iter().map(|made| OutputSummary { path: made.path.clone(), lines: made.lines() }).collect();
    let place = made.iter().position(|made| Some(made.path.as_str()) == wanted);
    if has_failed && (place.is_none() && wanted.is_some() || made.is_empty()) {
        return Some(Err(ViewError));
    }
    let place = place.unwrap_or(0);
    let chosen: Option<Artefact> = (place < made.len()).then(|| made.swap_remove(place));
    let (output, text) = match chosen {
        Some(made) => (Some(made.path), String::from_utf8_lossy(&made.bytes).into_owned()),
        None => (None, String::new()),
    };
    Some(Ok(ViewText { text, language, outputs, output, ..ViewText::default() }))
}

/// Returns the model of a root, unless it has an error.
fn model(request: &RequestWorkspace, root: &str) -> Result<Option<Arc<Document>>, ApiError> {
    let made =
        editor::model(&request.workspace, root, Extent::Whole, request.workspace.limits().output_bytes);
    request.check_waiting()?;
    made.map_err(|error| ApiError::new(Kind::LIMIT_EXCEEDED, error.message))
}

fn json(
    request: &RequestWorkspace,
    root: &str,
    at: Option<(&str, usize)>,
) -> Result<Option<ViewText>, ApiError> {
    let record = match at {
        Some((path, offset)) => match preview::preview(&request.workspace, path, offset, View::Record) {
            Some(preview) => Some(preview.record),
            None => return Ok(None),
        },
        None => None,
    };
    let Some(document) = model(request, root)? else { return Ok(None) };
    let text = match &record {
        Some(name) => definitions(&document, name),
        None => String::from_utf8_lossy(&document.to_json()).into_owned(),
    };
    Ok(Some(ViewText { record, text, language: "json", ..ViewText::default() }))
}

/// Returns the items of a document that belong to a record: a definition may be in more than one list.
fn definitions(document: &Document, record: &str) -> String {
    let mut found = String::new();
    let name = Some(record);
    add(&mut found, &document.dialects, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.operations, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.attributes, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.types, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.enums, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.interfaces, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.constraints, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.traits, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.passes, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.patterns, |it| it.definition.record.as_deref() == name);
    add(&mut found, &document.refused, |it| it.definition.record.as_deref() == name);
    if found.is_empty() { format!("\"the model has nothing of '{record}'\"\n") } else { found }
}

/// Appends the items of a list that belong to a record.
fn add<T: Serialize>(found: &mut String, list: &[T], is_it: impl Fn(&T) -> bool) {
    for item in list.iter().filter(|item| is_it(item)) {
        // Serializing cannot fail.
        found.push_str(&serde_json::to_string_pretty(item).unwrap_or_default());
        found.push('\n');
    }
}

fn page(
    request: &RequestWorkspace,
    root: &str,
    at: Option<(&str, usize)>,
    wanted: Option<&str>,
) -> Result<Option<ViewText>, ApiError> {
    let Some(analysis) = request.workspace.analysis(root).filter(|analysis| analysis.is_ok) else {
        return Ok(None);
    };
    if interchange::check(&analysis.records).is_err() {
        return Ok(None);
    }
    let named =
        at.and_then(|(path, offset)| preview::preview(&request.workspace, path, offset, View::Record));
    let targets = [TargetRecords { td: root.to_owned(), records: analysis.records.clone() }];
    let input = Input {
        title: "Reference".to_owned(),
        targets: &targets,
        threads: 1,
        budget: Budget::new(request.workspace.limits(), request.workspace.cancel().clone()),
        ..Input::default()
    };
    let mut names: Vec<&str> = wanted.into_iter().collect();
    if let Some(preview) = &named {
        names.extend(preview.names.iter().map(String::as_str));
        names.push(&preview.record);
    }
    names.push("index.html");
    let made = odsmith_site::page(&input, &names);
    let made = made.map_err(|fault| ApiError::new(Kind::INTERNAL, fault.what))?;
    if let Some(stop) = input.budget.verdict() {
        return Err(ApiError::new(Kind::LIMIT_EXCEEDED, stop.message.clone()));
    }
    Ok(made.map(|(path, text)| ViewText {
        record: named.map(|preview| preview.record),
        text,
        language: "html",
        page: Some(PagePath { path }),
        ..ViewText::default()
    }))
}

/// Compares two states of a root; `None` if the current files have an error.
pub(super) fn changes(
    before: &RequestWorkspace,
    after: &RequestWorkspace,
    root: &str,
) -> Result<ViewResult, ApiError> {
    // A root that was renamed counts as new.
    let old = if before.workspace.read(root).is_some() { model(before, root)? } else { None };
    let Some(new) = model(after, root)? else { return Ok(None) };
    let options = diff::Options { stop: after.workspace.cancel().clone(), ..diff::Options::default() };
    let comparison = old.map(|old| diff::compare(&old, &new, &options));
    after.check_waiting()?;
    let comparison = comparison.map(|comparison| render::json(&comparison));
    Ok(Some(Ok(ViewText { comparison, texts: texts(before, after, root)?, ..ViewText::default() })))
}

/// Returns the outputs that differ. An output that cannot be generated now is left out.
fn texts(
    before: &RequestWorkspace,
    after: &RequestWorkspace,
    root: &str,
) -> Result<Vec<ChangedText>, ApiError> {
    let all = |request: &RequestWorkspace| preview::made(&request.workspace, root).unwrap_or_default();
    let text = |made: Option<Artefact>| Some(String::from_utf8_lossy(&made?.bytes).into_owned());
    let mut old: BTreeMap<String, Option<String>> = BTreeMap::new();
    for OutputOutcome { path, artefact, .. } in all(before) {
        after.check_waiting()?;
        old.insert(path, text(artefact));
    }
    let mut found = Vec::new();
    let mut left = after.workspace.limits().output_bytes;
    let mut add = |path, before: Option<String>, after: Option<String>| {
        let bytes = [&before, &after].into_iter().flatten().map(|text| text.len() as u64).sum();
        let rest = left.checked_sub(bytes);
        left = rest.ok_or_else(|| {
            ApiError::new(Kind::LIMIT_EXCEEDED, "the changed outputs are longer than a job may write")
        })?;
        found.push(ChangedText { path, before, after });
        Ok::<_, ApiError>(())
    };
    for OutputOutcome { path, artefact, .. } in all(after) {
        after.check_waiting()?;
        let (before, after) = (old.remove(&path).flatten(), text(artefact));
        if after.is_some() && before != after {
            add(path, before, after)?;
        }
    }
    for (path, before) in old.into_iter().filter(|(_, before)| before.is_some()) {
        add(path, before, None)?;
    }
    Ok(found)
}
