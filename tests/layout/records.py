"""Compares the records of every .td file below include folders before and after `odsmith fmt`, in all of the tree at once.

    python3 tests/layout/records.py --odsmith target/debug/odsmith [--tool mlir-tblgen] [--strict] [--every N] INCLUDE...

Each folder is copied and laid out; then each file of both is read. `odsmith tblgen` prints the records with --dump-json, and they must
be the same without places. A tool that is named (mlir-tblgen of any release, llvm-tblgen) prints them with --print-records, which has no
places. Messages must be the same without the numbers of lines. Prints the files that differ.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def answer(command, folder, path):
    run = subprocess.run([*command, "-I", folder, folder / path], capture_output=True)
    if run.returncode != 0:
        # The first line has the message; a layout moves it to another line and column.
        first = run.stderr.decode(errors="replace").split("\n")[0].replace(str(folder), "")
        return run.returncode, re.sub(r":\d+:(\d+:)?", ":", first)
    if "--dump-json" not in command:
        return 0, run.stdout.replace(bytes(folder), b"")
    records = json.loads(run.stdout)
    for record in records.values():
        if isinstance(record, dict):
            record.pop("!locs", None)
    return 0, records


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", required=True, type=Path)
    parser.add_argument("--tool", type=Path)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    command = [options.tool.resolve(), "--print-records"] if options.tool else [options.odsmith.resolve(), "tblgen", "--dump-json"]
    differing = count = read = 0
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="odsmith-records-") as work:
            new = Path(work).resolve() / "include"
            paths = [path.relative_to(folder) for path in sorted(folder.rglob("*.td"))]
            others = [path.relative_to(folder) for path in sorted(folder.rglob("*.inc"))]
            for path in [*paths, *others]:
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / path, new / path)
            words = ["--strict"] if options.strict else []
            # Files that are named are laid out even if they are generated.
            named = [new / path for path in paths]
            for start in range(0, len(named), 200):
                subprocess.run([options.odsmith.resolve(), "fmt", *words, *named[start : start + 200]], capture_output=True, cwd=work)
            paths = paths[:: options.every]
            with ThreadPoolExecutor(options.jobs) as pool:
                before = pool.map(lambda path: answer(command, folder.resolve(), path), paths)
                after = pool.map(lambda path: answer(command, new, path), paths)
                for path, old, laid_out in zip(paths, before, after):
                    count += 1
                    read += old[0] == 0
                    if old != laid_out:
                        differing += 1
                        print(f"{folder}/{path}: {old[0]} {laid_out[0]} {'' if old[0] == 0 else old[1]}")
    print(f"{count} files, {read} of them with records, {differing} differ")
    sys.exit(differing > 0 or read == 0)


main()
