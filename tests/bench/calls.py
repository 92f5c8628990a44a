#!/usr/bin/env python3
"""Times calls of `odsmith tblgen` that find the states of earlier calls, in pairs with mlir-tblgen.

Columns: the same call again (its output is kept), warm calls (the same root was read before, for another output),
edited calls (the root is another, what it includes is the same), and first calls (nothing is kept yet); of those also
the ratio to a call without a folder of states. Then MLIR's own build as 632 calls one after the other, from an empty folder, again, and again without
the outputs that were kept: the ratios are those of processor time. Shown are medians of ratios; an output that differs
from the reference's is an error.
"""
import argparse
import filecmp
import itertools
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

from bench import cells, once, output
from build import rows

SMALL = [
    ("interface gen-op-interface-decls", ["--gen-op-interface-decls"], "mlir/Interfaces/InferTypeOpInterface.td"),
    ("interface gen-op-interface-defs", ["--gen-op-interface-defs"], "mlir/Interfaces/CallInterfaces.td"),
    ("dialect gen-dialect-decls", ["--gen-dialect-decls", "--dialect=arith"], "mlir/Dialect/Arith/IR/ArithBase.td"),
    ("dialect gen-dialect-defs", ["--gen-dialect-defs", "--dialect=scf"], "mlir/Dialect/SCF/IR/SCFOps.td"),
]
LARGE = ["arith", "llvm", "tosa", "spirv", "nvvm"]
ACTIONS = ["gen-op-decls", "gen-op-defs", "gen-op-doc", "print-records"]


def all_cells(library, scratch):
    for name, flags, root in SMALL:
        yield name, [*flags, "-I", str(library)], library / root
    for name, flags in cells(library, scratch):
        dialect, _, action = name.partition(" ")
        if dialect in LARGE and action in ACTIONS:
            yield name, flags[:-1], pathlib.Path(flags[-1])


def median_ratio(ours, states, theirs, pairs, before=lambda: None):
    """The median of the ratios of wall time, and our median in milliseconds; `theirs` keeps no states."""
    times = []
    for _ in range(pairs):
        before()
        times.append((once(ours, states)[0], once(theirs)[0]))
    return statistics.median(a / b for a, b in times), 1e3 * statistics.median(a for a, _ in times)


def forget_outputs(states):
    """Keeps the records of earlier calls, but not their outputs."""
    for path in states.glob("output*"):
        path.unlink()


def single_calls(options, scratch):
    print(f"{'':34}{'again ×':>8}{'warm ×':>8}{'edited ×':>10}{'first ×':>9}{'first/none':>12}{'again ms':>10}{'warm ms':>10}")
    worst = 0.0
    states, want, got = (scratch / name for name in ("states", "theirs", "ours"))
    for name, flags, root in all_cells(options.library, scratch):
        shutil.rmtree(states, ignore_errors=True)
        call, reference = (
            [*program, *flags, "-I", str(root.parent), str(root)]
            for program in ([options.odsmith, "tblgen"], [str(options.reference / "mlir-tblgen")])
        )
        for _ in range(2):
            theirs, ours = output(reference, want), output(call, got, states)
            if theirs.returncode or ours.returncode or not filecmp.cmp(want, got, shallow=False):
                sys.exit(f"{name}: differs from the reference")
        again, milliseconds_again = median_ratio(call, states, reference, options.n)
        warm, milliseconds = median_ratio(
            call, states, reference, options.n, lambda: forget_outputs(states)
        )

        # A copy elsewhere, each time with another last line; its includes stay the same.
        copy = scratch / root.name
        numbers = itertools.count()

        def edit():
            copy.write_bytes(root.read_bytes() + f"\n// edit {next(numbers)}\n".encode())

        edit()
        edited, reference_of_edited = [*call[:-1], str(copy)], [*reference[:-1], str(copy)]
        output(edited, got, states)
        changed, _ = median_ratio(edited, states, reference_of_edited, options.n, edit)

        forget = lambda: shutil.rmtree(states, ignore_errors=True)  # noqa: E731
        first, _ = median_ratio(call, states, reference, options.n, forget)
        first_to_none, _ = median_ratio(call, states, call, options.n, forget)
        print(
            f"{name:34}{again:8.2f}{warm:8.2f}{changed:10.2f}{first:9.2f}{first_to_none:12.2f}{milliseconds_again:10.1f}{milliseconds:10.1f}",
            flush=True,
        )
        worst = max(worst, again)
    print(f"worst median ratio of the same call again: {worst:.2f}")


def whole_build(options, scratch):
    states, out = scratch / "build-states", scratch / "out"

    def processor_seconds(program, states, before=lambda: None):
        seconds = 0.0
        for _, root, flags in rows():
            before()
            path = options.library / root
            words = [*program, *flags.split(), "-I", options.library, "-I", path.parent, path, "-o", out]
            seconds += once([str(word) for word in words], states)[1]
        return seconds

    theirs = processor_seconds([options.reference / "mlir-tblgen"], "off")
    ours = [options.odsmith, "tblgen"]
    for name, folder, before in (
        ("from an empty folder", states, lambda: None),
        ("again", states, lambda: None),
        ("again, no output kept", states, lambda: forget_outputs(states)),
        ("without states", "off", lambda: None),
    ):
        mine = processor_seconds(ours, folder, before)
        print(f"{len(rows())} calls, {name}: {mine:.2f} s of {theirs:.2f} s of processor time: × {mine / theirs:.2f}")
    sizes = [path.stat().st_size for path in states.iterdir()]
    print(f"the folder holds {sum(sizes) / 1e6:.0f} MB in {len(sizes)} files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="the folder with mlir-tblgen")
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("-n", type=int, default=9, help="pairs")
    parser.add_argument("--only", choices=["calls", "build"], help="one part")
    options = parser.parse_args()
    options.odsmith = os.path.abspath(options.odsmith)
    with tempfile.TemporaryDirectory() as folder:
        if options.only != "build":
            single_calls(options, pathlib.Path(folder))
        if options.only != "calls":
            whole_build(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
