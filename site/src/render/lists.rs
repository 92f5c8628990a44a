//! Lists that thousands of pages have, each written in one go: `{{{rows list}}}`, `{{{links list}}}` and
//! `{{{fragments list}}}`. A template that writes them otherwise goes through them with `{{#each}}`.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderErrorReason,
};
use serde_json::Value;

use super::{frame, write_linked};
use crate::{
    links::{Registry, write_from_page},
    markdown::{self, Scope},
};

/// The items of the list that a helper was given.
fn items<'a>(helper: &'a Helper<'_>, name: &'static str) -> Result<&'a [Value], RenderErrorReason> {
    let given = helper.param(0).and_then(|given| given.value().as_array());
    given.map(Vec::as_slice).ok_or(RenderErrorReason::ParamNotFoundForIndex(name, 0))
}

/// A text of an item; there is none where the model has none.
fn text<'a>(item: &'a Value, field: &'static str) -> Result<&'a str, RenderErrorReason> {
    match item.get(field) {
        Some(value) => Ok(value.as_str().unwrap_or_default()),
        None => Err(RenderErrorReason::MissingVariable(Some(field.to_owned()))),
    }
}

/// `{{{rows list}}}`: lines of an index.
pub(super) struct Rows<'r> {
    pub(super) registry: &'r Registry,
}

impl HelperDef for Rows<'_> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let items = items(helper, "rows")?;
        let scope =
            Scope { registry: self.registry, root: frame(context, "root"), path: frame(context, "path") };
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
        out.write(&html)?;
        Ok(())
    }
}

/// `{{{links list}}}`: names that lead to their pages, with commas between.
pub(super) struct Links;

impl HelperDef for Links {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let root = frame(context, "root");
        let mut html = String::new();
        for (index, link) in items(helper, "links")?.iter().enumerate() {
            html.push_str(if index > 0 { ", " } else { "" });
            write_linked(link, root, ("<code>", "</code>"), "", &mut html);
        }
        out.write(&html)?;
        Ok(())
    }
}

/// `{{{fragments list}}}`: places on the page.
pub(super) struct Fragments;

impl HelperDef for Fragments {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let mut html = String::new();
        for place in items(helper, "fragments")? {
            html.push_str("<li><a href=\"");
            markdown::escape(text(place, "href")?, &mut html);
            html.push_str("\">");
            markdown::escape(text(place, "text")?, &mut html);
            html.push_str("</a></li>\n");
        }
        out.write(&html)?;
        Ok(())
    }
}
