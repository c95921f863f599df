import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { app, main, PAGE, shownFrom } from "./app.mjs";

const IMPORTS = JSON.stringify({
  imports: {
    remitkit: "./node_modules/remitkit/index.js",
    "remitkit/inline": "./node_modules/remitkit/inline.js",
  },
});

for (const entry of ["remitkit", "remitkit/inline"]) {
  test(`a page without a bundler imports ${entry} by an import map`, async (t) => {
    const page = PAGE.replace("<script ", `<script type="importmap">${IMPORTS}</script><script `);
    await shownFrom(await app({ "main.js": main(entry), "index.html": page }), t);
  });
}

test("a page without a bundler runs the kit and element from one script", async (t) => {
  const imports = JSON.stringify({ imports: { remitkit: "./remitkit.min.js", "remitkit/element": "./remitkit.min.js" } });
  const lines = 'import { defineRemitCardForm } from "remitkit/element";\ndefineRemitCardForm();\nconst more = {};';
  const folder = await app({
    "main.js": main("remitkit", lines),
    "index.html": PAGE.replace("<script ", `<script type="importmap">${imports}</script><script `),
  });
  await copyFile(join(folder, "node_modules/remitkit/remitkit.min.js"), join(folder, "remitkit.min.js"));
  await rm(join(folder, "node_modules"), { recursive: true });
  await shownFrom(folder, t);
});
