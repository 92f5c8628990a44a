#!/usr/bin/env python3
"""Clients generated from the service's description: one in Python (openapi-python-client), one in TypeScript
(openapi-typescript, openapi-fetch). Each sends a bundle, fetches the result, and compares digests.

  clients.py --odsmith target/debug/odsmith --library /usr/lib/llvm-22/include [--typescript tests/contract/node_modules]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TSC = ["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"]


def python(folder, address):
    generator = pathlib.Path(sys.executable).with_name("openapi-python-client")
    out = folder / "python"
    run = [generator, "generate", "--path", folder / "openapi.json", "--output-path", out, "--config", HERE / "python-client.yml"]
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    # The generator leaves out what it does not support, with a warning; the used parts must exist.
    if said.returncode != 0:
        sys.exit(said.stdout + said.stderr)
    subprocess.run([sys.executable, HERE / "client.py", address], env={**os.environ, "PYTHONPATH": out}, check=True)


def typescript(folder, address, packages):
    work = folder / "typescript"
    work.mkdir()
    (work / "node_modules").symlink_to(packages)
    for name in ["client.ts", "package.json"]:
        shutil.copy(HERE / name, work)
    tools = packages / ".bin"
    subprocess.run([tools / "openapi-typescript", folder / "openapi.json", "--output", work / "schema.d.ts"], stdout=subprocess.DEVNULL, check=True)
    subprocess.run([tools / "tsc", *TSC, "client.ts"], cwd=work, check=True)
    subprocess.run(["node", "client.js", address], cwd=work, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--typescript", type=pathlib.Path, help="node_modules with what package.json names; without it there is the client in Python only")
    options = parser.parse_args()
    command = [options.odsmith, "serve", "--bind", "127.0.0.1:0", "--library", f"22={options.library}"]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline())[0]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            urllib.request.urlretrieve(f"{address}/openapi.json", folder / "openapi.json")
            python(folder, address)
            if options.typescript:
                typescript(folder, address, options.typescript.resolve())
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
