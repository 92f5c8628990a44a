#!/usr/bin/env python3
"""Inputs that grow in memory, each of another kind, against a server that may have 1 GiB.

  ceiling.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include [--rounds 1] [--at-once 3] [NAME...]

The server starts with --memory-mb 1024. Several clients send the inputs; another one sends small requests all the time.
Prints for each input the status and the most memory while it ran, by itself; then for all of them at once. Ends with
status 1 if the server ever has more than 1 GiB, if a small request fails, or if an answer is none of those that are
expected. A server near its ceiling may refuse or stop an input (503 with Retry-After), if only a few by themselves.
"""
import argparse
import json
import random
import sys
import threading
import time

from attack import (
    Server, archive, chain_of_includes, deprecated_uses, dialect, diff_options, enum_of, many_includes, marked, side_by_side,
)

CEILING_MB = 1024
INPUTS = {}
JSON = {"Content_Type": "application/json", "Accept": "application/json"}
GZIP = {"Content_Type": "application/gzip", "Accept": "application/json"}


def sends(path, headers=None):
    """Registers a function that returns a body for a number; underscores of its name are spaces."""
    def register(function):
        INPUTS[function.__name__.replace("_", " ")] = (path, headers or {"Accept": "application/json"}, function)
        return function

    return register


DIALECT = 'include "mlir/IR/OpBase.td"\ndef D@ : Dialect { let name = "d@"; let cppNamespace = "d"; }\n'
PATTERNS = (
    'include "mlir/IR/PatternBase.td"\n' + DIALECT
    + 'def A : Op<D@, "a"> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$r); }\n'
)


def files_of(**files):
    return json.dumps({"files": {name.replace("__", "."): text for name, text in files.items()}}).encode()


def text_of(name, template, path="/v1/generate"):
    """Registers one file of text, in which @ is a number that is never the same."""
    INPUTS[name] = (path, {"Accept": "application/json"}, lambda salt: archive({"a.td": template.replace("@", str(salt))}))


text_of("long strings", f'foreach i = !range(0, 400000) in def A@x#i {{ string x = "{"y" * 1000}" # i; }}')
text_of("strings that double", "defvar a0 = \"@" + "y" * 1000 + "\";\n" + "".join(f"defvar a{n + 1} = !strconcat(a{n}, a{n});\n" for n in range(40)))
text_of("lists that double", "defvar a0 = [@, 1, 2, 3];\n" + "".join(f"defvar a{n + 1} = !listconcat(a{n}, a{n});\n" for n in range(40)))
text_of("lists of lists", "defvar l = !range(0, 3000); def A@ { list<list<int>> x = !foreach(a, l, !foreach(b, l, !mul(a, b))); }")
text_of("a list of 100,000,000", "def A@ { list<int> x = !range(0, 100000000); }")
text_of("small records", "class C { int a; list<int> c = [1, 2, 3]; } foreach i = !range(0, 2000000) in def A@x#i : C;")
text_of("records with many fields", "class C {\n" + "".join(f"int f{n} = {n};\n" for n in range(5000)) + "}\nforeach i = !range(0, 20000) in def A@x#i : C;")
text_of("classes in a long line", "class C0 { int x@ = 0; }\n" + "".join(f"class C{n + 1} : C{n} {{ int x{n} = {n}; }}\n" for n in range(3000)) + "foreach i = !range(0, 3000) in def A#i : C3000;")
text_of("multiclasses that double", "class C; multiclass M0 { def a@ : C; }\n" + "".join(f"multiclass M{n + 1} {{ defm l : M{n}; defm r : M{n}; }}\n" for n in range(40)) + "defm X : M40;")
text_of("deep nesting", "def A@ { int x = " + "!add(1, " * 100_000 + "1" + ")" * 100_000 + "; }")
text_of("deep dags", "def op; def A@ { dag x = " + "(op " * 100_000 + "1" + ")" * 100_000 + "; }")
text_of("wide dags", "def op; def A@ { dag x = (op " + ", ".join(f"{n}:$a{n}" for n in range(400_000)) + "); }")
text_of("a macro for each line", "".join(f"#define M{n}\n#ifdef M{n}\n#endif\n" for n in range(200_000)) + "def A@;")
text_of("errors on one long line", "def A@ { " + "int x = y; " * 700_000 + " }", "/v1/check")
text_of("wrong characters", "@" + "§" * 4_000_000, "/v1/check")
text_of("brackets in code", "def A@ { code x = [{" + "[" * 7_000_000 + "}]; }")
text_of("operations with long descriptions", dialect(2_000, 7).replace("d7", "d@").replace("D7", "D@").replace("`x`.", "x " * 4_000))
text_of("operations with many operands", DIALECT + "foreach i = !range(0, 300) in def : Op<D@, \"op\" # i> { let arguments = (ins " + ", ".join(f"AnyType:$a{n}" for n in range(100)) + "); }")
text_of("formats with many groups", DIALECT + 'foreach i = !range(0, 200) in def : Op<D@, "op" # i> { let arguments = (ins '
        + ", ".join(f"OptionalAttr<I32Attr>:$a{n}" for n in range(200)) + '); let assemblyFormat = "'
        + " ".join(f"(`k{n}` $a{n}^)?" for n in range(200)) + ' attr-dict"; }')
text_of("patterns with large results", PATTERNS + "foreach i = !range(0, 100) in def : Pat<(A $x, $y), " + "(A $x, " * 300 + "$y" + ")" * 300 + ">;")


text_of("superclasses of copies", "".join(f"class C{n};\n" for n in range(5000)) + "class Z : " + ", ".join(f"C{n}" for n in range(5000)) + ";\n"
        "foreach i = !range(0, 100000) in def A@x#i : Z;")
text_of("assertions of copies", "class C { " + "assert !eq(1, 1), \"x\"; " * 3000 + "}\nforeach i = !range(0, 100000) in def A@x#i : C;")
text_of("patterns without names", PATTERNS + "foreach i = !range(0, 30000) in def : Pat<(A (A $x, $y), (A $x, $z)), (A $x, $z)>;")
text_of("patterns with deep sources", PATTERNS + "foreach i = !range(0, 20) in def : Pat<" + "(A $x, " * 8000 + "$y" + ")" * 8000 + ", (A $x, $y)>;")
text_of("constraints with many alternatives", DIALECT + "def S : AnyTypeOf<[" + ", ".join(f"I<{n + 1}>" for n in range(4000)) + "]>;\ndef T : AnyTypeOf<[" + ", ".join(f"I<{n + 2}>" for n in range(4000)) + "]>;\n"
        'foreach i = !range(0, 100) in def : Op<D@, "op" # i> { let arguments = (ins S:$a, T:$b); let results = (outs S:$r); let hasVerifier = 1; }', "/v1/lint?select=all")


@sends("/v1/generate", GZIP)
def many_files(salt):
    return archive({f"{salt}/{number}.td": f"def A{number};\n" * 20 for number in range(1_500)})


@sends("/v1/generate", GZIP)
def includes_of_includes(salt):
    return archive(chain_of_includes(15, salt))


@sends("/v1/generate", GZIP)
def thousands_of_includes(salt):
    return archive(many_includes(4_000, salt, "def F{};\n"))


@sends("/v1/generate", GZIP)
def guides_of_brackets(salt):
    return marked("[a](", 250_000, salt)


@sends("/v1/generate", GZIP)
def guides_of_tables(salt):
    rows = "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + ("|" + "a|" * 2_000 + "\n") * 100
    return archive({"a.td": f"def A{salt};"} | {f"{number}.md": rows for number in range(10)})


@sends("/v1/check", {"Content_Type": "application/gzip", "Accept": "application/sarif+json"})
def excerpts_of_long_lines(salt):
    return deprecated_uses(salt)


@sends("/v1/lint")
def cases_of_one_enum(salt):
    return enum_of(20_000, "1", salt)


@sends("/v1/diff", {"Content_Type": diff_options(True)[1], "Accept": "application/json"})
def options_of_a_comparison(salt):
    return diff_options(True)[0]


@sends("/v1/diff", {"Content_Type": "multipart/form-data; boundary=x", "Accept": "application/json"})
def versions_that_differ_in_all(salt):
    old, new = dialect(2_000, salt), dialect(2_000, salt).replace("I32Attr", "I64Attr").replace('"op"', '"po"')
    parts = [("old", archive({"a.td": old})), ("new", archive({"a.td": new}))]
    head = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n'
    return b"".join(head % name.encode() + content + b"\r\n" for name, content in parts) + b"--x--\r\n"


@sends("/v1/ir/check", JSON)
def operations_on_one_line(salt):
    return files_of(a__mlir=" ".join(f"%a{number} = arith.constant {salt} : i32" for number in range(150_000)))


@sends("/v1/ir/check", JSON)
def regions_in_regions(salt):
    return files_of(a__mlir='"a.b"() ({' * 200_000 + f"// {salt}\n" + "}) : () -> ()" * 200_000)


@sends("/v1/ir/check", JSON)
def types_in_types(salt):
    return files_of(a__mlir=f"// {salt}\nfunc.func private @f(" + "tuple<" * 500_000 + "i1" + ">" * 500_000 + ")")


@sends("/v1/ir/check", JSON)
def aliases_of_types_that_double(salt):
    aliases = "".join(f"!a{n + 1} = tuple<!a{n}, !a{n}>\n" for n in range(40)).replace("!a0", "i1")
    return files_of(a__mlir=f'// {salt}\n{aliases}%x = "a.b"() : () -> !a40\n')


@sends("/v1/ir/check", JSON)
def aliases_of_attributes_that_double(salt):
    aliases = "".join(f"#a{n + 1} = [#a{n}, #a{n}]\n" for n in range(40))
    return files_of(a__mlir=f'#a0 = {salt} : i32\n{aliases}"a.b"() {{x = #a40}} : () -> ()\n')


@sends("/v1/ir/check", JSON)
def a_map_of_many_dimensions(salt):
    names = ", ".join(f"d{number}" for number in range(100_000))
    return files_of(a__mlir=f'// {salt}\n"a.b"() {{m = affine_map<({names}) -> (d99999)>}} : () -> ()\n')


@sends("/v1/ir/check", JSON)
def faults_of_one_operation(salt):
    values = ", ".join(f"%v{number}" for number in range(300_000))
    return files_of(a__mlir=f'"a.b"({values}) {{n = {salt}}} : () -> ()\n')


@sends("/v1/ide/preview", JSON)
def a_page_as_it_is_typed(salt):
    return json.dumps({"files": {"a.td": dialect(2_000, salt)}, "path": "a.td", "view": "page"}).encode()


@sends("/v1/check", JSON)
def names_that_are_long(salt):
    return json.dumps({"files": {f"{'x/' * 40}{salt}{number}.td": "" for number in range(60_000)}}).encode()


# A full queue may send an input away, and the guard of the memory may stop it.
STATUSES = {200, 413, 422, 429, 503}
# The most inputs that are refused or stopped although no other one runs.
MOST_STOPPED = 2


def small_request(server, salt):
    """Sends a small request, again if it is to come later; returns the seconds until the answer."""
    begun = time.perf_counter()
    while True:
        status, headers, _ = server.ask("POST", "/v1/check", f"def H{salt};".encode())
        if status == 200:
            return time.perf_counter() - begun
        if status not in (429, 503) or time.perf_counter() - begun > 30:
            raise AssertionError(f"a small request is answered with {status}")
        time.sleep(min(2, float(headers.get("retry-after", 1))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("names", nargs="*", help="inputs to send; all, if none is named")
    options = parser.parse_args()
    rng, failures = random.Random(11), []
    chosen = {name: INPUTS[name] for name in options.names} if options.names else INPUTS
    # Debug builds and busy machines are slow, and this is about memory.
    server = Server(options, "--memory-mb", str(CEILING_MB), "--limit", "job_seconds=120", cache_mb=None)

    def send(name):
        path, headers, body = chosen[name]
        begun = time.perf_counter()
        status = server.ask("POST", path, body(rng.randrange(1 << 30)), timeout=180, **headers)[0]
        return status, time.perf_counter() - begun

    slowest, is_over = [0.0], threading.Event()

    def ask_for_little():
        salt = 0
        while not is_over.wait(0.05):
            salt += 1
            try:
                slowest[0] = max(slowest[0], small_request(server, salt))
            except (AssertionError, OSError) as error:
                failures.append(f"{error or type(error).__name__}")
                return

    honest = threading.Thread(target=ask_for_little)
    honest.start()
    stopped = 0
    try:
        for name in chosen:
            server.forget_peak()
            before = server.status("VmRSS")
            status, seconds = send(name)
            peak = server.status("VmHWM")
            wrong = [f"answered with {status}"] if status not in STATUSES else []
            stopped += status in (429, 503)
            wrong += [f"{peak:.0f} MB"] if peak > CEILING_MB else []
            failures += [f"{name}: {it}" for it in wrong]
            print(f"{name:36} {status:4} {seconds:7.1f} s  {before:6.0f} -> {peak:6.0f} MB  {'; '.join(wrong) or 'ok'}", flush=True)
        if stopped > MOST_STOPPED:
            failures.append(f"{stopped} inputs were refused or stopped by themselves")
        server.forget_peak()
        waiting = [name for _ in range(options.rounds) for name in rng.sample(list(chosen), len(chosen))]
        lock = threading.Lock()

        def client(_):
            while True:
                with lock:
                    if not waiting:
                        return
                    name = waiting.pop()
                status, _ = send(name)
                if status not in STATUSES:
                    failures.append(f"{name}: answered with {status} beside others")

        side_by_side(options.at_once, client)
        peak = server.status("VmHWM")
        if peak > CEILING_MB:
            failures.append(f"{peak:.0f} MB with {options.at_once} at once")
        print(f"{options.rounds * len(chosen)} inputs, {options.at_once} at once: {peak:.0f} MB at most")
    except (OSError, ValueError, AttributeError, TypeError) as error:
        # The files of a process that is gone cannot be read.
        failures.append(f"the server is gone, or does not answer: {error!r}")
    finally:
        is_over.set()
        honest.join()
        status = server.end() if server.process.poll() is None else server.process.returncode
    print(f"a small request took {slowest[0]:.1f} s at most; the server ended with status {status}")
    for failure in failures:
        print(f"failed: {failure}")
    sys.exit(1 if failures or status else 0)


if __name__ == "__main__":
    main()
