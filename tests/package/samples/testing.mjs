import { equal } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

export default async (t, { browser, folder }) => {
  await (async () => {
    // sample: Testing your shop: remitkit/testing
    // sample: Time
    assert.deepEqual(await sandbox.transfers(), []);
    await sandbox.stop();
    assert.equal((await remit.corridors().catch((error) => error)).code, "NetworkFailure");
  })();

  const exported = {};
  // sample: Vitest and Playwright
  const stop = await exported.default();
  const { connectSandbox } = await import("remitkit/testing");
  assert.deepEqual(await connectSandbox().transfers(), []);
  await stop();

  await (async () => {
    let fixture;
    const tests = [];
    const base = { extend: (fixtures) => ((fixture = fixtures.sandbox), (title, run) => tests.push([title, run])) };
    // sample: Vitest and Playwright
    const [run, { scope }] = fixture;
    assert.equal(scope, "worker");
    assert.equal(tests.length, 1);
    if (browser === undefined) return;
    await run({}, async (sandbox) => {
      const shop = await checkout(folder, sandbox);
      t.after(() => shop.close());
      const page = await browser.newPage({ baseURL: shop.url });
      t.after(() => page.close());
      page.setDefaultTimeout(20_000);
      await tests[0][1]({ page, sandbox });
    });
  })();

  await (async () => {
    const sandbox = await (await import("remitkit/testing")).startSandbox();
    t.after(() => sandbox.stop());
    // sample: A card form that does what you say
    t.after(() => frame.stop());
    assert.match(frame.cardUrl, /^http:/);
    assert.notEqual(frame.cardUrl, sandbox.cardUrl);
  })();

  await (async () => {
    const logged = [];
    const console = { log: (text) => logged.push(text) };
    // sample: A card form that does what you say
    assert.deepEqual(logged, [[["cardForm", { container: "#card" }]]]);
    assert.equal(cardForms[0].renewals, 1);
    fake.destroy();
    // sample: A card form that does what you say
    assert.deepEqual(form.check({}).map(({ fieldId }) => fieldId), ["firstName"]);
    assert.deepEqual([unsure.submissions, unsure.attempt.state], [2, "CREATED"]);
    assert.equal(await page.remit.prepareTransfer({}), unsure.attempt);
  })();
};

/** A shop without a bundler, with the README's import map; it says when a card is not accepted. */
async function checkout(folder, sandbox) {
  const packed = join(folder, "node_modules/remitkit");
  const [, imports] = /`(\{ "imports".*\})` \|/.exec(await readFile(join(packed, "README.md"), "utf8"));
  const page = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><p></p><div id="card"></div>
<script type="importmap">${imports}</script>
<script type="module">
  import { createRemitKit } from "remitkit";
  import { defineRemitCardForm } from "remitkit/element";
  defineRemitCardForm();
  const at = new URL(location).searchParams;
  const token = () => fetch("/token").then((reply) => reply.json());
  const remit = await createRemitKit({ baseUrl: at.get("api"), cardUrl: at.get("cards"), token });
  const form = await remit.cardForm({ container: "#card" });
  form.on("CARD_VALIDATION_STOP_FAIL", () => (document.querySelector("p").textContent = "Try another card."));
</script>`;
  const server = createServer(async (request, reply) => {
    const { pathname } = new URL(request.url, "http://shop");
    if (pathname === "/token") return reply.end(JSON.stringify(await sandbox.token()));
    if (pathname === "/checkout") return reply.setHeader("content-type", "text/html").end(page);
    const text = await readFile(join(packed, pathname)).catch(() => undefined);
    return reply.writeHead(text ? 200 : 404, { "content-type": "text/javascript" }).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
