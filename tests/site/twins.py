#!/usr/bin/env python3
"""Checks the parts of a built site for programs: JSON twins (against their schema), the index, old fragments, the inventory
(with Sphinx's own reader), llms.txt and the sitemap. Fails if one does not hold, or names a page that is not there.

    odsmith docs mlir -o site && python3 tests/site/twins.py --site site

Needs `fastjsonschema` and `sphinx` from PyPI; tests/setup/pypi.sh prints a Python that has them.
"""

import argparse
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

import fastjsonschema
from sphinx.util.inventory import InventoryFile

MOST_SHOWN = 20
wrong = []


def check(is_right, what):
    if not is_right:
        wrong.append(what)


def load(site, name, schema):
    data = json.loads((site / name).read_text())
    check(data.get("schema") == schema, f"{name} says it is {data.get('schema')}")
    return data


def twins(site, pages):
    """Checks that every page but the lists has its twins, and that each JSON twin matches the schema."""
    validate = fastjsonschema.compile(json.loads((site / "schema/page.schema.json").read_text()))
    kinds = {}
    for path in pages:
        html = (site / path).read_text()
        for kind, suffix in (("text/markdown", ".md"), ("application/json", ".json")):
            found = re.search(rf'<link rel="alternate" type="{kind}" href="([^"]+)"', html)
            if found:
                check((site / path).parent.joinpath(found[1]).is_file(), f"{path} has no {suffix} twin")
        twin = (site / path).with_suffix(".json")
        if path == "index.html" or not twin.is_file():
            continue
        data = json.loads(twin.read_text())
        kinds[data["kind"]] = kinds.get(data["kind"], 0) + 1
        try:
            validate(data)
        except fastjsonschema.JsonSchemaException as error:
            wrong.append(f"{twin.relative_to(site)}: {error}")
    # Invalid documents show that the schema can reject.
    for broken in ({}, {"schema": "odsmith.page/1", "kind": "op"}, {"schema": "odsmith.page/0", "kind": "enum"}):
        try:
            validate(broken)
            wrong.append(f"the schema takes {broken}")
        except fastjsonschema.JsonSchemaException:
            pass
    return kinds


def index(site, pages):
    items = load(site, "index.json", "odsmith.index/1")["items"]
    names = [(item["kind"], item["name"], item["url"]) for item in items]
    check(len(set(names)) == len(names), "index.json names something twice")
    for item in items:
        check(item["url"] in pages, f"index.json: {item['name']} leads to {item['url']}")
    urls = {url for _, _, url in names}
    for path in pages:
        check(not re.search(r"/(op|type|attr|enum)/", path) or path in urls, f"index.json lacks {path}")
    return items


def inventory(site, items, pages):
    with open(site / "objects.inv", "rb") as file:
        read = InventoryFile.load(file, "", lambda base, path: path)
    found = getattr(read, "data", read)
    labels = found["std:label"]
    place = lambda entry: (entry.uri if hasattr(entry, "uri") else entry[2])
    check(len(labels) == len({item["name"] for item in items}), f"objects.inv has {len(labels)} names")
    for kind in found.values():
        for name, entry in kind.items():
            check(place(entry).split("#")[0] in pages, f"objects.inv: {name} leads to {place(entry)}")
    return sum(map(len, found.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    parser.add_argument("--base-url", help="the address that the site was built for")
    options = parser.parse_args()
    site = options.site
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    kinds = twins(site, sorted(pages))
    items = index(site, pages)
    for fragment, page in load(site, "links.json", "odsmith.links/1")["fragments"].items():
        check(page.split("#")[0] in pages, f"links.json: {fragment} leads to {page}")
    entries = inventory(site, items, pages)
    links = re.findall(r"^- \[[^\n]*?\]\(([^)\n]+)\)", (site / "llms.txt").read_text(), re.M)
    check(links, "llms.txt has no link")
    for link in links:
        check((site / link).is_file(), f"llms.txt leads to {link}")
    sitemap = site / "sitemap.xml"
    check(sitemap.exists() == bool(options.base_url), "there is a sitemap exactly where the address is known")
    if options.base_url:
        base = options.base_url.rstrip("/") + "/"
        space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
        listed = [place.text for place in xml.etree.ElementTree.parse(sitemap).iter(f"{space}loc")]
        # The sitemap must not list the 404 page.
        count = len([page for page in pages if page != "404.html"])
        check(len(listed) == count, f"the sitemap has {len(listed)} of {count} pages")
        for address in listed:
            path = address.removeprefix(base)
            path += "index.html" if path == "" or path.endswith("/") else ""
            check(address.startswith(base) and path in pages, f"the sitemap has {address}")
        xml.etree.ElementTree.parse(site / "opensearch.xml")
        data = re.findall(r'<script type="application/ld\+json">(.*?)</script>', (site / "index.html").read_text())
        check(len(data) == 1 and json.loads(data[0])["url"] == base, "the home page's JSON-LD has another address")
    for what in wrong[:MOST_SHOWN]:
        print(what)
    if wrong:
        sys.exit(f"{len(wrong)} things do not hold")
    print(f"JSON twins as their schema says: {', '.join(f'{number} {kind}' for kind, number in sorted(kinds.items()))}")
    print(f"{len(items)} names in index.json, {entries} in objects.inv, {len(links)} links in llms.txt")


if __name__ == "__main__":
    main()
