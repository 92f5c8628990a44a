#!/usr/bin/env python3
"""release_notes.py ROWS FROM TO OUT: a page in Markdown of what to write differently in .td files from FROM to TO.

ROWS is the output of `odsmith rule --of upgrade --json`.
"""

import json
import pathlib
import sys


def fence(text):
    return f"```tablegen\n{text}\n```\n"


def main():
    rows, old, new, out = json.loads(pathlib.Path(sys.argv[1]).read_text()), *sys.argv[2:5]
    between = [it for it in rows if int(old) <= it["before"] and it["since"] <= int(new)]
    parts = ["# What to write otherwise\n", f"In `.td` files, after MLIR {old} and up to MLIR {new}.\n"]
    for it in between:
        parts.append(f"## {it['id']}, since {it['since']}\n\n{it['text']}\n\nBefore:\n\n{fence(it['bad'])}\nNow:\n\n{fence(it['good'])}")
    pathlib.Path(out).write_text("\n".join(parts))


if __name__ == "__main__":
    main()
