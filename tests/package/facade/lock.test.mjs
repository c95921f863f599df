// The engine's locks where it has no Web Locks. `tests/fetch.rs` asks the same of those.

import assert from "node:assert/strict";
import { test } from "node:test";
import { facadeFolder, settled } from "./facade.mjs";

const { load } = await facadeFolder();
const { Engine } = await load("engine.js");
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });

/** Two engines of one page, and what they were told. */
function engines() {
  const told = [];
  const engine = (name) => new Engine((id, status) => told.push([name + id, status]));
  return { one: engine("one"), two: engine("two"), told };
}

test("a lock is held by one at a time and goes to the next when it is let go, another name is free meanwhile", async () => {
  const { one, two, told } = engines();
  one.lock(1, undefined, "a", -1);
  two.lock(1, undefined, "a", -1);
  one.lock(2, undefined, "a", -1);
  assert.deepEqual(told, []);
  two.lock(3, undefined, "b", -1);
  await settled();
  assert.deepEqual(told.splice(0).sort(), [["one1", 0], ["two3", 0]]);
  one.release(1);
  await settled();
  assert.deepEqual(told.splice(0), [["two1", 0]]);
  two.release(1);
  await settled();
  assert.deepEqual(told.splice(0), [["one2", 0]]);
  one.release(2);
  await settled();
  two.lock(4, undefined, "a", -1);
  await settled();
  assert.deepEqual(told, [["two4", 0]]);
});

test("who stops waiting, late or as the lock is granted, does not get it and holds nobody up", async () => {
  const { one, two, told } = engines();
  const controller = new AbortController();
  one.lock(1, undefined, "c", -1);
  two.lock(1, undefined, "c", -1);
  two.lock(2, undefined, "c", 1);
  two.lock(3, controller.signal, "c", -1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  controller.abort();
  assert.deepEqual(told.splice(0), [["one1", 0], ["two2", -2], ["two3", -3]]);
  one.release(1);
  two.stop(1);
  two.release(1);
  one.lock(2, undefined, "c", -1);
  await settled();
  assert.deepEqual(told, [["one2", 0]]);
});
