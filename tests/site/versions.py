#!/usr/bin/env python3
"""versions.py: checks sites of several releases beside each other.

    python3 tests/site/versions.py --change PROJECT                      # renames an operation and removes another
    python3 tests/site/versions.py --site FOLDER --base-url URL          # of releases 1 and 2
"""

import argparse
import filecmp
import json
import pathlib
import re
import sys


def change(project):
    """Removes the first operation of the project, and renames the second."""
    for file in sorted(project.rglob("*.td")):
        text = file.read_text()
        names = re.findall(r'^def (\w+) *: *\w+_Op<"(\w+)"', text, re.M)
        if len(names) < 2:
            continue
        (record, gone), (_, renamed) = names[:2]
        start = text.index(f"def {record}")
        # Up to the next definition that begins a line.
        end = re.search(r"^(def|class|//|#)", text[start + 3:], re.M)
        text = text[:start] + text[start + 3 + end.start():] if end else text[:start]
        file.write_text(text.replace(f'"{renamed}"', f'"{renamed}_anew"'))
        print(f"{file}: {gone} is gone, {renamed} has another name")
        return
    sys.exit("no file has two operations")


def check(site, base_url):
    wrong = []
    listed = json.loads((site / "versions.json").read_text())
    if [it["name"] for it in listed["versions"]] != ["2", "1"] or listed["latest"] != "2":
        wrong.append(f"versions.json: {listed}")
    compared = filecmp.dircmp(site / "2", site / "latest")
    if compared.left_only or compared.right_only or compared.diff_files:
        wrong.append("latest is not the last release")
    items = {it["url"]: it for it in json.loads((site / "2/index.json").read_text())["items"]}
    removed = [it for it in items.values() if "removed" in it]
    renamed = [it for it in removed if "instead" in it]
    if len(removed) < 2 or not renamed:
        wrong.append(f"two operations are gone from release 1: {removed}")
    for item in removed:
        page = (site / "2" / item["url"]).read_text()
        if f"in {item['removed']}.</strong>" not in page or not (site / "1" / item["url"]).is_file():
            wrong.append(f"{item['url']} does not say that it is gone")
    for path in sorted((site / "2").rglob("*.html")):
        text, inside = path.read_text(), path.relative_to(site / "2")
        if inside.name == "404.html":
            continue
        place = str(inside)[:-len("index.html")] if inside.name == "index.html" else str(inside)
        if f'<link rel="canonical" href="{base_url}latest/{place}">' not in text:
            wrong.append(f"{inside} has no canonical address")
        there = inside if (site / "1" / inside).is_file() and (f"{inside}" in known(site)) else None
        if there and f'/1/{there}"' not in text:
            wrong.append(f"{inside} does not lead to the same page of release 1")
    if "release/2.html" not in (site / "2/index.html").read_text():
        wrong.append("the first page does not name the changes")
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    print(f"{len(removed)} pages of what is gone, {len(renamed)} of them of another name now")


def known(site, cache={}):
    if site not in cache:
        cache[site] = {it["url"] for it in json.loads((site / "1/index.json").read_text())["items"]}
    return cache[site]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--change", type=pathlib.Path)
    parser.add_argument("--site", type=pathlib.Path)
    parser.add_argument("--base-url", default="")
    options = parser.parse_args()
    if options.change:
        change(options.change)
    else:
        check(options.site, options.base_url)


main()
