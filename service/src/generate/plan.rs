//! What a request asks for, as evaluations of roots and the outputs of each.

use std::{collections::BTreeSet, sync::Arc};

use odsmith_engine::{
    diagnostic::Severity,
    job::{self, OnDeprecated},
    limits::{Budget, Limits},
    record::Records,
    report::Report,
};
use odsmith_tblgen::flags::{Flags, Problem};

use super::{OutputReport, Request, Status, in_archive, limit_error, request_error};
use crate::{
    automatic::{
        Graph,
        outputs::{self, Surrounding, Wanted},
    },
    manifest::{OnUnsupported, Output, Target},
    presets,
};

/// Files that one message names.
const MOST_NAMED: usize = 8;

/// As many outputs may be asked for as there may be targets with so many.
const OUTPUTS_PER_TARGET: usize = 8;

/// What a request asks for.
#[derive(Default)]
pub(super) struct Plan {
    /// Roots to evaluate. Outputs of a target with the same macros and include folders share one.
    pub evaluations: Vec<Evaluation>,
    /// The expanded targets of the manifest, as far as they are known.
    pub targets: Vec<Target>,
    /// Reports of the outputs that the manifest names, in its order.
    pub outputs: Vec<OutputReport>,
    /// What is wrong with the request.
    pub complaints: Vec<Report>,
    /// Whether Markdown is made although no outputs are wanted: pages include some.
    makes_parts: bool,
}

/// One evaluation, and what becomes of its outputs.
pub(super) struct Evaluation {
    /// What the engine is asked.
    pub target: job::Target,
    /// Who is to get the outputs.
    pub receiver: Receiver,
}

/// Who is to get the outputs of an evaluation.
pub(super) enum Receiver {
    /// Those reports, by their places.
    Named(Vec<usize>),
    /// An expanded target that is yet to be written: its outputs follow from what the root defines.
    Automatic(Target),
}

/// What outputs must have in common to share an evaluation.
#[derive(Default, PartialEq)]
struct Surroundings {
    includes: Vec<String>,
    defines: Vec<String>,
    no_unused_warnings: bool,
    on_deprecated: OnDeprecated,
}

impl Surroundings {
    fn of(flags: &Flags) -> Self {
        Surroundings {
            includes: flags.includes.clone(),
            defines: flags.defines.clone(),
            no_unused_warnings: flags.no_unused_warnings,
            on_deprecated: flags.on_deprecated,
        }
    }
}

/// One planned output: the index of its report, and what is to make it.
struct Planned {
    report: usize,
    flags: Flags,
}

impl Plan {
    pub(super) fn new(request: &Request, limits: &Limits, budget: &Budget) -> Plan {
        let graph = Graph::new(&request.bundle, request.library.paths(), budget);
        let manifest = &request.manifest;
        let makes_parts = !manifest.outputs && manifest.docs.enabled && has_includes(request);
        let mut plan = Plan { makes_parts, ..Plan::default() };
        if request.manifest.target.is_empty() {
            plan.automatic(request, limits, &graph);
        }
        for target in &request.manifest.target {
            if plan.evaluations.len() > limits.targets as usize {
                break;
            }
            match presets::expand(target) {
                Ok(target) => plan.target(request, target, &graph),
                Err(error) => plan.complain(error),
            }
        }
        plan.check(limits, budget);
        plan
    }

    /// A plan that is too large is not begun.
    fn check(&mut self, limits: &Limits, budget: &Budget) {
        let most = limits.targets;
        let stop = if self.evaluations.len() > most as usize {
            Some(limit_error("number of root files", u64::from(most), "targets"))
        } else if self.outputs.len() > most as usize * OUTPUTS_PER_TARGET {
            Some(limit_error("number of outputs", u64::from(most) * OUTPUTS_PER_TARGET as u64, "outputs"))
        } else {
            budget.verdict().map(|diagnostic| Report::unlocated(&diagnostic))
        };
        if let Some(stop) = stop {
            *self = Plan { complaints: vec![stop], ..Plan::default() };
        }
    }

    /// Every root, and of each what it is good for.
    fn automatic(&mut self, request: &Request, limits: &Limits, graph: &Graph<'_>) {
        let (roots, wrappers) = graph.roots_and_wrappers();
        for wrapper in &wrappers {
            let message =
                format!("'{wrapper}' only includes files of other folders: these are roots in its place");
            self.complaints.push(Report { severity: Severity::Warning, ..request_error(&message) });
        }
        if roots.is_empty() {
            self.complain(if request.bundle.iter().any(|(path, _)| path.ends_with(".td")) {
                "every .td file is included by another, so none is a root; name the targets in odsmith.toml"
            } else {
                "the bundle holds no .td file"
            });
        }
        let known: Vec<&str> = roots.iter().chain(&wrappers).copied().collect();
        let unread = graph.unread(&known);
        if !roots.is_empty() && !unread.is_empty() {
            let shown: Vec<String> = unread.iter().take(MOST_NAMED).map(|path| format!("'{path}'")).collect();
            let more = if unread.len() > shown.len() { " and others" } else { "" };
            let message = format!(
                "no root reads {}{more}: they include each other; name a target in odsmith.toml",
                shown.join(", ")
            );
            self.complaints.push(Report { severity: Severity::Warning, ..request_error(&message) });
        }
        let all: BTreeSet<&str> = roots.iter().copied().collect();
        for &root in &roots {
            // One more than there may be: that is how it is known that there are too many.
            if self.evaluations.len() > limits.targets as usize {
                break;
            }
            let mut target = Target { td: Some(root.to_owned()), ..Target::default() };
            target.includes = self.infer(request, root, graph, &target);
            target.out_dir = root.rsplit_once('/').map(|(folder, _)| folder.to_owned());
            self.planned_by_records(request, target, graph.covered(root, &all));
        }
    }

    /// A target whose outputs follow from what its root defines, besides the files that are other roots' affair.
    fn planned_by_records(&mut self, request: &Request, target: Target, others: BTreeSet<String>) {
        let td = target.td.clone().unwrap_or_default();
        let library_root = request.library.root().to_owned();
        let (asked, root) = (target.clone(), td.clone());
        let wanted = if self.makes_parts { Wanted::Docs } else { request.wanted };
        let planner = move |records: &Records| {
            let surroundings = Surrounding { library_root: &library_root, others: &others };
            let mut outputs = outputs::wanted(wanted, &root, records, surroundings);
            for output in &mut outputs {
                output.path = in_archive(&asked, &output.path);
            }
            outputs
        };
        self.evaluations.push(Evaluation {
            target: job::Target {
                td,
                includes: target.includes.clone(),
                defines: target.defines.clone(),
                warn_unused_template_args: true,
                plan: (request.manifest.outputs || self.makes_parts).then(|| job::Plan(Arc::new(planner))),
                ..job::Target::default()
            },
            receiver: Receiver::Automatic(target),
        });
    }

    /// Include folders where none were named.
    fn infer(&mut self, request: &Request, root: &str, graph: &Graph<'_>, target: &Target) -> Vec<String> {
        if !request.manifest.includes.is_empty() || !target.includes.is_empty() {
            return target.includes.clone();
        }
        let inferred = graph.infer(root, &[]);
        for message in inferred.ambiguous {
            self.complain(message);
        }
        inferred.includes
    }

    /// A target that the manifest spells out.
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
        if request.wanted == Wanted::Docs {
            // What the manifest names keeps its name.
            target.outputs.retain(|output| output.path.ends_with(".md"));
            if target.outputs.is_empty() {
                return self.planned_by_records(request, target, BTreeSet::new());
            }
        }
        let mut groups: Vec<(Surroundings, Vec<Planned>)> = Vec::new();
        for output in &target.outputs {
            let mut flags = Flags::parse(&output.flags);
            flags.check_release(request.library.rules());
            let report = self.outputs.len();
            self.outputs.push(OutputReport::new(&td, in_archive(&target, &output.path), output));
            if let Some(problem) = problem_of(&flags) {
                self.outputs[report].diagnostics.push(request_error(&problem));
                let is_unknown = matches!(flags.problems.first(), Some(Problem::Unknown { .. }));
                if is_unknown && request.manifest.on_unsupported == OnUnsupported::Skip {
                    self.outputs[report].status = Status::Skipped;
                }
                continue;
            }
            let key = Surroundings::of(&flags);
            let planned = Planned { report, flags };
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(planned),
                None => groups.push((key, vec![planned])),
            }
        }
        if groups.is_empty() && target.outputs.is_empty() {
            groups.push(Default::default());
        }
        for (surroundings, group) in groups {
            self.group(&target, surroundings, group);
        }
        self.targets.push(target);
    }

    /// A target none of whose outputs are wanted; the first of them says in what surroundings it is read.
    fn target_alone(&mut self, mut target: Target) {
        let outputs = std::mem::take(&mut target.outputs);
        let mut flags = outputs.iter().map(|output| Flags::parse(&output.flags));
        let first = flags.find(|flags| problem_of(flags).is_none());
        let surroundings = first.map(|flags| Surroundings::of(&flags)).unwrap_or_default();
        self.group(&target, surroundings, Vec::new());
        self.targets.push(target);
    }

    fn group(&mut self, target: &Target, surroundings: Surroundings, group: Vec<Planned>) {
        let places = group.iter().map(|planned| planned.report).collect();
        let outputs = group.into_iter().map(|planned| job::Output {
            path: self.outputs[planned.report].path.clone(),
            action: planned.flags.into_action(),
        });
        self.evaluations.push(Evaluation {
            target: job::Target {
                td: target.td.clone().unwrap_or_default(),
                includes: surroundings.includes.into_iter().chain(target.includes.iter().cloned()).collect(),
                defines: surroundings.defines.into_iter().chain(target.defines.iter().cloned()).collect(),
                warn_unused_template_args: !surroundings.no_unused_warnings,
                on_deprecated: surroundings.on_deprecated,
                shows_relative_paths: false,
                makes_after_errors: false,
                outputs: outputs.collect(),
                plan: None,
            },
            receiver: Receiver::Named(places),
        });
    }

    fn complain(&mut self, message: impl Into<String>) {
        self.complaints.push(request_error(&message.into()));
    }
}

impl OutputReport {
    /// The report of an output that is not made yet.
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

/// Whether a page includes others' text.
fn has_includes(request: &Request) -> bool {
    let texts = request.bundle.iter().filter(|(path, _)| path.ends_with(".md"));
    texts.into_iter().any(|(_, text)| {
        text.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"[include \""))
    })
}

/// What keeps an output from being planned, if anything does.
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
    outside.map(|folder| format!("include folder '{folder}' leads out of the bundle"))
}
