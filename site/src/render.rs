//! From the page model to HTML: the templates, and the few helpers that they may call.
//!
//! `{{url href}}` is an address seen from the page, `{{{prose md}}}` and `{{{inline md}}}` are an author's text,
//! `{{{listing language text}}}` is code in colours, `{{{link link}}}` a name that leads to its page and
//! `{{{tokens list}}}` a signature or grammar; `{{broken name}}` may be broken behind its dots and lines. `lists` and
//! `tables` have those that write a whole list, or a row of a table.

mod lists;
mod predicate;
mod tables;

use std::fmt::Write as _;

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderErrorReason,
};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    build::{Body, Page},
    highlight,
    links::{Registry, write_from_page},
    markdown::{self, Scope},
    templates::{Fault, Templates},
};

/// Files that every site has.
pub const ASSETS: &[(&str, &str)] = &[
    ("assets/site.css", include_str!("../../templates/assets/site.css")),
    ("assets/site.js", include_str!("../../templates/assets/site.js")),
    (
        "assets/search.js",
        concat!(
            include_str!("../../templates/assets/match.js"),
            include_str!("../../templates/assets/search.js")
        ),
    ),
    ("assets/icon.svg", include_str!("../../templates/assets/icon.svg")),
];

/// What a site has besides while it is watched.
pub const LIVE: (&str, &str) = ("assets/live.js", include_str!("../../templates/assets/live.js"));
/// The script that stands in each page, by its file.
pub const BOOT_FILE: &str = "assets/boot.js";

/// Runs before the page is painted, so that a chosen theme does not flash.
pub const BOOT: &str = include_str!("../../templates/assets/boot.js");

/// Turns pages into HTML.
pub struct Renderer<'r> {
    handlebars: Handlebars<'r>,
    templates: Templates,
    chrome: Chrome,
}

/// What is the same on every page.
#[derive(Clone, Debug, Serialize)]
struct Chrome {
    /// Whether the page waits for the next one.
    is_live: bool,
    boot: String,
    policy: String,
    generator: &'static str,
}

#[derive(Serialize)]
struct View<'a, T: Serialize> {
    frame: &'a crate::view::Frame,
    chrome: &'a Chrome,
    page: &'a T,
}

/// What a page may do: show and run what is beside it, and its one script of its own, nothing else. Every page says so
/// itself; a server repeats it as a header.
#[must_use]
pub fn policy() -> String {
    policy_for(BOOT)
}

fn policy_for(boot: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{}'; style-src 'self'; img-src 'self'; base-uri 'none'; \
         form-action 'self'",
        base64(&Sha256::digest(boot))
    )
}

impl<'r> Renderer<'r> {
    /// A renderer whose links lead to the pages of `registry`; `boot` is the script that stands in each page, and pages
    /// that are live wait for the next ones.
    ///
    /// # Errors
    /// A template does not parse.
    pub fn new(
        registry: &'r Registry,
        templates: Templates,
        boot: &str,
        is_live: bool,
        threads: usize,
    ) -> Result<Self, Fault> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(|text| {
            let mut escaped = String::with_capacity(text.len() + 8);
            markdown::escape(text, &mut escaped);
            escaped
        });
        templates.register(&mut handlebars, threads)?;
        for &(name, make) in HELPERS {
            handlebars.register_helper(name, Box::new(Writes { registry, make }));
        }
        let chrome = Chrome {
            boot: boot.to_owned(),
            is_live,
            policy: if is_live {
                format!("{}; connect-src 'self'", policy_for(boot))
            } else {
                policy_for(boot)
            },
            generator: concat!("Odsmith ", env!("CARGO_PKG_VERSION")),
        };
        Ok(Renderer { handlebars, templates, chrome })
    }

    /// A page's HTML.
    ///
    /// # Errors
    /// A template names what the page model does not have.
    pub fn html(&self, page: &Page) -> Result<String, Fault> {
        match &page.body {
            Body::Home(view) => self.fill("home", page, view),
            Body::Dialect(view) => self.fill("dialect", page, view),
            Body::Operation(view) => self.fill("operation", page, view),
            Body::AttrOrType(view) => self.fill("attr_or_type", page, view),
            Body::Enum(view) => self.fill("enum", page, view),
            Body::Trait(view) => self.fill("trait", page, view),
            Body::Constraint(view) => self.fill("constraint", page, view),
            Body::Class(view) => self.fill("class", page, view),
            Body::Pass(view) => self.fill("pass", page, view),
            Body::Patterns(view) => self.fill("patterns", page, view),
            Body::All(view) => self.fill("all", page, view),
            Body::Coverage(view) => self.fill("coverage", page, view),
            Body::Guide(view) => self.fill("guide", page, view),
            Body::Az(view) => self.fill("az", page, view),
        }
    }

    fn fill<T: Serialize>(&self, template: &str, page: &Page, view: &T) -> Result<String, Fault> {
        let view = View { frame: &page.frame, chrome: &self.chrome, page: view };
        self.handlebars.render(template, &view).map_err(|error| self.templates.render_fault(template, &error))
    }
}

/// The JSON twin of a page.
#[must_use]
pub fn json(page: &Page) -> Option<String> {
    let text = match &page.body {
        Body::Home(_) | Body::Az(_) | Body::All(_) | Body::Guide(_) => return None,
        Body::Constraint(view) => serde_json::to_string_pretty(view),
        Body::Class(view) => serde_json::to_string_pretty(view),
        Body::Pass(view) => serde_json::to_string_pretty(view),
        Body::Patterns(view) => serde_json::to_string_pretty(view),
        Body::Coverage(view) => serde_json::to_string_pretty(view),
        Body::Dialect(view) => serde_json::to_string_pretty(view),
        Body::Operation(view) => serde_json::to_string_pretty(view),
        Body::AttrOrType(view) => serde_json::to_string_pretty(view),
        Body::Enum(view) => serde_json::to_string_pretty(view),
        Body::Trait(view) => serde_json::to_string_pretty(view),
    };
    text.ok().map(|text| text + "\n")
}

/// A text that a helper was given; there is nothing to show of one that is not there.
fn text<'a>(helper: &'a Helper<'_>, index: usize, name: &'static str) -> Result<&'a str, RenderErrorReason> {
    let given = helper.param(index).filter(|given| !given.is_value_missing());
    let given =
        given.and_then(|given| if given.value().is_null() { Some("") } else { given.value().as_str() });
    given.ok_or(RenderErrorReason::ParamNotFoundForIndex(name, index))
}

/// What stands around code.
const CODE: (&str, &str) = ("<code>", "</code>");

/// What a helper writes, or why there is nothing to write.
type Html = Result<String, RenderErrorReason>;

/// What a helper makes of its arguments on a page.
type Make = fn(&Helper<'_>, Scope<'_>) -> Html;

/// The helpers by their names.
const HELPERS: &[(&str, Make)] = &[
    ("url", url),
    ("broken", broken),
    ("prose", prose),
    ("inline", inline),
    ("listing", listing),
    ("predicate", predicate::tree),
    ("link", link),
    ("tokens", tokens),
    ("rows", lists::rows),
    ("names", lists::names),
    ("links", lists::links),
    ("chain", lists::chain),
    ("codes", lists::codes),
    ("fragments", lists::fragments),
    ("members", lists::members),
    ("facts", lists::facts),
    ("traits", lists::traits),
    ("called", tables::called),
    ("part", tables::part),
    ("brief", tables::brief),
    ("cases", tables::cases),
];

/// A helper that writes what its function makes.
struct Writes<'r> {
    registry: &'r Registry,
    make: Make,
}

impl HelperDef for Writes<'_> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let frame = &context.data()["frame"];
        let field = |name: &str| frame[name].as_str().unwrap_or_default();
        let scope = Scope { registry: self.registry, root: field("root"), path: field("path") };
        out.write(&(self.make)(helper, scope)?)?;
        Ok(())
    }
}

fn url(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    write_from_page(scope.root, text(helper, 0, "url")?, &mut html);
    Ok(html)
}

fn broken(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    let mut pieces = text(helper, 0, "broken")?.split_inclusive(['.', '_']).peekable();
    let mut html = String::new();
    while let Some(piece) = pieces.next() {
        markdown::escape(piece, &mut html);
        if pieces.peek().is_some() {
            html.push_str("<wbr>");
        }
    }
    Ok(html)
}

fn prose(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    Ok(markdown::block(text(helper, 0, "prose")?, scope))
}

fn inline(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    Ok(markdown::inline(text(helper, 0, "inline")?, scope))
}

fn listing(helper: &Helper<'_>, _: Scope<'_>) -> Html {
    Ok(highlight::block(text(helper, 0, "listing")?, text(helper, 1, "listing")?, |_| None))
}

fn link(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let link = helper.param(0).ok_or(RenderErrorReason::ParamNotFoundForIndex("link", 0))?;
    let mut html = String::new();
    write_linked(link.value(), scope.root, CODE, "", &mut html);
    Ok(html)
}

fn tokens(helper: &Helper<'_>, scope: Scope<'_>) -> Html {
    let mut html = String::new();
    for token in items(helper, "tokens")? {
        let role = token.get("role").and_then(Value::as_str).unwrap_or_default();
        let class = if role == "plain" { String::new() } else { format!(" class=\"{role}\"") };
        write_linked(token, scope.root, ("", ""), &class, &mut html);
    }
    Ok(html)
}

/// The items of the list that a helper was given.
fn items<'a>(helper: &'a Helper<'_>, name: &'static str) -> Result<&'a [Value], RenderErrorReason> {
    let given = helper.param(0).and_then(|given| given.value().as_array());
    given.map(Vec::as_slice).ok_or(RenderErrorReason::ParamNotFoundForIndex(name, 0))
}

/// A text of an item; there is none where the model has none.
fn required<'a>(item: &'a Value, field: &'static str) -> Result<&'a str, RenderErrorReason> {
    let value = item.get(field).ok_or_else(|| RenderErrorReason::MissingVariable(Some(field.to_owned())))?;
    Ok(value.as_str().unwrap_or_default())
}

/// A text of an item, if there is one.
fn optional<'a>(item: &'a Value, field: &str) -> Option<&'a str> {
    item.get(field).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The list in an item.
fn list<'a>(item: &'a Value, field: &'static str) -> Result<&'a [Value], RenderErrorReason> {
    let list = item.get(field).and_then(Value::as_array).map(Vec::as_slice);
    list.ok_or_else(|| RenderErrorReason::MissingVariable(Some(field.to_owned())))
}

/// Whether something is so of an item.
fn is_set(item: &Value, field: &str) -> bool {
    item.get(field).and_then(Value::as_bool).unwrap_or_default()
}

/// A piece of text in `tag`, inside a link if it has an address.
fn write_linked(value: &Value, root: &str, tag: (&str, &str), class: &str, html: &mut String) {
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    write_part(field("text").unwrap_or_default(), field("href"), root, tag, class, html);
}

/// The same of a text and an address.
fn write_part(
    text: &str,
    href: Option<&str>,
    root: &str,
    (open, close): (&str, &str),
    class: &str,
    html: &mut String,
) {
    match href {
        Some(href) => {
            html.push_str("<a");
            html.push_str(class);
            html.push_str(" href=\"");
            write_from_page(root, href, html);
            html.push_str("\">");
            html.push_str(open);
            markdown::escape(text, html);
            html.push_str(close);
            html.push_str("</a>");
        }
        None if class.is_empty() => {
            html.push_str(open);
            markdown::escape(text, html);
            html.push_str(close);
        }
        None => {
            html.push_str("<span");
            html.push_str(class);
            html.push('>');
            markdown::escape(text, html);
            html.push_str("</span>");
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for index in 0..4 {
            if index > chunk.len() {
                out.push('=');
            } else {
                let _ = out.write_char(char::from(DIGITS[(group >> (18 - 6 * index)) as usize & 63]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_pads() {
        assert_eq!(super::base64(b"ab"), "YWI=");
        assert_eq!(super::base64(b"abc"), "YWJj");
        assert_eq!(super::base64(b"abcd"), "YWJjZA==");
    }

    #[test]
    fn the_inline_script_is_small() {
        assert!(super::BOOT.len() < 1024);
    }
}
