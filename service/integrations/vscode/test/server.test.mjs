// The transport and the types of `vscode-languageclient`, under node: a file is opened, broken, fixed, and an operand
// renamed. ODSMITH_BIN names the program; without it there is nothing to start.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const protocol = require("vscode-languageserver-protocol/node");

const TEXT = `include "mlir/IR/OpBase.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
def AddOp : Op<Toy_Dialect, "add"> {
  let arguments = (ins I32:$lhs);
  let assemblyFormat = "$lhs attr-dict";
}
`;

test("a client", { skip: !process.env.ODSMITH_BIN }, async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "odsmith-vscode-")));
  const file = join(folder, "Ops.td");
  await writeFile(file, TEXT);
  const uri = pathToFileURL(file).toString();
  const server = spawn(process.env.ODSMITH_BIN, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  const waiting = [];
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (said) => {
    for (const [index, { version, done }] of [...waiting.entries()].reverse()) {
      if (said.uri === uri && said.version >= version) {
        waiting.splice(index, 1);
        done(said.diagnostics);
      }
    }
  });
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();
  const published = (version) => new Promise((done) => waiting.push({ version, done }));
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).toString(),
    capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
  });
  assert.equal(capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const open = published(1);
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "tablegen", version: 1, text: TEXT },
  });
  assert.deepEqual(await open, []);
  const change = async (version, text) => {
    const said = published(version);
    await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    return said;
  };
  const broken = await change(2, TEXT.replace("$lhs attr-dict", "$nothing attr-dict"));
  assert.equal(broken[0].range.start.line, 4);
  assert.deepEqual(await change(3, TEXT), []);
  const edit = await connection.sendRequest(protocol.RenameRequest.type, {
    textDocument: { uri },
    position: { line: 3, character: 28 },
    newName: "value",
  });
  assert.equal(edit.documentChanges[0].edits.length, 2);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  connection.dispose();
  await rm(folder, { recursive: true });
});
