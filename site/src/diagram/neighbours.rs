//! A picture of the operations around an operation: producers of its operands on the left, users of its results on the
//! right. The lists below the picture have the same names with links.

use std::fmt::Write as _;

use crate::markdown::escape;

/// The limit for names on each side.
pub const MOST: usize = 6;
/// Longer names end with an ellipsis.
const MOST_LETTERS: usize = 26;
const LINE: usize = 22;
const WIDTH: usize = 640;
/// The approximate width of a letter in the monospace font.
const LETTER: usize = 8;

/// Draws the picture; `None` if there is at most one neighbour.
#[must_use]
pub fn neighbours(name: &str, before: &[String], after: &[String]) -> Option<String> {
    if before.len() + after.len() < 2 {
        return None;
    }
    let (before, after) = (&before[..before.len().min(MOST)], &after[..after.len().min(MOST)]);
    let height = LINE * before.len().max(after.len()).max(1) + 8;
    let middle = height / 2;
    let own = shortened(name);
    let half = (own.chars().count() * LETTER / 2 + 10).min(WIDTH / 4);
    let mut label = format!("{name}:");
    let list = |names: &[String]| names.join(", ");
    if !before.is_empty() {
        let _ = write!(label, " takes what {} give;", list(before));
    }
    if !after.is_empty() {
        let _ = write!(label, " gives what {} take", list(after));
    }
    let mut svg = format!(
        "<svg class=\"near\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\""
    );
    escape(label.trim_end_matches(';'), &mut svg);
    svg.push_str("\">");
    let left = WIDTH / 2 - half;
    let right = WIDTH / 2 + half;
    let y = |at: usize, of: usize| (2 * at + 1) * height / (2 * of);
    let column = MOST_LETTERS * LETTER;
    for (at, other) in before.iter().enumerate() {
        let y = y(at, before.len());
        let from = column.min(left.saturating_sub(40));
        let _ = write!(
            svg,
            "<path d=\"M{} {y}C{} {y} {} {middle} {left} {middle}\"/>",
            from + 6,
            from + 30,
            left - 24
        );
        text(&mut svg, (from, y, "end"), &shortened(other));
    }
    for (at, other) in after.iter().enumerate() {
        let y = y(at, after.len());
        let to = (WIDTH - column).max(right + 40);
        let _ = write!(
            svg,
            "<path d=\"M{right} {middle}C{} {middle} {} {y} {} {y}\"/>",
            right + 24,
            to - 30,
            to - 6
        );
        text(&mut svg, (to, y, "start"), &shortened(other));
    }
    let _ = write!(
        svg,
        "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{LINE}\" rx=\"4\"/>",
        middle - LINE / 2,
        2 * half
    );
    text(&mut svg, (WIDTH / 2, middle, "middle"), &own);
    svg.push_str("</svg>");
    Some(svg)
}

fn text(svg: &mut String, (x, y, anchor): (usize, usize, &str), name: &str) {
    let _ = write!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">", y + 4);
    escape(name, svg);
    svg.push_str("</text>");
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_named() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let svg = neighbours("d.mid", &names(&["d.a", "d.b<"]), &names(&["d.c"])).unwrap();
        assert!(
            svg.contains("aria-label=\"d.mid: takes what d.a, d.b&lt; give; gives what d.c take\""),
            "{svg}"
        );
        assert_eq!(svg.matches("<path").count(), 3);
        assert_eq!(neighbours("d.mid", &names(&["d.a"]), &[]), None);
    }
}
