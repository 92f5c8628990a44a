#!/usr/bin/env python3
"""Counts the synthesised examples that MLIR's own tool parses and verifies, by dialect.

    skeletons.py --site out/site --mlir-opt /usr/lib/llvm-22/bin/mlir-opt [--dialect arith] [--failures 20] [--least 50]

Reads the JSON twins of the operations' pages, puts each example in a function whose arguments are the values that it
takes, and hands it to mlir-opt, which knows every dialect of MLIR: unregistered ones are not allowed. An operation that
must be inside another one is put in the example of that one. The share of printed examples, in both forms, that parse
and verify must not be lower than --least, in per cent, and no more operations than --most-bare may be without any example.
Dialects that the tool does not know are left out of the share.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

SPLIT = "// -----\n"
# mlir-opt reads many examples at once, but one by one if it crashes.
BATCH = 64


def indented(text, by):
    return "\n".join(by + line if line else line for line in text.split("\n"))


def inside(outer, inner, ends):
    """The example of the enclosing operation with the inner one in its first region: in place of the terminator, if the
    inner one is a terminator itself."""
    match = re.search(r"\(\{\n(\^bb0:\n)?((?:  .*\n)*)\}", outer)
    if not match:
        return None
    rest = "" if ends else match[2]
    body = (match[1] or "") + indented(inner, "  ") + "\n" + rest
    return outer[: match.start()] + "({\n" + body + "}" + outer[match.end() :]


def nested(skeleton, text, others, values, depth=0):
    """The example inside that of an operation that may contain it, and that one inside its own."""
    for parent in skeleton["parents"]:
        outer = others.get(parent)
        if not outer or not outer.get("generic") or depth > 3:
            continue
        # The parent's own values are renamed.
        suffix = "_parent" * (depth + 1)
        body = outer["generic"]
        for name in sorted(set(re.findall(r"%\w+", body))):
            body = re.sub(re.escape(name) + r"\b", name + suffix, body)
        found = inside(body, text, skeleton["ends"])
        if found:
            values += [{"name": value["name"] + suffix, "type": value["type"]} for value in outer["values"]]
            return nested(outer, found, others, values, depth + 1)
    return text


def wrapped(skeleton, form, others):
    """A module that contains the example."""
    values = list(skeleton["values"])
    text = nested(skeleton, skeleton[form], others, values)
    arguments = ", ".join(f"{value['name']}: {value['type']}" for value in values)
    blocks = "".join(f"{block}:\n  return\n" for block in skeleton["blocks"])
    casts = "".join(f"{value['name']} = builtin.unrealized_conversion_cast to {value['type']}\n" for value in values)
    # An example may have the terminator of its block; if not, the function does. Symbols are in the module.
    return [
        f"func.func @skeleton({arguments}) {{\n{indented(text, '  ')}\n  return\n{blocks}}}\n",
        f"func.func @skeleton({arguments}) {{\n{indented(text, '  ')}\n{blocks}}}\n",
        *([f"{casts}{text}\n"] if not blocks else []),
    ]


def run(opt, texts):
    """The first error of each text, or None."""
    source = SPLIT.join(texts)
    done = subprocess.run(
        [opt, "--split-input-file", "--mlir-print-op-generic", "-o", "/dev/null", "-"],
        input=source, text=True, capture_output=True, check=False, errors="replace",
    )
    if done.returncode < 0 or "PLEASE submit a bug report" in done.stderr or "LLVM ERROR" in done.stderr:
        if len(texts) == 1:
            return ["crash"]
        half = len(texts) // 2
        return run(opt, texts[:half]) + run(opt, texts[half:])
    starts, line = [], 1
    for text in texts:
        starts.append(line)
        line += text.count("\n") + 1
    errors = [None] * len(texts)
    for match in re.finditer(r"^[^\n:]*:(\d+):\d+: error: ([^\n]*)", done.stderr, re.M):
        at = int(match[1])
        index = max(i for i, start in enumerate(starts) if start <= at)
        errors[index] = errors[index] or match[2]
    if done.returncode != 0 and not any(errors):
        return ["unknown failure"] * len(texts)
    return errors


def tried(opt, cases):
    """For each list of wrappings, whether one of them is accepted, or else the error of the first."""
    results = [None] * len(cases)
    for attempt in range(3):
        open_ = [i for i, case in enumerate(cases) if results[i] is not True and attempt < len(case)]
        for start in range(0, len(open_), BATCH):
            batch = open_[start : start + BATCH]
            for index, error in zip(batch, run(opt, [cases[i][attempt] for i in batch])):
                if error is None:
                    results[index] = True
                elif results[index] is None:
                    results[index] = error
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--site", type=pathlib.Path, required=True)
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt")
    parser.add_argument("--dialect")
    parser.add_argument("--failures", type=int, default=0)
    parser.add_argument("--least", type=float, default=100)
    parser.add_argument("--most-bare", type=int, default=0)
    options = parser.parse_args()
    pages = {}
    for path in sorted(options.site.glob("*/op/*.json")):
        page = json.loads(path.read_text())
        pages[page["name"]] = page
    skeletons = {name: page["syntax"]["skeleton"] for name, page in pages.items() if page["syntax"].get("skeleton")}
    for name, skeleton in skeletons.items():
        traits = {trait["name"]["text"].split("<")[0] for trait in pages[name]["traits"]}
        skeleton["ends"] = bool(traits & {"Terminator", "ReturnLike"})
    rows = collections.defaultdict(lambda: [0] * 6)
    failures = []
    for form, column in (("custom", 2), ("generic", 4)):
        chosen = [
            name for name in pages
            if name in skeletons and skeletons[name].get(form) and options.dialect in (None, pages[name]["dialect"])
        ]
        cases = [wrapped(skeletons[name], form, skeletons) for name in chosen]
        for name, case, result in zip(chosen, cases, tried(options.mlir_opt, cases)):
            row = rows[pages[name]["dialect"]]
            row[column] += 1
            row[column + 1] += result is True
            if result is not True:
                failures.append((form, name, result, case[0], bool(skeletons[name]["unsure"])))
    for name, page in pages.items():
        if options.dialect in (None, page["dialect"]):
            row = rows[page["dialect"]]
            row[0] += 1
            row[1] += name in skeletons
    print(f"{'dialect':20}{'ops':>6}{'with':>6}{'custom':>8}{'parse':>7}{'':>6}{'generic':>9}{'parse':>7}")
    total = [0] * 6
    for dialect, row in sorted(rows.items()):
        total = [a + b for a, b in zip(total, row)]
        show(dialect, row)
    show("all", total)
    for form, name, error, text, unsure in failures[: options.failures]:
        print(f"\n{name} ({form}{', unsure' if unsure else ''}): {error}\n{text}")
    if options.failures < 0:
        for form, name, error, text, unsure in failures:
            print(f"{form}\t{name}\t{'unsure' if unsure else ''}\t{error}\t{json.dumps(text)}")
    unknown = sum("unregistered dialect" in str(error) for _, _, error, _, _ in failures)
    printed, accepted = total[2] + total[4] - unknown, total[3] + total[5]
    if not printed:
        sys.exit("no example was found")
    share = 100 * accepted / printed
    print(f"{printed} examples are printed, {accepted} of them ({share:.1f} %) parse and verify")
    bare = [name for name, page in pages.items() if options.dialect in (None, page["dialect"]) and is_bare(page)]
    print(f"{len(bare)} of {len(pages)} operations have no example{': ' if bare else ''}{' '.join(bare[:20])}")
    if share < options.least:
        sys.exit(f"less than {options.least} %")
    if len(bare) > options.most_bare:
        sys.exit(f"more than {options.most_bare} operations have no example")


def is_bare(page):
    """Tests if a page has no example: neither a use, nor a synthesised one, nor one in its description."""
    syntax = page["syntax"]
    return not (syntax["examples"] or syntax["skeleton"] or syntax["is_described"])


def show(name, row):
    ops, has, custom, custom_ok, generic, generic_ok = row
    share = lambda some, all_: f"{100 * some / all_:5.0f}%" if all_ else ""
    print(f"{name:20}{ops:6}{has:6}{custom:8}{custom_ok:7}{share(custom_ok, custom):>6}{generic:9}{generic_ok:7}{share(generic_ok, generic):>6}")


main()
