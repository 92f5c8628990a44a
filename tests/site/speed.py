#!/usr/bin/env python3
"""Times the site of all of MLIR's dialects, from records to finished files. Fails above the budget for two cores.

    cargo build --release --package odsmith-site --example timed && python3 tests/site/speed.py --library DIR --out DIR
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

SECONDS, CORES = 1.5, 2
RUNS = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="MLIR's include folder")
    parser.add_argument("--out", required=True, help="where the files go")
    parser.add_argument("--timed", default="target/release/examples/timed")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    done = subprocess.run(
        [pathlib.Path(options.timed).resolve(), options.library, options.out, str(RUNS)],
        text=True, capture_output=True, check=True,
    )
    print(done.stdout.rstrip())
    pages, files = map(float, re.search(r"pages ([\d.]+) s, files ([\d.]+) s", done.stdout).groups())
    load = os.getloadavg()[0]
    print(f"from records to files: {pages + files:.3f} s of {SECONDS} s on {cores} cores, load {load:.1f}")
    if cores < CORES:
        sys.exit(f"the budget is for {CORES} cores")
    sys.exit(1 if pages + files > SECONDS else 0)


if __name__ == "__main__":
    main()
