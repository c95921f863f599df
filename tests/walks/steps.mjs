// What a walk consists of: plain data, so that a walk can be repeated, cut short and kept in a file.

import { Chance } from "../chaos/chance.mjs";

/**
 * How a walk begins, how many steps follow, and how often each kind comes. By single steps alone two of five
 * walks got as far as Send; those who know what they want are there at once.
 */
const PLANS = {
  wanders: {
    share: 15,
    begins: [],
    length: [8, 20],
    kinds: { forward: 50, rush: 6, send: 10, click: 14, amount: 6, type: 4, enter: 3, route: 4, back: 4, forth: 2, reload: 7, tab: 4, close: 1, offline: 4, online: 5, fault: 9, world: 4, card: 2 },
  },
  sends: {
    share: 50,
    begins: ["send"],
    length: [2, 6],
    kinds: { send: 50, rush: 6, forward: 6, click: 8, amount: 2, enter: 3, route: 1, back: 4, forth: 2, reload: 5, tab: 5, close: 1, offline: 3, online: 5, fault: 6, world: 5, card: 1 },
  },
  hasTwoTabs: {
    share: 35,
    begins: ["rush", "tab", "rush", "send", "tab", "send"],
    length: [1, 5],
    kinds: { send: 50, tab: 14, rush: 4, forward: 4, click: 6, enter: 2, back: 3, reload: 5, close: 2, offline: 2, online: 4, fault: 4, world: 4 },
  },
};

const AMOUNTS = ["200", "1", "0.5", "12.345", "abc", "1,5", "$300", "2500", "9999.99", "10000.01", "99999999999999", "150", "487.65", ""];
/** Amounts that the sandbox answers with an error of a transfer or a price; see its triggers. */
const TRIGGERS = ["9900.01", "9900.06", "9900.09", "9900.14", "9900.15", "9900.20", "9900.30", "9900.31", "9900.40", "9900.41", "9900.50", "9900.62", "9900.65", "9900.66"];
const COUNTRIES = ["MEX", "MEX", "MEX", "JPN", "KWT", "GTM", "PHL", "IND", "GBR", "DEU"];
const ROUTES = [
  ...Array(4).fill({ country: "MEX", method: "BANK_ACCOUNT" }),
  { country: "MEX", method: "PUSH_TO_CARD" },
  { country: "MEX", method: "CASH_PICKUP" },
  { country: "JPN", method: "BANK_ACCOUNT" },
  { country: "KWT", method: "BANK_ACCOUNT" },
];
/** Amounts that can be sent on each route. */
const GOOD_AMOUNTS = [undefined, undefined, "200", "150", "87.65"];
const METHODS = ["PUSH_TO_CARD", "BANK_ACCOUNT", "BANK_ACCOUNT", "MOBILE_WALLET", "CASH_PICKUP"];
const CARDS = ["4242424242424242", "4242424242424242", "4242424242424242", "4000000000000002", "4000000000000036", "5555555555554444"];
const TEXTS = ["", "García", "<b>x</b>", "4711", "ana@", "+52 55 1234 5678", "x".repeat(300)];
const SESSIONS = ["expired", "silent", "wrong-origin", "fails-to-load"];

const POST = { method: "POST", path: "/v1/transfers" };
/** What can go wrong once. */
const FAULTS = [
  ...["before", "commit", "after"].map((when) => ({ ...POST, kind: "drop", when })),
  ...["before", "commit", "after"].map((when) => ({ ...POST, kind: "status", when, status: 503 })),
  { ...POST, kind: "drop", when: "before", count: 3 },
  { ...POST, kind: "truncate", when: "after" },
  { ...POST, kind: "nonJson", when: "after" },
  { ...POST, kind: "status", when: "before", status: 401 },
  { ...POST, kind: "latency", when: "during", delayMilliseconds: 1_200 },
  { ...POST, kind: "latency", when: "after", delayMilliseconds: 1_500 },
  { ...POST, kind: "late", when: "before", delayMilliseconds: 900 },
  { ...POST, kind: "late", when: "before", delayMilliseconds: 2_500 },
  { ...POST, kind: "duplicate", when: "after" },
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
const PROGRESS = "/v1/transfers/progress/*";
/** What keeps a transfer open for a while: the answer is late or lost, or the outcome cannot be learnt. */
const HOLD = [
  { fault: { ...POST, kind: "latency", when: "during", delayMilliseconds: 1_200 } },
  { fault: { ...POST, kind: "latency", when: "during", delayMilliseconds: 4_000 } },
  { fault: { ...POST, kind: "latency", when: "after", delayMilliseconds: 3_000 } },
  { fault: { ...POST, kind: "drop", when: "before", count: 6 } },
  { fault: { ...POST, kind: "late", when: "before", delayMilliseconds: 4_000 } },
  { fault: { path: "/v1/transfers*", kind: "drop", when: "after", count: 12 } },
  { fault: { path: "/v1/transfers*", kind: "status", when: "after", status: 503, count: 12 } },
];
/** What else can be wrong then: the answer is lost or refused, or the price has moved. */
const SPOIL = [
  "offline",
  { fault: { ...POST, kind: "drop", when: "after" } },
  { fault: { ...POST, kind: "status", when: "after", status: 503 } },
  { fault: { path: PROGRESS, kind: "drop", when: "before", count: 8 } },
  { move: { path: "rates", body: { currencyIso3Code: "MXN", millionths: 10_000 } } },
  { move: { path: "fees", body: { transferMethod: "BANK_ACCOUNT", cents: 25 } } },
];
/** What the customer does while it is sent. */
const MEANWHILE = [...Array(5).fill("reload"), "tab", "tab", "tab", "close", "back", "forth", "blink", "blink", "offline", "online", "language"];
/** What moves at the service meanwhile. */
const MOVES = [
  { path: "rates", body: { currencyIso3Code: "MXN", millionths: 10_000 } },
  { path: "rates", body: { currencyIso3Code: "MXN", millionths: -10_000 } },
  { path: "fees", body: { transferMethod: "BANK_ACCOUNT", cents: 25 } },
  { path: "lifetimes", body: { quoteSeconds: 4 } },
  { path: "lifetimes", body: { cardSessionSeconds: 3 } },
  { path: "balance", body: { clientId: "sandbox-client", cents: 5_000 } },
];

/** The steps of the walk that follows from a seed. */
export function stepsOf(seed) {
  const chance = new Chance(seed, "steps");
  const { begins, kinds, length } = pickWeighted(chance, Object.values(PLANS), ({ share }) => share);
  const others = Array.from({ length: chance.between(...length) }, () => pickWeighted(chance, Object.entries(kinds), ([, weight]) => weight)[0]);
  return [...begins, ...others].map((kind, at) => step(chance, kind, at >= begins.length));
}

function step(chance, kind, isBegun) {
  // Most people wait until a page has come to rest, some do not.
  const patience = kind === "rush" || chance.happens(70) ? 2_500 : chance.between(0, 900);
  const where = chance.fraction();
  const more = {
    forward: () => ({ card: chance.pick(CARDS), both: chance.happens(40) }),
    rush: () => rush(chance),
    send: () => send(chance, isBegun),
    amount: () => ({ text: chance.pick(chance.happens(35) ? TRIGGERS : AMOUNTS), side: chance.happens(75) ? "send" : "receive" }),
    type: () => ({ text: chance.pick(TEXTS) }),
    route: () => ({ country: chance.pick(COUNTRIES), method: chance.pick(METHODS) }),
    fault: () => ({ fault: chance.pick(FAULTS) }),
    world: () => ({ move: chance.pick(MOVES) }),
    card: () => ({ behaviour: chance.pick(SESSIONS) }),
  };
  return { do: kind, where, patience, ...more[kind]?.() };
}

const rush = (chance) => ({ card: CARDS[0], both: false, route: { ...chance.pick(ROUTES), amount: chance.pick(GOOD_AMOUNTS) } });

function send(chance, isBegun) {
  const trouble = chance.happens(80) ? chance.pick(chance.happens(65) ? HOLD : SPOIL) : undefined;
  const press = chance.happens(75) ? "once" : chance.pick(["twice", "race"]);
  const meanwhile = chance.happens(65) ? chance.pick(MEANWHILE) : undefined;
  return { ...rush(chance), arrive: chance.happens(85) || !isBegun, trouble, press, both: chance.happens(25), meanwhile, afterMs: chance.pick([60, 120, 250, 600]) };
}

function pickWeighted(chance, list, weightOf) {
  let left = chance.fraction() * list.reduce((sum, one) => sum + weightOf(one), 0);
  return list.find((one) => (left -= weightOf(one)) < 0) ?? list[0];
}
