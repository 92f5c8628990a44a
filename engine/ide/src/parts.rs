//! The lines of a preview that each part of the definition causes, so that editor and preview highlight together.
//!
//! For a field that the definition sets, these are the lines that change when the field is removed: no table of field
//! effects is needed. For a name, such as an operand's, they are the lines of its accessors.

use std::{ops::Range, rc::Rc};

use odsmith_engine::outline::{Kind, Statement, lexical::is_word_byte};

use crate::{
    Document, Workspace,
    preview::{self, Preview, View},
};

/// The most parts to examine; each takes an evaluation.
const MOST_PARTS: usize = 64;

/// A part of a definition and the preview lines that it causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its range in the file, in bytes.
    pub range: Range<usize>,
    /// The lines of the preview, from 0.
    pub lines: Vec<Range<usize>>,
}

/// Returns the parts of the definition at an offset that cause lines in a view: fields first, then the names in them.
/// Empty while the definition has an error.
pub fn parts(workspace: &mut Workspace, path: &str, offset: usize, view: View) -> Vec<Part> {
    let (Some(document), Some(preview)) =
        (workspace.document(path), preview::preview(workspace, path, offset, view))
    else {
        return Vec::new();
    };
    let statement = document.path_to(offset).last().copied().cloned();
    let Some(statement) = statement.filter(|_| !preview.is_stale && !preview.has_failed) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    for item in statement.items.iter().take(MOST_PARTS) {
        let range = item.range();
        let changed = changed_lines(workspace, &document, (&statement, &range), &preview);
        parts.push(Part { range, lines: changed });
        if workspace.is_stopped() {
            return Vec::new();
        }
    }
    // Keep an analysis of the current text: it is shown while a later text is broken.
    let _ = workspace.analysis_of(path);
    let names = statement.items.iter().flat_map(|item| item.value.clone());
    for token in names.filter(|token| document.tokens[*token].kind == Kind::Variable) {
        let name = document.word(token).trim_start_matches('$');
        let is_about = |line: &&str| words(line).any(|word| is_accessor(word, name));
        let lines = ranges(preview.text.lines().enumerate().filter(|(_, line)| is_about(line)));
        parts.push(Part { range: document.tokens[token].range(), lines });
    }
    parts.retain(|part| !part.lines.is_empty());
    parts
}

/// Returns the preview lines that change when a part is removed; empty if the definition does not evaluate without it.
fn changed_lines(
    workspace: &mut Workspace,
    document: &Rc<Document>,
    (statement, part): (&Statement, &Range<usize>),
    preview: &Preview,
) -> Vec<Range<usize>> {
    let start = statement.start;
    let mut text = document.text.as_bytes().to_vec();
    // Keep line breaks, as some outputs contain line numbers.
    text[part.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    workspace.set_text(&document.path, Some(&text));
    let without = preview::preview(workspace, &document.path, start, preview.view);
    workspace.set_text(&document.path, Some(document.text.as_bytes()));
    let without = without.filter(|it| !it.is_stale && !it.has_failed && it.record == preview.record);
    let Some(without) = without else { return Vec::new() };
    let patch = diffy::DiffOptions::new().set_context_len(0).create_patch(&preview.text, &without.text);
    let old = patch.hunks().iter().map(|hunk| hunk.old_range());
    old.filter(|range| !range.is_empty()).map(|range| range.start() - 1..range.end() - 1).collect()
}

/// Splits a line into words.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii() || !is_word_byte(c as u8)).filter(|word| !word.is_empty())
}

/// Returns true if a word is a name or an accessor: `getLhs`, `getLhsMutable`, `setLhsAttr`, not `getODSOperandLhs`.
fn is_accessor(word: &str, name: &str) -> bool {
    if word == name {
        return true;
    }
    let verbs = ["get", "set", "remove"];
    let rest = verbs.iter().find_map(|verb| word.strip_prefix(verb));
    let ends = ["", "Attr", "AttrName", "Mutable"];
    rest.is_some_and(|rest| {
        ends.iter().any(|end| rest.strip_suffix(end).is_some_and(|rest| is_camel(rest, name)))
    })
}

/// Returns true if a word is a name in camel case: `LeftSide` for `left_side`.
fn is_camel(word: &str, name: &str) -> bool {
    let mut letters = word.bytes();
    let mut is_start = true;
    for byte in name.bytes() {
        if byte == b'_' {
            is_start = true;
            continue;
        }
        let expected = if is_start { byte.to_ascii_uppercase() } else { byte };
        if letters.next() != Some(expected) {
            return false;
        }
        is_start = false;
    }
    letters.next().is_none() && !word.is_empty()
}

/// Groups line numbers into ranges.
fn ranges<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (line, _) in lines {
        match all.last_mut() {
            Some(last) if last.end == line => last.end += 1,
            _ => all.push(line..line + 1),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors() {
        for word in
            ["left_side", "getLeftSide", "getLeftSideMutable", "setLeftSideAttr", "removeLeftSideAttr"]
        {
            assert!(is_accessor(word, "left_side"), "{word}");
        }
        for word in ["getLeftSides", "LeftSide", "leftSide", "getleft_side", "get"] {
            assert!(!is_accessor(word, "left_side"), "{word}");
        }
    }

    #[test]
    fn lines_as_ranges() {
        let lines = [1, 2, 4, 6, 7].map(|line| (line, ""));
        assert_eq!(ranges(lines.into_iter()), [1..3, 4..5, 6..8]);
    }
}
