//! Attributes: builtin ones, and those of dialects by their format or opaque.

use crate::{
    cursor::{Cursor, Reading},
    lexer::TokenKind,
    skip,
    tree::NodeKind,
};

/// Reads an attribute as a node.
///
/// # Errors
/// There is no attribute, or it is wrong; the error is noted.
pub fn read_attribute(cursor: &mut Cursor<'_>) -> Reading {
    let first = cursor.position();
    let Some(end) = skip::attribute(cursor, first) else {
        return cursor.refuse("expected attribute value");
    };
    cursor.tree.leaf(NodeKind::Attribute, first, end);
    cursor.go_to(end);
    Ok(())
}

/// Reads `{a, b = 1}` as a node with its entries.
///
/// # Errors
/// There is no dictionary, or it is wrong; the error is noted.
pub fn read_dictionary(cursor: &mut Cursor<'_>) -> Reading {
    let dictionary = cursor.start(NodeKind::Dictionary);
    cursor.expect(TokenKind::LeftBrace, "expected '{' in attribute dictionary")?;
    if !cursor.eat(TokenKind::RightBrace) {
        loop {
            read_entry(cursor)?;
            if !cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        cursor.expect(TokenKind::RightBrace, "expected '}' in attribute dictionary")?;
    }
    cursor.finish(dictionary);
    Ok(())
}

fn read_entry(cursor: &mut Cursor<'_>) -> Reading {
    let entry = cursor.start(NodeKind::Entry);
    if !matches!(cursor.peek(), TokenKind::Word | TokenKind::String) {
        return cursor.refuse("expected attribute name");
    }
    cursor.leaf(NodeKind::Key);
    if cursor.eat(TokenKind::Equal) {
        cursor.nested(read_attribute)?;
    }
    cursor.finish(entry);
    Ok(())
}
