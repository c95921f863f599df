// The package's files in a page without a bundler: what the first load has, and when the later parts come.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { IN_PAGE, pageOf, REPORT, reportOf } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const FIRST = "remitkit_first.wasm";
const TRANSFER = ["remitkit_transfer.wasm", "transfer/transfer-part.js"];
// The message of a failed form is fetched with the form's part, but not while a form waits for its part.
const LATER = ["card/card-part.js", "card/load-error-notice.js", "remitkit_card.wasm", ...TRANSFER];

const PACKAGE = "/node_modules/remitkit";
const root = await shop();

const page = (script, head) =>
  pageOf(
    `${REPORT}
    import { createRemitKit, preload } from "remitkit";
    const network = (state) => fetch("/" + state, { method: "POST" });
    const codeOf = (work) => work.then(() => "none", ({ code }) => code);
    const seconds = (count) => new Promise((resolve) => setTimeout(resolve, 1000 * count));
    const idle = [];
    globalThis.requestIdleCallback = (work) => idle.push(work);
    const options = { baseUrl: location.origin, cardUrl: "https://card.example", token: "t" };
    const create = () => createRemitKit(options);
    report((await (async () => { ${script} })()) ?? null);`,
    `${head}<div id="card"></div>
    <script type="importmap">{ "imports": { "remitkit": "${PACKAGE}/index.js" } }</script>`,
  );

/** Opens a page with this script; returns what it reports and which of the files it fetched. */
async function visited(script, head = "") {
  const fetched = [];
  let isDown = false;
  const set = (value) => (_, reply) => ((isDown = value), reply.end());
  const list = (_, reply) => reply.setHeader("content-type", "application/json").end("[]");
  const own = { "/": page(script, head), "/down": set(true), "/up": set(false), "/v1/corridors": list };
  for (const name of [FIRST, ...LATER]) {
    own[`${PACKAGE}/${name}`] = async (request, reply) => {
      if (isDown) return request.destroy();
      fetched.push(name);
      const type = name.endsWith(".js") ? "text/javascript" : "application/wasm";
      reply.setHeader("content-type", type).end(await readFile(join(root, PACKAGE, name)));
    };
  }
  return { report: await reportOf(root, own), fetched: fetched.toSorted() };
}

const LINKS = `
<link rel="modulepreload" href="${PACKAGE}/index.js" />
<link rel="preload" as="fetch" type="application/wasm" crossorigin href="${PACKAGE}/${FIRST}" />`;

for (const [name, script, head] of [
  ["preload() alone, and two kits", "preload(); await Promise.all([create(), create()]);", ""],
  ["links alone", "await create();", LINKS],
  ["links and preload()", "await preload(); await create();", LINKS],
]) {
  test(`${name}: the wasm is fetched once`, IN_PAGE, async () => {
    assert.deepEqual(await visited(script, head), { report: null, fetched: [FIRST] });
  });
}

const SCRIPTS = {
  "the first load has no later part": [`await remit.corridors(); return idle.length;`, 1, []],
  "an idle page fetches each part once": [
    `await remit.corridors(); await remit.corridors(); idle.forEach((work) => work()); await seconds(1);
    await remit.pendingTransfers(); return idle.length;`,
    1,
    LATER,
  ],
  "a hundred calls at once fetch a part once": [
    `const calls = Array.from({ length: 100 }, () => remit.pendingTransfers());
    return (await Promise.all(calls)).flat().length;`,
    0,
    TRANSFER,
  ],
  "a part that cannot be fetched comes with a later call": [
    `await network("down");
    const call = () => codeOf(remit.pendingTransfers());
    const codes = [...(await Promise.all([call(), call()])), await call()];
    await network("up");
    // A call may share a request that was sent before and is yet to fail.
    for (let tries = 0; tries < 50 && (await call()) !== "none"; tries += 1) await seconds(0.1);
    return [...codes, await call()];`,
    [...Array(3).fill("LoadFailed"), "none"],
    TRANSFER,
  ],
  "a card form whose part cannot be fetched rejects": [
    `await network("down"); return await codeOf(remit.cardForm({ container: "#card" }));`,
    "LoadFailed",
    [],
  ],
};

for (const [name, [script, report, later]] of Object.entries(SCRIPTS)) {
  test(name, IN_PAGE, async () => {
    const fetched = [FIRST, ...later].toSorted();
    assert.deepEqual(await visited(`const remit = await create(); ${script}`), { report, fetched });
  });
}
