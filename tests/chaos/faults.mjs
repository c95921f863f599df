// What goes wrong between the pages and the service; see the faults of sandbox/README.md.

/** How long a late request lies on its way at most. */
export const LATEST_MS = 4_000;

/** Longer than the SDK waits for an answer (`timeoutMs` of the pages). */
const TOO_LONG = 2_200;

const before = (kind, percent, more) => ({ kind, when: "before", percent, ...more });
const after = (kind, percent, more) => ({ kind, when: "after", percent, ...more });
/** All was done, and is undone, as if the service had died before it was committed. */
const atCommit = (kind, percent, more) => ({ kind, when: "commit", percent, ...more });
const during = (delayMilliseconds, percent) => ({ kind: "latency", when: "during", percent, delayMilliseconds });

/** Some two in five meet one. First what comes late: only the quote and the nonce help against it. */
const ON_TRANSFERS = [
  before("late", 3, { delayMilliseconds: 900 }),
  before("late", 3, { delayMilliseconds: 900, reset: true }),
  before("late", 4, { delayMilliseconds: 2_000 }),
  before("late", 2, { delayMilliseconds: LATEST_MS, reset: true }),
  before("drop", 2),
  before("drop", 2, { reset: true }),
  after("drop", 3),
  after("drop", 3, { reset: true }),
  atCommit("drop", 1),
  after("truncate", 2),
  after("truncate", 1, { reset: true }),
  before("nonJson", 1),
  after("nonJson", 1),
  before("nonJson", 1, { status: 200 }),
  after("nonJson", 1, { status: 200 }),
  before("status", 1, { status: 500 }),
  after("status", 1, { status: 500 }),
  after("status", 1, { status: 502 }),
  before("status", 1, { status: 503 }),
  after("status", 1, { status: 503 }),
  atCommit("status", 1, { status: 503 }),
  after("status", 1, { status: 504 }),
  before("status", 1, { status: 429 }),
  before("status", 1, { status: 429, retryAfterSeconds: 1 }),
  after("status", 1, { status: 429, retryAfterSeconds: 1 }),
  before("status", 2, { status: 401 }),
  after("status", 1, { status: 408 }),
  after("status", 1, { status: 409 }),
  before("latency", 1, { delayMilliseconds: 400 }),
  before("latency", 1, { delayMilliseconds: TOO_LONG }),
  during(700, 2),
  during(TOO_LONG, 1),
  after("latency", 1, { delayMilliseconds: TOO_LONG }),
  after("slow", 1, { delayMilliseconds: 600 }),
  after("slow", 1, { delayMilliseconds: TOO_LONG }),
  after("duplicate", 2),
  after("duplicate", 1, { delayMilliseconds: 1_500 }),
];

/** Some one in ten meets one. */
const ON_PROGRESS = [
  before("drop", 2),
  after("drop", 1, { reset: true }),
  before("status", 1, { status: 503 }),
  before("status", 1, { status: 429, retryAfterSeconds: 1 }),
  before("status", 1, { status: 401 }),
  before("nonJson", 1),
  after("truncate", 1),
  after("latency", 1, { delayMilliseconds: TOO_LONG }),
  after("slow", 1, { delayMilliseconds: 600 }),
];

/** Quote, nonce, fields, the transfer read back: what stands around the one POST. */
const ON_READS = [
  before("drop", 1),
  before("status", 1, { status: 503 }),
  before("status", 1, { status: 401 }),
  after("truncate", 1),
  before("latency", 1, { delayMilliseconds: 300 }),
];

const met = (method, path, faults) => faults.map((fault) => ({ ...fault, method, path, count: 1_000_000 }));

/** All of them, for as long as a sandbox runs: which request meets which is a matter of its seed. */
export const FAULTS = [
  ...met("POST", "/v1/transfers", ON_TRANSFERS),
  ...met("GET", "/v1/transfers/progress/*", ON_PROGRESS),
  ...["/v1/quote", "/v1/nonce", "/v1/transfer-fields", "/v1/transfers/*"].flatMap((path) => met("GET", path, ON_READS)),
];
