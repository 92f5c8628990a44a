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
pub mod diagram;
pub mod flavor;
pub mod guide;
pub mod highlight;
pub mod links;
pub mod markdown;
pub mod math;
pub mod render;
pub mod search;
pub mod sidebar;
pub mod skeleton;
pub mod syntax;
pub mod templates;
pub mod text;
pub mod view;
pub mod witness;

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{artefact::Artefact, record::Records};

use crate::{
    render::Renderer,
    templates::{Fault, Templates},
};

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
    /// Markdown files, by path.
    pub texts: BTreeMap<String, String>,
    /// The files and folders (with a slash behind) of these that become pages; if none are named, all that no other
    /// file includes.
    pub pages: Vec<String>,
    /// Whether pages load themselves anew when the server that shows them says so.
    pub is_live: bool,
    /// How many threads may write pages; what is made does not depend on it.
    pub threads: usize,
    /// Templates and assets in place of those that are compiled in, by their paths below `templates/`.
    pub theme: BTreeMap<String, String>,
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
    /// How much of everything is documented.
    pub coverage: view::Score,
    /// What is wrong in the templates: a page whose template asks for what the page model does not have is missing.
    pub faults: Vec<Fault>,
    /// What is wrong with hand-written pages.
    pub errors: Vec<Note>,
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
#[must_use]
pub fn site(input: &Input<'_>) -> Site {
    let mut book = build::book(input);
    sidebar::place(&mut book);
    let mut artefacts = Vec::with_capacity(book.pages.len() * 4 + 8);
    let mut faults = Vec::new();
    let renderer = Templates::new(&input.theme)
        .and_then(|templates| Renderer::new(&book.registry, templates, input.is_live));
    match renderer {
        Ok(renderer) => {
            let share = book.pages.len().div_ceil(input.threads.max(1)).max(1);
            let shares: Vec<Share> = std::thread::scope(|scope| {
                let renderer = &renderer;
                let mut chunks = book.pages.chunks(share);
                let here = chunks.next();
                let others: Vec<_> =
                    chunks.map(|pages| scope.spawn(move || write(renderer, pages))).collect();
                let first = here.map(|pages| write(renderer, pages));
                first.into_iter().chain(others.into_iter().filter_map(|share| share.join().ok())).collect()
            });
            for share in shares {
                artefacts.extend(share.artefacts);
                faults.extend(share.faults);
            }
        }
        Err(fault) => faults.push(fault),
    }
    faults.sort();
    faults.dedup();
    let mut add = |path: &str, text: String| {
        artefacts.push(Artefact { path: format!("site/{path}"), bytes: text.into_bytes() });
    };
    for (path, text) in render::ASSETS {
        add(path, (*text).to_owned());
    }
    add("coverage.svg", book.badge());
    if input.is_live {
        add(render::LIVE.0, render::LIVE.1.to_owned());
    }
    for (path, text) in book.index.scripts(&book.pages) {
        add(&path, text);
    }
    artefacts.sort_by(|a, b| a.path.cmp(&b.path));
    Site { artefacts, notes: book.notes, errors: book.errors, faults, coverage: book.coverage }
}

/// What one thread has written.
#[derive(Default)]
struct Share {
    artefacts: Vec<Artefact>,
    faults: Vec<Fault>,
}

/// Writes pages in all their forms.
fn write(renderer: &Renderer<'_>, pages: &[build::Page]) -> Share {
    let mut share = Share::default();
    for page in pages {
        let mut add =
            |path: String, text: String| share.artefacts.push(Artefact { path, bytes: text.into_bytes() });
        let stem = page.frame.path.trim_end_matches(".html");
        match renderer.html(page) {
            Ok(html) => add(format!("site/{}", page.frame.path), html),
            Err(fault) => share.faults.push(fault),
        }
        if let Some(json) = render::json(page) {
            add(format!("site/{stem}.json"), json);
        }
        if let Some(md) = flavor::twin(page) {
            add(format!("site/{stem}.md"), md);
        }
        if let Some((path, md)) = flavor::page(page) {
            if let Some(svg) = page.body.diagram() {
                add(format!("markdown/{}", path.replace(".md", ".svg")), svg.standalone.clone());
            }
            add(format!("markdown/{path}"), md);
        }
        if let Some(svg) = page.body.diagram() {
            add(format!("site/{stem}.svg"), svg.standalone.clone());
        }
    }
    share
}
