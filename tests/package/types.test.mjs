import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEachLineFails, compile, COMPILERS, project, RESOLUTIONS, versionOf } from "./compiler.mjs";

const VALID = ["valid.ts", "testing.ts"];
const INVALID = ["invalid.ts", "testing-invalid.ts"];

const folder = await project(...VALID, ...INVALID);

for (const compiler of COMPILERS) {
  for (const settings of RESOLUTIONS) {
    test(`TypeScript ${await versionOf(compiler)}, ${settings.moduleResolution}: valid code compiles, invalid fails`, async () => {
      assert.equal(await compile(folder, compiler, settings, ...VALID, ...INVALID), "");
    });
  }
}

for (const name of INVALID) {
  test(`every line of ${name} that must not compile is an error of its own`, () =>
    assertEachLineFails(folder, name, RESOLUTIONS[0]));
}
