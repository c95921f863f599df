import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, hurry, ID, kit, refusal, service, settled, stopTime } from "./kit.mjs";

/** Each test has a quote of its own: what goes on behind a call holds the lock of it. */
const newRequest = () => REQUESTS.transfer(randomUUID());
const TRANSFER = { transferId: ID, transferStatus: "CREATED" };
const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const isPost = ({ method }) => method === "POST";

/** A kit whose service ends the posting of a transfer as told. */
const posting = (post, options) => kit((request) => (isPost(request) ? post(request) : undefined), options);

/** A service that loses the transfer and each question about it. */
const losing = (request) => (isPost(request) || request.path.includes("/progress/") ? lost() : undefined);

/** The error that a submission comes to when nothing is ever answered. */
const unknownOutcome = (time, remit, request) => time.whileTimePasses(errorOf(remit.transfer(request)));

test("an attempt posts the quote and nonce it shows", async (t) => {
  stopTime(t);
  const { remit, requests } = await posting(() => TRANSFER);
  const request = newRequest();
  const attempt = await remit.prepareTransfer({ ...request, amount: 9007199254740993n });
  assert.deepEqual(
    [attempt.quoteHistoryId, attempt.nonce, attempt.createdAt, attempt.state, attempt.expiresAt],
    [request.quoteHistoryId, request.nonce, Date.now(), "PREPARED", undefined],
  );
  assert.equal(requests.some(isPost), false);
  assert.deepEqual(await attempt.submit(), { ...TRANSFER, recovered: false });
  const { path, text, body } = requests.find(isPost);
  assert.deepEqual([path, body.quoteHistoryId, body.nonce], ["/v1/transfers", request.quoteHistoryId, request.nonce]);
  assert.match(text, /"amount":9007199254740993[,}]/);
  assert.equal(attempt.state, "CREATED");
});

test("a refusal is reported at once, however slow the journal", async (t) => {
  const time = stopTime(t);
  const entries = new Map();
  let hangs = false;
  const journal = {
    get: (key) => entries.get(key),
    set: (key, text) => entries.set(key, text),
    delete: (key) => entries.delete(key),
    keys: () => (hangs ? new Promise(() => {}) : entries.keys()),
  };
  const { remit } = await posting(() => refusal("InsufficientFunds"), { journal });
  for (hangs of [false, true]) {
    const attempt = await remit.prepareTransfer(newRequest());
    const began = Date.now();
    const { code } = await time.whileTimePasses(errorOf(attempt.submit()));
    assert.deepEqual([code, attempt.state], ["InsufficientFunds", hangs ? "PREPARED" : "REFUSED"]);
    assert.ok(Date.now() - began <= 1500, `${Date.now() - began} ms`);
  }
});

test("an attempt knows when its quote expires and can be discarded", async (t) => {
  stopTime(t, 0);
  const request = newRequest();
  const { remit, requests } = await kit(({ path }) =>
    path === "/v1/quote" ? { ...JSON.parse(REPLIES.quote), quoteHistoryId: request.quoteHistoryId, expirationDate: "1970-01-01T00:15:00Z" } : undefined,
  );
  await remit.quote(REQUESTS.quote());
  const attempt = await remit.prepareTransfer(request);
  assert.equal(attempt.expiresAt, 900_000);
  assert.equal(await attempt.discard(), undefined);
  assert.equal(attempt.state, "DISCARDED");
  assert.deepEqual(await remit.pendingTransfers(), []);
  assert.equal((await errorOf(attempt.submit())).code, "TransferFailed");
  assert.equal(attempt.state, "DISCARDED");
  assert.equal(requests.some(isPost), false);
});

test("an attempt identifies its transfer, in another kit too", async (t) => {
  stopTime(t);
  const journal = new Map();
  const request = newRequest();
  const { remit } = await kit(
    ({ path }) => (path === "/v1/quote" ? { ...JSON.parse(REPLIES.quote), quoteHistoryId: request.quoteHistoryId } : undefined),
    { journal },
  );
  const quote = await remit.quote(REQUESTS.quote());
  await remit.prepareTransfer({ ...request, amount: 9007199254740993n });
  const [attempt] = await (await kit(undefined, { journal })).remit.pendingTransfers();
  assert.equal(attempt.amount, 9007199254740993n);
  for (const name of [
    "quoteBy",
    "srcCurrencyIso3Code",
    "dstCurrencyIso3Code",
    "dstCountryIso3Code",
    "transferMethod",
    "recipientId",
    "recipientAccountId",
  ]) {
    assert.equal(attempt[name], request[name], name);
  }
  for (const name of ["sendAmount", "receiveAmount", "totalCost"]) {
    assert.deepEqual(attempt[name], quote[name], name);
  }
  assert.notEqual(attempt.sendAmount, undefined);
  assert.equal(attempt.transferId, undefined);
});

test("a transfer found on the next page is pending until acknowledged", async (t) => {
  stopTime(t);
  const journal = new Map();
  await (await (await posting(() => TRANSFER, { journal })).remit.prepareTransfer(newRequest())).submit();
  const { remit } = await kit(undefined, { journal });
  const [attempt] = await remit.pendingTransfers();
  assert.deepEqual([attempt.state, attempt.transferId], ["CREATED", ID]);
  assert.equal(await attempt.acknowledge(), undefined);
  assert.deepEqual([await remit.pendingTransfers(), journal.size], [[], 0]);
  await attempt.acknowledge();
  assert.equal(attempt.state, "CREATED");
});

test("acknowledge and discard reject for an open attempt, carrying it", async (t) => {
  const time = stopTime(t);
  const { remit } = await kit(losing);
  const { attempt } = await unknownOutcome(time, remit, newRequest());
  for (const method of ["acknowledge", "discard"]) {
    const error = await errorOf(attempt[method]());
    assert.deepEqual([error.kind, error.attempt, attempt.state], ["outcome_unknown", attempt, "SENT"], method);
  }
  assert.equal((await remit.pendingTransfers()).length, 1);
  const prepared = await remit.prepareTransfer(newRequest());
  assert.equal((await errorOf(prepared.acknowledge())).kind, "invalid_request");
  assert.equal(prepared.state, "PREPARED");
});

test("a transfer that was made is not sent again by any method", async (t) => {
  stopTime(t);
  const { remit, requests } = await posting(() => TRANSFER);
  const attempt = await remit.prepareTransfer(newRequest());
  const made = await attempt.submit();
  assert.equal(await attempt.submit(), made);
  assert.equal(await attempt.resume(), made);
  assert.equal(requests.filter(isPost).length, 1);
});

test("transfer's signal ends both preparation and submission", async (t) => {
  const time = stopTime(t);
  for (const [last, code, posts] of [
    ["/v1/transfer-fields", "Aborted", 0],
    ["/v1/transfers", "OutcomeUnknown", 1],
  ]) {
    const controller = new AbortController();
    const { remit, requests } = await kit(({ path }) => (path === last ? new Promise(() => {}) : undefined));
    const failed = errorOf(remit.transfer(newRequest(), { signal: controller.signal }));
    await settled();
    controller.abort();
    await time.pass(1000);
    assert.equal((await failed).code, code);
    assert.equal(requests.filter(isPost).length, posts);
  }
});

test("an unknown outcome carries its attempt, unlogged, to resume", async (t) => {
  const time = stopTime(t);
  const { remit } = await kit(losing);
  const request = newRequest();
  const error = await unknownOutcome(time, remit, request);
  assert.deepEqual([error.code, error.kind], ["OutcomeUnknown", "outcome_unknown"]);
  assert.deepEqual([error.attempt.quoteHistoryId, error.attempt.state], [request.quoteHistoryId, "SENT"]);
  assert.doesNotMatch(JSON.stringify(error) + Object.keys(error), /"attempt|nonce/);
  service.answer = ({ path }) => (path.includes("/progress/") ? { transferRecordStatus: "Created", transferId: ID } : undefined);
  const made = await time.whileTimePasses(error.attempt.resume());
  assert.deepEqual([made.transferId, made.recovered, error.attempt.state], [ID, true, "CREATED"]);
});

test("an open attempt is found by another kit and resumed there", async (t) => {
  const time = stopTime(t);
  const journal = new Map();
  const [sent, prepared] = [newRequest(), newRequest()];
  await unknownOutcome(time, (await kit(losing, { journal })).remit, sent);
  const { remit } = await kit(({ path }) => (path.includes("/progress/") ? { transferRecordStatus: "Created", transferId: ID } : undefined), { journal });
  await remit.prepareTransfer(prepared);
  const attempts = await remit.pendingTransfers();
  assert.deepEqual(attempts.map(({ quoteHistoryId, state }) => [quoteHistoryId, state]), [
    [sent.quoteHistoryId, "SENT"],
    [prepared.quoteHistoryId, "PREPARED"],
  ]);
  const made = await time.whileTimePasses(attempts[0].resume());
  assert.deepEqual([made.transferId, made.recovered], [ID, true]);
});

test("after a refusal the state says whether it can be submitted again", async (t) => {
  const time = stopTime(t);
  for (const [refused, afterMs, code, state] of [
    ["transfer", 0, "InsufficientFunds", "REFUSED"],
    ["token", 60_000, "TokenUnavailable", "PREPARED"],
    ["quote", 25 * 3_600_000, "QuoteExpired", "REFUSED"],
  ]) {
    let isSignedIn = true;
    const token = () => (isSignedIn ? { access_token: "t", expires_in: 60 } : Promise.reject(new Error("signed out")));
    const { remit } = await kit(
      (request) => {
        if (isPost(request)) return refusal(code);
        return request.path.includes("/progress/") ? { transferRecordStatus: "Failed" } : undefined;
      },
      { token },
    );
    const attempt = await remit.prepareTransfer(newRequest());
    isSignedIn = refused !== "token";
    await time.pass(afterMs);
    const error = await time.whileTimePasses(errorOf(attempt.submit()));
    assert.deepEqual([error.code, error.attempt, attempt.state], [code, undefined, state]);
  }
});

test("an invalid signal sends nothing and leaves the attempt prepared", async (t) => {
  stopTime(t);
  const { remit, requests } = await kit();
  const attempt = await remit.prepareTransfer(newRequest());
  assert.equal((await errorOf(attempt.submit({ signal: "now" }))).option, "signal");
  assert.equal(requests.some(isPost), false);
  assert.equal(attempt.state, "PREPARED");
});

test("a call aborted before it starts is not sent and not in doubt", async (t) => {
  stopTime(t);
  const { remit, requests } = await kit();
  const attempt = await remit.prepareTransfer(newRequest());
  requests.length = 0;
  const signal = AbortSignal.abort();
  assert.equal((await errorOf(attempt.submit({ signal }))).code, "Aborted");
  assert.equal(attempt.state, "PREPARED");
  assert.equal((await errorOf(remit.request({ method: "POST", path: "/v1/later" }, { signal }))).code, "Aborted");
  assert.deepEqual(requests, []);
});

test("an attempt submitted twice at once posts once, with one outcome", async (t) => {
  const time = stopTime(t);
  const journal = new Map();
  let answer;
  const answered = new Promise((resolve) => (answer = () => resolve(TRANSFER)));
  const { remit, requests } = await posting(() => answered, { journal });
  const attempt = await remit.prepareTransfer(newRequest());
  const [same] = await remit.pendingTransfers();
  const both = Promise.all([attempt.submit(), same.submit()]);
  const controller = new AbortController();
  const third = errorOf(same.submit({ signal: controller.signal }));
  await settled();
  controller.abort();
  assert.equal((await time.whileTimePasses(third)).code, "OutcomeUnknown");
  answer();
  const outcomes = (await time.whileTimePasses(both)).map(({ transferId, recovered }) => [transferId, recovered]);
  assert.deepEqual(outcomes, [[ID, false], [ID, false]]);
  assert.deepEqual([...journal.values()].map((text) => JSON.parse(text).state), ["CREATED"]);
  assert.equal((await attempt.submit()).transferId, ID);
  assert.equal(requests.filter(isPost).length, 1);
});

test("a dropped attempt does not get its replacement's outcome", async (t) => {
  hurry(t);
  const { remit } = await posting(({ body }) => ({ ...TRANSFER, amount: body.amount }));
  const request = { ...newRequest(), nonce: undefined };
  const dropped = await remit.prepareTransfer(request);
  await dropped.discard();
  const other = await remit.prepareTransfer({ ...request, amount: 2000 });
  const outcomes = [other.submit(), dropped.submit()].map((made) => made.then(({ amount }) => amount, ({ code }) => code));
  assert.deepEqual(await Promise.all(outcomes), [2000, "TransferDuplicatedByQuote"]);
});

/** Slow enough for others to come in between, by the clock's own time, however fast the package's runs. */
function slowJournal() {
  const { setTimeout } = globalThis;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const entries = new Map();
  const journal = {
    get: (key) => pause(2).then(() => entries.get(key)),
    set: (key, text) => pause(2).then(() => entries.set(key, text)),
    delete: (key) => pause(20).then(() => entries.delete(key)),
    keys: async () => [...entries.keys()],
  };
  return { pause, entries, journal };
}

for (const locks of [undefined, { request: () => Promise.reject(new Error("not here")) }]) {
  test(`without ${locks ? "usable" : "any"} Web Locks an attempt is dropped or sent, never both`, async (t) => {
    const { pause, entries, journal } = slowJournal();
    hurry(t, 20);
    Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
    t.after(() => delete globalThis.navigator);
    const kept = [];
    const post = () => pause(50).then(() => (kept.push(entries.size), TRANSFER));
    const [{ remit: one }, { remit: two }] = [await posting(post, { journal }), await posting(post, { journal })];
    for (const kits of [[one, one], [one, two]]) {
      for (const [deeds, expected] of [
        [["discard", "submit"], ["done", "TransferFailed"]],
        [["submit", "discard"], ["done", "TransferDuplicatedByQuote", 1]],
      ]) {
        entries.clear();
        await one.prepareTransfer(newRequest());
        const attempts = await Promise.all(kits.map(async (kit) => (await kit.pendingTransfers())[0]));
        const done = deeds.map((deed, at) => attempts[at][deed]().then(() => "done", ({ code }) => code));
        assert.deepEqual([...(await Promise.all(done)), ...kept.splice(0)], expected);
      }
    }
  });
}

// The page's own turn-taking, which stands in for Web Locks; `tests/fetch.rs` has these.
test("without Web Locks, an aborted waiter does not get the lock later", async (t) => {
  const time = stopTime(t);
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  t.after(() => delete globalThis.navigator);
  const journal = new Map();
  let answer;
  const answered = new Promise((resolve) => (answer = () => resolve(TRANSFER)));
  const { remit } = await posting(() => answered, { journal });
  const attempt = await remit.prepareTransfer(newRequest());
  const submitted = attempt.submit();
  await settled();
  const { remit: other, requests } = await kit(service.answer, { journal });
  const [waiting] = await other.pendingTransfers();
  const controller = new AbortController();
  const left = errorOf(waiting.submit({ signal: controller.signal }));
  await settled();
  controller.abort();
  assert.equal((await time.whileTimePasses(left)).code, "OutcomeUnknown");
  answer();
  assert.equal((await time.whileTimePasses(submitted)).transferId, ID);
  const again = await time.whileTimePasses((await other.pendingTransfers())[0].resume());
  assert.deepEqual([again.transferId, requests.filter(isPost)], [ID, []]);
});

test("an attempt that goes stale while the journal is slow is not sent", async (t) => {
  const { entries, journal } = slowJournal();
  hurry(t, 20);
  const { remit, requests } = await posting(() => TRANSFER, { journal });
  const attempt = await remit.prepareTransfer(newRequest());
  const { now } = Date;
  t.mock.method(Date, "now", () => now() + 25 * 3_600_000);
  const pending = remit.pendingTransfers();
  assert.equal((await errorOf(attempt.submit())).code, "QuoteExpired");
  assert.deepEqual([await pending, entries.size, requests.filter(isPost)], [[], 0, []]);
});
