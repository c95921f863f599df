import { equal } from "node:assert/strict";

export default async (t) => {
  {
    // sample: Testing your shop: remitkit/testing
    // sample: Time
    assert.deepEqual(await sandbox.transfers(), []);
    await sandbox.stop();
    assert.equal((await remit.corridors().catch((error) => error)).code, "NetworkFailure");
  }

  const exported = { default: async () => async () => {} };
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
