//! MLIR's releases, and their differences.
//!
//! * [`changes`]: the list of differences, and the only place with numbers;
//! * [`deprecations`]: what the library dropped, renamed or moved, and the replacements;
//! * [`fields`]: names of the library's fields and classes that differ;
//! * [`spellings`]: words of generated C++ that differ, which fill holes of templates by themselves;
//! * [`line()`]: the reference's own source lines, which its messages name;
//! * [`Rules::elsewhere`]: names that other releases of the library define;
//! * this file: [`Release`], which users name, and [`Rules`], which code asks.
//!
//! Rules travel with the records: the library passes them to the evaluation, and the owner of a record has
//! `records().rules()`. So a new difference is a row in `changes` and a question at the one place where it matters.

pub mod changes;
pub mod deprecations;
pub mod fields;
mod lines;
mod names;
pub mod spellings;

use serde::{Deserialize, Serialize};

pub use changes::Change;
pub use lines::line;

/// A release of MLIR that can be emulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Release {
    /// LLVM and MLIR 13.0.
    #[serde(rename = "13")]
    V13,
    /// LLVM and MLIR 14.0.
    #[serde(rename = "14")]
    V14,
    /// LLVM and MLIR 15.0.
    #[serde(rename = "15")]
    V15,
    /// LLVM and MLIR 16.0.
    #[serde(rename = "16")]
    V16,
    /// LLVM and MLIR 17.0.
    #[serde(rename = "17")]
    V17,
    /// LLVM and MLIR 18.1.
    #[serde(rename = "18")]
    V18,
    /// LLVM and MLIR 19.1.
    #[serde(rename = "19")]
    V19,
    /// LLVM and MLIR 21.1.
    #[serde(rename = "21")]
    V21,
    /// LLVM and MLIR 22.1.
    #[default]
    #[serde(rename = "22")]
    V22,
    /// LLVM and MLIR 23.1.
    #[serde(rename = "23")]
    V23,
}

impl Release {
    /// All releases, newest first.
    pub const ALL: &[Release] = &[
        Release::V23,
        Release::V22,
        Release::V21,
        Release::V19,
        Release::V18,
        Release::V17,
        Release::V16,
        Release::V15,
        Release::V14,
        Release::V13,
    ];

    /// Returns the name that users write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Release::V13 => "13",
            Release::V14 => "14",
            Release::V15 => "15",
            Release::V16 => "16",
            Release::V17 => "17",
            Release::V18 => "18",
            Release::V19 => "19",
            Release::V21 => "21",
            Release::V22 => "22",
            Release::V23 => "23",
        }
    }

    /// Returns the major version.
    const fn number(self) -> u8 {
        match self {
            Release::V13 => 13,
            Release::V14 => 14,
            Release::V15 => 15,
            Release::V16 => 16,
            Release::V17 => 17,
            Release::V18 => 18,
            Release::V19 => 19,
            Release::V21 => 21,
            Release::V22 => 22,
            Release::V23 => 23,
        }
    }

    /// Returns the release of this name.
    ///
    /// # Errors
    /// There is no such release, or it could not be measured; the message lists the known ones.
    pub fn parse(name: &str) -> Result<Release, String> {
        if let Some(&release) = Release::ALL.iter().find(|release| release.name() == name) {
            return Ok(release);
        }
        let known: Vec<&str> = Release::ALL.iter().rev().map(|release| release.name()).collect();
        let known = known.join(", ");
        Err(match name {
            "20" => format!(
                "MLIR 20 is not supported: no package of its mlir-tblgen exists to compare with (known releases: {known})"
            ),
            _ => format!("unknown MLIR release '{name}' (known releases: {known})"),
        })
    }

    /// The newest release.
    #[must_use]
    pub const fn newest() -> Release {
        Release::ALL[0]
    }

    /// The release that is closest to the one of this name, the newer one of two; nothing if the name is no number.
    #[must_use]
    pub fn nearest(name: &str) -> Option<Release> {
        let number: u32 = name.parse().ok()?;
        // Of equal distances the first counts.
        Release::ALL.iter().copied().min_by_key(|release| u32::from(release.number()).abs_diff(number))
    }

    /// Returns true if a name is that of a release after all of these.
    #[must_use]
    pub fn is_after_all(name: &str) -> bool {
        name.parse().is_ok_and(|number: u32| number > u32::from(Release::newest().number()))
    }

    /// Returns the rules of this release.
    #[must_use]
    pub const fn rules(self) -> Rules {
        let mut rules = Rules { release: self, changes: [0; WORDS] };
        let mut index = 0;
        while index < changes::CHANGES.len() {
            if changes::CHANGES[index].since <= self.number() {
                rules.changes[index / BITS] |= 1 << (index % BITS);
            }
            index += 1;
        }
        rules
    }
}

const BITS: usize = u64::BITS as usize;
const WORDS: usize = changes::CHANGES.len().div_ceil(BITS);

/// The rules of a release: the changes that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    release: Release,
    changes: [u64; WORDS],
}

impl Default for Rules {
    fn default() -> Self {
        Release::default().rules()
    }
}

impl Rules {
    /// Returns whether the release has this change.
    #[must_use]
    pub const fn has(&self, change: Change) -> bool {
        let index = change as usize;
        self.changes[index / BITS] & (1 << (index % BITS)) != 0
    }

    /// Returns the releases that define a name, if this one does not; nothing if no release does.
    #[must_use]
    pub fn elsewhere(&self, name: &str) -> Option<String> {
        names::elsewhere(name, self.number())
    }

    /// Returns the same rules with this change inverted: tests use it to show the effect of each change.
    #[must_use]
    pub const fn flipped(mut self, change: Change) -> Rules {
        let index = change as usize;
        self.changes[index / BITS] ^= 1 << (index % BITS);
        self
    }

    /// Returns the release's name.
    #[must_use]
    pub const fn release_name(&self) -> &'static str {
        self.release.name()
    }

    /// Returns the release's major version, for the table of spellings.
    pub(crate) const fn number(&self) -> u8 {
        self.release.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_changes_one_rule() {
        let rules = Release::V22.rules();
        for row in changes::CHANGES {
            let flipped = rules.flipped(row.change);
            let differs = |other: &&changes::Row| rules.has(other.change) != flipped.has(other.change);
            assert_eq!(changes::CHANGES.iter().filter(differs).count(), 1, "{:?}", row.change);
        }
    }

    #[test]
    fn a_release_without_a_tool_is_refused_with_the_reason() {
        assert!(Release::parse("20").unwrap_err().contains("no package"));
        assert!(
            Release::parse("7")
                .unwrap_err()
                .contains("known releases: 13, 14, 15, 16, 17, 18, 19, 21, 22, 23")
        );
        assert_eq!(Release::parse("21"), Ok(Release::V21));
    }
}
