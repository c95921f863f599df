// How far walks get, and what they meet there: without that, no finding says little.

import { says } from "./words.mjs";

/** What a walk did and saw, in figures. `events` as `judge` takes them. */
export function figuresOf(events) {
  const pages = events.filter(({ kind }) => kind === "said");
  const presses = events.filter(({ kind }) => kind === "pressed");
  const sends = presses.filter(isSend);
  const met = (what, isSending) => events.filter((event) => event.kind === "met" && event.what === what && event.isSending === isSending).length;
  return {
    reviews: Number(pages.some(({ send }) => send && !send.isBusy)),
    sending: Number(presses.length > 0),
    sends: sends.length,
    sendsInTrouble: events.filter((event, at) => isSend(event) && isInTrouble(events.slice(0, at))).length,
    reloadsInMidSend: met("reload", true),
    tabsInMidSend: met("tab", true) + met("close", true),
    movesInMidSend: met("back", true) + met("forth", true) + met("language", true),
    offlineInMidSend: met("offline", true) + met("blink", true),
    doubleClicks: met("twice", false),
    races: met("race", false),
    pricesMoved: Number(pages.some(({ notices }) => notices.some(({ text }) => PRICE_MOVED.some((key) => says(text, key))))),
    waits: Number(pages.some(({ send }) => says(send?.label ?? "", "review.waits"))),
    confirmed: presses.length - sends.length,
    told: Number(pages.some(tells)),
  };
}

const PRICE_MOVED = ["review.price.lower", "review.price.more", "review.price.worse"];
const ENDS = ["earlier.made.title", "earlier.refused.title"];

/** Whether a page tells the outcome of a transfer. */
function tells({ done, notices }) {
  return Boolean(done.transferId) || notices.some(({ text }) => ENDS.some((key) => says(text, key)));
}

const isSend = ({ kind, isBoth }) => kind === "pressed" && !isBoth;

/** Whether something has gone wrong or moved since the press before or the beginning, or the line is down. */
function isInTrouble(before) {
  const line = before.findLast(({ kind, what }) => kind === "met" && ["offline", "online", "reload"].includes(what));
  return line?.what === "offline" || before.slice(before.findLastIndex(isSend) + 1).some(({ kind }) => kind === "trouble");
}

/** The figures of many walks. */
export function sumOf(all) {
  const sum = figuresOf([]);
  for (const one of all) for (const name of Object.keys(sum)) sum[name] += one[name];
  return sum;
}

/** The figures in words. */
export function wordsOf(sum) {
  return [
    `${sum.reviews} at the review`,
    `${sum.sending} that send`,
    `${sum.told} told an outcome`,
    `${sum.sends} sends`,
    `${sum.sendsInTrouble} of them in trouble`,
    `in mid-send ${sum.reloadsInMidSend} reloads, ${sum.tabsInMidSend} changes of tab, ${sum.movesInMidSend} of page, ${sum.offlineInMidSend} lost connections`,
    `${sum.doubleClicks} double clicks`,
    `${sum.races} races of tabs`,
    `${sum.pricesMoved} with a moved price`,
    `${sum.waits} where Send waits`,
    `${sum.confirmed} confirmed`,
  ].join("; ");
}
