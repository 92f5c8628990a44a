//! A bundle and a manifest in, a finished result out: the way that the command line and the routes share.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::{Code, Severity},
    generators::Action,
    job::{self, Job, OutputOutcome, Plan, TargetOutcome, Usage},
    library::Library,
    limits::Limits,
    record::Records,
    report::Report,
    version::Release,
};
use serde::Serialize;

use crate::{
    automatic::{Graph, outputs},
    flags::{Flags, Problem},
    keys,
    manifest::{FILE_NAME, Manifest, OnUnsupported, Output, Target},
    presets, site,
};

/// Everything that a result depends on.
#[derive(Clone)]
pub struct Request {
    /// The `.td` library.
    pub library: Arc<Library>,
    /// The files.
    pub bundle: Arc<Bundle>,
    /// What is asked for, as it was asked.
    pub manifest: Manifest,
    /// The digest of the bundle.
    pub tree: String,
    /// The name of the result.
    pub key: String,
}

/// A finished result.
#[derive(Debug)]
pub struct Finished {
    /// The object that describes it.
    pub result: ResultObject,
    /// The files of its archive, `result.json` and `manifest.toml` included.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// `result.json`.
#[derive(Clone, Debug, Serialize)]
pub struct ResultObject {
    /// The version of this format.
    pub schema: u32,
    /// The name of the result.
    pub key: String,
    /// How it went.
    pub status: Status,
    /// What made it.
    pub engine: Engine,
    /// What it was made with.
    pub library: LibraryName,
    /// The digest of the bundle.
    pub tree: String,
    /// One per output, in the manifest's order.
    pub outputs: Vec<OutputReport>,
    /// One per evaluation.
    pub targets: Vec<TargetReport>,
    /// The reference site, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteReport>,
    /// Messages that belong to no single output.
    pub diagnostics: Vec<Report>,
    /// Whether there were more messages than are kept.
    pub truncated: bool,
    /// What was asked for, with everything spelled out.
    pub manifest: Manifest,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All is there.
    Ok,
    /// Something could not be made.
    Failed,
    /// It was not asked for by name and can not be made.
    Skipped,
}

/// What made a result.
#[derive(Clone, Debug, Serialize)]
pub struct Engine {
    /// The program.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// Which library a result was made with.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryName {
    /// The release.
    pub mlir: &'static str,
    /// The digest of its files.
    pub digest: String,
}

/// What came of one output.
#[derive(Clone, Debug, Serialize)]
pub struct OutputReport {
    /// Its path in the archive.
    pub path: String,
    /// How it went.
    pub status: Status,
    /// The root it was made from.
    pub td: String,
    /// What made it.
    pub flags: Vec<String>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Digest of its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The files it was made from, the root first.
    pub reads: Vec<String>,
    /// Messages of this output alone.
    pub diagnostics: Vec<Report>,
}

/// What came of one evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct TargetReport {
    /// The root.
    pub td: String,
    /// What it took.
    #[serde(flatten)]
    pub usage: Usage,
}

/// How large the site is.
#[derive(Clone, Debug, Serialize)]
pub struct SiteReport {
    /// Files, the Markdown tree included.
    pub files: usize,
    /// Bytes.
    pub bytes: usize,
    /// What had to be mended in authors' texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<site::Note>,
}

/// Notes on authors' texts that are kept.
const MOST_NOTES: usize = 1_000;

impl Request {
    /// A request for a bundle: its own manifest if it has one, with `change` applied.
    ///
    /// # Errors
    /// The manifest is wrong, or names a release that there is no library of.
    pub fn new(
        library: &Arc<Library>,
        bundle: Bundle,
        change: impl FnOnce(&mut Manifest) -> Result<(), String>,
    ) -> Result<Request, String> {
        let mut manifest = match bundle.get(FILE_NAME) {
            Some(bytes) => Manifest::from_toml(bytes)?,
            None => Manifest::default(),
        };
        change(&mut manifest)?;
        manifest.check()?;
        let name = manifest.mlir.get_or_insert_with(|| library.release().name().to_owned());
        if Release::parse(name) != Some(library.release()) {
            return Err(format!(
                "there is no library of MLIR {name} here; there is {}",
                library.release().name()
            ));
        }
        let tree = keys::bundle(&bundle);
        let key = keys::result(library, &tree, &manifest);
        Ok(Request { library: library.clone(), bundle: Arc::new(bundle), manifest, tree, key })
    }

    /// Does the work.
    #[must_use]
    pub fn run(&self, limits: &Limits, cancel: &Cancel) -> Finished {
        let job = Job {
            files: self.bundle.clone(),
            release: self.library.release(),
            includes: self.manifest.includes.clone(),
            defines: self.manifest.defines.clone(),
            targets: Vec::new(),
            limits: limits.clone(),
            uses_snapshots: true,
            cancel: cancel.clone(),
        };
        let mut work =
            Work { request: self, job, result: self.empty_result(), files: BTreeMap::new(), roots: vec![] };
        work.targets();
        work.site();
        work.finish(limits.diagnostics as usize)
    }

    fn empty_result(&self) -> ResultObject {
        ResultObject {
            schema: 1,
            key: self.key.clone(),
            status: Status::Ok,
            engine: Engine { name: "odsmith", version: env!("CARGO_PKG_VERSION") },
            library: LibraryName {
                mlir: self.library.release().name(),
                digest: self.library.digest().to_owned(),
            },
            tree: self.tree.clone(),
            outputs: Vec::new(),
            targets: Vec::new(),
            site: None,
            diagnostics: Vec::new(),
            truncated: false,
            manifest: Manifest { target: Vec::new(), ..self.manifest.clone() },
        }
    }
}

struct Work<'r> {
    request: &'r Request,
    /// A job without targets.
    job: Job,
    result: ResultObject,
    files: BTreeMap<String, Vec<u8>>,
    roots: Vec<(String, Arc<Records>)>,
}

/// Include folders, macros, and whether unused template arguments are warned of.
type Surroundings = (Vec<String>, Vec<String>, bool);

/// One output on its way: where its report stands, and what is to make it.
struct Planned {
    report: usize,
    flags: Flags,
}

impl Work<'_> {
    fn targets(&mut self) {
        let bundle = self.request.bundle.clone();
        let library = self.request.library.clone();
        let graph = Graph::new(&bundle, library.paths());
        let asked = &self.request.manifest.target;
        if asked.is_empty() {
            let roots = graph.roots();
            if roots.is_empty() {
                self.complain(if bundle.iter().any(|(path, _)| path.ends_with(".td")) {
                    "every .td file is included by another, so none is a root; name the targets in a manifest"
                } else {
                    "the bundle holds no .td file"
                });
            }
            for root in roots {
                self.automatic(root, &graph);
            }
            return;
        }
        for target in asked {
            match presets::expand(target) {
                Ok(target) => self.target(target, &graph),
                Err(error) => self.complain(error),
            }
        }
    }

    /// Evaluates a root, and makes of it what it is good for.
    fn automatic(&mut self, root: &str, graph: &Graph<'_>) {
        let mut target = Target { td: Some(root.to_owned()), ..Target::default() };
        target.includes = self.infer(root, graph, &target);
        target.out_dir = root.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let library_root = self.request.library.root().to_owned();
        let (asked, td) = (target.clone(), root.to_owned());
        let plan = move |records: &Records| {
            let outputs = outputs::of(&td, records, &library_root);
            let planned = outputs.iter().map(|output| job::Output {
                path: in_archive(&asked, output),
                action: Flags::parse(&output.flags).into_action(),
            });
            planned.collect()
        };
        let mut outcome = self.evaluate(job::Target {
            td: root.to_owned(),
            includes: target.includes.clone(),
            warn_unused_template_args: true,
            plan: Some(Plan(Arc::new(plan))),
            ..job::Target::default()
        });
        self.target_report(&outcome);
        if let Some(records) = &outcome.records {
            target.outputs = outputs::of(root, records, self.request.library.root());
        }
        for (output, made) in target.outputs.iter().zip(std::mem::take(&mut outcome.outputs)) {
            let report = self.output_report(root, in_archive(&target, output), output);
            self.deliver(report, made, &outcome.reads);
        }
        self.keep_records(root, outcome.records);
        if target.outputs.is_empty() {
            target.out_dir = None;
        }
        self.result.manifest.target.push(target);
    }

    /// Include folders that nobody named.
    fn infer(&mut self, root: &str, graph: &Graph<'_>, target: &Target) -> Vec<String> {
        if !self.job.includes.is_empty() || !target.includes.is_empty() {
            return target.includes.clone();
        }
        let inferred = graph.infer(root, &[]);
        for message in inferred.ambiguous {
            self.complain(message);
        }
        inferred.includes
    }

    fn target(&mut self, mut target: Target, graph: &Graph<'_>) {
        let td = target.td.clone().unwrap_or_default();
        target.includes = self.infer(&td, graph, &target);
        // Outputs with the same macros and include folders share one evaluation.
        let mut groups: Vec<(Surroundings, Vec<Planned>)> = Vec::new();
        for output in &target.outputs {
            let flags = Flags::parse(&output.flags);
            let report = self.output_report(&td, in_archive(&target, output), output);
            if let Some(problem) = problem_of(&flags) {
                self.result.outputs[report].diagnostics.push(request_error(&problem));
                let is_unknown = matches!(flags.problems.first(), Some(Problem::Unknown { .. }));
                if is_unknown && self.request.manifest.on_unsupported == OnUnsupported::Skip {
                    self.result.outputs[report].status = Status::Skipped;
                }
                continue;
            }
            let key = (flags.includes.clone(), flags.defines.clone(), !flags.no_unused_warnings);
            let planned = Planned { report, flags };
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(planned),
                None => groups.push((key, vec![planned])),
            }
        }
        if groups.is_empty() && target.outputs.is_empty() {
            groups.push(((Vec::new(), Vec::new(), true), Vec::new()));
        }
        for ((includes, defines, warns), group) in groups {
            let includes: Vec<String> = includes.into_iter().chain(target.includes.iter().cloned()).collect();
            let defines: Vec<String> = defines.into_iter().chain(target.defines.iter().cloned()).collect();
            self.group(&td, &includes, &defines, warns, group);
        }
        self.result.manifest.target.push(target);
    }

    fn group(&mut self, td: &str, includes: &[String], defines: &[String], warns: bool, group: Vec<Planned>) {
        let (places, actions): (Vec<usize>, Vec<Action>) =
            group.into_iter().map(|planned| (planned.report, planned.flags.into_action())).unzip();
        let outputs = places.iter().zip(actions).map(|(&place, action)| {
            let path = self.result.outputs[place].path.clone();
            job::Output { path, action }
        });
        let mut outcome = self.evaluate(job::Target {
            td: td.to_owned(),
            includes: includes.to_vec(),
            defines: defines.to_vec(),
            warn_unused_template_args: warns,
            outputs: outputs.collect(),
            plan: None,
        });
        self.target_report(&outcome);
        for (place, made) in places.into_iter().zip(std::mem::take(&mut outcome.outputs)) {
            self.deliver(place, made, &outcome.reads);
        }
        self.keep_records(td, outcome.records);
    }

    fn evaluate(&self, target: job::Target) -> TargetOutcome {
        let job = Job { targets: vec![target], ..self.job.clone() };
        let outcome = odsmith_engine::run(&self.request.library, &job);
        outcome.targets.into_iter().next().unwrap_or_default()
    }

    /// A report of an output that is not made yet; its place among the reports.
    fn output_report(&mut self, td: &str, path: String, output: &Output) -> usize {
        self.result.outputs.push(OutputReport {
            path,
            status: Status::Failed,
            td: td.to_owned(),
            flags: output.flags.clone(),
            size: None,
            lines: None,
            sha256: None,
            reads: Vec::new(),
            diagnostics: Vec::new(),
        });
        self.result.outputs.len() - 1
    }

    fn deliver(&mut self, place: usize, made: OutputOutcome, reads: &[String]) {
        let report = &mut self.result.outputs[place];
        report.reads = reads.to_vec();
        report.diagnostics = made.diagnostics;
        let Some(artefact) = made.artefact else { return };
        report.status = Status::Ok;
        report.size = Some(artefact.bytes.len());
        report.lines = Some(artefact.bytes.iter().filter(|&&byte| byte == b'\n').count());
        report.sha256 = Some(keys::sha256(&artefact.bytes));
        self.files.insert(artefact.path, artefact.bytes);
    }

    fn keep_records(&mut self, td: &str, records: Option<Arc<Records>>) {
        if let Some(records) = records
            && self.roots.iter().all(|(known, _)| known != td)
        {
            self.roots.push((td.to_owned(), records));
        }
    }

    fn target_report(&mut self, outcome: &TargetOutcome) {
        self.result.targets.push(TargetReport { td: outcome.td.clone(), usage: outcome.usage });
        for report in &outcome.diagnostics {
            // Roots that share a file repeat what was said of it.
            if !self.result.diagnostics.contains(report) {
                self.result.diagnostics.push(report.clone());
            }
        }
    }

    fn complain(&mut self, message: impl Into<String>) {
        self.result.diagnostics.push(request_error(&message.into()));
    }

    fn site(&mut self) {
        if !self.request.manifest.docs.enabled {
            return;
        }
        let (pages, mut notes) = site::make(&self.request.manifest.docs, std::mem::take(&mut self.roots));
        if pages.is_empty() {
            return;
        }
        let bytes = pages.iter().map(|page| page.bytes.len()).sum();
        notes.truncate(MOST_NOTES);
        self.result.site = Some(SiteReport { files: pages.len(), bytes, notes });
        self.files.extend(pages.into_iter().map(|page| (page.path, page.bytes)));
    }

    fn finish(mut self, most_diagnostics: usize) -> Finished {
        let has_error = |reports: &[Report]| reports.iter().any(|report| report.severity == Severity::Error);
        let is_failed = has_error(&self.result.diagnostics)
            || self.result.outputs.iter().any(|output| output.status == Status::Failed);
        self.result.status = if is_failed { Status::Failed } else { Status::Ok };
        let mut left = most_diagnostics;
        let lists = std::iter::once(&mut self.result.diagnostics)
            .chain(self.result.outputs.iter_mut().map(|output| &mut output.diagnostics));
        for list in lists {
            self.result.truncated |= list.len() > left;
            list.truncate(left);
            left -= list.len();
        }
        self.files.insert("manifest.toml".to_owned(), self.result.manifest.to_toml().into_bytes());
        self.files.insert("result.json".to_owned(), self.result.to_json());
        Finished { result: self.result, files: self.files }
    }
}

impl ResultObject {
    /// The object as JSON, for people and programs.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Every part of it has a form in JSON.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// All messages.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Report> {
        self.diagnostics.iter().chain(self.outputs.iter().flat_map(|output| &output.diagnostics))
    }

    /// Whether there is a message of this kind.
    #[must_use]
    pub fn has(&self, code: Code) -> bool {
        self.all_diagnostics().any(|report| report.code == code)
    }
}

/// Where an output stands in the archive.
fn in_archive(target: &Target, output: &Output) -> String {
    format!("cpp/{}", target.output_path(output))
}

/// What keeps an output from being planned, if anything does.
fn problem_of(flags: &Flags) -> Option<String> {
    if let Some(problem) = flags.problems.first() {
        return Some(problem.to_string());
    }
    if flags.page.is_some() || flags.output.is_some() || flags.depfile.is_some() || !flags.inputs.is_empty() {
        return Some("an output's flags name a generator and its options, and no page or file".to_owned());
    }
    let outside = flags
        .includes
        .iter()
        .find(|folder| folder.starts_with('/') || odsmith_engine::bundle::normalise(folder).is_none());
    outside.map(|folder| format!("include folder '{folder}' leads out of the bundle"))
}

fn request_error(message: &str) -> Report {
    Report {
        severity: Severity::Error,
        code: Code::Request,
        message: message.to_owned(),
        place: None,
        notes: Vec::new(),
        is_bare: false,
    }
}
