#!/usr/bin/env python3
"""Mixed requests to the service, each of which has one right answer: the share of right answers, their times, and the
server's memory. Meanwhile some clients read slowly, others send endless requests, and the storage below the memory fails:
a shared tier that is dead, hung, forged or full, and a full disk. Then the server is killed: once it is restarted, every
result that it had named must exist. At last it is stopped during requests, none of which may be lost.

  soak.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include --requests 100000
  soak.py --odsmith target/release/odsmith --library /usr/lib/llvm-22/include --minutes 60

Ends with status 1 if fewer than 99.9 % of the answers were right, if memory grew by more than a quarter in the second
half, if more than 1.5 times the cache and 200 MB are kept afterwards, if something was lost, or if one of the moods had no
effect. The server's caches are made small, so that they are full before the half and later growth is a leak.
"""
import argparse
import asyncio
import collections
import gzip
import hashlib
import io
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

from tier import Tier

CACHE_MB, STORE_MB = 24, 256
# The number of memory samples.
LOOKS = 20


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def problem(self, status, code):
        return self.status == status and self.headers.get("content-type") == "application/problem+json" and self.json()["code"] == code


class Client:
    """One connection, opened again when the server closes it."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def ask(self, method, path, headers=(), body=b"", length=None):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: soak\r\n"
        if body or method in ("POST", "PUT"):
            head += f"Content-Length: {len(body) if length is None else length}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found = dict((name.lower(), value) for name, _, value in (line.partition(": ") for line in lines[1:] if line))
        status = int(lines[0].split()[1])
        size = int(found.get("content-length", 0)) if method != "HEAD" and status not in (204, 304) else 0
        content = await self.reader.readexactly(size)
        if found.get("connection") == "close" or length is not None:
            self.close()
        return Answer(status, found, content)

    def close(self):
        if self.writer:
            self.writer.close()
        self.writer = None


def archive(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue(), 1)


class PreparedResults:
    """Results that exist before the soak begins."""

    async def make(self, client, demo, replica):
        self.replica = replica
        answer = await client.ask("POST", "/v1/generate", [("Content-Type", "application/gzip")], demo)
        assert answer.status == 200, answer.body
        self.place = answer.headers["content-location"]
        self.archive = answer.body
        self.demo = demo
        result = await client.ask("GET", self.place)
        self.tag = result.headers["etag"]
        outputs = [output for output in result.json()["outputs"] if output["status"] == "ok"]
        self.outputs = [(output["path"], output["sha256"]) for output in outputs]
        large = await client.ask("POST", "/v1/tblgen", [], f'def A {{ string x = "{"y" * (7 << 20)}"; }}'.encode())
        assert large.status == 200, large.body[:1000]
        self.large = large.headers["content-location"]
        self.digest = hashlib.sha256(demo).hexdigest()
        assert (await client.ask("PUT", f"/v1/bundles/{self.digest}", [], demo)).status in (201, 204)


def kinds(known):
    """Every kind of request, its weight, and whether an answer is right."""

    async def file(client, _):
        path, digest = random.choice(known.outputs)
        answer = await client.ask("GET", f"{known.place}/files/{path}")
        return answer.status == 200 and hashlib.sha256(answer.body).hexdigest() == digest

    async def unchanged(client, _):
        answer = await client.ask("GET", known.place, [("If-None-Match", known.tag)])
        return answer.status == 304 and answer.body == b""

    async def whole(client, _):
        answer = await client.ask("GET", f"{known.place}.tar.gz")
        return answer.status == 200 and answer.body == known.archive

    async def part(client, _):
        start = random.randrange(len(known.archive) - 1)
        answer = await client.ask("GET", f"{known.place}.tar.gz", [("Range", f"bytes={start}-{start + 99}")])
        return answer.status == 206 and answer.body == known.archive[start : start + 100]

    async def beginning(client, _):
        """A part of the large result, which slow readers take only once, and which would otherwise be evicted first."""
        answer = await client.ask("GET", known.large, [("Range", "bytes=0-99")])
        return answer.status == 206 and len(answer.body) == 100

    async def head(client, _):
        answer = await client.ask("HEAD", f"{known.place}.tar.gz")
        return answer.status == 200 and int(answer.headers["content-length"]) == len(known.archive)

    async def miss(client, number):
        answer = await client.ask("POST", "/v1/tblgen", [], f"def A{number} {{ int x = !add({number}, 1); }}\n".encode())
        return answer.status == 200 and f"def A{number} {{\n  int x = {number + 1};\n}}".encode() in answer.body

    async def earlier(client, number):
        """An earlier request, to another server: it gets the result from the shared tier, or makes it again."""
        other = Client(known.replica)
        good = await miss(other, random.randrange(number + 1))
        other.close()
        return good

    async def dialect(client, number):
        text = f'include "mlir/IR/OpBase.td"\ndef D : Dialect {{ let name = "d{number}"; let cppNamespace = "d"; }}\ndef AOp : Op<D, "a">;\n'
        answer = await client.ask("POST", "/v1/model", [], text.encode())
        return answer.status == 200 and answer.json()["operations"][0]["name"] == f"d{number}.a"

    async def bundle(client, number):
        # Another manifest each time, so that nothing of it is cached.
        body = archive({"a.td": f"def A{number};\n", "odsmith.toml": f'defines = ["X{number}"]\n'})
        answer = await client.ask("POST", "/v1/generate", [("Accept", "application/json")], body)
        return answer.status == 200 and answer.json()["manifest"]["defines"] == [f"X{number}"]

    async def by_digest(client, _):
        answer = await client.ask("GET", f"/v1/generate?bundle={known.digest}")
        return answer.status in (303, 404) if answer.status == 303 else answer.problem(404, "bundle-not-found")

    async def again(client, _):
        answer = await client.ask("POST", "/v1/generate", [], known.demo)
        return answer.status == 200 and answer.body == known.archive

    async def wrong_program(client, number):
        answer = await client.ask("POST", "/v1/tblgen", [], f"def A{number} : Missing;\n".encode())
        return answer.problem(422, "tablegen-errors") and answer.json()["diagnostics"][0]["range"]["start"]["line"] == 1

    async def fuel(client, number):
        answer = await client.ask("POST", "/v1/tblgen", [], f"defvar n = {number};\nforeach i = !range(0, 10000) in foreach j = !range(0, 10000) in defvar x = !add(i, j, n);\n".encode())
        return answer.problem(422, "limit-exceeded")

    async def check(client, number):
        answer = await client.ask("POST", "/v1/check", [("Accept", "application/json")], f"def A{number} : Missing;\n".encode())
        return answer.status == 200 and len(answer.json()) == 1

    async def no_archive(client, number):
        return (await client.ask("POST", "/v1/generate", [], f"nothing {number}".encode())).problem(400, "bad-archive")

    async def unknown(client, number):
        return (await client.ask("GET", f"/v1/results/{number:064x}")).problem(404, "result-not-found")

    async def method(client, _):
        return (await client.ask("DELETE", known.place)).problem(405, "method-not-allowed")

    async def large(client, _):
        answer = await client.ask("POST", "/v1/generate", [], b"x", length=1 << 30)
        return answer.problem(413, "too-large")

    async def gone(client, number):
        """A client that disconnects in the middle of its body; no other client may notice."""
        reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
        writer.write(f"POST /v1/tblgen HTTP/1.1\r\nHost: soak\r\nContent-Length: 5000\r\n\r\ndef A{number}".encode())
        await writer.drain()
        writer.close()
        return True

    async def page(client, _):
        answer = await client.ask("GET", random.choice(["/", "/docs", "/openapi.json", "/v1/limits", "/v1/generators"]))
        return answer.status == 200 and answer.body != b""

    return [
        (file, 300), (unchanged, 200), (whole, 60), (part, 60), (beginning, 5), (head, 20), (miss, 150), (earlier, 50), (dialect, 2), (bundle, 20), (by_digest, 20),
        (again, 20), (wrong_program, 50), (fuel, 0.2), (check, 20), (no_archive, 20), (unknown, 30), (method, 10), (large, 5), (gone, 10), (page, 20),
    ]


async def read_slowly(port, address, ends):
    """Reads an answer of megabytes slowly, again and again."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 12)
        try:
            writer.write(f"GET {address} HTTP/1.1\r\nHost: soak\r\n\r\n".encode())
            while await reader.read(16):
                await asyncio.sleep(0.5)
        except OSError:
            pass
        finally:
            ends["slow readers"] += 1
            writer.close()


async def write_slowly(port, ends):
    """Sends a head or a body slowly, again and again."""
    beginnings = ["GET /v1/version HTTP/1.1\r\nX-Slow: ", "POST /v1/check HTTP/1.1\r\nHost: soak\r\nContent-Length: 1000000\r\n\r\n"]
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(random.choice(beginnings).encode())
            answer = asyncio.create_task(reader.read(1000))
            while not answer.done():
                writer.write(b"d")
                await asyncio.sleep(0.5)
            ends["stuck writers that got an answer" if (await answer).startswith(b"HTTP/1.1 408 ") else "stuck writers"] += 1
        except OSError:
            ends["stuck writers"] += 1
        finally:
            writer.close()


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+)", status)[1]) / 1024


async def outcomes(admin):
    """The outcomes of calls to the store and the shared tier, as the server counts them."""
    answer = await Client(admin).ask("GET", "/metrics")
    found = re.findall(rb'^odsmith_((?:store|shared_cache)_calls|store_faulty)(?:\{outcome="(\w+)"\})? (\d+)$', answer.body, re.M)
    return {f"{name.decode()} {outcome.decode()}".strip(): int(count) for name, outcome, count in found}


async def soak(options, server, replica, tier):
    process, port = server.process, server.port
    known = PreparedResults()
    first = Client(port)
    demo = archive({str(path.relative_to(options.demo)): path.read_text() for path in sorted(options.demo.rglob("*")) if path.is_file()})
    await known.make(first, demo, replica.port)
    functions, weights = zip(*kinds(known))
    counts, wrong, times = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    memory, done = [], 0
    started = time.perf_counter()

    def share_done():
        """The completed share of the soak."""
        return (time.perf_counter() - started) / options.minutes / 60 if options.minutes else done / options.requests

    # Every mood occurs at least once, however fast the requests are answered.
    numbers = itertools.takewhile(lambda _: share_done() < 1 or tier.rounds == 0, itertools.count())

    async def work():
        nonlocal done
        client = Client(port)
        for number in numbers:
            (kind,) = random.choices(functions, weights)
            start = time.perf_counter()
            try:
                good = await asyncio.wait_for(kind(client, number), 60)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError, KeyError, IndexError) as error:
                client.close()
                good = False
                print(f"{kind.__name__}: {error!r}", flush=True)
            times[kind.__name__].append(time.perf_counter() - start)
            counts[kind.__name__] += 1
            wrong[kind.__name__] += not good
            done += 1
            if len(memory) + 1 <= share_done() * LOOKS < LOOKS + 1:
                memory.append((done, resident(process)))
        client.close()

    ends = collections.Counter()
    hindrances = [read_slowly(port, known.large, ends) for _ in range(20)] + [write_slowly(port, ends) for _ in range(20)]
    hindrances = [asyncio.create_task(hindrance) for hindrance in [*hindrances, tier.live(process)]]
    await asyncio.gather(*(work() for _ in range(options.connections)))
    seconds = time.perf_counter() - started
    for hindrance in hindrances:
        hindrance.cancel()
    for fault in await asyncio.gather(*hindrances, return_exceptions=True):
        assert isinstance(fault, asyncio.CancelledError), repr(fault)
    print(f"{done:,} requests in {seconds:.0f} s, {done / seconds:,.0f} a second")
    for kind, count in counts.most_common():
        ordered = sorted(times[kind])
        print(f"  {kind:14} {count:8,}  wrong {wrong[kind]:4}  median {ordered[len(ordered) // 2] * 1000:7.2f} ms  p99 {ordered[int(len(ordered) * 0.99)] * 1000:7.2f} ms")
    print("memory, in MiB:", "  ".join(f"{count // 1000}k {megabytes:.0f}" for count, megabytes in memory))
    print("connections that hindered and were ended:", dict(ends))
    print("moods below the memory, and what they did:", dict(tier.counts))
    print(f"memory of the replica: {resident(replica.process):.0f} MiB")
    # All is well again, which the store notices with the next result.
    assert (await Client(port).ask("POST", "/v1/tblgen", [], b"def LastOfTheSoak;\n")).status == 200
    felt, also = await outcomes(server.admin), await outcomes(replica.admin)
    print("what the server felt of them:", felt)
    print("what the replica felt of them:", also)
    # Each mood left its trace, and the disk works again.
    is_felt = all([felt["store_calls failure"], felt["shared_cache_calls failure"], *(also[f"shared_cache_calls {name}"] for name in ("hit", "miss", "damaged", "failure"))])
    is_felt = is_felt and not felt["store_faulty"]
    share = 1 - sum(wrong.values()) / done
    half, last = memory[len(memory) // 2 - 1][1], max(megabytes for _, megabytes in memory[-3:])
    print(f"as specified: {share:.4%}; memory in the second half: {half:.0f} to {last:.0f} MiB")
    await asyncio.sleep(10)
    rest, most = resident(process), 1.5 * CACHE_MB + 200
    print(f"ten seconds after: {rest:.0f} MiB of {most:.0f}")
    return known, share >= 0.999 and last <= half * 1.25 and rest <= most and is_felt


async def is_there(known, port):
    """Returns whether a restarted server has all results that the killed one had named."""
    client = Client(port)
    answers = [await client.ask("GET", f"{known.place}/files/{path}") for path, _ in known.outputs]
    lost = sum(answer.status != 200 or hashlib.sha256(answer.body).hexdigest() != digest for answer, (_, digest) in zip(answers, known.outputs))
    whole = await client.ask("GET", f"{known.place}.tar.gz")
    lost += whole.status != 200 or whole.body != known.archive
    lost += (await client.ask("GET", known.large)).status != 200
    client.close()
    print(f"after kill -9 and a start: {lost} of {len(answers) + 2} addresses lost")
    return lost == 0


async def end(process, port):
    """Stops the server while clients send requests: every request that it accepted is answered."""
    counts = collections.Counter()

    async def work(name):
        for number in range(1_000_000):
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                return
            text = f"def E{name}x{number}; foreach i = !range(0, 3000) in def E#i;".encode()
            try:
                writer.write(f"POST /v1/tblgen HTTP/1.1\r\nHost: soak\r\nConnection: close\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
                counts["answered" if (await reader.read()).startswith(b"HTTP/1.1 200 ") else "lost"] += 1
            except OSError:
                counts["lost"] += 1
            writer.close()

    workers = asyncio.gather(*(work(name) for name in range(8)))
    await asyncio.sleep(2)
    process.terminate()
    await workers
    print(f"around SIGTERM: {dict(counts)}")
    return counts["lost"] == 0 and counts["answered"] > 0


class Server:
    """A server, its port, and that of its operators."""

    def __init__(self, options, folder, tier, *more):
        key = folder / "key"
        key.write_bytes(bytes(range(32)))
        command = [options.odsmith, "serve", "--bind", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--library", f"22={options.library}"]
        command += ["--shared-cache", f"redis://127.0.0.1:{tier.port}/", "--shared-key-file", key, *more]
        # A write that a full disk refuses is an error without a signal, since Python and its children ignore that one.
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, restore_signals=False)
        self.port, self.admin = self.read_port("serving"), self.read_port("operators")
        threading.Thread(target=collections.deque, args=(self.process.stderr, 0), daemon=True).start()

    def read_port(self, what):
        return next(int(found[1]) for line in self.process.stderr if (found := re.search(what + r" on http://127\.0\.0\.1:(\d+)/", line)))

    def end(self):
        self.process.terminate()
        return self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--demo", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "fixtures/demo")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, help="so long, however many requests that are")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    tier = Tier()
    with tempfile.TemporaryDirectory(prefix="odsmith-soak-") as folder:
        folder = pathlib.Path(folder)
        kept = ["--cache-mb", str(CACHE_MB), "--store", folder / "store", "--store-mb", str(STORE_MB)]
        server, replica = Server(options, folder, tier, *kept), Server(options, folder, tier, "--cache-mb", "1")
        try:
            known, good = asyncio.run(soak(options, server, replica, tier))
            server.process.kill()
            server.process.wait()
            server = Server(options, folder, tier, *kept)
            good &= asyncio.run(is_there(known, server.port))
            good &= asyncio.run(end(server.process, server.port))
        finally:
            status = replica.end() or server.end()
            tier.end()
    print(f"the servers ended with status {status}")
    sys.exit(0 if good and status == 0 else 1)


if __name__ == "__main__":
    main()
