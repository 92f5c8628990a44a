//! All commands in one program. `odsmith` hands over to it for everything but `tblgen`; it also works alone.

use std::process::ExitCode;

use odsmith_service::cli::commands;

/// Sites and results consist of many small pieces, made by many threads, which mimalloc handles well.
#[cfg(feature = "network")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // WASI has no working folder: callers name theirs as shells do.
    #[cfg(target_os = "wasi")]
    if let Some(folder) = std::env::var_os("PWD") {
        // Without it, paths that begin at the root still work.
        let _ = std::env::set_current_dir(folder);
    }
    commands::main(&odsmith_tblgen::words())
}
