// Shared parts of the checks of a finished site: the browser, and a plain server of files.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
};

/** The folder of the site, from the command line. */
export function siteFolder() {
  const [folder] = process.argv.slice(2);
  assert.ok(folder, "usage: node CHECK.mjs SITE-FOLDER");
  return resolve(folder);
}

/** Serves a folder as a host of static pages does: compressed, and with the pages' own policy as a header. */
export async function serve(folder) {
  const meta = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(join(folder, "index.html"), "utf8"))[1];
  const policy = meta.replace(/&#x([0-9A-Fa-f]+);/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      assert.ok(file.startsWith(folder + sep) && statSync(file).isFile());
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "content-encoding": "gzip",
        "content-security-policy": policy,
        "cache-control": "max-age=31536000",
      });
      response.end(gzipSync(readFileSync(file)));
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("no such page");
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

export const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run",
];

export const launch = () => chromium.launch({ executablePath: BROWSER, args: FLAGS });
