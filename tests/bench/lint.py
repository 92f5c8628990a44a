#!/usr/bin/env python3
"""Times `odsmith lint` over MLIR's own definitions against `odsmith check` of the same files, in turns.

    lint.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include

The ratio is that of the medians. With --max, the status is 1 if it is above for the default rules.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def seconds(command):
    started = time.perf_counter()
    finished = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # Files that are only parts of others cannot be read on their own: the status is 1 or 3.
    if finished.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)} ends with status {finished.returncode}:\n{finished.stderr.decode()[:2000]}")
    return time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("-n", "--times", type=int, default=9)
    parser.add_argument("--max", type=float)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        for path in (arguments.library / "mlir").rglob("*.td"):
            copy = pathlib.Path(home) / path.relative_to(arguments.library)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        rest = [home, "--library", f"22={arguments.library}"]
        commands = {
            "check": [arguments.odsmith, "check", *rest],
            "lint": [arguments.odsmith, "lint", "--fail-on", "never", *rest],
            "lint, all rules": [arguments.odsmith, "lint", "--fail-on", "never", "--level", "all", *rest],
        }
        times = {name: [] for name in commands}
        for _ in range(arguments.times):
            for name, command in commands.items():
                times[name].append(seconds(command))
    medians = {name: statistics.median(all) for name, all in times.items()}
    for name, median in medians.items():
        print(f"{name:16} {median * 1000:7.0f} ms   {median / medians['check']:.2f} of check")
    return 1 if arguments.max and medians["lint"] > arguments.max * medians["check"] else 0


if __name__ == "__main__":
    sys.exit(main())
