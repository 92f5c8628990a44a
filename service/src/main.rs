//! The one binary. Called `mlir-tblgen` (by a link, say) it behaves as `odsmith tblgen`.

use std::{env, process::ExitCode};

use odsmith_service::commands;

fn main() -> ExitCode {
    let mut args: Vec<String> = env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let program = if args.is_empty() { "odsmith".to_owned() } else { args.remove(0) };
    if program.rsplit('/').next().is_some_and(|name| name.starts_with("mlir-tblgen")) {
        commands::tblgen::main(program, args);
    }
    if args.first().is_some_and(|first| first == "tblgen") {
        args.remove(0);
        commands::tblgen::main(format!("{program} tblgen"), args);
    }
    commands::main(program, args)
}
