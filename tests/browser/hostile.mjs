// Hostile text in everything that an author may write, as pages show it: none of it may run. Each page is opened twice
// in a real browser: with its policy, where not even an attempt may be seen, and with the policy switched off, where
// the page must be harmless by itself.
//
//   CHROMIUM=/usr/bin/chromium ODSMITH_BIN=target/debug/odsmith node tests/browser/hostile.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const odsmith = resolve(process.env.ODSMITH_BIN ?? join(here, "../../target/debug/odsmith"));

/** The number of pages that are open at once. */
const TABS = 4;

/** Each calls `ran` if it runs. */
const payloads = [
  "<script>ran(1)</script>",
  "<SCRIPT SRC=data:text/javascript,ran(1)></SCRIPT>",
  "<scr<script>ipt>ran(1)</scr</script>ipt>",
  "</script><script>ran(1)</script>",
  "</title></style></textarea></noscript></template><script>ran(1)</script>",
  "<img src=x onerror=ran(1)>",
  "<img src=x onerror='ran(1)'//",
  "<IMG \"\"\"><SCRIPT>ran(1)</SCRIPT>\">",
  "\"><img src=x onerror=ran(1)>",
  "' onmouseover='ran(1)' x='",
  "\" autofocus onfocus=\"ran(1)",
  "<svg onload=ran(1)>",
  "<svg><script>ran(1)</script></svg>",
  "<svg><animate onbegin=ran(1) attributeName=x dur=1s>",
  "<svg><a xlink:href=\"javascript:ran(1)\"><text y=20>x</text></a></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=ran(1)></style></mglyph></table></mtext></math>",
  "<noscript><p title=\"</noscript><img src=x onerror=ran(1)>\"></p></noscript>",
  "<details open ontoggle=ran(1)>x</details>",
  "<input autofocus onfocus=ran(1)>",
  "<video><source onerror=ran(1)></video>",
  "<audio src=x onerror=ran(1)>",
  "<body onload=ran(1)>",
  "<iframe srcdoc=\"<script>parent.ran(1)</script>\"></iframe>",
  "<iframe src=\"javascript:parent.ran(1)\"></iframe>",
  "<object data=\"javascript:ran(1)\"></object>",
  "<embed src=\"javascript:ran(1)\">",
  "<form action=\"javascript:ran(1)\"><button>x</button></form>",
  "<meta http-equiv=refresh content=\"0;url=javascript:ran(1)\">",
  "<base href=\"//other.invalid/\">",
  "<link rel=stylesheet href=\"data:text/css,body{display:none}\">",
  "<style>@import 'data:text/css,body{display:none}';</style>",
  "<!--><img src=x onerror=ran(1)>-->",
  "<!-- --!><img src=x onerror=ran(1)>",
  "<![CDATA[<img src=x onerror=ran(1)>]] >",
  "<?xml <img src=x onerror=ran(1)> ?>",
  "<a href=\"javascript:ran(1)\">x</a>",
  "<a href=\"java\tscript:ran(1)\">x</a>",
  "<a href=\"&#106;avascript:ran(1)\">x</a>",
  "<a href=\" javascript:ran(1)\">x</a>",
  "[x](javascript:ran(1))",
  "[x](JaVaScRiPt:ran(1))",
  "[x](&#x6A;avascript:ran(1))",
  "[x](java&Tab;script:ran(1))",
  "[x](<javascript:ran(1)>)",
  "[x](vbscript:ran(1))",
  "[x](data:text/html,<script>ran(1)</script>)",
  "[x](file:///etc/passwd)",
  "[x](https://a.invalid/\"onmouseover=\"ran(1))",
  "[x](https://a.invalid 'title\" onmouseover=\"ran(1)')",
  "[x][bad]\n\n[bad]: javascript:ran(1)",
  "![x](javascript:ran(1))",
  "![x\" onerror=\"ran(1)](y)",
  "![x](y \"t\\\" onerror=\\\"ran(1)\")",
  "<javascript:ran(1)>",
  "`<img src=x onerror=ran(1)>`",
  "```\"><script>ran(1)</script>\nx\n```",
  "```mlir\n</code></pre><script>ran(1)</script>\n```",
  "~~~<img src=x onerror=ran(1)>\nx\n~~~",
  "| <img src=x onerror=ran(1)> | b |\n|---|---|\n| [x](javascript:ran(1)) | \"><script>ran(1)</script> |",
  "# <img src=x onerror=ran(1)> {#\"onclick=\"ran(1)}",
  "{{constructor.constructor('ran(1)')()}}",
  "{{{ran}}} {{#with this}}<script>ran(1)</script>{{/with}}",
  "${ran(1)} `${ran(1)}`",
  "\u2028ran(1)\u2029//",
  "&lt;script&gt;ran(1)&lt;/script&gt;",
  "&amp;lt;img src=x onerror=ran(1)&amp;gt;",
  "%3Cscript%3Eran(1)%3C/script%3E",
  "\\<script>ran(1)\\</script>",
  "\u202e<script>ran(1)</script>",
  "<x onclick=ran(1) tabindex=1 style=\"position:fixed;inset:0;z-index:9\">x</x>",
  "<plaintext>",
  "<select><template><img src=x onerror=ran(1)></template></select>",
];

/** A TableGen string literal. */
const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
/** A TableGen code literal, as for descriptions. */
const code = (text) => `[{\n${text}\n}]`;

/** A dialect with a payload in each field of prose, and in each name that pages show and TableGen does not check. */
function hostile(payload, number) {
  const [p, c] = [quoted(payload), code(payload)];
  const line = quoted(payload.replaceAll("\n", " "));
  return `
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"
// ${payload.replaceAll("\n", "\n// ")}
def H_Dialect : Dialect { let name = "hostile${number}"; let cppNamespace = "::h"; let summary = ${line}; let description = ${c}; }
def H_Group : OpDocGroup { let summary = ${line}; let description = ${c}; }
def H_Thing : TypeConstraint<CPred<${line}>, ${line}, ${line}>;
def H_Kind : AttrConstraint<CPred<"true">, ${line}>;
def H_Color : I32EnumAttr<"Color", ${line}, [I32EnumAttrCase<"Red", 0, ${line}>, I32EnumAttrCase<"Blue", 1>]> { let cppNamespace = "::h"; }
def H_Trait : PredOpTrait<${line}, CPred<"true">>;
def H_Interface : OpInterface<"HInterface"> {
  let cppNamespace = "::h"; let description = ${c};
  let methods = [InterfaceMethod<${c}, ${line}, "method", (ins ${line}:$x), ${c}, ${c}>];
}
def H_Attr : AttrDef<H_Dialect, "Hostile"> {
  let mnemonic = "attr"; let summary = ${line}; let description = ${c};
  let parameters = (ins AttrParameter<${line}, ${line}>:$x); let assemblyFormat = "\`<\` $x \`>\`";
}
def H_Type : TypeDef<H_Dialect, "Hostile"> {
  let mnemonic = "type"; let summary = ${line}; let description = ${c};
  let parameters = (ins TypeParameter<${line}, ${line}>:$x); let hasCustomAssemblyFormat = 1;
}
def H_Op : Op<H_Dialect, "op", [H_Trait, H_Interface]> {
  let summary = ${line}; let description = ${c}; let opDocGroup = H_Group;
  let arguments = (ins Arg<H_Thing, ${line}, [MemRead]>:$x, Arg<DefaultValuedAttr<StrAttr, ${line}>, ${line}>:$y, H_Color:$z);
  let results = (outs Res<AnyType, ${line}>:$r);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins CArg<${line}, ${line}>:$x), ${c}>];
  let extraClassDeclaration = ${c};
  let assemblyFormat = "$x attr-dict \`:\` type($x) type($r) $body";
}
def H_Pass : Pass<${line}, ${line}> {
  let summary = ${line}; let description = ${c};
  let options = [Option<"x", ${line}, "int", ${line}, ${line}>, ListOption<"l", "list", "int", ${line}>];
  let statistics = [Statistic<"s", ${line}, ${line}>];
}
`;
}

async function startService() {
  const child = spawn(odsmith, ["serve", "--bind", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return { child, address };
  }
  throw new Error("the service did not start");
}

/** Every page of the site of a bundle with these payloads, one dialect each. */
async function siteOf(address, texts) {
  const files = Object.fromEntries(texts.map((text, number) => [`<img src=x onerror=ran(1)>${number}.td`, hostile(text, number)]));
  files["odsmith.toml"] = `outputs = false\n[docs]\ntitle = ${JSON.stringify(texts[0].replaceAll("\n", " ")).replaceAll("\\u", "\\\\u")}\nsource_url = "https://a.invalid/\\"onmouseover=\\"ran(1)/{path}#{line}"\n`;
  const answer = await fetch(`${address}/v1/generate`, {
    method: "POST",
    body: JSON.stringify({ files }),
    headers: { "content-type": "application/json", accept: "application/json" },
  });
  const result = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(result).slice(0, 3000));
  const place = answer.headers.get("content-location");
  const tar = Buffer.from(await (await fetch(`${address}${place}.tar`)).arrayBuffer());
  const paths = [];
  let long = null;
  for (let at = 0; at + 512 <= tar.length && tar[at]; ) {
    const field = (from, length) => tar.subarray(at + from, at + from + length).toString().split("\0")[0];
    const size = parseInt(field(124, 12), 8);
    const content = tar.subarray(at + 512, at + 512 + size);
    if (String.fromCharCode(tar[at + 156]) === "x") long = /path=(.*)\n/.exec(content.toString())[1];
    else {
      paths.push(long ?? (field(345, 155) ? `${field(345, 155)}/` : "") + field(0, 100));
      long = null;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const pages = paths.filter((path) => /^site\/.*\.html$/.test(path));
  return { place, pages: pages.map((path) => path.slice(5)), all: paths };
}

/** Lists the forbidden parts of a page: handlers, addresses that run, elements that load. */
const wrongs = () => {
  const found = [];
  for (const element of document.querySelectorAll("*:not(head > link[rel=icon])")) {
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) found.push(`${element.tagName} ${name}`);
      const isAddress = ["href", "src", "action", "formaction", "data", "xlink:href", "srcdoc"].includes(name.toLowerCase());
      if (isAddress && /^[\u0000-\u0020]*(javascript|vbscript|data|file)[\u0000-\u0020]*:/i.test(value)) found.push(`${element.tagName} ${name}=${value}`);
    }
    if (/^(iframe|object|embed|base|plaintext|video|audio|maction|annotation-xml|meta)$/i.test(element.tagName) && !element.matches("head > meta")) found.push(element.tagName);
    if (element.tagName === "META" && /refresh/i.test(element.httpEquiv)) found.push("META refresh");
  }
  return found;
};

let service;
let browser;
try {
  service = await startService();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
  const site = await siteOf(service.address, payloads);
  assert.ok(site.pages.length > payloads.length * 3, `${site.pages.length} pages`);
  const base = `${service.address}${site.place.replace("results", "sites")}/`;

  for (const bypassCSP of [false, true]) {
    const context = await browser.newContext({ bypassCSP });
    const ran = [];
    await context.exposeFunction("ran", (what) => ran.push(what));
    await context.addInitScript(() => {
      window.violations = [];
      document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    await context.route((url) => url.origin !== service.address, (route) => {
      ran.push(`asked ${route.request().url()}`);
      return route.abort();
    });
    const open = async () => {
      const page = await context.newPage();
      page.on("dialog", (dialog) => { ran.push("dialog"); dialog.dismiss(); });
      return page;
    };
    // Pages that are harmless without the policy are also harmless with it, so that a part of them suffices.
    const pages = bypassCSP ? site.pages : site.pages.filter((_, number) => number % 5 === 0);
    const left = pages.values();
    // Several tabs, as each waits most of the time.
    const tabs = Array.from({ length: TABS }, async () => {
      const page = await open();
      for (const path of left) {
        const answer = await page.goto(base + path.split("/").map(encodeURIComponent).join("/"));
        assert.equal(answer.status(), 200, path);
        assert.match(answer.headers()["content-security-policy"], /default-src 'none'/);
        assert.deepEqual(await page.evaluate(wrongs), [], path);
        assert.deepEqual(await page.evaluate(() => window.violations), [], `${path} tried what its policy forbids`);
        assert.deepEqual(ran, [], path);
      }
      await page.close();
    });
    await Promise.all(tabs);
    console.log(`   ${payloads.length} payloads on ${pages.length} pages, ${bypassCSP ? "without" : "under"} the policy: nothing runs`);

    // The search index contains the same texts.
    const page = await open();
    await page.goto(`${base}index.html`);
    const search = page.getByRole("combobox").or(page.getByRole("searchbox")).first();
    if (await search.count()) {
      for (const text of ["img", "script", "hostile", "<img src=x onerror=ran(1)>"]) {
        await search.fill(text);
        await page.waitForTimeout(150);
        assert.deepEqual([await page.evaluate(wrongs), ran], [[], []], `search for ${text}`);
      }
    }

    // Served as a file, a page is text.
    for (const path of [site.pages[0], "index.html"]) {
      const answer = await page.goto(`${service.address}${site.place}/files/site/${path.split("/").map(encodeURIComponent).join("/")}`);
      assert.match(answer.headers()["content-type"], /^text\/plain/);
      assert.equal(answer.headers()["x-content-type-options"], "nosniff");
    }

    // The start page shows messages and outputs with these texts.
    await page.goto(`${service.address}/`);
    for (const payload of payloads) {
      await page.fill("#source", `def A { string s = ${quoted(payload)}; }\ndef B : A; // ${payload.split("\n")[0]}\n`);
      await page.getByRole("button", { name: "Generate" }).click();
      await page.locator(".message").first().waitFor();
      assert.deepEqual([(await page.evaluate(wrongs)).filter((what) => !/^META/.test(what)), await page.evaluate(() => window.violations), ran], [[], [], []], payload);
    }
    // Addresses that do not exist, too.
    for (const payload of payloads) {
      const answer = await page.goto(`${service.address}/v1/results/${encodeURIComponent(payload)}/files/${encodeURIComponent(payload)}?${encodeURIComponent(payload)}`);
      assert.match(answer.headers()["content-type"], /^application\/problem\+json/);
      assert.equal(answer.headers()["x-content-type-options"], "nosniff");
    }
    assert.deepEqual(ran, []);
    await context.close();
  }
  console.log("   start page, files, problems: the same texts stay text");
} finally {
  await browser?.close();
  service?.child.kill();
}
