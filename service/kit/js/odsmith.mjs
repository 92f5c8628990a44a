// The protocol between odsmith and this program. `odsmith schema plugin` describes it.

import { readFileSync, writeSync } from "node:fs";

@TYPES@
/**
 * Asks for data: the program runs once more, and its request has them.
 * @param {string[]} classes
 * @param {string[]} fields
 * @returns {Response}
 */
export function needs(classes, fields = [], model = false) {
  return { protocol: PROTOCOL, needs: { classes, fields, model } };
}

/**
 * Answers with the file that is asked for.
 * @param {Request} request
 * @param {string} text
 * @returns {Response}
 */
export function file(request, text) {
  return { protocol: PROTOCOL, files: [{ name: request.outputs[0], text }] };
}

/**
 * Answers with an error at a def.
 * @param {string} record
 * @param {string} message
 * @returns {Response}
 */
export function error(record, message) {
  return { protocol: PROTOCOL, diagnostics: [{ message, place: { record } }] };
}

/** The defs of a class, by their names. */
export function ofClass(records, name) {
  return (records["!instanceof"][name] ?? []).map((record) => [record, records[record]]);
}

/** The name of the def that a field holds; empty for another value. */
export function nameOf(value) {
  return value?.def ?? "";
}

/** The text that a field holds; empty for another value. */
export function textOf(value) {
  return typeof value === "string" ? value : "";
}

/**
 * Reads the request and writes the answer of `generate`.
 * @param {(request: Request) => Response} generate
 */
export function run(generate) {
  const request = JSON.parse(readFileSync(0).subarray(4).toString("utf8"));
  const message = Buffer.from(JSON.stringify(generate(request)));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(message.length);
  let bytes = Buffer.concat([head, message]);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
}
