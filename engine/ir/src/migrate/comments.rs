//! Statements in comments of FileCheck.
//!
//! ```text
//! // CHECK: %[[A:.*]] = memref.alloc() {alignment = 8 : i64} : memref<4xf32>
//! ```
//!
//! A line that is a whole statement, with values in place of its patterns, is edited as that statement would be. Another
//! line that has a part of what changes is listed: its end is not known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cause, EditedOperation, Migration, Migrator, TextEdit, Undecided};
use crate::{
    file,
    lexer::{TokenKind as T, Tokens},
    tree::{NodeKind, flags},
};

/// Letters in place of a pattern.
const MASK: &str = "zqzq";

/// Adds the edits of the comments of a text whose statements are edited.
pub(super) fn add(migrator: &Migrator<'_>, text: &str, migration: &mut Migration) {
    let replaced = replaced(migrator, text, migration);
    if replaced.is_empty() {
        return;
    }
    let prefixes = prefixes(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let begin = start;
        start += line.len();
        let Some(body) = body(line, &prefixes) else { continue };
        let at = begin + body;
        let masked = masked(line[body..].trim_end());
        let Some((name, range)) = operation(&masked, &replaced) else { continue };
        let own = match is_statement(migrator, &masked) {
            true => migrator.statements(&masked),
            false => Migration::default(),
        };
        let is_clear =
            |edit: &TextEdit| !masked[edit.range.clone()].contains(MASK) && !edit.new.contains(MASK);
        if !own.edits.is_empty() && own.undecided.is_empty() && own.edits.iter().all(is_clear) {
            migration.operations.extend(own.operations.into_iter().map(|it| EditedOperation {
                range: at + it.range.start..at + it.range.end,
                cause: Cause::Comment,
                ..it
            }));
            migration.edits.extend(
                own.edits
                    .into_iter()
                    .map(|edit| TextEdit { range: at + edit.range.start..at + edit.range.end, ..edit }),
            );
            continue;
        }
        let is_left = is_statement(migrator, &masked) && own.edits.is_empty() && own.undecided.is_empty();
        let gone = replaced.get(name);
        let has_some = |words: &FxHashSet<String>| {
            let tokens = Tokens::new(&masked);
            (0..tokens.len()).any(|token| words.contains(&masked[tokens.range(token)]))
        };
        if !is_left && gone.is_some_and(has_some) {
            migration.undecided.push(Undecided {
                range: at + range.start..at + range.end,
                operation: name.to_owned(),
                cause: Cause::Comment,
                message: format!("this comment shows a part of '{name}', whose text changes"),
            });
        }
    }
}

/// Returns the tokens that edits replace, by the names of their operations.
fn replaced(
    migrator: &Migrator<'_>,
    text: &str,
    migration: &Migration,
) -> FxHashMap<String, FxHashSet<String>> {
    let ir = file::read(text, migrator.old, &migrator.limits);
    let mut all: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    // Both are in the order of the text; the innermost operation around an edit comes last.
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut edits = migration.edits.iter().peekable();
    let mut add = |open: &[(usize, &str)], edit: &TextEdit| {
        let around = open.iter().rev().find(|(end, _)| *end >= edit.range.end);
        let Some((_, name)) = around else { return };
        let words = all.entry((*name).to_owned()).or_default();
        let tokens = Tokens::new(&text[edit.range.clone()]);
        let own = (0..tokens.len().saturating_sub(1))
            .map(|token| text[edit.range.clone()][tokens.range(token)].to_owned());
        words.extend(own);
        if edit.cause == Cause::Renamed {
            words.insert((*name).to_owned());
        }
    };
    for id in ir.tree.ids() {
        let node = ir.tree.node(id);
        if node.kind != NodeKind::Operation || node.end <= node.first {
            continue;
        }
        let start = ir.tokens.start(node.first);
        while let Some(edit) = edits.next_if(|edit| edit.range.start < start) {
            add(&open, edit);
        }
        open.retain(|(end, _)| *end > start);
        if let Some(def) = migrator.old.get(u32::from(node.data)) {
            open.push((ir.tokens.range(node.end - 1).end, &def.name));
        }
    }
    edits.for_each(|edit| add(&open, edit));
    all
}

/// Returns the prefixes of FileCheck that the `RUN` lines name, besides those with `CHECK`.
fn prefixes(text: &str) -> FxHashSet<&str> {
    let mut all = FxHashSet::default();
    for line in text.lines().filter(|line| line.contains("check-prefix")) {
        for (at, _) in line.match_indices("check-prefix") {
            let rest = &line[at + "check-prefix".len()..];
            let rest = rest.strip_prefix("es").unwrap_or(rest).trim_start_matches(['=', ' ']);
            let end = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
            all.extend(rest[..end].split(',').map(|name| name.trim_matches(['"', '\''])));
        }
    }
    all
}

/// Returns the start of the text after the prefix of FileCheck: `// CHECK-NEXT:`.
fn body(line: &str, prefixes: &FxHashSet<&str>) -> Option<usize> {
    let comment = line.len() - line.trim_start().len();
    let rest = line[comment..].strip_prefix("//")?;
    let words = rest.trim_start();
    let colon = words.find(':')?;
    let word = &words[..colon];
    let is_word = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_prefix = word.contains("CHECK")
        || prefixes.contains(word)
        || ["-NEXT", "-SAME", "-DAG", "-LABEL", "-COUNT"]
            .iter()
            .any(|end| word.strip_suffix(end).is_some_and(|word| prefixes.contains(word)));
    (is_word && is_prefix).then(|| line.len() - words.len() + colon + 1)
}

/// Replaces patterns by letters of the same length, so that values with patterns are values.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let next = [("[[", "]]"), ("{{", "}}")]
            .into_iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, close)));
        let Some((start, close)) = next.min() else { break };
        let Some(length) = rest[start..].find(close) else { break };
        let end = start + length + close.len();
        out.push_str(&rest[..start]);
        out.extend(MASK.chars().cycle().take(end - start));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Returns the first of some operations that a text names, and its bytes.
fn operation<'r>(
    text: &str,
    names: &'r FxHashMap<String, FxHashSet<String>>,
) -> Option<(&'r str, std::ops::Range<usize>)> {
    let tokens = Tokens::new(text);
    let words = (0..tokens.len()).filter(|token| matches!(tokens.kind(*token), T::Word | T::String));
    words.map(|token| tokens.range(token)).find_map(|range| {
        let name = text[range.clone()].trim_matches('"');
        names.get_key_value(name).map(|(name, _)| (&**name, range))
    })
}

/// Returns whether a text is one statement of the older release.
fn is_statement(migrator: &Migrator<'_>, text: &str) -> bool {
    let ir = file::read(text, migrator.old, &migrator.limits);
    let mut entries = ir.tree.children(ir.tree.root()).flat_map(|piece| ir.tree.children(piece));
    let first = entries.next().map(|id| ir.tree.node(id));
    let is_read = first.is_some_and(|node| {
        node.kind == NodeKind::Operation && node.flags & (flags::OPAQUE | flags::ERROR) == 0
    });
    is_read && entries.next().is_none() && ir.errors.is_empty()
}
