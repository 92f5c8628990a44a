// Gathers what the extension needs in a browser, below web/: the worker, the module, and packed libraries.
//
//   node web.mjs target/wasm/odsmith_web.wasm 22=22.tar.zst […]
//
// `make wasm` builds the module, `odsmith library pack 22 -o 22.tar.zst` packs a library; the first release is the preferred one.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
// The playground bundles its worker with the same program.
const esbuild = createRequire(join(here, "../../play/build.mjs"))("esbuild");
const [module, ...libraries] = process.argv.slice(2);
const web = join(here, "web");
mkdirSync(web, { recursive: true });
esbuild.buildSync({ entryPoints: [join(here, "../../web/js/worker.mjs")], bundle: true, format: "iife", minify: true, outfile: join(web, "worker.js"), logLevel: "warning" });
copyFileSync(module, join(web, "odsmith_web.wasm"));
const named = libraries.map((text) => text.split("="));
for (const [release, place] of named) copyFileSync(place, join(web, `${release}.tar.zst`));
writeFileSync(join(web, "releases.json"), JSON.stringify(named.map(([release]) => release)));
