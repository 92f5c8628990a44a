// Shared parts of the browser tests: the binary, a running service, the browser, and the checks of every page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));

/** The bundle of the demo. */
export const bundle = resolve(here, "../fixtures/demo");
export const odsmith = resolve(process.env.ODSMITH_BIN ?? join(here, "../../target/debug/odsmith"));
/** The folder for screenshots. */
export const shots = join(here, "shots");

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** Starts the service with more arguments, and returns its address once it answers. */
export async function startService(more = []) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(odsmith, ["serve", "--bind", `127.0.0.1:${port}`, ...more], { stdio: ["ignore", "ignore", "inherit"] });
  for (let attempt = 0; attempt < 1200; attempt++) {
    assert.equal(child.exitCode, null, "the service ended early");
    try {
      await fetch(`${address}/v1/version`);
      return { child, address };
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  child.kill();
  throw new Error("the service did not start within a minute");
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });

export async function fitsWidth(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(content <= window, `${page.url()} is ${content} px wide in a window of ${window} px`);
}
