// The journal that all tabs share, over an IndexedDB whose connections can be lost.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, fakeTime, kit, settled } from "./kit.mjs";

afterEach(() => delete globalThis.indexedDB);

/** Installs a database; returns its connections. `answers` names the event that ends each opening. */
function database(answers = () => "onsuccess") {
  const entries = new Map();
  const opened = [];
  const later = (target, event) => setImmediate(() => target[event]());
  class Connection {
    isLost = false;
    isFull = false;
    isClosed = false;
    close() {
      this.isClosed = true;
    }
    transaction(_, mode, { durability }) {
      assert.equal(durability, "strict", "an attempt is on disk before it is sent");
      if (this.isLost) throw new DOMException("The database connection is closing.", "InvalidStateError");
      const transaction = { error: new DOMException("…", "QuotaExceededError") };
      later(transaction, this.isFull ? "onabort" : "oncomplete");
      transaction.objectStore = () => ({
        get: (key) => ({ result: entries.get(key) }),
        put: (value, key) => ({ result: this.isFull || void entries.set(key, value) }),
        delete: (key) => ({ result: void entries.delete(key) }),
        getAllKeys: () => ({ result: [...entries.keys()] }),
      });
      return transaction;
    }
  }
  globalThis.indexedDB = {
    open() {
      const request = { result: new Connection() };
      request.result.answer = () => request.onsuccess();
      opened.push(request.result);
      const answer = answers(opened.length);
      if (answer !== undefined) later(request, answer);
      return request;
    },
  };
  return opened;
}

/** A kit with that journal: `keep` writes an attempt, `count` reads how many there are. */
async function keeping() {
  const { remit } = await kit(undefined, { journal: "local" });
  return {
    keep: () => remit.prepareTransfer(REQUESTS.transfer(randomUUID())),
    count: async () => (await remit.pendingTransfers()).length,
  };
}

async function assertRefused(use) {
  const { code, retryable, option } = await errorOf(use);
  assert.deepEqual([code, retryable, option], ["JournalUnavailable", true, "journal"]);
}

test("a connection that is lost or full is replaced, and the use repeated once", async () => {
  const opened = database();
  const { keep, count } = await keeping();
  await keep();
  opened[0].isLost = true;
  assert.equal(await count(), 1);
  opened[1].isFull = true;
  await keep();
  assert.deepEqual([opened.length, await count()], [3, 2]);
});

test("a database that a policy forbids is the page's memory, and any other failure is none", async () => {
  const denied = new DOMException("The user denied permission to access the database.", "UnknownError");
  for (const [error, isForbidden] of [
    [new DOMException("…", "SecurityError"), true],
    [new DOMException("…", "InvalidStateError"), true],
    [denied, true],
    [new DOMException("Internal error.", "UnknownError"), false],
  ]) {
    const opened = database(() => "onerror");
    const { open } = globalThis.indexedDB;
    globalThis.indexedDB.open = () => Object.assign(open(), { error });
    const { keep, count } = await keeping();
    if (isForbidden) {
      await keep();
      assert.deepEqual([await count(), opened.length], [1, 1]);
    } else await assertRefused(keep());
  }
  delete globalThis.indexedDB;
  const { keep, count } = await keeping();
  await keep();
  assert.equal(await count(), 1);
});

test("a connection that another tab wants closed is closed and replaced", async () => {
  const opened = database();
  const { keep, count } = await keeping();
  await keep();
  opened[0].onversionchange();
  assert.equal(opened[0].isClosed, true);
  assert.equal(await count(), 1);
  assert.equal(opened.length, 2);
});

test("an opening that never answers rejects; the next use opens again", async (t) => {
  const time = fakeTime(t);
  t.mock.method(performance, "now", () => Date.now());
  const opened = database((number) => (number === 1 ? undefined : "onsuccess"));
  const { keep, count } = await keeping();
  let isRefused = false;
  const uses = Promise.all([assertRefused(keep()), assertRefused(count())]).then(() => (isRefused = true));
  await time.pass(24_999);
  assert.equal(isRefused, false);
  await time.pass(1);
  await uses;
  await keep();
  assert.equal(opened.length, 2);
  opened[0].answer();
  await settled();
  assert.equal(opened[0].isClosed, true, "the late connection is not used");
  assert.equal(await count(), 1, "the refused write is not made later");
  assert.deepEqual([opened.length, opened[1].isClosed], [2, false]);
});
