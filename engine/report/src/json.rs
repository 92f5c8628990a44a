//! The JSON form: an array of findings.

use super::Finding;

/// Renders the findings as a JSON value.
#[must_use]
pub fn render(findings: &[Finding]) -> serde_json::Value {
    serde_json::json!(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use odsmith_tablegen::{diagnostic::Diagnostic, span::Span, text};

    /// A message may quote a text that was cut inside a character.
    #[test]
    fn messages_are_utf8() {
        let message = text::encode(b"na\xc3: \xafve".to_vec());
        let finding =
            Finding::unlocated(&Diagnostic::error(Span::NONE, &*message).note(Span::NONE, &*message));
        let json = render(&[finding]);
        assert_eq!(json[0]["message"], "na\u{fffd}: \u{fffd}ve");
        assert_eq!(json[0]["notes"][0]["message"], "na\u{fffd}: \u{fffd}ve");
    }
}
