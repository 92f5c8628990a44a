//! What templates may call.
//!
//! `{{url href}}` is an address seen from the page, `{{{prose md}}}` and `{{{inline md}}}` are an author's text,
//! `{{{listing language text}}}` is code in colours, `{{{link link}}}` a name that leads to its page and
//! `{{{tokens list}}}` a signature or grammar; `{{broken name}}` may be broken behind its dots and lines. `lists` and
//! `tables` have those that write a whole list, or a row of a table.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderErrorReason,
};

use super::{
    data::{Data, Datum, List},
    lists, predicate, tables,
};
use crate::{
    highlight,
    links::{Registry, write_from_page},
    markdown::{self, Scope, Texts},
};

/// What stands around code.
pub(super) const CODE: (&str, &str) = ("<code>", "</code>");

/// What a helper is given; none takes more.
pub(super) type Given<'a> = [Option<Datum<'a>>; 2];

/// Whether a helper wrote, or why there is nothing to write.
pub(super) type Written = Result<(), RenderErrorReason>;

/// Writes what a helper makes of what it is given on a page.
pub(super) type Make = fn(Given<'_>, Scope<'_>, &mut String) -> Written;

/// The helpers by their names.
pub(super) const HELPERS: &[(&str, Make)] = &[
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

/// A helper as Handlebars calls it.
pub(super) struct Writes<'r> {
    pub(super) registry: &'r Registry,
    pub(super) texts: &'r Texts,
    pub(super) make: Make,
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
        let scope =
            Scope { registry: self.registry, texts: self.texts, root: field("root"), path: field("path") };
        let data = [0, 1].map(|index| {
            let given = helper.param(index).filter(|given| !given.is_value_missing())?;
            Data::new(given.value(), 0)
        });
        let mut html = String::new();
        (self.make)(data.each_ref().map(|data| Some(data.as_ref()?.root())), scope, &mut html)?;
        out.write(&html)?;
        Ok(())
    }
}

fn url(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    write_from_page(scope.root, text(given, 0, "url")?, html);
    Ok(())
}

fn broken(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    let mut pieces = text(given, 0, "broken")?.split_inclusive(['.', '_']).peekable();
    while let Some(piece) = pieces.next() {
        markdown::escape(piece, html);
        if pieces.peek().is_some() {
            html.push_str("<wbr>");
        }
    }
    Ok(())
}

fn prose(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    html.push_str(&markdown::block(text(given, 0, "prose")?, scope));
    Ok(())
}

fn inline(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    markdown::write_inline(text(given, 0, "inline")?, scope, html);
    Ok(())
}

fn listing(given: Given<'_>, _: Scope<'_>, html: &mut String) -> Written {
    highlight::write(text(given, 0, "listing")?, text(given, 1, "listing")?, |_| None, html);
    Ok(())
}

fn link(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    write_linked(value(given, 0, "link")?, scope.root, CODE, "", html);
    Ok(())
}

fn tokens(given: Given<'_>, scope: Scope<'_>, html: &mut String) -> Written {
    for token in items(given, "tokens")? {
        let role = token.get("role").and_then(Datum::as_str).unwrap_or_default();
        write_linked(token, scope.root, ("", ""), if role == "plain" { "" } else { role }, html);
    }
    Ok(())
}

/// What a helper was given.
pub(super) fn value<'a>(
    given: Given<'a>,
    index: usize,
    name: &'static str,
) -> Result<Datum<'a>, RenderErrorReason> {
    given[index].ok_or(RenderErrorReason::ParamNotFoundForIndex(name, index))
}

/// A text that a helper was given; there is nothing to show of one that is not there.
pub(super) fn text<'a>(
    given: Given<'a>,
    index: usize,
    name: &'static str,
) -> Result<&'a str, RenderErrorReason> {
    let value = value(given, index, name)?;
    let text = if value.is_null() { Some("") } else { value.as_str() };
    text.ok_or(RenderErrorReason::ParamNotFoundForIndex(name, index))
}

/// The items of the list that a helper was given.
pub(super) fn items<'a>(given: Given<'a>, name: &'static str) -> Result<List<'a>, RenderErrorReason> {
    value(given, 0, name)?.as_list().ok_or(RenderErrorReason::ParamNotFoundForIndex(name, 0))
}

/// What an item has.
pub(super) fn field<'a>(item: Datum<'a>, name: &'static str) -> Result<Datum<'a>, RenderErrorReason> {
    item.get(name).ok_or_else(|| RenderErrorReason::MissingVariable(Some(name.to_owned())))
}

/// A text of an item; there is none where the model has none.
pub(super) fn required<'a>(item: Datum<'a>, name: &'static str) -> Result<&'a str, RenderErrorReason> {
    Ok(field(item, name)?.as_str().unwrap_or_default())
}

/// A text of an item, if there is one.
pub(super) fn optional<'a>(item: Datum<'a>, name: &str) -> Option<&'a str> {
    item.get(name).and_then(Datum::as_str).filter(|text| !text.is_empty())
}

/// The list in an item.
pub(super) fn list<'a>(item: Datum<'a>, name: &'static str) -> Result<List<'a>, RenderErrorReason> {
    field(item, name)?.as_list().ok_or_else(|| RenderErrorReason::MissingVariable(Some(name.to_owned())))
}

/// Whether something is so of an item.
pub(super) fn is_set(item: Datum<'_>, name: &str) -> bool {
    item.get(name).and_then(Datum::as_bool).unwrap_or_default()
}

/// A piece of text in `tag`, inside a link if it has an address.
pub(super) fn write_linked(value: Datum<'_>, root: &str, tag: (&str, &str), class: &str, html: &mut String) {
    let field = |name: &str| value.get(name).and_then(Datum::as_str);
    write_part(field("text").unwrap_or_default(), field("href"), root, tag, class, html);
}

/// The same of a text and an address.
pub(super) fn write_part(
    text: &str,
    href: Option<&str>,
    root: &str,
    (open, close): (&str, &str),
    class: &str,
    html: &mut String,
) {
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
    markdown::escape(text, html);
    html.push_str(close);
    if !tag.is_empty() {
        html.push_str("</");
        html.push_str(tag);
        html.push('>');
    }
}
