// The journal that all tabs share, over an IndexedDB whose connections can be lost.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, fakeTime, kit, settled } from "./kit.mjs";

afterEach(() => delete globalThis.indexedDB);

/**
 * Installs a database; returns its connections. `answers` names the event that ends each opening. The list's
 * `hangs` are the modes whose transactions never end; with `commits` they write all the same.
 */
function database(answers = () => "onsuccess") {
  const entries = new Map();
  const opened = Object.assign([], { hangs: [], commits: false });
  const later = (target, event) => setImmediate(() => target[event]());
  class Connection {
    isLost = false;
    isFull = false;
    isClosed = false;
    aborted = 0;
    close() {
      this.isClosed = true;
    }
    transaction(_, mode, { durability }) {
      assert.equal(durability, "strict", "an attempt is on disk before it is sent");
      if (this.isLost) throw new DOMException("The database connection is closing.", "InvalidStateError");
      const transaction = { error: new DOMException("…", "QuotaExceededError") };
      const hangs = opened.hangs.includes(mode);
      transaction.abort = () => {
        if (opened.commits) throw new DOMException("The transaction is committing.", "InvalidStateError");
        this.aborted += 1;
        later(transaction, "onabort");
      };
      if (!hangs) later(transaction, this.isFull ? "onabort" : "oncomplete");
      const writes = !this.isFull && (!hangs || opened.commits);
      transaction.objectStore = () => ({
        get: (key) => ({ result: entries.get(key) }),
        put: (value, key) => ({ result: !writes || void entries.set(key, value) }),
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

/** Stops time; `within` returns the result of uses that must end within these milliseconds, and not before. */
function stoppedTime(t) {
  const time = fakeTime(t);
  t.mock.method(performance, "now", () => Date.now());
  const pass = async (ms) => {
    // Timers begin others.
    for (let left = ms; left > 0; left -= 50) await time.pass(Math.min(left, 50));
  };
  const within = async (earliest, latest, uses) => {
    let hasEnded = false;
    const all = Promise.all(uses).finally(() => (hasEnded = true));
    all.catch(() => {});
    await pass(earliest);
    assert.equal(hasEnded, false, `ended within ${earliest} ms`);
    await pass(latest - earliest);
    assert.equal(hasEnded, true, `not ended within ${latest} ms`);
    return all;
  };
  return { pass, within, untilSettled: time.untilSettled };
}

test("a database that never answers is told within three seconds, and nothing is written", async (t) => {
  const time = stoppedTime(t);
  const opened = database(() => undefined);
  const { keep, count } = await keeping();
  await time.within(2100, 3000, [assertRefused(keep()), assertRefused(count())]);
  await time.pass(2000);
  await time.within(2100, 3000, [assertRefused(keep())]);
  opened[0].answer();
  await settled();
  assert.equal(await count(), 0, "a refused write is not made later");
  assert.equal(opened[0].isClosed, false);
});

test("uses that begin while the database hangs are told within three seconds, too", async (t) => {
  const time = stoppedTime(t);
  database(() => undefined);
  const { keep, count } = await keeping();
  const first = assertRefused(keep());
  await time.pass(700);
  await time.within(1000, 3000, [first, assertRefused(count())]);
});

test("an opening and an answer that are both late are told within three seconds together", async (t) => {
  const time = stoppedTime(t);
  const opened = database((number) => (number === 1 ? undefined : "onsuccess"));
  opened.hangs = ["readonly", "readwrite"];
  const { keep } = await keeping();
  const kept = assertRefused(keep());
  await time.pass(2000);
  opened[0].answer();
  await time.within(200, 1000, [kept]);
});

test("where only the first opening never answers, the use is repeated and succeeds", async (t) => {
  const time = stoppedTime(t);
  const opened = database((number) => (number === 1 ? undefined : "onsuccess"));
  const { keep, count } = await keeping();
  await time.within(2100, 3000, [keep()]);
  opened[0].answer();
  await settled();
  assert.deepEqual([opened[0].isClosed, opened[1].isClosed], [true, false], "one connection is enough");
  assert.deepEqual([await count(), opened.length], [1, 2]);
});

test("a database that answers late serves the next use, and closes for another tab", async (t) => {
  const time = stoppedTime(t);
  const opened = database((number) => (number > 2 ? "onsuccess" : undefined));
  const { keep, count } = await keeping();
  await time.within(2100, 3000, [assertRefused(keep())]);
  opened[0].answer();
  opened[1].answer();
  await settled();
  await keep();
  assert.deepEqual([await count(), opened.length], [1, 2]);
  assert.deepEqual([opened[0].isClosed, opened[1].isClosed], [false, true]);
  opened[0].onversionchange();
  assert.equal(opened[0].isClosed, true, "nothing blocks an upgrade");
  assert.deepEqual([await count(), opened.length], [1, 3]);
});

test("a transaction that never ends is aborted, and the use repeated on another connection", async (t) => {
  const time = stoppedTime(t);
  const opened = database();
  const { keep, count } = await keeping();
  await keep();
  opened.hangs = ["readwrite"];
  const kept = keep();
  await time.pass(1000);
  opened.hangs = [];
  await time.within(1100, 2000, [kept]);
  assert.deepEqual([opened[0].aborted, opened.length, await count()], [1, 2, 2]);
});

for (const [what, hangs, commits, expected] of [
  ["nothing can be read or written", ["readonly", "readwrite"], false, ["JournalUnavailable", "PREPARED"]],
  ["nothing is written", ["readwrite"], false, ["JournalUnavailable", "PREPARED"]],
  ["what seems to have failed is written", ["readwrite"], true, ["OutcomeUnknown", "SENT"]],
]) {
  test(`where the database hangs an attempt is not sent: ${what}`, async (t) => {
    const time = stoppedTime(t);
    const opened = database();
    const { remit, requests } = await kit(undefined, { journal: "local" });
    const attempt = await remit.prepareTransfer(REQUESTS.transfer(randomUUID()));
    Object.assign(opened, { hangs, commits });
    const [error] = await time.within(2400, 5000, [errorOf(attempt.submit())]);
    assert.deepEqual([error.code, attempt.state], expected);
    assert.equal(requests.filter(({ method }) => method === "POST").length, 0);
    opened.hangs = [];
    assert.ok((await time.untilSettled(attempt.submit())).transferId);
    assert.equal(requests.filter(({ method }) => method === "POST").length, 1);
  });
}
