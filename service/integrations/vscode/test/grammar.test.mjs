// The grammar: the scope of each word in some lines.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function grammar() {
  const wasm = await readFile(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      if (scope !== "source.tablegen") {
        return null;
      }
      const path = new URL("../syntaxes/tablegen.tmLanguage.json", import.meta.url);
      return textmate.parseRawGrammar(await readFile(path, "utf8"), "grammar.json");
    },
  });
  return registry.loadGrammar("source.tablegen");
}

/** The innermost scope of each word of a text, for words that have one. */
function scopes(loaded, text) {
  let state = textmate.INITIAL;
  const found = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = loaded.tokenizeLine(line, state);
    for (const token of tokens) {
      const word = line.slice(token.startIndex, token.endIndex).trim();
      const scope = token.scopes.at(-1);
      if (word && scope !== "source.tablegen") {
        found.push([word, scope.replace(".tablegen", "")]);
      }
    }
    state = ruleStack;
  }
  return found;
}

const CASES = [
  ['include "a.td"', [["include", "keyword.control.import"], ['"a.td"', "string.quoted.double.include"]]],
  ["class A<int x = 0x1F>;", [
    ["class", "storage.type.class"],
    ["A", "entity.name.type.class"],
    ["int", "support.type"],
    ["0x1F", "constant.numeric"],
  ]],
  ["def X : B { let y = !add(1, -2); }", [
    ["def", "storage.type"],
    ["X", "entity.name.function"],
    ["let", "keyword.other"],
    ["y", "variable.other.property"],
    ["!add", "support.function.operator"],
    ["1", "constant.numeric"],
    ["-2", "constant.numeric"],
  ]],
  ["def : Pat<(A $x), (B $x)>;", [["def", "storage.type"], ["$x", "variable.parameter"], ["$x", "variable.parameter"]]],
  ["#ifdef A // b", [
    ["#ifdef", "keyword.control.directive"],
    ["A", "entity.name.function.preprocessor"],
    ["// b", "comment.line.double-slash"],
  ]],
  ["/* a /* b */ c */ def D;", [["def", "storage.type"], ["D", "entity.name.function"]]],
];

test("words", async () => {
  const loaded = await grammar();
  for (const [text, expected] of CASES) {
    const found = scopes(loaded, text).filter(([, scope]) => scope !== "comment.block");
    assert.deepEqual(found, expected, text);
  }
});

test("formats", async () => {
  const loaded = await grammar();
  for (const text of ['let assemblyFormat = "$a `,` attr-dict";', "let assemblyFormat = [{\n  $a `,` attr-dict\n}];"]) {
    const found = new Map(scopes(loaded, text));
    assert.equal(found.get("$a"), "variable.parameter.format", text);
    assert.equal(found.get("`,`"), "constant.other.literal.format", text);
    assert.equal(found.get("attr-dict"), "support.function.directive.format", text);
  }
});

test("code ends where the lexer ends it", async () => {
  const loaded = await grammar();
  for (const [text, isCode] of [
    ["def A : B<[{ x }] Y", false],
    ["def A : B<[{ x }}] Y", true],
    ["def A : B<[{ x }}}] Y", false],
    ["def A : B<[{ x } }] Y", false],
    ["def A : B<[{ x }\n]}] Y", false],
  ]) {
    const found = scopes(loaded, `${text} $z`).filter(([word]) => word === "$z");
    const scope = isCode ? "variable.language.placeholder" : "variable.parameter";
    assert.deepEqual(found, [["$z", scope]], text);
  }
});

test("what follows a format is no format", async () => {
  const loaded = await grammar();
  const found = scopes(loaded, 'let assemblyFormat = "a";\ndef X : Y<"type">;');
  assert.ok(found.some(([word, scope]) => word === "X" && scope === "entity.name.function"), JSON.stringify(found));
  assert.ok(!found.some(([word, scope]) => word === "type" && scope.includes("directive")), JSON.stringify(found));
});
