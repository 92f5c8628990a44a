//! Edits, applied to texts.

use std::collections::BTreeMap;

use super::finding::{Edit, Finding, Fix};

/// Texts after fixes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedTexts {
    /// The files that changed, with their texts.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Indexes of the findings whose fixes were applied.
    pub applied: Vec<usize>,
}

/// Applies the fixes of findings, as long as they do not touch each other: the first one of two that do is applied.
#[must_use]
pub fn apply<'f>(
    findings: &[Finding],
    is_wanted: impl Fn(usize, &Fix) -> bool,
    text: impl Fn(&str) -> Option<&'f [u8]>,
) -> FixedTexts {
    let mut edits: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    let mut applied = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        let fix = finding.fix.as_ref().filter(|fix| finding.is_open() && is_wanted(index, fix));
        let Some(fix) = fix else { continue };
        let is_free = |edit: &Edit| {
            let known = edits.get(edit.file.as_str()).into_iter().flatten();
            known.into_iter().all(|known| edit.end < known.start || known.end < edit.start)
        };
        if !fix.edits.iter().all(is_free) {
            continue;
        }
        for edit in &fix.edits {
            edits.entry(&edit.file).or_default().push(edit);
        }
        applied.push(index);
    }
    let mut files = BTreeMap::new();
    for (file, edits) in edits {
        if let Some(edited) = text(file).and_then(|text| edited(text, &edits)) {
            files.insert(file.to_owned(), edited);
        }
    }
    FixedTexts { files, applied }
}

/// A text with edits, which do not overlap; nothing if one is not in it.
#[must_use]
pub fn edited(text: &[u8], edits: &[&Edit]) -> Option<Vec<u8>> {
    let mut edits = edits.to_vec();
    edits.sort_unstable_by_key(|edit| (edit.start, edit.end));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(text.get(at..edit.start as usize)?);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.end as usize;
    }
    out.extend_from_slice(text.get(at..)?);
    Some(out)
}

/// What two texts differ in, as lines with `-` and `+` and three lines around, in the form that `patch` reads.
#[must_use]
pub fn unified(file: &str, old: &[u8], new: &[u8]) -> String {
    use std::fmt::Write as _;
    const AROUND: usize = 3;
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut out = format!("--- a/{file}\n+++ b/{file}\n");
    for (old_range, new_range) in changes(&old, &new) {
        let (from, to) = (old_range.start.saturating_sub(AROUND), (old_range.end + AROUND).min(old.len()));
        let new_from = new_range.start - (old_range.start - from);
        let new_length = new_range.len() + (old_range.start - from) + (to - old_range.end);
        let _ = writeln!(out, "@@ -{},{} +{},{} @@", from + 1, to - from, new_from + 1, new_length);
        let mut line = |sign: char, line: &str| {
            out.push(sign);
            out += line;
            if !line.ends_with('\n') {
                out += "\n\\ No newline at end of file\n";
            }
        };
        old[from..old_range.start].iter().for_each(|it| line(' ', it));
        old[old_range.clone()].iter().for_each(|it| line('-', it));
        new[new_range].iter().for_each(|it| line('+', it));
        old[old_range.end..to].iter().for_each(|it| line(' ', it));
    }
    out
}

type Range = std::ops::Range<usize>;

/// Ranges of lines that differ, those that are near to each other as one.
fn changes(old: &[&str], new: &[&str]) -> Vec<(Range, Range)> {
    /// How far the other side is searched for a line.
    const FAR: usize = 200;
    /// Two changes with so few equal lines between them are one.
    const NEAR: usize = 6;
    let mut found: Vec<(Range, Range)> = Vec::new();
    let (mut at, mut new_at) = (0, 0);
    while at < old.len() || new_at < new.len() {
        if at < old.len() && new_at < new.len() && old[at] == new[new_at] {
            at += 1;
            new_at += 1;
            continue;
        }
        // The nearest pair of equal lines ahead.
        let meets = (1..FAR).find_map(|distance| {
            (0..=distance).find_map(|skip| {
                let (one, other) = (at + skip, new_at + distance - skip);
                let is_end = one == old.len() && other == new.len();
                let is_same = one < old.len() && other < new.len() && old[one] == new[other];
                (is_end || is_same).then_some((one, other))
            })
        });
        let (end, new_end) = meets.unwrap_or((old.len(), new.len()));
        match found.last_mut() {
            Some((last, new_last)) if at - last.end <= NEAR => {
                last.end = end;
                new_last.end = new_end;
            }
            _ => found.push((at..end, new_at..new_end)),
        }
        (at, new_at) = (end, new_end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches() {
        let (old, new) = ("a\nb\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\nf\ng");
        let expected = "--- a/x\n+++ b/x\n@@ -1,6 +1,7 @@\n a\n b\n-c\n-d\n-e\n-f\n+C\n+d\n+e\n+f\n+g\n\\ No newline at end of file\n";
        assert_eq!(unified("x", old.as_bytes(), new.as_bytes()), expected);
        let one = unified("x", b"1\n2\n3\n4\n5\n", b"1\n2\n4\n5\n");
        assert_eq!(one, "--- a/x\n+++ b/x\n@@ -1,5 +1,4 @@\n 1\n 2\n-3\n 4\n 5\n");
    }

    #[test]
    fn edits_in_any_order() {
        let edit = |start, end, text: &str| Edit { file: String::new(), start, end, text: text.to_owned() };
        let (first, second) = (edit(3, 4, "X"), edit(0, 1, ""));
        assert_eq!(edited(b"abcdef", &[&first, &second]).as_deref(), Some(&b"bcXef"[..]));
        assert_eq!(edited(b"abc", &[&edit(2, 9, "")]), None);
    }
}
