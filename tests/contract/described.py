#!/usr/bin/env python3
"""The service against its own description, which must be a valid OpenAPI document: schemathesis makes valid
and invalid requests of every kind. Every answer must be in the description, and none may be an internal error.

  described.py --odsmith target/debug/odsmith --library /usr/lib/llvm-22/include --examples 50
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

from openapi_spec_validator import validate

# Bytes of an archive are sent as they are.
HOOKS = """
import schemathesis

@schemathesis.serializer("application/gzip", "application/x-tar", "application/zip", "application/zstd")
def archive(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--examples", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    command = [options.odsmith, "serve", "--bind", "127.0.0.1:0", "--library", f"22={options.library}"]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stderr.readline())[0]
        with urllib.request.urlopen(f"{address}openapi.json") as answer:
            validate(json.load(answer))
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,allow_header_conformance,unsupported_method"
        schemathesis = pathlib.Path(sys.executable).with_name("schemathesis")
        with tempfile.TemporaryDirectory() as folder:
            run = [schemathesis, "run", f"{address}openapi.json", "--checks", checks, "--phases", "examples,coverage,fuzzing", "--max-examples", str(options.examples),
                   "--seed", str(options.seed), "--request-timeout", "30", "--suppress-health-check", "all", "--warnings", "off", "--no-color"]
            pathlib.Path(folder, "hooks.py").write_text(HOOKS)
            environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": folder}
            status = subprocess.run(run, cwd=folder, env=environment, check=False).returncode
        alive = server.poll() is None
    finally:
        server.terminate()
        server.wait()
    if not alive:
        print("the server ended too early")
    sys.exit(0 if status == 0 and alive else 1)


if __name__ == "__main__":
    main()
