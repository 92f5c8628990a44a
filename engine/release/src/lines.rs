//! Lines of the reference that its messages name (`(from line 1399)`): they move with every release.

use super::Rules;

/// Before a release: that the lines from one on were so many further up. Of several that fit, the last one counts.
const MOVES: &[(u8, u32, u32)] = &[
    (22, 0, 25),
    (22, 3000, 34),
    (22, 3800, 47),
    (22, 4700, 49),
    (21, 0, 180),
    (21, 1390, 190),
    (21, 2300, 226),
    (21, 3000, 330),
    (21, 3800, 424),
    (21, 4700, 465),
    (21, 4760, 471),
    (19, 2300, 265),
    (19, 2400, 269),
    (19, 2500, 271),
    (19, 3000, 390),
    (19, 3800, 499),
    (19, 4700, 580),
    (19, 4760, 586),
    (18, 0, 228),
    (18, 1390, 238),
    (18, 2300, 347),
    (18, 2400, 356),
    (18, 2500, 365),
    (18, 3000, 484),
    (18, 3800, 620),
    (18, 4700, 738),
    (18, 4760, 744),
];

/// The line of a release that is this line in MLIR 22.
#[must_use]
pub fn line(rules: &Rules, line: u32) -> u32 {
    let fits = |(since, from, _): &&(u8, u32, u32)| rules.number() < *since && *from <= line;
    MOVES.iter().rfind(fits).map_or(line, |(_, _, up)| line - up)
}
