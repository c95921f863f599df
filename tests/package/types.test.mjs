// The types as shops compile them: with these compilers and settings, and beside the types of others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertEachLineFails, compile, COMPILERS, link, project, RESOLUTIONS, versionOf } from "./compiler.mjs";

const JSX = RESOLUTIONS.map((settings) => ({ ...settings, jsx: "react-jsx" }));
const NODE = { ...RESOLUTIONS[1], lib: ["es2022"], types: ["node"], skipLibCheck: true };
const OF_BACKENDS = ["@types/node", "undici-types", "hono", "keyv", "@keyv/redis"];
const OF_VITEST = ["vitest", "@types/node", "undici-types"];

const CASES = {
  "the package": { files: ["valid.ts", "testing.ts", "invalid.ts", "testing-invalid.ts"] },
  "React 18": { files: ["react.tsx", "react-invalid.tsx"], settings: JSX, links: [["@types/react", "@types/react-18"]] },
  "React 19": { files: ["react.tsx", "react-invalid.tsx"], settings: JSX, links: ["@types/react"] },
  "the element, without React": { files: ["element.ts", "element-invalid.ts"] },
  "the server": { files: ["server.ts", "server-invalid.ts"], settings: [NODE], links: OF_BACKENDS },
  "the server, with nothing of Node's": { files: ["server-invalid.ts"], settings: [RESOLUTIONS[0]] },
  "a backend without a browser's types": { files: ["backend.ts"], settings: [{ ...NODE, skipLibCheck: false }], links: OF_BACKENDS },
  CommonJS: { files: ["commonjs.cts"], settings: [{ module: "node16", moduleResolution: "node16" }] },
  // A setup, a fixture and what is injected, in the runner that they add to.
  Vitest: { files: ["vitest.ts", "vitest-invalid.ts"], settings: [{ ...RESOLUTIONS[0], skipLibCheck: true, types: ["node"] }], links: OF_VITEST, compilers: ["typescript"] },
};

for (const [what, { files, settings = RESOLUTIONS, links = [], compilers = COMPILERS }] of Object.entries(CASES)) {
  const folder = await project(...files);
  for (const linked of links) await link(folder, ...[linked].flat());
  for (const compiler of compilers) {
    for (const chosen of settings) {
      test(`${what}, TypeScript ${await versionOf(compiler)}, ${chosen.moduleResolution}: valid code compiles, invalid fails`, async () => {
        assert.equal(await compile(folder, compiler, chosen, ...files), "");
      });
    }
  }
  if (!["React 18", "the server", "Vitest"].includes(what)) {
    for (const name of files.filter((name) => /invalid/.test(name))) {
      test(`every line of ${name} that must not compile is an error of its own`, () => assertEachLineFails(folder, name, settings[0]));
    }
  }
}
