// The package as `require` gets it: in Node, and in a test runner's DOM, which lacks some of what Node has.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { link } from "./compiler.mjs";
import { EXPORTS } from "./exports.mjs";
import { run, shop } from "./packed.mjs";

const folder = await shop();
await link(folder, "react");
const installed = join(folder, "node_modules/remitkit");
const { exports } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
const entries = Object.keys(exports)
  .filter((entry) => exports[entry].require)
  .map((entry) => entry.replace(/^\./, "remitkit"));

/** What a script with `require` prints as JSON. */
async function required(code, ...flags) {
  await writeFile(join(folder, "main.cjs"), `(async () => console.log(JSON.stringify(await (async () => {${code}})())))();`);
  return JSON.parse((await run(process.execPath, [...flags, "main.cjs"], { cwd: folder })).stdout);
}

// `require` of a module that is none of CommonJS would hide that it is not there.
const NO_ESM = process.allowedNodeEnvironmentFlags.has("--experimental-require-module") ? ["--no-experimental-require-module"] : [];

test("each entry point exports by require what it exports by import", async () => {
  const found = await required(
    `const differing = [];
    for (const entry of ${JSON.stringify(entries)}) {
      const both = [require(entry), await import(entry)].map((module) => Object.keys(module).filter((name) => !/^(default|module\\.exports|__esModule)$/.test(name)).sort().join());
      if (both[0] !== both[1]) differing.push(entry);
    }
    return { differing, names: Object.keys(require("remitkit")).sort() };`,
    ...NO_ESM,
  );
  assert.deepEqual(found, { differing: [], names: EXPORTS["."] });
});

test("without TextEncoder and TextDecoder it loads and speaks Spanish", async () => {
  const found = await required(
    // Node's own fetch needs them when it is first used.
    `await fetch("data:,"); delete globalThis.TextEncoder; delete globalThis.TextDecoder;
    const { createRemitKit, RemitError } = require("remitkit");
    for (const entry of ${JSON.stringify(entries)}) require(entry);
    const remit = await createRemitKit({ baseUrl: "http://127.0.0.1:9", cardUrl: "https://b.example", token: "t", locale: "es" });
    const error = await remit.getQuote("3f2504e0-4f89-41d3-9a0c-0305e82c3301").catch((error) => error);
    const { form } = await require("remitkit/testing").fakeCardForm({ events: ["CARD_VALIDATION_STOP_EXPIRED"] });
    const expired = await form.completed.catch((error) => error);
    return [error.kind, error instanceof RemitError, expired instanceof RemitError];`,
    ...NO_ESM,
  );
  assert.deepEqual(found, ["unavailable", true, true]);
});

test("its CommonJS modules are strict, as the others are", async () => {
  const [text, react] = await Promise.all(["kit-core.js", "react.js"].map((name) => readFile(join(installed, "cjs", name), "utf8")));
  assert.match(text, /^"use strict";\n/);
  assert.match(react, /^"use strict";\n"use client";\n/);
});

test("Cloudflare Workers get the real remitkit/server, not the refusal", async () => {
  const found = await required(
    `const { createTokenIssuer } = await import("remitkit/server");
    return typeof createTokenIssuer({ baseUrl: "https://a.example", clientId: "i", clientSecret: "s" }).senderToken;`,
    ...["workerd", "worker", "browser"].flatMap((name) => ["--conditions", name]),
  );
  assert.equal(found, "function");
});
