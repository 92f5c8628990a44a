#!/usr/bin/env python3
"""Times the site of all of MLIR's dialects, from records to finished files, beside a copy of the same files.

    cargo build --release --package odsmith-service --example timed && python3 tests/site/speed.py --library DIR --out DIR

Fails if it takes more than twice as long as `cp -r` of what it wrote, on the same disk in the same run, and more than
1.2 s as well. Also prints both for a file system in memory, where a disk that is busy with earlier files does not count.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RATIO, SECONDS, CORES = 2, 1.2, 2
PAIRS = 3
# With more than this share of the processors stolen there are no two cores; the wait is at most this many seconds.
SHARE, PATIENCE = 0.02, 240
MEMORY = pathlib.Path("/dev/shm")


def pair(options, folder):
    """The seconds for the site and for a copy of it in a folder, and the program's own report of its parts."""
    site, copy = folder / "site", folder / "copy"
    folder.mkdir(parents=True)
    # Earlier writes would otherwise be flushed during the measurement.
    os.sync()
    done = subprocess.run([pathlib.Path(options.timed).resolve(), options.library, site, "1"], text=True, capture_output=True, check=True)
    os.sync()
    start = time.monotonic()
    subprocess.run(["cp", "-r", site, copy], check=True)
    copied = time.monotonic() - start
    return float(re.search(r"threads: ([\d.]+) s", done.stdout)[1]), copied, done.stdout.rstrip()


def measure(options, folder, where):
    """Returns whether the site is within its budget in a folder. Prints the pairs."""
    # Removed files keep a disk busy for long, so they are removed at the end.
    pairs = [pair(options, folder / str(number)) for number in range(PAIRS)]
    shutil.rmtree(folder)
    print(pairs[-1][2])
    seconds, copied = (statistics.median(found[part] for found in pairs) for part in (0, 1))
    ratio = statistics.median(made / copy for made, copy, _ in pairs)
    print(f"{where}: from records to files {seconds:.3f} s, a copy of the files {copied:.3f} s; ratio {ratio:.2f} (of pairs: "
          f"{', '.join(f'{made:.2f}/{copy:.2f}' for made, copy, _ in pairs)})")
    return ratio <= RATIO or seconds <= SECONDS


def stolen():
    """The time so far that others took from this machine's processors, and all of their time."""
    times = [int(number) for number in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return times[7], sum(times)


def wait_for_two_cores():
    """Waits a while, as long as others take some of this machine's processors. Returns the seconds."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
        before = stolen()
        time.sleep(2)
        lost, all_of_it = (now - then for now, then in zip(stolen(), before))
        if lost <= SHARE * all_of_it:
            break
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="MLIR's include folder")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="where the files go, on the disk that counts")
    parser.add_argument("--timed", default="target/release/examples/timed")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    waited = wait_for_two_cores()
    before = stolen()
    is_good = measure(options, options.out, "on the disk")
    lost, all_of_it = (now - then for now, then in zip(stolen(), before))
    print(f"waited {waited:.0f} s for processors that others had")
    print(f"meanwhile others had {100 * lost // max(all_of_it, 1)} % of the processors; load {os.getloadavg()[0]:.1f}")
    if os.path.ismount(MEMORY) and os.access(MEMORY, os.W_OK):
        with tempfile.TemporaryDirectory(prefix="odsmith-speed-", dir=MEMORY) as folder:
            measure(options, pathlib.Path(folder) / "site", "beside it, in memory")
    if cores < CORES:
        sys.exit(f"the budget is for {CORES} cores")
    sys.exit(0 if is_good else f"over the budget: {RATIO} times a copy, or {SECONDS} s")


if __name__ == "__main__":
    main()
