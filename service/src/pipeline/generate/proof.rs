//! Proves that edits change no generated code.
//!
//! The build's own choice of outputs is unknown. So every file that can be read by itself is a root here, besides the
//! roots of the manifest, and every code generator runs on each root: without a dialect, and with each dialect that
//! there is.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    generators::{Action, GENERATORS, Generator, Options},
    job::{self, Job, TargetOutcome},
    limits::{Budget, Limits},
    parallel::Spare,
    record::Records,
    review::lint::fix::ChangedRoot,
};

use super::{Request, plan::Plan};
use crate::{
    pipeline::{automatic::Graph, dependencies},
    store::keys,
};

/// The options that restrict a code generator to one dialect.
const DIALECT_OPTIONS: &[(&str, &str)] = &[
    ("gen-attrdef-decls", "attrdefs-dialect"),
    ("gen-attrdef-defs", "attrdefs-dialect"),
    ("gen-bytecode", "bytecode-dialect"),
    ("gen-dialect-decls", "dialect"),
    ("gen-dialect-defs", "dialect"),
    ("gen-python-op-bindings", "bind-dialect"),
    ("gen-typedef-decls", "typedefs-dialect"),
    ("gen-typedef-defs", "typedefs-dialect"),
];

/// All code that can be generated from the files of a request, as it was before any edit.
pub struct Proof {
    request: Request,
    threads: NonZero<usize>,
    limits: Limits,
    roots: Vec<job::Target>,
    before: Vec<Cells>,
    /// The outputs of each root that differed the last time that the root changed.
    sensitive: RefCell<BTreeMap<usize, BTreeSet<String>>>,
}

/// The property that edits must preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// All code stays the same.
    IsSame,
    /// All outputs that could be generated still can be.
    IsMade,
}

/// The outputs of a root.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cells {
    /// The digest of each output's text by its name; `None` for a failed one.
    digests: BTreeMap<String, Option<String>>,
    /// The files that were read.
    reads: BTreeSet<String>,
}

impl Proof {
    /// Generates all code.
    #[must_use]
    pub fn new(request: Request, limits: Limits, threads: NonZero<usize>) -> Proof {
        let roots = roots(&request, &limits);
        let (before, sensitive) = (Vec::new(), RefCell::default());
        let mut proof = Proof { request, threads, limits, roots, before, sensitive };
        let all: Vec<usize> = (0..proof.roots.len()).collect();
        proof.before = proof.make(&proof.request.bundle, &all, None);
        proof
    }

    /// Returns the roots whose code changes with these texts in place of the files': among all that read the files, or
    /// only the given one.
    #[must_use]
    pub fn changed(
        &self,
        texts: &BTreeMap<String, Vec<u8>>,
        only: Option<usize>,
        question: Question,
    ) -> Vec<ChangedRoot> {
        let mut bundle = Bundle::clone(&self.request.bundle);
        for (path, text) in texts {
            bundle.insert(path, text.clone());
        }
        let reads = |root: &usize| texts.keys().any(|file| self.before[*root].reads.contains(file));
        let asked: Vec<usize> = match only {
            Some(root) => vec![root],
            None => (0..self.roots.len()).filter(reads).collect(),
        };
        let changed = |names: Option<&BTreeSet<String>>| -> Vec<ChangedRoot> {
            let after = self.make(&bundle, &asked, names);
            let mut changed = Vec::new();
            for (&root, after) in asked.iter().zip(after) {
                let before = &self.before[root];
                let outputs = before.changed(&after, question, names);
                if !outputs.is_empty() {
                    changed.push(ChangedRoot { root, reads: before.reads.clone() });
                    self.sensitive.borrow_mut().insert(root, outputs);
                }
            }
            changed
        };
        // Other edits mostly change the same outputs, and these are few.
        let sensitive = only.and_then(|root| self.sensitive.borrow().get(&root).cloned());
        let first = sensitive.map(|outputs| changed(Some(&outputs))).unwrap_or_default();
        if first.is_empty() { changed(None) } else { first }
    }

    /// Generates code for some roots: all outputs, or those with these names.
    fn make(&self, bundle: &Bundle, roots: &[usize], names: Option<&BTreeSet<String>>) -> Vec<Cells> {
        let manifest = &self.request.manifest;
        let plan = names.cloned().map(|names| {
            job::Plan(Arc::new(move |records: &Records| {
                everything(records).into_iter().filter(|output| names.contains(&output.path)).collect()
            }))
        });
        let target = |root: &usize| {
            let mut target = self.roots[*root].clone();
            if let Some(names) = names {
                target.outputs.retain(|output| names.contains(&output.path));
                target.plan.clone_from(&plan);
            }
            target
        };
        let job = Job {
            includes: manifest.includes.clone(),
            defines: manifest.defines.clone(),
            targets: roots.iter().map(target).collect(),
            limits: self.limits.clone(),
            uses_snapshots: true,
            spare: Spare::beside_one(self.threads),
            ..Job::new(bundle.clone())
        };
        job::run_all(&self.request.library, &job, |_, outcome| cells(outcome))
    }
}

impl Cells {
    /// Returns the outputs, all or those with these names, that violate the property after edits.
    fn changed(
        &self,
        after: &Cells,
        question: Question,
        names: Option<&BTreeSet<String>>,
    ) -> BTreeSet<String> {
        let is_wrong = |name: &&String| {
            let (old, new) = (self.digests.get(*name), after.digests.get(*name));
            match question {
                Question::IsSame => old != new,
                Question::IsMade => old.is_some_and(Option::is_some) && !new.is_some_and(Option::is_some),
            }
        };
        let all = self.digests.keys().chain(after.digests.keys());
        let compared = all.filter(|name| names.is_none_or(|names| names.contains(*name)));
        compared.filter(is_wrong).cloned().collect()
    }
}

fn cells(outcome: TargetOutcome) -> Cells {
    let digest = |output: job::OutputOutcome| {
        (output.path, output.artefact.map(|artefact| keys::sha256(&artefact.bytes)))
    };
    Cells {
        digests: outcome.outputs.into_iter().map(digest).collect(),
        reads: outcome.reads.into_iter().collect(),
    }
}

/// Returns the roots of a manifest, with their outputs, and each file by itself.
fn roots(request: &Request, limits: &Limits) -> Vec<job::Target> {
    let budget = Budget::new(limits, Cancel::new());
    let graph = Graph::new(&request.bundle, request.library.paths(), &budget);
    let mut roots = Plan::new(request, limits, &graph).targets();
    let own = request.bundle.iter().map(|(path, _)| path);
    for td in own.filter(|path| path.ends_with(".td") && !dependencies::is_foreign(path)) {
        let is_known = |root: &job::Target| root.td == td && root.defines.is_empty();
        if !roots.iter().any(is_known) {
            let is_told = !request.manifest.includes.is_empty();
            let includes = if is_told { Vec::new() } else { graph.infer(td, &[]).includes };
            let td = td.to_owned();
            roots.push(job::Target { td, includes, shows_excerpts: true, ..job::Target::default() });
        }
    }
    for root in &mut roots {
        root.plan = Some(job::Plan(Arc::new(everything)));
    }
    roots
}

/// Returns the outputs of every code generator for some records.
fn everything(records: &Records) -> Vec<job::Output> {
    let is_asked = |generator: &&Generator| {
        let is_text = generator.name.ends_with("-doc") || generator.name.ends_with("-docs");
        !is_text && generator.is_in(records.rules())
    };
    let dialects: Vec<&str> =
        records.derived("Dialect").filter_map(|dialect| dialect.optional_string("name")).collect();
    let mut outputs = Vec::new();
    for generator in GENERATORS.iter().filter(is_asked) {
        let mut add = |option: Option<(&str, &str)>| {
            let mut options = Options::default();
            let mut path = generator.name.to_owned();
            if let Some((name, value)) = option {
                options.set(name, value);
                path = format!("{path} --{name}={value}");
            }
            outputs.push(job::Output { path, action: Action::Generate(generator, options) });
        };
        add(None);
        for (_, option) in DIALECT_OPTIONS.iter().filter(|(known, _)| *known == generator.name) {
            dialects.iter().for_each(|dialect| add(Some((option, dialect))));
        }
    }
    outputs
}
