//! `odsmith rule`: lists and explains the rules of `check`, `lint`, `diff` and `upgrade`.

use clap::Args;
use odsmith_engine::review::upgrade;
use serde_json::Value;

use super::{
    exit::ExitStatus,
    options::{FileOptions, ReportForm, pretty},
};
use crate::pipeline::rules::{self, Examiner};

/// The arguments of `odsmith rule`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The rule to explain; without one, all are listed
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Only the rules of a command
    #[arg(long, value_enum, value_name = "COMMAND")]
    of: Option<Examiner>,
    /// The form of the list: text, json, markdown, or html for upgrade
    #[arg(long, value_enum, value_name = "FORM", default_value = "text", help_heading = "Report")]
    output_format: ReportForm,
    /// The same as --output-format json
    #[arg(long, conflicts_with = "output_format", help_heading = "Report")]
    json: bool,
    #[command(flatten)]
    file: FileOptions,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// There is no such rule, or the text cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let examiners = match self.of {
            Some(one) => vec![one],
            None => Examiner::ALL.to_vec(),
        };
        let form = if self.json { ReportForm::Json } else { self.output_format };
        if let Some(id) = &self.id {
            self.file.write(&rules::explain(id, &examiners)?)?;
            return Ok(ExitStatus::Done);
        }
        let text = match (form, &examiners[..]) {
            (ReportForm::Text, [one]) => one.text(),
            (ReportForm::Text, all) => {
                let texts = all.iter().map(|it| format!("odsmith {}\n\n{}", it.name(), it.text()));
                texts.collect::<Vec<_>>().join("\n")
            }
            (ReportForm::Json, [one]) => pretty(&one.json()),
            (ReportForm::Json, all) => {
                let all: serde_json::Map<String, Value> =
                    all.iter().map(|it| (it.name().to_owned(), it.json())).collect();
                pretty(&all)
            }
            (ReportForm::Markdown, all) => all.iter().map(|it| it.markdown()).collect::<Vec<_>>().join("\n"),
            (ReportForm::Html, [Examiner::Upgrade]) => upgrade::render::rows_html(),
            _ => {
                return Err(
                    "rules are listed as text, json or markdown, and those of upgrade as html".to_owned()
                );
            }
        };
        self.file.write(&text)?;
        Ok(ExitStatus::Done)
    }
}
