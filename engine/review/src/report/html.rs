//! Self-contained HTML pages. A page of remarks is a table with rows that open, and a filter by grade without scripts.

use std::fmt::Write as _;

use super::{Place, Remark};

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
pub(crate) fn page(title: &str, content: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
        <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
        {content}</main>\n</body>\n</html>\n"
    )
}

/// Returns a page with a title, a summary line, and groups of remarks under headings.
#[must_use]
pub fn of_remarks(title: &str, line: &str, groups: &[(String, Vec<Remark>)]) -> String {
    let mut out = format!("<p>{}</p>\n<form>", escaped(line));
    for (grade, text) in [("error", "errors"), ("warning", "warnings"), ("note", "notes")] {
        let _ = write!(
            out,
            "<label><input type=\"checkbox\" id=\"{grade}\" autocomplete=\"off\" checked> {text}</label>"
        );
    }
    out += "</form>\n";
    for (heading, remarks) in groups {
        // Writing to a text does not fail.
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(heading));
        remarks.iter().for_each(|remark| row(remark, &mut out));
        out += "</section>\n";
    }
    page(title, &out)
}

fn row(remark: &Remark, out: &mut String) {
    let grade = remark.grade.name();
    let shown = if remark.accepted.is_some() { "accepted" } else { grade };
    let _ = write!(
        out,
        "<details class=\"{grade}\">\n<summary><b>{shown}</b> {} <code>{}</code> {}</summary>\n",
        escaped(&remark.rule),
        escaped(&remark.key),
        escaped(&remark.message)
    );
    if let Some(place) = &remark.place {
        let _ = writeln!(out, "<p>{}</p>", shown_place(place));
    }
    for (place, what) in &remark.related {
        let _ = writeln!(out, "<p>{}: {}</p>", escaped(what), shown_place(place));
    }
    if let Some(reason) = &remark.accepted {
        let _ = writeln!(out, "<p>accepted: {}</p>", escaped(reason));
    }
    for detail in &remark.details {
        let tag = if detail.contains('\n') { "pre" } else { "p" };
        let _ = writeln!(out, "<{tag}>{}</{tag}>", escaped(detail));
    }
    *out += "</details>\n";
}

fn shown_place(place: &Place) -> String {
    format!("<code>{}:{}</code>", escaped(&place.file), place.start.0)
}

/// Escapes a text for HTML and for quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Grade;

    #[test]
    fn texts_of_authors_are_no_markup() {
        let remark = Remark {
            rule: "IN001".to_owned(),
            grade: Grade::Error,
            message: "<script>".to_owned(),
            details: vec!["a\n\"b\" & c".to_owned()],
            place: None,
            related: Vec::new(),
            key: "a<b>".to_owned(),
            accepted: None,
        };
        let page = of_remarks("</title>", "1 error", &[("<d>".to_owned(), vec![remark])]);
        assert!(!page.contains("<script>") && !page.contains("</title></title>"));
        assert!(page.contains("<pre>a\n&quot;b&quot; &amp; c</pre>") && page.contains("<h2>&lt;d&gt;</h2>"));
    }
}
