// The steps of a walk: plain data, so that a walk can be repeated, shortened and stored.

import { Chance } from "../chaos/chance.mjs";

/** How a walk starts, how many random steps follow, and with which weights. */
const PLANS = [
  {
    weight: 15,
    start: [],
    length: [8, 20],
    kinds: {
      ...{ forward: 50, rush: 6, send: 10, click: 14, amount: 6, type: 4, enter: 3, route: 4, back: 4 },
      ...{ forth: 2, reload: 7, tab: 4, close: 1, offline: 4, online: 5, fault: 9, world: 4, card: 2 },
    },
  },
  {
    weight: 50,
    start: ["send"],
    length: [2, 6],
    kinds: {
      ...{ send: 50, rush: 6, forward: 6, click: 8, amount: 2, enter: 3, route: 1, back: 4, forth: 2 },
      ...{ reload: 5, tab: 5, close: 1, offline: 3, online: 5, fault: 6, world: 5, card: 1 },
    },
  },
  {
    weight: 35,
    start: ["rush", "tab", "rush", "send", "tab", "send"],
    length: [1, 5],
    kinds: {
      ...{ send: 50, tab: 14, rush: 4, forward: 4, click: 6, enter: 2, back: 3, reload: 5, close: 2 },
      ...{ offline: 2, online: 4, fault: 4, world: 4 },
    },
  },
];

const AMOUNTS = [
  ...["200", "1", "0.5", "12.345", "abc", "1,5", "$300", "2500", "9999.99", "10000.01", "99999999999999"],
  ...["150", "487.65", ""],
];
/** Amounts that the sandbox answers with an error (see its triggers). */
const TRIGGERS = ["01", "06", "09", "14", "15", "20", "30", "31", "40", "41", "50", "62", "65", "66"];
const COUNTRIES = ["MEX", "MEX", "MEX", "JPN", "KWT", "GTM", "PHL", "IND", "GBR", "DEU"];
const METHODS = ["PUSH_TO_CARD", "BANK_ACCOUNT", "BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"];
const ROUTES = [
  ...Array(4).fill({ country: "MEX", method: "BANK_ACCOUNT" }),
  { country: "MEX", method: "PUSH_TO_CARD" },
  { country: "MEX", method: "CASH_PICKUP" },
  { country: "JPN", method: "BANK_ACCOUNT" },
  { country: "KWT", method: "BANK_ACCOUNT" },
];
const GOOD_AMOUNTS = [undefined, undefined, "200", "150", "87.65"];
const GOOD_CARD = "4242424242424242";
const CARDS = [GOOD_CARD, GOOD_CARD, GOOD_CARD, "4000000000000002", "4000000000000036", "5555555555554444"];
const TEXTS = ["", "García", "<b>x</b>", "4711", "ana@", "+52 55 1234 5678", "x".repeat(300)];
const SESSIONS = ["expired", "silent", "wrong-origin", "fails-to-load"];

const post = (kind, when, more) => ({ method: "POST", path: "/v1/transfers", kind, when, ...more });
const FAULTS = [
  ...["before", "commit", "after"].map((when) => post("drop", when)),
  ...["before", "commit", "after"].map((when) => post("status", when, { status: 503 })),
  post("drop", "before", { count: 3 }),
  post("truncate", "after"),
  post("nonJson", "after"),
  post("status", "before", { status: 401 }),
  post("latency", "during", { delayMilliseconds: 1_200 }),
  post("latency", "after", { delayMilliseconds: 1_500 }),
  post("late", "before", { delayMilliseconds: 900 }),
  post("late", "before", { delayMilliseconds: 2_500 }),
  post("duplicate", "after"),
  { kind: "drop", when: "before", path: "/v1/transfers/progress/*", count: 4 },
  { kind: "status", when: "before", status: 503, path: "/v1/transfers/*", count: 2 },
  { kind: "drop", when: "before", path: "/v1/quote", count: 2 },
  { kind: "latency", when: "after", path: "/v1/quote", delayMilliseconds: 1_500 },
  { kind: "status", when: "before", status: 500, path: "/v1/nonce" },
  { kind: "nonJson", when: "before", path: "/v1/transfer-fields" },
  { kind: "drop", when: "before", path: "/v1/recipients" },
  { kind: "truncate", when: "after", path: "/v1/recipients/*/accounts" },
  { kind: "drop", when: "before", path: "/v2/add-card/*" },
];
/** Faults that delay a transfer's outcome. */
const DELAYS = [
  post("latency", "during", { delayMilliseconds: 1_200 }),
  post("latency", "during", { delayMilliseconds: 4_000 }),
  post("latency", "after", { delayMilliseconds: 3_000 }),
  post("drop", "before", { count: 6 }),
  post("late", "before", { delayMilliseconds: 4_000 }),
  { path: "/v1/transfers*", kind: "drop", when: "after", count: 12 },
  // Signed out after the commit: the SDK soon gives up asking for the outcome.
  { path: "/v1/transfers*", kind: "status", when: "after", status: 401, count: 12 },
].map((fault) => ({ fault }));
const RISING_RATE = { path: "rates", body: { currencyIso3Code: "MXN", millionths: 10_000 } };
const FALLING_RATE = { path: "rates", body: { currencyIso3Code: "MXN", millionths: -10_000 } };
const HIGHER_FEE = { path: "fees", body: { transferMethod: "BANK_ACCOUNT", cents: 25 } };
const MOVES = [
  RISING_RATE,
  FALLING_RATE,
  HIGHER_FEE,
  { path: "lifetimes", body: { quoteSeconds: 4 } },
  { path: "lifetimes", body: { cardSessionSeconds: 3 } },
  { path: "balance", body: { clientId: "sandbox-client", cents: 5_000 } },
];
/** Other trouble of a Send: the reply is lost or refused, or the price moves. */
const SEND_TROUBLES = [
  "offline",
  { fault: post("drop", "after") },
  { fault: post("status", "after", { status: 503 }) },
  { fault: { path: "/v1/transfers/progress/*", kind: "drop", when: "before", count: 8 } },
  { move: RISING_RATE },
  { move: FALLING_RATE },
  { move: HIGHER_FEE },
];
/** How the price changes on the review, and how soon the customer then presses. */
const RISES = [HIGHER_FEE, FALLING_RATE, RISING_RATE, RISING_RATE].map((move) => ({ move }));
/** What the customer does while a transfer is sent. */
const MEANWHILE = [
  ...["reload", "reload", "reload", "reload", "reload", "tab", "tab", "tab", "close", "back", "forth"],
  ...["blink", "blink", "offline", "online", "language"],
];

export function stepsOf(seed) {
  const chance = new Chance(seed, "steps");
  const { start, kinds, length } = pickWeighted(chance, PLANS, ({ weight }) => weight);
  const pickKind = () => pickWeighted(chance, Object.entries(kinds), ([, weight]) => weight)[0];
  const others = Array.from({ length: chance.between(...length) }, pickKind);
  return [...start, ...others].map((kind, at) => step(chance, kind, at < start.length));
}

function step(chance, kind, isStart) {
  // Most customers wait until the page has settled.
  const patience = kind === "rush" || chance.happens(70) ? 2_500 : chance.between(0, 900);
  const where = chance.fraction();
  const details = {
    forward: () => ({ card: chance.pick(CARDS), both: chance.happens(40) }),
    rush: () => rush(chance),
    send: () => send(chance, isStart),
    amount: () => ({
      text: chance.happens(35) ? `9900.${chance.pick(TRIGGERS)}` : chance.pick(AMOUNTS),
      side: chance.happens(75) ? "send" : "receive",
    }),
    type: () => ({ text: chance.pick(TEXTS) }),
    route: () => ({ country: chance.pick(COUNTRIES), method: chance.pick(METHODS) }),
    fault: () => ({ fault: chance.pick(FAULTS) }),
    world: () => ({ move: chance.pick(MOVES) }),
    card: () => ({ behaviour: chance.pick(SESSIONS) }),
  };
  return { do: kind, where, patience, ...details[kind]?.() };
}

function rush(chance) {
  const route = { ...chance.pick(ROUTES), amount: chance.pick(GOOD_AMOUNTS) };
  return { card: GOOD_CARD, both: false, route };
}

function send(chance, isStart) {
  const trouble = chance.happens(80) ? chance.pick(chance.happens(65) ? DELAYS : SEND_TROUBLES) : undefined;
  const press = chance.happens(75) ? "once" : chance.pick(["twice", "race"]);
  const meanwhile = chance.happens(65) ? chance.pick(MEANWHILE) : undefined;
  return {
    ...rush(chance),
    arrive: chance.happens(85) || isStart,
    both: chance.happens(25),
    afterMs: chance.pick([60, 120, 250, 600]),
    ...{ trouble, press, meanwhile },
    rise: chance.happens(15) ? rise(chance) : undefined,
    accepts: chance.happens(60),
  };
}

function rise(chance) {
  return { ...chance.pick(RISES), afterMs: chance.pick([0, 300, 1_300]) };
}

function pickWeighted(chance, list, weightOf) {
  let left = chance.fraction() * list.reduce((sum, one) => sum + weightOf(one), 0);
  return list.find((one) => (left -= weightOf(one)) < 0) ?? list[0];
}
