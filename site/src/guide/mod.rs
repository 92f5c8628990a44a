//! Hand-written pages: Markdown files of the bundle, listed with the reference and linked with it in both directions.

mod include;
pub mod notes;

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
    /// The position of the pattern that selects it.
    pub place: usize,
    /// Its weight among the pages of its folder: a lower one comes first.
    pub weight: i64,
    /// True if no list has it.
    pub is_hidden: bool,
    /// The level of the heading that the text is below, if that is not the title of a page.
    pub above: usize,
}

/// Names of the page of a folder, without the extension.
const INDEX_FILES: &[&str] = &["readme", "index", "_index"];

impl Guide {
    /// The folder of its file.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Tests if it is the page of its folder.
    fn is_index(&self) -> bool {
        let name = self.file.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        INDEX_FILES.contains(&name.trim_end_matches(".md"))
    }
}

/// The pages that lists have, in their order: by the patterns that select them, by folder, by weight and by title; the page
/// of a folder comes first.
#[must_use]
pub fn in_order(guides: &[Guide]) -> Vec<&Guide> {
    let mut listed: Vec<&Guide> = guides.iter().filter(|guide| !guide.is_hidden).collect();
    listed.sort_by_cached_key(|guide| {
        (guide.place, guide.folder().to_owned(), !guide.is_index(), guide.weight, guide.title.to_lowercase())
    });
    listed
}

/// The page of a folder.
#[must_use]
pub fn index_of<'g>(guides: &'g [Guide], folder: &str) -> Option<&'g Guide> {
    guides.iter().find(|guide| guide.folder() == folder && guide.is_index())
}

/// Folders whose names say nothing about their pages.
const PLAIN_FOLDERS: &[&str] = &["", "doc", "docs", "documentation"];

/// The title of a folder: that of its page, or else its name; empty for the folder of all pages.
#[must_use]
pub fn folder_title(guides: &[Guide], folder: &str) -> String {
    if PLAIN_FOLDERS.contains(&folder) {
        return String::new();
    }
    if let Some(index) = index_of(guides, folder) {
        return index.title.clone();
    }
    let parts = folder.split('/').skip_while(|part| PLAIN_FOLDERS.contains(part));
    parts.map(|part| part.replace(['_', '-'], " ")).collect::<Vec<_>>().join(" / ")
}

/// Files for other readers than those of a reference, by their names in lower case.
const FOR_OTHERS: &[&str] = &[
    "agents.md",
    "claude.md",
    "code_of_conduct.md",
    "copilot-instructions.md",
    "gemini.md",
    "issue_template.md",
    "pull_request_template.md",
];

/// Tests if a file becomes no page unless it is named: one for programs or for the host, or in a hidden folder.
fn is_for_others(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    FOR_OTHERS.contains(&name.as_str()) || path.split('/').any(|part| part.starts_with('.'))
}

/// The settings at the start of a text, between lines of `---` or `+++`, as Hugo, Docusaurus and Starlight have them.
#[derive(Debug, Default, PartialEq, Eq)]
struct FrontMatter {
    title: Option<String>,
    summary: Option<String>,
    date: Option<String>,
    weight: i64,
    is_hidden: bool,
    is_draft: bool,
}

/// Reads the settings of a text.
fn front_matter(text: &str) -> FrontMatter {
    let mut settings = FrontMatter::default();
    let lines = include::front_matter(text);
    let separator = if lines.first() == Some(&"+++") { '=' } else { ':' };
    for line in lines.into_iter().filter(|line| !line.starts_with([' ', '\t', '#'])) {
        let Some((key, value)) = line.split_once(separator) else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        let is_set = value.eq_ignore_ascii_case("true");
        match key.trim() {
            "title" => settings.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
            "description" | "summary" => {
                settings.summary = Some(value.to_owned()).filter(|text| !text.is_empty());
            }
            "date" => settings.date = value.get(..10).filter(|date| notes::is_date(date)).map(str::to_owned),
            "weight" | "sidebar_position" | "nav_order" | "order" => {
                settings.weight = value.parse().unwrap_or_default();
            }
            "hidden" | "unlisted" => settings.is_hidden = is_set,
            "draft" => settings.is_draft = is_set,
            _ => {}
        }
    }
    settings
}

/// The file that is the first page of a site without definitions.
pub const FIRST_FILE: &str = "README.md";

/// The file whose text is the start of the home page of a site with definitions.
const FIRST_PAGE: &str = "index.md";

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
        if wanted.is_empty() {
            !included.contains(path) && !is_for_others(path)
        } else {
            paths::any(wanted, path)
        }
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
        let settings = files.get(path).map(|text| front_matter(text)).unwrap_or_default();
        if settings.is_draft {
            continue;
        }
        let href = match path.as_str() {
            FIRST_FILE if are_alone => HOME.to_owned(),
            FIRST_PAGE if !are_alone => HOME.to_owned(),
            _ => format!("{folder}{}.html", slugs.take_path(stem)),
        };
        let place = wanted.iter().position(|name| paths::matches(name, path)).unwrap_or_default();
        guides.push(Guide { place, ..guide(path, href, &text, settings, budget) });
    }
    (guides, errors)
}

fn guide(path: &str, href: String, text: &str, settings: FrontMatter, budget: &Budget) -> Guide {
    // The title is the page's own heading, so it is removed from the text.
    let (mut title, md) = markdown::title(text).unwrap_or((String::new(), text.into()));
    let headings = markdown::headings(&md, CHROME_IDS, budget);
    title = settings.title.unwrap_or(title);
    if title.is_empty() {
        let name = path.rsplit('/').next().unwrap_or(path);
        title = name.strip_suffix(".md").unwrap_or(name).replace(['_', '-'], " ");
    }
    let summary = settings.summary.unwrap_or_else(|| first_sentence(&markdown::lead(&md, budget)));
    let fragments = headings.iter().map(|heading| heading.id.clone()).collect();
    let (file, md) = (path.to_owned(), md.into_owned());
    let FrontMatter { weight, is_hidden, .. } = settings;
    Guide { file, href, title, summary, md, headings, fragments, place: 0, weight, is_hidden, above: 0 }
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
    let article =
        Article { headings: &guide.headings, above: guide.above.max(1), link: &link, picture: &picture };
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
