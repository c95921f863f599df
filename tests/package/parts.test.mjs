// What the first load leaves out, in a page without a bundler: it loads once, when the page is idle or with
// the call that needs it; if the network is down at that moment, with the next call.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { IN_PAGE, pageOf, told } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const CARD = ["card-part.js", "remitkit_card.wasm"];
// A failed form's message: fetched with the form's part, but not while a form waits for its part.
const NOTICE = ["load-error-notice.js"];
const TRANSFER = ["remitkit_transfer.wasm", "transfer-part.js"];
const ALL = [...CARD, ...NOTICE, ...TRANSFER];

const PACKAGE = "/node_modules/remitkit";
const root = await shop();

const page = (script) =>
  pageOf(
    `import { createRemitKit, preload } from "remitkit";
    const is = (what) => fetch("/" + what, { method: "POST" });
    const codeOf = (work) => work.then(() => "none", ({ code }) => code);
    const seconds = (count) => new Promise((resolve) => setTimeout(resolve, 1000 * count));
    const idle = [];
    globalThis.requestIdleCallback = (work) => idle.push(work);
    const remit = await createRemitKit({ baseUrl: location.origin, cardUrl: "https://card.example", token: "t" });
    const told = await (async () => { ${script} })();
    await fetch("/told", { method: "POST", body: JSON.stringify(told) });`,
    `<div id="card"></div><script type="importmap">{ "imports": { "remitkit": "${PACKAGE}/index.js" } }</script>`,
  );

/** What the page told, and which of the later files it asked for. */
async function visited(script) {
  const later = [];
  let isCut = false;
  const set = (value) => (_, reply) => {
    isCut = value;
    reply.end();
  };
  const list = (_, reply) => reply.setHeader("content-type", "application/json").end("[]");
  const own = { "/": page(script), "/cut": set(true), "/mended": set(false), "/v1/corridors": list, "/v1/sender-id": list };
  for (const name of ALL) {
    own[`${PACKAGE}/${name}`] = async (request, reply) => {
      if (isCut) return request.destroy();
      later.push(name);
      const type = name.endsWith(".js") ? "text/javascript" : "application/wasm";
      reply.setHeader("content-type", type).end(await readFile(join(root, PACKAGE, name)));
    };
  }
  return { told: await told(root, own), later: later.toSorted() };
}

const SCRIPTS = {
  "the first load has no part of it": [`await remit.corridors(); return idle.length;`, 1, []],
  "an idle page fetches each part once": [
    `await remit.corridors(); await remit.corridors(); idle.forEach((work) => work()); await seconds(1);
    await remit.pendingTransfers(); return idle.length;`,
    1,
    ALL,
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
    ALL,
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
  test(name, IN_PAGE, async () => assert.deepEqual(await visited(script), { told, later: later.toSorted() }));
}
