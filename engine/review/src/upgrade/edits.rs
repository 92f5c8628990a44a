//! Edits of the project's own files: names, `include`s and fields.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::{
    outline::Outline,
    tokens::{Token, position, tokens},
};

/// A fix of an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fix {
    /// Renames the project's uses of a name.
    Rename {
        /// The old name.
        old: String,
        /// The new name.
        new: String,
    },
    /// Adds an `include`.
    AddInclude {
        /// The project's file.
        file: String,
        /// The included file.
        path: String,
    },
    /// Replaces the path of an `include`, or deletes it.
    ReplaceInclude {
        /// The project's file.
        file: String,
        /// The old path.
        old: String,
        /// The new path, if any.
        new: Option<String>,
    },
    /// Renames the field of a `let`, or deletes the `let`.
    ReplaceField {
        /// The project's file.
        file: String,
        /// The line of the `let`.
        line: u32,
        /// The old field.
        old: String,
        /// The new field, if any.
        new: Option<String>,
    },
}

/// An edit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Edit {
    /// The project's file.
    pub file: String,
    /// The first byte that is replaced.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// The replaced text.
    pub old: String,
    /// The replacement.
    pub new: String,
}

/// The files of a project by their paths.
pub type Files<'f> = BTreeMap<&'f str, &'f [u8]>;

/// Returns the edits of fixes, by file and place, without those that overlap. `project` has the project's definitions:
/// their names are never replaced.
#[must_use]
pub fn plan(fixes: &[Fix], files: &Files<'_>, project: &Outline) -> Vec<Edit> {
    let mut renames: BTreeMap<&str, &str> = BTreeMap::new();
    let mut all = Vec::new();
    for fix in fixes {
        match fix {
            Fix::Rename { old, new } => {
                if project.symbol(old).is_none() {
                    renames.insert(old, new);
                }
            }
            Fix::AddInclude { file, path } => {
                all.extend(files.get(file.as_str()).map(|text| add_include(file, text, path)));
            }
            Fix::ReplaceInclude { file, old, new } => {
                all.extend(
                    files
                        .get(file.as_str())
                        .and_then(|text| replace_include(file, text, old, new.as_deref())),
                );
            }
            Fix::ReplaceField { file, line, old, new } => {
                let edit = files
                    .get(file.as_str())
                    .and_then(|text| replace_field(file, text, *line, (old, new.as_deref())));
                all.extend(edit);
            }
        }
    }
    if !renames.is_empty() {
        for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
            all.extend(uses(file, text, |name| renames.contains_key(name)).into_iter().map(|place| {
                let new = renames.get(place.old.as_str()).copied().unwrap_or_default().to_owned();
                Edit { new, ..place }
            }));
        }
    }
    all.sort();
    all.dedup();
    // Two overlapping edits would not have the intended result.
    let mut kept: Vec<Edit> = Vec::with_capacity(all.len());
    for edit in all {
        if kept.last().is_none_or(|last| last.file != edit.file || last.end <= edit.start) {
            kept.push(edit);
        }
    }
    kept
}

/// Returns an edit for each use of the wanted library names in a file, which replaces the name by itself.
pub(super) fn uses(file: &str, text: &[u8], wanted: impl Fn(&str) -> bool) -> Vec<Edit> {
    let all = tokens(text);
    let mut found = Vec::new();
    for (index, token) in all.iter().enumerate() {
        let Some(name) = token.word().filter(|name| wanted(name)) else { continue };
        let before = index.checked_sub(1).map(|at| &all[at]);
        // A field, or the project's own definition of that name.
        let is_other = before.is_some_and(|it| {
            it.is_sign(b'.')
                || ["let", "class", "def", "defm", "multiclass"].iter().any(|word| it.is_word(word))
        });
        if !is_other {
            found.push(edit(file, text, (token.start, token.end()), name.to_owned()));
        }
    }
    found
}

fn edit(file: &str, text: &[u8], (start, end): (usize, usize), new: String) -> Edit {
    let (line, column) = position(text, start);
    let old = String::from_utf8_lossy(&text[start..end]).into_owned();
    Edit { file: file.to_owned(), start, end, line, column, old, new }
}

/// Returns the `include`s of a file: the keyword and the path.
fn includes<'t>(all: &'t [Token<'t>]) -> impl Iterator<Item = (&'t Token<'t>, &'t Token<'t>)> {
    let pairs = all.windows(2).filter(|pair| pair[0].is_word("include") && pair[1].quoted().is_some());
    pairs.map(|pair| (&pair[0], &pair[1]))
}

/// Adds a line after the last `include`, or before the first statement.
fn add_include(file: &str, text: &[u8], path: &str) -> Edit {
    let all = tokens(text);
    let last = includes(&all).last().map(|(_, path)| path.end());
    match last {
        Some(at) => edit(file, text, (at, at), format!("\ninclude \"{path}\"")),
        None => {
            let at = all.first().map_or(text.len(), |token| token.start);
            let line_start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
            edit(file, text, (line_start, line_start), format!("include \"{path}\"\n"))
        }
    }
}

fn replace_include(file: &str, text: &[u8], old: &str, new: Option<&str>) -> Option<Edit> {
    let all = tokens(text);
    let (start, path) = includes(&all).find(|(_, path)| path.quoted() == Some(old))?;
    let is_there = |new: &str| includes(&all).any(|(_, path)| path.quoted() == Some(new));
    match new {
        Some(new) if !is_there(new) => Some(edit(file, text, (path.start, path.end()), format!("\"{new}\""))),
        _ => Some(edit(file, text, whole_lines(text, start.start, path.end()), String::new())),
    }
}

/// Widens a range to whole lines if nothing else is on them.
fn whole_lines(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let line_start = memchr::memrchr(b'\n', &text[..start]).map_or(0, |end| end + 1);
    let line_end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |length| end + length + 1);
    let is_blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
    if is_blank(&text[line_start..start]) && is_blank(&text[end..line_end]) {
        (line_start, line_end)
    } else {
        (start, end)
    }
}

/// Edits the `let` of a field that begins on a line, or contains it.
fn replace_field(file: &str, text: &[u8], line: u32, (old, new): (&str, Option<&str>)) -> Option<Edit> {
    let all = tokens(text);
    let is_here = |pair: &[Token<'_>]| {
        pair[0].is_word("let") && pair[1].is_word(old) && position(text, pair[1].start).0 == line
    };
    let at = all.windows(2).position(is_here)?;
    let name = &all[at + 1];
    if let Some(new) = new {
        return Some(edit(file, text, (name.start, name.end()), new.to_owned()));
    }
    let rest = &all[at + 2..];
    let is_end = |token: &Token<'_>| {
        token.is_sign(b';') || token.is_word("in") || token.is_sign(b'{') || token.is_sign(b',')
    };
    let end = rest.iter().find(|token| is_end(token)).filter(|token| token.is_sign(b';'))?;
    Some(edit(file, text, whole_lines(text, all[at].start, end.end()), String::new()))
}

/// Applies edits to a text. They are sorted and do not overlap.
#[must_use]
pub fn apply<'e>(text: &[u8], edits: impl Iterator<Item = &'e Edit>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        if edit.start < at || edit.end > text.len() {
            continue;
        }
        out.extend_from_slice(&text[at..edit.start]);
        out.extend_from_slice(edit.new.as_bytes());
        at = edit.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Returns the edits of files as a patch without context, for `patch` and `git apply --unidiff-zero`.
#[must_use]
pub fn patch(edits: &[Edit], files: &Files<'_>) -> String {
    let mut out = String::new();
    for of_file in edits.chunk_by(|a, b| a.file == b.file) {
        let Some(text) = of_file.first().and_then(|edit| files.get(edit.file.as_str())) else { continue };
        let file = &of_file[0].file;
        // Writing to a text does not fail.
        let _ = writeln!(out, "--- a/{file}\n+++ b/{file}");
        let mut shift = 0_i64;
        let mut index = 0;
        while index < of_file.len() {
            let (start, mut end) = lines_of(text, &of_file[index]);
            let first = index;
            while let Some(next) = of_file.get(index + 1) {
                let (next_start, next_end) = lines_of(text, next);
                if next_start >= end {
                    break;
                }
                end = end.max(next_end);
                index += 1;
            }
            index += 1;
            let moved = of_file[first..index].iter().map(|edit| Edit {
                start: edit.start - start,
                end: edit.end - start,
                ..edit.clone()
            });
            let moved: Vec<Edit> = moved.collect();
            let new = apply(&text[start..end], moved.iter());
            let (old, new) = (lines(&text[start..end]), lines(&new));
            let line = i64::from(position(text, start).0);
            let _ = writeln!(out, "@@ -{line},{} +{},{} @@", old.len(), line + shift, new.len());
            old.iter().for_each(|line| _ = writeln!(out, "-{line}"));
            new.iter().for_each(|line| _ = writeln!(out, "+{line}"));
            shift += new.len() as i64 - old.len() as i64;
        }
    }
    out
}

/// Returns the range of whole lines around an edit.
fn lines_of(text: &[u8], edit: &Edit) -> (usize, usize) {
    let start = memchr::memrchr(b'\n', &text[..edit.start]).map_or(0, |end| end + 1);
    let last = if edit.end > edit.start && text[edit.end - 1] == b'\n' { edit.end - 1 } else { edit.end };
    let end = memchr::memchr(b'\n', &text[last..]).map_or(text.len(), |length| last + length + 1);
    (start, end)
}

fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// AnyVector\ninclude \"a.td\"\ninclude \"b.td\"\ndef X : Op<\"AnyVector\"> {\n  let args = (ins AnyVector:$AnyVector);\n  let gone = 1;\n}\n";

    fn edited(fixes: &[Fix]) -> (String, String) {
        let files = Files::from([("x.td", TEXT.as_bytes())]);
        let project = Outline::of(files.iter().map(|(path, text)| (*path, *text)));
        let edits = plan(fixes, &files, &project);
        (String::from_utf8(apply(TEXT.as_bytes(), edits.iter())).unwrap(), patch(&edits, &files))
    }

    #[test]
    fn only_uses_are_renamed() {
        let fix = Fix::Rename { old: "AnyVector".to_owned(), new: "Other".to_owned() };
        let (text, patch) = edited(&[fix]);
        assert_eq!(text, TEXT.replace("ins AnyVector", "ins Other"));
        assert!(patch.contains("@@ -5,1 +5,1 @@\n-  let args = (ins AnyVector:$AnyVector);\n+  let args = (ins Other:$AnyVector);\n"));
        let own = Fix::Rename { old: "X".to_owned(), new: "Y".to_owned() };
        assert_eq!(edited(&[own]).0, TEXT);
    }

    #[test]
    fn includes_and_fields() {
        let file = "x.td".to_owned();
        let add = Fix::AddInclude { file: file.clone(), path: "c.td".to_owned() };
        assert_eq!(edited(&[add]).0, TEXT.replace("\"b.td\"", "\"b.td\"\ninclude \"c.td\""));
        let remove = Fix::ReplaceInclude { file: file.clone(), old: "a.td".to_owned(), new: None };
        assert_eq!(edited(&[remove]).0, TEXT.replace("include \"a.td\"\n", ""));
        let replace =
            Fix::ReplaceInclude { file: file.clone(), old: "a.td".to_owned(), new: Some("c.td".to_owned()) };
        assert_eq!(edited(&[replace]).0, TEXT.replace("a.td", "c.td"));
        let field = Fix::ReplaceField { file: file.clone(), line: 6, old: "gone".to_owned(), new: None };
        let (text, patch) = edited(&[field]);
        assert_eq!(text, TEXT.replace("  let gone = 1;\n", ""));
        assert!(patch.contains("@@ -6,1 +6,0 @@\n-  let gone = 1;\n"));
        let field = Fix::ReplaceField { file, line: 6, old: "gone".to_owned(), new: Some("new".to_owned()) };
        assert_eq!(edited(&[field]).0, TEXT.replace("gone", "new"));
    }
}
