//! Running the reference tools.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use crate::{Run, set_up};

/// Runs `mlir-tblgen` in a folder.
#[must_use]
pub fn mlir_tblgen(folder: &Path, arguments: &[&str]) -> Run {
    program(&set_up::reference_tools().join("mlir-tblgen"), folder, arguments)
}

/// Runs `llvm-tblgen` in a folder.
#[must_use]
pub fn llvm_tblgen(folder: &Path, arguments: &[&str]) -> Run {
    program(&set_up::reference_tools().join("llvm-tblgen"), folder, arguments)
}

/// Runs a program in a folder, without input.
///
/// # Panics
/// When it can not be started.
#[must_use]
pub fn program(program: &Path, folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
    // A signal counts as a failure with a status of its own.
    Run { status: output.status.code().unwrap_or(-1), out: output.stdout, err: output.stderr }
}
