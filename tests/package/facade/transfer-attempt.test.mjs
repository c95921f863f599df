import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, kit } from "./facade.mjs";

const RECORD = {
  quoteHistoryId: "quote-1",
  nonce: "nonce-1",
  createdAt: 1_700_000_000_000,
  state: "PREPARED",
};
const TRANSFER = { transferId: "t", recovered: false };

/** A core with a journal of one attempt, whose posting ends as told. */
function answering(submit, journal = [RECORD]) {
  return (name, ...args) => {
    switch (name) {
      case "prepareTransfer":
        return JSON.stringify(RECORD);
      case "pendingTransfers":
        return JSON.stringify(journal);
      case "submitTransfer":
        return submit(...args);
    }
  };
}

test("an attempt shows its quote, nonce and state, and is submitted by its quote and nonce", async () => {
  const { remit, control } = await kit(answering(() => TRANSFER));
  const { signal } = new AbortController();
  const attempt = await remit.prepareTransfer({ amount: 9007199254740993n }, { signal });
  assert.deepEqual(
    [attempt.quoteHistoryId, attempt.nonce, attempt.createdAt, attempt.state],
    ["quote-1", "nonce-1", 1_700_000_000_000, "PREPARED"],
  );
  assert.deepEqual(control.calls, [["prepareTransfer", '{"amount":"\\ud8009007199254740993"}', signal]]);
  assert.equal(await attempt.submit({ signal }), TRANSFER);
  assert.deepEqual(control.calls[1], ["submitTransfer", "quote-1", "nonce-1", signal]);
  assert.equal(attempt.state, "CREATED");
});

test("an attempt knows when its quote ends, and can be discarded", async () => {
  const { remit, control } = await kit((name) =>
    name === "prepareTransfer" ? JSON.stringify({ ...RECORD, expiresAt: 1_700_000_900_000 }) : undefined,
  );
  const { signal } = new AbortController();
  const attempt = await remit.prepareTransfer({});
  assert.equal(attempt.expiresAt, 1_700_000_900_000);
  assert.equal(await attempt.discard({ signal }), undefined);
  assert.deepEqual(control.calls.at(-1), ["discardTransfer", "quote-1", "nonce-1", signal]);
  assert.equal(attempt.state, "DISCARDED");
});

test("a transfer that was made is not sent again, whatever is called", async () => {
  const { remit, control } = await kit(answering(() => TRANSFER));
  const attempt = await remit.prepareTransfer({});
  await attempt.submit();
  assert.equal(await attempt.submit(), TRANSFER);
  assert.equal(await attempt.resume(), TRANSFER);
  assert.equal(control.calls.filter(([name]) => name === "submitTransfer").length, 1);
});

test("transfer prepares and submits, each with the signal", async () => {
  const { remit, control } = await kit(answering(() => TRANSFER));
  const { signal } = new AbortController();
  assert.equal(await remit.transfer({ amount: 5 }, { signal }), TRANSFER);
  assert.deepEqual(control.calls, [
    ["prepareTransfer", '{"amount":5}', signal],
    ["submitTransfer", "quote-1", "nonce-1", signal],
  ]);
});

test("an unknown outcome carries its attempt, out of sight of logs, and resume goes on with it", async () => {
  const { remit, control, RemitError } = await kit();
  const unknown = new RemitError("OutcomeUnknown", "…", { kind: "outcome_unknown", retryable: false });
  control.answer = answering(() => Promise.reject(unknown));
  const error = await errorOf(remit.transfer({}));
  assert.equal(error, unknown);
  assert.equal(error.attempt.quoteHistoryId, "quote-1");
  assert.equal(error.attempt.state, "SENT");
  assert.doesNotMatch(JSON.stringify(error) + Object.keys(error), /attempt|nonce/);
  control.answer = answering(() => ({ ...TRANSFER, recovered: true }));
  assert.equal((await error.attempt.resume()).recovered, true);
  assert.equal(error.attempt.state, "CREATED");
});

test("after any other error the state is what the journal says", async () => {
  const { remit, control, RemitError } = await kit();
  for (const [journal, state] of [
    [[RECORD], "PREPARED"],
    [[], "REFUSED"],
    [[{ ...RECORD, state: "SENT" }], "SENT"],
  ]) {
    const refusal = new RemitError("InsufficientFunds", "…", { kind: "invalid_request", retryable: false });
    control.answer = answering(() => Promise.reject(refusal), journal);
    const attempt = await remit.prepareTransfer({});
    assert.equal(await errorOf(attempt.submit()), refusal);
    assert.equal(attempt.state, state);
    assert.equal(refusal.attempt, undefined);
  }
});

test("a signal that is none sends nothing and leaves the attempt prepared", async () => {
  const { remit, control } = await kit(answering(() => TRANSFER));
  const attempt = await remit.prepareTransfer({});
  assert.equal((await errorOf(attempt.submit({ signal: "now" }))).option, "signal");
  assert.equal(
    control.calls.some(([name]) => name === "submitTransfer"),
    false,
  );
  assert.equal(attempt.state, "PREPARED");
});

test("attempts found in the journal can be resumed", async () => {
  const { remit, control } = await kit(
    answering(() => TRANSFER, [RECORD, { ...RECORD, quoteHistoryId: "quote-2", state: "SENT" }]),
  );
  const attempts = await remit.pendingTransfers();
  assert.deepEqual(
    attempts.map(({ quoteHistoryId, state }) => [quoteHistoryId, state]),
    [
      ["quote-1", "PREPARED"],
      ["quote-2", "SENT"],
    ],
  );
  await attempts[1].resume();
  assert.deepEqual(control.calls.at(-1).slice(0, 2), ["submitTransfer", "quote-2"]);
});
