#!/usr/bin/env python3
"""Counts facts that mlir-tblgen's Markdown loses, and those that the site's JSON twins have.

The definitions are read from `llvm-tblgen --dump-json`, so that the site is not compared with itself. For each kind of
fact: how many the definitions hold, how many the twins show, and the first that are missing. Fails if any is missing.

    odsmith docs mlir -o site && python3 tests/site/losses.py --site site --include /usr/lib/llvm-22/include
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=pathlib.Path, required=True, help="what `odsmith docs` wrote")
    parser.add_argument("--include", type=pathlib.Path, required=True, help="the include folder of MLIR's release")
    parser.add_argument("--tblgen", default="llvm-tblgen-22")
    options = parser.parse_args()
    tally = Tally()
    seen = set()
    for root in roots():
        if not (options.include / root).exists():
            continue
        records = dump(options.tblgen, options.include, root)
        for name in records["!instanceof"].get("Op", []):
            op = records[name]
            dialect = records[op["opDialect"]["def"]]["name"]
            full = f"{dialect}.{op['opName']}" if dialect else op["opName"]
            if full in seen:
                continue
            seen.add(full)
            twin = find_twin(options.site, dialect, op["opName"])
            tally.count("operations with a page", full, 1, int(twin is not None))
            if twin is not None:
                compare(tally, records, op, full, twin)
        for kind, folder in (("TypeDef", "type"), ("AttrDef", "attr")):
            for name in records["!instanceof"].get(kind, []):
                definition = records[name]
                dialect = records[definition["dialect"]["def"]]["name"]
                short = definition.get("mnemonic") or definition["cppClassName"]
                key = f"{folder} {dialect}.{short}"
                if key in seen:
                    continue
                seen.add(key)
                twin = find_twin(options.site, dialect, short, folder)
                tally.count("types and attributes with a page", key, 1, int(twin is not None))
                if twin is not None:
                    compare_parameters(tally, records, definition, key, twin)
    return tally.report()


def roots():
    """The files from which MLIR's own build generates operations, types or attributes."""
    table = (HERE.parent / "bench" / "mlir-build.tsv").read_text()
    wanted = ("--gen-op-decls", "--gen-typedef-decls", "--gen-attrdef-decls")
    lines = [line.split("\t") for line in table.splitlines() if line.count("\t") >= 2]
    return sorted({line[1] for line in lines if any(flag in line[2] for flag in wanted)})


def dump(tblgen, include, root):
    folder = (include / root).parent
    command = [tblgen, "--dump-json", "-I", str(include), "-I", str(folder), str(include / root)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def find_twin(site, dialect, short, folder="op"):
    path = site / dialect / folder / f"{short}.json"
    if not path.exists():
        return None
    return json.loads(path.read_text())


class Tally:
    """The number of facts of each kind, and of those that are shown."""

    def __init__(self):
        self.facts = collections.OrderedDict()

    def count(self, what, where, there, shown):
        row = self.facts.setdefault(what, [0, 0, []])
        row[0] += there
        row[1] += min(there, shown)
        if shown < there:
            row[2].append(where)

    def report(self):
        is_complete = True
        for what, (there, shown, missing) in self.facts.items():
            print(f"{what}: {there} in the definitions, {shown} on the pages")
            if missing:
                is_complete = False
                print(f"    missing: {', '.join(missing[:8])}{' …' if len(missing) > 8 else ''}")
        return 0 if is_complete and self.facts else 1


def is_a(record, name):
    return name in record["!superclasses"]


def argument(records, reference):
    """An argument's constraint, and its decorators."""
    record = records[reference["def"]]
    if is_a(record, "OpVariable"):
        return records[record["constraint"]["def"]], record
    return record, None


def rows(twin, identifier):
    return next((group["rows"] for group in twin["parts"] if group["id"] == identifier), [])


def all_traits(records, references, depth=0):
    for reference in references:
        record = records[reference["def"]]
        yield record
        if is_a(record, "TraitList") and depth < 8:
            yield from all_traits(records, record["traits"], depth + 1)


def compare(tally, records, op, full, twin):
    traits = list(all_traits(records, op["traits"]))
    rules = [(record["summary"] or "").strip() for record in traits if is_a(record, "PredTrait")]
    shown = [rule["text"] for rule in twin["constraints"] if rule["by"]["href"]]
    tally.count("cross-operand constraints", full, len(rules), sum(rule in shown for rule in rules))

    kinds = collections.defaultdict(list)
    for reference, name in op["arguments"]["args"]:
        constraint, decorated = argument(records, reference)
        if is_a(constraint, "TypeConstraint"):
            kinds["operands"].append((name, constraint, decorated))
        elif is_a(constraint, "Property"):
            kinds["properties"].append((name, constraint, decorated))
        else:
            kinds["attributes"].append((name, constraint, decorated))
    for reference, name in op["results"]["args"]:
        constraint, decorated = argument(records, reference)
        kinds["results"].append((name, constraint, decorated))
    for field in ("regions", "successors"):
        kinds[field] = [(name, records[ref["def"]], None) for ref, name in op[field]["args"]]

    for kind, entries in kinds.items():
        found = rows(twin, kind)
        tally.count(kind, full, len(entries), len(found))
        for (name, constraint, decorated), row in zip(entries, found):
            where = f"{full} {name}"
            if kind in ("attributes", "properties"):
                # A flag is present or absent, so that its default says nothing.
                is_flag = "UnitAttr" in (constraint.get("storageType") or "")
                default = (constraint.get("defaultValue") or "").strip()
                if is_a(constraint, "OptionalProp"):
                    tally.count("optional properties", where, 1, int(row["is_optional"]))
                elif default and not is_flag:
                    tally.count(f"defaults of {kind}", where, 1, int((row["default"] or "").strip() == default))
                if constraint.get("isOptional"):
                    tally.count("optional attributes", where, 1, int(row["is_optional"]))
            if decorated:
                effects = [records[ref["def"]] for ref in decorated["decorators"]]
                effects = [record for record in effects if record.get("effect")]
                tally.count("effects of operands and results", where, len(effects), len(row["effects"]))
                text = (decorated.get("summary") or "").strip()
                if text:
                    tally.count("the author's descriptions", where, 1, int(row["description"] == text))

    builders = distinct_builders(records, op.get("builders") or [])
    tally.count("builders of the definition", full, len(builders), len(twin["builders"]))
    if not op["skipDefaultBuilders"]:
        tally.count("operations with default builders", full, 1, int(bool(twin["default_builders"])))
    declared = (op.get("extraClassDeclaration") or "").strip()
    tally.count("extra class declarations", full, int(bool(declared)), int(bool(twin["extra_class_declaration"])))

    behaviour = {fact["label"] for fact in twin["behaviour"]}
    canonicalises = op["hasCanonicalizer"] or op["hasCanonicalizeMethod"]
    tally.count("folders", full, op["hasFolder"], int("Folds" in behaviour))
    tally.count("canonicalizers", full, int(bool(canonicalises)), int("Canonicalises" in behaviour))
    tally.count("verifiers", full, op["hasVerifier"], int("Verifies" in behaviour))
    tally.count("verifiers of regions", full, op["hasRegionVerifier"], int("Verifies" in behaviour))

    named = [record for record in (records[ref["def"]] for ref in op["traits"]) if not is_a(record, "PredTrait")]
    words = {trait["name"]["text"] for trait in twin["traits"] + twin["interfaces"] if trait["name"]["href"]}
    written = {r["!name"] for r in named if not r["!anonymous"] and not is_a(r, "Interface")}
    tally.count("traits as the author wrote them", full, len(written), len(written & words))
    tally.count("\"Pure\" as the author wrote it", full, int("Pure" in written), int("Pure" in words))
    interfaces = [record for record in named if is_a(record, "Interface") and record.get("cppInterfaceName")]
    tally.count(
        "interfaces with a page", full, len({r["cppInterfaceName"] for r in interfaces}),
        len({r["cppInterfaceName"] for r in interfaces} & words))

    file, line = op["!locs"][0].rsplit(":", 1)
    place = f"{twin['source']['file']}:{twin['source']['line']}" if twin["source"] else ""
    tally.count("source lines", full, 1, int(place.endswith(f"{file}:{line}")))
    chain = {link["text"] for link in twin["source"]["classes"]} if twin["source"] else set()
    direct = [name for name in op["!superclasses"] if name not in ODS_CLASSES]
    tally.count("classes", full, len(set(direct)), len(set(direct) & chain))
    has_prose = bool((op.get("description") or "").strip())
    tally.count("descriptions", full, int(has_prose), int(twin["description"] is not None))
    tally.count("summaries", full, int(bool((op.get("summary") or "").strip())), int(twin["summary"] is not None))


def distinct_builders(records, references):
    """Builders without those that another one makes redundant: it has the same parameters, and defaults for all others.
    mlir-tblgen declares only the other one."""
    signatures = []
    for reference in references:
        signature = []
        for value, _ in records[reference["def"]]["dagParams"]["args"]:
            record = records[value["def"]] if isinstance(value, dict) else None
            has_default = bool(record and record.get("defaultValue"))
            signature.append((record["type"] if record else value, has_default))
        signatures.append(signature)

    def takes_calls_of(one, other):
        rest = one[len(other):]
        same = [ty for ty, _ in one[:len(other)]] == [ty for ty, _ in other]
        return one is not other and same and len(one) > len(other) and all(default for _, default in rest)

    return [own for own in signatures if not any(takes_calls_of(other, own) for other in signatures)]


# Classes of every operation.
ODS_CLASSES = {"Op", "OpDocGroup"}


def compare_parameters(tally, records, definition, key, twin):
    parameters = definition["parameters"]["args"] if definition.get("parameters") else []
    tally.count("parameters", key, len(parameters), len(twin["parameters"]))
    for (value, name), row in zip(parameters, twin["parameters"]):
        record = records[value["def"]] if isinstance(value, dict) and "def" in value else None
        text = ((record or {}).get("summary") or "").strip()
        if text:
            shown = row["description"] == text or row["constraint"] == text
            tally.count("descriptions of parameters", f"{key} {name}", 1, int(shown))
    builders = definition.get("builders") or []
    tally.count("builders of types and attributes", key, len(builders), len(twin["builders"]))


if __name__ == "__main__":
    sys.exit(main())
