//! Small programs of the TableGen language, given as text.

use std::{fs, thread};

use odsmith_engine::{
    bundle::Bundle,
    diagnostic::Code,
    generators::Action,
    job::{Job, Target, TargetOutcome},
    limits::Limits,
    parallel::Spare,
};

use crate::{Run, reference, run, set_up};

/// The file name of a program.
pub const NAME: &str = "case.td";

/// The stack of a thread that runs the engine, as large as the service's.
pub const STACK: usize = 256 << 20;

/// Runs the engine on a program and returns its outcome.
#[must_use]
pub fn outcome(text: &[u8], action: Action, limits: Limits) -> TargetOutcome {
    let mut bundle = Bundle::default();
    bundle.insert(NAME, text);
    let target = Target { warn_unused_template_args: true, ..Target::new(NAME).output("out", action) };
    let job = Job { spare: Spare::new(1), ..Job::new(bundle).target(target).limits(limits) };
    odsmith_engine::run(&run::fuzzed_library(), &job).targets.pop().unwrap_or_default()
}

/// The engine's output for a program's records.
#[must_use]
pub fn ours(text: &[u8], limits: Limits) -> Run {
    ours_by(Action::PrintRecords, text, limits)
}

/// The engine's output for a program and an action.
#[must_use]
pub fn ours_by(action: Action, text: &[u8], limits: Limits) -> Run {
    run::printed(&outcome(text, action, limits), 0)
}

/// Returns true if a limit ended the job.
#[must_use]
pub fn hit_a_limit(outcome: &TargetOutcome) -> bool {
    outcome.diagnostics.iter().any(|report| report.code == Code::Limit)
}

/// The reference's output for a program's records; `slot` separates programs that run at the same time.
#[must_use]
pub fn reference(text: &[u8], slot: &str) -> Run {
    reference_by(&["--print-records"], text, slot)
}

/// The reference's output for a program with these flags; `slot` as for [`fn@reference`].
#[must_use]
pub fn reference_by(flags: &[&str], text: &[u8], slot: &str) -> Run {
    let folder = std::env::temp_dir().join(format!("odsmith-{}-{slot}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for a program");
    fs::write(folder.join(NAME), text).expect("the program is written");
    let run = reference::again(tool(), &folder, &[flags, &[NAME]].concat());
    let _ = fs::remove_dir_all(&folder);
    run
}

/// The tool that programs are compared with: llvm-tblgen, which prints records in more forms, if it is available.
fn tool() -> &'static str {
    if prints_in_many_ways() { "llvm-tblgen" } else { "mlir-tblgen" }
}

/// Returns true if the reference can also print records as JSON and with details.
#[must_use]
pub fn prints_in_many_ways() -> bool {
    set_up::reference_tools().join("llvm-tblgen").exists()
}

/// Runs `work` on a stack as large as the service's.
///
/// # Panics
/// When `work` does.
pub fn on_a_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread starts");
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
