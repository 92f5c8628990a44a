//! The sidebar of a page: the names of its dialect, or those around the page's own if there are many. In a site of
//! hand-written pages alone it has the contents that the home page lists.
//!
//! A page does not list all names of a large dialect. A script has them and adds them when the list is used.

use std::{collections::BTreeMap, fmt::Write as _};

use rustc_hash::FxHashMap;

use crate::{
    guide::ContentsRow,
    links::{HOME, root_of, write_from_page},
    markdown::escape,
    pages::Book,
    search::{self, Row},
    text::words,
    view::Sidebar,
};

/// Dialects with more names than this list only those around the page's own.
const MOST: usize = 56;
/// The number of names listed before and after it.
const AROUND: usize = 20;
/// Longer names may be broken.
const LONG: usize = 22;

/// The lists of all dialects. Each sidebar is written with its page: all at once would take more memory than the pages.
#[derive(Default)]
pub(crate) struct Lists<'i> {
    dialects: Vec<Dialect<'i>>,
    /// The dialect of each page, and its position there.
    places: FxHashMap<&'i str, (usize, usize)>,
    /// Dialects by their folders.
    folders: FxHashMap<&'i str, usize>,
    /// The site's title, and the contents that the home page lists.
    contents: (&'i str, &'i [ContentsRow]),
    /// The hand-written pages beside definitions.
    guides: &'i [ContentsRow],
}

impl<'i> Lists<'i> {
    pub(crate) fn new(book: &'i Book) -> Self {
        let mut dialects: BTreeMap<usize, Dialect<'i>> = BTreeMap::new();
        for row in book.index.rows().iter().filter(|row| !row.is_removed) {
            let dialect = dialects.entry(row.dialect).or_default();
            if row.kind == "dialect" {
                dialect.page = Some(row);
            } else {
                dialect.rows.push(row);
            }
        }
        let title = book.pages.first().map_or("", |page| page.frame.site.as_str());
        let contents = (title, book.contents.as_slice());
        let dialects = dialects.into_values().collect();
        let mut lists = Lists { dialects, contents, guides: &book.guides, ..Lists::default() };
        for (number, dialect) in lists.dialects.iter().enumerate() {
            let rows = dialect.rows.iter().enumerate();
            lists.places.extend(rows.map(|(at, row)| (row.href.as_str(), (number, at))));
            lists.folders.extend(dialect.page.map(|page| (folder(&page.href), number)));
        }
        lists
    }

    /// The sidebar of a page.
    pub(crate) fn of(&self, path: &str) -> Option<Sidebar> {
        if !self.contents.1.is_empty() {
            let (title, rows) = self.contents;
            return Some(contents(title, HOME, rows, path));
        }
        if path.starts_with("guide/") && self.guides.len() > 1 {
            return Some(contents("Guides", "guides.html", self.guides, path));
        }
        match self.places.get(path) {
            Some(&(dialect, at)) => self.dialects[dialect].sidebar(path, Some(at)),
            // The dialect's own page, or another page without a row of its own.
            None => {
                let dialect = self.folders.get(folder(path)).filter(|_| path.contains('/'))?;
                self.dialects[*dialect].sidebar(path, None)
            }
        }
    }
}

/// A list of hand-written pages beside one of them.
fn contents(title: &str, href: &str, rows: &[ContentsRow], path: &str) -> Sidebar {
    let root = root_of(path);
    let mut lines = String::new();
    let mut heading = "";
    for row in rows {
        if row.heading != heading {
            heading = &row.heading;
            lines.push_str("<li class=\"label\">");
            escape(heading, &mut lines);
            lines.push_str("</li>");
        }
        lines.push_str("<li><a href=\"");
        write_from_page(&root, &row.href, &mut lines);
        lines.push_str(if row.href == path { "\" aria-current=\"page\">" } else { "\">" });
        escape(&row.text, &mut lines);
        lines.push_str("</a></li>\n");
    }
    Sidebar { dialect: title.to_owned(), href: href.to_owned(), list: None, is_contents: true, lines }
}

/// The first folder of a path.
fn folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Writes a name; a long one may be broken after its dots and underscores.
fn breakable(name: &str, out: &mut String) {
    if name.len() <= LONG {
        return escape(name, out);
    }
    for (at, piece) in words(name).enumerate() {
        if at > 0 {
            out.push_str("<wbr>");
        }
        escape(piece, out);
    }
}

#[derive(Default)]
struct Dialect<'i> {
    page: Option<&'i Row>,
    rows: Vec<&'i Row>,
}

impl Dialect<'_> {
    /// The sidebar of a page: the names around position `at`, or else from the start.
    fn sidebar(&self, path: &str, at: Option<usize>) -> Option<Sidebar> {
        let page = self.page?;
        if self.rows.is_empty() {
            return None;
        }
        let is_whole = self.rows.len() <= MOST;
        let around = at.unwrap_or(AROUND);
        let root = root_of(path);
        let mut lines = String::new();
        let mut kind = "";
        for (place, row) in self.rows.iter().enumerate() {
            if !is_whole && place.abs_diff(around) > AROUND {
                continue;
            }
            if row.kind != kind {
                kind = row.kind;
                let _ = write!(lines, "<li class=\"label\">{}</li>", search::title(kind));
            }
            let here = if at == Some(place) { " aria-current=\"page\"" } else { "" };
            lines.push_str("<li><a href=\"");
            write_from_page(&root, &row.href, &mut lines);
            let _ = write!(lines, "\"{here}>");
            breakable(search::short_name(row, &page.name), &mut lines);
            lines.push_str("</a></li>\n");
        }
        let list = page.href.split('/').next().unwrap_or_default();
        Some(Sidebar {
            dialect: page.name.clone(),
            href: page.href.clone(),
            list: (!is_whole).then(|| list.to_owned()),
            is_contents: false,
            lines,
        })
    }
}
