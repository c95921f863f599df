// The harness's own time: it advances only when nothing else can happen. So ten thousand waits take no time,
// a wait that never ends is found at once, and the same seed gives the same story.

const START = Date.UTC(2026, 0, 15);
const LIMIT_MS = 3_600_000;
/** How many turns of the event loop without any progress mean that only time can help. */
const IDLE_TURNS = 2;
/** In real time: what the engine itself may take, such as a frame that loads. */
const GRACE_MS = 10;
const GRACES = 30;

const real = { setTimeout: globalThis.setTimeout.bind(globalThis), clearTimeout: globalThis.clearTimeout.bind(globalThis) };

/** One turn of the event loop. */
const turn =
  typeof setImmediate === "function" ? () => new Promise((resolve) => setImmediate(resolve)) : messageTurn();

function messageTurn() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
}

export const realSleep = (ms) => new Promise((resolve) => real.setTimeout(resolve, ms));

export class Clock {
  #now = START;
  #timers = new Map();
  #next = 1;

  /** Takes the place of the timers and of the time of a realm. */
  install(scope = globalThis) {
    scope.setTimeout = (call, ms = 0, ...args) => {
      const id = this.#next++;
      this.#timers.set(id, { at: this.#now + Math.max(0, Number(ms) || 0), call: () => call(...args) });
      return id;
    };
    scope.clearTimeout = (id) => {
      if (!this.#timers.delete(id)) real.clearTimeout(id);
    };
    scope.Date.now = () => this.#now;
  }

  get now() {
    return this.#now;
  }

  get pending() {
    return this.#timers.size;
  }

  /** How a promise ends: `{ value }` or `{ error }`; nothing if it would never. */
  async settle(promise, limitMs = LIMIT_MS) {
    let outcome;
    promise.then(
      (value) => (outcome = { value }),
      (error) => (outcome = { error }),
    );
    const end = this.#now + limitMs;
    let idle = 0;
    for (;;) {
      await turn();
      if (outcome !== undefined) return outcome;
      idle += 1;
      if (idle < IDLE_TURNS) continue;
      if (this.#fire(end)) idle = 0;
      else if (idle > IDLE_TURNS + GRACES) return undefined;
      else await realSleep(GRACE_MS);
    }
  }

  /** Lets happen what happens within so much time. */
  async pass(ms) {
    const end = this.#now + ms;
    do for (let i = 0; i < IDLE_TURNS; i += 1) await turn();
    while (this.#fire(end));
    this.#now = Math.max(this.#now, end);
  }

  /** The next timer that is due until then. */
  #fire(end) {
    let first;
    for (const [id, timer] of this.#timers) if (first === undefined || timer.at < first[1].at) first = [id, timer];
    if (first === undefined || first[1].at > end) return false;
    this.#timers.delete(first[0]);
    this.#now = Math.max(this.#now, first[1].at);
    first[1].call();
    return true;
  }
}
