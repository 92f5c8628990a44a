//! Functions that templates call to write HTML.
//!
//! `{{url href}}` writes an address relative to the page, `{{{prose md}}}` and `{{{inline md}}}` an author's text,
//! `{{{plain text}}}` one whose only markup is code, `{{{listing language text}}}` highlighted code, `{{{link link}}}` a name that links to its page and
//! `{{{tokens list}}}` a signature or grammar; `{{broken name}}` allows line breaks after dots and underscores,
//! and `{{{rooted html}}}` writes HTML with the path to the root of the site in place of `{root}`.
//! `{{#section id class=name}}` writes a section with the page's heading; nothing if the page has no such section.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, PathAndJson, RenderContext, RenderError,
    RenderErrorReason, Renderable,
};
use serde_json::Value;

use super::{hooks::ROOT, prepare::ENDS_LINE};
use crate::{
    highlight,
    links::{Registry, write_from_page},
    markdown::{self, Scope, Texts},
    text::words,
};

/// A function that templates may call.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    /// The number of arguments.
    pub(super) count: usize,
    /// Writes the result for a page.
    pub(super) write: fn(Arguments<'_>, Scope<'_>, &mut String) -> WriteResult,
}

/// The arguments of a function; no function takes more.
type Arguments<'a> = [&'a Value; 2];

/// The result of a function: an error says which type of argument it takes.
type WriteResult<T = ()> = Result<T, &'static str>;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "url", count: 1, write: url },
    Function { name: "broken", count: 1, write: broken },
    Function { name: "prose", count: 1, write: prose },
    Function { name: "inline", count: 1, write: inline },
    Function { name: "plain", count: 1, write: plain },
    Function { name: "listing", count: 2, write: listing },
    Function { name: "link", count: 1, write: link },
    Function { name: "tokens", count: 1, write: tokens },
    Function { name: "rooted", count: 1, write: rooted },
];

/// A function as a helper, with all that it reads of the site.
pub(super) struct FunctionHelper<'r> {
    pub(super) function: &'static Function,
    pub(super) registry: &'r Registry,
    pub(super) texts: &'r Texts,
}

impl HelperDef for FunctionHelper<'_> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        call: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let mut given = [&Value::Null; 2];
        for (place, argument) in given.iter_mut().zip(call.params()) {
            *place = present(argument)?.value();
        }
        let [root, path] =
            ["root", "path"].map(|name| context.data()["frame"][name].as_str().unwrap_or_default());
        let scope = Scope { registry: self.registry, texts: self.texts, root, path };
        let mut html = String::new();
        let written = (self.function.write)(given, scope, &mut html);
        let fault = |takes| RenderErrorReason::Other(format!("`{}` takes {takes}", self.function.name));
        written.map_err(fault)?;
        Ok(out.write(&html)?)
    }
}

/// The helper for sections.
pub(super) struct SectionHelper;

impl HelperDef for SectionHelper {
    fn call<'reg: 'rc, 'rc>(
        &self,
        call: &Helper<'rc>,
        handlebars: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let id = call.param(0).map(present).transpose()?.map_or(&Value::Null, PathAndJson::value);
        let class = call.hash_get("class").map(present).transpose()?;
        let headings = context.data()["headings"].as_array();
        let Some(heading) = headings.and_then(|all| all.iter().find(|heading| heading["id"] == *id)) else {
            return Ok(());
        };
        let mut html = "<section".to_owned();
        let attribute = |name: &str, value: &str, html: &mut String| {
            html.extend([" ", name, "=\""]);
            markdown::escape(value, html);
            html.push('"');
        };
        let id = text(id).unwrap_or_default();
        if let Some(class) = class {
            attribute("class", &class.render(), &mut html);
        }
        attribute("aria-labelledby", id, &mut html);
        html.push_str(">\n<h2");
        attribute("id", id, &mut html);
        html.push('>');
        for (name, open, close) in [
            ("title", "", ""),
            ("code", " <code>", "</code>"),
            ("aside", " <span class=\"aside\">", "</span>"),
        ] {
            if let Some(text) = heading[name].as_str() {
                html.push_str(open);
                markdown::escape(text, &mut html);
                html.push_str(close);
            }
        }
        html.push_str("</h2>\n");
        out.write(&html)?;
        if let Some(body) = call.template() {
            body.render(handlebars, context, render, out)?;
        }
        let ends_line = call.hash_get(ENDS_LINE).is_some();
        Ok(out.write(if ends_line { "</section>\n" } else { "</section>" })?)
    }
}

/// Returns an argument; a missing one is an error.
pub(super) fn present<'a, 'rc>(argument: &'a PathAndJson<'rc>) -> Result<&'a PathAndJson<'rc>, RenderError> {
    if argument.is_value_missing() {
        Err(RenderError::strict_error(argument.relative_path()))
    } else {
        Ok(argument)
    }
}

/// Finds a function by name.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

fn url([href, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    write_from_page(scope.root, text(href)?, html);
    Ok(())
}

fn broken([name, _]: Arguments<'_>, _: Scope<'_>, html: &mut String) -> WriteResult {
    let mut pieces = words(text(name)?).peekable();
    while let Some(piece) = pieces.next() {
        markdown::escape(piece, html);
        if pieces.peek().is_some() {
            html.push_str("<wbr>");
        }
    }
    Ok(())
}

fn rooted([html_of, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    html.push_str(&text(html_of)?.replace(ROOT, scope.root));
    Ok(())
}

fn prose([md, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    html.push_str(&markdown::block(text(md)?, scope));
    Ok(())
}

fn inline([md, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    markdown::write_inline(text(md)?, scope, html);
    Ok(())
}

fn plain([text_of, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    markdown::write_inline(&markdown::literal(text(text_of)?), scope, html);
    Ok(())
}

fn listing([language, code]: Arguments<'_>, _: Scope<'_>, html: &mut String) -> WriteResult {
    highlight::write(text(language)?, text(code)?, |_| None, html);
    Ok(())
}

fn link([link, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    write_linked(link, scope.root, ("<code>", "</code>"), "", html);
    Ok(())
}

fn tokens([tokens, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    for token in tokens.as_array().ok_or("a list")? {
        let role = token.get("role").and_then(Value::as_str).filter(|role| *role != "plain");
        write_linked(token, scope.root, ("", ""), role.unwrap_or_default(), html);
    }
    Ok(())
}

/// The text of a value; empty for a value that the model leaves out.
fn text(value: &Value) -> WriteResult<&str> {
    if value.is_null() { Ok("") } else { value.as_str().ok_or("a text") }
}

/// Writes a text between two tags, inside a link if it has an address.
fn write_linked(value: &Value, root: &str, (open, close): (&str, &str), class: &str, html: &mut String) {
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let href = field("href");
    let tag = match href {
        Some(_) => "a",
        None if class.is_empty() => "",
        None => "span",
    };
    if !tag.is_empty() {
        html.push('<');
        html.push_str(tag);
        if !class.is_empty() {
            html.push_str(" class=\"");
            html.push_str(class);
            html.push('"');
        }
        if let Some(href) = href {
            html.push_str(" href=\"");
            write_from_page(root, href, html);
            html.push('"');
        }
        if let Some(record) = field("record") {
            html.push_str(" title=\"");
            markdown::escape(record, html);
            html.push('"');
        }
        html.push('>');
    }
    html.push_str(open);
    markdown::escape(field("text").unwrap_or_default(), html);
    html.push_str(close);
    if !tag.is_empty() {
        html.push_str("</");
        html.push_str(tag);
        html.push('>');
    }
}
