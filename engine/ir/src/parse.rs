//! The parse of one operation, to be shown: each stretch of its text, and the element of the form that reads it.

use std::ops::Range;

use odsmith_interchange::grammar::Kind;

use crate::{
    definitions::{Definitions, OperationDef},
    file::Ir,
    tree::{NO_DATA, Node, NodeId, NodeKind, flags},
};

/// The parse of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parse {
    /// The operation.
    pub operation: NodeId,
    /// The bytes of its text.
    pub range: Range<usize>,
    /// The stretches of its text, in order. Gaps and comments between them belong to none.
    pub pieces: Vec<Piece>,
}

/// A stretch of an operation's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The element that reads it, in the notation of `assemblyFormat` (`$lhs`, `type($lhs)`, `attr-dict`) or in words (`result`).
    pub element: String,
}

impl Parse {
    /// Returns the parse of the innermost operation around a byte of a text; of the next one if the byte is before it on its line.
    #[must_use]
    pub fn at(ir: &Ir, text: &str, definitions: &Definitions, byte: usize) -> Option<Parse> {
        let operations = ir.tree.ids().filter(|id| ir.tree.node(*id).kind == NodeKind::Operation);
        let line = text.get(..byte).map_or(0, |before| before.rfind('\n').map_or(0, |end| end + 1));
        let around = |id: NodeId| {
            let range = bytes(ir, ir.tree.node(id));
            let is_before =
                byte < range.start && line <= range.start && !text[byte..range.start].contains('\n');
            (range.contains(&byte) || range.end == byte || is_before).then_some((id, range, is_before))
        };
        let mut found: Option<(NodeId, Range<usize>)> = None;
        for (id, range, is_before) in operations.filter_map(around) {
            // Nodes are in the order of the text: a later one that holds the byte is inside.
            if !is_before || found.is_none() {
                found = Some((id, range));
            }
        }
        let (operation, range) = found?;
        let node = ir.tree.node(operation);
        let definition = definitions.get(u32::from(node.data)).filter(|_| node.data != NO_DATA);
        let mut reader =
            Reader { ir, text, definition, is_generic: node.flags & flags::GENERIC != 0, pieces: Vec::new() };
        reader.add_inside(operation);
        Some(Parse { operation, range, pieces: reader.pieces })
    }
}

fn bytes(ir: &Ir, node: Node) -> Range<usize> {
    let last = node.end.max(node.first + 1) - 1;
    ir.tokens.range(node.first).start..ir.tokens.range(last).end
}

struct Reader<'r> {
    ir: &'r Ir,
    text: &'r str,
    definition: Option<&'r OperationDef>,
    is_generic: bool,
    pieces: Vec<Piece>,
}

impl Reader<'_> {
    /// Adds the children of a node, and the tokens between them.
    fn add_inside(&mut self, id: NodeId) {
        let node = self.ir.tree.node(id);
        let mut token = node.first;
        let children: Vec<NodeId> = self.ir.tree.children(id).collect();
        for child in children {
            let inner = self.ir.tree.node(child);
            self.add_words(token..inner.first);
            token = inner.end.max(token);
            if inner.first == inner.end {
                continue;
            }
            match self.element(child, inner) {
                Some(element) => self.pieces.push(Piece { range: bytes(self.ir, inner), element }),
                None => self.add_inside(child),
            }
        }
        self.add_words(token..node.end);
    }

    /// Adds keywords and punctuation.
    fn add_words(&mut self, tokens: Range<u32>) {
        for token in tokens {
            let range = self.ir.tokens.range(token);
            let element = format!("`{}`", &self.text[range.clone()]);
            self.pieces.push(Piece { range, element });
        }
    }

    /// Returns the element that reads a node; `None` if its parts are shown in its place.
    fn element(&self, id: NodeId, node: Node) -> Option<String> {
        let all = |what: &str| match node.flags & flags::ALL != 0 {
            true => Some(what.to_owned()),
            false => None,
        };
        let part = || {
            self.definition
                .and_then(|def| def.parts.get(usize::from(node.data)))
                .filter(|_| node.data != NO_DATA)
        };
        let variable = || part().map(|part| format!("${}", part.name));
        Some(match node.kind {
            NodeKind::Name => "name".to_owned(),
            NodeKind::Result => "result".to_owned(),
            NodeKind::Operand => all("operands").or_else(variable).unwrap_or_else(|| "operand".to_owned()),
            NodeKind::Successor => {
                all("successors").or_else(variable).unwrap_or_else(|| "successor".to_owned())
            }
            NodeKind::Region => all("regions").or_else(variable).unwrap_or_else(|| "region".to_owned()),
            NodeKind::Attribute => variable().unwrap_or_else(|| "attribute".to_owned()),
            NodeKind::SymbolName => variable().unwrap_or_else(|| "symbol".to_owned()),
            NodeKind::Type => match part() {
                Some(part) if node.flags & flags::ALL == 0 => format!("type(${})", part.name),
                Some(part) if part.kind == Kind::Result => "type(results)".to_owned(),
                Some(_) => "type(operands)".to_owned(),
                None => "type".to_owned(),
            },
            NodeKind::FunctionType => {
                let has_parts =
                    self.ir.tree.children(id).any(|child| self.ir.tree.node(child).data != NO_DATA);
                if has_parts && !self.is_generic {
                    return None;
                }
                "functional-type".to_owned()
            }
            NodeKind::Dictionary => if self.is_generic { "attributes" } else { "attr-dict" }.to_owned(),
            NodeKind::Properties => if self.is_generic { "properties" } else { "prop-dict" }.to_owned(),
            NodeKind::Location => "location".to_owned(),
            NodeKind::Unknown => "read by C++: not known from the definitions".to_owned(),
            NodeKind::PossibleUse => "a value that C++ may use".to_owned(),
            NodeKind::PossibleDefinition => "a value that C++ may define".to_owned(),
            NodeKind::Error => "error".to_owned(),
            _ => return None,
        })
    }
}
