#!/usr/bin/env python3
"""Follows every link inside a built site. Fails if one leads nowhere, or if a page has an id twice.

    odsmith docs mlir -o site && python3 tests/site/links.py --site site
"""

import argparse
import html.parser
import pathlib
import posixpath
import sys

MOST_SHOWN = 20


class Page(html.parser.HTMLParser):
    """The ids and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids = []
        self.root = ""
        self.addresses = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "data-root":
                self.root = value
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src", "action") and value is not None:
                self.addresses.append(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    parser.add_argument("--beside", action="store_true", help="pages may lead to sites beside this one, which are there")
    options = parser.parse_args()
    files = {path.relative_to(options.site).as_posix() for path in options.site.rglob("*") if path.is_file()}
    pages = {path: Page((options.site / path).read_text()) for path in sorted(files) if path.endswith(".html")}
    ids = {path: set(page.ids) for path, page in pages.items()}
    wrong = []
    for path, page in pages.items():
        if len(page.ids) > len(ids[path]):
            twice = sorted({name for name in page.ids if page.ids.count(name) > 1})
            wrong.append(f"{path}: twice: {', '.join(twice)}")
        # The links of the 404 page start at the root of the host.
        root = page.root if path == "404.html" else ""
        for address in page.addresses:
            address = address.removeprefix(root) or "index.html"
            if ":" in address.split("/")[0]:
                continue
            target, _, fragment = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if options.beside and target.startswith("../"):
                if not (options.site / target).is_file():
                    wrong.append(f"{path}: leads nowhere: {address}")
            elif target not in files:
                wrong.append(f"{path}: leads nowhere: {address}")
            elif fragment and fragment not in ids.get(target, {fragment}):
                wrong.append(f"{path}: no such place: {address}")
    links = sum(len(page.addresses) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {sum(map(len, ids.values()))} ids, {len(wrong)} wrong")
    for line in wrong[:MOST_SHOWN]:
        print(f"    {line}")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
