// Odsmith in this program or page, from odsmith_web.wasm. Questions and answers have the shapes of the service's JSON.

const written = new TextEncoder();
const read = new TextDecoder();

/** A question that was refused, with the document that the service would send. */
export class OdsmithError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    Object.assign(this, { name: "OdsmithError", status, problem, diagnostics: problem.diagnostics ?? [] });
  }
}

/** A stack that ended, or a fault of odsmith. The instance is made anew, and the next question is answered as usual. */
function trap(error) {
  const isDeep = error instanceof RangeError;
  const detail = isDeep ? "the definitions are nested too deeply for the stack of this program" : `odsmith ended in a way that it never should: ${error.message}`;
  return new OdsmithError(isDeep ? 422 : 500, { title: isDeep ? "The input needs more than a job may use." : "A mistake of ours.", code: isDeep ? "limit-exceeded" : "internal", detail });
}

/** An instance: libraries, and the questions that it answers by them. */
export class Odsmith {
  /** Makes an instance of a compiled module, of its bytes, or of an answer of `fetch`. */
  static async load(source) {
    const given = await source;
    if (given instanceof WebAssembly.Module) return new Odsmith(given);
    if (typeof Response !== "undefined" && given instanceof Response) {
      // Servers that do not know the media type send bytes.
      const bytes = await given.arrayBuffer();
      return new Odsmith(await WebAssembly.compile(bytes));
    }
    return new Odsmith(await WebAssembly.compile(given));
  }

  #module;
  #exports;
  #libraries = new Map();

  constructor(module) {
    this.#module = module;
    this.#begin();
  }

  #begin() {
    this.#exports = new WebAssembly.Instance(this.#module, {}).exports;
    for (const [mlir, packed] of this.#libraries) this.#send("library", { mlir }, packed);
  }

  #send(ask, question, bytes = new Uint8Array()) {
    const head = written.encode(JSON.stringify({ ask, question }));
    const { memory, question: place, answer, answered } = this.#exports;
    const at = place(4 + head.length + bytes.length);
    new DataView(memory.buffer).setUint32(at, head.length, true);
    const all = new Uint8Array(memory.buffer);
    all.set(head, at + 4);
    all.set(bytes, at + 4 + head.length);
    const length = answer() >>> 0;
    const made = new Uint8Array(memory.buffer, answered() >>> 0, length);
    const headLength = new DataView(made.buffer, made.byteOffset).getUint32(0, true);
    const said = JSON.parse(read.decode(made.subarray(4, 4 + headLength)));
    let start = 4 + headLength;
    const files = {};
    for (const { path, bytes: size } of said.files) files[path] = made.slice(start, (start += size));
    return { ...said, files };
  }

  /** Asks a question of the service's, by the end of its address: `ide/preview`, `generate`, `model`, … */
  ask(kind, question, bytes) {
    let answered;
    try {
      answered = this.#send(kind, question, bytes);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof WebAssembly.RuntimeError)) throw error;
      this.#begin();
      throw trap(error);
    }
    if (answered.status !== 200) throw new OdsmithError(answered.status, answered.answer);
    return answered;
  }

  /** Adds the library of a release: the bytes of a packed one (`odsmith library pack 22 -o 22.tar.zst`). */
  addLibrary(mlir, packed) {
    this.ask("library", { mlir }, packed);
    this.#libraries.set(mlir, packed);
  }

  /** The releases that have a library here. */
  libraries() {
    return this.ask("libraries").answer.libraries.map((library) => library.mlir);
  }

  /** Everything that files define: `{ result, files }`, where `files` has the bytes of each. */
  generate(files, { mlir, manifest } = {}) {
    const { answer, files: made } = this.ask("generate", { files, mlir, request: manifest });
    return { result: answer, files: made };
  }

  /** The dialects that files define, as data. */
  model(files, { mlir, manifest } = {}) {
    return this.ask("model", { files, mlir, request: manifest }).answer;
  }

  /** The problems of files, each at its place. */
  check(files, { mlir } = {}) {
    return this.ask("ide/check", { files, mlir }).answer;
  }

  /** What is unwise in files. */
  lint(files, { mlir, manifest } = {}) {
    return this.ask("lint", { files, mlir, request: manifest }).answer;
  }

  /** What the change from one model to another breaks. */
  diff(before, after) {
    return this.ask("diff", { old: before, new: after }).answer;
  }
}
