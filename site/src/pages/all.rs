//! A dialect on one page, made from its other pages. Its fragments include those of the documents that are generated
//! from mlir-tblgen's Markdown.

use std::collections::BTreeSet;

use super::{
    Page,
    atlas::{Section, anchors, slug},
    headings::Headings,
    kind::Kind,
};
use crate::{
    links::{CHROME_IDS, stem},
    view::{All, AllEntry, AllSection, Dialect, Link, Parts, Trait},
};

/// The sections, in order: the kind of their pages, the fragment, the singular in fragments of MLIR's documents
/// (`operation-definition`, `operation-definitions`), and the heading.
const SECTIONS: &[(&str, &str, &str, &str)] = &[
    ("op", "operations", "operation", "Operations"),
    ("attr", "attributes", "attribute", "Attributes"),
    ("type", "types", "type", "Types"),
    ("enum", "enums", "enum", "Enums"),
    ("pass", "passes", "pass", "Passes"),
];

fn old_ids(singular: &str) -> [String; 2] {
    [format!("{singular}-definition"), format!("{singular}-definitions")]
}

/// Makes the page; `dialect` is the dialect's own page, and `pages` are those of its definitions.
pub(super) fn page(section: &Section<'_>, dialect: &Dialect, pages: &[Page]) -> All {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    // The ids of the frame and of the headings.
    taken.extend(CHROME_IDS.iter().map(|id| (*id).to_owned()));
    for (_, id, singular, _) in SECTIONS {
        taken.insert((*id).to_owned());
        taken.extend(old_ids(singular));
    }
    taken.extend(pages.iter().map(|page| id(&page.frame.path)));
    let sections = SECTIONS.iter().filter_map(|(kind, id, singular, title)| {
        let of_kind =
            pages.iter().filter(|page| page.body.kind().subject().is_some_and(|it| it.kind == *kind));
        let is_long = of_kind.clone().nth(MOST_WHOLE).is_some();
        let mut entries: Vec<AllEntry> = of_kind.filter_map(|page| entry(page, is_long)).collect();
        for entry in &mut entries {
            let class = entry.also.as_deref().unwrap_or_default();
            // MLIR's documents list a pass as `-name`, one fragment with its summary, and all others by C++ class.
            let name = &entry.name.text;
            let wanted = match (*kind, &entry.summary) {
                ("pass", Some(summary)) => vec![format!("-{name}"), slug(&format!("-{name}: {summary}"))],
                ("pass", None) => vec![format!("-{name}")],
                _ => anchors(&entry.name.text, class),
            };
            entry.aliases = wanted.into_iter().filter(|alias| taken.insert(alias.clone())).collect();
        }
        let aliases = old_ids(singular).to_vec();
        (!entries.is_empty()).then(|| AllSection { id: (*id).to_owned(), aliases, title, entries })
    });
    let sections = sections.collect();
    All {
        name: section.name.clone(),
        summary: dialect.summary.clone(),
        description: dialect.description.clone(),
        sections,
    }
}

/// The fragment of a definition: `op-addf` for `arith/op/addf.html`.
fn id(path: &str) -> String {
    let stem = stem(path);
    let mut parts = stem.rsplit('/');
    let name = parts.next().unwrap_or_default();
    format!("{}-{name}", parts.next().unwrap_or_default())
}

/// With more definitions than this, a section lists each on a single line.
const MOST_WHOLE: usize = 2_000;

fn entry(page: &Page, is_brief: bool) -> Option<AllEntry> {
    let mut entry = page.body.kind().entry()?;
    if is_brief {
        let AllEntry { name, also, summary, .. } = entry;
        entry = AllEntry { name, also, summary, ..AllEntry::default() };
    }
    entry.id = id(&page.frame.path);
    entry.name.href = Some(page.frame.path.clone());
    Some(entry)
}

/// Drops a link, because fragments of an operation's page do not exist on this one.
pub(super) fn unlinked(token: &crate::view::Token) -> crate::view::Token {
    crate::view::Token { href: None, ..token.clone() }
}

pub(super) fn names(traits: &[Trait], interfaces: &[Trait]) -> Vec<Link> {
    traits.iter().chain(interfaces).map(|found| found.name.clone()).collect()
}

pub(super) fn parts(title: &'static str, role: &'static str, rows: &[crate::view::Part]) -> Vec<Parts> {
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Parts { id: "", title, role, rows: rows.to_vec() }]
}

impl Kind for All {
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.sections);
    }

    fn is_finder(&self) -> bool {
        true
    }

    fn has_twins(&self) -> bool {
        false
    }
}
