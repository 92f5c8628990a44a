//! The dates of files and revisions, as git knows them: they depend on commits alone, never on the clock or the disk.

use std::{collections::BTreeMap, path::Path, process::Stdio};

use super::revision::{git, output_of};

/// Maximum number of commits that are searched; files without a commit among them have no date.
const MOST_COMMITS: usize = 20_000;
/// The start of a line with the date of a commit. No path begins with it.
const MARK: char = '\u{1}';
/// A date in UTC: `2026-03-01`.
const DATE: &str = "--date=format-local:%Y-%m-%d";

/// Returns the date of the last commit of each file of a folder that one of the patterns matches, by its path below the
/// folder. There are no dates without a repository, or if it lacks a part of its history: each file of a shallow clone
/// would have the date of the oldest commit in it.
#[must_use]
pub fn of_files(folder: &Path, patterns: &[&str]) -> BTreeMap<String, String> {
    let is_whole = output_of(folder, &["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer.starts_with(b"false"));
    if !is_whole {
        return BTreeMap::new();
    }
    let oldest = format!("HEAD~{MOST_COMMITS}");
    let has_more = output_of(folder, &["rev-parse", "--verify", "--quiet", &oldest]).is_ok();
    let range = if has_more { format!("{oldest}..HEAD") } else { "HEAD".to_owned() };
    let format = format!("--format={MARK}%cd");
    let mut command = git(folder);
    command.args(["-c", "core.quotePath=false", "log", "--no-show-signature", "--no-renames", "--name-only"]);
    command.args(["--relative", DATE, &format, &range, "--"]).args(patterns);
    let output = command.env("TZ", "UTC").stderr(Stdio::null()).output();
    let text = output.map_or(Vec::new(), |output| output.stdout);
    parse(&String::from_utf8_lossy(&text))
}

/// Reads the output: a date, then the files of that commit. The newest commit comes first.
fn parse(text: &str) -> BTreeMap<String, String> {
    let mut dates = BTreeMap::new();
    let mut date = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix(MARK) {
            Some(of_commit) => date = of_commit,
            // A path with quotes or line breaks in it is quoted, and no page needs it.
            None if line.starts_with('"') => {}
            None => _ = dates.entry(line.to_owned()).or_insert_with(|| date.to_owned()),
        }
    }
    dates
}

/// Returns the date of a revision of the repository that a folder is in.
#[must_use]
pub fn of_revision(folder: &Path, revision: &str) -> Option<String> {
    let mut command = git(folder);
    command.args([
        "log",
        "-1",
        "--no-show-signature",
        DATE,
        "--format=%cd",
        "--end-of-options",
        revision,
        "--",
    ]);
    let output = command.env("TZ", "UTC").stderr(Stdio::null()).output().ok()?;
    let date = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!date.is_empty()).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_commit_of_a_file_counts() {
        let dates =
            parse("\u{1}2026-03-01\n\ndocs/a.md\n\"b\\n.md\"\n\u{1}2025-01-02\n\ndocs/a.md\nc d.md\n");
        let pairs: Vec<(&str, &str)> = dates.iter().map(|(path, date)| (&**path, &**date)).collect();
        assert_eq!(pairs, [("c d.md", "2025-01-02"), ("docs/a.md", "2026-03-01")]);
        assert!(of_files(Path::new("/"), &["*.md"]).is_empty());
        assert_eq!(of_revision(Path::new("/"), "HEAD"), None);
    }
}
