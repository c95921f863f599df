import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { errorOf, load, settled } from "./kit.mjs";

const { localJournal } = await load("local-journal.js");

afterEach(() => delete globalThis.indexedDB);

/** A database whose connections can be lost, and those that were opened; `answers` says how an opening ends, by its number. */
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
    transaction() {
      if (this.isLost) {
        throw new DOMException("The database connection is closing.", "InvalidStateError");
      }
      const transaction = { error: new DOMException("…", "QuotaExceededError") };
      later(transaction, this.isFull ? "onabort" : "oncomplete");
      transaction.objectStore = () => ({
        get: (key) => ({ result: entries.get(key) }),
        put: (value, key) => ({ result: entries.set(key, value) && undefined }),
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
      if (answer !== undefined) {
        later(request, answer);
      }
      return request;
    },
  };
  return opened;
}

test("a lost connection is opened again by the next use", async () => {
  const opened = database();
  const journal = localJournal();
  await journal.set("a", "1");
  opened[0].isLost = true;
  assert.equal((await errorOf(journal.get("a"))).name, "InvalidStateError");
  assert.equal(await journal.get("a"), "1");
  assert.equal(opened.length, 2);
});

test("a failed write rejects and does not affect the next one", async () => {
  const opened = database();
  const journal = localJournal();
  await journal.set("a", "1");
  opened[0].isFull = true;
  assert.equal((await errorOf(journal.set("b", "2"))).name, "QuotaExceededError");
  await journal.set("b", "2");
  assert.equal(await journal.get("b"), "2");
});

test("where a database cannot be opened now, it is opened later", async () => {
  database();
  const { open } = indexedDB;
  const journal = localJournal();
  indexedDB.open = () => {
    throw new DOMException("…", "SecurityError");
  };
  assert.equal((await errorOf(journal.get("a"))).name, "SecurityError");
  indexedDB.open = open;
  assert.equal(await journal.get("a"), undefined);
});

/** Lets so much time pass, and what follows of it happen. */
async function pass(t, ms) {
  t.mock.timers.tick(ms);
  await settled();
}

test("an opening that never answers rejects; the next use opens again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opened = database((number) => (number === 1 ? undefined : "onsuccess"));
  const journal = localJournal();
  const uses = Promise.allSettled([journal.set("a", "old"), journal.get("a")]);
  const ends = () => Promise.race([uses.then((told) => told.map(({ status }) => status)), settled()]);
  await pass(t, 24_999);
  assert.equal(await ends(), undefined);
  await pass(t, 1);
  assert.deepEqual(await ends(), ["rejected", "rejected"]);
  await journal.set("a", "new");
  assert.equal(opened.length, 2);
  opened[0].answer();
  await settled();
  assert.equal(opened[0].isClosed, true, "a connection that nobody uses");
  assert.equal(await journal.get("a"), "new");
  assert.deepEqual([opened.length, opened[1].isClosed], [2, false]);
});

test("an opening that answers late, but not too late, is used", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opened = database(() => undefined);
  const journal = localJournal();
  const kept = journal.set("a", "1");
  await pass(t, 24_000);
  opened[0].answer();
  await kept;
  await pass(t, 2_000);
  assert.equal(await journal.get("a"), "1");
  assert.deepEqual([opened.length, opened[0].isClosed], [1, false]);
});
