// A watched site in a real browser: a change on disk is on the page within a second, and only a watched page may
// connect.
//
//   CHROMIUM=/usr/bin/chromium ODSMITH_BIN=target/debug/odsmith node tests/browser/watch.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const odsmith = resolve(process.env.ODSMITH_BIN ?? join(here, "../../target/debug/odsmith"));
const work = mkdtempSync(join(tmpdir(), "odsmith-watch-"));
/** The limit for a release build; others may take longer. */
const MOST_MS = /release/.test(odsmith) ? 1000 : 5000;

const bundle = join(work, "bundle");
cpSync(resolve(here, "../fixtures/demo"), bundle, { recursive: true });
writeFileSync(join(bundle, "Guide.md"), "# Drawing\n\nSee `sketch.circle`.\n");

const child = spawn(odsmith, ["docs", bundle, "--watch"], { stdio: ["ignore", "ignore", "pipe"] });
let said = "";
child.stderr.setEncoding("utf8");
const address = await new Promise((done, fail) => {
  child.stderr.on("data", (text) => {
    said += text;
    const found = /http:\S+/.exec(said);
    if (found) done(found[0]);
  });
  child.on("exit", () => fail(new Error(said)));
});

let browser;
try {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${address}guide/Guide.html`);
  assert.match(await page.locator("meta[http-equiv]").getAttribute("content"), /connect-src 'self'/);
  await page.getByRole("link", { name: "sketch.circle" }).waitFor();

  const times = [];
  for (const word of ["Painting", "Etching", "Carving"]) {
    const from = performance.now();
    writeFileSync(join(bundle, "Guide.md"), `# ${word}\n\nSee \`sketch.circle\`.\n`);
    await page.locator("h1", { hasText: word }).waitFor();
    times.push(Math.round(performance.now() - from));
  }
  const slowest = Math.max(...times);
  assert.ok(slowest <= MOST_MS, `a change took ${slowest} ms`);

  // An error is reported, and the last page stays.
  const file = join(bundle, "include/sketch/IR/SketchOps.td");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}\ndef Broken : Missing;\n`);
  for (let attempt = 0; attempt < 100 && !said.includes("Missing"); attempt++) await page.waitForTimeout(100);
  assert.match(said, /SketchOps\.td:\d+:\d+: error: /);
  assert.match(await page.locator("h1").innerText(), /Carving/);
  assert.deepEqual(complaints, [], "complaints of the browser");
  console.log(`   a change is on the page after ${times.join(", ")} ms; a mistake is reported, and the page stays`);
} finally {
  await browser?.close();
  child.removeAllListeners("exit");
  child.kill();
  rmSync(work, { recursive: true, force: true });
}
