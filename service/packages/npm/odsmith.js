#!/usr/bin/env node
// Runs the program for this platform, which is in a package of its own: npm installs the matching one.
"use strict";

const { spawnSync } = require("node:child_process");
const { dirname, join } = require("node:path");
const { constants } = require("node:os");

const name = `@odsmith/${process.platform}-${process.arch}`;
const suffix = process.platform === "win32" ? ".exe" : "";

let program;
try {
  program = join(dirname(require.resolve(`${name}/package.json`)), "bin", `odsmith${suffix}`);
} catch {
  console.error(`odsmith: the package ${name} is not installed. Either there is none for this platform, or npm left optional packages out (--omit=optional).`);
  process.exit(2);
}

const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
if (done.error) {
  console.error(`odsmith: ${program}: ${done.error.message}`);
  process.exit(2);
}
// A shell's status for a program that a signal ended.
process.exit(done.status ?? 128 + (constants.signals[done.signal] ?? 0));
