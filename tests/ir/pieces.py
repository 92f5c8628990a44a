"""The pieces of MLIR's own tests that mlir-opt accepts, and its answers: what migration.py, generic.py and printed.py share."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess

SPLIT = "// -----"
MARK = "// @@@@@"


def arguments(document, work):
    """Returns a parser of the arguments that these programs share; their files are in target/ir/WORK."""
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("odsmith"), parser.add_argument("tests"), parser.add_argument("truth")
    parser.add_argument("--work", default="target/ir/" + work, help="where the files of this program are")
    parser.add_argument("--only", default="", help="a part of the paths")
    parser.add_argument("--list", type=int, default=0, help="the number of findings to list")
    return parser


def ask(opt, text, name="-", flags=()):
    """Returns the text of each piece, empty if it is refused, and the first error of each."""
    command = [opt, "--split-input-file", "--output-split-marker=" + MARK, "--allow-unregistered-dialect", "--mlir-print-op-generic",
               "--mlir-disable-threading", *flags, name]
    try:
        done = subprocess.run(command, input=text.encode() if name == "-" else None, capture_output=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return None, {}
    lines = text.split("\n")
    begins = [1] + [at + 2 for at, line in enumerate(lines) if line.startswith(SPLIT)]
    texts = done.stdout.decode("utf8", "replace").split(MARK + "\n")
    errors = {}
    for m in re.finditer(r"^(\S[^\n]*?):(\d+):(\d+): error: (.*)$", done.stderr.decode("utf8", "replace"), re.M):
        piece = sum(begin <= int(m[2]) for begin in begins) - 1
        errors.setdefault(piece, (int(m[2]), m[4]))
    texts += [""] * (len(begins) - len(texts))
    return texts, errors


def pieces_of(text):
    """Splits a text as mlir-opt does."""
    pieces, own = [], []
    for line in text.split("\n"):
        if line.startswith(SPLIT):
            pieces.append("\n".join(own) + "\n")
            own = []
        else:
            own.append(line)
    return pieces + ["\n".join(own)]


def gather(options):
    """Writes the accepted pieces of each file, and returns the texts by file."""
    accepted = collections.defaultdict(dict)
    for row in map(json.loads, open(options.truth, encoding="utf-8")):
        if options.only in row["file"]:
            accepted[row["file"]][row["piece"]] = row["accepted"]
    folder = pathlib.Path(options.work)
    shutil.rmtree(folder, ignore_errors=True)
    texts = {}
    for name, pieces in accepted.items():
        try:
            source = (pathlib.Path(options.tests) / name).read_bytes().decode("utf8")
        except UnicodeDecodeError:
            continue
        parts = re.split(r"^// -----.*\n?", source, flags=re.M)
        kept = [part.rstrip("\n") + "\n" for index, part in enumerate(parts) if pieces.get(index)]
        if len(parts) != len(pieces) or not kept:
            continue
        texts[name] = (SPLIT + "\n").join(kept)
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(texts[name])
    return texts


def every(opt, texts):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(texts, pool.map(lambda text: ask(opt, text), texts.values())))


def remembered(place, opt, texts):
    """Asks once: the answers about the tests themselves stay beside the rewritten files."""
    key = [opt, sum(map(len, texts.values())), len(texts)]
    if place.exists():
        known = json.loads(place.read_text())
        if known["key"] == key:
            return {name: (parts, {int(at): error for at, error in errors.items()}) for name, (parts, errors) in known["all"].items()}
    answers = every(opt, texts)
    place.write_text(json.dumps({"key": key, "all": answers}))
    return answers
