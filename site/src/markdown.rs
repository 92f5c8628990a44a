//! Converts Markdown to HTML; no other module does.
//!
//! Each text is parsed on its own, so that an open fence ends with it. Raw HTML is shown as text:
//! `<value>` does not vanish, and no script gets through. Links may lead to the web or to pages of this site;
//! any other link is replaced by its text.

use std::{borrow::Cow, sync::Arc};

mod rewrite;
mod rst;

use self::rewrite::rewrite;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use odsmith_engine::limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    autolinks, commonmark,
    links::{Registry, from_page, is_external},
    markup, math,
    memo::Memo,
    mend,
    text::{beginning, position},
};

pub(crate) const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// Authors' texts, each parsed once: a description appears on several pages, in HTML and in Markdown.
#[derive(Debug, Default)]
pub struct Texts {
    budget: Budget,
    parsed: Memo<String, Parsed>,
    lines: Memo<String, String>,
}

/// A parsed text.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) events: Vec<Event<'static>>,
    /// The repairs in the text: one line each.
    pub(crate) notes: Vec<String>,
}

/// The approximate size of an event in memory.
const EVENT_BYTES: usize = 64;

impl Texts {
    /// Creates an empty cache. Each use of a text is charged to the budget.
    #[must_use]
    pub fn new(budget: Budget) -> Texts {
        Texts { budget, ..Texts::default() }
    }

    /// The limits for the work.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn parsed(&self, md: &str) -> Arc<Parsed> {
        if !self.budget.charge_text(md.len()) {
            return Arc::default();
        }
        let parsed = self.parsed.get::<str>(md, || {
            let (events, notes) = parse_within(md, &self.budget);
            Parsed { events, notes }
        });
        self.budget.charge(parsed.events.len() * EVENT_BYTES);
        parsed
    }

    /// A single line, [rewritten](commonmark::line); cached, because it has Markdown syntax.
    pub(crate) fn line(&self, text: &str) -> Arc<String> {
        if !self.budget.charge_text(text.len()) {
            return Arc::default();
        }
        self.lines.get::<str>(text, || commonmark::line(text).into_owned())
    }
}

/// Borrows the text of an event.
pub(crate) fn lent<'t>(event: &'t Event<'static>) -> Event<'t> {
    let lend = |text: &'t CowStr<'static>| CowStr::Borrowed(text);
    match event {
        Event::Text(text) => Event::Text(lend(text)),
        Event::Code(text) => Event::Code(lend(text)),
        Event::Html(text) => Event::Html(lend(text)),
        Event::InlineHtml(text) => Event::InlineHtml(lend(text)),
        Event::InlineMath(text) => Event::InlineMath(lend(text)),
        Event::DisplayMath(text) => Event::DisplayMath(lend(text)),
        event => event.clone(),
    }
}

/// Parses an author's text to events. Repairs it where CommonMark would lose an obvious intent:
///
/// * a fence that is closed further to the right than CommonMark allows, or at the end of its last line of code, ends
///   there, not with the text;
/// * a fence that is indented so far that CommonMark reads it as code is a fence;
/// * lines that are indented further than the line above them, which ends with a colon, are a list, code or lines of
///   their own, not words of the paragraph; so are lines of IR and ASCII pictures;
/// * a comment is left out, with a note;
/// * a web address is a link, with or without angle brackets;
/// * a dollar sign begins a formula only if another one ends it validly: `$lhs, ($rhs)` are two names.
#[must_use]
pub fn parse(md: &str) -> (Vec<Event<'static>>, Vec<String>) {
    parse_within(md, &Budget::default())
}

/// Parses a text like [`parse`], but stops early if the budget is exhausted.
pub(crate) fn parse_within(md: &str, budget: &Budget) -> (Vec<Event<'static>>, Vec<String>) {
    parse_at(md, 0, budget)
}

/// The limit for texts within texts, which could shrink by only a few bytes each time.
const MOST_DEEP: usize = 4;
/// The limit for passes that escape mistaken dollar signs; after it, no dollar sign begins a formula.
const MOST_DOLLARS: usize = 8;

fn parse_at(md: &str, depth: usize, budget: &Budget) -> (Vec<Event<'static>>, Vec<String>) {
    let mut notes = Vec::new();
    let mut events = Vec::new();
    let md = match depth == 0 && rst::may_have(md) {
        true => Cow::Owned(rst::rewritten(md, &mut notes)),
        false => Cow::Borrowed(md),
    };
    let md = &*md;
    let text = mend::nesting(md, &mut notes);
    if !budget.goes_on() {
        return (events, notes);
    }
    let text = mend::paragraphs(mend::fences(&text, &mut notes), &mut notes);
    let (text, extensions) = without_mistaken_dollars(text);
    let mut nesting = Nesting::default();
    let mut indented: Option<String> = None;
    let mut raw: Option<String> = None;
    for event in Parser::new_ext(&text, extensions).take_while(|_| budget.goes_on()) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => indented = Some(String::new()),
            Event::Text(part) if indented.is_some() => {
                indented.get_or_insert_default().push_str(&part);
            }
            Event::End(TagEnd::CodeBlock) if indented.is_some() => {
                let code = indented.take().unwrap_or_default();
                if depth < MOST_DEEP && (code.starts_with("```") || code.starts_with("~~~")) {
                    notes.push("code fence that is indented too far".to_owned());
                    let (inner, more) = parse_at(&code, depth + 1, budget);
                    events.extend(inner);
                    notes.extend(more);
                } else {
                    events.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
                    events.push(Event::Text(code.into()));
                    events.push(Event::End(TagEnd::CodeBlock));
                }
            }
            Event::Start(Tag::HtmlBlock) => raw = Some(String::new()),
            Event::Html(part) if raw.is_some() => raw.get_or_insert_default().push_str(&part),
            Event::End(TagEnd::HtmlBlock) => {
                let text = raw.take().unwrap_or_default();
                if is_comment(&text) {
                    notes.push(format!("comment left out: `{}`", text.trim()));
                } else {
                    events.push(Event::Start(Tag::HtmlBlock));
                    events.push(Event::Html(text.into()));
                    events.push(Event::End(TagEnd::HtmlBlock));
                }
            }
            Event::InlineHtml(text) if is_comment(&text) => {
                notes.push(format!("comment left out: `{text}`"));
            }
            event if nesting.is_left_out(&event) => {}
            event => events.push(event.into_static()),
        }
    }
    if !budget.goes_on() {
        return (events, notes);
    }
    if nesting.has_left_out {
        notes.push(format!("lists and quotations more than {MOST_NESTED} deep"));
    }
    if depth == 0 && markup::may_have(md) {
        events = markup::resolved(events);
    }
    if autolinks::may_have(md) {
        events = autolinks::linked(events);
    }
    (events, notes)
}

/// Tests if a piece of HTML is a single comment.
fn is_comment(text: &str) -> bool {
    let inside = text.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    inside.is_some_and(|inside| !inside.contains("-->"))
}

/// The nesting limit for lists and quotations. The marks of deeper ones are dropped and their content is kept, because
/// each line of a rewritten text begins with a mark for each level.
const MOST_NESTED: usize = 64;

/// The number of open lists and quotations.
#[derive(Default)]
struct Nesting {
    depth: usize,
    has_left_out: bool,
}

impl Nesting {
    fn is_left_out(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => self.depth += 1,
            Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => {
                self.depth -= 1;
                return self.depth >= MOST_NESTED;
            }
            Event::Start(Tag::Item) | Event::End(TagEnd::Item) => {}
            _ => return false,
        }
        self.has_left_out |= self.depth > MOST_NESTED;
        self.depth > MOST_NESTED
    }
}

/// Escapes each dollar sign that begins no formula, and chooses the extensions to parse with.
fn without_mistaken_dollars(mut text: String) -> (String, Options) {
    for _ in 0..MOST_DOLLARS {
        let mistaken = if text.contains('$') { dollars(&text) } else { Vec::new() };
        if mistaken.is_empty() {
            return (text, EXTENSIONS);
        }
        let mut escaped = String::with_capacity(text.len() + mistaken.len());
        let mut from = 0;
        for at in mistaken {
            escaped.extend([&text[from..at], "\\"]);
            from = at;
        }
        escaped.push_str(&text[from..]);
        text = escaped;
    }
    (text, EXTENSIONS.difference(Options::ENABLE_MATH))
}

/// The positions of dollar signs that begin no formula, although CommonMark's rules say that they do.
fn dollars(text: &str) -> Vec<usize> {
    let mut mistaken = Vec::new();
    for (event, range) in Parser::new_ext(text, EXTENSIONS).into_offset_iter() {
        let after = text[range.end..].chars().next();
        let is_formula = match &event {
            Event::InlineMath(latex) => {
                !after.is_some_and(char::is_alphanumeric) && math::mathml(latex, false).is_some()
            }
            Event::DisplayMath(latex) => math::mathml(latex, true).is_some(),
            _ => true,
        };
        if !is_formula {
            mistaken.push(range.start);
        }
    }
    mistaken
}

/// The link targets as seen from one page.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The pages of the site.
    pub registry: &'a Registry,
    /// The parsed texts.
    pub texts: &'a Texts,
    /// The path from the page to the root.
    pub root: &'a str,
    /// The page itself, to which its own texts do not link.
    pub path: &'a str,
}

impl Scope<'_> {
    fn code_href(&self, code: &str) -> Option<String> {
        let href = self.registry.code(code)?;
        (href != self.path).then(|| from_page(self.root, href))
    }

    /// The address that an author's link leads to; `None` if the link is dropped.
    fn link_href(&self, href: &str) -> Option<String> {
        if is_external(href) {
            return Some(href.to_owned());
        }
        let (_, fragment) = href.split_once('#')?;
        let target = self.registry.anchors.get(fragment)?;
        Some(from_page(self.root, target))
    }
}

/// A heading of an article.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The level, from 1.
    pub level: usize,
    /// The fragment.
    pub id: String,
    /// The text without markup.
    pub text: String,
}

/// The parts that an article has and a description does not: headings with fragments, and links of its own.
pub struct Article<'a> {
    /// The headings, in order.
    pub headings: &'a [Heading],
    /// The level of the heading above the text.
    pub above: usize,
    /// Resolves a link to an address from the site's root, or `#…` on the page itself.
    pub link: &'a dyn Fn(&str) -> Option<String>,
    /// Resolves a picture of the project to an address from the site's root.
    pub picture: &'a dyn Fn(&str) -> Option<String>,
}

/// The headings of a text, with fragments as other generators derive them; the ids in `taken` are avoided.
#[must_use]
pub fn headings(md: &str, taken: &[&str], budget: &Budget) -> Vec<Heading> {
    let mut ids = Fragments::default();
    ids.taken.extend(taken.iter().map(|&id| id.to_owned()));
    let mut found = Vec::new();
    let mut open: Option<Heading> = None;
    for event in parse_within(md, budget).0 {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some(Heading { level: level as usize, ..Heading::default() });
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::InlineHtml(text) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(mut heading) = open.take() {
                    heading.id = ids.take(&heading.text);
                    found.push(heading);
                }
            }
            _ => {}
        }
    }
    found
}

/// The size of the prefix that is searched for a title.
const TITLE_BYTES: usize = 16 << 10;

fn title_part(md: &str) -> &str {
    beginning(md, TITLE_BYTES)
}

/// The level-1 heading at the start of a text, and the text without it. Only pictures, such as badges, may come before it.
#[must_use]
pub fn title(md: &str) -> Option<(String, Cow<'_, str>)> {
    let mut events = Parser::new_ext(title_part(md), EXTENSIONS).into_offset_iter();
    let mut words = Words::default();
    let range = loop {
        match events.next()? {
            (Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }), range) => break range,
            (Event::Start(Tag::Heading { .. } | Tag::List(_) | Tag::CodeBlock(_) | Tag::Table(_)), _) => {
                return None;
            }
            (event, _) if words.are_in(&event) => return None,
            _ => {}
        }
    };
    let text = headings(&md[range.clone()], &[], &Budget::default());
    let (before, after) = (md[..range.start].trim(), &md[range.end..]);
    let rest = if before.is_empty() { Cow::Borrowed(after) } else { format!("{before}\n\n{after}").into() };
    Some((text.into_iter().map(|heading| heading.text).collect(), rest))
}

/// A search for words in events, which the alternative text of a picture is not.
#[derive(Default)]
struct Words {
    /// The number of open pictures.
    pictures: usize,
}

impl Words {
    fn are_in(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(Tag::Image { .. }) => self.pictures += 1,
            Event::End(TagEnd::Image) => self.pictures = self.pictures.saturating_sub(1),
            Event::Text(text) | Event::Code(text) => {
                return self.pictures == 0 && text.contains(char::is_alphanumeric);
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => return true,
            _ => {}
        }
        false
    }
}

/// The fragments that a page uses.
#[derive(Default)]
struct Fragments {
    taken: FxHashSet<String>,
    /// The next number to try for each repeated fragment.
    numbers: FxHashMap<String, usize>,
}

impl Fragments {
    /// Derives a fragment of lower-case letters, digits, `_` and `-`; a repeated one gets a number as its suffix.
    fn take(&mut self, text: &str) -> String {
        let kept = text.trim().chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'));
        let base: String =
            kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let base = if base.is_empty() { "section".to_owned() } else { base };
        if self.taken.insert(base.clone()) {
            return base;
        }
        let number = self.numbers.entry(base.clone()).or_insert(1);
        loop {
            let id = format!("{base}-{number}");
            *number += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// Renders a whole article as HTML.
#[must_use]
pub fn article(md: &str, scope: Scope<'_>, article: &Article<'_>) -> String {
    let mut out = String::with_capacity(md.len() * 3 / 2);
    let parsed = scope.texts.parsed(md);
    let events = rewrite(&parsed.events, scope, Some(article));
    html::push_html(&mut out, events.into_iter().take_while(|_| scope.texts.budget().goes_on()));
    without_styles(out)
}

/// Renders a text of several paragraphs as HTML.
#[must_use]
pub fn block(md: &str, scope: Scope<'_>) -> String {
    let mut out = String::with_capacity(md.len() * 3 / 2);
    html::push_html(&mut out, rewrite(&scope.texts.parsed(md).events, scope, None).into_iter());
    without_styles(out)
}

/// Replaces the styles for the alignment of table columns by classes, because pages allow no inline styles. An author's
/// quotes are escaped, so the pattern occurs only in tags.
fn without_styles(html: String) -> String {
    const STYLE: &str = " style=\"text-align: ";
    if html.contains(STYLE) { html.replace(STYLE, " class=\"") } else { html }
}

/// Renders a single line as HTML, without a paragraph around it.
#[must_use]
pub fn inline(md: &str, scope: Scope<'_>) -> String {
    let mut out = String::with_capacity(md.len() * 3 / 2);
    write_inline(md, scope, &mut out);
    out
}

/// Renders a single line as HTML, appended to `out`.
pub fn write_inline(md: &str, scope: Scope<'_>, out: &mut String) {
    if md.bytes().all(is_plain) {
        return escape(md.trim(), out);
    }
    // After a zero-width space nothing can start a list, a heading or a fence.
    let md = format!("\u{200b}{}", md.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_paragraph =
        |event: &Event<'_>| matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph));
    let mut html = String::with_capacity(md.len() * 3 / 2);
    let parsed = scope.texts.parsed(&md);
    let events = rewrite(&parsed.events, scope, None);
    html::push_html(&mut html, events.into_iter().filter(|event| !is_paragraph(event)));
    out.push_str(html.trim_start_matches('\u{200b}').trim());
}

/// Escapes a line in which only code spans are markup: in `NxC` of `tensor of N*H*W`, no star is emphasis.
#[must_use]
pub fn literal(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // A code span ends at as many backticks as it begins with.
        let ticks = rest.bytes().take_while(|&byte| byte == b'`').count();
        let span = (ticks > 0).then(|| {
            let inside = rest[ticks..].find(&rest[..ticks])?;
            Some(&rest[..inside + 2 * ticks])
        });
        let length = match span {
            Some(Some(span)) => {
                out.push_str(span);
                span.len()
            }
            _ => {
                if c.is_ascii_punctuation() && !is_plain(c as u8) {
                    out.push('\\');
                }
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let marks = b" .,;:'\"()/+=%?-";
    let mut byte = 0;
    while byte < 256 {
        is_plain[byte] = byte >= 0x80 || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < marks.len() {
        is_plain[marks[at] as usize] = true;
        at += 1;
    }
    is_plain
};

/// Tests if a byte has no meaning for Markdown within a line.
pub(crate) fn is_plain(byte: u8) -> bool {
    IS_PLAIN[usize::from(byte)]
}

/// The size of the prefix that is searched for the first paragraph.
const LEAD_BYTES: usize = 16 << 10;

/// The marks of tables of contents.
const CONTENTS: [&str; 3] = ["[TOC]", "[[_TOC_]]", "[[toc]]"];

/// The text of the first paragraph with words, without markup. Badges and marks of a table of contents are no words.
#[must_use]
pub fn lead(md: &str, budget: &Budget) -> String {
    let md = beginning(md, LEAD_BYTES);
    if !budget.charge(md.len()) {
        return String::new();
    }
    let mut out = String::new();
    let mut depth = 0;
    let (mut words, mut has_words) = (Words::default(), false);
    for event in parse_within(md, budget).0 {
        has_words |= words.are_in(&event);
        match event {
            Event::Start(Tag::Paragraph) => depth += 1,
            Event::End(TagEnd::Paragraph) if has_words && !CONTENTS.contains(&out.trim()) => return out,
            Event::End(TagEnd::Paragraph) => {
                depth = 0;
                has_words = false;
                out.clear();
            }
            _ if words.pictures > 0 => {}
            Event::Text(text) | Event::InlineHtml(text) if depth > 0 => out.push_str(&text),
            Event::Code(text) if depth > 0 => {
                out.push('`');
                out.push_str(&text);
                out.push('`');
            }
            Event::InlineMath(text) | Event::DisplayMath(text) if depth > 0 => {
                out.push('$');
                out.push_str(&text);
                out.push('$');
            }
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            _ => {}
        }
    }
    String::new()
}

/// The repairs in a text: one line each.
#[must_use]
pub fn mended(md: &str, scope: Scope<'_>) -> Vec<String> {
    let parsed = scope.texts.parsed(md);
    let mut notes = parsed.notes.clone();
    for event in &parsed.events {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => {
                notes.push(format!("shown as text: `{}`", text.trim()));
            }
            Event::Start(Tag::Image { dest_url, .. }) if !is_external(dest_url) => {
                notes.push(format!("picture that is not shown here: `{dest_url}`"));
            }
            Event::Start(Tag::Link { dest_url, .. }) if scope.link_href(dest_url).is_none() => {
                notes.push(format!("link without a target here: `{dest_url}`"));
            }
            _ => {}
        }
    }
    notes
}

/// Escapes text for HTML, also for quoted attributes.
pub fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    let is_escaped = |byte| (byte == b'&') | (byte == b'<') | (byte == b'>') | (byte == b'"');
    while let Some(at) = position(rest, is_escaped) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(md: &str) -> String {
        let mut registry = Registry::default();
        registry.ir.insert("a.b".to_owned(), "a/op/b.html".to_owned());
        registry.anchors.insert("ab-abop".to_owned(), "a/op/b.html".to_owned());
        block(md, Scope { registry: &registry, texts: &Texts::default(), root: "../../", path: "x.html" })
    }

    fn noted(md: &str) -> Vec<String> {
        let (registry, texts) = (Registry::default(), Texts::default());
        mended(md, Scope { registry: &registry, texts: &texts, root: "", path: "" })
    }

    #[test]
    fn no_html_of_an_author_survives() {
        let bad = "<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<div onclick='x'>\nhi\n</div>\n\n\
                   [x](javascript:alert(1)) ![y](data:text/html,z) <javascript:alert(1)>\n\n```a\"><script>\nb\n```";
        let out = html(bad);
        for needle in ["<script", "<img", "<div", "href=\"javascript"] {
            assert!(!out.contains(needle), "{needle} in {out}");
        }
        assert!(out.contains("&lt;script&gt;"), "{out}");
    }

    #[test]
    fn angle_brackets_do_not_vanish() {
        assert!(
            html("a range<value> of <kernel size>").contains("range&lt;value&gt; of &lt;kernel size&gt;")
        );
    }

    #[test]
    fn comments_are_left_out_and_told() {
        let md = "a <!-- b --> c\n\n<!-- End\nof it -->\n\n<!-- d --> <e> <!-- f -->\n";
        let out = html(md);
        assert!(!out.contains("End") && !out.contains("-- b"), "{out}");
        assert!(out.contains("&lt;e&gt;"), "{out}");
        let notes = noted(md);
        assert_eq!(notes[..2], ["comment left out: `<!-- b -->`", "comment left out: `<!-- End\nof it -->`"]);
    }

    #[test]
    fn an_open_fence_ends_with_its_text() {
        assert!(html("```mlir\n%a = a.b").ends_with("</code></pre>\n"));
        assert_eq!(noted("```mlir\n%a"), ["code fence that is never closed"]);
    }

    #[test]
    fn a_fence_is_one_wherever_it_stands() {
        let closed_late = "```mlir\n%a = a.b\n      ```\n\nafter";
        assert!(html(closed_late).ends_with("</code></pre>\n<p>after</p>\n"), "{}", html(closed_late));
        let following = "```\na\nb```.\n\nafter";
        assert!(
            html(following).ends_with("<code>a\nb\n</code></pre>\n<p>.</p>\n<p>after</p>\n"),
            "{}",
            html(following)
        );
        assert_eq!(noted(following), ["code fence that is closed after code"]);
        let indented = "text\n\n    ```mlir\n    %a = a.b\n    ```\n\nafter";
        let out = html(indented);
        assert!(!out.contains("```") && out.contains("<i class=\"v\">%a</i>"), "{out}");
        assert_eq!(noted(indented), ["code fence that is indented too far"]);
        assert_eq!(noted("    code\n    more"), Vec::<String>::new());
    }

    #[test]
    fn formulas_are_mathml_and_names_stay_names() {
        assert!(html("for $b = 4^{w}$ bits").contains("<msup>"));
        assert!(html("$$\\sum_i x_i$$").contains("display=\"block\""));
        for names in ["`a` $lhs, ($rhs) `b`", "$lhs and $rhs", "costs $5 or $6", "$a/$b"] {
            let out = html(names);
            assert!(!out.contains("<math"), "{out}");
            assert!(out.contains('$'), "{out}");
        }
        assert!(html("$lhs, ($rhs) `x`").contains("<code>x</code>"));
    }

    #[test]
    fn names_and_old_fragments_become_links() {
        assert!(
            html("see `a.b`").contains("<a class=\"ref\" href=\"../../a/op/b.html\"><code>a.b</code></a>")
        );
        assert!(html("see [b](#ab-abop)").contains("<a href=\"../../a/op/b.html\">b</a>"));
        assert_eq!(html("see [b](../Other.md)"), "<p>see b</p>\n");
        let bare = "<span class=\"url\"><a href=\"https://a.b/c_d\">https://a.b/c_d</a></span>";
        assert_eq!(html("(https://a.b/c_d)."), format!("<p>({bare}).</p>\n"));
        assert_eq!(html("[x](https://a.b)"), "<p><a href=\"https://a.b\">x</a></p>\n");
    }

    #[test]
    fn a_line_stays_a_line() {
        let (registry, texts) = (Registry::default(), Texts::default());
        let scope = Scope { registry: &registry, texts: &texts, root: "", path: "" };
        assert_eq!(inline("# not *a*\n- heading <b>", scope), "# not <em>a</em> - heading &lt;b&gt;");
    }

    #[test]
    fn headings_start_below_the_page() {
        assert!(html("# A\n\n##### B").contains("<h3>A</h3>"));
        assert!(html("##### B").contains("<h3>B</h3>"));
    }
}
