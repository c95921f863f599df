import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEachLineFails, compile, COMPILERS, project, RESOLUTIONS, versionOf } from "./compiler.mjs";

const folder = await project("valid.ts", "invalid.ts");

for (const compiler of COMPILERS) {
  for (const settings of RESOLUTIONS) {
    test(`TypeScript ${await versionOf(compiler)}, ${settings.moduleResolution}: what should compile does, what should not does not`, async () => {
      assert.equal(await compile(folder, compiler, settings, "valid.ts", "invalid.ts"), "");
    });
  }
}

test("every line that must not compile is an error of its own", () =>
  assertEachLineFails(folder, "invalid.ts", RESOLUTIONS[0]));
