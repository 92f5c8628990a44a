"""Compares generators that are plugins with the same generators in C++, which link LLVM's TableGen.

    python3 tests/plugins/ports.py --odsmith target/debug/odsmith [--prefix /usr/lib/llvm-22] [--record] [PORT...]

Each folder here is a port: `input.td`, the generators in C++ (`reference.cpp`) and as a plugin (`plugin.py`), and what the first
print for the input (`expect/GENERATOR.txt`). With `--record` the C++ is compiled against `libMLIRTableGen.a` of the prefix, and
its outputs become the expectation; without it they are what was recorded. A plugin has at most half the lines of the C++.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = ["MLIRTblgenLib", "MLIRTableGen", "LLVMTableGenBasic", "LLVMTableGenCommon", "LLVMTableGen"]


def compiled(port, prefix, folder):
    """Compiles the generators in C++."""
    tool = folder / "tool"
    archives = [f"{prefix}/lib/lib{name}.a" for name in LIBRARIES]
    command = ["c++", "-std=c++17", "-O1", "-fno-rtti", "-w", f"-I{prefix}/include", port / "reference.cpp", "-o", tool]
    subprocess.run([*command, "-Wl,--start-group", *archives, "-Wl,--end-group", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-lLLVM"], check=True)
    return tool


def lines(path):
    return len(path.read_text().splitlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--prefix", default="/usr/lib/llvm-22")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("ports", nargs="*")
    options = parser.parse_args()
    odsmith = options.odsmith.resolve()
    faults = 0
    for port in sorted(path.parent for path in HERE.glob("*/reference.cpp")):
        if options.ports and port.name not in options.ports:
            continue
        generators = re.findall(r'"(gen-[a-z-]+)"', (port / "reference.cpp").read_text())
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            subprocess.run([odsmith, "-q", "plugin", "new", port.name, "--lang", "python", "-o", folder / "kit"], check=True)
            shutil.copy(port / "plugin.py", folder / "kit/plugin.py")
            if options.record:
                tool = compiled(port, options.prefix, folder)
                (port / "expect").mkdir(exist_ok=True)
                for generator in generators:
                    made = subprocess.run([tool, f"-{generator}", "-I", f"{options.prefix}/include", port / "input.td"], check=True, stdout=subprocess.PIPE)
                    (port / f"expect/{generator}.txt").write_bytes(made.stdout)
            for generator in generators:
                made = subprocess.run([odsmith, "tblgen", "--plugin", folder / "kit/plugin.py", f"-{generator}", port / "input.td"], stdout=subprocess.PIPE)
                wanted = (port / f"expect/{generator}.txt").read_bytes()
                if made.returncode or made.stdout != wanted:
                    faults += 1
                    print(f"{port.name}: {generator} differs")
                    (folder / "got").write_bytes(made.stdout)
                    subprocess.run(["diff", port / f"expect/{generator}.txt", folder / "got"])
        own, theirs = lines(port / "plugin.py"), lines(port / "reference.cpp")
        faults += own * 2 > theirs
        print(f"{port.name}: {len(generators)} generators, {own} lines for {theirs} of C++")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
