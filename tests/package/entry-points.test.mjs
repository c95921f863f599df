// Each entry point alone, also where it cannot work.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { link } from "./compiler.mjs";
import { EXPORTS } from "./exports.mjs";
import { runModule, shop } from "./packed.mjs";

const bare = await shop();
const folder = await shop();
await link(folder, "react");
const installed = join(folder, "node_modules/remitkit");
const { exports } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
const nameOf = (entry) => entry.replace(/^\./, "remitkit");

test("the package has exactly these entry points", () => {
  const scripts = Object.keys(exports).filter((entry) => exports[entry].default?.endsWith(".js"));
  assert.deepEqual(scripts.sort(), Object.keys(EXPORTS));
});

/** A script that collects in `found` what each of these entry points exports. */
const importing = (entries) => `
  const found = {};
  for (const entry of ${JSON.stringify(entries)}) {
    found[entry] = Object.keys(await import(entry.replace(/^\\./, "remitkit"))).sort();
  }`;
const ALL = importing(Object.keys(EXPORTS));
const PRINT = "console.log(JSON.stringify(found));";

const required = Object.keys(exports).filter((entry) => exports[entry].require);
/** A script that has `require`, and in `found` what each entry point exports by it. */
const REQUIRING = `
  const { createRequire } = await import("node:module");
  const require = createRequire(import.meta.url);
  const found = {};
  for (const entry of ${JSON.stringify(required)}) {
    found[entry] = Object.keys(require(entry.replace(/^\\./, "remitkit"))).sort();
  }`;
// `require` of an ES module would hide that the CommonJS module is missing.
const FLAG = "--experimental-require-module";
const NO_ESM = process.allowedNodeEnvironmentFlags.has(FLAG) ? ["--no-experimental-require-module"] : [];

const WORKER = `
  import { Worker } from "node:worker_threads";
  new Worker("./every.mjs", { execArgv: [] }).on("message", (found) => ${PRINT.slice(0, -1)});`;

for (const [place, script] of Object.entries({
  Node: ALL + PRINT,
  "an environment without WebAssembly": `delete globalThis.WebAssembly;${ALL}${PRINT}`,
  "a worker": WORKER,
})) {
  test(`each exports its names and no others in ${place}`, async () => {
    const worker = `import { parentPort } from "node:worker_threads"; ${ALL} parentPort.postMessage(found);`;
    await writeFile(join(folder, "every.mjs"), worker);
    assert.deepEqual(await runModule(folder, script), EXPORTS);
  });
}

test("each exports the same names by require", async () => {
  const found = await runModule(folder, REQUIRING + PRINT, ...NO_ESM);
  assert.deepEqual(found, Object.fromEntries(required.map((entry) => [entry, EXPORTS[entry]])));
});

// As in a test runner's DOM, which lacks some of Node's globals.
test("without TextEncoder and TextDecoder it loads by require, and its errors are one class", async () => {
  const script = `
    // Node's own fetch needs them when it is first used.
    await fetch("data:,");
    delete globalThis.TextEncoder;
    delete globalThis.TextDecoder;
    ${REQUIRING}
    const { createRemitKit, RemitError } = require("remitkit");
    const options = { baseUrl: "http://127.0.0.1:9", cardUrl: "https://b.example", token: "t", locale: "es" };
    const remit = await createRemitKit(options);
    const error = await remit.getQuote("3f2504e0-4f89-41d3-9a0c-0305e82c3301").catch((error) => error);
    const { fakeCardForm } = require("remitkit/testing");
    const { form } = await fakeCardForm({ events: ["CARD_VALIDATION_STOP_EXPIRED"] });
    const expired = await form.completed.catch((error) => error);
    const areErrors = [error, expired].map((error) => error instanceof RemitError);
    console.log(JSON.stringify([error.kind, ...areErrors]));`;
  assert.deepEqual(await runModule(folder, script, ...NO_ESM), ["unavailable", true, true]);
});

test("its CommonJS modules are strict, as ES modules are", async () => {
  for (const [name, start] of [["module/core-handle.js", ""], ["react.js", '"use client";\n']]) {
    const text = await readFile(join(installed, "cjs", name), "utf8");
    assert.ok(text.startsWith(`"use strict";\n${start}`), name);
  }
});

// React itself looks for a window and a document.
for (const [entries, watched] of [
  [[".", "./inline"], "WebAssembly document window fetch navigator sessionStorage localStorage"],
  [["./element", "./react"], "WebAssembly HTMLElement"],
]) {
  test(`importing ${entries.map(nameOf).join(" and ")} leaves the environment unchanged`, async () => {
    const script = `
      const touched = [];
      for (const name of ${JSON.stringify(watched.split(" "))}) {
        Object.defineProperty(globalThis, name, { configurable: true, get() { touched.push(name); } });
      }
      const before = Reflect.ownKeys(globalThis).length;
      ${importing(entries)}
      console.log(JSON.stringify({ touched, added: Reflect.ownKeys(globalThis).length - before }));`;
    assert.deepEqual(await runModule(folder, script), { touched: [], added: 0 });
  });
}

test("without React the element loads, and remitkit/react names the gap", async () => {
  const script = `
    const { code, message } = await import("remitkit/react").catch((error) => error);
    ${importing(["./element"])}
    console.log(JSON.stringify([code, /react/.test(message), Object.keys(found)]));`;
  assert.deepEqual(await runModule(bare, script), ["ERR_MODULE_NOT_FOUND", true, ["./element"]]);
});

test("the types declare exactly what the parts for React, the elements and the fields export", async () => {
  for (const name of ["react", "element", "fields"]) {
    const types = await readFile(join(installed, `${name}.d.ts`), "utf8");
    const declared = types.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm);
    assert.deepEqual([...declared].map(([, name]) => name).sort(), EXPORTS[`./${name}`]);
  }
  const react = await readFile(join(installed, "react.js"), "utf8");
  assert.match(react, /^"use client";\n/);
  assert.doesNotMatch(react, /export \*/);
});

test("without WebAssembly createRemitKit says so, and an element can be defined", async () => {
  const script = `
    delete globalThis.WebAssembly;
    const options = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
    const failures = [];
    for (const name of ["remitkit", "remitkit/inline"]) {
      const { createRemitKit } = await import(name);
      const { kind, message } = await createRemitKit(options).catch((error) => error);
      failures.push(kind + ": " + message);
    }
    (await import("remitkit/element")).defineRemitCardForm();
    console.log(JSON.stringify(failures));`;
  const failures = await runModule(folder, script);
  for (const failure of failures) assert.match(failure, /^configuration: .*WebAssembly/);
});
