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
pub mod history;
pub mod links;
pub mod machine;
pub mod markdown;
pub mod math;
pub mod render;
pub mod schema;
pub mod search;
pub mod sidebar;
pub mod skeleton;
pub mod syntax;
pub mod templates;
pub mod text;
pub mod view;
pub mod witness;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use odsmith_engine::{artefact::Artefact, record::Records};

use crate::{
    flavor::{Draft, Flavor, Tree},
    history::History,
    render::Renderer,
    templates::{Fault, Templates},
};

/// So many pieces of work for each thread.
const SHARES_PER_THREAD: usize = 16;

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
    /// Where the site will stand, if that is known: for what needs whole addresses.
    pub base_url: Option<String>,
    /// The generator that the Markdown tree is for.
    pub flavor: Flavor,
    /// What this release is called and what the one before had, if pages shall tell of that.
    pub history: Option<History>,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    if let Some(history) = &input.history {
        history.mark(&mut book);
    }
    let base = input.base_url.as_deref().map(machine::base);
    if let Some(base) = &base {
        for page in &mut book.pages {
            page.frame.linked_data = Some(machine::linked_data(page, &input.title, base));
        }
    }
    let mut artefacts = Vec::with_capacity(book.pages.len() * 4 + 32);
    let mut faults = Vec::new();
    let tree = Tree::new(&book.pages, input.flavor);
    let boot = input.theme.get(render::BOOT_FILE).map_or(render::BOOT, String::as_str);
    let renderer = Templates::new(&input.theme)
        .and_then(|templates| Renderer::new(&book.registry, templates, boot, input.is_live));
    match renderer {
        Ok(renderer) => {
            for share in in_shares(&renderer, &tree, &book.pages, input.threads.max(1)) {
                artefacts.extend(share.artefacts);
                faults.extend(share.faults);
            }
        }
        Err(fault) => faults.push(fault),
    }
    faults.sort();
    faults.dedup();
    let mut add = |path: String, bytes: Vec<u8>| artefacts.push(Artefact { path, bytes });
    let mut assets: BTreeMap<&str, &str> = render::ASSETS.iter().copied().collect();
    let own =
        input.theme.iter().filter(|(path, _)| path.starts_with("assets/") && *path != render::BOOT_FILE);
    assets.extend(own.map(|(path, text)| (path.as_str(), text.as_str())));
    for (path, text) in assets {
        add(format!("site/{path}"), text.as_bytes().to_vec());
    }
    for (path, bytes) in machine::files(&book, &input.title, base.as_deref()) {
        add(format!("site/{path}"), bytes);
    }
    add("site/schema/page.schema.json".to_owned(), schema::page().into_bytes());
    for (path, text) in tree.navigation(&book.pages) {
        add(format!("markdown/{path}"), text.into_bytes());
    }
    add("site/coverage.svg".to_owned(), book.badge().into_bytes());
    if input.is_live {
        add(format!("site/{}", render::LIVE.0), render::LIVE.1.as_bytes().to_vec());
    }
    for (path, text) in book.index.scripts(&book.pages) {
        add(format!("site/{path}"), text.into_bytes());
    }
    artefacts.sort_by(|a, b| a.path.cmp(&b.path));
    Site { artefacts, notes: book.notes, errors: book.errors, faults, coverage: book.coverage }
}

/// Writes all pages, a share on each thread.
fn in_shares(renderer: &Renderer<'_>, tree: &Tree, pages: &[build::Page], threads: usize) -> Vec<Share> {
    // Pages of a kind stand together, and differ in size from others: small shares even that out.
    let size = pages.len().div_ceil(threads * SHARES_PER_THREAD).max(1);
    let chunks: Vec<&[build::Page]> = pages.chunks(size).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((index, pages)) = take(&next, &chunks) {
            done.push((index, write(renderer, tree, pages)));
        }
        done
    };
    let mut shares: Vec<(usize, Share)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        // A thread that panicked has said so; its pages are missing, which the faults' reader sees.
        done.extend(others.into_iter().filter_map(|other| other.join().ok()).flatten());
        done
    });
    shares.sort_by_key(|(index, _)| *index);
    shares.into_iter().map(|(_, share)| share).collect()
}

fn take<'a, T: ?Sized>(next: &AtomicUsize, from: &[&'a T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    from.get(index).map(|item| (index, *item))
}

/// What one thread has written.
#[derive(Default)]
struct Share {
    artefacts: Vec<Artefact>,
    faults: Vec<Fault>,
}

/// Writes pages in all their forms.
fn write(renderer: &Renderer<'_>, tree: &Tree, pages: &[build::Page]) -> Share {
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
        if let Some(svg) = page.body.diagram() {
            add(format!("site/{stem}.svg"), svg.standalone.clone());
        }
        let Some(draft) = Draft::new(page) else { continue };
        if page.frame.markdown.is_some() {
            add(format!("site/{stem}.md"), flavor::twin(page, &draft));
        }
        if let Some((path, md)) = tree.page(page, &draft) {
            if let (Some(svg), Some(stem)) = (page.body.diagram(), path.strip_suffix(".md")) {
                add(format!("markdown/{stem}.svg"), svg.standalone.clone());
            }
            add(format!("markdown/{path}"), md);
        }
    }
    share
}
