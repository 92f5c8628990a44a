//! The exit codes of all commands but `tblgen`, in one table.

use std::{
    panic::{UnwindSafe, catch_unwind},
    process::ExitCode,
};

use odsmith_engine::report::{Finding, Severity};
use odsmith_registry::error::Error;

use super::{display, options::FailOn};

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// The work is done, and nothing is as bad as `--fail-on`.
    Done,
    /// The work is done, and there are findings.
    Findings,
    /// There is no answer: the command line, the input or the environment is wrong.
    NoAnswer,
    /// Odsmith itself is at fault.
    Fault,
    /// The version is published already, as something else.
    VersionExists,
    /// Somebody else published the version at the same time.
    Race,
    /// The registry cannot be reached, fails or refuses, or its bytes are not what their digest says.
    Unavailable,
    /// The registry asks for a login, or denies the request.
    Denied,
}

/// The codes and their meanings, as `--help` and the manual list them.
pub const TABLE: [(u8, &str); 4] = [
    (0, "done, and nothing is as bad as --fail-on"),
    (1, "done, with findings: an error in a definition, or an output that is not made"),
    (2, "no answer: a flag, a path, a release or a setting is wrong, or a file cannot be written"),
    (3, "a fault of odsmith"),
];

/// The codes of commands that ask a registry, besides those of all commands.
pub const REGISTRY: [(u8, &str); 4] = [
    (3, "the version is published already, as something else; or a fault of odsmith"),
    (4, "another publisher wrote the version at the same time"),
    (5, "the registry cannot be reached, fails or refuses, or sends other bytes"),
    (6, "the registry asks for a login, or denies the request"),
];

/// The codes after a signal, which the shell sets.
pub const SIGNALS: [(u8, &str); 2] = [(130, "ended by SIGINT (Ctrl-C)"), (143, "ended by SIGTERM")];

impl ExitStatus {
    /// Returns the code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Done => 0,
            ExitStatus::Findings => 1,
            ExitStatus::NoAnswer => 2,
            // Commands of registries use numbers of their own, which their manual lists.
            ExitStatus::Fault | ExitStatus::VersionExists => 3,
            ExitStatus::Race => 4,
            ExitStatus::Unavailable => 5,
            ExitStatus::Denied => 6,
        }
    }

    /// Returns the status of a command that a registry refused.
    #[must_use]
    pub fn of_registry(error: &Error) -> ExitStatus {
        if error.exit_code() == ExitStatus::Denied.code() {
            ExitStatus::Denied
        } else {
            ExitStatus::Unavailable
        }
    }

    /// Returns the status of a command that either did everything or not.
    #[must_use]
    pub fn of(is_fine: bool) -> ExitStatus {
        if is_fine { ExitStatus::Done } else { ExitStatus::Findings }
    }

    /// Returns the status of a command with these findings: those that are open count from `--fail-on` on.
    #[must_use]
    pub fn of_findings<'f>(findings: impl IntoIterator<Item = &'f Finding>, fail_on: FailOn) -> ExitStatus {
        let mut open = findings.into_iter().filter(|it| it.is_open());
        ExitStatus::of(!fail_on.least().is_some_and(|least| open.any(|it| it.severity <= least)))
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Runs a command: a message instead of an answer is an error with 2, a panic one with 3.
pub fn run(command: impl FnOnce() -> Result<ExitStatus, String> + UnwindSafe) -> ExitStatus {
    match catch_unwind(command) {
        Ok(Ok(status)) => status,
        Ok(Err(message)) => {
            display::error(&message);
            ExitStatus::NoAnswer
        }
        Err(_) => {
            display::error(
                "odsmith ended in a way that it never should\nhelp: please report this with the input",
            );
            ExitStatus::Fault
        }
    }
}

impl FailOn {
    /// Returns the least severity; none never fails.
    #[must_use]
    pub fn least(self) -> Option<Severity> {
        match self {
            FailOn::Error | FailOn::Elsewhere => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Note),
            FailOn::Never => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_has_its_code() {
        let status = [ExitStatus::Done, ExitStatus::Findings, ExitStatus::NoAnswer, ExitStatus::Fault];
        assert_eq!(status.map(ExitStatus::code), TABLE.map(|(code, _)| code));
    }

    #[test]
    fn a_panic_is_a_fault() {
        let index = std::hint::black_box(3);
        assert_eq!(run(|| Ok(ExitStatus::of([true].get(index).is_some()))), ExitStatus::Findings);
        assert_eq!(run(|| Err("no".to_owned())), ExitStatus::NoAnswer);
        assert_eq!(run(|| std::panic::resume_unwind(Box::new("a fault"))), ExitStatus::Fault);
    }

    #[test]
    fn findings_count_from_a_severity_on() {
        let warning = [Finding { severity: Severity::Warning, ..Finding::default() }];
        let of = |fail_on| ExitStatus::of_findings(&warning, fail_on).code();
        assert_eq!([FailOn::Error, FailOn::Warning, FailOn::Info, FailOn::Never].map(of), [0, 1, 1, 0]);
    }
}
