//! Files for programs: the index of names, the inventory for Sphinx, the list for language models, the map of old
//! fragments, and files that need the site's own address.
//!
//! All of them are made from the pages, so they cannot name a definition without a page.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    commonmark::{code, line},
    inventory::{self, one_line},
    links::{from_page, is_external, root_of, stem},
    markdown::escape,
    pages::{Body, Book, Page, kind::Subject},
};

/// The version of `index.json`, its first field.
pub const INDEX_SCHEMA: &str = "odsmith.index/1";
/// The version of `links.json`, its first field.
pub const LINKS_SCHEMA: &str = "odsmith.links/1";

/// All files, by their paths in the site.
#[must_use]
pub fn files(book: &Book, title: &str, base_url: Option<&str>) -> Vec<(String, Vec<u8>)> {
    let items = items(book);
    let mut files = vec![
        ("llms.txt".to_owned(), llms(book, &items, title).into_bytes()),
        ("objects.inv".to_owned(), inventory(book, &items, title)),
        ("index.json".to_owned(), index(items, title).into_bytes()),
        ("links.json".to_owned(), links(book).into_bytes()),
    ];
    if let Some(base) = base_url {
        files.push(("sitemap.xml".to_owned(), sitemap(book, base).into_bytes()));
        files.push(("opensearch.xml".to_owned(), open_search(title, base).into_bytes()));
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

/// Writes `sitemap.xml`.
fn sitemap(book: &Book, base: &str) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let is_there = |page: &&Page| !matches!(page.body, Body::Missing(_));
    for page in book.pages.iter().filter(is_there) {
        out.push_str("<url><loc>");
        escape(&format!("{base}{}", address(&page.frame.path)), &mut out);
        out.push_str("</loc></url>\n");
    }
    out.push_str("</urlset>\n");
    out
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
