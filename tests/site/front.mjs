// The front of a site with releases (see `versions.py --change`): the filters of a release's page work without a script and
// together, no section that they leave is empty without a word, and the policy lets the project's own HTML run.
//
//   node tests/site/front.mjs SITE-FOLDER

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { launch, serve, siteFolder } from "./lib.mjs";

const AUDIENCES = ["text", "bytecode", "code", "python", "pipelines"];
const WORK = ["gone", "silent", "breaks", "may-break"];

const folder = siteFolder();
const release = readdirSync(join(folder, "release")).find((name) => /^\d.*\.html$/.test(name));
assert.ok(release, "there is a page of a release");
const server = await serve(folder);
const browser = await launch();
try {
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${server.address}/release/${release}`);
  /** The entries that are shown: the section and the audiences of each. */
  const shown = async () => {
    const entries = [];
    for (const section of await plain.locator("section:has(.changes)").all()) {
      const id = await section.getAttribute("aria-labelledby");
      const count = entries.length;
      for (const entry of await section.locator(".change").all()) {
        if (await entry.isVisible()) entries.push({ id, classes: (await entry.getAttribute("class")).split(" ") });
      }
      const isSilent = await section.isVisible() && count === entries.length && !(await section.locator(".none-left").isVisible());
      assert.ok(!isSilent, `${id} is empty and does not say so`);
    }
    return entries;
  };
  const all = await shown();
  assert.ok(all.some(({ id }) => id === "gone") && all.length > 1, "something is gone, and there is more");
  let looks = 1;
  for (const kind of ["of-work", "of-new"]) {
    await plain.locator(`label:has(#${kind})`).click();
    for (const audience of [null, ...AUDIENCES]) {
      const label = audience ? `label:has(#for-${audience})` : 'label:has([name="for"]:not([id]))';
      await plain.locator(label).click();
      const wanted = all.filter(({ id, classes }) =>
        (kind === "of-work" ? WORK.includes(id) : id === "new") && (!audience || classes.includes(audience)));
      assert.deepEqual(await shown(), wanted, `${kind}, ${audience}`);
      looks++;
    }
  }
  console.log(`   ${all.length} entries in ${looks} selections`);

  const page = await (await browser.newContext()).newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  for (const path of ["index.html", `release/${release}`, "passes.html"]) {
    await page.goto(`${server.address}/${path}`);
    assert.equal(await page.evaluate(() => window.isOurs), true, `${path}: the project's own script runs`);
  }
  assert.deepEqual(said, [], "no browser complains");
  // Another script is not allowed.
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.isForeign = true;";
    document.head.append(script);
  });
  assert.equal(await page.evaluate(() => window.isForeign), undefined, "no other script runs");
} finally {
  await browser.close();
  server.close();
}
