// Answers questions by the script of a catalogue's pages, as a browser would: one line of standard input is a question, one
// line of output the number of answers and their ids, or what is counted.
//
//   node tests/registry/page.mjs CATALOGUE-FOLDER < questions

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import vm from "node:vm";

const [folder] = process.argv.slice(2);
const asset = (name) => readFileSync(join(resolve(folder), "assets", `${name}.js`), "utf8");

// The scripts of the search touch no element of a page, so they run without a browser; the search box needs one.
const context = vm.createContext({ window: {} });
const search = asset("search");
const box = search.lastIndexOf("((odsmith) => {");
if (box < 0) throw new Error("the search box was not found at the end of search.js");
vm.runInContext(search.slice(0, box), context);
vm.runInContext(asset("index"), context);
const { odsmith } = context.window;
odsmith.load = (name, then) => {
  vm.runInContext(asset(name), context);
  then();
};
while (true) {
  const needed = odsmith.needs("");
  if (!needed) break;
  odsmith.load(needed, () => {});
}

for (const question of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { query, rows } = odsmith.answer(question);
  if (query.error) console.log("error");
  else if (query.count) {
    const counts = odsmith.counted(rows, query.count);
    console.log(Object.keys(counts).sort().map((name) => `${name}=${counts[name]}`).join(" "));
  } else console.log(`${rows.length}: ${rows.map(odsmith.idOf).join(" ")}`.trimEnd());
}
