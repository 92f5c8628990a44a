#!/usr/bin/env python3
"""Times `odsmith lsp` with MLIR's own tree as the folder: the user's waiting time, and its memory.

    python3 tests/bench/editor.py --odsmith target/release/odsmith --tree /usr/lib/llvm-22/include

The client writes and reads as an editor does; times are those between sending and receiving. With --max, the status is 1
if a figure is above its budget.
"""
import argparse
import json
import os
import pathlib
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# The budgets, in milliseconds and megabytes.
BUDGETS = {
    "first diagnostics, cold": 300,
    "diagnostics after an edit": 40,
    "completion, p95": 25,
    "hover": 5,
    "preview": 25,
    "memory": 400,
}


class Client:
    """A client of one server."""

    def __init__(self, command, folder, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.messages = queue.Queue()
        self.next = 0
        self.published = {}
        threading.Thread(target=self.read, daemon=True).start()
        root = pathlib.Path(folder).resolve().as_uri()
        snippets = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
        self.ask("initialize", {"rootUri": root, "capabilities": snippets, "initializationOptions": options})
        self.tell("initialized", {})

    def read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (line := stream.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.messages.put((time.perf_counter(), json.loads(stream.read(length))))

    def write(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def tell(self, method, parameters):
        self.write({"method": method, "params": parameters})

    def take(self):
        at, message = self.messages.get(timeout=120)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.setdefault(message["params"]["uri"], []).append((at, message["params"]))
        return at, message

    def ask(self, method, parameters):
        """The answer, and the milliseconds that it took."""
        self.next += 1
        own = self.next
        started = time.perf_counter()
        self.write({"id": own, "method": method, "params": parameters})
        while True:
            at, message = self.take()
            if message.get("id") == own and "method" not in message:
                return message.get("result"), (at - started) * 1000

    def wait(self, uri, version):
        """The time at which the diagnostics of a version arrive."""
        seen = 0
        while True:
            all = self.published.get(uri, [])
            for at, said in all[seen:]:
                if said.get("version") == version:
                    return at, said["diagnostics"]
            seen = len(all)
            self.take()

    def memory(self):
        """The megabytes that the server uses, and its peak."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        value = lambda name: int(text.split(name + ":")[1].split()[0]) / 1024
        return value("VmRSS"), value("VmHWM")

    def stop(self):
        self.ask("shutdown", None)
        self.tell("exit", {})
        self.process.wait(timeout=60)


def document(path):
    return {"textDocument": {"uri": path.resolve().as_uri()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--odsmith", default="target/release/odsmith")
    parser.add_argument("--tree", required=True, help="an include folder of MLIR")
    parser.add_argument("--file", default="mlir/Dialect/Vector/IR/VectorOps.td")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--max", action="store_true")
    arguments = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch, "tree")
        only = shutil.ignore_patterns("*.h", "*.inc", "*.def", "*.cpp", "*.py")
        shutil.copytree(pathlib.Path(arguments.tree, "mlir"), tree / "mlir", ignore=only)
        path = tree / arguments.file
        uri, text = path.resolve().as_uri(), path.read_text()
        os.environ["ODSMITH_LIBRARY"] = arguments.tree
        command = [str(pathlib.Path(arguments.odsmith).resolve()), "lsp"]

        cold = []
        for _ in range(3):
            started = time.perf_counter()
            client = Client(command, tree, {"workspaceDiagnostics": False})
            client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "tablegen", "version": 1, "text": text}})
            at, said = client.wait(uri, 1)
            cold.append((at - started) * 1000)
            assert said == [], said
            client.stop()
        figures["first diagnostics, cold"] = statistics.median(cold)

        client = Client(command, tree, {"workspaceDiagnostics": True})
        client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "tablegen", "version": 1, "text": text}})
        client.wait(uri, 1)
        version = 1
        # The whole tree is checked meanwhile: after that the server is silent.
        quiet = time.perf_counter()
        while time.perf_counter() - quiet < 3:
            try:
                client.messages.put(client.messages.get(timeout=3))
                client.take()
                quiet = time.perf_counter()
            except queue.Empty:
                break
        lines = text.split("\n")
        line = next(number for number, words in enumerate(lines) if words.startswith("def "))

        def edit(new):
            nonlocal version
            version += 1
            change = {"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": len(edit.old)}}, "text": new}
            edit.old = new
            started = time.perf_counter()
            client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
            return started

        edit.old = lines[line]
        after = []
        for turn in range(arguments.times):
            # One letter too many in the name of a class, and back.
            wrong = lines[line].replace(" : ", " : X", 1)
            started = edit(wrong if turn % 2 == 0 else lines[line])
            at, _ = client.wait(uri, version)
            after.append((at - started) * 1000)
        if edit.old != lines[line]:
            started = edit(lines[line])
            client.wait(uri, version)
        # The server waits 30 ms for the next letter, which is not work.
        figures["diagnostics after an edit"] = statistics.median(after) - 30

        places = [(number, words) for number, words in enumerate(lines) if "let " in words or ": " in words]
        completions = []
        for number, words in places[:: max(1, len(places) // 60)]:
            where = {**document(path), "position": {"line": number, "character": len(words)}}
            completions.append(client.ask("textDocument/completion", where)[1])
        completions.sort()
        figures["completion, p95"] = completions[int(len(completions) * 0.95)]

        defs = [number for number, words in enumerate(lines) if words.startswith("def ")]
        hovers, previews = [], []
        for number in defs[: 4 * arguments.times]:
            where = {**document(path), "position": {"line": number, "character": 6}}
            hovers.append(client.ask("textDocument/hover", where)[1])
            previews.append(client.ask("odsmith/preview", {**where, "view": "definitions"})[1])
        figures["hover"] = statistics.median(hovers)
        figures["preview"] = statistics.median(previews)
        held, most = client.memory()
        figures["memory"] = most
        print(f"memory now {held:.0f} MB, {len(defs)} defs in the file, hover at most {max(hovers):.1f} ms")
        client.stop()

    is_over = False
    for name, budget in BUDGETS.items():
        unit = "MB" if name == "memory" else "ms"
        over = figures[name] > budget
        is_over |= over
        print(f"{name:28} {figures[name]:8.1f} {unit}   budget {budget:4} {unit}{'   OVER' if over else ''}")
    return 1 if arguments.max and is_over else 0


if __name__ == "__main__":
    sys.exit(main())
