#!/usr/bin/env python3
"""The costs of several libraries to a server: the start, memory at rest, a hit and a miss, beside the same server with one.

  libraries.py --odsmith target/release/odsmith --library 22=/usr/lib/llvm-22/include --library 19=DIR/include ...

The first library is the one that the server has alone. Each figure is the median of --pairs servers that alternate; two
servers never run at once. A miss requests one class of a dialect that includes OpBase.td.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import time

from service import Server, free_port

DIALECT = """include "mlir/IR/OpBase.td"
def D : Dialect { let name = "d@"; let cppNamespace = "d"; }
def AOp : Op<D, "a"> { let arguments = (ins I32:$x); let results = (outs I32:$y); }
"""


def start(odsmith, libraries):
    port = free_port()
    words = [word for library in libraries for word in ("--library", library)]
    return Server(port, [odsmith, "serve", "--bind", f"127.0.0.1:{port}", *words])


def time_of_start(odsmith, libraries):
    """Milliseconds until the server says that it serves."""
    words = [word for library in libraries for word in ("--library", library)]
    started = time.perf_counter()
    command = [odsmith, "serve", "--bind", "127.0.0.1:0", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        said = next(line for line in server.stderr if re.search(r"serving on http", line))
        taken = 1000 * (time.perf_counter() - started)
        server.kill()
    assert said
    return taken


def bundle(number, release):
    target = {"td": "a.td", "outputs": [{"path": "a.h.inc", "flags": ["--gen-op-decls"]}]}
    request = {"mlir": release, "docs": {"enabled": False}, "target": [target]}
    return json.dumps({"files": {"a.td": DIALECT.replace("@", str(number))}, "request": request})


def timed(server, body):
    started = time.perf_counter()
    answer, content = server.ask("POST", "/v1/generate", body, {"Content-Type": "application/json"})
    assert answer.status == 200, content
    return 1000 * (time.perf_counter() - started)


def measure(odsmith, libraries):
    """Seconds of the start, MiB at rest and after one miss of each release, ms of a miss and of a hit."""
    releases = [library.split("=")[0] for library in libraries]
    with start(odsmith, libraries) as server:
        time.sleep(1)
        at_rest = server.resident()
        first = [timed(server, bundle(0, release)) for release in releases]
        misses = [timed(server, bundle(number, releases[0])) for number in range(1, 30)]
        hits = [timed(server, bundle(1, releases[0])) for _ in range(300)]
        return {
            "start, ms": 1000 * server.start_seconds,
            "memory at rest, MiB": at_rest,
            "memory after a miss of each, MiB": server.resident(),
            "first miss of the slowest release, ms": max(first),
            "miss, ms": statistics.median(misses),
            "hit, ms": statistics.median(hits),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True, action="append", help="RELEASE=DIR")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--max-start", type=float, help="fails if the median start with all libraries takes more ms")
    options = parser.parse_args()
    one, all_of_them = [], []
    for _ in range(options.pairs):
        one.append(measure(options.odsmith, options.library[:1]))
        all_of_them.append(measure(options.odsmith, options.library))
    print(f"{'':40}{'one library':>14}{f'{len(options.library)} libraries':>14}{'ratio':>8}")
    for name in one[0]:
        few, many = (statistics.median(row[name] for row in rows) for rows in (one, all_of_them))
        print(f"{name:40}{few:14.2f}{many:14.2f}{many / few:8.2f}")
    few, many = (
        statistics.median(time_of_start(options.odsmith, libraries) for _ in range(options.pairs))
        for libraries in (options.library[:1], options.library)
    )
    print(f"{'until it serves, ms':40}{few:14.2f}{many:14.2f}{many / few:8.2f}")
    if options.max_start and many > options.max_start:
        sys.exit(f"libraries.py: a start takes {many:.0f} ms, more than {options.max_start:.0f}")


if __name__ == "__main__":
    main()
