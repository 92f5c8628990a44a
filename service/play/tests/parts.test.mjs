// Tests of the playground's modules that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { bytesBefore, offsets } from "../src/bytes.js";
import { difference, near } from "../src/difference.js";
import { ended } from "../src/enclosed.js";
import { fault, first, freePath, isWanted, renamed, without } from "../src/files.js";
import { checked, pack, unpack } from "../src/link.js";
import { blocks, spans } from "../src/markdown.js";
import { template } from "../src/snippet.js";

test("bytes and units of UTF-16 agree with the encoder", () => {
  const text = "aé漢😀\n".repeat(700) + "end";
  const bytes = new TextEncoder().encode(text);
  const at = offsets(text);
  for (const offset of [0, 1, 2, 3, 5, 6, 700, 2801, text.length - 1, text.length]) {
    const before = new TextEncoder().encode(text.slice(0, offset)).length;
    if (/[\ud800-\udbff]$/.test(text.slice(0, offset))) continue;
    assert.equal(bytesBefore(text, offset), before, `${offset}`);
    assert.equal(at(before), offset, `${before}`);
  }
  assert.equal(at(bytes.length + 10), text.length);
  assert.equal(offsets("plain")(3), 3);
  assert.equal(offsets("plain")(30), 5);
});

test("differences give both texts back", () => {
  const random = ((seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648)(7);
  for (let round = 0; round < 300; round++) {
    const lines = () => Array.from({ length: Math.floor(random() * 30) }, () => "abcde"[Math.floor(random() * 5)]);
    const [before, after] = [lines(), lines()];
    const all = difference(before.join("\n") + "\n", after.join("\n") + "\n");
    const side = (sign) => all.filter((line) => line.sign !== sign).map((line) => line.text);
    assert.deepEqual(side("+"), before.length ? before : [""]);
    assert.deepEqual(side("-"), after.length ? after : [""]);
  }
  assert.deepEqual(difference("a\nb\nc\n", "a\nx\nc\n"), [
    { sign: " ", text: "a" },
    { sign: "-", text: "b" },
    { sign: "+", text: "x" },
    { sign: " ", text: "c" },
  ]);
  assert.deepEqual(difference("", "a\n"), [{ sign: "+", text: "a" }]);
});

test("code fragments and comments end where the lexer ends them", () => {
  const code = { start: "[{", end: "}]", passes: "}" };
  const comment = { start: "/*", end: "*/", nests: true };
  for (const [kind, text, rest] of [
    [code, " a }] b", " b"],
    [code, " a }}] b }] c", " c"],
    [code, " a }}}] b", " b"],
    [code, " a } }] b", " b"],
    [code, "[{ a }] b", " b"],
    [code, "}] b", " b"],
    [code, "}}]", null],
    [code, " a }\n]}] b", " b"],
    [comment, " /* a */ b */ c", " c"],
    [comment, "/ a */ b", " b"],
    [comment, "*/ b", " b"],
    [comment, " a }]", null],
  ]) {
    let depth = 1;
    let left = null;
    for (const line of text.split("\n")) {
      const done = ended(kind, line, 0, depth);
      depth = done.depth;
      if (depth === 0) {
        left = line.slice(done.at);
        break;
      }
    }
    assert.equal(left, rest, text);
  }
});

test("far equal lines are left out", () => {
  const long = Array.from({ length: 20 }, (_, index) => `${index}`).join("\n");
  const shown = near(difference(long, long.replace("10", "ten")), 2);
  assert.deepEqual(shown.map(({ sign }) => sign).join(""), "…  -+  …");
  assert.equal(shown[0].text, "8 equal lines");
});

test("paths", () => {
  for (const path of ["a.td", "include/Foo/FooOps.td", "odsmith.toml"]) assert.equal(fault(path), null, path);
  for (const path of ["", "/a.td", "a//b.td", "../a.td", "a/./b", "a\\b", "a:b", "<x>/a.td", "a\u0000", "x".repeat(300)]) assert.ok(fault(path), path);
  assert.ok(isWanted("x/a.td") && isWanted("odsmith.toml") && !isWanted(".git/a.td") && !isWanted("a.cpp"));
  assert.equal(freePath({ "New.td": "", "New2.td": "" }), "New3.td");
  assert.deepEqual(Object.keys(renamed({ a: "1", b: "2" }, "a", "c")), ["c", "b"]);
  assert.deepEqual(without({ a: "1", b: "2" }, "a"), { b: "2" });
  assert.equal(first({ "Base.td": "", "FooOps.td": 'include "Base.td"' }), "FooOps.td");
});

test("a link holds everything", async () => {
  const state = { files: { "a.td": "def A; // é 漢", "b/c.td": "def B;\n".repeat(1000) }, open: "b/c.td", view: "json", mlir: "21", scope: "file", ir: "%a = \"t.é\"() : () -> i32\n" };
  const fragment = await pack(state);
  assert.match(fragment, /^1\.[\w-]+$/);
  assert.ok(fragment.length < 300);
  assert.deepEqual({ ...(await unpack(fragment)) }, { ...state, find: undefined });
});

test("what is no link is refused with words", async () => {
  const packed = (value) => `1.${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;
  const bomb = `1.${deflateRawSync(Buffer.alloc(200 << 20)).toString("base64url")}`;
  for (const [fragment, message] of [
    ["nonsense", /no version/],
    ["1.!!!", /characters/],
    ["1.AAAA", /damaged/],
    [packed("no json"), /no JSON/],
    [packed([1]), /no files/],
    [packed({ files: {} }), /0 files/],
    [packed({ files: { "a.td": 1 } }), /no text/],
    [packed({ files: { "../a.td": "" } }), /has the path/],
    [bomb, /more than 8 MB/],
    [(await pack({ files: { "a.td": "x".repeat(999) } })).slice(0, -6), /damaged/],
  ]) {
    await assert.rejects(unpack(fragment), message, fragment.slice(0, 40));
  }
  assert.equal(checked({ files: { "a.td": "" }, open: "toString", view: 7 }).open, undefined);
  assert.equal(checked(JSON.parse('{"files": {"__proto__": "x", "a.td": ""}}')).files["a.td"], "");
});

test("Markdown of hovers", () => {
  assert.deepEqual(
    blocks("One `a` line\ngoes on\n\n```cpp\nint x;\n```\n- item\n  more\n---").map(({ kind }) => kind),
    ["text", "code", "list", "rule"],
  );
  assert.deepEqual(spans("a **b** `c` _d_ [e](https://x) [f](javascript:1) <b>"), [
    { kind: "text", text: "a " },
    { kind: "strong", text: "b" },
    { kind: "text", text: " " },
    { kind: "code", text: "c" },
    { kind: "text", text: " " },
    { kind: "em", text: "d" },
    { kind: "text", text: " " },
    { kind: "link", text: "e", href: "https://x" },
    { kind: "text", text: " " },
    { kind: "text", text: "f" },
    { kind: "text", text: " <b>" },
  ]);
  assert.deepEqual(spans("snake_case_name"), [{ kind: "text", text: "snake_case_name" }]);
});

test("snippets", () => {
  assert.equal(template("let arguments = (ins $1);"), "let arguments = (ins ${1:});");
  assert.equal(template("type(\\$lhs)"), "type($lhs)");
  assert.equal(template("def ${1:Name} : Op<$2> { $0 }"), "def ${1:Name} : Op<${2:}> \\{ ${99:} \\}");
});
