"""Runs the commands of the manual, and checks its links, quotations and flags.

    python3 tests/manual/run.py --odsmith target/debug/odsmith [--library DIR] [PAGE...]

A page (`service/manual/**/*.md`) is a session: its blocks run in order in one shell, in a fresh folder, with a fresh HOME and with
`odsmith` and the system's tools in PATH.

    ```console          lines that begin with `$ ` are commands, the others are their output. `…` in a line matches anything,
    $ odsmith ls        a line of `…` any number of lines. A command may only fail if `$ echo $?` follows.
    …
    ```

    `Toy.td`:           a block after a line that ends in "`PATH`:" is written to that file.

    [`x`](../../x):     a block after a line that ends in a link to a file of the repository is a quotation: that file has these
                        lines. `…` alone in a line stands for lines that are left out.

If a program is missing that only some machines have (`OPTIONAL`), the rest of the page is left out and named at the end.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "service/manual"
# Programs that a page may need, and that the tests do not.
OPTIONAL = {"bazel", "cmake", "curl", "docker", "hugo", "jq", "meson", "mkdocs", "nix", "nix-build", "node", "npm", "npx", "nvim", "pre-commit"}
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
SECONDS = 120
MARK = "\x01"
# The port that pages name; each page gets a free one in its place.
PORT = "8080"


@dataclass
class Block:
    line: int
    language: str
    text: str
    lead: str


@dataclass
class Command:
    line: int
    text: str
    expected: list = field(default_factory=list)


@dataclass
class Result:
    page: str
    faults: list = field(default_factory=list)
    commands: int = 0
    skipped: str = ""
    seconds: float = 0.0


def blocks(text):
    """The fenced blocks of a page, each with the line of text before it."""
    found, lead, fence = [], "", None
    for number, line in enumerate(text.splitlines(), 1):
        opening = re.match(r"^( *)(`{3,})(\S*)", line)
        if fence is None and opening:
            fence = Block(number, opening[3], "", lead)
            indent, ticks, lines = len(opening[1]), opening[2], []
        elif fence is not None and line.strip() == ticks:
            fence.text = "".join(line + "\n" for line in lines)
            found.append(fence)
            fence, lead = None, ""
        elif fence is not None:
            lines.append(line[indent:] if line[:indent].isspace() else line)
        elif line.strip():
            lead = line.strip()
    return found


def commands(block):
    """The commands of a console block with their expected output."""
    found = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if found and found[-1].text.endswith("\\") and not found[-1].expected:
            found[-1].text += "\n" + line
        elif line.startswith("$ "):
            found.append(Command(number, line[2:]))
        elif found:
            found[-1].expected.append(line)
        else:
            raise ValueError(f"{number}: output without a command")
    return found


def matches(expected, output):
    """Tests if an output is as the page shows it."""
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[^\S\n]*\n"
    return re.fullmatch(pattern, output.strip("\n") + "\n" if output.strip() else "") is not None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def script_of(steps, port):
    """One script that runs all commands and marks where the output of each ends."""
    lines = []
    for step in steps:
        if isinstance(step, Block):
            path = re.search(r"`([^`]+)`:$", step.lead)[1]
            folder = os.path.dirname(path) or "."
            lines.append(f"mkdir -p {shlex.quote(folder)} && cat > {shlex.quote(path)} <<'END OF FILE'\n{step.text}END OF FILE")
            continue
        lines.append(step.text.replace(PORT, port))
        if step.text.rstrip().endswith("&"):
            lines.append(f"for wait in $(seq 200); do (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break; sleep 0.05; done; true")
        lines.append(f"status=$?; printf '\\n{MARK}%s\\n' $status; (exit $status)")
    return "\n".join(lines) + "\n"


def run(page, odsmith, library):
    """Runs a page."""
    result = Result(str(page.relative_to(MANUAL)))
    steps = []
    path = f"{odsmith.parent}:{SYSTEM_PATH}"
    for block in blocks(page.read_text()):
        if block.language == "console":
            for command in commands(block):
                program = next((word for word in command.text.split() if "=" not in word), "")
                if program in OPTIONAL and not shutil.which(program, path=path):
                    result.skipped = f"{result.page} from line {command.line} on, for lack of {program}"
                    break
                steps.append(command)
            if result.skipped:
                break
        elif re.search(r"(?<!\])`[^`]+`:$", block.lead):
            steps.append(block)
    if not any(isinstance(step, Command) for step in steps):
        return result
    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "work")
        work.mkdir()
        port = free_port()
        environment = {"PATH": path, "HOME": home, "LANG": "C.UTF-8", "TERM": "dumb", "GIT_CONFIG_NOSYSTEM": "1"}
        environment |= {f"GIT_{who}_{what}": "you@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        if library:
            environment["ODSMITH_LIBRARY"] = str(library)
        start = time.monotonic()
        process = subprocess.Popen(["bash", "--noprofile", "--norc", "-c", script_of(steps, port)], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            # Programs in the background keep the pipe open, so that the end is that of the shell.
            output = []
            os.set_blocking(process.stdout.fileno(), False)
            while True:
                over = process.poll() is not None
                chunk = process.stdout.read()
                if chunk:
                    output.append(chunk)
                elif over:
                    break
                elif time.monotonic() - start > SECONDS:
                    result.faults.append(f"{result.page}: no end after {SECONDS} seconds")
                    break
                else:
                    time.sleep(0.005)
        finally:
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
            process.wait()
        result.seconds = time.monotonic() - start
    text = b"".join(output).decode(errors="replace").replace(port, PORT)
    parts = re.split(f"\n?{MARK}([0-9]+)\n", text)
    shown = [step for step in steps if isinstance(step, Command)]
    for index, command in enumerate(shown):
        if 2 * index + 1 >= len(parts):
            result.faults.append(f"{result.page}:{command.line}: it did not run: {command.text}\n{textwrap.indent(parts[-1], '    ')}")
            break
        got, status = parts[2 * index], parts[2 * index + 1]
        result.commands += 1
        follows = shown[index + 1].text.strip() if index + 1 < len(shown) else ""
        if status != "0" and follows != "echo $?":
            result.faults.append(f"{result.page}:{command.line}: status {status}: {command.text}\n{textwrap.indent(got, '    ')}")
        elif not matches(command.expected, got):
            result.faults.append(f"{result.page}:{command.line}: {command.text}\n  the page says\n{textwrap.indent(chr(10).join(command.expected), '    ')}\n  it printed\n{textwrap.indent(got, '    ')}")
    return result


def slug(heading):
    """The fragment of a heading, as forges make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    """A page without its fenced blocks and code."""
    kept, ticks = [], None
    for line in text.splitlines():
        opening = re.match(r"^ *(`{3,})", line)
        if ticks is None and opening:
            ticks = opening[1]
            kept.append("")
        elif ticks is not None:
            ticks = None if line.strip() == ticks else ticks
            kept.append("")
        else:
            kept.append(line)
    return kept


def anchors(path):
    found = set()
    for line in without_code(path.read_text()):
        heading = re.match(r"^#{1,6} (.*)", line)
        if heading:
            base, number = slug(heading[1]), 0
            while (name := base if number == 0 else f"{base}-{number}") in found:
                number += 1
            found.add(name)
    return found


def check_links(page):
    """Links that lead nowhere. Web addresses are not asked."""
    faults, known = [], {}
    for number, line in enumerate(without_code(page.read_text()), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"(?<!\[)`[^`]*`(?!\])", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, fragment = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists() or not path.is_relative_to(ROOT):
                faults.append(f"{page.relative_to(ROOT)}:{number}: {target} is not there")
            elif fragment and path.suffix == ".md":
                known.setdefault(path, anchors(path))
                if fragment not in known[path]:
                    faults.append(f"{page.relative_to(ROOT)}:{number}: {target} has no such heading")
    return faults


def check_quotations(page):
    """Quotations that differ from their files."""
    faults = []
    for block in blocks(page.read_text()):
        source = re.search(r"\]\(([^)#]+)\):$", block.lead)
        if not source:
            continue
        path = (page.parent / source[1]).resolve()
        if not path.is_file():
            continue
        pieces, text = [[]], path.read_text()
        for line in block.text.splitlines():
            pieces.append([]) if line.strip() == "…" else pieces[-1].append(line)
        place = 0
        for piece in filter(None, pieces):
            # The block may be indented less than the file.
            wanted = [line.strip() for line in piece]
            have = [line.strip() for line in text.splitlines()]
            places = [at for at in range(place, len(have)) if have[at:at + len(wanted)] == wanted]
            if not places:
                faults.append(f"{page.relative_to(ROOT)}:{block.line}: {path.relative_to(ROOT)} has no such lines:\n{textwrap.indent(chr(10).join(piece), '    ')}")
                break
            place = places[0] + len(wanted)
    return faults


def check_flags(page, odsmith, known):
    """Commands in text, recipes and settings whose flags do not exist. Those of `tblgen` are mlir-tblgen's."""
    faults = []
    text = page.read_text()
    calls = re.findall(r"\bodsmith ([a-z-]+)((?:\\\n|[^\n`|;&#])*)", text)
    calls += re.findall(r"\bcommand: (?:>-\s+)?([a-z-]+)((?:\n {10,}\S|[^\n`])*)", text)
    for command, rest in calls:
        if command == "library":
            command += " " + (rest.split() or [""])[0]
        for flag in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest):
            if command == "tblgen" or known.get((command, flag)):
                continue
            if (command, flag) not in known:
                done = subprocess.run([odsmith, *command.split(), flag, "--help"], capture_output=True, text=True)
                known[command, flag] = f"unexpected argument '{flag}'" not in done.stderr and "unrecognized subcommand" not in done.stderr
            if not known[command, flag]:
                faults.append(f"{page.relative_to(ROOT)}: `odsmith {command}` has no {flag}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--library", type=Path)
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    pages = [page.resolve() for page in options.pages] or sorted(MANUAL.rglob("*.md"))
    faults, known = [], {}
    for page in pages + ([] if options.pages else [ROOT / "README.md", *sorted((ROOT / "service").glob("*.md"))]):
        faults += check_links(page) + check_quotations(page) + check_flags(page, options.odsmith.resolve(), known)
    start = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda page: run(page, options.odsmith.resolve(), options.library), pages))
    for result in results:
        faults += result.faults
        if result.skipped:
            print(f"left out: {result.skipped}")
        if result.page == "tutorial.md" and result.commands:
            print(f"the tutorial's {result.commands} commands take {result.seconds:.1f} s from a clean environment")
    print(*faults, sep="\n", end="\n" if faults else "")
    if not pages or not sum(result.commands for result in results):
        faults.append("no command was run")
    print(f"{len(pages)} pages, {sum(result.commands for result in results)} commands in {time.monotonic() - start:.1f} s, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
