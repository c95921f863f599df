// The packed package, unpacked.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { run, tarball } from "../packed.mjs";

export { assertRefused, errorOf } from "../packed.mjs";

const { setTimeout } = globalThis;

/** Unpacks the package into a new folder. Modules of different folders share no state. */
export async function unpacked() {
  const folder = await mkdtemp(join(tmpdir(), "remitkit-unpacked-"));
  after(() => rm(folder, { recursive: true }));
  await run("tar", ["-xzf", await tarball(), "-C", folder, "--strip-components=1"]);
  return { folder, load: (name) => import(pathToFileURL(join(folder, name)).href) };
}

/** Waits until everything that is due has run, zero-delay timers included. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Redefines a global for one test. */
export function replaceGlobal(t, name, property) {
  const own = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { configurable: true, ...property });
  t.after(() => (own ? Object.defineProperty(globalThis, name, own) : delete globalThis[name]));
}

/** Replaces timers and the clock: time passes only in `pass`. */
export function fakeTime(t, now = Date.now()) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now });
  const pass = async (ms) => {
    await settled();
    t.mock.timers.tick(ms);
    await settled();
  };
  /** Lets up to five minutes pass until a promise settles; returns the promise. */
  const untilSettled = async (promise) => {
    let isPending = true;
    const end = () => (isPending = false);
    promise.then(end, end);
    for (let step = 0; step < 600 && isPending; step += 1) await pass(500);
    return promise;
  };
  return { pass, untilSettled };
}
