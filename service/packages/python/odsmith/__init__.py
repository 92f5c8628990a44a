"""MLIR TableGen definitions in; generated C++ and a dialect reference out.

The functions run the program ``odsmith`` that is installed with this package, or where there is none for this platform, the
module ``odsmith.wasm`` of this package.

>>> import odsmith
>>> odsmith.generate("my-project", "generated")
>>> [dialect["name"] for dialect in odsmith.model("my-project")["dialects"]]
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Union

__all__ = ["OdsmithError", "__version__", "docs", "find_program", "generate", "model", "run"]
__version__ = version("odsmith")

StrPath = Union[str, "os.PathLike[str]"]


class OdsmithError(Exception):
    """A command that failed. The messages name file, line and column."""

    def __init__(self, status: int, messages: str) -> None:
        super().__init__(messages.strip() or f"odsmith ended with status {status}")
        self.status = status
        self.messages = messages


def find_program() -> str:
    """The path of the program that came with this package."""
    name = "odsmith" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts")]
    # Installed for one user, or into a folder of its own (pip install --target).
    scheme = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else f"{os.name}_user"
    folders.append(sysconfig.get_path("scripts", scheme))
    folders.append(str(pathlib.Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        place = os.path.join(folder, name)
        if os.path.isfile(place):
            return place
    found = shutil.which("odsmith")
    if found is None:
        raise FileNotFoundError(f"the program odsmith is in none of {', '.join(folders)}, and not on PATH")
    return found


def command() -> list[str]:
    """The words that begin a command line: the native program, or Python with the module of this package."""
    from odsmith import _module

    # The wheel with the module has no program; one on PATH may be of another version.
    if _module.MODULE.is_file():
        return [sys.executable, "-m", "odsmith"]
    return [find_program()]


def run(arguments: Sequence[StrPath], *, cwd: StrPath | None = None) -> subprocess.CompletedProcess[str]:
    """Runs ``odsmith`` with arguments, as on the command line; the result has its output and its status."""
    words = [*command(), *(os.fspath(argument) for argument in arguments)]
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)


def _checked(arguments: Sequence[StrPath]) -> str:
    done = run(arguments)
    if done.returncode != 0:
        raise OdsmithError(done.returncode, done.stderr)
    return done.stderr


def _options(includes: Sequence[str], defines: Sequence[str], mlir: str | None, library: StrPath | None) -> list[str]:
    words = [word for include in includes for word in ("--include", include)]
    words += [word for define in defines for word in ("--define", define)]
    if mlir is not None:
        words += ["--mlir", mlir]
    if library is not None:
        words += ["--library", os.fspath(library)]
    return words


def generate(
    source: StrPath,
    output: StrPath,
    *,
    includes: Sequence[str] = (),
    defines: Sequence[str] = (),
    mlir: str | None = None,
    library: StrPath | None = None,
) -> list[pathlib.Path]:
    """Makes everything that a folder or an archive defines: C++, Markdown, the reference site, the model.

    ``output`` is a folder, or the name of an archive (``.tar.gz``, ``.tar.zst``, ``.zip``). ``mlir`` is the release to
    emulate, as ``"22"``; without it, that of the library. Returns the files of the folder, or the archive, sorted.

    Raises :class:`OdsmithError` if the definitions have an error.
    """
    _checked(["generate", source, "--out", output, *_options(includes, defines, mlir, library)])
    place = pathlib.Path(output)
    return sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]


def docs(
    source: StrPath,
    output: StrPath,
    *,
    includes: Sequence[str] = (),
    defines: Sequence[str] = (),
    mlir: str | None = None,
    library: StrPath | None = None,
    title: str | None = None,
) -> pathlib.Path:
    """Makes the reference site of a folder or an archive; returns its folder or archive."""
    words = ["--title", title] if title is not None else []
    _checked(["docs", source, "--out", output, *words, *_options(includes, defines, mlir, library)])
    return pathlib.Path(output)


def model(
    source: StrPath,
    *,
    includes: Sequence[str] = (),
    defines: Sequence[str] = (),
    mlir: str | None = None,
    library: StrPath | None = None,
) -> dict[str, Any]:
    """The dialects of a folder or an archive as data: operations, types, attributes, enums, interfaces, passes."""
    with tempfile.TemporaryDirectory(prefix="odsmith-") as folder:
        generate(source, folder, includes=includes, defines=defines, mlir=mlir, library=library)
        text = pathlib.Path(folder, "model.json").read_text(encoding="utf-8")
    result: dict[str, Any] = json.loads(text)
    return result
