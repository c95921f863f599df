// The wasm started early, in a page without a bundler: it is fetched once, whoever asks for it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { opened, shop } from "./packed.mjs";

const WASM = "/node_modules/remitkit/remitkit_first.wasm";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const LINKS = `
<link rel="modulepreload" href="/node_modules/remitkit/index.js" />
<link rel="preload" as="fetch" type="application/wasm" crossorigin href="${WASM}" />`;

const page = (head, script) => `<!doctype html><title>Shop</title>
<script type="importmap">{ "imports": { "remitkit": "/node_modules/remitkit/index.js" } }</script>${head}
<script type="module">
const told = (text) => fetch("/told", { method: "POST", body: text });
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
${script}
</script>`;

/** How often the page asked for the wasm, and what it told. */
async function visited(head, script) {
  const root = await shop({});
  let wasm = 0;
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, reply) => {
    if (request.url === "/told") {
      tell(Buffer.concat(await request.toArray()).toString());
      return reply.end();
    }
    wasm += request.url === WASM ? 1 : 0;
    reply.setHeader("content-type", TYPES[extname(request.url)] ?? "text/html");
    const file = request.url === "/" ? page(head, script) : await readFile(join(root, request.url)).catch(() => "");
    reply.end(file);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  const text = await opened(`http://127.0.0.1:${server.address().port}/`, told);
  return { text, wasm };
}

const SCRIPTS = {
  "preload() alone, and two kits": [
    "",
    `import { createRemitKit, preload } from "remitkit";
    preload();
    await Promise.all([createRemitKit(options), createRemitKit(options)]);
    told("ready");`,
  ],
  "links alone": [LINKS, `import { createRemitKit } from "remitkit"; await createRemitKit(options); told("ready");`],
  "links and preload()": [
    LINKS,
    `import { createRemitKit, preload } from "remitkit"; await preload(); await createRemitKit(options); told("ready");`,
  ],
};

for (const [name, [head, script]] of Object.entries(SCRIPTS)) {
  test(`${name}: the wasm is fetched once`, { timeout: 60_000 }, async (t) => {
    const { text, wasm } = await visited(head, script);
    if (text === undefined) {
      t.diagnostic("there is no Chromium here to run the page in");
      return;
    }
    assert.deepEqual([text, wasm], ["ready", 1]);
  });
}
