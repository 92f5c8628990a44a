//! Functions that templates call to write HTML.
//!
//! `{{url href}}` writes an address relative to the page, `{{{prose md}}}` and `{{{inline md}}}` an author's text,
//! `{{{listing language text}}}` highlighted code, `{{{link link}}}` a name that links to its page and
//! `{{{tokens list}}}` a signature or grammar; `{{broken name}}` allows line breaks after dots and underscores.

use super::plan::Value;
use crate::{
    highlight,
    links::write_from_page,
    markdown::{self, Scope},
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
type Arguments<'a> = [Value<'a>; 2];

/// The result of a function: an error says which type of argument it takes.
type WriteResult<T = ()> = Result<T, &'static str>;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "url", count: 1, write: url },
    Function { name: "broken", count: 1, write: broken },
    Function { name: "prose", count: 1, write: prose },
    Function { name: "inline", count: 1, write: inline },
    Function { name: "listing", count: 2, write: listing },
    Function { name: "link", count: 1, write: link },
    Function { name: "tokens", count: 1, write: tokens },
];

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

fn prose([md, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    html.push_str(&markdown::block(text(md)?, scope));
    Ok(())
}

fn inline([md, _]: Arguments<'_>, scope: Scope<'_>, html: &mut String) -> WriteResult {
    markdown::write_inline(text(md)?, scope, html);
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
    for (_, token) in tokens.entries().ok_or("a list")? {
        let token = Value::Fact(token);
        let role = token.get("role").and_then(Value::as_str).filter(|role| *role != "plain");
        write_linked(token, scope.root, ("", ""), role.unwrap_or_default(), html);
    }
    Ok(())
}

/// The text of a value; empty for a value that the model leaves out.
fn text(value: Value<'_>) -> WriteResult<&str> {
    if value.is_null() { Ok("") } else { value.as_str().ok_or("a text") }
}

/// Writes a text between two tags, inside a link if it has an address.
fn write_linked(value: Value<'_>, root: &str, (open, close): (&str, &str), class: &str, html: &mut String) {
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
