//! Puts the outcomes of the evaluations together, in the manifest's order.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use odsmith_engine::{
    artefact::Artefact,
    bundle::Bundle,
    diagnostic::{Code, Id, Severity},
    interchange::{self, Document, Extent, Maker},
    job::{self, OutputOutcome},
    library::Library,
    limits::Limits,
    parallel::{self, Spare},
    report::Finding,
    review::diff::settings::Settings,
    review::lint::{self, baseline::Baseline, finding::Findings},
};
use odsmith_site::{Out, changes::Step};
use odsmith_tblgen::flags;

use super::{
    Finished, OutputReport, Request, Resources, ResultObject, SiteReport, Status, TargetReport,
    evaluate::{Measure, MeasuredOutcome},
    in_archive, none_read,
    plan::{Plan, Receiver},
    request_error,
    result::{Engine, LibraryName},
};
use crate::{
    pipeline::{
        compare::Side,
        documents,
        manifest::{FILE_NAME, Manifest, Output},
        site::{self, Roots, Sources},
    },
    store::keys,
};

/// The path of the model in the archive.
pub const MODEL: &str = "model.json";

/// The path of lint's findings in the archive.
pub const FINDINGS: &str = "findings.json";

/// Maximum number of notes on authors' texts.
const MOST_NOTES: usize = 1_000;

/// Builds the result of a request from the outcomes of its evaluations. The files of the site go to `pages`, or else
/// into the result.
pub(super) fn finish(
    request: &Request,
    plan: Plan,
    made: Vec<MeasuredOutcome>,
    means: Resources<'_>,
    pages: Option<&Out<'_>>,
) -> Finished {
    let limits = means.limits;
    let mut delivery = Delivery {
        request,
        result: empty_result(request),
        files: BTreeMap::new(),
        document: None,
        model: None,
        roots: Roots::default(),
        unused: Vec::new(),
        found: None,
        bytes_left: limits.output_bytes,
        most_bytes: limits.output_bytes,
        most_diagnostics: limits.diagnostics as usize,
        has_error: false,
        has_ignored: false,
    };
    let caution = request
        .library
        .caution()
        .map(|caution| Finding { severity: Severity::Warning, ..request_error(caution) });
    delivery.result.diagnostics = caution.into_iter().chain(plan.complaints).collect();
    delivery.result.outputs = plan.outputs;
    delivery.result.manifest.target = plan.targets;
    for (evaluation, made) in plan.evaluations.into_iter().zip(made) {
        delivery.evaluation(evaluation.receiver, made);
    }
    let unread = delivery.roots.unread().map(str::to_owned).collect();
    delivery.document(means);
    delivery.model();
    delivery.findings(means);
    delivery.site(means, pages);
    let roots = match request.keeps_records {
        true => delivery.roots.read().iter().map(|(_, records)| records.clone()).collect(),
        false => Vec::new(),
    };
    Finished { unread, roots, ..delivery.finish(limits) }
}

fn empty_result(request: &Request) -> ResultObject {
    ResultObject {
        schema: 1,
        key: request.key.clone(),
        status: Status::Ok,
        engine: Engine { name: "odsmith", version: env!("CARGO_PKG_VERSION"), build: keys::BUILD },
        library: LibraryName {
            mlir: request.library.release().name(),
            digest: request.library_digest.clone(),
        },
        tree: request.tree.clone(),
        outputs: Vec::new(),
        targets: Vec::new(),
        site: None,
        diagnostics: Vec::new(),
        truncated: false,
        manifest: Manifest { target: Vec::new(), ..request.manifest.clone() },
    }
}

/// The files of a site.
#[derive(Default)]
struct SiteFiles {
    files: usize,
    bytes: usize,
    /// The files that were not passed on.
    kept: Vec<Artefact>,
}

struct Delivery<'r> {
    request: &'r Request,
    result: ResultObject,
    files: BTreeMap<String, Vec<u8>>,
    /// The document of the roots, if anything reads it.
    document: Option<Arc<Document>>,
    model: Option<Side>,
    roots: Roots,
    /// Unused template arguments.
    unused: Vec<Finding>,
    /// Lint's findings, for the site.
    found: Option<Vec<Finding>>,
    /// The bytes that outputs may still take, out of `most_bytes`.
    bytes_left: u64,
    most_bytes: u64,
    most_diagnostics: usize,
    /// True if an evaluation had an error, even one that is not kept.
    has_error: bool,
    /// True if an error was ignored.
    has_ignored: bool,
}

impl Delivery<'_> {
    fn evaluation(&mut self, receiver: Receiver, made: MeasuredOutcome) {
        let MeasuredOutcome { mut outcome, measures } = made;
        let ignores_errors = self.request.ignores_errors(&outcome.td);
        if ignores_errors {
            let of_outputs = outcome.outputs.iter().flat_map(|output| &output.diagnostics);
            self.has_ignored |= outcome.diagnostics.iter().chain(of_outputs).any(is_error);
            outcome.diagnostics.iter_mut().for_each(ignore);
        }
        self.result.targets.push(TargetReport {
            td: outcome.td.clone(),
            error_count: outcome.error_count,
            usage: outcome.usage,
        });
        self.result.truncated |= outcome.is_truncated;
        for report in &outcome.diagnostics {
            self.has_error |= report.severity == Severity::Error;
            if report.id == Some(Id::UnusedArgument) && !self.unused.contains(report) {
                self.unused.push(report.clone());
            }
            // Roots that share a file repeat its messages. One more than the maximum is kept: it shows that there are
            // more.
            if self.result.diagnostics.len() <= self.most_diagnostics
                && !self.result.diagnostics.contains(report)
            {
                self.result.diagnostics.push(report.clone());
            }
        }
        let places = match receiver {
            Receiver::Named(places) => places,
            Receiver::Automatic(mut target) => {
                let first = self.result.outputs.len();
                let folder = in_archive(&target, "");
                for job::Output { path, action } in std::mem::take(&mut outcome.planned) {
                    let below = path.strip_prefix(&folder).unwrap_or(&path).to_owned();
                    let output = Output { path: below, flags: flags::of_action(&action) };
                    self.result.outputs.push(OutputReport::new(&outcome.td, path, &output));
                    target.outputs.push(output);
                }
                if target.outputs.is_empty() {
                    target.out_dir = None;
                }
                self.result.manifest.target.push(target);
                (first..self.result.outputs.len()).collect()
            }
        };
        let outputs = std::mem::take(&mut outcome.outputs);
        for ((place, output), measure) in places.into_iter().zip(outputs).zip(measures) {
            self.output(place, output, measure, &outcome.reads);
            let report = &mut self.result.outputs[place];
            if ignores_errors && report.status == Status::Failed {
                report.diagnostics.iter_mut().for_each(ignore);
                if !has_error(&report.diagnostics) {
                    report.status = Status::Skipped;
                }
            }
        }
        let Manifest { docs, model, findings, .. } = &self.request.manifest;
        let is_wanted = docs.enabled || *model || *findings || self.request.keeps_records;
        if !is_wanted || self.roots.has_read(&outcome.td) {
            return;
        }
        let Some(records) = outcome.records else {
            // An ignored error is a warning by now, and the last one.
            let mut reports = outcome.diagnostics.into_iter();
            let error = match ignores_errors {
                true => reports.next_back(),
                false => reports.find(|report| report.severity == Severity::Error),
            };
            if let Some(error) = error {
                self.roots.miss(outcome.td, error);
            }
            return;
        };
        match interchange::check(&records) {
            Ok(()) => self.roots.add(outcome.td, records),
            Err(error) => {
                let error = Finding::new(&error, records.sources());
                self.result.diagnostics.push(error.clone());
                self.roots.miss(outcome.td, error);
            }
        }
    }

    fn output(&mut self, place: usize, made: OutputOutcome, measure: Option<Measure>, reads: &[String]) {
        let report = &mut self.result.outputs[place];
        report.reads = reads.to_vec();
        report.diagnostics = made.diagnostics;
        let (Some(artefact), Some(measure)) = (made.artefact, measure) else { return };
        let size = artefact.bytes.len();
        let Some(left) = self.bytes_left.checked_sub(size as u64) else {
            let message = format!("the limit of {} bytes for all outputs is reached", self.most_bytes);
            report.diagnostics.push(Finding { code: Code::Limit, ..request_error(&message) });
            return;
        };
        self.bytes_left = left;
        report.status = Status::Ok;
        report.size = Some(size);
        report.lines = Some(measure.lines);
        report.sha256 = Some(measure.sha256);
        self.files.insert(artefact.path, artefact.bytes);
    }

    /// Builds the document of the roots, if anything reads it: the model, lint, or the changes of releases.
    fn document(&mut self, means: Resources<'_>) {
        let Request { manifest, library, material, .. } = self.request;
        let is_linted = self.lints() && lint::needs_document(&manifest.lint);
        let has_steps = manifest.docs.enabled && !material.releases.earlier.is_empty();
        if self.roots.read().is_empty() || !(manifest.model || is_linted || has_steps) {
            return;
        }
        // A project's own rules may ask for the fields that the project adds.
        let is_whole =
            manifest.model && !self.request.keeps_model || is_linted && !manifest.lint.custom.is_empty();
        let maker = Maker {
            extent: if is_whole { Extent::Whole } else { Extent::Compared },
            most_bytes: self.bytes_left,
            stop: means.progress.cancel().clone(),
            spare: Spare::beside_one(means.threads),
            ..Maker::new(library.rules(), library.root())
        };
        let roots = self.roots.read().iter().map(|(td, records)| (&**td, &**records));
        match documents::make(&maker, roots) {
            Ok(document) => self.document = Some(document),
            Err(error) => self.result.diagnostics.push(Finding::unlocated(&error)),
        }
    }

    /// Returns the document with the records of its roots.
    fn side(&self) -> Option<Side> {
        let roots = self.roots.read().iter().map(|(_, records)| records.clone()).collect();
        Some(Side { document: self.document.clone()?, roots })
    }

    fn model(&mut self) {
        let Some(document) = self.document.as_ref().filter(|_| self.request.manifest.model) else { return };
        if self.request.keeps_model {
            self.model = self.side();
            return;
        }
        let bytes = document.to_json();
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        self.files.insert(MODEL.to_owned(), bytes);
    }

    /// Returns true if lint's findings are wanted, as a file or on the site.
    fn lints(&self) -> bool {
        let Manifest { docs, findings, .. } = &self.request.manifest;
        *findings || docs.enabled && docs.findings
    }

    /// Computes lint's findings, if they are wanted.
    fn findings(&mut self, means: Resources<'_>) {
        let Request { manifest, library, bundle, .. } = self.request;
        let is_shown = manifest.docs.enabled && manifest.docs.findings;
        let is_without_document = lint::needs_document(&manifest.lint) && self.document.is_none();
        if !self.lints() || self.roots.read().is_empty() || is_without_document {
            return;
        }
        match self.lint(means, manifest, library, bundle) {
            Ok(findings) => {
                self.found = is_shown.then(|| findings.findings.clone());
                if !manifest.findings {
                    return;
                }
                // Serializing cannot fail.
                let bytes = serde_json::to_vec(&findings).unwrap_or_default();
                match self.bytes_left.checked_sub(bytes.len() as u64) {
                    Some(left) => {
                        self.bytes_left = left;
                        self.files.insert(FINDINGS.to_owned(), bytes);
                    }
                    None => self.result.diagnostics.push(Finding {
                        code: Code::Limit,
                        ..request_error("there are more findings than the limit for all outputs allows")
                    }),
                }
            }
            Err(report) => self.result.diagnostics.push(*report),
        }
    }

    fn lint(
        &self,
        means: Resources<'_>,
        manifest: &Manifest,
        library: &Library,
        bundle: &Bundle,
    ) -> Result<Findings, Box<Finding>> {
        let wrong = |message: String| Box::new(request_error(&message));
        let config = &manifest.lint;
        let read = |path: &Option<String>, what: &str| {
            let path = path.as_ref()?;
            let bytes = bundle.get(path).cloned();
            Some(bytes.ok_or_else(|| format!("lint.{what}: there is no file '{}'", path.escape_debug())))
        };
        let released = read(&config.released, "released").transpose().map_err(wrong)?;
        let released = released.map(|bytes| Document::from_json(&bytes)).transpose();
        let released = released.map_err(|reason| wrong(format!("lint.released: {reason}")))?;
        let roots = self.roots.read().iter().enumerate();
        let roots: Vec<lint::Root<'_>> = roots
            .map(|(index, (td, records))| {
                // Evaluations that share a file share its messages.
                let unused = if index == 0 { &self.unused[..] } else { &[] };
                lint::Root { td, records, unused }
            })
            .collect();
        let spare = Spare::beside_one(means.threads);
        let input = lint::Input {
            library_root: library.root(),
            roots: &roots,
            released: released.as_ref(),
            document: self.document.as_deref().filter(|_| lint::needs_document(config)),
            spare: &spare,
        };
        let stop = lint::Stop::new(
            means.progress.cancel().clone(),
            usize::try_from(means.limits.output_bytes).unwrap_or(usize::MAX),
        );
        let found = parallel::with_stack(|| lint::run_until(&input, config, &stop));
        if stop.is_over() {
            return Err(Box::new(Finding {
                code: Code::Limit,
                ..request_error("there are more findings than the limit for all outputs allows")
            }));
        }
        let mut findings = found.map_err(wrong)?;
        if let Some(bytes) = read(&config.baseline, "baseline").transpose().map_err(wrong)? {
            let baseline =
                Baseline::from_json(&bytes).map_err(|reason| wrong(format!("lint.baseline: {reason}")))?;
            baseline.accept(&mut findings);
        }
        Ok(Findings::new(findings))
    }

    fn site(&mut self, means: Resources<'_>, pages: Option<&Out<'_>>) {
        if !self.request.manifest.docs.enabled {
            return;
        }
        let steps = self.steps();
        self.document = None;
        let roots = std::mem::take(&mut self.roots);
        let taken = Mutex::new(SiteFiles::default());
        let take = |files: Vec<Artefact>| {
            let (count, bytes) = (files.len(), files.iter().map(|file| file.bytes.len()).sum::<usize>());
            means.progress.write_pages(count);
            let kept = match pages {
                Some(pages) => {
                    pages(files);
                    Vec::new()
                }
                None => files,
            };
            // The counters change together: a thread that panicked cannot have left them inconsistent.
            let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
            taken.files += count;
            taken.bytes += bytes;
            taken.kept.extend(kept);
        };
        let Request { manifest, material, bundle, .. } = self.request;
        let site::SiteOutcome { mut notes, mut errors, coverage, stop } = site::make(
            Sources {
                docs: &manifest.docs,
                syntax: manifest.syntax_table(),
                material,
                bundle,
                generated: self.generated_texts(),
                steps,
                findings: self.found.take(),
            },
            roots,
            means,
            &take,
        );
        if manifest.keep_going {
            self.has_ignored |= has_error(&errors);
            errors.iter_mut().for_each(ignore);
        }
        self.result.diagnostics.extend(errors);
        if let Some(stop) = stop {
            // The site is incomplete, and its pages may depend on chance.
            self.result.diagnostics.push(stop);
            return;
        }
        let SiteFiles { files, bytes, kept } = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        if files == 0 {
            return;
        }
        notes.truncate(MOST_NOTES);
        self.result.site = Some(SiteReport { files, bytes, coverage, notes });
        self.files.extend(kept.into_iter().map(|page| (page.path, page.bytes)));
    }

    /// Returns the changes of each release, if earlier ones are known.
    fn steps(&mut self) -> Vec<Step> {
        let Request { manifest, material, .. } = self.request;
        let Some(side) = self.side().filter(|_| !material.releases.earlier.is_empty()) else {
            return Vec::new();
        };
        let settings = manifest.diff.clone().map_or_else(|| Ok(Settings::default()), serde_json::from_value);
        let settings = settings.map_err(|error| format!("{FILE_NAME}: diff: {error}"));
        let steps = settings.and_then(|settings| material.releases.steps(side, &settings));
        steps.unwrap_or_else(|message| {
            self.result.diagnostics.push(request_error(&message));
            Vec::new()
        })
    }

    /// Returns true if there is no output, no page and nothing else that was requested.
    fn makes_nothing(&self) -> bool {
        let has_outputs = self.result.outputs.iter().any(|output| output.status == Status::Ok);
        let has_others = [MODEL, FINDINGS].iter().any(|path| self.files.contains_key(*path));
        !has_outputs && !has_others && self.result.site.is_none() && self.model.is_none()
    }

    /// Returns the Markdown among the outputs, by its paths in the build.
    fn generated_texts(&self) -> BTreeMap<String, String> {
        let text = |(path, bytes): (&String, &Vec<u8>)| {
            let path = path.strip_prefix("cpp/").filter(|path| path.ends_with(".md"))?;
            Some((path.to_owned(), String::from_utf8_lossy(bytes).into_owned()))
        };
        self.files.iter().filter_map(text).collect()
    }

    fn finish(mut self, limits: &Limits) -> Finished {
        if !self.request.manifest.outputs {
            // The outputs were generated as parts of pages, which contain them.
            self.files.retain(|path, _| !path.starts_with("cpp/"));
            self.result.outputs.clear();
        }
        let makes_nothing = self.request.manifest.keep_going && self.has_ignored && self.makes_nothing();
        if makes_nothing {
            self.result.diagnostics.push(request_error(&none_read(self.result.targets.len())));
        }
        let is_failed = self.has_error
            || has_error(&self.result.diagnostics)
            || self.result.outputs.iter().any(|output| output.status == Status::Failed);
        self.result.status = if is_failed { Status::Failed } else { Status::Ok };
        let mut left = self.most_diagnostics;
        let lists = std::iter::once(&mut self.result.diagnostics)
            .chain(self.result.outputs.iter_mut().map(|output| &mut output.diagnostics));
        for list in lists {
            self.result.truncated |= list.len() > left;
            list.truncate(left);
            left -= list.len();
        }
        if is_failed || self.result.truncated {
            self.result.key = keys::limited(&self.result.key, limits);
        }
        self.files.insert("manifest.toml".to_owned(), self.result.manifest.to_toml().into_bytes());
        self.files.insert("result.json".to_owned(), self.result.to_json());
        Finished {
            result: self.result,
            files: self.files,
            model: self.model,
            roots: Vec::new(),
            unread: BTreeSet::new(),
        }
    }
}

fn has_error(reports: &[Finding]) -> bool {
    reports.iter().any(is_error)
}

fn is_error(report: &Finding) -> bool {
    report.severity == Severity::Error
}

/// Turns an error that is to be ignored into a warning. Errors about limits stay: a result that depends on limits must
/// say so.
fn ignore(report: &mut Finding) {
    if report.severity == Severity::Error && matches!(report.code, Code::Input | Code::Request) {
        report.severity = Severity::Warning;
    }
}
