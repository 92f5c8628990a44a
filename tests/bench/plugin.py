"""Measures a WebAssembly plugin beside a generator of odsmith, over as many operations.

    python3 tests/bench/plugin.py --odsmith target/release/odsmith --module names.wasm [--program names] [--operations 1000] [--rounds 7]

The module is one that `odsmith plugin new` writes, in Rust or C; the program is the same source, compiled for this machine. Their output has a
line for each operation. The module is compared with the program, with `-gen-op-doc`, whose output is of that order, and with `-gen-op-decls`,
which builds wait for.
Evaluation is a part of each call; the share without it is printed too (`--null-backend`).
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--module", type=Path, required=True)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        td = Path(folder, "ops.td")
        text = 'include "mlir/IR/OpBase.td"\ndef D : Dialect { let name = "d"; let cppNamespace = "::d"; }\n'
        for number in range(options.operations):
            text += f'def D_Op{number} : Op<D, "op{number}"> {{\n  let summary = "the operation {number}";\n'
            text += "  let arguments = (ins AnyType:$lhs, AnyType:$rhs, I64Attr:$count);\n  let results = (outs AnyType:$result);\n}\n"
        td.write_text(text)
        calls = {
            "evaluation": ["--null-backend"],
            "plugin": ["--plugin", str(options.module.resolve()), "-gen-x"],
            "-gen-op-doc": ["-gen-op-doc"],
            "-gen-op-decls": ["-gen-op-decls"],
        }
        if options.program:
            calls["program"] = ["--plugin", str(options.program.resolve()), "-gen-x"]
        times = {name: [] for name in calls}
        for _ in range(options.rounds):
            for name, flags in calls.items():
                start = time.monotonic()
                subprocess.run([options.odsmith.resolve(), "tblgen", *flags, td, "-o", Path(folder, "out")], check=True, env={"ODSMITH_CACHE": "off", "PATH": "/usr/bin"} | library())
                times[name].append(time.monotonic() - start)
    median = {name: statistics.median(all) for name, all in times.items()}
    for name, seconds in median.items():
        print(f"{name}: {seconds * 1000:.0f} ms")
    for name in list(calls)[2:]:
        alone = (median["plugin"] - median["evaluation"]) / max(median[name] - median["evaluation"], 0.001)
        print(f"the call with the plugin takes {median['plugin'] / median[name]:.1f} times that with {name}; without evaluation {alone:.1f} times")


def library():
    return {"ODSMITH_LIBRARY": os.environ["ODSMITH_LIBRARY"]} if "ODSMITH_LIBRARY" in os.environ else {}


if __name__ == "__main__":
    main()
