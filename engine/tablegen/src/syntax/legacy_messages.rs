//! The lexer's messages from the releases in which most of them began with a capital.

/// Messages that began in lower case even then.
const IN_LOWER_CASE: &[&str] = &["double #else", "escaped newlines", "invalid escape"];

/// Returns a message in the words of those releases.
pub(super) fn worded(message: String) -> String {
    if message == "unterminated comment" {
        return "Unterminated comment!".to_owned();
    }
    if IN_LOWER_CASE.iter().any(|start| message.starts_with(start)) {
        return message;
    }
    let mut rest = message.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_begin_with_a_capital() {
        let worded = |message: &str| worded(message.to_owned());
        assert_eq!(worded("unknown operator"), "Unknown operator");
        assert_eq!(worded("unterminated comment"), "Unterminated comment!");
        assert_eq!(worded("double #else"), "double #else");
        assert_eq!(worded("#endif without #ifdef"), "#endif without #ifdef");
    }
}
