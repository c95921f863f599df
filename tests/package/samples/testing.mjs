import { equal } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export default async (t, { browser, folder, serveFolder }) => {
  {
    // sample: Testing your shop: remitkit/testing
    // sample: Time
    assert.deepEqual(await sandbox.transfers(), []);
    await sandbox.stop();
    assert.equal((await remit.corridors().catch((error) => error)).code, "NetworkFailure");
  }

  const exported = {};
  // sample: Vitest and Playwright
  const stop = await exported.default();
  const { connectSandbox } = await import("remitkit/testing");
  assert.deepEqual(await connectSandbox().transfers(), []);
  await stop();

  {
    let fixture;
    const tests = [];
    const addTest = (title, run) => tests.push(run);
    const base = { extend: ({ sandbox }) => ((fixture = sandbox), addTest) };
    // sample: Vitest and Playwright
    const [run, { scope }] = fixture;
    assert.deepEqual([scope, tests.length], ["worker", 1]);
    await run({}, async (sandbox) => {
      if (browser === undefined) return;
      const page = await browser.newPage({ baseURL: await checkout(folder, sandbox, serveFolder) });
      t.after(() => page.close());
      page.setDefaultTimeout(20_000);
      await tests[0]({ page, sandbox });
    });
  }

  {
    const sandbox = await (await import("remitkit/testing")).startSandbox();
    t.after(() => sandbox.stop());
    // sample: A card form that does what you say
    t.after(() => frame.stop());
    assert.notEqual(frame.cardUrl, sandbox.cardUrl);
  }

  {
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
  }
};

/** Serves a shop without a bundler, with the README's import map, which says when a card is not accepted. */
async function checkout(folder, sandbox, serveFolder) {
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
  const token = async (_, reply) => reply.end(JSON.stringify(await sandbox.token()));
  return serveFolder(packed, { "/checkout": page, "/token": token });
}
