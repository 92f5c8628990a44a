#!/usr/bin/env python3
"""Looks up fragments that public code links to (anchors.tsv) on the site's one-page references. Fails if one is missing.

    odsmith docs mlir -o site && python3 tests/site/anchors.py --site site
"""

import argparse
import html
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    options = parser.parse_args()
    ids = {page.parent.name: found(page) for page in options.site.glob("*/all.html")}
    everywhere = set().union(*ids.values())
    missing = []
    lines = [line.split("\t") for line in (HERE / "anchors.tsv").read_text().splitlines() if not line.startswith("#")]
    for page, dialect, fragment in lines:
        known = everywhere if dialect == "*" else ids.get(dialect, set())
        if fragment not in known:
            missing.append(f"{page}/#{fragment}")
    print(f"{len(lines) - len(missing)} of {len(lines)} fragments are on the pages")
    for fragment in missing:
        print(f"    missing: {fragment}")
    return 1 if missing or not lines else 0


def found(page):
    return {html.unescape(name) for name in re.findall(r'\sid="([^"]*)"', page.read_text())}


if __name__ == "__main__":
    sys.exit(main())
