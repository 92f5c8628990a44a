//! The models of a library's files, one after the other.

use std::path::Path;

use odsmith_engine::{
    job::{Job, Target},
    library::Library,
    limits::Limits,
    ods::Model,
    parallel::Spare,
    release::Release,
};

use crate::{files::TestFiles, pool, tree};

/// Calls `work` with the model of every MLIR file below an include folder that can be read on its own. Returns the
/// results in the order of the files.
///
/// # Panics
/// When there is no such release.
pub fn each<T: Send>(release: &str, include: &Path, work: impl Fn(&str, &Model<'_>) -> T + Sync) -> Vec<T> {
    let release = Release::parse(release).unwrap_or_else(|message| panic!("{message}"));
    let library = Library::new(release, String::new(), Default::default());
    let files: Vec<String> = tree::files(&include.join("mlir"))
        .iter()
        .filter_map(|file| Some(file.strip_prefix(include).ok()?.to_str()?.to_owned()))
        .collect();
    let answers = pool::map(&files, |td| {
        let job = Job::new(TestFiles::below(include)).include(".").target(Target::new(td.as_str()));
        let job = Job { spare: Spare::new(1), ..job.limits(Limits::generous()) };
        let outcome = odsmith_engine::run(&library, &job).targets.pop().unwrap_or_default();
        let records = outcome.records?;
        let model = Model::new(&records);
        model.check().is_ok().then(|| work(td, &model))
    });
    answers.into_iter().flatten().collect()
}
