//! Removes parts that the library of an older release cannot read.

use super::{Tree, prelude};
use crate::{older, run};

/// The include that dialects need.
const BEGIN: &str = "include \"mlir/IR/OpBase.td\"\n";

/// The largest number of branches that are removed.
const ROUNDS: usize = 40;

/// The dialects without the fields that the library lacks.
pub(super) fn readable_dialects(dialects: Tree) -> Tree {
    if older::is_newest() {
        return dialects;
    }
    let mut smaller = dialects.clone();
    for _ in 0..ROUNDS {
        let text = format!("{BEGIN}{}", older::old_names(&smaller.to_string()));
        let Some(offset) = run::first_error(&text) else { return smaller };
        let Some(path) = smaller.path_at(text.len() - offset, older::old_names) else { return dialects };
        smaller.remove(&path);
    }
    dialects
}

/// The tree without the branches that cannot be read; unchanged if there are too many.
pub(super) fn readable(dialects: &Tree, tree: Tree) -> Tree {
    if older::is_newest() {
        return tree;
    }
    let mut smaller = tree.clone();
    for _ in 0..ROUNDS {
        let text = prelude::before(&format!("{dialects}{smaller}"));
        let Some(offset) = run::first_error(&text) else { return smaller };
        // Errors before the tree have no branch in it.
        let Some(path) = smaller.path_at(text.len() - offset, older::old_names) else { return tree };
        smaller.remove(&path);
    }
    tree
}
