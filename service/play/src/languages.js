// Syntax highlighting of words, strings, comments and numbers.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

import { ended } from "./enclosed.js";

const words = (text) => new Set(text.split(" "));

/** A language that is highlighted line by line: the meanings of its words, and its comments and strings. */
function language({ keywords = words(""), types = words(""), comment = "//", block, strings = /^"(?:[^"\\]|\\.)*"?/, raw, special }) {
  const enclosed = [block && { ...block, style: "comment" }, raw && { ...raw, style: "string" }].filter(Boolean);
  return StreamLanguage.define({
    startState: () => ({ inside: null, depth: 0 }),
    token(stream, state) {
      if (state.inside) {
        const { style } = state.inside;
        const { depth, at } = ended(state.inside, stream.string, stream.pos, state.depth);
        stream.pos = at;
        state.depth = depth;
        if (depth === 0) state.inside = null;
        return style;
      }
      if (stream.eatSpace()) return null;
      if (comment && stream.match(comment)) {
        stream.skipToEnd();
        return "comment";
      }
      const opened = enclosed.find(({ start }) => stream.match(start));
      if (opened) {
        state.inside = opened;
        state.depth = 1;
        return opened.style;
      }
      if (stream.match(strings)) return "string";
      const found = special?.(stream);
      if (found) return found;
      if (stream.match(/^(0x[0-9a-fA-F]+|0b[01]+|\d+(\.\d+)?([eE][+-]?\d+)?)/)) return "number";
      const word = stream.match(/^[A-Za-z_][\w]*/);
      if (word) return keywords.has(word[0]) ? "keyword" : types.has(word[0]) ? "typeName" : null;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: comment || undefined } },
  });
}

const tablegen = language({
  keywords: words("assert class code dag def defm defset defvar deftype dump else false field foreach if in include let multiclass then true"),
  types: words("bit bits int list string"),
  block: { start: "/*", end: "*/", nests: true },
  raw: { start: "[{", end: "}]", passes: "}" },
  special: (stream) =>
    stream.match(/^![a-z]+/) ? "keyword" : stream.match(/^\$[\w]+/) ? "variableName" : stream.match(/^#(define|ifdef|ifndef|else|endif)/) ? "meta" : null,
});
const cpp = language({
  keywords: words(
    "alignas auto break case catch class const constexpr continue default delete do else enum explicit extern false for friend if inline namespace new noexcept nullptr operator override private protected public return sizeof static struct switch template this throw true try typedef typename union using virtual void volatile while",
  ),
  types: words("bool char double float int int32_t int64_t long short signed size_t uint16_t uint32_t uint64_t unsigned"),
  block: { start: "/*", end: "*/" },
  special: (stream) => (stream.sol() && stream.match(/^#\w+/) ? "meta" : null),
});
const python = language({
  keywords: words("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return self try while with yield"),
  comment: "#",
  raw: { start: '"""', end: '"""' },
  strings: /^[rf]?("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/,
  special: (stream) => (stream.match(/^@[\w.]+/) ? "meta" : null),
});
const mlir = language({
  keywords: words("true false unit loc module func attributes"),
  special: (stream) => (stream.match(/^%[\w$.#-]+/) ? "variableName" : stream.match(/^[!#][\w.$]+/) ? "typeName" : stream.match(/^[@^][\w$.]+/) ? "meta" : null),
  types: words("i1 i8 i16 i32 i64 f16 bf16 f32 f64 index none tensor memref vector tuple complex"),
});
const json = language({ keywords: words("true false null"), comment: "" });

/** The languages by the service's names. */
export const languages = { tablegen, cpp, python, mlir, json };

/** The colours of the page's theme. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: "var(--keyword)" },
    { tag: tags.string, color: "var(--string)" },
    { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: tags.number, color: "var(--number)" },
    { tag: tags.typeName, color: "var(--name)" },
    { tag: tags.variableName, color: "var(--name)" },
    { tag: tags.meta, color: "var(--number)" },
  ]),
);
