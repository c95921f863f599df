import assert from "node:assert/strict";
import { test } from "node:test";
import { shrink } from "./shrink.mjs";
import { stepsOf } from "./steps.mjs";
import { judge } from "./verdict.mjs";

const NOW = Date.parse("2026-01-31T09:15:00Z");
const at = (seconds) => new Date(NOW + seconds * 1_000).toISOString();
const usd = (value) => ({ value, currency: { iso3Code: "USD", decimalPlaces: 2 } });

function quote(quoteHistoryId, cents = 20_000) {
  return { quoteHistoryId, sendAmount: usd(cents), totalCost: usd(cents + 499), receiveAmount: usd(365_306), adjustments: [{ amount: usd(499) }], expirationDate: at(900) };
}

function row(transferId, quoteHistoryId, seconds = 2, cents = 20_000) {
  const { sendAmount, totalCost, receiveAmount } = quote(quoteHistoryId, cents);
  return { transferId, quoteHistoryId, confirmationNumber: "77", sendAmount, totalCost, receiveAmount, status: "Initiated", createdAt: at(seconds), recipientId: "r" };
}

const PRICE = { isBusy: false, send: "$200.00", total: "$204.99", receive: "$3,653.06", fees: ["$4.99"] };
const said = (seconds, more = {}) => ({
  kind: "said", tab: 1, at: NOW + seconds * 1_000, step: "review", language: "en-US", title: "", notices: [], done: {}, facts: {}, price: PRICE, typed: {}, card: "", ...more,
});
const notice = (text, own) => ({ notices: [{ text, tone: "", quote: own }] });
const pressed = (seconds, more = {}) => ({ kind: "pressed", tab: 1, at: NOW + seconds * 1_000, label: "Send $204.99", isBoth: false, ...more });
const posted = (seconds, own) => ({ kind: "posted", tab: 1, at: NOW + seconds * 1_000, quote: own });
const shown = (seconds, transferId = "t1") => said(seconds, { step: "done", title: "Your transfer is on its way", done: { transferId, confirmation: "77", status: "INITIATED" } });

/** The rules that a story breaks; in it a transfer is sent and shown. */
function broken(events, rows = [row("t1", "q1")], recipients = new Map()) {
  const quotes = new Map(["q1", "q2"].map((id) => [id, quote(id)]));
  return judge({ events, rows, quotes, recipients }).map(({ rule }) => rule);
}

const SENT = [pressed(1), posted(1, "q1"), shown(3)];

test("a story without faults is clean", () => {
  assert.deepEqual(broken(SENT), []);
  assert.deepEqual(broken([...SENT, pressed(5), posted(5, "q2"), shown(7, "t2")], [row("t1", "q1"), row("t2", "q2", 6)]), []);
  assert.deepEqual(broken([...SENT, { kind: "rest", tab: 1, at: NOW, page: shown(9) }]), []);
});

test("two transfers for one press are found", () => {
  assert.deepEqual(broken([pressed(1), posted(1, "q1"), posted(2, "q2"), shown(3)], [row("t1", "q1"), row("t2", "q2")]), [
    "two transfers for one press",
    "a second transfer beside one that nobody was told of",
  ]);
});

test("a second press beside an unannounced transfer is found", () => {
  const rows = [row("t1", "q1"), row("t2", "q2", 4)];
  const story = (between) => broken([pressed(1), posted(1, "q1"), ...between, pressed(3), posted(3, "q2"), shown(5, "t2")], rows);
  assert.deepEqual(story([]), ["a second transfer beside one that nobody was told of"]);
  assert.deepEqual(story([pressed(2, { isBoth: true })]), []);
  assert.deepEqual(story([said(2.5, notice("Your transfer was made$200.00 to Ana", "q1"))]), []);
});

test("a second transfer beside another tab's must have been asked about", () => {
  const rows = [row("t1", "q1"), row("t2", "q2", 8)];
  const other = (event) => ({ ...event, tab: 2 });
  const second = [pressed(7), posted(7, "q2"), shown(9, "t2")].map(other);
  const story = (before, between) => broken([...before, ...SENT, ...between, ...second], rows);
  // The tab stood there while the first one sent.
  const stood = [other(said(0.5))];
  assert.deepEqual(story(stood, []), ["a second transfer, and nobody was asked"]);
  assert.deepEqual(story(stood, [pressed(6, { isBoth: true })]), ["a second transfer, and nobody was asked"]);
  assert.deepEqual(story(stood, [other(pressed(6, { isBoth: true }))]), []);
  assert.deepEqual(story(stood, [other({ kind: "dismissed", at: NOW })]), []);
  // It asked, and went away before it said what it posted.
  const cut = (isBoth) => [...stood, ...SENT, other(pressed(7, { isBoth })), other({ kind: "loaded", at: NOW }), other(shown(9, "t2"))];
  assert.deepEqual(broken(cut(true), rows), []);
  assert.deepEqual(broken(cut(false), rows), ["a second transfer, and nobody was asked"]);
  assert.deepEqual(story(stood, [other(shown(6))]), []);
  // It was opened since, or showed a transfer and began another one.
  assert.deepEqual(story([], [other(said(5))]), []);
  assert.deepEqual(story([other(shown(0.5, "t0"))], [], [row("t0", "q0")]).filter((rule) => rule.startsWith("a second")), []);
});

test("a transfer without a press or a page is found", () => {
  assert.deepEqual(broken([posted(1, "q1"), shown(3)]), ["a transfer without a press of Send"]);
  assert.deepEqual(broken([]), ["a transfer that no page asked for"]);
});

test("a tab may settle the press of a closed tab", () => {
  const other = (event) => ({ ...event, tab: 2 });
  const closed = { kind: "closed", tab: 1, at: NOW };
  const settled = [other(posted(4, "q1")), other(shown(5))];
  assert.deepEqual(broken([pressed(1), closed, ...settled]), []);
  // It still stands there, or has posted another one for that press.
  assert.deepEqual(broken([pressed(1), ...settled]), ["a transfer without a press of Send"]);
  assert.deepEqual(broken([pressed(1), posted(1, "q2"), closed, ...settled]), ["a transfer without a press of Send"]);
  // What it posted as it was closed nobody heard.
  assert.deepEqual(broken([pressed(1), closed, other(shown(5))]), []);
  assert.deepEqual(broken([pressed(1), other(shown(5))]), ["a transfer that no page asked for"]);
  // One press stands for one transfer, whoever posts it.
  const both = [row("t1", "q1"), row("t2", "q2")];
  const twice = [...settled, other({ kind: "dismissed", at: NOW }), other(posted(6, "q2")), other(shown(7, "t2"))];
  assert.deepEqual(broken([pressed(1), closed, ...twice], both), ["two transfers for one press"]);
});

test("a false “Nothing was sent” is found, before and after", () => {
  const nothing = (seconds) => said(seconds, notice("There is a connection problem. Nothing was sent."));
  assert.deepEqual(broken([pressed(1), posted(1, "q1"), nothing(3)]), ["nothing was sent, it said"]);
  // Made later by what had been sent before.
  assert.deepEqual(broken([pressed(1), posted(1, "q1"), nothing(1.5)]), ["nothing was sent, it said"]);
  // Of the next one, once the page has told of the first and tells no more.
  const made = said(3, notice("Your transfer was made$200.00 to Ana", "q1"));
  const beside = said(5, { notices: [...made.notices, ...nothing(5).notices] });
  const next = [pressed(1), posted(1, "q1"), made, pressed(4, { isBoth: true }), posted(4, "q2")];
  assert.deepEqual(broken([...next, nothing(5)]), []);
  assert.deepEqual(broken([...next, beside]), ["nothing was sent, it said"]);
  // Sent again by itself.
  assert.deepEqual(broken([pressed(1), posted(1, "q1"), nothing(1.2), posted(1.8, "q1"), shown(3)]), []);
});

test("statements about earlier transfers must match the database", () => {
  assert.deepEqual(broken([...SENT, said(4, notice("This transfer was not made$200.00 to Ana", "q1"))]), ["not made, it said"]);
  assert.deepEqual(broken([...SENT, said(4, notice("Your transfer was made$200.00 to Ana", "q2"))]), ["made, it said"]);
  assert.deepEqual(broken([...SENT, said(4, notice("Tu envío se hizoUSD 150.00 a Ana", "q1"))]), ["a notice names another amount"]);
});

const rest = (more) => ({ kind: "rest", tab: 1, at: NOW, page: said(9, more) });

test("the last page must match the database", () => {
  const last = (more) => broken([pressed(1), posted(1, "q1"), shown(3), { ...shown(4), ...more }], [row("t1", "q1")], new Map([["r", "Ana García"]]));
  assert.deepEqual(last({ done: { transferId: "t9", confirmation: "77" } }), ["shown, and not in the database"]);
  assert.deepEqual(last({ done: { transferId: "t1", confirmation: "78" } }), ["another confirmation number"]);
  assert.deepEqual(last({ done: { transferId: "t1", confirmation: "–" } }), []);
  assert.deepEqual(broken([...SENT, rest({ step: "done", done: { transferId: "t1", confirmation: "–" } })]), ["a transfer without its number"]);
  assert.deepEqual(last({ facts: { send: "$200.01" } }), ["another amount was sent"]);
  assert.deepEqual(last({ facts: { total: "$200.00" } }), ["another total was paid"]);
  assert.deepEqual(last({ facts: { receive: "$1.00" } }), ["another amount is received"]);
  assert.deepEqual(last({ facts: { recipient: "Ana Maria" } }), ["another recipient"]);
  assert.deepEqual(last({ title: "Your transfer has arrived" }), ["the title tells another end"]);
});

test("a price must be one the service gave, and Send names its total", () => {
  assert.deepEqual(broken([...SENT, said(4, { price: { ...PRICE, total: "$204.00" } })]), ["a price that the service did not give"]);
  assert.deepEqual(broken([...SENT, said(4, { price: { ...PRICE, isBusy: true, total: "$204.00" } })]), []);
  assert.deepEqual(broken([...SENT, said(4, { send: { label: "Send $199.00", isBusy: false } })]), ["Send names another total than the summary"]);
});

test("the card’s frame, the countdown and typed amounts are checked", () => {
  const seen = (more) => broken([...SENT, { kind: "seen", tab: 1, at: NOW, page: said(0), card: "", frame: "none", held: "15:00", ...more }]);
  assert.deepEqual(seen({}), []);
  assert.deepEqual(seen({ card: "ready", frame: "stranger", hasHelp: true }), []);
  assert.deepEqual(seen({ card: "ready", frame: "stranger", hasHelp: false }), ["the card form is not as it is said to be"]);
  assert.deepEqual(seen({ card: "verified", frame: "failed" }), ["the card form is not as it is said to be"]);
  assert.deepEqual(seen({ held: "12:00" }), ["a price is held for another time"]);
  const typed = (send) => seen({ page: said(0, { step: "amount", typed: { send, receive: "3,653.06" } }) });
  assert.deepEqual(typed("200"), []);
  assert.deepEqual(typed("20"), ["other amounts than the price's"]);
});

test("a wait left at the end and an unannounced transfer are found", () => {
  assert.deepEqual(broken([...SENT, rest(notice("You are offline"))]), ["it does not come to rest by itself"]);
  assert.deepEqual(broken([...SENT, rest({ send: { label: "Sending…", isBusy: true } })]), ["it does not come to rest by itself"]);
  assert.deepEqual(broken([pressed(1), posted(1, "q1"), rest({})]), ["a transfer that nobody was told of"]);
});

test("only what is refused on every resend or has expired may stay open", () => {
  const rest = { kind: "rest", tab: 1, at: NOW, page: said(9, notice("We don’t know yet whether it was sent$200.00 to Ana", "q1")) };
  const answered = (status, own = "q1") => ({ kind: "answered", tab: 1, at: NOW, quote: own, status });
  const story = (...answers) => broken([pressed(1), posted(1, "q1"), ...answers, rest], []);
  const made = (...answers) => broken([pressed(1), posted(1, "q1"), ...answers, rest]);
  assert.deepEqual(story(), ["it does not come to rest by itself"]);
  assert.deepEqual(story(answered(400)), []);
  assert.deepEqual(story(answered(400), answered(503)), ["it does not come to rest by itself"]);
  assert.deepEqual(story(answered(400, "q2")), ["it does not come to rest by itself"]);
  // Lost with a price that has ended: it is not sent again.
  const short = { kind: "step", at: NOW, number: 1, step: { do: "world", move: { path: "lifetimes", body: { quoteSeconds: 4 } } } };
  assert.deepEqual(story(short), []);
  assert.deepEqual(story(short, answered(503)), ["it does not come to rest by itself"]);
  // Refused because it was made before.
  assert.deepEqual(made(answered(400)), ["it does not come to rest by itself", "a transfer that nobody was told of"]);
});

test("a seed always gives the same steps", () => {
  assert.deepEqual(stepsOf(7), stepsOf(7));
  assert.notDeepEqual(stepsOf(7), stepsOf(8));
});

test("a finding is reduced to the steps it needs", async () => {
  const steps = Array.from({ length: 20 }, (_, number) => number);
  assert.deepEqual(await shrink(steps, async (some) => some.includes(3) && some.includes(15), 200), [3, 15]);
});
