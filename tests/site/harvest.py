#!/usr/bin/env python3
"""Checks over all pages of a built site that texts harvested from comments are for readers.

    odsmith docs mlir -o site && python3 tests/site/harvest.py --site site --include /usr/lib/llvm-22/include

Fails if a harvested text has a note of authors to themselves, is code or an address alone, or if the meaning of an enum's
case is a comment above several cases. Enums with meanings for only some cases are listed, for a reader to judge.
"""

import argparse
import json
import pathlib
import re
import sys

NOTE = re.compile(r"\b(TODO|FIXME|HACK|XXX|NOLINT)\b")
ADDRESS = re.compile(r"(see:?\s+)?(https?://\S+|#?\d+|issue\s+#?\d+)\.?", re.I)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    parser.add_argument("--include", type=pathlib.Path, help="the folder of the definitions")
    options = parser.parse_args()
    harvested, wrong, partial = 0, [], []
    for path in sorted(options.site.rglob("*.json")):
        twin = json.loads(path.read_text())
        if not isinstance(twin, dict) or "kind" not in twin:
            continue
        where = path.relative_to(options.site)
        texts = []
        description = twin.get("description")
        if isinstance(description, dict) and description["is_harvested"]:
            texts.append(description["md"])
        texts += [row["meaning"] for row in twin.get("traits", []) + twin.get("interfaces", []) if isinstance(row, dict) and row.get("is_harvested")]
        if twin["kind"] == "enum":
            cases = twin["cases"]
            meanings = [case["meaning"] for case in cases]
            texts += [case["meaning"] for case in cases if case["is_harvested"] and case["meaning"]]
            if any(case["is_harvested"] and case["meaning"] for case in cases) and not all(meanings):
                partial.append(f"{where}: {', '.join(case['symbol'] for case in cases if case['meaning'])}")
                wrong += runs(options.include, twin, where)
        harvested += len(texts)
        for text in texts:
            if NOTE.search(text) or ADDRESS.fullmatch(text.strip()) or re.match(r"(def|class|let|include)\s.*[;{]$", text):
                wrong.append(f"{where}: {text[:100]!r}")
    print(f"{harvested} harvested texts, {len(wrong)} wrong; {len(partial)} enums with some meanings from comments")
    for line in partial:
        print(f"    {line}")
    for line in wrong:
        print(f"  WRONG {line}")
    return 1 if wrong else 0


def runs(include, twin, where):
    """Cases whose comment is above a case that another one follows on the next line."""
    source = twin["source"]
    if include is None or source is None or not (include / source["file"]).exists():
        return []
    lines = (include / source["file"]).read_text().split("\n")
    found = []
    for case in twin["cases"]:
        if not case["is_harvested"] or not case["meaning"]:
            continue
        first = case["meaning"].split("\n")[0].strip()
        for at, line in enumerate(lines):
            if line.strip().lstrip("/").strip() != first:
                continue
            while at < len(lines) and not lines[at].startswith("def "):
                at += 1
            while at < len(lines) and not lines[at].rstrip().endswith(";"):
                at += 1
            if at + 1 < len(lines) and lines[at + 1].startswith("def "):
                found.append(f"{where}: {case['symbol']}: {first!r}")
            break
    return found


if __name__ == "__main__":
    sys.exit(main())
