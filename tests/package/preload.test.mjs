// The wasm started early, in a page without a bundler: it is fetched once, whoever asks for it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { IN_PAGE, pageOf, told } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const WASM = "/node_modules/remitkit/remitkit_first.wasm";
const IMPORTS = '<script type="importmap">{ "imports": { "remitkit": "/node_modules/remitkit/index.js" } }</script>';
const LINKS = `
<link rel="modulepreload" href="/node_modules/remitkit/index.js" />
<link rel="preload" as="fetch" type="application/wasm" crossorigin href="${WASM}" />`;

const root = await shop();

for (const [name, head, script] of [
  ["preload() alone, and two kits", "", "preload(); await Promise.all([createRemitKit(options), createRemitKit(options)]);"],
  ["links alone", LINKS, "await createRemitKit(options);"],
  ["links and preload()", LINKS, "await preload(); await createRemitKit(options);"],
]) {
  test(`${name}: the wasm is fetched once`, IN_PAGE, async () => {
    const page = pageOf(
      `import { createRemitKit, preload } from "remitkit";
      const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
      ${script}
      fetch("/told", { method: "POST", body: '"ready"' });`,
      IMPORTS + head,
    );
    let fetched = 0;
    const serve = async (_, reply) => {
      fetched += 1;
      reply.setHeader("content-type", "application/wasm").end(await readFile(join(root, WASM)));
    };
    assert.deepEqual([await told(root, { "/": page, [WASM]: serve }), fetched], ["ready", 1]);
  });
}
