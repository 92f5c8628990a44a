//! The users of what a change breaks, in other projects. A catalogue fills them in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The users in one project.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = diff::Elsewhere)]
pub struct Elsewhere {
    /// The project.
    pub project: String,
    /// Its version.
    pub version: String,
    /// The users.
    pub users: Vec<User>,
}

/// A definition that uses what a change breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = diff::User)]
pub struct User {
    /// The id: `shardy@0.3.1/_/pattern/FoldAdd`.
    pub id: String,
    /// The kind: `pattern`.
    pub kind: String,
    /// The way: `creates`.
    pub how: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Elsewhere {
    /// Counts the users in words: `4 patterns create it, 2 passes depend on it`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for user in &self.users {
            *counts.entry((&user.how, &user.kind)).or_default() += 1;
        }
        let each = counts.into_iter().map(|((how, kind), count)| {
            let is_one = count == 1;
            let noun = match (kind, is_one) {
                ("op", true) => "operation".to_owned(),
                ("op", false) => "operations".to_owned(),
                ("attr", true) => "attribute".to_owned(),
                ("attr", false) => "attributes".to_owned(),
                ("pass", false) => "passes".to_owned(),
                (kind, true) => kind.to_owned(),
                (kind, false) => format!("{kind}s"),
            };
            let verb = match (how, is_one) {
                ("creates", true) => "creates it",
                ("creates", false) => "create it",
                ("matches", true) => "matches it",
                ("matches", false) => "match it",
                ("depends", true) => "depends on it",
                ("depends", false) => "depend on it",
                ("base", true) => "is based on it",
                ("base", false) => "are based on it",
                ("trait" | "interface", true) => "has it",
                ("trait" | "interface", false) => "have it",
                (_, true) => "uses it",
                (_, false) => "use it",
            };
            format!("{count} {noun} {verb}")
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the number of users.
#[must_use]
pub fn count(all: &[Elsewhere]) -> usize {
    all.iter().map(|it| it.users.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_in_words() {
        let user =
            |kind: &str, how: &str| User { kind: kind.to_owned(), how: how.to_owned(), ..User::default() };
        let users = vec![
            user("pattern", "matches"),
            user("pass", "depends"),
            user("pass", "depends"),
            user("op", "trait"),
        ];
        let elsewhere = Elsewhere { users, ..Elsewhere::default() };
        assert_eq!(elsewhere.in_words(), "2 passes depend on it, 1 pattern matches it, 1 operation has it");
    }
}
