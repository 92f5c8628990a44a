#!/usr/bin/env node
// The generator `-gen-@NAME@`.

import * as odsmith from "./odsmith.mjs";

/**
 * Lists the operations, with their dialects and summaries.
 * @param {odsmith.Request} request
 * @returns {odsmith.Response}
 */
function generate(request) {
  if (!request.records) return odsmith.needs(["Op"], ["opDialect", "opName", "summary"]);
  let text = "";
  for (const [name, op] of odsmith.ofClass(request.records, "Op")) {
    const dialect = odsmith.nameOf(op.opDialect);
    text += `${name}: ${dialect}, ${odsmith.textOf(op.opName)}: ${odsmith.textOf(op.summary)}\n`;
  }
  return odsmith.file(request, text);
}

odsmith.run(generate);
