// `remitkit/server` of the packed tarball: where it loads, and where it refuses to.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { buildWithVite, IN_PAGE, page, REPORT, reportOf } from "./chromium.mjs";
import { EXPORTS } from "./exports.mjs";
import { runModule, shop } from "./packed.mjs";

const REFUSED = "InvalidConfiguration configuration";

/** A script that reports how an import ends, as code and kind. */
const importing = (specifier) => `${REPORT}import("${specifier}").then(
  () => "loaded",
  (error) => (error.code ? error.code + " " + error.kind : String(error)),
).then(report);`;

const folder = await shop({ "index.html": page(), "main.js": importing("remitkit/server") });
const installed = join(folder, "node_modules/remitkit");

const DOM = "globalThis.window = globalThis; globalThis.document = {};";
const NO_NODE = "const { process: node } = globalThis; globalThis.process = undefined;";
const BUNDLED = "globalThis.process = { browser: true, versions: {}, env: {} };";
const ELECTRON = 'Object.defineProperty(process, "type", { value: "renderer" });';

for (const [place, prepare, outcome = "InvalidConfiguration"] of [
  ["Node with a DOM", DOM, "loaded"],
  ["a DOM without Node", DOM + NO_NODE],
  ["a worker without Node", `globalThis.importScripts = () => {};${NO_NODE}`],
  ["a DOM with a bundler's process", DOM + NO_NODE + BUNDLED],
  ["a window of Electron", DOM + ELECTRON],
]) {
  test(`${place}: ${outcome}`, async () => {
    const load = 'await import("remitkit/server").then(() => "loaded", (error) => error.code)';
    const script = `const { log } = console; ${prepare}log(JSON.stringify(${load}));`;
    assert.equal(await runModule(folder, script), outcome);
  });
}

test("the browser condition leads to a refusal that exports every name", async () => {
  const script = `
    const error = await import("remitkit/server").catch((error) => error);
    console.log(JSON.stringify({ ...error.toJSON() }));`;
  const error = await runModule(folder, script, "--conditions=browser");
  assert.equal(`${error.code} ${error.kind}`, REFUSED);
  assert.match(error.message, /on your server/);
  const module = await readFile(join(installed, "server/browser.js"), "utf8");
  for (const name of EXPORTS["./server"]) assert.match(module, new RegExp(`\\b${name}\\b`));
});

test("Cloudflare Workers get the real remitkit/server", async () => {
  const script = `
    const { createTokenIssuer } = await import("remitkit/server");
    const options = { baseUrl: "https://a.example", clientId: "i", clientSecret: "s" };
    console.log(JSON.stringify(typeof createTokenIssuer(options).senderToken));`;
  const conditions = ["workerd", "worker", "browser"].map((name) => `--conditions=${name}`);
  assert.equal(await runModule(folder, script, ...conditions), "function");
});

test("a page built by Vite is refused, and carries none of the server code", IN_PAGE, async () => {
  const dist = await buildWithVite(folder);
  assert.equal(await reportOf(dist), REFUSED);
  const scripts = (await readdir(join(dist, "assets"))).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.length > 0);
  for (const name of scripts) {
    assert.doesNotMatch(await readFile(join(dist, "assets", name), "utf8"), /oauth\/token|scrypt/, name);
  }
});
