//! Lint: finds questionable but valid definitions. [`run`] checks the records of every root against the [`rules`];
//! errors are reported by `odsmith check` and not repeated here.
//!
//! | module | content |
//! | --- | --- |
//! | [`rule`] | a rule's entry: level, text, examples |
//! | `cor`, `doc`, `api`, `sty`, `tgn`, `pas`, `drr` | the rules, a folder or file for each group |
//! | [`finding`] | a finding: place, message, witness, edits |
//! | [`config`] | a project's settings: `[lint]` of `odsmith.toml` |
//! | [`suppress`], [`baseline`] | accepted findings: by a comment, by a file |
//! | [`fix`] | edits, applied to texts |
//! | [`query`], [`custom`] | rules of a project, over `model.json` |
//! | [`render`] | text, JSON, Markdown, JUnit, GitHub's commands |
//!
//! A definition belongs to one root: that of its own file, or else the first one that reads the file. Only definitions
//! in the user's files are checked.
//!
//! ```text
//! records ─ model ─ rules of each root ──┐
//!                                        ├─ comments ─ findings
//! records ─ files ─ rules of the bundle ─┘
//! ```

mod api;
pub mod baseline;
pub mod config;
mod cor;
pub mod custom;
mod cx;
mod doc;
mod drr;
pub mod finding;
pub mod fix;
mod naming;
mod pas;
pub mod query;
pub mod render;
pub mod rule;
mod sty;
pub mod suppress;
mod tgn;
mod words;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use odsmith_interchange::Document;
use odsmith_ods::Model;
use odsmith_tablegen::{
    cancel::Cancel,
    outline::Outline,
    parallel::{self, Spare},
    record::Records,
    source::{Buffer, is_foreign},
};
use rustc_hash::FxHashMap;

use config::Config;
use cx::{Bundle, BundleNames, Cx, Names};
use finding::{Finding, Location, order, shorten};
use rule::Rule;

/// A root file and the result of its evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Root<'r> {
    /// The file.
    pub td: &'r str,
    /// Its records.
    pub records: &'r Records,
    /// Warnings of evaluation about template arguments that nothing uses.
    pub unused: &'r [Finding],
}

/// The input of a run.
#[derive(Clone, Copy, Debug)]
pub struct Input<'r> {
    /// The folder of MLIR's own files, which are not checked.
    pub library_root: &'r str,
    /// The roots.
    pub roots: &'r [Root<'r>],
    /// The model of the last release, to which stable dialects are compared.
    pub released: Option<&'r Document>,
    /// The model, if rules of the project or a comparison need it.
    pub document: Option<&'r Document>,
    /// The budget of additional threads.
    pub spare: &'r Spare,
}

/// Returns all rules, in the order of their ids within each group.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let groups =
        [cor::RULES, doc::RULES, api::RULES, sty::RULES, tgn::RULES, pas::RULES, drr::RULES, suppress::RULES];
    groups.into_iter().flatten().copied()
}

/// Returns the rule of an id.
#[must_use]
pub fn rule_of_id(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id.eq_ignore_ascii_case(id))
}

/// Returns true if a configuration needs the model as a document.
#[must_use]
pub fn needs_document(config: &Config) -> bool {
    !config.custom.is_empty() || config.released.is_some()
}

/// Returns the user's files that the roots read, in the order of their names.
#[must_use]
pub fn outlines(library_root: &str, roots: &[Root<'_>]) -> Vec<Outline> {
    files(library_root, roots).into_iter().map(|(outline, _)| outline).collect()
}

/// The signal to stop: the job is cancelled, or the findings have too much text.
#[derive(Debug)]
pub struct Stop {
    cancel: Cancel,
    most_bytes: usize,
    bytes: AtomicUsize,
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new(Cancel::new(), usize::MAX)
    }
}

impl Stop {
    /// Creates a signal that stops when the job is cancelled, or when findings exceed a number of bytes.
    #[must_use]
    pub fn new(cancel: Cancel, most_bytes: usize) -> Self {
        Stop { cancel, most_bytes, bytes: AtomicUsize::new(0) }
    }

    /// Returns true if the findings exceed the limit.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) > self.most_bytes
    }

    fn goes_on(&self) -> bool {
        !self.is_over() && !self.cancel.is_cancelled()
    }

    /// Counts the bytes of a finding; returns true if it may be kept.
    fn charge(&self, bytes: usize) -> bool {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.goes_on()
    }
}

/// Runs the rules on all roots.
///
/// # Errors
/// A rule of the project is wrong, or takes too much work.
pub fn run(input: &Input<'_>, config: &Config) -> Result<Vec<Finding>, String> {
    run_until(input, config, &Stop::default())
}

/// Runs the rules until stopped; the findings of a stopped run are not returned.
///
/// # Errors
/// A rule of the project is wrong, or takes too much work; or the run was stopped.
pub fn run_until(input: &Input<'_>, config: &Config, stop: &Stop) -> Result<Vec<Finding>, String> {
    let check = || if stop.goes_on() { Ok(()) } else { Err("the search was stopped".to_owned()) };
    let (outlines, owners): (Vec<Outline>, Vec<usize>) =
        files(input.library_root, input.roots).into_iter().unzip();
    let by_name: FxHashMap<&str, usize> =
        outlines.iter().enumerate().map(|(index, outline)| (&*outline.file, index)).collect();
    let known = BundleNames::new(input.roots, &by_name);
    // Only fixes that rename records need the index.
    let words = config.may_ask(&sty::RECORD_NAME).then(|| naming::Words::new(&outlines));
    let words = words.as_ref();
    check()?;
    let bundle = Bundle { config, outlines: &outlines, by_name: &by_name, known: &known, words, stop };
    let roots: Vec<usize> = (0..input.roots.len()).collect();
    let of_roots = parallel::map_on(input.spare, &roots, |&index| {
        let root = &input.roots[index];
        let model = Model::new(root.records);
        // `check` rejects models that would not terminate.
        if !stop.goes_on() || model.check().is_err() {
            return (Vec::new(), Names::default());
        }
        let cx = Cx::new(root, &model, bundle, |file| owners.get(file) == Some(&index));
        cor::check(&cx);
        doc::check(&cx);
        api::check(&cx);
        sty::check(&cx);
        tgn::check(&cx);
        pas::check(&cx);
        drr::check(&cx);
        let names = Names::new(&cx);
        (cx.into_findings(), names)
    });
    let mut findings = Vec::new();
    let mut names = Names::default();
    for (found, of_root) in of_roots {
        findings.extend(found);
        names.extend(of_root);
    }
    check()?;
    findings.extend(cor::clashes(&names, config));
    check()?;
    findings.extend(tgn::check_files(bundle, input.roots));
    check()?;
    findings.extend(sty::check_files(&outlines, (config, stop)));
    check()?;
    findings.extend(api::check_files(bundle, input.roots));
    check()?;
    if let (Some(released), Some(document)) = (input.released, input.document) {
        findings.extend(api::compare(released, document, config));
    }
    if let Some(document) = input.document {
        findings.extend(custom::find(document, config)?);
    }
    findings.sort_by(|one, other| order(one).cmp(&order(other)));
    findings.dedup_by(|one, other| order(one) == order(other));
    findings.iter_mut().for_each(shorten);
    suppress::apply(&outlines, config, &mut findings);
    findings.sort_by(|one, other| order(one).cmp(&order(other)));
    Ok(findings)
}

/// Returns the user's files, each with the root that its definitions belong to.
fn files(library_root: &str, roots: &[Root<'_>]) -> Vec<(Outline, usize)> {
    let mut owners: FxHashMap<Arc<str>, (usize, &Buffer)> = FxHashMap::default();
    for (index, root) in roots.iter().enumerate() {
        for buffer in root.records.sources().buffers() {
            if is_foreign(&buffer.name, library_root) {
                continue;
            }
            let is_own = *buffer.name == *root.td;
            let known = owners.entry(buffer.name.clone()).or_insert((index, buffer));
            if is_own {
                *known = (index, buffer);
            }
        }
    }
    let mut all: Vec<_> = owners.into_iter().collect();
    all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    all.into_iter().map(|(name, (owner, buffer))| (Outline::new(name, &buffer.text), owner)).collect()
}

/// Returns a piece of a file as a place.
fn place_in(outline: &Outline, start: usize, end: usize) -> Location {
    let (start, end) = (outline.position(start), outline.position(end));
    Location::new(&*outline.file, start, Some(end))
}
