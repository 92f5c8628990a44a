// Shows the service's results on the page.

import { difference, near } from "./difference.js";

/** Creates an element with properties, attributes and children. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Shows reference pages in a frame; `open(path)` is called for links to other pages. */
export class PageView {
  constructor(frame, open) {
    this.frame = frame;
    this.open = open;
    this.path = "";
    this.chosen = "";
    this.isThere = null;
  }

  /** Loads the frame on first use. */
  load() {
    this.isThere ??= new Promise((done) => {
      this.frame.addEventListener("load", () => this.frame.contentDocument?.getElementById("main") && done());
      // Pages of a disk may not look into others.
      if (globalThis.odsmithStatic) this.frame.srcdoc = globalThis.odsmithStatic.frame;
      else this.frame.src = "/play/frame.html";
    }).then(() => this.theme(this.chosen));
    return this.isThere;
  }

  async show(html, path) {
    await this.load();
    const inner = this.frame.contentDocument;
    const main = inner.getElementById("main");
    const page = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    const isSame = path === this.path;
    const top = inner.scrollingElement.scrollTop;
    this.path = path;
    // The site of these pages is on no server, so nothing can be fetched.
    for (const picture of page?.querySelectorAll("img[src]:not([src^='data:'])") ?? []) picture.replaceWith(picture.alt);
    main.replaceChildren(...(page ? page.childNodes : []));
    main.onclick = (event) => this.follow(event);
    inner.scrollingElement.scrollTop = isSame ? top : 0;
    for (const closed of isSame ? [] : main.querySelectorAll("details#source-text")) closed.open = true;
  }

  theme(theme) {
    this.chosen = theme;
    const html = this.isThere && this.frame.contentDocument?.documentElement;
    if (!html) return;
    if (theme) html.dataset.theme = theme;
    else delete html.dataset.theme;
  }

  follow(event) {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute("href");
    if (/^[a-z]+:/i.test(href)) {
      if (/^https?:/i.test(href)) window.open(href, "_blank", "noopener,noreferrer");
      return;
    }
    const [path, fragment] = href.split("#");
    if (!path) {
      const target = fragment && this.frame.contentDocument.getElementById(decodeURIComponent(fragment));
      target?.scrollIntoView();
      return;
    }
    const address = new URL(path, `http://site/${this.path}`);
    this.open(decodeURIComponent(address.pathname.slice(1)));
  }
}

const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

/** Shows the changes since the last run. */
export function showChanges(view, shown) {
  const parts = [];
  const findings = shown.comparison?.findings ?? [];
  if (!shown.comparison) parts.push(make("p", {}, "The last run had an error, or no such file: only the texts can be compared."));
  else {
    parts.push(make("h3", {}, findings.length ? `What this breaks: ${counted(findings.length, "finding")}` : "This breaks nothing that is known of"));
    if (findings.length) parts.push(make("ul", {}, ...findings.map(finding)));
  }
  for (const { path, before, after } of shown.texts) {
    const lines = difference(before ?? "", after ?? "");
    const count = (sign) => lines.filter((line) => line.sign === sign).length;
    parts.push(make("h3", {}, `${path}: ${before === null ? "new, " : after === null ? "gone, " : ""}+${count("+")} −${count("-")}`));
    parts.push(make("pre", { tabIndex: 0, role: "region", "aria-label": `Changes of ${path}` }, ...near(lines).slice(0, 2000).map(line)));
  }
  if (!shown.texts.length) parts.push(make("p", {}, "What is generated is the same as after the last run. Run (Ctrl Enter) keeps the files as they are now."));
  view.replaceChildren(...parts);
}

function finding({ severity, rule, subject, message, effects }) {
  const kind = severity === "error" || severity === "breaking" ? "bad" : "warning";
  const levels = Object.entries(effects ?? {}).map(([level, verdict]) => `${level}: ${verdict}`);
  return make("li", {}, make("strong", { className: kind }, `${severity} ${rule}`), ` ${subject}: ${message} `, make("small", {}, levels.join(" · ")));
}

function line({ sign, text }) {
  const className = { "+": "added", "-": "removed", "…": "gap" }[sign] ?? "";
  return make("span", { className }, `${sign} ${text}`);
}
