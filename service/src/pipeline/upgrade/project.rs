//! The roots of a project, and their evaluation over each library.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::Severity,
    generators::Action,
    job::{self, Job, OnDeprecated, TargetOutcome},
    library::Library,
    limits::{Budget, Limits},
    parallel::Spare,
    record::Records,
    report::{Finding, Location},
};
use odsmith_tblgen::flags::Flags;

use super::Request;
use crate::pipeline::{
    automatic::{
        Graph, Roots,
        definitions::Definitions,
        outputs::{self, Surrounding},
    },
    dependencies,
    manifest::{FILE_NAME, Manifest},
    presets,
};

/// The purpose of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Records only.
    Records,
    /// Records and outputs.
    Outputs,
}

/// A root and its settings.
#[derive(Clone, Debug)]
pub struct Root {
    /// The file.
    pub td: String,
    includes: Vec<String>,
    defines: Vec<String>,
    /// The outputs that the manifest names: path and flags. If empty, they follow from the root's definitions.
    outputs: Vec<(String, Vec<String>)>,
    /// Files left to other roots.
    others: Arc<BTreeSet<String>>,
}

/// The roots of a project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The roots, in the order of the manifest or by path.
    pub roots: Vec<Root>,
    includes: Vec<String>,
    defines: Vec<String>,
    limits: Limits,
    cancel: Cancel,
}

/// The outcome of evaluating a root over a library.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// The records, if the evaluation succeeded.
    pub records: Option<Arc<Records>>,
    /// The first error of the evaluation or of an output, if there was one.
    pub error: Option<Finding>,
    /// The files that were read.
    pub reads: Vec<String>,
    /// The generated outputs.
    pub outputs: Vec<(String, Arc<[u8]>)>,
    /// The number of outputs that cannot be generated.
    pub unmade: usize,
}

/// Returns true for a `.td` file of the project itself.
fn is_own_definition(path: &str) -> bool {
    path.ends_with(".td") && !dependencies::is_foreign(path)
}

impl Project {
    /// Finds the roots of a bundle: those of its manifest, or else those that no other file includes.
    ///
    /// # Errors
    /// The manifest is wrong, or there is neither a root nor a program.
    pub fn new(bundle: &Bundle, library: &Library, request: &Request) -> Result<Project, String> {
        let manifest =
            bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?.unwrap_or_default();
        let budget = Budget::new(&request.limits, request.cancel.clone());
        let includes = [manifest.includes, request.includes.clone()].concat();
        let graph = Graph::new(bundle, library.paths(), &budget).with_folders(&includes);
        // Given folders come first.
        let infer = |td: &str, own: &[String]| {
            let inferred = graph.infer(td, own).includes;
            if inferred.is_empty() { own.to_vec() } else { [own, &includes, &inferred].concat() }
        };
        let mut roots = Vec::new();
        for target in manifest.target.iter().filter(|_| !request.each_file) {
            let target = presets::expand(target)?;
            let td = target.td.clone().unwrap_or_default();
            roots.push(Root {
                includes: infer(&td, &target.includes),
                defines: target.defines.clone(),
                outputs: target
                    .outputs
                    .iter()
                    .map(|it| (target.output_path(&it.path), it.flags.clone()))
                    .collect(),
                others: Arc::default(),
                td,
            });
        }
        if roots.is_empty() {
            let all: Vec<&str> =
                bundle.iter().map(|(path, _)| path).filter(|path| is_own_definition(path)).collect();
            let found = if request.each_file { all } else { graph.tops().files };
            let roots_of = Roots { all: found.iter().copied().collect(), included: BTreeSet::new() };
            let definitions = Definitions::default();
            for td in found {
                let others = if request.each_file {
                    BTreeSet::new()
                } else {
                    graph.covered(td, &roots_of, &definitions)
                };
                roots.push(Root {
                    td: td.to_owned(),
                    includes: infer(td, &[]),
                    defines: Vec::new(),
                    outputs: Vec::new(),
                    others: Arc::new(others),
                });
            }
        }
        if roots.is_empty() && request.programs.is_empty() {
            return Err("there is no .td file that is a root".to_owned());
        }
        Ok(Project {
            roots,
            includes,
            defines: manifest.defines,
            limits: request.limits.clone(),
            cancel: request.cancel.clone(),
        })
    }

    /// Evaluates all roots over a library.
    pub fn evaluate(
        &self,
        library: &Library,
        bundle: &Bundle,
        purpose: Purpose,
        threads: NonZero<usize>,
    ) -> Vec<Evaluated> {
        let all: Vec<usize> = (0..self.roots.len()).collect();
        self.evaluate_some(library, bundle, (&all, purpose), threads)
    }

    /// Evaluates some roots over a library.
    pub fn evaluate_some(
        &self,
        library: &Library,
        bundle: &Bundle,
        (roots, purpose): (&[usize], Purpose),
        threads: NonZero<usize>,
    ) -> Vec<Evaluated> {
        let job = Job {
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            targets: roots.iter().map(|&root| self.target(&self.roots[root], library, purpose)).collect(),
            limits: self.limits.clone(),
            uses_snapshots: true,
            spare: Spare::beside_one(threads),
            cancel: self.cancel.clone(),
            ..Job::new(bundle.clone())
        };
        let is_made = purpose == Purpose::Outputs;
        job::run_all(library, &job, |target, outcome| evaluated(outcome, &self.roots[roots[target]], is_made))
    }

    fn target(&self, root: &Root, library: &Library, purpose: Purpose) -> job::Target {
        let settings = job::Settings {
            includes: root.includes.clone(),
            defines: root.defines.clone(),
            no_unused_warnings: true,
            on_deprecated: OnDeprecated::Ignore,
        };
        let target = job::Target { shows_excerpts: true, ..settings.target(root.td.clone()) };
        if purpose == Purpose::Records && !root.outputs.is_empty() {
            return target;
        }
        if !root.outputs.is_empty() {
            let outputs = root.outputs.iter().map(|(path, flags)| (path, Flags::parse(flags)));
            let known = outputs.filter(|(_, flags)| flags.problems.is_empty());
            let outputs =
                known.map(|(path, flags)| job::Output { path: path.clone(), action: flags.into_action() });
            return job::Target { outputs: outputs.collect(), ..target };
        }
        let (td, others, library_root) = (root.td.clone(), root.others.clone(), library.root().to_owned());
        let folder = td.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
        let planner = move |records: &Records| {
            let surrounding = Surrounding { library_root: &library_root, others: &others };
            let mut all = outputs::with_python(&td, records, surrounding);
            // Only their generator checks patterns.
            let makes_patterns = |action: &Action| match action {
                Action::Generate(generator, _) => generator.name == "gen-rewriters",
                _ => false,
            };
            all.retain(|output| match purpose {
                Purpose::Outputs => !output.path.ends_with(".md"),
                Purpose::Records => makes_patterns(&output.action),
            });
            for output in &mut all {
                output.path = format!("{folder}{}", output.path);
            }
            all
        };
        job::Target { plan: Some(job::Plan(Arc::new(planner))), ..target }
    }
}

fn evaluated(outcome: TargetOutcome, root: &Root, is_made: bool) -> Evaluated {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    let of_outputs = outcome.outputs.iter().flat_map(|output| &output.diagnostics);
    let error = outcome.diagnostics.iter().chain(of_outputs).find(is_error);
    let mut error = error.cloned();
    if let Some(error) = &mut error {
        // An error without a location is one of the root.
        error.location.get_or_insert_with(|| Location::new(&root.td, (0, 0), None));
    }
    let has_problem = |flags: &[String]| !Flags::parse(flags).problems.is_empty();
    let unknown = root.outputs.iter().filter(|(_, flags)| has_problem(flags)).count();
    let failed = outcome.outputs.iter().filter(|output| output.artefact.is_none()).count();
    let is_read = outcome.diagnostics.iter().all(|finding| finding.severity != Severity::Error);
    Evaluated {
        records: outcome.records.filter(|_| is_read),
        error,
        unmade: if is_made { unknown + failed } else { 0 },
        reads: outcome.reads,
        outputs: outcome
            .outputs
            .into_iter()
            .filter_map(|output| output.artefact)
            .map(|artefact| (artefact.path, artefact.bytes.into()))
            .collect(),
    }
}

/// Outputs by their paths.
pub type Outputs = BTreeMap<String, Arc<[u8]>>;
