//! A table in Markdown.

use std::fmt::Write as _;

use super::{Finding, text::summary};

/// Returns a table, for comments on changes.
#[must_use]
pub fn table(findings: &[Finding]) -> String {
    let cell = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('\n', " ");
        text.trim().to_owned()
    };
    let mut out = String::from("## Findings\n\n");
    if findings.iter().all(|finding| !finding.is_open()) {
        return out + "None.\n";
    }
    let _ = writeln!(out, "{}\n", summary(findings));
    out += "| | rule | symbol | finding | place |\n| --- | --- | --- | --- | --- |\n";
    for finding in findings.iter().filter(|finding| finding.is_open()) {
        let witness = finding.witness.as_ref().map(|it| format!("<br>{}", cell(it))).unwrap_or_default();
        let remarks: String = finding.remarks().map(|note| format!("<br>{}", cell(&note))).collect();
        let at = finding.location.as_ref().map(ToString::to_string).unwrap_or_default();
        let Finding { rule, name, subject, message, .. } = finding;
        let rule = if rule.is_empty() { finding.code.name() } else { rule };
        let subject = if subject.is_empty() { String::new() } else { format!("`{}`", cell(subject)) };
        let _ = writeln!(
            out,
            "| {} | {} | {subject} | {}{witness}{remarks} | {} |",
            finding.level(),
            format!("{rule} {name}").trim_end(),
            cell(message),
            cell(&at)
        );
    }
    out
}
