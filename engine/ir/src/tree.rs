//! A flat tree over tokens: nodes in the order of the text, each with its first token, its end and its next sibling.
//!
//! ```text
//! %a = t.x %b : i32      Operation 0..6 { Result 0..1, Name 2..3, Operand 3..4, Type 5..6 }
//! ```
//!
//! The first child of a node directly follows it. Text without a node of its own (keywords, punctuation) belongs to the
//! node around it.

use std::ops::Range;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    File,
    /// The text between two comments `// -----`.
    Piece,
    /// An operation, from its results to its location. Its data is the number of its definition.
    Operation,
    /// The name of an operation.
    Name,
    /// A result before `=`: `%a`, `%a:2`.
    Result,
    /// A use of a value: `%a`, `%a#1`. Its data is the number of the operand.
    Operand,
    /// A use of a block, with the values that are passed to it.
    Successor,
    /// `{ … }` with operations. Its data is the number of the region.
    Region,
    /// The operations of a block, from its label on.
    Block,
    /// The name of a block, at its definition.
    BlockLabel,
    /// An argument of a block: `%a: i32`.
    BlockArgument,
    /// A dictionary of attributes.
    Dictionary,
    /// `<{ … }>`, or the attribute between `<` and `>`.
    Properties,
    /// An entry of a dictionary.
    Entry,
    /// The name of an entry.
    Key,
    /// An attribute. Its data is the number of the argument, if it is one.
    Attribute,
    /// A type. Its data is the number of the operand or result with the type.
    Type,
    /// `(…) -> …`.
    FunctionType,
    /// A symbol that is defined: `@a`.
    SymbolName,
    /// A symbol that is used: `@a::@b`.
    SymbolUse,
    /// `loc(…)`.
    Location,
    /// `#a = …`, `!a = …`.
    AliasDefinition,
    /// A use of an alias.
    AliasUse,
    /// `{-# … #-}`.
    Resources,
    /// An affine map or integer set.
    Affine,
    /// A list of dimensions: `4x?x`.
    Dimensions,
    /// The parameters of a type or attribute of a dialect.
    Body,
    /// A part that is not understood.
    Unknown,
    /// A value that an unknown part may use.
    PossibleUse,
    /// A value that an unknown part may define.
    PossibleDefinition,
    /// Text that is wrong.
    Error,
}

/// A node, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The data of nodes without data.
pub const NO_DATA: u16 = u16::MAX;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The first token.
    pub first: u32,
    /// The token after the last one.
    pub end: u32,
    /// The index of the node after all nodes inside.
    next: u32,
    /// The kind.
    pub kind: NodeKind,
    /// Flags of its kind.
    pub flags: u8,
    /// A number: of the definition or of the part of the operation that the node is. [`NO_DATA`] without one.
    pub data: u16,
}

/// Flags of nodes.
pub mod flags {
    /// The operation is in generic form.
    pub const GENERIC: u8 = 1;
    /// The operation is opaque: only its results and regions are known.
    pub const OPAQUE: u8 = 2;
    /// The operation has a syntax error.
    pub const ERROR: u8 = 4;
    /// Parts of the operation are not understood.
    pub const PARTLY: u8 = 8;
    /// The number of the argument is that of all operands, and not that of a part.
    pub const ALL: u8 = 16;
    /// A keyword that shows the presence of an attribute without a value.
    pub const PRESENCE: u8 = 64;
    /// The values of the part are a list of unknown length.
    pub const SEVERAL: u8 = 32;
}

/// Nodes in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Returns the node of the whole text.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a node; one of no text if there is no such node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes.get(id.0 as usize).copied().unwrap_or(NOTHING)
    }

    /// Returns all nodes in the order of the text.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// Returns the children of a node, in the order of the text.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let range = self.inside(id);
        let mut at = range.start;
        std::iter::from_fn(move || {
            (at < range.end).then(|| {
                let child = NodeId(at);
                at = self.node(child).next.max(at + 1);
                child
            })
        })
    }

    /// Returns the children of a kind.
    pub fn children_of(&self, id: NodeId, kind: NodeKind) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(move |child| self.node(*child).kind == kind)
    }

    /// Returns the first child of a kind.
    #[must_use]
    pub fn child(&self, id: NodeId, kind: NodeKind) -> Option<NodeId> {
        self.children_of(id, kind).next()
    }

    /// Returns the indices of the nodes inside a node.
    #[must_use]
    pub fn inside(&self, id: NodeId) -> Range<u32> {
        id.0 + 1..self.node(id).next.max(id.0 + 1)
    }
}

const NOTHING: Node = Node { first: 0, end: 0, next: 0, kind: NodeKind::Error, flags: 0, data: NO_DATA };

/// A tree that grows at its end.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
}

/// A position in a builder, to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint(usize);

impl Builder {
    /// Begins a node at a token; what is added until [`Builder::finish`] is inside.
    pub fn start(&mut self, kind: NodeKind, first: u32) -> NodeId {
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node { first, end: first, next: index + 1, kind, flags: 0, data: NO_DATA });
        NodeId(index)
    }

    /// Ends a node before a token.
    pub fn finish(&mut self, id: NodeId, end: u32) {
        let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.end = end.max(node.first);
            node.next = next;
        }
    }

    /// Adds a node without children.
    pub fn leaf(&mut self, kind: NodeKind, first: u32, end: u32) -> NodeId {
        let id = self.start(kind, first);
        self.finish(id, end);
        id
    }

    /// Returns the current end, to go back to.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.nodes.len())
    }

    /// Removes what was added after a checkpoint.
    pub fn rewind(&mut self, to: Checkpoint) {
        self.nodes.truncate(to.0);
    }

    /// Returns a node, to change its kind, flags or data.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0 as usize)
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if there is no node yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the tree.
    #[must_use]
    pub fn into_tree(mut self) -> Tree {
        self.nodes.shrink_to_fit();
        Tree { nodes: self.nodes }
    }
}
