// The packed package, unpacked.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
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

/** Returns everything that a page, a log or an error tracker can make of a value. */
function everythingOf(value) {
  const names = value instanceof Error ? Object.getOwnPropertyNames(value) : [];
  const limits = { depth: 9, showHidden: true, maxArrayLength: null, maxStringLength: null };
  const own = names.map((name) => String(value[name]));
  return [String(value), value?.stack, JSON.stringify(value), inspect(value, limits), own].join("\n");
}

/** Asserts that no secret appears in what these values show. */
export function assertHidden(secrets, ...values) {
  const everything = values.map(everythingOf).join("\n");
  for (const secret of secrets) {
    const hex = Buffer.from(secret).toString("hex");
    for (const written of [secret, encodeURIComponent(secret), btoa(secret), hex]) {
      assert.ok(!everything.includes(written), `${written} appears in\n${everything}`);
    }
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
