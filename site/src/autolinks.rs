//! Links bare web addresses in authors' texts, as GitHub's Markdown does.

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd, TextMergeStream};

/// The URL schemes that may precede `://`, the longer one first.
const SCHEMES: [&str; 2] = ["https", "http"];

/// Tests cheaply if a text may contain addresses.
pub(crate) fn may_have(md: &str) -> bool {
    md.contains("http://") || md.contains("https://")
}

/// Replaces bare addresses by links, except in code and in links.
pub(crate) fn linked(events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let mut out = Vec::with_capacity(events.len() + 8);
    let mut depth = 0usize;
    // The parser splits a text at each character that could be a mark: `https://a.b/c_d`.
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

/// Splits a text into texts and links.
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

/// The first address in a text, with the text before it.
fn first(text: &str) -> Option<(&str, &str)> {
    text.match_indices("://").find_map(|(colon, slashes)| {
        let (before, following) = (&text[..colon], colon + slashes.len());
        let before = SCHEMES.iter().find_map(|scheme| before.strip_suffix(scheme))?;
        if before.ends_with(char::is_alphanumeric) {
            return None;
        }
        Some((before, &text[before.len()..following + length(&text[following..])?]))
    })
}

/// The length of an address after its scheme; `None` if it does not begin with a domain. Punctuation of the surrounding
/// sentence, and brackets that were opened before the address, do not belong to it.
fn length(text: &str) -> Option<usize> {
    // The domain is checked first, so that a text of many schemes is not scanned to its end from each of them.
    let is_of_domain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let domain = &text[..text.find(|c| !is_of_domain(c)).unwrap_or(text.len())];
    if !domain.contains('.') {
        return None;
    }
    let is_outside = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`');
    let mut address = &text[..text.find(is_outside).unwrap_or(text.len())];
    // The number of closing brackets without an opening one.
    let [mut round, mut square] = [('(', ')'), ('[', ']')].map(|(open, close)| {
        let count = |bracket| address.matches(bracket).count();
        count(close).saturating_sub(count(open))
    });
    while let Some((at, last)) = address.char_indices().next_back() {
        match last {
            ')' if round > 0 => round -= 1,
            ']' if square > 0 => square -= 1,
            '?' | '!' | '.' | ',' | ':' | ';' | '*' | '_' | '~' | '\'' => {}
            _ => break,
        }
        address = &address[..at];
    }
    let domain = &domain[..domain.len().min(address.len())];
    let is_followed = address[domain.len()..].starts_with(['/', '?', '#', ':']);
    let is_domain = domain.contains('.') && domain.split('.').all(|part| !part.is_empty());
    (is_domain && (is_followed || domain.len() == address.len())).then_some(address.len())
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
        assert_eq!(found("[http://a.b/c[1]],"), Some((1, "http://a.b/c[1]")));
        assert_eq!(found("http://a..b http://a.b|c http://a.b."), Some((25, "http://a.b")));
    }

    /// Scanned to the end from each scheme, these texts would take many minutes.
    #[test]
    fn hostile_texts_are_read_once() {
        for (piece, expected) in
            [("http://", 0), ("xhttp://a.b", 0), ("http://a", 0), (")", 0), (" http://a.b", 100_000)]
        {
            let mut out = Vec::new();
            split(&piece.repeat(100_000), &mut out);
            let links = out.iter().filter(|event| matches!(event, Event::End(TagEnd::Link))).count();
            assert_eq!(links, expected, "{piece}");
        }
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
