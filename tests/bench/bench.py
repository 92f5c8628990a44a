#!/usr/bin/env python3
"""Times whole processes against mlir-tblgen, in pairs: ours, theirs, ours, theirs.

Machines differ and are busy, so the ratio of a pair says more than seconds. The columns are the medians of the ratios of
wall time, CPU time and peak memory (below 1, ours is better), and of both times in milliseconds. A cell whose output
differs from the reference's is an error. No states of earlier calls are used: calls.py measures those. With --max, the
status is 1 if a median wall ratio is above.
"""
import argparse
import filecmp
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import patterns

DIALECTS = [
    ("arith", "mlir/Dialect/Arith/IR/ArithOps.td"),
    ("scf", "mlir/Dialect/SCF/IR/SCFOps.td"),
    ("vector", "mlir/Dialect/Vector/IR/VectorOps.td"),
    ("tosa", "mlir/Dialect/Tosa/IR/TosaOps.td"),
    ("spirv", "mlir/Dialect/SPIRV/IR/SPIRVOps.td"),
    ("llvm", "mlir/Dialect/LLVMIR/LLVMOps.td"),
    ("nvvm", "mlir/Dialect/LLVMIR/NVVMOps.td"),
]
ACTIONS = ["print-records", "gen-enum-decls", "gen-enum-defs", "gen-op-doc", "gen-dialect-doc", "gen-op-decls", "gen-op-defs"]
# Patterns in the file for gen-rewriters, which is generated here: MLIR's own files have a few dozen each.
PATTERNS = 1_500
# Generators that need the dialect's name if a file has several.
NAMED = {"gen-dialect-doc": "dialect"}


def environment(states):
    """The environment of a process that uses the states of earlier calls in a folder, or none."""
    return {**os.environ, "ODSMITH_CACHE": str(states)}


def once(command, states="off"):
    """Wall seconds and CPU seconds of one process, with the states of earlier calls in this folder, or none."""
    with open(os.devnull, "r+b") as null:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, env=environment(states))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    return wall, usage.ru_utime + usage.ru_stime


def peak_memory(command):
    """Peak memory in kB, sampled while the process runs: wait() would include this script's own."""
    peak = 1
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak = next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), peak)
        except OSError:
            break
    process.wait()
    return peak


def output(command, path, states="off"):
    """Runs a command with its output in a file: this process's own memory would count as its children's peak."""
    with open(path, "wb") as file:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, env=environment(states)
        )


def cells(library, scratch):
    """The name and the flags of each row."""
    for dialect, path in DIALECTS:
        for action in ACTIONS:
            flags = [f"--{action}", "-I", str(library), str(library / path)]
            if action in NAMED:
                flags.insert(1, f"--{NAMED[action]}={dialect}")
            yield f"{dialect} {action}", flags
    file = scratch / "patterns.td"
    patterns.write(file, PATTERNS)
    yield "patterns gen-rewriters", ["--gen-rewriters", "-I", str(library), str(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="the folder with mlir-tblgen")
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("-n", type=int, default=9, help="pairs")
    parser.add_argument("--max", type=float)
    parser.add_argument("--only", default="", help="only rows whose name holds this")
    options = parser.parse_args()

    os.environ["ODSMITH_CACHE"] = "off"
    print(f"{'':32}{'wall ×':>8}{'cpu ×':>8}{'memory ×':>10}{'theirs ms':>11}{'ours ms':>9}")
    worst = 0.0
    folder = tempfile.TemporaryDirectory()
    want_path, got_path = (os.path.join(folder.name, name) for name in ("theirs", "ours"))
    for name, flags in cells(options.library, pathlib.Path(folder.name)):
        if options.only not in name:
            continue
        ours = [options.odsmith, "tblgen", *flags]
        theirs = [str(options.reference / "mlir-tblgen"), *flags]
        want, got = output(theirs, want_path), output(ours, got_path)
        if want.returncode != 0:
            continue
        if got.returncode != 0:
            print(f"{name:32}  fails: {got.stderr[:80]!r}")
            worst = float("inf")
            continue
        if not filecmp.cmp(want_path, got_path, shallow=False):
            print(f"{name:32}  differs from the reference")
            worst = float("inf")
            continue
        pairs = [(once(ours), once(theirs)) for _ in range(options.n)]
        wall, cpu = (statistics.median(mine[i] / other[i] for mine, other in pairs) for i in range(2))
        memory = peak_memory(ours) / peak_memory(theirs)
        reference = 1e3 * statistics.median(other[0] for _, other in pairs)
        own = 1e3 * statistics.median(mine[0] for mine, _ in pairs)
        print(f"{name:32}{wall:8.2f}{cpu:8.2f}{memory:10.2f}{reference:11.1f}{own:9.1f}", flush=True)
        worst = max(worst, wall)
    print(f"worst median ratio of wall time: {worst:.2f}")
    if worst == float("inf") or (options.max is not None and worst > options.max):
        sys.exit(1)


if __name__ == "__main__":
    main()
