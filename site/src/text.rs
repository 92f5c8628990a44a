//! Small helpers on authors' texts.

pub use odsmith_witness::classes::{lookups, qualify, unqualified};

/// Removes the indentation that all lines share, and blank lines at both ends.
///
/// The first line does not count when it starts right after `[{`.
#[must_use]
pub fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_flush = lines.first().is_some_and(|first| !first.is_empty() && indent(first) == 0);
    let counted = lines.iter().skip(usize::from(is_flush)).filter(|line| !line.is_empty());
    let common = counted.map(indent).min().unwrap_or(0);
    let kept = lines.iter().map(|line| &line[common.min(indent(line))..]);
    kept.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

/// The first sentence of a paragraph, without a full stop at its end.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut from = 0;
    while let Some(at) = text[from..].find(". ").map(|at| at + from) {
        let word = text[..at].rsplit([' ', '(']).next().unwrap_or_default();
        let starts_upper = text[at + 2..].starts_with(|c: char| c.is_uppercase() || c == '`');
        if starts_upper && !matches!(word, "e.g" | "i.e" | "cf" | "vs" | "etc") && word.len() > 1 {
            return text[..at].to_owned();
        }
        from = at + 2;
    }
    text.strip_suffix('.').unwrap_or(&text).to_owned()
}

/// The pieces of a name between which it may be broken: after dots, underscores and hyphens, and in long words before
/// capital letters.
pub fn words(name: &str) -> impl Iterator<Item = &str> {
    const LONG: usize = 14;
    name.split_inclusive(['.', '_', '-']).flat_map(|piece| {
        let mut start = 0;
        let mut cuts = Vec::new();
        for (at, pair) in piece.as_bytes().windows(2).enumerate() {
            if piece.len() > LONG && pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase() {
                cuts.push(&piece[start..=at]);
                start = at + 1;
            }
        }
        cuts.push(&piece[start..]);
        cuts
    })
}

/// The first bytes of a text: at most `most`, and only whole characters.
#[must_use]
pub fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// The singular or plural of a word: `operation` for 1, `operations` for 2.
#[must_use]
pub fn plural(number: usize, one: &str) -> String {
    match (number, one.strip_suffix('y')) {
        (1, _) => one.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{one}s"),
    }
}

/// The position of the first byte that satisfies `is_it`. Tests blocks of bytes, because most texts have none.
pub(crate) fn position(text: &str, is_it: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    let (chunks, _) = text.as_bytes().as_chunks::<16>();
    let has_none = |chunk: &&[u8; 16]| !chunk.iter().fold(false, |any, byte| any | is_it(*byte));
    let start = 16 * chunks.iter().take_while(has_none).count();
    text.as_bytes()[start..].iter().position(|byte| is_it(*byte)).map(|at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_indentation_goes() {
        assert_eq!(dedent("\n    a\n      b\n\n    c\n  "), "a\n  b\n\nc");
        assert_eq!(dedent("a\n    b"), "a\nb");
    }

    #[test]
    fn a_sentence_ends_at_a_full_stop_before_a_capital() {
        assert_eq!(first_sentence("Adds, e.g. numbers. Then\nmore."), "Adds, e.g. numbers");
        assert_eq!(first_sentence("One."), "One");
    }
}
