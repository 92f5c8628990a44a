#!/usr/bin/env python3
"""Requests and connections that are made to take the service down, each while other clients ask for what is cached.

  attack.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include [--rounds 1] [NAME...]

Prints for each attack the statuses of its answers, how long it took, the most memory that the server had, and how long
cached answers took meanwhile. Ends with status 1 if one was not answered as it must be, if cached answers were late, or if
the server did not recover. A debug build is given more time and memory: it measures that the limits are there.
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


def archive(files):
    """A .tar.gz of texts by path, packed well: attacks are small on the wire."""
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

    def __init__(self, options, *more, admin=True):
        command = [options.odsmith, "serve", "--bind", "127.0.0.1:0", "--library", f"22={options.library}", "--cache-mb", str(CACHE_MB)]
        command += ["--admin", "127.0.0.1:0"] if admin else []
        self.process = subprocess.Popen([*command, *more], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        ports = [int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.process.stderr.readline())[1]) for _ in range(1 + admin)]
        self.port, self.admin = ports[0], ports[-1]
        threading.Thread(target=lambda: collections.deque(self.process.stderr, 0), daemon=True).start()

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


class Hits(threading.Thread):
    """A client that asks for a cached answer again and again, on one connection."""

    def __init__(self, server, path):
        super().__init__(daemon=True)
        self.server, self.path, self.times, self.failed, self.is_over = server, path, [], 0, False

    def run(self):
        stream = self.server.connect()
        while not self.is_over:
            begun = time.perf_counter()
            stream.sendall(head("GET", self.path))
            self.failed += receive(stream)[0] != 200
            self.times.append(time.perf_counter() - begun)
            time.sleep(0.004)

    def p99(self):
        self.is_over = True
        self.join(60)
        times = sorted(self.times)
        return times[len(times) * 99 // 100] * 1000 if times else float("inf")


def side_by_side(count, work):
    """The answers of so many threads."""
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


# Each attack gives its answers and the statuses that they may have.
ATTACKS = {}


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


@attack
def json_of_10_mb(server, rng):
    def one(index):
        files = {f"{index}/{number}.td": "x" * 1000 for number in range(9_000)}
        return server.ask("POST", "/v1/check", json.dumps({"files": files}).encode(), Content_Type="application/json")

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
    """300 clients that ask for 15 MB and read nothing; the bytes are there once."""
    text = f'def A {{ string x = "{"y" * (7 << 20)}"; string z = x; }}'.encode()
    answer = server.ask("POST", "/v1/tblgen", text)
    address = answer[1]["content-location"]
    begun = server.status("VmRSS")
    stuck = [server.connect() for _ in range(300)]
    for stream in stuck:
        stream.sendall(head("GET", address))
    time.sleep(2)
    more = server.status("VmRSS") - begun
    for stream in stuck:
        stream.close()
    assert more < 100, f"{more:.0f} MB for clients that read nothing"
    return [answer], {200}


@attack
def clients_that_go(server, rng):
    """Work that no client waits for stops."""
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


@attack
def heads_that_are_wrong(server, rng):
    def raw(text):
        with server.connect() as stream:
            stream.sendall(text)
            return receive(stream)

    answers = [server.ask("GET", "/v1/" + "x" * 9_000), server.ask("BREW", "/v1/version"), server.ask("GET", "/v1/sites/%ff/x")]
    for status, headers, _ in answers:
        assert headers.get("content-type") == "application/problem+json" and headers.get("x-request-id"), f"{status} without a problem"
    return answers + [raw(b"GET / HTTP/9\r\n\r\n"), raw(head("GET", "/", X="y" * 200_000))], {400, 404, 405, 414, 431}


@attack
def connections(server, rng):
    """More than one address may have; those that are there go on."""
    open_ones = []
    for _ in range(1_200):
        with contextlib.suppress(OSError):
            open_ones.append(server.connect())
    for stream in open_ones:
        stream.close()
    time.sleep(0.5)
    return [server.ask("GET", "/v1/version")], {200}


def ends_well(options):
    """Nothing that was sent before the end is lost, with and without a listener for operators."""
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


def run(name, server, hit, options, rng):
    work = ATTACKS[name]
    server.forget_peak()
    hits = Hits(server, hit)
    hits.start()
    failures, answers, statuses = [], [], set()
    begun = time.perf_counter()
    try:
        answers, statuses = work(server, rng)
    except (AssertionError, OSError) as error:
        failures.append(str(error) or type(error).__name__)
    seconds = time.perf_counter() - begun
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
    return not failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=1, help="how often each attack runs")
    parser.add_argument("names", nargs="*", help="attacks to run; all, if none is named")
    options = parser.parse_args()
    # What is built for its own debugging is several times slower.
    factor = 5 if "/debug/" in options.odsmith else 1
    options.most_milliseconds, options.most_seconds, options.most_recovery, options.most_mb = 50 * factor, 25 * factor, 2 * factor, 1200
    rng = random.Random(7)
    server = Server(options)
    good = True
    try:
        hit = server.ask("POST", "/v1/tblgen", b"def A;")[1]["content-location"]
        print(f"{'attack':34} {'answers':24} {'seconds':>7} {'peak MB':>8} {'p99 ms':>8} {'recovery':>8}")
        for _ in range(options.rounds):
            for name in options.names or ATTACKS:
                good &= run(name, server, hit, options, rng)
        time.sleep(3)
        resident, most = server.status("VmRSS"), 1.5 * CACHE_MB + 200
        print(f"resident after all: {resident:.0f} MB of {most:.0f}")
        good &= resident <= most
    finally:
        status = server.end()
    print(f"the server ended with status {status}")
    failures = ends_well(options) if not options.names else []
    for failure in failures:
        print(f"the end: {failure}")
    sys.exit(0 if good and not failures and status == 0 else 1)


if __name__ == "__main__":
    main()
