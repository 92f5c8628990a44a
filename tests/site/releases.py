#!/usr/bin/env python3
"""Checks that a release's pages mark its additions and changes.

    python3 tests/site/releases.py --before INDEX   # makes the release before poorer: one operation less, one of another shape
    python3 tests/site/releases.py --site SITE --release NAME   # these two are marked, and nothing else is
"""

import argparse
import json
import pathlib
import sys

MISSING, OTHER = 0, 1


def operations(index):
    return [item for item in index["items"] if item["kind"] == "op"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--site", type=pathlib.Path)
    parser.add_argument("--release")
    options = parser.parse_args()
    if options.before:
        index = json.loads(options.before.read_text())
        ops = operations(index)
        if any("since" in item or "changed" in item for item in ops):
            sys.exit("a first release knows of none before")
        index["items"].remove(ops[MISSING])
        ops[OTHER]["shape"] = "another"
        options.before.write_text(json.dumps(index))
        return
    index = json.loads((options.site / "index.json").read_text())
    ops = operations(index)
    since = [item["name"] for item in index["items"] if item.get("since") == options.release]
    changed = [item["name"] for item in index["items"] if item.get("changed") == options.release]
    print(f"since {options.release}: {since}, changed in {options.release}: {changed}")
    if (since, changed) != ([ops[MISSING]["name"]], [ops[OTHER]["name"]]):
        sys.exit(f"wanted {ops[MISSING]['name']} and {ops[OTHER]['name']}")
    for item, badge in ((ops[MISSING], f"since {options.release}"), (ops[OTHER], f"changed in {options.release}")):
        if badge not in (options.site / item["url"]).read_text():
            sys.exit(f"{item['url']} does not say: {badge}")
    facets = (options.site / "assets/facets.js").read_text()
    if f'"{options.release}"' not in facets:
        sys.exit("the search knows of no release")


main()
