#!/usr/bin/env python3
"""Compares the pages of operations with mlir-tblgen's documentation: traits, interfaces and effects, in both directions.

    op_docs.py --site out/site --include /usr/lib/llvm-22/include --tblgen mlir-tblgen [FILE.td ...]

The lists are those of `-gen-op-doc`, which follow all lists of traits. Of each operation: the names in the JSON twin are
those of the document, no more and no fewer; the effects that its page states are those of the document, besides those on
single operands, attributes and results, which the document does not name; and the page of an interface or trait lists
the operation exactly if the operation lists it. Without files, those of MLIR's own build.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
VERBS = {"Read": "reads", "Write": "writes", "Allocate": "allocates", "Free": "frees"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    parser.add_argument("--include", type=pathlib.Path, required=True, help="the include folder of MLIR's release")
    parser.add_argument("--tblgen", default="mlir-tblgen-22")
    parser.add_argument("--shown", type=int, default=12, help="so many differences of a kind are shown")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    theirs = {}
    for path in options.files or [options.include / root for root in roots()]:
        if path.exists():
            theirs.update(documented(options, path))
    ours = {}
    for path in options.site.glob("*/op/*.json"):
        twin = json.loads(path.read_text())
        ours[twin["name"]] = twin
    tally = Tally(options.shown)
    # The document names interfaces by their definitions, pages by their C++ classes.
    classes = {}
    for path in options.site.glob("interface/*.json"):
        twin = json.loads(path.read_text())
        if twin["source"]:
            classes[twin["source"]["record"]] = twin["name"]
    for name, lists in sorted(theirs.items()):
        tally.count("operations", name, {name}, {name} & ours.keys())
        if name in ours:
            compare(tally, name, lists, ours[name], classes)
    reverse(tally, options.site, ours)
    sys.exit(tally.report())


def roots():
    """The files from which MLIR's own build generates operations, types or attributes."""
    table = (HERE.parent / "bench" / "mlir-build.tsv").read_text()
    lines = [line.split("\t") for line in table.splitlines() if line.count("\t") >= 2]
    return sorted({line[1] for line in lines if "--gen-op-decls" in line[2]})


def documented(options, path):
    """The lists of each operation, by title."""
    command = [options.tblgen, "-gen-op-doc", "-I", str(options.include), "-I", str(path.parent), str(path)]
    text = subprocess.run(command, capture_output=True, check=True, text=True, timeout=120).stdout
    found, lists = {}, None
    for line in text.split("\n"):
        heading = re.match(r"#{3,4} `([^`]+)` \(.*\)$", line)
        if heading:
            lists = found.setdefault(heading[1], {"Traits": set(), "Interfaces": set(), "Effects": set()})
        title, colon, rest = line.partition(": `")
        # An author may write such a line too; the generated list comes later and counts.
        if lists is not None and colon and title in lists:
            lists[title] = set(re.findall(r"`([^`]*)`", "`" + rest))
    return found


def compare(tally, name, lists, twin, classes):
    # A list of traits counts as its parts.
    traits = {row["text"] for t in twin["traits"] for row in t["parts"] or [t["name"]]}
    traits -= {row["name"]["text"] for row in twin["interfaces"]}
    # Interfaces of effects are among the interfaces of the document.
    traits -= {text.split(" (")[0] for text in lists["Interfaces"] if " (" in text}
    tally.count("traits", name, set(map(plain, lists["Traits"])), set(map(plain, traits)))
    interfaces = {re.sub(r".*\((.*)\)", r"\1", text) for text in lists["Interfaces"]}
    interfaces = {text.removesuffix("::Trait").split("::")[-1] for text in interfaces}
    interfaces = {classes.get(text, text) for text in interfaces}
    tally.count("interfaces", name, interfaces, {row["name"]["text"] for row in twin["interfaces"]})
    tally.count("effects", name, effects(lists["Effects"]), shown_effects(twin))


def plain(trait):
    """The name of a trait without the namespaces of its parameters, which authors may write or omit."""
    return re.sub(r"(::)?(\w+::)+", "", trait).replace(" ", "").removesuffix("::Impl")


def effects(lists):
    """The memory effects in the document, in the words of the pages."""
    found = set()
    for text in lists:
        base, _, inside = text.partition("{")
        if base != "MemoryEffects::Effect":
            continue
        for effect in filter(None, inside.rstrip("}").split(", ")):
            verb, _, resource = effect.partition(" on ")
            verb, resource = VERBS[verb.split("::")[-1]], resource.split("::")[-1]
            found.add(verb if resource == "DefaultResource" else f"{verb} {resource}")
    return found


def shown_effects(twin):
    facts = [fact["text"] for fact in twin["behaviour"] if fact["label"] == "Memory"]
    parts = [part for fact in facts for part in fact.split(", ")]
    return {part for part in parts if part.split()[0] in VERBS.values() and not part.endswith(")")}


def reverse(tally, site, ours):
    """Checks that the page of each interface and trait lists the operations that list it."""
    listed = collections.defaultdict(set)
    for name, twin in ours.items():
        for row in twin["interfaces"] + twin["traits"]:
            if row["name"]["href"]:
                listed[row["name"]["href"].partition("#")[0]].add(name)
    for folder in ("interface", "trait"):
        for path in site.glob(f"{folder}/*.json"):
            href = path.relative_to(site).with_suffix(".html").as_posix()
            # A text that mentions an interface is no use of it.
            groups = [group for group in json.loads(path.read_text())["users"] if group["id"] != "mentioned-by"]
            rows = [row for group in groups for row in group["rows"]]
            users = {row["prefix"] + row["name"] for row in rows}
            users = {user for user in users if user in ours}
            # The page of a trait also lists operations that have it through others.
            shown = users if folder == "interface" else users & listed[href]
            tally.count(f"users of an {folder}" if folder == "interface" else "users of a trait", href, listed[href], shown)


class Tally:
    """The differences between the document and the pages."""

    def __init__(self, shown):
        self.shown = shown
        self.rows = collections.OrderedDict()

    def count(self, what, where, expected, found):
        row = self.rows.setdefault(what, [0, []])
        row[0] += len(expected)
        row[1] += [f"{where} lacks {name}" for name in sorted(expected - found)]
        row[1] += [f"{where} has {name} as well" for name in sorted(found - expected)]

    def report(self):
        for what, (count, wrong) in self.rows.items():
            print(f"{what}: {count}, {len(wrong)} differences")
            for line in wrong[: self.shown]:
                print(f"    {line}")
        is_wrong = any(wrong for _, wrong in self.rows.values())
        return 1 if is_wrong or not self.rows.get("operations", [0])[0] else 0


if __name__ == "__main__":
    main()
