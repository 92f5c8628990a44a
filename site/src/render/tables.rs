//! Rows of tables: what an operation, type, attribute or pass has, and the cases of an enum. A template that writes them
//! otherwise names their fields itself.

use super::{
    data::Datum,
    helpers::{
        CODE, Given, Written, field, is_set, items, list, optional, required, text, value, write_linked,
        write_part,
    },
    lists::write_links,
};
use crate::markdown::{self, Scope};

/// `{{{called part role}}}`: its name in the hue of its role, and how often it may be there.
pub(super) fn called(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    let part = value(given, 0, "called")?;
    write_name(part, text(given, 1, "called")?, !is_set(part, "is_named"), html)?;
    Ok(())
}

fn write_name(part: Datum<'_>, role: &str, is_nameless: bool, html: &mut String) -> Written {
    html.push_str("<code class=\"");
    html.push_str(role);
    html.push_str(if is_nameless { " nameless\">" } else { "\">" });
    markdown::escape(required(part, "name")?, html);
    html.push_str("</code>");
    for word in list(part, "quantifiers")? {
        html.push_str(" <span class=\"quant\">");
        markdown::escape(word.as_str().unwrap_or_default(), html);
        html.push_str("</span>");
    }
    Ok(())
}

/// `{{{part part has_notes}}}`: the cells with what it accepts and with what else there is to know.
pub(super) fn part(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    let part = value(given, 0, "part")?;
    html.push_str("<td>");
    match optional(part, "constraint") {
        Some(constraint) => {
            markdown::write_inline(constraint, scope, html);
            let name = field(part, "constraint_name")?;
            if name.is_map() {
                html.push(' ');
                write_linked(name, scope.root, CODE, "", html);
            }
            let mentions = list(part, "mentions")?;
            if mentions.len() > 0 {
                html.push_str(" <span class=\"soft\">");
                write_links(mentions, scope.root, html);
                html.push_str("</span>");
            }
        }
        None => {
            let href = optional(part, "cpp_href");
            write_part(required(part, "cpp_type")?, href, scope.root, CODE, "", html);
        }
    }
    html.push_str("</td>");
    if value(given, 1, "part")?.as_bool().unwrap_or_default() {
        html.push_str("<td>");
        write_notes(part, scope, html)?;
        html.push_str("</td>");
    }
    Ok(())
}

fn write_notes(part: Datum<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    if let Some(description) = optional(part, "description") {
        html.push_str("<p>");
        markdown::write_inline(description, scope, html);
        html.push_str("</p>");
    }
    let effects = list(part, "effects")?;
    if effects.len() > 0 {
        html.push_str("<p class=\"effects\">");
        for (index, effect) in effects.enumerate() {
            html.push_str(if index > 0 { ", " } else { "" });
            markdown::escape(effect.as_str().unwrap_or_default(), html);
        }
        html.push_str("</p>");
    }
    if let Some(default) = optional(part, "default") {
        html.push_str("<p>default ");
        write_part(default, None, scope.root, CODE, "", html);
        html.push_str("</p>");
    }
    for fact in list(part, "facts")? {
        html.push_str("<p>");
        markdown::escape(required(fact, "label")?, html);
        html.push(' ');
        match optional(fact, "code") {
            Some(code) => write_part(code, optional(fact, "href"), scope.root, CODE, "", html),
            None => markdown::escape(required(fact, "text")?, html),
        }
        html.push_str("</p>");
    }
    Ok(())
}

/// `{{{brief list role}}}`: parts, each in a line.
pub(super) fn brief(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    let role = text(given, 1, "brief")?;
    for part in items(given, "brief")? {
        html.push_str("<dd>");
        write_name(part, role, false, html)?;
        html.push(' ');
        match optional(part, "constraint") {
            Some(constraint) => markdown::write_inline(constraint, scope, html),
            None => write_part(required(part, "cpp_type")?, None, scope.root, CODE, "", html),
        }
        if let Some(description) = optional(part, "description") {
            html.push_str(": ");
            markdown::write_inline(description, scope, html);
        }
        if let Some(default) = optional(part, "default") {
            html.push_str(", default ");
            write_part(default, None, scope.root, CODE, "", html);
        }
        html.push_str("</dd>\n");
    }
    Ok(())
}

/// `{{{cases list has_meanings}}}`: the cases of an enum.
pub(super) fn cases(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    let has_meanings = value(given, 1, "cases")?.as_bool().unwrap_or_default();
    for case in items(given, "cases")? {
        let columns = [
            ("<tr id=\"", "id"),
            ("\"><td><code>", "spelling"),
            ("</code></td><td><code class=\"soft\">", "symbol"),
            ("</code></td><td class=\"num\">", "value"),
        ];
        for (before, field) in columns {
            html.push_str(before);
            markdown::escape(required(case, field)?, html);
        }
        html.push_str("</td>");
        if has_meanings {
            html.push_str("<td>");
            markdown::write_inline(required(case, "meaning")?, scope, html);
            html.push_str("</td>");
        }
        html.push_str("</tr>\n");
    }
    Ok(())
}
