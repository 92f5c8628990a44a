"""Runs ``odsmith.wasm`` with wasmtime, where there is no native program."""

from __future__ import annotations

import os
import pathlib
import re
import string
import sys
from collections.abc import Sequence

MODULE = pathlib.Path(__file__).resolve().parent / "odsmith.wasm"

#: The stack for definitions that are nested deeply: as much as wasmtime gives.
STACK_BYTES = 2 << 20

#: Variables that hold paths.
PATHS = ["HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "ODSMITH_CACHE", "ODSMITH_LIBRARY"]


def inside(path: str, windows: bool = os.name == "nt") -> str:
    """A path as the module sees it: with slashes, and below a folder for each drive of Windows."""
    if not windows:
        return path
    return re.sub(r"^([A-Za-z]):(?=/|$)", lambda letter: f"/{letter[1].upper()}:", path.replace("\\", "/"))


def argument(text: str, windows: bool = os.name == "nt") -> str:
    """An argument as the module sees it: paths of Windows may stand alone, or follow ``-I`` or an equals sign."""
    if not windows or not re.search(r"[\\:]", text) or re.match(r"[a-z][a-z+-]+:", text, re.IGNORECASE):
        return text
    found = re.match(r"(-I|-o|-d|--[\w-]+=(?:\d+=)?|[\w-]+=)?(.*)$", text, re.DOTALL)
    return (found[1] or "") + inside(found[2], windows) if found else text


def _cached(engine):  # type: ignore[no-untyped-def]
    """The module, compiled once for this machine and this version of wasmtime."""
    from importlib.metadata import version

    from wasmtime import Module, WasmtimeError

    stamp = MODULE.stat()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.join(os.path.expanduser("~"), ".cache")
    name = f"module-{version('wasmtime')}-{stamp.st_size}-{stamp.st_mtime_ns}"
    place = pathlib.Path(base, "odsmith", name)
    # A file that others may write to could hold any code.
    if place.is_file() and (os.name == "nt" or (place.stat().st_uid == os.getuid() and not place.stat().st_mode & 0o022)):
        try:
            return Module.deserialize_file(engine, str(place))
        except WasmtimeError:
            pass
    module = Module.from_file(engine, str(MODULE))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_name(f"{name}.{os.getpid()}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(module.serialize())
        os.replace(new, place)
    except OSError:
        # It is compiled again the next time.
        pass
    return module


def run(words: Sequence[str]) -> int:
    """Runs the module with the words of a command line after the program's name; returns its status."""
    from wasmtime import Config, Engine, ExitTrap, Linker, Store, Trap, TrapCode, WasiConfig

    config = Config()
    config.max_wasm_stack = STACK_BYTES
    engine = Engine(config)
    wasi = WasiConfig()
    wasi.argv = ["odsmith", *(argument(word) for word in words)]
    variables = dict(os.environ)
    for name in PATHS:
        if name in variables:
            variables[name] = inside(variables[name])
    if os.name == "nt":
        variables.setdefault("HOME", variables.get("USERPROFILE", ""))
        variables.setdefault("XDG_CACHE_HOME", variables.get("LOCALAPPDATA", ""))
    variables["PWD"] = inside(os.getcwd())
    # Libraries are in the package, beside the module.
    variables["ODSMITH_PROGRAM"] = inside(str(MODULE))
    wasi.env = list(variables.items())
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    if os.name == "nt":
        for letter in string.ascii_uppercase:
            if os.path.isdir(f"{letter}:\\"):
                wasi.preopen_dir(f"{letter}:\\", f"/{letter}:")
    else:
        wasi.preopen_dir("/", "/")
    store = Store(engine)
    store.set_wasi(wasi)
    linker = Linker(engine)
    linker.define_wasi()
    start = linker.instantiate(store, _cached(engine)).exports(store)["_start"]
    try:
        start(store)  # type: ignore[operator]
    except ExitTrap as end:
        return end.code
    except Trap as trap:
        if trap.trap_code == TrapCode.STACK_OVERFLOW:
            print("error: the definitions are nested too deeply for this stack", file=sys.stderr)
        else:
            print(f"error: odsmith ended in a way that it never should: {trap}", file=sys.stderr)
        return 3
    return 0
