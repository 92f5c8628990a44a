#!/usr/bin/env python3
"""MLIR's own build in one job, against the same build as one mlir-tblgen process per output.

mlir-build.tsv lists the outputs as MLIR installs them, with the input and the flags of each. The script bundles MLIR's .td
files and a manifest with one target per input, runs `odsmith generate`, and compares every output with the installed file:
a difference is an error. Two jobs are timed: one without earlier states, and one that finds all outputs. With --max and
--max-again, the status is 1 if the ratio of their wall times is above.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TABLE = pathlib.Path(__file__).with_name("mlir-build.tsv")


def rows():
    """The output, the input and the flags of every line."""
    lines = TABLE.read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def write_bundle(folder, library):
    """Writes MLIR's .td files, the LLVM files that they include, and the manifest."""
    for top in ("mlir", "llvm"):
        for path in (library / top).rglob("*.td"):
            copy = folder / path.relative_to(library)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    targets = {}
    for output, root, flags in rows():
        targets.setdefault(root, []).append((output, flags.split()))
    # The outputs of the 632 processes, without the model and the reference site.
    lines = ["schema = 1", 'mlir = "22"', 'includes = ["."]', "model = false", "[docs]", "enabled = false"]
    for root, outputs in targets.items():
        lines += ["", "[[target]]", f'td = "{root}"', f'includes = ["{os.path.dirname(root)}"]', "outputs = ["]
        for output, flags in outputs:
            quoted = ", ".join(f'"{flag}"' for flag in flags)
            lines.append(f'  {{ path = "{output}", flags = [{quoted}] }},')
        lines.append("]")
    (folder / "odsmith.toml").write_text("\n".join(lines) + "\n")
    return len(targets)


def timed(command, states="off"):
    environment = {**os.environ, "ODSMITH_CACHE": str(states)}
    started = time.perf_counter()
    finished = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
    )
    return time.perf_counter() - started, finished


def one_job(odsmith, bundle, out, library, states="off"):
    seconds, finished = timed([odsmith, "generate", bundle, "-o", out, "--library", f"22={library}"], states)
    if finished.returncode != 0:
        sys.exit(f"odsmith generate ends with status {finished.returncode}:\n{finished.stderr.decode()[:2000]}")
    return seconds


def one_process_each(reference, library, scratch):
    seconds = 0.0
    for _, root, flags in rows():
        path = library / root
        command = [reference / "mlir-tblgen", *flags.split(), "-I", library, "-I", path.parent, path, "-o", scratch]
        seconds += timed(command)[0]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True, type=pathlib.Path)
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="the folder with mlir-tblgen")
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("-n", type=int, default=3, help="pairs")
    parser.add_argument("--max", type=float)
    parser.add_argument("--max-again", type=float)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bundle = folder / "bundle"
        bundle.mkdir()
        roots = write_bundle(bundle, options.library)
        # The first job records its inputs, the second stores its outputs, the third finds them.
        states = folder / "states"
        for out in (folder / "first", folder / "second", folder / "third"):
            one_job(options.odsmith, bundle, out, options.library, states)
            different = [
                output
                for output, _, _ in rows()
                if not (out / "cpp" / output).is_file()
                or (out / "cpp" / output).read_bytes() != (options.library / output).read_bytes()
            ]
            if different:
                sys.exit(f"{out.name}: {len(different)} outputs differ from the installed files: {' '.join(different[:5])}")
        total = len(rows())
        print(f"{total} of {total} outputs of {roots} inputs have the installed file's bytes")
        rounds = []
        for number in range(options.n):
            # A new folder, as file systems are slow to reuse space that was just freed.
            alone = one_job(options.odsmith, bundle, folder / f"alone-{number}", options.library)
            again = one_job(options.odsmith, bundle, folder / f"again-{number}", options.library, states)
            rounds.append((alone, again, one_process_each(options.reference, options.library, folder / "scratch")))
        theirs = statistics.median(row[2] for row in rounds)
        print(f"{total} processes {1e3 * theirs:.0f} ms")
        is_slow = False
        for side, what, most in ((0, "one job", options.max), (1, "the same job again", options.max_again)):
            ours = statistics.median(row[side] for row in rounds)
            ratio = statistics.median(row[side] / row[2] for row in rounds)
            print(f"{what} {1e3 * ours:.0f} ms: × {ratio:.3f} (1/{1 / ratio:.0f})")
            is_slow |= most is not None and ratio > most
        sys.exit(int(is_slow))


if __name__ == "__main__":
    main()
