#!/usr/bin/env python3
"""Tests that MLIR's own tool accepts every piece of the examples of MLIR's operations.

    upstream.py --mlir-opt /usr/lib/llvm-22/bin/mlir-opt [--files site/witness/mlir]

Each piece is a whole program. The release of the tool must be the one that the site names; unregistered dialects are not
allowed. A piece that is refused is an error.
"""

import argparse
import pathlib
import re
import subprocess
import sys

SPLIT = "// -----\n"
HOUSE = pathlib.Path(__file__).parents[2]


def refused(opt, text):
    """Returns the first error for a program, or None."""
    done = subprocess.run([opt, "-o", "/dev/null", "-"], input=text, text=True, capture_output=True, check=False)
    return (done.stderr.strip().splitlines() or ["no message"])[0] if done.returncode else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlir-opt", required=True)
    parser.add_argument("--files", type=pathlib.Path, default=HOUSE / "site/witness/mlir")
    options = parser.parse_args()
    named = re.search(r'ACCEPTED_BY: &str = "mlir-opt (\d+)"', (HOUSE / "site/witness/src/upstream.rs").read_text())[1]
    version = subprocess.run([options.mlir_opt, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"version (\d+)", version)[1]
    if release != named:
        sys.exit(f"the pages name mlir-opt {named}, and this is {release}")
    pieces = faults = 0
    for path in sorted(options.files.glob("*.mlir")):
        line = 1
        for piece in path.read_text().split(SPLIT):
            pieces += 1
            error = refused(options.mlir_opt, piece)
            if error:
                faults += 1
                print(f"{path.name}: the piece in line {line}: {error}")
            line += piece.count("\n") + 1
    if not pieces:
        sys.exit(f"{options.files} has no examples")
    print(f"{pieces} examples of MLIR's operations, {faults} refused by mlir-opt {release}")
    sys.exit(1 if faults else 0)


main()
