#!/usr/bin/env python3
"""The calls of MLIR's own build through Bazel, with our rules and with mlir-tblgen in a rule of its own.

mlir-build.tsv lists the outputs as MLIR installs them. Each output is an action whose inputs are the files that its root
includes. Both sides are built from nothing, and again after an edit of one file (mlir/IR/OpBase.td), with each of these strategies:
a persistent worker, a sandboxed process, and mlir-tblgen in a sandbox. Every output is compared with mlir-tblgen's.
Then the same outputs are built for two configurations with --experimental_output_paths=strip: the second must take what the first
made. With --executor, they are built by a remote executor too, BuildBox.

--bazel is a program that runs Bazel 7 or newer, from the folder that tests/setup/bazel.sh prints. With --max and --max-sandboxed, the status is 1
if the ratio of times to mlir-tblgen's is above.
"""
import argparse
import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from build import rows

RULES = '''
def _impl(ctx):
    arguments = ctx.actions.args()
    arguments.add_all(ctx.attr.opts)
    arguments.add(ctx.file.td_file)
    arguments.add("-I.")
    arguments.add("-I" + ctx.file.td_file.dirname)
    arguments.add("-o", ctx.outputs.out)
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = [arguments],
        inputs = ctx.files.td_srcs + [ctx.file.td_file],
        outputs = [ctx.outputs.out],
        mnemonic = "Reference",
    )

reference = rule(implementation = _impl, attrs = {
    "td_file": attr.label(allow_single_file = True),
    "td_srcs": attr.label_list(allow_files = True),
    "opts": attr.string_list(),
    "out": attr.output(),
    "tool": attr.label(executable = True, cfg = "exec", allow_files = True),
})

# The same target in a configuration of its own.
def _other_impl(settings, attr):
    return {"//command_line_option:platform_suffix": "other"}

_other = transition(implementation = _other_impl, inputs = [], outputs = ["//command_line_option:platform_suffix"])

def _both_impl(ctx):
    return [DefaultInfo(files = depset(transitive = [
        target[DefaultInfo].files
        for target in ctx.attr.one + ctx.attr.other
    ]))]

both = rule(implementation = _both_impl, attrs = {
    "one": attr.label_list(),
    "other": attr.label_list(cfg = _other),
    "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
})
'''


def included(odsmith, library, root):
    """The files of the library that a root includes, by odsmith's own list of dependencies."""
    with tempfile.TemporaryDirectory() as folder:
        out, listed = pathlib.Path(folder) / "out", pathlib.Path(folder) / "listed"
        path = library / root
        command = [odsmith, "tblgen", "--print-records", path, "-I", library, "-I", path.parent, "-o", out, "-d", listed]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        words = listed.read_text().replace("\\\n", " ").split(":", 1)[1].split()
    return sorted({str(pathlib.Path(word).resolve().relative_to(library.resolve())) for word in words} - {root})


def write_reference(script, program, host):
    """Writes a script that runs mlir-tblgen, with this machine's libraries if actions see its root elsewhere."""
    words = [str(program)]
    if host and program.read_bytes()[:4] == b"\x7fELF":
        listed = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
        paths = re.findall(r"(/\S+) \(0x", listed)
        loader = next(path for path in paths if "/ld-linux" in path)
        folders = dict.fromkeys(host + os.path.dirname(path) for path in paths)
        words = [host + os.path.realpath(loader), "--library-path", ":".join(folders), host + os.path.realpath(program)]
    script.write_text(f'#!/bin/sh\nexec {" ".join(words)} "$@"\n')
    script.chmod(0o755)


def write_project(folder, options):
    for top in ("mlir", "llvm"):
        for path in (options.library / top).rglob("*.td"):
            copy = folder / path.relative_to(options.library)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    write_reference(folder / "reference", options.reference / "mlir-tblgen", options.host)
    (folder / "rules.bzl").write_text(RULES)
    (folder / "empty").mkdir()
    (folder / "MODULE.bazel").write_text(
        'module(name = "calls")\n'
        'bazel_dep(name = "odsmith", version = "0.1.0")\n'
        f'local_path_override(module_name = "odsmith", path = "{options.rules.resolve()}")\n'
        'odsmith = use_extension("@odsmith//:extensions.bzl", "odsmith")\n'
        # MLIR's own definitions are the project here.
        f'odsmith.local(program = "{options.odsmith.resolve()}", library = "{folder / "empty"}")\n'
        'use_repo(odsmith, "odsmith_toolchain")\n'
        'register_toolchains("@odsmith_toolchain//:toolchain")\n'
    )
    lines = ['load("@odsmith//:tblgen.bzl", "gentbl_filegroup")', 'load(":rules.bzl", "both", "reference")']
    files = {}
    for _, root, _ in rows():
        if root not in files:
            files[root] = included(options.odsmith, options.library, root)
    for number, (output, root, flags) in enumerate(rows()):
        common = f'td_file = "{root}", td_srcs = {files[root]}'
        lines.append(f'gentbl_filegroup(name = "o{number}", {common}, tbl_outs = [({flags.split()}, "ours/{output}")])')
        lines.append(f'reference(name = "r{number}", {common}, opts = {flags.split()}, out = "theirs/{output}", tool = "reference")')
    count = len(rows())
    for name, letter in (("ours", "o"), ("theirs", "r")):
        lines.append(f'filegroup(name = "{name}", srcs = [{", ".join(f":{letter}{number}".join(chr(34) * 2) for number in range(count))}])')
    lines.append('both(name = "both", one = [":ours"], other = [":ours"])')
    (folder / "BUILD.bazel").write_text("\n".join(lines).replace("'", '"') + "\n")


@contextlib.contextmanager
def executor(bazel, folder):
    """Runs BuildBox with an empty cache, and a proxy for Debian's Bazel; yields the address of the proxy."""
    ports = []
    for _ in range(2):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            ports.append(f"127.0.0.1:{free.getsockname()[1]}")
    casd = pathlib.Path(bazel).with_name("buildbox-casd")
    runner = "--buildbox-run=/usr/bin/buildbox-run-hosttools"
    log = (folder / "executor.log").open("w")
    running = [
        subprocess.Popen([casd, f"--bind={ports[0]}", runner, "--jobs=2", folder / "executor"], stdout=log, stderr=log),
        subprocess.Popen([sys.executable, pathlib.Path(__file__).with_name("older_client.py"), ports[1], ports[0]], stdout=log, stderr=log),
    ]
    try:
        for port in ports:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", int(port.rpartition(":")[2]))) == 0:
                        break
                time.sleep(0.1)
            else:
                sys.exit(f"the executor does not start:\n{(folder / 'executor.log').read_text()[-2000:]}")
        yield f"grpc://{ports[1]}"
    finally:
        for process in running:
            process.terminate()
            process.wait()


class Bazel:
    """Bazel with one server for all commands: where its root is a folder, all run in the namespace of one process."""

    def __init__(self, program, folder):
        self.folder, self.command, self.inside = folder, [program], None
        inside = pathlib.Path(program).with_name("inside")
        if inside.exists():
            self.inside = subprocess.Popen([inside, "sleep", "infinity"])
            time.sleep(2)
            enter = ["nsenter", f"--target={self.inside.pid}", "--mount", "--root", f"--wdns={folder / 'project'}"]
            self.command = [*enter, "env", "USER=root", "JAVA_HOME=/usr/lib/jvm/default-java", "/usr/bin/bazel"]

    def end(self):
        self.run("shutdown")
        if self.inside:
            self.inside.kill()
            self.inside.wait()

    def run(self, *words):
        command = [*self.command, f"--output_user_root={self.folder}/out", *words]
        started = time.perf_counter()
        finished = subprocess.run(
            command, cwd=self.folder / "project", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        seconds = time.perf_counter() - started
        if finished.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{finished.stdout[-4000:]}")
        return seconds, finished.stdout

    def build(self, *words):
        return self.run("build", "--color=no", "--curses=no", "--noshow_progress", *words)


def processes(text):
    """What Bazel says that it ran: "632 worker" and the like."""
    found = re.search(r"INFO: \d+ process(?:es)?: (.*)\.", text)
    return found.group(1) if found else text[-300:]


def compare(project):
    """Compares the outputs of both sides, and returns whether some differ."""
    real = pathlib.Path(os.readlink(project / "bazel-bin"))
    different = [row[0] for row in rows() if (real / "ours" / row[0]).read_bytes() != (real / "theirs" / row[0]).read_bytes()]
    print(f"{len(rows()) - len(different)} of {len(rows())} outputs are equal {' '.join(different[:5])}")
    return bool(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bazel", required=True)
    parser.add_argument("--odsmith", required=True, type=pathlib.Path)
    parser.add_argument("--rules", required=True, type=pathlib.Path, help="the folder with tblgen.bzl")
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="the folder with mlir-tblgen")
    parser.add_argument("--host", default="/host", help="this machine's root, as Bazel's actions see it")
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--executor", action="store_true", help="the folder of --bazel has buildbox-casd, and this Python has grpcio")
    parser.add_argument("--max", type=float)
    parser.add_argument("--max-sandboxed", type=float)
    options = parser.parse_args()

    folder = pathlib.Path(tempfile.mkdtemp(prefix="bazel-"))
    bazel = Bazel(options.bazel, folder)
    status = 0
    try:
        project = folder / "project"
        project.mkdir()
        write_project(project, options)
        sides = {
            "worker": (":ours", ["--strategy=TdGenerate=worker"]),
            "sandboxed worker": (
                ":ours",
                ["--strategy=TdGenerate=worker", "--worker_sandboxing", "--experimental_worker_multiplex_sandboxing"],
            ),
            "sandboxed process": (":ours", ["--strategy=TdGenerate=sandboxed"]),
            "mlir-tblgen, sandboxed": (":theirs", ["--strategy=Reference=sandboxed"]),
        }
        times = {}
        for name, (target, flags) in sides.items():
            bazel.build("--nobuild", target, *flags)
            bazel.run("clean")
            bazel.build("--nobuild", target, *flags)
            cold, text = bazel.build(target, *flags)
            ran = processes(text)
            base = project / "mlir/IR/OpBase.td"
            base.write_text(base.read_text() + "// edited\n")
            again, text = bazel.build(target, *flags)
            times[name] = (cold, again)
            print(f"{name}: {cold:.1f} s ({ran}), after an edit {again:.1f} s ({processes(text)})", flush=True)
        bazel.build(":ours", ":theirs")
        status |= compare(project)
        for name, most in (("worker", options.max), ("sandboxed worker", None), ("sandboxed process", options.max_sandboxed)):
            cold, again = (ours / theirs for ours, theirs in zip(times[name], times["mlir-tblgen, sandboxed"]))
            print(f"{name}: × {cold:.3f}, after an edit × {again:.3f}")
            status |= most is not None and max(cold, again) > most
        bazel.run("clean")
        mapped = ["--experimental_output_paths=strip", f"--disk_cache={folder}/cache"]
        _, text = bazel.build(":both", *mapped, *sides["sandboxed worker"][1])
        print(f"two configurations with one path: {processes(text)}")
        # Of two equal actions at the same time Bazel runs one, and calls the other deduplicated.
        shared = sum(int(count) for count in re.findall(r"(\d+) (?:disk cache hit|deduplicated)", text))
        status |= shared != len(rows())
        if options.executor:
            with executor(options.bazel, folder) as address:
                remote = [f"--remote_executor={address}", "--strategy=TdGenerate=remote", "--strategy=Reference=sandboxed"]
                bazel.run("clean")
                seconds, text = bazel.build(":ours", *remote)
                print(f"remote: {seconds:.1f} s ({processes(text)})")
                status |= f"{len(rows())} remote" not in text
                bazel.build(":ours", ":theirs", *remote)
                status |= compare(project)
    finally:
        bazel.end()
        subprocess.run(["chmod", "-R", "u+w", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(int(status))


if __name__ == "__main__":
    main()
