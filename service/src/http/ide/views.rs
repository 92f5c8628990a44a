//! The views of the files: outputs, pages, examples, records, JSON.

use odsmith_engine::{
    artefact::Artefact,
    interchange::{self, Document, Maker, Root},
};
use odsmith_ide::preview::{self, Preview, View};
use odsmith_site::{Input, TargetRecords};
use serde::Serialize;

use super::{EditorView, Hidden, MadeOutput, Opened, PreviewQuestion, Shown, ShownPage, Viewed};
use crate::pipeline::error::{ApiError, Kind};

/// Returns the requested view.
pub(super) fn view(opened: &Opened, root: &str, question: &PreviewQuestion) -> Result<Viewed, ApiError> {
    let offset = question.offset.map(|offset| opened.offset(&question.path, offset));
    let at = offset.map(|offset| (question.path.as_str(), offset));
    Ok(match question.view {
        EditorView::Problems | EditorView::Changes => None,
        EditorView::Cpp => cpp(opened, root, at, question.output.as_deref()),
        EditorView::Python => match at {
            Some(at) => definition(opened, at, View::Python),
            None => output(opened, root, question.output.as_deref(), "python", |path| path.ends_with(".py")),
        },
        EditorView::Example => text(opened, root, at, View::Example),
        EditorView::Records => text(opened, root, at, View::Record),
        EditorView::Json => json(opened, root, at)?.map(Ok),
        EditorView::Page => page(opened, root, at, question.page.as_deref())?.map(Ok),
    })
}

/// The two C++ outputs of a single definition: declarations and definitions.
const OF_DEFINITION: [(&str, View); 2] =
    [("Declarations", View::Declarations), ("Definitions", View::Definitions)];

fn cpp(opened: &Opened, root: &str, at: Option<(&str, usize)>, wanted: Option<&str>) -> Viewed {
    let Some(at) = at else {
        return output(opened, root, wanted, "cpp", |path| path.ends_with(".inc"));
    };
    let chosen = OF_DEFINITION.iter().find(|(name, _)| Some(*name) == wanted).unwrap_or(&OF_DEFINITION[0]);
    let outputs = OF_DEFINITION.iter().map(|(name, _)| MadeOutput { path: (*name).to_owned(), lines: 0 });
    let shown = definition(opened, at, chosen.1)?;
    let output = Some(chosen.0.to_owned());
    Some(shown.map(|shown| Shown { outputs: outputs.collect(), output, ..shown }))
}

/// Returns a view of the definition at an offset.
fn definition(opened: &Opened, (path, offset): (&str, usize), view: View) -> Viewed {
    let preview = preview::preview(&opened.workspace, path, offset, view)?;
    if preview.has_failed {
        return Some(Err(Hidden));
    }
    let Preview { record, text, line, .. } = preview;
    Some(Ok(Shown { record: Some(record), text, language: view.language(), line, ..Shown::default() }))
}

/// Returns a view that no generator produces.
fn text(opened: &Opened, root: &str, at: Option<(&str, usize)>, view: View) -> Viewed {
    match at {
        Some(at) => definition(opened, at, view),
        None => {
            let text = preview::of_root(&opened.workspace, root, view)?;
            Some(Ok(Shown { text, language: view.language(), ..Shown::default() }))
        }
    }
}

/// Returns one of the outputs of a root: the requested one, or else the first.
fn output(
    opened: &Opened,
    root: &str,
    wanted: Option<&str>,
    language: &'static str,
    is_of_kind: fn(&str) -> bool,
) -> Viewed {
    let mut all = preview::made(&opened.workspace, root)?;
    all.retain(|output| is_of_kind(&output.path));
    let has_failed = all.iter().any(|output| output.artefact.is_none());
    let mut made: Vec<Artefact> = all.into_iter().filter_map(|output| output.artefact).collect();
    let outputs =
        made.iter().map(|made| MadeOutput { path: made.path.clone(), lines: made.lines() }).collect();
    let place = made.iter().position(|made| Some(made.path.as_str()) == wanted);
    if has_failed && (place.is_none() && wanted.is_some() || made.is_empty()) {
        return Some(Err(Hidden));
    }
    let place = place.unwrap_or(0);
    let chosen: Option<Artefact> = (place < made.len()).then(|| made.swap_remove(place));
    let (output, text) = match chosen {
        Some(made) => (Some(made.path), String::from_utf8_lossy(&made.bytes).into_owned()),
        None => (None, String::new()),
    };
    Some(Ok(Shown { text, language, outputs, output, ..Shown::default() }))
}

/// Returns the model of a root, unless it has an error.
pub(super) fn document(opened: &Opened, root: &str) -> Result<Option<Document>, ApiError> {
    let Some(analysis) = opened.workspace.analysis(root).filter(|analysis| analysis.is_ok) else {
        return Ok(None);
    };
    if interchange::check(&analysis.records).is_err() {
        return Ok(None);
    }
    let library = opened.workspace.library();
    let roots = [Root { td: root, records: &analysis.records }];
    let maker = Maker {
        most_bytes: opened.limits.output_bytes,
        stop: opened.cancel.clone(),
        ..Maker::new(library.rules(), library.root())
    };
    let made = maker.document(&roots);
    opened.check_waiting()?;
    made.map(Some).map_err(|error| ApiError::new(Kind::LIMIT_EXCEEDED, error.message.clone()))
}

fn json(opened: &Opened, root: &str, at: Option<(&str, usize)>) -> Result<Option<Shown>, ApiError> {
    let record = match at {
        Some((path, offset)) => match preview::preview(&opened.workspace, path, offset, View::Record) {
            Some(preview) => Some(preview.record),
            None => return Ok(None),
        },
        None => None,
    };
    let Some(document) = document(opened, root)? else { return Ok(None) };
    let text = match &record {
        Some(name) => definitions(&document, name),
        None => String::from_utf8_lossy(&document.to_json()).into_owned(),
    };
    Ok(Some(Shown { record, text, language: "json", ..Shown::default() }))
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
    opened: &Opened,
    root: &str,
    at: Option<(&str, usize)>,
    wanted: Option<&str>,
) -> Result<Option<Shown>, ApiError> {
    let Some(analysis) = opened.workspace.analysis(root).filter(|analysis| analysis.is_ok) else {
        return Ok(None);
    };
    if interchange::check(&analysis.records).is_err() {
        return Ok(None);
    }
    let named = at.and_then(|(path, offset)| preview::preview(&opened.workspace, path, offset, View::Record));
    let targets = [TargetRecords { td: root.to_owned(), records: analysis.records.clone() }];
    let input = Input {
        title: "Reference".to_owned(),
        targets: &targets,
        threads: 1,
        budget: opened.budget(),
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
    Ok(made.map(|(path, text)| Shown {
        record: named.map(|preview| preview.record),
        text,
        language: "html",
        page: Some(ShownPage { path }),
        ..Shown::default()
    }))
}
