/** Path to text: .td files, .md files, and an odsmith.toml if there is one. */
export type Files = Record<string, string>;

export interface Options {
  /** The release of MLIR to emulate, as "22". */
  mlir?: string;
  /** The manifest, if it is not among the files: odsmith.toml as JSON. */
  manifest?: Record<string, unknown>;
}

/** A message at a place; `odsmith` over HTTP describes all fields in its OpenAPI document. */
export interface Diagnostic {
  severity: "error" | "warning" | "note" | "remark";
  code: string;
  message: string;
  file?: string;
  range?: { start: { line: number; column: number }; end: { line: number; column: number } };
  notes?: Diagnostic[];
}

export interface Problem {
  place: { path: string; range: { start: number; end: number }; line: number; column: number } | null;
  severity: "error" | "warning" | "remark";
  message: string;
  origin: "evaluation" | "after-error" | "model" | "deprecated" | "request";
  related: { place: Problem["place"]; message: string }[];
}

export interface Generated {
  /** result.json: how it went, output by output. */
  result: { status: "ok" | "failed" | "skipped"; outputs: { path: string; status: string; td: string; flags: string[] }[]; diagnostics: Diagnostic[] } & Record<string, unknown>;
  /** Path to bytes: C++ below cpp/, the reference site below site/, model.json. */
  files: Record<string, Uint8Array>;
}

/** model.json: https://json-schema.org form by `odsmith schema model`. */
export type Model = { mlir: string; dialects: ({ name: string } & Record<string, unknown>)[] } & Record<string, unknown>;

/** A question that was refused, with the document that the service would send (RFC 9457). */
export class OdsmithError extends Error {
  readonly status: number;
  readonly problem: Record<string, unknown>;
  readonly diagnostics: Diagnostic[];
}

/** The releases of MLIR whose libraries are in this package, the preferred one first. */
export const releases: readonly string[];

/** Everything that files define: C++, Markdown, the reference site, the model. */
export function generate(files: Files, options?: Options): Promise<Generated>;
/** The dialects that files define, as data. */
export function model(files: Files, options?: Options): Promise<Model>;
/** The problems of files, each at its place. */
export function check(files: Files, options?: Options): Promise<{ roots: string[]; problems: Problem[] }>;
/** What is unwise in files. */
export function lint(files: Files, options?: Options): Promise<{ findings: Record<string, unknown>[] } & Record<string, unknown>>;
/** What the change from one model to another breaks. */
export function diff(before: Model, after: Model): Promise<{ findings: Record<string, unknown>[] } & Record<string, unknown>>;

/** An instance of the module, for programs that bring their own libraries or run it in a worker. */
export class Odsmith {
  /** Loads `odsmith_web.wasm`: its bytes, compiled, or an answer of `fetch`. */
  static load(source: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>): Promise<Odsmith>;
  constructor(module: WebAssembly.Module);
  /** Adds the library of a release: the bytes that `odsmith library pack 22 -o 22.tar.zst` writes. */
  addLibrary(mlir: string, packed: Uint8Array): void;
  libraries(): string[];
  /** Asks a question of the service's, by the end of its address: `ide/preview`, `ide/hover`, `ir/check`, … */
  ask(kind: string, question?: unknown, bytes?: Uint8Array): { status: 200; answer: unknown; files: Record<string, Uint8Array> };
  generate(files: Files, options?: Options): Generated;
  model(files: Files, options?: Options): Model;
  check(files: Files, options?: Options): { roots: string[]; problems: Problem[] };
  lint(files: Files, options?: Options): { findings: Record<string, unknown>[] } & Record<string, unknown>;
  diff(before: Model, after: Model): { findings: Record<string, unknown>[] } & Record<string, unknown>;
}
