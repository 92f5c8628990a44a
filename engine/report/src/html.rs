//! Self-contained HTML pages. A page of findings is a table with rows that open, and a filter by severity without
//! scripts.

use std::fmt::Write as _;

use super::{Finding, Location};

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:72rem;margin:0 auto;padding:1rem}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}li{overflow-wrap:anywhere}\
code,pre{font-family:ui-monospace,monospace;font-size:.9em}\
pre{overflow-x:auto;padding:.5rem;border:1px solid;border-color:color-mix(in srgb,currentColor 25%,transparent)}\
details{border-bottom:1px solid;border-color:color-mix(in srgb,currentColor 20%,transparent);padding:.4rem 0}\
summary{cursor:pointer;overflow-wrap:anywhere}\
.error b{color:light-dark(#a40000,#ff9d9d)}.warning b{color:light-dark(#7a4d00,#ffcf80)}\
form{position:sticky;top:0;padding:.5rem 0;background:Canvas}label{margin-right:1rem}\
body:not(:has(#error:checked)) .error,body:not(:has(#warning:checked)) .warning,\
body:not(:has(#note:checked)) .note{display:none}";

/// Returns a page with this title and content.
#[must_use]
pub fn page(title: &str, content: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
        <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
        {content}</main>\n</body>\n</html>\n"
    )
}

/// Returns a page with a title, a summary line, and groups of findings under headings.
#[must_use]
pub fn of_findings(title: &str, line: &str, groups: &[(String, Vec<Finding>)]) -> String {
    let mut out = format!("<p>{}</p>\n<form>", escaped(line));
    for (severity, text) in [("error", "errors"), ("warning", "warnings"), ("note", "notes")] {
        let _ = write!(
            out,
            "<label><input type=\"checkbox\" id=\"{severity}\" autocomplete=\"off\" checked> {text}</label>"
        );
    }
    out += "</form>\n";
    for (heading, findings) in groups {
        // Writing to a text does not fail.
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(heading));
        findings.iter().for_each(|finding| row(finding, &mut out));
        out += "</section>\n";
    }
    page(title, &out)
}

fn row(finding: &Finding, out: &mut String) {
    let severity = finding.severity.name();
    let shown = if finding.is_open() { severity } else { "accepted" };
    let _ = write!(
        out,
        "<details class=\"{severity}\">\n<summary><b>{shown}</b> {} <code>{}</code> {}</summary>\n",
        escaped(finding.rule_or_code()),
        escaped(&finding.key()),
        escaped(&finding.headline())
    );
    if let Some(location) = &finding.location {
        let _ = writeln!(out, "<p>{}</p>", spot(location));
    }
    for related in &finding.related {
        let at = related.location.as_ref().map(spot).unwrap_or_default();
        let _ = writeln!(out, "<p>{}: {at}</p>", escaped(&related.message));
    }
    if let Some(reason) = &finding.accepted {
        let _ = writeln!(out, "<p>accepted: {}</p>", escaped(reason));
    }
    for line in finding.lines() {
        let tag = if line.contains('\n') { "pre" } else { "p" };
        let _ = writeln!(out, "<{tag}>{}</{tag}>", escaped(&line));
    }
    *out += "</details>\n";
}

fn spot(location: &Location) -> String {
    format!("<code>{}:{}</code>", escaped(&location.file), location.range.start.line)
}

/// Escapes a text for HTML and for quoted attributes.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_authors_are_no_markup() {
        let finding = Finding {
            rule: "IN001".into(),
            message: "<script>".to_owned(),
            details: vec!["a\n\"b\" & c".to_owned()],
            key: "a<b>".to_owned(),
            ..Finding::default()
        };
        let page = of_findings("</title>", "1 error", &[("<d>".to_owned(), vec![finding])]);
        assert!(!page.contains("<script>") && !page.contains("</title></title>"));
        assert!(page.contains("<pre>a\n&quot;b&quot; &amp; c</pre>") && page.contains("<h2>&lt;d&gt;</h2>"));
    }
}
