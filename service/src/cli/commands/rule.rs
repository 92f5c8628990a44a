//! `odsmith rule`: lists and explains the rules of `check`, `lint`, `diff` and `upgrade`.

use clap::{Args, ValueEnum};
use odsmith_engine::{
    diagnostic::Id,
    review::{diff, lint, upgrade},
    text::nearest,
};
use serde_json::{Value, json};

use super::{
    exit::ExitStatus,
    options::{FileOptions, ReportForm, pretty},
};

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

/// A command that has rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Examiner {
    Check,
    Lint,
    Diff,
    Upgrade,
}

impl Examiner {
    const ALL: [Examiner; 4] = [Examiner::Check, Examiner::Lint, Examiner::Diff, Examiner::Upgrade];

    fn name(self) -> &'static str {
        match self {
            Examiner::Check => "check",
            Examiner::Lint => "lint",
            Examiner::Diff => "diff",
            Examiner::Upgrade => "upgrade",
        }
    }

    /// Returns the page of a rule.
    fn page(self, id: &str) -> Option<String> {
        match self {
            Examiner::Check => {
                let own = Id::ALL.iter().find(|own| own.name().eq_ignore_ascii_case(id))?;
                Some(format!("# {}\n\n{}\n\nAn error of `odsmith check`.\n", own.name(), own.text()))
            }
            Examiner::Lint => lint::rule_of_id(id).map(lint::rule::Rule::page),
            Examiner::Diff => diff::rules::Rule::of_id(id).map(diff::rules::Rule::page),
            Examiner::Upgrade => upgrade::render::row_page(id),
        }
    }

    fn text(self) -> String {
        match self {
            Examiner::Check => Id::ALL.iter().map(|id| format!("{}: {}\n", id.name(), id.text())).collect(),
            Examiner::Lint => lint::render::rules_text(),
            Examiner::Diff => diff::render::rules_text(),
            Examiner::Upgrade => upgrade::render::rows_text(),
        }
    }

    fn json(self) -> Value {
        match self {
            Examiner::Check => {
                Id::ALL.iter().map(|id| json!({ "id": id.name(), "text": id.text() })).collect()
            }
            Examiner::Lint => lint::render::rules_json(),
            Examiner::Diff => diff::render::rules_json(),
            Examiner::Upgrade => upgrade::render::rows_json(),
        }
    }

    fn markdown(self) -> String {
        match self {
            Examiner::Lint => lint::render::rules_markdown(),
            Examiner::Upgrade => upgrade::render::rows_markdown(),
            Examiner::Check | Examiner::Diff => {
                let title = format!("# Rules of `odsmith {}`\n", self.name());
                let pages = self.ids().into_iter().filter_map(|id| Some(format!("\n#{}", self.page(&id)?)));
                title + &pages.collect::<String>()
            }
        }
    }

    /// Returns the ids.
    fn ids(self) -> Vec<String> {
        match self {
            Examiner::Check => Id::ALL.iter().map(|id| id.name().to_owned()).collect(),
            Examiner::Lint => lint::rules().map(|rule| rule.id.to_owned()).collect(),
            Examiner::Diff => diff::rules::Rule::all().map(|rule| rule.id().to_owned()).collect(),
            Examiner::Upgrade => upgrade::render::row_ids().map(str::to_owned).collect(),
        }
    }
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
            let page = examiners.iter().find_map(|it| it.page(id));
            let page = page.ok_or_else(|| {
                let ids: Vec<String> = examiners.iter().flat_map(|it| it.ids()).collect();
                match nearest(id, ids.iter().map(String::as_str)) {
                    Some(near) => {
                        format!("no rule '{id}'\nhelp: did you mean '{near}'? 'odsmith rule' lists all")
                    }
                    None => format!("no rule '{id}'\nhelp: odsmith rule"),
                }
            })?;
            self.file.write(&page)?;
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
