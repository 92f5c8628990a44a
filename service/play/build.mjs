// Makes what the service holds of the playground: dist/play.js and dist/play.css, and the same packed by gzip.
//
//   node service/play/build.mjs
//
// The same sources give the same bytes. What is not there already is got by tests/setup/play.sh.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

/** Lets `import … from "examples"` be the list of the examples, with their files. */
const examples = {
  name: "examples",
  setup(build) {
    build.onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "examples" }));
    build.onLoad({ filter: /.*/, namespace: "examples" }, () => {
      const list = JSON.parse(readFileSync(join(here, "examples/examples.json"), "utf8"));
      for (const example of list) {
        const folder = join(here, "examples", example.id);
        const paths = readdirSync(folder).filter((path) => path.endsWith(".td")).sort();
        example.files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
      }
      return { contents: `export default ${JSON.stringify(list)};` };
    });
  },
};

mkdirSync(dist, { recursive: true });
await esbuild.build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  outfile: join(dist, "play.js"),
  bundle: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  plugins: [examples],
  logLevel: "warning",
});

/** The licences of what is part of the script. */
const parts = ["@codemirror", "@lezer", "@marijn", "crelt", "style-mod", "w3c-keyname"];
const banner = `/* Odsmith's playground. Contains CodeMirror and what it is made of (${parts.join(", ")}): MIT, © Marijn Haverbeke and others. */\n`;
const script = join(dist, "play.js");
writeFileSync(script, banner + readFileSync(script, "utf8"));

const packed = gzipSync(readFileSync(script), { level: 9 });
// The system that packed it is no part of what it says.
packed[9] = 255;
writeFileSync(`${script}.gz`, packed);
const digest = createHash("sha256").update(packed).digest("hex").slice(0, 12);
console.error(`playground: ${packed.length} bytes packed (${digest})`);
