//! The structure of a text of IR: symbols, folds, selections, semantic tokens.

use std::ops::Range;

use odsmith_engine::ir::{NodeId, NodeKind, TokenKind};

use super::IrText;
use crate::{
    semantic::{Part, Role},
    structure::{Fold, FoldKind, nested},
    symbols::{FileSymbol, Kinds},
    workspace::Workspace,
};

/// Returns the outline of a file: its operations with symbols or regions.
pub(crate) fn symbols(workspace: &Workspace, path: &str) -> Vec<FileSymbol> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let mut found = Vec::new();
    collect(&text, text.ir.tree.root(), &mut found);
    found
}

fn collect(text: &IrText, around: NodeId, found: &mut Vec<FileSymbol>) {
    for child in text.ir.tree.children(around) {
        if text.node(child).kind != NodeKind::Operation {
            collect(text, child, found);
            continue;
        }
        let mut children = Vec::new();
        collect(text, child, &mut children);
        let own = |kind: NodeKind| text.ir.tree.child(child, kind);
        let symbol = own(NodeKind::SymbolName);
        if symbol.is_none() && own(NodeKind::Region).is_none() {
            found.extend(children);
            continue;
        }
        let operation = text.operation_name(child).unwrap_or_default().to_owned();
        let selection =
            symbol.or_else(|| own(NodeKind::Name)).map_or_else(|| text.range(child), |id| text.range(id));
        let (name, detail, kind) = match symbol {
            Some(_) => (text.text()[selection.clone()].to_owned(), operation, Kinds::Def),
            None => (operation, String::new(), Kinds::Group),
        };
        let range = text.range(child);
        found.push(FileSymbol { name, detail, kind, range, selection, is_deprecated: false, children });
    }
}

/// Returns the folding ranges of a file: regions, dictionaries and lists of several lines, comments.
pub(crate) fn folds(workspace: &Workspace, path: &str) -> Vec<Fold> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let line = |offset: usize| text.document.line_of(offset).0;
    let mut found = Vec::new();
    let tokens = &text.ir.tokens;
    for token in 0..tokens.len() {
        let opens = matches!(
            tokens.kind(token),
            TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::LeftParen | TokenKind::ResourcesBegin
        );
        let Some(partner) = tokens.partner(token).filter(|partner| opens && *partner > token) else {
            continue;
        };
        let (start, end) = (line(tokens.range(token).start), line(tokens.range(partner).start));
        // The line with the closing bracket stays visible.
        if end > start + 1 {
            found.push(Fold { start, end: end - 1, kind: FoldKind::Region });
        }
    }
    let is_comment = |at: usize| {
        let range = text.document.line_start(at)..text.document.line_start(at + 1);
        text.document.slice(range).trim_start().starts_with("//")
    };
    let mut at = 0;
    while at < text.document.line_count() {
        let first = at;
        while at < text.document.line_count() && is_comment(at) {
            at += 1;
        }
        if at > first + 1 {
            found.push(Fold { start: first, end: at - 1, kind: FoldKind::Comment });
        }
        at = at.max(first + 1);
    }
    found.sort_by_key(|fold| (fold.start, fold.end));
    found.dedup_by_key(|fold| fold.start);
    found
}

/// Returns ever larger ranges around an offset, the smallest first.
pub(crate) fn selections(workspace: &Workspace, path: &str, offset: usize) -> Vec<Range<usize>> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let Some(token) = text.token_at(offset) else { return Vec::new() };
    let mut ranges: Vec<Range<usize>> = vec![text.ir.tokens.range(token)];
    ranges.extend(text.path_to(token).into_iter().rev().map(|id| text.range(id)));
    ranges.push(0..text.text().len());
    ranges.retain(|range| range.start <= offset && offset <= range.end);
    nested(ranges)
}

/// Returns the semantic tokens of a file, in order; none spans a line break.
pub(crate) fn parts(workspace: &Workspace, path: &str) -> Vec<Part> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let tokens = &text.ir.tokens;
    let mut roles: Vec<Option<(Role, bool)>> =
        (0..tokens.len()).map(|token| role_of(tokens.kind(token))).collect();
    let mut set = |token: u32, role: Role, is_definition: bool| {
        if let Some(place) = roles.get_mut(token as usize) {
            *place = Some((role, is_definition));
        }
    };
    for id in text.ir.tree.ids() {
        let node = text.node(id);
        match node.kind {
            NodeKind::Name => set(node.first, Role::Class, false),
            NodeKind::Result | NodeKind::BlockArgument if tokens.kind(node.first) == TokenKind::Value => {
                set(node.first, Role::Variable, true);
            }
            NodeKind::BlockLabel => set(node.first, Role::Placeholder, true),
            NodeKind::SymbolName => set(node.first, Role::Def, true),
            NodeKind::Key => set(node.first, Role::Field, false),
            NodeKind::Type if node.end == node.first + 1 => set(node.first, Role::Type, false),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for token in 0..tokens.len() {
        comments(&text, tokens.gap(token), &mut found);
        let range = tokens.range(token);
        let Some((role, is_definition)) = roles.get(token as usize).copied().flatten() else { continue };
        if !range.is_empty() && !text.text()[range.clone()].contains('\n') {
            found.push(Part { start: range.start, end: range.end, role, is_definition });
        }
    }
    found
}

/// Adds the comments of a gap between tokens.
fn comments(text: &IrText, gap: Range<usize>, found: &mut Vec<Part>) {
    let mut at = gap.start;
    while let Some(start) = text.text()[at..gap.end].find("//").map(|start| at + start) {
        let end = text.text()[start..gap.end].find('\n').map_or(gap.end, |length| start + length);
        let end = start + text.text()[start..end].trim_end().len();
        found.push(Part { start, end, role: Role::Comment, is_definition: false });
        at = end.max(start + 2).min(gap.end);
    }
}

/// Returns the role of a token by itself.
fn role_of(kind: TokenKind) -> Option<(Role, bool)> {
    let role = match kind {
        TokenKind::Word => Role::Keyword,
        TokenKind::Integer | TokenKind::Hexadecimal | TokenKind::Float => Role::Number,
        TokenKind::String | TokenKind::BrokenString => Role::String,
        TokenKind::Value => Role::Variable,
        TokenKind::Block => Role::Placeholder,
        TokenKind::Attribute => Role::Literal,
        TokenKind::Type => Role::Type,
        TokenKind::Symbol => Role::Def,
        _ => return None,
    };
    Some((role, false))
}
