//! Random dialects: operations with assembly formats, types and attributes, enums, passes and interfaces. Most are
//! valid.
//!
//! Each file has a theme, which decides the generators that run. A file is a tree, so that a failing one can be reduced
//! by leaving out branches.

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
use own::OwnDefinitions;
pub use sound::{SoundDialect, sound};
use tree::Tree;

/// The number of files in a row that share their dialects and their theme, and have no other names in common. Joined
/// they are one file, which costs the reference little more than one of them.
pub const BLOCK: u64 = 8;

/// A file: its dialects, and definitions that can be left out one by one. Its text begins with the parts of the prelude
/// that they use.
#[derive(Clone, Debug)]
pub struct File {
    tree: Tree,
    /// The flags of each run of the theme.
    pub runs: Vec<&'static [&'static str]>,
}

impl File {
    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        prelude::before(&self.body())
    }

    /// The text after the prelude.
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

    /// Joins the files of one block.
    #[must_use]
    pub fn together(files: &[File]) -> Option<File> {
        let first = files.first()?;
        let dialects = first.tree.part(0)?;
        let rest = files.iter().filter_map(|file| file.tree.part(1));
        let parts = std::iter::once(dialects).chain(rest).cloned().collect();
        Some(File { tree: Tree::block("", parts, ""), runs: first.runs.clone() })
    }
}

/// The generators for operations; the first two always run, others sometimes.
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

/// The generators for types, attributes and their constraints.
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

/// The other generators.
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

/// The generators for bytecode.
const BYTECODE: &[&[&str]] = &[&["--gen-bytecode", "--bytecode-dialect=Fuzz"]];

/// The files for the seeds from `BLOCK * block` on.
#[must_use]
pub fn block(block: u64) -> Vec<File> {
    let mut common = Random::new(block ^ 0x0d5_b10c);
    let theme = common.below(20);
    // Most files contain no mistake, so that all of their text is compared.
    let has_mistakes = common.one_in(5);
    // String literals of some files are split into lines.
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
        let mut writer =
            Writer { random: &mut random, mistakes, tag: tag.clone(), own: OwnDefinitions::default() };
        let (mut trees, own) =
            if theme < 16 { writer.own(&tag) } else { (Vec::new(), OwnDefinitions::default()) };
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
        // Libraries before 17 lack so much that little else would be compared.
        if !has_mistakes || !older::has_properties() {
            tree = readable::readable(&dialects, tree);
        }
        let runs = some_of(runs, block);
        File { tree: Tree::block("", vec![dialects.clone(), tree], ""), runs }
    };
    (block * BLOCK..(block + 1) * BLOCK).map(file).collect()
}

/// The first two of these runs and some of the others, the same ones for all files of a block, if the release has their
/// flags.
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

/// The index of a block's theme among those that only parts of MLIR use.
fn theme_of(block: u64) -> usize {
    Random::new(block ^ 0x7e3e).below(peripheral::COUNT)
}

/// A writer of parts of a file.
struct Writer<'a> {
    random: &'a mut Random,
    /// One in this many places gets a mistake; 0 for none.
    mistakes: usize,
    /// The suffix of this file's names.
    tag: String,
    /// The definitions at the start of the file.
    own: OwnDefinitions,
}

impl<'a> Writer<'a> {
    /// A writer for the parts that the files of a block share.
    fn common(random: &'a mut Random) -> Self {
        Writer { random, mistakes: 0, tag: String::new(), own: OwnDefinitions::default() }
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

    /// Picks an item that the library can read.
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

    /// Picks one of these words, or sometimes one of the file's own.
    fn pick_or(&mut self, items: &[&'static str], own: impl Fn(&OwnDefinitions) -> &Vec<String>) -> String {
        let names = own(&self.own);
        if !names.is_empty() && self.random.one_in(3) {
            return self.random.pick(names).clone();
        }
        self.pick(items).to_owned()
    }

    /// A name for a definition that no other file of the block has.
    fn def_name(&mut self, names: &[&'static str], used: &mut Vec<String>) -> String {
        let name = self.name(names, used);
        // The part before the first `_` and the suffix keep their meaning.
        match name.strip_suffix("Op") {
            Some(stem) if !stem.is_empty() => format!("{stem}{}Op", self.tag),
            _ => name + &self.tag,
        }
    }

    /// A name that is not used yet, which is added to `used`.
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

    /// Some of these `let` statements, each with a chance of one in `n`.
    fn lets(&mut self, statements: &[&'static str], n: usize) -> Vec<Tree> {
        let is_known = |statement: &&&str| {
            let field = statement.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            older::is_field(field) && older::is_readable(statement)
        };
        let chosen = statements.iter().filter(|_| self.random.one_in(n)).filter(is_known);
        chosen.map(|statement| Tree::leaf(format!("  let {statement};\n"))).collect()
    }
}

/// Returns true if two names would have the same accessors.
fn is_alike(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    plain(one) == plain(other)
}
