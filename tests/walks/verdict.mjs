// Compares what the pages of a walk showed with what they sent and what the service recorded. Pure.

import { says } from "../e2e/support/texts.mjs";

/** How late a page may show a change. */
const SLACK_MS = 400;
/** How long after a press a page that is being closed may still post without reporting it. */
const UNREPORTED_MS = 5_000;
/** How long the shop ignores presses after a change of the price. */
const SETTLE_MS = 1_000;
/** A busy machine counts down unevenly. */
const COUNTDOWN_SLACK_S = 6;
/** What a page shows in place of a number that it does not know. */
const UNKNOWN = "\u2013";
const STATUS_TITLES = {
  "done.title.complete": ["COMPLETE"],
  "done.title.bad": ["FAILED", "CANCELED"],
};

/**
 * Returns the broken rules as `{ rule, what, at, tab }`.
 * @param events in order of arrival: `page` (what a page shows, whenever it changes), `pressed`, `posted`,
 * `answered`, `dismissed`, `accepted` (a worse price), `saved`, `loaded`, `closed`, `look` (a page with its
 * card frame and its countdown, after a step), `end` (a page after the walk)
 * @param rows the transfers that the service recorded
 * @param quotes a Map of every price that the service gave
 * @param recipients a Map from ids to names
 */
export function judge({ events, rows, quotes, recipients }) {
  const found = new Map();
  const report = (rule, what, event) => {
    found.set(`${rule} ${what}`, { rule, what, at: event.at, tab: event.tab });
  };
  const rowOf = new Map(rows.map((row) => [row.quoteHistoryId, row]));
  const prices = [...quotes.values()].map(priceOf);
  const history = { events, rows, rowOf, prices, recipients, report };
  judgeSends(history);
  judgePaid(history);
  events.forEach((event, index) => {
    if (event.kind === "page") judgePage(history, event, index);
    if (event.kind === "look") judgeLook(history, event);
    if (event.kind === "end") judgeEnd(history, event);
  });
  return [...found.values()];
}

/**
 * Each press of Send makes one transfer at most. Before a second transfer, the outcome of the first was shown
 * or the customer asked for both.
 */
function judgeSends({ events, rows, report }) {
  const sent = [];
  for (const row of rows) {
    const index = sendOf(events, row);
    if (index >= 0) sent.push({ row, index, press: pressBehind(events, index) });
    else report("a transfer that no page asked for", row.transferId, { at: Date.parse(row.createdAt) });
  }
  sent.sort((a, b) => a.index - b.index);
  sent.forEach(({ row, index, press }, number) => {
    const event = events[index];
    if (press < 0) report("a transfer without a press of Send", row.transferId, event);
    for (const before of sent.slice(0, number)) {
      const pair = `${before.row.transferId} ${row.transferId}`;
      if (press >= 0 && before.press === press) report("two transfers for one press", pair, event);
      const between = events.slice(before.index, index);
      if (!between.some((one) => announces(one, before.row) || (one.kind === "pressed" && one.isBoth))) {
        report("a second transfer beside one without a shown outcome", pair, event);
      } else if (!isConfirmed(events, before.index, index)) {
        report("a second transfer without a confirmation", pair, event);
      }
    }
  });
}

/**
 * Nobody paid a price that is worse than the last one that they agreed to: that of the amount, a better one
 * since, or one that they accepted. Nor did a press pay that was meant for another price.
 */
function judgePaid({ events, rows, report }) {
  for (const row of rows) {
    const index = sendOf(events, row);
    const press = index < 0 ? -1 : pressBehind(events, index);
    if (press < 0) continue;
    const { at, tab } = events[press];
    const own = events.slice(0, press).filter((event) => event.tab === tab);
    const paid = { total: BigInt(units(row.totalCost)), receive: BigInt(units(row.receiveAmount)) };
    const agreed = agreedPrice(own);
    const figures = `${describe(paid)}, ${row.transferId}`;
    if (agreed && isWorse(agreed, paid)) {
      report("a worse price was paid without a consent", `${describe(agreed)} / ${figures}`, events[press]);
    }
    const shown = own.filter((event) => event.kind === "page" && event.step === "review");
    const changed = shown.findLastIndex((page) => !isSame(namedPrice(page.price), paid));
    if (changed >= 0 && !(at - shown[changed + 1]?.at >= SETTLE_MS - SLACK_MS)) {
      report("a price was paid by a press for another one", figures, events[press]);
    }
  }
}

/** Returns the price that the events of a tab's checkout leave the customer with. */
function agreedPrice(events) {
  let agreed;
  for (const { kind, step, price, done } of events) {
    // What they saw of an earlier page or transfer is no price of this checkout.
    if (kind === "loaded" || done?.transferId || step === "transfers") agreed = undefined;
    // There they choose what it is the price of.
    if (kind === "page" && step === "amount") agreed = undefined;
    if (kind === "accepted") agreed = namedPrice(price);
    if (kind !== "page" || price.isBusy || done.transferId || step === "transfers") continue;
    const shown = namedPrice(price);
    if (shown && (!agreed || !isWorse(agreed, shown))) agreed = shown;
  }
  return agreed;
}

/** Returns what is paid and received; undefined while that is not known. */
function namedPrice({ total, receive }) {
  if (![total, receive].every((text) => /\d/.test(text))) return undefined;
  return { total: BigInt(digits(total)), receive: BigInt(digits(receive)) };
}

const isWorse = (before, now) => now.total > before.total || now.receive < before.receive;
const isSame = (one, other) => one?.total === other.total && one.receive === other.receive;
const describe = ({ total, receive }) => `${total} for ${receive}`;

/** Returns the index of a transfer's POST, or of its press if the page closed before it reported the POST. */
function sendOf(events, { quoteHistoryId, createdAt }) {
  const posted = events.findIndex(({ kind, quote }) => kind === "posted" && quote === quoteHistoryId);
  if (posted >= 0) return posted;
  return abandonedPress(events, ({ at }) => Math.abs(Date.parse(createdAt) - at) < UNREPORTED_MS);
}

/**
 * Returns the press of Send behind the POST at `index`: the last one in its tab, unless that press was for
 * another quote. Then the tab settles the press of a tab that was closed or reloaded before it could post.
 */
function pressBehind(events, index) {
  const { kind, tab, quote } = events[index];
  if (kind === "pressed") return index;
  const isOwn = (event) => event.tab === tab;
  const own = events.findLastIndex((event, at) => at < index && event.kind === "pressed" && isOwn(event));
  const since = own < 0 ? [] : events.slice(own, index).filter(isOwn);
  const isSpent = since.some((event) => event.kind === "posted" && event.quote !== quote);
  if (own >= 0 && !isSpent) return own;
  const abandoned = abandonedPress(events.slice(0, index), (press) => !isOwn(press));
  return abandoned >= 0 ? abandoned : own;
}

/** Returns the press that was followed soonest by a close or reload of its tab, before it reported a POST. */
function abandonedPress(events, isWanted) {
  const presses = events.flatMap((press, at) => {
    if (press.kind !== "pressed" || !isWanted(press)) return [];
    const ends = ["pressed", "posted", "closed", "loaded"];
    const next = events.slice(at + 1).find(({ kind, tab }) => tab === press.tab && ends.includes(kind));
    return ["closed", "loaded"].includes(next?.kind) ? [{ at, ms: next.at - press.at }] : [];
  });
  return presses.sort((a, b) => a.ms - b.ms)[0]?.at ?? -1;
}

/**
 * Whether the customer knew of the transfer sent at `before` when the tab sent at `index`: the tab was opened
 * since, the customer asked for both or dismissed the notice, or the tab began at the page of a transfer.
 */
function isConfirmed(events, before, index) {
  const isOwn = ({ tab }) => tab === events[index].tab;
  const isPage = (event) => event.kind === "page" && isOwn(event);
  const stood = events.slice(0, before).findLast((event) => isPage(event) && event.step);
  if (!stood || stood.done.transferId) return true;
  // Includes the press itself, where the page closed before it reported its POST.
  return events.slice(before + 1, index + 1).some((event) => {
    if (isPage(event)) return event.done.transferId;
    return isOwn(event) && ((event.kind === "pressed" && event.isBoth) || event.kind === "dismissed");
  });
}

/** Whether an event is a page that shows that a transfer was made. */
export function announces(event, row) {
  if (event.kind !== "page") return false;
  const { done, notices } = event;
  return done.transferId === row.transferId || hasMadeNotice(notices, row.quoteHistoryId);
}

function hasMadeNotice(notices, wanted) {
  return notices.some(({ quote, text }) => quote === wanted && says(text, "earlier.made.title"));
}

function judgePage(history, page, index) {
  const { report } = history;
  for (const notice of page.notices) judgeNotice(history, page, index, notice);
  if (page.step === "done" && page.done.transferId) judgeDone(history, page);
  judgePrice(history, page);
  if (page.send && !page.send.isBusy && digits(page.send.label) !== digits(page.price.total)) {
    report("Send names another total than the summary", `${page.send.label} / ${page.price.total}`, page);
  }
}

function judgeNotice({ events, rowOf, report }, page, index, { text, quote }) {
  const row = rowOf.get(quote);
  const { transferId } = row ?? {};
  if (says(text, "review.nothing") || says(text, "review.notyet")) {
    for (const posted of quotesSentBefore(events, page, index)) {
      const made = rowOf.get(posted);
      if (!made) continue;
      const isEarlier = Date.parse(made.createdAt) < page.at - SLACK_MS;
      const isResent = events.slice(index).some((event) => event.kind === "posted" && event.quote === posted);
      if (isEarlier || !isResent) report("false “nothing was sent”", `${text} / ${made.transferId}`, page);
    }
  }
  if (says(text, "earlier.refused.title") && row) report("false “not made”", `${text} / ${transferId}`, page);
  if (says(text, "earlier.made.title") && !row) report("false “made”", text, page);
  if (row && !namesAmount(text, row.sendAmount)) {
    report("a notice names another amount", `${text} / ${row.sendAmount.value}`, page);
  }
  const isSaved = events.slice(0, index).some(({ kind, tab }) => kind === "saved" && tab === page.tab);
  if (says(text, "profile.saved") && !isSaved) report("false “saved”", text, page);
}

/**
 * Returns the quotes that a tab has sent since it was loaded or showed a transfer, without those whose
 * outcome it announced earlier and no longer shows.
 */
function quotesSentBefore(events, { tab, notices }, index) {
  const own = events.slice(0, index).filter((event) => event.tab === tab);
  const start = own.findLastIndex(({ kind, done }) => kind === "loaded" || done?.transferId);
  const since = own.slice(start + 1);
  const isClosed = (quote) =>
    since.some((event) => event.notices && hasMadeNotice(event.notices, quote)) &&
    !notices.some((one) => one.quote === quote);
  return since.filter(({ kind, quote }) => kind === "posted" && !isClosed(quote)).map(({ quote }) => quote);
}

function judgeDone({ rows, recipients, report }, page) {
  const { transferId, confirmation } = page.done;
  const row = rows.find((one) => one.transferId === transferId);
  if (!row) return report("a shown transfer was not recorded", transferId, page);
  const expect = (name, shown, expected, parse = String) => {
    const isWrong = shown && expected && parse(shown) !== expected;
    if (isWrong) report(`wrong ${name}`, `${shown} / ${expected}`, page);
  };
  // Offline, a page may not know the number yet. `judgeEnd` checks that it shows one in the end.
  if (confirmation !== UNKNOWN) expect("confirmation number", confirmation, String(row.confirmationNumber));
  const { send, total, receive, recipient } = page.facts;
  expect("sent amount", send, units(row.sendAmount), digits);
  expect("total", total, units(row.totalCost), digits);
  expect("received amount", receive, units(row.receiveAmount), digits);
  expect("recipient", recipient, recipients.get(row.recipientId));
  const status = String(row.status).toUpperCase().replaceAll(" ", "_");
  for (const [key, statuses] of Object.entries(STATUS_TITLES)) {
    if (!says(page.title, key) || statuses.includes(status)) continue;
    report("wrong status in the title", page.title, page);
  }
}

/** Checks that the service gave the shown price, and returns it. */
function judgePrice({ prices, report }, page) {
  if (page.price.isBusy || !/\d/.test(page.price.total)) return undefined;
  const shown = shownPrice(page);
  const price = prices.find(({ key }) => key === shown);
  if (!price) report("a price that the service did not give", shown, page);
  return price;
}

function shownPrice({ price: { send, total, receive, fees } }) {
  return [send, total, receive, ...fees].map(digits).join(" ");
}

/** Checks the card's status, the countdown, and the typed amounts against their price. */
function judgeLook(history, look) {
  const { prices, report } = history;
  const { at, tab, page, countdown } = look;
  if (!fitsFrame(look)) report("wrong card status", `${look.card} / ${look.frame}`, look);
  const price = judgePrice(history, { ...page, at, tab });
  const { typed } = page;
  if (price && page.step === "amount" && typed.send && typed.receive) {
    // A typed amount may have fewer decimals.
    const differs = (side) => {
      const zeros = digits(page.price[side]).replace(digits(typed[side]), "");
      return !/^0*$/.test(zeros) || zeros.length > price.places[side];
    };
    if (differs("send") || differs("receive")) {
      report("typed amounts differ from the price", `${typed.send} ${typed.receive} / ${price.key}`, look);
    }
  }
  const [, minutes, seconds] = /^(\d+):(\d\d)$/.exec(countdown ?? "") ?? [];
  if (!price || minutes === undefined) return;
  const left = Number(minutes) * 60 + Number(seconds);
  // A price that ends while it is sent, or out of sight, is not renewed.
  const isRight = ({ key, endsAt }) =>
    key === price.key && Math.abs(Math.max(0, endsAt - at) / 1_000 - left) <= COUNTDOWN_SLACK_S;
  if (!prices.some(isRight)) report("wrong countdown", countdown, look);
}

/** What the card frame may show under each status of the shop. */
const FRAMES = {
  ready: ["ready", "failed", "verifying", "loading", "boot"],
  checking: ["verifying", "success", "failed", "expired", "unsettled"],
  verified: ["success", "used", "none", "gone"],
  refused: ["failed", "ready", "verifying"],
  expired: ["expired", "unknown", "foreign"],
};

/**
 * Whether the shop's card status fits the frame. The shop cannot see that a foreign page is in the frame, so
 * then it must offer another way to enter a card.
 */
export function fitsFrame({ card, frame, hasHelp }) {
  return (FRAMES[card]?.includes(frame) ?? true) || (card === "ready" && hasHelp);
}

/** With the service and the connection back, every transfer is announced and no page waits. */
function judgeEnd({ rows, events, report }, { page, tab, at }) {
  const event = { tab, at };
  if (isWaiting(page) && !mayKeepWaiting(events, rows, page, tab)) {
    const notices = page.notices.map(({ text }) => text).join(" ");
    report("still waiting at the end", `${page.step}: ${page.send?.label ?? ""} ${notices}`, event);
  }
  if (lacksNumber(page)) report("a transfer without its number", page.done.transferId, event);
  for (const row of rows) {
    if (!events.some((one) => announces(one, row))) report("an unannounced transfer", row.transferId, event);
  }
}

const OPEN = ["unsettled.title", "earlier.asking.title"];
const WAITING = [...OPEN, "error.title.offline", "action.pricing"];
const SENDING = ["review.sending", "review.unknown"];

/** Whether a page shows a transfer whose number it does not know yet. */
export const lacksNumber = ({ done }) => Boolean(done.transferId) && done.confirmation === UNKNOWN;

/** Whether a page says that it waits for an answer. */
export function isWaiting({ notices, send, price }) {
  const isBusy = saysOneOf(send?.label ?? "", [...SENDING, "review.pricing"]);
  return price.isBusy || isBusy || notices.some(({ text }) => saysOneOf(text, WAITING));
}

/** Whether Send says that a transfer has no outcome yet. */
export const isSending = (send) => saysOneOf(send?.label ?? "", SENDING);

/**
 * Whether a page may wait beyond the walk: each of its transfers was not made, and was either refused on
 * every resend or lost with a price that expired early, after which nothing is resent. An earlier POST may
 * still arrive until the price has expired and ten minutes have passed, which a walk does not wait for.
 */
export function mayKeepWaiting(events, rows, page, tab) {
  if (page.price.isBusy || says(page.send?.label ?? "", "review.pricing")) return false;
  const own = events.findLast((event) => event.kind === "posted" && event.tab === tab)?.quote;
  const waiting = page.notices.filter(({ text }) => saysOneOf(text, WAITING));
  const quotes = waiting.map(({ quote, text }) => (saysOneOf(text, OPEN) ? (quote ?? own) : undefined));
  if (isSending(page.send)) quotes.push(own);
  const isShort = ({ rise, move }) => Boolean(rise) || move?.path === "lifetimes";
  const hasShortQuotes = events.some(({ kind, step }) => kind === "step" && isShort(step));
  return quotes.every((wanted) => {
    if (rows.some(({ quoteHistoryId }) => quoteHistoryId === wanted)) return false;
    const last = events.findLast(({ kind, quote }) => kind === "answered" && quote === wanted);
    return last ? last.status >= 400 && last.status < 500 : hasShortQuotes;
  });
}

const saysOneOf = (text, keys) => keys.some((key) => says(text, key));

function priceOf({ sendAmount, totalCost, receiveAmount, adjustments, expirationDate }) {
  const fees = adjustments?.length ? adjustments.map(({ amount }) => amount) : [{ value: 0 }];
  const key = [sendAmount, totalCost, receiveAmount, ...fees].map(units).join(" ");
  const places = { send: sendAmount.currency.decimalPlaces, receive: receiveAmount.currency.decimalPlaces };
  return { key, places, endsAt: Date.parse(expirationDate) };
}

const units = (amount) => String(amount?.value ?? "");

/** Returns the digits of an amount. Every currency shows all its decimals, so these are its minor units. */
function digits(text = "") {
  return (/[-\u2212]/.test(text) ? "-" : "") + text.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
}

function namesAmount(text, amount) {
  return text.replaceAll(/[^\d\s]/g, "").split(/\s+/).some((word) => digits(word) === units(amount));
}
