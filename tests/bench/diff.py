#!/usr/bin/env python3
"""Times comparisons: all of MLIR 19 against 22, a hit over HTTP, and the report of an upgrade.

    diff.py --odsmith target/release/odsmith --library 22=/usr/lib/llvm-22/include --library 19=...

A comparison takes turns with one of MLIR 22 with itself, which reads and compares as much and finds nothing, and with
`odsmith check` of both trees, which reads them; a hit with `GET /v1/version` of the same server. The figures are medians, and the
peak of memory. The status is 1 if a figure is above its budget.
"""
import argparse
import http.client
import io
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

from service import Server, free_port

# The budgets, in seconds and bytes: for all of MLIR from records, a hit, and a report of 250 files.
MOST_SECONDS, MOST_BYTES, MOST_HIT, MOST_REPORT = 1.5, 500e6, 1e-3, 3.0
HITS = 500
DEMO = pathlib.Path(__file__).parent.parent / "fixtures/demo"


def measured(command, statuses=(0, 1)):
    """The seconds and the peak memory in bytes of a command."""
    started = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in statuses:
        sys.exit(f"{' '.join(map(str, command))} ends with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - started, usage.ru_maxrss * 1024


def in_turns(times, commands, statuses=(0, 1)):
    """The median of the seconds and the peak of memory, by name."""
    runs = {name: [] for name in commands}
    for _ in range(times):
        for name, command in commands.items():
            runs[name].append(measured(command, statuses))
    return {name: (statistics.median(s for s, _ in all), max(m for _, m in all)) for name, all in runs.items()}


def archive(change):
    """The demo as a `.tar`, with its operations changed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for path in sorted(DEMO.rglob("*.td")):
            data = change(path.read_text()).encode()
            entry = tarfile.TarInfo(str(path.relative_to(DEMO)))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def multipart(parts):
    border = "border-of-parts"
    lines = [f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.tar"\r\nContent-Type: application/x-tar\r\n\r\n'.encode() + data + b"\r\n" for name, data in parts.items()]
    return b"".join(lines) + f"--{border}--\r\n".encode(), f"multipart/form-data; boundary={border}"


def hits(odsmith, library):
    """The seconds of a hit over one connection by its address, by the same request again, and of the version."""
    body, kind = multipart({"old": archive(str), "new": archive(lambda text: text.replace("F64Attr:$radius);", "F64Attr:$radius, OptionalAttr<I64Attr>:$sides);"))})
    port = free_port()
    with Server(port, [odsmith, "serve", "--bind", f"127.0.0.1:{port}", "--library", library]):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def ask(method, path, body=None, headers=None):
            started = time.perf_counter()
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status != 200:
                sys.exit(f"{method} {path}: {answer.status} {content[:500]}")
            return time.perf_counter() - started, answer, content

        post = ("POST", "/v1/diff", body, {"Content-Type": kind, "Accept": "application/json"})
        _, answer, content = ask(*post)
        if b'"IN001"' not in content:
            sys.exit("the comparison does not find what was changed")
        address = answer.headers["Content-Location"]
        asked = {"address": ("GET", address), "question": post, "version": ("GET", "/v1/version")}
        runs = {name: [] for name in asked}
        for _ in range(HITS):
            for name, request in asked.items():
                runs[name].append(ask(*request)[0])
    return {name: statistics.median(all) for name, all in runs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True, action="append", help="RELEASE=DIR, of 19 and 22 at least")
    parser.add_argument("-n", "--times", type=int, default=9)
    options = parser.parse_args()
    libraries = dict(each.split("=", 1) for each in options.library)
    both = [word for release in ("19", "22") for word in ("--library", f"{release}={libraries[release]}")]
    diff = [options.odsmith, "diff", "--fail-on", "never", "--output-format", "json", "-o", os.devnull, *both]
    is_slow = False

    def show(name, seconds, most, more=""):
        nonlocal is_slow
        is_slow |= seconds > most
        print(f"{name:34} {seconds * 1000:9.2f} ms of {most * 1000:6.0f}{'   TOO SLOW' if seconds > most else ''}{more}")

    done = in_turns(options.times, {
        "MLIR 19 against 22": [*diff, "release:19", "release:22"],
        "MLIR 22 against itself": [*diff, "release:22", "release:22"],
    })
    (seconds, memory), (alike, _) = done["MLIR 19 against 22"], done["MLIR 22 against itself"]
    show("MLIR 19 against 22", seconds, MOST_SECONDS, f"   {seconds / alike:.2f} of 22 against itself, {memory / 1e6:.0f} of {MOST_BYTES / 1e6:.0f} MB")
    is_slow |= memory > MOST_BYTES

    medians = hits(options.odsmith, f"22={libraries['22']}")
    for name in ("address", "question"):
        show(f"hit over HTTP, by {name}", medians[name], MOST_HIT, f"   {medians[name] / medians['version']:.2f} of GET /v1/version")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        old = pathlib.Path(libraries["19"])
        for path in (old / "mlir/Dialect").rglob("*.td"):
            place = folder / path.relative_to(old)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
        number = 0
        while len(list(folder.rglob("*.td"))) < 250:
            shutil.copytree(DEMO / "include", folder / f"own{number}")
            number += 1
        count = len(list(folder.rglob("*.td")))
        done = in_turns(options.times, {
            "report": [options.odsmith, "upgrade", "--from", "19", "--to", "22", "--fail-on", "never", *both, folder],
            "check": [options.odsmith, "check", "--mlir=19", *both[:2], folder],
        }, statuses=(0, 1, 3))
        (seconds, memory), (check, _) = done["report"], done["check"]
        show(f"upgrade of {count} files", seconds, MOST_REPORT, f"   {seconds / check:.2f} of check, {memory / 1e6:.0f} MB")
    return 1 if is_slow else 0


if __name__ == "__main__":
    sys.exit(main())
