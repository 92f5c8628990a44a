//! `odsmith docs`: makes the reference site alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{Args, ValueEnum};
use odsmith_engine::limits::Budget;
use odsmith_registry::{pull::Address, reference::Reference};
use odsmith_site::{
    flavor::{Flavor, MKDOCS_SETTINGS},
    history::History,
};

use super::{
    Destination, Input, diff::sides::Reader, display, exit::ExitStatus, options::ReportOptions, playground,
    unread, versions::Shelf, watch, wrote,
};
use crate::{
    pipeline::{
        automatic::{Graph, outputs::OutputSet},
        dependencies,
        generate::{Finished, Request, none_read},
        manifest::{Manifest, STATIC_PLAYGROUND},
        material::{self, Material},
        releases::Releases,
        site::{self, Note},
        workspace::{Workspace, dates, patterns::Patterns},
    },
    store::disk,
};

/// The arguments of `odsmith docs`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Show the site on this machine, and make it anew whenever a file changes
    #[arg(long)]
    watch: bool,
    /// Open the site in a browser
    #[arg(long)]
    pub(super) open: bool,
    /// The port that a watched site is shown on; 0 for a free one
    #[arg(long, default_value_t = 0, requires = "watch")]
    pub(super) port: u16,
    /// Fail if less than this per cent is documented (coverage.html says what is missing)
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    min_coverage: Option<u64>,
    /// The generator that the Markdown tree is for: gfm, hugo, mkdocs, docusaurus or starlight
    #[arg(long, value_name = "NAME")]
    flavor: Option<Flavor>,
    /// Templates and assets in place of the usual ones: layout.hbs, partials/part.hbs, assets/site.css, ...
    #[arg(long, value_name = "DIR")]
    pub(super) theme: Option<PathBuf>,
    /// The site's future address; adds a sitemap, JSON-LD, a search description and a feed of releases
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The address of a server's playground, where pages open their definitions; `static` puts one without a server into
    /// the site, below play/
    #[arg(long, value_name = "URL")]
    playground: Option<String>,
    /// Show what `odsmith lint` finds on coverage.html
    #[arg(long)]
    findings: bool,
    /// The version of the project
    #[arg(long, value_name = "VERSION")]
    project_version: Option<String>,
    /// The index.json of the site of the release before: pages say what is new and what has changed
    #[arg(long, value_name = "FILE", requires = "project_version")]
    earlier: Option<PathBuf>,
    /// An earlier release: a folder, an archive, a model.json, `git:REV`, `oci://…`, or `release:21` for MLIR's own, after
    /// `NAME=` if it has another name; once for each, the oldest first. Pages show what has changed, and what is gone keeps its page
    #[arg(long, value_name = "[NAME=]OLD")]
    against: Vec<String>,
    /// Put the site into a folder of its release below OUT, beside those of others, with a list of them and the last as `latest`
    #[arg(long, requires = "project_version", conflicts_with = "watch")]
    versioned: bool,
    /// A program like mlir-opt: synthesised examples that it does not accept are left out
    #[arg(long, value_name = "PROGRAM")]
    opt: Option<PathBuf>,
    /// The text of another tool as well, below compat/
    #[arg(long, value_name = "TOOL")]
    compat: Option<Tool>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    report: ReportOptions,
    /// A folder, or an archive by its name (.tar.gz, .tar.zst, .zip, .tar) [default: site]
    #[arg(short, long, value_name = "OUT", help_heading = "Report")]
    pub(super) out: Option<PathBuf>,
}

/// A tool whose text there is.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tool {
    /// The text of the -gen-*-doc generators
    MlirTblgen,
}

/// Splits the name and the place of an earlier release: `2.0=old/model.json`, or the place alone.
fn against(text: &str) -> (String, &str) {
    let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\\', ':']);
    if let Some((name, place)) = text.split_once('=').filter(|(name, _)| is_name(name)) {
        return (name.to_owned(), place);
    }
    if let Some((_, name)) = text.split_once(':').filter(|(kind, _)| matches!(*kind, "release" | "git")) {
        return (name.split(':').next().unwrap_or(name).to_owned(), text);
    }
    if let Ok(Address::Registry(Reference { tag: Some(tag), .. }) | Address::Layout(_, tag)) =
        Address::parse(text)
    {
        return (tag, text);
    }
    let path = Path::new(text);
    let own = match path.file_name().and_then(|name| name.to_str()) {
        Some("model.json") => path.parent().and_then(Path::file_name).and_then(|name| name.to_str()),
        name => name,
    };
    let own = own.unwrap_or(text).trim_end_matches(".json");
    (own.to_owned(), text)
}

impl Options {
    /// Runs the command: 0 if nothing was wrong, 1 if something was.
    ///
    /// # Errors
    /// The bundle or the theme cannot be read, or the site cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        if self.watch {
            return watch::run(&self);
        }
        let root = self.out.clone().unwrap_or_else(|| PathBuf::from("site"));
        let shelf = self.shelf(&root)?;
        let workspace = self.input.workspace()?;
        let material = self.material(shelf.as_ref(), workspace.as_ref())?;
        let out = shelf.as_ref().map_or(root, Shelf::out);
        let destination = Destination::new(&out, "docs", self.input.place())?;
        let folder = destination.pages("", place);
        let (is_streamed, is_folder) = (folder.is_some(), super::archive_of(&out).is_none());
        let prepared = self.input.prepare_in(workspace, |manifest| self.ask(manifest, shelf.as_ref()));
        let finished = prepared.and_then(|(files, request)| {
            let title = site::title(&request.manifest.docs, &request.bundle, material.project.as_deref());
            let played = match request.manifest.docs.playground.as_deref() {
                Some(STATIC_PLAYGROUND) => playground::for_library(&request.library)?,
                _ => BTreeMap::new(),
            };
            let (finished, written) = files.run_silently(self.with(request, material), folder)?;
            written.map(|()| (finished, title, played))
        });
        let (finished, title, played) = match finished {
            Ok(made) => made,
            Err(message) => return destination.finish(false, Err(message)).map(|(status, _)| status),
        };
        let (mut status, mut hidden) = self.report.print("docs", &finished)?;
        let has_errors = status == ExitStatus::Findings;
        let (written, percent) =
            finished.result.site.as_ref().map_or((0, 0), |site| (site.files, site.coverage));
        let roots = (finished.unread.len(), finished.result.targets.len());
        let is_said = finished.result.diagnostics.iter().any(|it| it.message == none_read(roots.1));
        hidden += notes(&finished);
        let mut pages = pages(finished);
        pages.extend(played.into_iter().map(|(path, bytes)| (format!("play/{path}"), bytes)));
        // Pages are missing after an error, so older ones are kept.
        let ((), numbers) = destination.finish(!has_errors, destination.write(&pages))?;
        if let Some(shelf) = &shelf {
            shelf.finish(&title, self.input.place())?;
        }
        let count = pages.len() + if is_streamed { written } else { 0 };
        if let Some(least) = self.min_coverage.filter(|least| (percent as u64) < *least) {
            display::error(&format!("{percent} % is documented, {least} % is asked for: see coverage.html"));
            status = ExitStatus::Findings;
        }
        if count == 0 && status != ExitStatus::Done {
            if !is_said {
                display::error(&format!("nothing written: {}", unread(roots)));
            }
            return Ok(status);
        }
        let hidden = if hidden > 0 { format!(", {hidden} more notes with -v") } else { String::new() };
        let unread = if roots.0 > 0 { format!(", {}", unread(roots)) } else { String::new() };
        display::closing(&format!("{}{unread}{hidden}", wrote(count, &out, &numbers)));
        if self.open && is_folder {
            watch::open(&out.join("index.html").to_string_lossy());
        }
        Ok(status)
    }

    /// Reads the material of a site besides the bundle, and prepares the program that checks examples.
    pub(super) fn material(
        &self,
        shelf: Option<&Shelf>,
        workspace: Option<&Workspace>,
    ) -> Result<Material, String> {
        let theme = self.theme.as_deref().map_or_else(|| Ok(BTreeMap::new()), disk::theme)?;
        let earlier = self.earlier.clone().or_else(|| shelf.and_then(Shelf::earlier));
        let history = self.history(earlier.as_deref())?;
        let trial = material::trial(self.opt.as_deref())?;
        let beside = match workspace {
            Some(workspace) => material::read(workspace, &self.input.manifest_of(workspace)?.docs)?,
            None => Material::default(),
        };
        Ok(Material { theme, history, trial, releases: self.releases(shelf)?, ..beside })
    }

    /// Returns the folder of the sites of all releases, if this site goes there.
    fn shelf(&self, root: &Path) -> Result<Option<Shelf>, String> {
        let Some(release) = self.project_version.as_deref().filter(|_| self.versioned) else {
            return Ok(None);
        };
        if super::archive_of(root).is_some() {
            return Err("--versioned needs a folder: an archive has no sites of other releases".to_owned());
        }
        Shelf::read(root, release).map(Some)
    }

    /// Reads the models of earlier releases.
    fn releases(&self, shelf: Option<&Shelf>) -> Result<Releases, String> {
        let input = &self.input;
        let reader = Reader {
            project: &input.project,
            tolerance: &input.tolerance,
            mlir: &input.mlir,
            fail_on: self.report.fail_on(),
            server: None,
        };
        let earlier = self.against.iter().map(|named| {
            let (name, place) = against(named);
            let side = reader.side(place, input.mlir.release());
            let side = side.map_err(|reason| format!("--against {place}: {reason}"))?;
            Ok((name, Arc::new(side)))
        });
        let date = |name: &str, revision: Option<&str>| {
            // Revisions are those of the repository around the working directory.
            let own = revision.and_then(|it| dates::of_revision(Path::new("."), it));
            let tags = [format!("refs/tags/{name}"), format!("refs/tags/v{name}")];
            let tagged = || tags.iter().find_map(|tag| dates::of_revision(input.place(), tag));
            Some((name.to_owned(), own.or_else(tagged)?))
        };
        let mut dates = BTreeMap::new();
        for named in &self.against {
            let (name, place) = against(named);
            let revision = place.strip_prefix("git:").and_then(|rest| rest.split(':').next());
            dates.extend(date(&name, revision));
        }
        dates.extend(self.project_version.as_ref().and_then(|name| date(name, None)));
        let of_mlir = || input.mlir.release().map(|mlir| format!("MLIR {mlir}"));
        let name = self.project_version.clone().or_else(of_mlir);
        Ok(Releases {
            name,
            earlier: earlier.collect::<Result<_, String>>()?,
            dates,
            versions: shelf.map(|shelf| shelf.versions(self.base_url.as_deref())),
        })
    }

    /// Reads the index of the previous release, if this one has a name.
    fn history(&self, earlier: Option<&Path>) -> Result<Option<History>, String> {
        let Some(release) = &self.project_version else { return Ok(None) };
        let text = earlier.map(|path| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        });
        let text = text.transpose()?;
        History::new(release, text.as_deref())
            .map(Some)
            .map_err(|error| earlier.map_or(error.clone(), |path| format!("{}: {error}", path.display())))
    }

    /// Adds to a request the material of the site, and the choice of outputs. An error of a root that defines no dialect is
    /// a warning.
    pub(super) fn with(&self, request: Request, material: Material) -> Request {
        let wanted = match self.compat {
            Some(Tool::MlirTblgen) => OutputSet::Docs,
            None => OutputSet::All,
        };
        let tolerated = without_dialects(&request).unwrap_or_else(|| request.tolerated.clone());
        Request { wanted, material, tolerated, ..request }
    }

    /// Sets the manifest so that the site is made, and little else.
    pub(super) fn ask(&self, manifest: &mut Manifest, shelf: Option<&Shelf>) {
        let docs = &mut manifest.docs;
        docs.enabled = true;
        docs.flavor = self.flavor.unwrap_or(docs.flavor);
        if let Some(url) = &self.base_url {
            docs.base_url = Some(shelf.map_or_else(|| url.clone(), |shelf| shelf.base_url(url)));
        }
        docs.playground = self.playground.clone().or_else(|| docs.playground.take());
        docs.findings |= self.findings;
        manifest.outputs = self.compat.is_some();
        manifest.model = false;
    }
}

/// Returns the patterns of roots whose errors are warnings, with those that read nothing of MLIR; `None` if there are none.
fn without_dialects(request: &Request) -> Option<Patterns> {
    let budget = Budget::default();
    let graph = Graph::new(&request.bundle, request.library.paths(), &budget)
        .with_folders(&request.manifest.includes);
    let own = request.bundle.iter().map(|(path, _)| path);
    let own = own.filter(|path| path.ends_with(".td") && !dependencies::is_foreign(path));
    let (of_mlir, mut others): (Vec<&str>, Vec<&str>) = own.partition(|path| graph.reads_mlir(path));
    // A file that is missing may be one of MLIR.
    others.retain(|path| !graph.lacks_include(path));
    // In a project without any dialect, an error is one.
    if of_mlir.is_empty() || others.is_empty() {
        return None;
    }
    let others = others.iter().map(|path| format!("/{path}"));
    let all: Vec<String> = request.manifest.ignore_errors.iter().cloned().chain(others).collect();
    Patterns::new(&all).ok()
}

/// Prints the corrections of authors' texts; returns how many were not printed.
pub(super) fn notes(finished: &Finished) -> usize {
    let notes = finished.result.site.iter().flat_map(|site| &site.notes);
    let lines = listing(notes).into_iter().map(|(kind, line)| (display::kind_of_text(kind), line)).collect();
    display::grouped_lines(lines)
}

/// Returns the files for the site's folder: its own, unless they were written already, and folders with the Markdown
/// tree and the text of other tools.
pub(super) fn pages(finished: Finished) -> BTreeMap<String, Vec<u8>> {
    let placed = finished.files.into_iter().filter_map(|(path, bytes)| Some((place(&path)?, bytes)));
    placed.collect()
}

/// Returns the place of an archive's file in the site's folder, if it belongs there.
fn place(path: &str) -> Option<String> {
    if path == MKDOCS_SETTINGS {
        return Some(path.to_owned());
    }
    match path.split_once('/')? {
        ("site", below) => Some(below.to_owned()),
        ("cpp", below) => Some(format!("compat/{below}")),
        ("markdown", _) => Some(path.to_owned()),
        _ => None,
    }
}

/// Lists corrections, one per line; repeated ones in a file are listed once, with all their lines. Returns the text of each
/// as well.
fn listing<'n>(notes: impl Iterator<Item = &'n Note>) -> Vec<(&'n str, String)> {
    // In the order of their first occurrence.
    let mut firsts: Vec<(&Note, BTreeSet<u32>)> = Vec::new();
    let mut places = BTreeMap::new();
    for note in notes {
        let place = *places.entry((&note.file, &note.what)).or_insert(firsts.len());
        match firsts.get_mut(place) {
            Some((first, more)) if first.line != note.line => _ = more.insert(note.line),
            Some(_) => {}
            None => firsts.push((note, BTreeSet::new())),
        }
    }
    let mut lines = Vec::new();
    for (Note { file, line, page, what }, more) in firsts {
        let word = if more.len() == 1 { "line" } else { "lines" };
        let more: Vec<String> = more.iter().map(u32::to_string).collect();
        let more =
            if more.is_empty() { String::new() } else { format!("; also at {word} {}", more.join(", ")) };
        lines.push((what.as_str(), format!("{file}:{line}: note: {what} ({page}{more})")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_stands_once() {
        let note = |file: &str, line, what: &str| Note {
            file: file.to_owned(),
            line,
            page: format!("{line}.html"),
            what: what.to_owned(),
        };
        let notes =
            [note("a", 1, "x"), note("b", 2, "x"), note("a", 3, "x"), note("a", 3, "x"), note("a", 4, "y")];
        let expected =
            ["a:1: note: x (1.html; also at line 3)", "b:2: note: x (2.html)", "a:4: note: y (4.html)"];
        let lines: Vec<String> = listing(notes.iter()).into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, expected);
        assert!(listing([].iter()).is_empty());
    }
}
