// Answers without a server: questions go to odsmith_web.wasm in a worker. A page of a server uses it as soon as it is there.

import worker from "worker";

/** What a playground without a server says of itself: its releases, and the parts that scripts have brought. */
const own = globalThis.odsmithStatic;

/** Tells if there is no server. */
export const isStatic = Boolean(own);

/** Tells if the server has a module for this page. */
const isServed = !isStatic && "module" in document.documentElement.dataset;

/** The bytes of a part: from the server, or written as base64 in a script, as pages of a disk may load scripts alone. */
async function part(name, address) {
  let packed;
  if (isStatic) {
    const script = document.createElement("script");
    script.src = `data/${name}.js`;
    await new Promise((done, fail) => {
      Object.assign(script, { onload: done, onerror: () => fail(new Error(`The part ${name} of this playground cannot be loaded.`)) });
      document.head.append(script);
    });
    packed = Uint8Array.from(atob(own.parts[name]), (letter) => letter.charCodeAt(0));
    delete own.parts[name];
    script.remove();
  } else {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
    packed = new Uint8Array(await answer.arrayBuffer());
  }
  // The module unpacks libraries itself.
  if (packed[0] !== 0x1f) return packed;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let started;
let number = 0;
const waiting = new Map();

/** Starts the worker, which has the module but no library yet. */
function start() {
  started ??= (async () => {
    const module = await part("module", "/play/module");
    const instance = new Worker(URL.createObjectURL(new Blob([worker], { type: "text/javascript" })));
    instance.onmessage = ({ data: { id, answer, refusal } }) => {
      const { done, fail } = waiting.get(id);
      waiting.delete(id);
      if (refusal) fail(refusal);
      else done(answer);
    };
    const send = (message) =>
      new Promise((done, fail) => {
        waiting.set(++number, { done, fail });
        instance.postMessage({ ...message, id: number });
      });
    await send({ kind: "load", module });
    return send;
  })();
  return started;
}

/** The worker with the library of each release, from when it is needed for the first time. */
const prepared = new Map();
const ready = new Set();

function prepare(mlir) {
  if (!prepared.has(mlir)) {
    const bring = async () => {
      const [send, packed] = await Promise.all([start(), part(`mlir-${mlir}`, `/play/libraries/${encodeURIComponent(mlir)}`)]);
      await send({ kind: "library", mlir, packed });
      ready.add(mlir);
      return send;
    };
    prepared.set(mlir, bring());
  }
  return prepared.get(mlir);
}

/** Tells if the module answers about a release. A page of a server brings what is missing once there is time. */
export function answers(mlir) {
  if (isStatic || ready.has(mlir)) return true;
  if (isServed && mlir) {
    // Without it, the server goes on answering.
    const later = globalThis.requestIdleCallback ?? setTimeout;
    later(() => prepare(mlir).catch(() => {}));
  }
  return false;
}

/** The newest question of each kind, and the end of all that the worker was given. */
const newest = new Map();
let last = Promise.resolve();

/** Asks a question; undefined if a newer one of this kind came before the worker was free. */
export async function ask(kind, question, signal) {
  const turn = {};
  newest.set(kind, turn);
  const mlir = question.mlir ?? own.releases[0];
  const send = await prepare(mlir);
  const isWanted = () => newest.get(kind) === turn && !signal?.aborted;
  const answer = last.then(() => (isWanted() ? send({ kind, question: { ...question, mlir } }) : undefined));
  last = answer.catch(() => {});
  return answer;
}

/** The releases of a playground without a server. */
export const releases = async () => own.releases;
