#!/usr/bin/env python3
"""The cost of a hit of the service, beside a bare actix-web + moka server, in pairs; the latency of hits beside misses; and
the cost of a miss, beside the mlir-tblgen processes that it replaces.

  service.py --odsmith target/release/odsmith --bare target/release/examples/bare --library /usr/lib/llvm-22/include \\
      --reference /usr/lib/llvm-22/bin

Needs wrk. Each figure is the median of --pairs runs that alternate between the two servers; two servers never run at
once. The server has one worker's load generator against it on the same machine, so the figures compare, and say little
of what a machine of its own would do. For latencies, the load has a core to itself and the server the others:
else the tail is the time that the load generator itself waits for a core.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cores():
    """The cores of the server and of the load generator; a machine with one core shares it."""
    every = sorted(os.sched_getaffinity(0))
    return every[:-1] or every, every[-1:]


def on_cores(cores, command):
    command = [str(word) for word in command]
    return ["taskset", "-c", ",".join(map(str, cores)), *command] if cores else command


class Server:
    def __init__(self, port, command, cores=None):
        self.port = port
        self.started = time.perf_counter()
        self.process = subprocess.Popen(on_cores(cores, command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if self.process.poll() is not None or time.perf_counter() - self.started > 30:
                    sys.exit(f"{command[0]} does not listen")
                time.sleep(0.002)
        self.start_seconds = time.perf_counter() - self.started

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status)[1]) / 1024


def wrk(port, path, seconds, headers=(), connections=32, cores=None):
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
    for header in headers:
        command += ["-H", header]
    text = subprocess.run(on_cores(cores, [*command, f"http://127.0.0.1:{port}{path}"]), capture_output=True, text=True, check=True).stdout
    if "Socket errors" in text:
        sys.exit(text)
    rate = float(re.search(r"Requests/sec:\s*([\d.]+)", text)[1])
    number, unit = re.search(r"99%\s*([\d.]+)(us|ms|s)", text).groups()
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def odsmith(options, cores=None):
    port = free_port()
    command = [options.odsmith, "serve", "--bind", f"127.0.0.1:{port}", "--library", f"22={options.library}"]
    return Server(port, command, cores)


def bare(options, cores=None):
    port = free_port()
    return Server(port, [options.bare, port, 4096], cores)


def make(server, number):
    """Sends a new bundle and returns the address of its result."""
    files = {"files": {"a.td": f"def A{number};\n"}, "request": {"docs": {"enabled": False}, "target": [
        {"td": "a.td", "outputs": [{"path": "r.txt", "flags": ["--print-records"]}]}]}}
    answer, content = server.ask("POST", "/v1/generate", json.dumps(files), {"Content-Type": "application/json"})
    assert answer.status == 200, content
    return answer.headers["Content-Location"]


def four_kib(server):
    """A result with one file of 4 KiB, and its address."""
    line = 'def A { string s = "@"; }\n'
    for length in range(3000, 4200):
        text = line.replace("@", "x" * length)
        answer, content = server.ask("POST", "/v1/tblgen?flags=--print-records", text)
        if len(content) >= 4096:
            break
    files = {"files": {"a.td": text}, "request": {"docs": {"enabled": False}, "target": [
        {"td": "a.td", "outputs": [{"path": "r.txt", "flags": ["--print-records"]}]}]}}
    answer, _ = server.ask("POST", "/v1/generate", json.dumps(files), {"Content-Type": "application/json"})
    path = answer.headers["Content-Location"] + "/files/cpp/r.txt"
    answer, content = server.ask("GET", path)
    assert len(content) == 4096, len(content)
    return path, answer.headers["ETag"]


def hits(options):
    rows = {"4 KiB": ([], []), "304": ([], [])}
    costs = {name: ([], []) for name in rows}

    def measure(server, name, which, *arguments):
        before = server.cpu_seconds()
        rate = wrk(server.port, *arguments)[0]
        rows[name][which].append(rate)
        costs[name][which].append((server.cpu_seconds() - before) / (rate * options.seconds) * 1e6)

    for _ in range(options.pairs):
        for which in (0, 1):
            with (odsmith(options) if which == 0 else bare(options)) as server:
                path, tag = four_kib(server) if which == 0 else ("/key", '"bare"')
                measure(server, "4 KiB", which, path, options.seconds)
                measure(server, "304", which, path, options.seconds, [f"If-None-Match: {tag}"])
    for name, (ours, theirs) in rows.items():
        ours, theirs = statistics.median(ours), statistics.median(theirs)
        print(f"hits, {name}: {ours:,.0f} a second, bare {theirs:,.0f}: {ours / theirs:.0%}", flush=True)
        # This does not depend on the machine's other work.
        ours, theirs = (statistics.median(cost) for cost in costs[name])
        print(f"   of processor time: {ours:.1f} µs each, bare {theirs:.1f} µs: {theirs / ours:.0%}", flush=True)


def hits_beside_misses(options):
    served, load = cores()
    with odsmith(options, served) as server:
        print(f"starts in {server.start_seconds * 1000:.0f} ms, takes {server.resident():.0f} MiB at rest")
        path, _ = four_kib(server)
        stop, made = threading.Event(), []

        def miss():
            number = 0
            while not stop.is_set():
                make(server, f"_{id(stop)}_{number}")
                number += 1
            made.append(number)

        tails = lambda port, path: [wrk(port, path, options.seconds, cores=load)[1] for _ in range(options.pairs)]
        alone = tails(server.port, path)
        thread = threading.Thread(target=miss)
        thread.start()
        beside = tails(server.port, path)
        stop.set()
        thread.join()
        misses = made[0] / options.seconds / options.pairs
        before = server.resident()
        for number in range(3):
            wrk(server.port, path, options.seconds)
        print(f"memory after {before:.0f} MiB: {server.resident():.0f} MiB, {options.seconds * 3} s of hits later")
    with bare(options, served) as server:
        floor = tails(server.port, "/key")
    say = lambda tails: f"{statistics.median(tails):.2f} ms ({min(tails):.2f} to {max(tails):.2f})"
    print(f"p99 of hits at 32 connections, the server on {len(served)} of {len(served) + 1} cores: {say(alone)} alone,")
    print(f"   {say(beside)} beside {misses:,.0f} misses a second; bare {say(floor)} alone")


def misses(options):
    """A dialect's bundle, slightly different each time, and the same outputs by one process each."""
    include = pathlib.Path(__file__).parent.parent / "fixtures/demo/include"
    files = {str(path.relative_to(include)): path.read_text() for path in sorted(include.rglob("*.td"))}
    first = sorted(files)[0]

    def ask(server, number, request):
        changed = {**files, first: files[first] + f"// {number}\n"}
        body = json.dumps({"files": changed, "request": request})
        start, before = time.perf_counter(), server.cpu_seconds()
        answer, content = server.ask("POST", "/v1/generate", body, {"Content-Type": "application/json", "Accept": "application/x-tar"})
        took = time.perf_counter() - start, server.cpu_seconds() - before
        assert answer.status == 200 and "fwd=miss" in answer.headers["Cache-Status"], content[:1000]
        return took, answer.headers["Content-Location"]

    rows = {"outputs alone": {"docs": {"enabled": False}, "model": False}, "with the site and the model": {}}
    with odsmith(options) as server, tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        # The library's states are made once.
        _, place = ask(server, "first", {})
        outputs = json.loads(server.ask("GET", place)[1])["outputs"]
        commands = [[f"{options.reference}/mlir-tblgen", *output["flags"], "-I", folder, "-I", options.library, f"{folder}/{output['td']}"] for output in outputs]
        ours, theirs = {name: [] for name in rows}, []
        number = 0
        for _ in range(options.pairs * 3):
            for name, request in rows.items():
                number += 1
                ours[name].append(ask(server, number, request)[0])
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            for command in commands:
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            theirs.append((time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        middle = lambda runs, which: statistics.median(run[which] for run in runs) * 1000
        print(f"{len(commands)} outputs by mlir-tblgen, one process each: {middle(theirs, 0):.0f} ms, {middle(theirs, 1):.0f} ms of processor time")
        for name, runs in ours.items():
            # Ticks are 10 ms, so that the mean is more exact than the median.
            cpu = statistics.mean(run[1] for run in runs) * 1000
            print(f"   a miss, {name}: {middle(runs, 0):.1f} ms, {cpu:.1f} ms of processor time: 1/{middle(theirs, 0) / middle(runs, 0):.0f} of the time, 1/{middle(theirs, 1) / max(cpu, 0.1):.0f} of the processor's")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--bare", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--reference", help="the folder of mlir-tblgen")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        print("skipped: there is no wrk (Debian: wrk)")
        return
    hits(options)
    hits_beside_misses(options)
    if options.reference:
        misses(options)


if __name__ == "__main__":
    main()
