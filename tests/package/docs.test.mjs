// The code of the READMEs and of docs/ compiles, sample by sample. Samples build on those before them;
// types/docs/ declares what a shop brings along. samples.test.mjs runs them.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { compile, link, project, read, RESOLUTIONS } from "./compiler.mjs";
import { ROOT } from "./packed.mjs";
import { documents, Imports, samplesOf } from "./samples.mjs";

const folder = await project();
const LINKS = ["@types/node", "undici-types", "@types/react", "csstype", "hono", "keyv", "@keyv/redis"];
for (const name of LINKS) await link(folder, name);
const installed = join(folder, "node_modules/remitkit");
const SETTINGS = {
  ...RESOLUTIONS[0],
  types: ["node"],
  jsx: "react-jsx",
  // Samples are JavaScript, which has no types of parameters.
  noImplicitAny: false,
  noUncheckedIndexedAccess: false,
  exactOptionalPropertyTypes: false,
  skipLibCheck: true,
};

const all = await documents(installed);

/** Joins samples to one text: all imports first, then each sample within the scope of the one before it. */
function nested(samples) {
  const imports = new Imports();
  const bodies = samples.map(({ code }) => imports.takeFrom(code));
  return `${imports}\n${bodies.join("\n{\n")}${"\n}".repeat(bodies.length - 1)}\nexport {};\n`;
}

for (const [name, path] of Object.entries(all)) {
  test(`the samples of ${name} compile`, async (t) => {
    const samples = await samplesOf(path);
    if (samples.length === 0) return t.skip("it shows no code");
    await writeFile(join(folder, "shop.d.ts"), await read(`types/docs/${name}.d.ts`));
    await writeFile(join(folder, `${name}.tsx`), nested(samples));
    assert.equal(await compile(folder, "typescript-5", SETTINGS, "shop.d.ts", `${name}.tsx`), "");
  });
}

test("the JSON in the READMEs is JSON", async () => {
  for (const name of ["README.md", "sandbox/README.md"]) {
    for (const { code } of await samplesOf(join(ROOT, name), ["json"])) JSON.parse(code);
  }
});

test("the documents' relative links resolve", async () => {
  const texts = ["llms.txt", "SECURITY.md", "CHANGELOG.md"].map((name) => join(installed, name));
  for (const path of [...Object.values(all).filter((path) => path.startsWith(installed)), ...texts]) {
    for (const [, target] of (await readFile(path, "utf8")).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await assert.doesNotReject(readFile(join(path, "..", target)), `${target} in ${path}`);
    }
  }
});
