//! Lines of the reference that its messages name (`(from line 1399)`): they move with every release.

use super::Rules;

/// Before a release: that the lines from one on were so many further up. Of several that fit, the last one counts.
const MOVES: &[(u8, u32, u32)] = &[(22, 0, 25), (22, 3800, 47), (22, 4700, 49)];

/// The line of a release that is this line in MLIR 22.
#[must_use]
pub fn line(rules: &Rules, line: u32) -> u32 {
    let fits = |(since, from, _): &&(u8, u32, u32)| rules.number() < *since && *from <= line;
    MOVES.iter().rfind(fits).map_or(line, |(_, _, up)| line - up)
}
