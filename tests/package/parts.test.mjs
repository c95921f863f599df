// What the first load leaves out, in a page without a bundler: it loads once, when the page is idle or with
// the call that needs it; if the network is down at that moment, with the next call.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { opened, shop } from "./packed.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const LATER = /\/((?:card|transfer)-part\.js|load-error-notice\.js|remitkit_(?:card|transfer)\.wasm)/;

const CARD = ["card-part.js", "remitkit_card.wasm"];
// A failed form's message: fetched with the form's part, but not while a form waits for its part.
const NOTICE = ["load-error-notice.js"];
const TRANSFER = ["remitkit_transfer.wasm", "transfer-part.js"];

const root = await shop({});

const page = (script) => `<!doctype html><title>Shop</title><div id="card"></div>
<script type="importmap">{ "imports": { "remitkit": "/node_modules/remitkit/index.js" } }</script>
<script type="module">
import { createRemitKit, preload } from "remitkit";
const is = (what) => fetch("/" + what, { method: "POST" });
const codeOf = (work) => work.then(() => "none", ({ code }) => code);
const seconds = (count) => new Promise((resolve) => setTimeout(resolve, 1000 * count));
const idle = [];
globalThis.requestIdleCallback = (work) => idle.push(work);
const remit = await createRemitKit({ baseUrl: location.origin, cardUrl: "https://card.example", token: "t" });
const told = await (async () => { ${script} })();
await fetch("/told", { method: "POST", body: JSON.stringify(told) });
</script>`;

/** What the page told, and which of the later files it asked for, in their order. */
async function visited(script) {
  const later = [];
  let isCut = false;
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, reply) => {
    const { pathname } = new URL(request.url, "http://page");
    if (pathname === "/told") tell(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    if (pathname === "/cut" || pathname === "/mended") isCut = pathname === "/cut";
    if (LATER.test(pathname)) {
      if (isCut) return request.destroy();
      later.push(LATER.exec(pathname)[1]);
    }
    reply.setHeader("content-type", TYPES[extname(pathname)] ?? "application/json");
    if (pathname === "/") return reply.setHeader("content-type", "text/html").end(page(script));
    reply.end(pathname.startsWith("/v1/") ? "[]" : await readFile(join(root, pathname)).catch(() => ""));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  const answer = await opened(`http://127.0.0.1:${server.address().port}/`, told);
  return answer === undefined ? undefined : { told: answer, later: later.toSorted() };
}

const SCRIPTS = {
  "the first load has no part of it": [`await remit.corridors(); return idle.length;`, 1, []],
  "an idle page fetches each part once": [
    `await remit.corridors(); await remit.corridors(); idle.forEach((work) => work()); await seconds(1);
    await remit.pendingTransfers(); return idle.length;`,
    1,
    [...CARD, ...NOTICE, ...TRANSFER],
  ],
  "a hundred calls at once fetch a part once": [
    `const calls = Array.from({ length: 100 }, () => remit.pendingTransfers()); return (await Promise.all(calls)).flat().length;`,
    0,
    TRANSFER,
  ],
  "a part that cannot be fetched comes with a later call": [
    `await is("cut");
    const codes = await Promise.all([codeOf(remit.pendingTransfers()), codeOf(remit.pendingTransfers())]);
    codes.push(await codeOf(remit.pendingTransfers()), await codeOf(remit.cardForm({ container: "#card" })));
    await is("mended");
    codes.push(await codeOf(remit.pendingTransfers()), await codeOf(remit.pendingTransfers()));
    return codes;`,
    ["NetworkFailure", "NetworkFailure", "NetworkFailure", "NetworkFailure", "none", "none"],
    TRANSFER,
  ],
  "preload fetches everything where it is asked to": [
    `await preload({ everything: true }); await is("cut"); return await codeOf(remit.pendingTransfers());`,
    "none",
    [...CARD, ...NOTICE, ...TRANSFER],
  ],
  "a page that waits for an answer is not idle": [
    `const { fetch } = globalThis;
    globalThis.fetch = (...given) => String(given[0]).includes("card-onboarding") ? new Promise(() => {}) : fetch(...given);
    const stop = new AbortController();
    const waiting = codeOf(remit.getCardSession("3f2504e0-4f89-41d3-9a0c-0305e82c3301", { signal: stop.signal }));
    await remit.corridors(); idle.splice(0).forEach((work) => work()); await seconds(0.5);
    stop.abort(); return [await waiting, idle.length];`,
    ["Aborted", 1],
    [],
  ],
};

for (const [name, [script, told, later]] of Object.entries(SCRIPTS)) {
  test(name, { timeout: 60_000 }, async (t) => {
    const found = await visited(script);
    if (found === undefined) {
      t.diagnostic("there is no Chromium here to run the page in");
      return;
    }
    assert.deepEqual(found, { told, later: later.toSorted() });
  });
}
