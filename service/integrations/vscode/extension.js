// The client starts `odsmith lsp`, and shows the output of the definition under the cursor.
"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

const VIEWS = ["declarations", "definitions", "python", "markdown", "example", "program", "record"];

let client;

/** Starts the server. */
async function start() {
  const configuration = vscode.workspace.getConfiguration("odsmith");
  const command = configuration.get("path");
  const args = configuration.get("arguments");
  const hints = configuration.get("inlayHints");
  client = new LanguageClient(
    "odsmith",
    "Odsmith",
    { command, args },
    {
      documentSelector: [{ language: "tablegen" }, { language: "mlir" }],
      initializationOptions: {
        workspaceDiagnostics: configuration.get("workspaceDiagnostics"),
        lint: configuration.get("lint"),
        inlayHints: { values: hints.values, arguments: hints.arguments, types: hints.types },
      },
    },
  );
  await client.start();
}

/** The texts of virtual documents, and the position that each is about. */
class Previews {
  constructor() {
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
    this.shown = new Map();
  }

  async provideTextDocumentContent(uri) {
    if (uri.path.startsWith("/library/") || uri.path.startsWith("/rules/")) {
      const answer = await client.sendRequest("workspace/textDocumentContent", { uri: uri.toString() });
      return answer.text;
    }
    const place = this.shown.get(uri.path);
    if (!place) {
      return "";
    }
    const preview = await ask("odsmith/preview", place);
    return preview ? preview.text : `nothing is known of this ${place.view}\n`;
  }

  /** Shows the output of a definition, beside it. */
  async show(document, position, view) {
    const preview = await ask("odsmith/preview", { document, position, view });
    if (!preview) {
      vscode.window.setStatusBarMessage("Odsmith: there is no definition here", 3000);
      return;
    }
    const uri = vscode.Uri.from({ scheme: "odsmith", path: `/${view}/preview.${preview.language}` });
    this.shown.set(uri.path, { document, position, view, record: preview.record });
    this.changed.fire(uri);
    const opened = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(opened, language(preview.language));
    const editor = await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    const line = new vscode.Range(preview.line, 0, preview.line, 0);
    editor.revealRange(line, vscode.TextEditorRevealType.AtTop);
  }

  /** Updates the preview after a move of the cursor or an edit. */
  async follow(document, position) {
    for (const [path, place] of this.shown) {
      const uri = vscode.Uri.from({ scheme: "odsmith", path });
      const isOpen = vscode.workspace.textDocuments.some((it) => it.uri.toString() === uri.toString());
      if (!isOpen) {
        this.shown.delete(path);
      } else if (place.document.uri.toString() === document.uri.toString()) {
        place.position = position;
        this.changed.fire(uri);
        const parts = await this.parts(place);
        const part = smallest(parts.filter((it) => it.range.contains(position)));
        this.mark(uri, part ? part.lines : []);
      }
    }
  }

  /** The lines of a preview that each part of the definition produces. */
  async parts(place) {
    const key = `${place.document.version} ${place.document.offsetAt(place.position)}`;
    if (!place.parts || place.parts.key !== key) {
      const found = (await ask("odsmith/previewParts", place)) || [];
      const range = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
      const lines = ([start, end]) => new vscode.Range(start, 0, end - 1, Number.MAX_SAFE_INTEGER);
      place.parts = { key, found: found.map((it) => ({ range: range(it.range), lines: it.lines.map(lines) })) };
    }
    return place.parts.found;
  }

  /** Marks lines of a preview, and shows the first. */
  mark(uri, lines) {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() === uri.toString()) {
        editor.setDecorations(MARK, lines);
        if (lines.length > 0) {
          editor.revealRange(lines[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        }
      }
    }
  }

  /** Marks the part of the definition that produces a line of its preview. */
  async back(uri, position) {
    const place = this.shown.get(uri.path);
    const parts = place ? await this.parts(place) : [];
    const part = smallest(parts.filter((it) => it.lines.some((lines) => lines.contains(position))));
    for (const editor of vscode.window.visibleTextEditors) {
      if (place && editor.document === place.document) {
        editor.setDecorations(MARK, part ? [part.range] : []);
        if (part) {
          editor.revealRange(part.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        }
      }
    }
  }
}

const MARK = vscode.window.createTextEditorDecorationType({
  isWholeLine: false,
  backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
  overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
});

/** The part with the fewest lines, which describes a position best. */
function smallest(parts) {
  const size = (part) => part.lines.reduce((sum, lines) => sum + lines.end.line - lines.start.line + 1, 0);
  return parts.reduce((best, part) => (best && size(best) <= size(part) ? best : part), undefined);
}

/** The editor's name for a language; without another extension it has none for MLIR. */
function language(name) {
  return name === "mlir" ? "plaintext" : name;
}

function ask(method, { document, position, view }) {
  return client.sendRequest(method, {
    textDocument: { uri: document.uri.toString() },
    position: { line: position.line, character: position.character },
    view,
  });
}

async function activate(context) {
  const previews = new Previews();
  let timer;
  const follow = (document, position) => {
    clearTimeout(timer);
    timer = setTimeout(() => previews.follow(document, position), 60);
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("odsmith", previews),
    vscode.commands.registerCommand("odsmith.preview", async (place) => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) {
        return;
      }
      const position = place && place.position
        ? new vscode.Position(place.position.line, place.position.character)
        : editor.selection.active;
      const view = place && place.view ? place.view : await vscode.window.showQuickPick(VIEWS, { title: "What to show" });
      if (view) {
        await previews.show(editor.document, position, view);
      }
    }),
    vscode.commands.registerCommand("odsmith.chooseRootOfFile", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) {
        return;
      }
      const uri = editor.document.uri.toString();
      const roots = await client.sendRequest("odsmith/roots", {
        textDocument: { uri },
        position: { line: 0, character: 0 },
      });
      const root = await vscode.window.showQuickPick(roots || [], { title: "Answer for which root?" });
      if (root) {
        await client.sendRequest("workspace/executeCommand", { command: "odsmith.chooseRoot", arguments: [{ uri, root }] });
      }
    }),
    vscode.commands.registerCommand("odsmith.restart", async () => {
      await deactivate();
      await start();
    }),
    vscode.window.onDidChangeTextEditorSelection((event) => {
      if (event.textEditor.document.languageId === "tablegen" && event.textEditor.document.uri.scheme === "file") {
        follow(event.textEditor.document, event.selections[0].active);
      } else if (event.textEditor.document.uri.scheme === "odsmith") {
        previews.back(event.textEditor.document.uri, event.selections[0].active);
      }
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      const editor = vscode.window.activeTextEditor;
      if (editor && editor.document === event.document && event.document.languageId === "tablegen") {
        follow(event.document, editor.selection.active);
      }
    }),
  );
  try {
    await start();
  } catch (error) {
    vscode.window.showErrorMessage(`Odsmith does not start: ${error.message}. Is "odsmith.path" right?`);
  }
}

async function deactivate() {
  if (client && client.state === State.Running) {
    await client.stop();
  }
  client = undefined;
}

module.exports = { activate, deactivate };
