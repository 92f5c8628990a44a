#!/usr/bin/env python3
"""Weighs a built site as it is sent, compressed. Fails where a page, style, script or index is over its budget.

    odsmith docs mlir -o site && python3 tests/site/sizes.py --site site
"""

import argparse
import gzip
import pathlib
import re
import sys

# Compressed bytes. Both scripts count as one; the search's indexes are data.
OP_MEDIAN, OP_P95 = 8_000, 9_000
CSS, SCRIPTS, INLINE_SCRIPT = 12_000, 12_000, 1_000
INDEX_BYTES, INDEX_OPS = 35_000, 2_043


def weight(data):
    return len(gzip.compress(data, 9, mtime=0))


def percentile(numbers, share):
    return numbers[min(len(numbers) - 1, int(len(numbers) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    site = parser.parse_args().site
    ops = [path.read_bytes() for path in site.glob("*/op/*.html")]
    if not ops:
        sys.exit(f"{site} has no page of an operation")
    weights = sorted(map(weight, ops))
    inline = max(sum(map(len, re.findall(rb"<script>(.*?)</script>", page, re.S))) for page in ops)
    assets = site / "assets"
    loaded = set(re.findall(r'src="(?:\.\./)*assets/([^"]+)"', ops[0].decode()))
    scripts = [assets / name for name in ("site.js", "search.js")]
    rows = [
        ("operation, median", percentile(weights, 0.5), OP_MEDIAN),
        ("operation, 95th percentile", percentile(weights, 0.95), OP_P95),
        ("styles", sum(weight(path.read_bytes()) for path in assets.glob("*.css")), CSS),
        ("scripts", sum(weight(path.read_bytes()) for path in scripts), SCRIPTS),
        ("script in the page (not compressed)", inline, INLINE_SCRIPT),
        ("search index", weight((assets / "index.js").read_bytes()), INDEX_BYTES * max(1, len(ops) / INDEX_OPS)),
        ("fonts", sum(1 for _ in assets.glob("*.woff*")), 0),
    ]
    outside = sorted(
        {
            address.decode()
            for page in ops
            for address in re.findall(rb'<(?:script|img|link(?! rel="canonical"))[^>]+(?:src|href)="(https?://[^"]+)"', page)
        }
    )
    rows.append(("requests to other sites", len(outside), 0))
    wrong = 0
    print(f"{len(ops)} operations; first view loads {', '.join(sorted(loaded))}")
    for what, found, most in rows:
        is_over = found > most
        wrong += is_over
        print(f"{'OVER ' if is_over else 'ok   '} {what}: {found} of {int(most)}")
    largest = max(site.rglob("*.html"), key=lambda path: path.stat().st_size)
    print(f"      the largest page is {largest.relative_to(site)}: {weight(largest.read_bytes())} bytes")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
