import { failure } from "../errors/errors.js";

/**
 * Imports a module of Node. Hides its name from bundlers, which would look for it even if a page uses only
 * the rest of this entry point. Throws an error that names the `needer` outside Node.
 */
export async function nodeModule(name, needer) {
  // Works with the globals of jsdom, too.
  if (typeof process !== "object" || typeof process?.versions?.node !== "string") {
    const message = `${needer} needs Node.js: call it in the test runner's process, not in a page.`;
    throw failure("InvalidConfiguration", message);
  }
  const specifier = `node:${name}`;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
}
