#!/usr/bin/env python3
"""Compares `odsmith check --ir` with `mlir-opt` over a tree of .mlir files.

  acceptance.py truth MLIR_OPT TESTS OUT.jsonl         asks mlir-opt once: a line of JSON for each piece of a file
  acceptance.py compare ODSMITH TESTS TRUTH.jsonl      compares; options go on to odsmith: --mlir=22 --exclude PATTERN
  acceptance.py inputs DIR RELEASE                     gets MLIR's own tests of a release, from Debian's source package

A piece is the text between two comments `// -----`. `truth` knows whether mlir-opt accepts it without any pass, the first
error otherwise, and the place, form and nesting of each operation.

`compare` counts accepted pieces with an error, operations that are found at their place, and refused pieces whose cause
follows from definitions and that have an error on the right line.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

from pieces import MARK

OPERATION = re.compile(r'^\s*(?:%[^=]*= )?"([\w.$-]+)"\(')
LOCATION = re.compile(r" loc\((#loc\d*|unknown|.*)\)$")
ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)\s*$")
PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')

# Messages whose cause follows from definitions, the builtin dialect or the grammar, by a part of the text.
FROM_DEFINITIONS = [
    r"^expected ('[^']{1,12}'( or '[^']{1,12}')?( (in|after|to|at|followed|following|before|closing) [a-zA-Z ]*)?$|operation name in quotes|non-function type|attribute (value|name)|SSA operand|block name|function type|string$|(integer|floating point) literal|constant integer|element literal|affine|bare identifier$|distinct|location|three consecutive|unsigned integer)",
    r"integer constant out of range", r"^unexpected", r"^undefined symbol alias", r"redefinition of", r"^invalid (SSA|element|memref|tensor)",
    r"operand #\d+ must be", r"result #\d+ must be", r"failed to verify that", r"failed to satisfy constraint",
    r"requires attribute '", r"requires the same (shape|type|element type|rank|encoding)", r"expects parent op", r"expected \d+( or more)? (operands|results|regions)",
    r"requires (one|zero|\d+) (region|operand|result)s?", r"expected operation name in quotes", r"use of value '.*' expects different type",
    r"does not dominate this use", r"use of undeclared SSA value", r"region entry argument", r"empty block: expect at least a terminator",
    r"custom op '.*' is unknown", r"[Dd]ialect `?'?.*not found|is unknown", r"expects region #\d+ to have", r"region #\d+ .*failed to verify constraint",
    r"should have no arguments", r"number of operands and types do not match", r"invalid kind of (type|attribute) specified",
    r"elements literal", r"must be followed by|expects regions to end with|terminator", r"duplicate key", r"out of range for",
]
FROM_DEFINITIONS = re.compile("|".join(FROM_DEFINITIONS))


def operations(text, name, lines):
    """Returns name, line, column, form and nesting of the operations in the generic text of a piece."""
    alias = dict(m.groups() for m in map(ALIAS.match, text.split("\n")) if m)
    found, open_ = [], []
    for line in text.split("\n"):
        operation, location = OPERATION.match(line), LOCATION.search(line)
        if operation:
            if not location:
                open_.append(len(found))
            found.append([operation[1], location and location[1], len(open_) - (not location)])
        elif location and open_ and line.lstrip().startswith("})"):
            found[open_.pop()][1] = location[1]
    out = []
    for operation, location, depth in found:
        place = PLACE.fullmatch(alias.get(location, location or ""))
        if not place or place[1] != name or not 0 < int(place[2]) <= len(lines):
            continue
        line, column = int(place[2]), int(place[3])
        rest = lines[line - 1][column - 1:]
        word = re.match(rb"[A-Za-z_][\w$.]*", rest)
        if rest.startswith(b'"' + operation.encode() + b'"'):
            form = "generic"
        elif word and (word[0].decode() == operation or operation.endswith("." + word[0].decode())):
            form = "custom"
        else:
            continue
        out.append([operation, line, column, form, depth])
    return out


def truth(options):
    files = sorted(str(p.relative_to(options.tests)) for p in pathlib.Path(options.tests).rglob("*.mlir"))
    counts = collections.Counter()
    with open(options.out, "w", encoding="utf-8") as out:
        for name in files:
            source = (pathlib.Path(options.tests) / name).read_bytes()
            lines = source.split(b"\n")
            begins = [1] + [source.count(b"\n", 0, m.start()) + 1 for m in re.finditer(rb"// -----", source)]
            flags = ["--split-input-file", "--output-split-marker=" + MARK, "--allow-unregistered-dialect",
                     "--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-disable-threading", name]
            try:
                done = subprocess.run([options.opt, *flags], cwd=options.tests, capture_output=True, timeout=120, check=False)
            except subprocess.TimeoutExpired:
                print("no answer in time:", name)
                continue
            texts = done.stdout.decode("utf8", "replace").split(MARK + "\n")
            errors = {}
            for m in re.finditer(r"^(\S[^\n]*?):(\d+):(\d+): error: (.*)$", done.stderr.decode("utf8", "replace"), re.M):
                if m[1] == name:
                    piece = sum(begin <= int(m[2]) for begin in begins) - 1
                    errors.setdefault(piece, {"line": int(m[2]), "column": int(m[3]), "text": m[4]})
            for piece, begin in enumerate(begins):
                is_accepted = piece < len(texts) and texts[piece].strip() != ""
                counts["accepted" if is_accepted else "refused"] += 1
                out.write(json.dumps({
                    "file": name, "piece": piece, "line": begin, "accepted": is_accepted,
                    "error": None if is_accepted else errors.get(piece),
                    "ops": operations(texts[piece], name, lines) if is_accepted else [],
                }) + "\n")
    print(dict(counts))


def ours(options, *arguments):
    """Returns the output of a command of odsmith."""
    done = subprocess.run([options.odsmith, *arguments, *options.rest], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode("utf8", "replace"))
    return done.stdout.decode("utf8", "replace")


def is_of_marker(options, piece):
    """Returns true if the error is the rest of a line of dashes: `// ------- //` is a marker for mlir-opt, and no comment."""
    lines = (pathlib.Path(options.tests) / piece["file"]).read_bytes().split(b"\n")
    line = lines[piece["error"]["line"] - 1].strip()
    return line.startswith(b"// -----") and line != b"// -----"


def compare(options):
    pieces = [json.loads(line) for line in open(options.truth, encoding="utf-8")]
    if options.only:
        pieces = [piece for piece in pieces if options.only in piece["file"]]
    begins = collections.defaultdict(list)
    for piece in pieces:
        begins[piece["file"]].append(piece["line"])
    found = collections.defaultdict(list)
    base = pathlib.Path(options.tests).resolve()
    for finding in json.loads(ours(options, "check", "--ir", "--output-format", "json", options.tests) or "[]"):
        path = finding.get("file")
        if not path:
            continue
        path = os.path.relpath(os.path.realpath(path), base)
        line = finding["range"]["start"]["line"]
        piece = sum(begin <= line for begin in begins.get(path, [])) - 1
        found[path, piece].append((line, finding["message"]))
    false, right, same, of, missed, extra = [], 0, 0, 0, collections.defaultdict(list), 0
    for piece in pieces:
        own = found.get((piece["file"], piece["piece"]), [])
        if piece["accepted"]:
            if own:
                false.append((piece["file"], *own[0]))
            continue
        error = piece["error"]
        if not error or not FROM_DEFINITIONS.search(error["text"]) or is_of_marker(options, piece):
            continue
        of += 1
        is_right = any(line == error["line"] for line, _ in own)
        right += is_right
        same += any(line == error["line"] and message == error["text"] for line, message in own)
        if not is_right:
            pattern = re.sub(r"'[^']*'", "'_'", re.sub(r"\d+", "N", error["text"]))[:100]
            missed[pattern].append(f"{piece['file']}:{error['line']} {error['text'][:120]} | ours: {own[0] if own else '-'}")
        extra += bool(own) and not is_right
    accepted = sum(piece["accepted"] for piece in pieces)
    print(f"accepted pieces with an error: {len(false)} of {accepted} ({100 * len(false) / max(accepted, 1):.2f} %)")
    print(f"refused pieces, from definitions: {right} of {of} on the right line ({100 * right / max(of, 1):.1f} %), {same} with the same message; {extra} on another line")
    if options.list:
        for row in false[:options.list]:
            print("  false:", *row)
        for text, rows in sorted(missed.items(), key=lambda it: -len(it[1]))[:options.list]:
            print(f"  missed {len(rows):4}:", text)
            for row in rows[:options.examples]:
                print("         ", row)
    if options.operations:
        compare_operations(options, pieces)
    limit = options.most_false
    return 1 if limit is not None and 100 * len(false) > limit * accepted else 0


def compare_operations(options, pieces):
    """Compares the operations of the accepted pieces: the same name and form at the same place."""
    by_file = collections.defaultdict(list)
    for piece in pieces:
        by_file[piece["file"]].append(piece)
    all_, same, form = 0, 0, 0
    names = collections.Counter()
    base = pathlib.Path(options.tests).resolve()
    places = collections.defaultdict(dict)
    for row in map(json.loads, ours(options, "ir", "--operations", options.tests).splitlines()):
        path = os.path.relpath(os.path.realpath(row["file"]), base)
        places[path][row["line"], row["column"]] = row
    for name, parts in by_file.items():
        wanted = [tuple(op) for part in parts for op in part["ops"] if op[3] != "implicit"]
        if not wanted:
            continue
        known = places[name]
        for op, line, column, kind, _ in wanted:
            row = known.get((line, column))
            all_ += 1
            is_same = bool(row) and row["name"] == op
            same += is_same
            form += is_same and (row["form"] == kind or row["form"] == "opaque" and kind == "custom")
            if not is_same:
                names[op] += 1
    print(f"operations: {same} of {all_} at their place with their name ({100 * same / max(all_, 1):.2f} %), {form} with their form")
    for name, count in names.most_common(options.list or 0):
        print(f"  not found {count:4}: {name}")


INPUTS = r"""
set -euo pipefail; n=$2; mkdir -p "$1/lists/partial" "$1/archives/partial"; cd "$1"
mirror=$(grep -rhoE '(https?|file|mirror\+file):[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true)
mirror=${DEBIAN_MIRROR:-${mirror:-http://deb.debian.org/debian}}
for suite in trixie sid experimental; do echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"; done > sources.list
apt=(-o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/lists" -o Dir::Cache::archives="$PWD/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
package=llvm-toolchain-$n; [ "$n" = 24 ] && package=llvm-toolchain-snapshot
ls ./*.orig.tar.xz >/dev/null 2>&1 || { apt-get "${apt[@]}" -q update >/dev/null; apt-get "${apt[@]}" -q source --download-only "$package" || true; }
mkdir -p src; tar xJf ./*.orig.tar.xz -C src --strip-components=1 --wildcards '*/mlir/test/*'
find src \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -delete
"""


def inputs(options):
    return subprocess.run(["bash", "-c", INPUTS, "inputs", options.folder, options.release], check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("truth")
    one.add_argument("opt"), one.add_argument("tests"), one.add_argument("out")
    one.set_defaults(run=truth)
    one = commands.add_parser("compare")
    one.add_argument("odsmith"), one.add_argument("tests"), one.add_argument("truth")
    one.add_argument("--only", default="", help="a part of the paths")
    one.add_argument("--list", type=int, default=0, help="the number of differences to list")
    one.add_argument("--examples", type=int, default=0, help="the number of examples of each")
    one.add_argument("--operations", action="store_true", help="compare the operations too")
    one.add_argument("--most-false", type=float, help="fail above this percentage of accepted pieces with an error")
    one.set_defaults(run=compare)
    one = commands.add_parser("inputs")
    one.add_argument("folder"), one.add_argument("release")
    one.set_defaults(run=inputs)
    options, options.rest = (lambda parsed: (parsed[0], parsed[1]))(parser.parse_known_args())
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
