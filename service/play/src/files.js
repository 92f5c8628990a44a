// The files: path → text. Every change gives a new object, so that a run that was kept stays as it was.

/** Longer paths are refused by servers. */
const MOST_PATH = 200;

/** What is wrong with a path, if anything is. */
export function fault(path) {
  if (!path) return "A file needs a path.";
  if (path.length > MOST_PATH) return "The path is too long.";
  if (/[\\:\u0000-\u001f<>|?*"]/.test(path)) return "A path has no \\ : < > | ? * \" in it.";
  if (path.startsWith("/")) return "A path begins with no slash.";
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) return "A path has no empty part, no . and no .. in it.";
  if (path.normalize("NFC") !== path) return "The path is not in normal form C.";
  return null;
}

/** Whether a file of a folder is of use here. */
export const isWanted = (path) => /(\.(td|inc)|(^|\/)odsmith\.toml)$/.test(path) && !/(^|\/)\./.test(path);

/** The files with one more, or with another text. */
export const withText = (files, path, text) => ({ ...files, [path]: text });

/** The files without one. */
export function without(files, path) {
  const { [path]: _, ...rest } = files;
  return rest;
}

/** The files with one under another path, at its place. */
export function renamed(files, path, next) {
  return Object.fromEntries(Object.entries(files).map(([known, text]) => [known === path ? next : known, text]));
}

/** A path that is not taken yet. */
export function freePath(files, wanted = "New.td") {
  const [, stem, end] = wanted.match(/^(.*?)(\.[^./]*)?$/);
  for (let number = 1; ; number++) {
    const path = number === 1 ? wanted : `${stem}${number}${end ?? ""}`;
    if (!(path in files)) return path;
  }
}

/** The file to look at first: the one that no other includes, if its name says that it has operations, or else the first. */
export function first(files) {
  const paths = Object.keys(files).filter((path) => path.endsWith(".td"));
  const texts = Object.values(files).join("\n");
  const tops = paths.filter((path) => !texts.includes(`"${path}"`) && !texts.includes(`/${path.split("/").pop()}"`) && !texts.includes(`"${path.split("/").pop()}"`));
  return tops.find((path) => /Ops\.td$/.test(path)) ?? tops[0] ?? paths[0] ?? Object.keys(files)[0];
}
