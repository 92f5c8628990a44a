//! Annotations of a workflow's run on GitHub: lines on standard output that its runner reads.

use std::fmt::Write as _;

use super::{Finding, Severity};

/// The most annotations of each severity that a runner shows; it drops the rest silently.
const MOST: usize = 10;

/// Returns the first open findings of each severity as annotations, and a line with the number left out.
#[must_use]
pub fn annotations(findings: &[Finding]) -> String {
    let mut out = String::new();
    let mut left = 0;
    for (severity, command) in
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "notice")]
    {
        let all: Vec<&Finding> =
            findings.iter().filter(|it| it.is_open() && it.severity == severity).collect();
        left += all.len().saturating_sub(MOST);
        for finding in all.into_iter().take(MOST) {
            let mut properties = Vec::new();
            if let Some(location) = &finding.location {
                let start = location.range.start;
                properties.push(format!("file={}", property(&location.file)));
                properties.push(format!("line={}", start.line));
                properties.push(format!("col={}", start.column));
            }
            properties.push(format!("title={}", property(finding.rule_or_code())));
            // Writing to a text does not fail.
            let _ = writeln!(out, "::{command} {}::{}", properties.join(","), message(&finding.long_text()));
        }
    }
    if left > 0 {
        let _ = writeln!(out, "{left} more findings have no annotation");
    }
    out
}

/// Escapes a message.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property, which has more delimiters.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    #[test]
    fn lines_that_a_runner_reads() {
        let finding = Finding {
            rule: "IN001".into(),
            message: "100 % of a\nis gone".to_owned(),
            location: Some(Location::new("a,b.td", (2, 5), None)),
            ..Finding::default()
        };
        let text = annotations(std::slice::from_ref(&finding));
        assert_eq!(text, "::error file=a%2Cb.td,line=2,col=5,title=IN001::100 %25 of a%0Ais gone\n");
        let many = annotations(&vec![finding.clone(); 12]);
        assert_eq!(many.lines().count(), 11);
        assert!(many.ends_with("2 more findings have no annotation\n"));
        assert_eq!(annotations(&[Finding { accepted: Some("known".to_owned()), ..finding }]), "");
    }
}
