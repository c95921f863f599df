import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "./unpacked.mjs";

const { loadAgain } = await import("../../../pkg-template/load-again.js");

const ADDRESS = "https://shop.example/assets/create-a1b2.js?v=3";
const failed = (address) => new TypeError(`error loading dynamically imported module: ${address}`);

/** An engine that keeps what has failed, and a network that is down for so many requests. */
function keeping(down, message = failed) {
  const kept = new Map();
  const asked = [];
  const from = async (address) => {
    if (!kept.has(address)) {
      asked.push(address);
      kept.set(address, asked.length <= down ? message(address) : { address });
    }
    const answer = kept.get(address);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, load: loadAgain(() => from(ADDRESS), from) };
}

test("a script that has loaded is requested once", async () => {
  const { asked, load } = keeping(0);
  assert.equal(await load(), await load());
  assert.deepEqual(asked, [ADDRESS]);
});

test("a failure the engine caches is retried under another address", async () => {
  const { asked, load } = keeping(2);
  assert.match((await errorOf(load())).message, /error loading/);
  assert.match((await errorOf(load())).message, /error loading/);
  const loaded = await load();
  assert.deepEqual(asked, [ADDRESS, `${ADDRESS}&again=2`, `${ADDRESS}&again=3`]);
  assert.equal(loaded.address, `${ADDRESS}&again=3`);
  assert.equal(await load(), loaded);
});

test("an engine that retries by itself gets the same address", async () => {
  let isUp = false;
  const load = loadAgain(
    async () => {
      if (!isUp) throw failed(ADDRESS);
      return { isThere: true };
    },
    () => assert.fail("under another address"),
  );
  await errorOf(load());
  isUp = true;
  assert.deepEqual(await load(), { isThere: true });
});

test("a failure without an address is passed on unchanged", async () => {
  const { asked, load } = keeping(9, () => new TypeError("Importing a module script failed."));
  for (let i = 0; i < 3; i++) assert.match((await errorOf(load())).message, /Importing/);
  assert.deepEqual(asked, [ADDRESS]);
});
