//! Leaves out what the library of an older release does not read.

use odsmith_engine::release::changes::Change;

use super::{Tree, prelude};
use crate::{older, run, set_up};

/// Branches that are left out at most.
const ROUNDS: usize = 40;

/// The tree without the branches in which reading fails; as it was, if there are too many.
pub(super) fn readable(dialects: &Tree, tree: Tree) -> Tree {
    if set_up::fuzzed_release().rules().has(Change::PropertiesInFormats) {
        return tree;
    }
    let mut smaller = tree.clone();
    for _ in 0..ROUNDS {
        let text = prelude::before(&format!("{dialects}{smaller}"));
        let Some(offset) = run::first_error(&text) else { return smaller };
        // What comes first in the text is not of the tree.
        let Some(path) = smaller.path_at(text.len() - offset, older::old_names) else { return tree };
        smaller.remove(&path);
    }
    tree
}
