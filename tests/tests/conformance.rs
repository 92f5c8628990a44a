//! MLIR's own tree through mlir-tblgen and through the engine: every generator that we have, and one test for each
//! file.
//!
//! A cell is one file with one set of flags. It counts if the reference succeeds with more than the output for an empty
//! file, or fails here but not there. A file that the reference cannot parse counts once. The reference's answers are
//! cached under the target folder, so that a second run takes seconds.
//!
//! `ODSMITH_CORPUS=<folder>[:<include>…]` selects another tree; `ODSMITH_CONFORM=<text>` selects cells whose flags
//! contain the text, and shows every difference; `ODSMITH_CONFORM_RELEASE=<release>` selects the tree and the tool of
//! another release (`make conformance` runs each in turn); `ODSMITH_CONFORM_SHARE=<n>/<of>` selects every `<of>`th
//! file, from the `<n>`th on.

#![expect(clippy::print_stdout, reason = "a test says what it compared and what it left out")]

use std::{
    collections::BTreeMap,
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, OnceLock},
};

use libtest_mimic::{Arguments, Trial};
use odsmith_engine::{library::Library, release::Release};
use odsmith_tests::{
    Run,
    diff::{first_difference, first_error},
    program::on_a_big_stack,
    reference, releases,
    run::{self, Flags},
    set_up, tree,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Both succeed with the same bytes.
    Same,
    /// Both fail.
    BothFail,
    /// Both succeed, the bytes differ.
    Differs,
    /// Only the reference succeeds.
    Rejected,
    /// Only the engine succeeds.
    Accepted,
}

struct Cell {
    flags: String,
    status: Status,
    /// Both fail with the same first message.
    has_same_message: bool,
    shown: String,
}

/// The release to compare with.
struct Tools {
    library: Library,
    /// The prefix of its tool and tree, if it is not the set-up's release.
    other: Option<PathBuf>,
}

impl Tools {
    fn get() -> &'static Tools {
        static TOOLS: OnceLock<Tools> = OnceLock::new();
        TOOLS.get_or_init(|| match env::var("ODSMITH_CONFORM_RELEASE") {
            Ok(release) if release != Release::default().name() => Tools {
                library: releases::library(&release),
                other: Some(set_up::release(&release, "tools").expect("the tools of the release")),
            },
            _ => Tools { library: Library::default(), other: None },
        })
    }

    /// The folder that cached answers depend on.
    fn folder(&self) -> &Path {
        self.other.as_deref().unwrap_or_else(|| set_up::reference_tools())
    }

    fn include(&self) -> PathBuf {
        self.other.as_ref().map_or_else(|| set_up::library().into(), |prefix| prefix.join("include"))
    }
}

/// The number of cells for each generator, and how many are same, both fail, same message, differs, rejected, accepted.
type Table = BTreeMap<String, [usize; 7]>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let table = Arc::new(Mutex::new(Table::new()));
    let tests = match env::var("ODSMITH_CORPUS") {
        Ok(corpus) => {
            let mut folders = corpus.split(':').map(str::to_owned);
            let root = PathBuf::from(folders.next().unwrap_or_default());
            trials(&root, &folders.collect::<Vec<_>>(), &table)
        }
        Err(_) => {
            let own = set_up::tests_folder().join("fixtures/demo/include");
            [Tools::get().include().join("mlir"), own]
                .iter()
                .flat_map(|root| trials(root, &[], &table))
                .collect()
        }
    };
    let conclusion = libtest_mimic::run(&arguments, tests);
    print(&table.lock().expect("no test panicked here"));
    conclusion.exit_code()
}

/// Makes one test for each file below a folder; include folders are the library, the folder and `more`.
fn trials(root: &Path, more: &[String], table: &Arc<Mutex<Table>>) -> Vec<Trial> {
    let own = [Tools::get().include().display().to_string(), root.display().to_string()];
    let includes: Arc<[String]> = own.into_iter().chain(more.iter().cloned()).collect();
    let files = tree::files(root);
    assert!(!files.is_empty(), "no .td file under {}", root.display());
    let (first, each) = share();
    let trial = |file: PathBuf| {
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let (includes, table) = (Arc::clone(&includes), Arc::clone(table));
        Trial::test(name, move || Ok(on_a_big_stack(|| check(&file, &includes, &table))?))
    };
    files.into_iter().skip(first).step_by(each).map(trial).collect()
}

/// The index of the first file, and the step between files.
fn share() -> (usize, usize) {
    let Ok(text) = env::var("ODSMITH_CONFORM_SHARE") else { return (0, 1) };
    let read = || {
        let (first, each) = text.split_once('/')?;
        let (first, each): (usize, usize) = (first.parse().ok()?, each.parse().ok()?);
        (each > 0).then_some((first % each, each))
    };
    read().expect("ODSMITH_CONFORM_SHARE is <n>/<of>, as in 3/8")
}

/// Compares every cell of a file and counts it.
fn check(file: &Path, includes: &[String], table: &Mutex<Table>) -> Result<(), String> {
    let filter = env::var("ODSMITH_CONFORM").unwrap_or_default();
    let cells = cells_of(file, includes, &filter);
    let mut table = table.lock().expect("no test panicked here");
    let mut wrong = Vec::new();
    for cell in &cells {
        let row = table.entry(cell.flags.split(' ').next().unwrap_or_default().to_owned()).or_default();
        row[0] += 1;
        row[match cell.status {
            Status::Same => 1,
            Status::BothFail => 2,
            Status::Differs => 4,
            Status::Rejected => 5,
            Status::Accepted => 6,
        }] += 1;
        row[3] += usize::from(cell.has_same_message);
        if !matches!(cell.status, Status::Same | Status::BothFail) {
            wrong.push(format!("  {:?}: {}\n{}", cell.status, cell.flags, cell.shown));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let count = wrong.len();
    if filter.is_empty() {
        wrong.truncate(3);
    }
    Err(format!("{count} of {} cells differ (- reference, + ours):\n{}", cells.len(), wrong.concat()))
}

fn print(table: &Table) {
    println!("{:28} cells   same   both fail (same message)   differs rejected accepted", "");
    let (mut all, mut agree) = (0, 0);
    for (flag, [cells, same, both, message, differs, rejected, accepted]) in table {
        println!(
            "{flag:28} {cells:5} {same:6}   {both:9} ({message:12})   {differs:7} {rejected:8} {accepted:8}"
        );
        all += cells;
        agree += same + both;
    }
    println!("{agree} of {all} cells agree");
}

/// Compares one file with every set of flags.
fn cells_of(file: &Path, includes: &[String], filter: &str) -> Vec<Cell> {
    let td = file.display().to_string();
    let own_folder = file.parent().expect("a folder").display().to_string();
    let includes: Vec<String> = includes.iter().cloned().chain([own_folder]).collect();
    let records = Answer::of("--print-records", &td, &includes);

    let dialects = (records.status == 0).then(|| dialects_of(&td, &includes));
    let mut flag_sets = tree::flag_sets(Tools::get().library.rules(), dialects.as_deref());
    flag_sets.retain(|flags| flags.contains(filter));
    let wanted: Vec<(String, Answer)> = flag_sets
        .into_iter()
        .map(|flags| {
            let answer = Answer::of(&flags, &td, &includes);
            (flags, answer)
        })
        .filter(|(flags, answer)| answer.says_something(flags, &td))
        .collect();

    let parsed: Vec<Flags> = wanted
        .iter()
        .map(|(flags, _)| {
            let words: Vec<String> = flags.split(' ').map(str::to_owned).collect();
            Flags::parse(&words).expect("only generators that we have are asked for")
        })
        .collect();
    let ours = run::engine_of(&Tools::get().library, Path::new("/"), &td, &parsed, &includes);
    wanted
        .into_iter()
        .zip(ours)
        .map(|((flags, answer), ours)| compare(flags, &answer, &ours, &td, &includes))
        .collect()
}

fn compare(flags: String, answer: &Answer, ours: &Run, td: &str, includes: &[String]) -> Cell {
    let error = first_error(&ours.err).unwrap_or_default();
    let (status, shown) = match (answer.status == 0, ours.status == 0) {
        (true, true) if answer.hash == hash(&ours.out) => (Status::Same, String::new()),
        (true, true) => {
            let want = ask(&flags, td, includes);
            (Status::Differs, first_difference(&want.out, &ours.out).unwrap_or_default())
        }
        (true, false) => (Status::Rejected, format!("      + {error}\n")),
        (false, true) => (Status::Accepted, format!("      - {}\n", answer.error)),
        (false, false) => (Status::BothFail, String::new()),
    };
    Cell { flags, status, has_same_message: status == Status::BothFail && error == answer.error, shown }
}

/// The cached part of a run of the reference.
#[derive(Clone, Debug, Default)]
struct Answer {
    status: i32,
    length: usize,
    hash: u64,
    error: String,
}

impl Answer {
    fn of(flags: &str, td: &str, includes: &[String]) -> Answer {
        let stamp = fs::metadata(td).and_then(|metadata| metadata.modified()).ok();
        let path = cached(&(flags, td, includes, stamp, Tools::get().folder()), "answer");
        if let Some(answer) = fs::read_to_string(&path).ok().and_then(|text| Answer::parse(&text)) {
            return answer;
        }
        let run = ask(flags, td, includes);
        let answer = Answer {
            status: run.status,
            length: run.out.len(),
            hash: hash(&run.out),
            error: first_error(&run.err).unwrap_or_default(),
        };
        let Answer { status, length, hash, error } = &answer;
        // A signal may be due to a busy machine.
        if *status >= 0 {
            let _ = fs::write(path, format!("{status}\n{length}\n{hash}\n{error}\n"));
        }
        answer
    }

    fn parse(text: &str) -> Option<Answer> {
        let mut lines = text.lines();
        Some(Answer {
            status: lines.next()?.parse().ok()?,
            length: lines.next()?.parse().ok()?,
            hash: lines.next()?.parse().ok()?,
            error: lines.next()?.to_owned(),
        })
    }

    /// Returns true if the answer has more than that for an empty file. A banner names the file, so that only its
    /// length counts.
    fn says_something(&self, flags: &str, td: &str) -> bool {
        let empty_td = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty.td").display().to_string();
        if !Path::new(&empty_td).exists() {
            fs::write(&empty_td, "").expect("an empty file");
        }
        let empty = Answer::of(flags, &empty_td, &[]);
        let name_length = |path: &str| Path::new(path).file_name().map_or(0, |name| name.len());
        match (self.status == 0, empty.status == 0) {
            (true, true) => {
                self.length != empty.length
                    && self.length + name_length(&empty_td) != empty.length + name_length(td)
            }
            (true, false) => self.length != empty.length,
            (false, true) => true,
            (false, false) => self.error != empty.error,
        }
    }
}

/// The names of up to three dialects with definitions in the file, those with most definitions first.
fn dialects_of(td: &str, includes: &[String]) -> Vec<String> {
    let stamp = fs::metadata(td).and_then(|metadata| metadata.modified()).ok();
    let path = cached(&(td, includes, stamp, Tools::get().folder()), "dialects");
    if let Ok(text) = fs::read_to_string(&path) {
        return text.lines().map(str::to_owned).collect();
    }
    let records = ask("--print-records", td, includes).out;
    let names = tree::dialects(&String::from_utf8_lossy(&records));
    let _ = fs::write(path, names.join("\n"));
    names
}

fn ask(flags: &str, td: &str, includes: &[String]) -> Run {
    let mut arguments: Vec<&str> = flags.split(' ').collect();
    for include in includes {
        arguments.extend(["-I", include]);
    }
    arguments.push(td);
    match &Tools::get().other {
        Some(prefix) => reference::program(&prefix.join("bin/mlir-tblgen"), Path::new("/"), &arguments),
        None => reference::again("mlir-tblgen", Path::new("/"), &arguments),
    }
}

fn cached(key: &impl Hash, kind: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    fs::create_dir_all(&folder).expect("a folder for the reference's answers");
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    folder.join(format!("{:016x}.{kind}", hasher.finish()))
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
