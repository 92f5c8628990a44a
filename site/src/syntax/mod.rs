//! The custom form of operations, attributes and types: a tree, from which the grammar text and the diagram are made.

mod grammar;
mod tree;

pub use grammar::tokens;
pub use tree::{Anchors, Node, Role, Term, attr_or_type, operation};
