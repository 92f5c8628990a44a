//! What each change of a release does to some outputs: the older release takes on one after the other.
//!
//! ```text
//! 19 → 19 with the first change of 21 → … → 19 with all changes → 22 over the definitions of 19 → 22
//! ```
//!
//! A state in which an output can not be made counts as the one before it.

use std::{collections::BTreeMap, num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    library::Library,
    parallel::{self, Spare},
    release::changes::{CHANGES, Row},
    review::upgrade::generated::{FilePair, Names, Origin, Shapes},
};

use super::{
    number,
    project::{Outputs, Project, Purpose},
};

/// Between which releases, and with which roots.
#[derive(Clone, Copy)]
pub struct Route<'a> {
    /// The roots.
    pub project: &'a Project,
    /// Their files.
    pub bundle: &'a Bundle,
    /// The older library.
    pub old: &'a Arc<Library>,
    /// The newer library.
    pub new: &'a Arc<Library>,
    /// The roots that are generated again and again.
    pub roots: &'a [usize],
}

/// The shapes that appear or vanish with each change, in the order of the changes. `known` is what both releases make.
pub fn run(
    route: Route<'_>,
    names: &Names,
    (olds, news): (&Outputs, &Outputs),
    threads: NonZero<usize>,
) -> Vec<(Origin, Shapes)> {
    let Route { old, new, roots, .. } = route;
    if roots.is_empty() || number(old) >= number(new) {
        return Vec::new();
    }
    let mut rows: Vec<&Row> =
        CHANGES.iter().filter(|row| row.since > number(old) && row.since <= number(new)).collect();
    rows.sort_by_key(|row| row.since);
    let spare = Spare::new(threads.get() - 1);
    let counts: Vec<usize> = (1..=rows.len() + 1).collect();
    let states: Vec<Outputs> = parallel::map_on(&spare, &counts, |&count| {
        let library = match rows.get(..count) {
            Some(taken) => taken.iter().fold(Library::clone(old), |library, row| library.flipped(row.change)),
            None => as_newer(old, new),
        };
        let made = route.project.evaluate_some(&library, route.bundle, (roots, Purpose::Outputs), NonZero::<usize>::MIN);
        made.into_iter().flat_map(|root| root.outputs).collect()
    });
    let mut last: BTreeMap<&str, &Arc<[u8]>> = BTreeMap::new();
    for (path, bytes) in olds.iter().filter(|(path, _)| states.iter().any(|state| state.contains_key(*path))) {
        last.insert(path, bytes);
    }
    let mut steps = Vec::new();
    let finally: Outputs =
        news.iter().filter(|(path, _)| last.contains_key(path.as_str())).map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    let origins = rows.iter().map(|row| Origin::Change {
        name: format!("{:?}", row.change),
        text: row.text.to_owned(),
        since: row.since,
    });
    let origins = origins.chain([Origin::Spelling, Origin::Library]);
    for (origin, state) in origins.zip(states.iter().chain([&finally])) {
        let pairs = last.iter().filter_map(|(path, old)| {
            state.get(*path).map(|new| FilePair { path, old: old.as_ref(), new })
        });
        let shapes = names.shapes(pairs);
        for (path, bytes) in &mut last {
            if let Some(now) = state.get(*path) {
                *bytes = now;
            }
        }
        if !shapes.is_empty() {
            steps.push((origin, shapes));
        }
    }
    steps
}

/// The newer release over the older one's definitions.
fn as_newer(old: &Library, new: &Library) -> Library {
    let files = old.paths().filter_map(|path| {
        Some((path.to_owned(), old.read(&format!("{}/{path}", old.root()))?))
    });
    Library::new(new.release(), old.digest().to_owned(), files.collect())
}
