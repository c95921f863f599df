// Prints the package's `calls.js`, made of the operations of `src/api`.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const API = join(import.meta.dirname, "../../../src/api");

const names = (await readdir(API)).filter((name) => name.endsWith(".rs"));
const rust = (await Promise.all(names.map((name) => readFile(join(API, name), "utf8")))).join("\n");
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

const listed = /pub static OPERATIONS[^=]*= &\[(.*?)\];/s.exec(rust)[1];
const calls = [...listed.matchAll(/&(\w+)/g)].map(([, name]) => `  ${member(name, "name")}: "${takes(name)}",\n`);
console.log(`// Made from the operations of src/api.

/** What each call of the interface takes before its options; what ends with \`?\` may be left out. */
export const CALLS = {
${calls.join("")}};`);
