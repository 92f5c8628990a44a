//! A test suite of JUnit.

use std::fmt::Write as _;

use super::Finding;

/// Returns one test suite, with a case for each finding.
#[must_use]
pub fn suite(findings: &[Finding]) -> String {
    let escaped = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '&' => out += "&amp;",
                '<' => out += "&lt;",
                '>' => out += "&gt;",
                '"' => out += "&quot;",
                '\n' | '\t' => out.push(' '),
                // XML cannot represent other control characters.
                c if c < ' ' => {}
                c => out.push(c),
            }
        }
        out
    };
    let failures = findings.iter().filter(|finding| finding.is_open()).count();
    let tests = failures.max(1);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  \
         <testsuite name=\"odsmith lint\" tests=\"{tests}\" failures=\"{failures}\">\n"
    );
    if failures == 0 {
        out += "    <testcase classname=\"odsmith\" name=\"lint\"/>\n";
    }
    for finding in findings.iter().filter(|finding| finding.is_open()) {
        let Finding { rule, name, subject, message, .. } = finding;
        let _ = writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(&format!("{rule} {name}")),
            escaped(subject)
        );
        let at = finding.location.as_ref().map(ToString::to_string).unwrap_or_default();
        let witness = finding.witness.as_ref().map(|it| format!(" (for example: {it})")).unwrap_or_default();
        let _ = writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            finding.level(),
            escaped(message),
            escaped(&format!("{at}: {message}{witness}"))
        );
        out += "    </testcase>\n";
    }
    out + "  </testsuite>\n</testsuites>\n"
}
