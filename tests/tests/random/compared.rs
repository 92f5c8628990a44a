//! One file through mlir-tblgen and through the engine, and what both say.

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

/// What comes of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Both succeed with the same text and the same messages.
    Same,
    /// Both fail with the same messages.
    SameError,
    /// They differ, which is known.
    Known,
    /// The reference crashed, fails without a word, or says something else each time.
    Unsteady,
    /// They differ.
    Differs,
}

/// A file in a folder of its own, which goes with this value.
pub struct Workplace {
    folder: PathBuf,
    name: String,
    /// Where both look for what the file includes.
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

    /// What mlir-tblgen makes of it.
    fn theirs(&self, flags: &[String]) -> Run {
        reference::again("mlir-tblgen", &self.folder, &self.arguments(flags))
    }

    /// What the engine makes of it, for each of the runs.
    pub fn ours(&self, runs: &[Vec<String>]) -> Vec<Run> {
        let flags = runs.iter().map(|words| Flags::parse(words).expect("the generator exists"));
        let flags: Vec<Flags> = flags.collect();
        run::engine(&self.folder, &self.name, &flags, &self.includes)
    }

    /// What a run comes to, and what mlir-tblgen made of it.
    pub fn compare(&self, flags: &[String], got: &Run) -> (Verdict, Run) {
        let want = self.theirs(flags);
        let verdict = match verdict(&want, got) {
            Verdict::Differs if !self.is_steady(flags, &want) => Verdict::Unsteady,
            verdict => verdict,
        };
        (verdict, want)
    }

    /// Whether the reference says the same each time. What it reads from memory that is not its own changes from one
    /// process to the next.
    fn is_steady(&self, flags: &[String], want: &Run) -> bool {
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
        // It fails now and then without a word; here an error says so.
        (1, 1) if want.err.is_empty() => Verdict::Unsteady,
        (0 | 1, _) => Verdict::Differs,
        _ => Verdict::Unsteady,
    }
}

/// All messages, without what depends on where files are. The reference ends one of them without a line break.
fn messages(run: &Run) -> Vec<u8> {
    let text = String::from_utf8_lossy(&run.err).replace(set_up::library(), "");
    fixture::neutral(text.as_bytes()).trim_ascii_end().to_owned()
}

/// The first difference, of the texts or of the messages.
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
