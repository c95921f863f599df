// `calls.js`, made from the operations of `src/api`: `REMITKIT_WRITE_DOCS=1 node --test tests/package/calls.test.mjs` writes it.

import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");
const API = join(ROOT, "src/api");
const CALLS = join(ROOT, "pkg-template/calls.js");

const HEAD = `// Made from the operations of src/api: \`REMITKIT_WRITE_DOCS=1 node --test tests/package/calls.test.mjs\` writes it.

/** What each call of the interface takes before its options; what ends with \`?\` may be left out. */
export const CALLS = {
`;

const names = (await readdir(API)).filter((name) => name.endsWith(".rs"));
const sources = await Promise.all(names.map((name) => readFile(join(API, name), "utf8")));
const rust = sources.join("\n");
const operations = new Map(
  [...rust.matchAll(/pub static (\w+): Operation =\s*Operation \{(.*?)\};/gs)].map(([, name, body]) => [name, body]),
);

/** A member of an operation, its own or that of the one it is made of. */
function member(operation, name) {
  const body = operations.get(operation);
  const [, own] = new RegExp(`\\b${name}: ("[^"]*"|[\\w:]+(?:\\([\\w:]+\\))?)`).exec(body) ?? [];
  return own?.replaceAll('"', "") ?? member(/\.\.(\w+)/.exec(body)[1], name);
}

function takes(operation) {
  const ids = [...member(operation, "path").matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
  const [, kind, record] = /^Input::(\w+)(?:\((\w+)::SHAPE\))?$/.exec(member(operation, "input"));
  if (kind === "None") {
    return ids.join(" ");
  }
  const [, fields] = new RegExp(`^    (?:private )?${record} \\{\\n(.*?)^    \\}`, "ms").exec(rust);
  const isOptional = kind === "Query" && !/^ +required /m.test(fields);
  const isForm = member(operation, "name").endsWith("Fields");
  return [...ids, isForm ? "query" : isOptional ? "request?" : "request"].join(" ");
}

test("the package's calls are made of the operations of the interface", async () => {
  const listed = /pub static OPERATIONS[^=]*= &\[(.*?)\];/s.exec(rust)[1];
  const rows = [...listed.matchAll(/&(\w+)/g)].map(([, name]) => `  ${member(name, "name")}: "${takes(name)}",\n`);
  assert.ok(rows.length > 30, `${rows.length} operations`);
  const text = `${HEAD}${rows.join("")}};\n`;
  if (process.env.REMITKIT_WRITE_DOCS) {
    await writeFile(CALLS, text);
  }
  assert.equal(await readFile(CALLS, "utf8"), text);
});
