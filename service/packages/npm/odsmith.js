#!/usr/bin/env node
// Runs the program for this platform, which is in a package of its own: npm installs the matching one. Elsewhere the module
// runs, which is in this package.
"use strict";

const { spawnSync } = require("node:child_process");
const { dirname, join } = require("node:path");
const { constants } = require("node:os");

const name = `@odsmith/${process.platform}-${process.arch}`;
const suffix = process.platform === "win32" ? ".exe" : "";

/** The native program, if there is one. With ODSMITH_NATIVE=0 the module is used everywhere. */
function native() {
  if (process.env.ODSMITH_NATIVE === "0") return undefined;
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), "bin", `odsmith${suffix}`);
  } catch {
    return undefined;
  }
}

const program = native();
if (program === undefined) {
  const module = import("../lib/module.mjs");
  const place = join(__dirname, "../lib/odsmith.wasm");
  const words = ["odsmith", ...process.argv.slice(2)];
  module
    .then(({ run }) => run(place, words, { program: __filename }))
    .then((status) => process.exit(status))
    .catch((error) => {
      console.error(`odsmith: ${error.message}`);
      process.exit(2);
    });
} else {
  const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  if (done.error) {
    console.error(`odsmith: ${program}: ${done.error.message}`);
    process.exit(2);
  }
  // A shell's status for a program that a signal ended.
  process.exit(done.status ?? 128 + (constants.signals[done.signal] ?? 0));
}
