// The types of the React components and of the element, with the compilers and React types that shops use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEachLineFails, compile, COMPILERS, link, project, RESOLUTIONS, unlink } from "./compiler.mjs";

const REACTS = { 18: "react-18", 19: "react" };
const TYPES = "@types/react";

const folder = await project("react.tsx", "react-invalid.tsx", "element.ts", "element-invalid.ts");
const withReact = (name) => link(folder, TYPES, `@types/${name}`);
const jsx = (settings) => ({ ...settings, jsx: "react-jsx" });

for (const compiler of COMPILERS) {
  for (const settings of RESOLUTIONS) {
    const with_ = `${compiler}, ${settings.moduleResolution}`;
    for (const [version, name] of Object.entries(REACTS)) {
      test(`React ${version}, ${with_}: valid code compiles, invalid code fails`, async () => {
        await withReact(name);
        assert.equal(await compile(folder, compiler, jsx(settings), "react.tsx", "react-invalid.tsx"), "");
      });
    }
    test(`element without React, ${with_}: valid code compiles, invalid fails`, async () => {
      await unlink(folder, TYPES);
      assert.equal(await compile(folder, compiler, settings, "element.ts", "element-invalid.ts"), "");
    });
  }
}

for (const name of ["react-invalid.tsx", "element-invalid.ts"]) {
  test(`every line of ${name} is an error of its own`, async () => {
    await withReact("react");
    await assertEachLineFails(folder, name, jsx(RESOLUTIONS[0]));
  });
}
