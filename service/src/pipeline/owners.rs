//! The owners of files, as `CODEOWNERS` names them for GitHub, GitLab and others.
//!
//! ```text
//! *            @example/compilers
//! /lib/Toy/    @ann ben@example.org    # the last line that matches a file counts
//! ```

use std::{fs, path::Path};

use crate::pipeline::workspace::patterns::Patterns;

/// The places of the file, the first of which counts.
pub const PLACES: &[&str] = &[".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
/// Larger files are not read.
const MOST_BYTES: u64 = 1 << 20;
/// Maximum number of lines that are compared with each file.
const MOST_RULES: usize = 4096;

/// The rules of a file.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    rules: Vec<OwnerRule>,
}

/// A line: the files that a pattern matches have these owners.
#[derive(Clone, Debug)]
struct OwnerRule {
    patterns: Patterns,
    /// True if the pattern matches files of a folder and none of the folders below it: `docs/*`.
    is_shallow: bool,
    owners: Vec<String>,
}

impl Owners {
    /// Reads the file of a folder, if there is one.
    #[must_use]
    pub fn of_folder(folder: &Path) -> Owners {
        let places = PLACES.iter().map(|name| folder.join(name));
        let is_small = |data: fs::Metadata| data.is_file() && data.len() <= MOST_BYTES;
        let found = places.into_iter().find(|place| fs::metadata(place).is_ok_and(is_small));
        let text = found.and_then(|place| fs::read(place).ok()).unwrap_or_default();
        Owners::parse(&String::from_utf8_lossy(&text))
    }

    /// Reads the lines of a file. A malformed pattern matches nothing.
    #[must_use]
    pub fn parse(text: &str) -> Owners {
        let mut rules = Vec::new();
        for line in text.lines().take(MOST_RULES) {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next() else { continue };
            let owners = words.filter(|word| word.contains('@')).map(str::to_owned).collect();
            // A line in brackets is the heading of a section.
            let texts = if pattern.starts_with(['[', '^']) { Vec::new() } else { vec![pattern.to_owned()] };
            let is_shallow = pattern.ends_with("/*");
            rules.push(OwnerRule { patterns: Patterns::new(&texts).unwrap_or_default(), is_shallow, owners });
        }
        Owners { rules }
    }

    /// Lists all owners in the order of the file, each once.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for owner in self.rules.iter().flat_map(|rule| &rule.owners) {
            if !all.contains(owner) {
                all.push(owner.clone());
            }
        }
        all
    }

    /// Returns the owners of a file.
    #[must_use]
    pub fn of(&self, path: &str) -> &[String] {
        let is_of = |rule: &&OwnerRule| match rule.is_shallow {
            true => rule.patterns.has_itself(path),
            false => rule.patterns.has(path),
        };
        self.rules.iter().rev().find(is_of).map_or(&[], |rule| &rule.owners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_matches_counts() {
        let owners = Owners::parse(
            "# All.\n* @all\n[Section] @none\n/lib/ @lib ben@example.org # both\ndocs/* @docs @all\nlib/free/\n",
        );
        for (path, of) in [
            ("a.td", "@all"),
            ("lib/x/a.td", "@lib ben@example.org"),
            ("x/lib/a.td", "@all"),
            ("docs/a.md", "@docs @all"),
            ("docs/x/a.md", "@all"),
            ("lib/free/a.td", ""),
        ] {
            assert_eq!(owners.of(path).join(" "), of, "{path}");
        }
        assert_eq!(owners.all().join(" "), "@all @none @lib ben@example.org @docs");
        assert!(Owners::parse("").of("a.td").is_empty());
    }
}
