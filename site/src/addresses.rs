//! Web addresses that authors write bare: links, as in GitHub's Markdown.

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd, TextMergeStream};

/// What an address begins with.
const SCHEMES: [&str; 2] = ["https://", "http://"];

/// Whether a text may have addresses in it.
pub(crate) fn may_have(md: &str) -> bool {
    SCHEMES.iter().any(|scheme| md.contains(scheme))
}

/// The events of a text, with links for bare addresses; those in code and in links stay as they are.
pub(crate) fn linked(events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let mut out = Vec::with_capacity(events.len() + 8);
    let mut depth = 0usize;
    // A text comes in pieces around each character that could have been a mark: `https://a.b/c_d`.
    for event in TextMergeStream::new(events.into_iter()) {
        match &event {
            Event::Start(Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. }) => depth += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => depth = depth.saturating_sub(1),
            _ => {}
        }
        match event {
            Event::Text(text) if depth == 0 => split(&text, &mut out),
            event => out.push(event),
        }
    }
    out
}

/// A text as texts and links.
fn split(text: &str, out: &mut Vec<Event<'static>>) {
    let owned = |part: &str| CowStr::from(part.to_owned());
    let mut rest = text;
    while let Some((before, address)) = first(rest) {
        if !before.is_empty() {
            out.push(Event::Text(owned(before)));
        }
        let (dest_url, title, id) = (owned(address), owned(""), owned(""));
        out.push(Event::Start(Tag::Link { link_type: LinkType::Autolink, dest_url, title, id }));
        out.push(Event::Text(owned(address)));
        out.push(Event::End(TagEnd::Link));
        rest = &rest[before.len() + address.len()..];
    }
    if !rest.is_empty() {
        out.push(Event::Text(owned(rest)));
    }
}

/// The first address in a text, and what stands in front of it.
fn first(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let starts =
            SCHEMES.iter().filter_map(|scheme| Some((text[from..].find(scheme)? + from, scheme.len())));
        let (at, scheme) = starts.min()?;
        let is_inside_word = text[..at].ends_with(char::is_alphanumeric);
        let length = length(&text[at + scheme..]);
        if length > 0 && !is_inside_word {
            return Some((&text[..at], &text[at..at + scheme + length]));
        }
        from = at + scheme;
    }
}

/// How much of a text behind the scheme belongs to an address: nothing, if what it begins with is no domain. Marks of
/// the sentence around it, and brackets that were opened before it, do not.
fn length(text: &str) -> usize {
    let end =
        text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`')).unwrap_or(text.len());
    let mut address = &text[..end];
    loop {
        let count = |wanted: char| address.chars().filter(|&c| c == wanted).count();
        let is_unopened = match address.chars().next_back() {
            Some(')') => count(')') > count('('),
            Some(']') => count(']') > count('['),
            _ => false,
        };
        let kept = match address.char_indices().next_back() {
            Some((at, c))
                if is_unopened || matches!(c, '?' | '!' | '.' | ',' | ':' | ';' | '*' | '_' | '~' | '\'') =>
            {
                at
            }
            _ => break,
        };
        address = &address[..kept];
    }
    let domain = address.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_domain = domain.split('.').count() > 1
        && domain.split('.').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        });
    if is_domain { address.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_where_its_sentence_goes_on() {
        let found = |text| first(text).map(|(before, address)| (before.len(), address));
        assert_eq!(found("see https://a.b/c_d."), Some((4, "https://a.b/c_d")));
        assert_eq!(found("(http://a.b/c(d))."), Some((1, "http://a.b/c(d)")));
        assert_eq!(found("\"https://a.b:80/?x=1#y\", too"), Some((1, "https://a.b:80/?x=1#y")));
        assert_eq!(
            found("https:// and xhttps://a.b and https://local/x, http://a.b"),
            Some((47, "http://a.b"))
        );
        assert_eq!(found("no address: https://."), None);
    }

    #[test]
    fn addresses_in_code_and_links_stay() {
        let events = |md: &str| crate::markdown::parse(md).0;
        let links = |md: &str| {
            let is_link = |event: &Event<'_>| matches!(event, Event::Start(Tag::Link { .. }));
            events(md).iter().filter(|event| is_link(event)).count()
        };
        assert_eq!(links("https://a.b/x_y_z and http://c.d"), 2);
        assert_eq!(links("[https://a.b](https://a.b) <https://a.b>"), 2);
        assert_eq!(links("`https://a.b`\n\n```\nhttps://a.b\n```"), 0);
    }
}
