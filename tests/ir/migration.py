#!/usr/bin/env python3
"""Rewrites MLIR's own tests with `odsmith upgrade --fix`, and asks the newer mlir-opt about the result.

  migration.py ODSMITH TESTS TRUTH.jsonl --from 22 --to 24 --old MLIR_OPT --new MLIR_OPT [--work DIR] [--list N]

TESTS and TRUTH.jsonl are those of acceptance.py for the older release. Only pieces that the older mlir-opt accepts are
kept. The newer one is asked before and after: the table has, by cause of its first message, the pieces that it refused
before, those that it accepts after, and those of the rest with a place in the report of odsmith.

The meaning is compared as well: the newer mlir-opt reads the generic form that the older one prints of a piece, and the
rewritten piece, and has to print the same generic form of both.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

from pieces import SPLIT, arguments, every, gather, pieces_of, remembered

CAUSES = [
    ("strict properties", r"cannot be parsed from attr-dict"),
    ("operation or dialect unknown", r"is unknown|not found"),
    ("required property", r"missing required (attribute|property)|requires attribute"),
    ("format changed", r"expected (?!result type|output)"),
]


def cause(message):
    for name, pattern in CAUSES:
        if re.search(pattern, message):
            return name
    return "constraint, verifier or other"


def without_names(text):
    """Leaves out the names of operations, which may be new."""
    return re.sub(r'^(\s*(?:%[^=]*= )?)"[\w.$-]+"\(', r"\1(", text, flags=re.M)


def main():
    parser = arguments(__doc__, "migration")
    parser.add_argument("--from", dest="source", required=True), parser.add_argument("--to", required=True)
    parser.add_argument("--old", required=True, help="the older mlir-opt"), parser.add_argument("--new", required=True, help="the newer one")
    parser.add_argument("--least", type=float, help="fail below this percentage of decided pieces")
    options, rest = parser.parse_known_args()
    texts = gather(options)
    place = pathlib.Path(options.work)
    before = remembered(place.with_name(place.name + ".before.json"), options.new, texts)
    command = [options.odsmith, "upgrade", options.work, "--from", options.source, "--to", options.to, "--fix", "--no-generated",
               "--output-format", "json", *rest]
    done = subprocess.run(command, capture_output=True, check=False)
    if not done.stdout:
        sys.exit(done.stderr.decode())
    report = json.loads(done.stdout)
    listed = collections.defaultdict(set)
    reasons = collections.Counter()
    for use in report["dated"]:
        if not use["is_mechanical"]:
            reasons[use["row"], use["text"]] += len(use["places"])
            for file, line, _ in use["places"]:
                listed[file].add(line)
    after_texts = {name: (pathlib.Path(options.work) / name).read_text() for name in texts}
    changed = {name: text for name, text in after_texts.items() if text != texts[name]}
    after = {**before, **every(options.new, changed)}
    # The generic form that the older release prints of the same pieces, read by the newer one.
    generic = every(options.old, {name: texts[name] for name in changed})
    reread = every(options.new, {name: (SPLIT + "\n").join(parts) for name, (parts, _) in generic.items() if parts})
    table = collections.defaultdict(collections.Counter)
    left, worse, other, same, unclear = collections.Counter(), [], [], 0, 0
    for name, text in texts.items():
        (was, errors), (now, faults) = before[name], after[name]
        if was is None or now is None:
            continue
        own, new = pieces_of(text), pieces_of(after_texts[name])
        line = 1
        for index, piece in enumerate(own):
            lines = range(line, line + piece.count("\n") + 1)
            line += piece.count("\n") + 1
            is_read = bool(now[index].strip())
            if was[index].strip():
                if not is_read:
                    worse.append((name, index, faults.get(index)))
            else:
                row = table[cause(errors.get(index, (0, ""))[1])]
                row["refused"] += 1
                is_listed = any(at in lines for at in listed.get(name, ()))
                row["accepted"] += is_read
                row["listed"] += not is_read and is_listed
                if not is_read and not is_listed:
                    row["silent"] += 1
                if not is_read:
                    message = faults.get(index, (0, "?"))[1]
                    left[cause(message), re.sub(r"'[^']*'(?! op)", "'_'", re.sub(r"\d+", "N", message))[:110], "listed" if is_listed else "silent", f"{name}#{index}"] += 1
            if is_read and name in changed and own[index] != new[index]:
                wanted = reread.get(name, ([], {}))[0] or []
                if index >= len(wanted) or not wanted[index].strip():
                    unclear += 1
                elif without_names(wanted[index]) == without_names(now[index]):
                    same += 1
                else:
                    other.append((name, index))
    print(f"files: {len(texts)}, rewritten: {len(changed)}")
    print(f"{'cause of the first message':32} {'refused':>8} {'accepted':>9} {'listed':>8} {'silent':>8}")
    total = collections.Counter()
    for name, row in sorted(table.items(), key=lambda it: -it[1]["refused"]):
        print(f"{name:32} {row['refused']:8} {row['accepted']:9} {row['listed']:8} {row['silent']:8}")
        total.update(row)
    print(f"{'all':32} {total['refused']:8} {total['accepted']:9} {total['listed']:8} {total['silent']:8}")
    decided = sum((table[name]["accepted"], table[name]["refused"])[1] for name in ("strict properties", "format changed"))
    good = sum(table[name]["accepted"] for name in ("strict properties", "format changed"))
    share = 100 * good / max(decided, 1)
    print(f"decided by both formats: {good} of {decided} accepted ({share:.1f} %)")
    print(f"pieces that are no longer accepted: {len(worse)}")
    print(f"rewritten pieces: {same} with the same generic form, {len(other)} with another one, {unclear} whose old generic form is refused")
    for row in worse[:options.list]:
        print("  worse:", *row)
    for row in other[:options.list]:
        print("  other:", *row)
    groups = collections.defaultdict(list)
    for (why, message, how, place), _ in left.items():
        groups[why, message, how].append(place)
    for (why, message, how), places in sorted(groups.items(), key=lambda it: -len(it[1]))[:options.list]:
        print(f"  left {len(places):4} {how} {why}: {message} | {places[0]}")
    for (row, text), count in reasons.most_common(options.list):
        print(f"  listed {count:4} {row} {text}")
    sys.exit(1 if other or worse or options.least is not None and share < options.least else 0)


if __name__ == "__main__":
    main()
