#!/usr/bin/env python3
"""Compares the links to pages that list their users with these lists: if the page of an operation, type, attribute, enum,
pass, trait, interface or constraint links to a type, attribute, enum, trait, interface, constraint or class, that page links
back. Fails if a user is missing.

    odsmith docs mlir -o site && python3 tests/site/inverse.py --site site
"""

import argparse
import collections
import pathlib
import posixpath
import re
import sys

from pages import read_pages

HUBS = ("type", "attr", "enum", "trait", "interface", "constraint", "class")
USERS = (*HUBS, "op", "pass")
MOST_SHOWN = 12


def kind(path):
    """`op` for `arith/op/addi.html`, `trait` for `trait/Pure.html`."""
    parts = path.split("/")
    return parts[-2] if len(parts) > 1 else ""


def family(section):
    """`cases` for the sections of all enums, `in` for those of all dialects."""
    return re.sub(r"^(cases|in|param)-.*", r"\1-…", section) or "the head"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    options = parser.parse_args()
    pages = read_pages(options.site)
    links = {}
    for path, page in pages.items():
        own = {}
        for link in page.links:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.href.split("#")[0]))
            own.setdefault(target, link.section)
        links[path] = own
    count = 0
    missing = collections.defaultdict(list)
    for path, own in links.items():
        if kind(path) not in USERS:
            continue
        for target, section in own.items():
            if target == path or kind(target) not in HUBS or target not in pages:
                continue
            count += 1
            if path not in links[target]:
                missing[f"{kind(path)} → {kind(target)}, in {family(section)}"].append(f"{path} → {target}")
    total = sum(map(len, missing.values()))
    print(f"{count} links to pages that list their users, {total} missing there")
    for what, pairs in sorted(missing.items(), key=lambda item: -len(item[1])):
        print(f"    {what}: {len(pairs)}")
        for pair in pairs[:MOST_SHOWN]:
            print(f"        {pair}")
    return 1 if total or not count else 0


if __name__ == "__main__":
    sys.exit(main())
