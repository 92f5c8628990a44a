//! Text as a tree with branches that can be left out.

use std::fmt;

/// Parts between an opening and a closing text.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    open: String,
    parts: Vec<Tree>,
    separator: &'static str,
    close: &'static str,
}

impl Tree {
    /// Text that is kept or left out as a whole.
    pub(super) fn leaf(text: impl Into<String>) -> Tree {
        Tree { open: text.into(), ..Tree::default() }
    }

    /// Parts in a row between two texts.
    pub(super) fn block(open: impl Into<String>, parts: Vec<Tree>, close: &'static str) -> Tree {
        Tree { open: open.into(), parts, separator: "", close }
    }

    /// Parts with a separator.
    pub(super) fn list(
        open: impl Into<String>,
        parts: Vec<Tree>,
        separator: &'static str,
        close: &'static str,
    ) -> Tree {
        Tree { open: open.into(), parts, separator, close }
    }

    /// Makes a leaf of each word.
    pub(super) fn leaves(words: Vec<String>) -> Vec<Tree> {
        words.into_iter().map(Tree::leaf).collect()
    }

    /// The smallest tree that still `fails`, found by leaving out branches.
    pub(super) fn shrunk(mut self, fails: impl Fn(&Tree) -> bool) -> Tree {
        loop {
            let smaller = self.paths().into_iter().find_map(|path| {
                let mut tree = self.clone();
                tree.remove(&path);
                fails(&tree).then_some(tree)
            });
            match smaller {
                Some(tree) => self = tree,
                None => return self,
            }
        }
    }

    /// The part at an index.
    pub(super) fn part(&self, index: usize) -> Option<&Tree> {
        self.parts.get(index)
    }

    /// The tree with other texts; the content of a code literal that spans parts stays.
    pub(super) fn with_texts(mut self, change: &mut impl FnMut(&str) -> String) -> Tree {
        if self.open.contains("[{") && !self.open.contains("}]") {
            return self;
        }
        self.open = change(&self.open);
        self.parts = self.parts.into_iter().map(|part| part.with_texts(change)).collect();
        self
    }

    /// The paths of all branches, large branches first.
    fn paths(&self) -> Vec<Vec<usize>> {
        let mut paths = vec![Vec::new()];
        let mut next = 0;
        while let Some(path) = paths.get(next).cloned() {
            let here = path.iter().fold(self, |tree, &index| &tree.parts[index]);
            paths.extend((0..here.parts.len()).map(|index| [&path[..], &[index]].concat()));
            next += 1;
        }
        paths.remove(0);
        paths
    }

    /// The path of the smallest branch that contains the byte at this distance from the end, in the text that `spelled`
    /// returns.
    pub(super) fn path_at(&self, from_end: usize, spelled: impl Fn(&str) -> String) -> Option<Vec<usize>> {
        let (mut path, mut tree, mut after) = (Vec::new(), self, 0);
        loop {
            after += spelled(tree.close).len();
            let mut inside = None;
            for (index, part) in tree.parts.iter().enumerate().rev() {
                let length = spelled(&part.to_string()).len();
                if (after + 1..=after + length).contains(&from_end) {
                    inside = Some((index, part));
                    break;
                }
                after += length + spelled(tree.separator).len();
            }
            let Some((index, part)) = inside else { break };
            path.push(index);
            tree = part;
        }
        // A definition without its head is invalid, so the whole is removed.
        while let Some((0, above)) = path.split_last() {
            let parent = above.iter().fold(self, |tree, &index| &tree.parts[index]);
            if above.is_empty() || !parent.open.is_empty() || parent.close.is_empty() {
                break;
            }
            path.pop();
        }
        (!path.is_empty()).then_some(path)
    }

    pub(super) fn remove(&mut self, path: &[usize]) {
        match path {
            [index] => drop(self.parts.remove(*index)),
            [index, rest @ ..] => self.parts[*index].remove(rest),
            [] => {}
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.open)?;
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                f.write_str(self.separator)?;
            }
            part.fmt(f)?;
        }
        f.write_str(self.close)
    }
}
