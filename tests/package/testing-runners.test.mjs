// The helpers for test runners, within those runners.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { link } from "./compiler.mjs";
import { run } from "./packed.mjs";
import { hasEnded, installed } from "./testing.mjs";

const { connectSandbox, folder, sandboxFixture, sandboxGlobalSetup } = await installed({
  "vitest.config.js": `
    import { defineConfig } from "vitest/config";
    export default defineConfig({ test: { globalSetup: "./sandbox.setup.js", pool: "forks" } });`,
  "sandbox.setup.js": `
    import { sandboxGlobalSetup } from "remitkit/testing";
    export default sandboxGlobalSetup({ seed: 7 });`,
  "node.test.js": `
    import { expect, inject, test } from "vitest";
    import { connectSandbox, sandboxFixture } from "remitkit/testing";

    const shop = test.extend({ own: sandboxFixture({ seed: 8 }) });

    test("the addresses are provided and set in the environment", async () => {
      const sandbox = connectSandbox();
      expect(inject("remitkitSandbox")).toEqual(sandbox.toJSON());
      expect((await sandbox.token()).access_token).toBeTruthy();
      expect(await sandbox.transfers()).toEqual([]);
    });

    shop("a fixture is a sandbox of its own", async ({ own }) => {
      expect(own.baseUrl).not.toBe(connectSandbox().baseUrl);
      await own.clock.advance(1000);
      console.log("own:" + own.pid);
    });`,
  "component.test.js": `
    // @vitest-environment jsdom
    import { expect, test } from "vitest";
    import { connectSandbox, fakeRemitKit } from "remitkit/testing";

    test("a component shows a form, and jsdom reaches the sandbox", async () => {
      document.body.innerHTML = "<div id=card></div>";
      const form = await fakeRemitKit().remit.cardForm({ container: "#card" });
      expect(document.querySelector("#card iframe")).toBe(form.element);
      expect((await connectSandbox().clock.now()) > new Date(0)).toBe(true);
    });`,
});
for (const name of ["vitest", "vite", "jsdom"]) await link(folder, name);

test("Vitest starts one sandbox, hands it to every test and stops it", async () => {
  const vitest = join(folder, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, NO_COLOR: "1", CI: "1" };
  const { stdout } = await run(process.execPath, [vitest, "run"], { cwd: folder, env });
  assert.match(stdout, /Tests {2}3 passed \(3\)/);
  const [, pid] = /own:(\d+)/.exec(stdout);
  assert.ok(await hasEnded(Number(pid)));
});

test("Playwright's global setup returns what stops the sandbox", async () => {
  const teardown = await sandboxGlobalSetup()({ projects: [], workers: 1 });
  const sandbox = connectSandbox();
  assert.ok((await sandbox.token()).access_token);
  await teardown();
  assert.equal(await sandbox.transfers().catch(({ code }) => code), "NetworkFailure");
  assert.equal(process.env.REMITKIT_SANDBOX_ADDRESSES, undefined);
});
