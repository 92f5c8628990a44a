"""Shared parts of `dist.py` and `check.py`: paths, the version, and reproducible archives."""

import functools
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ROOT / "service/packages"
DIST = ROOT / "target/dist"
TARGET = "x86_64-unknown-linux-gnu"
GLIBC = (2, 17)
PROGRAMS = ["odsmith", "odsmith-service"]
# The files of the npm package that need no build, by their place in it.
NPM_FILES = {
    "bin/odsmith.js": RECIPES / "npm/odsmith.js",
    "lib/module.mjs": RECIPES / "npm/module.mjs",
    "lib/index.mjs": RECIPES / "npm/index.mjs",
    "lib/index.d.ts": RECIPES / "npm/index.d.ts",
    "lib/odsmith.mjs": ROOT / "service/web/js/odsmith.mjs",
    "lib/worker.mjs": ROOT / "service/web/js/worker.mjs",
}
# The limit for the wheel, which people should download without hesitation. Four fifths are odsmith-service, which has doubled
# with IR, registries, catalogues and the host of plugins.
WHEEL_BYTES = 20_000_000
LIBRARY_BYTES = 1_000_000


def version():
    """The version of the workspace, which every artefact has."""
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'\[workspace\.package\]\nversion = "([^"]+)"', text)[1]


def run(*command, **options):
    """Runs a command; shows its output and ends only if it fails."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace", **options}
    done = subprocess.run([str(word) for word in command], **options)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise SystemExit(f"failed with status {done.returncode}: {' '.join(str(word) for word in command)}")
    return done.stdout


def need(program, package):
    """The path of a program that Debian has."""
    found = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    return found or sys.exit(f"missing: {program} (Debian: {package})")


def sha256(place):
    return hashlib.sha256(place.read_bytes()).hexdigest()


@functools.cache
def epoch():
    """The time in archives: that of the last commit, or SOURCE_DATE_EPOCH."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip())


@functools.cache
def commit():
    """The packed commit; empty if there are uncommitted changes."""
    if run("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no").strip():
        return ""
    return run("git", "-C", ROOT, "rev-parse", "HEAD").strip()


def members(folder):
    """Every folder and file below a folder, sorted by path."""
    return sorted(folder.rglob("*"), key=lambda place: place.relative_to(folder).as_posix())


def mode(place):
    """The permissions of a file in an archive: executable or not."""
    return 0o755 if place.is_dir() or os.access(place, os.X_OK) and place.stat().st_mode & 0o100 else 0o644


def tar(folder, name, time):
    """A tar of a folder, below `name`: sorted, without owners, with one time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for place in ([folder] if name else []) + members(folder):
            relative = place.relative_to(folder).as_posix()
            entry = tarfile.TarInfo("/".join(part for part in (name, relative) if part not in ("", ".")))
            entry.mtime = time
            entry.mode = mode(place)
            if place.is_symlink():
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(place), 0o777
                archive.addfile(entry)
            elif place.is_dir():
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
            else:
                entry.size = place.stat().st_size
                with place.open("rb") as file:
                    archive.addfile(entry, file)
    return out.getvalue()


def gzipped(data):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(data)
    return out.getvalue()


def fresh(folder):
    """The folder, emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def install(source, target, is_program=False):
    """Copies a file, and makes the folders of its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if is_program else 0o644)


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def report(name, place, proof=""):
    """Prints one line for an artefact."""
    print(f"{name:<22} {megabytes(place.stat().st_size):>9}  {place.name}{'  ' + proof if proof else ''}", flush=True)
