// Requests to the service. A newer request of the same kind aborts the one before.

/** A failed request, with a message for users. */
export class Refusal extends Error {
  constructor(status, message, after) {
    super(message);
    Object.assign(this, { status, after });
  }
}

const running = new Map();

/** Sends a request and returns the answer; undefined if a newer request of this kind replaced it. */
export async function ask(kind, question, signal) {
  running.get(kind)?.abort();
  const stop = new AbortController();
  running.set(kind, stop);
  signal?.addEventListener("abort", () => stop.abort(), { once: true });
  try {
    const answer = await fetch(`/v1/ide/${kind}`, {
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

async function refusal(answer) {
  const after = Number(answer.headers.get("retry-after")) || 0;
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401) return new Refusal(401, "The server asks for a token: open its start page, and come back.");
  const detail = problem.detail ?? `status ${answer.status}`;
  return new Refusal(answer.status, problem.title ? `${problem.title} ${detail}` : detail, after);
}

/** The releases of MLIR that the server has. */
export async function releases() {
  const answer = await fetch("/v1/libraries");
  if (!answer.ok) throw await refusal(answer);
  return (await answer.json()).libraries.map((library) => library.mlir);
}
