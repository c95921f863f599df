import { test } from "node:test";
import * as vite from "vite-5";
import { assertServed, vitePage } from "./vite-page.mjs";

// The oldest version, and the mode that asks most of a package. The layer `matrix` has the others.
test("Vite 5 serves a page with the provider and a kit in development", async (t) => {
  await assertServed(vite, await vitePage(), t);
});
