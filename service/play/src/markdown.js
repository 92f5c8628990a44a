// The subset of Markdown that hovers use: paragraphs, lists, fenced and indented code, code spans, emphasis, links.
// Everything else stays text; HTML is never interpreted.

/** The blocks of a text: {kind: "code", language, text} | {kind: "list", items: [spans]} | {kind: "text", spans} | {kind: "rule"}. */
export function blocks(text) {
  const found = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const fence = line.match(/^(`{3,}|~{3,})\s*([\w+-]*)/);
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.startsWith(fence[1]));
      const last = end < 0 ? lines.length : end;
      found.push({ kind: "code", language: fence[2], text: lines.slice(at + 1, last).join("\n") });
      at = last + 1;
    } else if (/^(---+|\*\*\*+)\s*$/.test(line)) {
      found.push({ kind: "rule" });
      at += 1;
    } else if (/^\s*[-*]\s+/.test(line)) {
      const items = [];
      while (at < lines.length && /^\s*[-*]\s+/.test(lines[at])) {
        let item = lines[at].replace(/^\s*[-*]\s+/, "");
        at += 1;
        while (at < lines.length && /^\s{2,}\S/.test(lines[at]) && !/^\s*[-*]\s+/.test(lines[at])) item += ` ${lines[at++].trim()}`;
        items.push(spans(item));
      }
      found.push({ kind: "list", items });
    } else if (!line.trim()) {
      at += 1;
    } else {
      let paragraph = line.replace(/^#+\s+/, "");
      at += 1;
      const goesOn = (other) => other.trim() && !/^(`{3,}|~{3,})/.test(other) && !/^\s*[-*]\s+/.test(other) && !/^---+\s*$/.test(other);
      while (at < lines.length && goesOn(lines[at])) paragraph += ` ${lines[at++].trim()}`;
      found.push({ kind: "text", spans: spans(paragraph) });
    }
  }
  return found;
}

/** The spans of a line: {kind: "text" | "code" | "strong" | "em" | "link", text, href?}. */
export function spans(line) {
  const found = [];
  const pattern = /(`+)(.+?)\1(?!`)|\*\*(.+?)\*\*|(?<![\w*])[*_](?!\s)([^*_]+?)[*_](?!\w)|\[([^\]]*)\]\(([^)\s]*)\)/g;
  let last = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > last) found.push({ kind: "text", text: line.slice(last, match.index) });
    const [whole, , code, strong, em, label, href] = match;
    if (code !== undefined) found.push({ kind: "code", text: code.trim() });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (em !== undefined) found.push({ kind: "em", text: em });
    else found.push(/^https?:/.test(href) ? { kind: "link", text: label, href } : { kind: "text", text: label });
    last = match.index + whole.length;
  }
  if (last < line.length) found.push({ kind: "text", text: line.slice(last) });
  return found;
}

/** Renders a text as elements. */
export function render(text) {
  const view = document.createElement("div");
  view.className = "markdown";
  for (const block of blocks(text)) {
    if (block.kind === "code") {
      const pre = document.createElement("pre");
      pre.textContent = block.text;
      view.append(pre);
    } else if (block.kind === "rule") {
      view.append(document.createElement("hr"));
    } else if (block.kind === "list") {
      const list = document.createElement("ul");
      for (const item of block.items) list.append(element("li", item));
      view.append(list);
    } else {
      view.append(element("p", block.spans));
    }
  }
  return view;
}

function element(name, parts) {
  const made = document.createElement(name);
  for (const part of parts) {
    if (part.kind === "text") {
      made.append(part.text);
      continue;
    }
    const inner = document.createElement({ code: "code", strong: "strong", em: "em", link: "a" }[part.kind]);
    inner.textContent = part.text;
    if (part.href) Object.assign(inner, { href: part.href, target: "_blank", rel: "noopener noreferrer" });
    made.append(inner);
  }
  return made;
}
