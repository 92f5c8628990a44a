//! Source lines of the reference that its messages name (`(from line 1399)`): they change with every release.

use super::{Release, Rules};

/// The lines of the same positions in each release, newest first; 0 if the release has no such position.
#[rustfmt::skip]
const LINES: &[(Release, [u32; 21])] = &[
    (Release::V23, [1278, 1298, 1320, 1332, 2238, 2257, 2262, 2269, 2320, 2420, 2428, 2432, 2452, 2459, 2474,
        2483, 3034, 3683, 4581, 4641, 4647]),
    (Release::V22, [1345, 1365, 1387, 1399, 2324, 2343, 2348, 2355, 2411, 2516, 2524, 2528, 2548, 2555, 2570,
        2579, 3142, 3820, 4708, 4768, 4774]),
    (Release::V21, [1320, 1340, 1362, 1374, 2299, 2318, 2323, 2330, 2386, 2491, 2499, 2503, 2523, 2530, 2545,
        2554, 3108, 3773, 4659, 4719, 4725]),
    (Release::V19, [1165, 1185, 1197, 1209, 2098, 2117, 2122, 2129, 2185, 2290, 2298, 2302, 2322, 2329, 2344,
        2353, 2812, 3396, 4243, 4297, 4303]),
    (Release::V18, [1165, 1185, 1197, 1209, 2059, 2078, 2083, 2090, 2142, 2245, 2253, 2257, 2277, 2284, 2299,
        2308, 2752, 3321, 4128, 4182, 4188]),
    (Release::V17, [1117, 1137, 1149, 1161, 1977, 1996, 2001, 2008, 2055, 2151, 2159, 2163, 2183, 2190, 2205,
        2214, 2658, 3200, 3970, 4024, 4030]),
    (Release::V16, [944, 0, 0, 968, 1339, 1356, 1361, 1368, 1407, 1491, 1497, 1501, 1519, 1526, 1541,
        1550, 1957, 2465, 3062, 3108, 3114]),
    (Release::V15, [0, 0, 0, 957, 1225, 1242, 1247, 1251, 1289, 1374, 1380, 1384, 1403, 1410, 1427,
        1436, 1814, 2323, 2908, 2959, 2965]),
    (Release::V14, [0, 0, 0, 735, 998, 1015, 1020, 1024, 1062, 1147, 1153, 1157, 1176, 1183, 1200,
        1209, 1536, 2044, 2610, 2663, 2669]),
];

/// Returns the line of a release that corresponds to this line in MLIR 22.
#[must_use]
pub fn line(rules: &Rules, line: u32) -> u32 {
    let of = |release: Release| LINES.iter().find(|(known, _)| *known == release).map(|(_, lines)| lines);
    let (Some(of_22), Some(of_release)) = (of(Release::V22), of(rules.release)) else { return line };
    of_22.iter().zip(of_release).find(|(known, _)| **known == line).map_or(line, |(_, line)| *line)
}
