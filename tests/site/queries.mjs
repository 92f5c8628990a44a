// The share of queries for which the search of a site of all of MLIR's dialects finds the answer. `queries.tsv` has one
// query in each line, and the names that answer it; `queries-forms.tsv` has names of records, signatures, command lines, and
// words with the name of a dialect. The search was tuned on half of them (those with an even SHA-256);
// the answers to the others stay unseen while the search is changed. Fails if either half is below its promise.
//
//   node tests/site/queries.mjs SITE-FOLDER [--show tuned|held-out]

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const FIRST = 0.8;
const AMONG_FIVE = 0.9;

const [folder, , shown] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

// The scripts of the search touch no element of a page, so they run without a browser.
const context = vm.createContext({ window: {} });
const load = (name) => vm.runInContext(readFileSync(join(resolve(folder), "assets", `${name}.js`), "utf8"), context);
const match = readFileSync(join(resolve(folder), "assets/search.js"), "utf8");
// The second part of that script is the search box, which needs a page.
vm.runInContext(match.slice(0, match.lastIndexOf("((odsmith) => {")), context);
["index", "words", "rest", "facets"].forEach(load);
const { odsmith } = context.window;
vm.runInContext("var odsmith = window.odsmith", context);

const loaded = new Set();
function find(query) {
  for (let round = 0; round < 4; round++) {
    const found = odsmith.find(query, 5);
    const more = [...found.more].filter((name) => !loaded.has(name));
    if (!more.length) return found.rows;
    more.forEach((name) => {
      loaded.add(name);
      try {
        load(name);
      } catch {
        // No description has a word with this prefix.
      }
    });
  }
  return odsmith.find(query, 5).rows;
}

const halves = { tuned: [], "held-out": [] };
const forms = { "tuned, by form": [], "held-out, by form": [] };
for (const [file, into, suffix] of [["queries.tsv", halves, ""], ["queries-forms.tsv", forms, ", by form"]]) {
  for (const line of readFileSync(join(here, file), "utf8").split("\n").filter(Boolean)) {
    const [query, answers] = line.split("\t");
    const isEven = createHash("sha256").update(query).digest()[0] % 2 === 0;
    into[(isEven ? "tuned" : "held-out") + suffix].push([query, new Set(answers.split(" "))]);
  }
}
let isWrong = false;
for (const [half, queries] of [...Object.entries(halves), ...Object.entries(forms)]) {
  let first = 0;
  let five = 0;
  for (const [query, answers] of queries) {
    const names = find(query).map((row) => row.prefix + row.name);
    const place = names.findIndex((name) => answers.has(name));
    first += place === 0;
    five += place >= 0;
    if (shown === half && place !== 0) console.log(`${place < 0 ? "MISSED" : `at ${place + 1}  `} ${query}: ${names.join(" ")} (${[...answers].join(" ")})`);
  }
  if (!queries.length) continue;
  const share = (count) => `${count} (${((100 * count) / queries.length).toFixed(1)} %)`;
  console.log(`${half}: ${queries.length} queries, ${share(first)} first, ${share(five)} among five`);
  isWrong ||= first / queries.length < FIRST || five / queries.length < AMONG_FIVE;
}
process.exit(isWrong ? 1 : 0);
