//! Files for programs: the index of names, the inventory for Sphinx, the list for language models, the map of old
//! fragments, and files that need the site's own address.
//!
//! All of them are made from the pages, so they cannot name a definition without a page.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use odsmith_engine::record::order;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    commonmark::{code, line},
    inventory::{self, one_line},
    links::{HOME, Slugs, from_page, is_external, root_of, stem},
    markdown::escape,
    pages::{Body, Book, Page, kind::Subject},
};

/// The version of `index.json`, its first field.
pub const INDEX_SCHEMA: &str = "odsmith.index/1";
/// The version of `links.json`, its first field.
pub const LINKS_SCHEMA: &str = "odsmith.links/1";

/// The Atom feed of releases.
pub const FEED: &str = "feed.xml";

/// All files, by their paths in the site.
#[must_use]
pub fn files(
    book: &Book,
    title: &str,
    base_url: Option<&str>,
    dates: &BTreeMap<String, String>,
) -> Vec<(String, Vec<u8>)> {
    let items = items(book);
    let mut files = vec![
        ("llms.txt".to_owned(), llms(book, &items, title).into_bytes()),
        ("objects.inv".to_owned(), inventory(book, &items, title)),
        ("index.json".to_owned(), index(items, title).into_bytes()),
        ("links.json".to_owned(), links(book).into_bytes()),
    ];
    if let Some(base) = base_url {
        files.push(("sitemap.xml".to_owned(), sitemap(book, base, dates).into_bytes()));
        files.push(("opensearch.xml".to_owned(), open_search(title, base).into_bytes()));
        files.extend(feed(book, title).map(|text| (FEED.to_owned(), text.into_bytes())));
    }
    files
}

/// Writes a page in each old place that leads to the new one. Paths of pages of the site are left out, and so are those that
/// lead out of it.
#[must_use]
pub fn redirects(book: &Book, old: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let known: BTreeSet<&str> = book.pages.iter().map(|page| page.frame.path.as_str()).collect();
    let mut files = Vec::new();
    for (from, to) in old {
        let mut path = from.trim_start_matches('/').to_owned();
        if path.is_empty() || path.ends_with('/') {
            path.push_str("index.html");
        } else if !path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
            path.push_str("/index.html");
        }
        let is_inside = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        let is_safe = is_external(to) || !to.contains(':');
        if !is_inside || !is_safe || known.contains(path.as_str()) {
            continue;
        }
        let mut address = String::new();
        let target = from_page(&root_of(&path), to.trim_start_matches('/'));
        escape(&target, &mut address);
        files.push((
            path,
            format!(
                "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
                 <link rel=\"canonical\" href=\"{address}\">\n\
                 <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
                 <p>This page is now <a href=\"{address}\">here</a>.</p>\n</html>\n"
            ),
        ));
    }
    files
}

/// Adds the trailing slash that relative addresses need.
#[must_use]
pub fn base(url: &str) -> String {
    format!("{}/", url.trim_end_matches('/'))
}

/// The metadata of a page for search engines: its subject and its site.
#[must_use]
pub fn linked_data(page: &Page, title: &str, base: &str) -> String {
    let site = json!({"@type": "WebSite", "name": title, "url": base});
    let url = format!("{base}{}", address(&page.frame.path));
    let mut data = match page.frame.path.as_str() {
        "index.html" => site,
        _ => json!({"@type": "TechArticle", "headline": page.frame.title, "url": url, "isPartOf": site}),
    };
    if let Value::Object(fields) = &mut data {
        fields.insert("@context".to_owned(), json!("https://schema.org"));
        if !page.frame.description.is_empty() {
            fields.insert("description".to_owned(), json!(page.frame.description));
        }
    }
    // A script ends at `</script`, wherever that appears.
    data.to_string().replace('<', "\\u003c")
}

/// The address of a page; an index page has the address of its folder.
pub(crate) fn address(path: &str) -> &str {
    match path.strip_suffix("index.html") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
        _ => path,
    }
}

#[derive(Serialize)]
struct Index<'a> {
    schema: &'static str,
    title: &'a str,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    dialect: &'a str,
    url: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// Other names: C++ classes, records of `.td` files, and fragments of other generators' pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<&'a str>,
    /// A digest of its syntax, operands and results; the release that added it and the last that changed it, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<&'a str>,
    /// For a removed definition: its kind, the first release without it, and the page of its replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<&'a str>,
}

fn items<'a>(book: &'a Book) -> Vec<Item<'a>> {
    let mut aliases: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
    let registry = &book.registry;
    let names = registry.cpp.iter().chain(&registry.records).chain(&registry.anchors);
    for (name, href) in names {
        aliases.entry(href).or_default().insert(name);
    }
    let item = |page: &'a Page| -> Option<Item<'a>> {
        let Subject { kind, name, dialect } = page.body.kind().subject()?;
        let url = page.frame.path.as_str();
        let aliases = aliases.get(url).map(|names| names.iter().copied().collect()).unwrap_or_default();
        let mark = book.marks.get(url);
        let gone = match &page.body {
            Body::Removed(view) => Some(view),
            _ => None,
        };
        Some(Item {
            name,
            kind,
            dialect,
            url,
            summary: &page.frame.description,
            aliases,
            shape: mark.map(|mark| mark.shape.as_str()),
            since: mark.and_then(|mark| mark.since.as_deref()),
            changed: mark.and_then(|mark| mark.changed.as_deref()),
            was: gone.map(|it| it.was.as_str()),
            removed: gone.map(|it| it.release.as_str()),
            instead: gone.and_then(|it| it.instead.as_ref()?.href.as_deref()),
        })
    };
    book.pages.iter().filter_map(item).collect()
}

/// Writes `index.json`: every name with its kind, page, summary and other names.
fn index(items: Vec<Item<'_>>, title: &str) -> String {
    json_text(&Index { schema: INDEX_SCHEMA, title, items })
}

/// Writes `links.json`: the pages for the fragments of other generators' pages.
fn links(book: &Book) -> String {
    #[derive(Serialize)]
    struct Links<'a> {
        schema: &'static str,
        fragments: &'a BTreeMap<String, String>,
    }
    json_text(&Links { schema: LINKS_SCHEMA, fragments: &book.registry.anchors })
}

fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Writes `llms.txt`: an overview with links to Markdown.
fn llms(book: &Book, items: &[Item<'_>], title: &str) -> String {
    let mut out = format!("# {}\n", line(title));
    if let Some(Body::Home(home)) = book.pages.first().map(|page| &page.body) {
        let totals: Vec<String> = home
            .totals
            .iter()
            .chain(&home.lists)
            .map(|count| format!("{} {}", count.number, count.what))
            .collect();
        if !totals.is_empty() {
            let _ = write!(out, "\n> {}\n", totals.join(", "));
        }
        let unread: Vec<String> = home.unread.iter().map(|target| code(&target.td)).collect();
        if !unread.is_empty() {
            let _ = write!(out, "\nNot here, because of errors: {}.\n", unread.join(", "));
        }
    }
    let has_markdown = book.pages.iter().any(|page| page.frame.markdown.is_some());
    let (twins, extension) =
        if has_markdown { ("a Markdown and a JSON twin", "md") } else { ("a JSON twin", "json") };
    let _ = write!(out, "\nEvery page has {twins} under the same name; `index.json` lists all names.\n");
    let sections = [("dialect", "Dialects"), ("interface", "Interfaces"), ("trait", "Traits")];
    for (kind, heading) in sections {
        let mut rows = items.iter().filter(|item| item.kind == kind).peekable();
        if rows.peek().is_some() {
            let _ = write!(out, "\n## {heading}\n\n");
        }
        for item in rows {
            let stem = stem(item.url);
            let _ = write!(out, "- [{}]({stem}.{extension})", code(item.name));
            out.push_str(if item.summary.is_empty() { "" } else { ": " });
            out.push_str(&line(item.summary));
            out.push('\n');
        }
    }
    out
}

/// Writes `objects.inv`, version 2: names for Sphinx's `:external:ref:`, C++ classes for `:external:cpp:class:`.
fn inventory(book: &Book, items: &[Item<'_>], title: &str) -> Vec<u8> {
    let mut lines = String::new();
    for item in items {
        // Names cannot contain spaces in this format.
        let name = item.name.replace(char::is_whitespace, "_");
        let _ = writeln!(lines, "{name} std:label -1 {} {}", item.url, one_line(item.name));
    }
    for (class, href) in &book.registry.cpp {
        if !class.is_empty() && !class.contains(char::is_whitespace) {
            let _ = writeln!(lines, "{class} cpp:class 1 {href} -");
        }
    }
    inventory::packed(title, &lines)
}

/// The date of the last change of a page: that of the release, or that of the file which it is made from.
fn last_change<'d>(page: &'d Page, dates: &'d BTreeMap<String, String>) -> Option<&'d str> {
    match &page.body {
        Body::ReleasePage(view) => view.date.as_deref(),
        Body::Guide(view) => view.date.as_deref(),
        body => Some(dates.get(&body.kind().coverage()?.2?.file)?),
    }
}

/// Writes `sitemap.xml`.
fn sitemap(book: &Book, base: &str, dates: &BTreeMap<String, String>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let is_there = |page: &&Page| !matches!(page.body, Body::Missing(_));
    for page in book.pages.iter().filter(is_there) {
        out.push_str("<url><loc>");
        escape(&format!("{base}{}", address(&page.frame.path)), &mut out);
        out.push_str("</loc>");
        if let Some(date) = last_change(page, dates) {
            let _ = write!(out, "<lastmod>{date}</lastmod>");
        }
        out.push_str("</url>\n");
    }
    out.push_str("</urlset>\n");
    out
}

/// A release in the feed.
struct FeedEntry<'b> {
    date: &'b str,
    release: &'b str,
    /// The page and its fragment.
    href: String,
    /// The content as HTML.
    content: String,
}

/// Lists the releases that have a date, the newest first: those with a page, and those that have notes alone.
fn feed_entries(book: &Book) -> Vec<FeedEntry<'_>> {
    let written = |release: &str| book.release_notes.iter().find(|it| it.notes.is_of(release));
    let text = |release: &str| written(release).and_then(|it| it.feed.clone()).unwrap_or_default();
    let mut entries = Vec::new();
    let mut pages = Vec::new();
    for page in &book.pages {
        let Body::ReleasePage(view) = &page.body else { continue };
        pages.push(view.name.as_str());
        let Some(date) = view.date.as_deref() else { continue };
        let counts = view.totals.iter().chain(&view.verdicts);
        let counts: Vec<String> = counts.map(|count| format!("{} {}", count.number, count.what)).collect();
        let mut content = text(&view.name);
        if !counts.is_empty() {
            content.push_str("<p>");
            escape(&format!("Since {}: {}.", view.before, counts.join(", ")), &mut content);
            content.push_str("</p>\n");
        }
        entries.push(FeedEntry { date, release: &view.name, href: page.frame.path.clone(), content });
    }
    for it in &book.release_notes {
        let notes = &it.notes;
        let has_page = pages.iter().any(|release| notes.is_of(release));
        let Some(date) = notes.date.as_deref().filter(|_| !has_page) else { continue };
        // Each entry needs an address of its own.
        let none = || format!("{HOME}#{}", Slugs::default().take(&notes.release));
        let href = it.page.clone().unwrap_or_else(none);
        entries.push(FeedEntry { date, release: &notes.release, href, content: text(&notes.release) });
    }
    entries.sort_by(|a, b| b.date.cmp(a.date).then_with(|| order::natural(b.release, a.release)));
    entries
}

/// Tests if any release has a date.
#[must_use]
pub fn has_feed(book: &Book) -> bool {
    !feed_entries(book).is_empty()
}

/// Writes `feed.xml`, the Atom feed of releases; `None` if no release has a date. Its times are those of the releases, so that
/// the same project gives the same bytes. Its addresses are canonical, so that they stay in the feeds of later releases.
fn feed(book: &Book, title: &str) -> Option<String> {
    let home = book.pages.iter().find(|page| page.frame.path == HOME)?;
    let base = home.frame.canonical.as_deref()?;
    let entries = feed_entries(book);
    let newest = entries.first()?.date;
    let text = |text: &str| {
        let mut out = String::new();
        // XML has no other control characters.
        let is_text = |c: &char| !c.is_control() || matches!(c, '\t' | '\n');
        escape(&text.chars().filter(is_text).collect::<String>(), &mut out);
        out
    };
    let (title, base) = (text(title), text(base));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>{title}</title>\n<id>{base}{FEED}</id>\n<updated>{newest}T00:00:00Z</updated>\n\
         <author><name>{title}</name></author>\n\
         <link rel=\"self\" href=\"{base}{FEED}\"/>\n<link href=\"{base}\"/>\n"
    );
    for FeedEntry { date, release, href, content } in &entries {
        let (release, href, content) = (text(release), text(address(href)), text(content));
        let _ = write!(
            out,
            "<entry>\n<title>{title} {release}</title>\n<id>{base}{href}</id>\n<updated>{date}T00:00:00Z</updated>\n\
             <link href=\"{base}{href}\"/>\n<content type=\"html\">{content}</content>\n</entry>\n"
        );
    }
    out.push_str("</feed>\n");
    Some(out)
}

/// Writes `opensearch.xml`, which adds the site's search to the browser's address bar.
fn open_search(title: &str, base: &str) -> String {
    let mut name = String::new();
    // Browsers reject longer names.
    escape(&title.chars().take(16).collect::<String>(), &mut name);
    let mut template = String::new();
    escape(&format!("{base}az.html?q={{searchTerms}}"), &mut template);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n\
         <ShortName>{name}</ShortName>\n<Description>Search the reference</Description>\n\
         <InputEncoding>UTF-8</InputEncoding>\n<Url type=\"text/html\" template=\"{template}\"/>\n\
         </OpenSearchDescription>\n"
    )
}
