//! Supports the HTML that authors use where Markdown has no syntax: `<details>`, `<sub>`, `<sup>`, `<br>`, `<kbd>`,
//! pictures with a width, and centred paragraphs.
//!
//! Tags become events of the Markdown parser, so that no text of a tag reaches a page. An opening tag counts only with
//! its closing tag: the `<sub>` in `range<sub>` stays text.

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

/// A piece of raw HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A known tag: its name, a flag for a closing tag, and its attributes.
    Tag(KnownTag, bool, Vec<(String, String)>),
    /// Anything else.
    Text(String),
}

/// The supported tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownTag {
    Details,
    Summary,
    Sub,
    Sup,
    Kbd,
    Break,
    Image,
    /// A block whose tag only sets the alignment: `<p align="center">`.
    Block,
}

impl KnownTag {
    fn of(name: &str) -> Option<KnownTag> {
        Some(match name {
            "details" => KnownTag::Details,
            "summary" => KnownTag::Summary,
            "sub" => KnownTag::Sub,
            "sup" => KnownTag::Sup,
            "kbd" => KnownTag::Kbd,
            "br" => KnownTag::Break,
            "img" => KnownTag::Image,
            "p" | "div" | "center" => KnownTag::Block,
            _ => return None,
        })
    }

    /// Tests if the tag has no closing tag.
    fn is_alone(self) -> bool {
        matches!(self, KnownTag::Break | KnownTag::Image)
    }

    fn is_block(self) -> bool {
        matches!(self, KnownTag::Details | KnownTag::Summary | KnownTag::Block)
    }
}

/// Tests cheaply if a text may contain such tags.
pub(crate) fn may_have(md: &str) -> bool {
    md.contains('<')
}

/// Replaces known tags by their events.
pub(crate) fn resolved(events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let pieces: Vec<Vec<Piece>> = events
        .iter()
        .map(|event| match event {
            Event::Html(text) | Event::InlineHtml(text) => pieces(text),
            _ => Vec::new(),
        })
        .collect();
    let accepted = pairs(&events, &pieces);
    let mut out = Vec::with_capacity(events.len());
    let mut events = events.into_iter().enumerate().peekable();
    while let Some((at, event)) = events.next() {
        let is_ours = |at: usize| accepted[at].contains(&true);
        match event {
            Event::Start(Tag::HtmlBlock) if is_ours(at + 1) => {
                // Skips the text and the end of the block.
                let _ = (events.next(), events.next());
                block(&pieces[at + 1], &accepted[at + 1], &mut out);
            }
            Event::InlineHtml(_) if is_ours(at) => {
                pieces[at].iter().zip(&accepted[at]).for_each(|(piece, _)| inline(piece, &mut out));
            }
            event => out.push(event),
        }
    }
    out
}

/// Marks the tags that count: those with a matching tag, and those that need none.
fn pairs(events: &[Event<'_>], pieces: &[Vec<Piece>]) -> Vec<Vec<bool>> {
    let mut accepted: Vec<Vec<bool>> = pieces.iter().map(|pieces| vec![false; pieces.len()]).collect();
    // The open tags, each with its position and its depth in lists and quotations.
    let mut open: Vec<(KnownTag, (usize, usize), usize)> = Vec::new();
    let mut depth = 0usize;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(_) => depth += 1,
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                open.retain(|(_, _, of)| *of <= depth);
            }
            _ => {}
        }
        let is_block = matches!(event, Event::Html(_));
        for (index, piece) in pieces[at].iter().enumerate() {
            let Piece::Tag(tag, is_end, attributes) = piece else { continue };
            if tag.is_alone() {
                let has_source = attributes.iter().any(|(name, _)| name == "src");
                accepted[at][index] = !is_end && (*tag == KnownTag::Break || has_source);
            } else if tag.is_block() && !is_block {
                // No block begins within a paragraph.
            } else if !is_end {
                let is_within = *tag != KnownTag::Summary
                    || open.last().is_some_and(|(tag, ..)| *tag == KnownTag::Details);
                if is_within {
                    open.push((*tag, (at, index), depth));
                }
            } else if let Some(found) = open.iter().rposition(|(known, _, of)| known == tag && *of == depth) {
                let (_, (from, first), _) = open[found];
                open.truncate(found);
                accepted[from][first] = true;
                accepted[at][index] = true;
            }
        }
    }
    accepted
}

/// Converts a block of HTML to events; text outside of its tags becomes paragraphs.
fn block(pieces: &[Piece], accepted: &[bool], out: &mut Vec<Event<'static>>) {
    let mut paragraph: Vec<Event<'static>> = Vec::new();
    let mut is_summary = false;
    for (piece, is_accepted) in pieces.iter().zip(accepted) {
        let Piece::Tag(tag, is_end, _) = piece else {
            inline(piece, &mut paragraph);
            continue;
        };
        if !is_accepted || !tag.is_block() {
            if *is_accepted {
                inline(piece, &mut paragraph);
            }
            continue;
        }
        flush(&mut paragraph, is_summary, out);
        match (tag, is_end) {
            (KnownTag::Details, false) => out.push(Event::Start(Tag::DefinitionList)),
            (KnownTag::Details, true) => out.push(Event::End(TagEnd::DefinitionList)),
            (KnownTag::Summary, false) => out.push(Event::Start(Tag::DefinitionListTitle)),
            (KnownTag::Summary, true) => out.push(Event::End(TagEnd::DefinitionListTitle)),
            _ => {}
        }
        is_summary = *tag == KnownTag::Summary && !is_end;
    }
    flush(&mut paragraph, is_summary, out);
}

/// Adds the text between two tags.
fn flush(paragraph: &mut Vec<Event<'static>>, is_bare: bool, out: &mut Vec<Event<'static>>) {
    let is_blank = |event: &Event<'_>| matches!(event, Event::Text(text) if text.trim().is_empty());
    let has_text = !paragraph.iter().all(is_blank);
    let content = paragraph.drain(..);
    if !has_text {
        return;
    }
    if is_bare {
        out.extend(content);
    } else {
        out.push(Event::Start(Tag::Paragraph));
        out.extend(content);
        out.push(Event::End(TagEnd::Paragraph));
    }
}

/// Converts a tag within a line to its event.
fn inline(piece: &Piece, out: &mut Vec<Event<'static>>) {
    match piece {
        Piece::Text(text) => out.push(Event::Text(CowStr::from(text.clone()))),
        Piece::Tag(KnownTag::Sub, false, _) => out.push(Event::Start(Tag::Subscript)),
        Piece::Tag(KnownTag::Sub, true, _) => out.push(Event::End(TagEnd::Subscript)),
        Piece::Tag(KnownTag::Sup, false, _) => out.push(Event::Start(Tag::Superscript)),
        Piece::Tag(KnownTag::Sup, true, _) => out.push(Event::End(TagEnd::Superscript)),
        Piece::Tag(KnownTag::Kbd, false, _) => out.push(Event::Start(Tag::Strong)),
        Piece::Tag(KnownTag::Kbd, true, _) => out.push(Event::End(TagEnd::Strong)),
        Piece::Tag(KnownTag::Break, ..) => out.push(Event::HardBreak),
        Piece::Tag(KnownTag::Image, _, attributes) => {
            let get = |name: &str| {
                let found = attributes.iter().find(|(known, _)| known == name);
                CowStr::from(found.map_or_else(String::new, |(_, value)| value.clone()))
            };
            out.push(Event::Start(Tag::Image {
                link_type: LinkType::Inline,
                dest_url: get("src"),
                title: get("title"),
                id: CowStr::from(""),
            }));
            out.push(Event::Text(get("alt")));
            out.push(Event::End(TagEnd::Image));
        }
        Piece::Tag(..) => {}
    }
}

/// Splits HTML into known tags and the text between them.
fn pieces(html: &str) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        match tag(&rest[at..]) {
            Some((piece, length)) => {
                if !text.is_empty() {
                    all.push(Piece::Text(std::mem::take(&mut text)));
                }
                all.push(piece);
                rest = &rest[at + length..];
            }
            None => {
                text.push('<');
                rest = &rest[at + 1..];
            }
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        all.push(Piece::Text(text));
    }
    all
}

/// The known tag at the start of a text, with its length.
fn tag(text: &str) -> Option<(Piece, usize)> {
    let is_end = text.starts_with("</");
    let start = if is_end { 2 } else { 1 };
    let name: String = text[start..].chars().take_while(char::is_ascii_alphanumeric).collect();
    let known = KnownTag::of(&name.to_ascii_lowercase())?;
    let mut attributes = Vec::new();
    let mut at = start + name.len();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with('>') {
            return Some((Piece::Tag(known, is_end, attributes), at + 1));
        }
        if rest.starts_with("/>") {
            return Some((Piece::Tag(known, is_end, attributes), at + 2));
        }
        let name = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').count();
        if name == 0 || attributes.len() > 16 {
            return None;
        }
        let key = rest[..name].to_ascii_lowercase();
        at += name;
        let mut value = String::new();
        if let Some(given) = text[at..].strip_prefix('=') {
            let quote = given.chars().next().filter(|c| matches!(c, '"' | '\''));
            let inside = &given[usize::from(quote.is_some())..];
            let length = match quote {
                Some(quote) => inside.find(quote)?,
                None => inside.find([' ', '>', '/', '\n'])?,
            };
            inside[..length].clone_into(&mut value);
            at += 1 + length + 2 * usize::from(quote.is_some());
        }
        attributes.push((key, value));
    }
}

#[cfg(test)]
mod tests {
    use crate::markdown::parse;

    use super::*;

    fn check(md: &str, expected: &str) {
        let (events, _) = parse(md);
        let shown: Vec<String> = events.iter().map(|event| format!("{event:?}")).collect();
        assert!(shown.concat().contains(expected), "{expected} in {shown:?}");
    }

    #[test]
    fn tags_count_with_their_other_half() {
        check("x<sub>1</sub>", "Start(Subscript)");
        check("x<sub>1", "InlineHtml");
        check("range<value>", "InlineHtml");
        check("a<br>b", "HardBreak");
        check("- a <sup>\n- b</sup>", "InlineHtml");
    }

    #[test]
    fn details_hold_markdown() {
        let (events, _) = parse("<details>\n<summary>More `x`</summary>\n\n*text*\n\n</details>\n\nafter");
        assert!(matches!(events[0], Event::Start(Tag::DefinitionList)), "{events:?}");
        assert!(matches!(events[1], Event::Start(Tag::DefinitionListTitle)), "{events:?}");
        assert!(events.iter().any(|event| matches!(event, Event::Start(Tag::Emphasis))));
        assert!(events.iter().any(|event| matches!(event, Event::End(TagEnd::DefinitionList))));
        check("<details>\n<summary>never closed", "Html(");
    }

    #[test]
    fn pictures_have_their_text() {
        check(
            "<p align=\"center\"><img src=\"a.png\" width=300 alt=\"An A\"></p>",
            "dest_url: Boxed(\"a.png\")",
        );
        check("<img src=\"some/long/path/of/a/picture.png\" alt='x'/>", "Start(Image");
        check("<div onclick='x'>\nhi", "Html(");
    }
}
