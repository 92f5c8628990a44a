//! The effect of each change of a release on some outputs: the older release adopts one change after the other.
//!
//! ```text
//! 19 → 19 with the first change of 21 → … → 19 with all changes → 22 over the definitions of 19 → 22
//! ```
//!
//! If 22 cannot read the definitions of 19, 19 with all changes reads those of 22 in the last step but one. A state in
//! which an output cannot be generated counts as the one before it.

use std::{collections::BTreeMap, num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    library::Library,
    parallel::{self, Spare},
    release::{
        Release,
        changes::{self, Row},
    },
    review::upgrade::generated::{FilePair, Names, Origin, Shapes},
};

use super::project::{Outputs, Project, Purpose};

/// The input: the libraries of both releases, and the roots.
#[derive(Clone, Copy)]
pub struct Route<'a> {
    /// The roots.
    pub project: &'a Project,
    /// Their files.
    pub bundle: &'a Bundle,
    /// Their files as the newer release reads them.
    pub edited: &'a Bundle,
    /// The older library.
    pub old: &'a Arc<Library>,
    /// The newer library.
    pub new: &'a Arc<Library>,
    /// The roots to generate in every state.
    pub roots: &'a [usize],
}

/// Finds the shapes of lines that appear or vanish with each change, in the order of the changes.
pub fn run(
    route: Route<'_>,
    names: &Names,
    (olds, news): (&Outputs, &Outputs),
    threads: NonZero<usize>,
) -> Vec<(Origin, Shapes)> {
    let Route { old, new, roots, .. } = route;
    let all = changes::between(old.release(), new.release());
    if roots.is_empty() || all.is_empty() {
        return Vec::new();
    }
    let spare = Spare::beside_one(threads);
    let make = |library: &Library, bundle: &Bundle| -> Outputs {
        let made =
            route.project.evaluate_some(library, bundle, (roots, Purpose::Outputs), NonZero::<usize>::MIN);
        made.into_iter().flat_map(|root| root.outputs).collect()
    };
    let flipped = |library: Library, row: &&Row| library.flipped(row.change);
    // Changes of evaluation come first: most often all of them together show nothing, and need not be tried apart.
    let (of_evaluation, others): (Vec<&Row>, Vec<&Row>) =
        all.iter().copied().partition(|row| row.change.is_of_evaluation());
    let evaluated = of_evaluation.iter().fold(Library::clone(old), flipped);
    let shows_nothing =
        make(&evaluated, route.bundle).iter().all(|(path, bytes)| olds.get(path) == Some(bytes));
    let (start, rows) = match shows_nothing {
        true => (evaluated, others),
        false => (Library::clone(old), [of_evaluation, others].concat()),
    };
    // Each library is derived from the one before, so that they share the states after reading files where possible.
    let libraries: Vec<Library> = rows
        .iter()
        .scan(start, |library, row| {
            *library = library.clone().flipped(row.change);
            Some(library.clone())
        })
        .collect();
    let mut states: Vec<Outputs> =
        parallel::map_on(&spare, &libraries, |library| make(library, route.bundle));
    let newer = make(&under(new.release(), old), route.bundle);
    let is_whole = states.last().is_none_or(|last| last.keys().all(|path| newer.contains_key(path)));
    let ends = if is_whole {
        states.push(newer);
        [Origin::Spelling, Origin::Library]
    } else {
        let newest = all.iter().fold(under(old.release(), new), flipped);
        states.push(make(&newest, route.edited));
        [Origin::Library, Origin::Spelling]
    };
    let mut last: BTreeMap<&str, &Arc<[u8]>> = BTreeMap::new();
    for (path, bytes) in olds.iter().filter(|(path, _)| states.iter().any(|state| state.contains_key(*path)))
    {
        last.insert(path, bytes);
    }
    let mut steps = Vec::new();
    let finally: Outputs = news
        .iter()
        .filter(|(path, _)| last.contains_key(path.as_str()))
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    let origins = rows.iter().map(|row| Origin::Change {
        name: format!("{:?}", row.change),
        text: row.text.to_owned(),
        since: row.since.number(),
    });
    let origins = origins.chain(ends);
    for (origin, state) in origins.zip(states.iter().chain([&finally])) {
        let pairs =
            last.iter().filter_map(|(path, old)| state.get(*path).map(|new| FilePair { path, old, new }));
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

/// Returns the definitions of a library under the rules of a release.
fn under(release: Release, library: &Library) -> Library {
    let files = library.files().map(|(path, bytes)| (path.to_owned(), bytes.clone()));
    Library::new(release, library.digest().to_owned(), files.collect())
}
