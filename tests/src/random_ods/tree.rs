//! Text as a tree whose branches can be left out.

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

    /// Parts, one after the other, between two texts.
    pub(super) fn block(open: impl Into<String>, parts: Vec<Tree>, close: &'static str) -> Tree {
        Tree { open: open.into(), parts, separator: "", close }
    }

    /// Parts with something between them.
    pub(super) fn list(
        open: impl Into<String>,
        parts: Vec<Tree>,
        separator: &'static str,
        close: &'static str,
    ) -> Tree {
        Tree { open: open.into(), parts, separator, close }
    }

    /// The parts of a list of words.
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

    /// One of its parts.
    pub(super) fn part(&self, index: usize) -> Option<&Tree> {
        self.parts.get(index)
    }

    /// The same tree with other texts; what an opening code literal encloses stays as it is.
    pub(super) fn with_texts(mut self, change: &mut impl FnMut(&str) -> String) -> Tree {
        if self.open.contains("[{") && !self.open.contains("}]") {
            return self;
        }
        self.open = change(&self.open);
        self.parts = self.parts.into_iter().map(|part| part.with_texts(change)).collect();
        self
    }

    /// The branches, the big ones first.
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

    /// The smallest branch with the byte that is so far from the end of the text, of which `spelled` is written.
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
        // Without its head, a definition is none.
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
