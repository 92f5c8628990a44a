//! `odsmith tblgen`: a drop-in for `mlir-tblgen`, and code that `odsmith-service` shares with it.
//!
//! Flags, messages, exit codes, the order of checks and the remaining files are
//! those of the reference. Only the pages (`--help`, `--version`) are our own.
//!
//! ```text
//! Call  →  Work            →  evaluate here, or by a server  →  output
//! words    flags, the root
//! ```

mod call;
pub mod checkpoints;
pub mod disk;
pub mod environment;
pub mod flags;
pub mod library;
pub mod output;
mod pages;
pub mod profile;

use std::{collections::BTreeMap, process, sync::Arc, time::Instant};

use odsmith_engine::{
    generators::Action,
    job::{Job, Output, Target, TargetOutcome},
    library::Library,
    limits::Limits,
    parallel::{STACK_BYTES, Spare},
    release::Rules,
    report::text::Style,
};

pub use self::call::{
    Call, PluginCall, PreparedCall, RequestedPlugin, WORKER_FLAG, WorkerCall, is_reference_name, words,
};
use self::{
    disk::Disk,
    environment::Environment,
    flags::Flags,
    library::{Finder, ReadAs, is_library},
    output::{finish, write_depfile, write_dump, write_output},
};

/// The most additional threads; more would have too little to do each.
const MOST_SPARE: usize = 3;

/// The text to print to standard error before the program fails.
pub struct Failure(pub String);

/// Runs the call on this machine, even if it names a server, and exits with its exit code.
pub fn run(call: Call, find_library: Finder) -> ! {
    end_with(move || run_in(&Environment::of_process(), call, find_library))
}

/// Runs `done` on a stack that is deep enough, and exits with its exit code.
pub fn end_with(done: impl FnOnce() -> Result<(), Failure> + Send + 'static) -> ! {
    let work = move || {
        let code = match done() {
            Ok(()) => 0,
            Err(Failure(message)) => {
                Environment::default().to_stderr(message.as_bytes());
                1
            }
        };
        // Exit here, so that nothing is freed piece by piece first.
        process::exit(code)
    };
    // Not on a thread: those get memory from the system in small pieces.
    stacker::grow(STACK_BYTES, work)
}

/// Counts the processors that this process may use. A container's quota is ignored: reading it takes several files, and
/// one thread too many costs less.
#[cfg(target_os = "linux")]
fn cores() -> usize {
    rustix::thread::sched_getaffinity(None).map_or(1, |cores| cores.count() as usize)
}

/// Counts the processors that this process may use.
#[cfg(not(target_os = "linux"))]
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the budget of additional threads.
fn spare() -> Spare {
    Spare::new(cores().saturating_sub(1).min(MOST_SPARE))
}

/// Runs a call on this machine.
///
/// # Errors
/// A flag is wrong, the input has an error, or a file cannot be read or written.
pub fn run_in(environment: &Environment, call: Call, find_library: Finder) -> Result<(), Failure> {
    let program = call.program.clone();
    match PreparedCall::read(environment, call, find_library)? {
        Some(work) => evaluate(environment, &program, work, find_library),
        None => Ok(()),
    }
}

/// Runs `work` locally. If an included file of a library is missing and no include folder is a library, finds one and
/// evaluates again. `program` is the name shown in messages.
///
/// # Errors
/// The input has an error, or a file cannot be written.
pub fn evaluate(
    environment: &Environment,
    program: &str,
    work: PreparedCall,
    find_library: Finder,
) -> Result<(), Failure> {
    let PreparedCall {
        mut flags,
        input,
        bytes,
        output,
        style,
        rules,
        is_release_named,
        is_cautioned,
        plugin_files,
    } = work;
    let depfile = flags.depfile.take();
    let (is_null, times_phases) = (flags.is_null, flags.times_phases);
    let mut settings = flags.settings();
    settings.defines.retain(|name| !name.is_empty());
    let target = Target {
        shows_relative_paths: true,
        makes_after_errors: true,
        keeps_outputs: true,
        ..settings.target(input)
    };
    let mut evaluation =
        Evaluation { environment, program, bytes, target, rules, is_library_found: false, is_cautioned };
    let action = flags.clone().into_action();
    // A dump is written piece by piece, unless it must be compared with an existing file.
    let is_piecewise =
        !is_null && !flags.write_if_changed && matches!(action, Action::PrintRecords | Action::DumpJson);
    let delivery = Delivery {
        environment,
        program,
        output: &output,
        depfile: depfile.as_deref(),
        action: &action,
        is_piecewise,
        is_empty: is_null || is_piecewise,
        write_if_changed: flags.write_if_changed,
        style,
    };
    if !is_null && !is_piecewise {
        let output = Output { path: output.clone(), action: action.clone() };
        evaluation.target.outputs.push(output);
    }
    let started = Instant::now();
    let (outcome, note) = evaluation.run_with_library(is_release_named, flags, find_library)?;
    let evaluated = Instant::now();
    let Some(mut outcome) = outcome else { return Ok(()) };
    outcome.reads.extend(plugin_files);
    evaluation.explain(&mut outcome);
    if !is_release_named && !evaluation.is_cautioned {
        evaluation.warn_of_library(&outcome);
    }
    let done = delivery.deliver(&outcome, &note);
    environment.dispose(outcome);
    done?;
    if times_phases {
        environment.to_stderr(pages::times(evaluated - started, evaluated.elapsed()).as_bytes());
    }
    Ok(())
}

/// The destination of what a call makes.
struct Delivery<'c> {
    environment: &'c Environment,
    program: &'c str,
    output: &'c str,
    depfile: Option<&'c str>,
    action: &'c Action,
    /// True for a dump that is written piece by piece.
    is_piecewise: bool,
    /// True if the outcome has no output.
    is_empty: bool,
    write_if_changed: bool,
    style: Style,
}

impl Delivery<'_> {
    /// Prints the messages and writes the files.
    fn deliver(&self, outcome: &TargetOutcome, note: &str) -> Result<(), Failure> {
        let Delivery { environment, program, output, action, style, .. } = *self;
        let made = finish(environment, program, outcome, self.is_empty, style);
        environment.to_stderr(note.as_bytes());
        if made.is_err() && !outcome.is_made_after_errors() {
            return made;
        }
        if let Some(depfile) = self.depfile {
            write_depfile(environment, program, depfile, output, outcome)?;
        }
        // Outputs made after errors are printed, but no file is written.
        if made.is_ok() || output == "-" {
            match &outcome.records {
                Some(records) if self.is_piecewise => {
                    write_dump(environment, program, output, records, action, style)?;
                }
                _ => {
                    let bytes = outcome.first_bytes();
                    write_output(environment, program, output, bytes, self.write_if_changed)?;
                }
            }
        }
        made
    }
}

/// The input of a call's evaluation.
struct Evaluation<'c> {
    environment: &'c Environment,
    program: &'c str,
    /// The root's bytes.
    bytes: Arc<[u8]>,
    target: Target,
    rules: Rules,
    /// True if the library was not named by the call.
    is_library_found: bool,
    /// True if the user was warned that the library is of another release.
    is_cautioned: bool,
}

impl Evaluation<'_> {
    /// Evaluates the root; returns true as well if library files were missing.
    fn run(&self) -> (Option<TargetOutcome>, bool) {
        let files = Disk::holding(self.environment, self.target.td.clone(), self.bytes.clone());
        let files = Arc::new(files);
        let job = Job {
            files: files.clone(),
            includes: Vec::new(),
            defines: Vec::new(),
            targets: vec![self.target.clone()],
            limits: Limits::generous(),
            uses_snapshots: false,
            checkpoints: self.environment.states.clone(),
            spare: spare(),
            cancel: self.environment.cancel.clone(),
        };
        let library =
            Library::new(self.rules.release(), String::new(), BTreeMap::new()).with_rules(self.rules);
        (odsmith_engine::run(&library, &job).targets.into_iter().next(), files.lacks_library())
    }

    /// Evaluates the root, and again with a found library if that is missing. The text explains why none was found.
    fn run_with_library(
        &mut self,
        is_release_named: bool,
        mut flags: Flags,
        find_library: Finder,
    ) -> Result<(Option<TargetOutcome>, String), Failure> {
        let (outcome, lacks_library) = self.run();
        let has_failed = outcome.as_ref().is_some_and(TargetOutcome::has_failed);
        if !has_failed || !lacks_library || self.library().is_some() {
            return Ok((outcome, String::new()));
        }
        let found = match find_library(is_release_named.then_some(self.rules.release())) {
            Ok(found) => found,
            Err(message) => return Ok((outcome, format!("{}: note: {message}\n", self.program))),
        };
        self.is_library_found = true;
        if !is_release_named {
            self.rules = found.release.rules();
        }
        if let Some(caution) =
            ReadAs::of_folder(&self.environment.place(&found.include)).and_then(|it| it.caution)
        {
            let text = format!("{}: warning: '{}' {caution}\n", self.program, found.include);
            self.environment.to_stderr(text.as_bytes());
            self.is_cautioned = true;
        }
        self.target.includes.push(found.include);
        flags.check_release_as_reference(self.rules.release());
        if flags.problems.is_empty() {
            return Ok((self.run().0, String::new()));
        }
        let texts = flags.problems.iter().map(|problem| problem.reference_text(self.program));
        Err(Failure(texts.collect()))
    }

    /// Warns if a file that was read shows that the library is of another release.
    fn warn_of_library(&self, outcome: &TargetOutcome) {
        let Some(include) = self.library() else { return };
        if let Some(caution) =
            ReadAs::caution_after(self.environment, include, self.rules.release(), &outcome.reads)
        {
            let text = format!("{}: warning: '{include}' {caution}\n", self.program);
            self.environment.to_stderr(text.as_bytes());
        }
    }

    /// Returns the include folder that is a library.
    fn library(&self) -> Option<&str> {
        let mut includes = self.target.includes.iter();
        includes.find(|include| is_library(&self.environment.place(include))).map(String::as_str)
    }

    /// Adds a note to an error that another release of the library would explain. A build that names its library gets
    /// the reference's messages only: the note is for terminals, and for calls whose library was found.
    fn explain(&self, outcome: &mut TargetOutcome) {
        if outcome.has_error() && (self.is_library_found || self.environment.is_terminal()) {
            outcome.note_other_release(&self.rules, self.library().unwrap_or("<none>"));
        }
    }
}
