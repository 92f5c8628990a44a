//! Applying edits to texts, and the search for fixes that leave the generated code the same.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Edit, Finding, Fix};

/// The most rounds of searching for fixes to drop and regenerating all roots.
const MOST_ROUNDS: usize = 12;

/// The most times that one root is regenerated to see which fixes change it.
const MOST_PROOFS: usize = 64;

/// The texts after fixes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedTexts {
    /// The files that changed, with their texts.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Indexes of the findings whose fixes were applied.
    pub applied: Vec<usize>,
}

/// Applies the fixes of findings; if two touch each other, only the first.
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

/// A root whose outputs change after edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRoot {
    /// The root's index.
    pub root: usize,
    /// The files that it reads before the edits.
    pub reads: BTreeSet<String>,
}

/// Returns the fixes that leave the outputs of all roots the same. `changed` regenerates all roots, or only the one
/// with this index, from new texts and returns those whose outputs change.
///
/// All fixes are tried at once. If a root changes, the fixes in the files that it reads are tried on it by halves, and
/// those that change it are dropped. This repeats until no root changes.
///
/// # Errors
/// An error of `changed`.
pub fn proved<'f>(
    findings: &[Finding],
    mut candidates: Vec<usize>,
    text: impl Fn(&str) -> Option<&'f [u8]>,
    mut changed: impl FnMut(&BTreeMap<String, Vec<u8>>, Option<usize>) -> Result<Vec<ChangedRoot>, String>,
) -> Result<Vec<usize>, String> {
    let texts = |wanted: &[usize]| {
        let mut is_wanted = vec![false; findings.len()];
        wanted.iter().for_each(|index| is_wanted[*index] = true);
        apply(findings, |index, _| is_wanted[index], &text).files
    };
    let touches = |index: &usize, files: &BTreeSet<String>| {
        findings[*index].fix.iter().flat_map(|fix| &fix.edits).any(|edit| files.contains(&edit.file))
    };
    for round in 0.. {
        let before = candidates.len();
        let mut roots = if before == 0 { Vec::new() } else { changed(&texts(&candidates), None)? };
        if roots.is_empty() {
            break;
        }
        // A root that few fixes touch narrows the search most.
        roots.sort_by_cached_key(|it| candidates.iter().filter(|index| touches(index, &it.reads)).count());
        for ChangedRoot { root, reads } in roots {
            // The root is known to change with all candidates, but not without those that other roots dropped.
            let are_known = candidates.len() == before;
            let (suspects, others): (Vec<usize>, Vec<usize>) =
                candidates.iter().copied().partition(|index| touches(index, &reads));
            candidates = others;
            // After too many rounds all suspects are dropped.
            if round < MOST_ROUNDS {
                let is_same = |tried: &[usize]| Ok(changed(&texts(tried), Some(root))?.is_empty());
                Halving { kept: &mut candidates, is_same, proofs: 0 }.add(&suspects, are_known)?;
            }
            candidates.sort_unstable();
        }
        // Nothing was dropped and a root still changes, so no fix causes it: its output is never the same.
        if candidates.len() == before {
            candidates.clear();
        }
    }
    Ok(candidates)
}

/// The search for the fixes that change a root.
struct Halving<'k, F> {
    /// Fixes that leave the root the same.
    kept: &'k mut Vec<usize>,
    /// A test that returns true if the root stays the same with some fixes.
    is_same: F,
    /// The number of calls of `is_same`.
    proofs: usize,
}

impl<F: FnMut(&[usize]) -> Result<bool, String>> Halving<'_, F> {
    /// Keeps the suspects that leave the root the same; returns true if all are kept. `is_known_to_change` says that
    /// the root changes with all of them.
    fn add(&mut self, suspects: &[usize], is_known_to_change: bool) -> Result<bool, String> {
        if suspects.is_empty() {
            return Ok(true);
        }
        if !is_known_to_change {
            if self.proofs == MOST_PROOFS {
                return Ok(false);
            }
            self.proofs += 1;
            let tried: Vec<usize> = self.kept.iter().chain(suspects).copied().collect();
            if (self.is_same)(&tried)? {
                *self.kept = tried;
                return Ok(true);
            }
        }
        if let [_, _, ..] = suspects {
            let (first, second) = suspects.split_at(suspects.len() / 2);
            // If all of the first half are kept, the second half has the same result as all suspects.
            let is_first_kept = self.add(first, false)?;
            self.add(second, is_first_kept)?;
        }
        Ok(false)
    }
}

/// Applies edits, which do not overlap, to a text. Returns `None` if one is out of bounds.
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

/// Returns the unified diff of two texts, with three lines of context, as `patch` reads it.
#[must_use]
pub fn unified(file: &str, old: &[u8], new: &[u8]) -> String {
    use std::fmt::Write as _;
    const AROUND: usize = 3;
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut out = format!("--- a/{file}\n+++ b/{file}\n");
    let changes = changes(&old, &new);
    let mut rest = &changes[..];
    while let Some((first, _)) = rest.split_first() {
        // Changes with few equal lines between them share a hunk.
        let is_far = |pair: &[(Range, Range)]| pair[1].0.start - pair[0].0.end > 2 * AROUND;
        let count = rest.windows(2).position(is_far).map_or(rest.len(), |at| at + 1);
        let (hunk, others) = rest.split_at(count);
        rest = others;
        let last = &hunk[count - 1];
        let (from, to) = (first.0.start.saturating_sub(AROUND), (last.0.end + AROUND).min(old.len()));
        let new_from = first.1.start - (first.0.start - from);
        let new_to = last.1.end + (to - last.0.end);
        let _ = writeln!(out, "@@ -{},{} +{},{} @@", from + 1, to - from, new_from + 1, new_to - new_from);
        let mut line = |sign: char, line: &str| {
            out.push(sign);
            out += line;
            if !line.ends_with('\n') {
                out += "\n\\ No newline at end of file\n";
            }
        };
        let mut at = from;
        for (old_range, new_range) in hunk {
            old[at..old_range.start].iter().for_each(|it| line(' ', it));
            old[old_range.clone()].iter().for_each(|it| line('-', it));
            new[new_range.clone()].iter().for_each(|it| line('+', it));
            at = old_range.end;
        }
        old[at..to].iter().for_each(|it| line(' ', it));
    }
    out
}

type Range = std::ops::Range<usize>;

/// Returns the ranges of lines that differ.
fn changes(old: &[&str], new: &[&str]) -> Vec<(Range, Range)> {
    /// The distance up to which the other side is searched for an equal line.
    const FAR: usize = 200;
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
        found.push((at..end, new_at..new_end));
        (at, new_at) = (end, new_end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_that_change_something_are_left_out() {
        let finding = |file: &str, start: u32| {
            let edit = Edit { file: file.to_owned(), start, end: start + 1, text: String::new() };
            let fix = Some(Fix { title: String::new(), is_safe: true, edits: vec![edit] });
            Finding { rule: "TGN005".into(), fix, ..Finding::default() }
        };
        let findings = [finding("a", 0), finding("a", 2), finding("b", 0), finding("b", 2)];
        let text = |_: &str| Some(&b"x y z"[..]);
        // A root that reads only "b" and must keep its "y".
        let reads = BTreeSet::from(["b".to_owned()]);
        let mut asked = Vec::new();
        let found = proved(&findings, vec![0, 1, 2, 3], text, |texts, root| {
            asked.push((texts.len(), root));
            let is_same = texts.get("b").is_none_or(|text| text.contains(&b'y'));
            Ok(if is_same { Vec::new() } else { vec![ChangedRoot { root: 7, reads: reads.clone() }] })
        });
        assert_eq!(found, Ok(vec![0, 1, 2]));
        // Calls: all fixes; the first of "b", which keeps the root the same, so the second changes it; the remaining
        // ones.
        assert_eq!(asked, [(2, None), (2, Some(7)), (2, None)]);
    }

    #[test]
    fn patches() {
        let (old, new) = ("a\nb\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\nf\ng");
        let expected = "--- a/x\n+++ b/x\n@@ -1,6 +1,7 @@\n a\n b\n-c\n+C\n d\n e\n f\n+g\n\\ No newline at end of file\n";
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
