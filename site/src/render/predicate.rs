//! `{{{predicate tree}}}`: a condition as a nested list.

use super::{
    data::Datum,
    helpers::{CODE, Given, Written, value, write_linked},
};
use crate::{
    highlight,
    markdown::{self, Scope},
};

/// The helper.
pub(super) fn tree(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    html.push_str("<ul class=\"tree\">\n");
    write_item(value(given, 0, "predicate")?, scope.root, html);
    html.push_str("</ul>\n");
    Ok(())
}

/// `all of` and what it is all of; the C++ of a leaf; a constraint that stands for itself.
fn write_item(node: Datum<'_>, root: &str, html: &mut String) {
    let text = |field: &str| node.get(field).and_then(Datum::as_str).unwrap_or_default();
    html.push_str("<li>");
    let name = node.get("name").filter(|name| !name.is_null());
    if let Some(name) = name {
        write_linked(name, root, CODE, "", html);
    }
    if !text("label").is_empty() {
        html.push_str(if name.is_some() { ": <span class=\"soft\">" } else { "<span class=\"soft\">" });
        markdown::escape(text("label"), html);
        html.push_str("</span>");
    }
    if !text("code").is_empty() {
        html.push_str(if html.ends_with("<li>") { "<code>" } else { " <code>" });
        highlight::write("c++", text("code"), |_| None, html);
        html.push_str("</code>");
    }
    let children = node.get("children").and_then(Datum::as_list).filter(|children| children.len() > 0);
    if let Some(children) = children {
        html.push_str("\n<ul>\n");
        for child in children {
            write_item(child, root, html);
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</li>\n");
}
