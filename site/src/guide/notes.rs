//! Hand-written notes on releases: the sections of a changelog, or a file for each release.
//!
//! ```text
//! CHANGELOG.md                      docs/releases/{release}.md
//!
//! ## [2.1] - 2026-03-01             ---
//! ### Added                         date: 2026-03-01
//! - Boxes.                          ---
//! ## 2.0 (2025-11-20)               Boxes are cheaper.
//! ```

use std::collections::BTreeMap;

use odsmith_engine::limits::Budget;

use super::{
    front_matter,
    include::{self, Fence},
};
use crate::{Note, markdown};

/// The placeholder for the name of a release in the path of its notes.
const PLACEHOLDER: &str = "{release}";
/// The limit for words of a heading that names a release: `Version 2.1 (beta)`.
const MOST_WORDS: usize = 3;
/// The level of the highest heading in notes: those of a page are above it.
const LEVEL: usize = 3;

/// The notes on one release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseNotes {
    /// The release, as its heading or its file names it.
    pub release: String,
    /// The date: `2026-03-01`.
    pub date: Option<String>,
    /// The file.
    pub file: String,
    /// The text.
    pub md: String,
}

impl ReleaseNotes {
    /// Tests if the notes are about a release.
    #[must_use]
    pub fn is_of(&self, release: &str) -> bool {
        is_same(&self.release, release)
    }

    /// Tests if they are below a heading.
    pub(crate) fn are_below(&self, heading: &str) -> bool {
        named(heading, &[self.release.as_str()]).is_some_and(|(release, _)| self.is_of(&release))
    }
}

/// The author's remarks on single definitions: items of lists in notes that begin with names in code.
///
/// ```text
/// - `my.box`: write `my.crate`.          a remark on my.box
/// - `my.lid`, `my.pack.*` are faster.    one on my.lid and all of my.pack; the names are part of the sentence
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remarks(Vec<(String, String)>);

impl Remarks {
    /// Reads the remarks in a text.
    pub(crate) fn read(md: &str) -> Remarks {
        let mut items: Vec<String> = Vec::new();
        let mut fence = Fence::default();
        let mut is_open = false;
        for line in md.lines() {
            let is_code = fence.is_code(line);
            let text = line.trim();
            let item = ["- ", "* ", "+ "].iter().find_map(|mark| text.strip_prefix(mark));
            match item.filter(|_| !is_code) {
                Some(item) => items.push(item.trim().to_owned()),
                None if is_open && !is_code && !text.is_empty() && line.starts_with(' ') => {
                    if let Some(last) = items.last_mut() {
                        last.push(' ');
                        last.push_str(text);
                    }
                    continue;
                }
                None => {}
            }
            is_open = item.is_some() && !is_code;
        }
        Remarks(items.iter().flat_map(|item| remarks(item)).collect())
    }

    /// The remark on a definition: one on its name comes before one on a family.
    pub(crate) fn of(&self, name: &str) -> Option<&str> {
        let is_family = |known: &str| known.strip_suffix('*').is_some_and(|start| name.starts_with(start));
        let own = self.0.iter().find(|(known, _)| known == name);
        own.or_else(|| self.0.iter().find(|(known, _)| is_family(known))).map(|(_, remark)| remark.as_str())
    }
}

/// The remarks of an item of a list, one for each name at its start.
fn remarks(item: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    let mut rest = item;
    while let Some((name, after)) = rest.strip_prefix('`').and_then(|text| text.split_once('`')) {
        names.push(name.to_owned());
        let after = after.trim_start();
        let next = after.strip_prefix(',').unwrap_or(after).trim_start();
        rest = next.strip_prefix("and ").unwrap_or(next).trim_start();
        if !rest.starts_with('`') {
            rest = after;
            break;
        }
    }
    // A remark after a colon or a dash needs no names.
    let alone = rest.trim_start().strip_prefix([':', '–', '—']).map(str::trim);
    let remark = alone.unwrap_or(item);
    let has_text = !rest.trim().is_empty() && !remark.is_empty();
    names.into_iter().filter(|_| has_text).map(|name| (name, remark.to_owned())).collect()
}

/// Compares names of releases: `v2.1` is `2.1`.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.trim_start_matches(['v', 'V']).to_lowercase();
    plain(one) == plain(other)
}

/// Reads the notes of all releases from the file at this path, or from all files, if the path has a placeholder.
/// `known` are names of releases, which a heading may have although they are no numbers.
///
/// # Errors
/// There is no such file.
pub(crate) fn all(
    files: &BTreeMap<String, String>,
    path: &str,
    known: &[&str],
    budget: &Budget,
) -> Result<Vec<ReleaseNotes>, Note> {
    let missing = |what: String| Note { file: "odsmith.toml".to_owned(), line: 1, page: String::new(), what };
    let path = path.trim_start_matches("./");
    if let Some((before, after)) = path.split_once(PLACEHOLDER) {
        let notes: Vec<ReleaseNotes> =
            files.keys().filter_map(|path| of_file(files, path, (before, after), budget)).collect();
        return match notes.is_empty() {
            true => {
                Err(missing(format!("'release-notes' names '{path}', and no Markdown file is called that")))
            }
            false => Ok(notes),
        };
    }
    if !files.contains_key(path) {
        return Err(missing(format!("'release-notes' names '{path}', and no Markdown file is called that")));
    }
    let (text, _) = include::expand(files, path, budget);
    let notes = sections(&text, known);
    Ok(notes.into_iter().map(|notes| ReleaseNotes { file: path.to_owned(), ..notes }).collect())
}

/// The notes in a file of their own, whose name has the release between two texts.
fn of_file(
    files: &BTreeMap<String, String>,
    path: &str,
    (before, after): (&str, &str),
    budget: &Budget,
) -> Option<ReleaseNotes> {
    let release = path.strip_prefix(before)?.strip_suffix(after)?;
    if release.is_empty() || release.contains('/') {
        return None;
    }
    let date = front_matter(files.get(path)?).date;
    let (text, _) = include::expand(files, path, budget);
    let md = markdown::title(&text).map_or(text.clone(), |(_, rest)| rest.into_owned());
    Some(ReleaseNotes { release: release.to_owned(), date, file: path.to_owned(), md: lowered(md.trim()) })
}

/// Splits a changelog: each heading that names a release begins its notes, and the next one that is not below it ends them.
fn sections(text: &str, known: &[&str]) -> Vec<ReleaseNotes> {
    let mut fence = Fence::default();
    let mut found: Vec<(usize, ReleaseNotes)> = Vec::new();
    let mut definitions: Vec<(&str, &str)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let is_code = fence.is_code(line);
        let heading = include::heading(line).filter(|_| !is_code);
        if let Some(level) = heading {
            let above = found.last().filter(|_| is_open).map_or(usize::MAX, |(level, _)| *level);
            if level <= above {
                let named = named(line.trim_start()[level..].trim().trim_end_matches('#'), known);
                is_open = named.is_some();
                if let Some((release, date)) = named {
                    found.push((level, ReleaseNotes { release, date, ..ReleaseNotes::default() }));
                }
                continue;
            }
        }
        if let Some(label) = definition(line).filter(|_| !is_code) {
            definitions.push((label, line));
        } else if let Some((_, notes)) = found.last_mut().filter(|_| is_open) {
            notes.md.push_str(line);
            notes.md.push('\n');
        }
    }
    let finished = found.into_iter().map(|(_, notes)| {
        let mut md = lowered(notes.md.trim());
        // Definitions of links are at the end of the file, for all its sections.
        let used: Vec<&str> =
            definitions.iter().filter(|(label, _)| md.contains(label)).map(|(_, line)| *line).collect();
        if !used.is_empty() {
            md = format!("{md}\n\n{}", used.join("\n"));
        }
        ReleaseNotes { md, ..notes }
    });
    finished.collect()
}

/// The label with its brackets of a definition of a link: `[2.1]` of `[2.1]: https://…`.
fn definition(line: &str) -> Option<&str> {
    let end = line.find("]:")?;
    let label = &line[..=end];
    (label.starts_with('[') && !label.starts_with("[^") && label.matches('[').count() == 1).then_some(label)
}

/// The release that a heading names, and its date: `[2.1] - 2026-03-01`, `Version 2.1 (2026-03-01)`.
fn named(title: &str, known: &[&str]) -> Option<(String, Option<String>)> {
    let date = (0..title.len()).find_map(|at| title.get(at..at + 10).filter(|text| is_date(text)));
    let rest = date.map_or(title.to_owned(), |date| title.replacen(date, "", 1));
    // A link of a heading has its address in parentheses.
    let rest = rest.split("](").next().unwrap_or_default();
    let is_mark =
        |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | ':' | '-' | '–' | '—' | '`');
    let whole = rest.trim_matches(is_mark);
    let date = date.map(str::to_owned);
    if known.iter().any(|release| is_same(release, whole)) {
        return Some((whole.to_owned(), date));
    }
    // A longer heading is a sentence: "2 ways to write a box".
    let words: Vec<&str> = whole.split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    if words.len() > MOST_WORDS {
        return None;
    }
    let is_number = |word: &&str| {
        let number = word.trim_start_matches(['v', 'V']);
        number.starts_with(|c: char| c.is_ascii_digit()) || known.iter().any(|release| is_same(release, word))
    };
    let release = words.into_iter().find(is_number)?;
    Some((release.to_owned(), date))
}

/// Tests if a text is a date: `2026-03-01`.
pub(crate) fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, digits: usize, most: u32| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number && part.parse().is_ok_and(|number: u32| (1..=most).contains(&number))
    };
    number(year, 4, 9999) && number(month, 2, 12) && number(day, 2, 31)
}

/// Moves the headings of a text down, so that none is above [`LEVEL`].
fn lowered(md: &str) -> String {
    let levels = |md: &str| {
        let mut fence = Fence::default();
        let level = |line| {
            let is_code = fence.is_code(line);
            include::heading(line).filter(|_| !is_code)
        };
        md.lines().map(level).collect::<Vec<_>>()
    };
    let levels = levels(md);
    let shift = LEVEL.saturating_sub(levels.iter().flatten().copied().min().unwrap_or(LEVEL));
    let lines = md.lines().zip(levels).map(|(line, level)| match level {
        Some(level) if shift > 0 => {
            format!("{}{}", "#".repeat((level + shift).min(6)), &line.trim_start()[level..])
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    fn read(text: &str, known: &[&str]) -> Vec<(String, Option<String>, String)> {
        let files = files(&[("CHANGELOG.md", text)]);
        let notes = all(&files, "./CHANGELOG.md", known, &Budget::default()).unwrap();
        notes.into_iter().map(|it| (it.release, it.date, it.md)).collect()
    }

    fn row(release: &str, date: &str, md: &str) -> (String, Option<String>, String) {
        (release.to_owned(), Some(date.to_owned()).filter(|date| !date.is_empty()), md.to_owned())
    }

    #[test]
    fn a_changelog_has_a_section_for_each_release() {
        let text = "# Changes\n\n2 of them.\n\n## [Unreleased]\n\n- More.\n\n## [2.1] - 2026-03-01\n\n### Added\n\n\
                    - Boxes, see [#7].\n```\n## 9\n```\n\n## Version v2.0 (2025-11-20)\n\nFirst.\n\n## 2 ways to thank all\n\nAll.\n\n\
                    [#7]: https://example.org/7\n[2.1]: https://example.org/2.1\n";
        let boxes = "### Added\n\n- Boxes, see [#7].\n```\n## 9\n```\n\n[#7]: https://example.org/7";
        assert_eq!(read(text, &[]), [row("2.1", "2026-03-01", boxes), row("v2.0", "2025-11-20", "First.")]);
        let known = read("## Unreleased\n\n- More.\n## MLIR 22\n#### A\n", &["unreleased", "MLIR 22"]);
        assert_eq!(known, [row("Unreleased", "", "- More."), row("MLIR 22", "", "#### A")]);
    }

    #[test]
    fn headings_of_notes_are_below_those_of_the_page() {
        assert_eq!(lowered("# A\n```\n# B\n```\n## C"), "### A\n```\n# B\n```\n#### C");
        assert_eq!(lowered("#### A"), "#### A");
    }

    #[test]
    fn a_release_may_have_a_file() {
        let files = files(&[
            ("notes/2.1.md", "---\ndate: 2026-03-01\n---\n# Boxes\n\nText.\n\n## More\n"),
            ("notes/a/3.md", "No."),
        ]);
        let notes = all(&files, "notes/{release}.md", &[], &Budget::default()).unwrap();
        assert_eq!(notes.len(), 1);
        assert!(notes[0].is_of("v2.1") && !notes[0].is_of("2"));
        assert_eq!(
            (notes[0].md.as_str(), notes[0].date.as_deref()),
            ("Text.\n\n### More", Some("2026-03-01"))
        );
        for path in ["none/{release}.md", "none.md"] {
            assert!(all(&files, path, &[], &Budget::default()).unwrap_err().what.contains(path));
        }
    }

    #[test]
    fn remarks_are_on_the_names_at_the_start_of_an_item() {
        let text = "- `my.box`: write `my.crate`,\n  which is lighter.\n- `my.lid`, `my.tape` and `my.pack.*` are faster.\n\
                    * `my.lone`\n- See `my.other`.\n```\n- `my.code`: no.\n```\n  more\n";
        let remarks = Remarks::read(text);
        assert_eq!(remarks.of("my.box"), Some("write `my.crate`, which is lighter."));
        let faster = Some("`my.lid`, `my.tape` and `my.pack.*` are faster.");
        for name in ["my.lid", "my.tape", "my.pack.one"] {
            assert_eq!(remarks.of(name), faster, "{name}");
        }
        for name in ["my.lone", "my.other", "my.code", "my"] {
            assert_eq!(remarks.of(name), None, "{name}");
        }
        for odd in ["- `", "- ``: x", "- `a`:", "-", "- `a` and"] {
            _ = Remarks::read(odd);
        }
    }

    #[test]
    fn a_date_has_a_month_and_a_day() {
        assert!(is_date("2026-12-31"));
        for text in ["2026-13-01", "2026-00-01", "2026-1-01", "2026-01-32", "26-01-01", "2026-01-+1"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
