import { ADDRESSES_VARIABLE } from "./sandbox.js";
import { startSandbox } from "./start-sandbox.js";

/** The key of the addresses for Vitest's `inject`. */
const PROVIDED = "remitkitSandbox";

export function sandboxGlobalSetup(options) {
  return async (context) => {
    const sandbox = await startSandbox(options);
    const addresses = sandbox.toJSON();
    process.env[ADDRESSES_VARIABLE] = JSON.stringify(addresses);
    // Vitest's context; Playwright passes its configuration.
    if (typeof context?.provide === "function") context.provide(PROVIDED, addresses);
    return async () => {
      delete process.env[ADDRESSES_VARIABLE];
      await sandbox.stop();
    };
  };
}

export function sandboxFixture(options) {
  // Playwright and Vitest parse the source for the fixtures that it uses, and need a pattern even if there
  // are none.
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
