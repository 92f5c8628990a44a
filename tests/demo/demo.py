#!/usr/bin/env python3
"""Starts `odsmith serve` on a free loopback port, sends it two bundles and shows the results.

The bundles: the sketch dialect of tests/fixtures/demo, and the arith dialect as it is in MLIR's library. Serves on
until Ctrl-C; with --once it ends by itself, with status 0 if every result arrived.
"""
import argparse
import collections
import http.client
import io
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SKETCH = HERE.parent / "fixtures" / "demo"


def bundle(root, folder):
    """A tar.gz of the .td files (and the manifest) below root/folder, with paths relative to root."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix == ".td" or path.name == "odsmith.toml":
                tar.add(path, arcname=str(path.relative_to(root)))
    return raw.getvalue()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(port, server):
    for _ in range(200):
        if server.poll() is not None:
            sys.exit(f"the server ended with status {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("the server did not open its port within 10 s")


def post(port, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/gzip", "Accept": "application/gzip"}
    started = time.perf_counter()
    connection.request("POST", "/v1/generate", body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content, time.perf_counter() - started


def get_status(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def size(count):
    return f"{count:,} B" if count < 10_000 else f"{count / 1000:,.0f} kB"


def show_tree(members):
    """Prints the archive as a tree; a folder with many files of one kind is one line."""
    folders = collections.defaultdict(list)
    for name, length in members:
        folders[os.path.dirname(name)].append((os.path.basename(name), length))
    for folder in sorted(folders):
        files = sorted(folders[folder])
        indent = "      "
        if folder:
            print(f"    {folder}/")
        else:
            indent = "    "
        if len(files) > 8:
            total = sum(length for _, length in files)
            print(f"{indent}{len(files)} files, {files[0][0]} … {files[-1][0]}  ({size(total)})")
            continue
        for name, length in files:
            print(f"{indent}{name:<40} {size(length):>10}")


def demonstrate(port, title, body):
    print(f"\n{title}: {size(len(body))} of tar.gz up")
    answer, content, first = post(port, body)
    kind = answer.headers.get("Content-Type", "")
    if answer.status != 200:
        print(f"  {answer.status} {answer.reason}\n{content.decode('utf8', 'replace')}")
        return False
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        members = [(member.name, member.size) for member in tar.getmembers() if member.isfile()]
    total = sum(length for _, length in members)
    print(f"  {answer.status} {kind}: {size(len(content))} back in {first * 1000:.0f} ms: {len(members)} files, {size(total)}")
    timing = answer.headers.get("Server-Timing")
    if timing:
        print(f"  {timing}")
    show_tree(members)
    _, again, second = post(port, body)
    print(f"  the same again: {second * 1000:.1f} ms, {'the same bytes' if again == content else 'OTHER BYTES'}")
    key = answer.headers.get("Content-Location", "").rsplit("/", 1)[-1].split(".")[0]
    site = f"/v1/sites/{key}/index.html"
    status = get_status(port, site)
    print(f"  reference site ({status}): http://127.0.0.1:{port}{site}")
    return again == content and status == 200


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True, help="the binary")
    parser.add_argument("--library", required=True, type=pathlib.Path, help="the include folder of MLIR 22")
    parser.add_argument("--once", action="store_true", help="end after the demonstration")
    options = parser.parse_args()

    port = free_port()
    server = subprocess.Popen([options.odsmith, "serve", "--bind", f"127.0.0.1:{port}", "--library", f"22={options.library}"])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        wait_until_up(port, server)
        print(f"odsmith serves on http://127.0.0.1:{port}/ (library: {options.library})")
        good = demonstrate(port, "A dialect of our own, sketch", bundle(SKETCH, "."))
        good = demonstrate(port, "MLIR's arith", bundle(options.library, "mlir/Dialect/Arith/IR")) and good
        if options.once:
            sys.exit(0 if good else 1)
        print("\nServing until Ctrl-C.", flush=True)
        server.wait()
    except KeyboardInterrupt:
        print()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
