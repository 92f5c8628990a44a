//! What changed between two states of the files: what that breaks, and how what is generated differs.

use std::collections::BTreeMap;

use odsmith_engine::review::diff::{self, render};
use odsmith_ide::preview;

use super::{ChangedText, Opened, Shown, views};
use crate::error::ApiError;

/// What changed of a root; nothing where one of both states has an error.
pub(super) fn shown(before: &Opened, after: &Opened, root: &str) -> Result<Option<Shown>, ApiError> {
    // A root that had another name then is new.
    let old = if before.workspace.read(root).is_some() { views::document(before, root)? } else { None };
    let Some(new) = views::document(after, root)? else { return Ok(None) };
    let comparison = old.map(|old| render::json(&diff::compare(&old, &new, &diff::Options::default())));
    Ok(Some(Shown { comparison, texts: texts(before, after, root), ..Shown::default() }))
}

/// The outputs that are not the same.
fn texts(before: &Opened, after: &Opened, root: &str) -> Vec<ChangedText> {
    let all = |opened: &Opened| -> BTreeMap<String, String> {
        let made = preview::artefacts(&opened.workspace, root).unwrap_or_default();
        made.into_iter().map(|it| (it.path, String::from_utf8_lossy(&it.bytes).into_owned())).collect()
    };
    let (mut old, new) = (all(before), all(after));
    let mut found: Vec<ChangedText> = new
        .into_iter()
        .map(|(path, text)| ChangedText { before: old.remove(&path), after: Some(text), path })
        .collect();
    found.extend(old.into_iter().map(|(path, text)| ChangedText { path, before: Some(text), after: None }));
    found.retain(|text| text.before != text.after);
    found
}
