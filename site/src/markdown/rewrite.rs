//! Rewrites the events of a parsed text for a page: links lead to pages of this site or to the web, code is
//! highlighted, and HTML of ours replaces the constructs that the renderer lacks.

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::{Article, Scope, escape, lent};
use crate::{
    highlight,
    links::{from_page, is_external},
    math,
};

/// Rewrites the events of a text for a page; `article` is set for a hand-written page.
pub(super) fn rewrite<'t>(
    parsed: &'t [Event<'static>],
    scope: Scope<'_>,
    article: Option<&Article<'_>>,
) -> Vec<Event<'t>> {
    let mut rewriter = Rewriter {
        scope,
        article,
        events: Vec::with_capacity(parsed.len()),
        code: None,
        links: Vec::new(),
        level: if article.is_some() { 1 } else { 2 },
        heading: 0,
        pictures: Vec::new(),
        footnotes: Vec::new(),
    };
    for event in parsed.iter().map(lent).take_while(|_| scope.texts.budget().goes_on()) {
        rewriter.event(event);
    }
    rewriter.events
}

/// The events written so far, and the open constructs.
struct Rewriter<'t, 'a> {
    scope: Scope<'a>,
    article: Option<&'a Article<'a>>,
    events: Vec<Event<'t>>,
    /// The language and the text of an open block of code.
    code: Option<(String, String)>,
    /// The open links; `None` for one that is dropped.
    links: Vec<Option<OpenLink<'t>>>,
    /// The level of the last heading.
    level: usize,
    /// The number of headings so far.
    heading: usize,
    pictures: Vec<Picture<'t>>,
    footnotes: Vec<String>,
}

/// A link whose text is being written.
struct OpenLink<'t> {
    address: CowStr<'t>,
    /// The index of the first event of its text.
    from: usize,
    /// The HTML after it.
    following: &'static str,
}

/// The treatment of an open picture.
enum Picture<'t> {
    /// A picture of the project: its address, and the index of its text's first event.
    Own(String, usize),
    /// An external picture, replaced by a link: its address, and the index of its text's first event.
    Outside(CowStr<'t>, usize),
    /// A picture replaced by its text.
    Text,
}

impl<'t> Rewriter<'t, '_> {
    fn event(&mut self, event: Event<'t>) {
        match event {
            Event::InlineMath(latex) => self.events.push(formula(&latex, false)),
            Event::DisplayMath(latex) => self.events.push(formula(&latex, true)),
            Event::Html(text) | Event::InlineHtml(text) => self.events.push(Event::Text(text)),
            Event::Start(Tag::HtmlBlock) => self.events.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => self.events.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::CodeBlock(kind)) => self.code = Some((language(&kind), String::new())),
            Event::Text(text) => match &mut self.code {
                Some((_, body)) => body.push_str(&text),
                None => self.events.push(Event::Text(text)),
            },
            Event::End(TagEnd::CodeBlock) => self.end_code(),
            Event::Code(text) => self.word_of_code(text),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                self.start_link(link_type, &dest_url, title, id);
            }
            Event::End(TagEnd::Link) => self.end_link(),
            Event::Start(Tag::Image { dest_url, title, id, .. }) => self.start_picture(dest_url, title, id),
            Event::End(TagEnd::Image) => self.end_picture(),
            // GitHub's kinds of alerts.
            Event::Start(Tag::BlockQuote(Some(kind))) => {
                let (class, title) = alert(kind);
                self.html(format!("<blockquote class=\"alert {class}\">\n<p class=\"label\">{title}</p>\n"));
            }
            Event::TaskListMarker(is_done) => self.html(if is_done {
                "<span role=\"img\" aria-label=\"done\">☑</span> "
            } else {
                "<span role=\"img\" aria-label=\"to be done\">☐</span> "
            }),
            Event::Start(Tag::DefinitionList) => self.html("<details>\n"),
            Event::End(TagEnd::DefinitionList) => self.html("</details>\n"),
            Event::Start(Tag::DefinitionListTitle) => self.html("<summary>"),
            Event::End(TagEnd::DefinitionListTitle) => self.html("</summary>\n"),
            // Several texts of a page may have footnotes of the same name, so only those of an article have fragments.
            Event::FootnoteReference(name) => {
                let number = number_of(&mut self.footnotes, &name);
                self.html(if self.article.is_some() {
                    format!(
                        "<sup><a href=\"#footnote-{number}\" aria-label=\"Note {number}\">{number}</a></sup>"
                    )
                } else {
                    format!("<sup>{number}</sup>")
                });
            }
            Event::Start(Tag::FootnoteDefinition(name)) => {
                let number = number_of(&mut self.footnotes, &name);
                let id =
                    if self.article.is_some() { format!(" id=\"footnote-{number}\"") } else { String::new() };
                self.html(format!("<div class=\"footnote\"{id}><sup>{number}</sup>\n"));
            }
            Event::End(TagEnd::FootnoteDefinition) => self.html("</div>\n"),
            Event::Start(Tag::Heading { level, .. }) => self.start_heading(level),
            Event::End(TagEnd::Heading(_)) => self.html(format!("</h{}>\n", self.level)),
            event => self.events.push(event),
        }
    }

    fn html(&mut self, text: impl Into<CowStr<'t>>) {
        self.events.push(Event::InlineHtml(text.into()));
    }

    fn end_code(&mut self) {
        let Some((language, body)) = self.code.take() else { return };
        let body = highlight::block(&language, &body, |name| self.scope.code_href(name));
        self.html(format!("<pre tabindex=\"0\"><code>{body}</code></pre>\n"));
    }

    /// Writes code within a line; a name that has a page becomes a link.
    fn word_of_code(&mut self, text: CowStr<'t>) {
        let Some(href) = self.scope.code_href(&text).filter(|_| self.links.is_empty()) else {
            return self.events.push(Event::Code(text));
        };
        let mut anchor = String::from("<a class=\"ref\" href=\"");
        escape(&href, &mut anchor);
        anchor.push_str("\"><code>");
        escape(&text, &mut anchor);
        anchor.push_str("</code></a>");
        self.html(anchor);
    }

    fn start_link(&mut self, link_type: LinkType, dest_url: &str, title: CowStr<'t>, id: CowStr<'t>) {
        let href = match self.article {
            Some(article) => (article.link)(dest_url).map(|href| from_page(self.scope.root, &href)),
            None => self.scope.link_href(dest_url),
        };
        let href = href.filter(|_| self.links.is_empty());
        let is_bare = link_type == LinkType::Autolink;
        let Some(href) = href else { return self.links.push(None) };
        if is_bare {
            self.html("<span class=\"url\">");
        }
        self.link_to(href.into(), title, id);
        let following = if is_bare { "</span>" } else { "" };
        let address = CowStr::from(dest_url.to_owned());
        self.links.push(Some(OpenLink { address, from: self.events.len(), following }));
    }

    fn link_to(&mut self, dest_url: CowStr<'t>, title: CowStr<'t>, id: CowStr<'t>) {
        self.events.push(Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, title, id }));
    }

    fn end_link(&mut self) {
        let Some(Some(OpenLink { address, from, following })) = self.links.pop() else { return };
        self.name_link(from, address);
        self.events.push(Event::End(TagEnd::Link));
        if !following.is_empty() {
            self.html(following);
        }
    }

    /// Writes the address as the text of a link without one, such as that around a picture that is left out.
    fn name_link(&mut self, from: usize, address: CowStr<'t>) {
        let has_text = self.events[from..].iter().any(|event| match event {
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => !text.trim().is_empty(),
            _ => false,
        });
        if !has_text {
            self.events.push(Event::Text(address));
        }
    }

    /// Pictures of the project are copied. External ones would need the network, so they become links.
    fn start_picture(&mut self, dest_url: CowStr<'t>, title: CowStr<'t>, id: CowStr<'t>) {
        let own = self.article.and_then(|article| (article.picture)(&dest_url));
        let is_linked = own.is_none() && self.links.is_empty() && is_external(&dest_url);
        if is_linked {
            self.link_to(dest_url.clone(), title, id);
        }
        self.pictures.push(match own {
            Some(href) => Picture::Own(from_page(self.scope.root, &href), self.events.len()),
            None if is_linked => Picture::Outside(dest_url, self.events.len()),
            None => Picture::Text,
        });
    }

    fn end_picture(&mut self) {
        match self.pictures.pop() {
            Some(Picture::Own(href, from)) => {
                let text = self.events.drain(from..).map(|event| match event {
                    Event::Text(text) | Event::Code(text) => text.into_string(),
                    _ => String::new(),
                });
                let mut text: String = text.collect();
                // A picture alone is the name of the link around it.
                if let Some(Some(link)) = self.links.last().filter(|_| text.trim().is_empty()) {
                    text = link.address.to_string();
                }
                let mut tag = String::from("<img loading=\"lazy\" src=\"");
                escape(&href, &mut tag);
                tag.push_str("\" alt=\"");
                escape(&text, &mut tag);
                self.html(tag + "\">");
            }
            Some(Picture::Outside(address, from)) => {
                self.name_link(from, address);
                self.events.push(Event::End(TagEnd::Link));
            }
            Some(Picture::Text) | None => {}
        }
    }

    /// Skips no level, whatever the author's first one is.
    fn start_heading(&mut self, wanted: HeadingLevel) {
        let Some(article) = self.article else {
            self.level = (lower(wanted) as usize).min(self.level + 1).max(3);
            return self.html(format!("<h{}>", self.level));
        };
        self.level = (wanted as usize).min(self.level.max(article.above) + 1).max(article.above + 1);
        let id = article.headings.get(self.heading).map_or("", |heading| heading.id.as_str());
        self.heading += 1;
        let mut tag = format!("<h{} id=\"", self.level);
        escape(id, &mut tag);
        self.html(tag + "\">");
    }
}

/// The language named by a fence.
fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default().to_owned(),
        CodeBlockKind::Indented => String::new(),
    }
}

/// Moves authors' headings below the page's own.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3 => HeadingLevel::H3,
        HeadingLevel::H4 => HeadingLevel::H4,
        HeadingLevel::H5 => HeadingLevel::H5,
        HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// The class and the title of an alert.
fn alert(kind: BlockQuoteKind) -> (&'static str, &'static str) {
    match kind {
        BlockQuoteKind::Note => ("note", "Note"),
        BlockQuoteKind::Tip => ("tip", "Tip"),
        BlockQuoteKind::Important => ("important", "Important"),
        BlockQuoteKind::Warning => ("warning", "Warning"),
        BlockQuoteKind::Caution => ("caution", "Caution"),
    }
}

/// The number of a footnote, in the order of their first mention.
fn number_of(known: &mut Vec<String>, name: &str) -> usize {
    let place = known.iter().position(|other| other == name);
    place.unwrap_or_else(|| {
        known.push(name.to_owned());
        known.len() - 1
    }) + 1
}

/// Renders a formula, or the author's text if it is invalid.
fn formula(latex: &str, is_display: bool) -> Event<'static> {
    let shown = math::mathml(latex, is_display).unwrap_or_else(|| {
        let mut code = String::from("<code>");
        escape(latex, &mut code);
        code + "</code>"
    });
    Event::InlineHtml(shown.into())
}
