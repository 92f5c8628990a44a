//! A bundle and a manifest in, a finished result out: the pipeline that the command line and the routes share.
//!
//! * [`Request`]: everything that a result depends on;
//! * `plan`: what the manifest asks for, as evaluations of roots and the outputs of each;
//! * `evaluate`: the evaluations, side by side on as many threads as there may be;
//! * `deliver`: what came of them, in the manifest's order, into the [`Finished`] result;
//! * [`proof`]: whether edits leave all code the same;
//! * [`result`]: the object that describes it.

mod deliver;
mod evaluate;
mod plan;
pub mod proof;
pub mod result;
pub mod schema;

use std::{num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    diagnostic::{Code, Severity},
    job::{self, CheckpointStore, Job},
    library::Library,
    limits::{Budget, Limits, over_job},
    parallel::Spare,
    report::Report,
};
use odsmith_site::Out;

use crate::{
    pipeline::{
        automatic::{Graph, SINGLE, only_file, outputs::Wanted},
        dependencies,
        library::Libraries,
        manifest::{FILE_NAME, Manifest, Target},
        progress::{Progress, Stage},
    },
    store::keys,
};

pub use deliver::{FINDINGS, MODEL};
pub use result::{
    ArchiveReport, Finished, KeptModel, KeptResult, OutputReport, ResultObject, SiteReport, Status,
    TargetReport, with_archives,
};

/// Everything that a result depends on.
#[derive(Clone)]
pub struct Request {
    /// The `.td` library.
    pub library: Arc<Library>,
    /// The digest of those of its files that the request can come to.
    pub library_digest: String,
    /// The files.
    pub bundle: Arc<Bundle>,
    /// What is asked for, as it was asked.
    pub manifest: Manifest,
    /// The digest of the bundle.
    pub tree: String,
    /// The name of the result, unless limits have a part in it ([`keys::limited`]).
    pub key: String,
    /// What is made of roots for which no outputs are named.
    pub wanted: Wanted,
    /// Whether the model is handed over as it is, rather than as a file.
    pub keeps_model: bool,
    /// Where outputs are kept for later processes; the result does not depend on it.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
}

impl Request {
    /// A request for a bundle: the manifest given, or else the bundle's own if it has one, with `change` applied.
    ///
    /// # Errors
    /// The manifest is wrong, or names a release that there is no library of.
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
        let library = libraries.of(manifest.mlir.as_deref())?;
        manifest.mlir = Some(library.release().name().to_owned());
        let tree = keys::bundle(&bundle);
        let library_digest = libraries.digest(library, &bundle, &manifest.to_json());
        let key = keys::result(library.release(), &library_digest, &tree, &manifest.to_json());
        Ok(Request {
            library: library.clone(),
            library_digest,
            bundle: Arc::new(bundle),
            manifest,
            tree,
            key,
            wanted: Wanted::default(),
            keeps_model: false,
            checkpoints: None,
        })
    }

    /// The roots that the request comes to, with what is made of each, and what is wrong with it as a whole.
    #[must_use]
    pub fn targets(&self, limits: &Limits) -> (Vec<job::Target>, Vec<Report>) {
        let budget = Budget::default();
        let graph = Graph::new(&self.bundle, self.library.paths(), &budget);
        let plan = plan::Plan::new(self, limits, &graph);
        (plan.evaluations.into_iter().map(|evaluation| evaluation.target).collect(), plan.complaints)
    }

    /// Does the work, on so many threads as `threads` says, this one among them; the result does not depend on it. The files of
    /// the site go to `pages` as they are made, or else into the result. `progress` has what is left of the limits besides
    /// evaluation, and is seen by others.
    #[must_use]
    pub fn run(
        &self,
        limits: &Limits,
        progress: &Progress,
        threads: NonZero<usize>,
        pages: Option<&Out<'_>>,
    ) -> Finished {
        progress.begin(Stage::Planning);
        let means = Means { limits, progress, threads };
        let graph = Graph::new(&self.bundle, self.library.paths(), progress.budget());
        let mut plan = plan::Plan::new(self, limits, &graph);
        let Manifest { docs, model, findings, .. } = &self.manifest;
        let keeps_records = docs.enabled || *model || *findings;
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
            let made = evaluate::all(&self.library, &job, Vec::new(), means, true);
            begun = plan.add_roots(self, limits, &graph, made);
            job.targets = plan.targets();
        }
        progress.expect_targets(job.targets.len());
        let made = evaluate::all(&self.library, &job, begun, means, keeps_records);
        progress.begin(Stage::Documenting);
        deliver::finish(self, plan, made, means, pages)
    }

    /// Where outputs are kept, if the same was asked for before: writing them takes a part of the time of making them, which
    /// a request that never comes again is not to pay.
    fn checkpoints(&self) -> Option<Arc<dyn CheckpointStore>> {
        let parts = [keys::BUILD, self.library.release().name(), &self.manifest.to_json()];
        let name = keys::sha256(parts.join("\0").as_bytes());
        self.checkpoints.clone().filter(|store| store.note(&name))
    }
}

/// What work may cost, and how many threads may do it.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    /// The limits of the job.
    pub limits: &'a Limits,
    /// What is left for work besides evaluation, and how far the job is.
    pub progress: &'a Progress,
    /// How many threads may work.
    pub threads: NonZero<usize>,
}

/// Where an output of a target is in the archive.
fn in_archive(target: &Target, path: &str) -> String {
    format!("cpp/{}", target.output_path(path))
}

/// A limit that the request reaches before anything is read.
fn limit_error(what: &str, most: u64, unit: &str) -> Report {
    Report::unlocated(&over_job(what, most, unit))
}

/// A message about the request itself.
fn request_error(message: &str) -> Report {
    Report {
        severity: Severity::Error,
        code: Code::Request,
        message: message.to_owned(),
        place: None,
        notes: Vec::new(),
        is_of_unknown_place: false,
        is_bare: false,
        is_unended: false,
    }
}
