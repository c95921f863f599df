// Everything here must compile.

import { expect, inject, test as base } from "vitest";
import { connectSandbox, sandboxFixture, sandboxGlobalSetup } from "remitkit/testing";
import type { SandboxAddresses, StartedSandbox } from "remitkit/testing";

export default sandboxGlobalSetup({ seed: 7 });

const test = base.extend<{ sandbox: StartedSandbox }>({ sandbox: sandboxFixture({ seed: 8 }) });
const inferred = base.extend({ sandbox: sandboxFixture() });

test("a fixture is a sandbox", async ({ sandbox }) => {
  const addresses: SandboxAddresses = inject("remitkitSandbox");
  expect(connectSandbox(addresses).baseUrl).not.toBe(sandbox.baseUrl);
});
inferred("its type is inferred too", async ({ sandbox }) => {
  const pid: number = sandbox.pid;
  expect(pid).toBeGreaterThan(0);
});
