//! The reference site: what `odsmith docs` and the service make from a bundle's definitions.
//!
//! ```text
//! records → build (the page model) → view → render (HTML), flavor (Markdown), search (index), JSON twins
//! ```
//!
//! Pure: records in, artefacts out. Everything on a page comes from the [page model](view), so the outputs can
//! not disagree.

pub mod build;
pub mod commonmark;
pub mod flavor;
pub mod highlight;
pub mod links;
pub mod markdown;
pub mod render;
pub mod search;
pub mod text;
pub mod view;

use std::sync::Arc;

use odsmith_engine::{artefact::Artefact, record::Records};

/// What a site is made from.
#[derive(Clone, Debug, Default)]
pub struct Input<'r> {
    /// The title of the site.
    pub title: String,
    /// The root files and their records.
    pub targets: &'r [TargetRecords],
    /// Where the project's files can be looked at: a prefix for `path#Lline`, or a pattern with `{path}` and
    /// `{line}`.
    pub source_url: Option<String>,
}

/// The records of one root file.
#[derive(Clone, Debug)]
pub struct TargetRecords {
    /// The root file.
    pub td: String,
    /// Its records.
    pub records: Arc<Records>,
}

/// A finished site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The files: `site/…` for browsers, `markdown/…` for other site generators; sorted by path.
    pub artefacts: Vec<Artefact>,
    /// What had to be mended in authors' texts.
    pub notes: Vec<Note>,
}

/// Something in an author's text that does not stand on the page as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line of the definition, from 1.
    pub line: u32,
    /// The page.
    pub page: String,
    /// What it was.
    pub what: String,
}

/// Makes the site.
///
/// # Panics
/// A template does not fit the page model: a mistake in this crate, which its tests find.
#[must_use]
pub fn site(input: &Input<'_>) -> Site {
    let book = build::book(input);
    let mut artefacts = Vec::with_capacity(book.pages.len() * 4 + 8);
    let mut add = |path: String, text: String| artefacts.push(Artefact { path, bytes: text.into_bytes() });
    match render::Renderer::new(&book.registry) {
        Ok(renderer) => {
            for page in &book.pages {
                match renderer.html(page) {
                    Ok(html) => add(format!("site/{}", page.frame.path), html),
                    Err(error) => unreachable!("template: {error}"),
                }
            }
        }
        Err(error) => unreachable!("template: {error}"),
    }
    for page in &book.pages {
        let stem = page.frame.path.trim_end_matches(".html");
        if let Some(json) = render::json(page) {
            add(format!("site/{stem}.json"), json);
        }
        if let Some(md) = flavor::twin(page) {
            add(format!("site/{stem}.md"), md);
        }
        if let Some((path, md)) = flavor::page(page) {
            add(format!("markdown/{path}"), md);
        }
    }
    for (path, text) in render::ASSETS {
        add(format!("site/{path}"), (*text).to_owned());
    }
    add("site/assets/index.js".to_owned(), book.index.names_script());
    add("site/assets/facets.js".to_owned(), book.index.facets_script());
    artefacts.sort_by(|a, b| a.path.cmp(&b.path));
    Site { artefacts, notes: book.notes }
}
