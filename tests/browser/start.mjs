// The start page in a real browser: a pasted file, errors at their lines, a folder, an archive, the pages beside it;
// light and dark; phone, tablet and desktop.
//
//   CHROMIUM=/usr/bin/chromium ODSMITH_BIN=target/debug/odsmith node tests/browser/start.mjs
//
// Screenshots are saved in tests/browser/shots/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle, fitsWidth, shots, startBrowser, startService } from "./common.mjs";

const work = mkdtempSync(join(tmpdir(), "odsmith-start-"));

/** The lowest contrast between text and background: WCAG's ratio, for every element with text of its own. */
const weakest = (page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([red, green, blue]) => {
      const [r, g, b] = [red, green, blue].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let least = [99, ""];
    for (const element of document.querySelectorAll("body *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!hasText || !element.checkVisibility() || element.disabled) continue;
      let behind = element;
      while (behind.parentElement && rgb(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
      const [one, other] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map((color) => luminance(rgb(color)));
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < least[0]) least = [ratio, `${element.tagName} ${element.textContent.trim().slice(0, 30)}`];
    }
    return least;
  });

/** The box of an element that lies in the window and has not moved for a fifth of a second. */
async function restingBox(element) {
  await element.scrollIntoViewIfNeeded();
  for (let last, times = 0; ; ) {
    const box = await element.boundingBox();
    times = JSON.stringify(box) === JSON.stringify(last) ? times + 1 : 0;
    if (times === 4) return box;
    last = box;
    await element.page().waitForTimeout(50);
  }
}

async function tour(page, address, name) {
  const look = async (what) => {
    await fitsWidth(page);
    const [ratio, where] = await weakest(page);
    assert.ok(ratio >= 4.5, `${name} ${what}: contrast ${ratio.toFixed(2)} at ${where}`);
    await page.screenshot({ path: join(shots, `start-${name}-${what}.png`), fullPage: true });
  };
  await page.goto(`${address}/`);
  await look("empty");

  // The page opens with an example that works.
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("link", { name: "Reference site" }).waitFor();
  const files = page.getByRole("list", { name: "Generated files" }).getByRole("button");
  assert.ok((await files.count()) >= 3, `${await files.count()} files`);
  await page.waitForFunction(() => document.querySelector(".files pre").textContent.includes("TableGen"));
  await look("made");
  await files.nth(1).click();
  assert.equal(await files.nth(1).getAttribute("aria-current"), "true");

  // During a job the page shows its progress; here the test answers twice for the server.
  let asked = 0;
  const report = (stage, done) => JSON.stringify({ key: "k", seconds: 1, stage, targets: { done, of: 4 }, fuel: { used: 0, limit: 1 }, work: { used: 0, limit: 1 }, pages: 0 });
  const held = { status: 202, contentType: "application/json" };
  await page.route("**/v1/generate", async (route) => {
    assert.equal(route.request().headers().prefer, "respond-async");
    await route.fulfill({ ...held, headers: { location: "/v1/results/k" }, body: report("waiting", 0) });
  });
  let release;
  const seen = new Promise((done) => (release = done));
  await page.route("**/v1/results/k", async (route) => {
    asked += 1;
    if (asked > 1) await seen;
    if (asked < 3) return route.fulfill({ ...held, body: report("evaluating", 3) });
    const made = { key: "k", status: "ok", outputs: [], archives: [], diagnostics: [] };
    return route.fulfill({ contentType: "application/json", body: JSON.stringify(made) });
  });
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByText("Evaluating: 3 of 4 roots").waitFor();
  const bar = page.getByRole("progressbar", { name: "Progress" });
  assert.deepEqual(await bar.evaluate(({ value, max }) => [value, max]), [2.75, 4]);
  await look("progress");
  release();
  await page.getByText("Nothing could be made").waitFor();
  assert.equal(await bar.count(), 0);
  await page.unroute("**/v1/generate");
  await page.unroute("**/v1/results/k");

  // An error is shown at its line.
  await page.fill("#source", 'include "mlir/IR/OpBase.td"\n\n// é\ndef A : Missing;\ndef B;\n');
  await page.getByRole("button", { name: "Generate" }).click();
  await page.locator(".source .at").waitFor();
  assert.equal(await page.locator(".source .at").first().getAttribute("data-line"), "4");
  assert.equal(await page.locator(".source mark").first().innerText(), "Missing");
  assert.match(await page.locator(".message").first().innerText(), /input\.td:4:9: error: /);
  await look("mistake");

  // Text of the user stays text.
  await page.fill("#source", 'def A { string x = "<img src=x onerror=alert(1)>" ; int y = "<b>"; }\n');
  await page.getByRole("button", { name: "Generate" }).click();
  await page.locator(".source .at").waitFor();
  assert.equal(await page.locator("#answer img, #answer b").count(), 0);

  // A folder, and back again.
  await page.setInputFiles("#folder", join(bundle, "include"));
  await page.locator("#chosen").waitFor();
  assert.match(await page.locator("#chosen").innerText(), /^5 files: /);
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("link", { name: "Reference site" }).waitFor();
  await look("folder");
  await page.getByRole("button", { name: "Start over" }).click();
  assert.ok(await page.locator("#source").isVisible());

  // The same folder, dropped: once the page has moved back up, so that the place is still the field's.
  const { x, y, width, height } = await restingBox(page.locator("#drop"));
  const mouse = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(bundle, "include")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await mouse.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data });
  }
  await page.locator("#chosen").waitFor();
  assert.match(await page.locator("#chosen").innerText(), /^5 files: /);
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("link", { name: "Reference site" }).waitFor();
  assert.equal(await page.locator(".message").count(), 0);
  await page.getByRole("button", { name: "Start over" }).click();

  // An archive, and its site.
  await page.setInputFiles("#archive", join(work, "bundle.tar.gz"));
  await page.getByRole("button", { name: "Generate" }).click();
  const site = page.getByRole("link", { name: "Reference site" });
  await site.waitFor();
  await site.click();
  await page.waitForURL(/\/v1\/sites\//);
  assert.match(await page.locator("h1").innerText(), /./);

  for (const path of ["/docs", "/problems"]) {
    await page.goto(address + path);
    await look(path.slice(1));
  }
}

let service;
let browser;
try {
  mkdirSync(shots, { recursive: true });
  execFileSync("tar", ["-C", bundle, "-czf", join(work, "bundle.tar.gz"), "."]);
  service = await startService();
  browser = await startBrowser();
  for (const scheme of ["light", "dark"]) {
    for (const width of [320, 768, 1440]) {
      const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const complaints = [];
      // The page also sends invalid requests, and shows their errors itself.
      const isExpected = (text) => /status of 422/.test(text);
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isExpected(message.text()) && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(String(error)));
      await tour(page, service.address, `${scheme}-${width}`);
      assert.deepEqual(complaints, [], "complaints of the browser");
      await context.close();
      console.log(`   start page, ${scheme}, ${width} px: example, mistake, folder, archive, pages beside it`);
    }
  }
} finally {
  await browser?.close();
  service?.child.kill();
  rmSync(work, { recursive: true, force: true });
}
