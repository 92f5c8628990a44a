//! Changes in generated C++ and Python, by cause.
//!
//! Two releases generate thousands of different lines from the same definitions, for a few reasons. Each line that only
//! one side has is reduced to its shape, without the names of the project:
//!
//! ```text
//! static AddOp create(::mlir::OpBuilder &builder, …);      →  static X create(::mlir::OpBuilder &X, …);
//! ```
//!
//! The cause of a shape is measured rather than guessed: some files are generated repeatedly while the older release
//! adopts the changes of the newer one, one after the other (the steps). A shape that appears or vanishes in a step is
//! caused by that change.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    hash::{Hash, Hasher},
};

use odsmith_interchange::Document;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde::Serialize;

/// The most examples kept for a group.
const MOST_EXAMPLES: usize = 4;
/// The most characters shown of a line.
const MOST_SHOWN: usize = 160;
/// The scale of a file's size when files are chosen by their shapes.
const FREE_BYTES: usize = 1 << 20;
/// The most shapes listed without a known cause.
const MOST_PARTICULAR: usize = 40;

/// A file that both releases generate.
#[derive(Clone, Copy, Debug)]
pub struct FilePair<'f> {
    /// Its path.
    pub path: &'f str,
    /// The older release's output.
    pub old: &'f [u8],
    /// The newer release's output.
    pub new: &'f [u8],
}

/// The side that has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Only the older release writes it.
    Gone,
    /// Only the newer release writes it.
    New,
}

impl Side {
    fn sign(self) -> char {
        match self {
            Side::Gone => '-',
            Side::New => '+',
        }
    }
}

/// The number of lines and files with a shape.
#[derive(Clone, Debug, Default)]
struct Tally {
    lines: usize,
    files: BTreeSet<u32>,
    example: String,
}

/// The shapes of the lines that appeared or vanished in some files.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    all: BTreeMap<(Side, String), Tally>,
    paths: Vec<String>,
    /// The size of each file in bytes.
    sizes: Vec<usize>,
}

impl Shapes {
    /// Returns the number of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns true if no line appeared or vanished.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns at most `most` files that have many shapes for their size, the best one first.
    #[must_use]
    pub fn representatives(&self, most: usize) -> Vec<&str> {
        let mut of_file: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.paths.len()];
        for (index, tally) in self.all.values().enumerate() {
            // A shape of only one file is seldom caused by the release.
            for &file in tally.files.iter().filter(|_| tally.files.len() > 1 || self.paths.len() < 4) {
                of_file[file as usize].insert(index);
            }
        }
        let mut seen = BTreeSet::new();
        let mut chosen = Vec::new();
        while chosen.len() < most {
            let news = |set: &BTreeSet<usize>| set.difference(&seen).count();
            // The files are generated repeatedly, so large ones are expensive.
            let worth =
                |index: usize| news(&of_file[index]) * FREE_BYTES / (self.sizes[index] + FREE_BYTES / 16);
            let best = of_file
                .iter()
                .enumerate()
                .max_by_key(|(index, set)| (worth(*index), news(set), Reverse(*index)));
            let Some((index, set)) = best.filter(|(_, set)| news(set) > 0) else { break };
            chosen.push(self.paths[index].as_str());
            seen.extend(set.clone());
        }
        chosen
    }
}

/// The names of a project, which shapes leave out.
#[derive(Debug, Default)]
pub struct Names(FxHashSet<String>);

impl Names {
    /// Returns the names of all definitions of a document.
    #[must_use]
    pub fn of(document: &Document) -> Names {
        let mut names = Names::default();
        for dialect in &document.dialects {
            names.add_all([&*dialect.name, &*dialect.cpp_class, &*dialect.cpp_namespace]);
        }
        for op in &document.operations {
            names.add_all([&*op.name, &*op.cpp_class, &*op.mnemonic, &*op.cpp_namespace]);
            let parts = op.arguments.iter().chain(&op.results).chain(&op.regions).chain(&op.successors);
            names.add_all(parts.map(|part| &*part.name));
        }
        for definition in document.attributes.iter().chain(&document.types) {
            names.add_all([&*definition.cpp_class, &*definition.cpp_namespace]);
            names.add_all(definition.mnemonic.as_deref());
            names.add_all(definition.parameters.iter().map(|parameter| &*parameter.name));
        }
        for info in &document.enums {
            names.add_all([&*info.cpp_class, &*info.cpp_namespace]);
            names.add_all(info.cases.iter().flat_map(|case| [&*case.symbol, &*case.spelling]));
        }
        for interface in &document.interfaces {
            names.add_all([&*interface.cpp_class, &*interface.cpp_namespace]);
            names.add_all(interface.methods.iter().map(|method| &*method.name));
        }
        for pass in &document.passes {
            names.add_all([&*pass.base_class, &*pass.argument]);
            names.add_all(pass.options.iter().map(|option| &*option.cpp_name));
        }
        names
    }

    fn add_all<'n>(&mut self, all: impl IntoIterator<Item = &'n str>) {
        for name in all {
            for part in name.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| part.len() > 1) {
                self.0.insert(flat(part));
            }
        }
    }

    /// Returns a line without surrounding blanks, with a placeholder for each number and name. Of equal parts in a row,
    /// one is kept.
    fn shape(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line.trim();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if is_word(first) {
                let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(length);
                if first.is_ascii_digit() {
                    out.push('0')
                } else {
                    self.push_word(word, &mut out)
                }
                rest = after;
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        collapsed(&out)
    }

    /// Adds `getLhsMutable` as `getXMutable`, if `lhs` is a name.
    fn push_word(&self, word: &str, out: &mut String) {
        let bounds = bounds(word);
        let mut at = 0;
        while at + 1 < bounds.len() {
            let longest = (at + 1..bounds.len())
                .rev()
                .find(|&end| self.0.contains(&flat(&word[bounds[at]..bounds[end]])));
            match longest {
                Some(end) => {
                    if !out.ends_with('X') {
                        out.push('X');
                    }
                    at = end;
                }
                None => {
                    out.push_str(&word[bounds[at]..bounds[at + 1]]);
                    at += 1;
                }
            }
        }
    }

    /// Collects the lines that appeared or vanished between the two sides of files, by shape.
    pub fn shapes<'f>(&self, pairs: impl Iterator<Item = FilePair<'f>>) -> Shapes {
        let mut shapes = Shapes::default();
        for pair in pairs.filter(|pair| pair.old != pair.new) {
            let file = shapes.paths.len() as u32;
            shapes.paths.push(pair.path.to_owned());
            shapes.sizes.push(pair.old.len() + pair.new.len());
            let mut of_file: FxHashMap<String, (i64, String)> = FxHashMap::default();
            for (line, count) in differing_lines(pair.old, pair.new) {
                let text = String::from_utf8_lossy(line);
                let known = of_file.entry(self.shape(&text)).or_default();
                known.0 += count;
                // If both sides have a shape, an example may come from either.
                if known.1.is_empty() || count.signum() == known.0.signum() {
                    known.1 = shown(&text);
                }
            }
            let mut of_file: Vec<_> = of_file.into_iter().filter(|(_, (count, _))| *count != 0).collect();
            of_file.sort();
            for (shape, (count, example)) in of_file {
                let side = if count > 0 { Side::New } else { Side::Gone };
                let tally = shapes.all.entry((side, shape)).or_default();
                tally.lines += count.unsigned_abs() as usize;
                tally.files.insert(file);
                if tally.example.is_empty() {
                    tally.example = example;
                }
            }
        }
        shapes
    }
}

/// Returns a word in lower case without underscores.
fn flat(word: &str) -> String {
    word.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

/// Returns the offsets at which the words of a name begin, and its length.
fn bounds(word: &str) -> Vec<usize> {
    let bytes = word.as_bytes();
    let mut all = vec![0];
    for at in 1..bytes.len() {
        let (before, here) = (bytes[at - 1], bytes[at]);
        let next = bytes.get(at + 1);
        let starts = here == b'_' && before != b'_'
            || here != b'_' && before == b'_'
            || here.is_ascii_uppercase() && !before.is_ascii_uppercase()
            || here.is_ascii_uppercase()
                && before.is_ascii_uppercase()
                && next.is_some_and(u8::is_ascii_lowercase);
        if starts {
            all.push(at);
        }
    }
    all.push(bytes.len());
    all
}

/// Keeps one of several equal parts in a row, which commas separate; brackets around all of them do not count.
fn collapsed(text: &str) -> String {
    let mut parts = text.split(", ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut last = out.rsplit(['(', '{', '<']).next().unwrap_or_default().to_owned();
    for part in parts {
        let (core, end) = part.split_at(part.find([')', '}']).unwrap_or(part.len()));
        if core == last {
            out += end;
        } else {
            out += ", ";
            out += part;
            core.clone_into(&mut last);
        }
    }
    out
}

fn shown(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Returns the lines that one side has more often, and the difference, positive for the newer one; sorted, not blank.
fn differing_lines<'t>(old: &'t [u8], new: &'t [u8]) -> Vec<(&'t [u8], i64)> {
    let mut counts: FxHashMap<u64, (i64, &[u8])> = FxHashMap::default();
    for (text, sign) in [(old, -1), (new, 1)] {
        for line in text.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let mut hasher = FxHasher::default();
            line.hash(&mut hasher);
            counts.entry(hasher.finish()).or_insert((0, line)).0 += sign;
        }
    }
    let mut all: Vec<(&[u8], i64)> =
        counts.into_values().filter(|(count, _)| *count != 0).map(|(count, line)| (line, count)).collect();
    all.sort_unstable();
    all
}

/// The origin of a shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Origin {
    /// A change of a release.
    Change {
        /// Its name.
        name: String,
        /// Its description.
        text: String,
        /// The release that made it.
        since: u8,
    },
    /// Words that a release spells differently.
    Spelling,
    /// The library's definitions, which the project's build on.
    Library,
}

/// Lines that appeared or vanished for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The reason.
    pub origin: Origin,
    /// Lines that only the newer release writes.
    pub new_lines: usize,
    /// Lines that only the older release writes.
    pub gone_lines: usize,
    /// Files with such lines.
    pub files: usize,
    /// Some of the lines, with `+` or `-`.
    pub examples: Vec<String>,
}

/// Lines of one shape whose reason is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Particular {
    /// The side that has them.
    pub side: Side,
    /// The first of them.
    pub example: String,
    /// The number of lines.
    pub lines: usize,
    /// A file with such a line.
    pub file: String,
    /// Files with such lines.
    pub files: usize,
}

/// The changes in generated text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Generated {
    /// The number of compared files.
    pub compared: usize,
    /// The number of files that differ.
    pub differing: usize,
    /// The changes by reason, the one with most lines first.
    pub groups: Vec<Group>,
    /// The changes without a known reason, the one with most lines first.
    pub particular: Vec<Particular>,
    /// The number of such shapes that are not listed.
    pub more_particular: usize,
    /// Files that only the older release generates.
    pub gone_files: Vec<String>,
    /// Files that only the newer release generates.
    pub new_files: Vec<String>,
}

/// A line of a group: its count, its side, its text.
type Example<'t> = (Reverse<usize>, Side, &'t str);

/// Groups shapes by the steps that they appear in.
#[must_use]
pub fn group(shapes: &Shapes, steps: &[(Origin, Shapes)]) -> Generated {
    let mut exact: FxHashMap<(Side, &str), usize> = FxHashMap::default();
    let mut heads: FxHashMap<(Side, &str), usize> = FxHashMap::default();
    for (index, (_, of_step)) in steps.iter().enumerate() {
        for (side, shape) in of_step.all.keys() {
            exact.entry((*side, shape)).or_insert(index);
            if let Some(head) = head(shape) {
                heads.entry((*side, head)).or_insert(index);
            }
        }
    }
    let mut groups: BTreeMap<usize, (Group, BTreeSet<u32>)> = BTreeMap::new();
    let mut examples: BTreeMap<usize, Vec<Example<'_>>> = BTreeMap::new();
    let mut particular: Vec<Particular> = Vec::new();
    for ((side, shape), tally) in &shapes.all {
        let of_head = || head(shape).and_then(|head| heads.get(&(*side, head)));
        let Some(&index) = exact.get(&(*side, shape.as_str())).or_else(of_head) else {
            let first = tally.files.first().and_then(|&file| shapes.paths.get(file as usize));
            particular.push(Particular {
                side: *side,
                example: tally.example.clone(),
                lines: tally.lines,
                file: first.cloned().unwrap_or_default(),
                files: tally.files.len(),
            });
            continue;
        };
        let (group, files) = groups.entry(index).or_insert_with(|| {
            let origin = steps[index].0.clone();
            (Group { origin, new_lines: 0, gone_lines: 0, files: 0, examples: Vec::new() }, BTreeSet::new())
        });
        match side {
            Side::New => group.new_lines += tally.lines,
            Side::Gone => group.gone_lines += tally.lines,
        }
        files.extend(&tally.files);
        examples.entry(index).or_default().push((Reverse(tally.lines), *side, &tally.example));
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(index, (mut group, files))| {
            group.files = files.len();
            let mut all = examples.remove(&index).unwrap_or_default();
            all.sort_unstable();
            // Both sides get examples.
            let of = |side: Side| {
                let of_side = all.iter().filter(move |it| it.1 == side);
                of_side.map(move |it| format!("{} {}", side.sign(), it.2))
            };
            let new_count = of(Side::New).count().min(MOST_EXAMPLES / 2);
            let taken: Vec<String> = of(Side::Gone).take(MOST_EXAMPLES - new_count).collect();
            let left = MOST_EXAMPLES - taken.len();
            group.examples = taken.into_iter().chain(of(Side::New).take(left)).collect();
            group
        })
        .collect();
    groups.sort_by(|a, b| {
        (b.new_lines + b.gone_lines, &a.origin).cmp(&(a.new_lines + a.gone_lines, &b.origin))
    });
    particular.sort_by(|a, b| (b.lines, &a.example).cmp(&(a.lines, &b.example)));
    let more_particular = particular.len().saturating_sub(MOST_PARTICULAR);
    particular.truncate(MOST_PARTICULAR);
    Generated { differing: shapes.paths.len(), groups, particular, more_particular, ..Generated::default() }
}

/// Returns the head of a declaration, up to its parameters.
fn head(shape: &str) -> Option<&str> {
    let (head, _) = shape.split_once('(')?;
    (head.len() >= 8 && head.contains(' ')).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        names.add_all(["AddOp", "MulOp", "lhs", "rhs", "my.add", "::my::ns"]);
        names
    }

    #[test]
    fn shapes_do_without_names() {
        let names = names();
        assert_eq!(
            names.shape("  static AddOp create(Value lhs, Value rhs); // 12"),
            "static X create(Value X); // 0"
        );
        assert_eq!(
            names.shape("getLhsMutable() MulOpAdaptor odsIndex_rhs"),
            "getXMutable() XAdaptor odsIndexX"
        );
    }

    #[test]
    fn one_reason_is_one_group() {
        let names = names();
        let (old, new) =
            ("int x;\n", "int x;\nstatic AddOp create(A);\nstatic MulOp create(B, C);\nvoid other();\n");
        let pair = FilePair { path: "a.h.inc", old: old.as_bytes(), new: new.as_bytes() };
        let shapes = names.shapes([pair].into_iter());
        let small = FilePair { path: "b.h.inc", old: b"", new: b"static AddOp create(A);\n" };
        let origin = Origin::Change { name: "C".to_owned(), text: "c".to_owned(), since: 21 };
        let steps = [(origin, names.shapes([small].into_iter()))];
        let generated = group(&shapes, &steps);
        let [group] = generated.groups.as_slice() else { panic!("{generated:?}") };
        assert_eq!((group.new_lines, group.gone_lines, group.files), (2, 0, 1));
        let [left] = generated.particular.as_slice() else { panic!("{generated:?}") };
        assert_eq!(left.example, "void other();");
        assert_eq!(shapes.representatives(3), ["a.h.inc"]);
    }

    #[test]
    fn order_does_not_matter() {
        let pair = FilePair { path: "a", old: b"a;\nb;\n", new: b"b;\n\n  a;\n" };
        assert!(names().shapes([pair].into_iter()).is_empty());
    }
}
