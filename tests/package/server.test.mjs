// `remitkit/server` of the packed tarball: where it loads, and where it must not.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { built, IN_PAGE, pageOf, told, toldInDevelopment } from "./chromium.mjs";
import { EXPORTS } from "./exports.mjs";
import { listening, printed, shop } from "./packed.mjs";

const REFUSED = "InvalidConfiguration configuration";

// Tells what the import ends in, as code and kind.
const outcomeOf = (specifier) => `import("${specifier}").then(
  () => "loaded",
  (error) => (error.code ? error.code + " " + error.kind : String(error)),
).then((outcome) => fetch("/told", { method: "POST", body: JSON.stringify(outcome) }));`;

const folder = await shop({
  "index.html": '<!doctype html><title>Shop</title><script type="module" src="/main.js"></script>',
  "main.js": outcomeOf("remitkit/server"),
});
const installed = join(folder, "node_modules/remitkit");

const DOM = "globalThis.window = globalThis; globalThis.document = {};";
const NO_NODE = "const { process: node } = globalThis; globalThis.process = undefined;";

for (const [place, prepare, outcome] of [
  ["Node with a DOM", DOM, "loaded"],
  ["a DOM without Node", DOM + NO_NODE, "InvalidConfiguration"],
  ["a worker without Node", `globalThis.importScripts = () => {};${NO_NODE}`, "InvalidConfiguration"],
  ["a DOM with a bundler's process", `${DOM}${NO_NODE}globalThis.process = { browser: true, versions: {}, env: {} };`, "InvalidConfiguration"],
  ["a window of Electron", `${DOM}Object.defineProperty(process, "type", { value: "renderer" });`, "InvalidConfiguration"],
]) {
  test(`${place}: ${outcome}`, async () => {
    const load = 'log(JSON.stringify(await import("remitkit/server").then(() => "loaded", (error) => error.code)));';
    assert.equal(await printed(folder, `const { log } = console; ${prepare}${load}`), outcome);
  });
}

test("the browser condition leads to a refusal that exports every name", async () => {
  const refused = `
    const error = await import("remitkit/server").catch((error) => error);
    console.log(JSON.stringify({ ...error.toJSON() }));`;
  const error = await printed(folder, refused, "--conditions=browser");
  assert.deepEqual([error.code, error.kind], REFUSED.split(" "));
  assert.match(error.message, /on your server/);
  const module = await readFile(join(installed, "server/browser.js"), "utf8");
  for (const name of EXPORTS["./server"]) assert.match(module, new RegExp(`\\b${name}\\b`));
});

test("a page built by Vite is refused, and carries none of the server code", IN_PAGE, async () => {
  const dist = await built(folder);
  assert.equal(await told(dist), REFUSED);
  const scripts = (await readdir(join(dist, "assets"))).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.length > 0);
  for (const name of scripts) {
    assert.doesNotMatch(await readFile(join(dist, "assets", name), "utf8"), /oauth\/token|scrypt/, name);
  }
});

test("a page in Vite's development server is refused", IN_PAGE, async () => {
  assert.equal(await toldInDevelopment(folder), REFUSED);
});

test("loading the file itself in a page or worker gives the same refusal", IN_PAGE, async () => {
  const worker = { "/worker.js": outcomeOf("/server.js") };
  assert.equal(await told(installed, { "/": pageOf(outcomeOf("/server.js")) }), REFUSED);
  assert.equal(await told(installed, { "/": pageOf('new Worker("/worker.js", { type: "module" });'), ...worker }), REFUSED);
});

test("fetch's own option for bypassing the cache gets a page a new token", IN_PAGE, async () => {
  const { createTokenIssuer } = await import(pathToFileURL(join(installed, "server.js")).href);
  let fetched = 0;
  const endpoint = createServer((request, response) => {
    request.resume();
    fetched += 1;
    response.end(JSON.stringify({ access_token: `t${fetched}`, expires_in: 3600, token_type: "Bearer" }));
  });
  const issuer = createTokenIssuer({ baseUrl: await listening(endpoint), clientId: "c", clientSecret: "secret" });
  const page = pageOf(`
    const ask = async (cache) => (await (await fetch("/token", { method: "POST", cache })).json()).access_token;
    const tokens = [await ask("default"), await ask("default")];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    tokens.push(await ask("reload"), await ask("default"));
    await fetch("/told", { method: "POST", body: JSON.stringify(tokens) });`);
  const token = issuer.handler({ senderId: () => "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10" });
  assert.deepEqual(await told(folder, { "/": page, "/token": token }), ["t1", "t1", "t2", "t2"]);
});
