import { ADDRESSES_VARIABLE } from "./sandbox.js";
import { startSandbox } from "./start-sandbox.js";

/** Under which Vitest's `inject` finds the addresses. */
const PROVIDED = "remitkitSandbox";

/**
 * A global setup for Vitest and for Playwright, which both call it before all tests, and what it gives after
 * them.
 */
export function sandboxGlobalSetup(options) {
  return async (context) => {
    const sandbox = await startSandbox(options);
    const addresses = sandbox.toJSON();
    process.env[ADDRESSES_VARIABLE] = JSON.stringify(addresses);
    // Vitest's; Playwright hands over its configuration.
    if (typeof context?.provide === "function") {
      context.provide(PROVIDED, addresses);
    }
    return async () => {
      delete process.env[ADDRESSES_VARIABLE];
      await sandbox.stop();
    };
  };
}

/** A fixture for the `test.extend` of Playwright and of Vitest. */
export function sandboxFixture(options) {
  // Both read the source for the fixtures that it needs, and want a pattern even where it needs none.
  // eslint-disable-next-line no-empty-pattern
  return async ({}, use) => {
    const sandbox = await startSandbox(options);
    try {
      await use(sandbox);
    } finally {
      await sandbox.stop();
    }
  };
}
