// Builds the playground's script for the service: dist/play.js, dist/play.js.gz, and the list of packages in it.
//
//   node service/play/build.mjs
//
// The build is reproducible. tests/setup/play.sh fetches missing packages first.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

/** A plugin that resolves `import … from "examples"` to the list of examples with their files. */
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

/** A plugin that resolves `import … from "worker"` to the text of the worker with the module's face. */
const worker = {
  name: "worker",
  setup(build) {
    build.onResolve({ filter: /^worker$/ }, () => ({ path: "worker", namespace: "worker" }));
    build.onLoad({ filter: /.*/, namespace: "worker" }, async () => {
      const entryPoints = [join(here, "../web/js/worker.mjs")];
      const { outputFiles } = await esbuild.build({ entryPoints, bundle: true, format: "iife", target, minify: true, write: false, logLevel: "warning" });
      return { contents: `export default ${JSON.stringify(outputFiles[0].text)};` };
    });
  },
};

const target = ["chrome123", "firefox120", "safari17.5"];

mkdirSync(dist, { recursive: true });
const { metafile } = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  outfile: join(dist, "play.js"),
  bundle: true,
  format: "esm",
  target,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  plugins: [examples, worker],
  metafile: true,
  logLevel: "warning",
});

/** The names of the packages whose code is part of the script. */
const parts = Object.keys(metafile.inputs)
  .map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
  .filter((name, at, all) => name && all.indexOf(name) === at)
  .sort();

/** Their licences, each text once; all of them must stay with the code. */
const licences = new Map();
for (const name of parts) {
  const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim();
  licences.set(text, [...(licences.get(text) ?? []), name]);
}
const banner = [...licences].map(([text, names]) => `/*\nIn this script: ${names.join(", ")}\n\n${text}\n*/\n`).join("");
const script = join(dist, "play.js");
writeFileSync(script, `/* Odsmith's playground. */\n${readFileSync(script, "utf8")}\n${banner}`);

/** The packages for programs: tests/setup/sbom.py lists them as parts of the service. */
const locked = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8")).packages;
const listed = parts.map((name) => {
  const { version, license, integrity } = locked[`node_modules/${name}`];
  return { name, version, license, integrity };
});
writeFileSync(join(dist, "parts.json"), `${JSON.stringify(listed, null, 1)}\n`);

const packed = gzipSync(readFileSync(script), { level: 9 });
// Byte 9 names the operating system, on which the result must not depend.
packed[9] = 255;
writeFileSync(`${script}.gz`, packed);
const digest = createHash("sha256").update(packed).digest("hex").slice(0, 12);
console.error(`playground: ${packed.length} bytes packed (${digest})`);
