//! The changes between two states of the files: breaking changes, and differences in the outputs.

use std::collections::BTreeMap;

use odsmith_engine::{
    artefact::Artefact,
    job::OutputOutcome,
    review::diff::{self, render},
};
use odsmith_ide::preview;

use super::{ChangedText, Opened, Shown, Viewed, views};
use crate::pipeline::error::ApiError;

/// Compares two states of a root; `None` if the current files have an error.
pub(super) fn view(before: &Opened, after: &Opened, root: &str) -> Result<Viewed, ApiError> {
    // A root that was renamed counts as new.
    let old = if before.workspace.read(root).is_some() { views::document(before, root)? } else { None };
    let Some(new) = views::document(after, root)? else { return Ok(None) };
    let options = diff::Options { stop: after.cancel.clone(), ..diff::Options::default() };
    let comparison = old.map(|old| diff::compare(&old, &new, &options));
    after.check_waiting()?;
    let comparison = comparison.map(|comparison| render::json(&comparison));
    Ok(Some(Ok(Shown { comparison, texts: texts(before, after, root)?, ..Shown::default() })))
}

/// Returns the outputs that differ. An output that cannot be generated now is left out.
fn texts(before: &Opened, after: &Opened, root: &str) -> Result<Vec<ChangedText>, ApiError> {
    let all = |opened: &Opened| preview::made(&opened.workspace, root).unwrap_or_default();
    let text = |made: Option<Artefact>| Some(String::from_utf8_lossy(&made?.bytes).into_owned());
    let mut old: BTreeMap<String, Option<String>> = BTreeMap::new();
    for OutputOutcome { path, artefact, .. } in all(before) {
        after.check_waiting()?;
        old.insert(path, text(artefact));
    }
    let mut found = Vec::new();
    for OutputOutcome { path, artefact, .. } in all(after) {
        after.check_waiting()?;
        let (before, after) = (old.remove(&path).flatten(), text(artefact));
        if after.is_some() && before != after {
            found.push(ChangedText { path, before, after });
        }
    }
    let gone = old.into_iter().filter(|(_, before)| before.is_some());
    found.extend(gone.map(|(path, before)| ChangedText { path, before, after: None }));
    Ok(found)
}
