//! Locations: `loc(…)`.

use crate::{
    cursor::{Cursor, Reading},
    lexer::TokenKind,
    tree::NodeKind,
};

/// Returns true if a location begins here.
#[must_use]
pub fn begins_location(cursor: &Cursor<'_>) -> bool {
    cursor.at_word("loc") && cursor.nth(1) == TokenKind::LeftParen
}

/// Reads `loc(…)` as a node.
///
/// # Errors
/// There is no location, or it is wrong; the error is noted.
pub fn read_location(cursor: &mut Cursor<'_>) -> Reading {
    let location = cursor.start(NodeKind::Location);
    cursor.expect_word("loc")?;
    if cursor.tokens().partner(cursor.position()).is_none() {
        return cursor.refuse("expected '(' in location");
    }
    cursor.skip_balanced();
    cursor.finish(location);
    Ok(())
}
