//! The lexer's messages from the releases in which most of them began with a capital.

use crate::diagnostic::Id;

/// Returns a message in the words of those releases.
pub(super) fn worded(id: Id, message: String) -> String {
    match id {
        Id::UnterminatedComment => "Unterminated comment!".to_owned(),
        // These began in lower case even then.
        Id::EscapedNewline | Id::InvalidEscape => message,
        _ => {
            let mut rest = message.chars();
            let first = rest.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(rest).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_begin_with_a_capital() {
        let worded = |id, message: &str| worded(id, message.to_owned());
        assert_eq!(worded(Id::UnknownOperator, "unknown operator"), "Unknown operator");
        assert_eq!(worded(Id::UnterminatedComment, "unterminated comment"), "Unterminated comment!");
        assert_eq!(worded(Id::InvalidEscape, "invalid escape"), "invalid escape");
        assert_eq!(worded(Id::EndifWithoutCondition, "#endif without #ifdef"), "#endif without #ifdef");
    }
}
