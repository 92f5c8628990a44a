//! `odsmith`, as a build calls it thousands of times: `odsmith tblgen` on this machine is done here, by a program that
//! holds nothing else. Everything else is handed over to `odsmith-service`, which is beside it and knows all commands.

use std::{
    env,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Command, ExitCode},
};

use odsmith_service::commands::{
    tblgen::{self, Call},
    words,
};

/// The program with all commands.
const WHOLE: &str = "odsmith-service";

fn main() -> ExitCode {
    match Call::of(&words()) {
        Some(call) if call.server.is_none() => tblgen::main(call),
        _ => hand_over(),
    }
}

/// Becomes the whole program; comes back only if that is not there.
fn hand_over() -> ExitCode {
    let mut args = env::args_os();
    let name = args.next().unwrap_or_else(|| "odsmith".into());
    let complaint = match beside() {
        Ok(whole) => format!("{}: {}", whole.display(), Command::new(&whole).arg0(name).args(args).exec()),
        Err(error) => format!("{WHOLE}: {error}"),
    };
    // There is nowhere left to complain to.
    let _ = writeln!(io::stderr(), "odsmith: {complaint} (only `odsmith tblgen` can do without it)");
    ExitCode::from(2)
}

/// Where the whole program is. This one may have been called by a link.
fn beside() -> io::Result<PathBuf> {
    Ok(env::current_exe()?.canonicalize()?.with_file_name(WHOLE))
}
