#!/usr/bin/env python3
"""Times the site of all of MLIR's dialects, from records to finished files. Fails above the budget for two cores.

    cargo build --release --package odsmith --example timed && python3 tests/site/speed.py --library DIR --out DIR

Where a file system in memory has the room, files go there: what is timed is the program and the kernel, not a disk that is
busy with what stood on it before. The first runs to DIR are timed too, and told.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS, CORES = 1.5, 2
RUNS = 20
MEMORY = pathlib.Path("/dev/shm")
# What one run leaves behind, with room for everything else.
ROOM = 2 << 30


def in_memory():
    """Whether there is a file system in memory that has the room."""
    mounts = [line.split()[1:3] for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
    if [str(MEMORY), "tmpfs"] not in mounts or not os.access(MEMORY, os.W_OK):
        return False
    room = os.statvfs(MEMORY)
    available = int(re.search(r"MemAvailable: +(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]) << 10
    return min(room.f_bavail * room.f_frsize, available) > ROOM


def timed(options, out, *runs):
    """What the program says of some runs, and the best of them in seconds."""
    done = subprocess.run(
        [pathlib.Path(options.timed).resolve(), options.library, out, *runs], text=True, capture_output=True, check=True
    )
    return done.stdout.rstrip(), float(re.search(r"threads: ([\d.]+) s", done.stdout)[1])


def stolen():
    """The time so far that others took from this machine's processors, and all of their time."""
    times = [int(number) for number in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return times[7], sum(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="MLIR's include folder")
    parser.add_argument("--out", required=True, help="where the files go")
    parser.add_argument("--timed", default="target/release/examples/timed")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    before = stolen()
    if in_memory():
        said, disk = timed(options, options.out, "2")
        with tempfile.TemporaryDirectory(prefix="odsmith-speed-", dir=MEMORY) as folder:
            said, seconds = timed(options, folder, str(RUNS), "remove")
        print(said)
        print(f"to {options.out}, the better of 2 runs: {disk:.3f} s; the budget is for files in memory")
    else:
        said, seconds = timed(options, options.out, str(RUNS))
        print(said)
    lost, all_of_it = (now - then for now, then in zip(stolen(), before))
    print(f"from records to files, the best of {RUNS} runs: {seconds:.3f} s of {SECONDS} s on {cores} cores")
    print(f"meanwhile others had {100 * lost // max(all_of_it, 1)} % of the processors; load {os.getloadavg()[0]:.1f}")
    if cores < CORES:
        sys.exit(f"the budget is for {CORES} cores")
    sys.exit(1 if seconds > SECONDS else 0)


if __name__ == "__main__":
    main()
