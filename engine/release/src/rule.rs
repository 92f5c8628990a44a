//! One rule of a release, which the profile of a commit between two releases turns on or off.

use super::{
    Change, Release,
    changes::CHANGES,
    spellings::{self, ROWS},
};

/// A rule: a change of behaviour, or a new spelling of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(u16);

impl Rule {
    /// The number of rules.
    pub const COUNT: usize = CHANGES.len() + ROWS.len();

    /// Returns the rule of a change.
    #[must_use]
    pub const fn of(change: Change) -> Rule {
        Rule(change as u16)
    }

    /// Returns the rule of a row of spellings.
    #[expect(clippy::cast_possible_truncation, reason = "there are some hundred rows")]
    pub(crate) const fn of_spelling(row: usize) -> Rule {
        Rule((CHANGES.len() + row) as u16)
    }

    /// Iterates over all rules: the changes, then the spellings, each newest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Rule> {
        (0..Rule::COUNT).map(Rule::at)
    }

    /// Returns the rule of a name, as [`Rule::name`] gives it.
    #[must_use]
    pub fn named(name: &str) -> Option<Rule> {
        Rule::all().find(|rule| rule.name() == name)
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are some hundred rules")]
    pub(crate) const fn at(index: usize) -> Rule {
        Rule(index as u16)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row of a spelling; nothing for a change.
    const fn row(self) -> Option<&'static spellings::Row> {
        match self.index().checked_sub(CHANGES.len()) {
            Some(row) => Some(&ROWS[row]),
            None => None,
        }
    }

    /// Returns the first release that has the rule.
    #[must_use]
    pub const fn since(self) -> Release {
        match self.row() {
            Some(row) => row.since,
            None => CHANGES[self.index()].since,
        }
    }

    /// Returns the name: `RawProperties` for a change, `parsed_case@V15` for a spelling.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.row() {
            Some(row) => row.name,
            None => CHANGES[self.index()].name,
        }
    }

    /// Returns the fixture that shows the rule, below `tests/fixtures/`.
    #[must_use]
    pub const fn fixture(self) -> &'static str {
        match self.row() {
            Some(row) => row.fixture,
            None => CHANGES[self.index()].fixture,
        }
    }

    /// Returns the behaviour as a sentence.
    #[must_use]
    pub fn text(self) -> String {
        match self.row() {
            Some(row) => format!("`{}` is spelled `{}`", row.word, row.text.trim()),
            None => CHANGES[self.index()].text.trim().to_owned(),
        }
    }

    /// Returns true if the rule may affect the records. All other rules only affect later stages.
    #[must_use]
    pub const fn is_of_evaluation(self) -> bool {
        self.row().is_none() && CHANGES[self.index()].is_of_evaluation
    }
}
