// What an error tells the customer, and what the developer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, fieldsOf, ID, kit, remitkit } from "./kit.mjs";

const { RemitError, toMinorUnits } = remitkit;
const PAGE_AT_FAULT = "Something went wrong on this page. Reload it and try again.";
const refused = (message) => () => Response.json([{ code: "InsufficientFunds", message }], { status: 400 });
const both = ({ message, userMessage }) => [message, userMessage];

test("userMessage leaves out what only a developer can mend", async () => {
  const { remit } = await kit();
  const misspelt = await errorOf(remit.quote({ ...REQUESTS.quote(), ammount: 5 }));
  assert.match(misspelt.message, /ammount/);
  assert.equal(misspelt.userMessage, PAGE_AT_FAULT);
  assert.equal((await errorOf(remit.quote("quote"))).userMessage, PAGE_AT_FAULT);
  assert.equal((await errorOf(remit.getRecipient("7"))).userMessage, "The recipient's id is not valid.");
  const amount = await errorOf(remit.quote({ ...REQUESTS.quote(), amount: -1 }));
  assert.match(amount.message, /^amount must be /);
  assert.equal(amount.userMessage, "Enter a valid amount.");
  assert.equal((await errorOf(() => toMinorUnits("a", { decimalPlaces: 2 }))).userMessage, "Enter a valid amount.");
  assert.equal((await errorOf(kit(undefined, { baseUrl: "ftp://a" }))).userMessage, PAGE_AT_FAULT);
});

test("the service's texts and a code's own serve both messages", async () => {
  const { remit } = await kit(refused("The till is empty."));
  assert.deepEqual(both(await errorOf(remit.nonce())), ["The till is empty.", "The till is empty."]);
  const silent = await kit(refused(""));
  const [message, userMessage] = both(await errorOf(silent.remit.nonce()));
  assert.deepEqual([message, userMessage], ["The transfer cannot be made right now.", message]);
  const made = new RemitError("Mine", "Told by the page.", { kind: "internal", retryable: false });
  assert.equal(made.userMessage, "Told by the page.");
});

test("userMessage is Spanish even where the developer's message is not", async () => {
  const { remit } = await kit(undefined, { locale: "es-MX" });
  const error = await errorOf(remit.quote({ ...REQUESTS.quote(), amount: -1 }));
  assert.match(error.message, /^amount must be /);
  assert.match(error.userMessage, /importe|monto|cantidad/i);
});

test("a Spanish kit translates its codes' messages", async () => {
  const { remit } = await kit(() => Response.json([], { status: 404 }), { locale: "es-MX" });
  assert.deepEqual(both(await errorOf(remit.getTransfer(ID))), Array(2).fill("No se encontró."));
});

test("the page's own texts win, in any language", async () => {
  const messages = { InsufficientFunds: "Der Betrag ist zu hoch.", InvalidAmount: "Kein Betrag.", MissingRequiredField: "Fehlt." };
  const { remit } = await kit(refused("The till is empty."), { messages, locale: "de-DE" });
  assert.deepEqual(both(await errorOf(remit.nonce())), ["The till is empty.", "Der Betrag ist zu hoch."]);
  assert.equal((await errorOf(remit.quote({ ...REQUESTS.quote(), amount: -1 }))).userMessage, "Kein Betrag.");
  // A code without a text has what it had.
  const unknown = await kit(() => Response.json([], { status: 404 }), { messages: { constructor: "x" }, locale: "es" });
  assert.match((await errorOf(unknown.remit.getTransfer(ID))).userMessage, /encontr/);
  for (const [wrong, option] of [
    ["de", "messages"],
    [{ InvalidAmount: 5 }, "messages.InvalidAmount"],
  ]) {
    const error = await errorOf(kit(undefined, { messages: wrong }));
    assert.deepEqual([error.kind, error.option], ["configuration", option]);
  }
});

test("problems name their field", async () => {
  const fields = fieldsOf({ fieldId: "CITY", name: "City", label: "Town or city" }, { fieldId: "ZIP", name: "Postcode" }, { fieldId: "X" });
  const { remit } = await kit(
    ({ path, method }) => {
      if (path.endsWith("-fields")) return fields;
      return method === "POST" ? Response.json([{ code: "ValueRegexFailure", message: "Odd", fieldId: "ZIP" }], { status: 400 }) : undefined;
    },
    { messages: { MissingRequiredField: "Fehlt." } },
  );
  const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
  const form = await remit.recipientAccountFields(query);
  assert.deepEqual(form.check({}), [
    { fieldId: "CITY", code: "MissingRequiredField", message: "Fehlt.", label: "Town or city" },
    { fieldId: "ZIP", code: "MissingRequiredField", message: "Fehlt.", label: "Postcode" },
    { fieldId: "X", code: "MissingRequiredField", message: "Fehlt." },
  ]);
  const empty = await errorOf(remit.createRecipientAccount(ID, query));
  assert.deepEqual(empty.problems.map(({ label, message }) => [label, message]), [
    ["Town or city", "Fehlt."],
    ["Postcode", "Fehlt."],
    [undefined, "Fehlt."],
  ]);
  const values = { CITY: "a", ZIP: "b", X: "c" };
  const refusal = await errorOf(remit.createRecipientAccount(ID, { ...query, fields: form.toFields(values) }));
  assert.deepEqual(refusal.problems, [{ fieldId: "ZIP", code: "ValueRegexFailure", message: "Odd", label: "Postcode" }]);
});

test("problems name their field even if only the call fetched the fields", async () => {
  const fields = fieldsOf({ fieldId: "CITY", name: "City", label: "Town or city" }, { fieldId: "ZIP", name: "Postcode", label: "" }, { fieldId: "X" });
  const { remit } = await kit(({ path }) => (path.endsWith("-fields") ? fields : undefined));
  const error = await errorOf(remit.prepareTransfer(REQUESTS.transfer(ID)));
  const found = error.problems.filter(({ code }) => code === "MissingRequiredField").map(({ fieldId, label }) => [fieldId, label]);
  assert.deepEqual(found, [["CITY", "Town or city"], ["ZIP", "Postcode"], ["X", undefined]]);
});

test("a token source's error is the cause and appears nowhere else", async () => {
  const thrown = new Error("403 secret");
  let token = () => Promise.reject(thrown);
  const { remit } = await kit(undefined, { token: () => token() });
  const error = await errorOf(remit.nonce());
  assert.deepEqual([error.code, error.cause], ["TokenUnavailable", thrown]);
  assert.doesNotMatch(JSON.stringify(error) + error.message + error.userMessage + Object.keys(error), /secret|cause/);
  token = () => ({ error: "forbidden" });
  const refused = await errorOf(remit.nonce());
  assert.deepEqual([refused.code, refused.cause], ["TokenUnavailable", { error: "forbidden" }]);
  assert.match(refused.message, /reply\.ok/);
  token = () => 7;
  assert.equal("cause" in (await errorOf(remit.nonce())), false);
});
