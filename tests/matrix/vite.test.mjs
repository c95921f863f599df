// Each supported Vite, in both of its modes.

import { test } from "node:test";
import { assertBuilt, assertServed, vitePage } from "../frontends/vite-page.mjs";

for (const name of ["vite-5", "vite-6", "vite-7", "vite-8"]) {
  test(`${name}, dev and build: a page with the provider and a kit`, async (t) => {
    const vite = await import(name);
    const config = await vitePage(import.meta.dirname);
    await assertServed(vite, config, t);
    await assertBuilt(vite, config, t);
  });
}
