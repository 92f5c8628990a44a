"""``python -m odsmith``: the program that came with this package, or the module where there is none."""

import os
import subprocess
import sys

from odsmith import _module, find_program


def main() -> int:
    if _module.MODULE.is_file():
        return _module.run(sys.argv[1:])
    words = [find_program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(words[0], words)
    return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
