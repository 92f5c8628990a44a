// The editor, and the viewer of texts beside it.
//
// Both live in shadow roots: there CodeMirror adds its styles as constructed sheets, which the page's policy allows,
// instead of as elements, which it forbids.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";

import { offsets } from "./bytes.js";
import { colours, languages } from "./languages.js";
import { render } from "./markdown.js";
import { template } from "./snippet.js";

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--shade)" },
  ".cm-activeLineGutter": { color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 22%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)", textDecorationSkipInk: "none" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn)", textDecorationSkipInk: "none" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--line)", borderRadius: "6px", maxWidth: "min(36rem, 92vw)" },
  ".cm-tooltip-hover": { maxHeight: "18rem", overflowY: "auto" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", maxHeight: "14rem", minWidth: "min(18rem, 80vw)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "light-dark(#fff, #10243a)" },
  ".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-completionInfo": { padding: "0", maxWidth: "min(24rem, 80vw)" },
  ".cm-diagnostic": { padding: "4px 10px", borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--shade)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel label": { fontSize: "12px" },
  ".cm-textfield": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--number) 30%, transparent)" },
  ".markdown": { padding: "6px 10px", fontFamily: "system-ui, sans-serif", fontSize: "13px", lineHeight: "1.45" },
  ".markdown p, .markdown ul": { margin: "4px 0" },
  ".markdown ul": { paddingLeft: "1.1rem" },
  ".markdown pre": { margin: "4px 0", fontFamily: "var(--mono)", fontSize: "12px", whiteSpace: "pre-wrap" },
  ".markdown code": { fontFamily: "var(--mono)", fontSize: "12px" },
  ".markdown a": { color: "var(--accent)" },
  ".markdown hr": { border: "0", borderTop: "1px solid var(--line)" },
});

/** Creates a container for an editor inside an element. */
function inside(element) {
  const root = element.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  // The page's style sheet does not apply in a shadow root.
  place.style.height = "100%";
  root.append(place);
  return { root, parent: place };
}

/**
 * Creates the editor. It calls `on.change(text)` after edits and `on.move()` when the cursor moves; `ask.hover(at)` and
 * `ask.completion(at)` return what to show at an offset of the editor, if there are such answers.
 */
export function editor(element, { on, ask, language = "tablegen" }) {
  const { root, parent } = inside(element);
  const label = new Compartment();
  const named = (path) => EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, "aria-description": "Tab indents. Escape, then Tab, leaves.", tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
  const extensions = (path) => [
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    search({ top: true }),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    languages[language],
    colours,
    look,
    label.of(named(path)),
    ask ? autocompletion({ override: [completions(ask)], activateOnTyping: true, icons: false, maxRenderedOptions: 100 }) : [],
    ask ? hoverTooltip(hover(ask), { hoverTime: 250 }) : [],
    keymap.of([
      // After Escape, CodeMirror lets Tab move the focus, so that keyboard users can leave the editor.
      { key: "Tab", run: indentMore, shift: indentLess },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) on.change(update.state.doc.toString());
      else if (update.selectionSet) on.move();
    }),
  ];
  const states = new Map();
  const view = new EditorView({ root, parent, state: EditorState.create({ doc: "", extensions: extensions("") }) });
  let open = "";
  return {
    view,
    /** The offset of the cursor. */
    get offset() {
      return view.state.selection.main.head;
    },
    /** Shows a file in its last state: cursor, scrolling, history. */
    show(path, text) {
      if (open) states.set(open, view.state);
      open = path;
      const known = states.get(path);
      view.setState(known && known.doc.toString() === text ? known : EditorState.create({ doc: text, extensions: extensions(path) }));
    },
    /** Forgets the states of all files. */
    forget() {
      states.clear();
      open = "";
    },
    /** Moves the cursor to an offset, centres it and focuses the editor. */
    go(offset) {
      const at = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    /** Moves the cursor to an offset and scrolls it to the top. */
    look(offset) {
      view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: "start", yMargin: 40 }) });
    },
    /** Underlines problems: {start, end, severity, message}, in bytes. */
    mark(problems) {
      const at = offsets(view.state.doc.toString());
      const marks = problems.map(({ start, end, severity, message }) => {
        const from = at(start);
        return { from, to: Math.max(at(end), from), severity: severity === "remark" ? "info" : severity, message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
  };
}

/** Creates a read-only viewer. */
export function viewer(element) {
  const { root, parent } = inside(element);
  const language = new Compartment();
  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: "",
      extensions: [
        lineNumbers(),
        drawSelection(),
        search({ top: true }),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": "What the files become", tabindex: "0", "aria-readonly": "true" }),
        language.of([]),
        colours,
        look,
        keymap.of([...searchKeymap, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter")]),
      ],
    }),
  });
  return {
    view,
    /** Shows a text; if it is a new version of the same one, the scroll position stays. */
    show(text, name, { isSame, line = 0 }) {
      const doc = view.state.doc.toString();
      if (doc !== text) {
        const top = view.scrollDOM.scrollTop;
        view.dispatch({ changes: changed(doc, text), effects: language.reconfigure(languages[name] ?? []) });
        if (isSame) view.scrollDOM.scrollTop = top;
      }
      if (!isSame) {
        const at = view.state.doc.line(Math.min(line + 1, view.state.doc.lines)).from;
        view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 40 }) });
      }
    },
  };
}

/** The smallest contiguous change from one text to another. */
function changed(before, after) {
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let end = 0;
  while (end < most - from && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

const KINDS = { def: "constant", field: "property", argument: "variable", operator: "function", directive: "keyword", file: "text", folder: "text" };

function completions(ask) {
  return async (context) => {
    const word = context.matchBefore(/[\w$!]+/);
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !word && !/[:,<("`[/]/.test(before)) return null;
    const stop = new AbortController();
    context.addEventListener("abort", () => stop.abort(), { onDocChange: true });
    const answer = await ask.completion(context.pos, stop.signal);
    if (!answer?.items.length || context.aborted) return null;
    const at = offsets(context.state.doc.toString());
    const { start } = answer.items[0].replace;
    const options = answer.items
      .filter((item) => item.replace.start === start)
      .map((item, index) => ({
        label: item.label,
        detail: item.detail,
        type: KINDS[item.kind] ?? item.kind,
        // The service sends them in order.
        boost: Math.max(-99, 99 - index),
        info: item.documentation ? () => render(item.documentation) : undefined,
        apply: apply(item, at),
      }));
    return { from: at(start), options, validFor: answer.is_incomplete ? undefined : /^[\w$!]*$/ };
  };
}

function apply(item, at) {
  return (view, completion, from, to) => {
    const { addition } = item;
    const insert = item.snippet ? snippet(template(item.snippet)) : null;
    if (insert) insert(view, completion, from, to);
    else view.dispatch({ changes: { from, to, insert: item.label }, selection: { anchor: from + item.label.length }, userEvent: "input.complete" });
    // It lies in front of what was just written, so that its place is the same as before.
    if (addition) view.dispatch({ changes: { from: at(addition.offset), insert: addition.text }, userEvent: "input.complete" });
  };
}

function hover(ask) {
  return async (view, position) => {
    const answer = await ask.hover(position);
    if (!answer?.text) return null;
    const at = offsets(view.state.doc.toString());
    return { pos: at(answer.range.start), end: at(answer.range.end), above: true, create: () => ({ dom: render(answer.text) }) };
  };
}
