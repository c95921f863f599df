// The package as `require` gets it: in Node, and in a test runner's DOM, which lacks some of Node's globals.

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
const required = Object.keys(exports).filter((entry) => exports[entry].require);
const names = required.map((entry) => entry.replace(/^\./, "remitkit"));
const ENTRIES = `const entries = ${JSON.stringify(names)};\n`;

/** Runs a function's body as CommonJS; returns the JSON of its result. */
async function runCommonJs(code, ...flags) {
  const script = `(async () => {${ENTRIES}${code}})().then((value) => console.log(JSON.stringify(value)));`;
  await writeFile(join(folder, "main.cjs"), script);
  return JSON.parse((await run(process.execPath, [...flags, "main.cjs"], { cwd: folder })).stdout);
}

// `require` of an ES module would hide that the CommonJS module is missing.
const FLAG = "--experimental-require-module";
const NO_ESM = process.allowedNodeEnvironmentFlags.has(FLAG) ? ["--no-experimental-require-module"] : [];

test("each entry point exports by require what it exports by import", async () => {
  const code = `
    const isName = (name) => !/^(default|module\\.exports|__esModule)$/.test(name);
    const namesOf = (module) => Object.keys(module).filter(isName).sort().join();
    const differing = [];
    for (const entry of entries) {
      if (namesOf(require(entry)) !== namesOf(await import(entry))) differing.push(entry);
    }
    return { differing, names: Object.keys(require("remitkit")).sort() };`;
  assert.deepEqual(await runCommonJs(code, ...NO_ESM), { differing: [], names: EXPORTS["."] });
});

test("without TextEncoder and TextDecoder it loads and speaks Spanish", async () => {
  const code = `
    // Node's own fetch needs them when it is first used.
    await fetch("data:,"); delete globalThis.TextEncoder; delete globalThis.TextDecoder;
    const { createRemitKit, RemitError } = require("remitkit");
    for (const entry of entries) require(entry);
    const options = { baseUrl: "http://127.0.0.1:9", cardUrl: "https://b.example", token: "t", locale: "es" };
    const remit = await createRemitKit(options);
    const error = await remit.getQuote("3f2504e0-4f89-41d3-9a0c-0305e82c3301").catch((error) => error);
    const { fakeCardForm } = require("remitkit/testing");
    const { form } = await fakeCardForm({ events: ["CARD_VALIDATION_STOP_EXPIRED"] });
    const expired = await form.completed.catch((error) => error);
    return [error.kind, error instanceof RemitError, expired instanceof RemitError];`;
  assert.deepEqual(await runCommonJs(code, ...NO_ESM), ["unavailable", true, true]);
});

test("its CommonJS modules are strict, as ES modules are", async () => {
  const names = ["kit-core.js", "react.js"];
  const files = names.map((name) => readFile(join(installed, "cjs", name), "utf8"));
  const [text, react] = await Promise.all(files);
  assert.match(text, /^"use strict";\n/);
  assert.match(react, /^"use strict";\n"use client";\n/);
});

test("Cloudflare Workers get the real remitkit/server, not the refusal", async () => {
  const code = `
    const { createTokenIssuer } = await import("remitkit/server");
    const options = { baseUrl: "https://a.example", clientId: "i", clientSecret: "s" };
    return typeof createTokenIssuer(options).senderToken;`;
  const conditions = ["workerd", "worker", "browser"].flatMap((name) => ["--conditions", name]);
  assert.equal(await runCommonJs(code, ...conditions), "function");
});
