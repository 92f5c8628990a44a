#!/usr/bin/env python3
"""Requests and connections that try to take the service down, each while other clients request cached answers.

  attack.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include [--rounds 1] [--memory-rounds 2] [NAME...]

Prints for each attack the statuses of its answers, how long it took, the most memory that the server had, and how long
cached answers took meanwhile. Ends with status 1 if an answer was wrong, if cached answers were late, or if the server
did not recover. A debug build gets more time and memory: it only shows that the limits exist.
"""
import argparse
import collections
import contextlib
import gzip
import io
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time

CACHE_MB = 64
# The most that shared states of evaluation take, whatever the cache takes.
STATES_MB = 256


def archive(files):
    """A .tar.gz of texts by path, well compressed: attacks are small on the wire."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for path, text in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(out.getvalue(), 9, mtime=0)


def head(method, path, length=None, **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: attack"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def receive(stream):
    """The status, the headers and the body of one answer."""
    file = stream.makefile("rb")
    first = file.readline()
    if not first:
        return 0, {}, b""
    headers = {}
    for line in iter(file.readline, b"\r\n"):
        if not line:
            return 0, {}, b""
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return int(first.split()[1]), headers, file.read(int(headers.get("content-length", 0)))


class Server:
    """The service, as its users start it."""

    def __init__(self, options, *more, admin=True, cache_mb=CACHE_MB):
        command = [options.odsmith, "serve", "--bind", "127.0.0.1:0", "--library", f"22={options.library}"]
        command += ["--cache-mb", str(cache_mb)] if cache_mb else []
        command += ["--admin", "127.0.0.1:0"] if admin else []
        self.process = subprocess.Popen([*command, *more], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        ports = [int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.process.stderr.readline())[1]) for _ in range(1 + admin)]
        self.port, self.admin = ports[0], ports[-1]
        self.waited = 0.0
        threading.Thread(target=lambda: collections.deque(self.process.stderr, 0), daemon=True).start()

    def wait(self, seconds):
        """Waits as a part of an attack; the time does not count as the attack's."""
        time.sleep(seconds)
        self.waited += seconds

    def connect(self, port=None, timeout=60):
        return socket.create_connection(("127.0.0.1", port or self.port), timeout)

    def ask(self, method, path, body=None, timeout=60, port=None, **headers):
        with self.connect(port, timeout) as stream:
            length = None if body is None else len(body)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                stream.sendall(head(method, path, length, Connection="close", **headers) + (body or b""))
            return receive(stream)

    def status(self, field):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s*(\d+)", text)[1]) / 1024

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def jobs(self):
        text = self.ask("GET", "/metrics", port=self.admin)[2].decode()
        return sum(int(value) for value in re.findall(r"^odsmith_jobs_(?:running|waiting) (\d+)", text, re.M))

    def end(self):
        self.process.terminate()
        return self.process.wait(60)


class Hits:
    """A client that requests a cached answer again and again, on one connection. It is a separate process, as it would
    wait for the threads of the attackers."""

    def __init__(self, server, path):
        self.command = [sys.executable, __file__, "--ask", str(server.port), path]
        self.failed = 0

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def p99(self):
        answer = json.loads(self.process.communicate(timeout=60)[0])
        self.failed, times = answer["failed"], sorted(answer["times"])
        return times[len(times) * 99 // 100] * 1000 if times else float("inf")


def ask_again_and_again(port, path):
    """Sends the requests of such a client until its input ends."""
    times, failed, is_over = [], 0, threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), is_over.set()), daemon=True).start()
    print("started", flush=True)
    with socket.create_connection(("127.0.0.1", port), 60) as stream:
        # Short attacks end before a client has asked twice.
        while not is_over.is_set() or len(times) < 20:
            begun = time.perf_counter()
            stream.sendall(head("GET", path))
            failed += receive(stream)[0] != 200
            times.append(time.perf_counter() - begun)
            time.sleep(0.004)
    print(json.dumps({"times": times, "failed": failed}))


def side_by_side(count, work):
    """Runs `work` in this many threads and returns the answers."""
    answers = [None] * count

    def one(index):
        try:
            answers[index] = work(index)
        except OSError as error:
            answers[index] = (type(error).__name__, {}, b"")

    threads = [threading.Thread(target=one, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


# Each attack returns its answers and the statuses that they may have.
ATTACKS = {}

# Figures of the attack that runs.
NOTES = []


def note(text):
    NOTES.append(text)


def attack(function):
    ATTACKS[function.__name__] = function
    return function


def uploads(server, archives, statuses):
    accept = {"Accept": "application/json"}
    return side_by_side(len(archives), lambda index: server.ask("POST", "/v1/generate", archives[index], **accept)), statuses


def marked(piece, count, salt):
    return archive({"a.td": f"def A{salt};", "a.md": piece * count})


@attack
def markdown_of_brackets(server, rng):
    return uploads(server, [marked("[a]", 400_000, salt) for salt in (1, 2)], {422})


@attack
def markdown_of_2_700_000_brackets(server, rng):
    return uploads(server, [marked("[a]", 2_700_000, salt) for salt in (1, 2)], {422})


@attack
def markdown_of_tags(server, rng):
    return uploads(server, [marked("<a ", 300_000, salt) for salt in (1, 2)], {200, 422})


@attack
def markdown_just_below_its_limit(server, rng):
    pieces = ["[a]", "<a ", "# a\n", "$a", "> ", "```\na```b\n", "[a](", "*a_"]
    return uploads(server, [marked(piece, (1 << 20) // len(piece), rng.randrange(1 << 30)) for piece in pieces], {200, 422})


@attack
def markdown_in_many_files(server, rng):
    text = "[a]" * 300_000
    return uploads(server, [archive({"a.td": "def A;"} | {f"{index}.md": text for index in range(60)})], {422})


@attack
def quotations_in_quotations(server, rng):
    return uploads(server, [archive({"a.td": "def A;", "a.md": ">" * 500_000 + "a\n" * 250_000})], {200, 422})


@attack
def files_that_include_each_other(server, rng):
    files = {f"{index}.md": f'[include "{index + 1}.md"]\n' * 2 for index in range(31)}
    return uploads(server, [archive(files | {"a.td": "def A;"})], {422})


@attack
def description_of_brackets(server, rng):
    text = "[a](" * 20_000
    source = f"""include "mlir/IR/OpBase.td"
def D : Dialect {{ let name = "d"; let cppNamespace = "d"; }}
foreach i = !range(0, 50) in
  def : Op<D, "op" # i> {{ let description = [{{ {text} }}]; }}
"""
    return uploads(server, [archive({"a.td": source})], {200, 422})


@attack
def targets_20_000(server, rng):
    manifest = "schema = 1\n" + "[[target]]\ntd = 'a.td'\n" * 20_000
    return uploads(server, [archive({"a.td": "def A;", "odsmith.toml": manifest})], {422})


@attack
def roots_3_000(server, rng):
    return uploads(server, [archive({f"{index}.td": 'include "mlir/IR/OpBase.td"\n' for index in range(3_000)})], {422})


@attack
def roots_1_500(server, rng):
    return uploads(server, [archive({f"{index}.td": f"def A{index};\n" for index in range(1_500)})], {200, 422})


@attack
def ambiguous_includes(server, rng):
    return uploads(server, [archive({f"{index}/a.td": 'include "a.td"\n' * 50 for index in range(5_000)})], {422})


# Built before the attack, since that would take a processor from the server.
JSON_OF_10_MB = []


@attack
def json_of_10_mb(server, rng):
    def one(index):
        return server.ask("POST", "/v1/check", JSON_OF_10_MB[index], Content_Type="application/json")

    return side_by_side(3, one), {200, 422, 503}


@attack
def json_of_many_entries(server, rng):
    body = ('{"files":{' + ",".join(f'"{number}":""' for number in range(900_000)) + "}}").encode()
    return side_by_side(3, lambda _: server.ask("POST", "/v1/check", body, Content_Type="application/json")), {413}


@attack
def one_client_floods(server, rng):
    """More than the queue holds; all are answered in time."""
    body = b"foreach i = !range(0, 3000) in foreach j = !range(0, 1000) in defvar x = !add(i, j);"
    answers = side_by_side(200, lambda index: server.ask("POST", f"/v1/check?defines=X{rng.random()}", body))
    assert all(headers.get("retry-after") for status, headers, _ in answers if status in (429, 503)), "no Retry-After"
    return answers, {200, 422, 429, 503}


@attack
def bodies_that_are_only_announced(server, rng):
    idle = [server.connect() for _ in range(35)]
    for stream in idle:
        stream.sendall(head("POST", "/v1/check", 16 << 20) + b"d")
    answers = [server.ask("POST", "/v1/check", f"def A{rng.randrange(1 << 30)};".encode()) for _ in range(5)]
    for stream in idle:
        stream.close()
    return answers, {200}


@attack
def bodies_that_trickle(server, rng):
    streams = [server.connect() for _ in range(300)]
    for stream in streams:
        stream.sendall(head("POST", "/v1/check", 1 << 20))
    answers = []
    for _ in range(5):
        for stream in streams:
            stream.sendall(b"d" * 100)
        answers.append(server.ask("POST", "/v1/check", f"def A{len(answers)};".encode()))
    for stream in streams:
        stream.close()
    return answers, {200}


@attack
def readers_that_take_nothing(server, rng):
    """300 clients that request an archive of 20 MB and read nothing; the bytes are in memory once."""
    text = f'def A {{ string x = "{"y" * (7 << 20)}"; string z = x; string w = x; }}'
    outputs = "outputs = [{ path = 'a', flags = ['--print-records'] }]"
    manifest = f"schema = 1\n[[target]]\ntd = 'a.td'\n{outputs}\n[docs]\nenabled = false\n"
    bundle = archive({"a.td": text, "odsmith.toml": manifest})
    answer = server.ask("POST", "/v1/generate", bundle, Accept="application/x-tar")
    assert len(answer[2]) > 20 << 20, f"the archive has {len(answer[2])} bytes"
    address = answer[1]["content-location"] + ".tar"
    assert server.ask("GET", address)[2] == answer[2], "the archive is not kept"
    begun = server.status("VmRSS")
    stuck = [server.connect() for _ in range(300)]
    for stream in stuck:
        stream.sendall(head("GET", address))
    time.sleep(2)
    more = server.status("VmRSS") - begun
    for stream in stuck:
        stream.close()
    note(f"{more:.0f} MB for 300 clients that read nothing of {len(answer[2]) / 1e6:.0f} MB")
    assert more < 100, f"{more:.0f} MB for clients that read nothing"
    return [answer], {200}


@attack
def clients_that_go(server, rng):
    """Work stops once no client waits for it."""
    body = b"foreach i = !range(0, 30000) in foreach j = !range(0, 1000) in defvar x = !add(i, j);"
    for _ in range(20):
        with server.connect() as stream:
            stream.sendall(head("POST", f"/v1/check?defines=Y{rng.random()}", len(body)) + body)
            time.sleep(0.02)
    begun = time.perf_counter()
    while server.jobs():
        time.sleep(0.01)
    seconds = time.perf_counter() - begun
    assert seconds < 1, f"work went on for {seconds:.1f} s after its clients had gone"
    return [], set()


def dialect(operations, salt):
    """A dialect of this many operations: long to generate, to document and to pack."""
    return f"""include "mlir/IR/OpBase.td"
def D{salt} : Dialect {{ let name = "d{salt}"; let cppNamespace = "d"; }}
foreach i = !range(0, {operations}) in def : Op<D{salt}, "op" # i> {{
  let arguments = (ins AnyType:$a, Variadic<AnyType>:$b, I32Attr:$c); let results = (outs AnyType:$r);
  let assemblyFormat = "operands attr-dict `:` type(operands) type(results)"; let description = "An [operation](#x) `x`.";
}}
"""


def questions(rng, loop):
    """An editor's slow requests: the name, the address and the body of each."""
    def question(text, **more):
        return json.dumps({"files": {"a.td": text}} | more).encode()

    large = dialect(3_000, rng.randrange(1 << 30))
    yield "an editor's problems", "/v1/ide/check", question(loop)
    for view in ("cpp", "page", "json", "example"):
        yield f"an editor's {view}", "/v1/ide/preview", question(large, path="a.td", view=view)
    before = {"a.td": large.replace("I32Attr", "I64Attr")}
    yield "an editor's changes", "/v1/ide/preview", question(large, path="a.td", view="changes", before=before)
    yield "completion", "/v1/ide/completion", question(large, path="a.td", offset=large.index("nyType"))


def long_works(rng):
    """Work that is long in each of the stages: its address and its body."""
    loop = "!range(0, 100000)"
    text = f"foreach i = {loop} in foreach j = {loop} in defvar x{rng.randrange(1 << 30)} = !add(i, j);"
    pages = {f"{index}.md": "# a\n\n[a](b.md) *a_ <a \n" * 20_000 for index in range(20)}
    words = [f"w{rng.randrange(1 << 30)}" for _ in range(30_000)]
    yield "evaluation", "/v1/check", text.encode()
    yield "generation", "/v1/generate", archive({"a.td": dialect(3_000, rng.randrange(1 << 30))})
    yield "Markdown", "/v1/generate", archive({"a.td": f"def A{rng.randrange(1 << 30)};"} | pages)
    yield "many targets", "/v1/generate", archive({f"{index}.td": f"def A{words[index]};\n" for index in range(1_900)})
    yield "includes", "/v1/generate", archive({f"{index}/a.td": 'include "a.td"\n' * 50 for index in range(4_000)})
    yield "chains of includes", "/v1/generate", archive(chain_of_includes(16, rng.randrange(1 << 30)))
    yield "lint", "/v1/lint", enum_of(20_000, "1", rng.randrange(1 << 30))
    large = "\n".join(f'def A{word} {{ string x = "{word * 18}"; }}' for word in words)
    yield "packing", "/v1/generate", archive({"a.td": large})
    yield from questions(rng, text)


def seconds_of_jobs(server):
    begun = time.perf_counter()
    while server.jobs():
        time.sleep(0.002)
        assert time.perf_counter() - begun < 60, "work goes on"
    return time.perf_counter() - begun


def kind_of(address):
    """The header for an address, if its content type is fixed."""
    return {"Content_Type": "application/json"} if address.startswith("/v1/ide/") else {}


@attack
def work_stops_at_once(server, rng):
    """A job stops when its client disconnects, whatever stage it is in."""
    slowest = {}
    for moment in (0.05, 0.2, 0.5, 1.2):
        for stage, address, body in long_works(rng):
            kind = kind_of(address)
            with server.connect() as stream:
                stream.sendall(head("POST", address, len(body), **kind) + body)
                server.wait(moment)
            slowest[stage] = max(slowest.get(stage, 0), seconds_of_jobs(server))
    note("work goes on for, in ms: " + ", ".join(f"{stage} {seconds * 1000:.0f}" for stage, seconds in slowest.items()))
    late = [stage for stage, seconds in slowest.items() if seconds > server.most_stop]
    assert not late, f"work goes on after its client has gone: {late}"
    return [], set()


@attack
def memory_of_one_job(server, rng):
    """Values, records and outputs up to their limits."""
    limits = json.loads(server.ask("GET", "/v1/limits")[2])["job"]
    stated = (limits["job_arena_bytes"] + limits["output_bytes"]) / (1 << 20)
    number = rng.randrange(1 << 30)
    piece = f'"{"y" * 1000}"'
    texts = {
        "strings": f"foreach i = !range(0, 400000) in def A{number}x#i {{ string x = {piece} # i; }}",
        "records": f"def ops; class C {{ int a; int b; list<int> c = [1, 2, 3]; dag d = (ops 1, 2); }} foreach i = !range(0, 490000) in def A{number}x#i : C;",
        "lists": f"defvar l = !range(0, 900000); foreach i = !range(0, 10) in def A{number}x#i {{ list<int> x = !foreach(y, l, !add(y, i)); }}",
        "text": f'def A{number} {{ string x = "{"z" * (7 << 20)}"; string y = x # x; }} foreach i = !range(0, 20) in def B#i {{ string x = A{number}.y # i; }}',
    }
    answers, most = [], {}
    for kind, text in texts.items():
        time.sleep(2)
        server.forget_peak()
        before = server.status("VmRSS")
        answers.append(server.ask("POST", "/v1/generate", archive({"a.td": text}), Accept="application/json"))
        most[kind] = server.status("VmHWM") - before
    note(f"MB of one job, of {stated:.0f}: " + ", ".join(f"{kind} {size:.0f}" for kind, size in most.items()))
    over = [kind for kind, size in most.items() if size > stated]
    assert not over, f"more memory than is stated: {over}"
    return answers, {200, 422}


@attack
def heads_that_are_wrong(server, rng):
    def raw(text):
        with server.connect() as stream:
            stream.sendall(text)
            return receive(stream)

    def later(text):
        with server.connect() as stream:
            stream.sendall(head("GET", "/v1/version"))
            assert receive(stream)[0] == 200
            stream.sendall(text)
            return receive(stream)

    wrong, long = b"GET / HTTP/9\r\n\r\n", head("GET", "/", X="y" * 200_000).removesuffix(b"\r\n")
    answers = [server.ask("GET", "/v1/" + "x" * 9_000), server.ask("BREW", "/v1/version"), server.ask("GET", "/v1/sites/%ff/x")]
    answers += [say(text) for say in (raw, later) for text in (wrong, long)]
    for status, headers, _ in answers:
        assert headers.get("content-type") == "application/problem+json" and headers.get("x-request-id"), f"{status} without a problem"
    return answers, {400, 404, 405, 414, 431}


@attack
def connections(server, rng):
    """More connections than one address may have; those that are open still work."""
    open_ones = []
    for _ in range(1_200):
        with contextlib.suppress(OSError):
            open_ones.append(server.connect())
    for stream in open_ones:
        stream.close()
    time.sleep(0.5)
    return [server.ask("GET", "/v1/version")], {200}


def included(names):
    return "".join(f'include "{name}.td"\n' for name in names)


def many_includes(count, salt, text):
    """A root that begins with so many files, beside another root."""
    files = {f"f{index}.td": text.format(index) for index in range(count)}
    return files | {"a.td": included(f"f{index}" for index in range(count)), "b.td": f"def B{salt};"}


def chain_of_includes(length, salt):
    """Each file includes the next one twice."""
    files = {f"c{index}.td": included([f"c{index + 1}"] * 2) for index in range(length)}
    return files | {f"c{length}.td": "", "b.td": f"def B{salt};"}


def diamonds_of_includes(levels, salt):
    """Each of the two files of a level includes both of the next one."""
    files = {f"{side}{level}.td": included(f"{next}{level + 1}" for next in "lr") for level in range(levels) for side in "lr"}
    return files | {f"l{levels}.td": "", f"r{levels}.td": "", "a.td": included(["l0", "r0"]), "b.td": f"def B{salt};"}


def above_many_records(salt):
    """Small files after one with many records."""
    files = many_includes(600, salt, "foreach i = !range(0, 20) in def S{}x#i;\n")
    files["large.td"] = "foreach i = !range(0, 200000) in def L#i;\n"
    return files | {"a.td": included(["large"]) + files["a.td"]}


def deprecated_uses(salt, reason="use another", padding=7_900_000):
    """A hundred uses of a deprecated def on one long line."""
    uses = " ".join(f"def U{index} {{ Old o = Gone; }}" for index in range(100))
    text = f'include "mlir/IR/OpBase.td"\nclass Old;\ndef Gone : Old, Deprecated<"{reason}">;\n{uses} def V{salt}; /*{" " * padding}*/\n'
    return archive({"a.td": text})


def enum_of(count, value, salt):
    cases = f'!foreach(i, !range(0, {count}), I32EnumAttrCase<"C" # i, {value}>)'
    return f'include "mlir/IR/EnumAttr.td"\ndef E{salt} : I32EnumAttr<"E", "e", {cases}>;\n'.encode()


def diff_options(as_parts):
    """The body of a comparison with long options, and its media type."""
    options = '{"settings":{"unstable":[' + ",".join(["[]"] * 4_000_000) + "]}}"
    if not as_parts:
        return f'{{"old":"{"0" * 64}","new":"{"0" * 64}","options":{options}}}'.encode(), "application/json"
    parts = [("old", "def A;"), ("new", "def A;"), ("options", options)]
    text = "".join(f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{content}\r\n' for name, content in parts)
    return (text + "--x--\r\n").encode(), "multipart/form-data; boundary=x"


DIFF_OPTIONS = []


def large_in_memory(salt):
    """Small uploads that once took gigabytes: each with its address, its headers and the statuses that it may have."""
    accept = {"Accept": "application/json"}
    for files, statuses in [
        (many_includes(4_000, salt, ""), {200}),
        (many_includes(4_000, salt, "def F{};\n"), {200}),
        (chain_of_includes(13, salt), {200}),
        (chain_of_includes(60, salt), {422}),
        (diamonds_of_includes(13, salt), {200}),
        (above_many_records(salt), {200}),
    ]:
        yield "/v1/generate", archive(files), accept, statuses
    for body in (deprecated_uses(salt), deprecated_uses(salt, "x" * 7_000_000, 10)):
        for path, form in [("/v1/check", "text/plain"), ("/v1/check", "application/sarif+json"), ("/v1/lint", "application/sarif+json")]:
            yield path, body, {"Accept": form, "Content_Type": "application/gzip"}, {200}
        yield "/v1/tblgen?td=a.td&flags=--gen-op-decls%20--on-deprecated=error", body, {"Content_Type": "application/gzip"}, {200, 422}
    for body, media_type in DIFF_OPTIONS:
        yield "/v1/diff", body, {"Content_Type": media_type}, {413}
    for value in ("i", "1"):
        yield "/v1/lint", enum_of(20_000, value, salt), accept, {200}


@attack
def uploads_that_are_large_in_memory(server, rng):
    """Each is answered as it must be; some at a time."""
    asked = list(large_in_memory(rng.randrange(1 << 30)))

    def one(index):
        path, body, headers, statuses = asked[index]
        answer = server.ask("POST", path, body, **headers)
        if answer[0] in statuses and len(answer[2]) < 16 << 20:
            return answer
        return f"{path} {answer[0]} {len(answer[2])} B", {}, b""

    answers = []
    for start in range(0, len(asked), 4):
        answers += side_by_side(min(4, len(asked) - start), lambda index, start=start: one(start + index))
    return answers, {200, 413, 422}


class Shared:
    """A list whose items are taken by several threads, each by one."""

    def __init__(self, items):
        self.items, self.lock = iter(items), threading.Lock()

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            return next(self.items)


def stays_small(options, rng):
    """A server with the defaults has less than 2 GiB, however often it is sent such uploads, and answers others meanwhile."""
    server, failures, slowest = Server(options, cache_mb=None), [], 0
    try:
        hit = server.ask("POST", "/v1/tblgen", b"def A;")[1]["content-location"]
        hits = Hits(server, hit)
        hits.start()
        for _ in range(options.memory_rounds):
            asked = list(large_in_memory(rng.randrange(1 << 30)))
            rng.shuffle(asked)
            waiting = Shared(asked)

            def client(index, waiting=waiting):
                if index:
                    for path, body, headers, statuses in waiting:
                        status = server.ask("POST", path, body, **headers)[0]
                        # A full queue may send them away.
                        if status not in statuses | {429, 503}:
                            failures.append(f"{path} is answered with {status}")
                    return None
                begun = time.perf_counter()
                answer = server.ask("POST", "/v1/check", f"def H{rng.randrange(1 << 30)};".encode())
                return answer, time.perf_counter() - begun

            answers = side_by_side(4, client)
            (status, _, _), seconds = answers[0]
            slowest = max(slowest, seconds)
            if status != 200:
                failures.append(f"an honest request is answered with {status}")
            peak = server.status("VmHWM")
            if peak >= 2048:
                failures.append(f"{peak:.0f} MB of memory")
                break
        p99 = hits.p99()
        if hits.failed or p99 > options.most_milliseconds:
            failures.append(f"cached answers took {p99:.0f} ms, {hits.failed} failed")
        print(f"{options.memory_rounds} rounds of uploads that are large in memory: {server.status('VmHWM'):.0f} MB at most, "
              f"an honest request took {slowest:.1f} s at most, cached answers {p99:.1f} ms")
    finally:
        server.end()
    return failures


def ends_well(options):
    """Requests that were sent before the end are answered, with and without a listener for operators."""
    failures = []
    for admin in (True, False):
        server = Server(options, "--drain-seconds", "1", admin=admin)
        body = b"foreach i = !range(0, 2000) in foreach j = !range(0, 1000) in defvar x = !add(i, j);"
        answers = []
        work = threading.Thread(target=lambda: answers.extend(side_by_side(6, lambda i: server.ask("POST", f"/v1/check?defines=Z{i}", body))))
        work.start()
        time.sleep(0.3)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        if admin and server.ask("GET", "/readyz", port=server.admin)[0] != 503:
            failures.append("/readyz does not say that the server ends")
        late = server.ask("GET", "/v1/version")
        if late[0] != 200 or late[1].get("connection") != "close":
            failures.append(f"a request while the server drains is answered with {late[0]}")
        work.join()
        lost = [status for status, _, _ in answers if status != 200]
        if lost:
            failures.append(f"{len(lost)} of 6 requests were lost {'with' if admin else 'without'} --admin: {lost}")
        if server.process.wait(90) != 0:
            failures.append("the server ended with an error")
    return failures


def ends_in_time(options, rng):
    """The deadline ends a job in any stage, and in time."""
    server, failures, slowest = Server(options, "--limit", "job_seconds=1", "--limit", "job.fuel=1000000000000"), [], {}
    for stage, address, body in long_works(rng):
        begun = time.perf_counter()
        status, headers, _ = server.ask("POST", address, body, **kind_of(address))
        seconds = time.perf_counter() - begun
        if status == 503 and not headers.get("retry-after") or status not in (200, 422, 503):
            failures.append(f"{stage}: {status}")
        slowest[stage] = (seconds, seconds_of_jobs(server))
        if seconds > 1 + options.most_stop * 5 or slowest[stage][1] > options.most_stop:
            failures.append(f"{stage} does not end in time")
    shown = ", ".join(f"{stage} {answer * 1000:.0f} and {more * 1000:.0f}" for stage, (answer, more) in slowest.items())
    print(f"with a clock of 1 s, the answer and the end of work after it, in ms: {shown}")
    server.end()
    return failures


def run(name, server, hit, options, rng):
    work = ATTACKS[name]
    server.forget_peak()
    hits = Hits(server, hit)
    hits.start()
    failures, answers, statuses = [], [], set()
    begun, server.waited = time.perf_counter(), 0.0
    try:
        answers, statuses = work(server, rng)
    except (AssertionError, OSError) as error:
        failures.append(str(error) or type(error).__name__)
    seconds = time.perf_counter() - begun - server.waited
    p99 = hits.p99()
    seen = collections.Counter(status for status, _, _ in answers)
    wrong = [status for status in seen if status not in statuses]
    if wrong:
        failures.append(f"answered with {wrong}")
    if hits.failed:
        failures.append(f"{hits.failed} cached answers failed")
    if p99 > options.most_milliseconds:
        failures.append(f"cached answers took {p99:.0f} ms")
    if seconds > options.most_seconds:
        failures.append(f"took {seconds:.0f} s")
    begun = time.perf_counter()
    answer = server.ask("POST", "/v1/check", f"def R{rng.randrange(1 << 30)};".encode())
    recovery = time.perf_counter() - begun
    if answer[0] != 200 or recovery > options.most_recovery:
        failures.append(f"{answer[0]} {recovery:.1f} s after the attack")
    peak = server.status("VmHWM")
    if peak > options.most_mb:
        failures.append(f"{peak:.0f} MB of memory")
    shown = " ".join(f"{status}x{count}" for status, count in sorted(seen.items(), key=str))
    print(f"{name:34} {shown:24} {seconds:7.1f} {peak:8.0f} {p99:8.1f} {recovery:8.2f}  {'; '.join(failures) or 'ok'}", flush=True)
    while NOTES:
        print(f"    {NOTES.pop(0)}", flush=True)
    return not failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=1, help="how often each attack runs")
    parser.add_argument("--memory-rounds", type=int, default=2, help="how often the uploads that are large in memory are sent")
    parser.add_argument("names", nargs="*", help="attacks to run; all, if none is named")
    options = parser.parse_args()
    for index in range(3):
        files = {f"{index}/{number}.td": "x" * 1000 for number in range(9_000)}
        JSON_OF_10_MB.append(json.dumps({"files": files}).encode())
    DIFF_OPTIONS.extend(diff_options(as_parts) for as_parts in (False, True))
    # Debug builds are several times slower.
    factor = 5 if "/debug/" in options.odsmith else 1
    options.most_stop = 0.1 * factor
    options.most_milliseconds, options.most_seconds, options.most_recovery, options.most_mb = 50 * factor, 25 * factor, 2 * factor, 1200
    rng = random.Random(7)
    server = Server(options)
    server.most_stop = options.most_stop
    good = True
    try:
        hit = server.ask("POST", "/v1/tblgen", b"def A;")[1]["content-location"]
        print(f"{'attack':34} {'answers':24} {'seconds':>7} {'peak MB':>8} {'p99 ms':>8} {'recovery':>8}")
        names = options.names or list(ATTACKS)
        # The last ones leave states of evaluation, which have room of their own.
        large = [name for name in names if name == uploads_that_are_large_in_memory.__name__]
        # Pages of the program's file do not count: the system takes them back when it needs them.
        most = 1.5 * CACHE_MB + 165
        for names, most in [([name for name in names if name not in large], most), (large, most + STATES_MB)]:
            for name in names * options.rounds:
                good &= run(name, server, hit, options, rng)
            time.sleep(3)
            resident = server.status("RssAnon")
            print(f"memory after {len(names)} attacks: {resident:.0f} MB of {most:.0f}")
            good &= resident <= most
    finally:
        status = server.end()
    print(f"the server ended with status {status}")
    failures = ends_in_time(options, rng) + ends_well(options) + stays_small(options, rng) if not options.names else []
    for failure in failures:
        print(f"the end: {failure}")
    sys.exit(0 if good and not failures and status == 0 else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask_again_and_again(int(sys.argv[2]), sys.argv[3])
    else:
        main()
