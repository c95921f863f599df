import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, sumOf, wordsOf } from "./figures.mjs";

const said = (tab, more = {}) => ({ kind: "said", tab, done: {}, notices: [], ...more });
const ready = said(1, { send: { label: "Send $204.99", isBusy: false } });
const sending = said(1, { send: { label: "Sending…", isBusy: true } });
const press = { kind: "pressed", tab: 1, isBoth: false };
const met = (what, isSending = false) => ({ kind: "met", tab: 1, what, isSending });
const told = said(1, { done: { transferId: "t1" } });

test("a walk that only looks around reaches nothing", () => {
  const figures = figuresOf([said(1), met("reload"), said(1, { send: { label: "Getting the final price…", isBusy: true } })]);
  assert.ok(Object.values(figures).every((figure) => figure === 0), JSON.stringify(figures));
});

test("what a walk reaches and meets is counted", () => {
  const figures = figuresOf([ready, { kind: "trouble" }, press, sending, met("reload", true), met("tab", true), told, ready, press, met("reload")]);
  const { reviews, sending: walks, told: outcomes, sends, sendsInTrouble, reloadsInMidSend, tabsInMidSend } = figures;
  assert.deepEqual([reviews, walks, outcomes, sends, sendsInTrouble, reloadsInMidSend, tabsInMidSend], [1, 1, 1, 2, 1, 1, 1]);
});

test("a send is in trouble while the line is down, and not when it is back", () => {
  const inTrouble = (...before) => figuresOf([...before, press]).sendsInTrouble;
  assert.equal(inTrouble(met("offline")), 1);
  assert.equal(inTrouble(met("offline"), met("online")), 0);
  assert.equal(inTrouble(met("offline"), met("reload")), 0);
  assert.equal(inTrouble({ kind: "trouble" }, press), 1);
});

test("figures of several walks add up, and each is said", () => {
  const sum = sumOf([figuresOf([ready, press]), figuresOf([ready, met("twice"), { ...press, isBoth: true }])]);
  assert.deepEqual([sum.reviews, sum.sending, sum.sends, sum.doubleClicks, sum.confirmed], [2, 2, 1, 1, 1]);
  assert.match(wordsOf(sum), /^2 at the review; 2 that send; .* 1 sends; .* 1 double clicks; .* 1 confirmed$/);
});
