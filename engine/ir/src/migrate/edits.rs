//! The difference of two statements as edits. Tokens that stay keep their blanks, comments and line ends.

use std::ops::Range;

use crate::{cursor::Cursor, lexer::Tokens};

/// A statement as tokens; a region is one token.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    /// The whole text of a printed statement.
    pub(super) text: String,
    tokens: Vec<Token>,
}

/// A token: its text, or the region, and its bytes.
#[derive(Clone, Debug)]
struct Token {
    key: String,
    range: Range<usize>,
    is_region: bool,
}

/// The most pairs of tokens that are compared.
const MOST_PAIRS: usize = 4_000_000;

impl Statement {
    /// Returns the tokens of a statement in a text. Regions are tokens by themselves.
    pub(super) fn of_source(cursor: &Cursor<'_>, first: u32, end: u32, regions: &[(u32, u32)]) -> Self {
        let mut tokens = Vec::new();
        let mut at = first;
        while at < end {
            match regions.iter().find(|(start, _)| *start == at) {
                Some(&(start, close)) => {
                    let range = cursor.tokens().start(start)..cursor.tokens().range(close - 1).end;
                    tokens.push(Token { key: region_key((start, close)), range, is_region: true });
                    at = close.max(at + 1);
                }
                None => {
                    let range = cursor.tokens().range(at);
                    tokens.push(Token { key: cursor.text_of(at).to_owned(), range, is_region: false });
                    at += 1;
                }
            }
        }
        Statement { text: String::new(), tokens }
    }

    /// Returns the tokens of a printed statement, in which each range is one of the regions.
    pub(super) fn of_print(text: String, ranges: Vec<Range<usize>>, regions: Vec<(u32, u32)>) -> Self {
        let all = Tokens::new(&text);
        let mut tokens = Vec::new();
        for token in 0..all.len().saturating_sub(1) {
            let range = all.range(token);
            match ranges.iter().position(|region| region.start <= range.start && range.end <= region.end) {
                Some(index) => {
                    if range.start == ranges[index].start {
                        let key = regions.get(index).map_or(String::new(), |region| region_key(*region));
                        tokens.push(Token { key, range: ranges[index].clone(), is_region: true });
                    }
                }
                None => tokens.push(Token { key: text[range.clone()].to_owned(), range, is_region: false }),
            }
        }
        Statement { text, tokens }
    }
}

fn region_key((first, end): (u32, u32)) -> String {
    format!("{{{first}..{end}}}")
}

/// Returns the edits that make a statement of the text equal to a printed one.
///
/// # Errors
/// A comment or a region is in the way, or the statement is too long.
pub(super) fn between(
    cursor: &Cursor<'_>,
    old: &Statement,
    new: &Statement,
) -> Result<Vec<(Range<usize>, String)>, String> {
    let text = cursor.whole_text();
    let kept = common(&old.tokens, &new.tokens)?;
    let mut edits = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    let ends = [(old.tokens.len(), new.tokens.len())];
    for (to_old, to_new) in kept.into_iter().chain(ends) {
        let (gone, fresh) = (&old.tokens[at_old..to_old], &new.tokens[at_new..to_new]);
        if !gone.is_empty() || !fresh.is_empty() {
            if gone.iter().chain(fresh).any(|token| token.is_region) {
                return Err("a region has another place".to_owned());
            }
            // The bytes between the tokens that stay.
            let start = at_old.checked_sub(1).and_then(|at| old.tokens.get(at)).map(|token| token.range.end);
            let end = old.tokens.get(to_old).map(|token| token.range.start);
            let last = gone.last().map(|token| token.range.end).or(start).unwrap_or_default();
            let first = gone.first().map(|token| token.range.start).or(end).unwrap_or(last);
            let (start, end) = (start.unwrap_or(first), end.unwrap_or(last));
            let mut inner = gone.windows(2).map(|pair| &text[pair[0].range.end..pair[1].range.start]);
            if inner.any(|gap| gap.contains("//")) {
                return Err("a comment is inside of what changes".to_owned());
            }
            // New tokens between others come before a line end; those that replace some come in their place.
            let gap = &text[start..end];
            let (before, after) = match gone.is_empty() {
                true if gap.contains("//") => (gap, ""),
                true => ("", gap),
                false => (&text[start..first], &text[last..end]),
            };
            let gap_of = |at: usize| -> &str {
                let from = at.checked_sub(1).and_then(|at| new.tokens.get(at)).map(|token| token.range.end);
                let to = new.tokens.get(at).map(|token| token.range.start);
                from.zip(to).and_then(|(from, to)| new.text.get(from..to)).unwrap_or_default()
            };
            let own = match (fresh.first(), fresh.last()) {
                (Some(first), Some(last)) => &new.text[first.range.start..last.range.end],
                _ => "",
            };
            let is_closing = gone.first().is_some_and(|token| matches!(&*token.key, "}" | ">" | ")" | "]"));
            let gaps = (gap_of(at_new), gap_of(to_new));
            edits.push((start..end, joined(before, after, own, is_closing, gaps)));
        }
        (at_old, at_new) = (to_old + 1, to_new + 1);
    }
    edits.retain(|(range, new)| text[range.clone()] != **new);
    Ok(edits)
}

/// Returns new tokens with the gaps around them. A gap of the old text stays if it ends a line; after a closing bracket
/// that is gone, the rest follows in the same line.
fn joined(before: &str, after: &str, own: &str, is_closing: bool, (lead, trail): (&str, &str)) -> String {
    let ends_line = |gap: &str| gap.contains('\n');
    let has_comment = |gap: &str| gap.contains("//");
    if own.is_empty() {
        return match (ends_line(before), ends_line(after)) {
            (true, true) if !has_comment(before) => after.to_owned(),
            (true, true) if has_comment(after) => format!("{before}{after}"),
            (true, false) if is_closing && !has_comment(before) => lead.to_owned(),
            (true, _) => before.to_owned(),
            (false, true) => after.to_owned(),
            (false, false) => lead.to_owned(),
        };
    }
    let start = if ends_line(before) { before } else { lead };
    let end = if ends_line(after) { after } else { trail };
    format!("{start}{own}{end}")
}

/// Returns the longest common part of two lists of tokens, as pairs of their positions.
fn common(old: &[Token], new: &[Token]) -> Result<Vec<(usize, usize)>, String> {
    let is_same = |pair: &(&Token, &Token)| pair.0.key == pair.1.key;
    let first = old.iter().zip(new).take_while(is_same).count();
    let rest = (&old[first..], &new[first..]);
    let last = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(is_same).count();
    let (a, b) = (&rest.0[..rest.0.len() - last], &rest.1[..rest.1.len() - last]);
    if a.len().saturating_mul(b.len()) > MOST_PAIRS {
        return Err("the statement is too long".to_owned());
    }
    let width = b.len() + 1;
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = match a[i].key == b[j].key {
                true => lengths[(i + 1) * width + j + 1] + 1,
                false => lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]),
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|at| (at, at)).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].key == b[j].key {
            pairs.push((first + i, first + j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs.extend((0..last).rev().map(|at| (old.len() - 1 - at, new.len() - 1 - at)));
    Ok(pairs)
}
