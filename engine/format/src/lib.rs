//! The layout of TableGen files, for `odsmith fmt`.
//!
//! A file is read by [`outline`], whose tokens become a [`document`]: pieces, the gaps
//! between them and the groups that indent them. [`layout`] chooses the text of each gap. Only blanks change: the
//! result is a list of edits of gaps, and its tokens are compared with those of the source before it is returned.
//!
//! ```text
//! def A:B< "a" ,[C,     def A : B<"a", [C,
//!   D]>{}          →                     D]> {}
//! ```

pub mod build;
pub mod check;
pub mod document;
pub mod layout;
pub mod rules;
pub mod spacing;
pub mod style;
pub mod typing;

use std::ops::Range;

use odsmith_tablegen::outline::{self, Kind, Outline, Statement, tokens};

pub use check::Refusal;
pub use style::Style;

use crate::layout::GapText;

/// A gap that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its bytes in the source.
    pub range: Range<usize>,
    /// The new text: blanks.
    pub text: String,
}

/// The most layouts of layouts. Nearly all files need one, as line breaks that a layout makes count as the author's in
/// the next one.
const MOST_ROUNDS: usize = 8;

/// Returns the edits that give a file its layout, which another layout leaves as it is.
///
/// # Errors
/// The file is broken: a bracket, a string or a statement has no end.
pub fn edits(outline: &Outline, style: &Style) -> Result<Vec<Edit>, Refusal> {
    let first = edits_once(outline, style)?;
    let mut last: Option<Outline> = None;
    let mut edits = first.clone();
    for _ in 0..MOST_ROUNDS {
        if edits.is_empty() {
            break;
        }
        let text = applied(last.as_ref().unwrap_or(outline).text.as_bytes(), &edits);
        let next = Outline::new(&*outline.file, &text);
        edits = edits_once(&next, style)?;
        last = Some(next);
    }
    Ok(last.map_or(first, |last| differences(outline, &last)))
}

/// Returns the bytes of a token, without blanks at the end of a `//` comment.
fn extent(outline: &Outline, token: outline::Token) -> Range<usize> {
    let text = outline.text_of(token);
    let length = if token.kind == Kind::LineComment { text.trim_end().len() } else { text.len() };
    token.start..token.start + length
}

/// Returns the gaps of a file that are others in a file with the same tokens.
fn differences(old: &Outline, new: &Outline) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    let mut add = |from: Range<usize>, to: Range<usize>| {
        let text = new.slice(to);
        if old.slice(from.clone()) != text {
            edits.push(Edit { range: from, text: text.to_owned() });
        }
    };
    for (before, after) in old.tokens.iter().zip(&new.tokens) {
        let (before, after) = (extent(old, *before), extent(new, *after));
        add(old_end..before.start, new_end..after.start);
        (old_end, new_end) = (before.end, after.end);
    }
    add(old_end..old.text.len(), new_end..new.text.len());
    edits
}

/// Returns the edits of one layout.
fn edits_once(outline: &Outline, style: &Style) -> Result<Vec<Edit>, Refusal> {
    let brackets = check::brackets(outline)?;
    check::statements(outline)?;
    let document = build::document(outline, &brackets, style);
    let text = &*outline.text;
    let gap_of = |index: usize| {
        let start = index.checked_sub(1).map_or(0, |before| document.pieces[before].range.end);
        start..document.pieces[index].range.start
    };
    let column_in = |index: usize| {
        let gap = &text[gap_of(index)];
        let line = gap.rsplit_once('\n')?.1;
        Some(line.chars().count())
    };
    let gaps = layout::layout(&document, style, column_in);
    let line_end =
        if text.lines().next().is_some_and(|_| first_line_has_return(text)) { "\r\n" } else { "\n" };
    let mut edits = Vec::new();
    let mut add = |range: Range<usize>, new: String| {
        if text[range.clone()] != new {
            edits.push(Edit { range, text: new });
        }
    };
    for (index, gap) in gaps.iter().enumerate() {
        let range = gap_of(index);
        match *gap {
            GapText::Source => {}
            GapText::Blank { breaks, spaces } => {
                add(range, line_end.repeat(breaks) + &" ".repeat(spaces));
            }
        }
    }
    let last = document.pieces.last();
    let end = last.map_or(0, |piece| piece.range.end);
    let is_raw = last.is_some_and(|piece| piece.is_raw)
        && outline.tokens.last().is_some_and(|token| !is_mark(outline.text_of(*token), build::ON));
    // At the end of a file, a line of the preprocessor without a line break is an error, and stays one.
    let is_directive = outline.tokens.last().is_some_and(|token| token.kind == Kind::Directive);
    let is_left = is_raw || is_directive && end == text.len();
    if !is_left {
        add(end..text.len(), if last.is_some() { line_end.to_owned() } else { String::new() });
    }
    Ok(edits)
}

fn is_mark(text: &str, mark: &str) -> bool {
    text.starts_with("//") && text.trim_start_matches('/').trim() == mark
}

fn first_line_has_return(text: &str) -> bool {
    text.find('\n').is_some_and(|at| text[..at].ends_with('\r'))
}

/// Returns the edits for some lines, from 0: those of the statements and fields that the lines touch.
///
/// # Errors
/// The file is broken: a bracket, a string or a statement has no end.
pub fn edits_in(outline: &Outline, style: &Style, lines: &[Range<usize>]) -> Result<Vec<Edit>, Refusal> {
    let parts: Vec<Range<usize>> = lines
        .iter()
        .map(|lines| {
            let bytes = outline.line_start(lines.start)..outline.line_start(lines.end);
            widened(outline, &outline.statements, bytes)
        })
        .collect();
    let mut edits = edits(outline, style)?;
    edits.retain(|edit| parts.iter().any(|part| edit.range.end >= part.start && edit.range.start < part.end));
    Ok(edits)
}

/// Returns the bytes of the statements and fields that a range touches, or the range between them.
fn widened(outline: &Outline, statements: &[Statement], bytes: Range<usize>) -> Range<usize> {
    let touches = |part: &Range<usize>| part.start < bytes.end && bytes.start < part.end;
    let around = statements.iter().map(Statement::range).filter(touches);
    let whole = around.fold(bytes.clone(), |all, part| all.start.min(part.start)..all.end.max(part.end));
    let mut inside = statements.iter().filter(|it| touches(&it.range()));
    let (Some(only), None) = (inside.next(), inside.next()) else { return whole };
    let is_in_body =
        outline.body_of(only).is_some_and(|body| body.start <= bytes.start && bytes.end <= body.end);
    if !is_in_body {
        return whole;
    }
    let items = only.items.iter().map(outline::Item::range).filter(touches);
    let items = items.fold(bytes.clone(), |all, part| all.start.min(part.start)..all.end.max(part.end));
    widened(outline, &only.children, items)
}

/// Returns a file in its layout.
///
/// # Errors
/// The file is broken: a bracket, a string or a statement has no end.
pub fn formatted(name: &str, bytes: &[u8], style: &Style) -> Result<Vec<u8>, Refusal> {
    let outline = Outline::new(name, bytes);
    checked(bytes, &edits(&outline, style)?)
}

/// Returns a text with edits.
///
/// # Errors
/// Its tokens would be others.
pub fn checked(bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Refusal> {
    let new = applied(bytes, edits);
    if !same_tokens(bytes, &new) {
        let message = "this file has a layout that cannot be changed without changing its tokens";
        return Err(Refusal { offset: 0, message: message.to_owned() });
    }
    Ok(new)
}

/// The names of generated files, before `.td`.
const GENERATED_ENDS: [&str; 2] = [".gen.td", "yamlgen.td"];
/// The lines at the beginning of a file that may say that it is generated.
const FIRST_LINES: usize = 10;

/// Returns true if a file says that a program has written it.
#[must_use]
pub fn is_generated(path: &str, bytes: &[u8]) -> bool {
    if GENERATED_ENDS.iter().any(|end| path.ends_with(end)) {
        return true;
    }
    let says = |line: &[u8]| {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let is_comment = line.trim_start().starts_with("//") || line.trim_start().starts_with('*');
        let names = ["generated file", "autogenerated", "auto-generated", "automatically generated"];
        let is_named = names.iter().any(|name| line.contains(name));
        is_comment && (line.contains("@generated") || is_named && line.contains("do not edit"))
    };
    bytes.split(|byte| *byte == b'\n').take(FIRST_LINES).any(says)
}

/// Returns a text with edits, which are in order.
#[must_use]
pub fn applied(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Returns true if two texts have the same tokens: only blanks differ, and those at the ends of `//` comments.
fn same_tokens(old: &[u8], new: &[u8]) -> bool {
    let parts = |text| tokens::tokens(text).filter(|token| token.kind != Kind::Blank);
    let shown = |text: &[u8], token: tokens::Token| {
        let bytes = &text[token.range()];
        let bytes = if token.kind == Kind::LineComment { bytes.trim_ascii_end() } else { bytes };
        (token.kind, bytes.to_vec())
    };
    parts(old).map(|token| shown(old, token)).eq(parts(new).map(|token| shown(new, token)))
}
