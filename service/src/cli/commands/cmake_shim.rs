//! `odsmith cmake-shim`: writes a folder for `-DMLIR_DIR`, so that a project needs no change.
//!
//! CMake finds its `MLIRConfig.cmake` first. That file reads the one of the installed MLIR, and replaces its
//! mlir-tblgen by odsmith.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_engine::release::Release;

use super::{display, exit::ExitStatus};
use crate::store::{disk, output_folder::OutputFolder};

/// The file that CMake looks for.
const NAME: &str = "MLIRConfig.cmake";
/// The module that projects include by hand.
const MODULE: &str = include_str!("../../../integrations/cmake/Odsmith.cmake");
const CONFIG: &str = include_str!("../../../integrations/cmake/MLIRConfig.cmake.in");
const VERSION: &str = include_str!("../../../integrations/cmake/MLIRConfigVersion.cmake.in");

/// The arguments of `odsmith cmake-shim`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder to write
    folder: PathBuf,
    /// The folder of the installed MLIR's MLIRConfig.cmake; looked for if it is not named
    #[arg(long, value_name = "DIR")]
    mlir_dir: Option<PathBuf>,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// No MLIR is found, or the folder cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let mlir = match &self.mlir_dir {
            Some(named) if is_config(named) => named.clone(),
            Some(named) => return Err(format!("{}: holds no MLIRConfig.cmake", named.display())),
            None => installed().ok_or(
                "no MLIRConfig.cmake was found: install MLIR's development files, or name the folder with --mlir-dir",
            )?,
        };
        let mlir = fs::canonicalize(&mlir)
            .map_err(|error| format!("{}: {}", mlir.display(), disk::reason(&error)))?;
        if is_shim(&fs::read(mlir.join(NAME)).unwrap_or_default()) {
            let message =
                "holds a folder of `odsmith cmake-shim`: name that of the installed MLIR with --mlir-dir";
            return Err(format!("{}: {message}", mlir.display()));
        }
        // The running program: both of our programs accept mlir-tblgen's arguments.
        let program = env::current_exe().map_err(|error| disk::reason(&error))?;
        let program = beside(&program, "odsmith").unwrap_or(program);
        let output = OutputFolder::open(&self.folder, "cmake-shim")?.recognizing(is_shim);
        let files = [(NAME, CONFIG), ("MLIRConfigVersion.cmake", VERSION), ("Odsmith.cmake", MODULE)];
        let files = files.map(|(name, text)| {
            let text = text.replace("@MLIR_DIR@", &quoted(&mlir)).replace("@ODSMITH@", &quoted(&program));
            (name, text.into_bytes())
        });
        files.iter().try_for_each(|(name, text)| output.check(name, text))?;
        files.iter().try_for_each(|(name, text)| output.write(name, text))?;
        output.finish(false)?;
        let (count, named) = (files.len(), self.folder.display());
        let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        // A line to paste: the shell takes a path with blanks as one word.
        let folder = folder.to_string_lossy();
        let folder = shlex::try_quote(&folder).unwrap_or_else(|_| folder.as_ref().into());
        let command = format!("cmake -S . -B build -DMLIR_DIR={folder}");
        display::closing(&format!("wrote {count} files to {named}\n{command}"));
        Ok(ExitStatus::Done)
    }
}

/// Quotes a path as an argument of CMake.
fn quoted(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/").replace('"', "\\\"").replace('$', "\\$")
}

/// Returns true if this command wrote the file: each such file begins with a line of its own.
fn is_shim(text: &[u8]) -> bool {
    [CONFIG, VERSION, MODULE]
        .iter()
        .filter_map(|own| own.lines().next())
        .any(|line| text.starts_with(line.as_bytes()))
}

fn is_config(folder: &Path) -> bool {
    folder.join(NAME).is_file()
}

fn beside(program: &Path, name: &str) -> Option<PathBuf> {
    Some(program.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX))).filter(|path| path.is_file())
}

/// Finds the CMake files of the installed MLIR: those named by `MLIR_DIR` and `MLIR_PREFIX`, then the newest.
fn installed() -> Option<PathBuf> {
    let named = env::var_os("MLIR_DIR").map(PathBuf::from);
    let prefix = env::var_os("MLIR_PREFIX").map(PathBuf::from);
    let mut prefixes: Vec<PathBuf> = prefix.into_iter().collect();
    for release in Release::ALL {
        let name = release.name();
        prefixes.extend(
            [
                format!("/usr/lib/llvm-{name}"),
                format!("/opt/homebrew/opt/llvm@{name}"),
                format!("/opt/llvm-{name}"),
            ]
            .map(PathBuf::from),
        );
    }
    prefixes.extend(["/opt/homebrew/opt/llvm", "/usr/local", "/usr"].map(PathBuf::from));
    let below = |prefix: PathBuf| ["lib/cmake/mlir", "lib64/cmake/mlir"].map(|folder| prefix.join(folder));
    named.into_iter().chain(prefixes.into_iter().flat_map(below)).find(|folder| is_config(folder))
}
