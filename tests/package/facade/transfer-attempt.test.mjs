import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, fakeTime, ID, kit, never, refusal } from "./kit.mjs";
import { replaceGlobal, service, settled } from "./kit.mjs";

/** Each test has a quote of its own: work behind a call holds its lock. */
const newRequest = () => REQUESTS.transfer(randomUUID());
const TRANSFER = { transferId: ID, transferStatus: "CREATED" };
const isPost = ({ method }) => method === "POST";
const isProgress = ({ path }) => path.includes("/progress/");

/** A kit whose service answers the posting of a transfer like this. */
const posting = (post, options) =>
  kit((request) => (isPost(request) ? post(request) : undefined), options);

/** A service that loses the transfer and each question about it, and one that knows it was made. */
const losing = (request) => {
  if (isPost(request) || isProgress(request)) throw new TypeError("Failed to fetch");
};
const progress = (transferRecordStatus) => (request) =>
  isProgress(request) ? { transferRecordStatus, transferId: ID } : undefined;
const knowing = progress("Created");

/** Submits a transfer whose outcome stays unknown; returns the error. */
const unknownOutcome = (time, remit, request) => time.untilSettled(errorOf(remit.transfer(request)));

test("an attempt shows its transfer and posts that, also from another kit", async (t) => {
  fakeTime(t, 0);
  t.mock.method(performance, "now", () => 0);
  const journal = new Map();
  const request = { ...newRequest(), amount: 9007199254740993n };
  const { quoteHistoryId } = request;
  const priced = { ...JSON.parse(REPLIES.quote), quoteHistoryId, expirationDate: "1970-01-01T00:15:00Z" };
  const { remit } = await kit(({ path }) => (path === "/v1/quote" ? priced : undefined), { journal });
  const quote = await remit.quote(REQUESTS.quote());
  const prepared = await remit.prepareTransfer(request);
  const { remit: other, requests } = await posting(() => TRANSFER, { journal });
  const [found] = await other.pendingTransfers();
  const { customerHold, fields, purposeOfRemittance, ...facts } = request;
  const { sendAmount, receiveAmount, totalCost } = quote;
  assert.notEqual(sendAmount, undefined);
  Object.assign(facts, { sendAmount, receiveAmount, totalCost, createdAt: 0, state: "PREPARED" });
  for (const attempt of [prepared, found]) {
    for (const [name, value] of Object.entries(facts)) assert.deepEqual(attempt[name], value, name);
    assert.deepEqual([attempt.expiresAt, attempt.transferId], [900_000, undefined]);
  }
  assert.equal(requests.some(isPost), false);
  const transfer = await found.submit();
  assert.deepEqual(transfer, { ...TRANSFER, recovered: false });
  assert.deepEqual([await found.submit(), await found.resume()], [transfer, transfer]);
  assert.equal(requests.filter(isPost).length, 1);
  const { path, text, body } = requests.find(isPost);
  assert.deepEqual([path, body.quoteHistoryId, body.nonce], ["/v1/transfers", quoteHistoryId, request.nonce]);
  assert.match(text, /"amount":9007199254740993[,}]/);
  assert.equal(found.state, "CREATED");
});

test("a refusal is reported at once, however slow the journal", async (t) => {
  const time = fakeTime(t);
  const entries = new Map();
  let hangs = false;
  const journal = {
    get: (key) => entries.get(key),
    set: (key, text) => entries.set(key, text),
    delete: (key) => entries.delete(key),
    keys: () => (hangs ? never() : entries.keys()),
  };
  const { remit } = await posting(() => refusal("InsufficientFunds"), { journal });
  for (hangs of [false, true]) {
    const attempt = await remit.prepareTransfer(newRequest());
    const began = Date.now();
    const { code } = await time.untilSettled(errorOf(attempt.submit()));
    assert.deepEqual([code, attempt.state], ["InsufficientFunds", "REFUSED"]);
    assert.ok(Date.now() - began <= 1500, `${Date.now() - began} ms`);
  }
});

test("a transfer found on the next page is pending until acknowledged", async (t) => {
  const time = fakeTime(t);
  const journal = new Map();
  const [sent, prepared] = [newRequest(), newRequest()];
  await unknownOutcome(time, (await kit(losing, { journal })).remit, sent);
  const knowsSent = (request) => (request.path.endsWith(sent.quoteHistoryId) ? knowing(request) : undefined);
  const { remit } = await kit(knowsSent, { journal });
  await remit.prepareTransfer(prepared);
  const attempts = await remit.pendingTransfers();
  const states = Object.fromEntries(attempts.map(({ quoteHistoryId, state }) => [quoteHistoryId, state]));
  assert.deepEqual(states, { [sent.quoteHistoryId]: "SENT", [prepared.quoteHistoryId]: "PREPARED" });
  const { transferId, recovered } = await time.untilSettled(attempts[0].resume());
  assert.deepEqual([transferId, recovered, attempts[0].transferId], [ID, true, ID]);
  assert.equal(await attempts[0].acknowledge(), undefined);
  await attempts[0].acknowledge();
  await attempts[1].discard();
  assert.equal((await time.untilSettled(errorOf(attempts[1].submit()))).code, "TransferFailed");
  assert.deepEqual(attempts.map(({ state }) => state), ["CREATED", "DISCARDED"]);
  assert.deepEqual([await remit.pendingTransfers(), journal.size], [[], 0]);
});

test("what outlives its call goes on after destroy: the journal forgets a made transfer", async (t) => {
  const time = fakeTime(t);
  const journal = new Map();
  const { remit } = await posting(() => TRANSFER, { journal });
  await time.untilSettled(remit.transfer(newRequest()));
  await remit.destroy();
  assert.equal(journal.size, 1);
  await time.pass(60_000);
  assert.equal(journal.size, 0);
});

test("an unknown outcome carries its attempt, unlogged, which only resume can end", async (t) => {
  const time = fakeTime(t);
  const { remit } = await kit(losing);
  const request = newRequest();
  const error = await unknownOutcome(time, remit, request);
  const { attempt } = error;
  assert.deepEqual([error.code, error.kind], ["OutcomeUnknown", "outcome_unknown"]);
  assert.deepEqual([attempt.quoteHistoryId, attempt.state], [request.quoteHistoryId, "SENT"]);
  assert.doesNotMatch(JSON.stringify([error, { ...error }]), /"attempt"|nonce/);
  for (const method of ["acknowledge", "discard"]) {
    const { kind, attempt: carried } = await errorOf(attempt[method]());
    assert.deepEqual([kind, carried, attempt.state], ["outcome_unknown", attempt, "SENT"], method);
  }
  assert.equal((await remit.pendingTransfers()).length, 1);
  service.answer = knowing;
  const { transferId, recovered } = await time.untilSettled(attempt.resume());
  assert.deepEqual([transferId, recovered, attempt.state], [ID, true, "CREATED"]);
});

test("an abort tells nothing as unsent, however early", async (t) => {
  const time = fakeTime(t);
  const { remit, requests } = await kit((request) => (isPost(request) ? never() : undefined));
  const attempt = await remit.prepareTransfer(newRequest());
  attempt.submit().catch(() => {});
  await settled();
  const late = new AbortController();
  const signals = [AbortSignal.abort(), AbortSignal.abort(), late.signal];
  const calls = ["submit", "discard", "resume"].map((name, at) => errorOf(attempt[name]({ signal: signals[at] })));
  late.abort();
  await time.pass(1000);
  for (const call of calls) assert.equal((await call).kind, "outcome_unknown");
  assert.deepEqual([attempt.state, requests.filter(isPost).length], ["SENT", 1]);
});

test("every object of an attempt has its state, also after its caller has left", async (t) => {
  const time = fakeTime(t);
  const { remit } = await kit((request) => (isPost(request) ? never() : undefined));
  const attempt = await remit.prepareTransfer(newRequest());
  const [other] = await remit.pendingTransfers();
  const controller = new AbortController();
  const left = errorOf(attempt.submit({ signal: controller.signal }));
  await settled();
  const states = () => [attempt, other].map(({ state, transferId }) => [state, transferId]);
  assert.deepEqual(states(), [["SENT", undefined], ["SENT", undefined]]);
  controller.abort();
  await time.pass(1000);
  assert.equal((await left).kind, "outcome_unknown");
  service.answer = knowing;
  await time.pass(30_000);
  assert.deepEqual(states(), [["CREATED", ID], ["CREATED", ID]]);
});

test("transfer's signal ends both preparation and submission", async (t) => {
  const time = fakeTime(t);
  for (const [last, code, posts] of [
    ["/v1/transfer-fields", "Aborted", 0],
    ["/v1/transfers", "OutcomeUnknown", 1],
  ]) {
    const controller = new AbortController();
    const { remit, requests } = await kit(({ path }) => (path === last ? never() : undefined));
    const failed = errorOf(remit.transfer(newRequest(), { signal: controller.signal }));
    await settled();
    controller.abort();
    await time.pass(1000);
    assert.deepEqual([(await failed).code, requests.filter(isPost).length], [code, posts]);
  }
});

test("a prepared attempt stays so where its call is refused or aborted beforehand", async (t) => {
  fakeTime(t);
  const { remit, requests } = await kit();
  const attempt = await remit.prepareTransfer(newRequest());
  requests.length = 0;
  await assertRefused((signal) => attempt.submit({ signal }), [["now", "signal"]]);
  const signal = AbortSignal.abort();
  const raw = remit.request({ method: "POST", path: "/v1/later" }, { signal });
  for (const call of [attempt.submit({ signal }), raw]) assert.equal((await errorOf(call)).code, "Aborted");
  assert.equal((await errorOf(attempt.acknowledge())).kind, "invalid_request");
  assert.deepEqual([requests, attempt.state], [[], "PREPARED"]);
});

test("after a refusal the state says whether it can be submitted again", async (t) => {
  const time = fakeTime(t);
  for (const [refused, afterMs, code, state] of [
    ["transfer", 0, "InsufficientFunds", "REFUSED"],
    ["token", 60_000, "TokenUnavailable", "PREPARED"],
    ["quote", 25 * 3_600_000, "QuoteExpired", "REFUSED"],
  ]) {
    let isSignedIn = true;
    const given = { access_token: "t", expires_in: 60 };
    const token = () => (isSignedIn ? given : Promise.reject(new Error("signed out")));
    const failed = progress("Failed");
    const { remit } = await kit((request) => (isPost(request) ? refusal(code) : failed(request)), { token });
    const attempt = await remit.prepareTransfer(newRequest());
    isSignedIn = refused !== "token";
    await time.pass(afterMs);
    const error = await time.untilSettled(errorOf(attempt.submit()));
    assert.deepEqual([error.code, error.attempt, attempt.state], [code, undefined, state]);
  }
});

for (const locks of [undefined, { request: () => Promise.reject(new Error("not here")) }]) {
  const which = locks ? "usable" : "any";
  test(`without ${which} Web Locks a call waits for its turn, and gives it up once aborted`, async (t) => {
    const time = fakeTime(t);
    replaceGlobal(t, "navigator", { value: { locks } });
    const journal = new Map();
    let answer;
    const answered = new Promise((resolve) => (answer = () => resolve(TRANSFER)));
    const { remit } = await posting(() => answered, { journal });
    const submitted = (await remit.prepareTransfer(newRequest())).submit();
    await settled();
    const { remit: other, requests } = await kit(service.answer, { journal });
    const [waiting] = await other.pendingTransfers();
    const controller = new AbortController();
    const aborted = errorOf(waiting.submit({ signal: controller.signal }));
    await settled();
    controller.abort();
    assert.equal((await time.untilSettled(aborted)).code, "OutcomeUnknown");
    answer();
    assert.equal((await time.untilSettled(submitted)).transferId, ID);
    const [made] = await other.pendingTransfers();
    assert.equal((await time.untilSettled(made.resume())).transferId, ID);
    assert.deepEqual(requests.filter(isPost), []);
  });
}
