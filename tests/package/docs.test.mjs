// The code of the READMEs and of docs/ compiles, block by block. Blocks build on those before them; what a shop brings along is
// declared in types/docs/.

import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { compile, link, project, read, RESOLUTIONS } from "./compiler.mjs";
import { ROOT } from "./packed.mjs";

const folder = await project();
for (const name of ["@types/node", "undici-types", "@types/react", "csstype", "hono", "keyv", "@keyv/redis"]) {
  await link(folder, name);
}
const installed = join(folder, "node_modules/remitkit");
const SETTINGS = {
  ...RESOLUTIONS[0],
  types: ["node"],
  jsx: "react-jsx",
  // As a reader sees it: in JavaScript nobody writes the types of parameters.
  noImplicitAny: false,
  noUncheckedIndexedAccess: false,
  exactOptionalPropertyTypes: false,
  skipLibCheck: true,
};

/** Of the repository, by how they are called here. */
const OTHERS = {
  "README.md of the project": "README.md",
  "README.md of remitkit-sandbox": "pkg-sandbox/README.md",
};
const documents = ["README.md", ...(await readdir(join(installed, "docs"))).map((name) => `docs/${name}`)];

for (const name of [...documents, ...Object.keys(OTHERS)]) {
  const text = await readFile(name in OTHERS ? join(ROOT, OTHERS[name]) : join(installed, name), "utf8");
  const blocks = [...text.matchAll(/^```(?:js|jsx)\n(.*?)^```$/gms)].map(([, code]) => code);
  test(`the code of ${name} compiles, block by block`, async () => {
    assert.ok(blocks.length > 0, "it shows code");
    const page = name.replace(/^docs\/|\.md.*$/g, "").toLowerCase();
    await writeFile(join(folder, "shop.d.ts"), await read(`types/docs/${page}.d.ts`));
    await writeFile(join(folder, `${page}.tsx`), nested(blocks));
    assert.equal(await compile(folder, "typescript-5", SETTINGS, "shop.d.ts", `${page}.tsx`), "");
  });
}

test("the JSON in the READMEs is JSON", async () => {
  for (const name of ["README.md", "sandbox/README.md"]) {
    const text = await readFile(join(ROOT, name), "utf8");
    for (const [, json] of text.matchAll(/^```json\n(.*?)^```$/gms)) JSON.parse(json);
  }
});

test("what the documents link to is there", async () => {
  for (const name of documents) {
    const text = await readFile(join(installed, name), "utf8");
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await assert.doesNotReject(readFile(join(installed, name, "..", target)), `${target} in ${name}`);
    }
  }
});

/** One text: all imports first, then each block within the scope of the one before it. */
function nested(blocks) {
  const imports = new Map();
  const note = (from, specifiers) => imports.set(from, new Set([...(imports.get(from) ?? []), ...specifiers]));
  const bodies = blocks.map((code) =>
    code
      .replace(/^import (?:(\w+)|\{ (.*?) \}) from "(.*?)";.*$/gm, (_, whole, named, from) => {
        note(from, whole ? [`default as ${whole}`] : named.split(", "));
        return "";
      })
      .replace(/^export default /gm, "void ")
      .replace(/^export \{ (\w+) as \w+ \};/gm, "void $1;")
      .replace(/^export (?=function|const)/gm, ""),
  );
  const head = [...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from "${from}";`);
  return `${head.join("\n")}\n${bodies.join("\n{\n")}${"\n}".repeat(bodies.length - 1)}\nexport {};\n`;
}
