// Requests to the service, or to the module of a page without a server. A newer request of the same kind replaces the one
// before.

import * as module from "./module.js";

/** A failed request, with a message for users. */
export class Refusal extends Error {
  constructor(status, message, after) {
    super(message);
    Object.assign(this, { status, after });
  }
}

const running = new Map();

/** Sends a request, such as "ide/preview", and returns the answer; undefined if a newer request of this kind replaced it. */
export async function ask(kind, question, signal) {
  const mlir = question.mlir ?? (await preferred);
  if (module.answers(mlir)) return askModule(kind, { ...question, mlir }, signal);
  running.get(kind)?.abort();
  const stop = new AbortController();
  running.set(kind, stop);
  signal?.addEventListener("abort", () => stop.abort(), { once: true });
  try {
    const answer = await fetch(`/v1/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      signal: stop.signal,
    });
    if (!answer.ok) throw await refusal(answer);
    return await answer.json();
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    throw error instanceof Refusal ? error : new Refusal(0, "The server cannot be reached.");
  } finally {
    if (running.get(kind) === stop) running.delete(kind);
  }
}

async function askModule(kind, question, signal) {
  try {
    return await module.ask(kind, question, signal);
  } catch (error) {
    throw error.problem ? told(error.status, error.problem) : new Refusal(0, error.message);
  }
}

async function refusal(answer) {
  const after = Number(answer.headers.get("retry-after")) || 0;
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401) return new Refusal(401, "The server asks for a token: open its start page, and come back.");
  return told(answer.status, problem, after);
}

function told(status, problem, after) {
  const detail = problem.detail ?? `status ${status}`;
  return new Refusal(status, problem.title ? `${problem.title} ${detail}` : detail, after);
}

/** The release of questions that name none, once it is known. */
let preferred = module.isStatic ? module.releases().then(([first]) => first) : undefined;

/** The releases of MLIR that the server or the page has. */
export async function releases() {
  if (module.isStatic) return module.releases();
  const answer = await fetch("/v1/libraries");
  if (!answer.ok) throw await refusal(answer);
  const all = (await answer.json()).libraries.map((library) => library.mlir);
  preferred = all[0];
  return all;
}
