import { equal } from "node:assert/strict";
import { createServer } from "node:http";
import { connectSandbox } from "remitkit/testing";

export default async (t) => {
  {
    // sample: Testing your shop: remitkit/testing
    {
      await sandbox.faults.clear();
      // sample: Make it happen
      assert.ok(business.access_token);
      const statuses = (await sandbox.transfers()).slice(1).map(({ status }) => status);
      assert.deepEqual(statuses, ["Failed", "Complete", "Initiated"]);
      await sandbox.clock.advance(26 * 3_600_000);
      assert.equal((await sandbox.transfers()).at(-1).status, "Failed");
      await sandbox.cardSessions.next();

      const logged = [];
      const log = (text) => logged.push(text);
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
      await sandbox.faults.clear();
      await sandbox.setBalance(1_000_000_000);
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
