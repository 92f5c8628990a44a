"""Reads what mlir-opt prints by definitions for xDSL that `odsmith plugin new --example xdsl` makes.

    python3 tests/plugins/xdsl_reads.py --odsmith target/debug/odsmith --programs FILE [--prefix /usr/lib/llvm-22] [--least 2400]

`xdsl` must be installed (`pip install xdsl`). FILE has programs in generic form, one for each operation and more:

    ODSMITH_PROGRAMS=FILE cargo test -p odsmith-tests --test all programs_for_other_readers

An operation counts if xDSL reads each of its programs with the class that was made for it, and verifies it.
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def definitions(options, folder):
    """The classes of all operations, by the names of operations."""
    kit = folder / "kit"
    odsmith, include = options.odsmith.resolve(), Path(options.prefix, "include")
    subprocess.run([odsmith, "-q", "plugin", "new", "xdsl", "--example", "xdsl", "-o", kit], check=True)
    files = sorted(include.glob("mlir/**/*.td"))

    def make(pair):
        number, td = pair
        out = folder / f"dialects_{number}.py"
        made = subprocess.run([odsmith, "tblgen", "--plugin", kit / "generator.py", "-gen-xdsl", "-I", include, td, "-o", out], capture_output=True)
        return out if made.returncode == 0 else None

    with ThreadPoolExecutor(2) as pool:
        modules = [out for out in pool.map(make, enumerate(files)) if out]
    classes = {}
    for path in modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for dialect in module.DIALECTS:
            for op in dialect.operations:
                classes.setdefault(op.name, op)
    return classes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--prefix", default="/usr/lib/llvm-22")
    parser.add_argument("--least", type=int, default=2400)
    parser.add_argument("--show", type=int, default=0, help="show this many reasons")
    options = parser.parse_args()
    from xdsl.context import Context
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser

    with tempfile.TemporaryDirectory() as folder:
        classes = definitions(options, Path(folder))
    own = {op.name for op in Builtin.operations}
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    for name, op in classes.items():
        if name not in own:
            context.load_op(op)
    good, bad = set(), {}
    for program in options.programs.read_text().split("// -----\n")[1:]:
        head, text = program.split("\n", 1)
        name = head.split()[1]
        try:
            module = Parser(context, text).parse_module()
            module.verify()
            found = [op for op in module.walk() if op.name == name]
            if not found or not all(isinstance(op, classes[name]) for op in found if name not in own):
                raise ValueError("the operation is not read by its class")
            good.add(name)
        except Exception as error:
            bad.setdefault(name, str(error).strip().splitlines()[-1][:200] if str(error).strip() else repr(error))
    read = good - bad.keys()
    for name, reason in sorted(bad.items())[: options.show]:
        print(f"{name}: {reason}")
    print(f"xDSL reads {len(read)} of {len(good | bad.keys())} operations of MLIR 22; {len(classes)} classes")
    sys.exit(len(read) < options.least)


if __name__ == "__main__":
    main()
