//! Makes pages from records.
//!
//! `atlas` finds the dialects that a bundle defines and assigns an address to every definition; then one file per kind
//! of page fills the page model.

mod all;
mod atlas;
mod attr_or_type;
mod class;
mod constraint;
mod coverage;
mod dialect;
mod enums;
pub(crate) mod facts;
mod guides;
mod harvest;
pub(crate) mod headings;
pub(crate) mod kind;
mod leftovers;
mod meanings;
mod members;
mod mentions;
mod op;
mod parts;
mod pass;
mod patterns;
mod relations;
pub(crate) mod releases;
pub(crate) mod rules;
mod source;
mod syntax;
mod traits;

pub(crate) use atlas::Atlas;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use odsmith_engine::parallel;

use crate::{
    Input, Note,
    guide::{ContentsRow, notes::ReleaseNotes},
    history::Mark,
    links::{HOME, Registry, root_of, stem},
    markdown::Texts,
    search,
    text::plural,
    view::{self, Frame, Link},
};
use atlas::{Entity, Section};

/// All pages of a site, before anything is written.
#[derive(Debug, Default)]
pub struct Book {
    /// The pages, home first.
    pub pages: Vec<Page>,
    /// The search index.
    pub index: search::Index,
    /// The pages by the names that lead to them.
    pub registry: Registry,
    /// The parsed texts of authors.
    pub texts: Texts,
    /// The repairs of authors' texts.
    pub notes: Vec<Note>,
    /// The errors in hand-written pages.
    pub errors: Vec<Note>,
    /// The share of definitions that are documented.
    pub coverage: view::Score,
    /// The histories of definitions, by the paths of their pages.
    pub marks: BTreeMap<String, Mark>,
    /// The paths of the project's pictures that pages show.
    pub pictures: BTreeSet<String>,
    /// The contents that the home page lists, if it is a hand-written page.
    pub contents: Vec<ContentsRow>,
    /// The hand-written pages in their order, beside definitions.
    pub guides: Vec<ContentsRow>,
    /// The notes on releases, in the order of their files.
    pub release_notes: Vec<RenderedNotes>,
}

/// The notes on a release as pages and feeds show them.
#[derive(Clone, Debug, Default)]
pub struct RenderedNotes {
    /// The text and the date.
    pub notes: ReleaseNotes,
    /// The view for the release's page.
    pub view: view::WrittenNotes,
    /// The text as HTML with whole addresses, if that of the site is known.
    pub feed: Option<String>,
    /// Their place on the page of their file, if it has one.
    pub page: Option<String>,
}

impl Book {
    /// Draws [`Book::coverage`] as a badge.
    #[must_use]
    pub fn badge(&self) -> String {
        coverage::badge(self.coverage)
    }
}

/// One page.
#[derive(Debug)]
pub struct Page {
    /// The frame around the content.
    pub frame: Frame,
    /// The content.
    pub body: Body,
}

/// The content of a page.
#[derive(Debug)]
pub enum Body {
    /// The home page.
    Home(Box<view::Home>),
    /// A dialect.
    Dialect(Box<view::Dialect>),
    /// An operation.
    Operation(Box<view::Operation>),
    /// A type or attribute.
    AttrOrType(Box<view::AttrOrType>),
    /// An enum.
    Enum(Box<view::Enum>),
    /// A trait or interface.
    Trait(Box<view::TraitPage>),
    /// A named constraint.
    Constraint(Box<view::ConstraintPage>),
    /// A class of operations, types or attributes.
    Class(Box<view::ClassPage>),
    /// A pass.
    Pass(Box<view::Pass>),
    /// The chapter about all passes.
    Passes(Box<view::Passes>),
    /// A dialect's rewrite patterns.
    Patterns(Box<view::Patterns>),
    /// A dialect on one page.
    All(Box<view::All>),
    /// The coverage page.
    Coverage(Box<view::Coverage>),
    /// A hand-written page.
    Guide(Box<view::Guide>),
    /// A list of interfaces and traits, or of hand-written pages.
    IndexPage(Box<view::IndexPage>),
    /// The A–Z index.
    Az(Box<view::Az>),
    /// The 404 page.
    Missing(Box<view::Missing>),
    /// A comparison of a fact across a dialect.
    Matrix(Box<view::Matrix>),
    /// The changes of a release.
    ReleasePage(Box<view::ReleasePage>),
    /// The rules of `odsmith diff`.
    RulePage(Box<view::RulePage>),
    /// A removed definition.
    Removed(Box<view::Removed>),
}

/// The by-products of making a page.
#[derive(Debug, Default)]
pub(super) struct ByProducts {
    /// The pages of the definitions that it uses.
    uses: Vec<String>,
    /// The repairs of authors' texts.
    notes: Vec<Note>,
    /// The data for the search's facets.
    facets: search::RowFacets,
}

impl ByProducts {
    /// Records a use of the definition with this page.
    fn uses(&mut self, href: Option<&str>) {
        self.uses.extend(href.map(str::to_owned));
    }
}

/// Makes all pages.
#[must_use]
pub fn book(input: &Input<'_>) -> Book {
    let threads = input.threads;
    let mut atlas = Atlas::new(input);
    let all_traits = || {
        let lists = atlas.sections.iter().flat_map(|section| [&section.ops, &section.types, &section.attrs]);
        traits::all_of(lists.flatten().map(|entity| entity.rec))
    };
    let (relations, all_traits) = parallel::both(threads, || relations::Relations::new(&atlas), all_traits);
    for t in all_traits {
        traits::enlist(&mut atlas, t);
    }
    let mut uses = traits::Users::default();
    let mut pages = dialects(&mut atlas, &relations, &mut uses, threads);
    let (coverage, of_traits) =
        parallel::both(threads, || coverage::coverage(&pages), || traits::pages(&mut atlas, &uses, threads));
    let score = coverage.total;
    let findings = input.findings.as_ref().map(|found| coverage::findings(found, &pages, &atlas));
    let coverage = view::Coverage { findings, ..coverage };
    pages.extend(of_traits);
    constraint::pages(&mut atlas, &uses, threads, &mut pages);
    class::pages(&mut atlas, &uses, threads, &mut pages);
    let body = Body::Coverage(Box::new(coverage));
    pages.push(page(&atlas, "coverage.html", "Coverage", "What is not documented", vec![], body));
    let guides::GuidePages { pictures, article, release_notes } =
        guides::pages(&mut atlas, input, &mut pages);
    pages.extend(pass::chapter(&atlas));
    pages.extend(dialect::interfaces(&atlas, &uses));
    pages.extend(dialect::az(&atlas));
    pages.push(dialect::missing(&atlas, input.base_url.as_deref()));
    let contents = match pages.iter().position(|page| page.frame.path == HOME) {
        // A hand-written page is the home page.
        Some(first) => {
            pages[..=first].rotate_right(1);
            guides::contents(&atlas)
        }
        None => {
            let home = view::Home { article, ..dialect::home(&atlas, score, input) };
            pages.insert(0, page(&atlas, HOME, &atlas.title, "", vec![], Body::Home(Box::new(home))));
            Vec::new()
        }
    };
    mentions::add(&atlas, &mut pages, threads);
    for page in &mut pages {
        let dialect =
            page.body.kind().subject().map(|subject| subject.dialect.to_owned()).unwrap_or_default();
        if let (Some(badges), Some(badge)) = (page.body.kind_mut().badges(), atlas.unstable(&dialect)) {
            badges.push(badge);
        }
    }
    let guides = if input.has_guides_only() { Vec::new() } else { guides::order(&atlas) };
    link_neighbours(&mut pages);
    Book {
        pages,
        index: atlas.index,
        registry: atlas.registry,
        texts: atlas.texts,
        notes: atlas.notes,
        errors: atlas.errors,
        coverage: score,
        marks: BTreeMap::new(),
        pictures,
        contents,
        guides,
        release_notes,
    }
}

/// A definition that gets a page: the number of its section, the kind of page, and the definition.
type Unit<'a, 'r> = (usize, &'static str, &'a Entity<'r>);

/// Makes the pages of all dialects: those of definitions first, then the lists.
fn dialects(
    atlas: &mut Atlas<'_>,
    relations: &relations::Relations,
    uses: &mut traits::Users,
    threads: usize,
) -> Vec<Page> {
    let mut units: Vec<Unit<'_, '_>> = Vec::new();
    for (number, section) in atlas.sections.iter().enumerate() {
        let lists = [
            ("op", &section.ops),
            ("type", &section.types),
            ("attr", &section.attrs),
            ("enum", &section.enums),
            ("pass", &section.passes),
        ];
        for (kind, entities) in lists {
            units.extend(entities.iter().map(|entity| (number, kind, entity)));
        }
    }
    let made = parallel::map(threads, &units, |unit| entity_page(atlas, relations, unit));
    let mut sections: Vec<Vec<Page>> = atlas.sections.iter().map(|_| Vec::new()).collect();
    let mut noted: Vec<Vec<Note>> = atlas.sections.iter().map(|_| Vec::new()).collect();
    let mut facets = Vec::new();
    let mut made = made.into_iter().zip(&units).peekable();
    for (number, section) in atlas.sections.iter().enumerate() {
        let pages = &mut sections[number];
        while let Some((made, (_, _, entity))) = made.next_if(|(_, (of, ..))| *of == number) {
            let Some((page, by_products)) = made else { continue };
            let row = Arc::new(atlas::full_row(section, entity));
            for href in &by_products.uses {
                uses.add(href, &section.name, &row);
            }
            noted[number].extend(by_products.notes);
            facets.push((entity.href.clone(), by_products.facets));
            pages.push(page);
        }
    }
    // The users of a type, attribute or enum are complete only now: they are in any dialect.
    for page in sections.iter_mut().flatten() {
        if let Some(used_by) = page.body.kind_mut().used_by() {
            *used_by = uses.by_role(&page.frame.path);
        }
    }
    let numbers: Vec<usize> = (0..sections.len()).collect();
    let lists = parallel::map(threads, &numbers, |&number| {
        list_pages(atlas, &atlas.sections[number], &sections[number])
    });
    for (href, facets) in facets {
        atlas.index.describe(&href, facets);
    }
    let mut pages = Vec::new();
    for ((own, notes), lists) in sections.into_iter().zip(noted).zip(lists) {
        pages.push(lists.dialect);
        pages.extend(own);
        pages.extend(lists.names);
        pages.extend(lists.patterns);
        pages.push(lists.all);
        atlas.notes.extend(notes.into_iter().chain(lists.notes));
    }
    pages
}

/// The cost of a page besides its texts.
const PAGE_UNITS: usize = 4 << 10;

/// Makes the page of a definition; `None` if it belongs to no dialect or the budget is exhausted.
fn entity_page<'r>(
    atlas: &Atlas<'r>,
    relations: &relations::Relations,
    unit: &Unit<'_, 'r>,
) -> Option<(Page, ByProducts)> {
    let (number, kind, entity) = *unit;
    if !atlas.texts.budget().charge(PAGE_UNITS) {
        return None;
    }
    let section = &atlas.sections[number];
    let mut by_products = ByProducts::default();
    let (summary, body) = match kind {
        "op" => {
            let view = op::operation(atlas, section, entity, relations, &mut by_products)?;
            (view.summary.clone(), Body::Operation(Box::new(view)))
        }
        "enum" => {
            let view = enums::page(atlas, section, entity, &mut by_products.notes);
            (view.summary.clone(), Body::Enum(Box::new(view)))
        }
        "pass" => {
            let view = pass::page(atlas, section, entity, &mut by_products.notes);
            (view.summary.clone(), Body::Pass(Box::new(view)))
        }
        kind => {
            let view = attr_or_type::attr_or_type(atlas, section, entity, kind, &mut by_products)?;
            (view.summary.clone(), Body::AttrOrType(Box::new(view)))
        }
    };
    let summary = summary.unwrap_or_default();
    Some((page(atlas, &entity.href, &entity.name, &summary, vec![trail(section)], body), by_products))
}

/// The list pages of a dialect.
struct ListPages {
    dialect: Page,
    /// Lists that are too long for the dialect's page.
    names: Vec<Page>,
    patterns: Option<Page>,
    all: Page,
    notes: Vec<Note>,
}

fn list_pages(atlas: &Atlas<'_>, section: &Section<'_>, own: &[Page]) -> ListPages {
    let mut notes = Vec::new();
    let mut view = dialect::page(atlas, section, &mut notes);
    let all = all::page(section, &view, own);
    let names = dialect::split(atlas, section, &mut view);
    let summary = view.summary.clone().unwrap_or_default();
    let body = Body::Dialect(Box::new(view));
    let title = match section.dialect {
        Some(_) => format!("{} dialect", section.name),
        None => section.name.clone(),
    };
    let dialect = page(atlas, &section.href, &title, &summary, vec![], body);
    let patterns = (!section.patterns.is_empty()).then(|| {
        let view = patterns::page(atlas, section);
        let title = match section.dialect {
            Some(_) => format!("Patterns of {}", section.name),
            None => section.name.clone(),
        };
        let body = Body::Patterns(Box::new(view));
        page(atlas, &section.patterns_href(), &title, "", vec![trail(section)], body)
    });
    let title = format!("All of {}", section.name.clone());
    let body = Body::All(Box::new(all));
    let all = page(atlas, &section.all_href(), &title, &summary, vec![trail(section)], body);
    ListPages { dialect, names, patterns, all, notes }
}

/// The breadcrumb for the pages of a dialect.
fn trail(section: &Section<'_>) -> Link {
    Link { text: section.name.clone(), href: Some(section.href.clone()) }
}

fn page(atlas: &Atlas<'_>, path: &str, title: &str, description: &str, trail: Vec<Link>, body: Body) -> Page {
    framed(&atlas.title, path, title, description, trail, body)
}

/// Makes a page of a site with this title.
fn framed(site: &str, path: &str, title: &str, description: &str, trail: Vec<Link>, body: Body) -> Page {
    let has_twins = body.kind().has_twins();
    let twin = |extension: &str| {
        let stem = stem(path);
        has_twins.then(|| format!("{}.{extension}", stem.rsplit('/').next().unwrap_or(stem)))
    };
    let frame = Frame {
        path: path.to_owned(),
        is_wide: body.kind().is_wide(),
        root: root_of(path),
        site: site.to_owned(),
        title: title.to_owned(),
        label: label(&body),
        description: description.to_owned(),
        trail,
        contents: Vec::new(),
        previous: None,
        next: None,
        markdown: twin("md"),
        json: twin("json"),
        sidebar: None,
        linked_data: None,
        feed: None,
        canonical: None,
        release: None,
        versions: None,
    };
    Page { frame, body }
}

/// The kind of the definition, for the title of a browser tab.
fn label(body: &Body) -> String {
    let Some(subject) = body.kind().subject() else { return String::new() };
    let kind = match subject.kind {
        "op" => "operation",
        "attr" => "attribute",
        // The title of a dialect's page already ends in "dialect".
        "dialect" => return String::new(),
        kind => kind,
    };
    // The names of operations, types and attributes already contain the dialect.
    let is_prefixed = subject.dialect.is_empty()
        || subject.name.trim_start_matches(['!', '#']).starts_with(subject.dialect);
    if is_prefixed { kind.to_owned() } else { format!("{kind} of {}", subject.dialect) }
}

/// Links each definition to the previous and next ones of its kind and dialect.
fn link_neighbours(pages: &mut [Page]) {
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    for index in 1..pages.len() {
        let (before, after) = pages.split_at_mut(index);
        let (Some(before), Some(after)) = (before.last_mut(), after.first_mut()) else { continue };
        let (here, there) = (folder(&before.frame.path), folder(&after.frame.path));
        // Siblings share a folder two levels down: `arith/op`. Guides have an order of their own.
        let is_of_definitions = |folder: &str| folder.contains('/') && !folder.starts_with("guide/");
        if here == there && here.as_deref().is_some_and(is_of_definitions) {
            let link =
                |page: &Page| Link { text: page.frame.title.clone(), href: Some(page.frame.path.clone()) };
            before.frame.next = Some(link(after));
            after.frame.previous = Some(link(before));
        }
    }
}

fn count(number: usize, one: &str) -> view::Count {
    view::Count { number, what: plural(number, one), href: None }
}

/// A count for a word with an irregular plural.
fn count_of(number: usize, one: &str, many: &str) -> view::Count {
    view::Count { number, what: if number == 1 { one } else { many }.to_owned(), href: None }
}
