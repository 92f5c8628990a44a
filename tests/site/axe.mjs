// Accessibility of every kind of page of a finished site, by axe-core: light, dark and forced colours, 320 and 1280 px.
// No table of any page may scroll sideways.
//
//   node tests/site/axe.mjs SITE-FOLDER

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launch, serve, siteFolder } from "./lib.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [320, 1280];
const LOOKS = [
  { name: "light", colorScheme: "light" },
  { name: "dark", colorScheme: "dark" },
  { name: "forced colours", colorScheme: "dark", forcedColors: "active" },
];
/** The pages of one kind that are checked, by size: one in the middle, and one that is larger than nine of ten. */
const SHARES = [0.5, 0.9];

/** Every page with a table whose width an author decides: cases with meanings, and tables of Markdown. */
function withTables(folder) {
  const pages = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".html") && !/all\.html$/.test(path));
  return pages.filter((path) => /<table>|<table class="(?:cases|coverage)">/.test(readFileSync(join(folder, path), "utf8"))).sort();
}

/** A few pages of every kind: pages are of one kind if they differ only in names. */
function kinds(folder) {
  const found = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    const parts = path.split("/");
    // `arith/op/cmpi.html` is an `op`, `trait/Pure.html` a `trait`, `arith/index.html` an `index`.
    const kind = parts.length === 1 ? path : parts.length === 2 && parts[1] !== "index.html" && parts[1] !== "all.html" && !/^patterns/.test(parts[1]) ? parts[0] : parts.length === 2 ? `dialect ${parts[1]}` : parts[0] === "guide" ? "guide" : parts[1];
    if (!found.has(kind)) found.set(kind, []);
    found.get(kind).push([readFileSync(join(folder, path)).length, path]);
  }
  const chosen = (pages) => {
    pages.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
    const places = SHARES.map((share) => Math.floor(share * (pages.length - 1)));
    return [...new Set(places)].map((place) => pages[place][1]);
  };
  return [...found].map(([kind, pages]) => [kind, chosen(pages)]);
}

const folder = siteFolder();
/** A name that the search finds. */
const sought = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")).items.find(({ kind }) => kind === "op").name;
const server = await serve(folder);
const browser = await launch();
const wrong = [];
let count = 0;
try {
  for (const [kind, paths] of kinds(folder)) {
    for (const { name, ...look } of LOOKS) {
      for (const width of WIDTHS) {
        // The page's policy applies to its own scripts, not to axe-core.
        const context = await browser.newContext({ ...look, viewport: { width, height: 900 }, bypassCSP: true });
        const page = await context.newPage();
        for (const path of paths) {
          await page.goto(`${server.address}/${path}`);
          const states = ["page"];
          if (path === "index.html") states.push("search", "help");
          for (const state of states) {
            if (state === "search") {
              await page.fill("#search", sought);
              await page.getByRole("option").first().waitFor();
            }
            if (state === "help" && width > 480) {
              await page.keyboard.press("Escape");
              await page.click("#help-open");
            }
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
            count++;
            for (const { id, help, nodes } of violations) {
              wrong.push(`${path} (${state}, ${name}, ${width} px): ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" … ")}`);
            }
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          if (wide > 0) wrong.push(`${path} (${name}, ${width} px): ${wide} px wider than the window`);
        }
        await context.close();
      }
    }
    console.log(`   ${kind}: ${paths.join(" ")}`);
  }
  const context = await browser.newContext({ viewport: { width: WIDTHS[0], height: 900 }, javaScriptEnabled: false });
  const page = await context.newPage();
  const tables = withTables(folder);
  for (const path of tables) {
    await page.goto(`${server.address}/${path}`, { waitUntil: "commit" });
    await page.locator("footer").waitFor();
    const wide = await page.evaluate(() => [...document.querySelectorAll("table")].filter((table) => table.scrollWidth > table.clientWidth || table.getBoundingClientRect().right > innerWidth).length);
    if (wide) wrong.push(`${path} (${WIDTHS[0]} px): ${wide} tables scroll sideways`);
  }
  console.log(`   ${tables.length} pages with tables at ${WIDTHS[0]} px`);
} finally {
  await browser.close();
  server.close();
}
for (const line of [...new Set(wrong)]) console.log(`   WRONG ${line}`);
console.log(`   ${count} looks, ${wrong.length} violations`);
assert.equal(wrong.length, 0);
