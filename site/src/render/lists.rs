//! Lists that thousands of pages have, each written in one go. A template that writes them otherwise goes through them
//! with `{{#each}}`.

use super::{
    data::{Datum, List},
    helpers::{
        CODE, Given, Written, field, is_set, items, list, optional, required, write_linked, write_part,
    },
};
use crate::{
    highlight,
    links::write_from_page,
    markdown::{self, Scope},
};

/// `{{{rows list}}}`: lines of an index.
pub(super) fn rows(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for row in items(given, "rows")? {
        write_name(row, scope, html)?;
        html.push_str(" <span class=\"sum\">");
        markdown::write_inline(required(row, "summary")?, scope, html);
        html.push_str("</span></li>\n");
    }
    Ok(())
}

/// `{{{names list}}}`: the same without what they stand for.
pub(super) fn names(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for row in items(given, "names")? {
        write_name(row, scope, html)?;
        html.push_str("</li>\n");
    }
    Ok(())
}

fn write_name(row: Datum<'_>, scope: Scope<'_>, html: &mut String) -> Written {
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
pub(super) fn links(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    write_links(items(given, "links")?, scope.root, html);
    Ok(())
}

/// Links, with commas between.
pub(super) fn write_links(links: List<'_>, root: &str, html: &mut String) {
    for (index, link) in links.enumerate() {
        html.push_str(if index > 0 { ", " } else { "" });
        write_linked(link, root, CODE, "", html);
    }
}

/// `{{{chain list}}}`: classes that something derives from, nearest first.
pub(super) fn chain(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for class in items(given, "chain")? {
        html.push_str(" <span aria-hidden=\"true\">‹</span> ");
        write_linked(class, scope.root, CODE, "", html);
    }
    Ok(())
}

/// `{{{codes list}}}`: pieces of code, with commas between.
pub(super) fn codes(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    for (index, code) in items(given, "codes")?.enumerate() {
        html.push_str(if index > 0 { ", <code>" } else { "<code>" });
        markdown::escape(code.as_str().unwrap_or_default(), html);
        html.push_str("</code>");
    }
    Ok(())
}

/// `{{{fragments list}}}`: places on the page.
pub(super) fn fragments(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    for place in items(given, "fragments")? {
        html.push_str("<li><a href=\"");
        markdown::escape(required(place, "href")?, html);
        html.push_str("\">");
        markdown::escape(required(place, "text")?, html);
        html.push_str("</a></li>\n");
    }
    Ok(())
}

/// `{{{members list}}}`: builders, or accessors as they are declared.
pub(super) fn members(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    for member in items(given, "members")? {
        let signature = member.as_str().map_or_else(|| required(member, "signature"), Ok)?;
        html.push_str("<li><code>");
        highlight::write("c++", signature, |_| None, html);
        html.push_str("</code>");
        if let Some(reason) = optional(member, "deprecation") {
            html.push_str(" <span class=\"badge warn\">deprecated</span> ");
            markdown::escape(reason, html);
        }
        html.push_str("</li>\n");
    }
    Ok(())
}

/// `{{{facts list}}}`: what is told, and what it is.
pub(super) fn facts(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for fact in items(given, "facts")? {
        html.push_str("<div><dt>");
        markdown::escape(required(fact, "label")?, html);
        html.push_str("</dt><dd>");
        let (text, code, href) = (optional(fact, "text"), optional(fact, "code"), optional(fact, "href"));
        if let Some(code) = code {
            write_part(code, href, scope.root, CODE, "", html);
            if let Some(text) = text {
                html.push(' ');
                markdown::write_inline(text, scope, html);
            }
        } else {
            write_part(text.unwrap_or_default(), href, scope.root, ("", ""), "", html);
        }
        html.push_str("</dd></div>\n");
    }
    Ok(())
}

/// `{{{traits list}}}`: traits or interfaces, what each means, and what it stands for.
pub(super) fn traits(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for found in items(given, "traits")? {
        html.push_str("<div><dt>");
        write_linked(field(found, "name")?, scope.root, CODE, "", html);
        html.push_str("</dt><dd>");
        markdown::write_inline(required(found, "meaning")?, scope, html);
        let parts = list(found, "parts")?;
        if parts.len() > 0 {
            html.push_str(" <span class=\"soft\">(");
            write_links(parts, scope.root, html);
            html.push_str(")</span>");
        }
        html.push_str("</dd></div>\n");
    }
    Ok(())
}
