//! Locations.
//!
//! ```text
//! loc(unknown)  loc("f":1:2)  loc("f":1:2 to 3:4)  loc("name"("f":1:2))  loc(callsite("a" at "b"))
//! loc(fused<metadata>["a", "b"])  loc(#alias)
//! ```

use crate::{
    attributes,
    cursor::{Cursor, Reading},
    lexer::TokenKind as T,
    tree::NodeKind,
};

/// Returns true if a location begins here.
#[must_use]
pub fn begins_location(cursor: &Cursor<'_>) -> bool {
    cursor.at_word("loc") && cursor.nth(1) == T::LeftParen
}

/// Reads `loc(…)` as a node.
///
/// # Errors
/// There is no location, or it is wrong; the error is noted.
pub fn read_location(cursor: &mut Cursor<'_>) -> Reading {
    let location = cursor.start(NodeKind::Location);
    cursor.expect_word("loc")?;
    cursor.expect(T::LeftParen, "expected '(' in inline location")?;
    instance(cursor)?;
    cursor.expect(T::RightParen, "expected ')' in inline location")?;
    cursor.finish(location);
    Ok(())
}

/// Reads the content of a location.
fn instance(cursor: &mut Cursor<'_>) -> Reading {
    cursor.nested(|cursor| match cursor.peek() {
        T::String => name_or_file(cursor),
        T::Attribute => attribute(cursor),
        T::Word if cursor.eat_word("unknown") => Ok(()),
        T::Word if cursor.eat_word("callsite") => callsite(cursor),
        T::Word if cursor.eat_word("fused") => fused(cursor),
        _ => cursor.refuse("expected location instance"),
    })
}

/// Reads an alias, which may be defined later, or a dialect's attribute.
fn attribute(cursor: &mut Cursor<'_>) -> Reading {
    let first = cursor.position();
    if !cursor.peek_text().contains('.') && cursor.nth(1) != T::Less {
        cursor.advance();
        cursor.tree.leaf(NodeKind::AliasUse, first, first + 1);
        return Ok(());
    }
    attributes::value(cursor).map(drop)
}

fn name_or_file(cursor: &mut Cursor<'_>) -> Reading {
    cursor.advance();
    match cursor.peek() {
        T::LeftParen => {
            cursor.advance();
            instance(cursor)?;
            cursor.expect(T::RightParen, "expected ')' after child location of NameLoc")
        }
        T::Colon => file(cursor),
        _ => Ok(()),
    }
}

/// Reads `:1:2`, `:1:2 to :4`, `:1:2 to 3:4`. A column may be missing.
fn file(cursor: &mut Cursor<'_>) -> Reading {
    const LINE: &str = "expected integer line number in FileLineColRange";
    const COLUMN: &str = "expected integer column number in FileLineColRange";
    cursor.advance();
    cursor.expect(T::Integer, LINE)?;
    if !cursor.eat(T::Colon) {
        return Ok(());
    }
    cursor.expect(T::Integer, COLUMN)?;
    if !cursor.eat_word("to") {
        return Ok(());
    }
    const AFTER: &str = "expected either integer or `:` post `to` in FileLineColRange";
    if cursor.eat(T::Colon) {
        return cursor.expect(T::Integer, COLUMN);
    }
    cursor.expect(T::Integer, AFTER)?;
    cursor.expect(T::Colon, AFTER)?;
    cursor.expect(T::Integer, COLUMN)
}

fn callsite(cursor: &mut Cursor<'_>) -> Reading {
    cursor.expect(T::LeftParen, "expected '(' in callsite location")?;
    instance(cursor)?;
    if !cursor.eat_word("at") {
        return cursor.refuse("expected 'at' in callsite location");
    }
    instance(cursor)?;
    cursor.expect(T::RightParen, "expected ')' in callsite location")
}

fn fused(cursor: &mut Cursor<'_>) -> Reading {
    if cursor.eat(T::Less) {
        attributes::value(cursor)?;
        cursor.expect(T::Greater, "expected '>' after fused location metadata")?;
    }
    cursor.expect(T::LeftBracket, "expected '[' in fused location")?;
    if cursor.eat(T::RightBracket) {
        return Ok(());
    }
    loop {
        instance(cursor)?;
        if !cursor.eat(T::Comma) {
            break;
        }
    }
    cursor.expect(T::RightBracket, "expected ']' in fused location")
}
