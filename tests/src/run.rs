//! Runs of the engine in this process, from command-line flags.

use std::{path::Path, sync::Arc};

use odsmith_calibrate::text::Streams;
use odsmith_engine::{
    diagnostic::Severity,
    generators::{Action, Generator, Options},
    job::{Job, Output, Target, TargetOutcome},
    library::Library,
    limits::Limits,
    parallel::Spare,
    record::Records,
    source::Files,
};

use crate::{Run, files::TestFiles, releases, set_up};

/// Parsed flags.
#[derive(Clone, Debug)]
pub struct Flags {
    pub(crate) action: Action,
    includes: Vec<String>,
    defines: Vec<String>,
    warn_unused_template_args: bool,
}

impl Flags {
    /// Parses flags as build files write them.
    ///
    /// # Errors
    /// The name of a generator that the engine lacks.
    pub fn parse(words: &[String]) -> Result<Flags, String> {
        let mut flags = Flags {
            action: Action::PrintRecords,
            includes: Vec::new(),
            defines: Vec::new(),
            warn_unused_template_args: true,
        };
        let mut generator = None;
        let mut options = Options::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if let Some(folder) = word.strip_prefix("-I") {
                let folder = if folder.is_empty() { words.next().unwrap_or_default() } else { folder };
                flags.includes.push(folder.to_owned());
            } else if let Some(name) = word.strip_prefix("-D") {
                flags.defines.push(name.to_owned());
            } else {
                match word.trim_start_matches('-') {
                    "print-records" => flags.action = Action::PrintRecords,
                    "dump-json" => flags.action = Action::DumpJson,
                    "print-enums" => flags.action = Action::PrintEnums(String::new()),
                    "print-sets" => flags.action = Action::PrintSets,
                    "print-detailed-records" => flags.action = Action::PrintDetailedRecords,
                    "no-warn-on-unused-template-args" => flags.warn_unused_template_args = false,
                    name if name.starts_with("gen-") || Generator::find(name).is_some() => {
                        generator = Some(Generator::find(name).ok_or_else(|| name.to_owned())?);
                    }
                    option => {
                        let (name, value) = option.split_once('=').unwrap_or((option, ""));
                        options.set(name, value);
                    }
                }
            }
        }
        if let Some(generator) = generator {
            flags.action = Action::Generate(generator, options);
        } else if let Action::PrintEnums(class) = &mut flags.action {
            *class = options.get("class").unwrap_or_default().to_owned();
        }
        Ok(flags)
    }

    /// Returns true if both read a root file in the same way.
    fn reads_like(&self, other: &Flags) -> bool {
        self.includes == other.includes && self.defines == other.defines
    }
}

/// Runs the engine on one root file, once for consecutive `flags` with the same macros and include folders. Returns the
/// output of each run, in their order.
#[must_use]
pub fn engine(folder: &Path, td: &str, flags: &[Flags], includes: &[String]) -> Vec<Run> {
    engine_of(&fuzzed_library(), folder, td, flags, includes)
}

/// The library, without files, of the release that random inputs are compared for.
#[must_use]
pub fn fuzzed_library() -> Library {
    releases::library(set_up::fuzzed_release().name())
}

/// As [`engine`], with a library and thus a release of the caller's choice.
#[must_use]
pub fn engine_of(
    library: &Library,
    folder: &Path,
    td: &str,
    flags: &[Flags],
    includes: &[String],
) -> Vec<Run> {
    let files: Arc<dyn Files> = Arc::new(TestFiles::below(folder));
    let run = |alike: &[Flags]| {
        let job = job(Arc::clone(&files), td, alike, includes)?;
        let target = odsmith_engine::run(library, &job).targets.into_iter().next().unwrap_or_default();
        Some((0..alike.len()).map(|index| printed(&target, index)).collect::<Vec<_>>())
    };
    flags.chunk_by(Flags::reads_like).flat_map(|alike| run(alike).unwrap_or_default()).collect()
}

/// The name of a text.
const TEXT: &str = "text.td";

fn text_file(text: &str) -> Arc<dyn Files> {
    Arc::new(TestFiles::of_text(TEXT, text.as_bytes()))
}

/// Runs the engine on a text, once for all `flags`. Returns the output of each run, in their order.
#[must_use]
pub fn text(text: &str, flags: &[Flags]) -> Vec<Run> {
    let includes = [set_up::library().to_owned()];
    let Some(job) = job(text_file(text), TEXT, flags, &includes) else { return Vec::new() };
    let target = odsmith_engine::run(&fuzzed_library(), &job).targets.pop().unwrap_or_default();
    (0..flags.len()).map(|index| printed(&target, index)).collect()
}

/// Calls `work` with the records of a text, if it can be read.
pub fn with_records<T>(text: &str, work: impl FnOnce(&Records) -> T) -> Option<T> {
    let includes = [set_up::library().to_owned()];
    let job = job(text_file(text), TEXT, &[Flags::parse(&[]).ok()?], &includes)?;
    let target = odsmith_engine::run(&fuzzed_library(), &job).targets.pop()?;
    target.records.map(|records| work(&records))
}

/// The offset of the first error in a text, unless the error is elsewhere.
#[must_use]
pub fn first_error(text: &str) -> Option<usize> {
    let includes = [set_up::library().to_owned()];
    let flags = [Flags::parse(&[]).ok()?];
    let job = job(text_file(text), TEXT, &flags, &includes)?;
    let outcome = odsmith_engine::run(&fuzzed_library(), &job);
    let target = outcome.targets.into_iter().next()?;
    let error = target.diagnostics.iter().find(|report| report.severity == Severity::Error)?;
    let place = error.location.as_ref()?;
    // For an error inside the library, the notes say where the text asked for it.
    let notes = error.related.iter().filter_map(|note| note.location.as_ref());
    let own = std::iter::once(place).chain(notes).find(|place| place.file == TEXT)?;
    let start = own.range.start;
    let lines = text.split_inclusive('\n').take(start.line as usize - 1);
    Some(lines.map(str::len).sum::<usize>() + start.column as usize - 1)
}

fn job(files: Arc<dyn Files>, td: &str, flags: &[Flags], includes: &[String]) -> Option<Job> {
    let first = flags.first()?;
    Some(Job {
        files,
        includes: first.includes.iter().chain(includes).cloned().collect(),
        defines: first.defines.clone(),
        targets: vec![Target {
            td: td.to_owned(),
            warn_unused_template_args: first.warn_unused_template_args,
            makes_after_errors: true,
            outputs: flags
                .iter()
                .map(|flags| Output { path: "out".to_owned(), action: flags.action.clone() })
                .collect(),
            ..Target::default()
        }],
        limits: Limits::generous(),
        spare: Spare::new(1),
        ..Job::new(TestFiles::default())
    })
}

/// The command line's output for one output of a target.
pub(crate) fn printed(target: &TargetOutcome, index: usize) -> Run {
    let Streams { is_success, output, messages } = Streams::of_output(target, index);
    Run { status: i32::from(!is_success), out: output, err: messages }
}
