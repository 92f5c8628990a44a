// The playground: files on the left, the generated outputs on the right, live.

import examples from "examples";

import { bytesBefore, offsets } from "./bytes.js";
import { editor, viewer } from "./editor.js";
import { fault, first, freePath, renamed, withText, without } from "./files.js";
import { chosen, dropped } from "./folder.js";
import { pack, unpack } from "./link.js";
import { PageView, make, showChanges } from "./results.js";
import { ask, releases } from "./service.js";
import { tabs } from "./tabs.js";
import { PATH as TRIED, Trial } from "./trial.js";

const VIEWS = { cpp: "C++", page: "Page", example: "Example IR", try: "Try it", python: "Python", records: "Records", json: "JSON", changes: "Changes" };
/** The pause in typing before the service is called, and before the address is updated. */
const [WAIT, KEEP] = [50, 800];
/** The time before a screen reader announces problems: most disappear when the line is complete. */
const SPEAK = 1500;
/** The limit for addresses that are updated automatically; longer ones are only copied on request. */
const MOST_ADDRESS = 60_000;

const NO_PROGRAM = "// No operation of these files has an example: write IR here.\n";

const byId = (id) => document.getElementById(id);

const state = {
  files: {},
  open: "",
  /** The files as they were opened; while they are unchanged, the address stays. */
  opened: {},
  /** The files as they were at the last run. */
  last: {},
  view: "cpp",
  scope: "definition",
  output: { definition: undefined, file: undefined },
  page: undefined,
  mlir: undefined,
  problems: [],
  /** The output that is shown, so that an update of it keeps the scroll position. */
  shown: "",
};

// --- messages -----------------------------------------------------------------------------------------------

/** True while a failed request is shown, which the next answer clears. */
let isOfService = false;

function notice(text, isBad = false) {
  isOfService = false;
  if (byId("notice").textContent !== text) byId("notice").textContent = text;
  byId("notice").classList.toggle("bad", isBad);
}

// --- the parts of the page ----------------------------------------------------------------------------------

const here = (offset) => ({ files: state.files, mlir: state.mlir, path: state.open, offset: bytesBefore(state.files[state.open], offset) });

/** Tests if the open file has definitions; a manifest has no outputs. */
const isOfDefinitions = () => !state.open.endsWith(".toml");

/** Lets the browser paint between the slowest steps. */
const pause = () => new Promise((done) => setTimeout(done));
// The static page is painted before the editor is created.
await new Promise((done) => requestAnimationFrame(done));
await pause();
byId("editor").replaceChildren();
const edit = editor(byId("editor"), {
  on: {
    change(text) {
      if (state.files[state.open] === text) return;
      state.files = withText(state.files, state.open, text);
      if (!isOfService) notice("");
      soon();
    },
    move() {
      if (state.scope === "definition" && state.view !== "changes" && state.view !== "try") soon();
    },
  },
  ask: {
    // A failed hover or completion is not worth a message.
    hover: async (offset) => (isOfDefinitions() ? ask("ide/hover", here(offset)).catch(() => null) : null),
    completion: async (offset, signal) => (isOfDefinitions() ? ask("ide/completion", here(offset), signal).catch(() => null) : null),
  },
});
await pause();
const text = viewer(byId("text"));
await pause();
const page = new PageView(byId("page"), (path) => {
  state.page = path;
  soon(0);
});

await pause();
const trial = new Trial(byId, () => soon());

const fileTabs = tabs(byId("files"), byId("editor"), { choose: openFile, remove: removeFile });
const viewTabs = tabs(byId("views"), byId("panel"), {
  choose(view) {
    Object.assign(state, { view, page: undefined, shown: "" });
    soon(0);
  },
});

function showFiles() {
  const bad = new Set(state.problems.filter((problem) => problem.severity === "error").map((problem) => problem.place?.path));
  fileTabs.fill(
    Object.keys(state.files).map((path) => ({ id: path, label: path, isBad: bad.has(path) })),
    state.open,
  );
}

function openFile(path, offset) {
  if (state.open !== path) {
    state.open = path;
    edit.show(path, state.files[path]);
    fileTabs.select(path);
    underline();
  }
  if (offset !== undefined) edit.go(offset);
  soon(0);
}

/** Replaces all files and starts a new run. */
function openFiles(files, { open, view, scope, find, ir } = {}) {
  edit.forget();
  trial.open(ir);
  Object.assign(state, { files, opened: files, last: files, problems: [], shown: "", page: undefined, open: "" });
  if (view && view in VIEWS) state.view = view;
  state.scope = scope ?? "definition";
  byId("scope").value = state.scope;
  viewTabs.fill(
    Object.entries(VIEWS).map(([id, label]) => ({ id, label })),
    state.view,
  );
  const path = open ?? first(files);
  openFile(path);
  const at = find ? files[path].indexOf(find) : -1;
  if (at >= 0) edit.look(at);
  showFiles();
}

// --- what the files become ----------------------------------------------------------------------------------

let timer;
let keeper;

/** Calls the service after a pause in typing. */
function soon(wait = WAIT) {
  clearTimeout(timer);
  timer = setTimeout(update, wait);
  clearTimeout(keeper);
  keeper = setTimeout(keepInAddress, KEEP);
}

async function update() {
  const { files, view, scope, open, page: pageWanted, last } = state;
  const isOfDefinition = scope === "definition" && isOfDefinitions() && view !== "changes" && !(view === "page" && pageWanted);
  const question = {
    files,
    mlir: state.mlir,
    path: isOfDefinitions() ? open : first(files),
    view,
    offset: isOfDefinition ? bytesBefore(files[open], edit.offset) : undefined,
    output: state.output[scope],
    page: pageWanted,
    before: view === "changes" ? last : undefined,
  };
  const begun = performance.now();
  let answer;
  try {
    answer = await (view === "try" ? tryIt(question) : ask("ide/preview", question));
  } catch (error) {
    notice(error.message, true);
    isOfService = true;
    if (error.after) soon(error.after * 1000);
    return;
  }
  // The files have changed since, or a newer request is running.
  if (!answer || state.files !== files || state.view !== view || state.scope !== scope) return;
  if (isOfService) notice("");
  state.problems = (view === "try" ? [...answer.problems, ...trial.show(answer.tried)] : answer.problems).sort(inOrder);
  showProblems();
  if (view === "try") showTrial();
  else await showAnswer(answer, question);
  document.documentElement.dataset.time = (performance.now() - begun).toFixed(1);
  document.documentElement.dataset.shown = `${view} ${state.shown}`;
}

/** What is wrong with the files, and what they say of the IR; at first, of the examples of all operations. */
async function tryIt({ files, mlir, path }) {
  if (trial.text === undefined) {
    notice("The definitions of MLIR are read…");
    const made = await ask("ide/preview", { files, mlir, path, view: "program" });
    if (!made) return undefined;
    // Files with an error have no examples yet.
    trial.open(made.shown?.text || NO_PROGRAM);
  }
  const text = trial.text;
  const [own, tried] = await Promise.all([ask("ide/check", { files, mlir }), ask("ir/check", trial.question({ files, mlir }))]);
  notice("");
  // The IR has changed since, or a newer request is running.
  if (!own || !tried || trial.text !== text) return undefined;
  return { problems: own.problems, tried };
}

function showTrial() {
  for (const id of ["page", "changes", "text", "stale"]) byId(id).hidden = true;
  byId("asked").hidden = true;
  byId("try").hidden = false;
  state.shown = trial.said.textContent;
}

async function showAnswer({ shown, is_whole: isWhole, root }, { view, offset }) {
  for (const [id, views] of [["page", ["page"]], ["changes", ["changes"]], ["text", ["cpp", "example", "python", "records", "json"]]]) byId(id).hidden = !views.includes(view);
  byId("scope").parentElement.hidden = view === "changes";
  byId("try").hidden = true;
  byId("asked").hidden = false;
  const hasEarlier = state.shown.startsWith(`${view} `);
  byId("stale").hidden = Boolean(shown);
  byId("stale").textContent = isWhole
    ? "There is no such definition at the cursor."
    : `There is an error: ${hasEarlier ? "this is what came of the files before it" : "what the files become can be shown when it is mended"}.`;
  if (!shown) {
    if (hasEarlier && !isWhole) return;
    state.shown = "";
    byId("output-label").hidden = true;
    byId("of").textContent = "";
    text.show("", "", { isSame: false });
    byId("changes").replaceChildren();
    byId("page").hidden = true;
    return;
  }
  showOutputs(shown);
  byId("of").textContent = view === "page" ? shown.page.path : view === "changes" ? `since the last run, of ${root}` : shown.record ?? root;
  const subject = `${view} ${offset === undefined ? root : shown.record} ${shown.output ?? shown.page?.path ?? ""}`;
  const isSame = subject === state.shown;
  state.shown = subject;
  if (view === "page") await page.show(shown.text, shown.page.path);
  else if (view === "changes") showChanges(byId("changes"), shown);
  else text.show(shown.text, shown.language, { isSame, line: offset === undefined ? 0 : shown.line });
}

function showOutputs({ outputs, output }) {
  byId("output-label").hidden = outputs.length < 2;
  const options = outputs.map(({ path, lines }) => new Option(lines ? `${path} (${lines.toLocaleString("en")} lines)` : path, path, false, path === output));
  const known = [...byId("output").options].map((option) => option.text).join();
  if (known === options.map((option) => option.text).join()) byId("output").value = output;
  else byId("output").replaceChildren(...options);
}

// --- problems -----------------------------------------------------------------------------------------------

let speaker;

function underline() {
  const own = state.problems.filter((problem) => problem.place?.path === state.open);
  edit.mark(own.map(({ place, severity, message }) => ({ ...place.range, severity, message })));
}

function showProblems() {
  underline();
  showFiles();
  const errors = state.problems.filter((problem) => problem.severity === "error").length;
  const others = state.problems.length - errors;
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const parts = [errors && counted(errors, "error"), others && counted(others, "warning")].filter(Boolean);
  const summary = parts.join(", ") || "No problems";
  if (byId("problem-count").textContent !== summary) {
    byId("problem-count").textContent = summary;
    clearTimeout(speaker);
    speaker = setTimeout(() => (byId("said").textContent = summary), SPEAK);
  }
  byId("problems").classList.toggle("bad", errors > 0);
  byId("problem-list").replaceChildren(...state.problems.slice(0, 100).map(problemLine));
}

/** Problems in the order of files and lines; those without a place come first. */
function inOrder(a, b) {
  const [one, other] = [a, b].map(({ place }) => [place?.path ?? "", place?.range.start ?? -1]);
  return one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : one[1] - other[1];
}

function problemLine({ place, severity, message, origin, related }) {
  const isOwn = place && place.path in state.files;
  const isTried = place?.path === TRIED;
  const button = make("button", { type: "button" });
  if (place) button.append(make("small", {}, `${place.path}:${place.line}:${place.column}: `));
  button.append(make("strong", { className: severity === "error" ? "bad" : "warning" }, `${severity}: `), message);
  if (origin === "after-error") button.append(make("small", {}, " (after an earlier error)"));
  for (const { place: at, message: more } of related) button.append(make("small", {}, `\n${at ? `${at.path}:${at.line}: ` : ""}${more}`));
  if (isTried) button.addEventListener("click", () => trial.edit.go(offsets(trial.text)(place.range.start)));
  else if (isOwn) button.addEventListener("click", () => openFile(place.path, offsets(state.files[place.path])(place.range.start)));
  else button.disabled = true;
  return make("li", {}, button);
}

// --- files --------------------------------------------------------------------------------------------------

/** Asks for the path of a file. */
function askPath(label, path) {
  const dialog = byId("ask");
  const name = byId("ask-name");
  byId("ask-label").textContent = label;
  byId("ask-fault").textContent = "";
  name.value = path;
  dialog.returnValue = "";
  dialog.showModal();
  name.select();
  return new Promise((done) => {
    dialog.onsubmit = (event) => {
      const wanted = name.value.trim();
      const wrong = fault(wanted) ?? (wanted !== path && wanted in state.files ? "There is such a file." : null);
      byId("ask-fault").textContent = wrong ?? "";
      if (wrong) event.preventDefault();
    };
    dialog.onclose = () => done(dialog.returnValue === "ok" ? name.value.trim() : null);
  });
}
byId("ask-cancel").addEventListener("click", () => byId("ask").close());

byId("new").addEventListener("click", async () => {
  const path = await askPath("Path of the new file", freePath(state.files));
  if (!path || path in state.files) return;
  state.files = withText(state.files, path, "");
  showFiles();
  openFile(path);
  fileTabs.select(path);
  edit.view.focus();
});

byId("rename").addEventListener("click", async () => {
  const old = state.open;
  const path = await askPath("Path of the file", old);
  if (!path || path === old) return;
  state.files = renamed(state.files, old, path);
  state.open = "";
  openFile(path);
  showFiles();
});

byId("remove").addEventListener("click", () => removeFile(state.open));

function removeFile(path) {
  if (Object.keys(state.files).length < 2) return notice("The last file stays.");
  state.files = without(state.files, path);
  if (state.open === path) {
    state.open = "";
    openFile(first(state.files));
  }
  showFiles();
  soon(0);
}

const menu = byId("menu");
function toggleMenu(isOpen) {
  menu.hidden = !isOpen;
  byId("more").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) menu.querySelector("button").focus();
}
byId("more").addEventListener("click", () => toggleMenu(menu.hidden));
menu.addEventListener("click", () => toggleMenu(false));
menu.addEventListener("keydown", (event) => {
  const all = [...menu.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement);
  if (event.key === "ArrowDown") all[(at + 1) % all.length].focus();
  else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length].focus();
  else if (event.key === "Escape") {
    toggleMenu(false);
    byId("more").focus();
  } else return;
  event.preventDefault();
});
document.addEventListener("click", (event) => {
  if (!menu.hidden && !event.target.closest(".tools")) toggleMenu(false);
});

byId("folder").addEventListener("click", () => byId("pick").click());
byId("pick").addEventListener("change", async (event) => {
  await take(() => chosen(event.target.files));
  event.target.value = "";
});
const left = byId("left");
for (const name of ["dragenter", "dragover"]) {
  left.addEventListener(name, (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    left.classList.add("over");
  });
}
left.addEventListener("dragleave", (event) => left.contains(event.relatedTarget) || left.classList.remove("over"));
left.addEventListener(
  "drop",
  (event) => {
    left.classList.remove("over");
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    take(() => dropped(event.dataTransfer.items));
  },
  true,
);

async function take(read) {
  try {
    openFiles(await read());
    history.replaceState(null, "", location.pathname);
    byId("example").value = "";
  } catch (error) {
    notice(`It cannot be read: ${error.message}`, true);
  }
}

// --- the bar ------------------------------------------------------------------------------------------------

byId("scope").addEventListener("change", (event) => {
  Object.assign(state, { scope: event.target.value, page: undefined });
  soon(0);
});
byId("output").addEventListener("change", (event) => {
  state.output[state.scope] = event.target.value;
  soon(0);
});
byId("release").addEventListener("change", (event) => {
  state.mlir = event.target.value;
  soon(0);
});

const run = () => {
  state.last = state.files;
  notice("These files are the last run now: Changes shows what differs from here on.");
  clearTimeout(timer);
  update();
};
byId("run").addEventListener("click", run);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !byId("ask").open) {
    event.preventDefault();
    run();
  }
});

const linked = () => pack({ files: state.files, open: state.open, view: state.view, mlir: state.mlir, scope: state.scope, ir: trial.text });

/** Keeps the files across a reload of the page. */
async function keepInAddress() {
  if (state.files === state.opened && !trial.isEdited) return;
  const fragment = await linked();
  if (fragment.length < MOST_ADDRESS) history.replaceState(null, "", `#${fragment}`);
}

byId("share").addEventListener("click", async () => {
  history.replaceState(null, "", `#${await linked()}`);
  const { length } = location.href;
  const warning = length > 8000 ? ` It has ${length.toLocaleString("en")} characters: some programs cut such links.` : "";
  try {
    await navigator.clipboard.writeText(location.href);
    notice(`The link is copied. It holds all files; nothing is stored.${warning}`);
  } catch {
    notice(`The page's address is the link. It holds all files; nothing is stored.${warning}`);
  }
});

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
function setTheme(theme) {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  page.theme(theme);
  byId("theme").setAttribute("aria-pressed", String(isDark()));
}
byId("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  // A choice that equals the system's setting need not be stored.
  const kept = (theme === "dark") === prefersDark.matches ? "" : theme;
  try {
    // The reference pages of this server use the same key.
    if (kept) localStorage.setItem("odsmith-theme", kept);
    else localStorage.removeItem("odsmith-theme");
  } catch {
    // The browser may not allow storage.
  }
  setTheme(kept);
});
prefersDark.addEventListener("change", () => setTheme(root.dataset.theme));

// --- start-up -----------------------------------------------------------------------------------------------

function openExample(id) {
  const example = examples.find((example) => example.id === id) ?? examples[0];
  byId("example").value = example.id;
  openFiles(example.files, { open: example.open, view: state.view, scope: state.scope, find: example.find });
}

/** The server's releases, or an empty list if they cannot be fetched. */
const known = releases().catch(() => []);

async function openAddress() {
  const fragment = location.hash.slice(1);
  const example = fragment.match(/^example=([\w-]+)$/);
  if (!fragment || example) return openExample(example?.[1]);
  try {
    const linkedState = await unpack(fragment);
    const { mlir } = linkedState;
    const isHere = !mlir || (await known).includes(mlir);
    state.mlir = isHere ? mlir : undefined;
    byId("example").value = "";
    openFiles(linkedState.files, linkedState);
    if (!isHere) notice(`The link is for MLIR ${mlir}, which this playground does not have.`, true);
  } catch (error) {
    openExample();
    notice(`The link cannot be read: ${error.message}.`, true);
  }
}

async function showReleases() {
  const all = await known;
  const select = byId("release");
  select.replaceChildren(...all.map((name) => new Option(name, name)));
  select.value = state.mlir ?? all[0] ?? "";
  select.disabled = all.length < 2;
}

byId("example").append(new Option("Choose…", "", true), ...examples.map(({ id, title }) => new Option(title, id)));
byId("example").addEventListener("change", (event) => {
  if (!event.target.value) return;
  openExample(event.target.value);
  history.replaceState(null, "", `#example=${event.target.value}`);
  notice("");
});
window.addEventListener("hashchange", () => openAddress().then(showReleases));
let theme = "";
try {
  theme = localStorage.getItem("odsmith-theme") ?? "";
} catch {
  // The browser may not allow storage.
}
setTheme(["light", "dark"].includes(theme) ? theme : "");
await openAddress();
await showReleases();
