//! Measures how people lay `.td` files out: prints a table in Markdown, with a column for each group of folders.
//!
//! ```text
//! cargo run --release -p odsmith-format --example habits -- MLIR=llvm-22/include/mlir LLVM=llvm-22/include/llvm
//! ```

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "an example talks to its user")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use odsmith_format::{
    Style, build, check,
    document::{Document, Gap, Group, GroupKind},
    is_generated,
};
use odsmith_tablegen::outline::{Kind, Outline};

/// The counts of a group of folders: by habit, then by variant.
#[derive(Debug, Default)]
struct Habits {
    counts: BTreeMap<(usize, &'static str), BTreeMap<String, usize>>,
    files: usize,
    lines: usize,
    broken: usize,
}

fn main() -> ExitCode {
    let mut groups: Vec<(String, Habits)> = Vec::new();
    for argument in std::env::args().skip(1) {
        let Some((name, folders)) = argument.split_once('=') else {
            eprintln!("usage: habits NAME=FOLDER[:FOLDER]...");
            return ExitCode::FAILURE;
        };
        let mut habits = Habits::default();
        let mut files = Vec::new();
        folders.split(':').for_each(|folder| td_files(Path::new(folder), &mut files));
        for file in files {
            let Ok(bytes) = fs::read(&file) else { continue };
            if !is_generated(&file.to_string_lossy(), &bytes) {
                habits.add(&bytes);
            }
        }
        groups.push((name.to_owned(), habits));
    }
    print(&groups);
    ExitCode::SUCCESS
}

fn td_files(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| td_files(entry, files));
    } else if path.extension().is_some_and(|end| end == "td") {
        files.push(path.to_owned());
    }
}

/// The habits, in the order of the table.
const HABITS: [&str; 18] = [
    "fields of a body are indented by",
    "statements in `let … in {` and the like are indented by",
    "arguments of a superclass that go on in another line",
    "elements of a list that go on in another line",
    "operands of a dag that go on in another line",
    "the first argument of a superclass, in a line of its own",
    "the first element of a list, in a line of its own",
    "the first operand of a dag, in a line of its own",
    "a bracket after elements in lines of their own",
    "the `:` of superclasses at a line break",
    "the `:` of superclasses in a line",
    "the `:` of operands: `I32:$x`",
    "`=`",
    "`,` in a line",
    "`#` of values in a line",
    "`#` in names",
    "`:` or `=` of consecutive statements",
    "blank lines",
];

impl Habits {
    fn add(&mut self, bytes: &[u8]) {
        self.files += 1;
        let outline = Outline::new("file.td", bytes);
        self.lines += outline.line_count() - 1;
        let (Ok(brackets), Ok(())) = (check::brackets(&outline), check::statements(&outline)) else {
            self.broken += 1;
            return;
        };
        let document = build::document(&outline, &brackets, &Style::default());
        let mut groups: Vec<&Group> = document.groups.iter().collect();
        groups.sort_by_key(|group| group.start);
        groups.iter().for_each(|group| self.add_group(&outline, &document, group));
        for (index, piece) in document.pieces.iter().enumerate().skip(1) {
            let gap = outline.slice(document.pieces[index - 1].range.end..piece.range.start);
            self.add_gap(&outline, index, piece.gap, gap);
        }
        let rows =
            groups.iter().filter(|it| matches!(it.kind, GroupKind::Statement { is_row: true, .. })).count();
        self.count(16, "aligned", rows);
        let statements = groups.iter().filter(|it| matches!(it.kind, GroupKind::Statement { .. })).count();
        self.count(16, "not aligned", statements - rows);
    }

    fn count(&mut self, habit: usize, variant: impl Into<String>, count: usize) {
        if count > 0 {
            *self.counts.entry((habit, HABITS[habit])).or_default().entry(variant.into()).or_default() +=
                count;
        }
    }

    fn add_group(&mut self, outline: &Outline, document: &Document, group: &Group) {
        let column = |index: usize| outline.line_of(document.pieces[index].range.start).1;
        let line = |index: usize| outline.line_of(document.pieces[index].range.start).0;
        let indent = |index: usize| {
            let start = outline.line_start(line(index));
            let text = outline.slice(start..outline.line_start(line(index) + 1));
            text.len() - text.trim_start_matches([' ', '\t']).len()
        };
        match group.kind {
            GroupKind::Body if group.end > group.start + 1 && line(group.start + 1) > line(group.start) => {
                let first = group.start + 1;
                let end = document.groups.iter().find(|it| it.start == first).map_or(0, |it| it.end);
                let holds =
                    matches!(outline.text_of(outline.tokens[first]), "def" | "class" | "defm" | "foreach");
                let rise = column(first) as isize - indent(group.end) as isize;
                self.count(if holds || end == 0 { 1 } else { 0 }, steps(rise), 1);
            }
            GroupKind::Brackets { element, is_block, is_header, .. } if element < group.end => {
                let kind = match outline.text_of(outline.tokens[group.start]) {
                    "<" if is_header => 0,
                    "[" => 1,
                    "(" => 2,
                    _ => return,
                };
                if is_block {
                    let rise = column(element) as isize - indent(group.start) as isize;
                    self.count(5 + kind, steps(rise), 1);
                    let closes =
                        if line(group.end) > line(group.end - 1) { "its own line" } else { "the last line" };
                    self.count(8, closes, 1);
                    return;
                }
                let depth = document.depths[element] + u32::from(element == group.start);
                for index in element + 1..group.end {
                    let piece = &document.pieces[index];
                    let is_row =
                        piece.gap == Gap::Author && piece.breaks > 0 && document.depths[index] == depth;
                    if is_row && line(index) > line(index - 1) {
                        let rise = column(index) as isize - indent(group.start) as isize;
                        let is_aligned = column(index) == column(element);
                        self.count(2 + kind, if is_aligned { "aligned".to_owned() } else { steps(rise) }, 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_gap(&mut self, outline: &Outline, index: usize, gap: Gap, blanks: &str) {
        let token = outline.tokens[index];
        let text = outline.text_of(token);
        let before = outline.text_of(outline.tokens[index - 1]);
        let breaks = blanks.matches('\n').count();
        if breaks > 1 {
            self.count(17, if breaks > 3 { "more".to_owned() } else { (breaks - 1).to_string() }, 1);
        }
        let spaced = match blanks {
            "" => "tight",
            _ if breaks > 0 => return self.add_break(outline, index, gap, before),
            " " => "a space",
            _ => "more spaces",
        };
        match (text, before) {
            (":", _) if gap == Gap::Parents => self.count(10, format!("{spaced} before"), 1),
            (_, ":") if token.kind == Kind::Variable => self.count(11, format!("{spaced} after"), 1),
            ("=", _) => self.count(12, format!("{spaced} before"), 1),
            (_, ",") => self.count(13, format!("{spaced} after"), 1),
            ("#", _) if gap == Gap::Paste => self.count(14, format!("{spaced} before"), 1),
            ("#", _) => self.count(15, format!("{spaced} before"), 1),
            _ => {}
        }
    }

    fn add_break(&mut self, outline: &Outline, index: usize, gap: Gap, before: &str) {
        if outline.text_of(outline.tokens[index]) == ":" && gap == Gap::Parents {
            self.count(9, "begins the next line", 1);
        } else if before == ":" && gap == Gap::Parents {
            self.count(9, "ends the line", 1);
        }
    }
}

/// Returns a difference of columns as a variant.
fn steps(rise: isize) -> String {
    if matches!(rise, 0 | 2 | 4 | 6 | 8) { format!("{rise} columns") } else { "other".to_owned() }
}

/// Prints the table: the share of each variant.
fn print(groups: &[(String, Habits)]) {
    let row = |cells: Vec<String>| println!("| {} |", cells.join(" | "));
    let head = groups.iter().map(|(name, _)| name.clone());
    row(["habit".to_owned(), "variant".to_owned()].into_iter().chain(head).collect());
    row(vec!["---".to_owned(); groups.len() + 2]);
    for (number, habit) in HABITS.iter().enumerate() {
        let key = (number, *habit);
        let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
        for (variant, count) in groups.iter().filter_map(|(_, habits)| habits.counts.get(&key)).flatten() {
            *totals.entry(variant).or_default() += count;
        }
        let mut variants: Vec<(&str, usize)> = totals.into_iter().collect();
        variants.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        for (index, (variant, _)) in variants.iter().enumerate() {
            let share = |habits: &Habits| {
                let all: usize = habits.counts.get(&key).map_or(0, |counts| counts.values().sum());
                let own =
                    habits.counts.get(&key).and_then(|counts| counts.get(*variant)).copied().unwrap_or(0);
                if all == 0 { "–".to_owned() } else { format!("{:.0} %", own as f64 * 100.0 / all as f64) }
            };
            let name = if index == 0 { (*habit).to_owned() } else { String::new() };
            let cells = [name, (*variant).to_owned()];
            row(cells.into_iter().chain(groups.iter().map(|(_, habits)| share(habits))).collect());
        }
    }
    let sum = |name: &str, count: &dyn Fn(&Habits) -> usize| {
        let cells = [name.to_owned(), String::new()];
        row(cells.into_iter().chain(groups.iter().map(|(_, habits)| count(habits).to_string())).collect());
    };
    sum("files", &|habits| habits.files);
    sum("lines", &|habits| habits.lines);
    sum("files that are broken", &|habits| habits.broken);
}
