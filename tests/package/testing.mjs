// `remitkit/testing` of the packed tarball, and the sandbox's program for it.

import { access } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ROOT, shop } from "./packed.mjs";

export { assertRefused, errorOf } from "./packed.mjs";

/** The program under test: `REMITKIT_SANDBOX`, or else what `cargo build -p remitkit-sandbox` builds. */
export const PROGRAM = process.env.REMITKIT_SANDBOX || join(ROOT, "target/debug/remitkit-sandbox");
await access(PROGRAM).catch(() => {
  const advice = "run `cargo build -p remitkit-sandbox`, or set REMITKIT_SANDBOX";
  throw new Error(`There is no ${PROGRAM}: ${advice}.`);
});
process.env.REMITKIT_SANDBOX = PROGRAM;

/** Installs the package in a shop and loads it. */
export async function installed(files) {
  const folder = await shop(files);
  const load = (name) => import(pathToFileURL(join(folder, "node_modules/remitkit", name)).href);
  return { folder, load, ...(await load("index.js")), ...(await load("testing.js")) };
}

/** Starts a sandbox that ends with the tests, and has the same identifiers in each run. */
export async function fileSandbox(startSandbox, options) {
  const sandbox = await startSandbox({ seed: 1, ...options });
  after(() => sandbox.stop());
  return sandbox;
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has ended; returns whether it did. */
export async function hasEnded(pid, limitMs = 30_000) {
  for (const until = Date.now() + limitMs; Date.now() < until; await sleep(20)) {
    if (!isAlive(pid)) return true;
  }
  return false;
}
