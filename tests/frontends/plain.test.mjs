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
