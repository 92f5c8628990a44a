//! All commands in one program. `odsmith` hands over to it for everything but `tblgen`; it also works alone.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use odsmith_service::cli::commands;

/// Sites and results consist of many small pieces, made by many threads, which mimalloc handles well.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    commands::main(&odsmith_tblgen::words())
}
