//! An older version as a difference from the newest one.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::interchange::symbols::{Row, SCHEMA, Symbols, Use};
use odsmith_registry::digest::Digest;
use serde::{Deserialize, Serialize};

/// The differences of the older versions of a project, by manifest.
pub type Deltas = BTreeMap<Digest, Delta>;

/// The changes that lead from the newest version back to an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    /// The ids of rows that the older version does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub gone: BTreeSet<String>,
    /// The rows of the older version that the newest one has otherwise, or not at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
    /// The uses that the older version does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub uses_gone: BTreeSet<Use>,
    /// The uses that only the older version has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Use>,
}

impl Delta {
    /// Returns the difference of an older version.
    #[must_use]
    pub fn between(newest: &Symbols, older: &Symbols) -> Delta {
        let of = |symbols: &'_ Symbols| -> BTreeMap<String, Row> {
            symbols.rows.iter().map(|row| (row.id.clone(), row.clone())).collect()
        };
        let (new, old) = (of(newest), of(older));
        let new_uses: BTreeSet<&Use> = newest.uses.iter().collect();
        let old_uses: BTreeSet<&Use> = older.uses.iter().collect();
        Delta {
            gone: new.keys().filter(|id| !old.contains_key(*id)).cloned().collect(),
            rows: older.rows.iter().filter(|row| new.get(&row.id) != Some(*row)).cloned().collect(),
            uses_gone: new_uses.difference(&old_uses).map(|it| (*it).clone()).collect(),
            uses: old_uses.difference(&new_uses).map(|it| (*it).clone()).collect(),
        }
    }

    /// Returns the older version.
    #[must_use]
    pub fn apply(&self, newest: &Symbols) -> Symbols {
        let mut rows: BTreeMap<&str, &Row> = newest.rows.iter().map(|row| (row.id.as_str(), row)).collect();
        rows.retain(|id, _| !self.gone.contains(*id));
        rows.extend(self.rows.iter().map(|row| (row.id.as_str(), row)));
        let uses = newest.uses.iter().filter(|it| !self.uses_gone.contains(*it)).chain(&self.uses);
        let uses: BTreeSet<&Use> = uses.collect();
        let mut rows: Vec<Row> = rows.into_values().cloned().collect();
        rows.sort();
        Symbols { schema: SCHEMA, rows, uses: uses.into_iter().cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_version_comes_back() {
        let symbols = |rows: &[(&str, &str)], uses: &[&str]| Symbols {
            schema: SCHEMA,
            rows: rows
                .iter()
                .map(|(id, shape)| Row { id: (*id).to_owned(), shape: (*shape).to_owned(), ..Row::default() })
                .collect(),
            uses: uses
                .iter()
                .map(|user| Use {
                    target: "d/op/t".to_owned(),
                    user: (*user).to_owned(),
                    how: "creates".to_owned(),
                })
                .collect(),
        };
        let newest = symbols(&[("d/op/a", "1"), ("d/op/b", "2"), ("d/op/c", "3")], &["d/op/a", "d/op/b"]);
        let older = symbols(&[("d/op/a", "1"), ("d/op/b", "0"), ("d/op/x", "9")], &["d/op/b", "d/op/x"]);
        let delta = Delta::between(&newest, &older);
        assert_eq!(
            (delta.gone.len(), delta.rows.len(), delta.uses_gone.len(), delta.uses.len()),
            (1, 2, 1, 1)
        );
        assert_eq!(delta.apply(&newest), older);
        assert_eq!(Delta::between(&newest, &newest), Delta::default());
    }
}
