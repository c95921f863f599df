import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, fakeTime, kit, load, remitkit } from "./kit.mjs";

/** Checks members of an error. */
function assertIs(error, expected) {
  for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, name);
}

const { fakeTransferAttempt } = await load("testing.js");

const ORDER = "order 17";
const isPost = ({ method }) => method === "POST";
const isProgress = ({ path }) => path.includes("/progress/");
const requestOf = (paymentId = ORDER) => ({ ...REQUESTS.transfer(randomUUID()), nonce: randomUUID(), paymentId });

/** A service that makes each transfer, or loses what is sent to it while `service.isLost`. */
function shop() {
  const made = new Map();
  const service = { isLost: false, posts: [] };
  service.answer = (request) => {
    if (isPost(request)) {
      service.posts.push(request);
      if (service.isLost) throw new TypeError("Failed to fetch");
      const transferId = randomUUID();
      made.set(request.body.quoteHistoryId, transferId);
      return { transferId, confirmationNumber: "1" };
    }
    if (isProgress(request)) {
      if (service.isLost) throw new TypeError("Failed to fetch");
      const transferId = made.get(new URL(request.path, "http://x").pathname.split("/").at(-1));
      return transferId ? { transferRecordStatus: "Created", transferId } : { transferRecordStatus: "NotInProgress" };
    }
    const id = request.path.split("/").at(-1);
    if ([...made.values()].includes(id)) return { transferId: id, confirmationNumber: "1" };
  };
  return service;
}

test("a payment is made once, also by another page with the journal", async () => {
  const service = shop();
  const journal = new Map();
  const { remit } = await kit(service.answer, { journal });
  const { transferId } = await remit.transfer(requestOf());
  const { remit: other } = await kit(service.answer, { journal });
  for (const page of [remit, other]) {
    const attempt = await page.prepareTransfer(requestOf());
    assert.equal(attempt.paymentId, ORDER);
    const error = await errorOf(attempt.submit());
    assertIs(error, { code: "PaymentAlreadyMade", kind: "conflict", option: "paymentId" });
    assert.equal(error.transfer.transferId, transferId);
    assert.deepEqual([attempt.state, error.attempt], ["PREPARED", undefined]);
    assert.equal(error.userMessage, "This payment was already made. Do not pay again.");
    assert.equal(JSON.stringify(error).includes(transferId), false, "logs show no transfer");
  }
  assert.equal(service.posts.length, 1);
  assert.equal(service.posts[0].text.includes(ORDER), false);
});

test("the error carries the earlier attempt, which goes on", async (t) => {
  const time = fakeTime(t);
  const service = shop();
  const { remit } = await kit(service.answer, { journal: new Map() });
  service.isLost = true;
  const first = await remit.prepareTransfer(requestOf());
  const lost = await time.untilSettled(errorOf(first.submit()));
  assert.equal(lost.kind, "outcome_unknown");
  const error = await time.untilSettled(errorOf(remit.transfer(requestOf())));
  assertIs(error, { code: "PaymentInProgress", kind: "conflict", option: "paymentId" });
  assert.equal(error.attempt.quoteHistoryId, first.quoteHistoryId);
  assert.equal(error.attempt.state, "SENT");
  assert.equal(Object.keys(error).includes("attempt"), false);
  service.isLost = false;
  const transfer = await time.untilSettled(error.attempt.resume());
  assert.equal(typeof transfer.transferId, "string");
  assert.equal((await errorOf(remit.transfer(requestOf()))).transfer.transferId, transfer.transferId);
});

test("a payment's name is a text of 1 to 255 characters", async () => {
  const { remit, requests } = await kit(undefined, { journal: "memory" });
  for (const paymentId of ["", "x".repeat(256), 17, {}]) {
    const error = await errorOf(remit.prepareTransfer(requestOf(paymentId)));
    assertIs(error, { kind: "invalid_request", option: "paymentId" });
  }
  assert.equal(requests.length, 0);
});

test("a fake attempt stays as it is beside another one at its payment", async () => {
  const { attempt: earlier } = fakeTransferAttempt();
  for (const code of ["PaymentInProgress", "PaymentAlreadyMade"]) {
    const error = new remitkit.RemitError(code, "", { kind: "conflict", retryable: false });
    if (code === "PaymentInProgress") error.attempt = earlier;
    const { attempt } = fakeTransferAttempt({ outcome: error, paymentId: ORDER });
    const thrown = await errorOf(attempt.submit());
    assert.deepEqual([thrown.code, attempt.state, attempt.paymentId], [code, "PREPARED", ORDER]);
    assert.equal(thrown.attempt, code === "PaymentInProgress" ? earlier : undefined);
  }
});
