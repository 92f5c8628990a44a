// The files of a folder that is dropped or chosen.

import { isWanted } from "./files.js";

const MOST_BYTES = 4 << 20;

/** Reads dropped files and folders: path → text. */
export async function dropped(items) {
  // The browser empties the list after the event.
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const isOneFolder = entries.length === 1 && !entries[0].isFile;
  const parts = await Promise.all(entries.map((entry) => below(entry, isOneFolder ? "" : entry.name)));
  return read(parts.flat());
}

/** Reads a chosen folder: path → text. */
export const chosen = (list) => read([...list].map((file) => [file.webkitRelativePath.split("/").slice(1).join("/") || file.name, file]));

async function below(entry, path) {
  if (entry.isFile) return [[path, await new Promise((done, fail) => entry.file(done, fail))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A reader returns at most a hundred entries at a time.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const child of some) found.push(...(await below(child, path ? `${path}/${child.name}` : child.name)));
  }
}

async function read(entries) {
  const wanted = entries.filter(([path]) => isWanted(path));
  if (!wanted.length) throw new Error("there is no .td file in it");
  const bytes = wanted.reduce((sum, [, file]) => sum + file.size, 0);
  if (bytes > MOST_BYTES) throw new Error(`its .td files have more than ${MOST_BYTES >> 20} MB`);
  return Object.fromEntries(await Promise.all(wanted.map(async ([path, file]) => [path, await file.text()])));
}
