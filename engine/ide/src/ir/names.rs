//! Names in IR: what a name refers to, all its mentions, and its renaming.

use std::ops::Range;

use odsmith_engine::ir::{
    Names, NodeId, NodeKind, TokenKind,
    scope::{Symbol, ValueId},
    tree::Node,
};

use super::{DefinitionSpace, IrText};
use crate::{document::FileRange, rename::Renaming, workspace::Workspace};

/// A thing that names in IR refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IrName {
    /// A value.
    Value(ValueId),
    /// A block, by its index.
    Block(usize),
    /// A symbol, by its index.
    Symbol(usize),
    /// An alias, by its name with `#` or `!`.
    Alias(String),
    /// Something that is defined in `.td`, by its full name.
    Definition(DefinitionSpace, String),
}

/// A name at a position.
pub(crate) struct ResolvedName {
    pub(crate) name: IrName,
    pub(crate) range: Range<usize>,
}

/// Returns the bytes of a name that begins a node's text, without the number after it.
fn name_range(text: &IrText, node: NodeId, name: &str) -> Range<usize> {
    let start = text.range(node).start;
    start..start + name.len()
}

/// Returns the tables of symbols around a node, the innermost first; nothing is the top of the file.
fn tables_around(text: &IrText, names: &Names<'_>, node: Node) -> Vec<Option<NodeId>> {
    let path = text.path_to(node.first);
    let is_table = |id: &NodeId| names.symbols.iter().any(|symbol| symbol.table == Some(*id));
    path.iter().rev().copied().filter(is_table).map(Some).chain([None]).collect()
}

/// Returns the parts of a use of a symbol, each with the symbol that it refers to.
fn parts_of_use(text: &IrText, names: &Names<'_>, id: NodeId) -> Vec<(Range<usize>, Option<usize>)> {
    let node = text.node(id);
    let mut found: Vec<(Range<usize>, Option<usize>)> = Vec::new();
    for token in node.first..node.end {
        if text.ir.tokens.kind(token) != TokenKind::Symbol {
            continue;
        }
        let range = text.ir.tokens.range(token);
        let name = bare(&text.text()[range.clone()]);
        let of_table = |table: Option<NodeId>| {
            names.symbols.iter().position(|symbol| symbol.table == table && symbol.name == name)
        };
        let symbol = match found.last() {
            None => tables_around(text, names, node).into_iter().find_map(of_table),
            Some((_, around)) => around.and_then(|index| of_table(Some(names.symbols.get(index)?.operation))),
        };
        found.push((range, symbol));
    }
    found
}

fn bare(symbol: &str) -> &str {
    symbol.trim_start_matches('@').trim_matches('"')
}

/// Returns the name at an offset.
pub(crate) fn resolve(text: &IrText, names: &Names<'_>, offset: usize) -> Option<ResolvedName> {
    let token = text.token_at(offset)?;
    let whole = text.ir.tokens.range(token);
    let word = text.text().get(whole.clone())?;
    let at = |name: IrName, range: Range<usize>| {
        (range.start <= offset && offset <= range.end).then_some(ResolvedName { name, range })
    };
    let begins_at = |node: NodeId| text.node(node).first == token;
    match text.ir.tokens.kind(token) {
        TokenKind::Value => {
            let defined = names.values.iter().position(|value| begins_at(value.node) && !value.is_possible);
            let used = names.uses.iter().find(|one| begins_at(one.node));
            let value = match defined {
                Some(index) => ValueId(u32::try_from(index).ok()?),
                None => used?.value?,
            };
            let name = names.values.get(value.0 as usize)?.name;
            at(IrName::Value(value), whole.start..whole.start + name.len())
        }
        TokenKind::Block => {
            let defined = names.blocks.iter().position(|block| begins_at(block.node));
            let block = defined.or_else(|| names.block_uses.iter().find(|one| begins_at(one.node))?.block)?;
            let name = names.blocks.get(block)?.name;
            at(IrName::Block(block), whole.start..whole.start + name.len())
        }
        TokenKind::Symbol => {
            if let Some(symbol) = names.symbols.iter().position(|symbol| begins_at(symbol.node)) {
                return at(IrName::Symbol(symbol), whole);
            }
            let path = text.path_to(token);
            let use_ = path.iter().rev().find(|id| text.node(**id).kind == NodeKind::SymbolUse)?;
            let (range, symbol) =
                parts_of_use(text, names, *use_).into_iter().find(|(range, _)| *range == whole)?;
            at(IrName::Symbol(symbol?), range)
        }
        _ => {
            let path = text.path_to(token);
            let innermost = *path.last()?;
            let kind = text.node(innermost).kind;
            if matches!(kind, NodeKind::AliasUse | NodeKind::AliasDefinition)
                && begins_at(innermost)
                && word.starts_with(['#', '!'])
            {
                return at(IrName::Alias(word.to_owned()), whole);
            }
            if kind == NodeKind::Name {
                let operation = *path.iter().rev().find(|id| text.node(**id).kind == NodeKind::Operation)?;
                let name = text.operation_name(operation)?.to_owned();
                return at(IrName::Definition(DefinitionSpace::Operation, name), text.range(innermost));
            }
            let space = match word.chars().next()? {
                '!' => DefinitionSpace::Type,
                '#' => DefinitionSpace::Attribute,
                _ => return None,
            };
            let name = &word[1..];
            text.definitions.place(space, name)?;
            at(IrName::Definition(space, name.to_owned()), whole)
        }
    }
}

/// Returns the place of a name's definition in the text.
fn definition_in_text(text: &IrText, names: &Names<'_>, name: &IrName) -> Option<Range<usize>> {
    match name {
        IrName::Value(id) => {
            let value = names.values.get(id.0 as usize)?;
            Some(name_range(text, value.node, value.name))
        }
        IrName::Block(index) => {
            let block = names.blocks.get(*index)?;
            Some(name_range(text, block.node, block.name))
        }
        IrName::Symbol(index) => Some(text.range(names.symbols.get(*index)?.node)),
        IrName::Alias(alias) => {
            let (_, definition) = text.aliases().find(|(name, _)| name == alias)?;
            Some(text.ir.tokens.range(text.node(definition).first))
        }
        IrName::Definition(..) => None,
    }
}

/// Returns all mentions of a name in the text, in order.
fn mentions(text: &IrText, names: &Names<'_>, name: &IrName) -> Vec<Range<usize>> {
    let nodes_of = |kind: NodeKind| text.ir.tree.ids().filter(move |id| text.node(*id).kind == kind);
    let mut found: Vec<Range<usize>> = definition_in_text(text, names, name).into_iter().collect();
    match name {
        IrName::Value(id) => {
            let uses = names.uses.iter().filter(|one| one.value == Some(*id));
            found.extend(uses.map(|one| name_range(text, one.node, one.name)));
        }
        IrName::Block(index) => {
            let uses = names.block_uses.iter().filter(|one| one.block == Some(*index));
            found.extend(uses.map(|one| name_range(text, one.node, one.name)));
        }
        IrName::Symbol(index) => {
            // Tables are looked up only for uses that mention the name.
            let name = names.symbols.get(*index).map_or("", |symbol| symbol.name);
            let may_be = |id: &NodeId| text.text()[text.range(*id)].contains(name);
            let uses = nodes_of(NodeKind::SymbolUse).filter(may_be);
            let uses = uses.flat_map(|id| parts_of_use(text, names, id));
            found.extend(uses.filter(|(_, symbol)| symbol == &Some(*index)).map(|(range, _)| range));
        }
        IrName::Alias(alias) => {
            let uses = nodes_of(NodeKind::AliasUse).map(|id| text.range(id));
            found.extend(uses.filter(|range| text.text()[range.clone()] == **alias));
        }
        IrName::Definition(DefinitionSpace::Operation, name) => {
            let is_own = |id: &NodeId| text.operation_name(*id) == Some(name);
            let operations = nodes_of(NodeKind::Operation).filter(is_own);
            found.extend(
                operations.filter_map(|id| text.ir.tree.child(id, NodeKind::Name)).map(|id| text.range(id)),
            );
        }
        IrName::Definition(space, name) => {
            let sign = if *space == DefinitionSpace::Type { '!' } else { '#' };
            let tokens = (0..text.ir.tokens.len()).map(|token| text.ir.tokens.range(token));
            let is_own = |range: &Range<usize>| text.text()[range.clone()].strip_prefix(sign) == Some(name);
            found.extend(tokens.filter(is_own));
        }
    }
    found.sort_by_key(|range| range.start);
    found.dedup();
    found
}

/// Returns the places that define the name at an offset.
pub(crate) fn definition(workspace: &Workspace, path: &str, offset: usize) -> Vec<FileRange> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let names = text.names();
    let Some(ResolvedName { name, .. }) = resolve(&text, &names, offset) else { return Vec::new() };
    let place = match &name {
        IrName::Definition(space, name) => text.definitions.place(*space, name).cloned(),
        name => definition_in_text(&text, &names, name).map(|range| text.document.place(range)),
    };
    place.into_iter().collect()
}

/// Returns the mentions of the name at an offset.
pub(crate) fn highlights(workspace: &Workspace, path: &str, offset: usize) -> Vec<Range<usize>> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let names = text.names();
    resolve(&text, &names, offset).map_or_else(Vec::new, |found| mentions(&text, &names, &found.name))
}

/// Returns the range that a new name would replace.
pub(crate) fn prepare(workspace: &Workspace, path: &str, offset: usize) -> Result<Range<usize>, String> {
    let nothing = || "there is no name to change here".to_owned();
    let text = workspace.ir(path).ok_or_else(nothing)?;
    let found = resolve(&text, &text.names(), offset).ok_or_else(nothing)?;
    match found.name {
        IrName::Definition(..) => Err("the name is defined in .td: change it there".to_owned()),
        _ => Ok(found.range),
    }
}

/// Renames the value, block, symbol or alias at an offset.
pub(crate) fn rename(
    workspace: &Workspace,
    path: &str,
    offset: usize,
    new: &str,
) -> Result<Renaming, String> {
    prepare(workspace, path, offset)?;
    let text = workspace.ir(path).ok_or("the file is gone")?;
    let names = text.names();
    let found = resolve(&text, &names, offset).ok_or("there is no name to change here")?;
    let old = &text.text()[found.range.clone()];
    let sign = old.chars().next().unwrap_or('%');
    let bare = new.strip_prefix(sign).unwrap_or(new);
    let is_number = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let is_word = bare.bytes().all(is_part)
        && bare
            .starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$' | '.' | '-'));
    let may_be_number = matches!(sign, '%' | '^');
    if !(is_word || is_number && may_be_number) {
        return Err(format!(
            "'{bare}' is no name after '{sign}': letters, digits, '_', '$', '.' and '-' make one, and no digit comes first"
        ));
    }
    let new = format!("{sign}{bare}");
    let is_taken = match &found.name {
        IrName::Value(_) => names.values.iter().any(|value| value.name == new),
        IrName::Block(_) => names.blocks.iter().any(|block| block.name == new),
        IrName::Symbol(index) => {
            let table = names.symbols.get(*index).and_then(|symbol| symbol.table);
            names.symbols.iter().any(|symbol: &Symbol<'_>| symbol.table == table && symbol.name == bare)
        }
        IrName::Alias(_) => definition_in_text(&text, &names, &IrName::Alias(new.clone())).is_some(),
        IrName::Definition(..) => false,
    };
    if is_taken && old != new {
        return Err(format!("there is something named '{new}' already"));
    }
    let places = mentions(&text, &names, &found.name);
    let places = places.into_iter().map(|range| text.document.place(range)).collect();
    Ok(Renaming { places, text: new, note: None })
}
