#!/usr/bin/env python3
"""Count phrasing that makes this code base hard to read, and print samples.

  english.py [ROOT] [--samples N] [--since COMMIT] [--max NAME=NUMBER ...]

Counts, over *.rs, *.md, *.hbs, *.py, *.js, *.toml, Makefile (tests/fixtures, target and lock files left out):
  clause-openings  share, in percent, of comment lines that open a comment with a relative clause or a question word
                   ("What is to be done.", "Where …", "Whether …", "Those that …", "Who …", "That which …")
  can-not          "cannot", written as two words
  participles      struct, enum, type and trait names that are bare participles, adjectives or pronouns (Made, Taken, Shown, Known …)
  odd-words        words of the list below, which have a usual word beside them
  long-titles      commit titles above 72 characters since --since (a commit), if git is there
Exit status 1 if a figure is above its --max.
"""
import argparse, os, pathlib, re, subprocess, sys

SKIP = {"target", ".git", "node_modules", "fixtures", "site-packages"}
GENERATED = "service/play/dist"
OPEN = re.compile(r"^(What|Where|Whether|Those|Who|Whom|Whose|That which|How many|Whatever|Whoever)\b")
PARTICIPLES = set("""Made Taken Shown Named Known Stored Share Means Asked Lost Wanted Held Begun Drawn Way Finds Found Told Given Met Written Filled Listed
Place Kept Read Seen Said Left Done Sent Got Set Put Cut Met Meant Spent Spoken Chosen Thrown Packed Joined Counted Matched Merged Noted Opened Ended Started
Used Tried Wished Worked Waited Looked Gone Come Run Hidden Heard Felt Bound Besides Gate Pieces Work""".split()) - {"Read", "Set", "Cut", "Run", "Bound"}
ODD = re.compile(r"\b(nobody|somebody|behind|stands?|give[sn]? back|who asks|tells?|is told|are told|are to come|all the same|no word more|steady|spare)\b")
ALLOWED = re.compile(r"behind a (proxy|reverse|load|flag)|behind (nginx|the proxy)|spare (capacity|time)", re.I)
COMMENT = re.compile(r"^\s*(//[/!]?|#)\s?(.*)$")

def files(root):
    """The texts below `root`. Folders that other steps write to meanwhile are not entered."""
    found = []
    for folder, folders, names in os.walk(root):
        kept = [name for name in folders if name not in SKIP]
        folders[:] = [name for name in kept if pathlib.Path(folder, name) != root / GENERATED]
        found += [pathlib.Path(folder, name) for name in names]
    for path in sorted(found):
        if path.suffix in {".rs", ".md", ".hbs", ".py", ".js", ".mjs"} or path.name == "Makefile":
            yield path

def main():
    a = argparse.ArgumentParser()
    a.add_argument("root", nargs="?", default=".")
    a.add_argument("--samples", type=int, default=5)
    a.add_argument("--since")
    a.add_argument("--max", action="append", default=[])
    o = a.parse_args()
    root = pathlib.Path(o.root)
    found = {"clause-openings": [], "can-not": [], "participles": [], "odd-words": [], "long-titles": []}
    comments = 0
    for path in files(root):
        previous_comment = False
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            where = f"{path.relative_to(root)}:{number}"
            m = COMMENT.match(line) if path.suffix != ".md" else None
            text = m.group(2) if m else (line if path.suffix == ".md" else "")
            if m:
                comments += 1
                if not previous_comment and OPEN.match(text):
                    found["clause-openings"].append((where, text))
            previous_comment = bool(m)
            if re.search(r"\bcan[ ]not\b", line):
                found["can-not"].append((where, line.strip()))
            if text and ODD.search(text) and not ALLOWED.search(text):
                found["odd-words"].append((where, text))
            t = re.match(r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|type|trait)\s+(\w+)", line)
            if path.suffix == ".rs" and t and t.group(1) in PARTICIPLES:
                found["participles"].append((where, line.strip()))
    try:
        span = [f"{o.since}..HEAD"] if o.since else ["-300"]
        for title in subprocess.run(["git", "-C", str(root), "log", "--no-merges", "--format=%h %s", *span], capture_output=True, text=True).stdout.splitlines():
            if len(title.split(" ", 1)[1]) > 72:
                found["long-titles"].append(tuple(title.split(" ", 1)))
    except OSError:
        pass
    figures = {name: len(rows) for name, rows in found.items()}
    figures["clause-openings"] = round(100 * len(found["clause-openings"]) / max(1, comments), 2)
    for name, rows in found.items():
        print(f"{name}: {figures[name]}{' % of ' + str(comments) + ' comment lines' if name == 'clause-openings' else ''}")
        step = max(1, len(rows) // max(1, o.samples))
        for where, text in rows[::step][: o.samples]:
            print(f"    {where}: {text[:120]}")
    bad = [f"{n} {figures[n]} > {v}" for n, v in (m.split("=") for m in o.max) if figures[n] > float(v)]
    print("too many: " + ", ".join(bad) if bad else "ok")
    return 1 if bad else 0

if __name__ == "__main__":
    sys.exit(main())
