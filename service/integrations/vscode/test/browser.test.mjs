// The extension of a browser, with the interface of `vscode` as far as it is used: problems, a hover, completion, a preview.
// ODSMITH_WEB names odsmith_web.wasm and ODSMITH_PACKED a packed library of MLIR 22; without them there is nothing to load.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const TEXT = `include "mlir/IR/OpBase.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
def AddOp : Op<Toy_Dialect, "add"> {
  let arguments = (ins I32:$lhs);
}
def Bad : Missing;
`;

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

/** A worker in this thread. */
class InThread {
  constructor() {
    const self = { postMessage: (data) => setTimeout(() => this.onmessage({ data })) };
    const script = readFileSync(join(root, "web/worker.js"), "utf8");
    vm.runInThisContext(`(function (self) {${script}\n})`)(self);
    this.postMessage = (data) => self.onmessage({ data });
  }
}

test("in a browser", { skip: !(process.env.ODSMITH_WEB && process.env.ODSMITH_PACKED) }, async () => {
  execFileSync("node", [join(root, "web.mjs"), process.env.ODSMITH_WEB, `22=${process.env.ODSMITH_PACKED}`]);
  const uri = { path: "Toy.td" };
  const lines = TEXT.split("\n");
  const document = {
    uri,
    languageId: "tablegen",
    getText: (range) => (range ? [...lines.slice(0, range.end.line), lines[range.end.line].slice(0, range.end.character)].join("\n") : TEXT),
  };
  const providers = {};
  const published = new Promise((done) => (providers.published = done));
  let shown;
  const nothing = () => ({ dispose() {} });
  const vscode = {
    Position, Range,
    Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
    DiagnosticSeverity: { Error: 0, Warning: 1 },
    Hover: class { constructor(text, range) { Object.assign(this, { text, range }); } },
    MarkdownString: class { constructor(value) { this.value = value; } },
    SnippetString: class { constructor(value) { this.value = value; } },
    CompletionItem: class { constructor(label, kind) { Object.assign(this, { label, kind }); } },
    CompletionItemKind: {},
    CompletionList: class { constructor(items) { this.items = items; } },
    ViewColumn: { Beside: 2 },
    Uri: { joinPath: (base, ...parts) => join(base, ...parts) },
    workspace: {
      fs: { readFile: async (place) => (place === uri ? new TextEncoder().encode(TEXT) : new Uint8Array(readFileSync(place))) },
      findFiles: async () => [uri],
      textDocuments: [document],
      asRelativePath: (it) => it.path,
      createFileSystemWatcher: () => ({ onDidChange: nothing, onDidCreate: nothing, onDidDelete: nothing }),
      onDidOpenTextDocument: nothing,
      onDidChangeTextDocument: nothing,
      openTextDocument: async (it) => it,
    },
    languages: {
      createDiagnosticCollection: () => ({ clear() {}, set: (of, all) => providers.published({ of, all }) }),
      registerHoverProvider: (_, it) => (providers.hover = it),
      registerCompletionItemProvider: (_, it) => (providers.completion = it),
    },
    commands: { registerCommand: (name, run) => (providers[name] = run) },
    window: {
      activeTextEditor: { document, selection: { active: new Position(2, 5) } },
      showQuickPick: async () => "cpp",
      showTextDocument: async (it) => (shown = it),
      setStatusBarMessage: assert.fail,
    },
  };
  const require = createRequire(import.meta.url);
  const Module = require("node:module");
  const load = Module._load;
  Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
  globalThis.Worker = InThread;
  await require("../browser.js").activate({ extensionUri: root, subscriptions: [] });
  const { of, all } = await published;
  assert.equal(of, uri);
  assert.deepEqual(all.map(({ message, range }) => [message, range.start.line]), [["Couldn't find class 'Missing'", 5]]);
  const { text } = await providers.hover.provideHover(document, new Position(2, 13));
  assert.match(text.value, /Op/);
  const { items } = await providers.completion.provideCompletionItems(document, new Position(3, 24));
  assert.ok(items.some(({ label }) => label === "I32"), items.map(({ label }) => label).join());
  await providers["odsmith.preview"]();
  assert.match(shown.content, /class AddOp/);
});
