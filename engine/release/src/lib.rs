//! MLIR's releases, and their differences.
//!
//! * [`changes`]: the list of differences;
//! * [`deprecations`]: what the library dropped, renamed or moved, and the replacements;
//! * [`spellings`]: words of generated C++ that differ, which fill holes of templates by themselves, and names of the
//!   library's fields and classes;
//! * [`line()`]: the reference's own source lines, which its messages name;
//! * [`markers`]: the definitions of the library's files in each release, which identify it;
//! * [`Rules::elsewhere`]: names that other releases of the library define;
//! * [`Rule`]: a change or a spelling, as profiles of commits between two releases list them;
//! * this file: [`Release`], which users name, and [`Rules`], which code asks.
//!
//! Rules travel with the records: the library passes them to the evaluation, and the owner of a record has
//! `records().rules()`. So a new difference is a row in `changes` and a question at the one place where it matters.
//! Every list has a group for each release, newest first: a new release is a group at the top of each.

pub mod changes;
pub mod cpp;
pub mod deprecations;
pub mod fields {
    //! Names of the library's fields and classes. Code that has a record looks at its fields; a message uses the name
    //! that the release has.

    pub use super::spellings::{
        BIT_CASE, BIT_ENUM, CPP_TYPE, ENUM, ENUM_IN_DOCUMENTS, GROUP_CASE, SPIRV, TRAIT_LIST,
    };
}
mod lines;
pub mod markers;
mod names;
mod rule;
pub mod spellings;

use std::fmt;

pub use changes::Change;
pub use lines::line;
pub use rule::Rule;

/// Lists the releases, newest first, with the major version.
macro_rules! releases {
    ($($(#[$meta:meta])+ $name:ident = $number:literal $(, trunk of $date:literal at $commit:literal)?;)+) => {
        /// A release of MLIR that can be emulated.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Release {
            $($(#[$meta])+ $name = $number,)+
        }

        impl Release {
            /// All releases, newest first.
            pub const ALL: &[Release] = &[$(Release::$name,)+];

            /// Returns the name that users write.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Release::$name => stringify!($number),)+
                }
            }

            /// Returns the snapshot of trunk that is used as the release until it is published.
            #[must_use]
            pub const fn snapshot(self) -> Option<Snapshot> {
                match self {
                    $(Release::$name => snapshot!($($date $commit)?),)+
                }
            }
        }
    };
}

macro_rules! snapshot {
    ($date:literal $commit:literal) => {
        Some(Snapshot { date: $date, commit: $commit })
    };
    () => {
        None
    };
}

/// A snapshot of trunk. `24` names the newest one, and `24@7e3c571` or `24@2026-10-25` this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The day of its last commit: `2026-10-25`.
    pub date: &'static str,
    /// The start of its last commit's hash.
    pub commit: &'static str,
}

impl Snapshot {
    /// Returns whether a name is the snapshot's day, or a commit's hash that begins as the snapshot's.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        name == self.date || name.starts_with(self.commit)
    }
}

releases! {
    /// LLVM and MLIR 24, before its release.
    V24 = 24, trunk of "2026-10-25" at "7e3c571";
    /// LLVM and MLIR 23.1.
    V23 = 23;
    /// LLVM and MLIR 22.1.
    #[default]
    V22 = 22;
    /// LLVM and MLIR 21.1.
    V21 = 21;
    /// LLVM and MLIR 19.1.
    V19 = 19;
    /// LLVM and MLIR 18.1.
    V18 = 18;
    /// LLVM and MLIR 17.0.
    V17 = 17;
    /// LLVM and MLIR 16.0.
    V16 = 16;
    /// LLVM and MLIR 15.0.
    V15 = 15;
    /// LLVM and MLIR 14.0.
    V14 = 14;
    /// LLVM and MLIR 13.0.
    V13 = 13;
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the major version in the name of a release, which need not be one that can be emulated: `20`.
#[must_use]
pub fn major_version(name: &str) -> Option<u8> {
    name.parse().ok()
}

/// Returns whether a major version is that of a release or of a later one. Neither needs to be known.
#[must_use]
pub const fn is_or_follows(version: u8, release: u8) -> bool {
    version >= release
}

impl Release {
    /// Returns the name with the snapshot that is used as it: `24 (trunk, 2026-10-25, 7e3c571)`.
    #[must_use]
    pub fn label(self) -> String {
        match self.snapshot() {
            Some(Snapshot { date, commit }) => format!("{self} (trunk, {date}, {commit})"),
            None => self.to_string(),
        }
    }

    /// Returns the major version.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the position in [`Release::ALL`].
    pub(crate) const fn index(self) -> usize {
        let mut index = 0;
        while Release::ALL[index].number() != self.number() {
            index += 1;
        }
        index
    }

    /// Returns the major version of the release before, which need not be one that can be emulated.
    const fn number_before(self) -> u8 {
        match self.index() + 1 {
            index if index < Release::ALL.len() => Release::ALL[index].number(),
            _ => self.number() - 1,
        }
    }

    /// Returns the number of releases from one to the other, which is 1 for neighbours.
    #[must_use]
    pub const fn distance(self, other: Release) -> usize {
        self.index().abs_diff(other.index())
    }

    /// Returns whether it is a release or a later one.
    pub(crate) const fn has(self, since: Release) -> bool {
        since.number() <= self.number()
    }

    /// Returns the release of this name.
    ///
    /// # Errors
    /// There is no such release, or it could not be measured; the message lists the known ones.
    pub fn parse(name: &str) -> Result<Release, String> {
        let (number, snapshot) = name.split_once('@').map_or((name, None), |(number, it)| (number, Some(it)));
        let is_it = |release: &&Release| {
            let is_snapshot = |name: &str| release.snapshot().is_some_and(|it| it.has_name(name));
            release.name() == number && snapshot.is_none_or(is_snapshot)
        };
        if let Some(&release) = Release::ALL.iter().find(is_it) {
            return Ok(release);
        }
        let all: Vec<Release> = Release::ALL.iter().rev().copied().collect();
        let known = Release::ranges(&all).join(", ");
        Err(match name {
            "20" => format!(
                "MLIR 20 is not supported: no package of its mlir-tblgen exists to compare with ({known} are known)"
            ),
            _ => format!("MLIR {name} is not known ({known})"),
        })
    }

    /// Returns all releases in a sentence: `13 to 19, 21 to 23, 24 (trunk, 2026-10-25, 7e3c571)`.
    #[must_use]
    pub fn all_labels() -> String {
        let (snapshots, published): (Vec<_>, Vec<_>) =
            Release::ALL.iter().rev().partition(|release| release.snapshot().is_some());
        let published: Vec<Release> = published.into_iter().copied().collect();
        let labels = snapshots.iter().map(|release| release.label());
        Release::ranges(&published).into_iter().chain(labels).collect::<Vec<_>>().join(", ")
    }

    /// Names releases, the oldest first, with those that follow each other as a range: `13 to 19`.
    fn ranges(releases: &[Release]) -> Vec<String> {
        let is_next = |one: &Release, next: &Release| one.number() + 1 == next.number();
        let ranges = releases.chunk_by(is_next).map(|range| match range {
            [first, .., last] => format!("{first} to {last}"),
            one => one.iter().map(|release| release.to_string()).collect(),
        });
        ranges.collect()
    }

    /// The newest release.
    #[must_use]
    pub const fn newest() -> Release {
        Release::ALL[0]
    }

    /// The release that is closest to the one of this name, the newer one of two; nothing if the name is no number.
    #[must_use]
    pub fn nearest(name: &str) -> Option<Release> {
        let number = major_version(name)?;
        // Of equal distances the first counts.
        Release::ALL.iter().copied().min_by_key(|release| release.number().abs_diff(number))
    }

    /// Returns true if a name is that of a release after all of these.
    #[must_use]
    pub fn is_after_all(name: &str) -> bool {
        major_version(name).is_some_and(|number| Release::newest().is_before(number))
    }

    /// Returns true if a major version is newer.
    #[must_use]
    pub const fn is_before(self, number: u8) -> bool {
        self.number() < number
    }

    /// Returns true if a major version is older.
    #[must_use]
    pub const fn is_after(self, number: u8) -> bool {
        self.number() > number
    }

    /// Returns the rules of this release.
    #[must_use]
    pub const fn rules(self) -> Rules {
        let mut rules = Rules { release: self, bits: [0; WORDS] };
        let mut index = 0;
        while index < Rule::COUNT {
            if self.has(Rule::at(index).since()) {
                rules.bits[index / BITS] |= 1 << (index % BITS);
            }
            index += 1;
        }
        rules
    }
}

const BITS: usize = u64::BITS as usize;
const WORDS: usize = Rule::COUNT.div_ceil(BITS);

/// The rules of a release, or of a commit between two: the changes and spellings that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    release: Release,
    /// A bit for each [`Rule`].
    bits: [u64; WORDS],
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
        self.has_rule(Rule::of(change))
    }

    /// Returns whether a rule is on.
    #[must_use]
    pub const fn has_rule(&self, rule: Rule) -> bool {
        let index = rule.index();
        self.bits[index / BITS] & (1 << (index % BITS)) != 0
    }

    /// Returns the releases that define a name, if this one does not; nothing if no release does.
    #[must_use]
    pub fn elsewhere(&self, name: &str) -> Option<String> {
        names::elsewhere(name, self.release.number())
    }

    /// Returns the first release that defines a name, if some releases do not.
    #[must_use]
    pub fn since(name: &str) -> Option<u8> {
        names::since(name)
    }

    /// Returns the release's number.
    #[must_use]
    pub const fn release_number(&self) -> u8 {
        self.release.number()
    }

    /// Returns the same rules with this change inverted: tests use it to show the effect of each change.
    #[must_use]
    pub const fn flipped(self, change: Change) -> Rules {
        self.with_flipped(Rule::of(change))
    }

    /// Returns the same rules with this one inverted.
    #[must_use]
    pub const fn with_flipped(mut self, rule: Rule) -> Rules {
        let index = rule.index();
        self.bits[index / BITS] ^= 1 << (index % BITS);
        self
    }

    /// Returns the release whose other properties hold, such as the line numbers in messages.
    #[must_use]
    pub const fn release(&self) -> Release {
        self.release
    }

    /// Returns the release's name.
    #[must_use]
    pub const fn release_name(&self) -> &'static str {
        self.release.name()
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
        assert_eq!(Release::parse("7").unwrap_err(), "MLIR 7 is not known (13 to 19, 21 to 24)");
        assert_eq!(Release::parse("21"), Ok(Release::V21));
    }

    #[test]
    fn a_label_has_the_snapshot() {
        assert_eq!(Release::V23.label(), "23");
        for name in ["24", "24@2026-10-25", "24@7e3c571", "24@7e3c57157096"] {
            assert_eq!(Release::parse(name), Ok(Release::V24));
        }
        for name in ["24@", "24@7e3", "23@7e3c571", "24@0123456"] {
            assert!(Release::parse(name).is_err(), "{name}");
        }
        assert_eq!(Release::V24.label(), "24 (trunk, 2026-10-25, 7e3c571)");
        assert_eq!(Release::all_labels(), "13 to 19, 21 to 23, 24 (trunk, 2026-10-25, 7e3c571)");
    }
}
