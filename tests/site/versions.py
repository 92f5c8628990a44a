#!/usr/bin/env python3
"""versions.py: checks sites of several releases beside each other.

    python3 tests/site/versions.py --change PROJECT                      # renames an operation, removes another, writes notes
    python3 tests/site/versions.py --site FOLDER --base-url URL          # of releases 1 and 2
"""

import argparse
import filecmp
import json
import pathlib
import re
import sys
import xml.etree.ElementTree


SETTINGS = """[docs]
release-notes = "CHANGELOG.md"
head = "head.html"
[docs.stability]
mill = { level = "experimental", text = "It may change." }
"""
NOTES = """# Changelog

## 2 - 2026-03-01

### Changed

- Names, as [the tests](README.md) show.
"""
PIPELINE = """static mlir::PassPipelineRegistration<> all("mill-all", "All passes.",
    [](mlir::OpPassManager &pm) { pm.addPass(mlir::createCanonicalizerPass()); });
"""


def write_front(project):
    """Writes what a project has besides its definitions."""
    for path, text in [
        ("odsmith.toml", SETTINGS),
        ("CHANGELOG.md", NOTES),
        ("CODEOWNERS", "* @example/mill\n"),
        ("head.html", "<script>window.isOurs = true;</script>\n"),
        ("lib/Pipelines.cpp", PIPELINE),
    ]:
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text)


def change(project):
    """Removes the first operation of the project, and renames the second."""
    write_front(project)
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
    wrong += front(site / "2", base_url)
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    print(f"{len(removed)} pages of what is gone, {len(renamed)} of them of another name now")


def front(site, base_url):
    """Checks the feed, and what the settings add to pages."""
    space = "{http://www.w3.org/2005/Atom}"
    feed = xml.etree.ElementTree.parse(site / "feed.xml").getroot()
    entries = feed.findall(f"{space}entry")
    if [it.findtext(f"{space}id") for it in entries] != [f"{base_url}latest/release/2.html"]:
        yield "feed.xml does not have the release"
    if feed.findtext(f"{space}updated") != "2026-03-01T00:00:00Z":
        yield "feed.xml has another time than the release"
    for path, words in [
        ("release/2.html", "<h3 id=\"changed\">Changed</h3>"),
        ("mill/index.html", "@example/mill"),
        ("mill/index.html", ">experimental</li>"),
        ("passes.html", "<h3 id=\"pipeline-mill-all\">"),
    ]:
        if words not in (site / path).read_text():
            yield f"{path} lacks {words!r}"
    for path in site.rglob("*.html"):
        text = path.read_text()
        if "window.isOurs" not in text and "http-equiv=\"refresh\"" not in text:
            yield f"{path.relative_to(site)} lacks the project's own head"


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
