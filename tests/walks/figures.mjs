// How far walks get and what they meet: the absence of findings means little where few walks send.

import { says } from "../e2e/support/texts.mjs";

const OUTCOMES = ["earlier.made.title", "earlier.refused.title"];

/** Returns the figures of one walk from its events and the recorded transfers (see `judge`). */
export function figuresOf(events, rows) {
  const count = (isWanted) => events.filter(isWanted).length;
  const reached = (isWanted) => Number(events.some((event) => event.kind === "page" && isWanted(event)));
  const isOutcome = ({ text }) => OUTCOMES.some((key) => says(text, key));
  const sends = count(({ kind, isBoth }) => kind === "pressed" && !isBoth);
  return {
    reviews: reached(({ send }) => send?.isBusy === false),
    sending: Number(sends > 0),
    told: reached(({ done, notices }) => done.transferId || notices.some(isOutcome)),
    sends,
    confirmed: count(({ kind, isBoth }) => kind === "pressed" && isBoth),
    troubles: count(({ kind }) => kind === "trouble"),
    actionsInMidSend: count(({ kind, isSending }) => kind === "action" && isSending),
    doubleClicks: count(({ what }) => what === "twice"),
    races: count(({ what }) => what === "race"),
    transfers: rows.length,
    posts: count(({ kind }) => kind === "posted"),
    loads: count(({ kind }) => kind === "loaded"),
    claims: count(({ kind }) => kind === "page"),
  };
}

/** Adds up the figures of walks. */
export function sumOf(all) {
  const sum = figuresOf([], []);
  for (const one of all) for (const name of Object.keys(sum)) sum[name] += one[name];
  return sum;
}
