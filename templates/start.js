// Sends pasted, dropped or chosen files and shows the result: messages at their lines, and the generated files.

const byId = (id) => document.getElementById(id);
const [form, source, chosen, drop, status, answer] = ["try", "source", "chosen", "drop", "status", "answer"].map(byId);

const EXAMPLE = `include "mlir/IR/OpBase.td"

def Hello_Dialect : Dialect {
  let name = "hello";
  let summary = "A dialect that greets.";
  let cppNamespace = "::hello";
}

def Hello_GreetOp : Op<Hello_Dialect, "greet"> {
  let summary = "Greets a person.";
  let arguments = (ins StrAttr:$name, I32:$times);
  let results = (outs I32:$greeted);
}
`;
const PASTED = "input.td";
const IS_WANTED = /(\.(td|inc|md)|(^|\/)odsmith\.toml)$/;

/** The input: {files: path → text}, {archive: File}, or null for the text field. */
let bundle = null;

const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

/** Allows line breaks after the slashes of a path. */
const breakable = (path) => path.split(/(?<=\/)/).flatMap((part) => [part, make("wbr")]);

const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

// --- input --------------------------------------------------------------------------------------------------

const choose = (next, text) => {
  bundle = next;
  chosen.textContent = text;
  chosen.hidden = !next;
  source.hidden = Boolean(next);
  byId("source-label").hidden = Boolean(next);
  byId("reset").hidden = !next;
  status.replaceChildren();
  answer.replaceChildren();
};

const chooseFiles = async (entries) => {
  const wanted = entries.filter(([path]) => IS_WANTED.test(path) && !/(^|\/)\./.test(path));
  const files = {};
  for (const [path, file] of wanted) files[path] = await file.text();
  if (!wanted.length) return complain("There is no .td file in it.");
  choose({ files }, `${counted(wanted.length, "file")}: ${wanted.slice(0, 4).map(([path]) => path).join(", ")}${wanted.length > 4 ? ", …" : ""}`);
};

const chooseOne = async (file) => {
  if (file.name.endsWith(".td")) {
    choose(null, "");
    source.value = await file.text();
  } else {
    choose({ archive: file }, `${file.name}, ${counted(file.size, "byte")}`);
  }
};

/** All files in a dropped entry, with paths relative to it. */
const below = async (entry, path) => {
  if (entry.isFile) return [[path, await new Promise((done, fail) => entry.file(done, fail))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A reader returns at most a hundred entries at a time.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const child of some) found.push(...(await below(child, path ? `${path}/${child.name}` : child.name)));
  }
};

for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", (event) => drop.contains(event.relatedTarget) || drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  // The browser empties the list after the event.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  try {
    if (entries.length === 1 && entries[0].isFile) return await chooseOne((await below(entries[0], entries[0].name))[0][1]);
    // A single folder is the bundle; several entries form one together.
    const parts = await Promise.all(entries.map((entry) => below(entry, entries.length === 1 ? "" : entry.name)));
    await chooseFiles(parts.flat());
  } catch (error) {
    complain(`It cannot be read: ${error.message}`);
  }
});

byId("pick-folder").addEventListener("click", () => byId("folder").click());
byId("pick-archive").addEventListener("click", () => byId("archive").click());
byId("reset").addEventListener("click", () => choose(null, ""));
byId("folder").addEventListener("change", (event) => {
  const inside = (file) => file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
  chooseFiles([...event.target.files].map((file) => [inside(file), file]));
});
byId("archive").addEventListener("change", (event) => event.target.files[0] && chooseOne(event.target.files[0]));

// --- messages -----------------------------------------------------------------------------------------------

const complain = (...parts) => status.replaceChildren(make("p", { className: "bad" }, ...parts));

/** The lines around a place, which is underlined. Columns count bytes. */
const excerpt = (text, { start, end }) => {
  const lines = text.split("\n");
  const view = make("div", { className: "source", tabIndex: 0, role: "group", "aria-label": `Line ${start.line}` });
  for (let number = Math.max(1, start.line - 2); number <= Math.min(lines.length, start.line + 2); number++) {
    const line = make("div", { "data-line": number });
    if (number === start.line) {
      const bytes = new TextEncoder().encode(lines[number - 1]);
      const part = (from, to) => new TextDecoder().decode(bytes.slice(from, to));
      const last = end.line === start.line && end.column > start.column ? end.column - 1 : start.column;
      line.className = "at";
      line.append(part(0, start.column - 1), make("mark", {}, part(start.column - 1, last) || " "), part(last));
    } else {
      line.append(lines[number - 1]);
    }
    view.append(line);
  }
  return view;
};

const shown = (message, files) => {
  const { severity, file, range } = message;
  const place = file ? `${file}:${range.start.line}:${range.start.column}: ` : "";
  const kind = severity === "error" ? "bad" : "warning";
  const view = make("div", { className: "message" }, make("p", {}, place, make("strong", { className: kind }, `${severity}: `), message.message));
  if (file && files[file] !== undefined) view.append(excerpt(files[file], range));
  for (const note of message.notes ?? []) view.append(shown(note, files));
  return view;
};

// --- the answer ---------------------------------------------------------------------------------------------

const fileList = (result) => {
  const list = make("ul", { "aria-label": "Generated files" });
  const view = make("pre", { tabIndex: 0, role: "region", "aria-label": "The chosen file" });
  const open = async (path, button) => {
    for (const other of list.querySelectorAll("button")) other.setAttribute("aria-current", String(other === button));
    const reply = await fetch(`/v1/results/${result.key}/files/${path.split("/").map(encodeURIComponent).join("/")}`);
    view.textContent = await reply.text();
    view.scrollTop = 0;
  };
  for (const output of result.outputs) {
    const name = output.path.replace(/^cpp\//, "");
    if (output.status === "ok") {
      const button = make("button", { type: "button" }, make("span", {}, ...breakable(name)), make("small", {}, output.lines.toLocaleString("en")));
      button.addEventListener("click", () => open(output.path, button));
      list.append(make("li", {}, button));
    } else {
      list.append(make("li", {}, make("span", { className: "bad" }, `${name}: ${output.status}`)));
    }
  }
  const first = list.querySelector("button");
  if (first) first.click();
  return result.outputs.length ? make("div", { className: "files" }, list, view) : "";
};

const show = (result, milliseconds, files) => {
  const made = result.outputs.filter((output) => output.status === "ok");
  const lines = made.reduce((sum, output) => sum + output.lines, 0);
  const all = made.length === result.outputs.length ? "" : ` of ${result.outputs.length}`;
  const what = made.length ? `${counted(made.length, "file")}${all}, ${counted(lines, "line")}` : "Nothing could be made";
  const text = `${what}, in ${milliseconds.toFixed(0)} ms`;
  status.replaceChildren(make("p", { className: result.status === "ok" ? "" : "bad" }, text));
  const address = `/v1/results/${result.key}`;
  const links = make("p", { className: "downloads" });
  if (result.site) links.append(make("a", { href: `/v1/sites/${result.key}/` }, "Reference site"));
  for (const { path, sha256 } of result.archives.filter(({ path }) => /\.(tar\.gz|zip)$/.test(path))) {
    links.append(make("a", { href: path, title: `sha256 ${sha256}` }, path.slice(address.length)));
  }
  links.append(make("a", { href: address }, "result.json"));
  const messages = [result.diagnostics, ...result.outputs.map((output) => output.diagnostics)].flat();
  answer.replaceChildren(links, ...messages.map((message) => shown(message, files)), fileList(result));
};

// --- waiting ------------------------------------------------------------------------------------------------

const STAGES = ["waiting", "planning", "evaluating", "documenting"];
const DOING = {
  waiting: () => "Waiting for its turn…",
  planning: () => "Looking for what there is…",
  evaluating: ({ targets }) => `Evaluating: ${targets.done} of ${counted(targets.of, "root")}…`,
  documenting: ({ pages }) => `Writing pages: ${pages.toLocaleString("en")} so far…`,
};

/** Shows the progress of a job. */
const showProgress = (report) => {
  const { stage, targets } = report;
  const part = stage === "evaluating" && targets.of ? targets.done / targets.of : 0;
  const bar = make("progress", { max: STAGES.length, value: STAGES.indexOf(stage) + part, "aria-label": "Progress" });
  status.replaceChildren(make("p", {}, DOING[stage]?.(report) ?? "Working…"), bar);
};

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Polls the address of a job, at growing intervals, until the result exists. */
const result = async (request) => {
  const first = await fetch("/v1/generate", { ...request, headers: { ...request.headers, Prefer: "respond-async" } });
  const address = first.headers.get("Location");
  let reply = first;
  for (let wait = 50; reply.status === 202 && address; wait = Math.min(1000, wait * 1.5)) {
    showProgress(await reply.json());
    await pause(wait);
    reply = await fetch(address, { headers: { Accept: "application/json" } });
  }
  // Another server, or a restarted one, does not know the job.
  return reply !== first && reply.status === 404 ? fetch("/v1/generate", request) : reply;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.main");
  button.disabled = true;
  status.replaceChildren("Working…");
  const files = bundle?.files ?? (bundle ? {} : { [PASTED]: source.value });
  const headers = { Accept: "application/json", "Content-Type": bundle?.archive ? "application/octet-stream" : "application/json" };
  const body = bundle?.archive ?? JSON.stringify({ files });
  try {
    const start = performance.now();
    const reply = await result({ method: "POST", body, headers });
    const found = await reply.json();
    const milliseconds = performance.now() - start;
    if (reply.ok) show(found, milliseconds, files);
    else if (found.result) show(await (await fetch(found.result)).json(), milliseconds, files);
    else {
      answer.replaceChildren();
      complain(`${found.title} `, found.detail);
    }
  } catch (error) {
    answer.replaceChildren();
    complain(`The server did not answer: ${error.message}`);
  } finally {
    button.disabled = false;
  }
});

source.value = EXAMPLE;
byId("commands").textContent = byId("commands").textContent.replaceAll("http://localhost:8080", location.origin);
