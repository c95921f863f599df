// Prints the package's `calls.js`, made of the operations of `src/api`.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const API = join(import.meta.dirname, "../../../src/api");

const names = (await readdir(API)).filter((name) => name.endsWith(".rs"));
const rust = (await Promise.all(names.map((name) => readFile(join(API, name), "utf8")))).join("\n");
const operations = new Map(
  [...rust.matchAll(/pub static (\w+): Operation =(.*?);\n/gs)].map(([, name, declaration]) => [name, declaration]),
);

/** The entry of an operation: its name and its arguments. */
function entry(operation) {
  const declaration = operations.get(operation);
  const [, name, path] = /"(\w+)",\s+"([^"]+)"/.exec(declaration);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
  const [, kind, record] = /\.with_(query|body)\((\w+)::SHAPE\)/.exec(declaration) ?? [];
  const takesIds = `ids: ${JSON.stringify(ids)}`;
  if (kind === undefined) return `  ${name}: { ${takesIds} },\n`;
  const [, fields] = new RegExp(`^    (?:private )?${record} \\{\\n(.*?)^    \\}`, "ms").exec(rust);
  const isOptional = kind === "query" && !/^ +required /m.test(fields);
  const input = name.endsWith("Fields") ? "query" : "request";
  return `  ${name}: { ${takesIds}, input: "${input}"${isOptional ? ", isOptional: true" : ""} },\n`;
}

const listed = /pub static OPERATIONS[^=]*= &\[(.*?)\];/s.exec(rust)[1];
const calls = [...listed.matchAll(/&(\w+)/g)].map(([, operation]) => entry(operation));
console.log(`// Made from the operations of src/api.

/** What each call of the interface takes before its options: ids, and an input, which may be left out. */
export const CALLS = {
${calls.join("")}};`);
