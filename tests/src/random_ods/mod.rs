//! Random dialects: operations with assembly formats, types and attributes, enums, passes and interfaces, most of them
//! valid.
//!
//! A file is one of a few themes, and a theme names the generators that have something to say about it. What a file
//! holds is a tree, so that a failing one can be made smaller by leaving out branches.

mod assembly;
mod definitions;
mod operations;
mod prelude;
mod tree;
mod various;
mod words;

use crate::random::Random;

pub use prelude::PRELUDE;
use tree::Tree;

/// A file: the prelude and what is left out bit by bit.
#[derive(Clone, Debug)]
pub struct File {
    tree: Tree,
    /// The flags of each run that the theme is about.
    pub runs: &'static [&'static [&'static str]],
}

impl File {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{PRELUDE}\n{}", self.tree)
    }

    /// What follows the prelude.
    #[must_use]
    pub fn body(&self) -> String {
        self.tree.to_string()
    }

    /// The smallest file that leaving out branches leads to and that still `fails`.
    #[must_use]
    pub fn shrunk(self, fails: impl Fn(&str) -> bool) -> File {
        let runs = self.runs;
        File { tree: self.tree.shrunk(|tree| fails(&format!("{PRELUDE}\n{tree}"))), runs }
    }
}

/// The generators of operations.
const OPERATIONS: &[&[&str]] = &[
    &["--gen-op-decls"],
    &["--gen-op-defs"],
    &["--gen-op-doc"],
    &["--gen-op-decls", "--op-shard-count=2"],
    &["--gen-op-defs", "--op-shard-count=2"],
    &["--gen-python-op-bindings", "--bind-dialect=fuzz"],
];

/// The generators of types, attributes and their constraints.
const DEFINITIONS: &[&[&str]] = &[
    &["--gen-typedef-decls", "--typedefs-dialect=fuzz"],
    &["--gen-typedef-defs", "--typedefs-dialect=fuzz"],
    &["--gen-typedef-doc", "--dialect=fuzz"],
    &["--gen-attrdef-decls", "--attrdefs-dialect=fuzz"],
    &["--gen-attrdef-defs", "--attrdefs-dialect=fuzz"],
    &["--gen-attrdef-doc", "--dialect=fuzz"],
    &["--gen-type-constraint-decls"],
    &["--gen-type-constraint-defs"],
    &["--gen-attr-constraint-decls"],
    &["--gen-attr-constraint-defs"],
    &["--gen-dialect-doc", "--dialect=fuzz"],
];

/// The generators of all the rest.
const VARIOUS: &[&[&str]] = &[
    &["--gen-enum-decls"],
    &["--gen-enum-defs"],
    &["--gen-enum-doc"],
    &["--gen-python-enum-bindings", "--bind-dialect=fuzz"],
    &["--gen-pass-decls", "--name=Fuzz"],
    &["--gen-pass-doc"],
    &["--gen-pass-capi-header", "--prefix=Fuzz"],
    &["--gen-pass-capi-impl", "--prefix=Fuzz"],
    &["--gen-op-interface-decls"],
    &["--gen-op-interface-defs"],
    &["--gen-op-interface-docs"],
    &["--gen-attr-interface-decls"],
    &["--gen-attr-interface-defs"],
    &["--gen-type-interface-decls"],
    &["--gen-type-interface-defs"],
    &["--gen-type-interface-docs"],
    &["--gen-dialect-decls", "--dialect=vary"],
    &["--gen-dialect-defs", "--dialect=vary"],
    &["--gen-dialect-doc", "--dialect=vary"],
];

/// The file of a seed.
#[must_use]
pub fn file(seed: u64) -> File {
    let mut random = Random::new(seed ^ 0x0d5_f11e);
    // Most files hold no mistake at all, so that all of their text is compared.
    let mistakes = if random.one_in(3) { 4 + random.below(40) } else { 0 };
    let theme = random.below(8);
    let mut writer = Writer { random: &mut random, mistakes };
    let (tree, runs) = match theme {
        0..=4 => (writer.operations(), OPERATIONS),
        5 | 6 => (writer.definitions(), DEFINITIONS),
        _ => (writer.various(), VARIOUS),
    };
    File { tree, runs }
}

/// Writes parts of files.
struct Writer<'a> {
    random: &'a mut Random,
    /// A mistake is made at one of so many places; never at 0.
    mistakes: usize,
}

impl Writer<'_> {
    fn mistake(&mut self) -> bool {
        self.mistakes > 0 && self.random.one_in(self.mistakes)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.one_in(n)
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(items)
    }

    /// A name that is not among the names before it, which it joins.
    fn name(&mut self, names: &[&'static str], used: &mut Vec<String>) -> String {
        for _ in 0..9 {
            let name = self.pick(names);
            if self.mistake() || !used.iter().any(|old| is_alike(old, name)) {
                used.push(name.to_owned());
                return name.to_owned();
            }
        }
        let name = format!("n{}", used.len());
        used.push(name.clone());
        name
    }

    /// `let` statements, each in one of `n` cases.
    fn lets(&mut self, statements: &[&'static str], n: usize) -> Vec<Tree> {
        let chosen = statements.iter().filter(|_| self.random.one_in(n));
        chosen.map(|statement| Tree::leaf(format!("  let {statement};\n"))).collect()
    }
}

/// Whether the accessors of two names would be the same.
fn is_alike(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    plain(one) == plain(other)
}
