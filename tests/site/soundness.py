#!/usr/bin/env python3
"""Checks what the pages of any project must not show: names of records without a name, links without a text or inside of
another link, examples that end at their result, texts of constraints with parts taken for Markdown, "pure" beside effects,
heads of dialects that do not count all operations. Fails if a page does.

    odsmith docs mlir -o site && python3 tests/site/soundness.py --site site
"""

import argparse
import collections
import json
import pathlib
import re
import sys

from pages import read_pages

MOST_SHOWN = 8

ANONYMOUS = re.compile(r"\banonymous_\d+\b")
CUT = re.compile(r"(?:^|\n)[ \t]*%[^\n=]*=[ \t]*$")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    options = parser.parse_args()
    wrong = collections.OrderedDict()
    checked = collections.Counter()

    def check(what, where, is_right):
        checked[what] += 1
        if not is_right:
            wrong.setdefault(what, []).append(where)

    pages = read_pages(options.site)
    for path, page in pages.items():
        text = "".join(page.text)
        check("no name of an unnamed record", path, not ANONYMOUS.search(text + path))
        for link in page.links:
            check("links have a text", f"{path}: {link.href}", link.text.strip() or link.is_named)
            check("links are not inside of links", f"{path}: {link.href}", not link.is_nested)
            check("no address of an unnamed record", f"{path}: {link.href}", not ANONYMOUS.search(link.href))
        for listing in page.listings:
            check("examples are whole", f"{path}: {listing.strip()[-40:]}", not CUT.search(listing.rstrip("\n")))
        check_twin(options.site, path, text, check)
    check_heads(options.site, pages, check)
    for what, count in checked.items():
        places = wrong.get(what, [])
        print(f"{what}: {count} checked, {len(places)} wrong")
        for place in places[:MOST_SHOWN]:
            print(f"    {place}")
    return 1 if wrong or not checked else 0


def check_twin(site, path, text, check):
    """Compares a page with its twin for programs."""
    twin = (site / path).with_suffix(".json")
    if not twin.exists():
        return
    twin = json.loads(twin.read_text())
    if not isinstance(twin, dict):
        return
    flat = " ".join(text.split())
    for group in twin.get("parts") or []:
        for row in group.get("rows", []) if isinstance(group, dict) else []:
            words = row["constraint"]
            if re.search(r"[*_~<]", words):
                shown = " ".join(words.replace("`", "").split())
                check("texts of constraints are as they are written", f"{path}: {words}", shown in flat)
    badges = {badge["text"] for badge in twin.get("badges") or []}
    if "pure" in badges:
        memory = [fact["text"] for fact in twin["behaviour"] if fact["label"] == "Memory"]
        check("\"pure\" has no effects", path, memory in ([], ["none"]))


def check_heads(site, pages, check):
    """Compares the number of operations in the head of each dialect with its pages."""
    for path, page in pages.items():
        if not path.endswith("/index.html") or path.count("/") != 1:
            continue
        folder = path.split("/")[0]
        count = sum(other.startswith(f"{folder}/op/") for other in pages)
        head = re.search(r"\b(\d+) operations?", " ".join("".join(page.text).split()))
        if count:
            check("heads count all operations", f"{path}: {head and head[0]} of {count}",
                  head is not None and int(head[1]) == count)


if __name__ == "__main__":
    sys.exit(main())
