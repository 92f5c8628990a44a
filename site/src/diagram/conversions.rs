//! A picture of the conversions between dialects, from left to right. The table below it says the same, with links.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::markdown::escape;

/// The limit for dialects: a picture of more is a tangle.
const MOST: usize = 24;
/// The limit for conversions.
const MOST_EDGES: usize = 40;
/// The limit for the width.
const WIDEST: usize = 1180;
/// The height of a line with a dialect.
const LINE: usize = 34;
/// The height of a dialect's box.
const BOX: usize = 22;
/// The approximate width of a letter in the monospace font.
const LETTER: usize = 8;
/// The space between two columns.
const GAP: usize = 72;
/// The number of sweeps that bring dialects beside those that they are converted from.
const SWEEPS: usize = 3;

/// Draws the picture of conversions, each from a dialect to another; `None` if there are too few or too many.
#[must_use]
pub fn graph(edges: &[(&str, &str)]) -> Option<String> {
    let edges: BTreeSet<(&str, &str)> = edges.iter().copied().filter(|(from, to)| from != to).collect();
    let names: BTreeSet<&str> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    if edges.len() < 2 || edges.len() > MOST_EDGES || names.len() > MOST {
        return None;
    }
    let columns = arranged(&names, &edges);
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| column.iter().map(|name| name.chars().count()).max().unwrap_or_default() * LETTER + 20)
        .collect();
    let width = widths.iter().sum::<usize>() + GAP * (widths.len() - 1) + 2;
    if width > WIDEST {
        return None;
    }
    let height = columns.iter().map(Vec::len).max().unwrap_or_default() * LINE;
    let mut boxes: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut x = 1;
    for (column, width) in columns.iter().zip(&widths) {
        let top = (height - column.len() * LINE) / 2;
        for (at, name) in column.iter().enumerate() {
            boxes.insert(name, (x, top + at * LINE + LINE / 2, *width));
        }
        x += width + GAP;
    }
    let mut svg = format!(
        "<svg class=\"near\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\""
    );
    let lines: Vec<String> = edges.iter().map(|(from, to)| format!("{from} to {to}")).collect();
    escape(&format!("Conversions: {}", lines.join(", ")), &mut svg);
    svg.push_str("\">");
    for (from, to) in &edges {
        let (Some((x, y, width)), Some((to_x, to_y, _))) = (boxes.get(from), boxes.get(to)) else { continue };
        let start = x + width;
        // A conversion back to an earlier column goes around both boxes.
        let reach = if start < *to_x { (to_x - start) / 2 } else { GAP / 2 };
        let (near, far) = (start + reach, to_x.saturating_sub(reach));
        let tip = to_x - 1;
        let _ = write!(svg, "<path d=\"M{start} {y}C{near} {y} {far} {to_y} {tip} {to_y}m-6 -4l6 4l-6 4\"/>");
    }
    for (name, (x, y, width)) in &boxes {
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{BOX}\" rx=\"4\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">",
            y - BOX / 2,
            x + width / 2,
            y + 4
        );
        escape(name, &mut svg);
        svg.push_str("</text>");
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// Arranges dialects in columns: each after all those that are converted to it, and beside them where that is possible.
fn arranged<'n>(names: &BTreeSet<&'n str>, edges: &BTreeSet<(&'n str, &'n str)>) -> Vec<Vec<&'n str>> {
    let mut layers: BTreeMap<&str, usize> = BTreeMap::new();
    while layers.len() < names.len() {
        let open =
            |name: &str| edges.iter().filter(|(from, to)| *to == name && !layers.contains_key(from)).count();
        // In a circle none is first; the one with the fewest open conversions is.
        let left = names.iter().filter(|name| !layers.contains_key(*name));
        let Some(next) = left.min_by_key(|name| open(name)).copied() else { break };
        let before = edges.iter().filter(|(_, to)| *to == next).filter_map(|(from, _)| layers.get(from));
        let layer = before.max().map_or(0, |layer| layer + 1);
        layers.insert(next, layer);
    }
    let count = layers.values().max().map_or(0, |last| last + 1);
    let mut columns: Vec<Vec<&'n str>> = vec![Vec::new(); count];
    for name in names {
        if let Some(layer) = layers.get(name) {
            columns[*layer].push(name);
        }
    }
    for _ in 0..SWEEPS {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for column in &mut columns {
            // The mean place of those that are converted to it, in hundredths.
            let mean = |name: &&str| {
                let before: Vec<usize> = edges
                    .iter()
                    .filter(|(_, to)| to == name)
                    .filter_map(|(from, _)| places.get(from))
                    .copied()
                    .collect();
                before.iter().sum::<usize>() / before.len().max(1)
            };
            column.sort_by_cached_key(|name| (mean(name), *name));
            let length = column.len();
            places.extend(column.iter().enumerate().map(|(at, name)| (*name, (at * 200 + 100) / length)));
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_after_those_that_are_converted_to_them() {
        let edges = [("scf", "cf"), ("cf", "llvm"), ("arith", "llvm"), ("linalg", "scf"), ("scf", "scf")];
        let svg = graph(&edges).unwrap();
        assert!(
            svg.contains("aria-label=\"Conversions: arith to llvm, cf to llvm, linalg to scf, scf to cf\""),
            "{svg}"
        );
        assert_eq!((svg.matches("<path").count(), svg.matches("<rect").count()), (4, 5));
        let edges: BTreeSet<_> = edges.into_iter().filter(|(from, to)| from != to).collect();
        let names = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
        assert_eq!(
            arranged(&names, &edges),
            [vec!["arith", "linalg"], vec!["scf"], vec!["cf"], vec!["llvm"]]
        );
    }

    #[test]
    fn a_circle_has_an_end() {
        let svg = graph(&[("a", "b"), ("b", "c"), ("c", "a")]).unwrap();
        assert_eq!(svg.matches("<path").count(), 3);
        assert_eq!(graph(&[("a", "b"), ("a", "b")]), None);
        let names: Vec<String> = (0..60).map(|number| format!("d{number}")).collect();
        let many: Vec<(&str, &str)> = names.iter().map(|name| ("a", name.as_str())).collect();
        assert_eq!(graph(&many), None);
    }
}
