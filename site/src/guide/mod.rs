//! Hand-written pages: Markdown files of the bundle, among the reference and linked with it both ways.

mod include;

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::limits::Budget;

use crate::{
    Note,
    links::{CHROME_IDS, Slugs, is_external},
    markdown::{self, Article, Heading, Scope},
    text::first_sentence,
};

/// What it costs to look for headings, for each byte.
const HEADINGS_UNITS: usize = 16;

/// A page before it is HTML.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The file.
    pub file: String,
    /// The page.
    pub href: String,
    /// What it is called: its first heading, or else the file.
    pub title: String,
    /// The first sentence.
    pub summary: String,
    /// The text below the title, with what it includes.
    pub md: String,
    /// Its headings.
    pub headings: Vec<Heading>,
    /// Their fragments.
    pub fragments: BTreeSet<String>,
}

/// The pages that files become: those that `wanted` names (files, or folders with a trailing slash), or else all that
/// no other file includes. And what is wrong with them. What the project's build makes is a part of pages only.
#[must_use]
pub fn guides(
    files: &BTreeMap<String, String>,
    generated: &BTreeMap<String, String>,
    wanted: &[String],
    budget: &Budget,
) -> (Vec<Guide>, Vec<Note>) {
    let files = &include::with_generated(files, generated, budget);
    budget.charge(files.values().map(String::len).sum());
    let included: BTreeSet<String> = include::included(files).into_iter().collect();
    let is_wanted = |path: &str| {
        let named = |name: &String| name == path || name.ends_with('/') && path.starts_with(name.as_str());
        if wanted.is_empty() { !included.contains(path) } else { wanted.iter().any(named) }
    };
    let mut errors = Vec::new();
    for name in wanted.iter().filter(|name| !name.ends_with('/') && !files.contains_key(*name)) {
        let what = format!("Could not find the page '{name}'");
        errors.push(Note { file: "odsmith.toml".to_owned(), line: 1, page: String::new(), what });
    }
    let mut slugs = Slugs::default();
    let mut guides = Vec::new();
    for path in files.keys().filter(|path| is_wanted(path)) {
        let (text, wrong) = include::expand(files, path, budget);
        if !budget.charge_text(text.len()) || !budget.charge(HEADINGS_UNITS * text.len()) {
            continue;
        }
        errors.extend(wrong);
        let stem = path.strip_suffix(".md").unwrap_or(path);
        let href = format!("guide/{}.html", slugs.take_path(stem));
        guides.push(guide(path, href, &text, budget));
    }
    (guides, errors)
}

fn guide(path: &str, href: String, text: &str, budget: &Budget) -> Guide {
    // The title is the page's own heading, so it leaves the text.
    let (mut title, md) = markdown::title(text).unwrap_or((String::new(), text));
    let headings = markdown::headings(md, CHROME_IDS, budget);
    if title.is_empty() {
        let name = path.rsplit('/').next().unwrap_or(path);
        title = name.strip_suffix(".md").unwrap_or(name).replace(['_', '-'], " ");
    }
    let summary = first_sentence(&markdown::lead(md, budget));
    let fragments = headings.iter().map(|heading| heading.id.clone()).collect();
    Guide { file: path.to_owned(), href, title, summary, md: md.to_owned(), headings, fragments }
}

/// The text of a page as HTML; `guides` are sorted by their files.
#[must_use]
pub fn html(guides: &[Guide], guide: &Guide, scope: Scope<'_>) -> String {
    let link = |href: &str| target(guides, guide, href).or_else(|| reference(scope, href));
    markdown::article(&guide.md, scope, &Article { headings: &guide.headings, link: &link })
}

/// Where a link between the author's files leads.
fn target(guides: &[Guide], from: &Guide, href: &str) -> Option<String> {
    if is_external(href) {
        return Some(href.to_owned());
    }
    let (path, fragment) = href.split_once('#').map_or((href, None), |(path, id)| (path, Some(id)));
    let folder = from.file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let to = if path.is_empty() {
        from
    } else {
        let wanted = include::join(folder, path)?;
        let at = guides.binary_search_by(|guide| guide.file.as_str().cmp(&wanted)).ok()?;
        &guides[at]
    };
    let fragment = fragment.filter(|id| to.fragments.contains(*id));
    let page = if path.is_empty() { "" } else { to.href.as_str() };
    match fragment {
        Some(id) => Some(format!("{page}#{id}")),
        None => Some(page.to_owned()).filter(|page| !page.is_empty()),
    }
}

/// Where a link to what another generator would have made leads: a page of the reference.
fn reference(scope: Scope<'_>, href: &str) -> Option<String> {
    let (_, fragment) = href.split_once('#')?;
    scope.registry.anchors.get(fragment).cloned()
}
