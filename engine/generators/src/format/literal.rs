//! Parsing of a literal in a format.

use std::fmt::{self, Display};

/// The call of the parser's method for a literal: `parseLess()`, `parseOptionalKeyword("of")`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseLiteral<'a> {
    literal: &'a str,
    is_optional: bool,
}

impl<'a> ParseLiteral<'a> {
    /// Creates the call for a literal that must be present.
    pub(crate) fn required(literal: &'a str) -> Self {
        ParseLiteral { literal, is_optional: false }
    }

    /// Creates the call for a literal that may be missing.
    pub(crate) fn optional(literal: &'a str) -> Self {
        ParseLiteral { literal, is_optional: true }
    }
}

impl Display for ParseLiteral<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional = if self.is_optional { "Optional" } else { "" };
        match punctuation_name(self.literal) {
            Some(name) => write!(f, "parse{optional}{name}()"),
            None => write!(f, "parse{optional}Keyword(\"{}\")", self.literal),
        }
    }
}

/// Returns the parser's name of a punctuation; nothing for a keyword.
fn punctuation_name(literal: &str) -> Option<&'static str> {
    Some(match literal {
        "->" => "Arrow",
        ":" => "Colon",
        "," => "Comma",
        "..." => "Ellipsis",
        "=" => "Equal",
        ">" => "Greater",
        "{" => "LBrace",
        "(" => "LParen",
        "[" => "LSquare",
        "<" => "Less",
        "-" => "Minus",
        "+" => "Plus",
        "?" => "Question",
        "}" => "RBrace",
        ")" => "RParen",
        "]" => "RSquare",
        "*" => "Star",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(literal: &str, required: &str, optional: &str) {
        assert_eq!(ParseLiteral::required(literal).to_string(), required);
        assert_eq!(ParseLiteral::optional(literal).to_string(), optional);
    }

    #[test]
    fn calls() {
        check("->", "parseArrow()", "parseOptionalArrow()");
        check("of", "parseKeyword(\"of\")", "parseOptionalKeyword(\"of\")");
        check("_", "parseKeyword(\"_\")", "parseOptionalKeyword(\"_\")");
    }
}
