//! `odsmith ir`: prints the parts of IR (`.mlir`) as it is read.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{
    display,
    exit::ExitStatus,
    mlir::IrInput,
    options::{FileOptions, MlirOptions, ProjectOptions, ToleranceOptions},
};
use crate::pipeline::ir::OperationEntry;

/// The arguments of `odsmith ir`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A .mlir file, or a folder with some
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Print the tokens with the blanks and comments between them, which are the file: the default
    #[arg(long, group = "form")]
    tokens: bool,
    /// Print a line of JSON for each operation: file, name, line, column, form, nesting
    #[arg(long, group = "form")]
    operations: bool,
    /// Print operations in generic form, as far as all of them is known
    #[arg(long, group = "form")]
    generic: bool,
    /// Print operations in custom form, as far as all of them is known
    #[arg(long, group = "form")]
    custom: bool,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
    #[command(flatten)]
    file: FileOptions,
}

/// An operation with its file.
#[derive(Serialize)]
struct OperationLine<'f> {
    file: &'f str,
    #[serde(flatten)]
    operation: OperationEntry,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The file or the definitions cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let paths = [self.path];
        let input =
            IrInput { paths: &paths, project: &self.project, mlir: &self.mlir, tolerance: &self.tolerance };
        let dialects = input.dialects()?;
        let mut text = String::new();
        for file in input.files()? {
            let read = dialects.read(file.text()?);
            if self.operations {
                for operation in dialects.operations(&read) {
                    let line = OperationLine { file: &file.shown, operation };
                    text += &serde_json::to_string(&line).map_err(|error| error.to_string())?;
                    text.push('\n');
                }
            } else if self.generic || self.custom {
                let (rewritten, left) = dialects.rewritten(&read, self.custom);
                if left > 0 {
                    let operations = display::counted(left, "operation");
                    let verb = if left == 1 { "is" } else { "are" };
                    display::note(&format!(
                        "{operations} of '{}' {verb} not known enough to be rewritten",
                        file.shown
                    ));
                }
                text += &rewritten;
            } else {
                text += &read.tokens();
            }
        }
        self.file.write(&text).map(|()| ExitStatus::Done)
    }
}
