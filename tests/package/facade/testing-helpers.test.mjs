import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { errorOf } from "./unpacked.mjs";
import { answering, testing } from "./testing.mjs";

const run = promisify(execFile);
const {
  connectSandbox,
  expectTransfers,
  fakeCardFrame,
  fillCardForm,
  folder,
  isRemitError,
  testCards,
  triggers,
  withTrigger,
} = await testing();

test("the constants cover every documented code and card form result", async () => {
  const codes = Object.keys(triggers);
  assert.equal(codes.length, 67);
  for (const code of codes) {
    const { ways, ...trigger } = triggers[code];
    assert.equal(trigger.code, code);
    assert.ok(trigger.status >= 400 && ways.length > 0, code);
    for (const short of ["amount", "card"]) {
      assert.equal(trigger[short], ways.find((way) => way[short] !== undefined)?.[short], code);
    }
  }
  assert.equal(triggers.QuoteAmountChanged.amount, 990_030);
  const results = new Set(Object.values(testCards).map((card) => card.result));
  assert.deepEqual([...results].sort(), ["expired", "fail", "success", "successIssuedAbroad", "successThenBlocked"]);
});

test("a trigger changes one member in a copy of a request", () => {
  const request = Object.freeze({
    amount: 5,
    recipientId: "r",
    fields: Object.freeze([{ id: "lastName", value: "Rojas" }]),
  });
  const { ways } = triggers.InvalidSenderName;
  for (const [trigger, expected] of [
    [triggers.QuoteAmountChanged, { ...request, amount: 990_030 }],
    [triggers.InvalidRecipientId, { ...request, recipientId: "4711" }],
    [triggers.NotEmptyValidator, { amount: 5, fields: request.fields }],
    [ways[0], { ...request, fields: [] }],
    [ways[1], { ...request, fields: [{ id: "lastName", value: "4711" }] }],
    [triggers.SenderNotCreated, { ...request, fields: [{ id: "lastName", value: "SenderNotCreated" }] }],
    [triggers.MissingRequiredField, request],
  ]) {
    assert.deepEqual(withTrigger(request, trigger), expected, JSON.stringify(trigger));
  }
  assert.deepEqual(withTrigger({}, triggers.ValueRegexFailure), {
    fields: [{ id: "ADDRESS_ZIP", value: "ABCDE" }],
  });
});

test("a trigger that fits no request says what to do instead", async () => {
  for (const [trigger, said] of [
    [triggers.TransferDuplicatedByQuote, /Send twice with one quote/],
    [triggers.ExpiryDateRequired.ways[0], /without its expiry date/],
    [triggers.CardNotSupported.ways[0], /a request can carry/],
    [undefined, /trigger/],
    [{}, /trigger/],
  ]) {
    const error = await errorOf(() => withTrigger({ amount: 5 }, trigger));
    assert.ok(isRemitError(error));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", "trigger"]);
    assert.match(error.message, said);
    assert.doesNotMatch(error.message, /\.\./);
  }
});

/** A page as Playwright has it, and what was done to it. */
function fakePage() {
  const done = [];
  const inFrame = (frame) => ({
    locator: (selector) => ({
      fill: async (value) => done.push([frame, selector, value]),
      click: async () => done.push([frame, selector]),
    }),
  });
  const page = { ...inFrame("page"), mainFrame: () => {}, frameLocator: (selector) => inFrame(selector) };
  return { page, frame: inFrame("frame"), done };
}

test("fillCardForm finds a page's form, and accepts a frame as the form", async () => {
  const { page, frame, done } = fakePage();
  await fillCardForm(page, { card: testCards.success });
  const FORM = 'iframe[src*="/v2/add-card/"]';
  assert.deepEqual(
    done.map(([where]) => where),
    [FORM, FORM, FORM, FORM, FORM],
  );
  assert.deepEqual(done[0].slice(1), ["[autocomplete='cc-number'], #card-number", "4111111111111111"]);
  assert.deepEqual(done.at(-1).slice(1), ["#verify"]);
  done.length = 0;
  const details = { expiry: "01/40", securityCode: "999", name: "Juan Perez", verify: false };
  await fillCardForm(frame, { card: "4000 0000 0000 0010", ...details });
  assert.deepEqual(
    done.map(([where, , value]) => [where, value]),
    ["4000 0000 0000 0010", "01/40", "999", "Juan Perez"].map((value) => ["frame", value]),
  );
});

test("the expiry date it enters is some years ahead, in any year", async () => {
  const { frame, done } = fakePage();
  await fillCardForm(frame, { card: testCards.success });
  const [, , expiry] = done.find(([, selector]) => selector.includes("cc-exp"));
  const year = 2000 + Number(/^12\/(\d\d)$/.exec(expiry)[1]);
  assert.equal(year, new Date().getFullYear() + 9);
});

test("fillCardForm refuses a non-page or non-card before filling anything", async () => {
  const { page, done } = fakePage();
  for (const target of [undefined, null, {}, "page", 7]) {
    assert.equal((await errorOf(fillCardForm(target, { card: testCards.success }))).option, "target");
  }
  for (const card of [undefined, null, 4111111111111111, "", "card", {}, { number: 1 }]) {
    assert.equal((await errorOf(fillCardForm(page, { card }))).option, "card");
  }
  assert.deepEqual(done, []);
});

/** A sandbox whose transfers come as told, one entry of the list for each question. */
function recording(...lists) {
  return { transfers: async () => (lists.length > 1 ? lists.shift() : lists[0]) };
}

const ONE = { transferId: "1", senderId: "a" };
const OTHER = { transferId: "2", senderId: "b" };
const QUICK = { timeoutMs: 200, quietMs: 60 };
/** For what comes: a busy machine may ask only once in a while. */
const PATIENT = { timeoutMs: 20_000, quietMs: 60 };

test("expectTransfers waits for transfers and returns them", async () => {
  assert.deepEqual(await expectTransfers(recording([], [], [ONE]), 1, PATIENT), [ONE]);
  assert.deepEqual(await expectTransfers(recording([]), 0, PATIENT), []);
  assert.deepEqual(await expectTransfers(recording([ONE, OTHER]), { senderId: "b" }, PATIENT), [OTHER]);
  assert.deepEqual(await expectTransfers(recording([ONE, OTHER]), { count: 2 }, PATIENT), [ONE, OTHER]);
});

test("expectTransfers reports both counts for too few, too many or late", async () => {
  for (const [sandbox, expected, actual] of [
    [recording([]), 1, 0],
    [recording([ONE, OTHER]), 1, 2],
    [recording([ONE], [ONE, OTHER]), 1, 2],
    [recording([ONE]), 0, 1],
  ]) {
    const error = await errorOf(expectTransfers(sandbox, expected, QUICK));
    assert.deepEqual([error.name, error.expected, error.actual], ["AssertionError", expected, actual]);
    assert.match(error.message, new RegExp(`Expected ${expected} transfers?, .* recorded ${actual}`));
  }
  const error = await errorOf(expectTransfers(recording([ONE]), { senderId: "b" }, QUICK));
  assert.match(error.message, /with \{"senderId":"b"\}/);
  assert.equal((await errorOf(expectTransfers(recording([]), -1))).option, "expected.count");
  for (const nothing of [undefined, null, "1", true]) {
    assert.equal((await errorOf(expectTransfers(recording([ONE]), nothing, QUICK))).option, "expected");
  }
});

// That the sandbox takes the others is in testing-sandbox.test.mjs and testing-outcomes.test.mjs.
test("helpers send whole seconds, escaped ids and amounts as they are", async () => {
  const time = "2026-01-31T09:05:07.1234560Z";
  const { addresses, asked } = await answering(({ url }) => (url === "/sandbox/clock" ? [200, { now: time, offsetSeconds: 0 }] : [200, {}]));
  const sandbox = connectSandbox(addresses);
  assert.deepEqual(await sandbox.clock.advance(1_001), new Date("2026-01-31T09:05:07.123Z"));
  await sandbox.releaseTransfer("a/b");
  await sandbox.moveFee("BANK_ACCOUNT", 25);
  await sandbox.setLimits({ send24Hours: 1 });
  await sandbox.setBalance(5);
  await sandbox.token(null);
  const oauth = { client_id: "client", client_secret: "secret", audience: addresses.baseUrl };
  assert.deepEqual(asked, [
    ["POST", "/sandbox/clock", { advanceSeconds: 2 }],
    ["POST", "/sandbox/transfers/a%2Fb/release", undefined],
    ["POST", "/sandbox/fees", { transferMethod: "BANK_ACCOUNT", cents: 25 }],
    ["POST", "/sandbox/limits", { senderId: "sender", limits: { send24Hours: 1 } }],
    ["POST", "/sandbox/balance", { clientId: "client", cents: 5 }],
    ["POST", "/v1/oauth/token", { ...oauth, grant_type: "client_credentials" }],
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(sandbox)), addresses);
});

test("invalid addresses are refused by name", async () => {
  const { addresses } = await answering(() => undefined);
  for (const [given, option] of [
    [null, "addresses"],
    ["http://127.0.0.1:1", "addresses"],
    [{ ...addresses, cardUrl: undefined }, "addresses.cardUrl"],
    [{ ...addresses, senderId: "" }, "addresses.senderId"],
  ]) {
    const error = await errorOf(() => connectSandbox(given));
    assert.ok(isRemitError(error));
    if (given !== null) {
      assert.equal(error.option, option);
    }
  }
  assert.match((await errorOf(() => connectSandbox())).message, /sandboxGlobalSetup/);
});

test("errors contain no secret", async () => {
  const { addresses } = await answering(() => [400, { error_description: "no" }]);
  const error = await errorOf(connectSandbox(addresses).token());
  const said = JSON.stringify(error) + error.message + error.stack;
  assert.ok(!said.includes(addresses.clientSecret), said);
});

test("an invalid script is refused, naming the step at fault", async () => {
  const START = "CARD_VALIDATION_START";
  for (const [script, option] of [
    ["CARD_VALIDATION_START", "script"],
    [["CARD_VALIDATION_STARTED"], "script[0].event"],
    [[START, {}], "script[1]"],
    [[{ event: START, message: 1 }], "script[0]"],
    [[null], "script[0]"],
    [[{ event: START, delayMs: -1 }], "script[0].delayMs"],
    [[{ event: START, delayMs: Number.NaN }], "script[0].delayMs"],
    [[{ event: START, from: "elsewhere" }], "script[0].from"],
    [[{ until: "later" }], "script[0].until"],
    [[{ move: "away" }], "script[0].move"],
    [[{ message: { at: 1n } }], "at"],
    [[{ message: () => {} }], "script[0].message"],
    [[{ message: 1n }], "script[0].message"],
  ]) {
    const error = await errorOf(fakeCardFrame({ script }));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", option]);
  }
  for (const [options, option] of [
    [{ loading: "slowly" }, "loading"],
    [{ port: -1 }, "port"],
    [{ sandbox: {} }, "sandbox"],
    [{ delayMs: "1" }, "delayMs"],
    [null, "options"],
  ]) {
    assert.equal((await errorOf(fakeCardFrame(options))).option, option);
  }
});

test("a card frame answers addresses that are none", async () => {
  const frame = await fakeCardFrame();
  for (const [method, path] of [["GET", "//"], ["OPTIONS", "*"], ["GET", frame.cardUrl]]) {
    const outgoing = httpRequest(frame.cardUrl, { method, path }).end();
    const [reply] = await once(outgoing, "response");
    reply.resume();
    assert.equal(reply.statusCode, 404, path);
  }
  await frame.stop();
});

test("without Node the entry point loads, and calls that need it say so", async () => {
  const script = `
    delete globalThis.process;
    const loaded = await import("./testing.js");
    const { remit } = loaded.fakeRemitKit({ nonce: async () => "n" });
    const said = [];
    for (const name of ["startSandbox", "fakeCardFrame"]) {
      await loaded[name]().catch((error) => said.push([error.code, error.message.split(" ")[0]]));
    }
    await loaded.sandboxGlobalSetup()().catch((error) => said.push([error.code]));
    try { loaded.connectSandbox(); } catch (error) { said.push([error.code]); }
    console.log(JSON.stringify([said, await remit.nonce(), loaded.testCards.success.number]));`;
  await writeFile(join(folder, "no-node.mjs"), script);
  const { stdout } = await run(process.execPath, [join(folder, "no-node.mjs")]);
  const CODE = "InvalidConfiguration";
  assert.deepEqual(JSON.parse(stdout), [
    [[CODE, "startSandbox"], [CODE, "fakeCardFrame"], [CODE], [CODE]],
    "n",
    "4111111111111111",
  ]);
});
