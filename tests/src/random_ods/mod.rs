//! Random dialects: operations with assembly formats, types and attributes, enums, passes and interfaces, most of them
//! valid.
//!
//! A file has one of a few themes, and a theme names the generators that run. A file is a tree, so that a failing one can
//! be made smaller by leaving out branches.

mod assembly;
mod bytecode;
mod definitions;
mod foreign;
mod operations;
mod own;
mod peripheral;
mod prelude;
mod readable;
mod snippets;
mod sound;
mod tree;
mod various;
mod words;

use odsmith_engine::generators::is_in_release;

use crate::{older, random::Random, set_up};

pub use foreign::reads_beyond;
use own::Own;
pub use sound::{Sound, sound};
use tree::Tree;

/// So many files in a row share their dialects and their theme, and differ in all names. Together they are one file too,
/// which costs the reference little more than one of them.
pub const BLOCK: u64 = 8;

/// A file: its dialects, and definitions that can be left out one by one. It begins with the parts of the prelude that both
/// use.
#[derive(Clone, Debug)]
pub struct File {
    tree: Tree,
    /// The flags of each run that the theme is about.
    pub runs: Vec<&'static [&'static str]>,
}

impl File {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        prelude::before(&self.body())
    }

    /// What follows the prelude.
    #[must_use]
    pub fn body(&self) -> String {
        self.tree.to_string()
    }

    /// The smallest file that still `fails`, found by leaving out branches.
    #[must_use]
    pub fn shrunk(self, fails: impl Fn(&str) -> bool) -> File {
        let runs = self.runs;
        File { tree: self.tree.shrunk(|tree| fails(&prelude::before(&tree.to_string()))), runs }
    }

    /// Files of one block as one file.
    #[must_use]
    pub fn together(files: &[File]) -> Option<File> {
        let first = files.first()?;
        let dialects = first.tree.part(0)?;
        let rest = files.iter().filter_map(|file| file.tree.part(1));
        let parts = std::iter::once(dialects).chain(rest).cloned().collect();
        Some(File { tree: Tree::block("", parts, ""), runs: first.runs.clone() })
    }
}

/// The generators of operations; the first two are always run, and some of the others.
const OPERATIONS: &[&[&str]] = &[
    &["--gen-op-decls"],
    &["--gen-op-defs"],
    &["--gen-op-doc"],
    &["--gen-op-decls", "--op-shard-count=2"],
    &["--gen-op-defs", "--op-shard-count=2"],
    &["--gen-op-defs", "--op-include-regex=op|other"],
    &["--gen-op-decls", "--op-exclude-regex=x$"],
    &["--gen-op-defs", "--asmformat-error-is-fatal=false"],
    &["--gen-python-op-bindings", "--bind-dialect=fuzz"],
    &["--gen-python-op-bindings", "--bind-dialect=fuzz", "--dialect-extension=more"],
    &["--gen-dialect-doc", "--dialect=fuzz"],
    &["--gen-dialect-doc", "--dialect=fuzz", "-allow-hugo-specific-features"],
    &["--gen-op-doc", "-strip-prefix=::fuzz::", "-allow-hugo-specific-features"],
    &["--gen-enum-defs"],
    &["--gen-enum-decls"],
    &["--gen-struct-attr-decls"],
    &["--gen-struct-attr-defs"],
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

/// The generators of bytecode.
const BYTECODE: &[&[&str]] = &[&["--gen-bytecode", "--bytecode-dialect=Fuzz"]];

/// The files of the seeds from `BLOCK * block` on.
#[must_use]
pub fn block(block: u64) -> Vec<File> {
    let mut common = Random::new(block ^ 0x0d5_b10c);
    let theme = common.below(20);
    // Most files hold no mistake at all, so that all of their text is compared.
    let has_mistakes = common.one_in(5);
    // String literals of some files are broken into lines.
    let breaks = [0, 0, 0, 30, 12, 5][common.below(6)];
    let dialects = match theme {
        0..=15 => Writer::common(&mut common).dialects(),
        16 | 17 => Writer::bytecode_begin(),
        _ => {
            let begin = Writer::peripheral_begin(theme_of(block));
            Tree::block("", vec![Writer::common(&mut common).dialects(), begin], "")
        }
    };
    let dialects = readable::readable_dialects(dialects);
    let file = |seed: u64| {
        let mut random = Random::new(seed ^ 0x0d5_f11e);
        let mistakes = if has_mistakes { 4 + random.below(40) } else { 0 };
        let tag = char::from(b'A' + (seed % BLOCK) as u8).to_string();
        let mut writer = Writer { random: &mut random, mistakes, tag: tag.clone(), own: Own::default() };
        let (mut trees, own) = if theme < 16 { writer.own(&tag) } else { (Vec::new(), Own::default()) };
        writer.own = own;
        let (tree, runs) = match theme {
            0..=8 => (writer.operations(), OPERATIONS),
            9..=12 => (writer.definitions(), DEFINITIONS),
            13..=15 => (writer.various(), VARIOUS),
            16 | 17 => writer.bytecode(),
            _ => writer.peripheral(theme_of(block)),
        };
        trees.push(tree);
        let mut tree = Tree::block("", trees, "");
        if breaks > 0 {
            tree = writer.broken(tree, breaks);
        }
        // Before 17 so much is not there that little else would be compared.
        if !has_mistakes || !older::has_properties() {
            tree = readable::readable(&dialects, tree);
        }
        let runs = some_of(runs, block);
        File { tree: Tree::block("", vec![dialects.clone(), tree], ""), runs }
    };
    (block * BLOCK..(block + 1) * BLOCK).map(file).collect()
}

/// The first two of these runs and some of the others, the same ones for all files of a block; of these the ones that the
/// release has flags for.
fn some_of(runs: &[&'static [&'static str]], block: u64) -> Vec<&'static [&'static str]> {
    let mut random = Random::new(block ^ 0x0d5_7075);
    let chosen = runs.iter().enumerate().filter(|(index, _)| *index < 2 || random.one_in(4));
    chosen.map(|(_, run)| *run).filter(|run| is_known(run)).collect()
}

fn is_known(run: &[&str]) -> bool {
    let rules = set_up::fuzzed_release().rules();
    run.iter().all(|flag| {
        let name = flag.trim_start_matches('-');
        is_in_release(name.split('=').next().unwrap_or(name), &rules)
    })
}

/// The number of a block's theme among those that only parts of MLIR use.
fn theme_of(block: u64) -> usize {
    Random::new(block ^ 0x7e3e).below(peripheral::COUNT)
}

/// Writes parts of files.
struct Writer<'a> {
    random: &'a mut Random,
    /// One place in so many gets a mistake; 0 for none.
    mistakes: usize,
    /// What the names of this file end in.
    tag: String,
    /// What the file defines first.
    own: Own,
}

impl<'a> Writer<'a> {
    /// Writes what the files of a block have in common.
    fn common(random: &'a mut Random) -> Self {
        Writer { random, mistakes: 0, tag: String::new(), own: Own::default() }
    }
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

    /// One of these that the library can read.
    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        let mut item = *self.random.pick::<&str>(items);
        for _ in 0..20 {
            if older::is_readable(item) {
                break;
            }
            item = self.random.pick::<&str>(items);
        }
        item
    }

    /// One of these words, or now and then one of the file's own.
    fn pick_or(&mut self, items: &[&'static str], own: impl Fn(&Own) -> &Vec<String>) -> String {
        let names = own(&self.own);
        if !names.is_empty() && self.random.one_in(3) {
            return self.random.pick(names).clone();
        }
        self.pick(items).to_owned()
    }

    /// A name of a definition: no other file of the block has it.
    fn def_name(&mut self, names: &[&'static str], used: &mut Vec<String>) -> String {
        let name = self.name(names, used);
        // The part before the first `_` and the end keep their meaning.
        match name.strip_suffix("Op") {
            Some(stem) if !stem.is_empty() => format!("{stem}{}Op", self.tag),
            _ => name + &self.tag,
        }
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
        let is_known = |statement: &&&str| {
            let field = statement.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            older::is_field(field) && older::is_readable(statement)
        };
        let chosen = statements.iter().filter(|_| self.random.one_in(n)).filter(is_known);
        chosen.map(|statement| Tree::leaf(format!("  let {statement};\n"))).collect()
    }
}

/// Whether the accessors of two names would be the same.
fn is_alike(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    plain(one) == plain(other)
}
