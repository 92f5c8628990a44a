#!/usr/bin/env python3
"""Tries every artefact in target/dist as a user would, without a network: `make dist-check`.

  check.py --tools FOLDER [--only tarball,debian] [--reference BIN] [--mlir RELEASE=PREFIX] [--cargo CARGO]

Needs root (a Debian root, an image) and a network that is cut: `unshare --net`. Each proof prints a line, and the
status is 0 only if all held.
"""

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import traceback
import types
import zipfile

import dist
import personas
from common import DIST, GLIBC, LIBRARY_BYTES, PROGRAMS, RECIPES, ROOT, TARGET, WHEEL_BYTES, fresh, install, megabytes, members, need, run, sha256, version

DEMO = ROOT / "tests/fixtures/demo"
HOW_TO = ROOT / "service/manual/how-to"
OPS = "include/sketch/IR/SketchOps.td"
# The system libraries that a program of the archive may need.
SYSTEM = re.compile(r"^(libc|libm|libpthread|libdl|librt|libgcc_s)\.so\.\d+$|^ld-linux-x86-64\.so\.2$")


class ProofFailed(Exception):
    """A proof that failed."""


def hold(condition, message):
    if not condition:
        raise ProofFailed(message)


def same(found, expected, what):
    hold(found == expected, f"{what}: {str(found)[:500]!r}, not {str(expected)[:500]!r}")


def artefact(pattern):
    found = sorted(DIST.glob(pattern))
    hold(len(found) == 1, f"{len(found)} files in {DIST} fit {pattern}")
    return found[0]


def tree_digest(folder):
    """One digest of all files below a folder, with their paths."""
    files = (place for place in members(folder) if place.is_file())
    return hashlib.sha256("".join(f"{place.relative_to(folder)} {sha256(place)}\n" for place in files).encode()).hexdigest()


def output(*command, **options):
    return run(*command, stderr=subprocess.PIPE, **options)


class Check:
    """The context of all proofs: a folder, an environment without this machine's files, and the expected outputs."""

    def __init__(self, work, tools, reference, others, cargo):
        self.work, self.tools, self.reference, self.others = work, tools, reference, others
        # The absolute path, as `cargo` may be another program on a later PATH.
        self.cargo = shutil.which(cargo) or cargo
        self.expected = None

    def environment(self, *folders, **more):
        """The environment of a new user on a machine without MLIR."""
        home = self.work / "home"
        home.mkdir(exist_ok=True)
        path = os.pathsep.join([*(str(folder) for folder in folders), "/usr/local/bin", "/usr/bin", "/bin"])
        return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "ODSMITH_NO_INSTALLED": "1", **more}

    def with_library(self, prefix, environment):
        """Adds the artefact's library to the environment; returns also how it was found."""
        listed = json.loads(output(prefix / "bin/odsmith", "library", "list", "--json", env=environment))
        if any(pathlib.Path(one["include"]).is_relative_to(prefix) or "beside" in one["found_by"] for one in listed):
            return environment, "library found beside the program"
        # Until the programs look there by themselves.
        folder = fresh(self.work / f"library-{prefix.name}")
        run("tar", "--zstd", "-xf", prefix / "share/odsmith/libraries/22.tar.zst", "-C", folder)
        return {**environment, "ODSMITH_LIBRARY": f"22={folder}/mlir-22/include"}, "library unpacked by this check"

    def programs_work(self, prefix, environment):
        """Checks the version, one output, and all outputs of a folder, which are the same for all artefacts."""
        program = prefix / "bin/odsmith"
        same(output(program, "--version", env=environment).splitlines()[0], f"odsmith {version()}", "--version")
        environment, how = self.with_library(prefix, environment)
        include = output(program, "library", "path", "22", env=environment).strip()
        words = ["-gen-op-decls", "-I", "include", "-I", include, OPS]
        one = output(program, "tblgen", *words, cwd=DEMO, env=environment)
        if self.reference:
            same(one, output(self.reference / "mlir-tblgen", *words, cwd=DEMO), "an output and that of mlir-tblgen")
        out = self.work / f"all-{prefix.name}.tar.gz"
        run(program, "generate", DEMO, "--out", out, env=environment)
        made = (one, sha256(out))
        self.expected = self.expected or made
        same(made, self.expected, "outputs of two artefacts")
        return how

    # ---- The archive -----------------------------------------------------------------------------------------------

    def tarball(self):
        place = artefact("odsmith-*-linux-gnu.tar.xz")
        run("sha256sum", "--check", f"{place.name}.sha256", cwd=DIST)
        folder = fresh(self.work / "tarball")
        run("tar", "-xf", place, "-C", folder)
        prefix = folder / f"odsmith-{version()}-{TARGET}"
        for program in PROGRAMS:
            self.starts_everywhere(prefix / "bin" / program)
        how = self.programs_work(prefix, self.environment())
        yield f"starts with glibc {GLIBC[0]}.{GLIBC[1]} (all symbols), {how}, output of mlir-tblgen"
        for library in sorted((prefix / "share/odsmith/libraries").glob("*.tar.zst")):
            hold(library.stat().st_size <= LIBRARY_BYTES, f"{library.name} has {library.stat().st_size} bytes")
            self.library_is_of(prefix, library)
        yield "each library is identified as that of its release"
        yield from self.shells(prefix)
        pages = sorted((prefix / "share/man/man1").glob("*.1"))
        hold(len(pages) >= 10, f"{len(pages)} manual pages")
        run("mandoc", "-T", "lint", "-W", "error", *pages)
        # Bold letters are printed twice, with a backspace between.
        page = re.sub(".\b", "", run("mandoc", "-T", "ascii", prefix / "share/man/man1/odsmith-tblgen.1"))
        hold("--gen-op-decls" in page, "no flags in the page")
        yield f"{len(pages)} manual pages without an error of mandoc"

    def starts_everywhere(self, program):
        symbols = run("objdump", "-T", program)
        needed = {tuple(int(part) for part in found.split(".")) for found in re.findall(r"GLIBC_([0-9.]+)", symbols)}
        hold(needed, f"{program.name} needs no glibc, so that this check sees nothing")
        same(sorted(each for each in needed if each > GLIBC), [], f"{program.name} needs later symbols")
        dynamic = run("readelf", "-dW", program)
        libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        same([each for each in libraries if not SYSTEM.match(each)], [], f"{program.name} needs other libraries")
        hold("RELR" not in dynamic, f"{program.name} has relocations that only glibc 2.36 reads")
        text = program.read_bytes()
        for leak in [str(ROOT), os.path.expanduser("~/.cargo"), os.path.expanduser("~/.rustup")]:
            hold(leak.encode() not in text, f"{program.name} names {leak}")

    def library_is_of(self, prefix, library):
        release = library.name.split(".")[0]
        said = output(prefix / "bin/odsmith", "library", "identify", library, env=self.environment())
        hold(re.search(rf"\b{release}\b", said), f"{library.name} is {said.strip()}")
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            run("tar", "--zstd", "-xf", library, "-C", folder)
            hold(pathlib.Path(folder, f"mlir-{release}/include/mlir/IR/OpBase.td").is_file(), f"{library.name} has no OpBase.td")

    def shells(self, prefix):
        share = prefix / "share"
        environment = self.environment(prefix / "bin")
        places = {"bash": "bash-completion/completions/odsmith", "zsh": "zsh/site-functions/_odsmith", "fish": "fish/vendor_completions.d/odsmith.fish"}
        run("zsh", "-n", share / places["zsh"])
        asked = {
            "bash": ["bash", "-c", f'. {share / places["bash"]}; COMP_WORDS=(odsmith tblgen --gen-op-de); COMP_CWORD=2; _odsmith odsmith --gen-op-de tblgen; printf "%s\\n" "${{COMPREPLY[@]}}"'],
            "fish": ["fish", "--no-config", "-c", f'source {share / places["fish"]}; complete -C "odsmith tblgen --gen-op-de"'],
            "zsh": ["zsh", "-f", "-c", f'fpath=({share / "zsh/site-functions"} $fpath); autoload -Uz compinit; compinit -u -d {self.work}/zcompdump; echo $_comps[odsmith]; autoload +X _odsmith; functions _odsmith'],
        }
        for shell, words in asked.items():
            answer = output(*words, env=environment)
            hold("--gen-op-decls" in answer, f"{shell} completes nothing: {answer[:200]}")
        yield "bash, zsh and fish know --gen-op-decls"

    # ---- Python ----------------------------------------------------------------------------------------------------

    def wheel(self):
        place = artefact("odsmith-*-manylinux*.whl")
        hold(f"odsmith-{version()}-py3-none-manylinux" in place.name and f"_{GLIBC[0]}_{GLIBC[1]}_x86_64" in place.name, place.name)
        hold(place.stat().st_size <= WHEEL_BYTES, f"{place.stat().st_size} bytes")
        with zipfile.ZipFile(place) as archive:
            [listed] = [name for name in archive.namelist() if ".dist-info/sboms/" in name]
            parts = json.loads(archive.read(listed))
            service = archive.read(f"odsmith-{version()}.data/scripts/odsmith-service")
        [named] = [each["content"] for each in parts["metadata"]["component"]["hashes"]]
        same(hashlib.sha256(service).hexdigest(), named, "the program that the wheel's list of parts is of")
        venv = self.work / "venv"
        run(sys.executable, "-m", "venv", "--clear", venv)
        run(venv / "bin/pip", "install", "--quiet", "--no-index", place)
        environment = self.environment(venv / "bin")
        how = self.programs_work(venv, environment)
        same(output(venv / "bin/python", "-m", "odsmith", "--version", env=environment).splitlines()[0], f"odsmith {version()}", "python -m odsmith")
        yield f"pip install without a network, {how}, python -m odsmith"
        environment, _ = self.with_library(venv, environment)
        script = self.work / "use.py"
        script.write_text(USE_OF_PYTHON)
        said = output(venv / "bin/python", script, DEMO, self.work / "python-out", env=environment).strip()
        same(said, "sketch", "what Python says of the dialect")
        run(self.tools / "venv/bin/python", "-m", "mypy", "--strict", "--python-executable", venv / "bin/python", "--cache-dir", self.work / "mypy", script)
        yield "generate(), model() and their errors, typed (mypy --strict)"

    def pure_wheel(self):
        place = artefact("odsmith-*-py3-none-any.whl")
        venv = self.work / "pure-venv"
        run(sys.executable, "-m", "venv", "--clear", venv)
        run(venv / "bin/pip", "install", "--quiet", "--no-index", "--find-links", self.tools / "wheels", place)
        hold(not list(venv.glob("bin/odsmith-service")), "the wheel of the module holds a native program")
        environment = self.environment(venv / "bin", XDG_CACHE_HOME=str(self.work / "pure-cache"))
        for words in (["odsmith"], [venv / "bin/python", "-m", "odsmith"]):
            same(output(*words, "--version", env=environment).splitlines()[0], f"odsmith {version()}", f"{words[-1]} --version")
        script = self.work / "use.py"
        script.write_text(USE_OF_PYTHON)
        said = output(venv / "bin/python", script, DEMO, self.work / "pure-out", env=environment).strip()
        same(said, "sketch", "what Python says of the dialect")
        native = self.work / "python-out"
        hold(native.is_dir(), "the native wheel has to be tried first")
        same(tree_digest(self.work / "pure-out"), tree_digest(native), "files that the module and the native program make")
        yield "pip install without a network and a native program; the same files by generate(), model() and python -m odsmith"

    def sdist(self):
        place = artefact("odsmith-*.tar.gz")
        shims = fresh(self.work / "shims")
        (shims / "cargo").write_text(f'#!/bin/sh\nexec {self.cargo} "$@"\n')
        (shims / "cargo").chmod(0o755)
        out = fresh(self.work / "sdist")
        environment = {
            **os.environ,
            "PATH": f"{shims}{os.pathsep}{self.tools}/venv/bin{os.pathsep}{os.environ['PATH']}",
            "CARGO_NET_OFFLINE": "true",
            "CARGO_TARGET_DIR": str(ROOT / "target"),
        }
        # Not optimized, as only a successful build is required.
        words = ["wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--config-settings=build-args=--profile dev"]
        run(self.tools / "venv/bin/python", "-m", "pip", *words, "--wheel-dir", out, place, env=environment)
        [built] = out.glob("*.whl")
        with zipfile.ZipFile(built) as archive, zipfile.ZipFile(artefact("odsmith-*-manylinux*.whl")) as ours:
            def names(files):
                return sorted(name for name in files.namelist() if ".dist-info/" not in name)
            same(names(archive), names(ours), "what both wheels hold")
        yield "pip wheel builds it without a network, with the same files"

    # ---- Debian ----------------------------------------------------------------------------------------------------

    def debian(self):
        place = artefact("odsmith_*.deb")
        run("lintian", "--no-user-dirs", "--allow-root", "--fail-on", "error,warning", place)
        yield "lintian: no error, no warning"
        root = fresh(self.work / "debian")
        run("tar", "-xf", self.tools / "bare.tar", "-C", root)
        for name in ["null", "urandom"]:
            (root / "dev").mkdir(exist_ok=True)
            run("cp", "-a", f"/dev/{name}", root / "dev" / name)
        shutil.copy(place, root / "tmp")
        shutil.copytree(DEMO, root / "tmp/demo")

        def inside(*words):
            return output("chroot", root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", *words)

        inside("dpkg", "--install", f"/tmp/{place.name}")
        same(inside("odsmith", "--version").splitlines()[0], f"odsmith {version()}", "--version")
        same(inside("readlink", "/etc/alternatives/mlir-tblgen").strip(), "/usr/bin/odsmith", "the alternative")
        hold("in the place of mlir-tblgen" in inside("mlir-tblgen", "--version"), "mlir-tblgen is another")
        same(inside("readlink", "/etc/alternatives/mlir-tblgen.1.gz").strip(), "/usr/share/man/man1/odsmith-tblgen.1.gz", "its page")
        inside("dpkg", "--verify", "odsmith")
        how = self.programs_work(root / "usr", self.environment())
        inside("dpkg", "--remove", "odsmith")
        hold(not (root / "etc/alternatives/mlir-tblgen").is_symlink(), "the alternative is left")
        hold(not (root / "usr/share/odsmith").exists(), "files are left")
        yield f"installed in a bare root, mlir-tblgen is its alternative, {how}, removed without a trace"

    # ---- The image -------------------------------------------------------------------------------------------------

    def image(self):
        place = artefact("odsmith-*-oci.tar")
        layout = fresh(self.work / "layout")
        run("tar", "-xf", place, "-C", layout)
        run("skopeo", "--override-os", "linux", "copy", "--quiet", f"oci:{layout}:{version()}", f"oci:{fresh(self.work / 'copied')}:copy")
        run("umoci", "unpack", "--image", f"{layout}:{version()}", fresh(self.work / "bundle"))
        bundle = self.work / "bundle"
        yield "skopeo copies and umoci unpacks it"
        process = json.loads((bundle / "config.json").read_text())["process"]
        config = json.loads(run("skopeo", "inspect", "--config", f"oci:{layout}:{version()}"))["config"]
        root = bundle / "rootfs"
        same(process["user"], {"uid": 65532, "gid": 65532}, "the user")
        stage = types.SimpleNamespace(
            root=root, user=config["User"], env=dict(value.split("=", 1) for value in config["Env"]),
            entrypoint=config["Entrypoint"], cmd=config["Cmd"],
        )
        prefix = root / "usr/local"
        _, how = self.with_library(prefix, self.environment())
        if "by this check" in how:
            run("tar", "--zstd", "-xf", prefix / "share/odsmith/libraries/22.tar.zst", "-C", root / "tmp")
            stage.env["ODSMITH_LIBRARY"] = "22=/tmp/mlir-22/include"
        (root / "proc").mkdir(exist_ok=True)
        spec = importlib.util.spec_from_file_location("image", ROOT / "docker/check.py")
        image = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(image)
        with open(self.work / "image.log", "w") as log, contextlib.redirect_stdout(log):
            image.try_image(stage)
        said = (self.work / "image.log").read_text()
        for part in ["/v1/version: 200", "/v1/generate: 200", "SIGTERM: ends with status 0"]:
            hold(part in said, f"no `{part}` in: {said}")
        yield f"serves on a read-only file system as user {stage.user}, {how}, ends in order"

    # ---- npm -------------------------------------------------------------------------------------------------------

    def npm(self):
        packages = [artefact(f"odsmith-linux-x64-{version()}.tgz"), artefact(f"odsmith-{version()}.tgz")]
        for package in packages:
            with tarfile.open(package) as archive:
                described = json.load(archive.extractfile("package/package.json"))
            same(described["version"], version(), f"the version of {package.name}")
            hold("scripts" not in described, f"{package.name} runs scripts")
        folder = fresh(self.work / "npm")
        (folder / "package.json").write_text('{"private": true}')
        environment = {**self.environment(pathlib.Path(need("node", "nodejs")).parent), "npm_config_cache": str(self.work / "npm-cache")}
        run("npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", *packages, cwd=folder, env=environment)
        same(output("npx", "--offline", "odsmith", "--version", cwd=folder, env=environment).splitlines()[0], f"odsmith {version()}", "npx odsmith")
        how = self.programs_work(folder / "node_modules/@odsmith/linux-x64", environment)
        missing = subprocess.run(["npx", "--offline", "odsmith", "tblgen", "/nonexistent.td"], cwd=folder, env=environment, capture_output=True)
        same(missing.returncode, 1, "the status of a failure")
        yield f"npx from tarballs without scripts, {how}, its status is handed on"
        made = {}
        for kind in ["native", "module"]:
            if kind == "module":
                shutil.rmtree(folder / "node_modules/@odsmith")
            out = self.work / f"npm-{kind}"
            shutil.rmtree(out, ignore_errors=True)
            run("npx", "--offline", "odsmith", "generate", DEMO, "-o", out, cwd=folder, env=environment)
            made[kind] = tree_digest(out)
        same(made["module"], made["native"], "files that the module and the native program make")
        yield "npx without the native program: the module makes the same files"
        (folder / "use.mjs").write_text(USE_OF_NODE)
        same(output("node", "use.mjs", cwd=folder, env=environment).strip(), "hello 1 problem", "what a program says of a dialect")
        yield "generate(), model() and check() in Node"

    # ---- Hooks and the action --------------------------------------------------------------------------------------

    def project(self, name):
        """A user's repository with the demo."""
        folder = fresh(self.work / name)
        shutil.copytree(DEMO, folder, dirs_exist_ok=True)
        run("git", "init", "--quiet", folder)
        run("git", "-C", folder, "add", ".")
        return folder

    def commit(self, folder):
        run("git", "-C", folder, "add", ".")
        run("git", "-C", folder, "-c", "user.name=check", "-c", "user.email=check@localhost", "commit", "--quiet", "--message", "A change")

    def hooks(self):
        venv = self.work / "venv"
        hold(venv.is_dir(), "the wheel has to be installed first")
        tool = self.tools / "venv/bin/pre-commit"
        folder = self.project("hooks")
        environment, how = self.with_library(venv, self.environment(venv / "bin", PRE_COMMIT_HOME=str(self.work / "pre-commit")))
        # pre-commit clones the repository, with only the committed hooks.
        hooks = self.work / "hooks-repository"
        fresh(hooks)
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        run("git", "init", "--quiet", hooks)
        self.commit(hooks)
        self.commit(folder)
        for hook in ["odsmith-check", "odsmith-lint", "odsmith-diff", "odsmith-docs"]:
            said = run(tool, "try-repo", hooks, hook, "--all-files", "--verbose", cwd=folder, env=environment)
            hold("Passed" in said, said)
        hold((folder / "site/index.html").is_file(), "no site was made")
        (folder / OPS).write_text((folder / OPS).read_text() + "\ndef   Spaced;\n")
        run("git", "-C", folder, "add", ".")
        changed = subprocess.run([tool, "try-repo", hooks, "odsmith-fmt", "--all-files"], cwd=folder, env=environment, capture_output=True, text=True)
        hold(changed.returncode == 1 and "files were modified" in changed.stdout and "\ndef Spaced;" in (folder / OPS).read_text(), changed.stdout + changed.stderr)
        (folder / OPS).write_text((folder / OPS).read_text() + "\ndef Broken : Missing;\n")
        run("git", "-C", folder, "add", ".")
        failed = subprocess.run([tool, "try-repo", hooks, "odsmith-check", "--all-files"], cwd=folder, env=environment, capture_output=True, text=True)
        hold(failed.returncode == 1 and "Broken" in failed.stdout + failed.stderr or "Missing" in failed.stdout, failed.stdout + failed.stderr)
        yield "pre-commit try-repo: all five hooks run, and one fails on a broken definition"
        folder = self.project("local-hook")
        recipe = (HOW_TO / "pre-commit.md").read_text()
        config = re.search(r"```yaml\n# \.pre-commit-config\.yaml\n(.*?)```", recipe, re.DOTALL)[1].replace("odsmith==VERSION", f"odsmith=={version()}")
        (folder / ".pre-commit-config.yaml").write_text(config)
        run("git", "-C", folder, "add", ".")
        alone, _ = self.with_library(venv, self.environment(PRE_COMMIT_HOME=str(self.work / "pre-commit-local"), PIP_NO_INDEX="1", PIP_FIND_LINKS=f"{DIST} {self.tools}/wheels"))
        said = run(tool, "run", "--all-files", "--verbose", cwd=folder, env=alone)
        hold("Passed" in said, said)
        yield "the hook that installs the wheel, as the manual has it, passes"

    def action(self):
        yaml = self.tools / "venv/bin/python"
        text = run(yaml, "-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))", RECIPES / "action/action.yml")
        action = json.loads(text)
        same(action["runs"]["using"], "composite", "the kind of action")
        venv = self.work / "venv"
        for command, proof in [("check .", None), ('docs . --out site --title "Two words"', "site/index.html")]:
            folder = self.project("action")
            done, how = self.steps(action, venv, folder, command)
            same(done.returncode, 0, f"the status of {command}: {done.stdout}{done.stderr}")
            if proof:
                hold("Two words" in (folder / proof).read_text(), "the title is not there")
        # As before the merge of a breaking commit.
        recipe = re.search(r"command: (diff .*)", (HOW_TO / "github.md").read_text())[1]
        command = recipe.replace("git:origin/${{ github.base_ref }}", "git:HEAD~1")
        same(command, "diff git:HEAD~1 . --output-format github", "the command of the recipe")
        folder = self.project("action")
        self.commit(folder)
        operations = (folder / OPS).read_text()
        hold("F64Attr:$radius);" in operations, "there is no attribute to put another one beside")
        (folder / OPS).write_text(operations.replace("F64Attr:$radius);", "F64Attr:$radius, OptionalAttr<I64Attr>:$sides);"))
        self.commit(folder)
        done, how = self.steps(action, venv, folder, command)
        hold(done.returncode != 0, "a change that breaks bytecode passes")
        hold(re.search(r"^::error file=.*IN001", done.stdout, re.MULTILINE), done.stdout + done.stderr)
        yield f"each step runs: pip install, check, docs, diff of two commits; {how}"

    def steps(self, action, venv, folder, command):
        """Runs the steps of the action as the runner does, each in a new bash; returns the status of the last one."""
        temporary = fresh(self.work / "runner")
        inputs = {name: str(described["default"]) for name, described in action["inputs"].items()}
        inputs.update(command=command, folder=str(folder))
        environment, how = self.with_library(venv, self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(DIST), RUNNER_TEMP=str(temporary)))
        environment.update(GITHUB_PATH=str(temporary / "path"), GITHUB_OUTPUT=str(temporary / "output"))

        def value(text):
            return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], text)

        for step in action["runs"]["steps"]:
            hold("${{" not in step["run"], "inputs are put into a script, which runs what is in them")
            more = {name: value(text) for name, text in step.get("env", {}).items()}
            words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            cwd = value(step.get("working-directory", str(folder)))
            done = subprocess.run(words, cwd=cwd, env={**environment, **more}, capture_output=True, text=True)
            if done.returncode:
                break
            if (temporary / "path").is_file():
                environment["PATH"] = os.pathsep.join([*(temporary / "path").read_text().split(), environment["PATH"]])
        same((temporary / "output").read_text().strip(), f"version={version()}", "the output of the action")
        return done, how

    # ---- Personas --------------------------------------------------------------------------------------------------

    def personas(self):
        prefixes = {**self.others, **({"22": self.reference.parent} if self.reference else {})}
        hold({"19", "22", "23"} <= prefixes.keys(), "the personas need MLIR 19, 22 and 23: --reference, --mlir 19=, --mlir 23=")
        typist = personas.Typist(self.work, self.tools, prefixes, self.environment(pathlib.Path(need("node", "nodejs")).parent))
        yield from personas.lines(typist)

    # ---- All of them -----------------------------------------------------------------------------------------------

    def sums(self):
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
        listed = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
        same(sorted(place.name for place in DIST.iterdir() if place.name != "SHA256SUMS"), sorted(listed), "files and digests")
        parts = json.loads((DIST / "odsmith.cdx.json").read_text())
        same(parts["metadata"]["component"]["version"], version(), "the version in the list of parts")
        locked = set(re.findall(r'\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"', (ROOT / "Cargo.lock").read_text()))
        npm = json.loads((ROOT / "service/play/package-lock.json").read_text())["packages"]
        locked |= {(name.removeprefix("node_modules/"), each["version"]) for name, each in npm.items() if name}
        named = {(each["name"], each["version"]) for each in parts["components"]}
        hold(len(named) > 100 and named <= locked, f"parts that are in no lock file: {sorted(named - locked)}")
        yield f"all {len(listed)} digests, {len(named)} parts with version and licence"

    def crates(self):
        folder = dist.crates_source()
        # A separate folder, as cargo would take an earlier build of the same version for the same crate.
        target = self.work / "crates"
        # Packed again, and each built from its package alone.
        words = ["package", "--workspace", "--exclude", "odsmith-tests", "--locked", "--offline", "--allow-dirty", "--target-dir", target]
        said = run(self.cargo, *words, cwd=folder, env={**os.environ, "CARGO_PROFILE_DEV_DEBUG": "false"})
        built = re.findall(r"Verifying (\S+)", said)
        places = sorted(DIST.glob("*.crate"))
        same(sorted(f"{name}-{version()}.crate" for name in built), [place.name for place in places], "crates that were built, and those of `make dist`")
        for place in places:
            same(sha256(target / "package" / place.name), sha256(place), place.name)
        shutil.rmtree(target)
        yield f"each of {len(places)} builds out of its package, with the others out of theirs"

    def reproducible(self):
        hold(not run("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no").strip(), "there are changes that are not committed")
        other = self.work / "another/folder"
        run("git", "clone", "--quiet", ROOT, other)
        words = ["--tools", self.tools, "--cargo", self.cargo]
        run(sys.executable, other / "tests/dist/dist.py", *words, env={**os.environ, "CARGO_NET_OFFLINE": "true"})
        ours = (DIST / "SHA256SUMS").read_text()
        same((other / "target/dist/SHA256SUMS").read_text(), ours, "digests of two builds")
        yield f"a build in another folder gives the same {len(ours.splitlines())} files"


USE_OF_NODE = '''
import { check, generate, model } from "odsmith";

const text = `include "mlir/IR/OpBase.td"
def Hello_Dialect : Dialect { let name = "hello"; let cppNamespace = "::hello"; }
def Hello_Op : Op<Hello_Dialect, "greet"> { let summary = "Greets"; }
`;
const { result, files } = await generate({ "Hello.td": text });
if (result.status !== "ok" || !Object.keys(files).some((path) => path.endsWith("Hello.h.inc"))) throw new Error(Object.keys(files).join());
const { problems } = await check({ "Hello.td": `${text}def Broken : Missing;` });
const { dialects } = await model({ "Hello.td": text });
console.log(dialects[0].name, problems.length, "problem");
'''

USE_OF_PYTHON = '''
import sys

import odsmith

files = odsmith.generate(sys.argv[1], sys.argv[2])
assert any(file.name == "SketchOps.h.inc" for file in files), files
try:
    odsmith.generate("/nonexistent", sys.argv[2])
    raise SystemExit("a folder that is not there was read")
except odsmith.OdsmithError as error:
    assert error.status == 2 and "/nonexistent" in str(error), error
names: list[str] = [str(dialect["name"]) for dialect in odsmith.model(sys.argv[1])["dialects"]]
print(*names)
'''

PROOFS = ["sums", "tarball", "wheel", "pure_wheel", "debian", "image", "npm", "personas", "hooks", "action", "sdist", "crates", "reproducible"]


def network_is_cut():
    interfaces = {line.split(":")[0].strip() for line in pathlib.Path("/proc/net/dev").read_text().splitlines()[2:]}
    if interfaces != {"lo"}:
        return False
    with socket.socket() as probe:
        probe.settimeout(3)
        return probe.connect_ex(("192.0.2.1", 443)) != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="what tests/setup/dist.sh prints")
    parser.add_argument("--reference", type=pathlib.Path, help="the folder of mlir-tblgen 22")
    parser.add_argument("--mlir", action="append", default=[], help="RELEASE=PREFIX: a folder with include/ and bin/mlir-tblgen of another release")
    parser.add_argument("--cargo", default="cargo")
    parser.add_argument("--only", help=f"some of {', '.join(PROOFS)}")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("this check needs root: it installs a package in a Debian root, and starts an image")
    if not network_is_cut():
        sys.exit("this check is for a machine without a network: unshare --net")
    wanted = options.only.split(",") if options.only else PROOFS
    failed = []
    others = {release: pathlib.Path(prefix) for release, prefix in (each.split("=", 1) for each in options.mlir)}
    with tempfile.TemporaryDirectory(prefix="odsmith-dist-") as work:
        check = Check(pathlib.Path(work), options.tools, options.reference, others, options.cargo)
        for name in wanted:
            start = time.monotonic()
            try:
                for proved in getattr(check, name)():
                    print(f"{name:<13} {proved}", flush=True)
                print(f"{name:<13} {time.monotonic() - start:.1f} s", flush=True)
            except (ProofFailed, SystemExit, OSError, KeyError, ValueError, TypeError) as error:
                failed.append(name)
                if not isinstance(error, (ProofFailed, SystemExit)):
                    traceback.print_exc()
                print(f"{name:<13} DOES NOT HOLD: {error}", flush=True)
    print()
    for place in sorted(DIST.iterdir()):
        print(f"{megabytes(place.stat().st_size):>9}  {place.name}")
    if failed:
        sys.exit(f"does not hold: {', '.join(failed)}")
    print("everything holds")


if __name__ == "__main__":
    main()
