//! Folding ranges, selection ranges and document links.

use std::ops::Range;

use odsmith_engine::outline::{Kind, Statement, StatementKind, includes};

use crate::{document::Document, ir, workspace::Workspace};

/// A folding range of lines, counted from 0, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line, which stays visible.
    pub start: usize,
    /// The last line.
    pub end: usize,
    /// The kind of text that is folded.
    pub kind: FoldKind,
}

/// The kind of a folding range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A body, a list, a text.
    Region,
    /// Comments.
    Comment,
    /// `include`s.
    Includes,
}

/// Returns the folding ranges of a file.
#[must_use]
pub fn folds(workspace: &Workspace, path: &str) -> Vec<Fold> {
    if ir::is_ir(path) {
        return ir::structure::folds(workspace, path);
    }
    workspace.document(path).map_or_else(Vec::new, |document| folds_of(&document))
}

fn folds_of(document: &Document) -> Vec<Fold> {
    let mut found: Vec<Fold> = Vec::new();
    let line = |offset: usize| document.line_of(offset).0;
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut comment: Option<(usize, usize)> = None;
    let mut includes: Option<(usize, usize)> = None;
    let push = |start: usize, end: usize, kind: FoldKind, found: &mut Vec<Fold>| {
        if end > start {
            found.push(Fold { start, end, kind });
        }
    };
    for token in &document.tokens {
        let (start, end) = (line(token.start), line(token.end));
        match token.kind {
            Kind::LineComment | Kind::BlockComment => {
                match &mut comment {
                    Some((_, last)) if *last + 1 == start || *last == start => *last = end,
                    _ => {
                        if let Some((first, last)) = comment.take() {
                            push(first, last, FoldKind::Comment, &mut found);
                        }
                        comment = Some((start, end));
                    }
                }
                continue;
            }
            Kind::Sign(bracket @ (b'{' | b'[' | b'(')) => open.push((bracket, start)),
            Kind::Sign(close @ (b'}' | b']' | b')')) => {
                let bracket = match close {
                    b'}' => b'{',
                    b']' => b'[',
                    _ => b'(',
                };
                if let Some(at) = open.iter().rposition(|(known, _)| *known == bracket) {
                    let (_, first) = open[at];
                    open.truncate(at);
                    // The line of the closing bracket stays visible.
                    push(first, start.saturating_sub(1), FoldKind::Region, &mut found);
                }
            }
            Kind::Code => push(start, end.saturating_sub(1), FoldKind::Region, &mut found),
            _ => {}
        }
        if let Some((first, last)) = comment.take() {
            push(first, last, FoldKind::Comment, &mut found);
        }
    }
    if let Some((first, last)) = comment {
        push(first, last, FoldKind::Comment, &mut found);
    }
    for statement in &document.statements {
        let range = statement.range();
        match (&mut includes, statement.kind) {
            (Some((_, last)), StatementKind::Include) => *last = line(range.end),
            (None, StatementKind::Include) => includes = Some((line(range.start), line(range.end))),
            (Some((first, last)), _) => {
                push(*first, *last, FoldKind::Includes, &mut found);
                includes = None;
            }
            (None, _) => {}
        }
    }
    if let Some((first, last)) = includes {
        push(first, last, FoldKind::Includes, &mut found);
    }
    found.sort_by_key(|fold| (fold.start, fold.end));
    found.dedup_by_key(|fold| fold.start);
    found
}

/// Returns ever larger ranges around an offset, the smallest first.
#[must_use]
pub fn selections(workspace: &Workspace, path: &str, offset: usize) -> Vec<Range<usize>> {
    if ir::is_ir(path) {
        return ir::structure::selections(workspace, path, offset);
    }
    workspace.document(path).map_or_else(Vec::new, |document| selections_of(&document, offset))
}

fn selections_of(document: &Document, offset: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    if let Some(word) = crate::names::word_at(document, offset) {
        found.push(word);
    }
    if let Some(index) = document.token_at(offset) {
        let token = document.tokens[index];
        if matches!(token.kind, Kind::String | Kind::Code) {
            found.push(token.inside());
        }
        found.push(token.range());
    }
    let path = document.path_to(offset);
    if let Some(statement) = path.last() {
        found.extend(brackets(document, statement, offset));
        if let Some(item) = document.field_at(offset) {
            found.push(item.range());
        }
    }
    for statement in path.iter().rev() {
        if let Some(body) = &statement.body
            && !body.is_empty()
        {
            found.push(document.tokens[body.start].start..document.tokens[body.end - 1].end);
        }
        found.push(statement.range());
    }
    found.push(0..document.text.len());
    found.retain(|range| range.start <= offset && offset <= range.end);
    found.sort_by_key(|range| range.len());
    nested(found)
}

/// Keeps the ranges that contain the one before them.
pub(crate) fn nested(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut nested: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        let holds = nested
            .last()
            .is_none_or(|last| range.start <= last.start && last.end <= range.end && range != *last);
        if holds {
            nested.push(range);
        }
    }
    nested
}

/// Returns the ranges inside the brackets around an offset, with the brackets and without.
fn brackets(document: &Document, statement: &Statement, offset: usize) -> Vec<Range<usize>> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut found = Vec::new();
    for token in &document.tokens[statement.tokens.clone()] {
        match token.kind {
            Kind::Sign(bracket @ (b'{' | b'[' | b'(' | b'<')) => open.push((bracket, token.start)),
            Kind::Sign(close @ (b'}' | b']' | b')' | b'>')) => {
                let is_pair = |(bracket, _): &(u8, usize)| {
                    matches!((*bracket, close), (b'{', b'}') | (b'[', b']') | (b'(', b')') | (b'<', b'>'))
                };
                if let Some(at) = open.iter().rposition(is_pair) {
                    let (_, start) = open[at];
                    open.truncate(at);
                    if start < offset && offset < token.end {
                        found.push(trimmed(document, start + 1..token.start));
                        found.push(start..token.end);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Removes white space from the ends of a range.
fn trimmed(document: &Document, range: Range<usize>) -> Range<usize> {
    let text = &document.text[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// A link to another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The bytes of the name, without its quotes.
    pub range: Range<usize>,
    /// The file.
    pub path: String,
}

/// Returns the `include`s of a file that can be resolved.
#[must_use]
pub fn links(workspace: &Workspace, path: &str) -> Vec<Link> {
    if ir::is_ir(path) {
        return Vec::new();
    }
    let Some(document) = workspace.document(path) else { return Vec::new() };
    let roots = workspace.roots_of(path);
    let names = includes::strings(document.text.as_bytes());
    names
        .filter_map(|name| {
            let target = document.inside(name);
            let path = roots.iter().find_map(|root| workspace.resolve_include(root, target))?;
            Some(Link { range: name.inside(), path })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_folded() {
        let text = "// a\n// b\ninclude \"x\"\ninclude \"y\"\ndef A {\n  let b = [\n    1\n  ];\n}\n";
        let found: Vec<_> =
            folds_of(&Document::new("a", text.as_bytes())).iter().map(|it| (it.start, it.end)).collect();
        assert_eq!(found, [(0, 1), (2, 3), (4, 7), (5, 6)]);
    }

    #[test]
    fn selections_grow() {
        let text = "def A : B<[c], 1> { let x = (ins D:$e); }";
        let document = Document::new("a", text.as_bytes());
        let at = text.find("$e").map_or(0, |at| at + 1);
        let found: Vec<&str> = selections_of(&document, at).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            ["e", "$e", "ins D:$e", "(ins D:$e)", "let x = (ins D:$e);", "{ let x = (ins D:$e); }", text]
        );
    }
}
