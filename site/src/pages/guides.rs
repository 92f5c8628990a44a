//! Hand-written pages.

use std::collections::BTreeSet;

use super::{
    headings::Heading,
    kind::{Kind, Searched},
    {Atlas, Body, Page, page},
};
use crate::{
    Input, Note,
    flavor::Writer,
    guide::{self, ContentsRow, GuideFiles},
    links::{HOME, root_of},
    markdown::Scope,
    search,
    view::{Guide, Link, Row},
};

/// The limit for the level of headings that are listed beside the page.
const LEAST_LEVEL: usize = 3;

/// Adds the pages and their search entries; returns the paths of the pictures on them.
pub(super) fn pages(atlas: &mut Atlas<'_>, input: &Input<'_>, pages: &mut Vec<Page>) -> BTreeSet<String> {
    let none = atlas.index.dialect("");
    for guide in &atlas.guides {
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
    let mut notes = Vec::new();
    let mut shown = BTreeSet::new();
    for guide in atlas.guides.iter().take_while(|_| atlas.texts.budget().goes_on()) {
        let root = root_of(&guide.href);
        let scope = Scope { registry: &atlas.registry, texts: &atlas.texts, root: &root, path: &guide.href };
        let listed = guide.headings.iter().filter(|heading| heading.level <= LEAST_LEVEL);
        let source = atlas.source_url.as_deref().map(|url| super::source::address(url, &guide.file, 1));
        let (html, pictures) = guide::html(files, guide, scope);
        shown.extend(pictures);
        let view = Guide {
            title: guide.title.clone(),
            html,
            md: guide.md.clone(),
            source: Link { text: guide.file.clone(), href: source },
            contents: listed
                .map(|heading| Link { text: heading.text.clone(), href: Some(format!("#{}", heading.id)) })
                .collect(),
        };
        let body = Body::Guide(Box::new(view));
        pages.push(page(atlas, &guide.href, &guide.title, &guide.summary, vec![], body));
        let text = input.texts.get(&guide.file).map(String::as_str).unwrap_or_default();
        for (line, what) in guide::problems(files, guide, text, scope) {
            notes.push(Note { file: guide.file.clone(), line, page: guide.href.clone(), what });
        }
    }
    atlas.notes.extend(notes);
    shown
}

/// The contents that the home page lists; empty if it is no hand-written page.
pub(super) fn contents(atlas: &Atlas<'_>) -> Vec<ContentsRow> {
    let Some(home) = atlas.guides.iter().find(|guide| guide.href == HOME) else { return Vec::new() };
    let files = GuideFiles { guides: &atlas.guides, images: &BTreeSet::new() };
    let scope = Scope { registry: &atlas.registry, texts: &atlas.texts, root: "", path: HOME };
    guide::contents(files, home, scope)
}

/// The hand-written pages as rows of an index.
pub(super) fn rows(atlas: &Atlas<'_>) -> Vec<Row> {
    let row = |guide: &guide::Guide| Row {
        name: guide.title.clone(),
        href: guide.href.clone(),
        summary: guide.summary.clone(),
        ..Row::default()
    };
    atlas.guides.iter().map(row).collect()
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
