import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "./kit.mjs";
import { testing } from "./testing.mjs";

const { fakeFieldForm, fakeRemitKit, fakeTransferAttempt, isRemitError, load } = await testing();
const { RemitError } = await load("index.js");

const unknown = () => new RemitError("OutcomeUnknown", "Not known yet.", { kind: "outcome_unknown", retryable: false });
const refused = () => new RemitError("InsufficientFunds", "Too little.", { kind: "invalid_request", retryable: false });

test("a fake attempt is made once, however often it is submitted", async () => {
  const { TransferAttempt } = await load("transfer-attempt.js");
  const fake = fakeTransferAttempt({ amount: 12550, quoteBy: "SEND_AMOUNT", outcome: { confirmationNumber: "77" } });
  assert.ok(fake.attempt instanceof TransferAttempt);
  assert.deepEqual([fake.attempt.state, fake.attempt.amount, fake.submissions], ["PREPARED", 12550, 0]);
  const { confirmationNumber, transferId, recovered } = await fake.attempt.submit();
  assert.deepEqual([confirmationNumber, typeof transferId, recovered], ["77", "string", false]);
  assert.equal((await fake.attempt.resume()).transferId, transferId);
  assert.deepEqual([fake.attempt.state, fake.submissions, fake.attempt.transferId], ["CREATED", 1, transferId]);
  assert.equal((await errorOf(fake.attempt.discard())).kind, "conflict");
  await fake.attempt.acknowledge();
});

test("an unknown outcome's error carries its attempt, which can resume", async () => {
  const fake = fakeTransferAttempt({ outcome: unknown });
  const error = await errorOf(fake.attempt.submit());
  assert.ok(isRemitError(error));
  assert.equal(error.attempt, fake.attempt);
  assert.equal(fake.attempt.state, "SENT");
  assert.equal((await errorOf(fake.attempt.discard())).kind, "outcome_unknown");
  assert.equal((await errorOf(fake.attempt.acknowledge())).kind, "outcome_unknown");
  fake.settle({ transferId: "t" });
  assert.equal((await error.attempt.resume()).transferId, "t");
  assert.deepEqual([fake.attempt.state, fake.submissions], ["CREATED", 2]);
});

test("a refused or dropped attempt rejects accordingly", async () => {
  const fake = fakeTransferAttempt({ outcome: refused() });
  assert.equal((await errorOf(fake.attempt.submit())).code, "InsufficientFunds");
  assert.equal(fake.attempt.state, "REFUSED");
  const other = fakeTransferAttempt({ state: "PREPARED" });
  assert.equal((await errorOf(other.attempt.acknowledge())).kind, "invalid_request");
  await other.attempt.discard();
  assert.equal(other.attempt.state, "DISCARDED");
});

test("a signal ends the wait for an attempt that does not settle", async () => {
  const fake = fakeTransferAttempt({ outcome: () => new Promise(() => {}) });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const { kind } = await errorOf(fake.attempt.submit({ signal: controller.signal }));
  assert.deepEqual([kind, fake.attempt.state], ["outcome_unknown", "SENT"]);
});

test("a fake form has the given fields and finds missing values", async () => {
  const form = fakeFieldForm([
    { fieldId: "firstName", isRequired: true, name: "First name" },
    "EMAIL_ADDRESS",
    { fieldId: "ADDRESS_STATE", fieldType: "DROPDOWN", options: [{ id: "JA", name: "Jalisco" }] },
    { fieldId: "CARD_ID", isRequired: true },
  ]);
  const [{ fields }] = form.fieldSets;
  assert.deepEqual(
    fields.map(({ fieldId, name, visibility }) => [fieldId, name, visibility]),
    [
      ["firstName", "First name", "SHOW_AND_REQUIRED"],
      ["EMAIL_ADDRESS", "EMAIL_ADDRESS", "SHOW_AND_OPTIONAL"],
      ["ADDRESS_STATE", "ADDRESS_STATE", "SHOW_AND_OPTIONAL"],
      ["CARD_ID", "CARD_ID", "HIDE_AND_REQUIRED"],
    ],
  );
  assert.equal(form.requiresCard, true);
  const problems = form.check({ firstName: " ", CARD_ID: "1" });
  assert.deepEqual(problems.map(({ fieldId, code }) => [fieldId, code]), [["firstName", "MissingRequiredField"]]);
  assert.deepEqual(form.toFields({ firstName: "Ana", EMAIL_ADDRESS: "", other: null }), [{ id: "firstName", value: "Ana" }]);
  assert.deepEqual(form.valuesOf({ firstName: "Ana", fields: [{ id: "ADDRESS_STATE", value: "JA" }] }), { firstName: "Ana", ADDRESS_STATE: "JA" });
  assert.deepEqual(await form.options("ADDRESS_STATE"), [{ id: "JA", name: "Jalisco" }]);
  assert.deepEqual(await form.options("EMAIL_ADDRESS"), []);
});

test("a fake form returns the problems and options a test gives it", async () => {
  const problem = { fieldId: "NAME", code: "ValueRegexFailure", message: "No." };
  const form = fakeFieldForm(["NAME", "CITY"], {
    check: ({ NAME }) => (NAME === "good" ? [] : [problem]),
    choices: (fieldId, { STATE }) => (fieldId === "CITY" && STATE ? [{ id: `${STATE}-1` }] : undefined),
  });
  assert.deepEqual([form.check({}), form.check({ NAME: "good" })], [[problem], []]);
  assert.deepEqual(await form.options("CITY", { STATE: "JA" }), [{ id: "JA-1" }]);
  assert.deepEqual(await form.options("CITY", {}), []);
  assert.throws(() => fakeFieldForm("NAME"), { code: "InvalidRequest", option: "fields" });
  assert.throws(() => fakeFieldForm([{}]), { option: "fields[0].fieldId" });
  const { remit } = fakeRemitKit({ recipientFields: async () => form });
  assert.equal(await remit.recipientFields({}), form);
});
