//! Types: builtin ones, and those of dialects by their format or opaque.

use crate::{
    cursor::{Cursor, Reading},
    lexer::TokenKind,
    skip,
    tree::NodeKind,
};

/// Reads a type as a node.
///
/// # Errors
/// There is no type, or it is wrong; the error is noted.
pub fn read_type(cursor: &mut Cursor<'_>) -> Reading {
    let first = cursor.position();
    let Some(end) = skip::ty(cursor, first) else {
        return cursor.refuse("expected non-function type");
    };
    cursor.tree.leaf(NodeKind::Type, first, end);
    cursor.go_to(end);
    Ok(())
}

/// Returns true if a type can begin with this token.
#[must_use]
pub fn begins_type(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(), TokenKind::Type | TokenKind::LeftParen | TokenKind::Word)
}
