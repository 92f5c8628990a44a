//! The reference site that `odsmith docs` and the service make from a bundle's definitions.
//!
//! ```text
//! records → pages (the page model) → view → render (HTML), flavor (Markdown), search (index), JSON twins
//! ```
//!
//! Pure: records in, artefacts out. Everything on a page comes from the [page model](view), so the outputs cannot
//! disagree.

mod autolinks;
pub mod catalog;
pub mod changes;
pub mod commonmark;
pub mod diagram;
pub mod doxygen;
pub mod examples;
pub mod flavor;
pub mod guide;
pub mod highlight;
pub mod history;
pub mod inventory;
pub mod links;
pub mod machine;
pub mod markdown;
mod markup;
pub mod math;
mod mend;
pub mod pages;
pub mod paths;
pub mod render;
pub mod schema;
pub mod search;
mod sidebar;
pub mod syntax;
pub mod text;
pub mod trial;
pub mod versions;
pub mod view;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::{
    artefact::Artefact, diagnostic::Diagnostic, ir::syntax::Table, limits::Budget, parallel, record::Records,
    report::Finding,
};
use odsmith_witness::{self as witness, memo, skeleton};

pub use crate::pages::facts::Specification;

use crate::{
    flavor::{Draft, Flavor, Tree},
    history::History,
    render::{Fault, Renderer, Templates},
};

/// The input of a site: records, texts and settings.
#[derive(Clone, Debug, Default)]
pub struct Input<'r> {
    /// The title of the site.
    pub title: String,
    /// The root files and their records.
    pub targets: &'r [TargetRecords],
    /// Root files that have no records because of an error.
    pub unread: Vec<UnreadTarget>,
    /// The address of the project's files in a repository: a prefix for `path#Lline`, or a pattern with `{path}` and
    /// `{line}`.
    pub source_url: Option<String>,
    /// Markdown files, by path.
    pub texts: BTreeMap<String, String>,
    /// Markdown that the build of the project generates, by path: parts for pages that include them.
    pub generated: BTreeMap<String, String>,
    /// [Patterns](paths) of the texts that become pages; without any, all texts that no other file includes.
    pub pages: Vec<String>,
    /// Pictures that the texts show, by path.
    pub images: BTreeMap<String, Vec<u8>>,
    /// Files of MLIR's text that have examples of operations, types and attributes, by path.
    pub examples: BTreeMap<String, String>,
    /// The syntax that the project states of operations whose parser is written by hand.
    pub syntax: Table,
    /// [Patterns](paths) of files whose definitions get no pages.
    pub exclude: Vec<String>,
    /// Indexes of the pages on other sites.
    pub inventories: Vec<inventory::Inventory>,
    /// The tool that parses synthesised examples.
    pub trial: trial::Trial,
    /// True if pages reload when the watching server rebuilds them.
    pub is_live: bool,
    /// True if pages have no Markdown twins.
    pub omits_markdown: bool,
    /// The playground in which pages can open the project's definitions.
    pub playground: Option<Playground>,
    /// The number of threads that write pages; the result does not depend on it.
    pub threads: usize,
    /// Templates and assets that replace the built-in ones, by their paths below `templates/`.
    pub theme: BTreeMap<String, String>,
    /// The address at which the site will be published, for files that need absolute addresses.
    pub base_url: Option<String>,
    /// The generator that the Markdown tree is for.
    pub flavor: Flavor,
    /// The name of this release and the definitions of the one before, if pages show changes.
    pub history: Option<History>,
    /// Headings for dialects on the first page.
    pub groups: Vec<DialectGroup>,
    /// Addresses of external specifications.
    pub specifications: Vec<Specification>,
    /// The name of the release for the pages' headers.
    pub release: Option<String>,
    /// The release of MLIR and the commit that the project pins, for the foot of pages.
    pub basis: Option<String>,
    /// The changes of each release, the oldest first; the last step leads to this release.
    pub steps: Vec<changes::Step>,
    /// The sites of other releases, if they are published beside this one.
    pub versions: Option<versions::Versions>,
    /// The Markdown file with notes on releases, or the path of each release's notes with `{release}` in it.
    pub release_notes: Option<String>,
    /// The date of the last commit of files, by path: `2026-03-01`.
    pub dates: BTreeMap<String, String>,
    /// The address where a hand-written page is edited, with `{path}` in it.
    pub edit_url: Option<String>,
    /// The owners of files.
    pub owners: BTreeMap<String, Vec<String>>,
    /// The stability of dialects, by name.
    pub stability: BTreeMap<String, Stability>,
    /// The project's Doxygen pages.
    pub doxygen: Option<doxygen::Doxygen>,
    /// Files of C++ that register or build pipelines, by path.
    pub cpp: BTreeMap<String, String>,
    /// HTML for the head and the foot of each page.
    pub hooks: render::Hooks,
    /// The dates of releases whose notes have none: `2026-03-01`.
    pub release_dates: BTreeMap<String, String>,
    /// The findings of lint, if the coverage page shows them.
    pub findings: Option<Vec<Finding>>,
    /// Old paths of pages, with the path or address that each leads to now.
    pub redirects: BTreeMap<String, String>,
    /// The limits for the work.
    pub budget: Budget,
}

impl Input<'_> {
    /// Tests if the site has no definitions, so that it consists of hand-written pages alone.
    #[must_use]
    pub fn has_guides_only(&self) -> bool {
        self.targets.is_empty() && self.unread.is_empty()
    }
}

/// A playground on a server.
#[derive(Clone, Debug, Default)]
pub struct Playground {
    /// Its address.
    pub address: String,
    /// The project's definitions, which a page passes to it, by path.
    pub files: BTreeMap<String, String>,
}

/// A heading for dialects on the first page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialectGroup {
    /// The heading.
    pub title: String,
    /// A sentence about them.
    pub text: Option<String>,
    /// The names of the dialects.
    pub dialects: Vec<String>,
}

/// The records of one root file.
#[derive(Clone, Debug)]
pub struct TargetRecords {
    /// The root file.
    pub td: String,
    /// Its records.
    pub records: Arc<Records>,
}

/// A root file that has no records because of an error. The home page lists it.
#[derive(Clone, Debug, Default)]
pub struct UnreadTarget {
    /// The root file.
    pub td: String,
    /// The file and the line, from 1, of the first error, if known.
    pub place: Option<(String, u32)>,
    /// The first error.
    pub what: String,
}

/// The stability of a dialect, as the project states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stability {
    /// The level.
    pub level: StabilityLevel,
    /// A sentence for readers.
    pub text: Option<String>,
}

/// A level of stability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StabilityLevel {
    /// It may change in any release.
    Experimental,
    /// It changes only with notice.
    Stable,
    /// It should not be used any more.
    Deprecated,
}

impl StabilityLevel {
    /// Reads the word for a level.
    #[must_use]
    pub fn parse(word: &str) -> Option<StabilityLevel> {
        let all = [StabilityLevel::Experimental, StabilityLevel::Stable, StabilityLevel::Deprecated];
        all.into_iter().find(|level| level.word() == word)
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            StabilityLevel::Experimental => "experimental",
            StabilityLevel::Stable => "stable",
            StabilityLevel::Deprecated => "deprecated",
        }
    }
}

/// A finished site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The files: `site/…` for browsers, `markdown/…` and `mkdocs.yml` for other site generators; sorted by path.
    pub artefacts: Vec<Artefact>,
    /// Texts of authors that had to be repaired.
    pub notes: Vec<Note>,
    /// The share of definitions that are documented.
    pub coverage: view::Score,
    /// Errors in templates. A page is missing if its template reads a field that the page model does not have.
    pub faults: Vec<Fault>,
    /// Errors in hand-written pages.
    pub errors: Vec<Note>,
    /// Set if the site is incomplete and must not be used: a limit was reached, or the job was cancelled.
    pub stop: Option<Box<Diagnostic>>,
}

/// A repair of an author's text: the page shows something other than the text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line of the definition, from 1.
    pub line: u32,
    /// The page.
    pub page: String,
    /// The repair, in words.
    pub what: String,
}

/// Makes the site with all its files.
#[must_use]
pub fn site(input: &Input<'_>) -> Site {
    let files = Mutex::new(Vec::new());
    // Lists grow whole, so a panic of another thread leaves no half-added entry.
    let out = |more: Vec<Artefact>| files.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    let site = site_to(&out, input);
    let mut artefacts = files.into_inner().unwrap_or_else(PoisonError::into_inner);
    artefacts.sort_by(|a, b| a.path.cmp(&b.path));
    Site { artefacts, ..site }
}

/// A consumer of finished files, called in any order and from several threads at once.
pub type Out<'o> = dyn Fn(Vec<Artefact>) + Sync + 'o;

/// Makes the site and passes each file to `out`; the result has no files.
#[must_use]
pub fn site_to(out: &Out<'_>, input: &Input<'_>) -> Site {
    let threads = input.threads;
    // One thread parses the templates while another builds the pages.
    let parse = || input.budget.goes_on().then(|| Templates::new(&input.theme));
    let (templates, mut book) = parallel::both(threads, parse, || pages::book(input));
    pages::facts::add(&mut book, &input.title, &input.specifications);
    let steps = changes::Steps::new(&input.steps);
    if input.history.is_some() || !input.steps.is_empty() {
        let unknown = History::default();
        let history = input.history.as_ref().unwrap_or(&unknown);
        history.mark(&mut book, &steps);
        pages::releases::add(&mut book, &steps, history, input);
    }
    versions::fill_frames(&mut book, input);
    trial::filter_examples(&mut book.pages, input.trial.as_deref());
    book.index.sort();
    if input.omits_markdown {
        book.pages.iter_mut().for_each(|page| page.frame.markdown = None);
    }
    let base = input.base_url.as_deref().map(machine::base);
    if let Some(base) = &base {
        let has_feed = machine::has_feed(&book);
        for page in &mut book.pages {
            let is_about_releases = matches!(page.body, pages::Body::Home(_) | pages::Body::ReleasePage(_));
            page.frame.feed = (has_feed && is_about_releases).then(|| machine::FEED.to_owned());
            page.frame.linked_data = Some(machine::linked_data(page, &input.title, base));
        }
    }
    let boot = input.theme.get(render::BOOT_FILE).map_or(render::BOOT, String::as_str);
    let (renderer, fault) = match templates {
        Some(Ok(templates)) => {
            (Some(Renderer::new(&book.registry, &book.texts, templates, boot, extras(input))), None)
        }
        Some(Err(fault)) => (None, Some(fault)),
        None => (None, None),
    };
    let mut faults = Vec::from_iter(fault);
    let more_faults = {
        let writer = SiteWriter {
            input,
            base,
            book: &book,
            tree: Tree::new(&book.pages, input.flavor),
            lists: sidebar::Lists::new(&book),
            renderer,
        };
        // The longest tasks come first.
        let mut tasks = vec![WriteTask::Search, WriteTask::Lists];
        tasks.extend(book.pages.iter().map(WriteTask::Page));
        parallel::map(threads, &tasks, |task| {
            if !input.budget.goes_on() {
                return Vec::new();
            }
            let TaskOutput { artefacts, faults } = writer.run(task);
            input.budget.charge(artefacts.iter().map(|file| file.path.len() + file.bytes.len()).sum());
            out(artefacts);
            faults
        })
    };
    faults.extend(more_faults.into_iter().flatten());
    faults.sort();
    faults.dedup();
    book.notes.extend(input.hooks.notes());
    let pages::Book { mut pages, notes, errors, coverage, index, registry, texts, .. } = book;
    // Pages are many small allocations, which take long to free, so two threads free them.
    let rest = Mutex::new(Some((pages.split_off(pages.len() / 2), registry)));
    parallel::both(
        threads,
        || rest.lock().map(|mut rest| drop(rest.take())).is_ok(),
        || drop((pages, index, texts)),
    );
    Site { artefacts: Vec::new(), notes, errors, faults, coverage, stop: input.budget.verdict() }
}

/// Renders a single page and returns its path and HTML. `wanted` has paths and names of definitions; the first one with
/// a page counts.
///
/// # Errors
/// A template reads a field that the page model does not have.
pub fn page(input: &Input<'_>, wanted: &[&str]) -> Result<Option<(String, String)>, Fault> {
    let templates = Templates::new(&input.theme)?;
    let mut book = pages::book(input);
    trial::filter_examples(&mut book.pages, input.trial.as_deref());
    let is_of = |page: &pages::Page, name: &str| {
        let subject = page.body.kind().subject();
        page.frame.path == name || subject.is_some_and(|subject| subject.name == name)
    };
    let find = |name: &&str| book.pages.iter().find(|page| is_of(page, name));
    let Some(page) = wanted.iter().find_map(find).filter(|_| input.budget.goes_on()) else { return Ok(None) };
    let renderer = Renderer::new(
        &book.registry,
        &book.texts,
        templates,
        render::BOOT,
        render::Extras { budget: Some(&input.budget), ..render::Extras::default() },
    );
    let html = renderer.forms(page, None).0?;
    input.budget.charge(html.len());
    Ok(Some((page.frame.path.clone(), html)))
}

/// The optional parts of pages.
fn extras<'i>(input: &'i Input<'_>) -> render::Extras<'i> {
    let playground = input.playground.as_ref().map(|playground| playground.address.as_str());
    render::Extras {
        is_live: input.is_live,
        playground,
        basis: input.basis.as_deref(),
        has_guides_only: input.has_guides_only(),
        is_catalog: false,
        hooks: Some(&input.hooks),
        budget: Some(&input.budget),
    }
}

/// All that tasks need to write files.
struct SiteWriter<'a> {
    input: &'a Input<'a>,
    base: Option<String>,
    book: &'a pages::Book,
    tree: Tree,
    lists: sidebar::Lists<'a>,
    /// `None` if the templates do not parse.
    renderer: Option<Renderer<'a>>,
}

/// A task for one thread.
enum WriteTask<'a> {
    /// A page in all its forms.
    Page(&'a pages::Page),
    /// The search index.
    Search,
    /// The lists of all pages for programs and other site generators, and the files that are copied unchanged.
    Lists,
}

/// The files and template errors of one task.
#[derive(Default)]
struct TaskOutput {
    artefacts: Vec<Artefact>,
    faults: Vec<Fault>,
}

impl TaskOutput {
    fn add(&mut self, path: String, bytes: impl Into<Vec<u8>>) {
        self.artefacts.push(Artefact { path, bytes: bytes.into() });
    }
}

impl SiteWriter<'_> {
    fn run(&self, task: &WriteTask<'_>) -> TaskOutput {
        let mut output = TaskOutput::default();
        match task {
            WriteTask::Page(page) => self.page(page, &mut output),
            WriteTask::Search => {
                for (path, text) in self.book.index.scripts(&self.book.pages) {
                    output.add(format!("site/{path}"), text);
                }
            }
            WriteTask::Lists => self.lists(&mut output),
        }
        output
    }

    /// Writes a page in all its forms.
    fn page(&self, page: &pages::Page, output: &mut TaskOutput) {
        let Some(renderer) = &self.renderer else { return };
        // A page may be long, so the budget is checked after each of its forms.
        let goes_on = || self.input.budget.goes_on();
        let stem = links::stem(&page.frame.path);
        let sidebar = self.lists.of(&page.frame.path);
        let (html, json) = renderer.forms(page, sidebar);
        match html {
            Ok(html) => output.add(format!("site/{}", page.frame.path), html),
            Err(fault) => output.faults.push(fault),
        }
        if let Some(json) = json {
            output.add(format!("site/{stem}.json"), json);
        }
        let svg = page.body.kind().diagram().map(view::Diagram::standalone);
        if let Some(svg) = &svg {
            output.add(format!("site/{stem}.svg"), svg.as_str());
        }
        if !goes_on() {
            return;
        }
        let Some(draft) = Draft::new(page, &self.book.texts, &self.book.registry) else { return };
        if page.frame.markdown.is_some() {
            output.add(format!("site/{stem}.md"), flavor::twin(page, &draft));
        }
        if !goes_on() {
            return;
        }
        if let Some((path, md)) = self.tree.page(page, &draft) {
            if let (Some(svg), Some(stem)) = (svg, path.strip_suffix(".md")) {
                output.add(format!("markdown/{stem}.svg"), svg);
            }
            output.add(format!("markdown/{path}"), md);
        }
    }

    fn lists(&self, output: &mut TaskOutput) {
        let SiteWriter { input, book, tree, .. } = self;
        let mut assets: BTreeMap<&str, &str> = render::ASSETS.iter().copied().collect();
        let own =
            input.theme.iter().filter(|(path, _)| path.starts_with("assets/") && *path != render::BOOT_FILE);
        assets.extend(own.map(|(path, text)| (path.as_str(), text.as_str())));
        assets.extend(input.is_live.then_some(render::LIVE));
        if let Some(playground) = &input.playground {
            assets.insert(render::PLAY.0, render::PLAY.1);
            // Every string is valid JSON, but `</` would end the script even inside a string.
            let files = serde_json::to_string(&playground.files).unwrap_or_default().replace("</", "<\\/");
            output.add("site/assets/sources.js".to_owned(), format!("window.odsmith.sources = {files};\n"));
        }
        let synonyms = assets.remove(render::SYNONYMS_FILE).unwrap_or_default();
        for (path, text) in assets {
            let mut text = if path.ends_with(".js") { render::stripped(text) } else { text.to_owned() };
            if path == render::INTENT_FILE {
                text.push_str(&search::synonyms(synonyms));
            }
            output.add(format!("site/{path}"), text);
        }
        for (path, bytes) in machine::files(book, &input.title, self.base.as_deref(), &input.dates) {
            output.add(format!("site/{path}"), bytes);
        }
        for (path, text) in machine::redirects(book, &input.redirects) {
            output.add(format!("site/{path}"), text);
        }
        output.add("site/schema/page.schema.json".to_owned(), schema::page());
        for (path, bytes) in book.pictures.iter().filter_map(|path| Some((path, input.images.get(path)?))) {
            output.add(format!("site/{}", guide::picture_path(path)), bytes.clone());
        }
        for (path, text) in tree.navigation(&book.pages, &input.title) {
            output.add(path, text);
        }
        output.add("site/coverage.svg".to_owned(), book.badge());
    }
}
