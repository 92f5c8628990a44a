//! Edits of the project's own files: names, `include`s and fields.

use std::{collections::BTreeMap, fmt::Write as _, ops::Range};

use odsmith_tablegen::outline::{Kind, Outline, Token, symbols::Symbols};
use serde::Serialize;

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
    /// Inserts a text.
    Insert {
        /// The project's file.
        file: String,
        /// The byte after the text.
        at: usize,
        /// The text.
        text: String,
    },
    /// Replaces a text.
    Replace {
        /// The project's file.
        file: String,
        /// The first byte that is replaced.
        start: usize,
        /// The byte after the last one.
        end: usize,
        /// The new text.
        text: String,
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
pub fn plan(fixes: &[Fix], files: &Files<'_>, project: &Symbols) -> Vec<Edit> {
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
            Fix::Replace { file, start, end, text: new } => {
                let outline = files.get(file.as_str()).map(|text| Outline::new(file.as_str(), text));
                all.extend(outline.map(|outline| edit(&outline, *start..*end, new.clone())));
            }
            Fix::Insert { file, at, text: new } => {
                let outline = files.get(file.as_str()).map(|text| Outline::new(file.as_str(), text));
                all.extend(outline.map(|outline| edit(&outline, *at..*at, new.clone())));
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
    let outline = Outline::new(file, text);
    let mut found = Vec::new();
    let mut before = None;
    for token in outline.code() {
        // A field, or the project's own definition of that name.
        let is_other = before.replace(token).is_some_and(|it: Token| {
            it.is(b'.') || ["let", "class", "def", "defm", "multiclass"].contains(&outline.text_of(it))
        });
        let name = outline.text_of(token);
        if token.kind == Kind::Word && !is_other && wanted(name) {
            found.push(edit(&outline, token.range(), name.to_owned()));
        }
    }
    found
}

fn edit(outline: &Outline, range: Range<usize>, new: String) -> Edit {
    let (line, column) = outline.position(range.start);
    let old = outline.slice(range.clone()).to_owned();
    Edit { file: outline.file.to_string(), start: range.start, end: range.end, line, column, old, new }
}

/// Returns the `include`s of a file: the keyword and the path.
fn includes(outline: &Outline) -> Vec<(Token, Token)> {
    let all: Vec<Token> = outline.code().collect();
    let is_include = |pair: &&[Token]| {
        pair[0].is_word(&outline.text, "include") && pair[1].kind == Kind::String && pair[1].is_closed
    };
    all.windows(2).filter(is_include).map(|pair| (pair[0], pair[1])).collect()
}

/// Adds a line after the last `include`, or before the first statement.
fn add_include(file: &str, text: &[u8], path: &str) -> Edit {
    let outline = Outline::new(file, text);
    match includes(&outline).last() {
        Some((_, last)) => edit(&outline, last.end..last.end, format!("\ninclude \"{path}\"")),
        None => {
            let at = outline.code().next().map_or(text.len(), |token| token.start);
            let start = outline.lines_of(at..at).start;
            edit(&outline, start..start, format!("include \"{path}\"\n"))
        }
    }
}

fn replace_include(file: &str, text: &[u8], old: &str, new: Option<&str>) -> Option<Edit> {
    let outline = Outline::new(file, text);
    let all = includes(&outline);
    let find = |path: &str| all.iter().find(|(_, token)| outline.inside(*token) == path);
    let (keyword, path) = find(old)?;
    Some(match new.filter(|new| find(new).is_none()) {
        Some(new) => edit(&outline, path.range(), format!("\"{new}\"")),
        None => edit(&outline, outline.widened(keyword.start..path.end), String::new()),
    })
}

/// Edits the `let` of a field that begins on a line, or contains it.
fn replace_field(file: &str, text: &[u8], line: u32, (old, new): (&str, Option<&str>)) -> Option<Edit> {
    let outline = Outline::new(file, text);
    let all: Vec<Token> = outline.code().collect();
    let is_word = |token: &Token, word: &str| token.is_word(&outline.text, word);
    let is_here = |pair: &[Token]| {
        is_word(&pair[0], "let") && is_word(&pair[1], old) && outline.position(pair[1].start).0 == line
    };
    let at = all.windows(2).position(is_here)?;
    if let Some(new) = new {
        return Some(edit(&outline, all[at + 1].range(), new.to_owned()));
    }
    let is_end =
        |token: &&Token| matches!(token.kind, Kind::Sign(b';' | b'{' | b',')) || is_word(token, "in");
    let end = all[at + 2..].iter().find(is_end).filter(|token| token.is(b';'))?;
    Some(edit(&outline, outline.widened(all[at].start..end.end), String::new()))
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
            let line = memchr::memchr_iter(b'\n', &text[..start]).count() as i64 + 1;
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
        let project = Symbols::heads_of(files.iter().map(|(path, text)| (*path, *text)));
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
