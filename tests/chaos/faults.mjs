// The faults between the pages and the service; sandbox/README.md describes them.

/** The longest delay of a late request. */
export const LATEST_MS = 4_000;
/** Longer than the SDK waits for an answer, the `timeoutMs` of the pages. */
const TOO_LONG = { delayMilliseconds: 2_200 };

const before = (kind, percent, more) => ({ kind, when: "before", percent, ...more });
const after = (kind, percent, more) => ({ kind, when: "after", percent, ...more });
/** The commit is undone, as if the service had died before it. */
const atCommit = (kind, percent, more) => ({ kind, when: "commit", percent, ...more });
const statuses = (when, ...list) => list.map((status) => when("status", 1, { status }));
const RESET = { reset: true };

/** Some two in five meet one. Against a late request only quote and nonce help. */
const ON_TRANSFERS = [
  before("late", 3, { delayMilliseconds: 900 }),
  before("late", 3, { delayMilliseconds: 900, ...RESET }),
  before("late", 4, { delayMilliseconds: 2_000 }),
  before("late", 2, { delayMilliseconds: LATEST_MS, ...RESET }),
  before("drop", 2),
  before("drop", 2, RESET),
  after("drop", 3),
  after("drop", 3, RESET),
  atCommit("drop", 1),
  after("truncate", 2),
  after("truncate", 1, RESET),
  ...[before, after].flatMap((when) => [when("nonJson", 1), when("nonJson", 1, { status: 200 })]),
  ...statuses(before, 500, 503, 429, 401, 401),
  ...statuses(after, 500, 502, 503, 504, 408, 409),
  ...statuses(atCommit, 503),
  ...[before, after].map((when) => when("status", 1, { status: 429, retryAfterSeconds: 1 })),
  before("latency", 1, { delayMilliseconds: 400 }),
  before("latency", 1, TOO_LONG),
  { kind: "latency", when: "during", percent: 2, delayMilliseconds: 700 },
  { kind: "latency", when: "during", percent: 1, ...TOO_LONG },
  after("latency", 1, TOO_LONG),
  after("slow", 1, { delayMilliseconds: 600 }),
  after("slow", 1, TOO_LONG),
  after("duplicate", 2),
  after("duplicate", 1, { delayMilliseconds: 1_500 }),
];

/** Some one in ten meets one. */
const ON_PROGRESS = [
  before("drop", 2),
  after("drop", 1, RESET),
  ...statuses(before, 503, 401),
  before("status", 1, { status: 429, retryAfterSeconds: 1 }),
  before("nonJson", 1),
  after("truncate", 1),
  after("latency", 1, TOO_LONG),
  after("slow", 1, { delayMilliseconds: 600 }),
];

/** For quote, nonce, fields and the transfer that is read back. */
const ON_READS = [
  before("drop", 1),
  ...statuses(before, 503, 401),
  after("truncate", 1),
  before("latency", 1, { delayMilliseconds: 300 }),
];
const READS = ["/v1/quote", "/v1/nonce", "/v1/transfer-fields", "/v1/transfers/*"];

const on = (method, path, faults) => faults.map((fault) => ({ ...fault, method, path, count: 1_000_000 }));

/** All of them; the sandbox's seed decides which request meets which. */
export const FAULTS = [
  ...on("POST", "/v1/transfers", ON_TRANSFERS),
  ...on("GET", "/v1/transfers/progress/*", ON_PROGRESS),
  ...READS.flatMap((path) => on("GET", path, ON_READS)),
];
