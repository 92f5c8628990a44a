//! Hand-written pages.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Atlas, Body, Page, RenderedNotes, Section,
    headings::Heading,
    kind::{Kind, Searched},
    page, releases,
};
use crate::{
    Input, Note,
    flavor::Writer,
    guide::{self, ContentsRow, GuideFiles, notes::ReleaseNotes},
    links::{CHROME_IDS, HOME, Slugs, root_of},
    markdown::{self, Scope},
    search, versions,
    view::{Group, Guide, IndexPage, Link, Row, SCHEMA, WrittenNotes},
};

/// The limit for the level of headings that are listed beside the page.
const LEAST_LEVEL: usize = 3;

/// The by-products of the pages.
#[derive(Debug, Default)]
pub(super) struct GuidePages {
    /// The paths of the pictures on them.
    pub(super) pictures: BTreeSet<String>,
    /// The project's own home page as HTML, if there are definitions besides.
    pub(super) article: Option<String>,
    /// The notes on releases.
    pub(super) release_notes: Vec<RenderedNotes>,
}

/// Adds the pages and their search entries.
pub(super) fn pages(atlas: &mut Atlas<'_>, input: &Input<'_>, pages: &mut Vec<Page>) -> GuidePages {
    let none = atlas.index.dialect("");
    let are_alone = input.has_guides_only();
    for guide in atlas.guides.iter().filter(|guide| are_alone || guide.href != HOME) {
        atlas.index.push(search::Row {
            kind: "guide",
            dialect: none,
            name: guide.title.clone(),
            href: guide.href.clone(),
            summary: guide.summary.clone(),
            ..search::Row::default()
        });
    }
    let images: BTreeSet<String> = input.images.keys().cloned().collect();
    let files = GuideFiles { guides: &atlas.guides, images: &images };
    let (mut notes, mut errors) = (Vec::new(), Vec::new());
    let mut made = GuidePages::default();
    let first = pages.len();
    for guide in atlas.guides.iter().take_while(|_| atlas.texts.budget().goes_on()) {
        let root = root_of(&guide.href);
        let scope = Scope { registry: &atlas.registry, texts: &atlas.texts, root: &root, path: &guide.href };
        let listed = guide.headings.iter().filter(|heading| heading.level <= LEAST_LEVEL);
        let source = atlas.source_url.as_deref().map(|url| super::source::address(url, &guide.file, 1));
        let (html, pictures) = guide::html(files, guide, scope);
        made.pictures.extend(pictures);
        let text = input.texts.get(&guide.file).map(String::as_str).unwrap_or_default();
        for (line, what) in guide::problems(files, guide, text, scope) {
            notes.push(Note { file: guide.file.clone(), line, page: guide.href.clone(), what });
        }
        if !are_alone && guide.href == HOME {
            made.article = Some(html);
            continue;
        }
        let view = Guide {
            dialects: if are_alone { Vec::new() } else { dialects(atlas, guide) },
            title: guide.title.clone(),
            html,
            md: guide.md.clone(),
            source: Link { text: guide.file.clone(), href: source },
            edit: edit_address(input, &guide.file),
            date: input.dates.get(&guide.file).cloned(),
            contents: listed
                .map(|heading| Link { text: heading.text.clone(), href: Some(format!("#{}", heading.id)) })
                .collect(),
        };
        let body = Body::Guide(Box::new(view));
        let trail = if are_alone { Vec::new() } else { trail(atlas, guide) };
        pages.push(page(atlas, &guide.href, &guide.title, &guide.summary, trail, body));
    }
    let known: Vec<&str> = input.steps.iter().map(|step| step.release.as_str()).collect();
    let base = versions::canonical_base(input);
    if let Some(path) = &input.release_notes {
        match guide::notes::all(&input.texts, path, &known, &input.budget) {
            Ok(all) => {
                for it in all.into_iter().take_while(|_| atlas.texts.budget().goes_on()) {
                    let (rendered, pictures) = render_notes(atlas, files, it, base.as_deref());
                    made.pictures.extend(pictures);
                    made.release_notes.push(rendered);
                }
            }
            Err(error) => errors.push(error),
        }
    }
    if !are_alone {
        turn(atlas, &mut pages[first..]);
        let groups = groups(atlas, None);
        if !groups.is_empty() {
            let view = IndexPage { schema: SCHEMA, kind: "index", title: TITLE.to_owned(), groups };
            let about = format!("All guides of {}", atlas.title);
            pages.push(page(atlas, LIST, TITLE, &about, vec![], Body::IndexPage(Box::new(view))));
        }
    }
    atlas.notes.extend(notes);
    atlas.errors.extend(errors);
    made
}

/// Renders the notes on a release, for its page and for the feed; also returns the pictures in them.
fn render_notes(
    atlas: &Atlas<'_>,
    files: GuideFiles<'_>,
    notes: ReleaseNotes,
    base: Option<&str>,
) -> (RenderedNotes, BTreeSet<String>) {
    let taken: Vec<&str> = CHROME_IDS.iter().copied().chain(releases::ids()).collect();
    let headings = markdown::headings(&notes.md, &taken, atlas.texts.budget());
    // Links in the text are relative to its file.
    let text = guide::Guide {
        file: notes.file.clone(),
        md: notes.md.clone(),
        fragments: headings.iter().map(|heading| heading.id.clone()).collect(),
        headings,
        above: 2,
        ..guide::Guide::default()
    };
    let html = |root: &str| {
        let path = releases::FOLDER;
        guide::html(files, &text, Scope { registry: &atlas.registry, texts: &atlas.texts, root, path })
    };
    let (page, pictures) = html(&root_of(releases::FOLDER));
    let source = atlas.source_url.as_deref().map(|url| super::source::address(url, &notes.file, 1));
    let view = WrittenNotes {
        html: page,
        md: notes.md.clone(),
        source: Link { text: notes.file.clone(), href: source },
    };
    let feed = base.map(|base| html(base).0);
    let page = files.guides.iter().find(|guide| guide.file == notes.file).map(|guide| {
        let heading = guide.headings.iter().find(|heading| notes.are_below(&heading.text));
        heading.map_or(guide.href.clone(), |heading| format!("{}#{}", guide.href, heading.id))
    });
    (RenderedNotes { notes, view, feed, page }, pictures)
}

/// The address where a page is edited: that of the settings, or else that of its source on GitHub and similar hosts.
fn edit_address(input: &Input<'_>, file: &str) -> Option<String> {
    let derived = || {
        let url = input.source_url.as_deref()?;
        let (before, after) = url.split_once("/blob/")?;
        let after = after.split(['#', '?']).next().unwrap_or_default().trim_end_matches('/');
        let after = if after.contains("{path}") { after.to_owned() } else { format!("{after}/{{path}}") };
        Some(format!("{before}/edit/{after}"))
    };
    Some(input.edit_url.clone().or_else(derived)?.replace("{path}", file))
}

/// The page with all hand-written pages, and its title.
const LIST: &str = "guides.html";
const TITLE: &str = "Guides";

/// The number of listed pages.
pub(super) fn count(atlas: &Atlas<'_>) -> usize {
    guide::in_order(&atlas.guides).len()
}

/// The listed pages in their order, below the titles of their folders.
pub(super) fn order(atlas: &Atlas<'_>) -> Vec<ContentsRow> {
    let row = |guide: &guide::Guide| ContentsRow {
        heading: guide::folder_title(&atlas.guides, guide.folder()),
        text: guide.title.clone(),
        href: guide.href.clone(),
    };
    guide::in_order(&atlas.guides).into_iter().map(row).collect()
}

/// The listed pages by folder, at most `most` of each.
pub(super) fn groups(atlas: &Atlas<'_>, most: Option<usize>) -> Vec<Group> {
    let mut ids = Slugs::default();
    ["guides", "lists"].iter().chain(CHROME_IDS).for_each(|id| _ = ids.take(id));
    let mut folders: Vec<(String, Vec<Row>)> = Vec::new();
    for guide in guide::in_order(&atlas.guides) {
        let title = guide::folder_title(&atlas.guides, guide.folder());
        let row = Row {
            name: guide.title.clone(),
            href: guide.href.clone(),
            summary: guide.summary.clone(),
            ..Row::default()
        };
        match folders.iter_mut().find(|(known, _)| *known == title) {
            Some((_, rows)) => rows.push(row),
            None => folders.push((title, vec![row])),
        }
    }
    let group = |(title, rows): (String, Vec<Row>)| {
        let id = ids.take(&format!("in-{}", title.to_lowercase().replace([' ', '/'], "-")));
        let title = if title.is_empty() { "General" } else { &title };
        let mut group = Group { is_long: true, ..Group::new(&id, title, None, rows) };
        group.rows.truncate(most.unwrap_or(usize::MAX));
        group
    };
    folders.into_iter().map(group).collect()
}

/// The breadcrumbs of a page.
fn trail(atlas: &Atlas<'_>, guide: &guide::Guide) -> Vec<Link> {
    let link = |text: &str, href: &str| Link { text: text.to_owned(), href: Some(href.to_owned()) };
    let own = guide::index_of(&atlas.guides, guide.folder()).filter(|index| index.href != guide.href);
    let own = own.filter(|index| index.href != HOME).map(|index| link(&index.title, &index.href));
    [link(TITLE, LIST)].into_iter().chain(own).collect()
}

/// Links each page to the ones before and after it.
fn turn(atlas: &Atlas<'_>, pages: &mut [Page]) {
    let order: Vec<&guide::Guide> =
        guide::in_order(&atlas.guides).into_iter().filter(|guide| guide.href != HOME).collect();
    let link = |guide: &&guide::Guide| Link { text: guide.title.clone(), href: Some(guide.href.clone()) };
    for page in pages {
        let Some(at) = order.iter().position(|guide| guide.href == page.frame.path) else { continue };
        page.frame.previous = at.checked_sub(1).and_then(|at| order.get(at)).map(link);
        page.frame.next = order.get(at + 1).map(link);
    }
}

/// The number of names of a dialect that a page about it has.
const LEAST_NAMES: usize = 3;
/// The limit for dialects of a page.
const MOST_DIALECTS: usize = 8;

/// The dialects that a page is about: those of which it names several definitions, and the one that its file is named
/// after.
fn dialects(atlas: &Atlas<'_>, guide: &guide::Guide) -> Vec<Link> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '!' | '#');
    let names: BTreeSet<&str> = guide.md.split(|c| !is_name(c)).map(|name| name.trim_matches('.')).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for href in names.into_iter().filter_map(|name| atlas.registry.ir.get(name)) {
        *counts.entry(href.split('/').next().unwrap_or_default()).or_default() += 1;
    }
    let stem = guide.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".md").to_lowercase();
    let mut found: Vec<(usize, &Section<'_>)> = atlas
        .sections
        .iter()
        .filter(|section| section.dialect.is_some())
        .filter_map(|section| {
            let count = counts.get(section.folder.as_str()).copied().unwrap_or_default();
            let is_named = stem.split(['-', '_', '.']).any(|word| word == section.name)
                || stem.strip_suffix("dialect").or_else(|| stem.strip_prefix("rationale"))
                    == Some(&section.name);
            (is_named || count >= LEAST_NAMES).then_some((if is_named { usize::MAX } else { count }, section))
        })
        .collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let link = |(_, section): (usize, &Section<'_>)| Link {
        text: section.name.clone(),
        href: Some(section.href.clone()),
    };
    found.into_iter().take(MOST_DIALECTS).map(link).collect()
}

/// The pages about each dialect, by the dialect's page.
pub(super) fn about(atlas: &Atlas<'_>) -> BTreeMap<String, Vec<Link>> {
    let mut found: BTreeMap<String, Vec<Link>> = BTreeMap::new();
    for guide in guide::in_order(&atlas.guides) {
        let link = Link { text: guide.title.clone(), href: Some(guide.href.clone()) };
        for dialect in dialects(atlas, guide).into_iter().filter_map(|dialect| dialect.href) {
            found.entry(dialect).or_default().push(link.clone());
        }
    }
    found
}

/// The contents that the home page lists; empty if it is no hand-written page.
pub(super) fn contents(atlas: &Atlas<'_>) -> Vec<ContentsRow> {
    let Some(home) = atlas.guides.iter().find(|guide| guide.href == HOME) else { return Vec::new() };
    let files = GuideFiles { guides: &atlas.guides, images: &BTreeSet::new() };
    let scope = Scope { registry: &atlas.registry, texts: &atlas.texts, root: "", path: HOME };
    guide::contents(files, home, scope)
}

impl Kind for Guide {
    /// Lists the headings of the text.
    fn contents(&self, _: &[Heading]) -> Vec<Link> {
        self.contents.clone()
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.text(&self.md);
    }

    fn has_twins(&self) -> bool {
        false
    }

    fn searched(&self) -> Searched<'_> {
        Searched { text: &self.md, ..Searched::default() }
    }
}
