import { launch, serve } from "./lib.mjs";
const [folder, ...specs] = process.argv.slice(2);
const server = await serve(folder); const browser = await launch();
for (const spec of specs) {
  const [path, width, scheme, out, full] = spec.split(",");
  const page = await (await browser.newContext({ viewport: { width: +width, height: 1000 }, colorScheme: scheme })).newPage();
  await page.goto(`${server.address}/${path}`); await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/site/${out}.png`, fullPage: full === "full" }); await page.context().close();
}
await browser.close(); server.close();
