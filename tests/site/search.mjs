// The search of a finished site of all of MLIR's dialects, in a real browser: the first results, the size of the index,
// and the time of an answer among ten thousand operations.
//
//   node tests/site/search.mjs SITE-FOLDER

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch, siteFolder } from "./lib.mjs";

const FIRST = [
  [["cmpi", "arith cmpi", "CmpIOp", "arith::CmpIOp", "mlir::arith::CmpIOp", "%0 = arith.cmpi slt, %a, %b : i32", '"arith.cmpi"(%a, %b)', "builder.create<arith::CmpIOp>(loc, a, b)", "arith.CmpIOp(predicate, lhs, rhs)"], "arith/op/cmpi.html"],
  [["vector.contrct", "contarct", "vec contract", "vec contarct"], "vector/op/contract.html"],
  [["extact_slice", "extractslice"], "tensor/op/extract_slice.html"],
  [["lauch"], "gpu/op/launch.html"],
  [["!sparse_tensor.storage_specifier", "storage_specifier type"], "sparse_tensor/type/storage_specifier.html"],
  // No definition has such a type: C++ makes it, and the dialect's description mentions it.
  [["!quant.uniform"], "quant/index.html"],
  [["#llvm.access_group", "AccessGroupAttr"], "llvm/attr/access_group.html"],
  [["scf.for_", "scf.for %i = %lb to %ub step %s {"], "scf/op/for.html"],
  [["ult"], "arith/enum/CmpIPredicate.html#case-ult"],
];
const INDEX_BYTES = 35_000;
const INDEX_OPS = 2043;
const LARGE_INDEX_BYTES = 150_000;
const SCRIPT_BYTES = 12_000;
const MANY_OPS = 10_000;
const LATENCY_MS = 16;

const folder = siteFolder();
const gzipped = (text) => gzipSync(text, { level: 9 }).length;
const size = (path) => gzipped(readFileSync(join(folder, "assets", path)));
const browser = await launch();
const wrong = [];
const check = (isRight, text) => {
  console.log(`   ${isRight ? "ok   " : "WRONG"} ${text}`);
  if (!isRight) wrong.push(text);
};

try {
  // From disk, as readers of a downloaded site open it.
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const home = pathToFileURL(join(folder, "index.html")).href;

  // A query typed before the index is loaded waits for it.
  await page.goto(`${home}?q=cmpi`);
  await page.getByRole("option").first().waitFor();
  assert.match(await page.getByRole("option").first().innerText(), /arith\.cmpi/, "a shared address asks its question");
  await page.evaluate(() => new Promise((done) => odsmith.load("words", () => odsmith.load("rest", () => odsmith.load("facets", done)))));
  await page.evaluate(() => odsmith.renew());
  const find = (text, limit = 500) =>
    page.evaluate(async ([text, limit]) => {
      const { more } = odsmith.find(text, limit);
      await Promise.all(more.map((name) => new Promise((done) => odsmith.load(name, done))));
      return odsmith.find(text, limit);
    }, [text, limit]);

  for (const [queries, href] of FIRST) {
    for (const query of queries) {
      const { rows, total } = await find(query);
      check(rows[0]?.href === href, `${query} → ${rows[0]?.href} (${total})`);
    }
  }
  const names = async (query) => (await find(query)).rows.map((row) => row.prefix + row.name);
  const stores = await names("takes:memref returns:none kind:op dialect:memref");
  check(["memref.store", "memref.dealloc"].every((name) => stores.includes(name)), `takes:memref returns:none kind:op dialect:memref → ${stores.join(" ")}`);
  const terminators = (await names("trait:Terminator dialect:scf")).sort();
  check(terminators.join(" ") === "scf.condition scf.forall.in_parallel scf.reduce scf.reduce.return scf.yield", `trait:Terminator dialect:scf → ${terminators.join(" ")}`);
  const users = await names("ult");
  check(users.indexOf("arith.cmpi") > 0 && users.indexOf("arith.cmpi") < 8, `ult, then what takes it → ${users.slice(0, 8).join(" ")}`);
  for (const query of ["has:folder dialect:arith", "has:region dialect:scf", "is:undocumented", "iface:LoopLikeOpInterface", "kind:attribute"]) {
    const { total } = await find(query);
    check(total > 0, `${query} → ${total}`);
  }
  await page.fill("#search", "load");
  const facet = page.locator(".facets button").last();
  const [dialect] = (await facet.innerText()).split(" ");
  await facet.click();
  const narrowed = await page.locator("#search-results .hit").allInnerTexts();
  const asked = await page.inputValue("#search");
  check(asked === `load dialect:${dialect}` && narrowed.length > 0 && narrowed[0].startsWith(`${dialect}.`), `${asked} → ${narrowed.slice(0, 4).join(" ")}`);
  const { total } = await find("qqqqqq");
  check(total === 0, "qqqqqq → nothing");

  // The search box.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(home);
  await page.keyboard.press("/");
  await page.keyboard.type("memref.l");
  const selected = page.locator('[role=option][aria-selected="true"]');
  await selected.waitFor();
  const first = await selected.getAttribute("id");
  assert.equal(await page.locator("#search").getAttribute("aria-activedescendant"), first);
  assert.equal(await page.locator("#search").getAttribute("aria-expanded"), "true");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await selected.getAttribute("id"), first);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.equal(await selected.getAttribute("id"), first);
  await page.locator("#search-preview code").waitFor();
  assert.match(await page.locator("#search-preview").innerText(), /memref\.load/);
  assert.match(await page.locator("#found").innerText(), /^\d+ results$/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#search-panel").isVisible(), false);
  await page.keyboard.press("ArrowDown");
  const [tab] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Control+Enter")]);
  await tab.waitForURL(/memref\/op\/load\.html$/);
  await tab.close();
  await page.keyboard.press("Enter");
  await page.waitForURL(/memref\/op\/load\.html$/);
  // Words in no name are found in descriptions; keys do not interfere with typing and can be switched off.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("?");
  assert.equal(await page.locator("#help").isVisible(), false, "a key that is typed is no shortcut");
  await page.fill("#search", "sequentially");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.locator("#keys").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  assert.equal(await page.locator("#help").isVisible(), false, "keys can be switched off");
  assert.deepEqual(complaints, [], "complaints of the browser");
  console.log("   ok    the box: keys, preview, count, a new tab, descriptions, help");

  // A closed list stays closed when the search or its results arrive later.
  for (const isFound of [false, true]) {
    await page.goto(home);
    if (isFound) {
      await page.evaluate(() => new Promise((done) => odsmith.load("search", done)));
      await page.evaluate(() => {
        const load = odsmith.load;
        odsmith.load = (file, then) => load(file, () => setTimeout(then, 200));
      });
    } else {
      await page.evaluate(() => {
        const load = odsmith.load;
        odsmith.load = (file, then) => setTimeout(load, 400, file, then);
      });
    }
    await page.locator("#search").focus();
    await page.keyboard.type("memref");
    await page.keyboard.press("Escape");
    await page.waitForTimeout(1500);
    assert.equal(await page.evaluate(() => Boolean(odsmith.look)), true, "the search is there by now");
    assert.equal(await page.locator("#search-panel").isVisible(), false, "a closed list opens by itself");
    // Until the search is loaded, Escape is the browser's own and empties the box; later the text stays.
    assert.equal(await page.locator("#search").inputValue(), isFound ? "memref" : "");
    await page.keyboard.type(isFound ? ".l" : "memref.l");
    await page.locator('[role=option][aria-selected="true"]').waitFor();
  }
  console.log("   ok    the box: what is found late");

  // A link shows its target.
  await page.goto(pathToFileURL(join(folder, "arith/op/cmpi.html")).href);
  const card = page.locator("#card");
  await page.locator('#operand-lhs a[href*="constraint/"]').hover();
  await card.filter({ hasText: "SignlessIntegerOrIndexLike" }).filter({ hasText: "signless-integer-like" }).waitFor();
  await page.mouse.move(2, 400);
  await card.waitFor({ state: "hidden" });
  await page.locator('#traits ~ * a[href*="trait/Pure"]').first().hover();
  await card.waitFor();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  assert.deepEqual(complaints, [], "complaints of the browser");
  console.log("   ok    a link's card: by the pointer, gone with it and with Escape");

  await page.goto(home);
  await page.evaluate(() => new Promise((done) => odsmith.load("index", () => odsmith.load("words", () => odsmith.load("rest", () => odsmith.load("search", () => odsmith.load("facets", done)))))));
  const ops = (await find("kind:op", 1)).total;
  // Ten thousand operations: the existing ones repeated under other names.
  const measured = await page.evaluate(([many, queries]) => new Promise((done) => odsmith.load("words", () => {
    const unfold = (text) => {
      let before = "";
      return text.split("\n").map((line) => (before = before.slice(0, line.charCodeAt(0) - 48) + line.slice(1)));
    };
    const index = odsmith.index;
    const [names, summaries] = [unfold(index.names), index.summaries.split("\n")];
    let ops = 0;
    for (const run of index.runs) if (index.kinds[run[0]] === "op") ops += run[2];
    const wanted = Math.max(0, many - ops);
    const more = { names: [], summaries: [], runs: [] };
    for (let copy = 1; more.names.length < wanted; copy++) {
      let at = 0;
      for (const [kind, dialect, count] of index.runs) {
        const taken = index.kinds[kind] === "op" ? Math.min(count, wanted - more.names.length) : 0;
        if (taken) more.runs.push([kind, dialect, taken]);
        for (let i = 0; i < taken; i++) {
          more.names.push(`${names[at + i]}_${copy}`);
          more.summaries.push(summaries[at + i]);
        }
        at += count;
      }
    }
    let before = "";
    const fold = (name) => {
      let shared = 0;
      while (shared < 70 && shared < name.length && name[shared] === before[shared]) shared++;
      before = name;
      return String.fromCharCode(48 + shared) + name.slice(shared);
    };
    index.names = names.concat(more.names).map(fold).join("\n");
    index.summaries = summaries.concat(more.summaries).join("\n");
    index.runs = index.runs.concat(more.runs);
    odsmith.renew();
    const started = performance.now();
    odsmith.find("a", 40);
    const prepared = performance.now() - started;
    odsmith.find("contarct", 40);
    const times = [];
    for (const query of queries) {
      // Every typed letter is a query.
      for (let end = 1; end <= query.length; end++) {
        // Other work on the machine costs time, so the best of three counts.
        const runs = [0, 0, 0].map(() => {
          const from = performance.now();
          odsmith.find(query.slice(0, end), 40);
          return performance.now() - from;
        });
        times.push([Math.min(...runs), query.slice(0, end)]);
      }
    }
    times.sort((a, b) => a[0] - b[0]);
    done({ ops: ops + wanted, index: JSON.stringify(index), prepared, times });
  })), [MANY_OPS, FIRST.flatMap(([queries]) => queries)]);
  const at = (share) => measured.times[Math.floor(measured.times.length * share)];
  const [p50, p95] = [at(0.5)[0], at(0.95)[0]];
  console.log(`   ${measured.ops} operations: ready after ${measured.prepared.toFixed(1)} ms, then p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, slowest ${at(0.9999)[0].toFixed(2)} ms (${at(0.9999)[1]}), ${measured.times.length} questions`);
  check(p95 <= LATENCY_MS, `p95 ${p95.toFixed(2)} ms ≤ ${LATENCY_MS} ms`);

  const most = Math.round(INDEX_BYTES * Math.max(1, ops / INDEX_OPS));
  const index = size("index.js");
  check(index <= most, `index.js ${index} B ≤ ${most} B for ${ops} operations; then words.js ${size("words.js")} B, rest.js ${size("rest.js")} B, facets.js ${size("facets.js")} B`);
  const large = gzipped(measured.index);
  check(large <= LARGE_INDEX_BYTES, `index of ${measured.ops} operations ${large} B ≤ ${LARGE_INDEX_BYTES} B`);
  const scripts = size("site.js") + size("search.js");
  check(scripts <= SCRIPT_BYTES, `site.js and search.js ${scripts} B ≤ ${SCRIPT_BYTES} B`);
  check(size("site.css") <= SCRIPT_BYTES, `site.css ${size("site.css")} B ≤ ${SCRIPT_BYTES} B`);
} finally {
  await browser.close();
}
assert.deepEqual(wrong, [], "what is wrong with the search");
