"""Reads what mlir-opt prints by definitions for xDSL that `odsmith plugin new --example xdsl` makes.

    python3 tests/plugins/xdsl_reads.py --odsmith target/debug/odsmith --programs FILE [--tests DIR] [--prefix /usr/lib/llvm-22] [--least 2400]

`xdsl` must be installed (`pip install xdsl`). FILE has programs in generic form, one for each operation and more:

    ODSMITH_PROGRAMS=FILE cargo test -p odsmith-tests --test all programs_for_other_readers

DIR has MLIR's own tests (`tests/ir/acceptance.py inputs`): mlir-opt prints each piece of a file in generic form, and the smallest pieces
with each operation are read too. Pieces with operations or dialects that the installed definitions do not have are left out.

An operation counts if xDSL reads and verifies all of its programs in FILE, or a piece with it if FILE has none, with the class that was made
for it. Nothing is allowed to be unregistered: types and attributes are read by their classes too.
"""

import argparse
import importlib.util
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


MARK = "// -----<piece>-----"
OPERATION = re.compile(r'"([\w$.-]+)"\([%)]')
DIALECT = re.compile(r"[!#]([A-Za-z_]\w*)[.<]")
# The seconds that xDSL may read one program.
PATIENCE = 10


def definitions(options, folder):
    """The classes of all operations by their names, and those of all types and attributes."""
    kit = folder / "kit"
    odsmith, include = options.odsmith.resolve(), Path(options.prefix, "include")
    subprocess.run([odsmith, "-q", "plugin", "new", "xdsl", "--example", "xdsl", "-o", kit], check=True)
    files = sorted(include.glob("mlir/**/*.td"))

    def make(pair):
        number, td = pair
        out = folder / f"dialects_{number}.py"
        made = subprocess.run([odsmith, "tblgen", "--plugin", kit / "generator.py", "-gen-xdsl", "-I", include, "-I", td.parent, td, "-o", out], capture_output=True)
        if made.returncode:
            lines = made.stderr.decode("utf8", "replace").strip().splitlines()
            print(f"left out: {td}: {lines[0] if lines else f'status {made.returncode}'}", file=sys.stderr)
            return None
        return out

    with ThreadPoolExecutor(2) as pool:
        modules = [out for out in pool.map(make, enumerate(files)) if out]
    classes, attributes = {}, {}
    for path in modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for dialect in module.DIALECTS:
            for op in dialect.operations:
                classes.setdefault(op.name, op)
            for attribute in dialect.attributes:
                attributes.setdefault((attribute.name, issubclass(attribute, module.TypeAttribute)), attribute)
    return classes, list(attributes.values())


def pieces(options, classes, attributes):
    """The smallest pieces of MLIR's tests with each operation, as mlir-opt prints them."""
    opt, flags = Path(options.prefix, "bin/mlir-opt"), ["--split-input-file", "--output-split-marker=" + MARK, "--mlir-print-op-generic", "--allow-unregistered-dialect"]

    def printed(path):
        try:
            done = subprocess.run([opt, *flags, path], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return []
        return [text for text in done.stdout.decode("utf8", "replace").split(MARK + "\n") if text.strip()]

    dialects = {name.split(".")[0] for name in [*classes, *(attribute.name for attribute in attributes)]} | {"builtin"}
    with ThreadPoolExecutor(2) as pool:
        texts = [text for found in pool.map(printed, sorted(options.tests.rglob("*.mlir"))) for text in found]
    counts, chosen = dict.fromkeys(classes, 0), []
    for text in sorted(texts, key=len):
        operations = set(OPERATION.findall(text)) - {"builtin.module", "builtin.unrealized_conversion_cast"}
        # An alias for a type or attribute has no point after its name.
        if not operations <= classes.keys() or not set(DIALECT.findall(text)) <= dialects:
            continue
        if any(counts[name] < options.pieces for name in operations):
            chosen.append((operations, text))
            for name in operations:
                counts[name] += 1
    return chosen


def reader(context):
    """A function that reads a program and returns its operations."""
    from xdsl.parser import Parser

    def late(*_):
        raise TimeoutError(f"xDSL needs more than {PATIENCE} seconds")

    def read(text):
        signal.alarm(PATIENCE)
        try:
            module = Parser(context, text).parse_module()
            module.verify()
            return list(module.walk())
        finally:
            signal.alarm(0)

    signal.signal(signal.SIGALRM, late)
    return read


def reason(error):
    lines = str(error).strip().splitlines()
    return lines[-1].strip()[:200] if lines else repr(error)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--prefix", default="/usr/lib/llvm-22")
    parser.add_argument("--tests", type=Path)
    parser.add_argument("--pieces", type=int, default=1, help="read this many pieces of the tests for each operation")
    parser.add_argument("--least", type=int, default=2400)
    parser.add_argument("--show", type=int, default=0, help="show this many reasons")
    options = parser.parse_args()
    from xdsl.context import Context
    from xdsl.dialects.builtin import Builtin

    with tempfile.TemporaryDirectory() as folder:
        classes, attributes = definitions(options, Path(folder))
    context = Context()
    context.load_dialect(Builtin)
    for op in classes.values():
        context.load_op(op)
    for attribute in attributes:
        context.load_attr_or_type(attribute)
    read, good, bad = reader(context), set(), {}
    for program in options.programs.read_text().split("// -----\n")[1:]:
        head, text = program.split("\n", 1)
        name = head.split()[1]
        if name.startswith("builtin."):
            continue
        try:
            if not any(isinstance(op, classes[name]) for op in read(text)):
                raise ValueError("the operation is not read by its class")
            good.add(name)
        except Exception as error:
            bad.setdefault(name, reason(error))
    print(f"xDSL reads {len(good - bad.keys())} of {len(good | bad.keys())} operations in programs of their own")
    if options.tests:
        chosen, failed, unread = pieces(options, classes, attributes), [], {}
        for operations, text in chosen:
            try:
                good.update(op.name for op in read(text) if isinstance(op, classes.get(op.name, ())))
            except Exception as error:
                failed.append(reason(error))
                for name in operations:
                    unread.setdefault(name, failed[-1])
        print(f"and {len(chosen) - len(failed)} of {len(chosen)} pieces of MLIR's tests")
        bad |= {name: why for name, why in unread.items() if name not in good | bad.keys()}
    for name, why in sorted(bad.items())[: options.show]:
        print(f"{name}: {why}")
    print(f"xDSL reads {len(good - bad.keys())} of {len(classes)} operations of MLIR 22, with {len(attributes)} types and attributes")
    sys.exit(len(good - bad.keys()) < options.least)


if __name__ == "__main__":
    main()
