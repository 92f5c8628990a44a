// A round trip through the client that openapi-typescript and openapi-fetch make of the service's description; `tsc`
// has checked that the description allows all of it. Run by clients.py: `node client.js http://127.0.0.1:8080`.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const sha256 = (bytes: ArrayBuffer) => createHash("sha256").update(new Uint8Array(bytes)).digest("hex");

/** The request is begun, and its address is asked until the result is there. */
const begin = async (text: string) => {
  const { response } = await client.POST("/v1/results", {
    params: { header: { Prefer: "respond-async" } },
    body: { files: { "input.td": text } },
  });
  assert.equal(response.status, 202);
  const key = response.headers.get("location")!.replace("/v1/results/", "");
  for (;;) {
    const answer = await client.GET("/v1/results/{key}", { params: { path: { key } } });
    if (answer.response.status !== 202) return answer;
    const report = answer.data as components["schemas"]["ProgressReport"];
    assert.equal(report.key, key);
    await new Promise((done) => setTimeout(done, 50));
  }
};

const made = await begin("class A<int x> { int v = x; }\ndef B : A<2>;\n");
assert.equal(made.response.status, 200);
const result = made.data as components["schemas"]["KeptResult"];
for (const { path, sha256: digest } of result.archives) {
  const extension = path.slice(path.indexOf(".") + 1) as components["schemas"]["Extension"];
  const params = { path: { key: result.key, extension } };
  const archive = await client.GET("/v1/results/{key}.{extension}", { params, parseAs: "arrayBuffer" });
  assert.equal(sha256(archive.data as unknown as ArrayBuffer), digest, path);
}
assert.equal(result.archives.length, 4);

const failed = await begin("def A : Unknown;\n");
assert.equal(failed.response.status, 422);
assert.equal((failed.error as components["schemas"]["Problem"]).code, "tablegen-errors");

const { data: text } = await client.POST("/v1/tblgen", {
  params: { query: { flags: ["--print-records"] } },
  body: "def A;\n",
  bodySerializer: (body) => body as string,
  headers: { "Content-Type": "text/plain" },
  parseAs: "text",
});
assert.match(text as string, /^def A \{/m);
console.log("   TypeScript: begun, asked for, fetched and compared; a failure; a text");
