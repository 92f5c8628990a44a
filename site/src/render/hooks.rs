//! HTML of the project's own on each page, and what the content security policy has to allow for it: no more than the
//! text names.

use std::{collections::BTreeSet, fmt::Write as _};

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::Note;

/// The placeholder for the path from a page to the root of the site.
pub(super) const ROOT: &str = "{root}";

/// HTML for the head and the foot of each page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// The end of the head.
    pub head: Hook,
    /// The foot.
    pub footer: Hook,
}

/// HTML from a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hook {
    /// The file.
    pub file: String,
    /// Its text.
    pub html: String,
}

/// The sources that a policy allows, by directive, and the parts that no policy allows.
#[derive(Debug, Default)]
pub(super) struct Grants {
    scripts: BTreeSet<String>,
    styles: BTreeSet<String>,
    images: BTreeSet<String>,
    connections: BTreeSet<String>,
    frames: BTreeSet<String>,
    notes: Vec<(usize, String)>,
}

impl Hooks {
    /// Lists the parts that browsers will block.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let of = |hook: &Hook| {
            let mut grants = Grants::default();
            grants.read(&hook.html);
            let note = |(at, what): (usize, String)| Note {
                file: hook.file.clone(),
                line: u32::try_from(hook.html[..at].matches('\n').count() + 1).unwrap_or(u32::MAX),
                page: "index.html".to_owned(),
                what,
            };
            grants.notes.into_iter().map(note).collect::<Vec<_>>()
        };
        [of(&self.head), of(&self.footer)].concat()
    }

    /// The sources that both texts name.
    pub(super) fn grants(&self) -> Grants {
        let mut grants = Grants::default();
        grants.read(&self.head.html);
        grants.read(&self.footer.html);
        grants
    }
}

impl Grants {
    /// Writes a policy. A page may load the site's own files, run its one inline script, ask its server whether it changed
    /// (`is_live`), and do what hooks name.
    pub(super) fn policy(&self, boot: &str, is_live: bool) -> String {
        let mut out = format!("default-src 'none'; script-src 'self' {}", hash(boot));
        let mut add = |name: &str, own: &str, sources: &BTreeSet<String>| {
            if !name.is_empty() && (!own.is_empty() || !sources.is_empty()) {
                let _ = write!(out, "; {name}");
                if !own.is_empty() {
                    let _ = write!(out, " {own}");
                }
            }
            for source in sources {
                let _ = write!(out, " {source}");
            }
        };
        add("", "", &self.scripts);
        add("style-src", "'self'", &self.styles);
        add("img-src", "'self'", &self.images);
        add("connect-src", if is_live { "'self'" } else { "" }, &self.connections);
        add("frame-src", "", &self.frames);
        out.push_str("; base-uri 'none'; form-action 'self'");
        out
    }

    /// Adds what a text names.
    fn read(&mut self, html: &str) {
        let mut at = 0;
        while let Some(found) = html[at..].find('<') {
            let start = at + found;
            if html[start..].starts_with("<!--") {
                at = html[start..].find("-->").map_or(html.len(), |end| start + end + 3);
                continue;
            }
            let tag = Tag::read(&html[start + 1..]);
            at = start + 1 + tag.length;
            for (name, value) in &tag.attributes {
                let is_script = value.trim_start().to_ascii_lowercase().starts_with("javascript:");
                if name.starts_with("on") || name == "style" || is_script {
                    let what = format!("the content security policy of pages blocks `{name}`");
                    self.notes.push((start, what));
                }
            }
            match tag.name.as_str() {
                "script" => match tag.get("src") {
                    Some(address) => {
                        self.connections.extend(origin(address));
                        self.scripts.extend(origin(address));
                    }
                    None => at = self.inline(html, (start, at), "script"),
                },
                "style" => at = self.inline(html, (start, at), "style"),
                "link" if tag.get("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("stylesheet")) => {
                    self.styles.extend(tag.get("href").and_then(origin));
                }
                "img" => self.images.extend(tag.get("src").and_then(origin)),
                "iframe" => self.frames.extend(tag.get("src").and_then(origin)),
                "base" => self.notes.push((start, "pages allow no `<base>`".to_owned())),
                _ => {}
            }
        }
    }

    /// Adds the hash of an inline script or style, and returns its end.
    fn inline(&mut self, html: &str, (tag, start): (usize, usize), name: &str) -> usize {
        let close = format!("</{name}");
        let length = html[start..].to_ascii_lowercase().find(&close).unwrap_or(html.len() - start);
        let text = &html[start..start + length];
        if text.contains(ROOT) {
            let what = format!("`{ROOT}` in an inline {name} is not replaced; write it into an attribute");
            self.notes.push((tag, what));
        }
        let sources = if name == "script" { &mut self.scripts } else { &mut self.styles };
        sources.insert(hash(text));
        start + length
    }
}

/// The hash of an inline script or style in a policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The host of an address: `https://example.org`; `None` for a file of the site.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.trim().split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    let is_web = matches!(scheme, "https" | "http") && !host.is_empty() && host.chars().all(is_plain);
    is_web.then(|| format!("{scheme}://{host}"))
}

/// The start tag of an element.
#[derive(Debug, Default)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    /// The length of the text between `<` and the end of the tag, which is part of it.
    length: usize,
}

impl Tag {
    /// Reads a tag from the text after its `<`; end tags have no name.
    fn read(text: &str) -> Tag {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_');
        let name = text.split(|c| !is_name(c)).next().unwrap_or_default();
        let mut tag = Tag { name: name.to_ascii_lowercase(), length: name.len(), ..Tag::default() };
        loop {
            let rest = &text[tag.length..];
            let skipped = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/').len();
            let rest = &rest[skipped..];
            tag.length += skipped;
            if rest.is_empty() || rest.starts_with('>') {
                tag.length += usize::from(!rest.is_empty());
                return tag;
            }
            let is_end = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/');
            // A lone `=` is a character of a name.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let length = rest[first..].find(is_end).map_or(rest.len(), |end| first + end);
            let key = rest[..length].to_ascii_lowercase();
            tag.length += length;
            let rest = &text[tag.length..];
            let value = rest.trim_start();
            let Some(value) = value.strip_prefix('=') else {
                tag.attributes.push((key, String::new()));
                continue;
            };
            let value = value.trim_start();
            let before = text.len() - value.len();
            let (value, length) = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let end = value[1..].find(quote).map_or(value.len(), |end| end + 1);
                    (&value[1..end.max(1)], (end + 1).min(value.len()))
                }
                _ => {
                    let end = value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len());
                    (&value[..end], end)
                }
            };
            tag.attributes.push((key, value.to_owned()));
            tag.length = before + length;
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hooks(html: &str) -> Hooks {
        Hooks { head: Hook { file: "head.html".to_owned(), html: html.to_owned() }, ..Hooks::default() }
    }

    #[test]
    fn a_policy_allows_what_the_text_names() {
        let html = "<!-- <script>no</script> -->\n<script defer data-x='a>b' src=\"https://stats.example.org/js/s.js\"></script>\n\
                    <SCRIPT>go()</SCRIPT><link rel=stylesheet href=https://example.org/a.css><img src='{root}assets/a.svg'>\n\
                    <script src=\"{root}own.js\"></script><iframe src=\"https://x.example.org:8000/?a\"></iframe>";
        let policy = hooks(html).grants().policy("boot()", false);
        assert_eq!(
            policy,
            format!(
                "default-src 'none'; script-src 'self' {} {} https://stats.example.org; \
                 style-src 'self' https://example.org; img-src 'self'; connect-src https://stats.example.org; \
                 frame-src https://x.example.org:8000; base-uri 'none'; form-action 'self'",
                hash("boot()"),
                hash("go()")
            )
        );
        assert!(hooks(html).notes().is_empty());
    }

    #[test]
    fn what_browsers_block_is_noted() {
        let html = "<p>\n<a onclick=\"go()\" href='javascript:go()'>x</a>\n<script>load('{root}a')</script>\n<base href=\"/\">";
        let notes = hooks(html).notes();
        let lines: Vec<u32> = notes.iter().map(|note| note.line).collect();
        assert_eq!(lines, [2, 2, 3, 4], "{notes:?}");
        // A text that ends inside of a tag, and other accidents.
        for html in [
            "<",
            "<script",
            "<script src=",
            "<script src='a",
            "<a =",
            "<p é=ü",
            "</script",
            "<!--",
            "<style>",
            "<a ==>",
        ] {
            assert!(hooks(html).notes().is_empty(), "{html}");
            assert!(!hooks(html).grants().policy("", true).contains("'self' 'self'"));
        }
    }
}
