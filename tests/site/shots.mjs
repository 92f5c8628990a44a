// Screenshots of a finished site: every kind of page at three widths, light, dark, on paper and in forced colours, into
// tests/browser/shots/; with --readme, the two in the README instead.
//
//   node tests/site/shots.mjs SITE-FOLDER [--readme]

import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve, siteFolder } from "./lib.mjs";

const PAGES = {
  home: "index.html", dialect: "arith/index.html", all: "arith/all.html", operation: "arith/op/cmpi.html",
  region: "scf/op/for.html", large: "gpu/op/launch.html", empty: "rocdl/op/ds.atomic.async.barrier.arrive.b64.html",
  long: "spirv/op/GroupNonUniformBallotBitCount.html", type: "llvm/type/struct.html",
  attribute: "llvm/attr/access_group.html", enum: "arith/enum/CmpIPredicate.html", trait: "trait/Pure.html",
  interface: "interface/LoopLikeOpInterface.html", constraint: "constraint/SignlessIntegerOrIndexLike.html",
  class: "class/Arith_BinaryOp.html", pass: "passes/pass/cse.html", patterns: "mill/patterns.html",
  matrix: "spirv/facts/MinVersion.html", facts: "spirv/op/FAdd.html", release: "release/22.html",
  removed: "vector/op/extractelement.html", changed: "vector/op/extract.html",
  guide: "guide/README.html", coverage: "coverage.html", az: "az.html",
};
const WIDTHS = [320, 768, 1440];
const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  print: { colorScheme: "light" },
  forced: { colorScheme: "dark", forcedColors: "active" },
};

const folder = siteFolder();
const browserTests = join(dirname(fileURLToPath(import.meta.url)), "../browser");
const pictures = join(browserTests, "../../.github/pictures");
const server = await serve(folder);
const browser = await launch();
const open = async (path, viewport, look, isPrint) => {
  const page = await (await browser.newContext({ viewport, ...look })).newPage();
  if (isPrint) await page.emulateMedia({ media: "print" });
  await page.goto(`${server.address}/${path}`);
  return page;
};
try {
  if (process.argv.includes("--readme")) {
    const viewport = { width: 1280, height: 800 };
    const page = await open(PAGES.operation, viewport, LOOKS.light);
    await page.screenshot({ path: join(pictures, "reference-site.png") });
    const search = await open(PAGES.operation, viewport, LOOKS.dark);
    await search.fill("#search", "vec contarct");
    await search.locator("#search-preview code").waitFor();
    await search.screenshot({ path: join(pictures, "reference-search.png") });
  } else {
    mkdirSync(join(browserTests, "shots"), { recursive: true });
    for (const [kind, path] of Object.entries(PAGES).filter(([, path]) => existsSync(join(folder, path)))) {
      for (const [name, look] of Object.entries(LOOKS)) {
        for (const width of WIDTHS) {
          const page = await open(path, { width, height: 900 }, look, name === "print");
          await page.screenshot({ path: join(browserTests, "shots", `${kind}-${name}-${width}.png`), fullPage: kind !== "az" });
          await page.context().close();
        }
      }
    }
  }
} finally {
  await browser.close();
  server.close();
}
