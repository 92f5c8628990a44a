//! `odsmith grammar`: grammars of IR for editors and highlighters that know no definitions.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use odsmith_engine::ir::grammar::{GrammarKind, Vocabulary};

use super::{
    display,
    exit::ExitStatus,
    mlir::IrInput,
    options::{MlirOptions, ProjectOptions, ToleranceOptions},
};
use crate::store::disk;

/// The arguments of `odsmith grammar`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The definitions: a folder of a project; without any, all of MLIR's dialects
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// The program that reads the grammar
    #[arg(long = "for", value_name = "PROGRAM")]
    program: Program,
    /// The name of the grammar; by default, that of the only dialect, or of the folder
    #[arg(long, value_name = "NAME")]
    grammar_name: Option<String>,
    /// The folder to write to; without it, the first file is printed
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
}

/// A program that reads grammars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Program {
    /// A parser for Neovim, Helix, Zed, Emacs: grammar.js and queries
    TreeSitter,
    /// VS Code, GitHub, Shiki: NAME.tmLanguage.json
    Textmate,
    /// Sphinx, MkDocs: NAME_lexer.py
    Pygments,
    /// Vim, Neovim: syntax/NAME.vim and ftdetect/NAME.vim
    Vim,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The definitions cannot be read, or the files cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let paths = [self.path];
        let input =
            IrInput { paths: &paths, project: &self.project, mlir: &self.mlir, tolerance: &self.tolerance };
        let (dialects, own) = input.dialects_and_own()?;
        let is_meant = |dialect: &str| own.is_empty() || own.iter().any(|own| own == dialect);
        let name = match (self.grammar_name, &own[..]) {
            (Some(name), _) => name,
            (None, [only]) => only.clone(),
            (None, []) => "mlir".to_owned(),
            (None, _) => folder_name(&paths[0]),
        };
        let kind = match self.program {
            Program::TreeSitter => GrammarKind::TreeSitter,
            Program::Textmate => GrammarKind::TextMate,
            Program::Pygments => GrammarKind::Pygments,
            Program::Vim => GrammarKind::Vim,
        };
        let files = Vocabulary::new(&name, dialects.definitions(), is_meant).files(kind);
        match self.out {
            None => files.first().map_or(Ok(()), |file| display::print(&file.text))?,
            Some(folder) => {
                for file in &files {
                    disk::write(&folder.join(&file.path), file.text.as_bytes())?;
                }
                let files = display::counted(files.len(), "file");
                display::closing(&format!("wrote {files} to {}", folder.display()));
            }
        }
        Ok(ExitStatus::Done)
    }
}

/// Returns the name of a folder, or `mlir` if it has none.
fn folder_name(folder: &Path) -> String {
    let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "mlir".to_owned(), |name| name.to_string_lossy().into_owned())
}
