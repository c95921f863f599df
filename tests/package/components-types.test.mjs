// The types of the React components and of the element, with the compilers and the types of React that shops have.

import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run, shop } from "./packed.mjs";

const MODULES = join(import.meta.dirname, "node_modules");
const COMPILERS = ["typescript", "typescript-5"];
const REACTS = { 18: "react-18", 19: "react" };
const RESOLUTIONS = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "nodenext", moduleResolution: "nodenext" },
];

const texts = {};
for (const name of ["react.tsx", "react-invalid.tsx", "element.ts", "element-invalid.ts"]) {
  texts[name] = await readFile(join(import.meta.dirname, "types", name), "utf8");
}
const folder = await shop(texts);
await mkdir(join(folder, "node_modules/@types"), { recursive: true });

async function useReact(name) {
  const place = join(folder, "node_modules/@types/react");
  await rm(place, { force: true });
  if (name !== undefined) {
    await symlink(join(MODULES, "@types", name), place);
  }
}

async function compile(compiler, settings, ...files) {
  const config = {
    compilerOptions: {
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      jsx: "react-jsx",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...settings,
    },
    files,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(MODULES, compiler, "bin/tsc");
  return run(process.execPath, [tsc, "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => stdout + stderr,
  );
}

for (const compiler of COMPILERS) {
  for (const settings of RESOLUTIONS) {
    const with_ = `${compiler}, ${settings.moduleResolution}`;
    for (const [version, name] of Object.entries(REACTS)) {
      test(`React ${version}, ${with_}: what should compile does, what should not does not`, async () => {
        await useReact(name);
        assert.equal(await compile(compiler, settings, "react.tsx", "react-invalid.tsx"), "");
      });
    }
    test(`the element without React, ${with_}: what should compile does, what should not does not`, async () => {
      await useReact(undefined);
      assert.equal(await compile(compiler, settings, "element.ts", "element-invalid.ts"), "");
    });
  }
}

for (const name of ["react-invalid.tsx", "element-invalid.ts"]) {
  test(`every line of ${name} is an error of its own`, async () => {
    await useReact("react");
    const lines = texts[name].split("\n");
    const expected = lines.flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []));
    const bare = `bare-${name}`;
    await writeFile(join(folder, bare), lines.map((line) => line.replace("@ts-expect-error", "")).join("\n"));
    const errors = await compile("typescript-5", RESOLUTIONS[0], bare);
    const found = new Set([...errors.matchAll(/\bbare-[^(]*\((\d+),/g)].map(([, line]) => Number(line)));
    assert.deepEqual(
      [...found].sort((a, b) => a - b),
      expected,
    );
  });
}
