//! The rules of `check`, `lint`, `diff` and `upgrade`: their pages and lists.

use clap::ValueEnum;
use odsmith_engine::{
    diagnostic::Id,
    review::{diff, lint, upgrade},
    text::nearest,
};
use serde_json::{Value, json};

/// A command that has rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Examiner {
    /// `odsmith check`.
    Check,
    /// `odsmith lint`.
    Lint,
    /// `odsmith diff`.
    Diff,
    /// `odsmith upgrade`.
    Upgrade,
}

impl Examiner {
    /// All of them.
    pub const ALL: [Examiner; 4] = [Examiner::Check, Examiner::Lint, Examiner::Diff, Examiner::Upgrade];

    /// Returns the name of the command.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Examiner::Check => "check",
            Examiner::Lint => "lint",
            Examiner::Diff => "diff",
            Examiner::Upgrade => "upgrade",
        }
    }

    /// Returns the page of a rule.
    #[must_use]
    pub fn page(self, id: &str) -> Option<String> {
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

    /// Lists the rules as text.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Examiner::Check => Id::ALL.iter().map(|id| format!("{}: {}\n", id.name(), id.text())).collect(),
            Examiner::Lint => lint::render::rules_text(),
            Examiner::Diff => diff::render::rules_text(),
            Examiner::Upgrade => upgrade::render::rows_text(),
        }
    }

    /// Lists the rules as JSON.
    #[must_use]
    pub fn json(self) -> Value {
        match self {
            Examiner::Check => {
                Id::ALL.iter().map(|id| json!({ "id": id.name(), "text": id.text() })).collect()
            }
            Examiner::Lint => lint::render::rules_json(),
            Examiner::Diff => diff::render::rules_json(),
            Examiner::Upgrade => upgrade::render::rows_json(),
        }
    }

    /// Lists the rules as Markdown.
    #[must_use]
    pub fn markdown(self) -> String {
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
    #[must_use]
    pub fn ids(self) -> Vec<String> {
        match self {
            Examiner::Check => Id::ALL.iter().map(|id| id.name().to_owned()).collect(),
            Examiner::Lint => lint::rules().map(|rule| rule.id.to_owned()).collect(),
            Examiner::Diff => diff::rules::Rule::all().map(|rule| rule.id().to_owned()).collect(),
            Examiner::Upgrade => upgrade::render::row_ids().map(str::to_owned).collect(),
        }
    }
}

/// Explains a rule of some commands.
///
/// # Errors
/// There is no such rule; the message has the nearest one.
pub fn explain(id: &str, examiners: &[Examiner]) -> Result<String, String> {
    let page = examiners.iter().find_map(|it| it.page(id));
    page.ok_or_else(|| {
        let ids: Vec<String> = examiners.iter().flat_map(|it| it.ids()).collect();
        match nearest(id, ids.iter().map(String::as_str)) {
            Some(near) => format!("no rule '{id}'\nhelp: did you mean '{near}'? 'odsmith rule' lists all"),
            None => format!("no rule '{id}'\nhelp: odsmith rule"),
        }
    })
}
