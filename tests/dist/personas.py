"""The first minutes of each kind of user, from the packages: what they type, and the seconds until their first result.

Each types shell commands in a new folder, with a new home and nothing of this machine but what such a person has. A
first result that is C++ is compared with that of the release's mlir-tblgen.
"""

import dataclasses
import pathlib
import shutil
import subprocess
import time

from common import DIST, ROOT, TARGET, fresh, run, version

DEMO = ROOT / "tests/fixtures/demo"
PROJECTS = ROOT / "tests/fixtures/projects"
OPS = "include/sketch/IR/SketchOps.td"
OF_DEMO = ("-gen-op-decls", "-I", "include", OPS)

UNPACK = f"tar -xf odsmith-{TARGET}.tar.xz\nPATH=$PWD/odsmith-{version()}-{TARGET}/bin:$PATH\n"
PIP = f"python3 -m venv .venv\n.venv/bin/pip install --quiet odsmith-{version()}-py3-none-manylinux*.whl\nPATH=$PWD/.venv/bin:$PATH\n"
WORKSPACE = """cat >> project/WORKSPACE <<EOF
local_repository(name = "odsmith", path = "$INTEGRATIONS/bazel")
load("@odsmith//:repositories.bzl", "odsmith_local_toolchain")
odsmith_local_toolchain(name = "odsmith_toolchain")
register_toolchains("@odsmith_toolchain//:toolchain")
EOF
"""


@dataclasses.dataclass
class Persona:
    """A kind of user: what they have, the commands that they type, and their result."""

    title: str
    # The project that they have: ./project.
    project: pathlib.Path
    # The commands that they type.
    typed: str
    # The first result.
    result: str
    # The flags with which mlir-tblgen makes it in the project's folder, if it does. The release is the newest in the
    # package, unless the commands name one.
    flags: tuple = ()
    release: str = "23"
    # Preparations that do not count.
    setup: str = ""
    # True in a Debian root with nothing but the system.
    is_bare: bool = False


PERSONAS = [
    Persona(
        "CMake author with MLIR 22", PROJECTS / "cmake",
        UNPACK + "odsmith cmake-shim shim\ncmake -G Ninja -S project -B build -DMLIR_DIR=$PWD/shim\ncmake --build build\n",
        "build/include/Garden/IR/GardenOps.h.inc",
        ("-gen-op-decls", "-I", "include", "-I", "include/Garden/IR", "include/Garden/IR/GardenOps.td"),
        release="22",
    ),
    Persona(
        "Bazel author", PROJECTS / "bazel",
        UNPACK + "sed -i 's#@llvm-project//mlir:tblgen.bzl#@odsmith//:tblgen.bzl#' project/kiln/*/BUILD.bazel\n" + WORKSPACE
        + "(cd project && bazel --batch --output_user_root=$HOME/bazel build $RULES //kiln/...)\n",
        "project/bazel-bin/kiln/dialect/KilnOps.h.inc",
        ("-gen-op-decls", "-op-shard-count=2", "-I", ".", "kiln/dialect/KilnOps.td"),
        release="22",
        # LLVM's own rules would come over a network.
        setup="sed -i '/^load/!{/@llvm-project/d}' project/kiln/*/BUILD.bazel\n",
    ),
    Persona("publisher of documentation", DEMO, PIP + "odsmith docs project -o site\n", "site/index.html"),
    Persona(
        "Python user", DEMO, PIP + "python -c 'import odsmith; odsmith.generate(\"project\", \"out\")'\n",
        "out/cpp/include/sketch/IR/SketchOps.h.inc", OF_DEMO,
    ),
    Persona(
        "Node.js user", DEMO,
        f"npm install --silent odsmith-{version()}.tgz odsmith-linux-x64-{version()}.tgz\nnpx --offline odsmith generate project -o out\n",
        "out/cpp/include/sketch/IR/SketchOps.h.inc", OF_DEMO,
        setup="echo '{\"private\": true}' > package.json\n",
    ),
    Persona(
        "Fedora user without LLVM", DEMO, UNPACK + "odsmith generate project -o out\n",
        "out/cpp/include/sketch/IR/SketchOps.h.inc", OF_DEMO, is_bare=True,
    ),
    Persona(
        "offline Debian machine", DEMO, f"dpkg --install odsmith_{version()}*.deb\nodsmith generate project -o out\n",
        "out/cpp/include/sketch/IR/SketchOps.h.inc", OF_DEMO, is_bare=True,
    ),
    Persona(
        "somebody with LLVM 19 only", DEMO, UNPACK + "odsmith generate project -o out --library $LLVM_19/include\n",
        "out/cpp/include/sketch/IR/SketchOps.h.inc", OF_DEMO, release="19",
    ),
]


class Typist:
    """Runs the commands of personas."""

    def __init__(self, work, tools, prefixes, environment):
        # `prefixes` has the folder of MLIR of each release that a persona has.
        self.work, self.tools, self.prefixes, self.environment = work, tools, prefixes, environment

    def first_result(self, number, persona):
        """The seconds until the first result."""
        place = folder = fresh(self.work / f"persona-{number}")
        words = ["sh", "-euc"]
        environment = {
            **self.environment, "HOME": str(folder / "home"), "INTEGRATIONS": str(ROOT / "service/integrations"),
            "LLVM_19": str(self.prefixes["19"]), "MLIR_PREFIX": str(self.prefixes["22"]), "PIP_NO_INDEX": "1",
        }
        if persona.is_bare:
            run("tar", "-xf", self.tools / "bare.tar", "-C", folder)
            place = fresh(folder / "root/work")
            environment = {"HOME": "/root", "LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
            # Every system has /proc, which programs need to find their own path.
            words = ["unshare", "--mount", "sh", "-euc", 'mount --bind /proc "$0/proc" && exec chroot "$0" sh -euc "$1"', folder]
        else:
            (folder / "home").mkdir()
            environment["RULES"] = run("sh", ROOT / "tests/setup/bazel_rules.sh", folder / "rules").strip().replace("\n", " ")
        shutil.copytree(persona.project, place / "project")
        self.downloads(persona, place)
        if persona.setup:
            run("sh", "-euc", persona.setup, cwd=place)
        typed = persona.typed
        start = time.monotonic()
        if persona.is_bare:
            typed = f"cd /root/work\n{self.unpack_outside(typed, place)}"
        done = subprocess.run([*words, typed], cwd=place, env=environment, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode:
            raise SystemExit(f"{persona.title}: status {done.returncode}\n{done.stdout}{done.stderr}")
        result = place / persona.result
        if not result.is_file():
            raise SystemExit(f"{persona.title}: no {persona.result}\n{done.stdout}{done.stderr}")
        self.compare(persona, result)
        return seconds

    def unpack_outside(self, typed, place):
        """Runs `tar` here, as that of the smallest Debian reads no `.xz`, and returns the other commands."""
        lines = typed.splitlines(keepends=True)
        outside = [line for line in lines if line.startswith("tar ")]
        if outside:
            run("sh", "-euc", "".join(outside), cwd=place)
        return "".join(line for line in lines if line not in outside)

    def downloads(self, persona, place):
        """Puts the packages that are named in the commands into the folder."""
        for package in DIST.iterdir():
            if any(package.match(word) for word in persona.typed.split()):
                shutil.copy(package, place)

    def compare(self, persona, result):
        if not persona.flags:
            return
        prefix = self.prefixes[persona.release]
        words = [prefix / "bin/mlir-tblgen", *persona.flags, "-I", prefix / "include"]
        expected = run(*words, cwd=persona.project, stderr=subprocess.DEVNULL)
        if result.read_text() != expected:
            raise SystemExit(f"{persona.title}: {persona.result} is not what mlir-tblgen {persona.release} makes")


def lines(typist):
    """One line for each persona."""
    for number, persona in enumerate(PERSONAS):
        seconds = typist.first_result(number, persona)
        typed = persona.typed.replace(WORKSPACE, "(four lines in WORKSPACE)\n").strip().replace("\n", "; ")
        yield f"{seconds:5.1f} s  {persona.title}: {typed}"
