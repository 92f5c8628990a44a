//! Lines of the reference that its messages name (`(from line 1399)`): they move with every release.

use super::Rules;

/// The releases of a row's lines.
const RELEASES: [u8; 7] = [23, 22, 21, 19, 18, 17, 16];

/// The lines of one place each; 0 where a release has no such place.
const LINES: &[[u32; 7]] = &[
    [1278, 1345, 1320, 1165, 1165, 1117, 944],
    [1298, 1365, 1340, 1185, 1185, 1137, 0],
    [1320, 1387, 1362, 1197, 1197, 1149, 0],
    [1332, 1399, 1374, 1209, 1209, 1161, 968],
    [2238, 2324, 2299, 2098, 2059, 1977, 1339],
    [2250, 2336, 2311, 2110, 2071, 1989, 1349],
    [2262, 2348, 2323, 2122, 2083, 2001, 1361],
    [2269, 2355, 2330, 2129, 2090, 2008, 1368],
    [2320, 2411, 2386, 2185, 2142, 2055, 1407],
    [2420, 2516, 2491, 2290, 2245, 2151, 1491],
    [2428, 2524, 2499, 2298, 2253, 2159, 1497],
    [2432, 2528, 2503, 2302, 2257, 2163, 1501],
    [2452, 2548, 2523, 2322, 2277, 2183, 1519],
    [2459, 2555, 2530, 2329, 2284, 2190, 1526],
    [2474, 2570, 2545, 2344, 2299, 2205, 1541],
    [2483, 2579, 2554, 2353, 2308, 2214, 1550],
    [3034, 3142, 3108, 2812, 2752, 2658, 1957],
    [3683, 3820, 3773, 3396, 3321, 3200, 2465],
    [4581, 4708, 4659, 4243, 4128, 3970, 3062],
    [4641, 4768, 4719, 4297, 4182, 4024, 3108],
    [4647, 4774, 4725, 4303, 4188, 4030, 3114],
];

/// The line of a release that is this line in MLIR 22.
#[must_use]
pub fn line(rules: &Rules, line: u32) -> u32 {
    let column = |release: u8| RELEASES.iter().position(|&number| number == release);
    let (Some(of_22), Some(of_release)) = (column(22), column(rules.number())) else { return line };
    LINES.iter().find(|row| row[of_22] == line).map_or(line, |row| row[of_release])
}
