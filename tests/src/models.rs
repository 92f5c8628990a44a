//! The models of a library's files, one after the other.

use std::{fs, path::Path, sync::Arc};

use odsmith_engine::{
    cancel::Cancel,
    job::{Job, Target},
    library::Library,
    limits::Limits,
    ods::Model,
    parallel::Spare,
    release::Release,
    source::Files,
};

use crate::{pool, tree};

/// The files below a folder.
struct FolderFiles(std::path::PathBuf);

impl Files for FolderFiles {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        fs::read(self.0.join(path)).ok().map(Arc::from)
    }
}

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
        let job = Job {
            files: Arc::new(FolderFiles(include.to_owned())),
            includes: vec![".".to_owned()],
            defines: Vec::new(),
            targets: vec![Target { td: td.clone(), ..Target::default() }],
            limits: Limits::generous(),
            uses_snapshots: false,
            checkpoints: None,
            spare: Spare::new(1),
            cancel: Cancel::new(),
        };
        let outcome = odsmith_engine::run(&library, &job).targets.pop().unwrap_or_default();
        let records = outcome.records?;
        let model = Model::new(&records);
        model.check().is_ok().then(|| work(td, &model))
    });
    answers.into_iter().flatten().collect()
}
