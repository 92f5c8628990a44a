//! Names of aliases, operations and symbols.

use rustc_hash::FxHashSet;

use super::{
    parts::Parts,
    rules::OperationRules,
    walk::{Parent, Walk},
};
use crate::{
    definitions::OperationDef,
    lexer::TokenKind as T,
    tree::{Node, NodeId, NodeKind},
};

/// Operations of known dialects that are defined in C++ alone.
const CPP_ONLY: &[&str] = &["affine.dma_start", "affine.dma_wait"];

impl<'w> Walk<'w> {
    pub(super) fn alias(&mut self, id: NodeId) {
        let first = self.node(id).first;
        let word = self.token_text(first);
        let (name, is_type) = (&word[1..], word.starts_with('!'));
        let what = if is_type { "type" } else { "attribute" };
        if name.contains('.') {
            self.fault(first, format!("{what} names with a '.' are reserved for dialect-defined names"));
            return;
        }
        let aliases = &self.cursor.aliases;
        let is_known = if is_type { aliases.has_type(name) } else { aliases.has_attribute(name) };
        if is_known {
            self.fault(first, format!("redefinition of {what} alias id '{name}'"));
            return;
        }
        self.alias_uses(id);
        if is_type {
            let ty = self.ir.tree.child(id, NodeKind::Type).and_then(|ty| self.read_type(ty));
            self.cursor.aliases.define_type(name, ty);
        } else {
            let attribute = self.ir.tree.child(id, NodeKind::Attribute);
            let attribute = attribute.and_then(|attribute| self.read_attribute(attribute, None));
            self.cursor.aliases.define_attribute(name, attribute);
        }
    }

    /// Notes uses of aliases that are not defined before. Those in locations may be defined later.
    pub(super) fn alias_uses(&mut self, id: NodeId) {
        let range = self.ir.tree.inside(id);
        let mut at = range.start;
        while at < range.end {
            let node = NodeId(at);
            let Node { kind, first, .. } = self.node(node);
            if kind == NodeKind::Location {
                at = self.ir.tree.inside(node).end;
                continue;
            }
            // Operations inside are looked at on their own.
            if kind == NodeKind::Region {
                at = self.ir.tree.inside(node).end;
                continue;
            }
            if kind == NodeKind::AliasUse {
                let word = self.token_text(first);
                let aliases = &self.cursor.aliases;
                let is_known = match word.strip_prefix('!') {
                    Some(name) => aliases.has_type(name),
                    None => aliases.has_attribute(&word[1..]),
                };
                if !is_known && !self.is_broken {
                    self.fault(first, format!("undefined symbol alias id '{}'", &word[1..]));
                }
            }
            at += 1;
        }
    }

    /// Notes the name of an operation that no dialect defines.
    pub(super) fn unknown_name(&mut self, name: u32) {
        let word = self.token_text(name);
        if self.defines_dialects || CPP_ONLY.contains(&word) {
            return;
        }
        let definitions = &self.checker.definitions;
        // Tests and transformations add operations to their dialects in C++.
        let is_closed = |dialect: &str| {
            definitions.has_dialect(dialect)
                && !definitions.is_extensible(dialect)
                && !matches!(dialect, "test" | "transform")
        };
        if let Some((dialect, _)) = word.split_once('.') {
            if is_closed(dialect) {
                self.fault(name, format!("custom op '{word}' is unknown"));
            }
            return;
        }
        let default = match self.parents.last() {
            None => "builtin",
            Some(Parent { is_opaque: true, .. }) => return,
            Some(Parent { def: Some(def), .. }) => def.default_dialect.as_deref().unwrap_or("builtin"),
            Some(Parent { def: None, .. }) => return,
        };
        if is_closed(default) {
            self.fault(name, format!("custom op '{word}' is unknown (tried '{default}.{word}' as well)"));
        }
    }

    /// Notes the symbol of an operation in a symbol table.
    pub(super) fn symbol(
        &mut self,
        parts: &Parts,
        (def, rules): (Option<&OperationDef>, Option<&OperationRules>),
        name: u32,
        symbols: &mut FxHashSet<&'w str>,
    ) {
        let mut own = None;
        for id in &parts.symbols {
            let node = self.node(*id);
            let is_name = def
                .and_then(|def| def.parts.get(node.data as usize))
                .is_some_and(|part| &*part.name == "sym_name")
                && rules.is_some_and(|rules| rules.attribute("sym_name").is_some_and(|rule| rule.is_text));
            if node.kind == NodeKind::SymbolName && is_name {
                own = Some(self.token_text(node.first).trim_start_matches('@').trim_matches('"'));
            }
        }
        if own.is_none() {
            let mut all = parts.dictionaries.clone();
            all.extend(parts.properties.and_then(|it| self.ir.tree.child(it, NodeKind::Dictionary)));
            for dictionary in all {
                for entry in self.ir.tree.children_of(dictionary, NodeKind::Entry) {
                    let key = self.ir.tree.child(entry, NodeKind::Key).map(|key| self.node(key).first);
                    let value = self.ir.tree.child(entry, NodeKind::Attribute).map(|it| self.node(it).first);
                    if let (Some(key), Some(value)) = (key, value)
                        && self.token_text(key) == "sym_name"
                        && self.cursor.kind(value) == T::String
                    {
                        own = Some(self.token_text(value).trim_matches('"'));
                    }
                }
            }
        }
        if let Some(symbol) = own
            && !symbols.insert(symbol)
        {
            self.fault(name, format!("redefinition of symbol named '{symbol}'"));
        }
    }
}
