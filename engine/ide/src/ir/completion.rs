//! Completions in IR: operations, values, blocks, symbols, types, attributes, and the words of formats.

use std::{collections::BTreeMap, ops::Range};

use odsmith_engine::ir::{
    Names, NodeId, NodeKind,
    format::{self, PieceKind, Untyped},
    types::{SHAPED, floats},
};

use super::{DefinitionSpace, IrText};
use crate::{
    completion::{Completions, Item, ItemKind},
    workspace::Workspace,
};

/// The most items that a list returns.
const MOST_ITEMS: usize = 300;

/// Returns builtin types with their order in a list: rare floats come last.
fn builtin_types() -> impl Iterator<Item = (String, u8)> {
    let words = ["i1", "i8", "i16", "i32", "i64", "ui8", "index", "none"].into_iter().map(|word| (word, 0));
    let floats = floats().map(|name| (name, u8::from(!matches!(name, "f16" | "bf16" | "f32" | "f64"))));
    let words = words.chain(floats).map(|(word, order)| (word.to_owned(), order));
    words.chain(SHAPED.iter().map(|name| (format!("{name}<>"), 0)))
}

/// The items that fit the typed prefix.
struct Collector<'p> {
    prefix: &'p str,
    replace: Range<usize>,
    items: BTreeMap<String, Item>,
}

impl Collector<'_> {
    fn add(&mut self, label: impl Into<String>, kind: ItemKind, detail: impl Into<String>, order: u8) {
        let label: String = label.into();
        if !label.is_empty() && label.starts_with(self.prefix) && label != self.prefix {
            let replace = self.replace.clone();
            let item =
                Item { label: label.clone(), kind, detail: detail.into(), replace, order, ..Item::default() };
            self.items.entry(label).or_insert(item);
        }
    }

    fn finish(self) -> Completions {
        let mut items: Vec<Item> = self.items.into_values().collect();
        items.sort_by_key(|item| item.order);
        let is_incomplete = items.len() > MOST_ITEMS;
        items.truncate(MOST_ITEMS);
        Completions { items, is_incomplete }
    }
}

/// Returns the completions at an offset.
pub(crate) fn complete(workspace: &Workspace, path: &str, offset: usize) -> Completions {
    let Some(text) = workspace.ir(path) else { return Completions::default() };
    let offset = text.document.boundary(offset);
    let before = &text.text()[..offset];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let length = before.bytes().rev().take_while(|byte| is_part(byte)).count();
    let mut start = offset - length;
    let sign = before[..start].chars().next_back().filter(|sign| matches!(sign, '%' | '^' | '@' | '!' | '#'));
    start -= sign.map_or(0, char::len_utf8);
    let line = before[..start].rsplit('\n').next().unwrap_or_default();
    // Nothing is completed in a comment.
    if line.contains("//") {
        return Completions::default();
    }
    let prefix = &before[start..];
    let mut found = Collector { prefix, replace: start..offset, items: BTreeMap::new() };
    let names = text.names();
    match sign {
        Some('%') => values(&text, &names, offset, &mut found),
        Some('^') => blocks(&names, &mut found),
        Some('@') => symbols(&names, &mut found),
        Some('!') => parameters(&text, DefinitionSpace::Type, '!', &mut found),
        Some('#') => parameters(&text, DefinitionSpace::Attribute, '#', &mut found),
        _ if begins_statement(line) && !is_in_dictionary(&text, start) => {
            operations(&text, start, &mut found)
        }
        _ => inside_operation(&text, &names, start, &mut found),
    }
    found.finish()
}

/// Returns true if an operation's name may come after this text of its line.
fn begins_statement(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || line.ends_with('{')
        || line.ends_with('=') && line.starts_with('%') && !line[..line.len() - 1].contains(['(', '{', '='])
}

/// Returns true if an offset is between the braces of attributes.
fn is_in_dictionary(text: &IrText, offset: usize) -> bool {
    let token = text.ir.tokens.at_byte(offset).saturating_sub(1);
    let innermost = text.path_to(token).into_iter().rev().map(|id| text.node(id).kind).find(|kind| {
        matches!(kind, NodeKind::Operation | NodeKind::Region | NodeKind::Dictionary | NodeKind::Properties)
    });
    matches!(innermost, Some(NodeKind::Dictionary | NodeKind::Properties))
}

/// Returns for each node the innermost operation, region or piece around it.
fn scopes(text: &IrText) -> Vec<Option<NodeId>> {
    let mut open: Vec<NodeId> = Vec::new();
    let around = |id: NodeId| {
        while open.last().is_some_and(|last| text.ir.tree.inside(*last).end <= id.0) {
            open.pop();
        }
        let scope = open.last().copied();
        if matches!(text.node(id).kind, NodeKind::Operation | NodeKind::Region | NodeKind::Piece) {
            open.push(id);
        }
        scope
    };
    text.ir.tree.ids().map(around).collect()
}

/// Adds the values that are visible.
fn values(text: &IrText, names: &Names<'_>, offset: usize, found: &mut Collector<'_>) {
    let types = text.value_types();
    let scopes = scopes(text);
    for value in names.values.iter().filter(|value| !value.is_possible) {
        let node = text.node(value.node);
        let own = text.range(value.node);
        // An operation does not see its own results.
        let is_own = node.kind == NodeKind::Result && offset <= text.range(value.operation).end;
        if own.start >= offset || is_own {
            continue;
        }
        // A result is visible in the region around its operation, an argument in that of its block.
        let inner = if node.kind == NodeKind::Result { value.operation } else { value.node };
        let scope = scopes.get(inner.0 as usize).copied().flatten();
        if scope.is_none_or(|scope| offset > text.range(scope).end) {
            continue;
        }
        let detail = types.get(&node.first).map(|types| {
            let types: Vec<String> = types
                .iter()
                .map(|ty| ty.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string))
                .collect();
            types.join(", ")
        });
        found.add(value.name, ItemKind::Variable, detail.unwrap_or_default(), 0);
    }
}

fn blocks(names: &Names<'_>, found: &mut Collector<'_>) {
    names.blocks.iter().for_each(|block| found.add(block.name, ItemKind::Argument, "block", 0));
}

fn symbols(names: &Names<'_>, found: &mut Collector<'_>) {
    let is_word = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
    };
    for symbol in &names.symbols {
        let label =
            if is_word(symbol.name) { format!("@{}", symbol.name) } else { format!("@\"{}\"", symbol.name) };
        found.add(label, ItemKind::Def, "symbol", 0);
    }
}

/// Adds the types or attributes of dialects, and aliases.
fn parameters(text: &IrText, space: DefinitionSpace, sign: char, found: &mut Collector<'_>) {
    for (alias, _) in text.aliases().filter(|(alias, _)| alias.starts_with(sign)) {
        found.add(alias, ItemKind::Variable, "alias", 0);
    }
    for (own, name) in text.definitions.places.keys() {
        if *own == space {
            found.add(format!("{sign}{name}"), ItemKind::Type, "", 1);
        }
    }
}

/// Adds operations. In a region whose operations need no prefix, those of its dialect are without it.
fn operations(text: &IrText, start: usize, found: &mut Collector<'_>) {
    let definitions = text.definitions.checker.definitions();
    let token = text.ir.tokens.at_byte(start);
    let around = text.path_to(token.saturating_sub(1));
    let default = around.iter().rev().find_map(|id| {
        let node = text.node(*id);
        if node.kind != NodeKind::Operation || text.range(*id).end < start {
            return None;
        }
        definitions.get(u32::from(node.data))?.default_dialect.as_deref()
    });
    for operation in definitions.operations() {
        let detail = operation.class.trim_start_matches("::");
        match default.and_then(|dialect| operation.name.strip_prefix(dialect)?.strip_prefix('.')) {
            Some(short) => found.add(short, ItemKind::Class, detail, 0),
            None => found.add(&*operation.name, ItemKind::Class, detail, 1),
        }
    }
}

/// Adds what the form of the operation around the offset may have next.
fn inside_operation(text: &IrText, names: &Names<'_>, start: usize, found: &mut Collector<'_>) {
    let token = text.ir.tokens.at_byte(start).saturating_sub(1);
    let path = text.path_to(token);
    let Some(operation) = path.iter().rev().find(|id| text.node(**id).kind == NodeKind::Operation) else {
        return;
    };
    let definitions = text.definitions.checker.definitions();
    let Some(def) = definitions.get(u32::from(text.node(*operation).data)) else { return };
    if is_in_dictionary(text, start) {
        for part in def.parts.iter().filter(|part| part.attribute.is_some()) {
            found.add(format!("{} = ", part.name), ItemKind::Field, "attribute", 0);
        }
        return;
    }
    let (Some(program), Some(name)) = (&def.program, text.ir.tree.child(*operation, NodeKind::Name)) else {
        return;
    };
    let Some(own) = text.text().get(text.range(name).end..start) else { return };
    for piece in format::expected(own, program, definitions) {
        match piece {
            PieceKind::Literal(word) => found.add(&*word, ItemKind::Keyword, "", 0),
            PieceKind::Case { words } => {
                words.iter().for_each(|word| found.add(&**word, ItemKind::Field, "case", 0));
            }
            PieceKind::Untyped(Untyped::Bool) => {
                ["true", "false"].into_iter().for_each(|word| found.add(word, ItemKind::Keyword, "", 0));
            }
            PieceKind::Value | PieceKind::Bound => values(text, names, start, found),
            PieceKind::Successor { .. } => blocks(names, found),
            PieceKind::Symbol | PieceKind::SymbolPath => symbols(names, found),
            PieceKind::Type(_) | PieceKind::FunctionType | PieceKind::ResultTypes => {
                builtin_types().for_each(|(ty, order)| found.add(ty, ItemKind::Type, "", order));
                parameters(text, DefinitionSpace::Type, '!', found);
            }
            PieceKind::Attribute => parameters(text, DefinitionSpace::Attribute, '#', found),
            _ => {}
        }
    }
}
