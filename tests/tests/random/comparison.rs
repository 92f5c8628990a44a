//! Runs one file through mlir-tblgen and through the engine, and compares the answers.

use std::{
    env, fs,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use odsmith_tests::{
    Run,
    diff::{first_difference, first_error},
    fixture, reference,
    run::{self, Flags},
    set_up,
};

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Both succeed with the same text and the same messages.
    Same,
    /// Both fail with the same messages.
    SameError,
    /// They differ in a known way.
    Known,
    /// The reference crashed, failed without a message, or answers differently each time.
    Unstable,
    /// They differ.
    Differs,
}

/// A file in a folder of its own, removed on drop.
pub struct Workplace {
    folder: PathBuf,
    name: String,
    /// The include folders of both.
    includes: Vec<String>,
}

impl Workplace {
    /// A file of this name and text.
    pub fn new(name: &str, includes: Vec<String>, text: &str) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("odsmith-compared-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for a file");
        fs::write(folder.join(name), text).expect("the file is written");
        Workplace { folder, name: name.to_owned(), includes }
    }

    fn arguments<'a>(&'a self, flags: &'a [String]) -> Vec<&'a str> {
        let includes = self.includes.iter().flat_map(|folder| ["-I", folder]);
        flags.iter().map(String::as_str).chain(includes).chain([self.name.as_str()]).collect()
    }

    /// The answer of mlir-tblgen.
    fn theirs(&self, flags: &[String]) -> Run {
        reference::again("mlir-tblgen", &self.folder, &self.arguments(flags))
    }

    /// The engine's answer to each run.
    pub fn ours(&self, runs: &[Vec<String>]) -> Vec<Run> {
        let flags = runs.iter().map(|words| Flags::parse(words).expect("the generator exists"));
        let flags: Vec<Flags> = flags.collect();
        run::engine(&self.folder, &self.name, &flags, &self.includes)
    }

    /// Compares a run with mlir-tblgen, and returns the latter's answer too.
    pub fn compare(&self, flags: &[String], got: &Run) -> (Verdict, Run) {
        let want = self.theirs(flags);
        let verdict = match verdict(&want, got) {
            Verdict::Differs if !self.is_stable(flags, &want) => Verdict::Unstable,
            verdict => verdict,
        };
        (verdict, want)
    }

    /// Returns true if the reference answers the same each time. Uninitialised memory that it reads changes from one
    /// process to the next.
    fn is_stable(&self, flags: &[String], want: &Run) -> bool {
        (0..4).all(|_| {
            let again = reference::mlir_tblgen(&self.folder, &self.arguments(flags));
            again.status == want.status && again.out == want.out
        })
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn verdict(want: &Run, got: &Run) -> Verdict {
    let is_alike = || messages(want) == messages(got);
    match (want.status, got.status) {
        (0, 0) if want.out == got.out && is_alike() => Verdict::Same,
        (1, 1) if is_alike() => Verdict::SameError,
        // The reference sometimes fails without a message; ours has one.
        (1, 1) if want.err.is_empty() => Verdict::Unstable,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::Unstable,
    }
}

/// All messages without library paths. The reference ends one of them without a line break.
fn messages(run: &Run) -> Vec<u8> {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    fixture::neutral(text.as_bytes()).trim_ascii_end().to_owned()
}

/// The first difference, of the outputs or of the messages.
pub fn report(want: &Run, got: &Run) -> String {
    if want.status == got.status && want.status == 0 && want.out != got.out {
        return first_difference(&want.out, &got.out).unwrap_or_default();
    }
    let mut text = String::new();
    for (mark, run) in [('-', want), ('+', got)] {
        let message = first_error(&run.err).unwrap_or_default();
        text += &format!("      {mark} {} {message}\n", run.status);
    }
    text + &first_difference(&messages(want), &messages(got)).unwrap_or_default()
}
