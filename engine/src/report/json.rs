//! The JSON form: an array of reports.

use super::Report;

/// Renders the reports as a JSON value.
#[must_use]
pub fn render(reports: &[Report]) -> serde_json::Value {
    serde_json::json!(reports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use odsmith_tablegen::{diagnostic::Diagnostic, span::Span, text};

    /// A message may quote a text that was cut inside a character.
    #[test]
    fn messages_are_utf8() {
        let message = text::encode(b"na\xc3: \xafve".to_vec());
        let report = Report::unlocated(&Diagnostic::error(Span::NONE, &*message).note(Span::NONE, &*message));
        let json = render(&[report]);
        assert_eq!(json[0]["message"], "na\u{fffd}: \u{fffd}ve");
        assert_eq!(json[0]["notes"][0]["message"], "na\u{fffd}: \u{fffd}ve");
    }
}
