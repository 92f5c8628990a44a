//! Every release's own tree of `.td` files through every generator that the release has, and our own fixtures with the
//! library of each release: one test for each file.
//!
//! The answers of the release's tool are recorded as a digest for each file (`fixtures/release/trees/<release>.tsv`),
//! so that only the release's library is needed here. `make conformance RELEASES=<release>` compares with the tool, and
//! shows the differences; `ODSMITH_REGENERATE=1` (or `=<release>`) records the digests from the tools. The tool of the
//! set-up's release is available: it is asked about a file that differs, as its packages still change.
//!
//! Runs in which the tool crashes are listed and left out. A file that is known to differ is marked, and fails here
//! once it agrees: then it has to be recorded again.

#![expect(clippy::print_stdout, reason = "a test says what it left out")]

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use libtest_mimic::{Arguments, Trial};
use odsmith_engine::{
    generators::is_in_release,
    library::{Library, identity::Identity},
    release::Release,
};
use odsmith_tests::{
    Run,
    diff::first_error,
    fixture, pool,
    program::on_a_big_stack,
    reference, releases,
    run::{self, Flags},
    set_up, tree,
};
use xxhash_rust::xxh3::Xxh3;

/// A release, and the folders of its files.
struct Tree {
    release: String,
    library: Library,
    /// The include folder with MLIR's files.
    include: PathBuf,
    /// The folder with the tool, if it is needed.
    tools: PathBuf,
}

/// The recorded answers about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedAnswers {
    /// The dialects that generators are run for.
    dialects: Vec<String>,
    /// The flags of runs in which the tool crashes.
    crashes: Vec<String>,
    /// The digest of all other runs: the flags, the output, and the first error or (for fixtures) all messages.
    digest: u64,
}

/// A run: the folder, the input in it, and the flags.
struct Question {
    folder: PathBuf,
    td: String,
    flags: Vec<String>,
    includes: Vec<String>,
    /// True if all messages count, not only the first error.
    has_messages: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let files = fs::read_dir(folder()).into_iter().flatten().filter_map(Result::ok);
    let mut releases: Vec<String> =
        files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    releases.sort();
    if let Ok(wanted) = env::var("ODSMITH_REGENERATE") {
        releases.retain(|release| wanted == "1" || *release == wanted);
        assert!(!releases.is_empty(), "ODSMITH_REGENERATE is 1 or a recorded release, not '{wanted}'");
        releases.iter().for_each(|release| regenerate(release));
        return ExitCode::SUCCESS;
    }
    let trials = releases.iter().flat_map(|release| match Tree::of(release, "library") {
        Some(tree) if tree.is_recorded_one() => trials(Arc::new(tree)),
        Some(_) => {
            println!(
                "skipped: the tree of MLIR {release}, as its library here is of another commit of trunk"
            );
            Vec::new()
        }
        None => {
            println!("skipped: the tree of MLIR {release}, as its library is not available here");
            Vec::new()
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn trials(tree: Arc<Tree>) -> Vec<Trial> {
    let one = |(file, (wanted, is_known)): (String, (RecordedAnswers, bool))| {
        let tree = tree.clone();
        let name = format!("{}/{file}", tree.release);
        Trial::test(name, move || {
            let differs = on_a_big_stack(|| tree.differs(&file, &wanted));
            if differs == is_known || (differs && on_a_big_stack(|| tree.agrees_today(&file))) {
                return Ok(());
            }
            let release = &tree.release;
            let part = file.strip_prefix("mlir/").unwrap_or(&file);
            if is_known {
                Err(format!("agrees with mlir-tblgen {release} now: record it anew"))?;
            }
            Err(format!(
                "differs from mlir-tblgen {release}: `make conformance RELEASES={release} ONLY={part}` shows a file of MLIR"
            ))?
        })
    };
    tree.recorded().into_iter().map(one).collect()
}

fn regenerate(release: &str) {
    let tree = Tree::of(release, "tools").expect("the tools of the release");
    let include = tree.recorded_with();
    let mut files: Vec<String> = tree::files(&tree.include.join("mlir"))
        .iter()
        .filter_map(|file| Some(file.strip_prefix(&tree.include).ok()?.to_str()?.to_owned()))
        .collect();
    // The set-up's release has its answers about each fixture in files beside it.
    let kinds: &[&str] = if is_of_set_up(release) { &[] } else { &["lang", "ods", "drr"] };
    for kind in kinds {
        let fixtures = fs::read_dir(fixtures().join(kind)).expect("fixtures").filter_map(Result::ok);
        let names = fixtures.filter_map(|file| file.file_name().into_string().ok());
        files
            .extend(names.filter(|name| name.ends_with(".td")).map(|name| format!("fixtures/{kind}/{name}")));
    }
    files.sort();
    let recorded = pool::map(&files, |file| {
        let recorded = tree.theirs_of(file, &include);
        let is_known = tree.ours_of(file, &recorded, &include) != recorded.digest;
        (recorded, is_known)
    });
    let mut text = String::from(
        "# The file, the dialects that generators are asked for, the runs in which the tool crashes, the digest of all\n\
         # other answers, and whether ours are known to differ.\n",
    );
    for (file, (RecordedAnswers { dialects, crashes, digest }, is_known)) in files.iter().zip(recorded) {
        let known = if is_known { "differs" } else { "" };
        let _ =
            writeln!(text, "{file}\t{}\t{}\t{digest:016x}\t{known}", dialects.join(","), crashes.join(","));
    }
    fs::write(folder().join(format!("{release}.tsv")), text).expect("the digests are written");
}

impl Tree {
    /// `None` if the release is not available.
    fn of(release: &str, what: &str) -> Option<Tree> {
        let (include, tools) = if is_of_set_up(release) {
            (set_up::library().into(), set_up::reference_tools().to_owned())
        } else {
            let prefix = set_up::release(release, what)?;
            (prefix.join("include"), prefix.join("bin"))
        };
        Some(Tree { release: release.to_owned(), library: releases::library(release), include, tools })
    }

    /// Returns true if the library is the recorded one. That of a release stays as it is, and that of trunk moves on.
    fn is_recorded_one(&self) -> bool {
        let Some(release) = Some(self.library.release()).filter(|release| release.snapshot().is_some())
        else {
            return true;
        };
        let root = self.library.root();
        let text = |path: &str| Some((path.to_owned(), self.library.read(&format!("{root}/{path}"))?));
        let files: BTreeMap<String, Arc<[u8]>> = self.library.paths().filter_map(text).collect();
        matches!(Identity::of(&files), Identity::Release(found) if found == release)
    }

    /// The include folder for the tool. For another release it has only MLIR's files, as in the tests, since LLVM's are
    /// in another package.
    fn recorded_with(&self) -> PathBuf {
        if is_of_set_up(&self.release) {
            return self.include.clone();
        }
        let view = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tree-{}", self.release));
        let _ = fs::create_dir_all(&view);
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(self.include.join("mlir"), view.join("mlir"));
        view
    }

    /// Returns true if our answers about a file differ from the recorded ones.
    fn differs(&self, file: &str, wanted: &RecordedAnswers) -> bool {
        self.ours_of(file, wanted, &self.include) != wanted.digest
    }

    /// Returns true if our answers about a file agree with the installed tool, whatever is recorded.
    fn agrees_today(&self, file: &str) -> bool {
        is_of_set_up(&self.release) && {
            let today = self.theirs_of(file, &self.include);
            let agrees = !self.differs(file, &today);
            if agrees {
                println!("{file}: MLIR {} is newer here than what is recorded of it", self.release);
            }
            agrees
        }
    }

    /// The recorded answers about each file, and whether ours are known to differ.
    fn recorded(&self) -> BTreeMap<String, (RecordedAnswers, bool)> {
        let path = folder().join(format!("{}.tsv", self.release));
        let text = fs::read_to_string(&path).expect("recorded digests");
        let list = |field: &str| field.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let file = fields.next()?.to_owned();
            let (dialects, crashes) = (list(fields.next()?), list(fields.next()?));
            let digest = u64::from_str_radix(fields.next()?, 16).ok()?;
            Some((file, (RecordedAnswers { dialects, crashes, digest }, fields.next()? == "differs")))
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| row(line).unwrap_or_else(|| panic!("{}: {line}", path.display()))).collect()
    }

    /// The digest of the engine's answers.
    fn ours_of(&self, file: &str, wanted: &RecordedAnswers, include: &Path) -> u64 {
        let mut questions = self.questions(file, include, &wanted.dialects, |question| self.ours(question));
        questions.retain(|question| !wanted.crashes.contains(&question.flags.join(" ")));
        digest(&questions, &self.ours(&questions), include)
    }

    /// The answers of the tool.
    fn theirs_of(&self, file: &str, include: &Path) -> RecordedAnswers {
        let answer = |questions: &[Question]| -> Vec<Run> {
            questions.iter().map(|question| self.theirs(question)).collect()
        };
        let dialects = match file.starts_with("fixtures/") {
            true => Vec::new(),
            false => {
                let records = answer(&[print_records(file, include)]).pop().unwrap_or_default();
                tree::dialects(&String::from_utf8_lossy(&records.out))
            }
        };
        let questions = self.questions(file, include, &dialects, answer);
        let answers = answer(&questions);
        // A tool that a signal ended has no status.
        let (crashed, whole): (Vec<_>, Vec<_>) = questions
            .into_iter()
            .zip(answers)
            .partition(|(_, answer)| answer.status < 0 || answer.status > 128);
        let (questions, answers): (Vec<_>, Vec<_>) = whole.into_iter().unzip();
        let crashes = crashed.iter().map(|(question, _)| question.flags.join(" ")).collect();
        RecordedAnswers { dialects, crashes, digest: digest(&questions, &answers, include) }
    }

    /// All runs of a file. A file that cannot be read has only the run that prints its records.
    fn questions(
        &self,
        file: &str,
        include: &Path,
        dialects: &[String],
        answer: impl Fn(&[Question]) -> Vec<Run>,
    ) -> Vec<Question> {
        if file.starts_with("fixtures/") {
            return self.questions_of_fixture(file, include);
        }
        let records = print_records(file, include);
        let is_readable = answer(&[records]).first().is_some_and(|records| records.status == 0);
        let sets = tree::flag_sets(self.library.rules(), is_readable.then_some(dialects));
        let with = |set: &String| Question {
            flags: set.split(' ').map(str::to_owned).collect(),
            ..print_records(file, include)
        };
        sets.iter().map(with).collect()
    }

    /// The runs of a fixture for which the release has the flags.
    fn questions_of_fixture(&self, file: &str, include: &Path) -> Vec<Question> {
        let path = set_up::tests_folder().join(file);
        let library = include.display().to_string();
        let is_known = |flag: &String| {
            let name = flag.trim_start_matches('-');
            is_in_release(name.split('=').next().unwrap_or(name), self.library.rules())
        };
        let runs = fixture::runs(&path, &library).into_iter().filter(|(_, flags)| flags.iter().all(is_known));
        let folder = path.parent().unwrap_or(&path).to_owned();
        let one = |(td, flags)| Question {
            folder: folder.clone(),
            td,
            flags,
            includes: vec![library.clone(), ".".to_owned()],
            has_messages: true,
        };
        runs.map(one).collect()
    }

    fn ours(&self, questions: &[Question]) -> Vec<Run> {
        let Some(Question { folder, td, includes, has_messages, .. }) = questions.first() else {
            return Vec::new();
        };
        let flags: Vec<Flags> = questions
            .iter()
            .map(|question| Flags::parse(&question.flags))
            .collect::<Result<_, _>>()
            .expect("only generators that we have are asked for");
        if !has_messages {
            return run::engine_of(&self.library, folder, td, &flags, includes);
        }
        // The runs of a fixture may differ in their input and in flags of the reader.
        let each = questions.iter().zip(flags);
        let one = |(question, flags): (&Question, Flags)| {
            run::engine_of(&self.library, folder, &question.td, &[flags], includes)
        };
        each.flat_map(one).collect()
    }

    fn theirs(&self, question: &Question) -> Run {
        let mut arguments: Vec<&str> = question.flags.iter().map(String::as_str).collect();
        question.includes.iter().for_each(|include| arguments.extend(["-I", include]));
        arguments.push(&question.td);
        reference::program(&self.tools.join("mlir-tblgen"), &question.folder, &arguments)
    }
}

/// Returns true if a release is the one whose library and tools the set-up finds.
fn is_of_set_up(release: &str) -> bool {
    release == Release::default().name()
}

/// The first run of a file in the tree. Paths are relative, as some outputs name their input.
fn print_records(file: &str, include: &Path) -> Question {
    Question {
        folder: include.to_owned(),
        td: file.to_owned(),
        flags: vec!["--print-records".to_owned()],
        includes: vec![".".to_owned(), own_folder(file)],
        has_messages: false,
    }
}

/// The digest of runs and answers. The output of a run that failed does not count.
fn digest(questions: &[Question], answers: &[Run], include: &Path) -> u64 {
    let mut digest = Xxh3::new();
    for (question, answer) in questions.iter().zip(answers) {
        digest.update(question.flags.join(" ").as_bytes());
        digest.update(b"\0");
        if answer.status == 0 {
            digest.update(b"output\0");
            digest.update(&answer.out);
        }
        if question.has_messages {
            let folders = [include, &question.folder].map(|folder| format!("{}/", folder.display()));
            let messages = String::from_utf8_lossy(&fixture::neutral(&answer.err)).into_owned();
            let messages = folders.iter().fold(messages, |text, folder| text.replace(folder, ""));
            digest.update(messages.as_bytes());
        } else if answer.status != 0 {
            digest.update(first_error(&answer.err).unwrap_or_default().as_bytes());
        }
        digest.update(b"\0");
    }
    digest.digest()
}

/// The folder of a file, relative to the include folder.
fn own_folder(file: &str) -> String {
    Path::new(file).parent().map_or(String::new(), |folder| folder.display().to_string())
}

fn fixtures() -> PathBuf {
    set_up::tests_folder().join("fixtures")
}

fn folder() -> PathBuf {
    fixtures().join("release/trees")
}
