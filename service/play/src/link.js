// Links that contain the whole state in the fragment of the address, so that no server stores it.
//
//   #1.<base64url of the deflated JSON of { files, open, view, mlir, … }>

import { fault } from "./files.js";

const VERSION = "1.";
/** The limit for the unpacked size: a short link could otherwise fill the memory. */
export const MOST_BYTES = 8 << 20;
const MOST_FILES = 500;

/** Encodes a state as a fragment. */
export async function pack(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return VERSION + toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Decodes a fragment; throws an error with the reason if it is invalid. */
export async function unpack(fragment) {
  if (!fragment.startsWith(VERSION)) throw new Error("it is of no version that is known here");
  const text = await inflate(fromBase64(fragment.slice(VERSION.length)));
  let state;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Error("what is in it is no JSON");
  }
  return checked(state);
}

async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch {
      throw new Error("it is damaged, or not all of it is here");
    }
    if (part.done) return text + decoder.decode();
    length += part.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel().catch(() => {});
      throw new Error(`it unpacks to more than ${MOST_BYTES >> 20} MB`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

/** Keeps the known parts of a state that have the right type. */
export function checked(state) {
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(state) || !isObject(state.files)) throw new Error("there are no files in it");
  const entries = Object.entries(state.files);
  if (!entries.length || entries.length > MOST_FILES) throw new Error(`it has ${entries.length} files`);
  for (const [path, text] of entries) {
    if (typeof text !== "string") throw new Error("a file in it is no text");
    const wrong = fault(path);
    if (wrong) throw new Error(`a file in it has the path ${JSON.stringify(path.slice(0, 60))}: ${wrong}`);
  }
  const text = (value) => (typeof value === "string" && value.length < 500 ? value : undefined);
  const { open, view, mlir, scope, find, ir } = state;
  const files = Object.fromEntries(entries);
  return {
    files,
    open: text(open) !== undefined && Object.hasOwn(files, open) ? open : undefined,
    view: text(view),
    mlir: text(mlir),
    scope: scope === "file" ? "file" : undefined,
    find: text(find),
    ir: typeof ir === "string" ? ir : undefined,
  };
}

function toBase64(bytes) {
  let text = "";
  // The number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("there are characters in it that no link has");
  let bytes;
  try {
    bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("it is damaged, or not all of it is here");
  }
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
