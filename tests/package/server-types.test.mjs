// The types of `remitkit/server` as a backend compiles them: with Node's types, without a
// browser's, and beside the frameworks' own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEachLineFails, compile, COMPILERS, link, project, RESOLUTIONS, versionOf } from "./compiler.mjs";

const folder = await project("server.ts", "server-invalid.ts", "backend.ts");
for (const name of ["@types/node", "undici-types", "hono", "keyv", "@keyv/redis"]) {
  await link(folder, name);
}

const NODE = { ...RESOLUTIONS[1], lib: ["es2022"], types: ["node"], skipLibCheck: true };

for (const compiler of COMPILERS) {
  test(`TypeScript ${await versionOf(compiler)}: valid server code compiles, invalid code fails`, async () => {
    assert.equal(await compile(folder, compiler, NODE, "server.ts"), "");
    assert.equal(await compile(folder, compiler, NODE, "server-invalid.ts"), "");
    // The declarations themselves, with nothing of Node's.
    assert.equal(await compile(folder, compiler, RESOLUTIONS[0], "server-invalid.ts"), "");
  });
}

for (const compiler of COMPILERS) {
  test(`TypeScript ${await versionOf(compiler)}: a backend compiles without a browser's types`, async () => {
    assert.equal(await compile(folder, compiler, { ...NODE, skipLibCheck: false }, "backend.ts"), "");
  });
}

test("every line that must not compile on a server is an error of its own", () =>
  assertEachLineFails(folder, "server-invalid.ts", RESOLUTIONS[0]));
