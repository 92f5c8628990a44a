//! `odsmith check`: reports the problems in a bundle.

use std::{
    io::{Write, stdout},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use odsmith_engine::report::{Finding, github, html, json, junit, markdown, sarif, text};

use super::{Input, has_error, to_stderr};
use crate::pipeline::{manifest::Manifest, pins};

/// How messages are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// As mlir-tblgen prints them, to standard error
    Text,
    /// As JSON, to standard output
    Json,
    /// As SARIF 2.1.0, to standard output
    Sarif,
    /// As annotations of a workflow's run on GitHub, to standard output
    Github,
    /// As a table, to standard output
    Markdown,
    /// As a test suite of JUnit, to standard output
    Junit,
    /// As a page, to standard output
    Html,
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
        if self.format == Form::Text
            && let Some(pin) =
                Some(self.input.place()).filter(|place| place.is_dir()).and_then(pins::of_folder)
        {
            to_stderr(format!("odsmith: note: the project pins {pin}\n").as_bytes());
        }
        let input = Input { visits_projects: true, ..self.input };
        let (files, request) = input.prepare(messages_only)?;
        let mut nested = input.nested(&files);
        let finished = files.run(request, None)?;
        let mut reports: Vec<Finding> = finished.result.all_diagnostics().cloned().collect();
        while let Some(input) = nested.pop() {
            // A project without definitions has no messages.
            let Ok((files, request)) = input.prepare(messages_only) else { continue };
            nested.extend(input.nested(&files));
            reports.extend(files.run(request, None)?.result.all_diagnostics().cloned());
        }
        let pretty = |value: &serde_json::Value| {
            let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
            text.push('\n');
            text
        };
        let printed = match self.format {
            Form::Text => String::new(),
            Form::Json => pretty(&json::render(&reports)),
            Form::Sarif => pretty(&sarif::log(&[], &reports, &|_| None)),
            Form::Github => github::annotations(&reports),
            Form::Markdown => markdown::table(&reports),
            Form::Junit => junit::suite("check", &reports),
            Form::Html => html::of_findings("odsmith check", &text::summary(&reports), &by_file(&reports)),
        };
        stdout().lock().write_all(printed.as_bytes()).map_err(|error| error.to_string())?;
        Ok(if has_error(reports.iter()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Returns the findings by file, in the order of the first of each.
fn by_file(findings: &[Finding]) -> Vec<(String, Vec<Finding>)> {
    let mut groups: Vec<(String, Vec<Finding>)> = Vec::new();
    for finding in findings {
        let file = finding.location.as_ref().map(|at| at.file.as_str()).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| known == file) {
            Some((_, group)) => group.push(finding.clone()),
            None => groups.push((file.to_owned(), vec![finding.clone()])),
        }
    }
    groups
}
