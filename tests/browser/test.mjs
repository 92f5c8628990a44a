// The reference site in a real browser: from disk and from the server, dark and light, narrow and wide.
//
//   CHROMIUM=/usr/bin/chromium ODSMITH_BIN=target/debug/odsmith node tests/browser/test.mjs
//
// Screenshots are saved in tests/browser/shots/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, fitsWidth, odsmith, shots, startBrowser, startService } from "./common.mjs";

const work = mkdtempSync(join(tmpdir(), "odsmith-browser-"));
const widths = [360, 1280];
const schemes = ["light", "dark"];

/** Generates the site into a folder with the command line, and over HTTP; returns the addresses of both home pages. */
async function makeSites(address) {
  execFileSync(odsmith, ["generate", bundle, "-o", join(work, "out")], { stdio: ["ignore", "ignore", "inherit"] });
  const home = join(work, "out/site/index.html");
  assert.ok(existsSync(home), "odsmith generate writes site/index.html");

  const archive = execFileSync("tar", ["-C", bundle, "-czf", "-", "."]);
  const answer = await fetch(`${address}/v1/generate`, {
    method: "POST",
    body: archive,
    headers: { "content-type": "application/gzip" },
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const key = answer.headers.get("content-location").split("/").pop();
  return { disk: pathToFileURL(home).href, server: `${address}/v1/sites/${key}/index.html` };
}

/** Opens pages in one setting and collects the complaints of the console and the network. */
async function withPage(browser, { scheme, width, javaScriptEnabled = true }, use) {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    javaScriptEnabled,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  // Leaving a page aborts its requests.
  const isStopped = (request) => request.failure()?.errorText === "net::ERR_ABORTED";
  page.on("requestfailed", (request) => isStopped(request) || complaints.push(`${request.url()} failed`));
  page.on("response", (response) => response.status() >= 400 && complaints.push(`${response.url()}: ${response.status()}`));
  try {
    await use(page);
  } finally {
    await context.close();
  }
  assert.deepEqual(complaints, [], "complaints of the browser");
}

const background = (page) =>
  page.evaluate(() => {
    // The background of the page, whichever of the two elements has it.
    const colors = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor);
    return colors.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "none";
  });

/** The list beside the page, the keys, and the settings in the help. */
async function besides(page) {
  const here = page.url();
  const isNarrow = await page.locator("#menu").isVisible();
  if (isNarrow) await page.click("#menu");
  await page.fill("#filter", "circ");
  await page.locator(".side li:visible", { hasText: "circle" }).waitFor();
  assert.equal(await page.locator(".side li:visible", { hasText: "canvas" }).count(), 0, "the filter narrows the list");
  await page.fill("#filter", "");
  await page.locator("#dialects summary").click();
  await page.locator("#dialects li").first().waitFor();
  if (isNarrow) {
    await page.press("#filter", "Escape");
    assert.equal(await page.locator(".side").isVisible(), false, "Escape closes the list");
  }
  await page.locator("h1").click();
  const link = page.locator('.turn [rel="next"]');
  const next = await link.evaluate((link) => link.href);
  await page.keyboard.press("]");
  await page.waitForURL(next);
  await page.keyboard.press("[");
  await page.waitForURL(here);
  await page.keyboard.press("?");
  await page.locator("#dense").check();
  await page.keyboard.press("Escape");
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.density), "compact", "density is remembered");
}

/** Home → search → operation → back to the dialect → another operation; then the theme. */
async function tour(page, home, name) {
  await page.goto(home);
  await fitsWidth(page);
  await page.screenshot({ path: join(shots, `${name}-home.png`) });

  await page.fill("#search", "circle");
  const option = page.getByRole("listbox").getByRole("option").first();
  await option.waitFor();
  assert.match(await option.innerText(), /circle/);
  await page.screenshot({ path: join(shots, `${name}-search.png`) });
  await page.press("#search", "ArrowDown");
  await page.press("#search", "Enter");
  await page.waitForURL(/\/sketch\/op\/[^/]*circle\.html/);
  assert.match(await page.locator("h1").innerText(), /circle/);
  await fitsWidth(page);
  await page.screenshot({ path: join(shots, `${name}-operation.png`), fullPage: true });

  await page.locator('.trail a[href$="sketch/index.html"]').click();
  await page.waitForURL(/\/sketch\/index\.html/);
  await fitsWidth(page);
  await page.screenshot({ path: join(shots, `${name}-dialect.png`), fullPage: true });
  await page.locator('main a[href$="canvas.html"]').first().click();
  await page.waitForURL(/canvas\.html/);
  assert.match(await page.locator("h1").innerText(), /canvas/);

  await besides(page);
  const before = await background(page);
  await page.click("#theme");
  assert.notEqual(await background(page), before, "the theme button changes the colours");
  await page.reload();
  assert.notEqual(await background(page), before, "the choice is remembered");
}

/** The 404 page. Hosts show it at any depth, so that its links start at their root. */
const lost = "404.html";

/** A host with the folder at its root, as sites are published; missing files get the 404 page. */
async function startHost(folder) {
  const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };
  const host = createServer((request, response) => {
    const asked = join(folder, decodeURIComponent(new URL(request.url, "http://host").pathname));
    const isThere = existsSync(asked) && statSync(asked).isFile();
    const file = isThere ? asked : join(folder, lost);
    // Browsers complain of pages with the status 404 themselves; other requests must succeed.
    const isPage = request.headers["sec-fetch-dest"] === "document";
    response.writeHead(isThere || isPage ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${host.address().port}`, close: () => host.close() };
}

/** Every page of the folder: no console message, nothing wider than the window, no dead link. */
async function everyPage(browser, folder, host) {
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  assert.ok(pages.length > 10, `${pages.length} pages`);
  for (const width of widths) {
    await withPage(browser, { scheme: "light", width }, async (page) => {
      for (const name of pages) {
        await page.goto(name === lost ? `${host.address}/no/such/page.html` : pathToFileURL(join(folder, name)).href);
        await fitsWidth(page);
        const wrong = await page.evaluate(() => {
          const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
          return ids.filter((id, index) => ids.indexOf(id) !== index);
        });
        assert.deepEqual(wrong, [], `ids that ${name} has twice`);
      }
    });
  }
  for (const name of pages) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, link] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^([a-z]+:|#|$)/.test(link)) continue;
      const [path, anchor] = link.replaceAll("&amp;", "&").split("#");
      const file = decodeURIComponent(path.split("?")[0]);
      assert.equal(file.startsWith("/"), name === lost && path !== "", `${name}: ${link} is not seen from the page`);
      const target = path === "" ? join(folder, name) : join(folder, name === lost ? "" : dirname(name), file);
      assert.ok(existsSync(target), `${name}: dead link ${link}`);
      if (anchor && target.endsWith(".html")) {
        assert.ok(readFileSync(target, "utf8").includes(`id="${decodeURIComponent(anchor)}"`), `${name}: dead anchor ${link}`);
      }
    }
  }
  return pages.length;
}

let service;
let browser;
let host;
try {
  mkdirSync(shots, { recursive: true });
  service = await startService();
  const sites = await makeSites(service.address);
  browser = await startBrowser();

  for (const [where, home] of Object.entries(sites)) {
    for (const scheme of schemes) {
      for (const width of widths) {
        const name = `${where}-${scheme}-${width}`;
        await withPage(browser, { scheme, width }, (page) => tour(page, home, name));
        console.log(`   ${name}: home, search, operation, dialect, theme`);
      }
    }
  }
  await withPage(browser, { scheme: "light", width: 1280, javaScriptEnabled: false }, async (page) => {
    await page.goto(sites.disk);
    await page.locator('a[href$="sketch/index.html"]').first().click();
    await page.locator('a[href$="circle.html"]').first().click();
    assert.match(await page.locator("h1").innerText(), /circle/);
    console.log("   readable without JavaScript");
  });
  host = await startHost(join(work, "out/site"));
  const count = await everyPage(browser, join(work, "out/site"), host);
  console.log(`   ${count} pages: no complaint, no sideways scrolling, no dead link, no id twice`);
} finally {
  await browser?.close();
  host?.close();
  service?.child.kill();
  rmSync(work, { recursive: true, force: true });
}
