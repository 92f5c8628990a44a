//! Rows of tables: what an operation, type, attribute or pass has, and the cases of an enum. A template that writes them
//! otherwise names their fields itself.

use handlebars::{Helper, RenderErrorReason};
use serde_json::Value;

use super::{
    CODE, Html, is_set, items, list, lists::write_links, optional, required, text, write_linked, write_part,
};
use crate::markdown::{self, Scope};

/// `{{{called part role}}}`: its name in the hue of its role, and how often it may be there.
pub(super) fn called(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    let part = value(helper, 0, "called")?;
    let mut html = String::with_capacity(128);
    write_name(part, text(helper, 1, "called")?, !is_set(part, "is_named"), &mut html)?;
    Ok(html)
}

fn write_name(
    part: &Value,
    role: &str,
    is_nameless: bool,
    html: &mut String,
) -> Result<(), RenderErrorReason> {
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
pub(super) fn part(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let part = value(helper, 0, "part")?;
    let mut html = String::with_capacity(256);
    html.push_str("<td>");
    match optional(part, "constraint") {
        Some(constraint) => {
            markdown::write_inline(constraint, scope, &mut html);
            if part["constraint_name"].is_object() {
                html.push(' ');
                write_linked(&part["constraint_name"], scope.root, CODE, "", &mut html);
            }
            let mentions = list(part, "mentions")?;
            if !mentions.is_empty() {
                html.push_str(" <span class=\"soft\">");
                write_links(mentions, scope.root, &mut html);
                html.push_str("</span>");
            }
        }
        None => {
            let href = optional(part, "cpp_href");
            write_part(required(part, "cpp_type")?, href, scope.root, CODE, "", &mut html);
        }
    }
    html.push_str("</td>");
    if value(helper, 1, "part")?.as_bool().unwrap_or_default() {
        html.push_str("<td>");
        write_notes(part, scope, &mut html)?;
        html.push_str("</td>");
    }
    Ok(html)
}

fn write_notes(part: &Value, scope: Scope<'_>, html: &mut String) -> Result<(), RenderErrorReason> {
    if let Some(description) = optional(part, "description") {
        html.push_str("<p>");
        markdown::write_inline(description, scope, html);
        html.push_str("</p>");
    }
    let effects = list(part, "effects")?;
    if !effects.is_empty() {
        html.push_str("<p class=\"effects\">");
        for (index, effect) in effects.iter().enumerate() {
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
pub(super) fn brief(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let role = text(helper, 1, "brief")?;
    let mut html = String::new();
    for part in items(helper, "brief")? {
        html.push_str("<dd>");
        write_name(part, role, false, &mut html)?;
        html.push(' ');
        match optional(part, "constraint") {
            Some(constraint) => markdown::write_inline(constraint, scope, &mut html),
            None => write_part(required(part, "cpp_type")?, None, scope.root, CODE, "", &mut html),
        }
        if let Some(description) = optional(part, "description") {
            html.push_str(": ");
            markdown::write_inline(description, scope, &mut html);
        }
        if let Some(default) = optional(part, "default") {
            html.push_str(", default ");
            write_part(default, None, scope.root, CODE, "", &mut html);
        }
        html.push_str("</dd>\n");
    }
    Ok(html)
}

/// `{{{cases list has_meanings}}}`: the cases of an enum.
pub(super) fn cases(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let has_meanings = value(helper, 1, "cases")?.as_bool().unwrap_or_default();
    let items = items(helper, "cases")?;
    let mut html = String::with_capacity(items.len() * 128);
    for case in items {
        let columns = [
            ("<tr id=\"", "id"),
            ("\"><td><code>", "spelling"),
            ("</code></td><td><code class=\"soft\">", "symbol"),
            ("</code></td><td class=\"num\">", "value"),
        ];
        for (before, field) in columns {
            html.push_str(before);
            markdown::escape(required(case, field)?, &mut html);
        }
        html.push_str("</td>");
        if has_meanings {
            html.push_str("<td>");
            markdown::write_inline(required(case, "meaning")?, scope, &mut html);
            html.push_str("</td>");
        }
        html.push_str("</tr>\n");
    }
    Ok(html)
}

/// What a helper was given.
fn value<'a>(
    helper: &'a Helper<'_>,
    index: usize,
    name: &'static str,
) -> Result<&'a Value, RenderErrorReason> {
    let given = helper.param(index).filter(|given| !given.is_value_missing());
    given.map(|given| given.value()).ok_or(RenderErrorReason::ParamNotFoundForIndex(name, index))
}
