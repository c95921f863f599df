import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { listening } from "../packed.mjs";
import { assertRefused, errorOf, unpacked } from "./unpacked.mjs";

const { load } = await unpacked();
const { failingTransferAmount, testCards, triggers, ...helpers } = await load("testing.js");
const { connectSandbox, expectFaultsUsed, expectTransfers, fillCardForm, withTrigger } = helpers;
const { fakeCardForm, fakeCardFrame, fakeFieldForm, fakeTransferAttempt } = helpers;

test("the constants cover every documented code and card form result", () => {
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
  assert.deepEqual([triggers.QuoteAmountChanged.amount, failingTransferAmount], [990_030, 990_099]);
  const results = new Set(Object.values(testCards).map((card) => card.result));
  const successes = ["success", "successIssuedAbroad", "successThenBlocked"];
  assert.deepEqual([...results].sort(), ["expired", "fail", ...successes]);
});

test("a trigger changes one member in a copy of a request", () => {
  const fields = Object.freeze([{ id: "lastName", value: "Rojas" }]);
  const request = Object.freeze({ amount: 5, recipientId: "r", fields });
  const { ways } = triggers.InvalidSenderName;
  const named = (value) => ({ ...request, fields: [{ id: "lastName", value }] });
  for (const [trigger, expected] of [
    [triggers.QuoteAmountChanged, { ...request, amount: 990_030 }],
    [triggers.InvalidRecipientId, { ...request, recipientId: "4711" }],
    [triggers.NotEmptyValidator, { amount: 5, fields }],
    [ways[0], { ...request, fields: [] }],
    [ways[1], named("4711")],
    [triggers.SenderNotCreated, named("SenderNotCreated")],
    [triggers.MissingRequiredField, request],
  ]) {
    assert.deepEqual(withTrigger(request, trigger), expected, JSON.stringify(trigger));
  }
  const added = { fields: [{ id: "ADDRESS_ZIP", value: "ABCDE" }] };
  assert.deepEqual(withTrigger({}, triggers.ValueRegexFailure), added);
});

test("a trigger that fits no request says what to do instead", async () => {
  for (const [trigger, text] of [
    [triggers.TransferDuplicatedByQuote, /Send twice with one quote/],
    [triggers.CardNotSupported.ways[0], /a request can carry/],
    [undefined, /trigger/],
  ]) {
    const { option, message } = await errorOf(() => withTrigger({ amount: 5 }, trigger));
    assert.equal(option, "trigger");
    assert.match(message, text);
    assert.doesNotMatch(message, /\.\./);
  }
});

/** A sandbox that lists these transfers, one list after the other. */
const recording = (...lists) => ({ transfers: async () => (lists.length > 1 ? lists.shift() : lists[0]) });

const ONE = { transferId: "1", senderId: "a" };
const OTHER = { transferId: "2", senderId: "b" };
const QUICK = { timeoutMs: 200, quietMs: 60 };
/** For transfers that come: a busy machine may poll only once in a while. */
const PATIENT = { timeoutMs: 20_000, quietMs: 60 };

test("expectTransfers waits for transfers and returns them", async () => {
  for (const [lists, expected, found] of [
    [[[], [], [ONE]], 1, [ONE]],
    [[[]], 0, []],
    [[[ONE, OTHER]], { senderId: "b" }, [OTHER]],
    [[[ONE, OTHER]], { count: 2 }, [ONE, OTHER]],
  ]) {
    assert.deepEqual(await expectTransfers(recording(...lists), expected, PATIENT), found);
  }
});

test("expectTransfers reports both counts for too few, too many or late", async () => {
  for (const [lists, expected, actual] of [
    [[[]], 1, 0],
    [[[ONE, OTHER]], 1, 2],
    [[[ONE], [ONE, OTHER]], 1, 2],
    [[[ONE]], 0, 1],
  ]) {
    const error = await errorOf(expectTransfers(recording(...lists), expected, QUICK));
    assert.deepEqual([error.name, error.expected, error.actual], ["AssertionError", expected, actual]);
    assert.match(error.message, new RegExp(`Expected ${expected} transfers?, .* recorded ${actual}`));
  }
  const error = await errorOf(expectTransfers(recording([ONE]), { senderId: "b" }, QUICK));
  assert.match(error.message, /with \{"senderId":"b"\}/);
  const wrong = [undefined, null, "1", true].map((expected) => [expected, "expected"]);
  const expecting = (expected) => expectTransfers(recording([ONE]), expected, QUICK);
  await assertRefused(expecting, [[-1, "expected.count"], ...wrong]);
});

test("expectFaultsUsed waits until each certain fault has met its requests", async () => {
  const fault = { kind: "drop", method: "POST", path: "/v1/transfers", count: 2, percent: 100 };
  const pending = (...lists) => ({
    faults: { list: async () => (lists.length > 1 ? lists.shift() : lists[0]) },
  });
  await expectFaultsUsed(pending([fault], [fault], []));
  await expectFaultsUsed(pending([{ ...fault, percent: 50 }]), { timeoutMs: 0 });
  const others = [{ ...fault, percent: 1 }, { kind: "slow", path: "/v1/quote", count: 1 }];
  const error = await errorOf(expectFaultsUsed(pending([fault, ...others]), { timeoutMs: 60 }));
  assert.deepEqual([error.name, error.expected, error.actual], ["AssertionError", [], [fault, others[1]]]);
  assert.match(error.message, /drop of POST \/v1\/transfers \(2 left\); slow of any method \/v1\/quote \(1 left\)/);
});

/** Serves a sandbox's control endpoints: `routes` returns a status and a body; `asked` are the requests. */
async function controlServer(routes) {
  const asked = [];
  const server = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push([request.method, request.url, body === "" ? undefined : JSON.parse(body)]);
    const [status, answer] = routes(request) ?? [204, undefined];
    reply.writeHead(status).end(JSON.stringify(answer));
  });
  const client = { senderId: "sender", clientId: "client", clientSecret: "secret" };
  return { addresses: { baseUrl: await listening(server), cardUrl: "http://127.0.0.1:1", ...client }, asked };
}

// testing-sandbox.test.mjs tries the others on a sandbox.
test("helpers send whole seconds, escaped ids and amounts as they are", async () => {
  const clock = { now: "2026-01-31T09:05:07.1234560Z", offsetSeconds: 0 };
  const { addresses, asked } = await controlServer(({ url }) => [200, url === "/sandbox/clock" ? clock : {}]);
  const sandbox = connectSandbox(addresses);
  assert.deepEqual(await sandbox.clock.advance(1_001), new Date("2026-01-31T09:05:07.123Z"));
  await sandbox.releaseTransfer("a/b");
  await sandbox.failTransfer("a/b", { reason: "R" });
  await sandbox.webhooks.deliver("t", { statuses: ["Complete"], delayMs: 5 });
  await sandbox.clock.set(new Date("2026-01-31T09:05:07Z"));
  await sandbox.clock.freeze();
  await sandbox.clock.resume();
  await sandbox.restore("a/b");
  await sandbox.moveFee("BANK_ACCOUNT", 25);
  await sandbox.setLimits({ send24Hours: 1 });
  await sandbox.setBalance(5);
  await sandbox.token(null);
  const client = { client_id: "client", client_secret: "secret", audience: addresses.baseUrl };
  assert.deepEqual(asked, [
    ["POST", "/sandbox/clock", { advanceSeconds: 2 }],
    ["POST", "/sandbox/transfers/a%2Fb/release", undefined],
    ["POST", "/sandbox/transfers/a%2Fb/fail", { reason: "R" }],
    ["POST", "/sandbox/webhooks", { transferId: "t", delayMilliseconds: 5, statuses: ["Complete"] }],
    ["POST", "/sandbox/clock", { now: "2026-01-31T09:05:07.000Z" }],
    ["POST", "/sandbox/clock", { frozen: true }],
    ["POST", "/sandbox/clock", { frozen: false }],
    ["POST", "/sandbox/snapshots/a%2Fb/restore", undefined],
    ["POST", "/sandbox/fees", { transferMethod: "BANK_ACCOUNT", cents: 25 }],
    ["POST", "/sandbox/limits", { senderId: "sender", limits: { send24Hours: 1 } }],
    ["POST", "/sandbox/balance", { clientId: "client", cents: 5 }],
    ["POST", "/v1/oauth/token", { ...client, grant_type: "client_credentials" }],
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(sandbox)), addresses);
});

test("invalid addresses are refused by name, and errors contain no secret", async () => {
  const { addresses } = await controlServer(() => [400, { error_description: "no" }]);
  const wrong = [
    [null, "addresses"],
    ["http://127.0.0.1:1", "addresses"],
    [{ ...addresses, cardUrl: undefined }, "addresses.cardUrl"],
    [{ ...addresses, senderId: "" }, "addresses.senderId"],
  ];
  await assertRefused(connectSandbox, wrong, "InvalidConfiguration");
  assert.match((await errorOf(() => connectSandbox())).message, /sandboxGlobalSetup/);
  const error = await errorOf(connectSandbox(addresses).token());
  assert.ok(!(JSON.stringify(error) + error.message + error.stack).includes(addresses.clientSecret));
});

test("an invalid card frame is refused, naming the option or step at fault", async () => {
  const START = "CARD_VALIDATION_START";
  const scripts = [
    [START, "script"],
    [["CARD_VALIDATION_STARTED"], "script[0].event"],
    ...[{}, null, { event: START, message: 1 }].map((step) => [[step], "script[0]"]),
    ...[-1, Number.NaN].map((delayMs) => [[{ event: START, delayMs }], "script[0].delayMs"]),
    [[START, { event: START, from: "elsewhere" }], "script[1].from"],
    [[{ until: "later" }], "script[0].until"],
    [[{ move: "away" }], "script[0].move"],
    [[{ message: { at: 1n } }], "at"],
  ];
  await assertRefused((script) => fakeCardFrame({ script }), scripts);
  const { message } = await errorOf(fakeCardFrame({ script: ["CARD_VALIDATION_STARTED"] }));
  assert.match(message, /; anything else is a message\.$/);
  await assertRefused(fakeCardFrame, [[{ loading: "slowly" }, "loading"], [{ delayMs: "1" }, "delayMs"]]);
  await assertRefused(fakeCardFrame, [[{ port: -1 }, "port"], [null, "options"]], "InvalidConfiguration");
});

test("a misspelled option is refused by name, with those that there are", async () => {
  const { addresses } = await controlServer(() => [200, {}]);
  const sandbox = connectSandbox(addresses);
  const none = { transfers: async () => [], faults: { list: async () => [] } };
  const wrong = [[{ misspelt: 1 }, "misspelt"]];
  for (const call of [
    (options) => expectTransfers(none, 0, options),
    (options) => expectFaultsUsed(none, options),
    (options) => sandbox.requests(options),
    (options) => sandbox.failTransfer("t", options),
    fakeCardForm,
    fakeTransferAttempt,
    (options) => fakeFieldForm([], options),
  ]) {
    await assertRefused(call, wrong);
  }
  const details = { card: "4242424242424242", secureCode: "1" };
  await assertRefused((given) => fillCardForm({ locator() {} }, given), [[details, "details.secureCode"]]);
  await assertRefused(fakeCardFrame, wrong, "InvalidConfiguration");
  const { message } = await errorOf(sandbox.failTransfer("t", { raeson: "R" }));
  assert.equal(message, "Unknown option `raeson`. There are reason, afterSeconds.");
});
