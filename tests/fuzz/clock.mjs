// Virtual time for the page. Time advances only when nothing else can happen: waits take no time, a
// wait that never ends is found at once, and the same seed gives the same story.

const START = Date.UTC(2026, 0, 15);
const LIMIT_MS = 3_600_000;
/** After so many turns of the event loop without progress only time can help. */
const IDLE_TURNS = 2;
/** Real time for the engine itself, such as for a frame that loads. */
const GRACE_MS = 10;
const GRACES = 30;

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
const realSleep = (ms) => new Promise((resolve) => realSetTimeout(resolve, ms));

/** Waits for one turn of the event loop. */
const turn = () => new Promise((resolve) => nextTurn(resolve));
const nextTurn = globalThis.setImmediate ?? messageTurn();

function messageTurn() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return (resolve) => {
    waiting.push(resolve);
    port2.postMessage(0);
  };
}

export class Clock {
  #now = START;
  #timers = new Map();
  #next = 1;

  /** Replaces timers and time of a realm. */
  install(scope = globalThis) {
    scope.setTimeout = (call, ms = 0, ...args) => {
      const id = this.#next++;
      this.#timers.set(id, { at: this.#now + Math.max(0, Number(ms) || 0), call: () => call(...args) });
      return id;
    };
    scope.clearTimeout = (id) => {
      if (!this.#timers.delete(id)) realClearTimeout(id);
    };
    scope.Date.now = () => this.#now;
  }

  /** Returns how a promise ends, `{ value }` or `{ error }`, or nothing if it never does. */
  async settle(promise, limitMs = LIMIT_MS) {
    let outcome;
    promise.then(
      (value) => (outcome = { value }),
      (error) => (outcome = { error }),
    );
    const end = this.#now + limitMs;
    for (let idle = 1; ; idle += 1) {
      await turn();
      if (outcome !== undefined) return outcome;
      if (idle < IDLE_TURNS) continue;
      if (this.#fire(end)) idle = 0;
      else if (idle > IDLE_TURNS + GRACES) return undefined;
      else await realSleep(GRACE_MS);
    }
  }

  /** Lets everything happen that is due within `ms`. */
  async pass(ms) {
    const end = this.#now + ms;
    do for (let count = 0; count < IDLE_TURNS; count += 1) await turn();
    while (this.#fire(end));
    this.#now = Math.max(this.#now, end);
  }

  /** Fires the next timer that is due until `end`. */
  #fire(end) {
    const none = [0, { at: Infinity }];
    const [id, timer] = [...this.#timers].reduce((a, b) => (b[1].at < a[1].at ? b : a), none);
    if (timer.at > end) return false;
    this.#timers.delete(id);
    this.#now = Math.max(this.#now, timer.at);
    timer.call();
    return true;
  }
}
