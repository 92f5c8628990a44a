//! A test suite of JUnit.

use std::fmt::Write as _;

use super::Finding;

/// Returns one test suite of a command, with a case for each finding.
#[must_use]
pub fn suite(command: &str, findings: &[Finding]) -> String {
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
         <testsuite name=\"odsmith {command}\" tests=\"{tests}\" failures=\"{failures}\">\n"
    );
    if failures == 0 {
        let _ = writeln!(out, "    <testcase classname=\"odsmith\" name=\"{command}\"/>");
    }
    for finding in findings.iter().filter(|finding| finding.is_open()) {
        let Finding { rule, name, subject, message, .. } = finding;
        let at = finding.location.as_ref().map(ToString::to_string).unwrap_or_default();
        // A message of evaluation has no symbol.
        let rule = if rule.is_empty() { finding.code.name() } else { rule };
        let _ = writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(format!("{rule} {name}").trim_end()),
            escaped(if subject.is_empty() { &at } else { subject })
        );
        let remarks: String = finding.remarks().map(|note| format!(" ({note})")).collect();
        let witness = finding.witness.as_ref().map(|it| format!(" (for example: {it})")).unwrap_or_default();
        let _ = writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            finding.level(),
            escaped(message),
            escaped(&format!("{at}: {message}{witness}{remarks}"))
        );
        out += "    </testcase>\n";
    }
    out + "  </testsuite>\n</testsuites>\n"
}
