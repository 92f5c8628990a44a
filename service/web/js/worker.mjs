// A worker with an instance. Messages have a number, which their answer has as well:
//
//   { id, kind: "load", module }             the module, compiled or as bytes
//   { id, kind: "library", mlir, packed }    the library of a release
//   { id, kind, question }                   a question of the service's, by the end of its address

import { Odsmith, OdsmithError } from "./odsmith.mjs";

let instance;

async function answer({ kind, question, module, mlir, packed }) {
  if (kind === "load") {
    instance = await Odsmith.load(module);
    return null;
  }
  if (kind === "library") return instance.addLibrary(mlir, packed) ?? null;
  const { answer, files } = instance.ask(kind, question);
  return kind === "generate" ? { result: answer, files } : answer;
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ id: data.id, answer: await answer(data) });
  } catch (error) {
    const problem = error instanceof OdsmithError ? error.problem : { detail: error.message };
    self.postMessage({ id: data.id, refusal: { status: error.status ?? 0, problem } });
  }
};
