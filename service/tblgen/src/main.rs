//! `odsmith`, as a build calls it thousands of times: `odsmith tblgen` on this machine is done here, by a program that
//! holds nothing else. Everything else is handed over to `odsmith-service`, which knows all commands.

use std::{
    convert::Infallible,
    env::{self, consts::EXE_SUFFIX},
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use odsmith_engine::release::Release;
use odsmith_tblgen::{Call, is_reference_name, library::FoundLibrary, words};

/// The program with all commands.
const SERVICE: &str = "odsmith-service";

fn main() -> ExitCode {
    let words = words();
    if let [name, word] = words.as_slice()
        && (word == "--version" || word == "-V")
        && !is_reference_name(name)
    {
        let text = concat!("odsmith ", env!("CARGO_PKG_VERSION"), "\n");
        return io::stdout().write_all(text.as_bytes()).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    match Call::of(&words) {
        Some(call) if call.server.is_none() => odsmith_tblgen::run(call, library_of_service),
        _ => {
            let service = beside().unwrap_or_else(|| SERVICE.into());
            let Err(error) = hand_over(&service, env::args_os());
            // There is nowhere left to complain to.
            let _ = writeln!(
                io::stderr(),
                "odsmith: {}: {error} (only `odsmith tblgen` and `--version` can do without it)",
                service.display()
            );
            ExitCode::from(2)
        }
    }
}

/// The library that the service finds, which knows all places. Only a call without one that it needs comes here.
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

/// The service beside this program, which may have been called by a link. One that is not there is looked for on `PATH`.
fn beside() -> Option<PathBuf> {
    let own = env::current_exe().and_then(|own| own.canonicalize()).ok()?;
    Some(own.with_file_name(format!("{SERVICE}{EXE_SUFFIX}"))).filter(|service| service.is_file())
}

/// Becomes the service, under the name that this program was called by. Comes back only if that is not there.
#[cfg(unix)]
fn hand_over(service: &Path, mut words: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    use std::os::unix::process::CommandExt;
    let name = words.next().unwrap_or_else(|| "odsmith".into());
    Err(Command::new(service).arg0(name).args(words).exec())
}

/// Runs the service and ends as it does. It can not be given another name, so that what a name says is said by a word.
#[cfg(not(unix))]
fn hand_over(service: &Path, mut words: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    let name = words.next().unwrap_or_default();
    let command = is_reference_name(&name.to_string_lossy()).then_some("tblgen");
    let status = Command::new(service).args(command).args(words).status()?;
    // One that was ended by the system has no code.
    std::process::exit(status.code().unwrap_or(1))
}
