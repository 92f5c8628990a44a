//! Expands `[include "file.md"]` on a line of its own: the text of the file, with headings below the one above it.

use std::{borrow::Cow, collections::BTreeMap};

use odsmith_engine::limits::Budget;

use crate::Note;

/// The nesting limit for files.
const MOST_DEEP: usize = 16;
/// The cost of an included file, besides its bytes.
const FILE_UNITS: usize = 1 << 10;
/// The limit for the size of a page with everything that it includes.
const MOST_BYTES: usize = 8 << 20;

/// The text of a file with its includes expanded, and errors in includes.
pub(super) fn expand(files: &BTreeMap<String, String>, path: &str, budget: &Budget) -> (String, Vec<Note>) {
    let mut expansion =
        Expansion { files, budget, out: String::new(), errors: Vec::new(), stack: Vec::new() };
    expansion.file(path, 0);
    (expansion.out, expansion.errors)
}

/// The files that others include.
pub(super) fn included(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let mut fence = Fence::default();
        for line in text.lines() {
            if !fence.is_code(line)
                && let Some(wanted) = directive(line)
            {
                found.extend(resolve(files, path, wanted).map(str::to_owned));
            }
        }
    }
    found
}

/// Adds the generated files that the project's own files include. They are matched by the end of their path, because a
/// build puts them elsewhere: `Dialects/ArcOps.md` is `docs/Dialects/ArcOps.md` there.
pub(super) fn with_generated<'f>(
    files: &'f BTreeMap<String, String>,
    generated: &BTreeMap<String, String>,
    budget: &Budget,
) -> Cow<'f, BTreeMap<String, String>> {
    let mut all = Cow::Borrowed(files);
    if generated.is_empty() {
        return all;
    }
    for (path, text) in files {
        let mut fence = Fence::default();
        for line in text.lines() {
            let wanted = if fence.is_code(line) { None } else { directive(line) };
            let Some(wanted) = wanted.filter(|wanted| resolve(files, path, wanted).is_none()) else {
                continue;
            };
            if !budget.charge(FILE_UNITS * generated.len()) {
                return all;
            }
            if let (Some(name), Some(text)) = (join("", wanted), generated_text(generated, wanted)) {
                all.to_mut().insert(name, text.to_owned());
            }
        }
    }
    all
}

/// The generated text whose path ends in `wanted`, or else the only one with its file name.
fn generated_text<'g>(generated: &'g BTreeMap<String, String>, wanted: &str) -> Option<&'g str> {
    let ends_in = |end: &str| {
        let is_it = move |path: &str| {
            path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        generated
            .iter()
            .filter(move |(path, _)| is_it(path))
            .map(|(_, text)| text.as_str())
            .collect::<Vec<_>>()
    };
    let name = wanted.rsplit('/').next().unwrap_or(wanted);
    // A build copies its files, so equal texts count as one.
    let only = |texts: Vec<&'g str>| {
        let (first, rest) = texts.split_first()?;
        rest.iter().all(|text| text == first).then_some(*first)
    };
    only(ends_in(wanted)).or_else(|| only(ends_in(name)))
}

struct Expansion<'f> {
    files: &'f BTreeMap<String, String>,
    /// Files that include others twice soon become large.
    budget: &'f Budget,
    out: String,
    errors: Vec<Note>,
    stack: Vec<String>,
}

impl Expansion<'_> {
    fn file(&mut self, path: &str, shift: usize) {
        let files = self.files;
        let Some(text) = files.get(path) else { return };
        if !self.budget.charge(text.len() + FILE_UNITS) {
            return;
        }
        self.stack.push(path.to_owned());
        let mut level = shift;
        let mut fence = Fence::default();
        for (number, line) in (1..).zip(without_front_matter(text)) {
            if fence.is_code(line) {
                self.line(line);
            } else if let Some(wanted) = directive(line) {
                self.include(path, number, wanted, level);
            } else if let Some(depth) = heading(line) {
                level = (depth + shift).min(6);
                self.line(&format!("{}{}", "#".repeat(level), &line.trim_start()[depth..]));
            } else {
                self.line(line);
            }
        }
        self.stack.pop();
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn include(&mut self, path: &str, line: u32, wanted: &str, level: usize) {
        let found = resolve(self.files, path, wanted);
        let wrong = match found {
            None => format!("Could not find the included file '{wanted}'"),
            Some(found) if self.stack.iter().any(|above| above == found) => {
                format!("'{wanted}' includes itself")
            }
            Some(_) if self.stack.len() >= MOST_DEEP || self.out.len() > MOST_BYTES => {
                "files are included too deeply or become too large".to_owned()
            }
            Some(found) => return self.file(found, level),
        };
        self.errors.push(Note { file: path.to_owned(), line, page: String::new(), what: wrong });
    }
}

/// The lines of the front matter of other site generators, with the marks around it: `---` or `+++`.
pub(super) fn front_matter(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let Some(mark) = lines.next().filter(|line| matches!(*line, "---" | "+++")) else { return Vec::new() };
    let end = lines.position(|line| line == mark).map_or(0, |at| at + 2);
    text.lines().take(end).collect()
}

/// The lines of a text. Front matter becomes blank lines, so that line numbers stay.
fn without_front_matter(text: &str) -> impl Iterator<Item = &str> {
    let end = front_matter(text).len();
    text.lines().enumerate().map(move |(at, line)| if at < end { "" } else { line })
}

/// The file that a line includes.
fn directive(line: &str) -> Option<&str> {
    line.trim().strip_prefix("[include \"")?.strip_suffix("\"]")
}

/// The level of a heading.
pub(super) fn heading(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let depth = text.bytes().take_while(|&byte| byte == b'#').count();
    let is_heading = (1..=6).contains(&depth) && line.len() - text.len() < 4;
    (is_heading && text[depth..].starts_with([' ', '\t'])).then_some(depth)
}

/// Resolves a path beside the including file, or from the bundle's root.
pub(super) fn resolve<'f>(files: &'f BTreeMap<String, String>, from: &str, wanted: &str) -> Option<&'f str> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = join(folder, wanted);
    let found = beside.and_then(|path| files.get_key_value(&path));
    let found = found.or_else(|| files.get_key_value(&join("", wanted)?));
    found.map(|(path, _)| path.as_str())
}

/// Joins a folder and a path; `None` if the result leaves the bundle.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Tracks if lines are inside a fence.
#[derive(Default)]
pub(super) struct Fence {
    open: Option<(char, usize)>,
}

impl Fence {
    /// Tests if the line is code or a fence.
    pub(super) fn is_code(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        let mark = text.chars().next().unwrap_or(' ');
        let run = text.chars().take_while(|&c| c == mark).count();
        let is_fence = matches!(mark, '`' | '~') && run >= 3;
        match self.open {
            Some((opened, least)) => {
                if is_fence && opened == mark && run >= least && text[run..].trim().is_empty() {
                    self.open = None;
                }
                true
            }
            None if is_fence => {
                self.open = Some((mark, run));
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_a_build_makes_is_included() {
        let own =
            files(&[("docs/Arc.md", "# Arc\n[include \"Dialects/ArcOps.md\"]\n[include \"Two.md\"]\n")]);
        let generated = files(&[
            ("lib/ArcOps.md", "# Ops\n"),
            ("docs/Dialects/ArcOps.md", "# Ops\n"),
            ("a/Two.md", "1"),
            ("b/Two.md", "2"),
            ("Other.md", ""),
        ]);
        let budget = Budget::default();
        let all = with_generated(&own, &generated, &budget);
        let (text, errors) = expand(&all, "docs/Arc.md", &budget);
        assert_eq!(text, "# Arc\n## Ops\n");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(included(&all), ["Dialects/ArcOps.md"]);
    }

    #[test]
    fn headings_stand_below_the_one_above() {
        let files = files(&[
            ("docs/a.md", "# A\n\n## B\n\n[include \"parts/b.md\"]\n\n```\n[include \"x\"]\n# c\n```\n"),
            ("docs/parts/b.md", "# One\n\n### Three\n"),
        ]);
        let (text, errors) = expand(&files, "docs/a.md", &Budget::default());
        assert_eq!(text, "# A\n\n## B\n\n### One\n\n##### Three\n\n```\n[include \"x\"]\n# c\n```\n");
        assert_eq!(errors, []);
        assert_eq!(included(&files), ["docs/parts/b.md"]);
    }

    #[test]
    fn what_is_missing_or_endless_is_an_error_at_its_line() {
        let files = files(&[
            ("a.md", "# A\n[include \"../no.md\"]\n[include \"b.md\"]"),
            ("b.md", "[include \"a.md\"]"),
        ]);
        let (_, errors) = expand(&files, "a.md", &Budget::default());
        let places: Vec<(&str, u32)> = errors.iter().map(|error| (error.file.as_str(), error.line)).collect();
        assert_eq!(places, [("a.md", 2), ("b.md", 1)]);
        assert_eq!(errors[0].what, "Could not find the included file '../no.md'");
    }

    #[test]
    fn front_matter_is_no_text() {
        let files = files(&[("a.md", "---\ntitle: x\n---\n# A")]);
        assert_eq!(expand(&files, "a.md", &Budget::default()).0, "\n\n\n# A\n");
    }
}
