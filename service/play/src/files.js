// The files: path → text. Every change returns a new object, so that the files of the last run do not change.

/** The limit for the length of paths, as on servers. */
const MOST_PATH = 200;

/** The error in a path, if there is one. */
export function fault(path) {
  if (!path) return "A file needs a path.";
  if (path.length > MOST_PATH) return "The path is too long.";
  if (/[\\:\u0000-\u001f<>|?*"]/.test(path)) return "A path has no \\ : < > | ? * \" in it.";
  if (path.startsWith("/")) return "A path begins with no slash.";
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) return "A path has no empty part, no . and no .. in it.";
  if (path.normalize("NFC") !== path) return "The path is not in normal form C.";
  return null;
}

/** Tests if the playground uses a file of a folder. */
export const isWanted = (path) => /(\.(td|inc)|(^|\/)odsmith\.toml)$/.test(path) && !/(^|\/)\./.test(path);

/** Adds a file, or replaces its text. */
export const withText = (files, path, text) => ({ ...files, [path]: text });

/** Removes a file. */
export function without(files, path) {
  const { [path]: _, ...rest } = files;
  return rest;
}

/** Renames a file, which keeps its position. */
export function renamed(files, path, next) {
  return Object.fromEntries(Object.entries(files).map(([known, text]) => [known === path ? next : known, text]));
}

/** A path that no file has. */
export function freePath(files, wanted = "New.td") {
  const [, stem, end] = wanted.match(/^(.*?)(\.[^./]*)?$/);
  for (let number = 1; ; number++) {
    const path = number === 1 ? wanted : `${stem}${number}${end ?? ""}`;
    if (!(path in files)) return path;
  }
}

/** The file to open first: one that no other file includes, preferably one whose name says that it has operations. */
export function first(files) {
  const paths = Object.keys(files).filter((path) => path.endsWith(".td"));
  const texts = Object.values(files).join("\n");
  const tops = paths.filter((path) => !texts.includes(`"${path}"`) && !texts.includes(`/${path.split("/").pop()}"`) && !texts.includes(`"${path.split("/").pop()}"`));
  return tops.find((path) => /Ops\.td$/.test(path)) ?? tops[0] ?? paths[0] ?? Object.keys(files)[0];
}
