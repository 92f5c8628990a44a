// The extension in a browser (vscode.dev, github.dev), where no program can be started: odsmith_web.wasm answers in a worker.
// It knows the .td files of the workspace, also those that are not saved.
"use strict";

const vscode = require("vscode");

/** The pause in typing before files are checked. */
const WAIT = 150;
const SELECTOR = { language: "tablegen" };
const KINDS = {
  keyword: "Keyword", class: "Class", def: "Constant", field: "Field", argument: "Variable", variable: "Variable",
  operator: "Operator", type: "TypeParameter", file: "File", folder: "Folder", directive: "Snippet",
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The offset in bytes of a place in a document. */
const bytesBefore = (document, position) => encoder.encode(document.getText(new vscode.Range(new vscode.Position(0, 0), position))).length;

/** The places of a range of bytes in a text. */
function range(text, { start, end }) {
  const bytes = encoder.encode(text);
  const at = (offset) => {
    const lines = decoder.decode(bytes.subarray(0, offset)).split("\n");
    return new vscode.Position(lines.length - 1, lines[lines.length - 1].length);
  };
  return new vscode.Range(at(start), at(end));
}

/** The worker, and the questions that wait for it. */
class Engine {
  constructor(script) {
    this.waiting = new Map();
    this.number = 0;
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    this.worker.onmessage = ({ data: { id, answer, refusal } }) => {
      const { done, fail } = this.waiting.get(id);
      this.waiting.delete(id);
      if (refusal) fail(new Error(refusal.problem.detail));
      else done(answer);
    };
  }

  send(message) {
    return new Promise((done, fail) => {
      this.waiting.set(++this.number, { done, fail });
      this.worker.postMessage({ ...message, id: this.number });
    });
  }
}

/** The .td files of the workspace, by the paths that definitions include them with. */
class Files {
  constructor() {
    this.texts = new Map();
    this.uris = new Map();
  }

  path(uri) {
    return vscode.workspace.asRelativePath(uri, false);
  }

  set(uri, text) {
    const path = this.path(uri);
    this.texts.set(path, text);
    this.uris.set(path, uri);
  }

  remove(uri) {
    this.texts.delete(this.path(uri));
  }

  async readAll() {
    const found = await vscode.workspace.findFiles("**/{*.td,odsmith.toml}");
    await Promise.all(found.map(async (uri) => this.set(uri, decoder.decode(await vscode.workspace.fs.readFile(uri)))));
    for (const document of vscode.workspace.textDocuments) this.open(document);
  }

  open(document) {
    if (document.languageId === "tablegen") this.set(document.uri, document.getText());
  }
}

async function activate(context) {
  const part = (name) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "web", name));
  const engine = new Engine(decoder.decode(await part("worker.js")));
  const releases = JSON.parse(decoder.decode(await part("releases.json")));
  await engine.send({ kind: "load", module: await part("odsmith_web.wasm") });
  const mlir = releases[0];
  await engine.send({ kind: "library", mlir, packed: await part(`${mlir}.tar.zst`) });
  const files = new Files();
  await files.readAll();
  const ask = (kind, question) => engine.send({ kind: `ide/${kind}`, question: { files: Object.fromEntries(files.texts), mlir, ...question } });
  const about = (document, position) => ({ path: files.path(document.uri), offset: bytesBefore(document, position) });

  const problems = vscode.languages.createDiagnosticCollection("odsmith");
  const check = async () => {
    const { problems: found } = await ask("check", {});
    const byFile = new Map();
    for (const { place, severity, message, related } of found) {
      const text = place && files.texts.get(place.path);
      if (text === undefined || text === null) continue;
      const level = severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      const one = new vscode.Diagnostic(range(text, place.range), [message, ...related.map((it) => it.message)].join("\n"), level);
      one.source = "odsmith";
      byFile.set(place.path, [...(byFile.get(place.path) ?? []), one]);
    }
    problems.clear();
    for (const [path, all] of byFile) problems.set(files.uris.get(path), all);
  };
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => check().catch((error) => vscode.window.setStatusBarMessage(`Odsmith: ${error.message}`, 5000)), WAIT);
  };

  const watcher = vscode.workspace.createFileSystemWatcher("**/{*.td,odsmith.toml}");
  const reload = async (uri) => {
    files.set(uri, decoder.decode(await vscode.workspace.fs.readFile(uri)));
    soon();
  };
  context.subscriptions.push(
    problems,
    watcher,
    watcher.onDidChange(reload),
    watcher.onDidCreate(reload),
    watcher.onDidDelete((uri) => (files.remove(uri), soon())),
    vscode.workspace.onDidOpenTextDocument((document) => (files.open(document), soon())),
    vscode.workspace.onDidChangeTextDocument(({ document }) => (files.open(document), soon())),
    vscode.languages.registerHoverProvider(SELECTOR, {
      async provideHover(document, position) {
        const { range: place, text } = await ask("hover", about(document, position));
        return text ? new vscode.Hover(new vscode.MarkdownString(text), range(document.getText(), place)) : undefined;
      },
    }),
    vscode.languages.registerCompletionItemProvider(
      SELECTOR,
      {
        async provideCompletionItems(document, position) {
          const { items, is_incomplete: isIncomplete } = await ask("completion", about(document, position));
          const all = items.map(({ label, kind, detail, documentation, snippet, replace }) => {
            const item = new vscode.CompletionItem(label, vscode.CompletionItemKind[KINDS[kind]]);
            item.detail = detail;
            if (documentation) item.documentation = new vscode.MarkdownString(documentation);
            item.insertText = snippet ? new vscode.SnippetString(snippet) : label;
            item.range = range(document.getText(), replace);
            return item;
          });
          return new vscode.CompletionList(all, isIncomplete);
        },
      },
      "<", ":", "$", "!", '"', "/",
    ),
    vscode.commands.registerCommand("odsmith.preview", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) return;
      const view = await vscode.window.showQuickPick(["cpp", "python", "example", "records", "json"], { title: "What to show" });
      if (!view) return;
      const { shown } = await ask("preview", { ...about(editor.document, editor.selection.active), view });
      if (!shown) return void vscode.window.setStatusBarMessage("Odsmith: there is no definition here", 3000);
      const opened = await vscode.workspace.openTextDocument({ content: shown.text, language: shown.language === "mlir" ? "plaintext" : shown.language });
      await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    }),
  );
  soon();
}

module.exports = { activate };
