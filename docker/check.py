#!/usr/bin/env python3
"""Carries out the Dockerfile without a container engine: each stage in a Debian root of its own, each step for real.

Needs root, debootstrap and a Rust toolchain. What differs from an engine: the bases are bare Debian roots made with
debootstrap from this machine's package source, and the build stage borrows this machine's Rust toolchain (the base
`rust` is Debian with such a toolchain). After the steps the entry point runs as the image's user, on a read-only file
system, and is asked for a result.

  sudo docker/check.py [--work FOLDER] [--keep]
"""
import argparse
import fnmatch
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SUITE = "bookworm"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def instructions(dockerfile):
    """(instruction, rest) pairs, continuation lines joined."""
    text = re.sub(r"\\\n", " ", dockerfile.read_text())
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            word, rest = line.split(None, 1)
            yield word.upper(), rest.strip()


def ignored(patterns, path):
    """Returns whether .dockerignore leaves a path out: the last pattern that matches it or a parent decides."""
    result = False
    for pattern in patterns:
        negated = pattern.startswith("!")
        parents = [path, *[str(parent) for parent in pathlib.PurePath(path).parents][:-1]]
        if any(fnmatch.fnmatch(parent, pattern.lstrip("!")) and (negated or parent.count("/") >= pattern.count("/")) for parent in parents):
            result = not negated
    return result


def context_files():
    patterns = [line for line in (REPOSITORY / "docker/Dockerfile.dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    listed = run("git", "-C", REPOSITORY, "ls-files", capture_output=True, text=True).stdout.splitlines()
    return [path for path in listed if not ignored(patterns, path)]


class Stage:
    def __init__(self, base, root, pristine):
        self.base, self.root = base, root
        self.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self.workdir, self.user, self.entrypoint, self.cmd = "/", "0:0", [], []
        self.mounts = []
        run("cp", "-a", "--reflink=auto", pristine, root)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        for name in ("proc", "dev"):
            self.mount(f"/{name}", name)
        if base.startswith("rust:"):
            self.borrow_toolchain()

    def mount(self, source, target):
        (self.root / target).mkdir(parents=True, exist_ok=True)
        run("mount", "--bind", source, self.root / target)
        self.mounts.append(self.root / target)

    def borrow_toolchain(self):
        sysroot = run("rustc", "--print", "sysroot", capture_output=True, text=True).stdout.strip()
        self.mount(sysroot, "usr/local/rust")
        run("chroot", self.root, "sh", "-c", "apt-get -qq update && apt-get -qq install -y --no-install-recommends ca-certificates gcc libc6-dev >/dev/null && rm -rf /var/lib/apt/lists/*")
        # The certificates that it trusts, which may be more than the distribution's.
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", self.root / "etc/ssl/certs/ca-certificates.crt")
        self.env["PATH"] = "/usr/local/rust/bin:" + self.env["PATH"]

    def step(self, instruction, rest, stages):
        if instruction == "WORKDIR":
            self.workdir = rest
            (self.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif instruction == "ENV":
            name, value = rest.split("=", 1)
            self.env[name] = value
        elif instruction == "USER":
            self.user = rest
        elif instruction == "ENTRYPOINT":
            self.entrypoint = json.loads(rest)
        elif instruction == "CMD":
            self.cmd = json.loads(rest)
        elif instruction == "COPY":
            self.copy(shlex.split(rest), stages)
        elif instruction == "RUN":
            run("chroot", self.root, "env", "-i", *[f"{name}={value}" for name, value in self.env.items()], "sh", "-c", f"cd {self.workdir} && {rest}")
        elif instruction != "EXPOSE":
            sys.exit(f"this check does not know {instruction}")

    def copy(self, words, stages):
        if words[0].startswith("--from="):
            *sources, target = words[1:]
            into = self.root / target.lstrip("/")
            (into if target.endswith("/") else into.parent).mkdir(parents=True, exist_ok=True)
            for source in sources:
                run("cp", "-a", stages[words[0].removeprefix("--from=")].root / source.lstrip("/"), into)
            return
        assert words == [".", "."], words
        for name in context_files():
            target = self.root / self.workdir.lstrip("/") / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, target)

    def close(self):
        for mount in reversed(self.mounts):
            subprocess.run(["umount", "-l", mount])


def try_image(stage):
    """Runs entry point and command as an engine would with --read-only, and asks for the version and a result."""
    print("== the image, read-only, as user", stage.user)
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8080)) == 0:
            sys.exit("port 8080 is taken on this machine")
    user, group = stage.user.split(":")
    command = [*stage.entrypoint, *stage.cmd]
    script = (
        f"mount --bind {stage.root} {stage.root} && mount -o remount,bind,ro {stage.root} && "
        f"mount --rbind /proc {stage.root}/proc && "
        f"exec env -i {' '.join(shlex.quote(f'{n}={v}') for n, v in stage.env.items())} "
        f"chroot --userspec={user}:{group} {stage.root} {shlex.join(command)}"
    )
    server = subprocess.Popen(["unshare", "--mount", "sh", "-c", script])
    try:
        for _ in range(100):
            try:
                with urllib.request.urlopen("http://127.0.0.1:8080/v1/version", timeout=2) as answer:
                    print("   /v1/version:", answer.status, answer.read().decode().strip())
                break
            except OSError:
                if server.poll() is not None:
                    sys.exit(f"the entry point ended with status {server.returncode}")
                time.sleep(0.1)
        else:
            sys.exit("the service did not answer within 10 s")
        demo = REPOSITORY / "tests/fixtures/demo"
        body = run("tar", "-C", demo, "-czf", "-", ".", capture_output=True).stdout
        request = urllib.request.Request("http://127.0.0.1:8080/v1/generate", body, {"Content-Type": "application/gzip"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            print("   /v1/generate:", answer.status, len(answer.read()), "bytes")
        uid = pathlib.Path(f"/proc/{server.pid}/status").read_text()
        print("   runs as", re.search(r"Uid:\s*(\d+)", uid)[1])
    finally:
        server.send_signal(signal.SIGTERM)
        print("   SIGTERM: ends with status", server.wait(timeout=30))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, help="where the roots go (default: a folder that is removed)")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("this check needs root and debootstrap")
    work = options.work or pathlib.Path(tempfile.mkdtemp(prefix="odsmith-image-"))
    work.mkdir(parents=True, exist_ok=True)

    pristine = work / "debian"
    if not pristine.exists():
        # The package source of this machine.
        policy = run("apt-cache", "policy", "base-files", capture_output=True, text=True).stdout
        mirror = re.search(r"https?://\S+", policy)[0]
        print("== a bare Debian root", flush=True)
        run("debootstrap", "--variant=minbase", SUITE, pristine, mirror, stdout=subprocess.DEVNULL)
        for name in glob.glob("/etc/apt/sources.list.d/debian.sources"):
            shutil.copy(name, pristine / "etc/apt/sources.list.d/")
            (pristine / "etc/apt/sources.list").write_text("")
            (pristine / "usr/share/keyrings").mkdir(parents=True, exist_ok=True)

    stages, stage = {}, None
    try:
        for instruction, rest in instructions(REPOSITORY / "docker/Dockerfile"):
            print(f"== {instruction} {rest}", flush=True)
            if instruction == "FROM":
                base, _, name = rest.partition(" AS ")
                root = work / (name or "image")
                if root.exists():
                    shutil.rmtree(root)
                stage = Stage(base, root, pristine)
                stages[name or "image"] = stage
            else:
                stage.step(instruction, rest, stages)
        for mount in reversed(stage.mounts):
            run("umount", "-l", mount)
        stage.mounts.clear()
        try_image(stage)
        size = run("du", "-sm", stage.root / "usr/local", capture_output=True, text=True).stdout.split()[0]
        print(f"== every step of the Dockerfile was carried out; it adds {size} MB to its base")
    finally:
        for stage in stages.values():
            stage.close()
        if not options.keep and not options.work:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
