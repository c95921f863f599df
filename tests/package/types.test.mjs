// The types as shops compile them: with these compilers and settings, and beside the types of others.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as compiler from "./compiler.mjs";

const { assertEachLineFails, compile, COMPILERS, link, project, RESOLUTIONS, versionOf } = compiler;
const withJsx = (jsx, jsxImportSource) => RESOLUTIONS.map((one) => ({ ...one, jsx, jsxImportSource }));
const JSX = withJsx("react-jsx", "react");
const NODE = { ...RESOLUTIONS[1], lib: ["es2022"], types: ["node"], skipLibCheck: true };
const FOR_BACKENDS = ["@types/node", "undici-types", "hono", "keyv", "@keyv/redis", "fastify"];
const REACT = ["react.tsx", "jsx-react.tsx", "react-invalid.tsx", "jsx-react-invalid.tsx"];
const PREACT = { files: ["jsx-preact.tsx", "jsx-preact-invalid.tsx"], settings: withJsx("react-jsx", "preact") };

const CASES = {
  "the package": { files: ["valid.ts", "testing.ts", "invalid.ts", "testing-invalid.ts"] },
  "React 18": { files: REACT, settings: JSX, links: [["@types/react", "@types/react-18"]] },
  "React 19": { files: REACT, settings: JSX, links: ["@types/react"] },
  "Preact 10": { ...PREACT, links: [["preact", "preact-10"]] },
  "Preact 11": { ...PREACT, links: ["preact"] },
  Solid: { files: ["jsx-solid.tsx", "jsx-solid-invalid.tsx"], settings: withJsx("preserve", "solid-js"), links: ["solid-js"] },
  Svelte: { files: ["jsx-svelte.ts", "jsx-svelte-invalid.ts"], links: ["svelte"] },
  Vue: { files: ["jsx-vue.tsx", "jsx-vue-invalid.tsx"], settings: withJsx("preserve", "vue"), links: ["vue"] },
  "the elements, without React": { files: ["element.ts", "fields.ts", "element-invalid.ts"] },
  "the server": { files: ["server.ts", "server-invalid.ts"], settings: [NODE], links: FOR_BACKENDS },
  "the server, without Node's types": { files: ["server-invalid.ts"], settings: [RESOLUTIONS[0]] },
  "a backend without a browser's types": {
    files: ["backend.ts"],
    settings: [{ ...NODE, skipLibCheck: false }],
    links: FOR_BACKENDS,
  },
  "the one script": { files: ["one-script.ts"] },
  CommonJS: { files: ["commonjs.cts"], settings: [{ module: "node16", moduleResolution: "node16" }] },
  Vitest: {
    files: ["vitest.ts", "vitest-invalid.ts"],
    settings: [{ ...RESOLUTIONS[0], skipLibCheck: true, types: ["node"] }],
    links: ["vitest", "@types/node", "undici-types"],
    compilers: ["typescript"],
  },
};

for (const [what, given] of Object.entries(CASES)) {
  const { files, settings = RESOLUTIONS, links = [], compilers = COMPILERS } = given;
  const folder = await project(...files);
  for (const linked of links) await link(folder, ...[linked].flat());
  const [invalid, valid] = [true, false].map((is) => files.filter((name) => name.includes("invalid") === is));
  for (const compiler of compilers) {
    for (const chosen of settings) {
      const setting = `TypeScript ${await versionOf(compiler)}, ${chosen.moduleResolution}`;
      test(`${what}, ${setting}: valid code compiles, each invalid line fails`, async () => {
        if (valid.length > 0) assert.equal(await compile(folder, compiler, chosen, ...valid), "");
        for (const name of invalid) await assertEachLineFails(folder, name, compiler, chosen);
      });
    }
  }
}
