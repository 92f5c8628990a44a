//! Hand-written pages: Markdown files of the bundle, listed with the reference and linked with it in both directions.

mod include;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::limits::Budget;
use pulldown_cmark::{Event, Tag};

use crate::{
    Note,
    links::{CHROME_IDS, Slugs, is_external},
    markdown::{self, Article, Heading, Scope},
    paths,
    text::first_sentence,
};

/// The cost of finding headings, per byte.
const HEADINGS_UNITS: usize = 16;

/// A hand-written page before it is rendered.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The file.
    pub file: String,
    /// The page.
    pub href: String,
    /// The title: the first heading, or else the file name.
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

/// Collects the hand-written pages and their errors. `wanted` has [patterns](paths) of files; without any, all files
/// become pages that no other file includes. Generated files are only parts of pages.
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
        if wanted.is_empty() { !included.contains(path) } else { paths::any(wanted, path) }
    };
    let mut errors = Vec::new();
    for name in wanted.iter().filter(|name| !files.keys().any(|path| paths::matches(name, path))) {
        let what = format!("'pages' names '{name}', and no Markdown file is called that");
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
    // The title is the page's own heading, so it is removed from the text.
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

/// The files that pages can show or link to.
#[derive(Clone, Copy, Debug)]
pub struct GuideFiles<'a> {
    /// The pages, sorted by their files.
    pub guides: &'a [Guide],
    /// The paths of pictures.
    pub images: &'a BTreeSet<String>,
}

/// Renders a page as HTML, with the paths of the pictures on it.
#[must_use]
pub fn html(files: GuideFiles<'_>, guide: &Guide, scope: Scope<'_>) -> (String, BTreeSet<String>) {
    let link = |href: &str| target(files.guides, guide, href).or_else(|| reference(scope, href));
    let shown = RefCell::new(BTreeSet::new());
    let picture = |href: &str| {
        let path = picture(files.images, guide, href)?;
        shown.borrow_mut().insert(path.to_owned());
        Some(picture_path(path).replace(' ', "%20"))
    };
    let article = Article { headings: &guide.headings, link: &link, picture: &picture };
    let html = markdown::article(&guide.md, scope, &article);
    (html, shown.into_inner())
}

/// The path in the site to which a picture of the project is copied.
#[must_use]
pub fn picture_path(path: &str) -> String {
    format!("guide/files/{path}")
}

/// The picture at an address on a page.
fn picture<'a>(images: &'a BTreeSet<String>, from: &Guide, href: &str) -> Option<&'a str> {
    let path = href.split(['?', '#']).next().unwrap_or(href).replace("%20", " ");
    let folder = from.file.rsplit_once('/').map_or("", |(folder, _)| folder);
    // A leading slash means the root of the project.
    let wanted = match path.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None => include::join(folder, &path)?,
    };
    images.get(&wanted).map(String::as_str)
}

/// The parts of a page that cannot be shown as written: the line in its file, whose content is `text`, and a message.
#[must_use]
pub fn problems(files: GuideFiles<'_>, guide: &Guide, text: &str, scope: Scope<'_>) -> Vec<(u32, String)> {
    let parsed = scope.texts.parsed(&guide.md);
    let line = |what: &str| {
        let first = what.trim().lines().next().unwrap_or_default();
        let at = text.find(first).unwrap_or(0);
        u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX)
    };
    let leads = |href: &str| target(files.guides, guide, href).or_else(|| reference(scope, href)).is_some();
    let mut notes = Vec::new();
    for event in &parsed.events {
        let (place, what) = match event {
            Event::Html(text) | Event::InlineHtml(text) => {
                (text, format!("shown as text: `{}`", text.trim()))
            }
            Event::Start(Tag::Image { dest_url, .. }) if picture(files.images, guide, dest_url).is_none() => {
                let what =
                    if is_external(dest_url) { "a link in place of the picture" } else { "no such picture" };
                (dest_url, format!("{what}: `{dest_url}`"))
            }
            Event::Start(Tag::Link { dest_url, .. }) if !leads(dest_url) => {
                (dest_url, format!("link without a target here: `{dest_url}`"))
            }
            _ => continue,
        };
        notes.push((line(place), what));
    }
    notes
}

/// Resolves a link between the author's files.
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

/// Resolves a link to a page of another generator to a page of the reference.
fn reference(scope: Scope<'_>, href: &str) -> Option<String> {
    let (_, fragment) = href.split_once('#')?;
    scope.registry.anchors.get(fragment).cloned()
}
