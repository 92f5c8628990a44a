//! Path patterns of `odsmith.toml`: `test/**/*.mlir`.

/// Tests if a pattern matches a path. `*` and `?` match within a name, `**` matches any number of folders, and the name
/// of a folder, with or without a slash after it, matches everything in it.
#[must_use]
pub fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    // One row of a table per part of the pattern, so that each pair of positions is computed once.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for part in &pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            if *part == "**" {
                next[at] = reached[at] || at > 0 && next[at - 1];
            } else if at > 0 {
                next[at] = reached[at - 1] && name_matches(part, path[at - 1]);
            }
        }
        reached = next;
    }
    // Files below a matching folder match as well.
    if pattern.last().is_some_and(|last| *last == "**") {
        return reached[path.len()];
    }
    reached[1..].contains(&true)
}

/// Tests if a pattern of `*`, `?` and letters matches a name.
fn name_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for &part in &pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match part {
                '*' => reached[at] || at > 0 && next[at - 1],
                '?' => at > 0 && reached[at - 1],
                letter => at > 0 && reached[at - 1] && name[at - 1] == letter,
            };
        }
        reached = next;
    }
    reached[name.len()]
}

/// Tests if one of the patterns matches a path.
#[must_use]
pub fn any(patterns: &[String], path: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_files_and_folders() {
        for (pattern, path) in [
            ("docs/**/*.md", "docs/a.md"),
            ("docs/**/*.md", "docs/a/b/c.md"),
            ("docs/", "docs/a/b.md"),
            ("docs", "docs/a/b.md"),
            ("./docs", "docs/a.md"),
            ("README.md", "README.md"),
            ("**/test", "a/test/b.td"),
            ("**/test/**", "test/b.td"),
            ("*.md", "a.md"),
            ("lib/?/x-*.td", "lib/b/x-1.td"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("docs/**/*.md", "docs/a.txt"),
            ("docs", "docs2/a.md"),
            ("*.md", "docs/a.md.bak"),
            ("test", "a/test/b.td"),
            ("README.md", "docs/README.md"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }
}
