//! The plan of a request: evaluations of roots and the outputs of each.

use std::{collections::BTreeSet, sync::Arc};

use odsmith_engine::{
    diagnostic::{Id, Severity},
    job::{self, Settings},
    limits::{Budget, Limits},
    record::Records,
    report::Finding,
};
use odsmith_tblgen::flags::{Flags, Problem};

use super::{
    OutputReport, Request, Status, evaluate::MeasuredOutcome, in_archive, limit_error, request_error,
    unmatched,
};
use crate::pipeline::{
    automatic::{
        Graph, Roots, Tops,
        definitions::Definitions,
        outputs::{self, OutputSet, Surrounding},
    },
    dependencies,
    manifest::{OnUnsupported, Output, Target},
    plugins::{MissingPlugin, Plugins},
    presets,
    workspace::IN_TREE,
};

/// The maximum number of outputs is this many times that of targets.
const OUTPUTS_PER_TARGET: usize = 8;

/// The plan of a request.
#[derive(Default)]
pub(super) struct Plan {
    /// Roots to evaluate. Outputs of a target with the same macros and include folders share one.
    pub evaluations: Vec<Evaluation>,
    /// The expanded targets of the manifest, as far as they are known.
    pub targets: Vec<Target>,
    /// Reports of the outputs that the manifest names, in its order.
    pub outputs: Vec<OutputReport>,
    /// The problems of the request.
    pub complaints: Vec<Finding>,
    /// True if Markdown is generated although no outputs are requested, because pages include it.
    makes_parts: bool,
    /// True if roots and outputs are derived from the evaluation, as none are named.
    pub is_automatic: bool,
}

/// One evaluation, and the receiver of its outputs.
pub(super) struct Evaluation {
    /// The target for the engine.
    pub target: job::Target,
    /// The receiver of the outputs.
    pub receiver: Receiver,
}

/// The receiver of an evaluation's outputs.
pub(super) enum Receiver {
    /// The reports with these indexes.
    Named(Vec<usize>),
    /// An expanded target to complete: its outputs follow from the root's definitions.
    Automatic(Target),
}

/// One planned output: the index of its report, and its flags.
struct Planned {
    report: usize,
    flags: Flags,
}

impl Plan {
    /// Plans a request. If no roots are named, only the files that no other file includes are planned, and
    /// [`Plan::add_roots`] must follow their evaluation.
    pub(super) fn new(request: &Request, limits: &Limits, graph: &Graph<'_>) -> Plan {
        let manifest = &request.manifest;
        let makes_parts = !manifest.outputs && manifest.docs.enabled && has_includes(request);
        let mut plan = Plan { makes_parts, ..Plan::default() };
        if request.manifest.target.is_empty() {
            plan.is_automatic = true;
            plan.automatic(request, limits, graph);
        }
        for target in &request.manifest.target {
            if plan.evaluations.len() > limits.targets as usize {
                break;
            }
            match presets::expand(target) {
                Ok(target) if target.td.as_ref().is_some_and(|td| request.omitted.contains(td)) => {}
                Ok(target) => plan.target(request, target, graph),
                Err(error) => plan.complain(error),
            }
        }
        plan.warn_of_patterns(request);
        plan.check(limits, graph.budget());
        plan
    }

    /// Warns of patterns that match no file.
    fn warn_of_patterns(&mut self, request: &Request) {
        let Request { excluded, tolerated, bundle, unneeded_patterns, .. } = request;
        if excluded.is_empty() && tolerated.is_empty() {
            return;
        }
        let own = |path| str::strip_prefix(path, IN_TREE).map_or(path, |below| below.trim_start_matches('/'));
        let files: Vec<&str> = bundle.iter().map(|(path, _)| own(path)).collect();
        for (name, patterns) in [("exclude", excluded), ("ignore-errors", tolerated)] {
            for pattern in patterns.unmatched(&files) {
                if !unneeded_patterns.contains(pattern) {
                    let finding = request_error(&unmatched(name, pattern));
                    let id = Some(Id::UnmatchedPattern);
                    self.complaints.push(Finding { severity: Severity::Warning, id, ..finding });
                }
            }
        }
    }

    /// Returns the targets for the engine.
    pub(super) fn targets(&self) -> Vec<job::Target> {
        self.evaluations.iter().map(|evaluation| evaluation.target.clone()).collect()
    }

    /// Replaces a plan that is too large by its error.
    fn check(&mut self, limits: &Limits, budget: &Budget) {
        let most = limits.targets;
        let stop = if self.evaluations.len() > most as usize {
            Some(limit_error("number of root files", u64::from(most), "targets"))
        } else if self.outputs.len() > most as usize * OUTPUTS_PER_TARGET {
            Some(limit_error("number of outputs", u64::from(most) * OUTPUTS_PER_TARGET as u64, "outputs"))
        } else {
            budget.verdict().map(|diagnostic| Finding::unlocated(&diagnostic))
        };
        if let Some(stop) = stop {
            *self = Plan { complaints: vec![stop], ..Plan::default() };
        }
    }

    /// Plans the files that no other file includes.
    fn automatic(&mut self, request: &Request, limits: &Limits, graph: &Graph<'_>) {
        let mut tops = graph.tops();
        if let Some(file) = request.root.as_deref() {
            tops = Tops { files: graph.file(file).into_iter().collect(), ..Tops::default() };
        }
        for wrapper in tops.wrappers.iter().filter(|path| graph.includes_own(path)) {
            self.warn(format!(
                "'{wrapper}' only includes files of other folders: these are roots in its place"
            ));
        }
        for (wrapper, include) in
            tops.wrappers.iter().filter_map(|path| Some((path, graph.missing_in(path)?)))
        {
            self.warn(format!(
                "'{wrapper}' only includes files, and '{include}' is not there: it is not taken as a root"
            ));
            let help = graph.other_spelling(include).map(|it| Finding::help(format!("it is spelled '{it}'")));
            self.complaints.last_mut().into_iter().for_each(|warning| warning.related.extend(help.clone()));
        }
        for top in &tops.in_circles {
            self.warn(format!(
                "'{top}' and files that it includes include each other: it is taken as the root; name a target in \
                 odsmith.toml if another one is"
            ));
        }
        let count = tops.files.len();
        if count == 0 {
            let is_own = |path: &str| path.ends_with(".td") && !dependencies::is_foreign(path);
            let has_own = request.bundle.iter().any(|(path, _)| is_own(path));
            let has_any = request.bundle.iter().any(|(path, _)| path.ends_with(".td"));
            self.complain(match (has_own, has_any) {
                (true, _) => "no .td file is a root; name the targets in odsmith.toml",
                (false, true) => "every root is excluded by odsmith.toml",
                (false, false) => "there is no .td file",
            });
        }
        tops.files.retain(|path| !request.omitted.contains(*path));
        for &top in &tops.files {
            // One more than the maximum is planned: it shows that there are too many.
            if self.evaluations.len() > limits.targets as usize {
                break;
            }
            self.root(request, top, graph);
        }
    }

    /// Adds a root whose outputs are planned later.
    fn root(&mut self, request: &Request, root: &str, graph: &Graph<'_>) {
        let mut target = Target { td: Some(root.to_owned()), ..Target::default() };
        target.includes = self.infer(request, root, graph, &target);
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below = folder.strip_prefix(&*request.output_base).unwrap_or(folder).trim_start_matches('/');
        target.out_dir = Some(below.to_owned()).filter(|below| !below.is_empty());
        self.evaluate_alone(target);
    }

    /// Plans the outputs of all roots by their records, and adds the files that are roots although others include them.
    /// Returns the outcomes in the new order; new roots have none yet.
    pub(super) fn add_roots(
        &mut self,
        request: &Request,
        limits: &Limits,
        graph: &Graph<'_>,
        made: Vec<MeasuredOutcome>,
    ) -> Vec<Option<MeasuredOutcome>> {
        let budget = graph.budget();
        let mut definitions = Definitions::default();
        for records in made.iter().filter_map(|made| made.outcome.records.as_ref()) {
            definitions.add(records, request.library.root());
        }
        let tops: Vec<&str> = self.evaluations.iter().filter_map(|one| graph.file(&one.target.td)).collect();
        let mut included = graph.included_roots(&tops, &definitions);
        included.retain(|path| request.root.is_none() && !request.omitted.contains(*path));
        for &root in &included {
            if self.evaluations.len() > limits.targets as usize {
                break;
            }
            self.root(request, root, graph);
        }
        let made = made.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        let mut all: Vec<(Evaluation, Option<MeasuredOutcome>)> =
            std::mem::take(&mut self.evaluations).into_iter().zip(made).collect();
        all.sort_by(|(one, _), (other, _)| one.target.td.cmp(&other.target.td));
        let roots = Roots {
            all: tops.iter().chain(&included).copied().collect(),
            included: included.iter().copied().collect(),
        };
        for (evaluation, _) in &mut all {
            let others = graph.covered(&evaluation.target.td, &roots, &definitions);
            self.plan_by_records(request, evaluation, others);
        }
        let (evaluations, made) = all.into_iter().unzip();
        self.evaluations = evaluations;
        self.check(limits, budget);
        made
    }

    /// Adds a target that is only evaluated so far.
    fn evaluate_alone(&mut self, target: Target) {
        let td = target.td.clone().unwrap_or_default();
        let (includes, defines) = (target.includes.clone(), target.defines.clone());
        let settings = Settings { includes, defines, ..Settings::default() };
        self.evaluations.push(Evaluation {
            target: job::Target { shows_excerpts: true, ..settings.target(td) },
            receiver: Receiver::Automatic(target),
        });
    }

    /// Derives the outputs of a target from its root's definitions, without the files left to other roots.
    fn plan_by_records(&self, request: &Request, evaluation: &mut Evaluation, others: BTreeSet<String>) {
        let Receiver::Automatic(asked) = &evaluation.receiver else { return };
        if !request.manifest.outputs && !self.makes_parts {
            return;
        }
        let (asked, root) = (asked.clone(), evaluation.target.td.clone());
        let library_root = request.library.root().to_owned();
        let wanted = if self.makes_parts { OutputSet::Docs } else { request.wanted };
        let planner = move |records: &Records| {
            let surroundings = Surrounding { library_root: &library_root, others: &others };
            let mut outputs = outputs::wanted(wanted, &root, records, surroundings);
            for output in &mut outputs {
                output.path = in_archive(&asked, &output.path);
            }
            outputs
        };
        evaluation.target.plan = Some(job::Plan(Arc::new(planner)));
    }

    /// Returns the include folders of a target, inferred if none are named.
    fn infer(&mut self, request: &Request, root: &str, graph: &Graph<'_>, target: &Target) -> Vec<String> {
        let inferred = graph.infer(root, &target.includes);
        for message in inferred.ambiguous {
            self.warn(message);
        }
        if inferred.includes.is_empty() {
            return target.includes.clone();
        }
        // Given folders come first.
        [target.includes.clone(), request.manifest.includes.clone(), inferred.includes].concat()
    }

    /// Plans a target that the manifest spells out.
    fn target(&mut self, request: &Request, mut target: Target, graph: &Graph<'_>) {
        let td = target.td.clone().unwrap_or_default();
        target.includes = self.infer(request, &td, graph, &target);
        if !request.manifest.outputs {
            let is_text = |output: &Output| output.path.ends_with(".md");
            if !self.makes_parts || !target.outputs.iter().any(is_text) {
                return self.target_alone(target);
            }
            target.outputs.retain(is_text);
        }
        if request.wanted == OutputSet::Docs {
            // Outputs in the manifest keep their names.
            target.outputs.retain(|output| output.path.ends_with(".md"));
            if target.outputs.is_empty() {
                self.evaluate_alone(target);
                if let Some(mut evaluation) = self.evaluations.pop() {
                    self.plan_by_records(request, &mut evaluation, BTreeSet::new());
                    self.evaluations.push(evaluation);
                }
                return;
            }
        }
        let mut groups: Vec<(Settings, Vec<Planned>)> = Vec::new();
        let Request { manifest, bundle, offered, executables, .. } = request;
        let mut plugins = Plugins::new(manifest, bundle, offered, executables);
        for output in &target.outputs {
            let mut flags = Flags::parse(&output.flags);
            let report = self.outputs.len();
            self.outputs.push(OutputReport::new(&td, in_archive(&target, &output.path), output));
            if let Some(name) = plugins.name_for(&target, &flags) {
                match plugins.action(&name, &mut flags) {
                    Ok(action) => flags.action = Some(action),
                    Err(missing) => {
                        self.outputs[report].miss_plugin(missing, request);
                        continue;
                    }
                }
            }
            flags.check_release(request.library.release());
            if let Some(problem) = problem_of(&flags) {
                let skips = request.manifest.on_unsupported == OnUnsupported::Skip;
                let report = &mut self.outputs[report];
                match flags.problems.first() {
                    // Another program makes it: a name that is like the flag is no help.
                    Some(Problem::Unknown { flag, .. }) if skips => {
                        let message = format!("'{}' is skipped: unknown flag '{flag}'", output.path);
                        let severity = Severity::Warning;
                        report.diagnostics.push(Finding { severity, ..request_error(&message) });
                        report.status = Status::Skipped;
                    }
                    _ => report.diagnostics.push(request_error(&problem)),
                }
                continue;
            }
            let key = flags.settings();
            let planned = Planned { report, flags };
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(planned),
                None => groups.push((key, vec![planned])),
            }
        }
        if groups.is_empty() && target.outputs.is_empty() {
            groups.push(Default::default());
        }
        for (settings, group) in groups {
            self.group(&target, settings, group);
        }
        self.targets.push(target);
    }

    /// Plans a target without outputs; its settings are those of its first valid output.
    fn target_alone(&mut self, mut target: Target) {
        let outputs = std::mem::take(&mut target.outputs);
        let mut flags = outputs.iter().map(|output| Flags::parse(&output.flags));
        let first = flags.find(|flags| problem_of(flags).is_none());
        let settings = first.map(|flags| flags.settings()).unwrap_or_default();
        self.group(&target, settings, Vec::new());
        self.targets.push(target);
    }

    fn group(&mut self, target: &Target, mut settings: Settings, group: Vec<Planned>) {
        let places = group.iter().map(|planned| planned.report).collect();
        let outputs = group.into_iter().map(|planned| job::Output {
            path: self.outputs[planned.report].path.clone(),
            action: planned.flags.into_action(),
        });
        settings.includes.extend_from_slice(&target.includes);
        settings.defines.extend_from_slice(&target.defines);
        let td = target.td.clone().unwrap_or_default();
        let outputs = outputs.collect();
        let target = job::Target { shows_excerpts: true, outputs, ..settings.target(td) };
        self.evaluations.push(Evaluation { target, receiver: Receiver::Named(places) });
    }

    fn warn(&mut self, message: String) {
        self.complaints.push(Finding { severity: Severity::Warning, ..request_error(&message) });
    }

    fn complain(&mut self, message: impl Into<String>) {
        self.complaints.push(request_error(&message.into()));
    }
}

impl OutputReport {
    /// Reports that a plugin cannot make the output.
    fn miss_plugin(&mut self, missing: MissingPlugin, request: &Request) {
        let skips = request.manifest.on_unsupported == OnUnsupported::Skip;
        let (severity, message) = match missing {
            MissingPlugin::LeftOut(message) => (Severity::Note, message),
            MissingPlugin::Error(message) if skips => (Severity::Warning, message),
            MissingPlugin::Error(message) => (Severity::Error, message),
        };
        if severity != Severity::Error {
            self.status = Status::Skipped;
        }
        self.diagnostics.push(Finding { severity, ..request_error(&message) });
    }

    /// Creates the report of an output that is not generated yet.
    pub(super) fn new(td: &str, path: String, output: &Output) -> Self {
        OutputReport {
            path,
            status: Status::Failed,
            td: td.to_owned(),
            flags: output.flags.clone(),
            size: None,
            lines: None,
            sha256: None,
            reads: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// Returns true if a page includes generated text.
fn has_includes(request: &Request) -> bool {
    let texts = request.bundle.iter().filter(|(path, _)| path.ends_with(".md"));
    texts.into_iter().any(|(_, text)| {
        text.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"[include \""))
    })
}

/// Returns the problem that keeps an output from being planned, if there is one.
fn problem_of(flags: &Flags) -> Option<String> {
    if let Some(problem) = flags.problems.first() {
        return Some(problem.to_string());
    }
    if flags.page.is_some()
        || flags.output.is_some()
        || flags.depfile.is_some()
        || flags.mlir.is_some()
        || flags.server.is_some()
        || !flags.inputs.is_empty()
    {
        return Some("an output's flags name a generator and its options, and no page or file".to_owned());
    }
    let outside = flags
        .includes
        .iter()
        .find(|folder| folder.starts_with('/') || odsmith_engine::bundle::normalise(folder).is_none());
    outside.map(|folder| format!("include folder '{folder}' leads out of the project"))
}
