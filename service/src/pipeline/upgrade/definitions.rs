//! The library's own definitions as documents.

use std::{collections::BTreeSet, num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    interchange::{self, Document, Extent, Maker},
    job::{self, Job, Target},
    library::Library,
    limits::Limits,
    outline::{includes, symbols::Symbols},
    parallel::Spare,
    record::Records,
};

use super::project::Evaluated;
use crate::pipeline::documents;

/// Returns the library files that the project itself includes.
pub fn included_roots(symbols: &Symbols, bundle: &Bundle) -> Vec<String> {
    let texts = bundle.iter().filter(|(path, _)| path.ends_with(".td"));
    let all: BTreeSet<String> = texts.flat_map(|(_, text)| includes::of(text)).collect();
    all.into_iter().filter(|path| symbols.has_file(path) && bundle.get(path).is_none()).collect()
}

/// Returns the library files that no other library file includes.
pub fn all_roots(symbols: &Symbols, _bundle: &Bundle) -> Vec<String> {
    let included = symbols.included();
    symbols.files().filter(|path| !included.contains(path)).map(str::to_owned).collect()
}

/// Returns the document of some library files, without those that cannot be read by themselves, and their records.
///
/// # Errors
/// It would be too large.
pub fn document(
    library: &Library,
    files: &[String],
    threads: NonZero<usize>,
    cancel: &Cancel,
) -> Result<(Arc<Document>, Vec<Arc<Records>>), String> {
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
    let roots = outcomes.iter().zip(files);
    let document =
        made(library, roots.filter_map(|(outcome, path)| Some((&**path, outcome.records.as_deref()?))))?;
    Ok((document, outcomes.iter().filter_map(|outcome| outcome.records.clone()).collect()))
}

/// Returns the document of evaluated roots.
pub fn of_records<'e>(library: &Library, all: impl Iterator<Item = &'e Evaluated>) -> Option<Arc<Document>> {
    made(library, all.filter_map(|it| Some((&**it.reads.first()?, it.records.as_deref()?)))).ok()
}

fn made<'r>(
    library: &Library,
    roots: impl Iterator<Item = (&'r str, &'r Records)>,
) -> Result<Arc<Document>, String> {
    let maker = Maker { extent: Extent::Compared, ..Maker::new(library.rules(), library.root()) };
    let readable = roots.filter(|(_, records)| interchange::check(records).is_ok());
    documents::make(&maker, readable).map_err(|error| error.message)
}
