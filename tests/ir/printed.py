#!/usr/bin/env python3
"""Checks texts that mlir-opt itself prints: of each of MLIR's own tests, in custom form, with and without locations.

  printed.py ODSMITH TESTS TRUTH.jsonl --opt MLIR_OPT [--work DIR] [--list N]

TESTS and TRUTH.jsonl are those of acceptance.py. mlir-opt prints some forms that no test has in its source. An error of
odsmith in a piece that mlir-opt reads again is false; one such piece makes the program fail.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from pieces import SPLIT, arguments, ask, gather

FORMS = {"plain": [], "located": ["--mlir-print-debuginfo"]}


def printed(opt, text, flags):
    command = [opt, "--split-input-file", "--allow-unregistered-dialect", "--mlir-disable-threading", *flags, "-"]
    try:
        return subprocess.run(command, input=text.encode(), capture_output=True, timeout=300, check=False).stdout
    except subprocess.TimeoutExpired:
        return b""


def main():
    parser = arguments(__doc__, "printed")
    parser.add_argument("--opt", required=True, help="mlir-opt of the release")
    options, rest = parser.parse_known_args()
    texts, false = gather(options), 0
    for form, flags in FORMS.items():
        folder = pathlib.Path(options.work + "." + form)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, text in zip(texts, pool.map(lambda name: printed(options.opt, texts[name], flags), texts)):
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text)
        done = subprocess.run([options.odsmith, "check", "--ir", "--output-format", "json", str(folder), *rest], capture_output=True, check=False)
        if not done.stdout:
            sys.exit(done.stderr.decode())
        found = collections.defaultdict(list)
        for finding in json.loads(done.stdout):
            name = os.path.relpath(os.path.realpath(finding["file"]), folder.resolve())
            found[name].append((finding["range"]["start"]["line"], finding["message"]))
        own = []
        for name, findings in found.items():
            text = (folder / name).read_text()
            begins = [at for at, line in enumerate(text.split("\n"), 1) if line.startswith(SPLIT)]
            read = ask(options.opt, text)[0] or []
            for line, message in findings:
                piece = sum(begin < line for begin in begins)
                if piece < len(read) and read[piece].strip():
                    own.append((name, line, message))
        pieces = sum(text.count(SPLIT + "\n") + 1 for text in texts.values())
        print(f"{form}: {len(own)} false errors in {pieces} pieces")
        for row in own[:options.list]:
            print("  false:", folder / row[0], *row[1:])
        false += len(own)
    sys.exit(1 if false else 0)


if __name__ == "__main__":
    main()
