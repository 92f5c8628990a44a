#!/usr/bin/env python3
"""large.py: the reference of a project of 20,000 operations. Writes the project, builds its site and measures that.

    python3 tests/site/large.py --odsmith target/release/odsmith --library INCLUDE [--operations 20000]

The search index takes at most 150 kB compressed, the build 600 MB of memory, and no page
that lists names 80 kB compressed.
"""

import argparse
import gzip
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

VERBS = ("add sub mul div load store copy move cast pack unpack reduce scan sort map fold gather scatter insert extract "
         "transpose reshape slice concat pad clamp exp log sqrt tanh select compare wait signal alloc free yield").split()
NOUNS = ("vector matrix tensor tile block lane warp group memref buffer token event barrier counter mask index scalar "
         "constant stream queue port wire register clock signal edge node graph region frame").split()
FORMS = "fast slow wide narrow signed unsigned atomic strided masked scaled blocked packed sparse dense".split()
DIALECTS = ("alpha", "beta", "gamma", "delta")
MOST_INDEX, MOST_MEMORY, MOST_LIST = 150_000, 600 << 20, 80_000


def project(folder, operations):
    rng = random.Random(7)
    for number, dialect in enumerate(DIALECTS):
        name = dialect.capitalize()
        lines = ['include "mlir/IR/OpBase.td"', f'def {name}_Dialect : Dialect {{ let name = "{dialect}"; '
                 f'let cppNamespace = "::{dialect}"; let summary = "operations of {dialect}"; }}',
                 f"class {name}_Op<string m> : Op<{name}_Dialect, m>;"]
        seen = set()
        while len(seen) < operations // len(DIALECTS):
            verb, noun, form = rng.choice(VERBS), rng.choice(NOUNS), rng.choice(FORMS)
            mnemonic = "_".join(rng.sample((verb, noun, form), 3))
            if mnemonic in seen:
                mnemonic = f"{mnemonic}_{rng.choice(NOUNS)}"
            if mnemonic in seen:
                continue
            seen.add(mnemonic)
            lines.append(f'def {name}_{len(seen)}Op : {name}_Op<"{mnemonic}"> {{\n  let summary = "{verb} a {form} {noun}";\n'
                         f"  let arguments = (ins AnyType:$lhs, I32Attr:$width);\n  let results = (outs AnyType:$result);\n"
                         f'  let assemblyFormat = "$lhs attr-dict `:` type($lhs) `->` type($result)";\n}}')
        (folder / f"{dialect}.td").write_text("\n".join(lines) + "\n")


def packed(path):
    return len(gzip.compress(path.read_bytes(), 9))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--operations", type=int, default=20_000)
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "in").mkdir()
        project(work / "in", options.operations)
        started = time.monotonic()
        subprocess.run([options.odsmith, "docs", str(work / "in"), "-o", str(work / "out"), "--library", options.library],
                       check=True)
        seconds = time.monotonic() - started
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        site = work / "out"
        index = packed(site / "assets/index.js")
        lists = [site / "index.html", site / "az.html", *(site / "az").glob("*.html"),
                 *(path for name in DIALECTS for path in ((site / name / "index.html"), *(site / name / "names").glob("*.html")))]
        longest = max(lists, key=packed)
        print(f"{options.operations} operations: {seconds:.1f} s, {memory >> 20} MB, index {index} bytes compressed, "
              f"{len(lists)} pages of names, the longest {longest.relative_to(site)} with {packed(longest)} bytes compressed")
        if index > MOST_INDEX:
            wrong.append(f"the index takes {index} bytes")
        if memory > MOST_MEMORY:
            wrong.append(f"the build takes {memory >> 20} MB")
        if packed(longest) > MOST_LIST:
            wrong.append(f"{longest.relative_to(site)} is too long")
        if not list((site / "az").glob("*.html")):
            wrong.append("the list of everything is not split")
    if wrong:
        sys.exit("\n".join(wrong))


main()
