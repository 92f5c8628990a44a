#!/usr/bin/env python3
"""Judges `odsmith diff` by pairs of versions in the style of real commits: see README.md.

    run.py --odsmith target/debug/odsmith [--tools] [-v] [NAME...]

Three judges: the findings that a pair expects; mlir-tblgen, which generates C++ of both sides; with --tools also two
programs like mlir-opt that hold the old and the new dialects, and read each other's files.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
LEVELS = {"text": "text", "generic": "generic", "bytecode": "bytecode"}
BREAKS, KINDS = ("breaks", "silent"), ("error", "warning", "note")
# Dialects in one file of C++.
IN_A_FILE = 12

HEAD = """include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Properties.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def D : Dialect {
  let name = "@NAME@";
  let cppNamespace = "@NAMESPACE@";
@SETTINGS@}
class D_Op<string mnemonic, list<Trait> traits = []> : Op<D, mnemonic, traits>;
class D_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<D, name, traits> {
  let mnemonic = typeMnemonic;
}
class D_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<D, name, traits> {
  let mnemonic = attrMnemonic;
}

"""


class Pair:
    """Two versions of a dialect, what is expected of the comparison, and programs of the old version."""

    def __init__(self, name, lines):
        self.name, self.expected, self.code, self.programs = name, [], [], []
        self.namespace, self.has_tools, self.is_printed_alike, sides = "", True, True, ([], [])
        for line in lines:
            mark, rest = line[:1], line[1:].strip()
            if line.startswith("%%"):
                self.code.append(line[2:].strip())
            elif line.startswith(">>"):
                self.programs.append([line[2:].strip()])
            elif mark == ">":
                self.programs[-1:] = [[*(self.programs[-1] if self.programs else []), rest]]
            elif mark in ("!", "?"):
                severity, rule, subject = rest.split()
                self.expected.append((mark == "!", severity, rule, subject))
            elif mark == "~":
                self.namespace = rest.removeprefix("namespace ::d")
            elif line in ("no-tools", "old-no-tools"):
                self.has_tools = False
            elif line == "printed-otherwise":
                self.is_printed_alike = False
            elif mark in (" ", "-", "+"):
                for at, other in ((0, "+"), (1, "-")):
                    if mark != other:
                        sides[at].append(line[1:])
            elif line:
                sys.exit(f"{name}: {line!r} is nothing")
        # The kinds of definitions of each side.
        kinds = {"types": "D_Type<", "attributes": "D_Attr<|EnumAttr<D", "interfaces": "OpInterface<", "enums": "I(32|64)(Bit)?Enum"}
        self.kinds = [{kind for kind, word in kinds.items() if re.search(word, "\n".join(lines))} for lines in sides]
        self.sides = []
        for at, lines in enumerate(sides):
            settings = "".join(f"  let useDefault{it}PrinterParser = 1;\n" for it in ("Type", "Attribute") if f"{it.lower()}s" in self.kinds[at])
            namespace = f"::{name}" + (self.namespace if at else "")
            head = HEAD.replace("@NAME@", name).replace("@NAMESPACE@", namespace).replace("@SETTINGS@", settings)
            self.sides.append(head + re.sub(r"::d\b", namespace, "\n".join(lines)) + "\n")

    def program(self, lines):
        return re.sub(r"(?<![\w.])d\.(?=[a-z])", f"{self.name}.", "\n".join(lines)) + "\n"


def pairs():
    for file in sorted(HERE.glob("*.pairs")):
        for block in re.split(r"^=== ", file.read_text(), flags=re.M)[1:]:
            name, *lines = block.split("\n")
            yield Pair(f"{file.stem}_{name.strip()}", lines)


def run(command, text=None):
    return subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)


# ---- mlir-tblgen

GENERATORS = {"dialect.h": "dialect-decls", "dialect.cpp": "dialect-defs", "enums.h": "enum-decls", "enums.cpp": "enum-defs",
              "interfaces.h": "op-interface-decls", "interfaces.cpp": "op-interface-defs", "types.h": "typedef-decls",
              "types.cpp": "typedef-defs", "attributes.h": "attrdef-decls", "attributes.cpp": "attrdef-defs", "ops.h": "op-decls",
              "ops.cpp": "op-defs", "passes.h": "pass-decls"}


def generate(pair, at, work, options):
    """Writes one side and everything that the reference generates of it; returns its C++ by file."""
    folder = work / pair.name / ("old", "new")[at]
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{pair.name}.td"
    source.write_text(pair.sides[at])
    made = {}
    for file, generator in GENERATORS.items():
        flags = ["--dialect", pair.name] if generator.startswith("dialect") else []
        if generator == "pass-decls":
            flags = ["--name", "Evolution"]
        done = run([options.tblgen, f"--gen-{generator}", *flags, "-I", options.include, source])
        if done.returncode:
            sys.exit(f"{pair.name} ({('old', 'new')[at]}): {done.stderr[:600]}")
        made[file] = done.stdout
        (folder / (file + ".inc")).write_text(done.stdout)
    return made


def declarations(pair, made):
    """The public declarations of the C++ of one side, with their classes; names in their shortest form."""
    found = set()
    for file, text in made.items():
        if file.endswith(".cpp"):
            continue
        where = ""
        for line in text.split("\n"):
            opened = re.match(r"^(?:class|struct|enum class|template.*class) (?:\w+\s)?(\w+)", line)
            where = opened.group(1) if opened and not line.endswith(";") else "" if line.startswith("}") else where
            line = re.sub(rf"(::)?\b{pair.name}::(next::)?", "", line.split("//")[0])
            line = re.sub(r"::(mlir|llvm)::|\b(mlir|llvm)::", "", line).replace("TypedValue<Type>", "Value").strip()
            # Functions for parsers and for interfaces that the reference implements are no one's to call.
            is_detail = re.search(r"Adaptor|detail|Base$|Traits$|Properties|Storage", where) or re.search(
                r"\breturn\b|ODS|Properties|Concept|Model|Storage|getEffects|OpAsmPrinter|OpAsmParser|inferReturnTypes|Result verify", line)
            if re.match(r"[\w:<>&*, ~]+ ?[&*]?\w+\(.*\)( const)?( \{.*|;)$", line) and not is_detail:
                found.add(f"{where}: {line.split(' {')[0].rstrip(';')}")
            elif opened and where and not is_detail:
                found.add(f"{where}: is declared")
    return found


def parameters(line):
    """The name of a declared function with its class, and the types of its parameters with True for those with a default."""
    head, _, rest = line.partition("(")
    parts = [it for it in re.split(r", (?![^<]*>)", rest.rsplit(")", 1)[0]) if it]
    # The name of a parameter is the last word, if it is not all of the type.
    types = [(re.sub(r"(?<=[ &*>])\w+$", "", it.split(" = ")[0]).strip() or it, " = " in it) for it in parts]
    return head, types


def lost(before, after):
    """The declarations that no longer take the calls that they took."""
    by_name = {}
    for line in after:
        name, types = parameters(line)
        # A value with a class of its type is a value.
        for name in {name, re.sub(r"TypedValue<\S*>", "Value", name)}:
            by_name.setdefault(name, []).append(types)

    def is_taken(line):
        name, types = parameters(line)
        for others in by_name.get(name, []):
            rest = others[len(types):]
            if [it for it, _ in types] == [it for it, _ in others[:len(types)]] and all(default for _, default in rest):
                return True
        return False

    return {line for line in before - after if not is_taken(line)}


# ---- programs like mlir-opt

PRELUDE = """#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
"""


def cpp(pair, at, folder, namespace):
    kinds = pair.kinds[at]
    inc = lambda file: f'#include "{folder}/{file}.inc"\n'
    of = lambda what, macro, file: f"#define {macro}\n{inc(file)}" if what else ""
    listed = lambda what, call, macro, file: f"  {call}<\n#define {macro}\n{inc(file)}  >();\n" if what else ""
    names = "generatedTypeParser generatedTypePrinter generatedAttributeParser generatedAttributePrinter".split()
    out = "".join(f"#undef {name}\n#define {name} {name}_{pair.name}\n" for name in names)
    out += inc("dialect.h") + (inc("enums.h") if "enums" in kinds else "")
    out += f"namespace {namespace[2:]} {{\nusing namespace mlir;\n" + "\n".join(pair.code) + "\n}\n" if pair.code else ""
    out += f"namespace {namespace[2:]} {{ using namespace mlir; }}\n"
    out += inc("interfaces.h") if "interfaces" in kinds else ""
    out += of("attributes" in kinds, "GET_ATTRDEF_CLASSES", "attributes.h") + of("types" in kinds, "GET_TYPEDEF_CLASSES", "types.h")
    out += of(True, "GET_OP_CLASSES", "ops.h") + (inc("enums.cpp") if "enums" in kinds else "")
    out += (inc("interfaces.cpp") if "interfaces" in kinds else "") + inc("dialect.cpp")
    out += of("attributes" in kinds, "GET_ATTRDEF_CLASSES", "attributes.cpp") + of("types" in kinds, "GET_TYPEDEF_CLASSES", "types.cpp")
    out += of(True, "GET_OP_CLASSES", "ops.cpp")
    out += f"void {namespace}::D::initialize() {{\n" + listed(True, "addOperations", "GET_OP_LIST", "ops.cpp")
    out += listed("types" in kinds, "addTypes", "GET_TYPEDEF_LIST", "types.cpp")
    out += listed("attributes" in kinds, "addAttributes", "GET_ATTRDEF_LIST", "attributes.cpp") + "}\n"
    return out + f"void add_{pair.name}(mlir::DialectRegistry &all) {{ all.insert<{namespace}::D>(); }}\n"


def build(all_pairs, at, work, options):
    """Builds the program of one side; files that have not changed are not compiled again."""
    side = ("old", "new")[at]
    prefix = pathlib.Path(options.include).parent
    objects = []

    def compile_one(text):
        name = hashlib.sha256(text.encode()).hexdigest()[:20]
        source, target = work / f"{side}-{name}.cpp", work / f"{side}-{name}.o"
        if not target.exists():
            source.write_text(text)
            done = run([os.environ.get("CXX", "c++"), "-std=c++17", "-O0", "-w", "-fno-rtti", "-isystem", options.include, "-c", source, "-o", target])
            if done.returncode:
                sys.exit(f"{source}: {done.stderr[:4000]}")
        objects.append(target)

    def whole(group):
        body = ""
        for pair in group:
            folder = work / pair.name / side
            namespace = f"::{pair.name}" + (pair.namespace if at else "")
            body += cpp(pair, at, folder, namespace)
            for inc in sorted(folder.glob("*.inc")):
                body += f"// {hashlib.sha256(inc.read_bytes()).hexdigest()}\n"
        return PRELUDE + body

    for start in range(0, len(all_pairs), IN_A_FILE):
        compile_one(whole(all_pairs[start:start + IN_A_FILE]))
    adds = "".join(f"void add_{pair.name}(mlir::DialectRegistry &);\n" for pair in all_pairs)
    calls = "".join(f"  add_{pair.name}(all);\n" for pair in all_pairs)
    compile_one(f"""#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
{adds}int main(int argc, char **argv) {{
  mlir::DialectRegistry all;
  all.insert<mlir::func::FuncDialect>();
{calls}  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "{side} dialects\\n", all));
}}
""")
    program = work / f"{side}-opt"
    done = run([os.environ.get("CXX", "c++"), *objects, "-L", prefix / "lib", f"-Wl,-rpath,{prefix / 'lib'}", "-lMLIR", "-lLLVM", "-o", program])
    if done.returncode:
        sys.exit(done.stderr[:4000])
    return program


def outcomes(pair, tools):
    """The outcome of each program by level: read, read as something else, or broken."""
    old, new = tools
    found = []
    for program in pair.programs:
        text = pair.program(program)
        written = run([old], text)
        if written.returncode:
            # A fault of the pair: it shows nothing about the comparison.
            found.append((text, None, written.stderr))
            continue
        meaning = run([old, "--mlir-print-op-generic", "--mlir-print-local-scope"], text).stdout
        forms = {"text": (written.stdout, []), "generic": (meaning, [])}
        result = {}
        for level, (form, flags) in forms.items():
            done = run([new, "--mlir-print-op-generic", "--mlir-print-local-scope", *flags], form)
            result[level] = "broken" if done.returncode else "read" if done.stdout == meaning else "other"
        path = f"/tmp/evolution-{os.getpid()}-{pair.name}.mlirbc"
        if run([old, "--emit-bytecode", "-o", path], text).returncode == 0:
            done = run([new, "--mlir-print-op-generic", "--mlir-print-local-scope", path])
            result["bytecode"] = "broken" if done.returncode else "read" if done.stdout == meaning else "other"
            os.unlink(path)
        found.append((text, result, meaning))
    return found


# ---- the judgement

class Judgement:
    def __init__(self):
        self.findings = self.errors = self.false_errors = self.echoes = self.missed = self.programs = self.unfit = 0
        self.faults = []
        self.per_pair = []

    def fault(self, pair, text):
        self.faults.append(f"{pair.name}: {text}")


def findings_of(pair, work, options):
    folders = [work / pair.name / side for side in ("old", "new")]
    done = run([options.odsmith, "diff", *folders, "--json", "--library", f"22={options.include}", "--mlir", "22"])
    if done.returncode not in (0, 1):
        sys.exit(f"{pair.name}: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def judge(pair, findings, made, tools, all_of, verbose):
    """Compares the findings of a pair with what is expected of it, and with the judges."""
    all_of.findings += len(findings)
    all_of.per_pair.append(len(findings))
    met = set()
    for it in findings:
        subject = re.sub(rf"\b{pair.name}\b", "d", it["subject"])
        it["short"] = f"{it['severity']} {it['rule']} {subject}: {it['message']}"
        fits = [at for at, (_, severity, rule, wanted) in enumerate(pair.expected)
                if rule == it["rule"] and fnmatch.fnmatchcase(subject, wanted) and severity in ("*", it["severity"])]
        all_of.errors += it["severity"] == "error"
        if not fits:
            kind = "a false error" if it["severity"] == "error" else "an echo"
            all_of.false_errors += it["severity"] == "error"
            all_of.echoes += it["severity"] != "error"
            all_of.fault(pair, f"{kind}: {it['short']}")
        elif any(at in met and not pair.expected[at][1] == "*" and pair.expected[at][0] for at in fits) and it["severity"] != "note" and len(fits) == 1:
            all_of.echoes += 1
            all_of.fault(pair, f"told twice: {it['short']}")
        met.update(fits)
    for at, (is_wanted, severity, rule, subject) in enumerate(pair.expected):
        if is_wanted and at not in met:
            all_of.missed += 1
            all_of.fault(pair, f"missed: {severity} {rule} {subject}")
    verdict = lambda level, of: any(it["effects"].get(level) in of for it in findings)
    # C++ of the reference: a declaration that is gone breaks callers; without one, nothing is broken for callers. Bases,
    # bodies, enumerators, options and namespaces are no declarations here.
    before, after = (declarations(pair, it) for it in made)
    gone = lost(before, after)
    is_said = verdict("cpp", ("breaks", "silent", "unknown")) or verdict("implementer", BREAKS)
    if before == after and verdict("cpp", ("breaks",)) and not any(it["rule"] in ("HK003", "HK005", "IF005", "TA013", "TR001", "TR010", "PA005", "EN001", "DI003") for it in findings):
        all_of.false_errors += 1
        all_of.fault(pair, "says that C++ breaks, and the reference generates the same declarations")
    if gone and not is_said:
        all_of.missed += 1
        all_of.fault(pair, f"no finding about C++, and {len(gone)} declarations are gone: {sorted(gone)[:3]}")
    if not tools:
        return
    broken = {level: set() for level in LEVELS}
    for text, result, messages in outcomes(pair, tools):
        all_of.programs += 1
        if result is None:
            all_of.unfit += 1
            all_of.fault(pair, f"the old version refuses its program: {text.strip()}: {messages.splitlines()[0]}")
            continue
        for level, outcome in result.items():
            broken[level].add(outcome)
            if outcome == "broken" and not (verdict(level, ("breaks", "unknown", "silent")) or verdict("verifier", ("breaks", "unknown"))):
                all_of.missed += 1
                all_of.fault(pair, f"no finding, and {level} is {outcome}: {text.strip()}")
            if outcome == "other" and pair.is_printed_alike and not any(verdict(it, (*BREAKS, "unknown")) for it in (level, "semantics", "generic")):
                all_of.fault(pair, f"no finding, and {level} is read as something else: {text.strip()}")
                all_of.missed += 1
    for level, seen in broken.items():
        claims = [it for it in findings if it["effects"].get(level) == "breaks"]
        if claims and pair.programs and "broken" not in seen and "other" not in seen:
            all_of.false_errors += 1
            all_of.fault(pair, f"says that {level} breaks, and all programs are read: {claims[0]['short']}")
    claims = [it for it in findings if it["effects"].get("verifier") == "breaks"]
    if claims and all("broken" not in seen for seen in broken.values()):
        all_of.false_errors += 1
        all_of.fault(pair, f"says that valid programs are refused, and all are read: {claims[0]['short']}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--odsmith", default="target/debug/odsmith")
    options.add_argument("--include", default=os.environ.get("ODSMITH_LIBRARY", "/usr/lib/llvm-22/include"))
    options.add_argument("--tblgen", default=os.environ.get("ODSMITH_REFERENCE", "/usr/lib/llvm-22/bin/mlir-tblgen"))
    options.add_argument("--work", type=pathlib.Path, default=HERE.parent.parent / "target/evolution")
    options.add_argument("--tools", action="store_true", help="build both programs, and let them read each other's files")
    options.add_argument("-v", "--verbose", action="store_true", help="print all findings")
    options.add_argument("names", nargs="*", metavar="NAME")
    options = options.parse_args()
    options.odsmith = pathlib.Path(options.odsmith).resolve()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    everything = list(pairs())
    chosen = [it for it in everything if not options.names or any(name in it.name for name in options.names)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda it: [generate(it, at, work, options) for at in (0, 1)], chosen))
        found = list(pool.map(lambda it: findings_of(it, work, options), chosen))
    tools = None
    if options.tools:
        with_tools = [it for it in everything if it.has_tools]
        for pair in with_tools:
            if pair not in chosen:
                for at in (0, 1):
                    generate(pair, at, work, options)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            tools = list(pool.map(lambda at: build(with_tools, at, work, options), (0, 1)))
    all_of = Judgement()
    for pair, findings, both in zip(chosen, found, made):
        judge(pair, findings, both, tools if pair.has_tools else None, all_of, options.verbose)
        if options.verbose:
            for it in findings:
                print(f"{pair.name}: {it['short']}  {it['effects']}")
    for fault in all_of.faults:
        print(fault)
    counts = sorted(all_of.per_pair)
    print(f"{len(chosen)} pairs, {all_of.programs} programs: {all_of.findings} findings, {all_of.errors} errors, {all_of.false_errors} false,"
          f" {all_of.echoes} echoes, {all_of.missed} missed; findings of a pair: {counts[len(counts) // 2]} in the middle, {counts[-1]} at most")
    is_noisy = all_of.echoes * 20 > max(all_of.findings, 1)
    return 1 if all_of.false_errors or all_of.missed or all_of.unfit or is_noisy else 0


if __name__ == "__main__":
    sys.exit(main())
