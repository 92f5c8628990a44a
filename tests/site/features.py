#!/usr/bin/env python3
"""Checks that every feature in `features.tsv` is on its page, and that its test exists.

    python3 tests/site/features.py NAME=SITE...   # the rows of these sites
"""

import pathlib
import sys

TABLE = pathlib.Path(__file__).with_name("features.tsv")
TESTS = TABLE.parent.parent


def complaints(row, site):
    feature, _, place, text, test = row
    if not (TESTS / test).is_file():
        yield f"{feature}: there is no {test}"
    pages = sorted(site.glob(place))
    if not pages:
        yield f"{feature}: there is no {place}"
    # A single page contains the text; of many, each does.
    for page in pages:
        if text.encode() not in page.read_bytes():
            yield f"{feature}: {page.relative_to(site)} lacks {text!r}"


def main():
    sites = {name: pathlib.Path(folder) for name, _, folder in (word.partition("=") for word in sys.argv[1:])}
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    unknown = [row for row in rows if len(row) != 5 or not all(row)]
    if unknown:
        sys.exit(f"not five columns with something in each: {unknown[0]}")
    looked_at = [row for row in rows if row[1] in sites]
    if not looked_at:
        sys.exit("no row is of these sites")
    wrong = [complaint for row in looked_at for complaint in complaints(row, sites[row[1]])]
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    print(f"{len(looked_at)} of {len(rows)} features")


main()
