import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, figuresOf, sumOf } from "./figures.mjs";

const page = (more) => ({ kind: "page", tab: 1, done: {}, notices: [], ...more });
const ready = page({ send: { label: "Send $204.99", isBusy: false } });
const priced = page({ send: { label: "Getting the final price…", isBusy: true } });
const sending = page({ send: { label: "Sending…", isBusy: true } });
const press = { kind: "pressed", tab: 1, isBoth: false };
const action = (what, isSending = false) => ({ kind: "action", tab: 1, what, isSending });
const outcome = page({ done: { transferId: "t1" } });
const trouble = { kind: "trouble" };

test("a walk that only looks around counts nothing", () => {
  assert.deepEqual(figuresOf([page(), action("reload"), priced]), sumOf([]));
});

test("what a walk reaches and meets is counted", () => {
  const midSend = [press, sending, action("reload", true), action("tab", true), outcome];
  const figures = figuresOf([ready, trouble, ...midSend, ready, press, action("reload")]);
  const reached = { reviews: 1, sending: 1, told: 1, sends: 2 };
  const met = { sendsInTrouble: 1, reloadsInMidSend: 1, tabsInMidSend: 1 };
  assert.deepEqual(figures, { ...sumOf([]), ...reached, ...met });
});

test("a send is in trouble while the page is offline, not once it is online", () => {
  const inTrouble = (...before) => figuresOf([...before, press]).sendsInTrouble;
  assert.equal(inTrouble(action("offline")), 1);
  assert.equal(inTrouble(action("offline"), action("online")), 0);
  assert.equal(inTrouble(action("offline"), action("reload")), 0);
  assert.equal(inTrouble(trouble, press), 1);
});

test("the figures of several walks are added up and described", () => {
  const walks = [[ready, press], [ready, action("twice"), { ...press, isBoth: true }]];
  const line = describe(sumOf(walks.map(figuresOf)));
  assert.match(line, /^2 reached the review; 2 sent; .* 1 sends; .* 1 double clicks; .* 1 confirmed$/);
});
