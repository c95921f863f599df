// Compares what the pages of a walk said with what the service has recorded, and with what they sent. Pure.

import { says } from "./words.mjs";

/** A page learns what it shows a moment after it has happened, and removes it a moment after it has ended. */
const SLACK_MS = 400;
/** How long after the press a page may post that goes away before it can say so. */
const UNSAID_MS = 5_000;
const STATUS_TITLES = { "done.title.complete": ["COMPLETE"], "done.title.bad": ["FAILED", "CANCELED"] };

/**
 * Returns the false claims, as `{ rule, what, at }`.
 * @param events in the order in which they came: `said`, `posted`, `answered`, `pressed`, `dismissed`,
 * `saved`, `loaded`, `closed`, `seen` (what a frame or the clock shows), `rest`
 * @param rows `{ transferId, confirmationNumber, quoteHistoryId, sendAmount, receiveAmount, totalCost,
 * status, createdAt, recipientId }`
 * @param quotes a Map of every price that the service gave
 * @param recipients a Map from ids to names
 */
export function judge({ events, rows, quotes, recipients }) {
  const found = [];
  const report = (rule, what, event) => found.push({ rule, what, at: event?.at, tab: event?.tab });
  const rowOf = new Map(rows.map((row) => [row.quoteHistoryId, row]));
  const prices = [...quotes.values()].map(priceOf);
  const history = { events, rows, rowOf, quotes, prices, recipients, report };
  eachIntentOnce(history);
  events.forEach((event, index) => {
    if (event.kind === "said") judgePage(history, event, index);
    if (event.kind === "seen") judgeSeen(history, event);
    if (event.kind === "rest") judgeRest(history, event);
  });
  return distinct(found);
}

/**
 * Finds two transfers for one press of Send, and a transfer beside one whose outcome the
 * customer was not told, unless they wanted both.
 */
function eachIntentOnce({ events, rows, report }) {
  const made = rows.map((row) => ({ row, index: sendingOf(events, row) }));
  for (const { row, index } of made) if (index < 0) report("a transfer that no page asked for", row.transferId, { at: Date.parse(row.createdAt) });
  const pressOf = (index) => pressBehind(events, index);
  const sent = made.filter(({ index }) => index >= 0).sort((a, b) => a.index - b.index);
  sent.forEach(({ row, index }, number) => {
    const press = pressOf(index);
    if (press < 0) report("a transfer without a press of Send", row.transferId, events[index]);
    for (const before of sent.slice(0, number)) {
      if (press >= 0 && pressOf(before.index) === press) report("two transfers for one press", `${before.row.transferId} ${row.transferId}`, events[index]);
      const isKnown = events.slice(before.index, index).some((event) => tellsOf(event, before.row) || (event.kind === "pressed" && event.isBoth));
      if (!isKnown) report("a second transfer beside one that nobody was told of", `${before.row.transferId} ${row.transferId}`, events[index]);
      else if (!isAsked(events, before.index, index)) report("a second transfer, and nobody was asked", `${before.row.transferId} ${row.transferId}`, events[index]);
    }
  });
}

/** Where a transfer was sent. A page that goes away at that moment says so no more: then it is the press. */
function sendingOf(events, { quoteHistoryId, createdAt }) {
  const posted = events.findIndex((event) => event.kind === "posted" && event.quote === quoteHistoryId);
  return posted >= 0 ? posted : abandonedPress(events, ({ at }) => Math.abs(Date.parse(createdAt) - at) < UNSAID_MS);
}

/**
 * Returns the press of Send behind the POST at `index`: the last one in its tab, unless it settles the press
 * of another tab that was closed or reloaded before it could post.
 */
function pressBehind(events, index) {
  const { kind, tab, quote } = events[index];
  if (kind === "pressed") return index;
  const own = events.findLastIndex((event, at) => at < index && event.kind === "pressed" && event.tab === tab);
  const hasServedAnother = own >= 0 && events.slice(own, index).some((event) => event.kind === "posted" && event.tab === tab && event.quote !== quote);
  if (own >= 0 && !hasServedAnother) return own;
  const abandoned = abandonedPress(events.slice(0, index), (press) => press.tab !== tab);
  return abandoned >= 0 ? abandoned : own;
}

/** The press of a tab that was closed or reloaded, soonest of all, before it said what it posted. */
function abandonedPress(events, isWanted) {
  const cutShort = events.flatMap((press, at) => {
    if (press.kind !== "pressed" || !isWanted(press)) return [];
    const next = events.slice(at + 1).find(({ kind, tab }) => tab === press.tab && ["pressed", "posted", "closed", "loaded"].includes(kind));
    return ["closed", "loaded"].includes(next?.kind) ? [{ at, ms: next.at - press.at }] : [];
  });
  return cutShort.sort((a, b) => a.ms - b.ms)[0]?.at ?? -1;
}

/**
 * Whether a tab sent at `index` knowing of what was sent at `before`, by itself or by another: it was opened
 * since, wanted both, dismissed the notice, or began another checkout at the page of a transfer.
 */
function isAsked(events, before, index) {
  const isOwn = ({ tab }) => tab === events[index].tab;
  // With the press itself, where the page went away before it said what it posted.
  const since = events.slice(before + 1, index + 1).filter(isOwn);
  const stood = events.slice(0, before).findLast((event) => isOwn(event) && event.kind === "said" && event.step);
  if (!stood || stood.done.transferId) return true;
  return since.some((event) => (event.kind === "pressed" && event.isBoth) || event.kind === "dismissed" || (event.kind === "said" && event.done.transferId));
}

/** Whether a page said, by an event, that a transfer was made. */
export function tellsOf(event, row) {
  if (event.kind !== "said") return false;
  return event.done.transferId === row.transferId || event.notices.some(({ quote, text }) => quote === row.quoteHistoryId && says(text, "earlier.made.title"));
}

function judgePage(history, page, index) {
  const { rows, report } = history;
  for (const { text, quote } of page.notices) judgeNotice(history, page, index, text, quote);
  if (page.step === "done" && page.done.transferId) judgeDone(history, page);
  judgePrice(history, page);
  if (page.send && !page.send.isBusy && digits(page.send.label) !== digits(page.price.total)) {
    report("Send names another total than the summary", `${page.send.label} / ${page.price.total}`, page);
  }
  for (const [key, expected] of Object.entries(STATUS_TITLES)) {
    const row = rows.find(({ transferId }) => transferId === page.done.transferId);
    if (page.step === "done" && row && says(page.title, key) && !expected.includes(statusKey(row.status))) report("the title tells another end", page.title, page);
  }
}

function judgeNotice({ events, rowOf, report }, page, index, text, quote) {
  const row = quote && rowOf.get(quote);
  if (says(text, "review.nothing") || says(text, "review.notyet")) {
    for (const posted of postedBefore(events, page, index)) {
      const made = rowOf.get(posted);
      if (!made) continue;
      const isEarlier = Date.parse(made.createdAt) < page.at - SLACK_MS;
      const isSentAgain = events.slice(index).some((event) => event.kind === "posted" && event.quote === posted);
      if (isEarlier || !isSentAgain) report("nothing was sent, it said", `${text} / ${made.transferId}`, page);
    }
  }
  if (says(text, "earlier.refused.title") && row) report("not made, it said", `${text} / ${row.transferId}`, page);
  if (says(text, "earlier.made.title") && !row) report("made, it said", text, page);
  if (quote && row && money(text, row.sendAmount) === false) report("a notice names another amount", `${text} / ${row.sendAmount.value}`, page);
  if (says(text, "profile.saved") && !events.slice(0, index).some((event) => event.kind === "saved" && event.tab === page.tab)) report("saved, it said", text, page);
}

/**
 * The quotes that a tab has sent since it was loaded or has shown a transfer, but for those of which it has
 * told before and tells no more.
 */
function postedBefore(events, { tab, notices }, index) {
  const since = events.findLastIndex(
    (event, at) => at < index && event.tab === tab && (event.kind === "loaded" || (event.kind === "said" && event.done.transferId)),
  );
  const own = events.slice(since + 1, index).filter((event) => event.tab === tab);
  const isTold = (quote) => own.some((event) => event.kind === "said" && event.notices.some((one) => one.quote === quote && says(one.text, "earlier.made.title")));
  const isShown = (quote) => notices.some((one) => one.quote === quote);
  return own.filter(({ kind, quote }) => kind === "posted" && !(isTold(quote) && !isShown(quote))).map(({ quote }) => quote);
}

function judgeDone({ rows, recipients, report }, page) {
  const { transferId, confirmation } = page.done;
  const row = rows.find((one) => one.transferId === transferId);
  if (!row) return report("shown, and not in the database", transferId, page);
  // Without a connection a page may know that it was made and not yet its number, which it must have at rest.
  if (confirmation !== ABSENT && String(row.confirmationNumber) !== confirmation) report("another confirmation number", confirmation, page);
  const { send, total, receive, recipient } = page.facts;
  const differs = (shown, amount) => shown && amount && digits(shown) !== units(amount);
  if (differs(send, row.sendAmount)) report("another amount was sent", `${send} / ${units(row.sendAmount)}`, page);
  if (differs(total, row.totalCost)) report("another total was paid", `${total} / ${units(row.totalCost)}`, page);
  if (differs(receive, row.receiveAmount)) report("another amount is received", `${receive} / ${units(row.receiveAmount)}`, page);
  const name = recipients.get(row.recipientId);
  if (recipient && name && recipient !== name) report("another recipient", `${recipient} / ${name}`, page);
}

/** What a page at rest shows as a price is one that the service gave, whole. */
function judgePrice({ prices, report }, page) {
  const { isBusy, send, total, receive, fees } = page.price;
  if (isBusy || !/\d/.test(total)) return;
  const shown = [send, total, receive, ...fees].map((text) => digits(text)).join(" ");
  const price = prices.find(({ key }) => key === shown);
  if (!price) return report("a price that the service did not give", shown, page);
  const { typed } = page;
  // What is being typed is a question to which the price is not yet the answer.
  if (page.step !== "amount" || !typed.send || !typed.receive) return undefined;
  // What is typed may have fewer decimals.
  const isSame = (own, given, places) => Array.from({ length: places + 1 }, (_, zeros) => digits(own) + "0".repeat(zeros)).includes(digits(given));
  const isOwn = isSame(typed.send, send, price.places[0]) && isSame(typed.receive, receive, price.places[1]);
  if (!isOwn && page.isAtRest) report("other amounts than the price's", `${typed.send} ${typed.receive} / ${shown}`, page);
  return undefined;
}

/** What is said of the card form is what its frame shows; a price is held as long as the service said. */
function judgeSeen({ prices, report }, seen) {
  const { page, held } = seen;
  if (!fitsFrame(seen)) report("the card form is not as it is said to be", `${seen.card} / ${seen.frame}`, seen);
  if (page) judgePrice({ prices, report }, { ...page, isAtRest: true, at: seen.at, tab: seen.tab });
  const [, minutes, seconds] = /^(\d+):(\d\d)$/.exec(held ?? "") ?? [];
  if (page && minutes !== undefined && !page.price.isBusy) {
    const { send, total, receive, fees } = page.price;
    const key = [send, total, receive, ...fees].map((text) => digits(text)).join(" ");
    const ends = prices.filter((price) => price.key === key).map((price) => price.endsAt);
    const left = Number(minutes) * 60 + Number(seconds);
    if (ends.length > 0 && !ends.some((endsAt) => Math.abs((endsAt - seen.at) / 1_000 - left) <= HELD_SLACK_S)) report("a price is held for another time", held, seen);
  }
}

/** What the card's frame may show under each line of the shop's. */
const FRAMES = {
  checking: ["verifying", "success", "failed", "expired", "unsettled"],
  verified: ["success", "used", "none", "gone"],
  refused: ["failed", "ready", "verifying"],
  expired: ["expired", "unknown", "stranger"],
};

/**
 * Whether the shop's status line fits what the frame shows. No page can see a stranger's page in the
 * frame: the shop must then offer another way.
 */
export function fitsFrame({ card, frame, hasHelp }) {
  if (card === "ready") return ["ready", "failed", "verifying", "loading", "boot"].includes(frame) || hasHelp;
  return FRAMES[card]?.includes(frame) ?? true;
}

/** What a page shows in the place of a number that it does not know. */
const ABSENT = "\u2013";

/** A busy machine counts down in leaps. */
const HELD_SLACK_S = 6;

/** With the service and the connection back, everything is told and nothing waits. */
function judgeRest({ rows, events, report }, { page, tab, at }) {
  const event = { tab, at };
  if (isUnderWay(page) && !isHeldOpen(events, rows, page, tab)) report("it does not come to rest by itself", `${page.step}: ${page.send?.label ?? ""} ${page.notices.map(({ text }) => text).join(" ")}`, event);
  if (lacksNumber(page)) report("a transfer without its number", page.done.transferId, event);
  for (const row of rows) if (!events.some((one) => tellsOf(one, row))) report("a transfer that nobody was told of", row.transferId, event);
}

const WAITING = ["unsettled.title", "earlier.asking.title", "error.title.offline", "action.pricing"];
const SENDING = ["review.sending", "review.unknown"];

/** Whether a page shows a transfer whose number it does not know yet. */
export const lacksNumber = ({ done }) => Boolean(done.transferId) && done.confirmation === ABSENT;

/** Whether a page says that it waits for an answer. */
export function isUnderWay({ notices, send, price }) {
  return price.isBusy || notices.some(({ text }) => isOneOf(text, WAITING)) || isOneOf(send?.label ?? "", [...SENDING, "review.pricing"]);
}

/**
 * Whether every transfer a page waits for is not made and either refused on every resend, or lost with a
 * price that ended soon, after which nothing is sent again. What was sent before may still be on its way and
 * be accepted, so nobody can say "not sent" until the price has expired and ten minutes have passed, which a
 * walk does not wait for.
 */
export function isHeldOpen(events, rows, page, tab) {
  if (page.price.isBusy || isOneOf(page.send?.label ?? "", ["review.pricing"])) return false;
  const own = events.findLast((event) => event.kind === "posted" && event.tab === tab)?.quote;
  const waiting = page.notices.filter(({ text }) => isOneOf(text, WAITING));
  const quotes = [...waiting.map(({ quote, text }) => (isOneOf(text, OPEN) ? (quote ?? own) : undefined)), ...(isSending(page.send) ? [own] : [])];
  const isMade = (quote) => rows.some(({ quoteHistoryId }) => quoteHistoryId === quote);
  const isShort = events.some(({ kind, step }) => kind === "step" && step.move?.path === "lifetimes");
  const mayBeOpen = (status) => isRefused(status) || (isShort && status === undefined);
  return quotes.every((quote) => !isMade(quote) && mayBeOpen(events.findLast((event) => event.kind === "answered" && event.quote === quote)?.status));
}

const OPEN = ["unsettled.title", "earlier.asking.title"];
const isRefused = (status) => status >= 400 && status < 500;

/** Whether Send says that what was sent has no outcome yet. */
export function isSending(send) {
  return isOneOf(send?.label ?? "", SENDING);
}

const isOneOf = (text, keys) => keys.some((key) => says(text, key));

function priceOf({ sendAmount, totalCost, receiveAmount, adjustments, expirationDate }) {
  const fees = adjustments?.length ? adjustments.map(({ amount }) => amount) : [{ value: 0 }];
  const places = [sendAmount, receiveAmount].map((amount) => amount?.currency.decimalPlaces ?? 0);
  return { places, key: [sendAmount, totalCost, receiveAmount, ...fees].map((amount) => (amount ? String(amount.value) : "")).join(" "), endsAt: Date.parse(expirationDate) };
}

const units = (amount) => String(amount.value);
const statusKey = (status) => String(status).toUpperCase().replaceAll(" ", "_");

/** Returns an amount's digits. Every currency shows all its decimals, so these are its minor units. */
function digits(text) {
  const own = text ?? "";
  return (/[-\u2212]/.test(own) ? "-" : "") + own.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
}

/** Whether a text names an amount. */
function money(text, amount) {
  return text.replaceAll(/[^\d\s]/g, "").split(/\s+/).some((word) => digits(word) === units(amount));
}

function distinct(found) {
  return [...new Map(found.map((one) => [`${one.rule} ${one.what}`, one])).values()];
}
