//! Names in a text: values, blocks and symbols, their definitions and their uses.
//!
//! ```text
//! %a = t.x              %a is defined after its own operation, visible to the end of its region and in nested ones
//! t.y {                 a use before the definition waits for one in this or an outer region
//!   t.z %a, %b          %b waits
//! }
//! %b = t.x              and is found
//! ```
//!
//! A part that is not understood may use and define values. Its names silence: a use that may refer to one of them is
//! not undeclared.

use rustc_hash::FxHashMap;

use crate::{
    definitions::{Definitions, Form, OperationDef},
    file::Ir,
    tree::{NO_DATA, NodeId, NodeKind, flags},
};

/// A value, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueId(pub u32);

/// A value: results of one name, or an argument of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value<'t> {
    /// The name, with `%`.
    pub name: &'t str,
    /// The node that defines it.
    pub node: NodeId,
    /// The operation whose result it is, or whose region has the block.
    pub operation: NodeId,
    /// The number of results of the name.
    pub count: u32,
    /// True if a part that is not understood may define it.
    pub is_possible: bool,
}

/// A use of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'t> {
    /// The name, with `%`.
    pub name: &'t str,
    /// The node.
    pub node: NodeId,
    /// The operation.
    pub operation: NodeId,
    /// The number of the result: 1 for `%a#1`.
    pub number: u32,
    /// The value; nothing if no definition is visible.
    pub value: Option<ValueId>,
    /// True if a part that is not understood may use it.
    pub is_possible: bool,
    /// True if the definition comes after the use.
    pub is_forward: bool,
    /// The isolated operation between the use and the definition.
    pub barrier: Option<NodeId>,
}

/// A block with a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'t> {
    /// The name, with `^`.
    pub name: &'t str,
    /// The node of the block.
    pub node: NodeId,
    /// True if it is the first one of its region.
    pub is_entry: bool,
}

/// A use of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockUse<'t> {
    /// The name, with `^`.
    pub name: &'t str,
    /// The node.
    pub node: NodeId,
    /// The index of the block; nothing if its region has none of the name.
    pub block: Option<usize>,
    /// True if a part that is not understood may use it.
    pub is_possible: bool,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'t> {
    /// The name without `@` and quotes.
    pub name: &'t str,
    /// The node with the name.
    pub node: NodeId,
    /// The operation with the name.
    pub operation: NodeId,
    /// The operation with the table that has it; nothing for the top of the piece.
    pub table: Option<NodeId>,
}

/// A fault in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// A use of a value without a definition, by its index.
    Undeclared(usize),
    /// A value whose name is visible already, and the other value.
    Redefinition(ValueId, ValueId),
    /// An argument of a function whose name is in use already.
    ArgumentInUse(ValueId),
    /// A use of a result that the name does not have, by its index.
    InvalidResult(usize),
    /// A use of a block without a definition, by its index.
    UndefinedBlock(usize),
    /// A block whose name the region has already, by its index.
    BlockRedefinition(usize),
}

/// The names of a text.
#[derive(Clone, Debug, Default)]
pub struct Names<'t> {
    /// The values, in the order of their definitions.
    pub values: Vec<Value<'t>>,
    /// The uses of values, in the order of the text.
    pub uses: Vec<Use<'t>>,
    /// The blocks with labels.
    pub blocks: Vec<Block<'t>>,
    /// The uses of blocks.
    pub block_uses: Vec<BlockUse<'t>>,
    /// The symbols.
    pub symbols: Vec<Symbol<'t>>,
    /// The faults, in the order in which they are found.
    pub issues: Vec<Issue>,
}

impl<'t> Names<'t> {
    /// Finds the names of a text.
    #[must_use]
    pub fn new(ir: &Ir, text: &'t str, definitions: &Definitions) -> Self {
        let mut finder = Finder {
            ir,
            text,
            definitions,
            names: Names::default(),
            visible: FxHashMap::default(),
            stack: Vec::new(),
            operations: Vec::new(),
            regions: 0,
        };
        finder.file();
        finder.names
    }

    /// Returns the uses of each value, in the order of the text.
    #[must_use]
    pub fn uses_by_value(&self) -> Vec<Vec<usize>> {
        let mut uses = vec![Vec::new(); self.values.len()];
        for (index, one) in self.uses.iter().enumerate() {
            if let Some(list) = one.value.and_then(|value| uses.get_mut(value.0 as usize)) {
                list.push(index);
            }
        }
        uses
    }
}

/// A name in a scope.
#[derive(Debug, Default)]
struct Entry {
    value: Option<ValueId>,
    /// The number of operations around its definition.
    depth: usize,
    /// Uses that wait for the definition.
    waiting: Vec<usize>,
}

/// A region that is open.
#[derive(Debug, Default)]
struct OpenRegion<'t> {
    /// The values that are defined in it.
    names: Vec<&'t str>,
    blocks: FxHashMap<&'t str, usize>,
    /// The uses of its blocks.
    block_uses: Vec<usize>,
}

/// An operation that is open.
#[derive(Debug)]
struct OpenOperation<'t> {
    node: NodeId,
    is_isolated: bool,
    /// True if unknown C++ reads its regions: it may hide names.
    may_hide: bool,
    has_table: bool,
    /// Arguments of the next region.
    arguments: Vec<NodeId>,
    /// Names that its next regions may have.
    possible: Vec<(&'t str, NodeId)>,
}

struct Finder<'i, 't> {
    ir: &'i Ir,
    text: &'t str,
    definitions: &'i Definitions,
    names: Names<'t>,
    visible: FxHashMap<&'t str, Entry>,
    stack: Vec<OpenRegion<'t>>,
    operations: Vec<OpenOperation<'t>>,
    regions: u32,
}

/// The deepest nesting that is looked into; the reader has a lower limit.
const DEPTH: u32 = 1000;

impl<'t> Finder<'_, 't> {
    fn token(&self, token: u32) -> &'t str {
        &self.text[self.ir.tokens.range(token)]
    }

    fn file(&mut self) {
        for piece in self.ir.tree.children(self.ir.tree.root()).collect::<Vec<_>>() {
            self.visible.clear();
            self.stack.clear();
            self.operations.clear();
            self.open();
            for child in self.children(piece) {
                self.visit(child);
            }
            self.close();
            let visible = std::mem::take(&mut self.visible);
            let mut waiting: Vec<usize> = visible.into_values().flat_map(|entry| entry.waiting).collect();
            waiting.sort_unstable();
            let uses = &self.names.uses;
            let issues =
                waiting.into_iter().filter(|index| uses.get(*index).is_some_and(|one| !one.is_possible));
            self.names.issues.extend(issues.map(Issue::Undeclared));
        }
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.ir.tree.children(id).collect()
    }

    fn open(&mut self) {
        self.stack.push(OpenRegion::default());
    }

    fn close(&mut self) {
        let Some(region) = self.stack.pop() else { return };
        for name in region.names {
            self.visible.remove(name);
        }
        for index in region.block_uses {
            let Some(one) = self.names.block_uses.get_mut(index) else { continue };
            one.block = region.blocks.get(one.name).copied();
            if one.block.is_none() && !one.is_possible {
                self.names.issues.push(Issue::UndefinedBlock(index));
            }
        }
    }

    fn visit(&mut self, id: NodeId) {
        if self.regions > DEPTH {
            return;
        }
        let node = self.ir.tree.node(id);
        match node.kind {
            NodeKind::Operation => self.operation(id),
            NodeKind::Operand => self.use_of(id, false),
            NodeKind::PossibleUse => {
                self.use_of(id, true);
                self.possible(id);
            }
            NodeKind::PossibleDefinition => self.possible(id),
            NodeKind::BlockArgument => {
                if let Some(operation) = self.operations.last_mut() {
                    operation.arguments.push(id);
                }
                self.inside(id);
            }
            NodeKind::Successor => {
                let is_possible = node.flags & flags::PARTLY != 0;
                let name = self.token(node.first);
                if let Some(region) = self.stack.last_mut() {
                    region.block_uses.push(self.names.block_uses.len());
                }
                self.names.block_uses.push(BlockUse { name, node: id, block: None, is_possible });
                self.inside(id);
            }
            NodeKind::SymbolName => {
                let name = self.token(node.first).trim_start_matches('@').trim_matches('"');
                self.symbol(name, id);
            }
            NodeKind::Entry => self.entry(id),
            NodeKind::Region => self.region(id),
            NodeKind::File
            | NodeKind::Piece
            | NodeKind::Block
            | NodeKind::Dictionary
            | NodeKind::Properties
            | NodeKind::Unknown
            | NodeKind::Attribute => self.inside(id),
            _ => {}
        }
    }

    fn inside(&mut self, id: NodeId) {
        for child in self.children(id) {
            self.visit(child);
        }
    }

    fn operation(&mut self, id: NodeId) {
        let node = self.ir.tree.node(id);
        let def = (node.data != NO_DATA).then(|| self.definitions.get(u32::from(node.data))).flatten();
        let is_generic = node.flags & flags::GENERIC != 0;
        self.operations.push(OpenOperation {
            node: id,
            is_isolated: def.is_some_and(|def| def.is_isolated),
            may_hide: !is_generic && def.is_none_or(|def| def.form == Form::HandWritten),
            has_table: def.is_some_and(has_symbol_table),
            arguments: Vec::new(),
            possible: Vec::new(),
        });
        let children = self.children(id);
        let is_result = |child: &&NodeId| self.ir.tree.node(**child).kind == NodeKind::Result;
        let results: Vec<NodeId> = children.iter().filter(is_result).copied().collect();
        for child in children {
            self.visit(child);
        }
        self.operations.pop();
        for result in results {
            let node = self.ir.tree.node(result);
            let count = match node.end.saturating_sub(node.first) {
                3 => self.token(node.first + 2).parse().unwrap_or(1),
                _ => 1,
            };
            self.define(self.token(node.first), result, id, count, false);
        }
    }

    fn region(&mut self, id: NodeId) {
        self.regions += 1;
        self.open();
        let operation = self.operations.last().map_or(id, |operation| operation.node);
        let arguments =
            self.operations.last_mut().map(|it| std::mem::take(&mut it.arguments)).unwrap_or_default();
        for argument in arguments {
            let name = self.token(self.ir.tree.node(argument).first);
            if !name.starts_with('%') {
                continue;
            }
            if self.visible.contains_key(name) && !self.may_hide() {
                let value = self.value(name, argument, operation, 1, false);
                self.names.issues.push(Issue::ArgumentInUse(value));
            } else {
                self.define(name, argument, operation, 1, false);
            }
        }
        let possible = self.operations.last().map(|it| it.possible.clone()).unwrap_or_default();
        for (name, node) in possible {
            if self.visible.get(name).is_none_or(|entry| entry.value.is_none()) {
                self.define(name, node, operation, 1, true);
            }
        }
        for (index, block) in self.children(id).into_iter().enumerate() {
            self.block(block, index == 0, operation);
        }
        self.close();
        self.regions -= 1;
    }

    fn block(&mut self, id: NodeId, is_entry: bool, operation: NodeId) {
        for child in self.children(id) {
            let node = self.ir.tree.node(child);
            match node.kind {
                NodeKind::BlockLabel => {
                    let name = self.token(node.first);
                    let index = self.names.blocks.len();
                    self.names.blocks.push(Block { name, node: id, is_entry });
                    let Some(region) = self.stack.last_mut() else { continue };
                    if region.blocks.insert(name, index).is_some() {
                        self.names.issues.push(Issue::BlockRedefinition(index));
                    }
                }
                NodeKind::BlockArgument => {
                    self.define(self.token(node.first), child, operation, 1, false);
                }
                _ => self.visit(child),
            }
        }
    }

    fn value(
        &mut self,
        name: &'t str,
        node: NodeId,
        operation: NodeId,
        count: u32,
        is_possible: bool,
    ) -> ValueId {
        let id = ValueId(u32::try_from(self.names.values.len()).unwrap_or(u32::MAX));
        self.names.values.push(Value { name, node, operation, count, is_possible });
        id
    }

    /// Returns true if a region around may hide names of the outside.
    fn may_hide(&self) -> bool {
        self.operations.iter().any(|operation| operation.is_isolated && operation.may_hide)
    }

    fn define(&mut self, name: &'t str, node: NodeId, operation: NodeId, count: u32, is_possible: bool) {
        let id = self.value(name, node, operation, count, is_possible);
        let may_hide = self.may_hide();
        let depth = self.operations.len();
        let entry = self.visible.entry(name).or_default();
        if let Some(other) = entry.value {
            let is_soft = is_possible
                || may_hide
                || self.names.values.get(other.0 as usize).is_none_or(|it| it.is_possible);
            if !is_soft {
                self.names.issues.push(Issue::Redefinition(id, other));
                return;
            }
            // The outer name is visible again only if nothing depends on it: such names are silent.
            entry.value = Some(id);
            return;
        }
        entry.value = Some(id);
        entry.depth = depth;
        for index in std::mem::take(&mut entry.waiting) {
            if let Some(one) = self.names.uses.get_mut(index) {
                one.value = Some(id);
                one.is_forward = true;
                if one.number >= count && !is_possible && !one.is_possible {
                    self.names.issues.push(Issue::InvalidResult(index));
                }
            }
        }
        if let Some(region) = self.stack.last_mut() {
            region.names.push(name);
        }
    }

    fn use_of(&mut self, id: NodeId, is_possible: bool) {
        let node = self.ir.tree.node(id);
        let name = self.token(node.first);
        let number = match node.end.saturating_sub(node.first) {
            2 => self.token(node.first + 1).trim_start_matches('#').parse().unwrap_or(0),
            _ => 0,
        };
        let operation = self.operations.last().map_or(id, |operation| operation.node);
        let index = self.names.uses.len();
        let entry = self.visible.entry(name).or_default();
        let mut barrier = None;
        match entry.value {
            Some(value) => {
                let inner = self.operations.get(entry.depth..).unwrap_or_default();
                // The operation itself uses the value outside its own regions.
                let around = inner.split_last().map_or(inner, |(_, around)| around);
                barrier =
                    around.iter().find(|operation| operation.is_isolated).map(|operation| operation.node);
                let known = self.names.values.get(value.0 as usize);
                if known.is_some_and(|known| number >= known.count && !known.is_possible) && !is_possible {
                    self.names.issues.push(Issue::InvalidResult(index));
                }
            }
            None => entry.waiting.push(index),
        }
        let value = entry.value;
        self.names.uses.push(Use {
            name,
            node: id,
            operation,
            number,
            value,
            is_possible,
            is_forward: false,
            barrier,
        });
    }

    fn possible(&mut self, id: NodeId) {
        let name = self.token(self.ir.tree.node(id).first);
        if let Some(operation) = self.operations.last_mut() {
            operation.possible.push((name, id));
        }
    }

    /// Finds `sym_name = "x"`.
    fn entry(&mut self, id: NodeId) {
        let key = self.ir.tree.child(id, NodeKind::Key).map(|key| self.token(self.ir.tree.node(key).first));
        if key.is_some_and(|key| key.trim_matches('"') == "sym_name")
            && let Some(value) = self.ir.tree.child(id, NodeKind::Attribute)
        {
            let text = self.token(self.ir.tree.node(value).first);
            if let Some(name) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                self.symbol(name, value);
            }
            return;
        }
        self.inside(id);
    }

    fn symbol(&mut self, name: &'t str, node: NodeId) {
        let Some((operation, outer)) = self.operations.split_last() else { return };
        let table = outer.iter().rev().find(|it| it.has_table).map(|it| it.node);
        self.names.symbols.push(Symbol { name, node, operation: operation.node, table });
    }
}

fn has_symbol_table(def: &OperationDef) -> bool {
    def.has_trait("::mlir::OpTrait::SymbolTable")
}
