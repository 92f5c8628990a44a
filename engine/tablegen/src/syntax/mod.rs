//! From bytes to tokens.
//!
//! [`lexer`] reads tokens one by one, following `include`; `preprocessor` is the part of it that handles `#` lines;
//! [`token`] defines the tokens; [`tokens`] passes them to the evaluator.

mod leading;
mod legacy_messages;
pub mod lexer;
mod preprocessor;
pub mod token;
pub mod tokens;

pub use leading::Leading;
pub use lexer::{Boundary, FileList, IncludePaths, Lexer, Read, inclusion_units};
use preprocessor::guard as preprocessor_guard;
pub use token::{Keyword, Token, TokenKind};
pub use tokens::Tokens;

use crate::outline::lexical;

/// Returns the length in bytes of the token that `text` begins with; at least 1 unless the text is empty.
#[must_use]
pub fn token_length(text: &[u8]) -> usize {
    let word = lexical::word;
    match text {
        [] => 0,
        [b'"', ..] => lexical::string(text).length,
        [b'$' | b'!', rest @ ..] => 1 + word(rest),
        [b'.', b'.', b'.', ..] => 3,
        [b'+' | b'-', digit, ..] if digit.is_ascii_digit() => 1 + word(&text[1..]),
        [first, ..] if lexical::is_word_byte(*first) => word(text),
        _ => 1,
    }
}
