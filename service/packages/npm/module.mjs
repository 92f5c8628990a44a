// Runs odsmith.wasm under Node's WASI: for platforms that have no native package.

import { readFileSync, writeSync } from "node:fs";
import process from "node:process";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

/** The drives of Windows that exist. */
function drives() {
  const all = {};
  for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
    try {
      readFileSync(`${letter}:\\`);
    } catch (error) {
      // A folder cannot be read as a file, and a drive that is not there does not exist.
      if (error.code === "EISDIR" || error.code === "EPERM") all[`/${letter}:`] = `${letter}:\\`;
    }
  }
  return all;
}

/** The path of a folder or a file as the module sees it: with slashes, and below a folder for each drive of Windows. */
export function inside(path, platform = process.platform) {
  if (platform !== "win32") return path;
  const slashed = path.replaceAll("\\", "/");
  return slashed.replace(/^([A-Za-z]):(?=\/|$)/, (_, letter) => `/${letter.toUpperCase()}:`);
}

/** An argument as the module sees it: paths of Windows may stand alone, behind `-I` or behind an equals sign. */
export function argument(text, platform = process.platform) {
  if (platform !== "win32" || !/[\\:]/.test(text) || /^[a-z][a-z+-]+:/i.test(text)) return text;
  const [, before, path] = text.match(/^(-I|-o|-d|--[\w-]+=(?:\d+=)?|[\w-]+=)?(.*)$/s);
  return (before ?? "") + inside(path, platform);
}

/** What the module sees of this process. */
export function surroundings({ env = process.env, cwd = process.cwd(), platform = process.platform, program } = {}) {
  const own = { ...env, PWD: inside(cwd, platform) };
  if (program) own.ODSMITH_PROGRAM = inside(program, platform);
  for (const name of ["HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "ODSMITH_CACHE", "ODSMITH_LIBRARY"]) {
    if (own[name]) own[name] = inside(own[name], platform);
  }
  if (platform === "win32") {
    own.HOME ??= own.USERPROFILE;
    own.XDG_CACHE_HOME ??= own.LOCALAPPDATA;
  }
  return { env: own, preopens: platform === "win32" ? drives() : { "/": "/" } };
}

/** Node says that WASI is experimental, each time. */
function withoutWarning() {
  const warn = process.emitWarning;
  process.emitWarning = (warning, ...more) => {
    const kind = typeof more[0] === "string" ? more[0] : more[0]?.type;
    if (kind !== "ExperimentalWarning") warn.call(process, warning, ...more);
  };
}

/** The stack for definitions that are nested deeply; only what is touched takes memory. */
const STACK_MEGABYTES = 256;

/** Runs the module at a place with the words of a command line, the first of which is the program's name; returns its
 * status. It runs in a thread of its own, as only such a one has a large stack. */
export function run(place, words, options = {}) {
  return new Promise((done, fail) => {
    const workerData = { place, words, options };
    const worker = new Worker(new URL(import.meta.url), { workerData, resourceLimits: { stackSizeMb: STACK_MEGABYTES } });
    worker.on("message", done);
    worker.on("error", fail);
  });
}

/** Runs the module in this thread. */
async function runHere({ place, words, options }) {
  withoutWarning();
  const { WASI } = await import("node:wasi");
  const { env, preopens } = surroundings(options);
  const args = words.map((word) => argument(word, options.platform));
  const wasi = new WASI({ version: "preview1", args, env, preopens, returnOnExit: true });
  // Node 20 corrupts its memory where it calls these functions without a detour through JavaScript.
  const calls = Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...given) => call(...given)]);
  const { instance } = await WebAssembly.instantiate(readFileSync(place), { wasi_snapshot_preview1: Object.fromEntries(calls) });
  try {
    return wasi.start(instance);
  } catch (error) {
    if (error instanceof RangeError) writeSync(2, "error: the definitions are nested too deeply for this stack\n");
    else if (error instanceof WebAssembly.RuntimeError) writeSync(2, `error: odsmith ended in a way that it never should: ${error.message}\n`);
    else throw error;
    return 3;
  }
}

if (!isMainThread && workerData?.place) parentPort.postMessage(await runHere(workerData));
