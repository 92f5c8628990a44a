#!/usr/bin/env python3
"""Builds every artefact that users install, into target/dist: `make dist`.

  dist.py --tools FOLDER [--only tarball,wheel] [--cargo CARGO]

One build serves all of them. It is linked by zig, so that it starts with glibc 2.17 and later, and it is the same bytes
in every folder: paths are written as if the source were in /odsmith, archives are sorted, and times are the commit's.
"""

import argparse
import base64
import datetime
import email.utils
import hashlib
import importlib.util
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from common import (
    DIST, GLIBC, LIBRARY_BYTES, NPM_FILES, PROGRAMS, RECIPES, ROOT, TARGET, WHEEL_BYTES,
    commit, epoch, fresh, gzipped, install, members, mode, report, run, sha256, tar, version,
)

BUILD = ROOT / "target/packages"
SOURCE = BUILD / "source"
STAGE = BUILD / "stage"
# The files of the wheel and the source package that are neither programs nor Python's.
DATA = SOURCE / "data"
# The metadata of the Python package, which maturin writes, for wheels and the source package.
DIST_INFO = BUILD / f"dist-info/odsmith-{version()}.dist-info"
# The parts that are built, and other files that the build reads.
PARTS = ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "engine", "service", "site", "templates", "tests/Cargo.toml", "tests/src", "tests/tests"]
# The playground's script, which git does not contain.
PLAYGROUND = "service/play/dist/play.js.gz"
# The releases whose definitions are packed; the set-up's release first.
RELEASES = ["22", "23", "21", "19", "18", "17", "16", "15", "14", "13"]
# The releases that fit into the wheel.
WHEEL_RELEASES = ["22", "23"]
MAINTAINER = "The authors of Odsmith <maintainers@odsmith.example>"
SHELLS = {
    "bash": "share/bash-completion/completions/odsmith",
    "zsh": "share/zsh/site-functions/_odsmith",
    "fish": "share/fish/vendor_completions.d/odsmith.fish",
}


class Toolchain:
    """The compiler, the linker, and an environment that makes builds reproducible."""

    def __init__(self, cargo, tools):
        self.cargo, self.tools = cargo, tools

    def environment(self):
        """The environment of a build; writes the programs that it names."""
        wrappers = BUILD / "linker"
        for name, words in {
            "cc": f"zig cc -- -fno-sanitize=all -target x86_64-linux-gnu.{GLIBC[0]}.{GLIBC[1]}",
            "c++": f"zig c++ -- -fno-sanitize=all -target x86_64-linux-gnu.{GLIBC[0]}.{GLIBC[1]}",
            "ar": "zig ar --",
            "ranlib": "zig ranlib --",
        }.items():
            write(
                wrappers / name,
                "#!/bin/sh\n"
                f'export CARGO_ZIGBUILD_ZIG_COMMAND="{self.tools}/bin/python" CARGO_ZIGBUILD_ZIG_COMMAND_ARGS="-m ziglang"\n'
                f'exec "{self.tools}/bin/cargo-zigbuild" {words} "$@"\n',
                is_program=True,
            )
        sysroot = run("rustc", "--print", "sysroot").strip()
        home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
        # The last matching prefix counts.
        prefixes = {sysroot: "/rust", home: "/cargo", str(BUILD): "/build", str(SOURCE): "/odsmith"}
        triple = TARGET.replace("-", "_")
        return {
            **os.environ,
            f"CARGO_TARGET_{triple.upper()}_LINKER": str(wrappers / "cc"),
            f"CARGO_TARGET_{triple.upper()}_RUSTFLAGS": " ".join(f"--remap-path-prefix={place}={name}" for place, name in prefixes.items()),
            f"CC_{triple}": str(wrappers / "cc"),
            f"CXX_{triple}": str(wrappers / "c++"),
            f"AR_{triple}": str(wrappers / "ar"),
            f"RANLIB_{triple}": str(wrappers / "ranlib"),
            f"CFLAGS_{triple}": " ".join(f"-ffile-prefix-map={place}={name}" for place, name in prefixes.items()),
            "CARGO_TARGET_DIR": str(BUILD / "cargo"),
            "CARGO_INCREMENTAL": "0",
            # The first day that a zip supports. A new time for each commit would rebuild all C code.
            "SOURCE_DATE_EPOCH": "315532800",
            "ODSMITH_GLIBC": f"{GLIBC[0]}.{GLIBC[1]}",
            "ODSMITH_COMMIT": commit(),
        }

    def build(self):
        """Builds both programs; returns the folder that has them."""
        words = ["build", "--locked", "--profile", "packaged", "--target", TARGET, "--package", "odsmith-service", "--features", "both"]
        subprocess.run([self.cargo, *words], cwd=SOURCE, env=self.environment(), check=True)
        return BUILD / "cargo" / TARGET / "packaged"


def describe_package(toolchain):
    """Copies the data of the Python package beside the source, and lets maturin write its metadata."""
    share = fresh(DATA) / "data/share"
    for part in ["odsmith", "man"]:
        shutil.copytree(STAGE / "share" / part, share / part)
    for release in set(RELEASES) - set(WHEEL_RELEASES):
        (share / f"odsmith/libraries/{release}.tar.zst").unlink()
    (share / "odsmith/odsmith_web.wasm").unlink()
    words = ["pep517", "write-dist-info", "--metadata-directory", fresh(DIST_INFO.parent)]
    run(toolchain.tools / "bin/maturin", *words, cwd=SOURCE, env=toolchain.environment())


def export_source():
    """Exports the source for all builds and the source package: the committed files that the build reads."""
    listed = run("git", "-C", ROOT, "ls-files", "--", *PARTS).splitlines()
    wanted = {SOURCE / name: ROOT / name for name in listed}
    wanted[SOURCE / "pyproject.toml"] = RECIPES / "python/pyproject.toml"
    wanted[SOURCE / PLAYGROUND] = ROOT / PLAYGROUND
    for place in [place for place in SOURCE.rglob("*") if place.is_file() and place not in wanted and DATA not in place.parents]:
        place.unlink()
    for target, source in wanted.items():
        # An unchanged file keeps its time, so that cargo does not rebuild it.
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            install(source, target)


def with_values(recipe, **values):
    """The text of a recipe, with a value for each `@NAME@`."""
    text = recipe.read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def write(place, text, is_program=False):
    """Writes a file; an unchanged one keeps its time."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.is_file() or place.read_text() != text:
        place.write_text(text)
    place.chmod(0o755 if is_program else 0o644)


# ---- What all artefacts hold -------------------------------------------------------------------------------------

def definitions(include):
    """MLIR's `.td` files below an include folder and the files that they include, by their paths."""
    waiting = []
    for folder, _, names in os.walk(include / "mlir", followlinks=True):
        waiting += [(pathlib.Path(folder) / name).relative_to(include).as_posix() for name in names if name.endswith(".td")]
    found = {}
    while waiting:
        name = waiting.pop()
        place = include / name
        if name not in found and place.is_file():
            found[name] = place
            waiting += re.findall(r'^\s*include\s+"([^"]+)"', place.read_text(errors="replace"), re.MULTILINE)
    return found


def pack_libraries(program, folder):
    """Packs the definitions of each release, as the set-up finds them."""
    for release in RELEASES:
        if release == RELEASES[0]:
            include = run("sh", ROOT / "tests/setup/library.sh", stderr=None, stdout=subprocess.PIPE).strip()
        else:
            include = run("sh", ROOT / "tests/setup/release.sh", release, "library", stderr=None, stdout=subprocess.PIPE).strip() + "/include"
        own = fresh(BUILD / "library") / "include"
        for name, place in definitions(pathlib.Path(include)).items():
            install(place, own / name)
        packed = folder / f"{release}.tar.zst"
        packed.parent.mkdir(parents=True, exist_ok=True)
        run(program, "library", "pack", release, "--output", packed, env={**os.environ, "ODSMITH_LIBRARY": f"{release}={own}"})
        size = packed.stat().st_size
        if size > LIBRARY_BYTES:
            sys.exit(f"{packed.name} has {size} bytes, and at most {LIBRARY_BYTES} were promised")
    # They are LLVM's, which has the same licence as ours.
    install(ROOT / "LICENSE", folder / "LICENSE.TXT")


def build_modules(cargo):
    """Builds the modules of WebAssembly, which every platform runs; returns their folder."""
    return pathlib.Path(run("sh", ROOT / "tests/wasm/build.sh", "odsmith", "web", env={**os.environ, "CARGO": cargo}, stderr=None).strip())


def make_stage(built, modules, cargo):
    """Makes a prefix with everything: programs, libraries, completions, manual pages, documents."""
    fresh(STAGE)
    for program in PROGRAMS:
        install(built / program, STAGE / "bin" / program, is_program=True)
    pack_libraries(STAGE / "bin/odsmith-service", STAGE / "share/odsmith/libraries")
    for shell, place in SHELLS.items():
        write(STAGE / place, run(STAGE / "bin/odsmith", "completions", shell))
    run(STAGE / "bin/odsmith", "man", "--out", STAGE / "share/man/man1")
    install(modules / "odsmith_web.wasm", STAGE / "share/odsmith/odsmith_web.wasm")
    for name in ["LICENSE", "README.md", "CHANGELOG.md"]:
        install(ROOT / name, STAGE / "share/doc/odsmith" / name)
    for page in sorted((ROOT / "service/manual").rglob("*.md")):
        install(page, STAGE / "share/doc/odsmith" / page.relative_to(ROOT / "service"))
    run(sys.executable, ROOT / "tests/setup/sbom.py", "--cargo", cargo, "--binary", STAGE / "bin/odsmith-service", "--out", STAGE / "share/doc/odsmith/odsmith.cdx.json")
    # All times are equal, also for tools that take them from the files.
    for place in [STAGE, *members(STAGE)]:
        os.utime(place, (epoch(), epoch()))


# ---- Artefacts ---------------------------------------------------------------------------------------------------

def tarball(_):
    """Both programs with all their files, for every Linux."""
    name = f"odsmith-{TARGET}"
    place = DIST / f"{name}.tar.xz"
    place.write_bytes(lzma.compress(tar(STAGE, f"odsmith-{version()}-{TARGET}", epoch()), preset=6))
    write(DIST / f"{name}.tar.xz.sha256", f"{sha256(place)}  {place.name}\n")
    report("archive for Linux", place)


def make_wheel(tag, files, requires=()):
    """Makes a wheel for the platforms of a tag, of these files by their places; returns its path."""
    info = f"odsmith-{version()}.dist-info"
    head, blank, text = (DIST_INFO / "METADATA").read_text().partition("\n\n")
    head += "".join(f"\nRequires-Dist: {it}" for it in requires)
    is_pure = str(tag.endswith("-any")).lower()
    files = {
        **files,
        f"{info}/METADATA": f"{head}{blank}{text}".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: odsmith\nRoot-Is-Purelib: {is_pure}\nTag: {tag}\n".encode(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    for place in members(RECIPES / "python/odsmith"):
        if place.is_file() and "__pycache__" not in place.parts:
            files[f"odsmith/{place.relative_to(RECIPES / 'python/odsmith').as_posix()}"] = place.read_bytes()
    listed = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = ("".join(listed) + f"{info}/RECORD,,\n").encode()
    place = DIST / f"odsmith-{version()}-{tag}.whl"
    time = datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items(), key=lambda file: (file[0].startswith(info), file[0])):
            entry = zipfile.ZipInfo(name, time)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, data)
    return place


def wheel(_):
    """The wheel with the programs that were built. maturin would link them a second time."""
    inner = f"odsmith-{version()}.data"
    files = {f"{inner}/scripts/{program}": (STAGE / "bin" / program).read_bytes() for program in PROGRAMS}
    files |= {f"{inner}/{place.relative_to(DATA).as_posix()}": place.read_bytes() for place in members(DATA) if place.is_file()}
    parts = STAGE / "share/doc/odsmith/odsmith.cdx.json"
    files[f"odsmith-{version()}.dist-info/sboms/{parts.name}"] = parts.read_bytes()
    place = make_wheel(f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_x86_64", files)
    # The same files, compressed better: a minute here saves 5 % of each download.
    run("advzip", "--recompress", "--shrink-extra", "--quiet", place)
    if place.stat().st_size > WHEEL_BYTES:
        sys.exit(f"{place.name} has {place.stat().st_size} bytes, and at most {WHEEL_BYTES} were promised")
    report("wheel", place)


def source_package(_):
    """The source package, which maturin builds where no wheel fits."""
    install(DIST_INFO / "METADATA", SOURCE / "PKG-INFO")
    place = DIST / f"odsmith-{version()}.tar.gz"
    place.write_bytes(gzipped(tar(SOURCE, f"odsmith-{version()}", epoch())))
    report("source package", place)


def pure_wheel(_):
    """The wheel for every other platform: the module, which wasmtime runs."""
    files = {
        f"odsmith-{version()}.dist-info/entry_points.txt": b"[console_scripts]\nodsmith = odsmith.__main__:main\n",
        "odsmith/odsmith.wasm": (ROOT / "target/wasm/odsmith.wasm").read_bytes(),
    }
    for release in WHEEL_RELEASES:
        # The module looks for them below its own folder.
        files[f"odsmith/libraries/{release}.tar.zst"] = (STAGE / f"share/odsmith/libraries/{release}.tar.zst").read_bytes()
    report("wheel of the module", make_wheel("py3-none-any", files, ["wasmtime>=25"]))


def debian(_):
    """A package for Debian and its derivatives."""
    root = fresh(BUILD / "debian/odsmith")
    recipes = RECIPES / "debian"
    shutil.copytree(STAGE / "bin", root / "usr/bin")
    shutil.copytree(STAGE / "share", root / "usr/share")
    (root / "usr/share/zsh/site-functions").rename(root / "usr/share/zsh/vendor-completions")
    for page in (root / "usr/share/man/man1").iterdir():
        (page.parent / f"{page.name}.gz").write_bytes(gzipped(page.read_bytes()))
        page.unlink()
    (root / "usr/share/man/man1/odsmith-service.1.gz").symlink_to("odsmith.1.gz")
    # Debian has its own paths for these.
    documents = root / "usr/share/doc/odsmith"
    (documents / "LICENSE").unlink()
    (root / "usr/share/odsmith/libraries/LICENSE.TXT").unlink()
    (documents / "changelog.gz").write_bytes(gzipped((documents / "CHANGELOG.md").read_bytes()))
    (documents / "CHANGELOG.md").unlink()
    # Debian has the licence itself, and packages no copies of it.
    exceptions = (ROOT / "LICENSE").read_text().partition("---- LLVM Exceptions")[2].splitlines()[1:]
    write(documents / "copyright", with_values(recipes / "copyright", EXCEPTIONS="\n".join(f" {line}" if line.strip() else " ." for line in exceptions).strip("\n .")))
    install(recipes / "lintian-overrides", root / "usr/share/lintian/overrides/odsmith")
    date = email.utils.formatdate(epoch())
    history = with_values(recipes / "changelog", VERSION=version(), DATE=date, MAINTAINER=MAINTAINER)
    (documents / "changelog.Debian.gz").write_bytes(gzipped(history.encode()))
    size = sum(-(-place.stat().st_size // 1024) for place in members(root) if place.is_file())
    # The tool requires the package's source beside it.
    write(root.parent / "debian/control", "Source: odsmith\n\nPackage: odsmith\nArchitecture: amd64\n")
    found = run("dpkg-shlibdeps", "-O", *[f"-e{root}/usr/bin/{program}" for program in PROGRAMS], cwd=root.parent, stderr=subprocess.DEVNULL)
    depends = re.search(r"^shlibs:Depends=(.*)$", found, re.MULTILINE)[1]
    control = with_values(recipes / "control", VERSION=version(), MAINTAINER=MAINTAINER, SIZE=size, DEPENDS=depends)
    write(root / "DEBIAN/control", control)
    for script in ["postinst", "prerm"]:
        install(recipes / script, root / "DEBIAN" / script, is_program=True)
    sums = [f"{hashlib.md5(place.read_bytes()).hexdigest()}  {place.relative_to(root)}\n" for place in members(root / "usr") if place.is_file() and not place.is_symlink()]
    write(root / "DEBIAN/md5sums", "".join(sums))
    for place in [root, *members(root)]:
        if not place.is_symlink():
            place.chmod(mode(place))
        os.utime(place, (epoch(), epoch()), follow_symlinks=False)
    place = DIST / f"odsmith_{version()}-1_amd64.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, place, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})
    report("Debian package", place)


def dockerfile():
    """The configuration of the image in the Dockerfile's last stage; `docker/check.py` reads it in the same way."""
    spec = importlib.util.spec_from_file_location("image", ROOT / "docker/check.py")
    image = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(image)
    said = {}
    for instruction, rest in image.instructions(ROOT / "docker/Dockerfile"):
        if instruction == "FROM":
            said = {}
        said[instruction] = rest
    return said


def image(toolchain):
    """An image in the layout of the Open Container Initiative, made without an engine: the C library, and the
    programs."""
    said = dockerfile()
    base = fresh(BUILD / "image/base")
    [package] = (toolchain.tools.parent / "base").glob("libc6_*.deb")
    run("dpkg-deb", "--extract", package, base)
    for unneeded in ["usr/share", "usr/lib/x86_64-linux-gnu/gconv", "usr/lib/x86_64-linux-gnu/audit", "etc"]:
        shutil.rmtree(base / unneeded, ignore_errors=True)
    write(base / "etc/passwd", "root:x:0:0:root:/:/sbin/nologin\nnobody:x:65532:65532:nobody:/:/sbin/nologin\n")
    write(base / "etc/group", "root:x:0:\nnobody:x:65532:\n")
    (base / "tmp").mkdir()
    own = fresh(BUILD / "image/own")
    for part in ["bin", "share/odsmith", "share/doc/odsmith"]:
        shutil.copytree(STAGE / part, own / "usr/local" / part)

    layout = fresh(BUILD / "image/layout")
    (layout / "blobs/sha256").mkdir(parents=True)

    def blob(data, media_type):
        digest = hashlib.sha256(data).hexdigest()
        (layout / "blobs/sha256" / digest).write_bytes(data)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}

    def document(value, media_type):
        return blob(json.dumps(value, separators=(",", ":"), sort_keys=True).encode(), media_type)

    prefix = "application/vnd.oci.image"
    time = datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    layers = [tar(folder, "", epoch()) for folder in [base, own]]
    config = document(
        {
            "architecture": "amd64",
            "os": "linux",
            "created": time,
            "config": {
                "User": said["USER"],
                "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
                "Entrypoint": json.loads(said["ENTRYPOINT"]),
                "Cmd": json.loads(said["CMD"]),
                "WorkingDir": said["WORKDIR"],
                "ExposedPorts": {f"{said['EXPOSE']}/tcp": {}},
                "Labels": {
                    "org.opencontainers.image.title": "odsmith",
                    "org.opencontainers.image.version": version(),
                    "org.opencontainers.image.licenses": "Apache-2.0 WITH LLVM-exception",
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]},
            "history": [{"created": time, "created_by": name} for name in ["the C library of Debian", "odsmith"]],
        },
        f"{prefix}.config.v1+json",
    )
    manifest = document(
        {
            "schemaVersion": 2,
            "mediaType": f"{prefix}.manifest.v1+json",
            "config": config,
            "layers": [blob(gzipped(layer), f"{prefix}.layer.v1.tar+gzip") for layer in layers],
        },
        f"{prefix}.manifest.v1+json",
    )
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version()}
    manifest["platform"] = {"architecture": "amd64", "os": "linux"}
    write(layout / "oci-layout", json.dumps({"imageLayoutVersion": "1.0.0"}))
    write(layout / "index.json", json.dumps({"schemaVersion": 2, "mediaType": f"{prefix}.index.v1+json", "manifests": [manifest]}, sort_keys=True))
    place = DIST / f"odsmith-{version()}-oci.tar"
    place.write_bytes(tar(layout, "", epoch()))
    report("image layout", place)


def npm(_):
    """The package that users name, and one with the programs for each platform that was built."""
    recipes = RECIPES / "npm"
    folder = fresh(BUILD / "npm")
    platform = "linux-x64"
    values = {"VERSION": version(), "PACKAGE": f"@odsmith/{platform}", "PLATFORM": "Linux on x86-64, with glibc"}
    own = json.loads(with_values(recipes / "platform.json", **values))
    own.update(os=["linux"], cpu=["x64"], libc=["glibc"])
    write(folder / platform / "package.json", json.dumps(own, indent=2) + "\n")
    for part in ["bin", "share/odsmith"]:
        shutil.copytree(STAGE / part, folder / platform / part)
    main = json.loads(with_values(recipes / "package.json", **values))
    main["optionalDependencies"] = {own["name"]: version()}
    write(folder / "odsmith/package.json", json.dumps(main, indent=2) + "\n")
    for target, source in NPM_FILES.items():
        install(source, folder / "odsmith" / target, is_program=target.startswith("bin/"))
    index = folder / "odsmith/lib/index.mjs"
    write(index, with_values(index, RELEASES=" ".join(WHEEL_RELEASES)))
    for module in ["odsmith.wasm", "odsmith_web.wasm"]:
        install(ROOT / "target/wasm" / module, folder / "odsmith/lib" / module)
    for release in WHEEL_RELEASES:
        install(STAGE / f"share/odsmith/libraries/{release}.tar.zst", folder / f"odsmith/share/odsmith/libraries/{release}.tar.zst")
    for package in [folder / platform, folder / "odsmith"]:
        install(ROOT / "LICENSE", package / "LICENSE")
        [made] = json.loads(run("npm", "pack", "--json", "--ignore-scripts", "--pack-destination", DIST, package, cwd=folder, stderr=subprocess.DEVNULL))
        report("npm package", DIST / made["filename"])


def crates_source():
    """The source in a form from which each crate can be packed: cargo takes no files from outside of a crate's
    folder."""
    folder = BUILD / "crates"
    shutil.rmtree(folder, ignore_errors=True)
    for name in run("git", "-C", ROOT, "ls-files", "--", *PARTS).splitlines():
        install(ROOT / name, folder / name)
    install(ROOT / PLAYGROUND, folder / PLAYGROUND)
    templates = ("../../../templates/", "../../templates/")
    moved = {"site/src": templates, "service/src": templates, "service/build.rs": ("tblgen/build.rs", "relocations.rs")}
    for place, (old, new) in moved.items():
        files = members(folder / place) if (folder / place).is_dir() else [folder / place]
        changed = [file for file in files if file.suffix == ".rs" and old in file.read_text()]
        if not changed:
            sys.exit(f"nothing in {place} names {old}")
        for file in changed:
            file.write_text(file.read_text().replace(old, new))
    for crate in ["site", "service"]:
        shutil.copytree(folder / "templates", folder / crate / "templates")
    shutil.copy(folder / "service/tblgen/build.rs", folder / "service/relocations.rs")
    # Without the tests and their fixtures.
    shutil.rmtree(folder / "service/tests")
    manifests = [folder / "Cargo.toml", *folder.glob("*/Cargo.toml"), *folder.glob("*/*/Cargo.toml")]
    for manifest in manifests:
        if 'publish = false' not in manifest.read_text():
            install(ROOT / "LICENSE", manifest.parent / "LICENSE")
    return folder


def crates(toolchain):
    """A package of each crate, ready for cargo to publish."""
    folder = crates_source()
    words = ["package", "--workspace", "--exclude", "odsmith-tests", "--locked", "--offline", "--allow-dirty", "--no-verify", "--target-dir", BUILD / "crates-target"]
    shutil.rmtree(BUILD / "crates-target", ignore_errors=True)
    run(toolchain.cargo, *words, cwd=folder)
    for place in sorted((BUILD / "crates-target/package").glob("*.crate")):
        shutil.copy(place, DIST)
        report("crate", DIST / place.name)


def sums(_):
    """The list of parts, and the digest of every artefact."""
    install(STAGE / "share/doc/odsmith/odsmith.cdx.json", DIST / "odsmith.cdx.json")
    report("list of parts", DIST / "odsmith.cdx.json")
    places = [place for place in members(DIST) if place.is_file() and place.name != "SHA256SUMS"]
    write(DIST / "SHA256SUMS", "".join(f"{sha256(place)}  {place.name}\n" for place in places))
    report("digests", DIST / "SHA256SUMS")


ARTEFACTS = {"tarball": tarball, "wheel": wheel, "source-package": source_package, "pure-wheel": pure_wheel, "debian": debian, "image": image, "npm": npm, "crates": crates}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cargo", default="cargo")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="what tests/setup/dist.sh prints")
    parser.add_argument("--only", help=f"some of {', '.join(ARTEFACTS)}")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(ARTEFACTS)
    toolchain = Toolchain(options.cargo, options.tools / "venv")
    run("sh", ROOT / "tests/setup/play.sh")
    export_source()
    built = toolchain.build()
    if not options.only:
        fresh(DIST)
    make_stage(built, build_modules(options.cargo), options.cargo)
    describe_package(toolchain)
    for name in wanted:
        ARTEFACTS[name](toolchain)
    sums(toolchain)


if __name__ == "__main__":
    main()
