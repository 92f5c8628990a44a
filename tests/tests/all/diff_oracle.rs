//! The oracle of comparisons: MLIR's own tools read each other's files, and the results are compared with the findings
//! of `diff`.
//!
//! Each operation of the old release becomes a program, with as few parts as possible and with all of them. The old
//! mlir-opt verifies it, and writes it as text, in the generic form and as bytecode; the new one reads each. A break
//! without a finding is missed; a finding that must break this program is false if the program is still read.
//!
//! `ODSMITH_ORACLE=1` gets the tools from Debian's packages; `ODSMITH_MLIR_OPT_19` and `ODSMITH_MLIR_OPT_22` name
//! others. The answers are recorded in `diff_oracle/backward.tsv` and `forward.tsv` (`ODSMITH_REGENERATE=1`).

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use odsmith_engine::{
    Job, Target,
    interchange::{self, Document, Maker, Root},
    record::Records,
    review::diff::{
        Direction, Options, compare,
        program::{Outlook, Predictor},
        rules::{Level, Rule, Verdict},
    },
};
use odsmith_tests::{
    archive::files_below, files::TestFiles, folder::TestFolder, pool, program::on_a_big_stack, releases,
    set_up,
};
use odsmith_witness::{
    Judge,
    instance::JudgedParts,
    program::{Program, Programs},
    skeleton::Extent,
};

const NAME: &str = "case.td";

/// One release: its tool, its records, its model.
struct Side {
    tool: Option<PathBuf>,
    roots: Vec<Arc<Records>>,
    document: Document,
}

impl Side {
    fn read(release: &str, tool: Option<PathBuf>, include: &Path) -> Side {
        let library = releases::library(release);
        let files = files_below(include);
        let names: Vec<String> = files
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| path.starts_with("mlir/") && path.ends_with(".td"))
            .collect();
        let read = pool::map(&names, |td| {
            let text = format!("include \"{td}\"\n").into_bytes();
            let files = TestFiles::below(include).and(NAME, text);
            let job = Job::new(files).include(".").target(Target::new(NAME));
            let records = odsmith_engine::run(&library, &job).targets.pop()?.records?;
            let has_any = ["Op", "TypeDef", "AttrDef", "EnumInfo", "EnumAttrInfo"]
                .iter()
                .any(|class| records.derived(class).next().is_some());
            (has_any && interchange::check(&records).is_ok()).then(|| (td.clone(), records))
        });
        let read: Vec<_> = read.into_iter().flatten().collect();
        let roots: Vec<Root<'_>> = read.iter().map(|(td, records)| Root { td, records }).collect();
        let document =
            on_a_big_stack(|| Maker::new(library.rules(), &include.to_string_lossy()).document(&roots));
        let document = document.unwrap_or_else(|error| panic!("{}", error.message));
        Side { tool, roots: read.into_iter().map(|(_, records)| records).collect(), document }
    }
}

/// A program that the writing tool verifies.
struct Case {
    op: String,
    variant: &'static str,
    program: Program,
}

const SPLIT: &str = "// -----\n";
/// The number of programs that a tool reads in one process.
const BATCH: usize = 32;
/// The most seconds that a process may take.
const PATIENCE: &str = "60";

/// The answer of a tool: its output, and the lines with errors.
struct Answer {
    output: String,
    errors: Vec<usize>,
    is_ok: bool,
    /// True if the tool crashed instead of reporting an error.
    has_crashed: bool,
}

fn ask(tool: &Path, flags: &[&str], input: &str) -> Answer {
    let mut child = Command::new("timeout")
        .arg(PATIENCE)
        .arg(tool)
        .args(flags)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("timeout runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let done = std::thread::scope(|scope| {
        // A tool that fails early stops reading.
        scope.spawn(move || _ = stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("it ends")
    });
    let text = String::from_utf8_lossy(&done.stderr);
    let line_of = |line: &str| {
        let (place, _) = line.split_once(": error: ")?;
        place.split(':').nth(1)?.parse::<usize>().ok()
    };
    Answer {
        output: String::from_utf8_lossy(&done.stdout).into_owned(),
        errors: text.lines().filter_map(line_of).collect(),
        is_ok: done.status.success(),
        has_crashed: !matches!(done.status.code(), Some(0 | 1)),
    }
}

/// Tests which of many texts a tool accepts.
fn accepts(tool: &Path, texts: &[String]) -> Vec<bool> {
    let batches: Vec<&[String]> = texts.chunks(BATCH).collect();
    pool::map(&batches, |batch| accepts_batch(tool, batch)).into_iter().flatten().collect()
}

fn accepts_batch(tool: &Path, texts: &[String]) -> Vec<bool> {
    let answer = ask(tool, &["--split-input-file", "-o", "/dev/null"], &texts.join(SPLIT));
    if answer.is_ok {
        return vec![true; texts.len()];
    }
    let mut starts = Vec::new();
    let mut line = 1;
    for text in texts {
        starts.push(line);
        line += text.matches('\n').count() + 1;
    }
    let mut accepted = vec![true; texts.len()];
    for error in &answer.errors {
        let index = starts.iter().rposition(|start| start <= error).unwrap_or(0);
        accepted[index] = false;
    }
    if answer.has_crashed || accepted.iter().all(|accepted| *accepted) {
        // Texts after the crash were not read.
        if let [_] = texts {
            return vec![false];
        }
        let (first, second) = texts.split_at(texts.len() / 2);
        return [accepts_batch(tool, first), accepts_batch(tool, second)].concat();
    }
    accepted
}

/// Programs for all operations: with the required parts only, with all parts, and with some of the optional ones.
fn programs(side: &Side) -> Vec<Case> {
    let roots: Vec<&Records> = side.roots.iter().map(|it| &**it).collect();
    on_a_big_stack(|| {
        let programs = Programs::new(&roots);
        let mut all: Vec<Case> = Vec::new();
        for op in programs.names() {
            let some = some_parts(&side.document, op);
            let some: Vec<&str> = some.iter().map(String::as_str).collect();
            let extents = [("least", Extent::Least), ("all", Extent::All), ("some", Extent::With(&some))];
            let first = all.len();
            for (variant, extent) in extents {
                let Some(program) = programs.program(op, extent) else { continue };
                if all[first..].iter().all(|case| case.program.generic != program.generic) {
                    all.push(Case { op: op.to_owned(), variant, program });
                }
            }
        }
        all
    })
}

/// About half of the parts of an operation, always the same ones.
fn some_parts(document: &Document, op: &str) -> Vec<String> {
    let op = document.operations.iter().find(|it| it.name == op);
    let names = op.iter().flat_map(|it| &it.arguments).map(|part| part.name.clone());
    names.filter(|name| digest(name).ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e'])).collect()
}

/// The programs that the writing tool verifies.
fn verified(tool: &Path, cases: Vec<Case>) -> Vec<Case> {
    let texts: Vec<String> = cases.iter().map(|case| case.program.generic.clone()).collect();
    let accepted = accepts(tool, &texts);
    cases.into_iter().zip(accepted).filter_map(|(case, accepted)| accepted.then_some(case)).collect()
}

/// The output of a tool for each of many programs that it accepts.
fn printed(tool: &Path, flags: &[&str], texts: &[String]) -> Vec<String> {
    let batches: Vec<&[String]> = texts.chunks(BATCH).collect();
    let flags = [&["--split-input-file"], flags].concat();
    let print = |batch: &&[String]| {
        let answer = ask(tool, &flags, &batch.join(SPLIT));
        let pieces: Vec<String> = answer.output.split(SPLIT).map(str::to_owned).collect();
        if pieces.len() == batch.len() {
            return pieces;
        }
        // An output contains a line like the separator.
        batch.iter().map(|text| ask(tool, &flags[1..], text).output).collect()
    };
    pool::map(&batches, print).into_iter().flatten().collect()
}

/// The number of programs in a file of bytecode.
const IN_A_FILE: usize = 8;

/// Tests which programs one tool can read as bytecode that another one wrote; `None` if it could not be written. If a
/// file of several programs cannot be read, they are tried one by one.
fn bytecode(from: &Path, to: &Path, flags: &[&str], texts: &[String]) -> Vec<Option<bool>> {
    let folder = TestFolder::new("oracle");
    let groups: Vec<(usize, &[String])> = texts.chunks(IN_A_FILE).enumerate().collect();
    let read = pool::map(&groups, |(index, group)| {
        bytecode_of(from, to, flags, group, &folder.join(format!("{index}.mlirbc")))
    });
    read.into_iter().flatten().collect()
}

fn bytecode_of(from: &Path, to: &Path, flags: &[&str], texts: &[String], file: &Path) -> Vec<Option<bool>> {
    let modules: String = texts.iter().map(|text| format!("builtin.module {{\n{text}}}\n")).collect();
    let path = file.to_string_lossy().into_owned();
    let emit = [&["--emit-bytecode", "-o", &path], flags].concat();
    let is_written = ask(from, &emit, &modules).is_ok;
    let is_read = is_written && {
        let mut command = Command::new("timeout");
        command.arg(PATIENCE).arg(to).args([&path, "-o", "/dev/null"]).stderr(Stdio::null());
        command.status().expect("timeout runs").success()
    };
    match texts {
        [_] => vec![is_written.then_some(is_read)],
        texts if is_read => vec![Some(true); texts.len()],
        texts => {
            let (first, second) = texts.split_at(texts.len() / 2);
            let (first, second) =
                (bytecode_of(from, to, flags, first, file), bytecode_of(from, to, flags, second, file));
            [first, second].concat()
        }
    }
}

/// The outcome of each program between a writing and a reading tool: text, generic form, bytecode.
fn outcomes(from: &Path, to: &Path, cases: &[Case], flags: &[&str]) -> Vec<Outcome> {
    let programs: Vec<String> = cases.iter().map(|case| case.program.generic.clone()).collect();
    let read = |flags: &[&str]| {
        let texts = printed(from, flags, &programs);
        // A text that its own writer cannot read shows nothing about the other tool.
        let (own, accepted) = (accepts(from, &texts), accepts(to, &texts));
        texts
            .iter()
            .zip(own.iter().zip(accepted))
            .map(|(text, (own, accepted))| (*own && !text.trim().is_empty()).then_some(accepted))
            .collect::<Vec<_>>()
    };
    let (texts, generics) = (read(&[]), read(&["--mlir-print-op-generic"]));
    let bytecode = bytecode(from, to, flags, &programs);
    (0..cases.len()).map(|at| [texts[at], generics[at], bytecode[at]]).collect()
}

/// The levels on which a program was read: text, generic form and bytecode; `None` for a level that was not tried.
type Outcome = [Option<bool>; 3];

/// The levels of an outcome.
const LEVELS: [(Level, &str); 3] =
    [(Level::Text, "text"), (Level::Generic, "generic"), (Level::Bytecode, "bytecode")];

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    silent: usize,
    unknown: BTreeMap<&'static str, usize>,
    /// Programs that were read as operations unknown to the tool, in a dialect that accepts these.
    opaque: usize,
    missed: Vec<String>,
    false_breaks: Vec<String>,
}

impl Counts {
    fn add(&mut self, case: &Case, outlook: Outlook, is_read: bool, is_known: bool) {
        let rule = outlook.rule.map_or("", Rule::id);
        let shown = || format!("{} {} {rule}", case.op, case.variant);
        match (outlook.verdict, is_read) {
            (Verdict::Unknown, _) => *self.unknown.entry(rule).or_default() += 1,
            (Verdict::Breaks, true) if !is_known => self.opaque += 1,
            (Verdict::Breaks, true) => self.false_breaks.push(shown()),
            (Verdict::Safe, false) => self.missed.push(shown()),
            (Verdict::Silent, _) => self.silent += 1,
            (Verdict::Breaks, false) | (Verdict::Safe, true) => self.right += 1,
        }
    }

    fn decided(&self) -> usize {
        self.right + self.silent + self.opaque + self.missed.len() + self.false_breaks.len()
    }

    fn unknown(&self) -> usize {
        self.unknown.values().sum()
    }
}

/// A hash of a text that stays the same in all versions.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Recorded answers of the tools, by operation, variant and digest.
fn recorded(file: &Path) -> BTreeMap<String, Outcome> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [op, variant, digest, outcomes @ ..] = &cells[..] else { return None };
        let of = |cell: &str| match cell.split(' ').next() {
            Some("read") => Some(true),
            Some("broken") => Some(false),
            _ => None,
        };
        let [text, generic, bytecode] = outcomes else { return None };
        Some((format!("{op}\t{variant}\t{digest}"), [of(text), of(generic), of(bytecode)]))
    });
    rows.collect()
}

fn key(case: &Case) -> String {
    format!("{}\t{}\t{}", case.op, case.variant, digest(&case.program.generic))
}

fn oracle(direction: Direction, from: &Side, to: &Side, flags: &[&str]) {
    // `compare` goes from the old side to the new one.
    let (old, new) = match direction {
        Direction::Backward => (from, to),
        Direction::Forward => (to, from),
    };
    let name = if direction == Direction::Backward { "backward.tsv" } else { "forward.tsv" };
    let file = set_up::tests_folder().join("diff_oracle").join(name);
    let mut cases = programs(from);
    let outcomes: Vec<Outcome> = if let (Some(writer), Some(reader)) = (&from.tool, &to.tool) {
        cases = verified(writer, cases);
        outcomes(writer, reader, &cases, flags)
    } else {
        let known = recorded(&file);
        cases.retain(|case| known.contains_key(&key(case)));
        assert_eq!(cases.len(), known.len(), "programs are others than {name} tells of: record it anew");
        cases.iter().map(|case| known[&key(case)]).collect()
    };
    let options = Options { directions: vec![direction], ..Options::default() };
    let comparison = on_a_big_stack(|| compare(&old.document, &new.document, &options));
    let predictor = Predictor::new(&comparison.findings, &from.document, &to.document);
    let readers: Vec<&Records> = to.roots.iter().map(|it| &**it).collect();
    let judge = Judge::new(&readers);
    let is_known = |op: &str| to.document.operations.iter().any(|it| it.name == op);
    let outlook = |case: &Case, level: Level| {
        let all = case.program.operations.iter();
        all.map(|parts| predictor.outlook(&JudgedParts { parts, judge: &judge }, level))
            .reduce(Outlook::and)
            .expect("a program has operations")
    };
    let mut counts: BTreeMap<(bool, &str), Counts> = BTreeMap::new();
    let mut table = String::from("# operation\tprogram\tdigest\ttext\tgeneric\tbytecode\n");
    for (case, outcome) in cases.iter().zip(&outcomes) {
        let mut row = key(case);
        for ((level, name), is_read) in LEVELS.iter().zip(outcome) {
            let Some(is_read) = is_read else {
                row.push_str("\tnot written");
                continue;
            };
            let outlook = on_a_big_stack(|| outlook(case, *level));
            let said = match outlook.rule {
                Some(rule) => format!("{:?} {}", outlook.verdict, rule.id()),
                None => format!("{:?}", outlook.verdict),
            };
            let _ = write!(row, "\t{} ({said})", if *is_read { "read" } else { "broken" });
            let counts = counts.entry((case.variant == "some", name)).or_default();
            counts.add(case, outlook, *is_read, is_known(&case.op));
        }
        let _ = writeln!(table, "{row}");
    }
    let operations = cases.iter().map(|case| &case.op).collect::<std::collections::BTreeSet<_>>().len();
    println!("{direction:?}: {operations} operations, {} programs", cases.len());
    for ((is_apart, level), counts) in &counts {
        println!(
            "{level}{}: {} right, {} silent, {} read as unknown operations, {} missed, {} false, {} unknown {:?}",
            if *is_apart { ", programs that no rule was found on" } else { "" },
            counts.right,
            counts.silent,
            counts.opaque,
            counts.missed.len(),
            counts.false_breaks.len(),
            counts.unknown(),
            counts.unknown,
        );
        println!("    missed {:?}\n    false {:?}", counts.missed, counts.false_breaks);
    }
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, &table).expect("written");
    }
    assert!(operations >= 400, "only {operations} operations");
    for ((_, level), counts) in &counts {
        let all = counts.decided() + counts.unknown();
        assert!(counts.missed.is_empty(), "{level}: {:?}", counts.missed);
        assert!(counts.false_breaks.len() * 100 <= counts.decided(), "{level}: {:?}", counts.false_breaks);
        assert!(counts.unknown() * 10 <= all, "{level}: {} unknown", counts.unknown());
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), table, "{name} says something else");
}

/// The tool that a variable names, or else the one of `ODSMITH_ORACLE=1`.
fn tool(release: &str, found: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    let given = env::var_os(format!("ODSMITH_MLIR_OPT_{release}")).map(PathBuf::from);
    given.or_else(|| env::var_os("ODSMITH_ORACLE").and_then(|_| found()))
}

fn sides() -> Option<(Side, Side)> {
    let old = tool("19", || Some(set_up::release("19", "opt")?.join("bin/mlir-opt")));
    let new = tool("22", || Some(PathBuf::from("/usr/lib/llvm-22/bin/mlir-opt")).filter(|it| it.is_file()));
    if old.is_none() || new.is_none() {
        println!("earlier answers are used: ODSMITH_ORACLE=1 asks them again");
    }
    let prefix = set_up::release("19", "library")?;
    let new = Side::read("22", new, Path::new(set_up::library()));
    Some((Side::read("19", old, &prefix.join("include")), new))
}

#[test]
fn old_files_and_new_tools() {
    if let Some((old, new)) = sides() {
        oracle(Direction::Backward, &old, &new, &[]);
    }
}

#[test]
fn new_files_and_old_tools() {
    if let Some((old, new)) = sides() {
        // The old tool does not read newer versions of the format.
        oracle(Direction::Forward, &new, &old, &["--emit-bytecode-version=6"]);
    }
}

/// Writes MLIR 22's programs in generic form, as its mlir-opt prints them, for other readers (`tests/plugins/xdsl_reads.py`):
/// to the file that `ODSMITH_PROGRAMS` names, each after a line with the name of its operation.
#[test]
fn programs_for_other_readers() {
    let Some(file) = env::var_os("ODSMITH_PROGRAMS") else { return };
    let library = PathBuf::from(set_up::library());
    let tool = env::var_os("ODSMITH_MLIR_OPT_22").map(PathBuf::from);
    let tool = tool.unwrap_or_else(|| library.with_file_name("bin").join("mlir-opt"));
    let cases = verified(&tool, programs(&Side::read("22", None, &library)));
    let texts: Vec<String> = cases.iter().map(|case| case.program.generic.clone()).collect();
    let printed = printed(&tool, &["--mlir-print-op-generic"], &texts);
    let mut all = String::new();
    for (case, text) in cases.iter().zip(printed) {
        let _ = write!(all, "{SPLIT}// {} {}\n{text}", case.op, case.variant);
    }
    fs::write(file, all).expect("the file is written");
}
