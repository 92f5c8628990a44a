//! The bounds of statements whose text is not understood.
//!
//! ```text
//! %a = foo.bar baz(%b) {
//!   qux
//! }
//! %c = …      the statement above ends before this token: it begins a line, and a statement can begin with it
//! ```

use crate::{cursor::Cursor, lexer::TokenKind as T};

/// The dialects whose operations need no prefix in a region.
#[derive(Clone, Copy, Debug)]
pub struct Defaults<'d> {
    /// The default dialect of the operation around the region, or `builtin`.
    pub dialect: &'d str,
}

/// Returns the token at which a statement ends at the latest. `from` is in it.
#[must_use]
pub fn extent(cursor: &Cursor<'_>, from: u32, defaults: Defaults<'_>) -> u32 {
    let tokens = cursor.tokens();
    let mut at = tokens.after(from).min(cursor.end);
    if closes_outside(cursor, from, from) {
        return from;
    }
    while at < cursor.end {
        if closes_outside(cursor, at, from)
            || tokens.begins_line(at, cursor.whole_text()) && begins_statement(cursor, at, defaults)
        {
            return at;
        }
        at = tokens.after(at).min(cursor.end);
    }
    cursor.end
}

/// Returns true if a token closes a bracket that was opened before a statement.
fn closes_outside(cursor: &Cursor<'_>, at: u32, start: u32) -> bool {
    match cursor.kind(at) {
        T::RightBrace => cursor.tokens().partner(at).is_none_or(|open| open < start),
        T::RightParen | T::RightBracket => cursor.tokens().partner(at).is_some_and(|open| open < start),
        _ => false,
    }
}

/// Returns true if a statement, the label of a block or the definition of an alias can begin with a token that begins
/// a line.
#[must_use]
pub fn begins_statement(cursor: &Cursor<'_>, at: u32, defaults: Defaults<'_>) -> bool {
    // The statement before goes on after these.
    if at > 0 {
        let before = cursor.tokens().kind(at - 1);
        if matches!(before, T::Comma | T::Equal | T::Colon | T::Arrow) {
            return false;
        }
    }
    match cursor.kind(at) {
        T::End | T::RightBrace | T::ResourcesBegin => true,
        T::String => cursor.kind(at + 1) == T::LeftParen,
        T::Block => is_label(cursor, at),
        T::Attribute | T::Type => cursor.kind(at + 1) == T::Equal,
        T::Value => is_result_list(cursor, at),
        T::Word => operation_at(cursor, at, defaults, false).is_some(),
        _ => false,
    }
}

/// Returns true if a label of a block begins at a token: `^a:`, `^a(…):`.
#[must_use]
pub fn is_label(cursor: &Cursor<'_>, at: u32) -> bool {
    match cursor.kind(at + 1) {
        T::Colon => true,
        T::LeftParen => {
            let end = cursor.tokens().partner(at + 1);
            end.is_some_and(|end| cursor.kind(end + 1) == T::Colon)
        }
        _ => false,
    }
}

/// Returns true if results and `=` and a name begin at a token.
#[must_use]
pub fn is_result_list(cursor: &Cursor<'_>, at: u32) -> bool {
    let mut at = at;
    loop {
        if cursor.kind(at) != T::Value {
            return false;
        }
        at += 1;
        if cursor.kind(at) == T::Colon && cursor.kind(at + 1) == T::Integer {
            at += 2;
        }
        match cursor.kind(at) {
            T::Comma => at += 1,
            T::Equal => return matches!(cursor.kind(at + 1), T::Word | T::String),
            _ => return false,
        }
    }
}

/// Returns the operation that a word names. Without a prefix it is one of the default dialect or, if `is_name` holds,
/// of `builtin`.
#[must_use]
pub fn operation_at(cursor: &Cursor<'_>, at: u32, defaults: Defaults<'_>, is_name: bool) -> Option<u32> {
    let word = cursor.text_of(at);
    let definitions = cursor.definitions();
    if let Some((dialect, name)) = word.split_once('.')
        && let Some(known) = definitions.operation_of(dialect, name)
    {
        return Some(known);
    }
    let own = definitions.operation_of(defaults.dialect, word);
    own.or_else(|| is_name.then(|| definitions.operation_of("builtin", word)).flatten())
}
