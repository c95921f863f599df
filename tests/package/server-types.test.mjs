// The types of `remitkit/server` as a backend compiles them: with Node's types and without a browser's, beside the frameworks' own.

import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { run, shop } from "./packed.mjs";

const read = (name) => readFile(join(import.meta.dirname, name), "utf8");

const folder = await shop({
  "server.ts": await read("types/server.ts"),
  "server-invalid.ts": await read("types/server-invalid.ts"),
});
for (const name of ["@types/node", "undici-types", "hono", "keyv", "@keyv/redis"]) {
  const link = join(folder, "node_modules", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(join(import.meta.dirname, "node_modules", name), link);
}

const NODE = {
  lib: ["es2022"],
  types: ["node"],
  module: "nodenext",
  moduleResolution: "nodenext",
  skipLibCheck: true,
};
const BROWSER_TYPES = {
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  module: "esnext",
  moduleResolution: "bundler",
};

async function compile(compiler, settings, file) {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { target: "es2022", noEmit: true, skipLibCheck: false, ...strict, ...settings };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(import.meta.dirname, "node_modules", compiler, "bin/tsc");
  return run(process.execPath, [tsc, "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => stdout + stderr,
  );
}

for (const compiler of ["typescript", "typescript-5"]) {
  const { version } = JSON.parse(await read(`node_modules/${compiler}/package.json`));
  test(`TypeScript ${version}: what should compile on a server does, what should not does not`, async () => {
    assert.equal(await compile(compiler, NODE, "server.ts"), "");
    assert.equal(await compile(compiler, NODE, "server-invalid.ts"), "");
    // The declarations themselves, with nothing of Node's.
    assert.equal(await compile(compiler, BROWSER_TYPES, "server-invalid.ts"), "");
  });
}

test("every line that must not compile on a server is an error of its own", async () => {
  const lines = (await read("types/server-invalid.ts")).split("\n");
  const expected = lines.flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []));
  await writeFile(
    join(folder, "bare.ts"),
    lines.map((line) => line.replace("@ts-expect-error", "")).join("\n"),
  );
  const errors = await compile("typescript-5", BROWSER_TYPES, "bare.ts");
  const found = new Set([...errors.matchAll(/bare\.ts\((\d+),/g)].map(([, line]) => Number(line)));
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    expected,
  );
});
