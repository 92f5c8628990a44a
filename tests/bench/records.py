#!/usr/bin/env python3
"""Times the TableGen front end alone: dumps of records, a warm library, and how it grows.

Dumps are whole processes in pairs with the reference, as in bench.py. The warm row is a run inside one process that has
the library's states already, against the reference's whole process. Growth is the exponent of time and of memory in the
number of defs, start-up taken off: 1 is linear. With --check, the status is 1 when a figure misses its goal.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from bench import once, output, peak_memory

DUMPS = [
    # name, tool, action, file, most wall time, most memory
    ("arith", "mlir-tblgen", "print-records", "mlir/Dialect/Arith/IR/ArithOps.td", 0.5, 0.8),
    ("llvm", "mlir-tblgen", "print-records", "mlir/Dialect/LLVMIR/LLVMOps.td", 0.5, 0.8),
    ("nvvm", "mlir-tblgen", "print-records", "mlir/Dialect/LLVMIR/NVVMOps.td", 0.5, 0.8),
    ("spirv", "mlir-tblgen", "print-records", "mlir/Dialect/SPIRV/IR/SPIRVOps.td", 0.5, 0.8),
    ("intrinsics", "llvm-tblgen", "print-records", "llvm/IR/Intrinsics.td", 0.5, 0.8),
    ("intrinsics", "llvm-tblgen", "dump-json", "llvm/IR/Intrinsics.td", 0.2, 0.8),
]
WARM, MOST_WARM = "mlir/Dialect/Arith/IR/ArithOps.td", 0.1
# Larger tables miss the caches more often, so that linear work measures a little above 1.
COUNTS, MOST_EXPONENT = [1_000, 3_000, 10_000, 30_000, 100_000], 1.15

HEADER = """\
class Item<int n, string label> {
  int value = n;
  string name = label # "_" # n;
  list<int> near = [!sub(n, 1), n, !add(n, 1)];
  bits<8> low = !and(n, 255);
}
"""


def dump(options, name, tool, action, path, folder):
    """Prints one row; returns the ratios of wall time and memory."""
    theirs = [str(options.reference / tool), f"--{action}", "-I", str(options.library), str(options.library / path)]
    ours = [options.odsmith, "tblgen", *theirs[1:]]
    files = [os.path.join(folder, which) for which in ("theirs", "ours")]
    for command, file in zip((theirs, ours), files):
        if output(command, file).returncode != 0:
            sys.exit(f"{name}: {command[0]} fails")
    if open(files[0], "rb").read() != open(files[1], "rb").read():
        sys.exit(f"{name} {action} differs from the reference")
    pairs = [(once(ours), once(theirs)) for _ in range(options.n)]
    wall, cpu = (statistics.median(mine[i] / other[i] for mine, other in pairs) for i in range(2))
    memory = peak_memory(ours) / peak_memory(theirs)
    milliseconds = [1e3 * statistics.median(pair[which][0] for pair in pairs) for which in (1, 0)]
    print(f"{name + ' ' + action:32}{wall:8.2f}{cpu:8.2f}{memory:10.2f}{milliseconds[0]:11.1f}{milliseconds[1]:9.1f}", flush=True)
    return wall, memory


def warm(options):
    """The ratio of a run on a warm library to the reference's process."""
    own = int(subprocess.run([options.warm, str(options.library), WARM], check=True, capture_output=True).stdout) / 1e3
    command = [str(options.reference / "mlir-tblgen"), "--print-records", "-I", str(options.library), str(options.library / WARM)]
    theirs = 1e3 * statistics.median(once(command)[0] for _ in range(options.n))
    print(f"{'arith print-records, warm':32}{own / theirs:8.2f}{'':18}{theirs:11.1f}{own:9.1f}", flush=True)
    return own / theirs


def slope(points):
    """The exponent of growth: the slope of the line through the points' logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (statistics.mean(log[i] for log in logs) for i in range(2))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def growth(options, folder):
    """The exponents of CPU time and of memory in the number of defs."""
    def measure(count):
        path = os.path.join(folder, "grows.td")
        with open(path, "w") as file:
            file.write(HEADER + "".join(f'def Item{n} : Item<{n}, "item">;\n' for n in range(count)))
        command = [options.odsmith, "tblgen", "--print-records", path]
        # Memory is sampled from outside while the process runs, so that some may be missed.
        return min(once(command)[1] for _ in range(options.n)), max(peak_memory(command) for _ in range(options.n))

    start = measure(0)
    times, sizes = [], []
    for count in COUNTS:
        time, size = measure(count)
        print(f"{f'{count} defs':32}{'':26}{'':11}{1e3 * time:9.1f}  {size / 1024:.1f} MB", flush=True)
        times.append((count, max(time - start[0], 1e-5)))
        # Smaller processes end before their memory is sampled.
        if count >= 10_000:
            sizes.append((count, max(size - start[1], 1)))
    print(f"grows with the number of defs to the power of {slope(times):.2f} in time, {slope(sizes):.2f} in memory")
    return slope(times), slope(sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--warm", required=True, help="the engine's example of that name")
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="the folder with mlir-tblgen and llvm-tblgen")
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("-n", type=int, default=9, help="pairs")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    missed = []
    print(f"{'':32}{'wall ×':>8}{'cpu ×':>8}{'memory ×':>10}{'theirs ms':>11}{'ours ms':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, tool, action, path, most_wall, most_memory in DUMPS:
            wall, memory = dump(options, name, tool, action, path, folder)
            if wall > most_wall or memory > most_memory:
                missed.append(f"{name} {action}")
        if warm(options) > MOST_WARM:
            missed.append("warm")
        if max(growth(options, folder)) > MOST_EXPONENT:
            missed.append("growth")
    print("missed: " + ", ".join(missed) if missed else "every figure meets its goal")
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()
