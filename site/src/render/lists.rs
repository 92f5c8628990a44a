//! Lists that thousands of pages have, each written in one go. A template that writes them otherwise goes through them
//! with `{{#each}}`.

use handlebars::{Helper, RenderErrorReason};
use serde_json::Value;

use super::{CODE, Html, is_set, items, optional, required, write_linked, write_part};
use crate::{
    highlight,
    links::write_from_page,
    markdown::{self, Scope},
};

/// `{{{rows list}}}`: lines of an index.
pub(super) fn rows(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let items = items(helper, "rows")?;
    let mut html = String::with_capacity(items.len() * 192);
    for row in items {
        write_name(row, scope, &mut html)?;
        html.push_str(" <span class=\"sum\">");
        markdown::write_inline(required(row, "summary")?, scope, &mut html);
        html.push_str("</span></li>\n");
    }
    Ok(html)
}

/// `{{{names list}}}`: the same without what they stand for.
pub(super) fn names(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let items = items(helper, "names")?;
    let mut html = String::with_capacity(items.len() * 96);
    for row in items {
        write_name(row, scope, &mut html)?;
        html.push_str("</li>\n");
    }
    Ok(html)
}

fn write_name(row: &Value, scope: Scope<'_>, html: &mut String) -> Result<(), RenderErrorReason> {
    html.push_str("<li><a class=\"op");
    html.push_str(if is_set(row, "is_deprecated") { " old" } else { "" });
    html.push_str("\" href=\"");
    write_from_page(scope.root, required(row, "href")?, html);
    html.push_str("\"><span>");
    markdown::escape(required(row, "prefix")?, html);
    html.push_str("</span>");
    markdown::escape(required(row, "name")?, html);
    html.push_str("</a>");
    Ok(())
}

/// `{{{links list}}}`: names that lead to their pages, with commas between.
pub(super) fn links(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    write_links(items(helper, "links")?, scope.root, &mut html);
    Ok(html)
}

/// Links, with commas between.
pub(super) fn write_links(links: &[Value], root: &str, html: &mut String) {
    for (index, link) in links.iter().enumerate() {
        html.push_str(if index > 0 { ", " } else { "" });
        write_linked(link, root, CODE, "", html);
    }
}

/// `{{{chain list}}}`: classes that something derives from, nearest first.
pub(super) fn chain(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    for class in items(helper, "chain")? {
        html.push_str(" <span aria-hidden=\"true\">‹</span> ");
        write_linked(class, scope.root, CODE, "", &mut html);
    }
    Ok(html)
}

/// `{{{codes list}}}`: pieces of code, with commas between.
pub(super) fn codes(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    let mut html = String::new();
    for (index, code) in items(helper, "codes")?.iter().enumerate() {
        html.push_str(if index > 0 { ", <code>" } else { "<code>" });
        markdown::escape(code.as_str().unwrap_or_default(), &mut html);
        html.push_str("</code>");
    }
    Ok(html)
}

/// `{{{fragments list}}}`: places on the page.
pub(super) fn fragments(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    let mut html = String::new();
    for place in items(helper, "fragments")? {
        html.push_str("<li><a href=\"");
        markdown::escape(required(place, "href")?, &mut html);
        html.push_str("\">");
        markdown::escape(required(place, "text")?, &mut html);
        html.push_str("</a></li>\n");
    }
    Ok(html)
}

/// `{{{members list}}}`: builders, or accessors as they are declared.
pub(super) fn members(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    let mut html = String::new();
    for member in items(helper, "members")? {
        let signature = member.as_str().map_or_else(|| required(member, "signature"), Ok)?;
        html.push_str("<li><code>");
        highlight::write("c++", signature, |_| None, &mut html);
        html.push_str("</code>");
        if let Some(reason) = optional(member, "deprecation") {
            html.push_str(" <span class=\"badge warn\">deprecated</span> ");
            markdown::escape(reason, &mut html);
        }
        html.push_str("</li>\n");
    }
    Ok(html)
}

/// `{{{facts list}}}`: what is told, and what it is.
pub(super) fn facts(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    for fact in items(helper, "facts")? {
        html.push_str("<div><dt>");
        markdown::escape(required(fact, "label")?, &mut html);
        html.push_str("</dt><dd>");
        let (text, code, href) = (optional(fact, "text"), optional(fact, "code"), optional(fact, "href"));
        if let Some(code) = code {
            write_part(code, href, scope.root, CODE, "", &mut html);
            if let Some(text) = text {
                html.push(' ');
                markdown::write_inline(text, scope, &mut html);
            }
        } else {
            write_part(text.unwrap_or_default(), href, scope.root, ("", ""), "", &mut html);
        }
        html.push_str("</dd></div>\n");
    }
    Ok(html)
}

/// `{{{traits list}}}`: traits or interfaces, what each means, and what it stands for.
pub(super) fn traits(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    for found in items(helper, "traits")? {
        html.push_str("<div><dt>");
        write_linked(&found["name"], scope.root, CODE, "", &mut html);
        html.push_str("</dt><dd>");
        markdown::write_inline(required(found, "meaning")?, scope, &mut html);
        if let Some(parts) = found["parts"].as_array().filter(|parts| !parts.is_empty()) {
            html.push_str(" <span class=\"soft\">(");
            write_links(parts, scope.root, &mut html);
            html.push_str(")</span>");
        }
        html.push_str("</dd></div>\n");
    }
    Ok(html)
}
