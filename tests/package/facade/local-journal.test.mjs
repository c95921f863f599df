import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { errorOf, facadeFolder } from "./facade.mjs";

const { load } = await facadeFolder();
const { localJournal } = await load("local-journal.js");

afterEach(() => delete globalThis.indexedDB);

/** A database whose connections can be lost, and those that were opened. */
function database() {
  const entries = new Map();
  const opened = [];
  const later = (target, event) => setImmediate(() => target[event]());
  class Connection {
    isLost = false;
    isFull = false;
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
      opened.push(request.result);
      later(request, "onsuccess");
      return request;
    },
  };
  return opened;
}

test("a connection that is lost without a word is opened anew by the next use", async () => {
  const opened = database();
  const journal = localJournal();
  await journal.set("a", "1");
  opened[0].isLost = true;
  assert.equal((await errorOf(journal.get("a"))).name, "InvalidStateError");
  assert.equal(await journal.get("a"), "1");
  assert.equal(opened.length, 2);
});

test("what is not kept is told, and does not stand in the way of what comes after", async () => {
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
