import { ALL, START, SUCCESS } from "./script.js";

const HUGE = 1_000_000;

/** What is none of the four strings, though a careless reader could take it for one. */
const WRONG = [
  "",
  " ",
  "READY",
  "COMPLETED",
  "CARD_VALIDATION",
  "CARD_VALIDATION_STOP",
  "CARD_VALIDATION_STOP_",
  "CARD_VALIDATION_STOP_SUCCES",
  "CARD_VALIDATION_STOP_SUCCESSS",
  `${START} `,
  ` ${START}`,
  `${START}\n`,
  `${START}\0`,
  `\ufeff${START}`,
  START.toLowerCase(),
  JSON.stringify(SUCCESS),
  "CARD\u2010VALIDATION\u2010START",
  "\u0421ARD_VALIDATION_START",
  "\ud800",
  [START],
  [SUCCESS, SUCCESS],
  { type: SUCCESS },
  { data: SUCCESS, type: "message" },
  { toString: START, valueOf: SUCCESS },
  { length: START.length, 0: "C" },
  new String(SUCCESS),
  Object.assign([], { 0: START, length: 1 }),
  new Map([[START, SUCCESS]]),
  new Error(SUCCESS),
  new Date(0),
  new TextEncoder().encode(START),
  null,
  undefined,
  true,
  0,
  28,
  Number.NaN,
  1n,
];

const MAKERS = [
  () => START.repeat(HUGE / START.length),
  () => `${SUCCESS}${" ".repeat(HUGE)}`,
  () => new Blob([START]),
  () => {
    const self = { type: START };
    return Object.assign(self, { self });
  },
];

/** Data that can be posted and says nothing. */
export function wrongData(chance) {
  return chance.happens(95) ? chance.pick(WRONG) : chance.pick(MAKERS)();
}

/** One of the four strings; mostly one that the form could say now, as that is what a forger would choose. */
export function forgedData(chance, script) {
  return chance.happens(75) && script.legal.length > 0 ? chance.pick(script.legal) : chance.pick(ALL);
}

/** What only a script on the page can make: it turns into one of the strings when it is read as text. */
export function turningInto(data) {
  return { toString: () => data, [Symbol.toPrimitive]: () => data, toJSON: () => data };
}
