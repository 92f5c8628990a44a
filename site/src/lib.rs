//! The reference site: what `odsmith docs` and the service make from a bundle's definitions.
//!
//! ```text
//! records → pages (the page model) → view → render (HTML), flavor (Markdown), search (index), JSON twins
//! ```
//!
//! Pure: records in, artefacts out. Everything on a page comes from the [page model](view), so the outputs can
//! not disagree.

mod autolinks;
pub mod changes;
pub mod commonmark;
pub mod diagram;
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
    artefact::Artefact, diagnostic::Diagnostic, limits::Budget, parallel, record::Records,
    review::lint::finding::Finding,
};
use odsmith_witness::{self as witness, memo, skeleton};

pub use crate::pages::facts::Specification;

use crate::{
    flavor::{Draft, Flavor, Tree},
    history::History,
    render::{Fault, Renderer, Templates},
};

/// What a site is made from.
#[derive(Clone, Debug, Default)]
pub struct Input<'r> {
    /// The title of the site.
    pub title: String,
    /// The root files and their records.
    pub targets: &'r [TargetRecords],
    /// Root files that have no records because of an error.
    pub unread: Vec<UnreadTarget>,
    /// Where the project's files can be looked at: a prefix for `path#Lline`, or a pattern with `{path}` and
    /// `{line}`.
    pub source_url: Option<String>,
    /// Markdown files, by path.
    pub texts: BTreeMap<String, String>,
    /// Markdown that the build of the project makes, by path: parts of pages that include it.
    pub generated: BTreeMap<String, String>,
    /// [Patterns](paths) of the texts that become pages; if there are none, all that no other file includes.
    pub pages: Vec<String>,
    /// Pictures that the texts show, by path.
    pub images: BTreeMap<String, Vec<u8>>,
    /// Files of MLIR's text whose operations, types and attributes are examples, by path.
    pub examples: BTreeMap<String, String>,
    /// [Patterns](paths) of files whose definitions get no pages.
    pub exclude: Vec<String>,
    /// What other sites describe.
    pub inventories: Vec<inventory::Inventory>,
    /// What tries synthesised examples.
    pub trial: trial::Trial,
    /// Whether pages load themselves anew when the server that shows them says so.
    pub is_live: bool,
    /// The address of a playground, and the project's definitions by path, where pages open them there.
    pub playground: Option<Playground>,
    /// How many threads may write pages; what is made does not depend on it.
    pub threads: usize,
    /// Templates and assets in place of those that are compiled in, by their paths below `templates/`.
    pub theme: BTreeMap<String, String>,
    /// Where the site will be published, if that is known: for what needs whole addresses.
    pub base_url: Option<String>,
    /// The generator that the Markdown tree is for.
    pub flavor: Flavor,
    /// What this release is called and what the one before had, if pages shall say so.
    pub history: Option<History>,
    /// Headings of dialects on the first page.
    pub groups: Vec<DialectGroup>,
    /// Addresses of specifications.
    pub specifications: Vec<Specification>,
    /// What the release is called, where pages say so.
    pub release: Option<String>,
    /// What releases changed, the oldest first; the last one is to this release.
    pub steps: Vec<changes::Step>,
    /// The sites of other releases, if they are beside this one.
    pub versions: Option<versions::Versions>,
    /// What lint finds, if the page of what is not documented shall show it.
    pub findings: Option<Vec<Finding>>,
    /// What the work may cost.
    pub budget: Budget,
}

/// A page of a server on which definitions can be tried.
#[derive(Clone, Debug, Default)]
pub struct Playground {
    /// Its address.
    pub address: String,
    /// What goes along, by path.
    pub files: BTreeMap<String, String>,
}

/// Dialects under a heading on the first page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialectGroup {
    /// The heading.
    pub title: String,
    /// The dialects by their names.
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

/// A root file without records: the home page says so.
#[derive(Clone, Debug, Default)]
pub struct UnreadTarget {
    /// The root file.
    pub td: String,
    /// Where its first error is, if that is known: the file, and the line from 1.
    pub place: Option<(String, u32)>,
    /// The first error.
    pub what: String,
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
    /// Why the site is not whole and must not be used, if so: a limit was reached, or the job was cancelled.
    pub stop: Option<Box<Diagnostic>>,
}

/// Something in an author's text that does not appear on the page as it was written.
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
    let made = Mutex::new(Vec::new());
    // Lists grow whole: a thread that panicked left no half of one.
    let out = |files: Vec<Artefact>| made.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
    let site = site_to(&out, input);
    let mut artefacts = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    artefacts.sort_by(|a, b| a.path.cmp(&b.path));
    Site { artefacts, ..site }
}

/// Takes files as they are made: in no order, and from several threads at the same time.
pub type Out<'o> = dyn Fn(Vec<Artefact>) + Sync + 'o;

/// Makes the site, and hands its files to `out` as they are made; none of them is in the result.
#[must_use]
pub fn site_to(out: &Out<'_>, input: &Input<'_>) -> Site {
    let threads = input.threads;
    // One thread parses templates while another looks for what there is.
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
    versions::place(&mut book, input);
    trial::settle(&mut book.pages, input.trial.as_deref());
    book.index.sort();
    let base = input.base_url.as_deref().map(machine::base);
    if let Some(base) = &base {
        for page in &mut book.pages {
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
    let made = {
        let making = Making {
            input,
            base,
            book: &book,
            tree: Tree::new(&book.pages, input.flavor),
            lists: sidebar::Lists::new(&book),
            renderer,
        };
        // What takes longest comes first.
        let mut works = vec![Work::Search, Work::Lists];
        works.extend(book.pages.iter().map(Work::Page));
        parallel::map(threads, &works, |work| {
            if !input.budget.goes_on() {
                return Vec::new();
            }
            let Share { artefacts, faults } = making.work(work);
            input.budget.charge(artefacts.iter().map(|made| made.path.len() + made.bytes.len()).sum());
            out(artefacts);
            faults
        })
    };
    faults.extend(made.into_iter().flatten());
    faults.sort();
    faults.dedup();
    let pages::Book { mut pages, notes, errors, coverage, index, registry, texts, .. } = book;
    // Pages are many small pieces of memory, which take long to free.
    let rest = Mutex::new(Some((pages.split_off(pages.len() / 2), registry)));
    parallel::both(
        threads,
        || rest.lock().map(|mut rest| drop(rest.take())).is_ok(),
        || drop((pages, index, texts)),
    );
    Site { artefacts: Vec::new(), notes, errors, faults, coverage, stop: input.budget.verdict() }
}

/// One page of the site and nothing else, as its path and its HTML: of these paths and names of definitions, the first that
/// there is a page for.
///
/// # Errors
/// A template asks for what the page model does not have.
pub fn page(input: &Input<'_>, wanted: &[&str]) -> Result<Option<(String, String)>, Fault> {
    let templates = Templates::new(&input.theme)?;
    let mut book = pages::book(input);
    trial::settle(&mut book.pages, input.trial.as_deref());
    let is_of = |page: &pages::Page, name: &str| {
        let subject = page.body.kind().subject();
        page.frame.path == name || subject.is_some_and(|subject| subject.name == name)
    };
    let find = |name: &&str| book.pages.iter().find(|page| is_of(page, name));
    let Some(page) = wanted.iter().find_map(find).filter(|_| input.budget.goes_on()) else { return Ok(None) };
    let renderer =
        Renderer::new(&book.registry, &book.texts, templates, render::BOOT, render::Extras::default());
    let html = renderer.forms(page, None).0?;
    input.budget.charge(html.len());
    Ok(Some((page.frame.path.clone(), html)))
}

/// What pages have besides.
fn extras<'i>(input: &'i Input<'_>) -> render::Extras<'i> {
    let playground = input.playground.as_ref().map(|playground| playground.address.as_str());
    render::Extras { is_live: input.is_live, playground }
}

/// What pages are written from.
struct Making<'a> {
    input: &'a Input<'a>,
    base: Option<String>,
    book: &'a pages::Book,
    tree: Tree,
    lists: sidebar::Lists<'a>,
    /// None if the templates do not parse.
    renderer: Option<Renderer<'a>>,
}

/// Something that one thread can write by itself.
enum Work<'a> {
    /// A page in all its forms.
    Page(&'a pages::Page),
    /// The search index.
    Search,
    /// What lists all pages, for programs and other site generators, and what is copied unchanged.
    Lists,
}

/// What one thread has written.
#[derive(Default)]
struct Share {
    artefacts: Vec<Artefact>,
    faults: Vec<Fault>,
}

impl Share {
    fn add(&mut self, path: String, bytes: impl Into<Vec<u8>>) {
        self.artefacts.push(Artefact { path, bytes: bytes.into() });
    }
}

impl Making<'_> {
    fn work(&self, work: &Work<'_>) -> Share {
        let mut share = Share::default();
        match work {
            Work::Page(page) => self.page(page, &mut share),
            Work::Search => {
                for (path, text) in self.book.index.scripts(&self.book.pages) {
                    share.add(format!("site/{path}"), text);
                }
            }
            Work::Lists => self.lists(&mut share),
        }
        share
    }

    /// Writes a page in all its forms.
    fn page(&self, page: &pages::Page, share: &mut Share) {
        let Some(renderer) = &self.renderer else { return };
        // A page may be long: whether it is still of use is asked after each of its forms.
        let goes_on = || self.input.budget.goes_on();
        let stem = links::stem(&page.frame.path);
        let sidebar = self.lists.of(&page.frame.path);
        let (html, json) = renderer.forms(page, sidebar);
        match html {
            Ok(html) => share.add(format!("site/{}", page.frame.path), html),
            Err(fault) => share.faults.push(fault),
        }
        if let Some(json) = json {
            share.add(format!("site/{stem}.json"), json);
        }
        let svg = page.body.kind().diagram().map(view::Diagram::standalone);
        if let Some(svg) = &svg {
            share.add(format!("site/{stem}.svg"), svg.as_str());
        }
        if !goes_on() {
            return;
        }
        let Some(draft) = Draft::new(page, &self.book.texts) else { return };
        if page.frame.markdown.is_some() {
            share.add(format!("site/{stem}.md"), flavor::twin(page, &draft));
        }
        if !goes_on() {
            return;
        }
        if let Some((path, md)) = self.tree.page(page, &draft) {
            if let (Some(svg), Some(stem)) = (svg, path.strip_suffix(".md")) {
                share.add(format!("markdown/{stem}.svg"), svg);
            }
            share.add(format!("markdown/{path}"), md);
        }
    }

    fn lists(&self, share: &mut Share) {
        let Making { input, book, tree, .. } = self;
        let mut assets: BTreeMap<&str, &str> = render::ASSETS.iter().copied().collect();
        let own =
            input.theme.iter().filter(|(path, _)| path.starts_with("assets/") && *path != render::BOOT_FILE);
        assets.extend(own.map(|(path, text)| (path.as_str(), text.as_str())));
        assets.extend(input.is_live.then_some(render::LIVE));
        if let Some(playground) = &input.playground {
            assets.insert(render::PLAY.0, render::PLAY.1);
            // Strings have a form in JSON; a script ends where it says so, even in a string.
            let files = serde_json::to_string(&playground.files).unwrap_or_default().replace("</", "<\\/");
            share.add("site/assets/sources.js".to_owned(), format!("window.odsmith.sources = {files};\n"));
        }
        let synonyms = assets.remove(render::SYNONYMS_FILE).unwrap_or_default();
        for (path, text) in assets {
            let mut text = if path.ends_with(".js") { render::stripped(text) } else { text.to_owned() };
            if path == render::INTENT_FILE {
                text.push_str(&search::synonyms(synonyms));
            }
            share.add(format!("site/{path}"), text);
        }
        for (path, bytes) in machine::files(book, &input.title, self.base.as_deref()) {
            share.add(format!("site/{path}"), bytes);
        }
        share.add("site/schema/page.schema.json".to_owned(), schema::page());
        for (path, bytes) in book.pictures.iter().filter_map(|path| Some((path, input.images.get(path)?))) {
            share.add(format!("site/{}", guide::place_of_picture(path)), bytes.clone());
        }
        for (path, text) in tree.navigation(&book.pages) {
            share.add(format!("markdown/{path}"), text);
        }
        share.add("site/coverage.svg".to_owned(), book.badge());
    }
}
