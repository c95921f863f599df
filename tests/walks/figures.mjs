// How far walks get and what they meet: the absence of findings means little where few walks send.

import { says } from "../e2e/support/texts.mjs";

const PRICE_MOVED = ["review.price.lower", "review.price.more", "review.price.worse"];
const OUTCOMES = ["earlier.made.title", "earlier.refused.title"];

/** Returns the figures of one walk from its events (see `judge`). */
export function figuresOf(events) {
  const pages = events.filter(({ kind }) => kind === "page");
  const presses = events.filter(({ kind }) => kind === "pressed");
  const sends = presses.filter(isSend);
  const actions = events.filter(({ kind }) => kind === "action");
  const count = (isSending, ...wanted) =>
    actions.filter((action) => action.isSending === isSending && wanted.includes(action.what)).length;
  const reached = (isWanted) => Number(pages.some(isWanted));
  const hasNotice = ({ notices }, keys) => notices.some(({ text }) => keys.some((key) => says(text, key)));
  return {
    reviews: reached(({ send }) => send?.isBusy === false),
    sending: Number(presses.length > 0),
    sends: sends.length,
    sendsInTrouble: events.filter((event, at) => isSend(event) && isInTrouble(events.slice(0, at))).length,
    reloadsInMidSend: count(true, "reload"),
    tabsInMidSend: count(true, "tab", "close"),
    movesInMidSend: count(true, "back", "forth", "language"),
    offlineInMidSend: count(true, "offline", "blink"),
    doubleClicks: count(false, "twice"),
    races: count(false, "race"),
    pricesMoved: reached((page) => hasNotice(page, PRICE_MOVED)),
    waits: reached(({ send }) => says(send?.label ?? "", "review.waits")),
    confirmed: presses.length - sends.length,
    told: reached((page) => page.done.transferId || hasNotice(page, OUTCOMES)),
  };
}

const isSend = ({ kind, isBoth }) => kind === "pressed" && !isBoth;

/** Whether the page is offline, or something has gone wrong or moved since the last press. */
function isInTrouble(before) {
  const network = ["offline", "online", "reload"];
  const last = before.findLast(({ kind, what }) => kind === "action" && network.includes(what));
  const sincePress = before.slice(before.findLastIndex(isSend) + 1);
  return last?.what === "offline" || sincePress.some(({ kind }) => kind === "trouble");
}

export function sumOf(all) {
  const sum = figuresOf([]);
  for (const one of all) for (const name of Object.keys(sum)) sum[name] += one[name];
  return sum;
}

export function describe(sum) {
  return [
    `${sum.reviews} reached the review`,
    `${sum.sending} sent`,
    `${sum.told} showed an outcome`,
    `${sum.sends} sends`,
    `${sum.sendsInTrouble} of them in trouble`,
    `mid-send ${sum.reloadsInMidSend} reloads, ${sum.tabsInMidSend} tab changes`,
    `${sum.movesInMidSend} page changes, ${sum.offlineInMidSend} lost connections`,
    `${sum.doubleClicks} double clicks`,
    `${sum.races} races of tabs`,
    `${sum.pricesMoved} with a moved price`,
    `${sum.waits} where Send waits`,
    `${sum.confirmed} confirmed`,
  ].join("; ");
}
