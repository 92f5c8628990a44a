// Reads the questions of engine/interchange/src/queries.tsv by the script of pages, and compares with the form in the table.
//
//   node tests/registry/grammar.mjs

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const context = vm.createContext({ window: {} });
for (const script of ["query.js", "question.js"]) {
  vm.runInContext(readFileSync(join(root, "templates/assets", script), "utf8"), context);
}
const { parseQuery } = context.window.odsmith;

function canonical(text) {
  const query = parseQuery(text);
  if (query.error) return "error";
  const parts = [];
  if (query.words.length) parts.push(`words=${query.words.join(" ")}`);
  if (query.signature) parts.push(`takes=${query.signature[0].join(" ")}`, `returns=${query.signature[1].join(" ")}`);
  const facets = query.facets.map(([key, value, isNegated]) => `${isNegated ? "-" : ""}${key}:${value}`);
  if (facets.length) parts.push(`facets=${facets.join(" ")}`);
  if (query.count) parts.push(`count=${query.count}`);
  return parts.join("; ");
}

let count = 0;
let wrong = 0;
for (const line of readFileSync(join(root, "engine/interchange/src/queries.tsv"), "utf8").split("\n")) {
  if (!line || line.startsWith("#")) continue;
  const [question, form] = line.split("\t");
  count++;
  if (canonical(question) !== form) {
    wrong++;
    console.log(`${question}\n  is       ${canonical(question)}\n  expected ${form}`);
  }
}
console.log(`${count} questions, ${wrong} read otherwise`);
process.exit(wrong ? 1 : 0);
