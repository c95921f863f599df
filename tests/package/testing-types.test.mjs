// The types of `remitkit/testing` in the runner that they add to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, link, project, RESOLUTIONS } from "./compiler.mjs";

const folder = await project("vitest.ts", "vitest-invalid.ts");
for (const name of ["vitest", "@types/node", "undici-types"]) {
  await link(folder, name);
}

test("a setup, a fixture and what is injected compile in Vitest", async () => {
  const settings = { ...RESOLUTIONS[0], skipLibCheck: true, types: ["node"] };
  assert.equal(await compile(folder, "typescript", settings, "vitest.ts", "vitest-invalid.ts"), "");
});
