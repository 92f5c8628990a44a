#!/usr/bin/env python3
"""The costs of the playground's requests to a server: the first of each kind on a new server, and the median and the 95th
percentile of --questions more, each with another text, of a dialect of 50 operations.

  play.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include

Times are those of whole requests on one connection each, with answers packed as for a browser; `processor` is what the server spent on one. An answer that takes longer than
the budget (100 ms; 25 ms for hover and completion) is a failure.
"""
import argparse
import gzip
import json
import statistics
import sys
import time

from service import Server, free_port

OP = """def T_Op@ : Op<T_Dialect, "op@"> {
  let summary = "Number @";
  let arguments = (ins I32:$lhs, Optional<F32>:$rhs, StrAttr:$name);
  let results = (outs I32:$result);
  let assemblyFormat = "$lhs (`,` $rhs^)? $name attr-dict";
}
"""
DIALECT = """include "mlir/IR/OpBase.td"
def T_Dialect : Dialect { let name = "t"; let cppNamespace = "::t"; }
""" + "".join(OP.replace("@", str(number)) for number in range(50))

VIEWS = ["cpp", "page", "example", "python", "records", "json"]


def questions(number):
    """The name, the route, the body and the budget in ms of each request about one version of the text."""
    text = DIALECT + f"// {number}\n"
    files, at = {"T.td": text}, text.index("T_Op40")
    for view in VIEWS:
        question = {"files": files, "path": "T.td", "view": view}
        yield f"{view} of a definition", "preview", question | {"offset": at}, 100
        yield f"{view} of all", "preview", question, 100
    before = {"T.td": text.replace("F32", "F64", 1)}
    yield "changes", "preview", {"files": files, "path": "T.td", "view": "changes", "before": before}, 100
    yield "problems", "check", {"files": files}, 100
    yield "hover", "hover", {"files": files, "path": "T.td", "offset": text.index("Optional")}, 25
    yield "completion", "completion", {"files": files, "path": "T.td", "offset": text.index("ptional")}, 25


def timed(server, route, question):
    headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
    body = json.dumps(question)
    started = time.perf_counter()
    answer, content = server.ask("POST", f"/v1/ide/{route}", body, headers)
    if answer.getheader("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    seconds = time.perf_counter() - started
    assert answer.status == 200, content
    assert route != "preview" or json.loads(content)["shown"], content[:300]
    return 1000 * seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
    port, late = free_port(), []
    with Server(port, [options.odsmith, "serve", "--bind", f"127.0.0.1:{port}", "--library", options.library]) as server:
        first = {name: timed(server, route, question) for name, route, question, _ in questions(-1)}
        asked = [list(questions(number)) for number in range(options.questions)]
        print(f"{'ms':24} {'first':>9} {'median':>9} {'95 %':>9} {'budget':>9} {'processor':>9}")
        for place, name in enumerate(first):
            spent = server.cpu_seconds()
            times = [timed(server, *every[place][1:3]) for every in asked]
            # The time of all threads; it does not depend on the machine's other work.
            spent = 1000 * (server.cpu_seconds() - spent) / len(asked)
            slow, budget = statistics.quantiles(times, n=20)[-1], asked[0][place][3]
            print(f"{name:24} {first[name]:9.1f} {statistics.median(times):9.1f} {slow:9.1f} {budget:9} {spent:9.1f}")
            if slow > budget:
                late.append(name)
        print(f"memory after {(options.questions + 1) * len(first)} questions: {server.resident():.0f} MiB")
    if late:
        sys.exit(f"over their budgets: {', '.join(late)}")


if __name__ == "__main__":
    main()
