import { equal } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connectSandbox } from "remitkit/testing";

export default async (t) => {
  {
    // sample: Testing your shop: remitkit/testing
    {
      const start = await sandbox.snapshot();
      // sample: Make it happen
      assert.ok(business.access_token);
      const statuses = (await sandbox.transfers()).slice(1).map(({ status }) => status);
      assert.deepEqual(statuses, ["Failed", "Complete", "Initiated"]);
      await sandbox.clock.advance(26 * 3_600_000);
      assert.equal((await sandbox.transfers()).at(-1).status, "Failed");

      {
        // sample: A service of your own
        t.after(() => paraguay.stop());
        const own = await createRemitKit({ baseUrl: paraguay.baseUrl, cardUrl: paraguay.cardUrl, token: () => paraguay.token() });
        const to = { dstCountryIso3Code: "PRY", dstCurrencyIso3Code: "PYG", transferMethod: "BANK_ACCOUNT" };
        const fields = await own.recipientFields({ ...to, recipientType: "PERSON" });
        const problems = fields.check({ firstName: "Ana", lastName: "Rojas", RUC: "12" });
        assert.deepEqual(problems.map(({ fieldId, code }) => [fieldId, code]), [["RUC", "ValueRegexFailure"]]);
      }

      const logged = [];
      const log = (text) => void logged.push(text);
      const backend = createServer();
      const serve = async (handle) => {
        await once(backend.on("request", handle).listen(0, "127.0.0.1"), "listening");
        return `http://127.0.0.1:${Object(backend.address()).port}`;
      };
      // sample: Webhooks
      t.after(() => Promise.all([shop.stop(), backend.close()]));
      assert.equal((await shop.webhooks.list()).length, 0);
      {
        const shop = connectSandbox(sandbox);
        const { deliver } = shop.webhooks;
        shop.webhooks = { deliver: (id, more) => deliver(id, { url, key: "whk_1", ...more }) };
        // sample: Webhooks
        assert.equal(status, 401);
        assert.deepEqual(logged, ["Failed", "Complete", "Initiated"]);
      }
      await sandbox.restore(start);
    }
    // sample: Time
    assert.deepEqual(await sandbox.transfers(), []);
    await sandbox.stop();
    assert.equal((await remit.corridors().catch((error) => error)).code, "NetworkFailure");
  }

  const exported = { default: async () => async () => {} };
  // sample: Vitest and Playwright
  const stop = await exported.default();
  assert.deepEqual(await connectSandbox().transfers(), []);
  await stop();

  {
    let fixture;
    const tests = [];
    const addTest = (title, run) => tests.push(run);
    const base = { extend: ({ sandbox }) => ((fixture = sandbox), addTest) };
    // sample: Vitest and Playwright
    const [use, { scope }] = fixture;
    assert.deepEqual([typeof use, scope, tests.length], ["function", "worker", 1]);
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
