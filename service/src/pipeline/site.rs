//! The reference site of a result.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    ir::syntax::Table,
    record::Records,
    release::Release,
    report::{Excerpt, Finding, Location},
};
use odsmith_site::{
    DialectGroup, Input, Out, Playground, Specification, Stability, StabilityLevel, TargetRecords,
    UnreadTarget, changes::Step, doxygen::Doxygen, guide::FIRST_FILE, markdown,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::pipeline::{
    dependencies,
    generate::Resources,
    manifest::{self, Docs},
    material::Material,
};

/// Something in an author's text that is not on the page as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line of the definition.
    pub line: u32,
    /// The page.
    pub page: String,
    /// The correction.
    pub what: String,
}

/// The outcome of building a site.
#[derive(Debug, Default)]
pub struct SiteOutcome {
    /// Corrections of authors' texts.
    pub notes: Vec<Note>,
    /// Errors in hand-written pages.
    pub errors: Vec<Finding>,
    /// The share of documentable items that have documentation, in per cent.
    pub coverage: usize,
    /// The reason why the site is incomplete, if it is.
    pub stop: Option<Finding>,
}

/// The roots of a site, without duplicates.
#[derive(Debug, Default)]
pub struct Roots {
    read: Vec<(String, Arc<Records>)>,
    unread: Vec<(String, Finding)>,
}

impl Roots {
    /// Returns the evaluated roots.
    #[must_use]
    pub fn read(&self) -> &[(String, Arc<Records>)] {
        &self.read
    }

    /// Returns the roots without records.
    pub fn unread(&self) -> impl Iterator<Item = &str> {
        self.unread.iter().map(|(td, _)| td.as_str())
    }

    /// Returns true if a root was evaluated.
    #[must_use]
    pub fn has_read(&self, td: &str) -> bool {
        self.read.iter().any(|(known, _)| known == td)
    }

    /// Adds the records of a root, unless it has some already.
    pub fn add(&mut self, td: String, records: Arc<Records>) {
        if !self.has_read(&td) {
            self.unread.retain(|(known, _)| *known != td);
            self.read.push((td, records));
        }
    }

    /// Notes the error of a root without records.
    pub fn miss(&mut self, td: String, error: Finding) {
        if !self.has_read(&td) && self.unread.iter().all(|(known, _)| *known != td) {
            self.unread.push((td, error));
        }
    }
}

/// The inputs of a site besides records.
pub(crate) struct Sources<'a> {
    /// The settings.
    pub docs: &'a Docs,
    /// The syntax that the project states of operations whose parser is written by hand.
    pub syntax: Table,
    /// The material besides the bundle.
    pub material: &'a Material,
    /// The files.
    pub bundle: &'a Bundle,
    /// Generated Markdown, by path.
    pub generated: BTreeMap<String, String>,
    /// The changes of each release.
    pub steps: Vec<Step>,
    /// Lint's findings, if the site shows them.
    pub findings: Option<Vec<Finding>>,
}

/// The title of the site of a project whose name is not known.
const TITLE: &str = "Dialect reference";

/// Returns the title of a site: that of the settings, or else the heading of the project's README, or its name in CMake.
#[must_use]
pub fn title(docs: &Docs, bundle: &Bundle, project: Option<&str>) -> String {
    let of_readme = || {
        let (_, bytes) = bundle.iter().find(|(path, _)| path.eq_ignore_ascii_case(FIRST_FILE))?;
        let text = str::from_utf8(bytes).ok()?;
        let title = markdown::title(text).map(|(title, _)| title).or_else(|| html_title(text))?;
        Some(title.trim().to_owned()).filter(|title| !title.is_empty())
    };
    let named = docs.title.clone().or_else(of_readme).or_else(|| project.map(str::to_owned));
    named.unwrap_or_else(|| TITLE.to_owned())
}

/// Returns the text of the first HTML heading of a README, where that is centred: `<h1 align="center">Potter</h1>`.
fn html_title(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("<h1")?;
    let (inside, _) = rest.split_once('>')?.1.split_once("</h1>")?;
    let pieces = inside.split('<').enumerate();
    // Of a piece after the first, the start is a tag.
    let texts =
        pieces.map(|(at, piece)| if at == 0 { piece } else { piece.split_once('>').map_or("", |it| it.1) });
    Some(texts.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Builds the site of all evaluated roots, and hands its files to `out`: `site/…`, `markdown/…` and `mkdocs.yml`. Without
/// such a root there is no site. Pages may include generated Markdown.
#[must_use]
pub(crate) fn make(sources: Sources<'_>, roots: Roots, means: Resources<'_>, out: &Out<'_>) -> SiteOutcome {
    let Sources { docs, syntax, material, bundle, generated, steps, findings } = sources;
    let Roots { read: roots, unread } = roots;
    if roots.is_empty() {
        return SiteOutcome::default();
    }
    let targets: Vec<TargetRecords> =
        roots.into_iter().map(|(td, records)| TargetRecords { td, records }).collect();
    let texts = bundle.iter().filter(|(path, _)| path.ends_with(".md") && !dependencies::is_foreign(path));
    let input = Input {
        title: title(docs, bundle, material.project.as_deref()),
        targets: &targets,
        unread: unread
            .into_iter()
            .map(|(td, error)| UnreadTarget {
                td,
                place: error.location.map(|location| (location.file, location.range.start.line)),
                what: error.message,
            })
            .collect(),
        source_url: docs.source_url.clone(),
        texts: texts
            .map(|(path, bytes)| (path.to_owned(), String::from_utf8_lossy(bytes).into_owned()))
            .collect(),
        generated,
        pages: docs.pages.clone(),
        images: material.images.clone(),
        examples: material.examples.clone(),
        syntax,
        exclude: docs.exclude.clone(),
        inventories: material.inventories.clone(),
        trial: material.trial.clone(),
        is_live: material.is_live,
        omits_markdown: material.omits_markdown,
        theme: material.theme.clone(),
        base_url: docs.base_url.clone(),
        playground: docs.playground.as_ref().and_then(|address| playground(address, bundle)),
        flavor: docs.flavor,
        history: material.history.clone(),
        release: material.releases.name.clone(),
        basis: basis(&targets, material),
        steps,
        groups: docs
            .groups
            .iter()
            .map(|it| DialectGroup {
                title: it.title.clone(),
                text: it.text.clone(),
                dialects: it.dialects.clone(),
            })
            .collect(),
        redirects: docs.redirects.clone(),
        release_notes: docs.release_notes.clone(),
        release_dates: material.releases.dates.clone(),
        dates: material.dates.clone(),
        edit_url: docs.edit_url.clone(),
        owners: owners(material, &targets),
        stability: docs
            .stability
            .iter()
            .filter_map(|(name, it)| Some((name.clone(), stability(it)?)))
            .collect(),
        doxygen: docs.doxygen.as_ref().map(|url| Doxygen { url: url.clone(), tags: material.tags.clone() }),
        cpp: material.cpp.clone(),
        hooks: material.hooks.clone(),
        specifications: specifications(docs),
        versions: material.releases.versions.clone(),
        findings,
        threads: means.threads.get(),
        budget: means.progress.budget().clone(),
    };
    let site = odsmith_site::site_to(out, &input);
    let note = |note: odsmith_site::Note| Note {
        file: note.file,
        line: note.line,
        page: note.page,
        what: note.what,
    };
    let faults = site.faults.into_iter().map(|fault| odsmith_site::Note {
        file: fault.file,
        line: fault.line,
        what: fault.what,
        ..odsmith_site::Note::default()
    });
    SiteOutcome {
        coverage: site.coverage.percent,
        stop: site.stop.as_deref().map(Finding::unlocated),
        notes: site.notes.into_iter().map(note).collect(),
        errors: site
            .errors
            .into_iter()
            .chain(faults)
            .map(|note| report(&material.theme, bundle, note))
            .collect(),
    }
}

/// Returns the snapshot of MLIR that pages are made for, and the project's pin; nothing for a published release without
/// a pin.
fn basis(targets: &[TargetRecords], material: &Material) -> Option<String> {
    let release =
        targets.first().and_then(|target| Release::parse(target.records.rules().release_name()).ok());
    let release = release.filter(|release| release.snapshot().is_some());
    let release = release.map(|release| format!("MLIR {}", release.label()));
    let pin = material.pin.as_ref().map(|pin| format!("the project pins {pin}"));
    let parts: Vec<String> = release.into_iter().chain(pin).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Maximum bytes of definitions in a link to a playground.
const MOST_PLAYED: usize = 1 << 20;

/// Returns a playground that opens the project's definitions; `None` if they are too large.
fn playground(address: &str, bundle: &Bundle) -> Option<Playground> {
    let own = bundle.iter().filter(|(path, _)| path.ends_with(".td") && !dependencies::is_foreign(path));
    let files: BTreeMap<String, String> =
        own.map(|(path, bytes)| (path.to_owned(), String::from_utf8_lossy(bytes).into_owned())).collect();
    let bytes: usize = files.values().map(String::len).sum();
    (bytes <= MOST_PLAYED).then(|| Playground { address: address.to_owned(), files })
}

/// Returns the owners of the files that define something.
fn owners(material: &Material, targets: &[TargetRecords]) -> BTreeMap<String, Vec<String>> {
    let mut owners = BTreeMap::new();
    for target in targets {
        for dialect in target.records.derived("Dialect") {
            let Some((buffer, _)) = target.records.sources().position(dialect.span()) else { continue };
            let file = buffer.name.to_string();
            let of_file = material.owners.of(&file);
            if !of_file.is_empty() && !dependencies::is_foreign(&file) {
                owners.insert(file, of_file.to_vec());
            }
        }
    }
    owners
}

/// Returns the stability of a dialect.
fn stability(it: &manifest::Stability) -> Option<Stability> {
    Some(Stability { level: StabilityLevel::parse(&it.level)?, text: it.text.clone() })
}

/// Returns the addresses of specifications.
fn specifications(docs: &Docs) -> Vec<Specification> {
    let all = docs.specifications.iter().map(|(name, it)| Specification {
        title: it.title.clone().unwrap_or_else(|| name.clone()),
        url: it.url.clone(),
        dialect: it.dialect.clone().unwrap_or_default(),
        kinds: it.kinds.clone(),
    });
    all.collect()
}

/// Reports a mistake in a hand-written page or in a theme, at its line.
fn report(theme: &BTreeMap<String, String>, bundle: &Bundle, note: odsmith_site::Note) -> Finding {
    let own = || theme.get(&note.file).map(|text| text.as_bytes());
    let text = own().or_else(|| bundle.get(&note.file).map(|bytes| &bytes[..])).unwrap_or_default();
    let line =
        text.split(|&byte| byte == b'\n').nth(note.line.saturating_sub(1) as usize).unwrap_or_default();
    let end = (note.line, line.len() as u32 + 1);
    let location = Location::new(note.file, (note.line, 1), Some(end));
    let location = Location { line: Excerpt::around(line, 0), ..location };
    Finding { message: note.what, location: Some(location), ..Finding::default() }
}
