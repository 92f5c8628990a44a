//! The oracle of comparisons: what MLIR's own tools make of each other's files, against what `diff` says of them.
//!
//! An operation of the old release becomes a program, with as few parts as may be and with all of them. The old mlir-opt
//! verifies it, and writes it as text, in the generic form and as bytecode; the new one reads each. A break that no finding
//! tells of is missed; a finding that must break this program, which is read all the same, is false.
//!
//! `ODSMITH_ORACLE=1` gets the tools from Debian's packages; `ODSMITH_MLIR_OPT_19` and `ODSMITH_MLIR_OPT_22` name others. The answers are kept
//! in `diff_oracle/backward.tsv` and `forward.tsv` (`ODSMITH_REGENERATE=1`).

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
    interchange::{self, Document, Root},
    record::Records,
    review::diff::{
        Direction, Finding, Options, compare,
        rules::{Level, Rule, Verdict},
    },
    source::Files,
};
use odsmith_tests::{archive::files_below, pool, program::on_a_big_stack, releases, set_up};
use odsmith_witness::{program::Programs, skeleton::Extent};

/// A text, and the files of a library.
struct Tree {
    text: Vec<u8>,
    include: PathBuf,
}

const NAME: &str = "case.td";

impl Files for Tree {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        if path == NAME {
            return Some(Arc::from(&self.text[..]));
        }
        fs::read(self.include.join(path)).ok().map(Arc::from)
    }
}

/// One release: its tool, its records, its model.
struct Side {
    tool: PathBuf,
    roots: Vec<Arc<Records>>,
    document: Document,
}

impl Side {
    fn read(release: &str, tool: PathBuf, include: &Path) -> Side {
        let library = releases::library(release);
        let files = files_below(include);
        let names: Vec<String> = files
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| path.starts_with("mlir/") && path.ends_with(".td"))
            .collect();
        let read = pool::map(&names, |td| {
            let text = format!("include \"{td}\"\n").into_bytes();
            let tree = Tree { text, include: include.to_owned() };
            let job = Job::new(tree).include(".").target(Target::new(NAME));
            let records = odsmith_engine::run(&library, &job).targets.pop()?.records?;
            let has_any = ["Op", "TypeDef", "AttrDef", "EnumInfo", "EnumAttrInfo"]
                .iter()
                .any(|class| records.derived(class).next().is_some());
            (has_any && interchange::check(&records).is_ok()).then(|| (td.clone(), records))
        });
        let read: Vec<_> = read.into_iter().flatten().collect();
        let roots: Vec<Root<'_>> = read.iter().map(|(td, records)| Root { td, records }).collect();
        let document = on_a_big_stack(|| {
            interchange::document(library.rules(), &include.to_string_lossy(), &roots, u64::MAX)
        });
        let document = document.unwrap_or_else(|error| panic!("{}", error.message));
        Side { tool, roots: read.into_iter().map(|(_, records)| records).collect(), document }
    }
}

/// A program that the writing side verifies.
struct Case {
    op: String,
    variant: &'static str,
    program: String,
}

const SPLIT: &str = "// -----\n";
/// A tool reads so many programs in one process.
const BATCH: usize = 32;
/// No process may take longer, in seconds.
const PATIENCE: &str = "60";

/// The answer of a tool: what it printed, and the errors by the line that they are about.
struct Answer {
    output: String,
    errors: Vec<usize>,
    is_ok: bool,
    /// Whether it ended otherwise than by saying what is wrong.
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
        // A tool that fails early reads no more.
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

/// Whether a tool takes each of many texts.
fn takes(tool: &Path, texts: &[String]) -> Vec<bool> {
    let batches: Vec<&[String]> = texts.chunks(BATCH).collect();
    pool::map(&batches, |batch| takes_batch(tool, batch)).into_iter().flatten().collect()
}

fn takes_batch(tool: &Path, texts: &[String]) -> Vec<bool> {
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
    let mut taken = vec![true; texts.len()];
    for error in &answer.errors {
        let index = starts.iter().rposition(|start| start <= error).unwrap_or(0);
        taken[index] = false;
    }
    if answer.has_crashed || taken.iter().all(|taken| *taken) {
        // What comes after the crash was not looked at.
        if let [_] = texts {
            return vec![false];
        }
        let (first, second) = texts.split_at(texts.len() / 2);
        return [takes_batch(tool, first), takes_batch(tool, second)].concat();
    }
    taken
}

/// Programs of all operations that the writing side verifies.
fn cases(side: &Side) -> Vec<Case> {
    let roots: Vec<&Records> = side.roots.iter().map(|it| &**it).collect();
    let made = on_a_big_stack(|| {
        let programs = Programs::new(&roots);
        let mut all: Vec<Case> = Vec::new();
        for op in programs.names() {
            let mut before = String::new();
            for (variant, extent) in [("least", Extent::Least), ("all", Extent::All)] {
                let Some(program) = programs.program(op, extent) else { continue };
                if program.generic != before {
                    before.clone_from(&program.generic);
                    all.push(Case { op: op.to_owned(), variant, program: program.generic });
                }
            }
        }
        all
    });
    let texts: Vec<String> = made.iter().map(|case| case.program.clone()).collect();
    let taken = takes(&side.tool, &texts);
    made.into_iter().zip(taken).filter_map(|(case, taken)| taken.then_some(case)).collect()
}

/// What a tool prints for each of many programs that it takes.
fn printed(tool: &Path, flags: &[&str], texts: &[String]) -> Vec<String> {
    let batches: Vec<&[String]> = texts.chunks(BATCH).collect();
    let flags = [&["--split-input-file"], flags].concat();
    let print = |batch: &&[String]| {
        let answer = ask(tool, &flags, &batch.join(SPLIT));
        let pieces: Vec<String> = answer.output.split(SPLIT).map(str::to_owned).collect();
        if pieces.len() == batch.len() {
            return pieces;
        }
        // It printed some of them as something that looks like a border.
        batch.iter().map(|text| ask(tool, &flags[1..], text).output).collect()
    };
    pool::map(&batches, print).into_iter().flatten().collect()
}

/// So many programs share a file of bytecode.
const IN_A_FILE: usize = 8;

/// Whether one tool reads the bytecode that another one writes of each program. Several share a file, and are tried apart if
/// it is not read. Nothing is said of what can not be written.
fn bytecode(from: &Path, to: &Path, flags: &[&str], texts: &[String]) -> Vec<Option<bool>> {
    let folder = env::temp_dir().join(format!("odsmith-oracle-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let groups: Vec<(usize, &[String])> = texts.chunks(IN_A_FILE).enumerate().collect();
    let read = pool::map(&groups, |(index, group)| {
        bytecode_of(from, to, flags, group, &folder.join(format!("{index}.mlirbc")))
    });
    let _ = fs::remove_dir_all(&folder);
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

/// What the reading side makes of what the writing side writes: text, generic form, bytecode.
fn outcomes(from: &Side, to: &Side, cases: &[Case], flags: &[&str]) -> Vec<[Option<bool>; 3]> {
    let programs: Vec<String> = cases.iter().map(|case| case.program.clone()).collect();
    let read = |flags: &[&str]| {
        let texts = printed(&from.tool, flags, &programs);
        let taken = takes(&to.tool, &texts);
        // Nothing is said of what can not be written.
        texts
            .iter()
            .zip(taken)
            .map(|(text, taken)| (!text.trim().is_empty()).then_some(taken))
            .collect::<Vec<_>>()
    };
    let (texts, generics) = (read(&[]), read(&["--mlir-print-op-generic"]));
    let bytecode = bytecode(&from.tool, &to.tool, flags, &programs);
    (0..cases.len()).map(|at| [texts[at], generics[at], bytecode[at]]).collect()
}

/// What findings say of one program at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Saying {
    /// It must break.
    Breaks,
    /// Something about the operation breaks, which this program need not have.
    Depends,
    /// It is not decided.
    Unknown,
    /// It is read.
    Reads,
}

/// What findings of an operation say of a program.
fn saying(findings: &[&Finding], program: &str, level: Level) -> Saying {
    let of = |finding: &&Finding| {
        let at = [level, Level::Verifier].map(|it| finding.effects.get(&it).copied().unwrap_or_default());
        let verdict = at[0].min(at[1]);
        if verdict == Verdict::Safe {
            return Saying::Reads;
        }
        if verdict == Verdict::Unknown {
            return Saying::Unknown;
        }
        let part = finding.subject.split_once('#').map_or("", |(_, part)| part);
        let is_there = part.is_empty()
            || program.contains(&format!("%{part}"))
            || program.contains(&format!("{part} = "));
        let is_of_whole = verdict == Verdict::Breaks
            && at[0] == Verdict::Breaks
            && match finding.rule {
                // What is new is missing from every old program; so is what comes after it in bytecode.
                Rule::OP001 | Rule::OP003 | Rule::OP006 | Rule::IN001 | Rule::IN003 | Rule::IN004 => true,
                // Of texts, those that the format refuses need not be this one.
                Rule::OP008 | Rule::OP009 | Rule::OP018 | Rule::OP023 | Rule::OP025 | Rule::OP021 => {
                    level != Level::Text
                }
                Rule::DI001 | Rule::DI002 => true,
                // What is gone is not in every program.
                Rule::OP010 | Rule::IN010 => is_there,
                // The layout is that of all programs.
                Rule::IN005 | Rule::IN006 | Rule::IN009 | Rule::IN013 | Rule::IN015 | Rule::IN016 => {
                    level == Level::Bytecode
                }
                // Of a text, or a type, that this program need not have.
                _ => false,
            };
        if is_of_whole { Saying::Breaks } else { Saying::Depends }
    };
    findings.iter().map(of).min().unwrap_or(Saying::Reads)
}

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    missed: Vec<String>,
    false_breaks: Vec<String>,
    depends: usize,
    unknown: usize,
}

fn oracle(direction: Direction, from: &Side, to: &Side, flags: &[&str]) {
    // `compare` goes from the old side to the new one.
    let (old, new) = match direction {
        Direction::Backward => (from, to),
        Direction::Forward => (to, from),
    };
    let options = Options { directions: vec![direction], ..Options::default() };
    let comparison = on_a_big_stack(|| compare(&old.document, &new.document, &options));
    let mut by_op: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &comparison.findings {
        let op = finding.subject.split('#').next().unwrap_or_default();
        by_op.entry(op).or_default().push(finding);
    }
    let cases = cases(from);
    let outcomes = outcomes(from, to, &cases, flags);
    let levels = [(Level::Text, "text"), (Level::Generic, "generic"), (Level::Bytecode, "bytecode")];
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut table = String::from("# operation\tprogram\ttext\tgeneric\tbytecode\n");
    let none = Vec::new();
    for (case, outcome) in cases.iter().zip(&outcomes) {
        let mut row = format!("{}\t{}", case.op, case.variant);
        // What is gone with its dialect has no finding of its own.
        let dialect = format!("dialect:{}", case.op.split('.').next().unwrap_or_default());
        let gone = by_op.get(dialect.as_str()).unwrap_or(&none).iter().copied();
        let gone = gone.filter(|it| matches!(it.rule, Rule::DI001 | Rule::DI002));
        let own = by_op.get(case.op.as_str()).unwrap_or(&none).iter().copied();
        let findings: Vec<&Finding> = own.chain(gone).collect();
        for ((level, name), is_read) in levels.iter().zip(outcome) {
            let Some(is_read) = is_read else {
                row.push_str("\tnot written");
                continue;
            };
            let saying = saying(&findings, &case.program, *level);
            let _ = write!(row, "\t{} ({saying:?})", if *is_read { "read" } else { "broken" });
            let counts = counts.entry(name).or_default();
            match (saying, is_read) {
                (Saying::Breaks, false) | (Saying::Reads, true) | (Saying::Depends, false) => {
                    counts.right += 1
                }
                (Saying::Reads, false) => counts.missed.push(format!("{} {}", case.op, case.variant)),
                (Saying::Breaks, true) => counts.false_breaks.push(format!("{} {}", case.op, case.variant)),
                (Saying::Depends, true) => counts.depends += 1,
                (Saying::Unknown, _) => counts.unknown += 1,
            }
        }
        let _ = writeln!(table, "{row}");
    }
    let operations = cases.iter().map(|case| &case.op).collect::<std::collections::BTreeSet<_>>().len();
    println!("{direction:?}: {operations} operations, {} programs", cases.len());
    for (level, counts) in &counts {
        println!(
            "{level}: {} right, {} missed, {} false, {} depend on parts, {} unknown",
            counts.right,
            counts.missed.len(),
            counts.false_breaks.len(),
            counts.depends,
            counts.unknown
        );
        println!("    missed {:?}\n    false {:?}", counts.missed, counts.false_breaks);
    }
    let name = if direction == Direction::Backward { "backward.tsv" } else { "forward.tsv" };
    let file = set_up::tests_folder().join("diff_oracle").join(name);
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, &table).expect("written");
    }
    assert!(operations >= 400, "only {operations} operations");
    for (level, counts) in &counts {
        let decided = counts.right + counts.missed.len() + counts.false_breaks.len();
        assert!(counts.missed.is_empty(), "{level}: {:?}", counts.missed);
        assert!(counts.false_breaks.len() * 100 <= decided, "{level}: {:?}", counts.false_breaks);
        assert!(counts.unknown * 10 <= cases.len(), "{level}: {} unknown", counts.unknown);
    }
}

/// The tool that a variable names, or else the one of `ODSMITH_ORACLE=1`.
fn tool(release: &str, found: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    let given = env::var_os(format!("ODSMITH_MLIR_OPT_{release}")).map(PathBuf::from);
    given.or_else(|| env::var_os("ODSMITH_ORACLE").and_then(|_| found()))
}

fn sides() -> Option<(Side, Side)> {
    let old = tool("19", || Some(set_up::release("19", "opt")?.join("bin/mlir-opt")));
    let new = tool("22", || Some(PathBuf::from("/usr/lib/llvm-22/bin/mlir-opt")).filter(|it| it.is_file()));
    let (Some(old), Some(new)) = (old, new) else {
        println!(
            "skipped: ODSMITH_ORACLE=1 gets the tools, ODSMITH_MLIR_OPT_19 and ODSMITH_MLIR_OPT_22 name them"
        );
        return None;
    };
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
        // The old tool reads no newer version of the format as such.
        oracle(Direction::Forward, &new, &old, &["--emit-bytecode-version=6"]);
    }
}
