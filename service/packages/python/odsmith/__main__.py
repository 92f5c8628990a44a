"""``python -m odsmith``: the program that came with this package."""

import os
import subprocess
import sys

from odsmith import find_program


def main() -> int:
    words = [find_program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(words[0], words)
    return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
