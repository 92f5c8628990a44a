//! `odsmith`, as a build calls it thousands of times: `odsmith tblgen` without a server runs here, in a program that
//! contains nothing else. All other calls are handed over to `odsmith-service`, which has all commands.

use std::{
    convert::Infallible,
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use odsmith_engine::release::Release;
use odsmith_tblgen::{Call, WorkerCall, is_reference_name, library::FoundLibrary, words};

/// The program with all commands.
const SERVICE: &str = "odsmith-service";

fn main() -> ExitCode {
    let words = words();
    if let [name, word] = words.as_slice()
        && (word == "--version" || word == "-V")
        && !is_reference_name(name)
    {
        let text = format!("odsmith {}\nMLIR {}\n", env!("CARGO_PKG_VERSION"), Release::all_labels());
        return io::stdout().write_all(text.as_bytes()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    match Call::of(&words) {
        Some(call) if call.server.is_none() && WorkerCall::of(&words).is_none() && !call.is_for_plugin() => {
            odsmith_tblgen::run(call, library_of_service)
        }
        _ => {
            let service = beside().unwrap_or_else(|| SERVICE.into());
            let Err(error) = hand_over(&service, env::args_os());
            // No other stream is left for the error.
            let _ = writeln!(
                io::stderr(),
                "odsmith: {}: {error} (only `odsmith tblgen` and `--version` can do without it)",
                service.display()
            );
            ExitCode::from(2)
        }
    }
}

/// Asks the service for a library, as it knows all places. This is called only if the call needs one and names none.
fn library_of_service(release: Option<Release>) -> Result<FoundLibrary, String> {
    let service = beside().unwrap_or_else(|| SERVICE.into());
    let output = Command::new(&service)
        .args(["library", "path", "--with-release"])
        .args(release.map(Release::name))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            let service = service.display();
            format!("no include folder holds MLIR's .td files: name theirs with -I ({service}, which finds them: {error})")
        })?;
    let text = String::from_utf8_lossy(if output.status.success() { &output.stdout } else { &output.stderr });
    let text = text.trim_end();
    if output.status.success() { text.parse() } else { Err(text.trim_start_matches("odsmith: ").to_owned()) }
}

/// Returns the service in the folder of this program, after resolving links. If it is missing, `PATH` is searched.
fn beside() -> Option<PathBuf> {
    let own = env::current_exe().and_then(|own| own.canonicalize()).ok()?;
    Some(own.with_file_name(format!("{SERVICE}{EXE_SUFFIX}"))).filter(|service| service.is_file())
}

/// Replaces this process by the service, under the same program name. Returns only if the service cannot be started.
#[cfg(unix)]
fn hand_over(service: &Path, mut words: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    use std::os::unix::process::CommandExt;
    let name = words.next().unwrap_or_else(|| "odsmith".into());
    Err(Command::new(service).arg0(name).args(words).exec())
}

/// Runs the service and exits with its code. The program name cannot be passed on, so the word `tblgen` replaces it.
#[cfg(not(unix))]
fn hand_over(service: &Path, mut words: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    let name = words.next().unwrap_or_default();
    let command = is_reference_name(&name.to_string_lossy()).then_some("tblgen");
    let status = Command::new(service).args(command).args(words).status()?;
    // A process that the system ended has no code.
    std::process::exit(status.code().unwrap_or(1))
}
