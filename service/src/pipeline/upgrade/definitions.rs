//! The library's own definitions as documents.

use std::{collections::BTreeSet, num::NonZero};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    interchange::{self, Document, Extent, Maker, Root},
    job::{self, Job, Target},
    library::Library,
    limits::Limits,
    parallel::{self, Spare},
    review::upgrade::outline::Outline,
};

use super::project::Evaluated;
use crate::pipeline::automatic::includes;

/// Returns the library files that the project itself includes.
pub fn included_roots(outline: &Outline, bundle: &Bundle) -> Vec<String> {
    let texts = bundle.iter().filter(|(path, _)| path.ends_with(".td"));
    let all: BTreeSet<String> = texts.flat_map(|(_, text)| includes::of(text)).collect();
    all.into_iter().filter(|path| outline.has_file(path) && bundle.get(path).is_none()).collect()
}

/// Returns the library files that no other library file includes.
pub fn all_roots(outline: &Outline, _bundle: &Bundle) -> Vec<String> {
    let included = outline.included();
    outline.files().filter(|path| !included.contains(path)).map(str::to_owned).collect()
}

/// Returns the document of some library files, without those that cannot be read by themselves.
///
/// # Errors
/// It would be too large.
pub fn document(
    library: &Library,
    files: &[String],
    threads: NonZero<usize>,
    cancel: &Cancel,
) -> Result<Document, String> {
    let targets = files.iter().map(|path| Target::new(format!("{}/{path}", library.root()))).collect();
    let job = Job {
        targets,
        limits: Limits::generous(),
        uses_snapshots: true,
        spare: Spare::beside_one(threads),
        cancel: cancel.clone(),
        ..Job::new(Bundle::default())
    };
    let outcomes = job::run_all(library, &job, |_, outcome| outcome);
    let roots: Vec<Root<'_>> = outcomes
        .iter()
        .zip(files)
        .filter_map(|(outcome, path)| Some(Root { td: path, records: outcome.records.as_deref()? }))
        .filter(|root| interchange::check(root.records).is_ok())
        .collect();
    made(library, &roots)
}

/// Returns the document of evaluated roots.
pub fn of_records<'e>(library: &Library, all: impl Iterator<Item = &'e Evaluated>) -> Option<Document> {
    let roots: Vec<Root<'_>> = all
        .filter_map(|it| Some(Root { td: it.reads.first()?, records: it.records.as_deref()? }))
        .filter(|root| interchange::check(root.records).is_ok())
        .collect();
    made(library, &roots).ok()
}

fn made(library: &Library, roots: &[Root<'_>]) -> Result<Document, String> {
    let maker = Maker { extent: Extent::Compared, ..Maker::new(library.rules(), library.root()) };
    let made = parallel::with_stack(|| maker.document(roots));
    made.map_err(|error| error.message)
}
