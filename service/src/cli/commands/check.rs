//! `odsmith check`: reports the problems in a bundle.

use std::{
    io::{Write, stdout},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use odsmith_engine::report::{Finding, json, sarif};

use super::{Input, has_error};
use crate::pipeline::manifest::Manifest;

/// How messages are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// As mlir-tblgen prints them, to standard error
    Text,
    /// As JSON, to standard output
    Json,
    /// As SARIF 2.1.0, to standard output
    Sarif,
}

/// The arguments of `odsmith check`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// How messages are printed
    #[arg(long, value_enum, default_value = "text")]
    format: Form,
}

impl Options {
    /// Runs the command: 0 if nothing was wrong, 1 if something was.
    ///
    /// # Errors
    /// The bundle cannot be read.
    pub fn run(self) -> Result<ExitCode, String> {
        let messages_only = |manifest: &mut Manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
        };
        let finished = self.input.run(messages_only, None)?;
        let reports: Vec<Finding> = finished.result.all_diagnostics().cloned().collect();
        let value = match self.format {
            Form::Text => None,
            Form::Json => Some(json::render(&reports)),
            Form::Sarif => Some(sarif::log(&[], &reports, &|_| None)),
        };
        if let Some(value) = value {
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            writeln!(stdout().lock(), "{text}").map_err(|error| error.to_string())?;
        }
        Ok(if has_error(reports.iter()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
