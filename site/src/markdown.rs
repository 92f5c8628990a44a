//! The only place where Markdown becomes HTML.
//!
//! Each text is parsed on its own, so that an open fence ends with it. Raw HTML is shown as the text it is:
//! `<value>` does not vanish, and no script gets through. Links may lead to the web or to pages of this site;
//! of any other link, the text stays.

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html,
};

use crate::{
    highlight,
    links::{Registry, from_page, is_external},
};

// No footnotes: their fragments would clash between the texts of one page.
pub(crate) const EXTENSIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// What links can lead to, seen from one page.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The pages of the site.
    pub registry: &'a Registry,
    /// From the page to the root.
    pub root: &'a str,
    /// The page itself, which nothing on it links to.
    pub path: &'a str,
}

impl Scope<'_> {
    fn code_href(&self, code: &str) -> Option<String> {
        let href = self.registry.code(code)?;
        (href != self.path).then(|| from_page(self.root, href))
    }

    /// Where an author's link leads, if it may stand.
    fn link_href(&self, href: &str) -> Option<String> {
        if is_external(href) {
            return Some(href.to_owned());
        }
        let (_, fragment) = href.split_once('#')?;
        let target = self.registry.anchors.get(fragment)?;
        Some(from_page(self.root, target))
    }
}

/// A text of several paragraphs as HTML.
#[must_use]
pub fn block(md: &str, scope: Scope<'_>) -> String {
    let mut out = String::with_capacity(md.len() * 3 / 2);
    html::push_html(&mut out, rewrite(md, scope).into_iter());
    out
}

/// A line as HTML, without a paragraph around it.
#[must_use]
pub fn inline(md: &str, scope: Scope<'_>) -> String {
    let mut out = String::with_capacity(md.len() * 3 / 2);
    if md.bytes().all(is_plain) {
        escape(md.trim(), &mut out);
        return out;
    }
    // Behind a zero-width space nothing starts a list, a heading or a fence.
    let md = format!("\u{200b}{}", md.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_paragraph =
        |event: &Event<'_>| matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph));
    html::push_html(&mut out, rewrite(&md, scope).into_iter().filter(|event| !is_paragraph(event)));
    out.trim_start_matches('\u{200b}').trim().to_owned()
}

/// Whether a byte means nothing to Markdown within a line.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b" .,;:'\"()/+=%?-".contains(&byte)
}

/// The text of the first paragraph, without marks.
#[must_use]
pub fn lead(md: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for event in Parser::new_ext(md, EXTENSIONS) {
        match event {
            Event::Start(Tag::Paragraph) => depth += 1,
            Event::End(TagEnd::Paragraph) => break,
            Event::Text(text) | Event::InlineHtml(text) if depth > 0 => out.push_str(&text),
            Event::Code(text) if depth > 0 => {
                out.push('`');
                out.push_str(&text);
                out.push('`');
            }
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            _ => {}
        }
    }
    out
}

/// What in a text had to be mended: one line each.
#[must_use]
pub fn mended(md: &str, registry: &Registry) -> Vec<String> {
    let scope = Scope { registry, root: "", path: "" };
    let mut notes = Vec::new();
    for event in Parser::new_ext(md, EXTENSIONS) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => {
                notes.push(format!("shown as text: `{}`", text.trim()));
            }
            Event::Start(Tag::Link { dest_url, .. }) if scope.link_href(&dest_url).is_none() => {
                notes.push(format!("link without a target here: `{dest_url}`"));
            }
            _ => {}
        }
    }
    if is_fence_open(md) {
        notes.push("code fence that is never closed".to_owned());
    }
    notes
}

fn is_fence_open(md: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in md.lines() {
        let line = line.trim_start();
        let mark = line.chars().next().unwrap_or(' ');
        let run = line.chars().take_while(|&c| c == mark).count();
        if !matches!(mark, '`' | '~') || run < 3 {
            continue;
        }
        match open {
            None => open = Some((mark, run)),
            Some((opened, least)) if opened == mark && run >= least && line[run..].trim().is_empty() => {
                open = None
            }
            Some(_) => {}
        }
    }
    open.is_some()
}

/// Authors' headings start below the page's own.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3 => HeadingLevel::H3,
        HeadingLevel::H4 => HeadingLevel::H4,
        HeadingLevel::H5 => HeadingLevel::H5,
        HeadingLevel::H6 => HeadingLevel::H6,
    }
}

fn rewrite<'a>(md: &'a str, scope: Scope<'_>) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let mut code: Option<(String, String)> = None;
    let mut links: Vec<bool> = Vec::new();
    let html = |text: String| Event::InlineHtml(CowStr::from(text));
    let mut level = 2;
    for event in Parser::new_ext(md, EXTENSIONS) {
        match event {
            Event::Html(text) => events.push(Event::Text(text)),
            Event::InlineHtml(text) => events.push(Event::Text(text)),
            Event::Start(Tag::HtmlBlock) => events.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => events.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',', '{']).next().unwrap_or_default().to_owned()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                code = Some((language, String::new()));
            }
            Event::Text(text) if code.is_some() => {
                if let Some((_, body)) = &mut code {
                    body.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, body)) = code.take() {
                    let body = highlight::block(&language, &body, |name| scope.code_href(name));
                    events.push(html(format!("<pre tabindex=\"0\"><code>{body}</code></pre>\n")));
                }
            }
            Event::Code(text) => match scope.code_href(&text).filter(|_| links.is_empty()) {
                Some(href) => {
                    let mut anchor = String::from("<a class=\"ref\" href=\"");
                    escape(&href, &mut anchor);
                    anchor.push_str("\"><code>");
                    escape(&text, &mut anchor);
                    anchor.push_str("</code></a>");
                    events.push(html(anchor));
                }
                None => events.push(Event::Code(text)),
            },
            Event::Start(Tag::Link { dest_url, title, id, .. }) => {
                let href = scope.link_href(&dest_url).filter(|_| links.is_empty());
                links.push(href.is_some());
                if let Some(href) = href {
                    let dest_url = CowStr::from(href);
                    events.push(Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            // Pictures would need the network; what they show is told.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Start(Tag::Heading { level: wanted, .. }) => {
                // No level is left out, whatever the author's first one is.
                level = (lower(wanted) as usize).min(level + 1).max(3);
                events.push(html(format!("<h{level}>")));
            }
            Event::End(TagEnd::Heading(_)) => events.push(html(format!("</h{level}>\n"))),
            event => events.push(event),
        }
    }
    events
}

/// Text as it stands in HTML, also in quoted attributes.
pub fn escape(text: &str, out: &mut String) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escaped = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        out.push_str(escaped);
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(md: &str) -> String {
        let mut registry = Registry::default();
        registry.ir.insert("a.b".to_owned(), "a/op/b.html".to_owned());
        registry.anchors.insert("ab-abop".to_owned(), "a/op/b.html".to_owned());
        block(md, Scope { registry: &registry, root: "../../", path: "x.html" })
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
    fn an_open_fence_ends_with_its_text() {
        assert!(html("```mlir\n%a = a.b").ends_with("</code></pre>\n"));
        assert_eq!(mended("```mlir\n%a", &Registry::default()), ["code fence that is never closed"]);
    }

    #[test]
    fn names_and_old_fragments_become_links() {
        assert!(
            html("see `a.b`").contains("<a class=\"ref\" href=\"../../a/op/b.html\"><code>a.b</code></a>")
        );
        assert!(html("see [b](#ab-abop)").contains("<a href=\"../../a/op/b.html\">b</a>"));
        assert_eq!(html("see [b](../Other.md)"), "<p>see b</p>\n");
    }

    #[test]
    fn a_line_stays_a_line() {
        let registry = Registry::default();
        let scope = Scope { registry: &registry, root: "", path: "" };
        assert_eq!(inline("# not *a*\n- heading <b>", scope), "# not <em>a</em> - heading &lt;b&gt;");
    }

    #[test]
    fn headings_start_below_the_page() {
        assert!(html("# A\n\n##### B").contains("<h3>A</h3>"));
        assert!(html("##### B").contains("<h3>B</h3>"));
    }
}
