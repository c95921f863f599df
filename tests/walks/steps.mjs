// What a walk consists of: plain data, so that a walk can be repeated, cut short and kept in a file.

import { Chance } from "../chaos/chance.mjs";

const LENGTH = [8, 24];
/** How often each kind of step comes, of 100 or so. */
const KINDS = {
  forward: 50,
  rush: 6,
  interrupt: 8,
  click: 14,
  amount: 6,
  type: 4,
  enter: 3,
  route: 4,
  back: 4,
  forth: 2,
  reload: 7,
  tab: 4,
  offline: 4,
  online: 5,
  fault: 9,
  world: 4,
  card: 2,
};

const AMOUNTS = ["200", "1", "0.5", "12.345", "abc", "1,5", "$300", "2500", "9999.99", "10000.01", "99999999999999", "150", "487.65", ""];
/** Amounts that the sandbox answers with an error of a transfer or a price; see its triggers. */
const TRIGGERS = ["9900.01", "9900.06", "9900.09", "9900.14", "9900.15", "9900.20", "9900.30", "9900.31", "9900.40", "9900.41", "9900.50", "9900.62", "9900.65", "9900.66"];
const COUNTRIES = ["MEX", "MEX", "MEX", "JPN", "KWT", "GTM", "PHL", "IND", "GBR", "DEU"];
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
/** What a reload in the middle of sending falls into. */
const INTERRUPTIONS = [
  { ...POST, kind: "latency", when: "during", delayMilliseconds: 1_200 },
  { ...POST, kind: "drop", when: "after" },
  { ...POST, kind: "drop", when: "before", count: 6 },
  { ...POST, kind: "late", when: "before", delayMilliseconds: 4_000 },
];
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
  return Array.from({ length: chance.between(...LENGTH) }, () => step(chance));
}

function step(chance) {
  const kind = pickKind(chance);
  // Most people wait until a page has come to rest, some do not.
  const patience = chance.happens(70) ? 2_500 : chance.between(0, 900);
  const where = chance.fraction();
  const more = {
    forward: () => ({ card: chance.pick(CARDS), both: chance.happens(40) }),
    rush: () => ({ card: CARDS[0], both: false }),
    interrupt: () => ({ fault: chance.pick(INTERRUPTIONS), afterMs: chance.between(0, 500) }),
    amount: () => ({ text: chance.pick(chance.happens(35) ? TRIGGERS : AMOUNTS), side: chance.happens(75) ? "send" : "receive" }),
    type: () => ({ text: chance.pick(TEXTS) }),
    route: () => ({ country: chance.pick(COUNTRIES), method: chance.pick(METHODS) }),
    fault: () => ({ fault: chance.pick(FAULTS) }),
    world: () => ({ move: chance.pick(MOVES) }),
    card: () => ({ behaviour: chance.pick(SESSIONS) }),
  };
  return { do: kind, where, patience, ...more[kind]?.() };
}

function pickKind(chance) {
  const kinds = Object.entries(KINDS);
  let left = chance.fraction() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
  return (kinds.find(([, weight]) => (left -= weight) < 0) ?? kinds[0])[0];
}
