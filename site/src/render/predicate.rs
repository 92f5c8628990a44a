//! `{{{predicate tree}}}`: a condition as a nested list.

use handlebars::{Helper, RenderErrorReason};
use serde_json::Value;

use super::{CODE, Html, write_linked};
use crate::{
    highlight,
    markdown::{self, Scope},
};

/// The helper.
pub(super) fn tree(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let tree = helper.param(0).ok_or(RenderErrorReason::ParamNotFoundForIndex("predicate", 0))?;
    let mut html = String::from("<ul class=\"tree\">\n");
    write_item(tree.value(), scope.root, &mut html);
    html.push_str("</ul>\n");
    Ok(html)
}

/// `all of` and what it is all of; the C++ of a leaf; a constraint that stands for itself.
fn write_item(node: &Value, root: &str, html: &mut String) {
    let text = |field: &str| node.get(field).and_then(Value::as_str).unwrap_or_default();
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
    let children = node.get("children").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if !children.is_empty() {
        html.push_str("\n<ul>\n");
        for child in children {
            write_item(child, root, html);
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</li>\n");
}
