//! The list beside a page: the names of its dialect, those around the page's own where there are many.
//!
//! A page does not carry all names of a large dialect. A script has them, and fills them in when the list is used.

use std::{collections::BTreeMap, fmt::Write as _};

use odsmith_engine::parallel;

use crate::{
    links::{root_of, write_from_page},
    markdown::escape,
    pages::Book,
    search::{self, Row},
    view::Sidebar,
};

/// Dialects with more names than this show those around the page's own.
const MOST: usize = 56;
/// How many are listed before and after it.
const AROUND: usize = 20;
/// Names with more letters may be broken.
const LONG: usize = 22;

/// Gives every page of a dialect its list.
pub fn place(book: &mut Book, threads: usize) {
    let mut dialects: BTreeMap<usize, Dialect<'_>> = BTreeMap::new();
    for row in book.index.rows() {
        let dialect = dialects.entry(row.dialect).or_default();
        if row.kind == "dialect" {
            dialect.page = Some(row);
        } else {
            dialect.rows.push(row);
        }
    }
    let mut places: BTreeMap<&str, (&Dialect<'_>, usize)> = BTreeMap::new();
    for dialect in dialects.values() {
        places.extend(dialect.rows.iter().enumerate().map(|(at, row)| (row.href.as_str(), (dialect, at))));
    }
    let sidebars = parallel::map(threads, &book.pages, |page| {
        let (dialect, at) = places.get(page.frame.path.as_str())?;
        dialect.sidebar(*at)
    });
    for (page, sidebar) in book.pages.iter_mut().zip(sidebars) {
        page.frame.sidebar = sidebar;
    }
}

/// A name; a long one may be broken after its dots and underscores.
fn breakable(name: &str, out: &mut String) {
    let mut pieces = name.split_inclusive(['.', '_']);
    pieces.by_ref().take(1).for_each(|first| escape(first, out));
    for piece in pieces {
        if name.len() > LONG {
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
    fn sidebar(&self, at: usize) -> Option<Sidebar> {
        let page = self.page?;
        let is_whole = self.rows.len() <= MOST;
        let root = root_of(&self.rows[at].href);
        let mut lines = String::new();
        let mut kind = "";
        for (place, row) in self.rows.iter().enumerate() {
            if !is_whole && place.abs_diff(at) > AROUND {
                continue;
            }
            if row.kind != kind {
                kind = row.kind;
                let _ = write!(lines, "<li class=\"label\">{}</li>", search::title(kind));
            }
            let here = if place == at { " aria-current=\"page\"" } else { "" };
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
            lines,
        })
    }
}
