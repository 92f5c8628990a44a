//! Lists that thousands of pages have, each written in one go: `{{{rows list}}}`, `{{{links list}}}` and
//! `{{{fragments list}}}`. A template that writes them otherwise goes through them with `{{#each}}`.

use handlebars::{Context, Helper, RenderErrorReason};
use serde_json::Value;

use super::{Html, frame, items, write_linked};
use crate::{
    links::write_from_page,
    markdown::{self, Scope},
};

/// A text of an item; there is none where the model has none.
fn text<'a>(item: &'a Value, field: &'static str) -> Result<&'a str, RenderErrorReason> {
    match item.get(field) {
        Some(value) => Ok(value.as_str().unwrap_or_default()),
        None => Err(RenderErrorReason::MissingVariable(Some(field.to_owned()))),
    }
}

/// `{{{rows list}}}`: lines of an index.
pub(super) fn rows(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let items = items(helper, "rows")?;
    let mut html = String::with_capacity(items.len() * 192);
    for row in items {
        let is_deprecated = row.get("is_deprecated").and_then(Value::as_bool).unwrap_or_default();
        html.push_str("<li><a class=\"op");
        html.push_str(if is_deprecated { " old" } else { "" });
        html.push_str("\" href=\"");
        write_from_page(scope.root, text(row, "href")?, &mut html);
        html.push_str("\"><span>");
        markdown::escape(text(row, "prefix")?, &mut html);
        html.push_str("</span>");
        markdown::escape(text(row, "name")?, &mut html);
        html.push_str("</a> <span class=\"sum\">");
        markdown::write_inline(text(row, "summary")?, scope, &mut html);
        html.push_str("</span></li>\n");
    }
    Ok(html)
}

/// `{{{links list}}}`: names that lead to their pages, with commas between.
pub(super) fn links(helper: &Helper<'_>, context: &Context) -> Html {
    let root = frame(context, "root");
    let mut html = String::new();
    for (index, link) in items(helper, "links")?.iter().enumerate() {
        html.push_str(if index > 0 { ", " } else { "" });
        write_linked(link, root, ("<code>", "</code>"), "", &mut html);
    }
    Ok(html)
}

/// `{{{fragments list}}}`: places on the page.
pub(super) fn fragments(helper: &Helper<'_>) -> Html {
    let mut html = String::new();
    for place in items(helper, "fragments")? {
        html.push_str("<li><a href=\"");
        markdown::escape(text(place, "href")?, &mut html);
        html.push_str("\">");
        markdown::escape(text(place, "text")?, &mut html);
        html.push_str("</a></li>\n");
    }
    Ok(html)
}
