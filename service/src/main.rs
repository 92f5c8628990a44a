//! All commands in one program. `odsmith` becomes this one when it is asked for more than `tblgen`; it does as well alone.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use odsmith_service::cli::commands;

/// Sites and results of many threads are made of small pieces.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    commands::main(&odsmith_tblgen::words())
}
