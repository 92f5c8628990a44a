#!/usr/bin/env python3
"""Compares the generic form that `odsmith ir --generic` prints with that of mlir-opt.

  generic.py ODSMITH TESTS TRUTH.jsonl --opt MLIR_OPT [--work DIR] [--list N] [--least N]

TESTS and TRUTH.jsonl are those of acceptance.py. A program is a piece that mlir-opt accepts. Odsmith prints each one in
generic form; mlir-opt then prints its own generic form of the program and of our text, and both have to be the same.

A program is whole if all its operations are in generic form in our text, and partial if some of them stay in custom form,
because something of them is not known. Both are compared; --least is about whole ones.
"""
import collections
import difflib
import json
import pathlib
import sys

from acceptance import ours
from pieces import SPLIT, arguments, every, gather, pieces_of, remembered

BEGIN = "// @ "


def printed(options, texts):
    """Returns our generic text of each file, and the operations of each that stay in custom form, by piece."""
    place = pathlib.Path(options.work + ".all.mlir")
    place.write_text("".join(f"{BEGIN}{name}\n{text}{SPLIT}\n" for name, text in texts.items()))
    whole = ours(options, "ir", "--generic", str(place))
    place.write_text(whole)
    found, begins, name, piece = {}, [], None, 0
    for line in whole.split("\n"):
        if line.startswith(BEGIN):
            name, piece = line[len(BEGIN):], 0
            found[name] = []
        else:
            found[name].append(line)
            piece += line.startswith(SPLIT)
        begins.append((name, piece))
    found = {name: "\n".join(lines).removesuffix(SPLIT + "\n") for name, lines in found.items()}
    left = collections.defaultdict(list)
    for row in map(json.loads, ours(options, "ir", "--operations", str(place)).splitlines()):
        if row["form"] != "generic":
            left[begins[row["line"] - 1]].append(row["name"])
    return found, left


def main():
    parser = arguments(__doc__, "generic")
    parser.add_argument("--opt", required=True, help="mlir-opt of the release")
    parser.add_argument("--least", type=int, default=0, help="fail with fewer programs that are whole and the same")
    options, options.rest = parser.parse_known_args()
    texts = gather(options)
    wanted = remembered(pathlib.Path(options.work + ".wanted.json"), options.opt, texts)
    own, left = printed(options, texts)
    reread = every(options.opt, {name: own[name] for name in texts})
    counts, names, sole, differ = collections.Counter(), collections.Counter(), collections.Counter(), []
    for name, text in texts.items():
        for index, _ in enumerate(pieces_of(text)):
            want, (got, errors) = (wanted[name][0] or [])[index:index + 1], reread[name]
            if not want or not want[0].strip():
                counts["not read alone"] += 1
                continue
            kind = "partial" if left[name, index] else "whole"
            names.update(set(left[name, index]))
            if len(set(left[name, index])) == 1:
                sole.update(set(left[name, index]))
            got = (got or [])[index:index + 1] or [""]
            if got == want:
                counts[kind, "same"] += 1
            else:
                counts[kind, "different"] += 1
                differ.append((name, index, errors.get(index), want[0], got[0]))
    for kind in ("whole", "partial"):
        print(f"{kind} programs: {counts[kind, 'same']} the same, {counts[kind, 'different']} different")
    if counts["not read alone"]:
        print(f"programs that mlir-opt reads in their file only: {counts['not read alone']}")
    for name, index, error, want, got in differ[:options.list]:
        print(f"  different: {name}#{index} {error or ''}")
        lines = list(difflib.unified_diff(want.split("\n"), got.split("\n"), lineterm="", n=0))[2:6] if got.strip() else []
        print("\n".join("    " + line[:300] for line in lines))
    for operation, count in names.most_common(options.list):
        print(f"  in custom form in {count:4} programs, the only one in {sole[operation]:4}: {operation}")
    same = counts["whole", "same"]
    sys.exit(1 if differ or same < options.least else 0)


if __name__ == "__main__":
    main()
