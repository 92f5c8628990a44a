#!/usr/bin/env python3
"""Compares odsmith.wasm with the native programs: files, messages and statuses have to be equal.

  check.py --odsmith target/debug/odsmith --module target/wasm/odsmith.wasm [--library DIR] [--all]

Without --all a slice, in less than a minute. With --all also the 632 outputs of MLIR 22's build, and the whole trees of
--tree RELEASE=DIR (C++, model and reference site), with the time and the memory of both. --max-time and --max-memory are
limits of the ratios.
"""
import argparse
import filecmp
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM = ROOT / "service/packages/npm"
DEMO = ROOT / "tests/fixtures/demo"


def load(path):
    """A script of the tests as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stage(folder, module):
    """The npm package as far as the command line needs it."""
    for source, target in [(NPM / "odsmith.js", "bin/odsmith.js"), (NPM / "module.mjs", "lib/module.mjs"), (module, "lib/odsmith.wasm")]:
        place = folder / target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
    return ["node", str(folder / "bin/odsmith.js")]


class Tool:
    """One of the two: its command line, and what its processes took."""

    def __init__(self, name, command, environment):
        self.name, self.command, self.environment = name, command, environment

    def run(self, words, cwd, stdin=None):
        """Runs a command; returns its status and texts, the seconds of the processor and of the clock, and megabytes."""
        started = time.perf_counter()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([*self.command, *map(str, words)], cwd=cwd, env=self.environment, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, stdout=out, stderr=err)
            if stdin:
                child.stdin.write(stdin)
                child.stdin.close()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            said = (child.returncode, out.read(), err.read())
        return said, used.ru_utime + used.ru_stime, time.perf_counter() - started, used.ru_maxrss / 1024


def tree(folder):
    """The digest of each file below a folder."""
    files = (place for place in sorted(folder.rglob("*")) if place.is_file())
    return {place.relative_to(folder).as_posix(): hashlib.sha256(place.read_bytes()).hexdigest() for place in files}


def differences(one, other):
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


class Check:
    def __init__(self, options, work):
        self.options, self.work = options, work
        shared = {name: value for name, value in os.environ.items() if not name.startswith("ODSMITH_")}
        shared.update(ODSMITH_CACHE="off", NO_COLOR="1", ODSMITH_LIBRARY=f"22={options.library}")
        self.tools = [
            Tool("native", [str(options.odsmith)], shared),
            Tool("module", stage(work / "npm", options.module), {**shared, "ODSMITH_NATIVE": "0"}),
        ]
        self.wrong = []
        self.compared = 0

    def hold(self, condition, message):
        self.compared += 1
        if not condition:
            self.wrong.append(message)
            print(f"   wrong: {message}", flush=True)

    def same(self, name, words, source=None, stdin=None, out=None):
        """Runs a command with both, each in a copy of a folder, and compares statuses, texts and all files."""
        said, files, taken = [], [], []
        for tool in self.tools:
            # The same path for both, as messages and files may name it.
            folder = self.work / "case"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(source or DEMO, folder)
            answer, processor, clock, memory = tool.run(words, folder, stdin)
            said.append(answer)
            files.append(tree(folder))
            taken.append((processor, clock, memory))
        for part, one, other in zip(["status", "standard output", "standard error"], *said):
            self.hold(without_times(one) == without_times(other), f"{name}: {part}: {one!r:.300} and {other!r:.300}")
        different = differences(*files)
        self.hold(not different, f"{name}: {len(different)} files differ, as {different[:3]}")
        return said, files, taken

    def slice(self):
        ops = "include/sketch/IR/SketchOps.td"
        ops = next((str(place.relative_to(DEMO)) for place in DEMO.rglob("*Ops.td")), ops)
        folder = os.path.dirname(ops)
        self.same("version", ["--version"])
        for flags in [["-gen-op-decls"], ["-gen-op-defs"], ["-gen-op-doc"], ["-dump-json"], [], ["-gen-op-decls", "-o", "made/out.inc", "-d", "made/out.d"]]:
            source = self.work / "made"
            shutil.rmtree(source, ignore_errors=True)
            shutil.copytree(DEMO, source)
            (source / "made").mkdir()
            self.same(f"tblgen {' '.join(flags)}", ["tblgen", *flags, "-I", "include", "-I", folder, "-I", self.options.library, ops], source)
        self.same("generate", ["generate", ".", "-o", "out"])
        for name in ["out.tar.gz", "out.tar.zst", "out.zip", "out.tar"]:
            self.same(f"generate into {name}", ["generate", ".", "-o", name])
        self.same("docs", ["docs", ".", "-o", "site"])
        self.same("check", ["check", "."])
        self.same("lint", ["lint", ".", "--output-format", "json"])
        self.same("fmt", ["fmt", "--check", "."])
        self.same("ls", ["ls", "."])
        self.same("describe", ["search", "kind:op", "--from", "."])
        self.same("diff", ["diff", ".", ".", "--output-format", "json"])
        self.same("a flag that is wrong", ["generate", "--no-such-flag"])
        self.same("a folder that is missing", ["check", "missing"])
        self.same("a definition from standard input", ["tblgen"], stdin=b"class A<int x> { int y = x; }\r\ndef B : A<3>;\r\n")
        broken = self.work / "broken"
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(DEMO, broken)
        with open(broken / ops, "a") as file:
            file.write("\ndef Broken : Missing;\n")
        self.same("an error", ["check", "."], broken)
        # As Windows writes files.
        for place in broken.rglob("*.td"):
            place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
        self.same("an error in files with CRLF", ["check", "."], broken)
        deep = "\n".join(["class L0;", *(f"class L{level} : L{level - 1};" for level in range(1, 300))])
        nested = "def D { int x = " + "!add(1, " * 2000 + "0" + ")" * 2000 + "; }\n"
        self.same("deep definitions", ["tblgen"], stdin=f"{deep}\n{nested}".encode())
        self.paths()
        self.network()
        self.editor()

    def paths(self):
        """Arguments of Windows, as both packages hand them to the module."""
        cases = {
            r"-IC:\llvm\include": "-I/C:/llvm/include",
            r"src\Ops.td": "src/Ops.td",
            r"c:\x\y.td": "/C:/x/y.td",
            r"--library=22=C:\llvm": "--library=22=/C:/llvm",
            r"22=C:\llvm\include": "22=/C:/llvm/include",
            r"2.0=old\model.json": "2.0=old/model.json",
            "https://example.org/x": "https://example.org/x",
            "git:HEAD~1": "git:HEAD~1",
            "release:22": "release:22",
            "oci://registry.example/a:1": "oci://registry.example/a:1",
            "-gen-op-decls": "-gen-op-decls",
        }
        script = f"import {{ argument }} from {json.dumps((NPM / 'module.mjs').as_uri())}; console.log(JSON.stringify(JSON.parse(process.argv[1]).map((text) => argument(text, 'win32'))))"
        said = subprocess.run(["node", "--input-type=module", "-e", script, json.dumps(list(cases))], capture_output=True, text=True, check=True).stdout
        python = load(ROOT / "service/packages/python/odsmith/_module.py")
        for (given, expected), of_node in zip(cases.items(), json.loads(said)):
            self.hold(of_node == expected, f"{given} is {of_node} in Node")
            self.hold(python.argument(given, True) == expected, f"{given} is {python.argument(given, True)} in Python")
            self.hold(python.argument(given, False) == given, f"{given} changes where a backslash is no separator")

    def network(self):
        """What needs a network says so."""
        for words in (["serve"], ["mcp"], ["tblgen", "--server", "http://127.0.0.1:1", "x.td"]):
            (status, _, err), *_ = self.tools[1].run(words, DEMO)
            self.hold(status in (1, 2) and b"no network" in err, f"{words[0]} without a network: {status} {err!r}")

    def editor(self):
        """A session of the language server: problems of a file, and a hover."""
        folder = self.work / "editor"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        text = "class A<int x> { int y = x; }\ndef B : A<3>;\ndef C : Nowhere;\n"
        (folder / "a.td").write_text(text)
        uri = (folder / "a.td").as_uri()
        messages = [
            {"id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": folder.as_uri()}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "tablegen", "version": 1, "text": text}}},
            {"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 8}}},
            {"id": 3, "method": "shutdown"},
            {"method": "exit"},
        ]
        framed = b""
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            framed += b"Content-Length: %d\r\n\r\n" % len(body) + body
        answers = []
        for tool in self.tools:
            (status, out, _), *_ = tool.run(["lsp"], folder, framed)
            self.hold(status == 0, f"lsp: status {status} of {tool.name}")
            answers.append([part for part in out.replace(b"Content-Length", b"\nContent-Length").split(b"\n") if b'"id":2' in part])
        self.hold(answers[0] == answers[1] and b"class" in answers[0][0], f"lsp: {answers!r:.600}")
        (_, out, _), *_ = self.tools[1].run(["lsp"], folder, framed)
        self.hold(b"Nowhere" in out, "lsp: the module publishes no problem")

    def build(self):
        """All outputs of MLIR 22's build in one job."""
        bench = load(ROOT / "tests/bench/build.py")
        bundle = self.work / "bundle"
        shutil.rmtree(bundle, ignore_errors=True)
        bundle.mkdir()
        bench.write_bundle(bundle, self.options.library)
        taken = []
        for tool in self.tools:
            out = self.work / f"build-{tool.name}"
            shutil.rmtree(out, ignore_errors=True)
            said, *figures = tool.run(["generate", bundle, "-o", out, "--library", f"22={self.options.library}"], self.work)
            self.hold(said[0] == 0, f"the build of MLIR by {tool.name}: {said!r:.600}")
            taken.append(figures)
            installed = sum(filecmp.cmp(out / "cpp" / output, self.options.library / output, shallow=False) for output, _, _ in bench.rows() if (out / "cpp" / output).is_file())
            self.hold(installed == len(bench.rows()), f"{tool.name}: {installed} of {len(bench.rows())} outputs are those of MLIR's build")
        self.figures(f"{len(bench.rows())} outputs of MLIR 22's build", taken)

    def tree(self, release, include):
        """Everything that a release's tree defines."""
        taken, files = [], []
        for tool in self.tools:
            out = self.work / "tree"
            shutil.rmtree(out, ignore_errors=True)
            said, *figures = tool.run(["generate", include / "mlir", "-o", out, "--mlir", release, "--library", f"{release}={include}"], self.work)
            self.hold(said[0] in (0, 1), f"MLIR {release} by {tool.name}: {said!r:.600}")
            files.append(tree(out))
            taken.append(figures)
        different = differences(*files)
        self.hold(not different and files[0], f"MLIR {release}: {len(different)} of {len(files[0])} files differ, as {different[:3]}")
        kinds = [sum(path.endswith(end) for path in files[0]) for end in (".inc", ".html", "model.json")]
        self.figures(f"MLIR {release}'s tree: {len(files[0])} files ({kinds[0]} of C++, {kinds[1]} pages, {kinds[2]} model)", taken)

    def figures(self, name, taken):
        (native, _, small), (module, _, large) = taken
        print(f"   {name}: {native:.1f} and {module:.1f} s of the processor ({module / native:.2f} times), {small:.0f} and {large:.0f} MB ({large / small:.2f} times)", flush=True)
        self.hold(not self.options.max_time or module <= native * self.options.max_time, f"{name}: {module / native:.2f} times the time")
        self.hold(not self.options.max_memory or large <= small * self.options.max_memory, f"{name}: {large / small:.2f} times the memory")


def without_times(said):
    """Texts without durations, which differ each time."""
    if not isinstance(said, bytes):
        return said
    return re.sub(rb" in \d+\.\d+ s\b", b"", said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", required=True, type=pathlib.Path)
    parser.add_argument("--module", required=True, type=pathlib.Path)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tree", action="append", default=[], metavar="RELEASE=DIR")
    parser.add_argument("--max-time", type=float)
    parser.add_argument("--max-memory", type=float)
    options = parser.parse_args()
    for name in ("odsmith", "module", "library"):
        setattr(options, name, getattr(options, name).resolve())
    with tempfile.TemporaryDirectory(prefix="odsmith-wasm-") as work:
        check = Check(options, pathlib.Path(work))
        check.slice()
        if options.all:
            check.build()
        for text in options.tree:
            release, _, include = text.partition("=")
            check.tree(release, pathlib.Path(include))
    print(f"{check.compared - len(check.wrong)} passed, {len(check.wrong)} failed")
    sys.exit(bool(check.wrong))


if __name__ == "__main__":
    main()
