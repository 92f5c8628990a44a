#!/usr/bin/env python3
"""Tries the grammars of `odsmith grammar` on texts, each with the program that it is for.

    grammars.py --odsmith target/debug/odsmith [FILE.mlir...]

| grammar | tried with |
| --- | --- |
| Pygments | Pygments, of the Python that runs this |
| TextMate | the expressions in Node, at each place of a text the first one that matches there |
| Vim | Neovim or Vim |
| tree-sitter | `tree-sitter generate`, `parse` and `query`; `node` alone reads grammar.js if there is none |

The texts are read by the definitions of a project with a dialect `toy` and of MLIR; each grammar must give the words below their class,
and no text may have a place that a grammar does not read. Programs that are missing are named at the end.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = """include "mlir/IR/OpBase.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
def Toy_AddOp : Op<Toy_Dialect, "add"> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `contains` $rhs `rounded` attr-dict";
}
def Toy_AddLateOp : Op<Toy_Dialect, "add.late-1"> { let assemblyFormat = "attr-dict"; }
"""
TEXT = """// A comment with arith.addi and "a string".
#map = affine_map<(d0) -> (d0)>
module attributes {toy.key = 1 : i32} {
  func.func @f(%a: i32, %t: tensor<4x?xf32>) -> i32 {
    %0 = toy.add %a contains %a rounded {note = "x\\"y"}
    toy.add.late-1
    %c = arith.constant 1.5e+10 : f32
    %r = scf.for %i = %lower to %upper step %one iter_args(%x = %0) -> (i32) {
      %y = call @g(%x) : (i32) -> i32
      scf.yield %y : i32
    }
    "other.op"(%r)[^bb1] <{p = dense<0> : tensor<2xi8>}> : (i32) -> !toy.box<i32>
  ^bb1:
    return %r#1 : i32
  }
}
"""
# The class of words: the line of the text (from 1), the word, and its class below.
CLASSES = [
    (1, "comment", "comment"), (2, "#map", "constant"), (2, "affine_map", "constant"), (3, "module", "operation"), (3, "i32", "type"),
    (4, "func.func", "operation"), (4, "@f", "symbol"), (4, "%a", "value"), (4, "tensor", "type"), (4, "f32", "type"),
    (5, "toy.add", "operation"), (5, "contains", "keyword"), (5, "rounded", "keyword"), (5, "y", "string"), (6, "toy.add.late-1", "operation"),
    (7, "arith.constant", "operation"), (7, "1.5e+10", "number"), (8, "scf.for", "operation"), (8, "to", "keyword"), (8, "%upper", "value"),
    (8, "iter_args", "keyword"), (9, "call", "operation"), (10, "scf.yield", "operation"), (12, "dense", "constant"), (12, "i8", "type"),
    (12, "!toy.box", "type"), (13, "^bb1", "label"), (14, "return", "operation"), (14, "%r#1", "value"),
]


def place(line, word):
    """Returns the line and the column of a word, from 0."""
    text = TEXT.split("\n")[line - 1]
    found = re.search(rf"(?<![\w.$%@!#^-]){re.escape(word)}(?![\w$])", text) or re.search(re.escape(word), text)
    assert found, (line, word)
    return line - 1, found.start()


def offset(line, word):
    row, column = place(line, word)
    return sum(len(text) + 1 for text in TEXT.split("\n")[:row]) + column


def compare(name, class_at, classes):
    """Compares the class at each place with the expected ones, as one of the tool's own names for it."""
    wrong = []
    for line, word, expected in CLASSES:
        own = class_at(line, word)
        if not any(own == it or own.startswith(it + ".") for it in classes[expected]):
            wrong.append(f"{name}: line {line}: '{word}' is {own or 'nothing'}, not {expected}")
    return wrong


def pygments(folder, files):
    spec = importlib.util.spec_from_file_location("toy_lexer", folder / "toy_lexer.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lexer = module.ToyLexer()
    wrong = []
    for path in files:
        text = path.read_text()
        tokens = list(lexer.get_tokens_unprocessed(text))
        if "".join(value for _, _, value in tokens) != text:
            wrong.append(f"Pygments: {path}: the tokens are not the text")
        wrong += [f"Pygments: {path}: {value!r} at {at} is read by no rule" for at, kind, value in tokens if "Error" in str(kind)][:3]
    tokens = list(lexer.get_tokens_unprocessed(TEXT))

    def class_at(line, word):
        at = offset(line, word)
        return next(str(kind)[len("Token.") :] for start, kind, value in reversed(tokens) if start <= at)

    classes = {
        "comment": ["Comment"], "constant": ["Name.Constant", "Keyword.Constant"], "operation": ["Name.Builtin"], "type": ["Keyword.Type", "Name.Class"],
        "symbol": ["Name.Function"], "value": ["Name.Variable"], "keyword": ["Keyword"], "string": ["Literal.String"], "number": ["Literal.Number"],
        "label": ["Name.Label"],
    }
    return wrong + compare("Pygments", class_at, classes)


TOKENISER = r"""
const fs = require("fs");
const [grammar, text] = process.argv.slice(1).map((path) => fs.readFileSync(path, "utf8"));
const rules = JSON.parse(grammar).repository.all.patterns.map((rule) => ({ ...rule, regex: new RegExp(rule.match ?? rule.begin, "dmg") }));
const scopes = new Array(text.length).fill("");
for (let at = 0; at < text.length; ) {
  let best = null;
  for (const rule of rules) {
    rule.regex.lastIndex = at;
    const found = rule.regex.exec(text);
    if (found && (!best || found.index < best.found.index)) best = { rule, found };
  }
  if (!best) break;
  let { rule, found } = best;
  let end = found.index + found[0].length;
  if (rule.begin) {
    while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
    end++;
  }
  const [from, to] = rule.captures ? found.indices[1] : [found.index, end];
  const name = rule.captures ? rule.captures["1"].name : rule.name;
  scopes.fill(name, from, to);
  at = Math.max(end, at + 1);
}
console.log(JSON.stringify(scopes));
"""


def textmate(folder, _files):
    (folder / "text.mlir").write_text(TEXT)
    run = subprocess.run(["node", "-e", TOKENISER, folder / "toy.tmLanguage.json", folder / "text.mlir"], capture_output=True, text=True)
    if run.returncode != 0:
        return [f"TextMate: {run.stderr[-500:]}"]
    scopes = json.loads(run.stdout)
    classes = {
        "comment": ["comment"], "constant": ["constant"], "operation": ["support.function.operation", "entity.name.function.operation"],
        "type": ["storage.type", "entity.name.type"], "symbol": ["entity.name.function.symbol"], "value": ["variable.other.value"],
        "keyword": ["keyword.other"], "string": ["string"], "number": ["constant.numeric"], "label": ["entity.name.label"],
    }
    return compare("TextMate", lambda line, word: scopes[offset(line, word)], classes)


def vim(folder, _files):
    (folder / "text.mlir").write_text(TEXT)
    program = shutil.which("nvim") or shutil.which("vim")
    asked = [place(line, word) for line, word, _ in CLASSES]
    script = folder / "ask.vim"
    script.write_text(
        f"set runtimepath^={folder}\nset nocompatible\nfiletype on\nsyntax on\nedit {folder}/text.mlir\nlet answers = []\n"
        + "".join(f"call add(answers, synIDattr(synID({row + 1}, {column + 1}, 1), 'name'))\n" for row, column in asked)
        + f"call writefile([&filetype] + answers, '{folder}/answers')\nqall!\n"
    )
    words = [program, "--headless", "-u", "NONE"] if program.endswith("nvim") else [program, "-e", "-s", "-u", "NONE"]
    run = subprocess.run([*words, "-S", script], capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(folder)})
    if not (folder / "answers").exists():
        return [f"Vim: {run.stderr[-500:]}"]
    filetype, *answers = (folder / "answers").read_text().split("\n")
    wrong = [] if filetype == "toy" else [f"Vim: the file type is '{filetype}'"]
    answers = dict(zip(asked, answers))
    classes = {
        "comment": ["mlirComment"], "constant": ["mlirConstant", "mlirAttribute"], "operation": ["mlirOperation", "mlirShortOperation", "mlirKnownOperation"],
        "type": ["mlirType", "mlirElement", "mlirDialectType"], "symbol": ["mlirSymbol"], "value": ["mlirValue"], "keyword": ["mlirKeyword"],
        "string": ["mlirString"], "number": ["mlirNumber"], "label": ["mlirBlock"],
    }
    return wrong + compare("Vim", lambda line, word: answers[place(line, word)], classes)


READER = r"""
// Reads grammar.js with functions in place of those of tree-sitter: each rule that is named exists.
const named = new Set();
const part = (...all) => all.length;
for (const name of ["seq", "choice", "repeat", "repeat1", "optional", "field", "token"]) global[name] = part;
global.prec = Object.assign(part, { left: part, right: part, dynamic: part });
const symbols = new Proxy({}, { get: (_, name) => (named.add(name), name) });
global.grammar = (it) => it;
const { rules, conflicts, extras, word } = require(process.argv[1]);
for (const rule of [...Object.values(rules), conflicts, extras, word]) rule(symbols);
const missing = [...named].filter((name) => !(name in rules));
if (missing.length) throw new Error("no rule: " + missing);
"""


def tree_sitter(folder, files):
    program = shutil.which("tree-sitter")
    if not program:
        run = subprocess.run(["node", "-e", READER, folder / "grammar.js"], capture_output=True, text=True)
        return [f"tree-sitter: {run.stderr[-800:]}"] if run.returncode else []
    environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    run = subprocess.run([program, "generate"], cwd=folder, capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        return [f"tree-sitter generate: {run.stderr[-1500:]}"]
    wrong = []
    (folder / "text.mlir").write_text(TEXT)
    for path in [folder / "text.mlir", *files]:
        run = subprocess.run([program, "parse", "--quiet", path], cwd=folder, capture_output=True, text=True, env=environment)
        if run.returncode != 0:
            wrong.append(f"tree-sitter: {path}: {run.stdout.strip()[-200:] or run.stderr[-500:]}")
    run = subprocess.run([program, "query", folder / "queries/highlights.scm", folder / "text.mlir", "--captures"], cwd=folder, capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        return [*wrong, f"tree-sitter query: {run.stderr[-500:]}"]
    captures = {}
    for name, row, column in re.findall(r"capture: (?:\d+ - )?([\w.]+), start: \((\d+), (\d+)\)", run.stdout):
        captures.setdefault((int(row), int(column)), []).append(name)
    classes = {
        "comment": ["comment"], "constant": ["constant"], "operation": ["function.call", "function.builtin"], "type": ["type"], "symbol": ["function"],
        "value": ["variable"], "keyword": ["keyword"], "string": ["string"], "number": ["number"], "label": ["label"],
    }
    inside = {"comment", "y"}
    known = lambda line, word: "" if word in inside else captures.get(place(line, word), [""])[-1]
    return wrong + [it for it in compare("tree-sitter", known, classes) if not any(f"'{word}'" in it for word in inside)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", required=True, type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    files = [path.resolve() for path in options.files or [ROOT / "tests/fixtures/ir/sound.mlir"]]
    wrong, skipped = [], []
    with tempfile.TemporaryDirectory(prefix="odsmith-grammars-") as work:
        project = Path(work) / "project"
        project.mkdir()
        (project / "odsmith.toml").write_text("")
        (project / "Toy.td").write_text(DEFINITIONS)
        for kind, needs, check in [
            ("pygments", importlib.util.find_spec("pygments"), pygments),
            ("textmate", shutil.which("node"), textmate),
            ("vim", shutil.which("nvim") or shutil.which("vim"), vim),
            ("tree-sitter", shutil.which("tree-sitter") or shutil.which("node"), tree_sitter),
        ]:
            folder = Path(work) / kind
            run = subprocess.run([options.odsmith.resolve(), "grammar", "--for", kind, "-o", folder, project], capture_output=True, text=True)
            if run.returncode != 0:
                wrong.append(f"{kind}: {run.stderr}")
            elif needs:
                wrong += check(folder, files)
            else:
                skipped.append(kind)
    print("\n".join(wrong))
    print(f"4 grammars, {len(wrong)} faults" + (f"; not tried, as their programs are missing: {', '.join(skipped)}" if skipped else ""))
    sys.exit(bool(wrong))


main()
