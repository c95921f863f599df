import { failure } from "../errors.js";

/**
 * A module of Node's own. Its name is kept from bundlers, which would look for it when only the rest of this
 * entry point is used in a page, and its absence becomes an error that says who needs it.
 */
export async function nodeModule(name, needer) {
  // Also where jsdom or a worker has put other globals over Node's.
  if (typeof process !== "object" || typeof process?.versions?.node !== "string") {
    throw failure(
      "InvalidConfiguration",
      `${needer} needs Node.js: call it in the test runner's process, not in a page.`,
    );
  }
  const specifier = `node:${name}`;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
}
