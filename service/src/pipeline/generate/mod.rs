//! A bundle and a manifest in, a finished result out: the pipeline that the command line and the routes share.
//!
//! * [`Request`]: everything that a result depends on;
//! * `plan`: the requested evaluations of roots and the outputs of each;
//! * `evaluate`: the evaluations, in parallel on the given number of threads;
//! * `deliver`: their outcomes, in the manifest's order, as the [`Finished`] result;
//! * [`proof`]: checks that edits leave all code the same;
//! * [`result`]: the object that describes it.

mod deliver;
mod evaluate;
mod plan;
pub mod proof;
pub mod result;
pub mod schema;

use std::{collections::BTreeSet, num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    diagnostic::Code,
    job::{self, CheckpointStore, Job},
    library::Library,
    limits::{Budget, Limits, over_job},
    parallel::Spare,
    report::Finding,
};
use odsmith_site::Out;

use crate::{
    pipeline::{
        automatic::{Graph, SINGLE, only_file, outputs::OutputSet},
        dependencies,
        library::{Libraries, NamedLibrary},
        manifest::{FILE_NAME, Manifest, Target},
        material::Material,
        plugins::{self, Executables, OfferedModules},
        presets,
        progress::{Progress, Stage},
        workspace::{IN_TREE, patterns::Patterns},
    },
    store::{archive::MODULE_END, keys},
};

pub use deliver::{FINDINGS, MODEL};
pub use result::{
    ArchiveReport, Finished, KeptResult, OutputReport, ResultObject, SiteReport, Status, TargetReport,
    with_archives,
};

/// Everything that a result depends on.
#[derive(Clone)]
pub struct Request {
    /// The `.td` library.
    pub library: Arc<Library>,
    /// The digest of the library files that the request can reach.
    pub library_digest: String,
    /// The files.
    pub bundle: Arc<Bundle>,
    /// The manifest, as requested.
    pub manifest: Manifest,
    /// The digest of the bundle.
    pub tree: String,
    /// The key of the result, unless it depends on limits ([`keys::limited`]).
    pub key: String,
    /// Files that are no sources.
    pub excluded: Patterns,
    /// Roots whose errors are warnings.
    pub tolerated: Patterns,
    /// Patterns that may match no file: their files are outside of the selection.
    pub unneeded_patterns: BTreeSet<String>,
    /// Roots that are left out.
    pub omitted: BTreeSet<String>,
    /// The only root, if a file was selected.
    pub root: Option<String>,
    /// The folder that paths of outputs leave out.
    pub output_base: String,
    /// The outputs to generate for roots without named outputs.
    pub wanted: OutputSet,
    /// The material of the site besides the bundle; the key does not name it.
    pub material: Material,
    /// The modules that the server offers.
    pub offered: OfferedModules,
    /// The treatment of plugins that are executables: run, left out or refused.
    pub executables: Executables,
    /// True if errors are left out that follow from others at the same place.
    pub is_brief: bool,
    /// True if the model is returned as a value, rather than as a file.
    pub keeps_model: bool,
    /// True if the records of the roots are returned.
    pub keeps_records: bool,
    /// The store of outputs for later processes; the result does not depend on it.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
}

impl Request {
    /// Creates a request for a bundle: with the given manifest, or else the bundle's own if it has one, with `change`
    /// applied.
    ///
    /// # Errors
    /// The manifest is wrong, or names a release without a library.
    pub fn new(
        libraries: &Libraries,
        bundle: Bundle,
        manifest: Option<Manifest>,
        change: impl FnOnce(&mut Manifest) -> Result<(), String>,
    ) -> Result<Request, String> {
        let mut manifest = match (manifest, bundle.get(FILE_NAME)) {
            (Some(manifest), _) => manifest,
            (None, Some(bytes)) => Manifest::from_toml(bytes)?,
            (None, None) => Manifest::default(),
        };
        change(&mut manifest)?;
        for target in &mut manifest.target {
            if target.td.as_deref() == Some(SINGLE)
                && bundle.get(SINGLE).is_none()
                && let Some(only) = only_file(&bundle)
            {
                target.td = Some(only.to_owned());
            }
        }
        manifest.check()?;
        let is_there =
            |name: &str| bundle.iter().any(|(path, _)| path.starts_with(&dependencies::root(name)));
        if let Some(name) = manifest.dependencies.keys().find(|name| !is_there(name)) {
            return Err(format!(
                "{FILE_NAME}: the dependency '{name}' has no .td files here: the command line gets them, a server does not"
            ));
        }
        let NamedLibrary { name, library } = libraries.resolve(manifest.mlir.as_deref(), &bundle)?;
        manifest.mlir = Some(name);
        plugins::add_digests(&mut manifest, libraries.modules());
        let bundle = without_other_settings(bundle, &manifest);
        let tree = keys::bundle(&bundle);
        let (excluded, tolerated) =
            (Patterns::new(&manifest.exclude)?, Patterns::new(&manifest.ignore_errors)?);
        let bundle = without_excluded(bundle, &manifest, &excluded);
        let library_digest = libraries.digest(&library, &bundle, &manifest.to_json());
        let key = keys::result(library.release(), &library_digest, &tree, &manifest.to_json());
        Ok(Request {
            library,
            library_digest,
            bundle: Arc::new(bundle),
            manifest,
            tree,
            key,
            excluded,
            tolerated,
            unneeded_patterns: BTreeSet::new(),
            omitted: BTreeSet::new(),
            root: None,
            output_base: String::new(),
            wanted: OutputSet::default(),
            material: Material::default(),
            offered: libraries.modules().clone(),
            executables: Executables::default(),
            is_brief: false,
            keeps_model: false,
            keeps_records: false,
            checkpoints: None,
        })
    }

    /// Sets the selection of a project: its only root, and the folder that paths of outputs leave out.
    #[must_use]
    pub fn with_selection(self, root: Option<String>, output_base: String) -> Request {
        if root.is_none() && output_base.is_empty() {
            return self;
        }
        let selection = [&self.key, root.as_deref().unwrap_or_default(), &output_base].map(String::from);
        Request { key: keys::sha256(selection.join("\0").as_bytes()), root, output_base, ..self }
    }

    /// Returns true if errors of a root are warnings.
    #[must_use]
    pub fn ignores_errors(&self, root: &str) -> bool {
        self.manifest.keep_going || self.tolerated.has(root)
    }

    /// Returns the roots of the request, with the outputs of each, and the problems of the request as a whole.
    #[must_use]
    pub fn targets(&self, limits: &Limits) -> (Vec<job::Target>, Vec<Finding>) {
        let budget = Budget::default();
        let graph =
            Graph::new(&self.bundle, self.library.paths(), &budget).with_folders(&self.manifest.includes);
        let plan = plan::Plan::new(self, limits, &graph);
        (plan.evaluations.into_iter().map(|evaluation| evaluation.target).collect(), plan.complaints)
    }

    /// Runs the request on `threads` threads, this one among them; the result does not depend on their number. The
    /// files of the site go to `pages` as they are rendered, or else into the result. `progress` holds the budget for
    /// work other than evaluation, and others can read it.
    #[must_use]
    pub fn run(
        &self,
        limits: &Limits,
        progress: &Progress,
        threads: NonZero<usize>,
        pages: Option<&Out<'_>>,
    ) -> Finished {
        progress.begin(Stage::Planning);
        let means = Resources { limits, progress, threads };
        let graph = Graph::new(&self.bundle, self.library.paths(), progress.budget())
            .with_folders(&self.manifest.includes);
        let mut plan = plan::Plan::new(self, limits, &graph);
        let Manifest { docs, model, findings, .. } = &self.manifest;
        let keeps_records = docs.enabled || *model || *findings || self.keeps_records;
        let follows_from_files = !keeps_records && !plan.is_automatic;
        let checkpoints = if follows_from_files { self.checkpoints() } else { None };
        let mut job = Job {
            files: self.bundle.clone(),
            includes: self.manifest.includes.clone(),
            defines: self.manifest.defines.clone(),
            targets: plan.targets(),
            limits: limits.clone(),
            uses_snapshots: true,
            checkpoints,
            spare: Spare::beside_one(threads),
            cancel: progress.cancel().clone(),
        };
        if job.checkpoints.is_some() {
            job.targets.iter_mut().for_each(|target| target.keeps_outputs = true);
        }
        progress.begin(Stage::Evaluating);
        let mut begun = Vec::new();
        if plan.is_automatic {
            progress.expect_targets(job.targets.len());
            let made = evaluate::all(&self.library, &self.bundle, &job, Vec::new(), means, true);
            begun = plan.add_roots(self, limits, &graph, made);
            job.targets = plan.targets();
        }
        progress.expect_targets(job.targets.len());
        let mut made = evaluate::all(&self.library, &self.bundle, &job, begun, means, keeps_records);
        if self.is_brief {
            made.iter_mut().for_each(|one| evaluate::drop_consequences(&mut one.outcome.diagnostics));
        }
        progress.begin(Stage::Documenting);
        deliver::finish(self, plan, made, means, pages)
    }

    /// Returns the store of outputs, if the same was requested before: writing them takes a part of the time of
    /// generating them, which a request that never comes again should not pay.
    fn checkpoints(&self) -> Option<Arc<dyn CheckpointStore>> {
        let parts = [keys::BUILD, self.library.release().name(), &self.manifest.to_json()];
        let name = keys::sha256(parts.join("\0").as_bytes());
        self.checkpoints.clone().filter(|store| store.note(&name))
    }
}

/// Removes the `.toml` files and modules that no setting names, so that a result does not depend on them.
fn without_other_settings(bundle: Bundle, manifest: &Manifest) -> Bundle {
    let Manifest { mlir, lint, plugins, .. } = manifest;
    let mut named: BTreeSet<&str> =
        [mlir, &lint.released, &lint.baseline].into_iter().filter_map(|path| path.as_deref()).collect();
    named.extend(plugins.values().filter_map(|plugin| plugin.file()));
    let is_read = |path: &str| {
        !(path.ends_with(".toml") || path.ends_with(MODULE_END))
            || path == FILE_NAME
            || dependencies::is_foreign(path)
            || named.contains(path)
    };
    if bundle.iter().all(|(path, _)| is_read(path)) {
        return bundle;
    }
    let mut read = Bundle::default();
    for (path, bytes) in bundle.iter().filter(|(path, _)| is_read(path)) {
        read.insert(path, bytes.clone());
    }
    read
}

/// Moves excluded files to the dependencies in the tree: includes read them, and they have no roots or pages. Files of
/// targets stay.
fn without_excluded(bundle: Bundle, manifest: &Manifest, excluded: &Patterns) -> Bundle {
    let is_moved = |path: &str| path != FILE_NAME && !dependencies::is_foreign(path) && excluded.has(path);
    if excluded.is_empty() || !bundle.iter().any(|(path, _)| is_moved(path)) {
        return bundle;
    }
    let targets = manifest.target.iter().filter_map(|target| presets::expand(target).ok()?.td);
    let targets: BTreeSet<String> = targets.collect();
    let mut moved = Bundle::default();
    for (path, bytes) in bundle.iter() {
        let is_moved = is_moved(path) && !targets.contains(path);
        moved.insert(if is_moved { format!("{IN_TREE}/{path}") } else { path.to_owned() }, bytes.clone());
    }
    moved
}

/// The limits of the work, and the number of its threads.
#[derive(Clone, Copy)]
pub(crate) struct Resources<'a> {
    /// The limits of the job.
    pub limits: &'a Limits,
    /// The budget for work other than evaluation, and the progress of the job.
    pub progress: &'a Progress,
    /// The number of threads.
    pub threads: NonZero<usize>,
}

/// Returns the path of a target's output in the archive.
fn in_archive(target: &Target, path: &str) -> String {
    format!("cpp/{}", target.output_path(path))
}

/// Returns the error for a limit that the request exceeds before any file is read.
fn limit_error(what: &str, most: u64, unit: &str) -> Finding {
    Finding::unlocated(&over_job(what, most, unit))
}

/// Returns the message about roots of which none can be read.
#[must_use]
pub fn none_read(roots: usize) -> String {
    let word = if roots == 1 { "root" } else { "roots" };
    format!("none of {roots} {word} can be read")
}

/// Returns the message about a pattern that matches no file; `by` is its key or flag.
#[must_use]
pub fn unmatched(by: &str, pattern: &str) -> String {
    format!("{by} '{pattern}' matches no file")
}

/// Returns an error about the request itself.
fn request_error(message: &str) -> Finding {
    Finding { code: Code::Request, message: message.to_owned(), ..Finding::default() }
}
