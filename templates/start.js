// Sends the chosen archive and lists what came back.
const form = document.getElementById("try");
const answer = document.getElementById("answer");

const element = (name, text, attributes = {}) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(text);
  return made;
};

const listed = (items) => {
  const list = document.createElement("ul");
  list.append(...items);
  return list;
};

const shown = (diagnostic) => {
  const start = diagnostic.range?.start;
  const place = diagnostic.file ? `${diagnostic.file}:${start.line}:${start.column}: ` : "";
  return element("li", `${place}${diagnostic.severity}: ${diagnostic.message}`, { className: "bad" });
};

const linked = (key, output) => {
  const item = document.createElement("li");
  const isMade = output.status === "ok";
  item.append(isMade
    ? element("a", output.path, { href: `/v1/results/${key}/files/${output.path}` })
    : element("span", `${output.path}: ${output.status}`, { className: "bad" }));
  if (isMade) item.append(` ${output.lines} lines`);
  return item;
};

const show = (result) => {
  const address = `/v1/results/${result.key}`;
  const links = element("p", "");
  for (const end of [".tar.gz", ".zip"]) links.append(element("a", end, { href: address + end }), " ");
  if (result.site) links.append(element("a", "reference site", { href: `/v1/sites/${result.key}/` }));
  const messages = [result.diagnostics, ...result.outputs.map((output) => output.diagnostics)].flat();
  answer.replaceChildren(links, listed(result.outputs.map((output) => linked(result.key, output))), listed(messages.map(shown)));
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  answer.replaceChildren("Working…");
  try {
    const body = document.getElementById("bundle").files[0];
    const headers = { Accept: "application/json", "Content-Type": "application/octet-stream" };
    const reply = await fetch("/v1/generate", { method: "POST", body, headers });
    const document_ = await reply.json();
    if (reply.ok) show(document_);
    else if (document_.result) show(await (await fetch(document_.result)).json());
    else answer.replaceChildren(element("p", `${document_.title} ${document_.detail}`, { className: "bad" }));
  } catch (error) {
    answer.replaceChildren(element("p", String(error), { className: "bad" }));
  } finally {
    button.disabled = false;
  }
});
