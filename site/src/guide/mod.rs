//! Hand-written pages: Markdown files of the bundle, listed with the reference and linked with it in both directions.

mod include;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::limits::Budget;
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use crate::{
    Note,
    links::{CHROME_IDS, HOME, Slugs, is_external},
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

/// The file that is the first page of a site without definitions.
pub const FIRST_FILE: &str = "README.md";

/// Paths that pages of a site without definitions cannot have, because other files of a site do.
const RESERVED: &[&str] = &["404", "assets", "az", "coverage", "guide", "index", "release", "schema"];

/// Collects the hand-written pages and their errors. `wanted` has [patterns](paths) of files; without any, all files
/// become pages that no other file includes. Generated files are only parts of pages. If the site has no definitions
/// (`are_alone`), the pages have the paths of their files, and [`FIRST_FILE`] is the home page.
#[must_use]
pub fn guides(
    files: &BTreeMap<String, String>,
    generated: &BTreeMap<String, String>,
    wanted: &[String],
    are_alone: bool,
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
    if are_alone {
        RESERVED.iter().for_each(|name| _ = slugs.take_path(name));
    }
    let folder = if are_alone { "" } else { "guide/" };
    let mut guides = Vec::new();
    for path in files.keys().filter(|path| is_wanted(path)) {
        let (text, wrong) = include::expand(files, path, budget);
        if !budget.charge_text(text.len()) || !budget.charge(HEADINGS_UNITS * text.len()) {
            continue;
        }
        errors.extend(wrong);
        let stem = path.strip_suffix(".md").unwrap_or(path);
        let href = match path.as_str() {
            FIRST_FILE if are_alone => HOME.to_owned(),
            _ => format!("{folder}{}.html", slugs.take_path(stem)),
        };
        guides.push(guide(path, href, &text, budget));
    }
    (guides, errors)
}

fn guide(path: &str, href: String, text: &str, budget: &Budget) -> Guide {
    // The title is the page's own heading, so it is removed from the text.
    let (mut title, md) = markdown::title(text).unwrap_or((String::new(), text.into()));
    let headings = markdown::headings(&md, CHROME_IDS, budget);
    if title.is_empty() {
        let name = path.rsplit('/').next().unwrap_or(path);
        title = name.strip_suffix(".md").unwrap_or(name).replace(['_', '-'], " ");
    }
    let summary = first_sentence(&markdown::lead(&md, budget));
    let fragments = headings.iter().map(|heading| heading.id.clone()).collect();
    Guide { file: path.to_owned(), href, title, summary, md: md.into_owned(), headings, fragments }
}

/// A link of the list of contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentsRow {
    /// The heading that it is below.
    pub heading: String,
    /// The text of the link.
    pub text: String,
    /// The page.
    pub href: String,
}

/// The files that pages can show or link to.
#[derive(Clone, Copy, Debug)]
pub struct GuideFiles<'a> {
    /// The pages, sorted by their files.
    pub guides: &'a [Guide],
    /// The paths of pictures.
    pub images: &'a BTreeSet<String>,
}

/// Lists the links of a page that lead to other pages, each with the last heading of the second level above it.
#[must_use]
pub fn contents(files: GuideFiles<'_>, guide: &Guide, scope: Scope<'_>) -> Vec<ContentsRow> {
    let parsed = scope.texts.parsed(&guide.md);
    let (mut heading, mut rows) = (String::new(), Vec::<ContentsRow>::new());
    let (mut is_in_heading, mut is_in_link) = (false, false);
    for event in &parsed.events {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                heading.clear();
                is_in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => is_in_heading = false,
            Event::Start(Tag::Link { dest_url, .. }) if !is_external(dest_url) => {
                let href = target(files.guides, guide, dest_url).filter(|href| !href.contains('#'));
                is_in_link = href.is_some_and(|href| rows.iter().all(|row| row.href != href));
                if is_in_link {
                    let href = target(files.guides, guide, dest_url).unwrap_or_default();
                    rows.push(ContentsRow { heading: heading.clone(), text: String::new(), href });
                }
            }
            Event::End(TagEnd::Link) => is_in_link = false,
            Event::Text(text) | Event::Code(text) => {
                if is_in_heading {
                    heading.push_str(text);
                }
                if let Some(row) = rows.last_mut().filter(|_| is_in_link) {
                    row.text.push_str(text);
                }
            }
            _ => {}
        }
    }
    rows
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
