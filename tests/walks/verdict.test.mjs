import assert from "node:assert/strict";
import { test } from "node:test";
import { shrink } from "./shrink.mjs";
import { stepsOf } from "./steps.mjs";
import { judge } from "./verdict.mjs";

const NOW = Date.parse("2026-01-31T09:15:00Z");
const isoTime = (seconds) => new Date(NOW + seconds * 1_000).toISOString();
const amount = (value) => ({ value, currency: { decimalPlaces: 2 } });
const AMOUNTS = { sendAmount: amount(20_000), totalCost: amount(20_499), receiveAmount: amount(365_306) };
const QUOTE = { ...AMOUNTS, adjustments: [{ amount: amount(499) }], expirationDate: isoTime(900) };
/** Prices with another fee, and one with more to receive. */
const withFee = (fee) => ({ ...QUOTE, totalCost: amount(20_000 + fee), adjustments: [{ amount: amount(fee) }] });
const OTHERS = [99, 200, 699].map(withFee).concat({ ...QUOTE, receiveAmount: amount(370_000) });
const PRICE = { isBusy: false, send: "$200.00", total: "$204.99", receive: "$3,653.06", fees: ["$4.99"] };
const EMPTY = { step: "review", title: "", notices: [], done: {}, facts: {}, price: PRICE, typed: {} };

function row(transferId, quoteHistoryId, seconds = 2) {
  const ids = { transferId, quoteHistoryId, confirmationNumber: "77", recipientId: "r" };
  return { ...ids, ...AMOUNTS, status: "Initiated", createdAt: isoTime(seconds) };
}

const event = (kind) => (seconds, more) => ({ kind, tab: 1, at: NOW + seconds * 1_000, ...more });
const [pressed, closed, loaded, dismissed] = ["pressed", "closed", "loaded", "dismissed"].map(event);
const posted = (seconds, quote) => event("posted")(seconds, { quote });
const answered = (status, quote = "q1") => event("answered")(2, { quote, status });
const page = (seconds, more) => event("page")(seconds, { ...EMPTY, ...more });
const done = (seconds, transferId = "t1", more = {}) =>
  page(seconds, { step: "done", title: "On its way", done: { transferId, confirmation: "77" }, ...more });
const notice = (text, quote) => ({ notices: [{ text, quote }] });
const end = (more) => event("end")(0, { page: page(9, more) });
const other = (one) => ({ ...one, tab: 2 });

const SENT = [pressed(1), posted(1, "q1"), done(3)];
const MADE = notice("Your transfer was made$200.00 to Ana", "q1");
const NOTHING = notice("There is a connection problem. Nothing was sent.");

function broken(events, rows = [row("t1", "q1")]) {
  const quotes = new Map([QUOTE, ...OTHERS].map((quote, at) => [`q${at + 1}`, quote]));
  const recipients = new Map([["r", "Ana García"]]);
  return judge({ events, rows, quotes, recipients }).map(({ rule }) => rule);
}

/** Tests stories of `[description, events, the rules they break, rows]`. */
function stories(name, cases) {
  test(name, () => {
    for (const [what, events, rules, rows] of cases) assert.deepEqual(broken(events, rows), rules, what);
  });
}

const TWO = [row("t1", "q1"), row("t2", "q2", 6)];

stories("a story without faults breaks no rule", [
  ["one transfer", SENT, []],
  ["two transfers", [...SENT, pressed(5), posted(5, "q2"), done(7, "t2")], [], TWO],
  ["an announced transfer at the end", [...SENT, end({ step: "done", done: done(9).done })], []],
]);

const HIDDEN = "a second transfer beside one without a shown outcome";
const [first, next] = [[pressed(1), posted(1, "q1")], [pressed(3), posted(3, "q2"), done(7, "t2")]];

stories("a second transfer needs a press, and the outcome of the first", [
  ["one press", [...first, posted(2, "q2"), done(3)], ["two transfers for one press", HIDDEN], TWO],
  ["no outcome was shown", [...first, ...next], [HIDDEN], TWO],
  ["both were wanted", [...first, pressed(2, { isBoth: true }), ...next], [], TWO],
  ["the outcome was shown", [...first, page(2.5, MADE), ...next], [], TWO],
]);

const UNCONFIRMED = "a second transfer without a confirmation";
const late = [row("t1", "q1"), row("t2", "q2", 8)];
const stood = other(page(0.5));
const second = [pressed(7), posted(7, "q2"), done(9, "t2")].map(other);
const cut = (isBoth) => [pressed(7, { isBoth }), loaded(7), done(9, "t2")].map(other);

stories("a second transfer beside another tab's needs a confirmation", [
  ["no confirmation", [stood, ...SENT, ...second], [UNCONFIRMED], late],
  ["in the other tab", [stood, ...SENT, pressed(6, { isBoth: true }), ...second], [UNCONFIRMED], late],
  ["both were wanted", [stood, ...SENT, other(pressed(6, { isBoth: true })), ...second], [], late],
  ["the notice was dismissed", [stood, ...SENT, other(dismissed(6)), ...second], [], late],
  ["confirmed as the page closed", [stood, ...SENT, ...cut(true)], [], late],
  ["unconfirmed as the page closed", [stood, ...SENT, ...cut(false)], [UNCONFIRMED], late],
  ["the transfer was shown", [stood, ...SENT, other(done(6)), ...second], [], late],
  ["the tab was opened since", [...SENT, other(page(5)), ...second], [], late],
  ["it started at a transfer", [other(done(0.5, "t1")), ...SENT, ...second], [], late],
]);

const HIGH = { ...PRICE, total: "$206.99", fees: ["$6.99"] };
const LOW = { ...PRICE, total: "$200.99", fees: ["$0.99"] };
const MIDDLE = { ...PRICE, total: "$202.00", fees: ["$2.00"] };
const at = (seconds, price, step = "review") => page(seconds, { step, price });
const accepts = (seconds, price = PRICE) => event("accepted")(seconds, { price });
const pays = [pressed(6), posted(6, "q1"), done(8)];
const WORSE = ["a worse price was paid without a consent"];
const HASTY = ["a price was paid by a press for another one"];
const LESS = { ...PRICE, receive: "$3,700.00" };

stories("no worse price is paid without a consent", [
  ["the price of the amount", [at(1, PRICE, "amount"), at(2, PRICE), ...pays], []],
  ["a better one", [at(1, HIGH, "amount"), at(2, HIGH), at(3, PRICE), ...pays], []],
  ["a worse one", [at(1, LOW, "amount"), at(2, LOW), at(3, PRICE), ...pays], WORSE],
  ["less received", [at(1, LESS, "amount"), at(2, LESS), at(3, PRICE), ...pays], WORSE],
  ["it was accepted", [at(1, LOW, "amount"), at(2, LOW), at(3, PRICE), accepts(4), ...pays], []],
  ["another was accepted", [at(2, LOW), at(3, LOW), accepts(3.5, LOW), at(4, PRICE), ...pays], WORSE],
  ["it had been better meanwhile", [at(1, HIGH, "amount"), at(2, LOW), at(3, PRICE), ...pays], WORSE],
  ["small steps", [at(1, LOW), at(2, MIDDLE), at(3, PRICE), ...pays], WORSE],
  ["of another page", [at(1, LOW), loaded(2), at(3, PRICE), ...pays], []],
  ["of another tab", [other(at(1, LOW)), at(3, PRICE), ...pays], []],
]);

stories("no press pays a price that has just changed", [
  ["it stood for a second", [at(1, HIGH), at(5, PRICE), ...pays], []],
  ["it did not", [at(1, HIGH), at(5.7, PRICE), ...pays], HASTY],
  ["it was never shown", [at(1, HIGH), ...pays], HASTY],
  ["its second began anew", [at(1, PRICE), accepts(1.5), at(2, HIGH), at(5.7, PRICE), ...pays], HASTY],
]);

const settled = [other(posted(4, "q1")), other(done(5))];
const UNPRESSED = ["a transfer without a press of Send"];
const UNASKED = ["a transfer that no page asked for"];

stories("a transfer needs a press and a page; a tab may settle a closed one's", [
  ["no press", [posted(1, "q1"), done(3)], UNPRESSED],
  ["no page", [], UNASKED],
  ["the tab was closed", [pressed(1), closed(1), ...settled], []],
  ["it is still open", [pressed(1), ...settled], UNPRESSED],
  ["it has posted another", [pressed(1), posted(1, "q2"), closed(1), ...settled], UNPRESSED],
  ["it was closed as it posted", [pressed(1), closed(1), other(done(5))], []],
  ["it is still open and has not posted", [pressed(1), other(done(5))], UNASKED],
  [
    "one press settled twice",
    [pressed(1), closed(1), ...settled, ...[dismissed(5), posted(6, "q2"), done(7, "t2")].map(other)],
    ["two transfers for one press"],
    TWO,
  ],
]);

const FALSE_NOTHING = ["false “nothing was sent”"];
const twice = [...first, page(3, MADE), pressed(4, { isBoth: true }), posted(4, "q2")];
const both = page(5, { notices: [...MADE.notices, ...NOTHING.notices] });

stories("a false “nothing was sent” is found, before and after the transfer", [
  ["after", [...first, page(3, NOTHING)], FALSE_NOTHING],
  ["before", [...first, page(1.5, NOTHING)], FALSE_NOTHING],
  ["of the next one", [...twice, page(5, NOTHING)], []],
  ["beside the first one", [...twice, both], FALSE_NOTHING],
  ["then resent", [...first, page(1.2, NOTHING), posted(1.8, "q1"), done(3)], []],
]);

const shows = (more) => [...SENT, page(4, more)];
const shownDone = (more, transferId) => [...SENT, done(4, transferId, more)];
const numbered = (confirmation) => ({ done: { transferId: "t1", confirmation } });
const UNNUMBERED = "a transfer without its number";
const OTHER_TOTAL = "Send names another total than the summary";

stories("statements must match what the service recorded", [
  ["not made", shows(notice("This transfer was not made$200.00", "q1")), ["false “not made”"]],
  ["made", shows(notice("Your transfer was made$200.00", "q2")), ["false “made”"]],
  ["amount", shows(notice("Tu envío se hizoUSD 150.00 a Ana", "q1")), ["a notice names another amount"]],
  ["saved", shows(notice("Your details are saved.")), ["false “saved”"]],
  ["transfer", shownDone({}, "t9"), ["a shown transfer was not recorded"]],
  ["number", shownDone(numbered("78")), ["wrong confirmation number"]],
  ["no number yet", shownDone(numbered("–")), []],
  ["no number at the end", [...SENT, end({ step: "done", ...numbered("–") })], [UNNUMBERED]],
  ["send", shownDone({ facts: { send: "$200.01" } }), ["wrong sent amount"]],
  ["total", shownDone({ facts: { total: "$200.00" } }), ["wrong total"]],
  ["receive", shownDone({ facts: { receive: "$1.00" } }), ["wrong received amount"]],
  ["recipient", shownDone({ facts: { recipient: "Ana Maria" } }), ["wrong recipient"]],
  ["status", shownDone({ title: "Your transfer has arrived" }), ["wrong status in the title"]],
  ["price", shows({ price: { ...PRICE, total: "$204.00" } }), ["a price that the service did not give"]],
  ["price under way", shows({ price: { ...PRICE, isBusy: true, total: "$204.00" } }), []],
  ["Send", shows({ send: { label: "Send $199.00", isBusy: false } }), [OTHER_TOTAL]],
]);

const LOOK = { page: page(0), card: "", frame: "none", countdown: "15:00" };
const looks = (more) => [...SENT, event("look")(0, { ...LOOK, ...more })];
const types = (send) => looks({ page: page(0, { step: "amount", typed: { send, receive: "3,653.06" } }) });

stories("the card frame, the countdown and typed amounts are checked", [
  ["nothing wrong", looks({}), []],
  ["a foreign page, with help", looks({ card: "ready", frame: "foreign", hasHelp: true }), []],
  ["a foreign page", looks({ card: "ready", frame: "foreign", hasHelp: false }), ["wrong card status"]],
  ["another status", looks({ card: "verified", frame: "failed" }), ["wrong card status"]],
  ["another countdown", looks({ countdown: "12:00" }), ["wrong countdown"]],
  ["fewer decimals", types("200"), []],
  ["another amount", types("20"), ["typed amounts differ from the price"]],
]);

const STUCK = "still waiting at the end";
const unknown = end(notice("We don’t know yet whether it was sent", "q1"));
const ended = (...answers) => [...first, ...answers, unknown];
const shortQuotes = event("step")(0, { step: { move: { path: "lifetimes", body: { quoteSeconds: 4 } } } });

stories("at the end nothing waits and every transfer is announced", [
  ["offline", [...SENT, end(notice("You are offline"))], [STUCK]],
  ["sending", [...SENT, end({ send: { label: "Sending…", isBusy: true } })], [STUCK]],
  ["no outcome", [...first, end({})], ["an unannounced transfer"]],
  ["unknown", ended(), [STUCK], []],
  ["refused on every resend", ended(answered(400)), [], []],
  ["refused, then failed", ended(answered(400), answered(503)), [STUCK], []],
  ["another was refused", ended(answered(400, "q2")), [STUCK], []],
  ["lost, and the price has expired", ended(shortQuotes), [], []],
  ["failed, and the price has expired", ended(shortQuotes, answered(503)), [STUCK], []],
  ["refused because it was made before", ended(answered(400)), [STUCK, "an unannounced transfer"]],
]);

test("a seed always gives the same steps", () => {
  assert.deepEqual(stepsOf(7), stepsOf(7));
  assert.notDeepEqual(stepsOf(7), stepsOf(8));
});

test("a finding is reduced to the steps it needs", async () => {
  const steps = Array.from({ length: 20 }, (_, number) => number);
  assert.deepEqual(await shrink(steps, async (some) => some.includes(3) && some.includes(15), 200), [3, 15]);
});
