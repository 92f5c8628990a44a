//! The ends of types and attributes, found by brackets alone. The matcher of formats uses them before anything is read.

use crate::{cursor::Cursor, lexer::TokenKind as T, types};

/// Returns true if the word is a builtin type without parameters, or looks like a float type of a later release.
fn is_plain_type(word: &str) -> bool {
    let looks_like_float = || {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let Some(rest) = word.strip_prefix('f') else { return false };
        rest.as_bytes().first().is_some_and(is_digit)
            && (rest.bytes().all(|byte| is_digit(&byte))
                || rest.contains('E') && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    types::is_plain(word) || looks_like_float()
}

/// Returns true if the word begins a builtin type.
#[must_use]
pub fn is_type_word(word: &str) -> bool {
    word == "graph" || types::SHAPED.contains(&word) || is_plain_type(word)
}

/// Returns the end of the body `<…>` that begins at a token, if one does.
fn body(cursor: &Cursor<'_>, at: u32) -> u32 {
    match cursor.kind(at) {
        T::Less => cursor.tokens().after(at),
        _ => at,
    }
}

/// Returns the end of a type that is no function.
#[must_use]
pub fn non_function(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    match cursor.kind(at) {
        // `!d<name …>`, `!d.name<…>`, an alias.
        T::Type => {
            let next = at + 1;
            Some(if cursor.tokens().is_joined(next) { body(cursor, next) } else { next })
        }
        T::Word => {
            let word = cursor.text_of(at);
            if is_plain_type(word) {
                return Some(at + 1);
            }
            let has_body = is_type_word(word) && cursor.kind(at + 1) == T::Less;
            let end = cursor.tokens().after(at + 1);
            (has_body && end > at + 2).then_some(end)
        }
        _ => None,
    }
}

/// Returns the end of a type.
#[must_use]
pub fn ty(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    match cursor.kind(at) {
        T::LeftParen => function(cursor, at),
        _ => non_function(cursor, at),
    }
}

/// Returns the end of `(…) -> …`.
#[must_use]
pub fn function(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    if cursor.kind(at) != T::LeftParen {
        return None;
    }
    let arrow = cursor.tokens().partner(at)? + 1;
    (cursor.kind(arrow) == T::Arrow).then(|| results(cursor, arrow + 1))?
}

/// Returns the end of the results of a function type: one type, or a list in brackets.
#[must_use]
pub fn results(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    match cursor.kind(at) {
        T::LeftParen => Some(cursor.tokens().partner(at)? + 1),
        _ => non_function(cursor, at),
    }
}

/// Returns the end of a path of symbols: `@a::@b`.
#[must_use]
pub fn symbol(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    let mut end = (cursor.kind(at) == T::Symbol).then_some(at + 1)?;
    while cursor.kind(end) == T::ColonColon && cursor.kind(end + 1) == T::Symbol {
        end += 2;
    }
    Some(end)
}

/// Returns the end after an optional `: type`.
fn typed(cursor: &Cursor<'_>, at: u32) -> u32 {
    match cursor.kind(at) {
        T::Colon => ty(cursor, at + 1).unwrap_or(at),
        _ => at,
    }
}

/// Returns the end of a number with its sign.
#[must_use]
pub fn number(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    let at = at + u32::from(cursor.kind(at) == T::Minus);
    matches!(cursor.kind(at), T::Integer | T::Hexadecimal | T::Float).then_some(at + 1)
}

/// Returns the end of an attribute. The type that a number or text may have belongs to it.
#[must_use]
pub fn attribute(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    attribute_with(cursor, at, true)
}

/// Returns the end of an attribute whose type, if it is a number or text, is not written.
#[must_use]
pub fn untyped_attribute(cursor: &Cursor<'_>, at: u32) -> Option<u32> {
    attribute_with(cursor, at, false)
}

fn attribute_with(cursor: &Cursor<'_>, at: u32, is_typed: bool) -> Option<u32> {
    let typed = |end: u32| if is_typed { typed(cursor, end) } else { end };
    let pair = |at: u32| cursor.tokens().partner(at).filter(|end| *end > at).map(|end| end + 1);
    match cursor.kind(at) {
        T::Integer | T::Hexadecimal | T::Float | T::Minus => number(cursor, at).map(typed),
        T::String => Some(typed(at + 1)),
        T::Symbol => symbol(cursor, at),
        T::LeftBracket | T::LeftBrace => pair(at),
        T::Attribute => {
            let next = at + 1;
            let end = if cursor.tokens().is_joined(next) { body(cursor, next) } else { next };
            // An attribute of a dialect may have a type of its own, an alias may not.
            let is_alias = end == next && !cursor.text_of(at).contains('.');
            Some(if is_alias { next } else { typed(end) })
        }
        T::Word => match cursor.text_of(at) {
            "true" | "false" | "unit" => Some(at + 1),
            "loc" if cursor.kind(at + 1) == T::LeftParen => pair(at + 1),
            "dense" | "sparse" | "dense_resource" | "opaque" if cursor.kind(at + 1) == T::Less => {
                let end = pair(at + 1)?;
                Some(match cursor.kind(end) {
                    T::Colon => ty(cursor, end + 1)?,
                    _ => end,
                })
            }
            "array" | "affine_map" | "affine_set" | "strided" if cursor.kind(at + 1) == T::Less => {
                pair(at + 1)
            }
            "distinct" if cursor.kind(at + 1) == T::LeftBracket => {
                let end = pair(at + 1)?;
                (cursor.kind(end) == T::Less).then(|| pair(end))?
            }
            _ => ty(cursor, at),
        },
        T::Type | T::LeftParen => ty(cursor, at),
        _ => None,
    }
}
