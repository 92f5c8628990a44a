//! Every release's own tree of `.td` files through every generator that the release has, and our own fixtures with the
//! library of each release: one test for each file.
//!
//! What the release's tool gives is recorded as a digest for each file (`fixtures/release/trees/<release>.tsv`), so that
//! only the release's library is needed here. `make conformance RELEASES=<release>` compares with the tool, and shows what
//! differs; `ODSMITH_REGENERATE=1` records the digests anew, from the tools.

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
use odsmith_engine::{generators::is_in_release, library::Library};
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

/// A release, and where its files are.
struct Tree {
    release: String,
    library: Library,
    /// The folder above MLIR's include folder.
    prefix: PathBuf,
}

/// What is recorded of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Recorded {
    /// The dialects that generators are asked for.
    dialects: Vec<String>,
    /// Of each run: its flags, its output, and its first error or (of fixtures) all messages.
    digest: u64,
}

/// A run: the folder, the input in it, and the flags.
struct Question {
    folder: PathBuf,
    td: String,
    flags: Vec<String>,
    includes: Vec<String>,
    /// Whether all messages count, not only the first error.
    has_messages: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let files = fs::read_dir(folder()).into_iter().flatten().filter_map(Result::ok);
    let mut releases: Vec<String> =
        files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    releases.sort();
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        releases.iter().for_each(|release| regenerate(release));
        return ExitCode::SUCCESS;
    }
    let trials = releases.iter().flat_map(|release| match Tree::of(release, "library") {
        Some(tree) => trials(Arc::new(tree)),
        None => {
            println!("skipped: the tree of MLIR {release}, as its library can not be had here");
            Vec::new()
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn trials(tree: Arc<Tree>) -> Vec<Trial> {
    let one = |(file, wanted): (String, Recorded)| {
        let tree = tree.clone();
        let name = format!("{}/{file}", tree.release);
        Trial::test(name, move || {
            let got = on_a_big_stack(|| {
                let ours = |questions: &[Question]| tree.ours(questions);
                tree.recorded_of(&file, Some(wanted.dialects.clone()), &tree.include(), ours)
            });
            if got == wanted {
                return Ok(());
            }
            let release = &tree.release;
            Err(format!(
                "differs from mlir-tblgen {release}: `make conformance RELEASES={release} ONLY={file}` shows a file of MLIR"
            ))?
        })
    };
    tree.recorded().into_iter().map(one).collect()
}

fn regenerate(release: &str) {
    let tree = Tree::of(release, "tools").expect("the tools of the release");
    let include = tree.mlir_alone();
    let mut files: Vec<String> = tree::files(&tree.include().join("mlir"))
        .iter()
        .filter_map(|file| Some(file.strip_prefix(tree.include()).ok()?.to_str()?.to_owned()))
        .collect();
    for kind in ["lang", "ods", "drr"] {
        let fixtures = fs::read_dir(fixtures().join(kind)).expect("fixtures").filter_map(Result::ok);
        let names = fixtures.filter_map(|file| file.file_name().into_string().ok());
        files
            .extend(names.filter(|name| name.ends_with(".td")).map(|name| format!("fixtures/{kind}/{name}")));
    }
    files.sort();
    let theirs = |questions: &[Question]| questions.iter().map(|question| tree.theirs(question)).collect();
    let recorded = pool::map(&files, |file| tree.recorded_of(file, None, &include, theirs));
    let mut text = String::from(
        "# The file, the dialects that generators are asked for, and the digest of all answers.\n",
    );
    for (file, Recorded { dialects, digest }) in files.iter().zip(recorded) {
        let _ = writeln!(text, "{file}\t{}\t{digest:016x}", dialects.join(","));
    }
    fs::write(folder().join(format!("{release}.tsv")), text).expect("the digests are written");
}

impl Tree {
    /// Nothing, where it can not be had.
    fn of(release: &str, what: &str) -> Option<Tree> {
        let prefix = set_up::release(release, what)?;
        Some(Tree { release: release.to_owned(), library: releases::library(release), prefix })
    }

    fn include(&self) -> PathBuf {
        self.prefix.join("include")
    }

    /// An include folder with MLIR's files only, as tests have it: those of LLVM are another package.
    fn mlir_alone(&self) -> PathBuf {
        let view = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tree-{}", self.release));
        let _ = fs::create_dir_all(&view);
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(self.include().join("mlir"), view.join("mlir"));
        view
    }

    fn recorded(&self) -> BTreeMap<String, Recorded> {
        let path = folder().join(format!("{}.tsv", self.release));
        let text = fs::read_to_string(&path).expect("recorded digests");
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let (file, dialects, digest) = (fields.next()?, fields.next()?, fields.next()?);
            let dialects = dialects.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            Some((file.to_owned(), Recorded { dialects, digest: u64::from_str_radix(digest, 16).ok()? }))
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| row(line).unwrap_or_else(|| panic!("{}: {line}", path.display()))).collect()
    }

    /// Asks everything of a file, and takes the digest of the answers. Without dialects, printed records name them.
    fn recorded_of(
        &self,
        file: &str,
        dialects: Option<Vec<String>>,
        include: &Path,
        answer: impl Fn(&[Question]) -> Vec<Run>,
    ) -> Recorded {
        if file.starts_with("fixtures/") {
            let questions = self.questions_of_fixture(file, include);
            let digest = digest(&questions, &answer(&questions), include);
            return Recorded { dialects: Vec::new(), digest };
        }
        let question = |flags: &str| Question {
            folder: include.to_owned(),
            td: file.to_owned(),
            flags: flags.split(' ').map(str::to_owned).collect(),
            // Relative, as some outputs name their input.
            includes: vec![".".to_owned(), own_folder(file)],
            has_messages: false,
        };
        let records = answer(&[question("--print-records")]).pop().unwrap_or_default();
        let dialects = dialects.unwrap_or_else(|| tree::dialects(&String::from_utf8_lossy(&records.out)));
        let sets = tree::flag_sets(self.library.rules(), (records.status == 0).then_some(&*dialects));
        let questions: Vec<Question> = sets.iter().map(|set| question(set)).collect();
        let digest = digest(&questions, &answer(&questions), include);
        Recorded { dialects, digest }
    }

    /// The runs of a fixture that the release has flags for.
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
        // Runs of a fixture may differ in their input and in flags of the reader.
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
        reference::program(&self.prefix.join("bin/mlir-tblgen"), &question.folder, &arguments)
    }
}

/// The digest of questions and answers. What a failing run printed before it failed is no output.
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
