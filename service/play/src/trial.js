// IR that is read by the definitions as they are typed: the operation's parse, and the other form.

import { bytesBefore, offsets } from "./bytes.js";
import { editor, viewer } from "./editor.js";
import { make } from "./results.js";

/** The file's name in questions and messages. */
export const PATH = "try-it.mlir";

/** The byte of a place with a line and a column from 1. */
function byteOf(text, { line, column }) {
  const before = text.split("\n").slice(0, line - 1);
  return bytesBefore(text, before.reduce((sum, one) => sum + one.length + 1, 0)) + column - 1;
}

/** An editor of IR with the result below it. It calls `changed()` when something else is to be asked. */
export class Trial {
  constructor(byId, changed) {
    this.text = undefined;
    this.view = byId("ir-view");
    this.said = byId("ir-said");
    this.parse = byId("ir-parse");
    this.place = byId("ir-text");
    this.edit = editor(byId("ir"), {
      language: "mlir",
      on: {
        change: (text) => {
          if (text === this.text) return;
          this.text = text;
          changed();
        },
        move: () => this.view.value === "parse" && changed(),
      },
    });
    this.viewer = viewer(this.place);
    this.view.addEventListener("change", changed);
  }

  /** Takes a text; undefined for the examples of the definitions, which are asked for then. */
  open(text) {
    this.text = text;
    this.opened = text;
    this.edit.forget();
    this.edit.show(PATH, text ?? "");
  }

  get isEdited() {
    return this.text !== this.opened;
  }

  question({ files, mlir }) {
    return {
      files: { ...files, [PATH]: this.text },
      mlir,
      path: PATH,
      view: this.view.value,
      offset: bytesBefore(this.text, this.edit.offset),
    };
  }

  /** Shows an answer, and returns the problems of the text with places in bytes. */
  show({ problems, shown }) {
    const isParse = this.view.value === "parse";
    this.parse.hidden = !isParse;
    this.place.hidden = isParse;
    if (isParse) this.showParse(shown);
    else {
      this.said.textContent = shown.left ? `${shown.left} ${shown.left === 1 ? "operation stays" : "operations stay"} as written: not all of ${shown.left === 1 ? "it" : "them"} is known.` : "";
      this.viewer.show(shown.text, "mlir", { isSame: true });
    }
    const own = problems.filter((problem) => problem.file === PATH && problem.range);
    const placed = own.map(({ severity, message, range }) => {
      const start = byteOf(this.text, range.start);
      return { severity, message, related: [], place: { path: PATH, ...range.start, range: { start, end: Math.max(byteOf(this.text, range.end), start) } } };
    });
    this.edit.mark(placed.map(({ place, severity, message }) => ({ ...place.range, severity, message })));
    return placed;
  }

  showParse(shown) {
    this.said.textContent = shown ? `${shown.name}, in ${shown.form} form` : "There is no operation at the cursor.";
    if (!shown) return this.parse.replaceChildren();
    const at = offsets(this.text);
    const rows = shown.pieces.map(({ start, end, element }) => {
      const [text] = this.text.slice(at(start), at(end)).split("\n");
      const isLong = at(end) - at(start) > text.length;
      return make("tr", {}, make("td", {}, make("code", {}, isLong ? `${text} …` : text)), make("td", {}, element.startsWith("$") || /[`(-]/.test(element) ? make("code", {}, element) : element));
    });
    const head = make("tr", {}, make("th", { scope: "col" }, "Text"), make("th", { scope: "col" }, "Read by"));
    this.parse.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  }
}
