// Odsmith in this program: `import { generate, model, check } from "odsmith"`, in Node and in browsers.

import { Odsmith } from "./odsmith.mjs";

export { Odsmith, OdsmithError } from "./odsmith.mjs";

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** The bytes of a file of this package. */
async function bytes(path) {
  const place = new URL(path, import.meta.url);
  if (isNode) return new Uint8Array(await (await import("node:fs/promises")).readFile(place));
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place}: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The releases of MLIR whose libraries are in this package, the preferred one first. */
export const releases = Object.freeze("@RELEASES@".split(" "));

let loaded;
const added = new Map();

/** An instance with the library of a release. */
async function instance(mlir = releases[0]) {
  loaded ??= bytes("./odsmith_web.wasm").then((module) => Odsmith.load(module));
  const odsmith = await loaded;
  if (releases.includes(mlir) && !added.has(mlir)) {
    added.set(mlir, bytes(`../share/odsmith/libraries/${mlir}.tar.zst`).then((packed) => odsmith.addLibrary(mlir, packed)));
  }
  await added.get(mlir);
  return odsmith;
}

const asked = (options = {}) => ({ ...options, mlir: options.mlir ?? releases[0] });

export async function generate(files, options) {
  return (await instance(options?.mlir)).generate(files, asked(options));
}

export async function model(files, options) {
  return (await instance(options?.mlir)).model(files, asked(options));
}

export async function check(files, options) {
  return (await instance(options?.mlir)).check(files, asked(options));
}

export async function lint(files, options) {
  return (await instance(options?.mlir)).lint(files, asked(options));
}

export async function diff(before, after) {
  return (await instance()).diff(before, after);
}
